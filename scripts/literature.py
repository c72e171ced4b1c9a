"""Who published the values of docs/results.md first, as far as we know."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from results import FAMILIES, GOALS, OBJECTIVES, WORDS, Cell, rows

KNOWN = Path(__file__).parent.parent / "docs" / "literature.json"
"""The sources by a short name, with how much of each we have seen, and what they are credited with."""
NONE = "none known to us"


@dataclass(frozen=True)
class Credit:
    """Who was first with some values of a table: `sizes` are those of games, such as 4x6."""

    family: str
    objective: str
    goal: str
    sizes: list[str]
    text: str

    def covers(self, cell: Cell) -> bool:
        """Return whether a value is one of them."""
        kind = (cell.family, cell.objective, cell.goal) == (self.family, self.objective, self.goal)
        return kind and cell.game.partition(":")[2] in self.sizes


@cache
def sources() -> dict[str, str]:
    """Return what is cited, by a short name."""
    found: dict[str, str] = json.loads(KNOWN.read_text(encoding="utf-8"))["sources"]
    return found


@cache
def credits() -> list[Credit]:
    """Return who was first; of values that none of these covers nothing is known to us."""
    return [Credit(**one) for one in json.loads(KNOWN.read_text(encoding="utf-8"))["credits"]]


def credit(cell: Cell) -> str:
    """Return who published a value first, as far as we know."""
    if cell.within is not None:
        return NONE
    return next((one.text for one in credits() if one.covers(cell)), NONE)


def first_published(cells: Iterable[Cell]) -> str:
    """Return the table of who was first with each of these values: a row for each answer of a table."""
    found: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for cell in cells:
        kind = (cell.family, cell.objective, cell.goal)
        found.setdefault(kind, {}).setdefault(credit(cell), []).append(cell.game.partition(":")[2])
    names = FAMILIES | {WORDS: "Wordle"}
    body = []
    for family, title in names.items():
        for goal, ending in GOALS.items():
            for objective, least in OBJECTIVES.items():
                answers = found.get((family, objective, goal), {})
                for text, games in sorted(answers.items(), key=lambda one: one[0] == NONE):
                    rest = "all" if len(answers) == 1 else "all others"
                    which = rest if text == NONE else in_words(games)
                    body.append([title, f"{least} {ending}", which, text])
    return rows(["game", "value", "sizes", "first published"], body)


def in_words(games: Iterable[str]) -> str:
    """Return sizes in order, such as ``2x2 to 2x10, 4x6``; what is no size as it is."""
    pairs = sorted(tuple(map(int, game.split("x"))) for game in games if "x" in game)
    runs: list[list[tuple[int, ...]]] = []
    for positions, colours in pairs:
        if runs and runs[-1][-1] == (positions, colours - 1):
            runs[-1].append((positions, colours))
        else:
            runs.append([(positions, colours)])
    named = [["{}x{}".format(*pair) for pair in run] for run in runs]
    said = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in named]
    return ", ".join([*said, *(game for game in games if "x" not in game)])


def listed() -> str:
    """Return the list of what is cited."""
    return "".join(f"- **{name}**: {text}\n" for name, text in sources().items())


LITERATURE = """## Who was first

The table says for each proved value who published it first, with the [source](#sources) below, or *none known
to us*. If only lists of known values contain a value, and name nobody, the value is published, but we do not
know who was first. The sizes are positions x colours.

{table}
### Sources

We searched stored copies of public web pages, documentation and source repositories, in November 2026,
for the games with *optimal*, *expected*, *worst case*, *table* and *number of guesses*, for the authors
below, and for some of the values (5625, 11228, 20471, 26274, 28430, 34666). Of most articles we could see
only the abstract or the first page; the list says so for each. If a value stands only in the tables of
such an article, we may have missed it and say *none known to us*. All formulas and values that we saw
agree with ours.

{sources}"""


def literature(cells: Iterable[Cell]) -> str:
    """Return the section on who published these values first."""
    return LITERATURE.format(table=first_published(cells), sources=listed())
