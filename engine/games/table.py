"""Any table of guesses x secrets -> responses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..game import MAX_RESPONSES, MOST_COST, Game, costs_of, weights_of, whole
from ..look import Look


class TableGame(Game):
    """A game given by its cells: `cells[guess][secret]` is the label of the response.

    With `win`, the game ends when a guess gets that response: a cell must hold it exactly where the guess
    and the secret have the same label. Without, the goal is to identify the secret. `weights` has a number
    for each secret, `prices` for each guess, whatever it is answered.
    """

    look = Look(secret="cause", guess="test")

    def __init__(
        self,
        spec: str,
        guesses: Sequence[str],
        secrets: Sequence[str],
        cells: Sequence[Sequence[str]],
        win: str | None = None,
        weights: Sequence[int] | None = None,
        prices: Sequence[int] | None = None,
    ) -> None:
        self.spec = spec
        self.guesses, self.secrets = tuple(guesses), tuple(secrets)
        self.responses = tuple(dict.fromkeys(cell for row in cells for cell in row))
        if len(self.responses) > MAX_RESPONSES:
            raise GameError(
                f"{spec}: {len(self.responses)} different responses; accepted: at most {MAX_RESPONSES}"
            )
        index = {label: i for i, label in enumerate(self.responses)}
        if win is not None and win not in index:
            some = ", ".join(repr(label) for label in self.responses[:8])
            raise GameError(f"{spec}: no cell holds the winning response {win!r}; accepted: {some}")
        self.winning = None if win is None else index[win]
        self._cells = np.array([[index[cell] for cell in row] for row in cells], dtype=np.uint8)
        if win is not None:
            self._check_wins(win)
        if weights is not None:
            self.weights = tuple(weights)
            weights_of(self)
        if prices is not None:
            if any(whole(price) is None or not 0 <= price < MOST_COST for price in prices):
                raise GameError(f"{spec}: a guess costs no integer from 0 to 2^61: {list(prices)}")
            self.costs = np.array([[price] * len(self.responses) for price in prices], dtype=np.int64)
            costs_of(self)

    def _check_wins(self, win: str) -> None:
        rows = {label: i for i, label in enumerate(self.guesses)}
        wins = self._cells == self.winning
        for s, secret in enumerate(self.secrets):
            if secret not in rows:
                raise GameError(f"{self.spec}: no guess is labelled {secret!r}, so that secret cannot be won")
            if not wins[rows[secret], s]:
                raise GameError(
                    f"{self.spec}: guess {secret!r} gets {self.responses[self._cells[rows[secret], s]]!r} "
                    f"on the secret of that name; accepted: the winning response {win!r}"
                )
        for g, s in np.argwhere(wins):
            if self.guesses[g] != self.secrets[s]:
                raise GameError(
                    f"{self.spec}: guess {self.guesses[g]!r} gets the winning response {win!r} on secret "
                    f"{self.secrets[s]!r}; accepted: only where the labels are equal"
                )

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response in the cell."""
        return int(self._cells[guess, secret])

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return some of the cells, shape (guesses, secrets)."""
        return np.ascontiguousarray(self._cells[np.ix_(guesses, secrets)])

    def table(self) -> NDArray[np.uint8]:
        """Return the cells, shape (guesses, secrets)."""
        return self._cells


def merged(
    secrets: Sequence[str], cells: Sequence[Sequence[str]], weights: Sequence[int] | None = None
) -> tuple[list[str], list[list[str]], list[int] | None]:
    """Return secrets, cells and weights, with one secret for those that get the same response to every guess.

    It is labelled ``a|b`` and weighs what they weigh together, 1 each where there are no weights.
    """
    alike: dict[tuple[str, ...], list[int]] = {}
    for s, column in enumerate(zip(*cells, strict=True)):
        alike.setdefault(column, []).append(s)
    groups = list(alike.values())
    if len(groups) < len(secrets):
        weights = [sum(weights[s] if weights else 1 for s in group) for group in groups]
    return (
        ["|".join(secrets[s] for s in group) for group in groups],
        [[row[group[0]] for group in groups] for row in cells],
        None if weights is None else list(weights),
    )
