"""The script of the results page: what it keeps, and that what is recorded agrees with what is known."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guesstree import solve
from guesstree.api.ledger import ledger_report
from guesstree.engine.errors import GuesstreeError

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "scripts" / "frontier.py"
RESULTS = ROOT / "docs" / "results.json"
CELL = "mastermind:2x3 expected win"

# Beside tests/data/known.json; the sources are those of that file, and the articles named here.
PROVED = {
    "mastermind:4x7 expected win": 11228,  # Ville 2013
    "mastermind:7x3 expected win": 8715,
    "mastermind:10x2 expected win": 5147,
    "mastermind:4x7 worst win": 6,
    "mastermind:4x8 worst win": 6,
    "mastermind:5x5 worst win": 5,
    "mastermind:5x6 worst win": 6,
    "mastermind:6x4 worst win": 5,
    "mastermind:7x3 worst win": 5,
    "mastermind:9x2 worst win": 6,
    "mastermind:10x2 worst win": 7,
    "mastermind:11x2 worst win": 7,
    "blackpeg:9x2 worst win": 7,
    "bulls:4x10 expected win": 26274,  # Tanaka 1996
    "bulls:4x10 worst win": 7,
    "wordle:official expected win": 7920,  # Selby 2022; Bertsimas and Paskov 2022
    "wordle:official worst win": 5,
}
# What some strategy reaches: claimed to be optimal, or found by a heuristic.
REACHED = {
    "mastermind:4x8 expected win": 20471,
    "mastermind:5x8 expected win": 179274,
    "bulls:4x8 expected win": 7817,
    **{f"mastermind:5x{c} worst win": most for c, most in ((7, 7), (8, 7))},
    **{f"mastermind:6x{c} worst win": most for c, most in ((5, 6), (6, 7), (7, 8), (8, 8))},
    **{f"mastermind:7x{c} worst win": most for c, most in ((4, 6), (5, 7), (6, 8), (7, 8), (8, 9))},
    **{f"mastermind:8x{c} worst win": most for c, most in ((3, 6), (4, 7), (5, 8), (6, 9), (7, 9), (8, 10))},
}


def frontier(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, words)], capture_output=True, text=True, timeout=120
    )


def cells_of(path: Path, part: str = "cells") -> dict[str, dict[str, Any]]:
    cells = json.loads(path.read_text()).get(part, {})
    assert isinstance(cells, dict)
    return cells


def change(path: Path, **what: Any) -> None:
    document = json.loads(path.read_text())
    document["cells"][CELL] |= what
    path.write_text(json.dumps(document))


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file with one cell computed."""
    path = tmp_path_factory.mktemp("computed") / "r.json"
    done = frontier("--results", path, "--cell", CELL)
    assert done.returncode == 0, done.stderr
    assert f"{CELL}: 21 in " in done.stdout
    return path.read_bytes()


@pytest.fixture
def results(computed: bytes, tmp_path: Path) -> Path:
    """A file with one cell computed."""
    path = tmp_path / "r.json"
    path.write_bytes(computed)
    return path


def test_cells_are_computed_once_and_rendered(results: Path) -> None:
    first = cells_of(results)[CELL]
    assert (first["lower"], first["upper"], first["total"], first["worst"]) == (21, 21, 21, 3)
    other = "bulls:2x4 worst identify"
    done = frontier("--results", results, "--cell", CELL, "--cell", other, "--save", results.parent / "s")
    assert done.returncode == 0, done.stderr
    assert CELL not in done.stdout
    assert cells_of(results)[CELL] == first
    saved = results.parent / "s" / "bulls-2x4-worst-identify.json"
    check = [sys.executable, "-m", "guesstree", "check", str(saved)]
    assert subprocess.run(check, capture_output=True).returncode == 0
    assert frontier("--results", results, "--table").returncode == 0
    page = results.with_suffix(".md").read_text()
    assert "2 of 2 values are proved" in page
    assert "| 2 | [21](../proofs/mastermind-2x3-expected-win.proof.xz) |" in page
    assert f"| bulls:2x4 | worst | identify | {cells_of(results)[other]['upper']} |" in page
    assert first["sha256"][:12] in page
    assert sorted(p.name for p in results.parent.iterdir()) == ["r.json", "r.md", "s"]


def test_bounds_are_tried_again_only_with_more_time(results: Path) -> None:
    change(results, lower=20)
    assert frontier("--results", results, "--table").returncode == 0
    assert "| 2 | 20..21 |" in results.with_suffix(".md").read_text()
    assert not frontier("--results", results, "--cell", CELL).stdout
    assert frontier("--results", results, "--cell", CELL, "--time-limit", "61").stdout.startswith(CELL)
    assert cells_of(results)[CELL]["lower"] == 21


