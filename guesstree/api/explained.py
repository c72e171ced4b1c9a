"""The arguments of certificates, of each kind: what is claimed, and what shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from guesstree.engine.game import Game
from guesstree.engine.notation import plural
from guesstree.engine.objective import EXPECTED, WORST
from guesstree.engine.problem import Problem
from guesstree.engine.proofs import priced_argument
from guesstree.engine.proofs.argument import INFINITE, Account, Argument, Lemma
from guesstree.engine.proofs.kit_argument import KitAccount, KitArgument, KitClaim
from guesstree.engine.proofs.lying_argument import LyingAccount, LyingArgument, LyingLemma
from guesstree.engine.proofs.noisy_argument import NoisyAccount, NoisyArgument, NoisyLemma
from guesstree.engine.proofs.priced_argument import PricedAccount, PricedArgument, PricedLemma
from guesstree.engine.search.first_guesses import first_guesses
from guesstree.trees.check import Report
from guesstree.trees.tree import Tree


@dataclass(frozen=True)
class FirstGuess:
    """A first guess, and what the best strategy that begins with it costs.

    Attributes
    ----------
    equal: how many first guesses are like it, itself included.
    lower, upper: at least what it costs, and what a strategy takes; None: no strategy was found. Both count
        as certificates do.
    """

    guess: int
    equal: int
    lower: int
    upper: int | None = None

    @property
    def exact(self) -> bool:
        """Whether it is known what it costs."""
        return self.lower == self.upper


@dataclass(frozen=True, kw_only=True)
class Explained:
    """Why a certificate is true, of whatever kind it is.

    Attributes
    ----------
    problem: the game with its goal, and the first guess if one is fixed.
    within: the guesses allowed, or what may be paid, or None.
    bound: at least what every strategy costs; None: there is none within the limit.
    line: what the checker says of the certificate.
    known: what the best strategy takes that is known: in all, and at worst.
    strategy: the strategy whose value is explained, if it is about one.
    """

    problem: Problem
    within: int | None
    bound: int | None
    line: str
    known: tuple[int, int] | None = None
    strategy: Tree | None = None

    @property
    def game(self) -> Game:
        """The game."""
        return self.problem.game

    def taken(self, report: Report) -> tuple[int, int]:
        """Return what a valid strategy takes in all and at worst, as the certificate counts."""
        figures = report if report.costs is None else report.costs
        assert figures.total is not None
        assert figures.worst is not None
        return int(figures.total), int(figures.worst)

    def proved(self, guesses: Sequence[int]) -> list[int | None]:
        """Return at least what first guesses cost, as far as it is shown of them, in numbers; else None."""
        return [None for _ in guesses]

    @property
    def compared_by(self) -> str:
        """The objective that first guesses are compared by."""
        return EXPECTED.name

    @property
    def searched_with(self) -> dict[str, Any]:
        """What a search of a first guess keeps to, beside the goal, as `solve` takes it."""
        return {"max_depth": self.problem.limited}

    def first_guesses(self) -> list[FirstGuess]:
        """Return first guesses that tell something, one of each kind, the cheapest by counting first."""
        classes = None if self.problem.searched_classes is None else self.problem.searched_classes(())
        return [
            FirstGuess(
                guess,
                equal=1 if classes is None else int(np.count_nonzero(classes == guess)),
                lower=0 if self.problem.priced else counted,  # what is counted are guesses
            )
            for counted, guess in sorted(first_guesses(self.problem))
        ]

    @property
    def in_one_number(self) -> bool:
        """Whether what the best strategy takes is one number, which a search of first guesses finds."""
        return self.bound is not None and not self.loses

    @property
    def loses(self) -> bool:
        """Whether it is explained what is lost within a limit."""
        return False

    @property
    def scales(self) -> tuple[int, int]:
        """As which numbers the certificate has 1 of what is taken in all, and at worst."""
        return 1, 1

    def scale(self, figure: str) -> int:
        """Return as which number the certificate has 1 of a figure, `total` or `worst`."""
        return self.scales[figure == "worst"]

    def figure_text(self, figure: str, value: int) -> str:
        """Return a figure that is counted as the certificate does, as readers see it."""
        return self.game.figure_text(figure, Fraction(value, self.scale(figure)))

    @property
    def known_in_words(self) -> tuple[str, str]:
        """What the best strategy that is known takes in all and at worst, as readers see it."""
        assert self.known is not None
        total, worst = self.known
        return plural(total, self.game.look.guess), str(worst)

    @property
    def off(self) -> int | None:
        """By how much the best strategy that is known takes too much, at most; None: none is known."""
        if self.known is None:
            return None
        total, worst = self.known
        if self.off_in_all:
            assert self.bound is not None
            return total - self.bound
        assert self.within is not None
        return worst - self.within - (self.bound is None or total < self.bound)

    @property
    def off_in_all(self) -> bool:
        """Whether `off` is of what is taken in all, or lost, not at worst."""
        worst = 0 if self.known is None else self.known[1]
        return self.bound is not None and (self.within is None or worst <= self.within)

    @property
    def optimal(self) -> bool:
        """Whether a strategy is known that takes no more than is proved."""
        return self.off == 0


@dataclass(frozen=True, kw_only=True)
class Explanation(Explained):
    """Why a certificate is true that counts guesses.

    Attributes
    ----------
    argument: the claims of the certificate.
    accounts: those that are explained, with what shows them: lemmas, and last the whole.
    """

    argument: Argument
    accounts: Sequence[tuple[Lemma, Account]]

    @property
    def whole(self) -> Account:
        """What shows the claim of the whole."""
        return self.accounts[-1][1]

    def proved(self, guesses: Sequence[int]) -> list[int | None]:
        """Return at least what first guesses cost, as far as it is shown of them, or of one like them."""
        kinds, enough = self.argument.first_kinds, self.argument.root.bound
        shown = {int(kinds[one.guess]): one for one in (*self.whole.excluded, *self.whole.guesses)}
        found = (shown.get(int(kinds[guess])) for guess in guesses)
        return [
            None
            if one is None or one.known >= INFINITE
            else next((sum_ for sum_ in (one.counted, one.ahead) if sum_ >= enough), one.known)
            for one in found
        ]


@dataclass(frozen=True, kw_only=True)
class CostExplanation(Explained):
    """Why a certificate is true that adds up costs, not guesses alone."""

    @property
    def known_in_words(self) -> tuple[str, str]:
        """What the best strategy that is known takes in all and at worst, as readers see it."""
        assert self.known is not None
        return self.figure_text("total", self.known[0]), self.figure_text("worst", self.known[1])


@dataclass(frozen=True, kw_only=True)
class PricedExplanation(CostExplanation):
    """Why a certificate is true that adds up costs or weights; see `Explanation`.

    Attributes
    ----------
    lost: at least what is lost within the limit, and then at least what the others pay, if that is claimed;
        `bound` is both as one number. Empty: nothing may be lost.
    """

    argument: PricedArgument
    accounts: Sequence[tuple[PricedLemma, PricedAccount]]
    lost: tuple[int, ...] = ()

    def taken(self, report: Report) -> tuple[int, int]:
        """Return what a strategy takes, see `Explained`; what it loses, and the others pay, as one number."""
        costs = report.costs
        if not self.lost or costs is None:
            return super().taken(report)
        lost = int(costs.weight - costs.won)
        paid = int(costs.won_total) * (len(self.lost) > 1)
        return lost * self.argument.each_lost + paid, 0

    @property
    def loses(self) -> bool:
        """Whether it is explained what is lost within a limit."""
        return bool(self.lost)

    @property
    def whole(self) -> PricedAccount:
        """What shows the claim of the whole."""
        return self.accounts[-1][1]

    def proved(self, guesses: Sequence[int]) -> list[int | None]:
        """Return at least what first guesses cost, as far as it is shown of them."""
        shown = {one.guess: one.known for one in self.whole.guesses if one.known < priced_argument.INFINITE}
        return [shown.get(guess) for guess in guesses]


@dataclass(frozen=True, kw_only=True)
class LyingExplanation(Explained):
    """Why a certificate is true of a game whose responses may be false; see `Explanation`.

    Attributes
    ----------
    lies: how many responses may be false.
    """

    lies: int
    argument: LyingArgument
    accounts: Sequence[tuple[LyingLemma, LyingAccount]]

    @property
    def compared_by(self) -> str:
        """The objective that first guesses are compared by."""
        return WORST.name

    @property
    def in_one_number(self) -> bool:
        """Whether what the best strategy takes is one number; see `Explained`."""
        return True

    @property
    def searched_with(self) -> dict[str, Any]:
        """What a search of a first guess keeps to, beside the goal, as `solve` takes it."""
        return {"lies": self.lies}

    def first_guesses(self) -> list[FirstGuess]:
        """Return first guesses that tell something, one of each kind; each takes more than is not enough."""
        least = self.argument.root.state.depth + 1
        return [replace(one, lower=least) for one in super().first_guesses()]

    def proved(self, guesses: Sequence[int]) -> list[int | None]:
        """Return at least what first guesses take at worst: one more than is not enough."""
        return [self.argument.root.state.depth + 1 for _ in guesses]

    @property
    def whole(self) -> LyingAccount:
        """What shows the claim of the whole."""
        return self.accounts[-1][1]


@dataclass(frozen=True, kw_only=True)
class KitExplanation(Explained):
    """Why a certificate is true that no kit costs less; see `Explanation`.

    Attributes
    ----------
    argument: its claims.
    accounts: those that are explained, the whole last, each with what shows it.
    """

    argument: KitArgument
    accounts: Sequence[tuple[KitClaim, KitAccount]]

    @property
    def whole(self) -> KitAccount:
        """What shows the claim of the whole."""
        return self.accounts[-1][1]


@dataclass(frozen=True, kw_only=True)
class NoisyExplanation(CostExplanation):
    """Why a certificate is true of tests that may get several answers; see `Explanation`."""

    argument: NoisyArgument
    accounts: Sequence[tuple[NoisyLemma, NoisyAccount]]

    @property
    def compared_by(self) -> str:
        """The objective that first tests are compared by."""
        return WORST.name if self.argument.bounds.worst else EXPECTED.name

    @property
    def searched_with(self) -> dict[str, Any]:
        """What a search of a first test keeps to, beside the goal, as `solve` takes it."""
        return {}

    def first_guesses(self) -> list[FirstGuess]:
        """Return first tests with what is shown of them; none where nothing is left to ask."""
        bounds, first = self.argument.bounds, self.problem.first
        if bounds.integers.settled(bounds.root.members):
            return []
        tests = bounds.askable(bounds.root) if first is None else [first]
        shown = self.proved(tests)
        return [FirstGuess(test, 1, least or 0) for test, least in zip(tests, shown, strict=True)]

    @property
    def in_one_number(self) -> bool:
        """Whether what the best strategy takes is one number; see `Explained`."""
        return True

    @property
    def scales(self) -> tuple[int, int]:
        """As which numbers the certificate has 1 of what is taken in all, and at worst."""
        return self.argument.bounds.scale, self.argument.bounds.coin

    def proved(self, guesses: Sequence[int]) -> list[int | None]:
        """Return at least what first tests cost, as far as it is shown of them."""
        shown = {one.test: one.known for one in self.whole.tests if not one.checked}
        return [shown.get(guess) for guess in guesses]

    def taken(self, report: Report) -> tuple[int, int]:
        """Return what a strategy takes, see `Explained`, in the numbers of the certificate."""
        figures, (scale, coin) = report if report.costs is None else report.costs, self.scales
        assert figures.total is not None
        assert figures.worst is not None
        return int(figures.total * scale), int(figures.worst * coin)

    @property
    def units(self) -> dict[str, Fraction]:
        """What 1 is in the certificate: of what all pay together, of a price, and of a weight."""
        bounds, game = self.argument.bounds, self.game
        scale, coin = bounds.scale / game.figure_unit("total"), bounds.coin / game.cost_unit
        return {"scale": scale, "coin": coin, "unit": scale / coin}

    @property
    def whole(self) -> NoisyAccount:
        """What shows the claim of the whole."""
        return self.accounts[-1][1]
