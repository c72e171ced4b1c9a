"""Recorded certificates: a sample is made again and compared; others are entered, refused and shown."""

import json
import subprocess
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from guesstree import prove

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "docs" / "results.json"
SAMPLE = [
    *(
        f"mastermind:4x6 {objective} {goal}"
        for objective in ("expected", "worst")
        for goal in ("win", "identify")
    ),
    "mastermind:7x2 expected win",
    "blackpeg:4x4 expected win",
    "blackpeg:6x2 worst win",
    "bulls:4x6 expected win",
    "bulls:4x6 expected identify",
]


NAMES = ["mastermind:2x3 expected win", "bulls:3x4 worst win", "blackpeg:2x2 expected identify"]


def run(script: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / f"{script}.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def frontier(
    results: Path, *words: str | Path, cells: Iterable[str] = NAMES
) -> subprocess.CompletedProcess[str]:
    only = (word for cell in cells for word in ("--cell", cell))
    return run("frontier", "--results", results, *words, *only)


def records_of(path: Path, part: str = "certificates") -> dict[str, dict[str, Any]]:
    found = json.loads(path.read_text())[part]
    assert isinstance(found, dict)
    return found


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A file of some cells, without certificates."""
    cells = records_of(RESULTS, "cells")
    path = tmp_path / "r.json"
    path.write_text(json.dumps({"cells": {name: cells[name] for name in NAMES}}))
    return path


@pytest.mark.parametrize("cell", SAMPLE)
@pytest.mark.long
def test_what_is_made_again_is_what_is_recorded(cell: str) -> None:
    done = run("frontier", "--compare", "--cell", cell)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{cell}: {records_of(RESULTS)[cell]['bytes']} bytes, checked in ")


def test_the_command_writes_what_the_script_does() -> None:
    for objective in ("expected", "worst"):
        text = prove("mastermind:4x5", objective).text
        record = records_of(RESULTS)[f"mastermind:4x5 {objective} win"]
        assert sha256(text.encode()).hexdigest() == record["sha256"]


def test_certificates_are_made_once_kept_and_shown(results: Path, tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    done = frontier(results, "--save", folder)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3
    records = records_of(results)
    for name, record in records.items():
        known = {key: value for key, value in records_of(RESULTS)[name].items() if key != "checkers"}
        assert record == known | {
            key: value for key, value in record.items() if key.endswith(("_seconds", "_mb"))
        }
        data = (folder / f"{name.replace(':', '-').replace(' ', '-')}.proof").read_bytes()
        assert (record["bytes"], record["sha256"]) == (len(data), sha256(data).hexdigest())
    assert frontier(results).stdout == ""
    assert frontier(results, "--table").returncode == 0
    text = results.with_suffix(".md").read_text()
    assert "3 of the 3 proved values have one" in text
    assert "| mastermind:2x3 | expected | win | at least 21 |" in text
    assert "| bulls:3x4 | worst | win | not within 3 |" in text
    assert records["mastermind:2x3 expected win"]["sha256"][:12] in text


def test_what_took_too_long_is_tried_again_with_more_time(results: Path) -> None:
    cell = NAMES[0]
    document = json.loads(results.read_text())
    document["certificates"] = {cell: {"stopped": "proof", "time_limit": 9.0}}
    results.write_text(json.dumps(document))
    assert frontier(results, "--time-limit", "9", cells=[cell]).stdout == ""
    assert "; 46 bytes, checked in " in frontier(results, "--time-limit", "10", cells=[cell]).stdout


@pytest.mark.long
def test_what_takes_too_long_is_noted(results: Path) -> None:
    cell = "mastermind:4x8 expected win"
    value = records_of(RESULTS, "cells")[cell]
    results.write_text(json.dumps({"cells": {cell: value}}))
    done = frontier(results, "--time-limit", "4", cells=[cell])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("; no proof in 4 s\n") or "; no proof in 4 s (" in done.stdout
    assert records_of(results) == {cell: {"stopped": "proof", "time_limit": 4.0}}
    assert records_of(results, "cells")[cell] == value


def test_what_contradicts_the_value_or_the_record_is_an_error(results: Path) -> None:
    cell = NAMES[0]
    assert frontier(results, cells=[cell]).returncode == 0
    document = json.loads(results.read_text())
    document["certificates"][cell]["sha256"] = "0" * 64
    results.write_text(json.dumps(document))
    done = frontier(results, "--compare", cells=[cell])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"ERROR: {cell}: ")
    document["cells"][cell] |= {"lower": 22, "upper": 22}
    results.write_text(json.dumps(document))
    done = frontier(results, "--again", cells=[cell])
    assert done.returncode == 1
    assert "CONTRADICTION" in done.stderr
    assert records_of(results)[cell]["sha256"] == "0" * 64


def test_a_certificate_that_is_there_is_entered_and_a_false_one_is_not(results: Path, tmp_path: Path) -> None:
    words = [
        "abbey",
        "abide",
        "babes",
        "eerie",
        "geese",
        "keels",
        "steel",
        "sweet",
        "speed",
        "crepe",
        "erase",
    ]
    (tmp_path / "words.txt").write_text("\n".join(words))
    certificate = prove(f"wordle:{tmp_path / 'words.txt'}", first="steel")
    path = tmp_path / "w.proof"
    certificate.write(path)
    assert isinstance(certificate.bound, int)
    given = (path, "--results", results, "--game", "wordle:eleven", "--seconds", "0.5")
    done = run("certify", *given)
    assert done.returncode == 0, done.stderr
    record = records_of(results)["wordle:eleven expected win first steel"]
    assert (record["first"], record["bound"], record["prove_seconds"]) == ("steel", certificate.bound, 0.5)
    path.write_text(certificate.text.replace(f" {certificate.bound} ", f" {certificate.bound + 1} ", 1))
    before = results.read_bytes()
    done = run("certify", *given)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ERROR: ")
    assert results.read_bytes() == before


def test_recorded_certificates_prove_what_is_recorded() -> None:
    cells, records = records_of(RESULTS, "cells"), records_of(RESULTS)
    proved = {name for name, record in cells.items() if record["lower"] == record["upper"]}
    made = {name for name in proved if "stopped" not in records.get(name, {"stopped": ""})}
    for name in made:
        record, value, (_, objective, _, *within) = records[name], cells[name]["lower"], name.split()
        limit = int(within[1]) if within else None
        claim = (limit, value) if objective == "expected" else (value - 1, None)
        assert (record["first"], record["within"], record["bound"]) == (None, *claim)
        assert len(record["sha256"]) == 64
    assert len(made) > 0.95 * len(proved)
