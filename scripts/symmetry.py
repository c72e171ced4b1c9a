"""What found symmetry saves: measure it, or write the table of docs/symmetry.md.

    python scripts/symmetry.py                          all rows: about half an hour
    python scripts/symmetry.py "coins:8" "7 samples"    some of them
    python scripts/symmetry.py --table                  the table alone, from what docs/symmetry.json keeps

Each game is solved as a table, which declares nothing, with the symmetry that is found and with none; and as
the family that it comes from, where that declares its symmetry. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from guesstree.engine.game import Game
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.symmetry.found import Found
from guesstree.engine.tables.table import TableGame
from guesstree.trees.export.output import write_whole

DOCS = Path(__file__).parent.parent / "docs"
KEPT, PAGE = DOCS / "symmetry.json", DOCS / "symmetry.md"
TABLE = re.compile(r"^\| game \| secrets x .*?\n\n", re.MULTILINE | re.DOTALL)
HEAD = """| game | secrets x guesses | renamings | to find | value | found | declared | none |
|---|---|---|---|---|---|---|---|
"""
LIMIT = {True: 600.0, False: 100.0}
"""Seconds of the clock that a search may take, with symmetry and without."""
Row = dict[str, Any]


def as_table(game: Game, keep: Callable[[str], bool] = lambda _: True) -> TableGame:
    """Return a copy of a game that declares nothing, of the secrets to `keep`."""
    columns = [number for number, secret in enumerate(game.secrets) if keep(secret)]
    cells = [[game.responses[cell] for cell in row] for row in game.table()[:, columns].tolist()]
    win = None if game.winning is None else game.responses[game.winning]
    guesses = list(game.guesses) if win is not None else [f"ask {guess}" for guess in game.guesses]
    return TableGame("table:copy.csv", guesses, [game.secrets[s] for s in columns], cells, win)


def samples(many: int) -> TableGame:
    """Return group testing: each sample is infected with probability 1/10, any pool may be tested."""
    sets = range(1 << many)
    names = [f"{one:0{many}b}" for one in sets]
    cells = [["no" if pool & one == 0 else "yes" for one in sets] for pool in sets[1:]]
    weights = [9 ** (many - one.bit_count()) for one in sets]
    return TableGame("table:samples.csv", [f"pool {name}" for name in names[1:]], names, cells, None, weights)


def drawn(guesses: int, secrets: int) -> TableGame:
    """Return a table with three responses drawn at random."""
    dice = random.Random(1)
    cells = [[dice.choice("abc") for _ in range(secrets)] for _ in range(guesses)]
    named = [f"g{number}" for number in range(guesses)], [f"s{number}" for number in range(secrets)]
    return TableGame("table:drawn.csv", *named, cells)


FAMILIES = {
    "mastermind:4x4": "expected",
    "mastermind:4x6": "expected",
    "mastermind:8x2": "expected",
    "mastermind:9x2": "expected",
    "bulls:4x6": "expected",
    "blackpeg:3x5": "expected",
    "coins:7": "expected",
    "coins:8": "expected",
    "coins:10": "worst",
}
SINGLE = "4x6, no code of one colour"
DRAWN = "drawn, 300 x 2000"
NAMES = [*FAMILIES, SINGLE, *(f"{many} samples" for many in range(5, 9)), DRAWN]


def games(name: str) -> tuple[TableGame, Game | None, str]:
    """Return the table of a row, the family that it comes from, if that has symmetry, and the objective."""
    if name in FAMILIES:
        family = parse(name)
        return as_table(family), family, FAMILIES[name]
    if name == SINGLE:
        return as_table(parse("mastermind:4x6"), lambda code: len(set(code)) > 1), None, "expected"
    if name == DRAWN:
        return drawn(300, 2000), None, "expected"
    return samples(int(name.split()[0])), None, "expected"


def searched(game: Game, objective: str, *, symmetry: bool = True) -> list[Any]:
    """Return the value, or None where it was not proven in time, states, and seconds of the processor."""
    begun = time.process_time()
    found = solve(game, objective, symmetry=symmetry, time_limit=LIMIT[symmetry])
    seconds = round(time.process_time() - begun, 2)
    value = game.value_texts(objective, found.upper)[0] if found.optimal else None
    return [value, found.states, seconds]


def found_in(table: Game, objective: str) -> tuple[str, bool, float]:
    """Return how many renamings a table has, in words, whether all are found, and in how many seconds."""
    problem = Problem(table, parse_objective(objective))
    _ = problem.table
    begun = time.process_time()
    group = problem.group
    seconds = time.process_time() - begun
    return group.in_words or "1", not isinstance(group, Found) or group.complete, round(seconds, 3)


def measured(name: str) -> Row:
    """Return a row."""
    table, family, objective = games(name)
    renamings, complete, seconds = found_in(table, objective)
    row: Row = {
        "size": [len(table.secrets), len(table.guesses)],
        "objective": objective,
        "renamings": renamings,
        "complete": complete,
        "seconds": seconds,
    }
    if name == DRAWN:
        return row
    row["found"] = searched(table, objective)
    row["declared"] = None if family is None else searched(family, objective)
    row["none"] = searched(table, objective, symmetry=False)
    values = {one[0] for one in (row["found"], row["declared"], row["none"]) if one and one[0] is not None}
    assert len(values) <= 1, (name, values)
    return row | {"value": next(iter(values), "")}


def work(one: list[Any] | None) -> str:
    """Return the work of a search in words."""
    if one is None:
        return ""
    value, states, seconds = one
    return f"over {seconds:.0f} s" if value is None else f"{states:,} states, {seconds:.2f} s"


def kept() -> dict[str, Row]:
    """Return what is kept, in the order of the table."""
    known: dict[str, Row] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    return {name: known[name] for name in NAMES if name in known}


def page() -> str:
    """Return docs/symmetry.md with the table of what is kept."""
    rows = ""
    for name, one in kept().items():
        size = " x ".join(f"{number:,}" for number in one["size"])
        value = one.get("value", "") + " at worst" * (one["objective"] == "worst")
        works = " | ".join(work(one.get(how)) for how in ("found", "declared", "none"))
        rows += f"| {name} | {size} | {one['renamings']} | {one['seconds']:.3f} s | {value} | {works} |\n"
    return TABLE.sub(lambda _: f"{HEAD}{rows}\n", PAGE.read_text(), count=1)


def main() -> None:
    """Measure rows, keep them and write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="ROW", help=f"of {', '.join(NAMES)} (default: all)")
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(NAMES):
        parser.error(f"no row is called {', '.join(sorted(unknown))}; expected some of {', '.join(NAMES)}")
    for name in [] if arguments.table else arguments.names or NAMES:
        row = measured(name)
        print(name, row, flush=True)
        known = kept() | {name: row}
        ordered = {one: known[one] for one in NAMES if one in known}
        text = json.dumps(ordered, separators=(",", ":")).replace('},"', '},\n"')
        write_whole(KEPT, f"{text}\n".encode())
    if PAGE.exists():
        write_whole(PAGE, page().encode())


if __name__ == "__main__":
    main()
