"""`Problem`: a game with a goal and its limits, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from .bounds.counting import capacities, least_totals, profile_of
from .errors import GameError, GuesstreeError, Infeasible, SpaceError, require_flag
from .exact import Value
from .game import (
    MOST_LISTED,
    CodeForm,
    Game,
    check_responses,
    costs_of,
    require_labels,
    response_table,
    response_type,
    rules_of,
    weights_of,
)
from .leaf_limits import LeafLimits
from .memory import size_text, usual_memory
from .notation import plural, plurals
from .numbering import Numbering
from .objective import Objective
from .rules import Rules, Step, Words
from .solution import Found, Solved
from .state import Ints, Table, everything
from .stopping import heed
from .support import FEATURES, PRICED, Request, lies_text, require
from .symmetry.automorphisms import Coloured
from .symmetry.found import Found as FoundSymmetry
from .symmetry.groups import Symmetry, Trivial

Classes = Callable[[tuple[int, ...]], Ints | None]
"""Returns the smallest equivalent guess of each guess after a history, or None: each is alone."""
MOST_CELLS, MOST_RESPONSES = 1 << 22, 1 << 8
"""Of a table whose symmetry is looked for, and of its guesses; a larger one takes too long."""
MOST_NAMED = 3
"""How many sets of secrets that cannot be told apart a message names, and how many secrets of each."""


def number_of_secrets(game: Game) -> int:
    """Return the number of secrets of a game; raise SpaceError for too many to be numbered."""
    try:
        if game.facts.product:
            raise SpaceError(f"{len(game.secrets)} phrases are counted word by word, too many for a search")
        return len(game.secrets)
    except SpaceError as error:
        raise SpaceError(f"{game.spec}: {error}" + (f"; use {game.beyond}" if game.beyond else "")) from None


class Problem:
    """What is to be solved, checked against the game, with the arrays that searches share.

    Parameters
    ----------
    goal, max_depth, first, candidates_only, symmetry, budget: see `search.solve`.
    leaves: limits of the leaves of the tree, where there are any.
    by_guess: whether many responses are numbered guess by guess; else as in the game.

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
        leaves: LeafLimits | None = None,
        by_guess: bool = True,
    ) -> None:
        self.game, self.objective = game, objective
        usual = game.facts.goals[0]
        self.goal = usual if goal is None or (isinstance(goal, str) and not goal) else goal
        require_flag("symmetry", symmetry)
        if budget is None and objective.budgeted:
            budget = game.budget
        self.asked = Request(
            game,
            objective.name,
            goal=self.goal,
            max_depth=max_depth,
            first=first,
            candidates_only=candidates_only,
            budget=budget,
            leaves=leaves,
        )
        require(self.asked)
        self.leaves = leaves
        self.secrets = number_of_secrets(game)
        require_labels(game)
        if not self.secrets or not len(game.guesses):
            raise GameError(f"{game.spec}: no secret, or no guess; expected at least one of each")
        self.numbered = by_guess and game.by_guess
        self.wins = -1 if game.winning is None else 0 if self.numbered else game.winning
        self.winning = -1 if self.goal == "identify" else self.wins
        self.base = 1 if self.goal == "win" else 0
        self.candidates_only, self.symmetry = candidates_only, symmetry
        self.limited, self.budget = max_depth, budget
        # No best strategy asks more guesses than there are secrets: each tells something.
        self.max_depth = self.secrets if max_depth is None else min(max_depth, self.secrets)
        self.priced = any(FEATURES[name](self.asked) for name in PRICED)
        if self.priced:
            _ = self.weights, self.costs  # refused here when they are none
        self.first = None if first is None else game.read_guess(first)
        if self.first is not None:
            self._check_first(self.first)

    def _check_first(self, first: int) -> None:
        """Raise GuesstreeError for a first guess that is not allowed, or tells nothing.

        Where a guess may get several responses, see `search.noisy`.
        """
        if self.game.facts.noisy:
            return
        look, label, row = self.game.look, self.game.guesses[first], self.row(first, everything(self.secrets))
        if self.candidates_only and self.own[first] < 0:
            raise GuesstreeError(
                f"first {look.guess} {label!r} names no {look.secret}; with candidates only, it must be one"
            )
        if (row == row[0]).all() and row[0] != self.winning:
            raise GuesstreeError(
                f"first {look.guess} {label!r} gets the same response on every {look.secret}"
            )
        if self.goal == "identify" and self.secrets == 1:
            raise GuesstreeError(f"first {look.guess} {label!r}: the only {look.secret} is known without it")

    def require_distinct(self) -> None:
        """Raise GameError when the goal is to identify and two secrets cannot be told apart."""
        if self.goal == "win" or self.game.facts.winnable:
            return  # a guess that wins on a secret tells it apart
        if self.alike is None:
            return
        group, many = self.alike, np.bincount(self.alike)
        alike = np.flatnonzero(many > 1)
        named = [np.flatnonzero(group == g)[:MOST_NAMED] for g in alike[:MOST_NAMED]]
        sets = [[self.game.secrets[int(s)] for s in members] for members in named]
        text = "; ".join(
            ", ".join(map(repr, labels)) + (", ..." if many[g] > len(labels) else "")
            for g, labels in zip(alike, sets, strict=False)
        )
        look, many_sets = self.game.look, plural(len(alike), "such set")
        raise GameError(
            f"{self.game.spec}: no {look.guess} tells these {plurals(look.secret)} apart: {text} "
            f"({many_sets}); merge each into one, such as {'|'.join(sets[0])!r} (table:FILE.csv,merge or "
            "merge=True does), or win by guessing them"
        )

    @property
    def listed(self) -> bool:
        """Whether a strategy for all secrets is small enough to be listed."""
        return self.game.facts.listed

    def require_listed(self) -> None:
        """Raise SpaceError for a game whose strategies are too large to be listed."""
        if not self.listed:
            raise SpaceError(
                f"{self.game.spec} has {plural(self.secrets, self.game.look.secret)}; a strategy is listed "
                f"for at most {MOST_LISTED}" + (f"; use {self.game.beyond}" if self.game.beyond else "")
            )

    def require_room(self) -> None:
        """Raise SpaceError when a state of all secrets would take too much memory."""
        need = 16 * self.secrets
        if self.secrets > MOST_LISTED and need > usual_memory():
            raise SpaceError(
                f"{self.game.spec} has {self.secrets} secrets: they would need {size_text(need)}, and "
                f"{size_text(usual_memory())} may be used"
                + (f"; use {self.game.beyond}" if self.game.beyond else "")
            )

    @property
    def tableless(self) -> bool:
        """Whether responses can be worked out from codes, without a table."""
        return self.codes is not None and not self.priced

    @cached_property
    def own(self) -> Ints:
        """For each guess the secret that it names, or -1."""
        return self.game.own()

    @cached_property
    def alike(self) -> Ints | None:
        """The number of the set that each secret is in, of those that no guess tells apart; None: all differ.

        Guesses from all over the table are most different: they are taken at a stride of about its golden
        section.
        """
        some, number = len(self.table), np.zeros(self.secrets, dtype=np.int64)
        stride = next(n for n in range(int(0.618 * some) + 1, some + 2) if gcd(n, some) == 1)
        for i in range(some):
            both = number * self.responses + self.table[i * stride % some]
            number = np.unique(both, return_inverse=True)[1].ravel()
            if int(number.max()) + 1 == self.secrets:
                return None
        return number.astype(np.int32)

    @cached_property
    def numbering(self) -> Numbering | None:
        """How responses are numbered here, if not as in the game; raises SpaceError as `table` does."""
        return Numbering(self.game) if self.numbered else None

    @cached_property
    def responses(self) -> int:
        """How many responses there are, or of a game with many those that a guess gets at most."""
        return len(self.game.responses) if self.numbering is None else self.numbering.responses

    def told(self, guess: int, response: int) -> int:
        """Return the game's number of a response to a guess; -1: the guess has no such response."""
        return response if self.numbering is None else int(self.numbering.told[guess, response])

    def number(self, guess: int, response: int) -> int:
        """Return the number here of a response of the game to a guess; -1: the guess never gets it."""
        return response if self.numbering is None else self.numbering.number(guess, response)

    @cached_property
    def table(self) -> Table:
        """Every response, shape (guesses, secrets); raises SpaceError when it does not fit."""
        return response_table(self.game) if self.numbering is None else self.numbering.table

    def block(self, guesses: Ints, candidates: Ints) -> Table:
        """Return the responses of some guesses on some secrets, from the table if there is one already."""
        heed()
        if "table" in self.__dict__ or self.numbered:
            return np.ascontiguousarray(self.table[np.ix_(guesses, candidates)])
        block = np.ascontiguousarray(self.game.block(guesses, candidates), dtype=response_type(self.game))
        check_responses(self.game, block)
        return block

    def row(self, guess: int, candidates: Ints) -> Table:
        """Return the responses of one guess."""
        if "table" in self.__dict__ or self.numbered:
            heed()
            return self.table[guess][candidates]
        return self.block(np.array([guess], dtype=np.int32), candidates)[0]

    def told_row(self, guess: int, candidates: Ints) -> Table:
        """Return the responses of one guess in the numbers of the game."""
        row = self.row(guess, candidates)
        return (
            row
            if self.numbering is None
            else self.numbering.told[guess][row].astype(response_type(self.game))
        )

    def sizes(self, guesses: Ints, candidates: Ints) -> Ints:
        """Return how many candidates give each response to each guess, shape (guesses, responses)."""
        heed()
        every = np.array_equal(guesses, everything(len(self.own)))
        if every and self.codes is None and len(candidates) == self.secrets:
            _ = self.table  # a search will need it
        if every and "table" in self.__dict__:  # nothing is copied
            return kernels.histograms(self.table, candidates, self.responses)
        block = self.block(guesses, candidates)
        return kernels.histograms(block, everything(len(candidates)), self.responses)

    def masses(self, guesses: Ints, candidates: Ints) -> NDArray[np.int64]:
        """Return what the candidates weigh that give each response, int64, shape (guesses, responses)."""
        if not self.game.facts.weighted:
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
        classes = None if self.searched_classes is None else self.searched_classes(())
        guesses = everything(len(self.own))
        if classes is not None:
            guesses = guesses[classes == guesses]  # the smallest of each
        sizes = self.sizes(guesses, everyone)
        if self.winning >= 0:
            sizes[:, self.winning] = 0
        return profile_of(sizes)

    @property
    def classes(self) -> Classes | None:
        """The classes of equivalent guesses after a history that the game declares, or None: each is alone.

        Renamings need not keep what may be asked after a history, nor weights and costs; if one of them
        changes a weight or a cost, none is used. They keep responses, so they keep who wins on what; where
        secrets are named by labels alone they need not keep that, and with candidates only a class could lose
        its only candidate.
        """
        return self.game.symmetry.classes if self._symmetric and self.keeps_prices else None

    @property
    def searched_classes(self) -> Classes | None:
        """The same by the symmetry of the table, for searches; who looks at guesses knows their names.

        Weights and costs are kept, and who wins. After a history each part of its guesses is, so that what
        was paid, or how often a secret was lied about, is what it was. Under rules, or where labels alone
        name secrets and only candidates are asked, there is none: it would have to keep what may be asked.
        """
        return self.group.classes if self._symmetric else None

    @property
    def _symmetric(self) -> bool:
        only = self.candidates_only and not self.game.facts.winnable
        return self.symmetry and self.rules is None and not only

    @cached_property
    def group(self) -> Symmetry:
        """The symmetry that the game declares, if it keeps weights and costs; otherwise that of its table."""
        declared, guesses = self.game.symmetry, len(self.own)
        if self.keeps_prices and not isinstance(declared, Trivial):
            return declared
        return self.group_that_keeps(np.zeros(guesses, dtype=np.uint64), self.weights.astype(np.uint64))

    def group_that_keeps(self, guesses: NDArray[np.uint64], secrets: NDArray[np.uint64]) -> Symmetry:
        """Return the symmetry of the table that keeps costs, wins, and numbers of guesses and of secrets."""
        many = len(self.own)
        if many * self.secrets > MOST_CELLS or self.responses > MOST_RESPONSES:
            return Trivial(many)
        kinds = np.zeros((many, self.responses), dtype=np.uint64)
        if self.game.facts.priced:
            kinds += 2 * self.costs.astype(np.uint64)
        # With candidates only, it matters which guess names which secret, whatever the goal is.
        wins = self.wins if self.candidates_only else self.winning
        if wins >= 0:
            kinds[:, wins] += np.uint64(1)
        found = FoundSymmetry(Coloured(self.table, kinds, guesses, secrets))
        return found if found.renamings else Trivial(many)

    @property
    def known_symmetry(self) -> str:
        """How many renamings were used so far, in words; empty where there are none, or none were used."""
        return self.group.in_words if self._symmetric and "group" in self.__dict__ else ""

    @cached_property
    def keeps_prices(self) -> bool:
        """Whether every renaming leaves weights and costs as they are; generators show it for all."""
        game = self.game
        if not game.facts.weighted and not game.facts.priced:
            return True
        return all(
            (not game.facts.weighted or np.array_equal(self.weights[secrets], self.weights))
            and (not game.facts.priced or np.array_equal(self.costs[guesses], self.costs))
            for guesses, secrets in game.symmetry.generators()
        )

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        """What each secret weighs, as int64."""
        return weights_of(self.game)

    @cached_property
    def costs(self) -> NDArray[np.int64]:
        """See `game.costs_of`; made for games that need it only, it is as large as guesses x responses."""
        return costs_of(self.game) if self.numbering is None else self.numbering.costs()

    @cached_property
    def identifies_for_free(self) -> bool:
        """Whether free responses alone tell each secret from all others, as letters that a word has do."""
        table, members = self.table, everything(self.secrets)
        sizes, free = self.sizes(everything(len(self.own)), members), self.costs == 0
        for secret in members.tolist():
            asked = np.flatnonzero(free[np.arange(len(table)), table[:, secret]])
            if not len(asked):
                return self.secrets == 1
            least = asked[sizes[asked, table[asked, secret]].argmin()]
            near = np.flatnonzero(table[least] == table[least, secret])
            if (table[np.ix_(asked, near)] == table[asked, secret][:, None]).all(axis=0).sum() > 1:
                return False
        return True

    @cached_property
    def rules(self) -> Rules | None:
        """How earlier responses limit what may be asked, or None; see `game.rules_of`."""
        return rules_of(self.game) if self.numbering is None else self.numbering.rules()

    def needs(self, steps: tuple[Step, ...]) -> Words | None:
        """Return what guesses and responses of the game demand of the next guess; None: nothing ever."""
        if self.rules is None:
            return None
        return self.rules.follow(steps if self.numbering is None else self.numbering.steps(steps))

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
        """What so many guesses can settle at most, by counting; see `bounds.capacities`."""
        return capacities(self.profile, self.secrets, win=self.goal == "win")

    @cached_property
    def least(self) -> Any:
        """What sets of each size take in total at least, by counting; see `bounds.least_totals`."""
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
        upper: tuple[Value, ...],
        lower: tuple[Value, ...],
        *,
        stopped: str,
        extra: Mapping[str, Any] | None = None,
        **what: Any,
    ) -> Solved:
        """Return the solution that a strategy is, with bounds of the optimum and how it was found."""
        used = not what.get("lies") or self.objective.figures == ("worst",)  # see `search.lying_sums`
        return Solved(
            game=self.game,
            goal=self.goal,
            objective=self.objective.name,
            parameters=self.parameters | dict(extra or {}),
            lower=min(lower, upper),
            upper=upper,
            stopped=stopped if lower < upper else "",
            choices=found.choices,
            symmetry=self.known_symmetry if used else "",
            **what,
        )

    def no_strategy(self, stopped: str, lies: int = 0) -> str:
        """Return in words that there is no strategy, or that none was found before the search stopped."""
        verb = "won" if self.goal == "win" else "settled"
        limits = "" if self.limited is None else f" within {self.limited} guesses"
        if self.first is not None:
            limits += f" after {self.game.guesses[self.first]!r}"
        if self.candidates_only:
            limits += " asking candidates only"
        if self.leaves is not None:
            limits += self.leaves.in_words
        if lies:
            limits += f" against {lies_text(lies)}"
        if stopped:
            return f"{self.game.spec}: no strategy{limits} was found before the search stopped; one may exist"
        return f"{self.game.spec} cannot be {verb}{limits}"

    def require_winners(self) -> None:
        """Raise Infeasible when the goal is to win and no guess wins on some secret."""
        if self.goal == "win" and (self.winner < 0).any():
            secret = self.game.secrets[int((self.winner < 0).argmax())]
            raise Infeasible(f"{self.game.spec} cannot be won: no guess wins on secret {secret!r}")

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
        return found | ({} if self.leaves is None else self.leaves.parameters)
