"""Compute the tables of docs/results.md: optimal totals and worst cases, with their certificates.

A cell is a game, an objective and a goal, such as "mastermind:4x6 expected win". What is known of each, and
of its certificate, is kept in docs/results.json, so that a run may be stopped and taken up again. With a
ledger a cell goes on where it was, whatever ended it.

    python scripts/frontier.py --time-limit 60             compute what is missing
    python scripts/frontier.py --only worst --only win     the same, in some tables
    python scripts/frontier.py --cell "mastermind:5x6 expected win" --time-limit 0 --workers 2 --ledgers DIR
    python scripts/frontier.py --compare --cell "mastermind:5x5 expected win"
    python scripts/frontier.py --merge FILE                take in what another file of results has
    python scripts/frontier.py --table                     write docs/results.md from docs/results.json

Exit status: 0; 1 something failed, or contradicts what is recorded; 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from certify import PART, LateError, agree, judged, summary
from one_cell import Task
from results import (
    FAMILIES,
    GOALS,
    OBJECTIVES,
    PARTS,
    RESULTS,
    TWO_COLOURS,
    WORDS,
    Cell,
    Record,
    due,
    load,
    made,
    merge,
    more,
    parse_cell,
    proved,
    save,
    value,
    write_beside,
)
from results_page import NOTES, OPEN, page

# Nothing of guesstree is imported here: on Linux a process starts with the peak memory of its parent.

ONE_CELL = Path(__file__).with_name("one_cell.py")
MOST_CODES = {"mastermind": 20_000, "blackpeg": 5_000, "bulls": 20_000}
MOST_CODES_WORST = {"mastermind": 50_000, "blackpeg": 5_000, "bulls": 35_000}
MOST_CODES_IDENTIFY = 5_100


def listed() -> list[Cell]:
    """Return the cells of the tables, easy ones first."""
    sizes = {
        "mastermind": [(p, c) for p in range(2, 9) for c in range(2, 11)],
        "blackpeg": [(p, c) for p in range(2, 9) for c in range(2, 11)],
        "bulls": [(p, c) for p in range(2, 6) for c in range(p, 11)],
    }
    for family, most in TWO_COLOURS.items():
        sizes[family] += [(n, 2) for n in range(9, most + 1)]
    found = []
    for family, of_family in sizes.items():
        for positions, colours in of_family:
            for objective in OBJECTIVES:
                for goal in GOALS:
                    cell = Cell(f"{family}:{positions}x{colours}", objective, goal)
                    most = (MOST_CODES_WORST if objective == "worst" else MOST_CODES)[family]
                    if cell.codes <= (most if goal == "win" else MOST_CODES_IDENTIFY):
                        found.append(cell)
    return sorted(found, key=lambda cell: cell.order)


# -- one cell ----------------------------------------------------------------------------------------------


def compute(task: Task) -> tuple[Record, Record | None]:
    """Compute one cell in a process of its own; return what is known of it, and its certificate, if wanted.

    Raises RuntimeError when that fails, or the checker refuses the certificate.
    """
    command = [sys.executable, str(ONE_CELL), json.dumps(vars(task))]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        last = (run.stderr.strip() or f"ended with status {run.returncode}").splitlines()[-1]
        raise RuntimeError(last)
    found = json.loads(run.stdout)
    record, proof, cell = found["cell"], found.get("proof"), parse_cell(task.cell)
    if proof is None or not made(proof):
        return record, None if proof is None else proof | {"time_limit": task.limit}
    try:
        about, certificate = judged(Path(task.folder) / f"{cell.stem}.proof", task.limit)
    except LateError:
        return record, {"stopped": "check", "time_limit": task.limit}
    assert cell.family == WORDS or about.game == cell.game
    agree(cell, record, certificate)
    return record, certificate | proof


# -- the command -------------------------------------------------------------------------------------------


def wanted(cell: Cell, given: argparse.Namespace) -> bool:
    """Return whether a cell is to be computed: something is missing, and there is more time than it had."""
    known, proof = load(given.results).get(str(cell)), load(given.results, PART).get(str(cell))
    if given.compare:
        return proof is not None and made(proof) and "workers" not in proof
    if given.again:
        return True
    limit = given.time_limit or None
    if known is None or not proved(known):
        return given.ledgers is not None or due(known, limit)
    if given.trust or made(proof):
        return False
    return proof is None or given.ledgers is not None or more(proof, limit)


def task_of(cell: Cell, given: argparse.Namespace, scratch: Path) -> Task:
    """Return how a cell is to be computed."""
    memory, ledger = None if given.memory is None else given.memory << 20, None
    if given.ledgers is not None or given.workers > 1 or given.trust:
        ledger = str((given.ledgers or scratch) / f"{cell.stem}.ledger")
    folder = str(given.save or scratch)
    return Task(str(cell), given.time_limit or None, given.workers, memory, given.trust, folder, ledger)


def fill(cells: Iterable[Cell], given: argparse.Namespace, scratch: Path) -> int:
    """Compute what is wanted of cells; return the exit status."""
    status = 0
    for cell in cells:
        if not wanted(cell, given):
            continue
        try:
            record, certificate = compute(task_of(cell, given, scratch))
            if given.compare:
                text = same(cell, record, certificate, given.results)
            else:
                record = enter(cell, record, certificate, given.results)
                text = f"{value(record)} in {record['seconds']:.2f} s"
                text += "" if certificate is None else f"; {summary(certificate)}"
        except RuntimeError as error:
            print(f"ERROR: {cell}: {error}", file=sys.stderr, flush=True)
            status = 1
            continue
        new = proved(record) and str(cell) in OPEN
        note = f" ({OPEN[str(cell)]}: {NOTES[OPEN[str(cell)]]})" if new and not given.compare else ""
        print(f"{cell}: {text}{note}", flush=True)
    return status


def add(
    cell: Cell,
    record: Record,
    certificate: Record | None,
    cells: dict[str, Record],
    proofs: dict[str, Record],
) -> Record:
    """Add what was found to what is known of a cell and its certificate; return what is known of the cell.

    A value keeps the bounds that were known before it, as `was`. Raises RuntimeError for a contradiction.
    """
    name = str(cell)
    old, record = cells.get(name), merge(cells.get(name), record)
    if old is not None and proved(record):
        was = old.get("was") if proved(old) else [old["lower"], old["upper"]]
        record |= {"was": was} if was else {}
    if certificate is not None and made(certificate):
        agree(cell, record, certificate)
        proofs[name] = certificate
    elif certificate is not None and proved(record) and not made(proofs.get(name)):
        proofs[name] = certificate
    cells[name] = record
    return record


def enter(cell: Cell, record: Record, certificate: Record | None, path: Path) -> Record:
    """Record a cell and its certificate; see `add`."""
    cells, proofs = load(path), load(path, PART)  # another process may have written
    record = add(cell, record, certificate, cells, proofs)
    save(path, "cells", cells)
    save(path, PART, proofs)
    return record


def same(cell: Cell, record: Record, certificate: Record | None, path: Path) -> str:
    """Return a certificate in words; raise RuntimeError unless cell and certificate are those recorded."""
    merge(load(path).get(str(cell)), record)
    old = load(path, PART)[str(cell)]
    text = "no proof" if certificate is None else summary(certificate)
    if certificate is None or certificate.get("sha256") != old["sha256"]:
        raise RuntimeError(f"{summary(old)} is recorded, {text} was made")
    return text


def take(path: Path, results: Path) -> None:
    """Take in what another file of results knows and this one does not.

    Raises RuntimeError, before anything is changed, where they contradict each other.
    """
    try:
        path.stat()
        known, others = load(path), load(path, PART)
    except (OSError, ValueError) as error:
        raise RuntimeError(f"--merge {path}: {error}; expected a file of results") from None
    cells, proofs = load(results), load(results, PART)
    for name, record in known.items():
        cell, old = parse_cell(name), cells.get(name)
        both = merge(old, record)
        if old is not None and proved(old):
            both = old
        now = add(cell, both, None if made(proofs.get(name)) else others.get(name), cells, proofs)
        if proved(now) and (old is None or not proved(old)):
            print(f"{cell}: {value(now)}, {'nothing' if old is None else value(old)} before")
    save(results, "cells", cells)
    save(results, PART, others | proofs)


def main(arguments: list[str]) -> int:
    """Compute, or write the page; return the exit status."""
    given = options(arguments)
    cells = [cell for cell in given.cell or listed() if cell.tags >= set(given.only)]
    if given.table:
        write_beside(given.results.with_suffix(".md"), page(*(load(given.results, part) for part in PARTS)))
        return 0
    if given.list:
        known, proofs = load(given.results), load(given.results, PART)
        for cell in cells:
            text = value(known[str(cell)]) if str(cell) in known else "not computed"
            bare = str(cell) in known and proved(known[str(cell)]) and not made(proofs.get(str(cell)))
            print(f"{cell}: {text}{', without certificate' if bare else ''}")
        return 0
    for number in (signal.SIGINT, signal.SIGTERM):  # also where the shell had Ctrl-C ignored
        signal.signal(number, signal.default_int_handler)
    try:
        if given.merge is not None:
            take(given.merge, given.results)
            return 0
        for folder in (given.save, given.ledgers):
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            return fill(cells, given, Path(scratch))
    except KeyboardInterrupt:
        print("interrupted; what was done is kept", file=sys.stderr)
        return 130
    except (RuntimeError, OSError) as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 1


def options(arguments: list[str]) -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tags = [*FAMILIES, "two-colours", *OBJECTIVES, *GOALS]
    add = parser.add_argument
    add("--only", action="append", choices=tags, default=[], help="only these tables (all of several)")
    add("--cell", action="append", type=parse_cell, metavar='"GAME OBJECTIVE GOAL"', help="only these cells")
    add(
        "--time-limit",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="per cell, half of them for the search, and as many for the check; 0: none (default: 60)",
    )
    add("--workers", type=int, default=1, metavar="N", help="processes that share each cell (default: 1)")
    add("--memory", type=int, metavar="MB", help="of a search (default: half of the machine's)")
    add("--trust", action="store_true", help="believe the search: values without certificates")
    add("--ledgers", type=Path, metavar="DIR", help="keep the ledgers of cells, from which they go on")
    add(
        "--save", type=Path, metavar="DIR", help="keep the strategy and the certificate of each cell computed"
    )
    add("--results", type=Path, default=RESULTS, metavar="FILE", help="default: docs/results.json")
    add("--again", action="store_true", help="compute again what is proved")
    add("--compare", action="store_true", help="make again what one process proved, compare, record nothing")
    add("--list", action="store_true", help="print the cells and what is known; compute nothing")
    add("--merge", type=Path, metavar="FILE", help="take in another file of results; compute nothing")
    add("--table", action="store_true", help="write the page beside the results; compute nothing")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
