"""The search of a model by the kernel, in the numbers of `IntegerModel`; rationals make its values certain.

Facts that hold throughout. Let V(m) be the least cost from masses m, where some tests were asked.

1. V(m + n) >= V(m) + V(n), and V(k m) = k V(m): each strategy costs a sum over the causes, linear in their
   masses, and the least of a sum is at least the sum of the least.
2. A test that costs nothing now is asked at once, unless only so many tests may be asked: for a strategy and
   any test, the strategy that asks the test first and then goes on as before pays no more, and the answer is
   known where it would be asked later. If it ends the path, or opens a group, or another test waits for it,
   so much the better. If it fails to answer, that is known there, too.
3. Tests that are not useful are left out, see `integer_model`.
4. Of two tests with equal probabilities on all causes still possible, and the same answers that end the path,
   the cheaper is asked first: in a strategy that begins with the other, let the two change places. A path
   that has both pays the same. Nobody else pays more, and no path is longer. That is so where neither has a
   group or an answer that ends the path, and no test waits for another.
5. In the worst case only who is still possible matters. There, 4 holds for tests that leave the same sets.
6. A path with a limit, of what it costs or of how many tests it asks, ends where its cheapest test is beyond
   the limit. To tell n connected parts of the overlaps apart by tests of at most k answers takes some path at
   least log n / log k tests, rounded up, so where that is too much there is no strategy.

Where all numbers are integers that doubles hold, the kernel's values are exact. Elsewhere its lower bounds
are true once they are lowered by `FloatModel.error`, which leaves a small gap to what its strategy takes. The
gap is closed by rationals: in each state of the strategy, all tests but the first are refused by such a
bound, or they are valued exactly themselves.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter

from guesstree.cext import Outcome, noisy, reference_noisy

from .float_model import LARGE, FloatModel
from .integer_model import INFINITE, Belief, IntegerModel

History = tuple[tuple[int, int], ...]


class Ended(Exception):  # noqa: N818 - no error
    """The search is to end: the budget is spent, or it was stopped."""


class ExactSearch:
    """Search a model, and remember what is known of its states.

    Parameters
    ----------
    floats: the model, for its expected cost or its worst case.
    width: try so many tests of a state only, a beam; 0: all.
    memory: bytes that may be taken to remember, about.
    limit: coins that a path may cost; -1: any number.
    tests: that a path may ask; -1: any number.
    jobs: threads.
    """

    def __init__(
        self,
        integers: IntegerModel,
        floats: FloatModel,
        width: int = 0,
        memory: int = 1 << 30,
        *,
        limit: int = -1,
        tests: int = -1,
        jobs: int = 1,
    ) -> None:
        self.integers, self.floats, self.width = integers, floats, width
        kernel = reference_noisy if floats.rational else noisy
        self.kernel = kernel.Searcher(
            **floats.given,
            limit=kernel.INFINITE if limit < 0 else limit,
            tests=integers.tests if tests < 0 else tests,
            jobs=jobs,
            memory=memory,
        )
        unit = integers.coin * (1 if floats.given["worst"] else integers.unit)
        self.ratio = unit / floats.unit
        self._below = (self.ratio * (1 - floats.error)).as_integer_ratio()
        self._above = (self.ratio * (1 + floats.error)).as_integer_ratio()
        self.settled: dict[tuple[int, int], tuple[int, int, int]] = {}
        self._stopped, self._found = False, Outcome(0, INFINITE, -1, "")

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
        if self._found.guess >= 0:
            return self._found
        lower, upper, guess, _ = self.kernel.seen()
        return Outcome(self.least(lower), self.most(upper), guess, "")

    def least(self, lower: float) -> int:
        """Return at least the value that the kernel says is at least this."""
        if lower == inf:
            return INFINITE
        above, below = self._counted(lower, self._below)
        return above // below

    def most(self, upper: float) -> int:
        """Return at most what a strategy takes that takes this as the kernel says."""
        if upper == inf:
            return INFINITE
        above, below = self._counted(upper, self._above)
        return -(-above // below)

    def _told(self, history: History) -> History:
        """Return a history as the kernel numbers answers."""
        own = self.floats.answers
        return history if own is None else tuple((t, own[t].index(a)) for t, a in history)

    def _answer(self, test: int, answer: int) -> int:
        """Return an answer of the kernel as the model numbers it."""
        return answer if self.floats.answers is None else self.floats.answers[test][answer]

    def _counted(self, value: float, ratio: tuple[int, int]) -> tuple[int, int]:
        """Return as a quotient what the kernel has just said of a state, times this ratio."""
        above, below = value.as_integer_ratio()
        exponent = int(self.kernel.exponent)
        return above * ratio[0] << max(exponent, 0), below * ratio[1] << max(-exponent, 0)

    def _double(self, value: Fraction | int) -> float:
        """Return a value as the kernel counts it, rounded up; infinite from LARGE on."""
        counted = value / self.ratio
        return nextafter(float(counted), inf) if counted < LARGE else inf

    def search(self, known: Belief, history: History, beta: int = INFINITE, budget: int = 0) -> Outcome:
        """Search the value of a state below beta, with so many evaluations at most (0: any number).

        A search that ends early may have found a strategy: then `upper` is at least what it takes.
        """
        self._stopped, self._found = False, Outcome(0, INFINITE, -1, "")
        whole = self.floats.whole
        limit = self._double(beta) if whole else inf
        found = self.kernel.search(self._told(history), limit, budget, self.width)
        lower, upper, guess, ended = self.least(found.lower), self.most(found.upper), found.guess, found.ended
        if self.width:
            lower = upper if upper < beta else beta
        elif not whole and not ended and upper < INFINITE:
            self._found = Outcome(lower, upper, guess, "")  # the kernel searches other states now
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
        lower, upper = self.kernel.bound(self._told(history))
        return self.least(lower), self.floats.whole and lower >= upper

    def choice(self, history: History) -> int:
        """Return the test of the best strategy known, or the number of tests and the decision.

        Raises ValueError when none is known any more.
        """
        found = self.settled.get(self.kernel.key(self._told(history))) if self.settled else None
        if found is None:
            guess = int(self.kernel.choice(self._told(history)))
        else:
            guess = self.kernel.named(found[2], self._told(history), back=True)
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
        key = self.kernel.key(self._told(history))
        if key in self.settled:
            value, mass, _ = self.settled[key]
            return min(value * known.mass // mass, INFINITE)
        self._searched(history, inf)
        best, decision = self.integers.decided(known)
        guess = self.integers.tests + decision
        asks = [
            (t, {self._answer(t, a): self.least(low) for a, low in after})
            for t, after in self.kernel.first_tests(self._told(history))
        ]
        for test, lower in asks:
            value = self._valued(known, history, test, lower, best)
            if value < best:
                best, guess = value, test
        self.settled[key] = best, known.mass, self.kernel.named(guess, self._told(history))
        return best

    def _valued(self, known: Belief, history: History, test: int, lower: dict[int, int], best: int) -> int:
        """Return exactly what a state costs with this test first, or something that is not below `best`."""
        integers, error = self.integers, self.floats.error
        after = [(a, part & known.members) for a, part in integers.going[test] if part & known.members]
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
        found = self.kernel.search(self._told(history), limit)
        if found.ended:
            raise Ended(found.ended)
        return float(found.lower)
