"""Compute the tables of docs/results.md: optimal totals and worst cases.

A cell is a game, an objective and a goal, such as "mastermind:4x6 expected win". What is known of each is
kept in docs/results.json, so that a run may be stopped and taken up again.

    python scripts/frontier.py --time-limit 60             compute what is missing
    python scripts/frontier.py --only worst --only win     the same, in some tables
    python scripts/frontier.py --cell "mastermind:5x6 expected win" --time-limit 3600
    python scripts/frontier.py --table                     write docs/results.md from docs/results.json
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from results import (
    FAMILIES,
    GOALS,
    OBJECTIVES,
    PARTS,
    RESULTS,
    TWO_COLOURS,
    Cell,
    Record,
    due,
    load,
    merge,
    parse_cell,
    proved,
    save,
    value,
    write_beside,
)
from results_page import NOTES, OPEN, page

# Nothing of guesstree is imported here: on Linux a process starts with the peak memory of its parent.

MOST_CODES = {"mastermind": 20_000, "blackpeg": 5_000, "bulls": 20_000}
MOST_CODES_WORST = {"mastermind": 50_000, "blackpeg": 5_000, "bulls": 35_000}
MOST_CODES_IDENTIFY = 2_500


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


def work(cell: Cell, limit: float | None, jobs: int, memory: int | None, folder: str | None) -> Record:
    """Solve one cell in this process and check its tree.

    Raises ValueError when the tree fails the check.
    """
    import resource

    import guesstree
    from guesstree.trees.export.files import as_document, write

    game = guesstree.parse(cell.game)
    solution = guesstree.solve(
        game, cell.objective, goal=cell.goal, time_limit=limit, jobs=jobs, memory=memory
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB on Linux
    strategy = solution.strategy
    report = strategy.check()
    reached = report.total if cell.objective == "expected" else report.worst
    if not report.valid or report.messages() or (reached,) != solution.upper:
        raise ValueError(f"the tree fails the check: {'; '.join(report.messages()[:3])}")
    if folder is not None:
        write(game, strategy, Path(folder) / f"{cell.stem}.json")
    canonical = json.dumps(
        as_document(game, strategy), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return {
        "lower": solution.lower[0],
        "upper": solution.upper[0],
        "states": solution.states,
        "evaluations": solution.evaluations,
        "seconds": round(solution.seconds, 3),
        "time_limit": limit,
        "jobs": jobs,
        "memory": memory,
        "peak_mb": peak // 1024,
        "total": report.total,
        "worst": report.worst,
        "checked": True,
        "sha256": sha256(canonical.encode()).hexdigest(),
    }


def compute(cell: Cell, **options: Any) -> Record:
    """Solve one cell in a process of its own; raises RuntimeError when that fails."""
    task = json.dumps({"cell": str(cell), **options})
    run = subprocess.run([sys.executable, __file__, "--work", task], capture_output=True, text=True)
    if run.returncode:
        last = (run.stderr.strip() or f"ended with status {run.returncode}").splitlines()[-1]
        raise RuntimeError(last)
    found: Record = json.loads(run.stdout)
    return found


# -- the command -------------------------------------------------------------------------------------------


def fill(cells: Iterable[Cell], path: Path, again: bool, options: Mapping[str, Any]) -> int:
    """Compute the cells that are due; return the exit status."""
    status = 0
    for cell in cells:
        old = load(path).get(str(cell))
        if not (again or due(old, options["limit"])):
            continue
        try:
            record = merge(load(path).get(str(cell)), compute(cell, **options))
        except RuntimeError as error:
            print(f"ERROR: {cell}: {error}", file=sys.stderr, flush=True)
            status = 1
            continue
        save(path, "cells", load(path) | {str(cell): record})  # another process may have written
        new = proved(record) and str(cell) in OPEN
        note = f" ({OPEN[str(cell)]}: {NOTES[OPEN[str(cell)]]})" if new else ""
        print(f"{cell}: {value(record)} in {record['seconds']:.2f} s{note}", flush=True)
    return status


def main(arguments: list[str]) -> int:
    """Compute, or write the page; return the exit status."""
    if arguments[:1] == ["--work"]:
        task = json.loads(arguments[1])
        print(json.dumps(work(parse_cell(task.pop("cell")), **task)))
        return 0
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tags = [*FAMILIES, "two-colours", *OBJECTIVES, *GOALS]
    parser.add_argument(
        "--only", action="append", choices=tags, default=[], help="only these tables (all of several)"
    )
    parser.add_argument(
        "--cell", action="append", type=parse_cell, metavar='"GAME OBJECTIVE GOAL"', help="only these cells"
    )
    parser.add_argument(
        "--time-limit", type=float, default=60.0, metavar="SECONDS", help="per cell; 0: none (default: 60)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="threads of a search (default: 1)")
    parser.add_argument(
        "--memory", type=int, metavar="MB", help="of a search (default: half of the machine's)"
    )
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FILE", help="default: docs/results.json"
    )
    parser.add_argument(
        "--save", type=Path, metavar="DIR", help="keep the strategy file of each cell computed"
    )
    parser.add_argument("--again", action="store_true", help="compute again what is proved, and compare")
    parser.add_argument(
        "--list", action="store_true", help="print the cells and what is known; compute nothing"
    )
    parser.add_argument(
        "--table", action="store_true", help="write the page beside the results; compute nothing"
    )
    given = parser.parse_args(arguments)
    cells = [cell for cell in given.cell or listed() if cell.tags >= set(given.only)]
    if given.table:
        write_beside(given.results.with_suffix(".md"), page(*(load(given.results, part) for part in PARTS)))
        return 0
    if given.list:
        known = load(given.results)
        for cell in cells:
            print(f"{cell}: {value(known[str(cell)]) if str(cell) in known else 'not computed'}")
        return 0
    if given.save is not None:
        given.save.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = {
        "limit": given.time_limit or None,
        "jobs": given.jobs,
        "memory": None if given.memory is None else given.memory << 20,
        "folder": None if given.save is None else str(given.save),
    }
    try:
        return fill(cells, given.results, given.again, options)
    except KeyboardInterrupt:
        print("interrupted; what was done is kept", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
