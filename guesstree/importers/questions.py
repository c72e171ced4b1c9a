"""The questions of learners, about columns of numbers or of yes and no, as answers to the tests of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import inf, isclose

import numpy as np

from guesstree.engine.errors import shown
from guesstree.engine.exact import NoNumber, read_numbers
from guesstree.engine.game import Game
from guesstree.engine.notation import plural
from guesstree.engine.tables.bins import numbers_of
from guesstree.engine.tables.headings import read_heading
from guesstree.engine.tables.rates import OPPOSITES
from guesstree.trees.tree import TreeError

SIGNS = ("_", "=", " ", ": ", " = ", " == ", ":", "-")
"""What may stand between a test and an answer in the name of a column that says whether it is the answer."""
HALF = 0.5
"""What parts no (0) from yes (1) in a column."""
CLOSE = 1e-6
"""Numbers that differ less are the same cut: learners have them in single precision."""
MOST_SHOWN = 6

_CLASSES = (
    re.compile(r"(?P<low>.+) to (?P<high>.+)"),
    re.compile(r"< (?P<high>.+)"),
    re.compile(r">= (?P<low>.+)"),
)


@dataclass(frozen=True)
class ColumnQuestion:
    """Whether a column is at most a number, or whether a test gets one of some answers.

    Attributes
    ----------
    column: the name, or its number from 0 where columns have no names.
    most: the number.
    among: the answers; empty: the number counts.
    """

    column: str | int
    most: float = HALF
    among: tuple[str, ...] = ()


class Questions:
    """Finds the test that a question is about, and the responses to it that say yes.

    Parameters
    ----------
    columns: how many columns there are; None: nobody says.
    single: whether numbers were rounded to single precision before they were compared.
    """

    def __init__(self, game: Game, columns: int | None, *, single: bool) -> None:
        self.game, self.columns, self.single = game, columns, single
        self.cuts: dict[int, set[float]] = {}  # where tests of many numbers were cut
        self._tests = {label: i for i, label in enumerate(game.guesses)}
        self.answers = cache(game.answers)

    def asked(self, question: ColumnQuestion) -> tuple[int, frozenset[int]]:
        """Return the test and the responses that say yes; raise TreeError where they cannot be known."""
        test, one = self._column(question.column)
        named = shown(self.game.guesses[test])
        if question.among:
            return test, frozenset(self._answer(test, label) for label in question.among)
        values = (
            self._values(test) if one is None else {r: (float(r == one),) * 2 for r in self.answers(test)}
        )
        if one is None and len(values) > 2 and all(low == high for low, high in values.values()):
            self.cuts.setdefault(test, set()).add(question.most)
        yes = set()
        for response, (low, high) in values.items():
            if high <= question.most or (isclose(high, question.most, rel_tol=CLOSE) and low < high):
                yes.add(response)
            elif low < question.most and not isclose(low, question.most, rel_tol=CLOSE):
                cut = f"{question.most:.6g}"
                raise TreeError(
                    f"asks whether {named} is at most {cut}, which is within the class "
                    f"{shown(self.game.responses[response])}; expected a table that is cut there: "
                    f",cuts={self.game.guesses[test]}:{cut}"
                )
        return test, frozenset(yes)

    def note(self) -> str:
        """Return what is to be said of tests of many numbers, which the tree only cuts; empty: nothing."""
        game, spec = self.game, self.game.spec
        if not self.cuts:
            return ""
        for test, found in self.cuts.items():
            spec += f",cuts={game.guesses[test]}:" + ";".join(f"{cut:.6g}" for cut in sorted(found))
        named = ", ".join(shown(game.guesses[test]) for test in self.cuts)
        said = f"each number of {named} is an answer of its own"
        # The classes of a table hold their lower ends, those of learners the upper ones.
        same = all(
            found.isdisjoint(low for low, _ in self._values(test).values())
            for test, found in self.cuts.items()
        )
        return f"{said}; the classes that the tree asks for are those of {spec}" if same else said

    def _answer(self, test: int, label: str) -> int:
        for response in self.answers(test):
            if self.game.responses[response] == label:
                return response
        raise TreeError(
            f"asks whether {shown(self.game.guesses[test])} is {shown(label)}; its answers are "
            f"{self._listed(test)}"
        )

    def _column(self, column: str | int) -> tuple[int, int | None]:
        """Return the test of a column, and the answer that it is about; None: about all of them."""
        game, tests = self.game, plural(len(self.game.guesses), self.game.look.guess)
        if isinstance(column, int):
            if self.columns not in (None, len(game.guesses)) or not 0 <= column < len(game.guesses):
                have = "" if self.columns is None else f" of {self.columns}"
                raise TreeError(
                    f"asks for column {column}{have}, which have no names; {game.spec} has {tests}; expected "
                    "a column for each, or names (fit on a DataFrame)"
                )
            return column, None
        for text in filter(None, (column, column.partition("__")[2])):  # as a ColumnTransformer names them
            if text in self._tests:
                return self._tests[text], None
            found = [
                (test, response)
                for label, test in self._tests.items()
                if text.startswith(label)
                for response in self.answers(test)
                if text[len(label) :] in [sign + game.responses[response] for sign in SIGNS]
            ]
            if len(found) > 1:
                both = " or ".join(f"{game.guesses[t]!r} {game.responses[r]!r}" for t, r in found[:2])
                raise TreeError(f"asks for {shown(column)}, which may be {both}; expected other labels")
            if found:
                return found[0]
        some = ", ".join(map(shown, game.guesses[:MOST_SHOWN])) + ", ..." * (len(game.guesses) > MOST_SHOWN)
        raise TreeError(
            f"asks for {shown(column)}, which is no {game.look.guess} of {game.spec}, nor one and an answer, "
            f"as in 'Wings_hard'; expected {some}"
        )

    def _values(self, test: int) -> Mapping[int, tuple[float, float]]:
        """Return the number that each answer is, or the two that it lies between, the lower one included."""
        responses = self.answers(test)
        labels = [self.game.responses[response] for response in responses]
        numbers = numbers_of(labels, named=read_heading(self.game.guesses[test]).named)
        if numbers is not None and len(numbers) == len(labels):
            known = [float(number) for number in numbers.values()]
            known = [float(np.float32(number)) for number in known] if self.single else known
            return {r: (number, number) for r, number in zip(responses, known, strict=True)}
        classes = [_class(label) for label in labels]
        if None not in classes:
            return {r: known for r, known in zip(responses, classes, strict=True) if known is not None}
        positive = [label.casefold() in OPPOSITES for label in labels]
        if len(labels) <= 2 and sum(positive) == 1:
            return {r: (float(yes),) * 2 for r, yes in zip(responses, positive, strict=True)}
        label = self.game.guesses[test]
        raise TreeError(
            f"asks for a number of {shown(label)}, whose answers are {self._listed(test)}; expected a column "
            f"for each answer, such as {shown(f'{label}_{labels[0]}')} (pandas.get_dummies)"
        )

    def _listed(self, test: int) -> str:
        labels = [shown(self.game.responses[response]) for response in self.answers(test)]
        return ", ".join(labels[:MOST_SHOWN]) + ", ..." * (len(labels) > MOST_SHOWN)


def _class(label: str) -> tuple[float, float] | None:
    """Return between which numbers the class of a measurement lies, see `class_labels`; None: it is none."""
    for pattern in _CLASSES:
        found = pattern.fullmatch(label)
        if found is None:
            continue
        ends = found.groupdict()
        try:
            return _end(ends.get("low"), -inf), _end(ends.get("high"), inf)
        except NoNumber:
            return None
    return None


def _end(text: str | None, else_: float) -> float:
    return else_ if text is None else float(read_numbers([text])[0][0])
