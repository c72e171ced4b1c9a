"""What docs/results.json keeps.

A cell is a game, an objective and a goal, such as "mastermind:4x6 expected win". The file has parts: `cells`
is written by frontier.py, `first_guesses` by first_guesses.py, `certificates` by certify.py.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf, perm
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent.parent / "docs" / "results.json"
FAMILIES = {"mastermind": "Mastermind", "blackpeg": "Black-peg Mastermind", "bulls": "Bulls and Cows"}
OBJECTIVES = {"expected": "least total", "worst": "least worst case"}
GOALS = {"win": "to win", "identify": "to identify"}
TWO_COLOURS = {"mastermind": 14, "blackpeg": 12}
PARTS = ("cells", "first_guesses", "certificates")
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
    def stem(self) -> str:
        """What its files are called."""
        return str(self).replace(":", "-").replace(" ", "-")

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


def save(path: Path, part: str, records: Mapping[str, Record]) -> None:
    """Write one part of the file, one line for each record; the other parts stay as they are."""
    parts = []
    for name in PARTS:
        known = records if name == part else load(path, name)
        order = sorted(known, key=lambda cell: parse_cell(cell).order) if name == "cells" else sorted(known)
        lines = ",\n".join(f"{json.dumps(one)}: {json.dumps(known[one])}" for one in order)
        if lines:
            parts.append(f'"{name}": {{\n{lines}\n}}')
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


def value(record: Record) -> str:
    """Return the value of a cell, or its bounds."""
    return f"{record['upper']}" if proved(record) else f"{record['lower']}..{record['upper']}"


def rows(head: Iterable[object], body: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    top = [str(cell) for cell in head]
    lines = [f"| {' | '.join(top)} |", "|" + "---|" * len(top)]
    lines += [f"| {' | '.join(map(str, row))} |" for row in body]
    return "\n".join(lines) + "\n"
