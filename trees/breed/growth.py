"""Subtrees that trees share, and the operators of evolution: grow, replace a guess, graft.

A subtree depends on its candidates alone, so it is immutable and any tree that meets these candidates may
use it. Whatever is built is shrunk and folded on the way (see `trees.shape`): a guess that tells nothing is
never asked, and a node above leaves alone asks a leaf's guess where that saves one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from guesstree.engine.problem import Problem
from guesstree.engine.state import Ints, split
from guesstree.trees.tree import TreeError

TRUST = 0.9
"""How often the best known subtree is taken at once, instead of growing another to compare."""
HEAT = 4.0
"""The most heat of a guess that replaces another; the heat is drawn evenly."""
REACH = 0.5
"""How far down changes are made: the larger, the farther."""
MOST_REMEMBERED = 1 << 19
"""Sets of candidates whose separators are remembered."""
BUDGET = 4000
"""Responses worked out to choose a guess, at least, so that more guesses are drawn for few candidates."""
PRIZE = 0.5
"""Parts that it is worth to ask a candidate, when guesses are compared by how many parts they make."""


@dataclass(frozen=True, eq=False, slots=True)
class Subtree:
    """A strategy for a set of candidates.

    Attributes
    ----------
    key: the sorted candidates, int32, as bytes.
    guess: the guess asked; -1 where goal identify has one candidate left.
    total, worst: guesses, for all candidates together and at most; where candidates weigh or guesses cost
        something, the weighted cost of all and the most that one costs.
    below: response and subtree for every part that is not won, by response.
    mark: equal for subtrees that ask the same; different ones may clash, as hashes do.
    """

    key: bytes
    guess: int
    total: int
    worst: int
    below: tuple[tuple[int, Subtree], ...]
    mark: int

    @property
    def size(self) -> int:
        """Return the number of candidates."""
        return len(self.key) // 4

    @property
    def candidates(self) -> Ints:
        """Return the candidates, int32, ascending."""
        return np.frombuffer(self.key, dtype=np.int32)

    @property
    def value(self) -> tuple[int, int]:
        """Return what subtrees for the same candidates are compared by: total, then worst."""
        return self.total, self.worst

    def walk(self) -> Iterator[Subtree]:
        """Yield this subtree and all below it, in breadth-first order."""
        waiting = [self]
        for subtree in waiting:
            yield subtree
            waiting.extend(child for _, child in subtree.below)


Step = tuple[bytes, int, int, Subtree | None, Subtree | None]
"""A state to be settled: candidates, number of the state above, response, donor, subtree if it is ready."""


class Grower:
    """Builds subtrees for a problem and remembers the best that it knows for each set of candidates.

    Parameters
    ----------
    draws: guesses compared when one is to be chosen, and as many candidates.
    seed: of all choices made here.
    """

    def __init__(self, problem: Problem, draws: int, seed: int) -> None:
        self.problem, self.draws = problem, draws
        self.table = problem.table
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.known: dict[bytes, Subtree] = {}
        self.win = problem.goal == "win"
        self.least: list[int] = [] if problem.priced else problem.least.tolist()
        self._separators: dict[bytes, int] = {}
        self._alone = [self._leaf(s) for s in range(problem.secrets)]

    def _leaf(self, secret: int) -> Subtree:
        key = np.array([secret], dtype=np.int32).tobytes()
        guess = int(self.problem.winner[secret]) if self.win else -1
        total, most = self._asked(key, guess) if self.win else (0, 0)
        return Subtree(key, guess, total, most, (), secret)

    def _asked(self, key: bytes, guess: int) -> tuple[int, int]:
        """Return what a guess adds to the total of its candidates, and to what one of them pays at most."""
        if not self.problem.priced:
            return len(key) // 4, 1
        candidates = np.frombuffer(key, dtype=np.int32)
        costs = self.problem.costs[guess, self.table[guess, candidates]]
        return int(costs @ self.problem.weights[candidates]), int(costs.max())

    def bound(self, key: bytes) -> int:
        """Return at least what the candidates come to in total.

        By counting; where they weigh or guesses cost something, as all of them pay for one guess.
        """
        if not self.problem.priced:
            return self.least[len(key) // 4]
        if len(key) == 4 and not self.win:
            return 0
        candidates = np.frombuffer(key, dtype=np.int32)
        return int(self.problem.weights[candidates].sum()) * int(self.problem.costs.min())

    def slack(self, subtree: Subtree) -> int:
        """Return at most how many guesses a better subtree would save.

        By counting; and where each candidate leaves two others together, n of them cost 2n at least: the
        guess of a candidate costs 1 + 2(n - 1) when it tells the others apart, and one more at least for
        others left together; the guess of anything else costs n + n at least.
        """
        size = subtree.size
        least = self.bound(subtree.key)
        alike = self.win and not self.problem.priced
        if alike and 2 < size <= self.problem.responses and self.separator(subtree.key) < 0:
            least = max(least, 2 * size)
        return subtree.total - least

    def remember(self, trees: Iterable[Subtree]) -> None:
        """Forget all subtrees but those of these trees, so that what is known follows from them."""
        self.known = {}
        seen: set[int] = set()
        for tree in trees:
            waiting = [tree]
            for subtree in waiting:
                if id(subtree) not in seen and subtree.size > 1:
                    seen.add(id(subtree))
                    self._note(subtree)
                    waiting.extend(child for _, child in subtree.below)

    def _note(self, subtree: Subtree) -> None:
        best = self.known.get(subtree.key)
        if best is None or subtree.value < best.value:
            self.known[subtree.key] = subtree

    # -- one node --------------------------------------------------------------------------------------

    def parts(self, key: bytes, guess: int) -> list[tuple[int, Ints]]:
        """Return response and candidates for every part that a guess makes and does not win."""
        candidates = np.frombuffer(key, dtype=np.int32)
        parts = split(self.table[guess, candidates], candidates)
        return [(r, part) for r, part in parts if r != self.problem.winning]

    def node(self, key: bytes, guess: int, below: tuple[tuple[int, Subtree], ...]) -> Subtree:
        """Return the subtree that asks `guess`, folded where it is a triangle."""
        if self.win and len(below) * 4 == len(key) and (first := self.separator(key)) >= 0:
            folded = self._separated(key, first)
            if not self.problem.priced:
                return folded
            return min(folded, self.made(key, guess, below), key=lambda one: one.value)
        return self.made(key, guess, below)

    def made(self, key: bytes, guess: int, below: tuple[tuple[int, Subtree], ...]) -> Subtree:
        """Return the subtree that asks `guess` as it stands, with its figures, and note it if it is good."""
        total, most = self._asked(key, guess)
        total += sum(child.total for _, child in below)
        worst = most + max((child.worst for _, child in below), default=0)
        if self.problem.priced and below:
            worst = self._dearest(key, guess, below)
        mark = hash((guess, *(child.mark for _, child in below)))
        subtree = Subtree(key, guess, total, worst, below, mark)
        self._note(subtree)
        return subtree

    def _dearest(self, key: bytes, guess: int, below: tuple[tuple[int, Subtree], ...]) -> int:
        """Return what a candidate pays at most: what a guess costs may differ by response."""
        costs = self.problem.costs[guess]
        return max(
            *(int(costs[response]) + child.worst for response, child in below),
            *(int(costs[r]) for r in np.unique(self.table[guess, np.frombuffer(key, dtype=np.int32)])),
        )

    def separator(self, key: bytes) -> int:
        """Return the first candidate whose guess tells all others apart, as a position, or -1."""
        found = self._separators.get(key)
        if found is None:
            candidates = np.frombuffer(key, dtype=np.int32)
            rows = self.table[self.problem.winner[candidates][:, None], candidates]
            rows.sort(axis=1)
            apart = (rows[:, 1:] != rows[:, :-1]).all(axis=1)
            found = int(apart.argmax()) if apart.any() else -1
            if len(self._separators) > MOST_REMEMBERED:
                self._separators.clear()
            self._separators[key] = found
        return found

    def _separated(self, key: bytes, position: int) -> Subtree:
        candidates = np.frombuffer(key, dtype=np.int32)
        guess = int(self.problem.winner[candidates[position]])
        leaves = sorted(zip(self.table[guess, candidates].tolist(), candidates.tolist(), strict=True))
        below = tuple((r, self._alone[s]) for r, s in leaves if r != self.problem.winning)
        return self.made(key, guess, below)

    def draw(self, key: bytes, heat: float = PRIZE) -> int:
        """Return the best of some guesses drawn at random: the one with most parts, candidates preferred.

        `heat` is how many parts chance may add to a guess. Many parts are a good sign and no more, so what
        is to replace a good guess must be drawn with more heat than what starts a new subtree.
        """
        problem, candidates = self.problem, np.frombuffer(key, dtype=np.int32)
        alike = self.win and not problem.priced
        if alike and len(candidates) <= problem.responses and (first := self.separator(key)) >= 0:
            return int(problem.winner[candidates[first]])
        draws = max(self.draws, min(len(self.table), BUDGET // len(candidates)))
        drawn = self.numbers.integers(len(self.table), size=draws)
        named = problem.winner[candidates]
        named = named[named >= 0]
        if len(named) > draws:
            named = named[self.numbers.integers(len(named), size=draws)]
        guesses: Ints = np.concatenate((named, drawn)).astype(np.int32)
        parts = (problem.sizes(guesses, candidates) > 0).sum(axis=1)
        score = parts + self.numbers.random(len(guesses)) * heat
        score[: len(named)] += PRIZE
        # A guess that makes one part and wins nothing tells nothing.
        score[(parts == 1) & (self.table[guesses, candidates[0]] != problem.winning)] = -1
        best = int(score.argmax())
        return int(guesses[best]) if score[best] > 0 else self._telling(candidates)

    def _telling(self, candidates: Ints) -> int:
        rows = self.table[:, candidates]
        return int((rows != rows[:, :1]).any(axis=1).argmax())

    # -- whole subtrees --------------------------------------------------------------------------------

    def grow(
        self, key: bytes, guess: int | None = None, donor: Subtree | None = None, *, trust: float = TRUST
    ) -> Subtree:
        """Return a subtree for some candidates.

        Parameters
        ----------
        guess: the guess to ask first, which must tell something; None: drawn.
        donor: a tree whose guesses are asked, response by response, as long as they tell something.
        trust: how often the best known subtree is taken for a part at once; where it is not, the better of
            what grew and what is known is taken.
        """
        plan: list[Step] = [(key, -1, -1, donor, None)]
        asked: list[int] = []
        for number, (own, _, _, model, ready) in enumerate(plan):
            asked.append(-1)
            if ready is not None:
                continue
            parts: list[tuple[int, Ints]] = []
            chosen = guess if number == 0 and guess is not None else -1 if model is None else model.guess
            if chosen >= 0:
                parts = self.parts(own, chosen)
            if chosen < 0 or (len(parts) == 1 and len(parts[0][1]) * 4 == len(own)):
                model, chosen = None, self.draw(own)
                parts = self.parts(own, chosen)
            asked[number] = chosen
            models = dict(model.below) if model is not None else {}
            for response, part in parts:
                small = part.tobytes()
                done = self._ready(small, part, models.get(response), trust)
                plan.append((small, number, response, models.get(response), done))
        return self._assemble(plan, asked)

    def _ready(self, key: bytes, part: Ints, model: Subtree | None, trust: float) -> Subtree | None:
        if len(part) == 1:
            return self._alone[int(part[0])]
        if model is not None and model.key == key:
            return model
        known = self.known.get(key)
        if known is None and self.win and len(part) == 2:  # either first: three guesses, which is the least
            guess = int(self.problem.winner[part[0]])
            return self.node(key, guess, ((int(self.table[guess, part[1]]), self._alone[int(part[1])]),))
        if known is not None and (not self.slack(known) or self.random.random() < trust):
            return known
        return None

    def _assemble(self, plan: list[Step], asked: list[int], *, learn: bool = True) -> Subtree:
        """Return the subtree of a plan; to learn is to take what is known better than what grew."""
        below: list[list[tuple[int, Subtree]]] = [[] for _ in plan]
        for number in range(len(plan) - 1, 0, -1):
            key, parent, response, _, ready = plan[number]
            subtree = ready or self.node(key, asked[number], tuple(reversed(below[number])))
            if learn and ready is None:
                subtree = self.known[key]
            below[parent].append((response, subtree))
        return self.node(plan[0][0], asked[0], tuple(reversed(below[0])))

    # -- places in a tree ------------------------------------------------------------------------------

    def descend(self, tree: Subtree) -> list[tuple[Subtree, int]]:
        """Return a way from the root to a place worth changing: subtrees, each with the child taken, or -1.

        Children are taken in proportion to the guesses that they may save at most; a small set of
        candidates is settled on sooner than a large one, as changing it costs less.
        """
        way: list[tuple[Subtree, int]] = []
        subtree = tree
        while True:
            slacks = [self.slack(child) if child.size > 2 else 0 for _, child in subtree.below]
            if not sum(slacks) or self.random.random() < 1 / (1 + REACH * sqrt(subtree.size)):
                return [*way, (subtree, -1)]
            taken = self.random.choices(range(len(slacks)), slacks)[0]
            way.append((subtree, taken))
            subtree = subtree.below[taken][1]

    def replaced(self, way: list[tuple[Subtree, int]], subtree: Subtree) -> Subtree:
        """Return the tree with another subtree at the end of a way, and what is known better beside it."""
        for above, taken in reversed(way[:-1]):
            below = tuple(
                (response, subtree if i == taken else self.known.get(child.key, child))
                for i, (response, child) in enumerate(above.below)
            )
            subtree = self.node(above.key, above.guess, below)
        return subtree

    def changed(self, subtree: Subtree, trust: float = TRUST) -> Subtree:
        """Return a subtree for the same candidates that starts with another guess, most likely."""
        heat = self.random.random() * HEAT
        return self.grow(subtree.key, self.draw(subtree.key, heat), trust=trust)

    def polish(self, subtree: Subtree, steps: int) -> Subtree:
        """Return the subtree after so many small changes, each kept unless it makes it worse."""
        for _ in range(steps):
            way = self.descend(subtree)
            old = way[-1][0]
            if old.size < 3 or not self.slack(old):
                continue
            other = self.changed(old)
            if other.value <= old.value:
                subtree = self.replaced(way, other)
        return subtree

    def replay(self, key: bytes, guesses: Sequence[int]) -> Subtree:
        """Return the tree that asks these guesses, one for each state not finished, breadth-first.

        A state of goal win with one candidate left is finished too. Raises TreeError when they do not fit.
        """
        if len(key) == 4:
            return self._alone[int(np.frombuffer(key, dtype=np.int32)[0])]
        asked: list[int] = []
        plan: list[Step] = [(key, -1, -1, None, None)]
        left = iter(guesses)
        for number, (own, _, _, _, ready) in enumerate(plan):
            asked.append(-1)
            if ready is not None:
                continue
            guess = next(left, -1)
            if not 0 <= guess < len(self.table):
                raise TreeError(f"state {number} asks guess {guess!r}; expected 0 to {len(self.table) - 1}")
            parts = self.parts(own, guess)
            if any(len(part) * 4 == len(own) for _, part in parts):
                raise TreeError(f"state {number} asks guess {guess}, which tells nothing")
            asked[number] = guess
            for response, part in parts:
                done = self._alone[int(part[0])] if len(part) == 1 else None
                plan.append((part.tobytes(), number, response, None, done))
        if next(left, None) is not None:
            raise TreeError(f"{len(guesses)} guesses; expected as many as there are states")
        return self._assemble(plan, asked, learn=False)
