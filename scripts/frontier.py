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
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import inf, perm
from pathlib import Path
from typing import Any

# Nothing of guesstree is imported here: on Linux a process starts with the peak memory of its parent.

RESULTS = Path(__file__).parent.parent / "docs" / "results.json"
FAMILIES = {"mastermind": "Mastermind", "blackpeg": "Black-peg Mastermind", "bulls": "Bulls and Cows"}
OBJECTIVES = {"expected": "least total", "worst": "least worst case"}
GOALS = {"win": "to win", "identify": "to identify"}
MOST_CODES = {"mastermind": 20_000, "blackpeg": 5_000, "bulls": 20_000}
MOST_CODES_WORST = {"mastermind": 50_000, "blackpeg": 5_000, "bulls": 35_000}
MOST_CODES_IDENTIFY = 2_500
TWO_COLOURS = {"mastermind": 14, "blackpeg": 12}
Record = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """One figure of a table."""

    game: str
    objective: str
    goal: str

    def __str__(self) -> str:
        return f"{self.game} {self.objective} {self.goal}"

    @property
    def family(self) -> str:
        """The name of the game without its size."""
        return self.game.partition(":")[0]

    @property
    def size(self) -> tuple[int, int]:
        """Positions, and colours or digits."""
        positions, _, colours = self.game.partition(":")[2].partition("x")
        return int(positions), int(colours)

    @property
    def codes(self) -> int:
        """How many secrets there are."""
        positions, colours = self.size
        return perm(colours, positions) if self.family == "bulls" else colours**positions

    @property
    def tags(self) -> set[str]:
        """What `--only` may ask for."""
        two = {"two-colours"} if self.size[1] == 2 and self.family != "bulls" else set()
        return {self.family, self.objective, self.goal} | two

    @property
    def order(self) -> tuple[Any, ...]:
        """Easy cells first, as far as the number of codes tells."""
        names = (list(FAMILIES), list(OBJECTIVES), list(GOALS))
        values = (self.family, self.objective, self.goal)
        return (self.codes, *(n.index(v) for n, v in zip(names, values, strict=True)), self.size)


def parse_cell(text: str) -> Cell:
    """Return the cell of a text; raises ArgumentTypeError for what is none."""
    try:
        cell = Cell(*text.split())
        _ = cell.order, cell.codes
    except (TypeError, ValueError):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not a cell; expected something such as "mastermind:4x6 expected win" '
            f"({', '.join(FAMILIES)}; {', '.join(OBJECTIVES)}; {', '.join(GOALS)})"
        ) from None
    return cell


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


# -- what was open -----------------------------------------------------------------------------------------

NOTES = {
    "a": "no proven optimum was known to us",
    "b": "in the tables known to us the value is missing, or there is only what a one-step strategy reaches",
    "c": "no published value was found; for n = 9 and 10 (both objectives) and n = 11 (worst case) an "
    "earlier, unpublished computation gave the same",
    "d": "claimed to be optimal before, but without a published proof known to us; proved here",
}
"""Why a value is new, or new in part, as far as we know."""


def open_cells() -> dict[str, str]:
    """Return the cells whose values were open as far as we know, each with the letter of its note."""
    expected = ["5x5", "5x6", "5x7", "5x8", "6x4", "6x5", "6x6", "7x4", "4x9", "4x10"]
    worst = ["5x7", "5x8", *(f"6x{c}" for c in range(5, 9)), *(f"7x{c}" for c in range(4, 9))]
    worst += [f"8x{c}" for c in range(3, 9)]
    found = {f"mastermind:{size} expected win": "a" for size in expected}
    found |= {f"mastermind:{size} worst win": "b" for size in worst}
    for n in range(9, TWO_COLOURS["mastermind"] + 1):
        found |= {f"mastermind:{n}x2 {objective} win": "c" for objective in OBJECTIVES}
    return found | {"mastermind:4x8 expected win": "d", "bulls:4x8 expected win": "d"}


OPEN = open_cells()


# -- one cell ----------------------------------------------------------------------------------------------


def work(cell: Cell, limit: float | None, jobs: int, memory: int | None, save: str | None) -> Record:
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
    if save is not None:
        write(game, strategy, Path(save) / f"{str(cell).replace(':', '-').replace(' ', '-')}.json")
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


# -- what is kept ------------------------------------------------------------------------------------------


def load(path: Path, part: str = "cells") -> dict[str, Record]:
    """Return the records of all cells, or of another part of the file; none when there is no file yet."""
    if not path.exists():
        return {}
    records: dict[str, Record] = json.loads(path.read_text(encoding="utf-8")).get(part, {})
    return records


