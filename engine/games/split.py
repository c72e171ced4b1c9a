"""Tables whose cells hold several answers: tests that split the weight of a cause, see `masses.model`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from ..errors import GameError
from ..game import MAX_RESPONSES, MOST_COST, costs_of, weights_of, whole
from ..masses.model import Model
from .cells import answers_of
from .table import Content, TableGame

CLIQUE = "clique"
"""The value of the option `ambiguous`: what a strategy may end with."""


class SplitTable(TableGame):
    """A table in which a test may get several answers.

    An answer is drawn when the test is asked, by the odds in the cell, and stays the same. An empty cell is
    any answer of its test. Raises GameError for a test without any answer, or a cell that is no set.
    """

    def __init__(self, spec: str, content: Content) -> None:
        self.spec, self.look, self._content = spec, content.look, content
        self.cost_unit, self.weight_unit = content.cost_unit, content.weight_unit
        self.guesses, self.secrets = content.guesses, content.secrets
        cells = [self._row(guess, row) for guess, row in zip(content.guesses, content.cells, strict=True)]
        self.responses = tuple(dict.fromkeys(answer for row in cells for cell in row for answer in cell))
        if len(self.responses) > MAX_RESPONSES:
            raise GameError(
                f"{spec}: {len(self.responses)} different answers; expected at most {MAX_RESPONSES}"
            )
        self.winning = None
        weights, prices = content.weights, content.costs
        if weights is not None:
            self.weights = weights
            weights_of(self)
        if prices is not None:
            if any(whole(price) is None or not 0 <= price < MOST_COST for price in prices):
                raise GameError(f"{spec}: a test costs no integer from 0 to 2^61: {list(prices)}")
            self.costs = np.array([[price] * len(self.responses) for price in prices], dtype=np.int64)
            costs_of(self)
        number = {answer: i for i, answer in enumerate(self.responses)}
        self.model = Model(
            chances=tuple(
                tuple({number[answer]: chance for answer, chance in cell.items()} for cell in row)
                for row in cells
            ),
            weights=tuple(weights or (1,) * len(self.secrets)),
            prices=tuple(prices or (1,) * len(self.guesses)),
            cliques=content.cliques,
        )

    def _row(self, guess: str, row: tuple[str, ...]) -> list[dict[str, Fraction]]:
        """Return the answers in each cell of a test."""
        each = {cell: answers_of(cell) if self._content.sets else {cell: Fraction(1)} for cell in row if cell}
        cells = [each.get(cell, {}) for cell in row]
        every = dict.fromkeys(answer for cell in cells for answer in cell)
        if not every:
            raise GameError(f"{self.spec}: test {guess!r} has no answer at all; expected one or more")
        alike = dict.fromkeys(every, Fraction(1, len(every)))
        return [cell or alike for cell in cells]

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
