"""The search of a model by the kernel, in the numbers of `IntegerModel`; rationals make its values certain.

Where all numbers are integers that doubles hold, the kernel's values are exact. Elsewhere its lower bounds
are true once they are lowered by `FloatModel.error`, which leaves a small gap to what its strategy takes. The
gap is closed by rationals: in each state of the strategy, all tests but the first are refused by such a
bound, or they are valued exactly themselves.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, inf, nextafter

from guesstree.cext import Outcome, noisy

from .bounds import INFINITE
from .expected import Expected
from .float_model import LARGE, FloatModel
from .integer_model import Belief, IntegerModel
from .iterative_deepening import Ended

History = tuple[tuple[int, int], ...]


class ExactSearch:
    """Search a model, and remember what is known of its states.

    Parameters
    ----------
    floats: the model, for its expected cost or its worst case.
    width: try so many tests of a state only, a beam; 0: all.
    memory: bytes that may be taken to remember, about.
    """

    def __init__(
        self, integers: IntegerModel, floats: FloatModel, width: int = 0, memory: int = 1 << 30
    ) -> None:
        self.integers, self.floats, self.width = integers, floats, width
        self.kernel = noisy.Searcher(**floats.given, memory=memory)
        unit = integers.coin * (1 if floats.given["worst"] else integers.unit)
        self.ratio = unit / floats.unit
        self.plain = Expected(integers, memory=1)
        self.settled: dict[tuple[int, int], tuple[int, int, int]] = {}
        self._stopped, self._found = False, (0.0, inf, -1)

    @property
    def states(self) -> int:
        """Different states looked at."""
        return int(self.kernel.states)

    @property
    def evaluations(self) -> int:
        """How often states were looked at."""
        return int(self.kernel.evaluations)

    def stop(self) -> None:
        """End the search soon, from another thread."""
        self._stopped = True
        self.kernel.stop()

    def seen(self) -> Outcome:
        """Return what is known of the state that is searched."""
        lower, upper, guess = self._found if self._found[2] >= 0 else self.kernel.seen()[:3]
        return Outcome(self.least(lower), self.most(upper), guess, "")

    def least(self, lower: float) -> int:
        """Return at least the value that the kernel says is at least this."""
        if lower == inf:
            return INFINITE
        return int(Fraction(lower) * (1 - self.floats.error) * self.ratio)

    def most(self, upper: float) -> int:
        """Return at most what a strategy takes that takes this as the kernel says."""
        if upper == inf:
            return INFINITE
        return ceil(Fraction(upper) * (1 + self.floats.error) * self.ratio)

    def _double(self, value: Fraction | int) -> float:
        """Return a value as the kernel counts it, rounded up; infinite from LARGE on."""
        counted = value / self.ratio
        return nextafter(float(counted), inf) if counted < LARGE else inf

    def search(self, known: Belief, history: History, beta: int = INFINITE, budget: int = 0) -> Outcome:
        """Search the value of a state below beta, with so many evaluations at most (0: any number).

        A search that ends early may have found a strategy: then `upper` is at least what it takes.
        """
        self._stopped, self._found = False, (0.0, inf, -1)
        whole = self.floats.whole
        limit = self._double(beta) if whole else inf
        found = self.kernel.search(history, limit, budget, self.width)
        lower, upper, guess, ended = self.least(found.lower), self.most(found.upper), found.guess, found.ended
        if self.width:
            lower = upper if upper < beta else beta
        elif not whole and not ended and upper < INFINITE:
            self._found = found.lower, found.upper, guess  # the kernel searches other states now
            try:
                lower = upper = self.exactly(known, history)
                guess = guess if self.integers.settled(known.members) else self.choice(history)
            except Ended as end:
                ended = str(end)
        if upper >= beta:
            upper, guess = INFINITE, -1
        return Outcome(min(lower, upper), upper, guess, ended)

    def bound(self, history: History) -> tuple[int, bool]:
        """Return at least the value of a state, by what is remembered, and whether it is exactly that."""
        lower, upper = self.kernel.bound(history)
        return self.least(lower), self.floats.whole and lower >= upper

    def choice(self, history: History) -> int:
        """Return the test of the best strategy known, or the number of tests and the decision.

        Raises ValueError when none is known any more.
        """
        found = self.settled.get(self.kernel.key(history)) if self.settled else None
        guess = int(self.kernel.choice(history)) if found is None else found[2]
        if guess < 0:
            raise ValueError("stopped before the best test was found again")
        return guess

    # -- what makes values certain -------------------------------------------------------------------------

    def exactly(self, known: Belief, history: History) -> int:
        """Return exactly the least expected cost of a state; raise Ended when it is to be stopped.

        *Proof.* It is the least of what is lost if nothing more is asked and of what the tests cost that may
        be asked first, see `search`. Of these, each is valued exactly here, or it costs at least as much as
        the best of them: by bounds of the states after it, true as `FloatModel.error` says.
        """
        if self.integers.settled(known.members):
            return 0
        key = self.kernel.key(history)
        if key in self.settled:
            value, mass, _ = self.settled[key]
            return value * known.mass // mass
        self._searched(history, inf)
        best, decision = self.plain.decided(known)
        guess = self.integers.tests + decision
        for test, bounds in self.kernel.asks(history):
            value = self._valued(known, history, test, dict(bounds), best)
            if value < best:
                best, guess = value, test
        self.settled[key] = best, known.mass, guess
        return best

    def _valued(self, known: Belief, history: History, test: int, bounds: dict[int, float], best: int) -> int:
        """Return exactly what a state costs with this test first, or something that is not below `best`."""
        integers, error = self.integers, self.floats.error
        after = [(a, part & known.members) for a, part in integers.going[test] if part & known.members]
        lower = {answer: self.least(bounds[answer]) for answer, _ in after}
        total = integers.price_after(history, test) * known.mass + sum(lower.values())
        for exact in (False, True):
            for answer, part in after:
                if total >= best:
                    return best
                child, path = integers.after(known, test, answer, part), (*history, (test, answer))
                if exact:
                    value = self.exactly(child, path)
                else:  # a little more than is wanted: then it is enough, or there is nothing more to find
                    wanted = best - total + lower[answer]
                    limit = self._double(wanted * (1 + 4 * error))
                    value = max(lower[answer], self.least(self._searched(path, limit)))
                total, lower[answer] = total + value - lower[answer], value
        return total

    def _searched(self, history: History, limit: float) -> float:
        """Return at least the value of a state, as the kernel says; exactly that if it is below the limit."""
        if self._stopped:
            raise Ended("stopped")
        found = self.kernel.search(history, limit)
        if found.ended:
            raise Ended(found.ended)
        return float(found.lower)
