"""Plain twin of the search of trees whose leaves are limited, with the contract; it counts in any numbers.

The value of a state is a curve: for each number of leaves the least cost of a tree below it that has at most
so many. A test joins the curves of the states after it: the leaves are shared out in every way.
"""

from __future__ import annotations

from typing import Any

from .outcome import Outcome
from .reference_core import alone
from .reference_noisy import Ended, History, Number, State
from .reference_noisy import Searcher as Unlimited

INFINITE = float("inf")

Curve = list[Any]
"""The least cost with at most 1, 2, ... leaves; the last holds for more. One number where any may be had."""


class Searcher(Unlimited):
    """Search for the least cost of a tree with limits of its leaves.

    Parameters
    ----------
    leaves: at most so many; 0: any number. Else curves have so many numbers at most.
    least: the least mass of a leaf.
    price: what each leaf adds to the cost.
    maximum: whether the worst case is sought: what is paid is not weighted, and the largest part counts.
    first: the first test; -1: any.
    given: those of `reference_noisy.Searcher`, where `worst` is false and masses are counted in any case.

    Where `limit` and `failures` are given they count as there.
    """

    def __init__(
        self,
        *,
        leaves: int = 0,
        least: Number = 0,
        price: Number = 0,
        maximum: bool = False,
        first: int = -1,
        **given: Any,
    ) -> None:
        failures, given["failures"] = given.get("failures", 0), 0
        super().__init__(**given)
        self.root = self.root._replace(failures=failures)
        self.leaves, self.least, self.leaf_price = leaves, least, price
        self.maximum, self.only = maximum, first
        self.curves: dict[State, tuple[Curve, list[int]]] = {}

    @alone
    def find(self, beta: Number = INFINITE, depth: int = 0) -> Outcome:
        """Search the whole game; see `reference_noisy.Searcher.search`.

        `depth`: only trees of so many tests on a path, if they are found sooner; 0: all.
        """
        assert beta >= 0
        self.ended = ""
        try:
            curve, guesses = self.curve(self.root)
        except Ended:
            return Outcome(0, INFINITE, -1, self.ended)  # type: ignore[arg-type]
        self.best = Outcome(curve[-1], curve[-1], guesses[-1], "")
        return self.best

    @alone
    def below(self, history: History, leaves: int) -> tuple[int, list[tuple[int, Curve]], int]:
        """Return the first test of the best tree after a history with so many leaves, or T and the decision.

        With it, the answers that do not end the path, with the curves of what they leave; and how many leaves
        are answers that do.
        """
        self.ended = ""
        state = self.state(history)
        _, guesses = self.curve(state)
        guess = guesses[min(leaves, len(guesses)) - 1] if self.leaves else guesses[0]
        if not 0 <= guess < len(self.prices):
            return guess, [], 0
        after = [(a, self.curve(self.split(state, guess, a))[0]) for a in self.answers(state, guess)]
        return guess, after, len(self.over(state, guess))

    def curve(self, state: State) -> tuple[Curve, list[int]]:
        """Return the curve of a state, and the first test or decision for each of its numbers."""
        known = self.curves.get(state)
        if known is not None:
            return known
        if self.ended:
            raise Ended
        self.evaluations += 1
        self.states += 1
        lost, decision = self.decided(state)
        first = self.only if state == self.root else -1
        if self.mass(state) < self.least or first >= 0:
            lost = INFINITE
        best = {1: (lost + self.leaf_price, decision)}
        finished = lost == 0 and not self.losses
        for test in [] if finished else self.askable(state) if first < 0 else self.given_first(state):
            for leaves, cost in self.asked(state, test).items():
                if cost < best.get(leaves, (INFINITE,))[0]:
                    best[leaves] = cost, test
        curve, guesses = list[Any](), list[int]()
        for leaves in range(1, max(best) + 1):
            cost, guess = best.get(leaves, (INFINITE, -1))
            if curve and curve[-1] <= cost:
                cost, guess = curve[-1], guesses[-1]
            curve.append(cost)
            guesses.append(guess if cost < INFINITE else -1)
        if not self.leaves:
            curve, guesses = curve[-1:], guesses[-1:]
        self.curves[state] = curve, guesses
        return curve, guesses

    def given_first(self, state: State) -> list[int]:
        """Return the first test that is given, if it may be asked; whether it helps or not."""
        first = self.only
        allowed = self.most and not self.after[first] and self.price(state, first) <= state.budget
        return [first] if allowed else []

    def asked(self, state: State, test: int) -> dict[int, Any]:
        """Return what a test and the trees after it cost, by the number of leaves."""
        over = self.over(state, test)
        if any(mass < self.least for mass in over) or 0 < self.leaves < len(over):
            return {}
        joined: dict[int, Any] = {len(over): 0}
        for answer in self.answers(state, test):
            more, found = self.curve(self.split(state, test, answer))[0], dict[int, Any]()
            for a, x in joined.items():
                for b, y in enumerate(more, 1):
                    both = max(x, y) if self.maximum else x + y
                    if not self.leaves or a + b <= self.leaves:
                        found[a + b] = min(found.get(a + b, INFINITE), both)
            joined = found
        paid = self.price(state, test) * (1 if self.maximum else self.mass(state))
        paid += len(over) * self.leaf_price
        return {leaves: paid + cost for leaves, cost in joined.items() if cost < INFINITE}

    def over(self, state: State, test: int) -> list[Any]:
        """Return the masses of the answers that end the path."""
        found: dict[int, Any] = {}
        for cause, x in state.masses:
            for answer, share in self.cells[test][cause].items():
                if answer in self.ends[test]:
                    found[answer] = found.get(answer, 0) + x * share * self.rows[cause][0]
        return list(found.values())

    def mass(self, state: State) -> Number:
        """Return the mass of a state."""
        return sum(x * self.rows[cause][0] for cause, x in state.masses)

    def decided(self, state: State) -> tuple[Number, int]:
        """Return what the best decision loses, and its number after those of the tests."""
        if not self.losses or not self.maximum:
            return super().decided(state)
        each = [
            (max(self.lost[cause][d] for cause, _ in state.masses), len(self.prices) + d)
            for d in range(self.losses)
        ]
        best, guess = min((one for one in each if one[0] <= state.budget), default=(INFINITE, -1))
        return best, guess if best < INFINITE else -1
