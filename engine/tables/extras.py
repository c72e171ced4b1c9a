"""Lines of a table that say more of tests and causes than costs and weights do, such as groups and losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..errors import GameError, shown
from ..exact import is_number
from ..sheets import Placed
from .headings import read_heading

FAILURE = "failure rate"
COLUMNS = {
    "group": "the tests that share a set-up",
    "later": "what a test costs after others of its group",
    "setup": "what a group costs once",
    "after": "tests that come before",
    "sensitivity": "how often a test that should be positive is",
    "specificity": "how often a test that should be negative is",
    "error": "how often an answer is wrong",
    FAILURE: "how often there is no answer",
}
"""Columns that say more of tests, by the word that labels them."""
_ALSO = {
    word: own
    for own, words in {
        "setup": "set-up,set up,rüstkosten",
        "error": "error rate,fehlerrate",
        FAILURE: "lapse,lapse rate,no answer",
        "group": "gruppe,groupe,grupo",
        "sensitivity": "sensitivität,sensibilité,sensibilidad",
        "specificity": "spezifität,spécificité,especificidad",
    }.items()
    for word in words.split(",")
}
"""The same, in other words."""
ACTION, DECIDE = "action", "decide"
"""What labels the row of actions, and what a row of losses begins with."""
BETWEEN = ";"
"""What stands between the tests in a column `after`."""
MOST_NAMED = 6
"""Tests or decisions that are listed; more are counted."""
TELLING = ("later", "setup", "sensitivity", "specificity", FAILURE)
"""Columns that are hardly called so for another reason."""


@dataclass(frozen=True)
class Stated:
    """The text of a cell and its place."""

    place: str
    text: str


@dataclass(frozen=True)
class Extra:
    """A line beside the cells: its label, its place, and its cells by test, or by cause."""

    label: str
    place: str
    cells: dict[str, Stated]

    def filled(self, labels: Sequence[str]) -> dict[str, Stated]:
        """Return the cells of some tests or causes that are not empty."""
        return {label: self.cells[label] for label in labels if self.cells[label].text}


@dataclass(frozen=True)
class Extras:
    """What was taken out of a table: columns by their word, the row of actions, rows of losses by name."""

    columns: dict[str, Extra]
    actions: Extra | None
    losses: dict[str, Extra]

    def check_crossings(self, tests: Sequence[str], causes: Sequence[str]) -> None:
        """Raise GameError that names the place of what stands in a line and belongs to no test or cause."""
        rows = [line for line in (self.actions, *self.losses.values()) if line]
        for line, labels, each in (
            *((line, tests, "test") for line in self.columns.values()),
            *((line, causes, "cause") for line in rows),
        ):
            for label, cell in line.cells.items():
                if cell.text and label not in labels:
                    raise GameError(
                        f"{cell.place}: {shown(cell.text)} where {shown(line.label)} meets {shown(label)}, "
                        f"which is no {each}; expected an empty cell"
                    )


def column_of(label: str) -> str:
    """Return the word of a column that says more of tests; empty where the label is none."""
    noun = read_heading(label).noun
    word = _ALSO.get(noun, noun)
    return word if word in COLUMNS and not label.endswith("?") else ""


def decision_of(label: str) -> str | None:
    """Return the name of the decision whose losses a row has; None where the label says no such thing."""
    first, _, name = label.partition(" ")
    return name.strip() if first.casefold().rstrip(":") == DECIDE else None


def is_actions(label: str) -> bool:
    """Return whether a row of this label has the actions of causes."""
    return label.casefold() == ACTION


def says_more(label: str, cells: Sequence[str], others: Sequence[str]) -> Literal["", "tests", "causes"]:
    """Return of what a line says more, if it is hardly a test or a cause; `others`: labels of its cells."""
    if decision_of(label) is not None:
        return "causes"
    word, filled = column_of(label), [cell for cell in cells if cell]
    numbers = word in TELLING and filled and all(map(is_number, filled))
    before = word == "after" and filled and all(set(_named(cell)) & set(others) for cell in filled)
    return "tests" if numbers or before else ""


def _named(cell: str) -> list[str]:
    """Return the tests that a cell of a column `after` may name."""
    return [cell, *(part.strip() for part in cell.split(BETWEEN))]


def take_extras(rows: list[Placed]) -> Extras:
    """Take such lines out of rows that have tests below the labels of causes, and return them.

    Raises GameError for a line that is said twice, and for a decision without a name.
    """
    header, *body = rows
    across = {j: word for j, label in enumerate(header.cells) if j and (word := column_of(label))}
    down = {
        i for i, row in enumerate(body) if is_actions(row.cells[0]) or decision_of(row.cells[0]) is not None
    }
    columns: dict[str, Extra] = {}
    for j, word in across.items():
        if word in columns:
            raise GameError(
                f"{header.place}: {shown(columns[word].label)} and {shown(header.cells[j])} both say "
                f"{COLUMNS[word]}; expected one of them"
            )
        cells = {row.cells[0]: Stated(row.place, row.cells[j]) for row in body}
        columns[word] = Extra(header.cells[j], header.place, cells)
    actions, losses = None, dict[str, Extra]()
    for i in sorted(down):
        row = body[i]
        cells = {
            label: Stated(row.place, row.cells[j])
            for j, label in enumerate(header.cells)
            if j and j not in across
        }
        line, name = Extra(row.cells[0], row.place, cells), decision_of(row.cells[0])
        if name is None:
            if actions is not None:
                raise GameError(f"{row.place}: a second row {shown(line.label)}; expected one of them")
            actions = line
        elif not name or name in losses:
            what = f"is said twice: {shown(name)}" if name else "has no name"
            raise GameError(f"{row.place}: a decision {what}; expected such as 'decide repair'")
        else:
            losses[name] = line
    kept = [j for j in range(len(header.cells)) if j not in across]
    rows[:] = [
        Placed(row.place, [row.cells[j] for j in kept]) for i, row in enumerate(rows) if i - 1 not in down
    ]
    return Extras(columns, actions, losses)


def some_of(labels: Sequence[str], between: str = ", ") -> str:
    """Return labels in a line, or the first of many."""
    more = [f"... {len(labels)} in all"] if len(labels) > MOST_NAMED else []
    return between.join([*labels[:MOST_NAMED], *more])
