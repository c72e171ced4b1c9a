"""The script that makes certificates: a sample is made again and compared with what is recorded."""

import json
import subprocess
import sys
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


def certify(*words: str | Path) -> subprocess.CompletedProcess[str]:
    script = ROOT / "scripts" / "certify.py"
    return subprocess.run(
        [sys.executable, str(script), *map(str, words)], capture_output=True, text=True, timeout=120
    )


def records_of(path: Path, part: str = "certificates") -> dict[str, dict[str, Any]]:
    found = json.loads(path.read_text())[part]
    assert isinstance(found, dict)
    return found


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A file of some cells, without certificates."""
    cells = records_of(RESULTS, "cells")
    names = ["mastermind:2x3 expected win", "bulls:3x4 worst win", "blackpeg:2x2 expected identify"]
    path = tmp_path / "r.json"
    path.write_text(json.dumps({"cells": {name: cells[name] for name in names}}))
    return path


@pytest.mark.parametrize("cell", SAMPLE)
@pytest.mark.long
def test_what_is_made_again_is_what_is_recorded(cell: str) -> None:
    done = certify("--compare", "--cell", cell)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{cell}: {records_of(RESULTS)[cell]['bytes']} bytes, checked in ")


def test_the_command_writes_what_the_script_does() -> None:
    for objective in ("expected", "worst"):
        text = prove("mastermind:4x5", objective).text
        record = records_of(RESULTS)[f"mastermind:4x5 {objective} win"]
        assert sha256(text.encode()).hexdigest() == record["sha256"]


def test_certificates_are_made_once_kept_and_shown(results: Path, tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    done = certify("--results", results, "--save", folder)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3
    records = records_of(results)
    for name, record in records.items():
        assert record == records_of(RESULTS)[name] | {
            key: value for key, value in record.items() if key.endswith(("_seconds", "_mb"))
        }
        data = (folder / f"{name.replace(':', '-').replace(' ', '-')}.proof").read_bytes()
        assert (record["bytes"], record["sha256"]) == (len(data), sha256(data).hexdigest())
    assert certify("--results", results).stdout == ""
    page = [sys.executable, str(ROOT / "scripts" / "frontier.py"), "--results", str(results), "--table"]
    subprocess.run(page, check=True)
    text = results.with_suffix(".md").read_text()
    assert "3 of the 3 proved values have one" in text
    assert "| mastermind:2x3 | expected | win | at least 21 |" in text
    assert "| bulls:3x4 | worst | win | not within 3 |" in text
    assert records["mastermind:2x3 expected win"]["sha256"][:12] in text


def test_what_took_too_long_is_tried_again_with_more_time(results: Path) -> None:
    hard, easy = "mastermind:5x6 expected win", "mastermind:2x3 expected win"
    document = json.loads(results.read_text())
    document["cells"] = {cell: records_of(RESULTS, "cells")[cell] for cell in (hard, easy)}
    document["certificates"] = {easy: {"stopped": "proof", "time_limit": 1.0}}
    results.write_text(json.dumps(document))
    done = certify("--results", results, "--time-limit", "1")
    assert (done.returncode, done.stdout) == (0, f"{hard}: no proof in 1 s\n")
    assert records_of(results)[hard] == {"stopped": "proof", "time_limit": 1.0}
    done = certify("--results", results, "--time-limit", "2", "--cell", easy)
    assert done.stdout.startswith(f"{easy}: 46 bytes, checked in ")


def test_what_contradicts_the_value_or_the_record_is_an_error(results: Path) -> None:
    cell = "mastermind:2x3 expected win"
    assert certify("--results", results, "--cell", cell).returncode == 0
    document = json.loads(results.read_text())
    document["certificates"][cell]["sha256"] = "0" * 64
    results.write_text(json.dumps(document))
    done = certify("--results", results, "--cell", cell, "--compare")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"ERROR: {cell}: ")
    document["cells"][cell] |= {"lower": 22, "upper": 22}
    results.write_text(json.dumps(document))
    done = certify("--results", results, "--cell", cell, "--again")
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
    given = ("--results", results, "--record", path, "--game", "eleven", "--seconds", "0.5")
    done = certify(*given)
    assert done.returncode == 0, done.stderr
    record = records_of(results)["eleven expected win first steel"]
    assert (record["first"], record["bound"], record["prove_seconds"]) == ("steel", certificate.bound, 0.5)
    path.write_text(certificate.text.replace(f" {certificate.bound} ", f" {certificate.bound + 1} ", 1))
    before = results.read_bytes()
    done = certify(*given)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ERROR: ")
    assert results.read_bytes() == before


def test_recorded_certificates_prove_what_is_recorded() -> None:
    cells, records = records_of(RESULTS, "cells"), records_of(RESULTS)
    proved = {name for name, record in cells.items() if record["lower"] == record["upper"]}
    made = {name for name in proved if "stopped" not in records.get(name, {"stopped": ""})}
    for name in made:
        record, value = records[name], cells[name]["lower"]
        claim = (None, value) if name.split()[1] == "expected" else (value - 1, None)
        assert (record["first"], record["within"], record["bound"]) == (None, *claim)
        assert len(record["sha256"]) == 64
    assert len(made) > 0.95 * len(proved)