def write_beside(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    beside = path.with_name(f".{path.name}-{os.getpid()}.tmp")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def store(path: Path, cell: Cell, record: Record) -> None:
    """Keep the record of one cell; the file is read again, as another process may have written."""
    save(path, load(path) | {str(cell): record}, load(path, "first_guesses"))


def save(path: Path, cells: Mapping[str, Record], first_guesses: Mapping[str, Record]) -> None:
    """Write the file, one line for each record."""

    def lines(records: Mapping[str, Record], names: Iterable[str]) -> str:
        return (
            "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(records[name])}" for name in names) + "\n}"
        )

    parts = [f'"cells": {lines(cells, sorted(cells, key=lambda name: parse_cell(name).order))}']
    if first_guesses:  # written by first_guesses.py
        parts.append(f'"first_guesses": {lines(first_guesses, sorted(first_guesses))}')
    write_beside(path, f'{{"format": "guesstree-results/1", {", ".join(parts)}}}\n')


def proved(record: Record) -> bool:
    """Return whether the bounds meet."""
    return bool(record["lower"] == record["upper"])


def due(record: Record | None, limit: float | None) -> bool:
    """Return whether a cell is to be computed: not proved yet, and not tried for as long."""
    if record is None:
        return True
    return not proved(record) and (limit or inf) > (record["time_limit"] or inf)


def merge(old: Record | None, new: Record) -> Record:
    """Return what two runs show together; raises RuntimeError when they contradict each other."""
    if old is None:
        return new
    lower, upper = max(old["lower"], new["lower"]), min(old["upper"], new["upper"])
    if lower > upper:
        raise RuntimeError(f"CONTRADICTION: {value(old)} was recorded, {value(new)} was found")
    if proved(old) and not proved(new):
        return old
    tree = old if old["upper"] < new["upper"] else new
    return new | {name: tree[name] for name in ("upper", "total", "worst", "sha256")} | {"lower": lower}


# -- the page ----------------------------------------------------------------------------------------------


def value(record: Record) -> str:
    """Return the value of a cell, or its bounds."""
    return f"{record['upper']}" if proved(record) else f"{record['lower']}..{record['upper']}"


def marked(cell: Cell, record: Record | None) -> str:
    """Return the value of a cell with its mark; nothing when it was not computed."""
    if record is None:
        return ""
    text, note = value(record), OPEN.get(str(cell))
    if note is None or not proved(record):
        return text
    return f"{text} ({note})" if note == "d" else f"**{text}** ({note})"


