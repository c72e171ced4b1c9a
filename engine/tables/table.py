"""Any table of guesses x secrets -> responses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..exact import scaled
from ..game import MOST_COST, MOST_RESPONSES, Game, Responses, costs_of, response_type, weights_of, whole
from ..notation import Look
from ..remarks import Remarks

LOOK = Look(secret="cause", guess="test")
"""What secrets and guesses of a table are called where it does not say."""


@dataclass(frozen=True)
class Detail:
    """What a table says for its readers alone; it makes no other table.

    Attributes
    ----------
    states: the answers to a guess in the order of a format that has one, by its label; see `tables.states`.
    joined: the secrets that became one, by the label of that one.
    """

    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    joined: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Content:
    """What a table says, wherever it was read.

    Attributes
    ----------
    guesses, secrets: labels.
    cells: for each guess the label of the response to each secret; empty where it is not known.
    weights, costs: integers for each secret and for each guess; None: 1 each.
    win: the label of the winning response, or None.
    cost_unit, weight_unit: what the integer 1 of costs and of weights stands for.
    sets: whether a cell is a set of answers, see `cells.answers_of`; an empty one is any answer to its guess.
    cliques: whether a strategy may end with several secrets, see `noisy.model`.
    groups: for each guess the group that it opens, or an empty text; empty: there are no groups.
    later: what each guess costs once another of its group was asked, in `cost_unit`; empty: no groups.
    after: for each guess those that must have been asked before it, by label; empty: none must.
    decisions, losses: what may be decided at the end, and what each decision loses for each secret, in
        `cost_unit`, None: it is not allowed. Empty: a secret is named.
    classes: see `Game`.
    ends: the response that ends a path, whatever is left; empty: none does.
    failures: how many guesses on a path may fail to answer, at worst.
    orders: of a table whose guesses are asked by questions of two answers, see `dichotomous`: for each guess
        its responses in order, where questions only cut between them, or none: they part them in any way.
        Empty: guesses are asked as they are.
    look: what secrets, guesses and costs are called, which makes no other table.
    detail: what is for readers alone.
    guess_remarks, secret_remarks: notes and pictures, which make no other table either.
    """

    guesses: tuple[str, ...]
    secrets: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    weights: tuple[int, ...] | None = None
    costs: tuple[int, ...] | None = None
    win: str | None = None
    cost_unit: Fraction = Fraction(1)
    weight_unit: Fraction = Fraction(1)
    look: Look = field(default=LOOK, compare=False)
    detail: Detail = field(default=Detail(), compare=False)
    sets: bool = False
    cliques: bool = False
    groups: tuple[str, ...] = ()
    later: tuple[int, ...] = ()
    after: tuple[tuple[str, ...], ...] = ()
    decisions: tuple[str, ...] = ()
    losses: tuple[tuple[int | None, ...], ...] = ()
    classes: tuple[str, ...] = ()
    ends: str = ""
    failures: int = 0
    guess_remarks: Remarks = field(default=Remarks(), compare=False)
    secret_remarks: Remarks = field(default=Remarks(), compare=False)
    orders: tuple[tuple[str, ...], ...] = ()

    @property
    def units(self) -> dict[str, Any]:
        """What 1 of costs and weights stands for, what things are called, and what is for readers."""
        units = {"cost_unit": self.cost_unit, "weight_unit": self.weight_unit}
        return units | {"look": self.look, "detail": self.detail}

    @property
    def splits(self) -> bool:
        """Whether it takes a model: cells of several answers, or more than costs beside them."""
        more = self.groups or self.after or self.decisions or self.ends or self.failures
        return self.sets or self.cliques or bool(more)


class TableGame(Game):
    """A game given by its cells: `cells[guess][secret]` is the label of the response.

    With `win`, the game ends when a guess gets that response: a cell must hold it exactly where the guess
    and the secret have the same label. Without, the goal is to identify the secret. `weights` has a number
    for each secret, `prices` for each guess, whatever it is answered, in `cost_unit` and `weight_unit`.
    `answered` is how many different cells a row has at most.
    """

    answered = MOST_RESPONSES

    def __init__(
        self,
        spec: str,
        guesses: Sequence[str],
        secrets: Sequence[str],
        cells: Sequence[Sequence[str]],
        win: str | None = None,
        weights: Sequence[int] | None = None,
        prices: Sequence[int] | None = None,
        *,
        cost_unit: Fraction = Fraction(1),
        weight_unit: Fraction = Fraction(1),
        look: Look = LOOK,
        detail: Detail = Detail(),
    ) -> None:
        self.spec, self.look, self._detail = spec, look, detail
        self.cost_unit, self.weight_unit = cost_unit, weight_unit
        self.guesses, self.secrets = tuple(guesses), tuple(secrets)
        self.responses = tuple(dict.fromkeys(cell for row in cells for cell in row))
        if len(self.responses) > MOST_RESPONSES:
            raise GameError(
                f"{spec}: {len(self.responses)} different responses; expected at most {MOST_RESPONSES}"
            )
        index = {label: i for i, label in enumerate(self.responses)}
        if win is not None and win not in index:
            some = ", ".join(repr(label) for label in self.responses[:8])
            raise GameError(f"{spec}: no cell holds the winning response {win!r}; the cells hold {some}")
        self.winning = None if win is None else index[win]
        numbers = [[index[cell] for cell in row] for row in cells]
        self._cells: Responses = np.array(numbers, dtype=response_type(self))
        self.answered = max((len(set(row)) for row in numbers), default=0)
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
                    f"on the secret of that name; expected the winning response {win!r}"
                )
        for g, s in np.argwhere(wins):
            if self.guesses[g] != self.secrets[s]:
                raise GameError(
                    f"{self.spec}: guess {self.guesses[g]!r} gets the winning response {win!r} on secret "
                    f"{self.secrets[s]!r}; only the guess of the same label may get it"
                )

    @property
    def content(self) -> Content:
        """What the table says. A cost is what the first response of its guess costs."""
        return Content(
            tuple(self.guesses),
            tuple(self.secrets),
            tuple(tuple(self.responses[r] for r in row) for row in self._cells.tolist()),
            None if self.weights is None else tuple(self.weights),
            None if self.costs is None else tuple(self.costs[:, 0].tolist()),
            None if self.winning is None else self.responses[self.winning],
            self.cost_unit,
            self.weight_unit,
            self.look,
            self._detail,
            guess_remarks=self.guess_remarks,
            secret_remarks=self.secret_remarks,
        )

    @property
    def most_answers(self) -> int:
        """How many different cells a row has at most; and the winning response, which numbers begin with."""
        return min(len(self.responses), self.answered + (self.winning is not None))

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response in the cell."""
        return int(self._cells[guess, secret])

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return some of the cells, shape (guesses, secrets)."""
        return np.ascontiguousarray(self._cells[np.ix_(guesses, secrets)])

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the cell of each guess and the secret beside it."""
        return self._cells[guesses, secrets]

    def table(self) -> Responses:
        """Return the cells, shape (guesses, secrets)."""
        return self._cells


