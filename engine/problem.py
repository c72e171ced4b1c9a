"""`Problem`: a game with a goal and its limits, as arrays; `Found`: a complete strategy for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from .bounds import capacities, least_totals, profile_of
from .errors import GameError, GuesstreeError
from .game import (
    MAX_RESPONSES,
    CodeForm,
    Game,
    check_responses,
    costs_of,
    response_table,
    response_type,
    weights_of,
    whole,
)
from .objective import Objective
from .rules import Rules, Words, rules_of
from .state import Ints, Table, everything

GOALS = ("win", "identify")
MOST_NAMED = 3
"""How many sets of secrets that cannot be told apart a message names, and how many secrets of each."""


class Problem:
    """What is to be solved, checked against the game, with the arrays that searches share.

    Parameters
    ----------
    goal: ``win``, ``identify``, or None: win when the game has a winning response.
    max_depth: guesses allowed at most, or None.
    first: label of the first guess, or None.
    candidates_only: whether every guess must name a candidate.
    symmetry: whether guesses that the game's symmetry makes equal are tried once.
    budget: what a secret may cost to count as won, for the objective ``win-probability``; None: what the game
        says.

    Raises GuesstreeError for values that do not fit the game.
    """

    def __init__(
        self,
        game: Game,
        objective: Objective,
        *,
        goal: str | None = None,
        max_depth: int | None = None,
        first: str | None = None,
        candidates_only: bool = False,
        symmetry: bool = True,
        budget: int | None = None,
    ) -> None:
        self.game, self.objective = game, objective
        self.goal = goal or ("identify" if game.winning is None else "win")
        if self.goal not in GOALS:
            raise GuesstreeError(f"unknown goal {goal!r}; accepted: win, identify")
        if self.goal == "win" and game.winning is None:
            raise GuesstreeError(f"{game.spec} has no winning response; accepted: goal identify")
        if max_depth is not None and max_depth < 1:
            raise GuesstreeError(f"a depth limit of {max_depth}; accepted: at least 1 guess")
        self.secrets = len(game.secrets)
        if not self.secrets or not len(game.guesses):
            raise GameError(f"{game.spec}: no secret, or no guess; accepted: at least one of each")
        self.responses = len(game.responses)
        self.winning = -1 if self.goal == "identify" or game.winning is None else game.winning
        self.base = 1 if self.goal == "win" else 0
        self.candidates_only, self.symmetry = candidates_only, symmetry
        self.own = game.own()
        self.limited = max_depth
        # No best strategy asks more guesses than there are secrets: each tells something.
        self.max_depth = self.secrets if max_depth is None else min(max_depth, self.secrets)
        self.first = None if first is None else game.guess_index(first)
        self.priced = (
            game.weights is not None or game.costs is not None or objective.name == "win-probability"
        ) or self.responses > MAX_RESPONSES  # the other searches work on bytes
        if self.priced:
            _ = self.weights, self.costs  # refused here when they are none
            if self.rules is not None:
                raise GuesstreeError(
                    f"{game.spec} with weights, costs or a budget; accepted: games where what may be asked "
                    "does not depend on earlier responses"
                )
        self.budget = game.budget if budget is None and objective.name == "win-probability" else budget
        self._check_budget()
        if candidates_only and self.first is not None and self.own[self.first] < 0:
            raise GuesstreeError(f"first guess {first!r} names no secret; accepted: candidates only")
        if self.first is not None:
            row = self.row(self.first, everything(self.secrets))
            if (row == row[0]).all() and row[0] != self.winning:
                raise GuesstreeError(f"first guess {first!r} gets the same response on every secret")
            if self.goal == "identify" and self.secrets == 1:
                raise GuesstreeError(f"first guess {first!r}: the only secret is known without it")

    def _check_budget(self) -> None:
        """Raise GuesstreeError for limits that do not go together."""
        game, budget = self.game, self.budget
        if self.objective.name != "win-probability":
            if budget is not None:
                raise GuesstreeError(f"a budget of {budget}; accepted: with the objective win-probability")
        elif budget is None or whole(budget) is None or not 0 <= budget < 1 << 61:
            given = "no budget" if budget is None else f"a budget of {budget}"
            raise GuesstreeError(f"{given}; accepted: an integer from 0, for the objective win-probability")
        elif game.exact_only:
            raise GuesstreeError(
                f"{game.spec}: win-probability would name causes untested where cells are missing; accepted: "
                "the other objectives"
            )
        elif self.limited is not None:
            raise GuesstreeError(f"a depth limit of {self.limited}; accepted: the budget alone")
        if self.limited is not None and game.costs is not None:
            raise GuesstreeError(f"a depth limit of {self.limited}; accepted: where every guess costs 1")
        if self.priced and self.candidates_only and self.goal == "identify":
            raise GuesstreeError("candidates only, with weights, costs or a budget; accepted: goal win")

    def require_distinct(self) -> None:
        """Raise GameError when the goal is to identify and two secrets cannot be told apart."""
        if self.goal == "win" or self.game.winning is not None:
            return  # a guess that wins on a secret tells it apart
        _, group, many = np.unique(self.table, axis=1, return_inverse=True, return_counts=True)
        alike = np.flatnonzero(many > 1)
        if len(alike):
            named = [np.flatnonzero(group.ravel() == g)[:MOST_NAMED] for g in alike[:MOST_NAMED]]
            sets = [[self.game.secrets[int(s)] for s in members] for members in named]
            text = "; ".join(
                ", ".join(map(repr, labels)) + (", ..." if many[g] > len(labels) else "")
                for g, labels in zip(alike, sets, strict=False)
            )
            raise GameError(
                f"{self.game.spec}: no guess tells these secrets apart: {text} ({len(alike)} such sets); "
                f"merge each into one, such as {'|'.join(sets[0])!r} (table:FILE.csv,merge does), "
                "or win by guessing them"
            )

    @cached_property
    def table(self) -> Table:
        """Every response, shape (guesses, secrets); raises SpaceError when it does not fit."""
        return response_table(self.game)

    def block(self, guesses: Ints, candidates: Ints) -> Table:
        """Return the responses of some guesses on some secrets, from the table if there is one already."""
        if "table" in self.__dict__:
            return np.ascontiguousarray(self.table[np.ix_(guesses, candidates)])
        block = np.ascontiguousarray(self.game.block(guesses, candidates), dtype=response_type(self.game))
        check_responses(self.game, block)
        return block

    def row(self, guess: int, candidates: Ints) -> Table:
        """Return the responses of one guess."""
        return self.block(np.array([guess], dtype=np.int32), candidates)[0]

    def sizes(self, guesses: Ints, candidates: Ints) -> Ints:
        """Return how many candidates give each response to each guess, shape (guesses, responses)."""
        block = self.block(guesses, candidates)
        return kernels.histograms(block, everything(len(candidates)), self.responses)

    def masses(self, guesses: Ints, candidates: Ints) -> NDArray[np.int64]:
        """Return what the candidates weigh that give each response, int64, shape (guesses, responses)."""
        if self.game.weights is None:
            return self.sizes(guesses, candidates).astype(np.int64)
        block, weights = self.block(guesses, candidates), self.weights[candidates]
        masses = np.zeros((len(guesses), self.responses), dtype=np.int64)
        for row, mass in zip(block, masses, strict=True):
            np.add.at(mass, row, weights)
        return masses

    def paid(self, guesses: Ints, candidates: Ints) -> list[tuple[tuple[int, int], ...]]:
        """Return the (weight, cost) of every part that each guess makes, ascending."""
        found = []
        for guess, mass in zip(guesses.tolist(), self.masses(guesses, candidates), strict=True):
            met = np.flatnonzero(mass)
            costs = self.costs[guess][met].tolist()
            found.append(tuple(sorted(zip(mass[met].tolist(), costs, strict=True))))
        return found

    @cached_property
    def profile(self) -> list[int]:
        """At most how many parts of more than j secrets a guess leaves, j = 0, 1, ...; see `bounds`."""
        everyone = everything(self.secrets)
        classes = None if self.classes is None else self.classes(())
        guesses = everything(len(self.own)) if classes is None else np.unique(classes)
        sizes = self.sizes(guesses, everyone)
        if self.winning >= 0:
            sizes[:, self.winning] = 0
        return profile_of(sizes)

    @property
    def classes(self) -> Callable[[tuple[int, ...]], Ints | None] | None:
        """The classes of equivalent guesses after a history, or None: every guess is tried.

        Renamings need not keep weights and costs, nor what may be asked after a history.

        Renamings keep responses, so they keep who wins on what; where secrets are named by labels alone they
        need not keep that, and with candidates only a class could lose its only candidate.
        """
        if (
            not self.symmetry
            or self.priced
            or self.rules is not None
            or (self.candidates_only and self.game.winning is None)
        ):
            return None
        return self.game.symmetry.classes

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        """See `game.weights_of`."""
        return weights_of(self.game)

    @cached_property
    def costs(self) -> NDArray[np.int64]:
        """See `game.costs_of`; made for games that need it only, it is as large as guesses x responses."""
        return costs_of(self.game)

    @cached_property
    def rules(self) -> Rules | None:
        """How earlier responses limit what may be asked, or None; see `rules.rules_of`."""
        return rules_of(self.game)

    @cached_property
    def codes(self) -> CodeForm | None:
        """The codes behind the game, or None; with rules, tables are used."""
        return self.game.code_form() if self.rules is None else None

    @property
    def renaming(self) -> int:
        """How kernels that see codes go through the symmetry, 0: not at all; see `Symmetry.renaming`."""
        if self.classes is None or self.codes is None:
            return 0
        return self.game.symmetry.renaming

    @cached_property
    def capacity(self) -> Any:
        """See `bounds.capacities`."""
        return capacities(self.profile, self.secrets, win=self.goal == "win")

    @cached_property
    def least(self) -> Any:
        """See `bounds.least_totals`."""
        return least_totals(self.profile, self.secrets, win=self.goal == "win")

    @cached_property
    def least_depth(self) -> int:
        """At least how many guesses the worst case needs, by counting."""
        return int(np.argmax(self.capacity >= self.secrets))

    @cached_property
    def winner(self) -> Ints:
        """The first guess that names each secret, or -1; int32, shape (secrets,)."""
        winner = np.full(self.secrets, -1, dtype=np.int32)
        naming = np.flatnonzero(self.own >= 0)[::-1]
        winner[self.own[naming]] = naming
        return winner

    @property
    def marks(self) -> Ints:
        """`own` where it matters to the search: to win, or when only candidates may be asked."""
        return self.own if self.goal == "win" or self.candidates_only else np.full_like(self.own, -1)

    def finished(self, candidates: Ints) -> bool:
        """Return whether nothing is left to ask."""
        return self.goal == "identify" and len(candidates) == 1

    def allowed(self, candidates: Ints, needs: Words | None = None) -> Ints:
        """Return the guesses that may be asked, ascending; `needs` is what the history demands."""
        may = np.isin(self.own, candidates) if self.candidates_only else np.ones(len(self.own), dtype=bool)
        if self.rules is not None and needs is not None:
            may &= self.rules.allowed(needs)
        return np.flatnonzero(may).astype(np.int32)

    def solution(
        self,
        found: Found,
        *,
        lower: tuple[int, ...],
        stopped: str,
        extra: Mapping[str, Any] | None = None,
        **what: Any,
    ) -> Solution:
        """Return the solution that a strategy is, with lower bounds of the optimum and how it was found."""
        upper = found.value or self.objective.value(found.total, found.worst)
        return Solution(
            game=self.game,
            goal=self.goal,
            objective=self.objective.name,
            parameters=self.parameters | dict(extra or {}),
            lower=min(lower, upper),
            upper=upper,
            stopped=stopped if lower < upper else "",
            choices=found.choices,
            **what,
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """What restricts the strategies, as plain data; empty when nothing does."""
        found: dict[str, Any] = {}
        if self.first is not None:
            found["first"] = self.game.guesses[self.first]
        if self.limited is not None:
            found["max_depth"] = self.limited
        if self.candidates_only:
            found["candidates_only"] = True
        if self.budget is not None:
            found["budget"] = self.budget
        return found


@dataclass
class Found:
    """A complete strategy: the guess of every state that it meets, and its figures.

    Candidates alone tell the state, whatever the history demands: two states of one strategy either share no
    candidate, or one lies below the other and is smaller, because every guess asked tells something.
    `total` and `worst` count guesses; `value` is that of the objective where they do not say it.
    """

    choices: dict[bytes, int] = field(default_factory=dict)
    total: int = 0
    worst: int = 0
    value: tuple[int, ...] = ()

    def add(self, candidates: Ints, guess: int) -> None:
        """Record the guess of a state; each of its candidates pays one guess."""
        self.choices[candidates.tobytes()] = guess
        self.total += len(candidates)

    def reach(self, depth: int) -> None:
        """Record that some secret needs `depth` guesses."""
        self.worst = max(self.worst, depth)


@dataclass(frozen=True)
class Solution:
    """What a search found and proved.

    Attributes
    ----------
    goal, objective, method, parameters: what was asked and how it was answered.
    lower, upper: bounds of the optimum, one number for each part of the objective, compared from the left;
        `upper` is what the strategy reaches. Equal when it is proven optimal.
    stopped: why the search ended early (``time``, ``interrupt``), or ``""``.
    choices: the guess for each state, by the bytes of its sorted int32 candidates.
    states, evaluations: work done: states expanded, sets valued against all guesses.
    seconds: wall-clock time.
    lies: how many responses may be false; then states are keyed by `lies.Knowledge`.
    """

    game: Game
    goal: str
    objective: str
    method: str
    parameters: Mapping[str, Any]
    lower: tuple[int, ...]
    upper: tuple[int, ...]
    stopped: str
    choices: Mapping[bytes, int]
    states: int
    evaluations: int
    seconds: float
    lies: int = 0

    @property
    def optimal(self) -> bool:
        """Whether the strategy is proven optimal among those that the parameters allow."""
        return self.lower == self.upper

    def _repr_html_(self) -> str:
        from html import escape

        proven = "proven optimal" if self.optimal else f"optimum at least {self.lower}"
        text = f"{self.game.spec}: {self.objective}, {self.method}: {self.upper}, {proven}"
        return f"<p>{escape(text)}</p>"

    def choose(self, candidates: Ints, left: NDArray[np.uint8] | None = None) -> int:
        """Return the guess for a state that the strategy meets; raise GuesstreeError for another.

        `left`: how many lies each candidate has left, where responses may be false.
        """
        try:
            return self.choices[candidates.tobytes() + (b"" if left is None else left.tobytes())]
        except KeyError:
            raise GuesstreeError(
                f"{self.game.spec}: the strategy does not meet this state of {len(candidates)} candidates: "
                "the game's table and its respond() disagree"
            ) from None