def rows(head: Iterable[object], body: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    top = [str(cell) for cell in head]
    lines = [f"| {' | '.join(top)} |", "|" + "---|" * len(top)]
    lines += [f"| {' | '.join(map(str, row))} |" for row in body]
    return "\n".join(lines) + "\n"


def grid(cells: Mapping[str, Record], family: str, objective: str, goal: str) -> str:
    """Return the table of positions x colours of one family, objective and goal."""
    sizes = [
        c.size for c in map(parse_cell, cells) if (c.family, c.objective, c.goal) == (family, objective, goal)
    ]
    sizes = [size for size in sizes if size[0] <= 8]
    across = sorted({c for _, c in sizes})

    def at(positions: int, colours: int) -> str:
        cell = Cell(f"{family}:{positions}x{colours}", objective, goal)
        return marked(cell, cells.get(str(cell)))

    body = ([p, *(at(p, c) for c in across)] for p in sorted({p for p, _ in sizes}))
    return rows([r"p \ c", *across], body)


def two_colours(cells: Mapping[str, Record]) -> str:
    """Return the table of two colours."""
    kinds = [(f, o, g) for f in TWO_COLOURS for o in OBJECTIVES for g in GOALS]
    body = []
    for n in range(2, max(TWO_COLOURS.values()) + 1):
        found = [Cell(f"{family}:{n}x2", objective, goal) for family, objective, goal in kinds]
        body.append([n, *(marked(cell, cells.get(str(cell))) for cell in found)])
    names = {"mastermind": "", "blackpeg": "black pegs, "}
    return rows(["n", *(f"{names[f]}{'total' if o == 'expected' else o}, {g}" for f, o, g in kinds)], body)


def news(cells: Mapping[str, Record]) -> str:
    """Return the list of values that were open as far as we know."""
    lines = []
    for note, reason in NOTES.items():
        found = [
            f"{cell.game.replace(':', ' ')} {OBJECTIVES[cell.objective]} {value(cells[str(cell)])}"
            for cell in sorted(map(parse_cell, OPEN), key=lambda c: (c.objective, c.order))
            if OPEN[str(cell)] == note and str(cell) in cells and proved(cells[str(cell)])
        ]
        lines.append(f"- ({note}) {reason}: {'; '.join(found) or 'none yet'}.")
    return "\n".join(lines) + "\n"


def figures(cells: Mapping[str, Record]) -> str:
    """Return the table of what each cell took."""
    head = ["game", "objective", "goal", "value", "states", "evaluations", "seconds", "peak MB", "checksum"]
    body = []
    for name, record in cells.items():
        cell = parse_cell(name)
        seconds = f"{record['seconds']:.2f}" + (f" ({record['jobs']} jobs)" if record["jobs"] > 1 else "")
        counts = (record["states"], record["evaluations"], seconds, record["peak_mb"], record["sha256"][:12])
        body.append([cell.game, cell.objective, cell.goal, value(record), *counts])
    return rows(head, body)


def by_first_guess(records: Mapping[str, Record]) -> str:
    """Return the section on games proved first guess by first guess; nothing when there are none."""
    if not records:
        return ""
    head = ["game", "secrets", "guesses", "objective", "reach it", "value"]
    head += ["evaluations", "seconds", "checksum"]
    names = {"expected": "total", "worst": "worst case"}
    body = [
        [
            name.rpartition(": ")[0],
            record["secrets"],
            record["guesses"],
            names[record["objective"]],
            f"{record['reached']} of {record['first_guesses']}",
            value(record),
            record["evaluations"],
            record["seconds"],
            record["sha256"][:12],
        ]
        for name, record in records.items()
    ]
    return BY_FIRST_GUESS.format(table=rows(head, body))


BY_FIRST_GUESS = """## First guess by first guess

These games have lists of words that are not in this repository. A beam finds a strategy, and the checker
replays it. Then `scripts/first_guesses.py` proves for one first guess after another that it takes at least as
many guesses as that strategy; it can be stopped and continued. *Reach it*: the first guesses for which this
is proved. Seconds are of one processor, all processes together; the checksum is of words and responses.

{table}
"""


PAGE = """# Results

What guesstree proves of Mastermind, Mastermind with black pegs only, and Bulls and Cows. This page is written
by `scripts/frontier.py` from [results.json](results.json); do not edit it.

- *Total*: the least number of guesses that all secrets need together. Divided by the number of secrets it is
  the expected number of guesses. *Worst case*: the least number of guesses that is always enough. Any code
  may be guessed, even one that can no longer be the secret.
- *To win*: until the secret itself has been guessed; that guess counts. *To identify*: until only one secret
  is left.
- p is the number of positions, c the number of colours (in Bulls and Cows of digits; there the digits of a
  code differ).

A single number is proved: there is a strategy with this value, an independent checker replayed every secret
through it, and an exhaustive search found no better one. `at least..at most` are bounds, where the time limit
stopped the search. An empty cell was not computed. [search.md](search.md) describes the search.
{proved} of {all} values are proved.

## First proved here, as far as we know

These values are bold in the tables. The letters say what we knew of them before; our reading of the
literature is not complete.

{news}
## Reproduce

```sh
python scripts/frontier.py --time-limit 60              # what is not proved yet, easy cells first
python scripts/frontier.py --only two-colours --only worst
python scripts/frontier.py --cell "mastermind:5x5 expected win" --again --save out
python scripts/frontier.py --table                      # this page
```

A cell that is proved is computed again only with `--again`, one that has bounds only when it gets more time
than before. `--results FILE` starts a table of your own. `--save` keeps the strategy files, which
`guesstree check` can replay.

{tables}
{first_guesses}## What each value took

Where one thread proved a value, states and evaluations do not depend on the machine. Where there are bounds
they do, because the clock stopped the search. Seconds and memory are of one run on a shared two-core machine.
The checksum is the beginning of the SHA-256 of the strategy file as canonical JSON (keys sorted, no spaces,
UTF-8).

{figures}"""


def page(cells: Mapping[str, Record], first_guesses: Mapping[str, Record]) -> str:
    """Return the text of docs/results.md."""
    tables = []
    for family, title in FAMILIES.items():
        for goal, ending in GOALS.items():
            for objective, least in OBJECTIVES.items():
                if any(Cell(*name.split()).tags >= {family, goal, objective} for name in cells):
                    table = grid(cells, family, objective, goal)
                    tables.append(f"## {title}: {least} {ending}\n\n{table}")
    tables.append(f"## Two colours, n positions\n\n{two_colours(cells)}")
    return PAGE.format(
        proved=sum(map(proved, cells.values())),
        all=len(cells),
        news=news(cells),
        tables="\n".join(tables),
        first_guesses=by_first_guess(first_guesses),
        figures=figures(cells),
    )


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
        store(path, cell, record)
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
        write_beside(
            given.results.with_suffix(".md"), page(load(given.results), load(given.results, "first_guesses"))
        )
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
        "save": None if given.save is None else str(given.save),
    }
    try:
        return fill(cells, given.results, given.again, options)
    except KeyboardInterrupt:
        print("interrupted; what was done is kept", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