@pytest.mark.long
def test_a_value_computed_again_is_the_same_or_an_error(results: Path) -> None:
    first = cells_of(results)[CELL]
    assert frontier("--results", results, "--cell", CELL, "--again").returncode == 0
    second = cells_of(results)[CELL]
    assert all(first[name] == second[name] for name in ("upper", "states", "evaluations", "sha256"))
    change(results, lower=20, upper=20)
    done = frontier("--results", results, "--cell", CELL, "--again")
    assert done.returncode == 1
    assert "CONTRADICTION" in done.stderr
    assert cells_of(results)[CELL]["upper"] == 20, "what was recorded is not overwritten"


@pytest.mark.long
def test_a_cell_goes_on_from_its_ledger(results: Path) -> None:
    """What is proved in the ledger is not proved again; what was bounded before is told."""
    change(results, lower=20)
    cell, ledgers = "mastermind:4x4 expected win", results.parent / "ledgers"
    given = ("--results", results, "--workers", "2", "--ledgers", ledgers)
    done = frontier(*given, "--cell", cell, "--cell", CELL)
    assert done.returncode == 0, done.stderr
    first, proof = cells_of(results)[cell], cells_of(results, "certificates")[cell]
    assert (first["lower"], first["upper"], first["workers"]) == (905, 905, 2)
    assert (proof["bound"], proof["workers"]) == (905, 2)
    assert cells_of(results)[CELL]["was"] == [20, 21]
    assert len(list(ledgers.glob("*.ledger"))) == 2
    assert frontier(*given, "--cell", cell, "--again").returncode == 0
    assert cells_of(results)[cell]["evaluations"] == first["evaluations"] > 0
    assert frontier("--results", results, "--table").returncode == 0
    page = results.with_suffix(".md").read_text()
    assert "| mastermind:2x3 | expected | win | 20..21 | 21 |" in page
    assert f"({first['workers']} workers)" in page


@pytest.mark.long
def test_a_cell_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    cell, ledger = "mastermind:4x7 expected win", tmp_path / "mastermind-4x7-expected-win.ledger"
    given: list[str | Path] = [
        "--results",
        tmp_path / "r.json",
        "--cell",
        cell,
        "--workers",
        "2",
        "--time-limit",
        "0",
        "--ledgers",
        tmp_path,
    ]
    process = subprocess.Popen([sys.executable, str(SCRIPT), *map(str, given)], stderr=subprocess.PIPE)
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        if ledger.exists() and evaluated(ledger):
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"interrupted; what was done is kept\n")
    before = evaluated(ledger)
    assert before > 0
    done = frontier(*given)
    assert done.returncode == 0, done.stderr
    record, proof = cells_of(tmp_path / "r.json")[cell], cells_of(tmp_path / "r.json", "certificates")[cell]
    assert (record["lower"], record["upper"], proof["bound"]) == (11228, 11228, 11228)
    assert record["evaluations"] > before


def evaluated(ledger: Path) -> int:
    """Return the evaluations that a ledger knows of; none as long as it is being made."""
    try:
        return ledger_report(ledger).evaluations
    except GuesstreeError:
        return 0


@pytest.mark.long
def test_a_value_that_is_trusted_has_no_certificate(tmp_path: Path) -> None:
    """Of words, too; without trust it gets one."""
    words = ["abbey", "abide", "babes", "eerie", "geese", "keels", "steel", "sweet", "speed", "crepe"]
    (tmp_path / "words.txt").write_text("\n".join(words))
    results, cell = tmp_path / "r.json", f"wordle:{tmp_path / 'words.txt'} expected win within 3"
    given = ("--results", results, "--cell", cell)
    done = frontier(*given, "--trust")
    assert done.returncode == 0, done.stderr
    known, value = cells_of(results)[cell], solve(cell.split()[0], max_depth=3).upper[0]
    assert (known["lower"], known["upper"], known["secrets"]) == (value, value, 10)
    assert cells_of(results, "certificates") == {}
    assert frontier(*given, "--list").stdout == f"{cell}: {value}, without certificate\n"
    assert not frontier(*given, "--trust").stdout
    assert frontier(*given).returncode == 0
    proof = cells_of(results, "certificates")[cell]
    assert (proof["bound"], proof["within"]) == (value, 3)
    assert frontier("--results", results, "--table").returncode == 0
    assert f"| 10 | 10 | expected | win within 3 | {value} |" in results.with_suffix(".md").read_text()


