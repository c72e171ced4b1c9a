"""One-step methods for models: a test by what one look at it tells, or a decision.

Valuations are those of `onestep.valuations` on the parts of a test, where a part is the causes that may give
an answer. Entropy is what the answer tells of the cause, as an answer that is drawn by chance tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import onestep

from ..errors import GuesstreeError
from ..noisy.integer_model import Belief, IntegerModel, bits
from ..solution import Found
from .ranking import Method
from .valuations import COST_VALUATIONS, VALUATIONS

DIGITS = 12
"""Scores are doubles; those that agree in so many decimals tie, and the smallest test is asked."""
Doubles = NDArray[np.float64]


class _Stuck(Exception):  # noqa: N818 - no error
    """Nothing can be asked, and nothing may be decided."""


class NoisyOneStep:
    """A one-step method at work on a model; `stop` makes it finish at once.

    A decision is made as soon as no test pays for itself: what the best decision loses is at most what any
    test costs, and the best decision after it loses.

    Parameters
    ----------
    walk: returns the strategy that chooses so in every state.

    Raises GuesstreeError for a method that values no parts.
    """

    def __init__(
        self, integers: IntegerModel, method: Method, walk: Callable[[Callable[[Belief], int]], Found]
    ) -> None:
        known = [*VALUATIONS, *COST_VALUATIONS]
        if method.name not in known or method.function is not None:
            raise GuesstreeError(
                f"method {method.name} where a test may get several answers; use one of {', '.join(known)}"
            )
        self.integers, self.method, self.walk = integers, method, walk
        self.counters = np.zeros(onestep.COUNTERS, dtype=np.int64)
        self._rows: dict[int, Doubles] = {}
        losses = [[np.inf if x is None else x for x in row] for row in integers.losses or ()]
        table = np.array(losses, dtype=np.float64).reshape(-1, integers.causes)
        self._barred = np.isinf(table)
        self._losses = np.where(self._barred, 0, table)

    def stop(self) -> None:
        """Let the states that are left have any test or decision."""
        self.counters[onestep.STOP] = 1

    def play_out(self) -> Found | None:
        """Return the strategy, or None where it gets stuck."""
        try:
            return self.walk(self.choose)
        except _Stuck:
            return None

    def choose(self, state: Belief) -> int:
        """Return what the method does in a state that is not finished: a test, or `tests` + a decision."""
        integers, counters = self.integers, self.counters
        counters[onestep.SETTLED] += 1
        causes = np.fromiter(state.masses, dtype=np.int64)
        # Masses may be larger than any double; their shares are rounded correctly.
        shares = np.array([mass / state.mass for mass in state.masses.values()])
        decision, loss = self._decide(causes, shares[None, :])
        useful = integers.useful(integers.telling(state.members), state.asked, state.opened)
        tests = [test for test in bits(useful) if not integers.needs[test] & ~state.asked]
        if not tests or (counters[onestep.STOP] and loss < np.inf):
            if loss < np.inf:
                return integers.tests + decision
            raise _Stuck
        if counters[onestep.STOP]:
            return tests[0]
        counters[onestep.VALUED] += 1
        best, asking, chosen = (), np.inf, -1  # type: tuple[Any, ...], float, int
        for test in tests:
            score, takes = self._value(test, causes, shares, integers.price(test, state.opened))
            asking = min(asking, takes)
            if chosen < 0 or score < best:
                best, chosen = score, test
        return integers.tests + decision if round(loss - asking, DIGITS) <= 0 and loss < np.inf else chosen

    def _decide(self, causes: NDArray[np.int64], masses: Doubles) -> tuple[int, float]:
        """Return the best decision for the first of some masses, and what the best lose for all; infinite."""
        if not len(self._losses):
            return -1, np.inf
        lost = masses @ self._losses[:, causes].T
        lost[(masses > 0).astype(float) @ self._barred[:, causes].T > 0] = np.inf
        return int(lost[0].argmin()), float(lost.min(axis=1).sum())

    def _row(self, test: int) -> Doubles:
        """Return the probability of each answer to a test, for each cause."""
        if test not in self._rows:
            shares = self.integers.shares[test].values()
            self._rows[test] = np.array([[above / below for above, below in row] for row in shares])
        return self._rows[test]

    def _value(
        self, test: int, causes: NDArray[np.int64], shares: Doubles, price: int
    ) -> tuple[tuple[Any, ...], float]:
        """Return the score of a test, the least is best, and what it takes to ask it and decide."""
        integers = self.integers
        joint = self._row(test)[:, causes] * shares
        answers = np.array([answer not in integers.ending[test] for answer in integers.shares[test]])
        met = joint.sum(axis=1) > 0
        joint, goes = joint[met], answers[met]
        given, mass = joint > 0, joint.sum(axis=1)
        ratio = np.divide(joint, mass[:, None] * shares, out=np.ones_like(joint), where=given)
        information = float((joint * np.log2(ratio)).sum())
        sizes, support = given.sum(axis=1), (given * shares).sum(axis=1)
        takes = price + (self._decide(causes, joint[goes])[1] if goes.any() else 0.0)
        cost = price / integers.coin
        figures: dict[str, tuple[float, ...]] = {
            "max-part": (int(sizes.max()),),
            "expected-size": (float(mass @ sizes),),
            "entropy": (-information,),
            "parts": (-len(sizes),),
            "least-cost": (takes if takes < np.inf else price,),
            "reduction-per-cost": (cost > 0, float(mass @ support - 1) / (cost or 1)),
            "information-per-cost": (cost > 0, -information / (cost or 1)),
        }
        nothing = round(information, DIGITS) <= 0 and bool(goes.all())
        return (nothing, *(round(figure, DIGITS) for figure in figures[self.method.name])), takes
