"""What each checker takes is measured once and kept; one that refuses what another accepts is an error."""

import json
import lzma
import subprocess
import sys
from pathlib import Path

import pytest
from results import accepted, load
from results_page import beside

from guesstree import prove

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "docs" / "results.json"
NAMES = ["mastermind:2x3 expected win", "bulls:3x4 worst win"]


def checkers(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    options = [
        *("--results", folder / "results.json", "--others", folder / "others.json"),
        *("--folder", folder),
    ]
    command = [sys.executable, str(ROOT / "scripts" / "checkers.py"), *map(str, options), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=200)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Some certificates, with what is recorded of them."""
    records = {name: load(RESULTS, "certificates")[name] for name in NAMES}
    for name, record in records.items():
        game, objective, goal = name.split()
        text = prove(game, objective, goal=goal).text.encode()
        stem = name.replace(":", "-").replace(" ", "-")
        (tmp_path / f"{stem}.proof.xz").write_bytes(lzma.compress(text))
        record.pop("checkers", None)
    (tmp_path / "results.json").write_text(json.dumps({"cells": {}, "certificates": records}))
    return tmp_path


def test_what_checkers_take_is_entered_once(folder: Path) -> None:
    done = checkers(folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(line.split(": C ")[0] for line in done.stdout.splitlines()) == sorted(NAMES)
    for record in load(folder / "results.json", "certificates").values():
        for name in ("C", "Python"):
            seconds, memory = record["checkers"][name]
            assert 0 <= seconds < 10 and 0 < memory < 1000
        assert accepted(record).startswith("C, Python")
    before = (folder / "results.json").read_text()
    assert checkers(folder).stdout == ""
    assert (folder / "results.json").read_text() == before
    again = checkers(folder, "--again", "Python").stdout.splitlines()
    assert [" C " in line for line in again] == [False, False]


def test_a_certificate_that_c_refuses_is_an_error(folder: Path) -> None:
    path = folder / "mastermind-2x3-expected-win.proof.xz"
    text = lzma.decompress(path.read_bytes()).replace(b" 21 ", b" 22 ")
    path.write_bytes(lzma.compress(text))
    done = checkers(folder)
    assert done.returncode == 1
    assert done.stderr.startswith(f"ERROR: {NAMES[0]}: C refuses it: ")
    assert "checkers" not in load(folder / "results.json", "certificates")[NAMES[0]]


def test_the_other_checkers_are_compared_with_the_one_in_c() -> None:
    took = ((0.1, 0.3), (0.1, 0.5), (0.2, 0.8), (0.01, 9.0), (0.1, None), (None, 1.0))
    records = [
        {"checkers": {"C": c and [c, 13], "Coq": q and [q, 14], "Python": None, "WebAssembly": None}}
        for c, q in took
    ]
    text = beside([*records, {"bound": 8}])
    assert "(4 of 6 certificates)" in text  # in one C takes too little, in one it says nothing
    assert "\n- Coq took 4.0 times as long (median of 3), at most 5.0 times.\n" in text
    assert beside([{"bound": 8}]) == ""
