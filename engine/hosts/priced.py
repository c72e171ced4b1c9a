"""The search for the cheapest wins against a host who keeps the largest part, where guesses cost.

States are settled in the order of what was paid, then of guesses asked (Dijkstra 1959). No cost is below 0
and each step is a guess, so the way to a settled state is best, and so is the first one to an end; the
states settled before it lie on all ways that are as good. A state that is further than a win that is known
is on none of these.
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from ..problem import Problem
from ..rules import Words
from ..state import Ints
from .search import Edge, Frame, Stopped
from .wins import END

Paid = tuple[int, int]
"""What is paid, and how many guesses are asked."""
BESIDE = 400
"""Bytes that a state takes beside its key, about."""


class OutOfMemory(Stopped):
    """Ends the search where it may take no more memory."""


class Cheapest(Frame):
    """The search where guesses cost.

    Attributes
    ----------
    limit: what a win that is known pays, or None.
    proved: what every win pays at least.
    """

    def __init__(self, problem: Problem, memory: int) -> None:
        super().__init__(problem, memory)
        self.costs = problem.costs
        self.limit: Paid | None = None
        self.proved: Paid = 0, int(len(self.start) > 1 or problem.goal == "win")
        self.reached: dict[bytes, Paid] = {}
        self.before: dict[bytes, list[tuple[bytes, int, int, int]]] = {}
        self.states: dict[bytes, tuple[Ints, Words]] = {}

    def paid_by(self, steps: list[Edge]) -> Paid:
        """Return what a win pays."""
        return sum(int(self.costs[guess, response]) for guess, response, _, _ in steps), len(steps)

    def work(self) -> bool:
        """Find all cheapest wins; return whether there is one. Raises Stopped when it is to end."""
        root = self.key(self.start, self.needs)
        self.reached[root] = 0, 0
        self.states[root] = self.start, self.needs
        waiting = [((0, 0), False, root)]
        while waiting:
            paid, _, key = heappop(waiting)
            if key == END:
                self.proved = paid
                self.read()
                return True
            if self.reached[key] < paid or key not in self.states:
                continue
            self.proved = max(self.proved, paid)
            for target, now in self.settle(root, key, paid):
                heappush(waiting, (now, target == END, target))  # the end after all that pay as much
        return False

    def settle(self, root: bytes, key: bytes, paid: Paid) -> list[tuple[bytes, Paid]]:
        """Look at all guesses of a state; return the states that are reached more cheaply than before."""
        candidates, needs = self.states.pop(key)  # what lies before it is kept, not the state
        self.found.candidates[key] = candidates
        nearer = []
        if len(candidates) == 1:
            steps = [
                (guess, response, END, 1, needs)
                for guess, response, _, _ in self.ends(int(candidates[0]), needs)
            ]
            if self.problem.goal == "identify":
                if self.reached.setdefault(END, paid) < paid:
                    return []
                self.before.setdefault(END, []).append((key, -1, -1, 1))
                return [(END, paid)]
        else:
            steps = self.steps(key == root, candidates, needs)
        for guess, response, target, alike, demanded in steps:
            now = paid[0] + int(self.costs[guess, response]), paid[1] + 1
            if self.limit is not None and now > self.limit:
                continue
            best = self.reached.get(target)
            if best is None or now < best:
                self.reached[target] = now
                self.before[target] = []
                if target != END and target not in self.states:
                    self.taken += len(target) * 3 + BESIDE
                    if self.taken > self.memory:
                        raise OutOfMemory
                    self.states[target] = self.left(candidates, guess, response), demanded
                nearer.append((target, now))
            if self.reached[target] == now:
                self.before[target].append((key, guess, response, alike))
        return nearer

    def steps(self, first: bool, candidates: Ints, needs: Words) -> list[tuple[int, int, bytes, int, Words]]:
        """Return the guesses that tell something: with the host's response, the state after it, ..."""
        responses, sizes, _ = self.answers(candidates)
        if first:
            may, alike = self.first_guesses(self.problem.first)
        else:
            may, alike = self.may(candidates, needs), None
        found = []
        for guess in np.flatnonzero(may & (sizes < len(candidates))).tolist():
            response = int(responses[guess])
            demanded = self.after(needs, guess, response)
            key = self.key(self.left(candidates, guess, response), demanded)
            found.append((guess, response, key, 1 if alike is None else int(alike[guess]), demanded))
        return found

    def read(self) -> None:
        """Fill `found` with all that lies on a best way, from the end back."""
        found = self.found.ways
        waiting = [END]
        seen = {END}
        known = set()  # to identify: states of one candidate, which are ends themselves
        for key in waiting:
            for earlier, guess, response, alike in self.before.get(key, ()):
                if guess < 0:
                    known.add(earlier)
                else:
                    found.setdefault(earlier, []).append(
                        (guess, response, END if key in known else key, alike)
                    )
                if earlier not in seen:
                    seen.add(earlier)
                    waiting.append(earlier)
