"""Files of versions before this one are read, and those of later ones refused by version in one line."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from piped import piped

OLD = Path(__file__).parent / "data" / "old"
"""Written by the version before names of files, options and modules were made those of the field."""


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("mastermind", "total 206 over 64 secrets, worst case 4"),
        ("lamp", "minutes: total 16 over 4 causes, average 4.0000, worst case 6"),
        ("fever", "cost: average 5.5070 (tests 3.0250, decisions 2.4820), worst case 66"),
        ("lapses", "cost: average 7.0000"),
        ("lies", "worst case 5 over 9 secrets and all ways to lie"),
    ],
)
def test_strategies_are_read(name: str, figures: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.json"
    shutil.copy(OLD / file.name, file)
    done = piped("check", str(file))
    assert done.returncode == 0 and ": valid" in done.stdout, done.stderr
    assert figures in done.stdout
    document = json.loads(file.read_text())
    file.write_text(json.dumps(document | {"format": "guesstree/2"}))
    done = piped("check", str(file))
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith('format is "guesstree/2"; expected "guesstree/1"')


@pytest.mark.parametrize("name", ["plain", "lamp", "lies"])
def test_certificates_are_read(name: str) -> None:
    done = piped("verify", str(OLD / f"{name}.proof"))
    assert done.returncode == 0 and ": verified: " in done.stdout, done.stderr


def test_a_ledger_goes_on(tmp_path: Path) -> None:
    file, out = tmp_path / "plain.ledger", tmp_path / "some.proof"
    shutil.copy(OLD / "plain.ledger", file)
    done = piped("ledger", str(file))
    assert done.returncode == 0 and "206" in done.stdout, done.stderr
    done = piped("prove", "mastermind:3x4", "--ledger", str(file), "--out", str(out), "--json")
    assert json.loads(done.stdout)["proof"]["bound"] == 206
    with closing(sqlite3.connect(file)) as base, base:
        (form,) = base.execute("PRAGMA user_version").fetchone()
        base.execute(f"PRAGMA user_version = {form + 1}")
    done = piped("ledger", str(file))
    assert done.returncode == 2
    assert f"is a ledger of format {form + 1}, not of format {form}; expected" in done.stderr.splitlines()[-1]


def test_an_evolution_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "evolve.json"
    shutil.copy(OLD / "evolve.json", file)
    words = ["breed", "evolve", "mastermind:3x3", "--generations", "4", "--state", str(file)]
    done = piped(*words)
    assert done.returncode == 0, done.stderr
    document = json.loads(file.read_text())
    assert document["generation"] == 4
    file.write_text(json.dumps(document | {"format": "guesstree-evolution/9"}))
    done = piped(*words)
    assert done.returncode == 2 and "a state 'guesstree-evolution/9'" in done.stderr.splitlines()[-1]