def table_content(game: Game) -> Content | None:
    """Return what the table of a game says; None for a game that is none."""
    return game.content if isinstance(game, TableGame) else None


def same_answers(cells: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return the secrets in groups that get the same response to every guess, in the order of the first."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for s, column in enumerate(zip(*cells, strict=True)):
        groups.setdefault(column, []).append(s)
    return list(groups.values())


def merged(table: Content) -> Content:
    """Return a table with one secret for those that get the same response to every guess.

    It is labelled ``a|b`` and weighs what they weigh together, 1 each where there are no weights.
    """
    groups, weights, unit = same_answers(table.cells), table.weights, table.weight_unit
    if len(groups) < len(table.secrets):
        sums = [sum(weights[s] if weights else 1 for s in group) * unit for group in groups]
        weights, unit = scaled(sums)
    labels = tuple("|".join(table.secrets[s] for s in group) for group in groups)
    own = {label: [table.secrets[s] for s in group] for label, group in zip(labels, groups, strict=True)}
    joined = {label: tuple(some) for label, some in own.items() if len(some) > 1}
    return replace(
        table,
        secrets=labels,
        secret_remarks=table.secret_remarks.renamed(own),
        detail=replace(table.detail, joined=joined),
        cells=tuple(tuple(row[group[0]] for group in groups) for row in table.cells),
        weights=weights,
        weight_unit=unit,
    )
