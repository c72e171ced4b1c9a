"""Tables as models: noisy tests, losses, groups of tests; see `noisy.model`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from ..errors import GameError, shown
from ..game import MOST_COST, MOST_RESPONSES, costs_of, weights_of, whole
from ..noisy.model import Model
from .cells import chances_in
from .table import Content, TableGame

CLIQUE = "clique"
"""The value of the option `ambiguous`: what a strategy may end with."""
SILENT = "?"
"""The response of a test that fails to answer."""


class NoisyTable(TableGame):
    """A table in which a test may get several answers, or that says more of tests and causes than costs.

    An answer is drawn when the test is asked, by the odds in the cell, and stays the same. An empty cell is
    any answer of its test. Raises GameError for a test without any answer, a cell that is no set, a winning
    response, an answer that ends and is in no cell, and a cause for which nothing may be decided.
    """

    def __init__(self, spec: str, content: Content) -> None:
        self.spec, self.look, self._content = spec, content.look, content
        self.cost_unit, self.weight_unit = content.cost_unit, content.weight_unit
        self.guesses, self.secrets = content.guesses, content.secrets
        self.decisions, self.classes = content.decisions, content.classes
        if content.win is not None:
            raise GameError(
                f"{spec}: a winning response {shown(content.win)} in a table of several answers, losses or "
                "groups; expected none (ends=ANSWER: this answer ends the path)"
            )
        cells = [self._row(guess, row) for guess, row in zip(content.guesses, content.cells, strict=True)]
        answers = dict.fromkeys(answer for row in cells for cell in row for answer in cell)
        if content.ends and content.ends not in answers:
            some = ", ".join(map(shown, list(answers)[:8]))
            raise GameError(f"{spec}: no cell holds the answer {shown(content.ends)}; the cells hold {some}")
        if content.failures and SILENT in answers:
            raise GameError(
                f"{spec}: an answer {SILENT!r} beside failures={content.failures}, which is that answer at "
                "worst; expected another label, or no failures"
            )
        self.responses = (*answers, *([SILENT] if content.failures else []))
        if len(self.responses) > MOST_RESPONSES:
            raise GameError(
                f"{spec}: {len(self.responses)} different answers; expected at most {MOST_RESPONSES}"
            )
        self.winning = None
        self._set_numbers(content.costs)
        self.model = self._model(cells)

    def _set_numbers(self, prices: tuple[int, ...] | None) -> None:
        """Set weights and costs; raise GameError for what is none, or for losses too large to be counted."""
        content = self._content
        if content.weights is not None:
            self.weights = content.weights
        weights = weights_of(self)
        if prices is not None:
            if any(whole(price) is None or not 0 <= price < MOST_COST for price in prices):
                raise GameError(f"{self.spec}: a test costs no integer from 0 to 2^61: {list(prices)}")
            self.costs = np.array([[price] * len(self.responses) for price in prices], dtype=np.int64)
            costs_of(self)
        most = max((loss or 0 for row in content.losses for loss in row), default=0)
        if most * int(weights.sum()) >= MOST_COST:
            raise GameError(
                f"{self.spec}: weights x losses come to {most * int(weights.sum())} in units of "
                f"{self.cost_unit} and {self.weight_unit}; expected less than 2^61 (fewer decimals will do)"
            )
        for i, cause in enumerate(content.secrets if content.losses and not content.ends else ()):
            if all(row[i] is None for row in content.losses):
                raise GameError(
                    f"{self.spec}: nothing may be decided for {shown(cause)}; expected a loss for this cause"
                )

    def _model(self, cells: list[list[dict[str, Fraction]]]) -> Model:
        """Return what the table says in numbers."""
        content = self._content
        number = {answer: i for i, answer in enumerate(self.responses)}
        test = {guess: i for i, guess in enumerate(content.guesses)}
        group = {label: i for i, label in enumerate(sorted({*content.groups} - {""}))}
        every = frozenset({number[content.ends]}) if content.ends else frozenset()
        chances = tuple(
            tuple({number[answer]: chance for answer, chance in cell.items()} for cell in row)
            for row in cells
        )
        return Model(
            chances=chances,
            weights=tuple(content.weights or (1,) * len(self.secrets)),
            prices=tuple(content.costs or (1,) * len(self.guesses)),
            cliques=content.cliques,
            losses=content.losses or None,
            groups=tuple(group.get(label) for label in content.groups),
            later=content.later,
            ends=tuple(every & {r for cell in row for r in cell} for row in chances) if every else (),
            after=tuple(frozenset(test[label] for label in known) for known in content.after),
            failures=content.failures,
            silent=number[SILENT] if content.failures else -1,
        )

    def _row(self, guess: str, row: tuple[str, ...]) -> list[dict[str, Fraction]]:
        """Return the answers in each cell of a test."""
        cells = chances_in(row, sets=self._content.sets)
        if not cells or not cells[0]:
            raise GameError(f"{self.spec}: test {guess!r} has no answer at all; expected one or more")
        return cells

    @property
    def content(self) -> Content:
        """What the table says."""
        return self._content

    def _several(self) -> NoReturn:
        raise GameError(
            f"{self.spec}: a test may get several answers; expected a table with one in each cell "
            "(solve, bounds, check and render know what to do with this one)"
        )

    def respond(self, guess: int, secret: int) -> int:  # noqa: ARG002 - of the kind
        """Raise GameError: no single response is right."""
        self._several()

    def block(self, *_: Any) -> NoReturn:
        """Raise GameError, see `respond`."""
        self._several()

    def respond_each(self, *_: Any) -> NoReturn:
        """Raise GameError, see `respond`."""
        self._several()

    def table(self) -> NoReturn:
        """Raise GameError, see `respond`."""
        self._several()