@pytest.mark.long
def test_results_are_taken_from_another_file(results: Path, tmp_path: Path) -> None:
    """What is proved here stays; what contradicts it changes nothing."""
    other, more = tmp_path / "other.json", "bulls:2x4 worst identify"
    assert frontier("--results", other, "--cell", CELL, "--cell", more).returncode == 0
    mine = cells_of(results)[CELL]
    done = frontier("--results", results, "--merge", other)
    assert (done.returncode, done.stdout) == (0, f"{more}: 2, nothing before\n")
    assert cells_of(results) == {CELL: mine, more: cells_of(other)[more]}
    assert set(cells_of(results, "certificates")) == {CELL, more}
    change(other, lower=20, upper=20)
    before = results.read_bytes()
    done = frontier("--results", results, "--merge", other)
    assert (done.returncode, results.read_bytes()) == (1, before)
    assert done.stderr.startswith("ERROR: CONTRADICTION")
    missing = frontier("--results", results, "--merge", tmp_path / "missing.json")
    assert (missing.returncode, missing.stderr.count("\n")) == (1, 1)
    change(results, lower=19)
    change(other, lower=20, upper=21)
    assert frontier("--results", results, "--merge", other).returncode == 0
    assert cells_of(results)[CELL]["lower"] == 20


@pytest.mark.parametrize("cell", ["mastermind:2x3", "chess:2x3 worst win", "bulls:2 worst win"])
def test_what_is_no_cell_is_refused(tmp_path: Path, cell: str) -> None:
    done = frontier("--results", tmp_path / "r.json", "--cell", cell)
    assert done.returncode == 2
    assert "is not a cell; expected " in done.stderr
    failed = frontier("--results", tmp_path / "r.json", "--cell", "bulls:3x2 worst win")
    assert failed.returncode == 1
    assert "distinct digits" in failed.stderr
    assert not list(tmp_path.iterdir())


# -- what is recorded --------------------------------------------------------------------------------------


def known() -> Iterator[tuple[str, int]]:
    """Yield proved values, by cell."""
    for entry in json.loads((ROOT / "tests" / "data" / "known.json").read_text())["values"]:
        free = not {"max_depth", "first", "candidates_only"} & set(entry)
        if free and entry["objective"] in ("expected", "worst"):
            yield f"{entry['game']} {entry['objective']} {entry.get('goal', 'win')}", entry["value"][0]
    yield from PROVED.items()
    for n in range(2, 11):
        yield f"mastermind:2x{n} worst win", n // 2 + 2
        yield f"bulls:2x{n} worst win", -(-n // 2) + 1
        if n >= 5:
            yield f"mastermind:3x{n} worst win", (n - 1) // 3 + 4
        if n % 2 == 0:  # Chen and Lin 2004
            yield f"bulls:2x{n} expected win", (4 * n**3 + 21 * n**2 - 76 * n + 72) // 12


def test_recorded_values_agree_with_the_literature() -> None:
    cells = cells_of(RESULTS)
    wrong = [
        f"{name}: known {value}, recorded {cells[name]['lower']}..{cells[name]['upper']}"
        for name, value in known()
        if name in cells and not cells[name]["lower"] <= value <= cells[name]["upper"]
    ]
    wrong += [
        f"{name}: {value} is reached, recorded at least {cells[name]['lower']}"
        for name, value in REACHED.items()
        if name in cells and cells[name]["lower"] > value
    ]
    assert not wrong, "CONTRADICTION with known results: " + "; ".join(wrong)
    assert sum(name in cells for name, _ in known()) > 50


def test_recorded_values_agree_with_each_other() -> None:
    """A strategy that wins also identifies, and one more guess wins what is identified."""
    cells = cells_of(RESULTS)
    for name, record in cells.items():
        game, objective, goal, *within = name.split()
        assert record["checked"] is True
        assert record["lower"] <= record["upper"] == record["total" if objective == "expected" else "worst"]
        for figure, other in (("total", "expected"), ("worst", "worst")):
            bound = cells.get(" ".join([game, other, goal, *within]))
            assert bound is None or bound["lower"] <= record[figure], f"{name} is better than {other}"
        if goal == "identify" and f"{game} {objective} win" in cells:
            win = cells[f"{game} {objective} win"]
            positions, colours = map(int, game.partition(":")[2].split("x"))
            more = 1 if objective == "worst" else colours**positions
            assert record["lower"] <= win["upper"], name
            assert win["lower"] <= record["upper"] + more, name


def test_the_page_is_what_the_results_say(tmp_path: Path) -> None:
    copy = tmp_path / "results.json"
    copy.write_bytes(RESULTS.read_bytes())
    assert frontier("--results", copy, "--table").returncode == 0
    assert copy.with_suffix(".md").read_text() == (ROOT / "docs" / "results.md").read_text()
