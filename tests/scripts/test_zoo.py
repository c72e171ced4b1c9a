"""The scripts behind the page on keys: the zoo table, and the comparison with scikit-learn."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from guesstree.engine.registry import parse

ROOT = Path(__file__).parent.parent.parent
KINDS = 7


def run(script: str, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / script), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
        cwd=cwd,
    )


def made_up(animals: int) -> str:
    """Return lines in the format of zoo.data: name, 12 features, legs, 3 features, kind."""
    lines = []
    for n in range(animals):
        bits = [n >> i & 1 for i in range(15)]
        name = "frog" if n in (25, 26) else f"animal{n}"
        lines.append(
            ",".join(map(str, [name, *bits[:12], (0, 2, 4, 5, 6, 8)[n % 6], *bits[12:], n % KINDS + 1]))
        )
    return "\n".join(lines) + "\n"


def test_the_zoo_table_is_made_from_a_copy_of_the_data(tmp_path: Path) -> None:
    data, table = tmp_path / "zoo.data", tmp_path / "zoo.csv"
    data.write_text(made_up(101))
    made = run("zoo.py", str(table), "--data", str(data))
    assert made.returncode == 0, made.stderr
    game = parse(f"table:{table}")
    assert (len(game.secrets), len(game.guesses)) == (101, 16)
    assert [name for name in game.secrets if name.startswith("frog")] == ["frog 1", "frog 2"]
    assert game.guesses[0] == "hair?" and game.guesses[12] == "legs" and game.guesses[15] == "catsize?"
    answers = [game.responses[game.respond(g, 3)] for g in range(16)]
    assert answers == ["yes", "yes", *["no"] * 10, "5", *["no"] * 3]
    orange = tmp_path / "zoo.tab"
    orange.write_text("name\thair\nstring\td\nmeta\t\n" + made_up(101).replace(",", "\t"))
    again = tmp_path / "again.csv"
    assert run("zoo.py", str(again), "--data", str(orange)).returncode == 0
    assert again.read_text() == table.read_text()


def test_other_data_are_refused(tmp_path: Path) -> None:
    data, table = tmp_path / "zoo.data", tmp_path / "zoo.csv"
    data.write_text(made_up(100))
    for path, words in (
        (data, "has 100 animals, not 101; expected zoo.data"),
        (tmp_path / "no", "No such file"),
    ):
        made = run("zoo.py", str(table), "--data", str(path))
        assert made.returncode == 1 and words in made.stderr and "Traceback" not in made.stderr
    assert not table.exists()


@pytest.mark.long
def test_classifiers_are_compared_on_the_same_secrets(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    (tmp_path / "key.csv").write_text(
        "test,a,b,c,d,e\nlegs,0,2,4,6,8\nwings?,no,yes,no,yes,no\nsize,small,tall,tall,small,big\nweight,5,1,1,1,2\n"
    )
    made = run("classifiers.py", "table:key.csv", "--seeds", "3", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[:3] == [
        "table:key.csv: 5 secrets of weight 10",
        "questions of the table (3)",
        "  exact, expected           expected 1.0000  worst 1",
    ]
    assert "yes or no (8)" in made.stdout
    assert made.stdout.count("scikit-learn") == 2
    made = run("classifiers.py", "mastermind:2x2", cwd=tmp_path)
    assert made.returncode == 1 and "expected a table to identify" in made.stderr
