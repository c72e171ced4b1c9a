"""What is added in one place is there in every command: a valuation, and a command itself."""

import json
import sys
from pathlib import Path
from unittest.mock import patch

import click
import pytest
from piped import piped

import guesstree.cli
from guesstree.cli import COMMANDS, guesstree_command
from guesstree.engine import modules
from guesstree.engine.onestep import valuations

MINE = '''"""Two valuations more, and the first again as a function."""

from guesstree.engine.onestep.valuations import COST_VALUATIONS, VALUATIONS, CostValuation, Valuation


def cubes(sizes):
    return sum(n**3 for n in sizes)


def heaviest(parts):
    return max(weight * (1 + cost) for weight, cost in parts)


def part_scores(secrets):
    import numpy as np

    return np.arange(secrets + 1, dtype=np.int64) ** 3


VALUATIONS["cubes"] = Valuation("cubes", "this test", "min", cubes, part_scores)
COST_VALUATIONS["heaviest"] = CostValuation("heaviest", "this test", "min", heaviest, heaviest)
'''
WORDS = ["night", "light", "sight", "tests", "teste", "hello", "world"]
GAMES = [("mastermind:3x4", "143", "cubes"), ("hangman:words.txt", "light", "heaviest")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    return tmp_path


def run(folder: Path, *words: str, typed: str = "") -> str:
    """Return what a command prints that imports the module anew."""
    with (
        patch.dict(valuations.VALUATIONS),
        patch.dict(valuations.COST_VALUATIONS),
        patch.object(modules, "_loaded", {}),
    ):
        done = piped("--import", "mine", *words, typed=typed, cwd=folder)
        sys.modules.pop("mine", None)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("game", "secret", "name"), GAMES)
def test_a_valuation_of_one_entry_is_in_every_command(
    folder: Path, game: str, secret: str, name: str
) -> None:
    solved = json.loads(run(folder, "solve", game, "--method", name, "--json"))
    assert solved["method"] == name
    rows = json.loads(run(folder, "compare", game, "--exact-seconds", "0", "--json"))["methods"]
    assert {row["method"]: row["total"] for row in rows}[name] == solved["total"]
    if name == "cubes":
        played = json.loads(run(folder, "solve", game, "--method", "mine:cubes", "--json"))
        assert played["total"] == solved["total"]

    found = json.loads(run(folder, "valuations", game, "--by", name, "--json"))["guesses"]
    assert len({row[name] for row in found if row["parts"] > 1}) > 1
    key = [(row["parts"] < 2, row[name], not row["candidate"]) for row in found]
    assert key == sorted(key)
    assert f"best by {name}" in run(folder, "valuations", game, "--by", name)

    first = f"[{found[0]['guess']}]"
    assert first in run(folder, "assist", game, "--method", name)
    hinted = run(folder, "play", game, "--hints", name, "--seed", "1", typed="hint\ngive up\n")
    assert hinted.split("hint\n")[1].splitlines()[1].split()[0] == found[0]["guess"]
    shown = json.loads(run(folder, "demo", game, "--secret", secret, "--method", name, "--json"))
    assert (shown["method"], shown["steps"][0]["guess"]) == (name, found[0]["guess"])


def test_every_file_of_the_command_line_is_a_command() -> None:
    home = Path(guesstree.cli.__file__).parent
    assert set(COMMANDS) == {path.stem for path in home.glob("*.py")} - {"__init__"}
    with click.Context(guesstree_command) as context:
        for name in COMMANDS:
            command = guesstree_command.get_command(context, name)
            assert command is not None
            assert command.name == name
