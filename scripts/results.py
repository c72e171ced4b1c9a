"""What docs/results.json keeps.

A cell is a game, an objective and a goal, such as "mastermind:4x6 expected win", perhaps with at most so many
guesses: "mastermind:4x8 expected win within 6". The file has two parts: what is known of each `cell`, and the
`certificates` that prove it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf, perm
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent.parent / "docs" / "results.json"
OTHERS = RESULTS.with_name("certificates.json")
"""The certificates that are about no cell: the same records, with the `command` that makes each."""
FAMILIES = {"mastermind": "Mastermind", "blackpeg": "Black-peg Mastermind", "bulls": "Bulls and Cows"}
OBJECTIVES = {"expected": "least total", "worst": "least worst case"}
GOALS = {"win": "to win", "identify": "to identify"}
WORDS = "wordle"
"""Games of words: they have no size, and stand in no table of positions and colours."""
TWO_COLOURS = {"mastermind": 14, "blackpeg": 12}
PARTS = ("cells", "certificates")
Record = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """One figure of a table; `within` so many guesses, if not any number."""

    game: str
    objective: str
    goal: str
    within: int | None = None

    def __str__(self) -> str:
        limit = "" if self.within is None else f" within {self.within}"
        return f"{self.game} {self.objective} {self.goal}{limit}"

    @property
    def family(self) -> str:
        """The name of the game without its size."""
        return self.game.partition(":")[0]

    @property
    def size(self) -> tuple[int, int]:
        """Positions, and colours or digits; raises ValueError for words."""
        positions, _, colours = self.game.partition(":")[2].partition("x")
        return int(positions), int(colours)

    @property
    def codes(self) -> float:
        """How many secrets there are; unknown of words."""
        if self.family == WORDS:
            return inf
        positions, colours = self.size
        return perm(colours, positions) if self.family == "bulls" else colours**positions

    @property
    def stem(self) -> str:
        """What its files are called."""
        return re.sub(r"[^\w.]", "-", str(self))

    @property
    def tags(self) -> set[str]:
        """What `--only` may ask for."""
        two = {"two-colours"} if self.family in TWO_COLOURS and self.size[1] == 2 else set()
        return {self.family, self.objective, self.goal} | two

    @property
    def order(self) -> tuple[Any, ...]:
        """Easy cells first, as far as the number of codes tells."""
        names = ([*FAMILIES, WORDS], list(OBJECTIVES), list(GOALS))
        values = (self.family, self.objective, self.goal)
        size = (0, 0) if self.family == WORDS else self.size
        ranks = (n.index(v) for n, v in zip(names, values, strict=True))
        return (self.codes, *ranks, size, self.game, self.within or 0)


def parse_cell(text: str) -> Cell:
    """Return the cell of a text; raises ArgumentTypeError for what is none."""
    try:
        words, _, within = text.partition(" within ")
        game, objective, goal = words.split()
        cell = Cell(game, objective, goal, int(within) if within else None)
        _ = cell.order, cell.codes
    except ValueError:
        raise argparse.ArgumentTypeError(
            f'{text!r} is not a cell; expected something such as "mastermind:4x6 expected win" '
            f"({', '.join([*FAMILIES, WORDS])}; {', '.join(OBJECTIVES)}; {', '.join(GOALS)})"
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


def made(certificate: Record | None) -> bool:
    """Return whether there is a certificate, and not only a note that there was no time for it."""
    return certificate is not None and "stopped" not in certificate


def accepted(certificate: Record) -> str:
    """Return which checkers have accepted a certificate."""
    return ", ".join(name for name, took in certificate.get("checkers", {}).items() if took is not None)


def more(record: Record, limit: float | None) -> bool:
    """Return whether there is more time than a record had."""
    return (limit or inf) > (record["time_limit"] or inf)


def due(record: Record | None, limit: float | None) -> bool:
    """Return whether a cell is to be computed: not proved yet, and not tried for as long."""
    return record is None or (not proved(record) and more(record, limit))


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
