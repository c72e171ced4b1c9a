"""Populations of several games side by side: which games, and one table of all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from guesstree.engine.errors import GuesstreeError, shown
from guesstree.trees.breed.breakers import MEASURES, Survey

MOST_GAMES = 100
"""Games of one spec with ranges, at most."""
_RANGE = r"\d{1,4}(?:\.\.\d{1,4})?"
_SIZES = re.compile(rf"([^:]*:)({_RANGE}(?:x{_RANGE})*)((?:,.*)?)", re.DOTALL)
COLUMNS = ("game", "goal", "secrets", "stage", *MEASURES, "optimum", "lower", "upper")
"""Of the table: fitness at each stage of each game, and bounds of the least total."""


def expand(spec: str) -> list[str]:
    """Return the specs of a spec whose sizes may be ranges: ``mastermind:2..4x2..4`` are nine.

    Ranges are those of the sizes right after the name of the family, both ends included. Any other text comes
    back alone. Raises GuesstreeError for an empty range, or more than 100 games.
    """
    found = _SIZES.fullmatch(spec)
    if found is None or ".." not in found[2]:
        return [spec]
    sizes, many = [], 1
    for size in found[2].split("x"):
        first, _, last = size.partition("..")
        low, high = int(first), int(last or first)
        if low > high:
            raise GuesstreeError(f"{shown(spec)}: no number from {low} to {high}; expected such as 2..4")
        sizes.append(range(low, high + 1))
        many *= len(sizes[-1])
    if many > MOST_GAMES:
        raise GuesstreeError(f"{shown(spec)} are {many} games; expected at most {MOST_GAMES}")
    return [f"{found[1]}{'x'.join(map(str, some))}{found[3]}" for some in product(*sizes)]


def counted_by(found: Sequence[Survey]) -> str:
    """Return what fitness is in all of them, in words."""
    words = {one.counted for one in found}
    return words.pop() if len(words) == 1 else "average number of questions, or cost"


def as_csv(found: Sequence[Survey]) -> str:
    """Return surveys as one table in CSV, a row for each stage of each game; see `COLUMNS`."""
    rows = [",".join(COLUMNS)]
    for one in found:
        name = f'"{one.game.replace(chr(34), 2 * chr(34))}"' if "," in one.game else one.game
        for stage, figures in one.figures().items():
            values = [f"{value:.6f}" for value in (*figures.values(), one.optimum)]
            cells = [name, one.goal, str(one.secrets), stage, *values, str(one.lower), str(one.upper)]
            rows.append(",".join(cells))
    return "\n".join(rows) + "\n"
