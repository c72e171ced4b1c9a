"""Branch and bound for the least kit.

1. Questions that another one replaces are left out, and pairs that another one implies (`Pairs.begin`).
2. The search takes the open pair that the fewest questions tell apart. A kit has one of them: it tries each,
   and those that were tried before it may not be asked any more, so no kit is met twice.
3. A kit that tells all pairs made so far is compared with all secrets; what it does not tell is added.
4. Symmetry: after the questions chosen, renamings that keep each of them fall into orbits. The rest of the
   kit has a question of the first orbit, in the order in which they are tried, that it has any question of;
   some renaming takes that one to any other of the orbit. So one of each orbit is tried, and then the whole
   orbit is forbidden, which every renaming leaves as it is.
5. A node is cut if what was paid and a lower bound of the rest exceed the limit: see `_rest`.
6. Where no symmetry is left, or few questions are, a kernel goes on (`cext.kits`).

The limit grows from the lower bound: a search that finds no kit within it proves a higher lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, gcd, inf

import numpy as np
from numpy.typing import NDArray

from ...cext import kits
from ..symmetry.groups import Permutation
from .bounds import Counting, prices_of_pairs
from .cover import CoverProblem
from .pairs import Pairs, bits, mask_of

Classes = Callable[[tuple[int, ...]], NDArray[np.int32] | None]
DEEP = 4
"""Questions after which symmetry is not looked for any more: little is left of it, and it takes time."""
MOST_COMPARED = 3000
"""Up to so many questions, those that another one replaces are looked for."""
MOST_GAINS = 4000
"""Up to so many questions, each node counts what each of them tells apart."""
MOST_SPLIT = 20_000_000
"""Up to so many cells, the first kit is chosen by what questions make of all secrets."""
NEIGHBOURHOODS, NODES, REPLACED = 40, 300, 3
"""Parts of the first kit that are kept, nodes for each of them, and questions that are not kept."""
SMALL = 4
"""Where fewer questions are left, going on without symmetry is faster than finding what there is."""
ROUNDS = 8
"""Times that pairs join the linear program."""
MOST_CELLS = 1 << 25
"""Up to so many labels times answers, the kernel looks at secrets."""
FEW = 24
"""Pairs among which the one of the fewest orbits is taken."""


class Enough(BaseException):
    """Raised in a search of a neighbourhood that takes too many nodes."""


class Stopped(BaseException):
    """Raised in a search that is to end."""


@dataclass
class Node:
    """A part of the search: kits that begin with some questions, and go on with some of those allowed.

    Attributes
    ----------
    kit, cost: the questions chosen, and what they cost.
    allowed: questions that may follow, as a mask.
    open: masks of the pairs that the kit does not tell apart once, twice, ... often enough.
    known: how many of the pairs these masks are about; others were added later.
    labels: those of the kit.
    symmetric: whether renamings may keep all questions of the kit.
    """

    kit: tuple[int, ...]
    cost: int
    allowed: int
    open: list[int]
    known: int
    labels: NDArray[np.int64]
    symmetric: bool


@dataclass
class Cut:
    """What bounds say of a node: the least cost of the rest, and the pair to go on with (-1: it is cut)."""

    rest: float
    pair: int = -1
    common: int = 0


@dataclass
class Search:
    """Look for the least kit.

    Parameters
    ----------
    problem: what it is for.
    classes: the orbits of questions after those chosen, see `Problem.classes`; None: no symmetry is known.
    stopped: returns whether the search is to end.

    Attributes
    ----------
    best, upper: the least kit found, and what it costs.
    lower: at least what each kit costs.
    nodes: parts of the search looked at.
    """

    problem: CoverProblem
    classes: Classes | None = None
    stopped: Callable[[], bool] = field(default=lambda: False)
    best: tuple[int, ...] | None = None
    upper: float = inf
    lower: int = 0
    nodes: int = 0

    def run(self) -> None:
        """Search until lower and upper bound meet; raise `Stopped` when it is to end before."""
        self._limit = self._exceeded = self._most_nodes = inf
        self.best = self._enough()
        self.upper = self.problem.cost(self.best)
        self._prepare()
        self._take(self._greedy())
        self._improve()
        if self._kernel is not None:
            self._price()
        step = self._unit
        while self.lower < self.upper:
            self._limit = min(self.lower + step, self.upper) - self._unit
            self._exceeded = inf
            before, limit = self.upper, self._limit
            self._visit(self._root())
            if self.upper < before:  # it went on until nothing within the limit was less
                self.lower = int(self.upper)
                return
            self.lower = int(min(max(self._exceeded, limit + self._unit), self.upper))
            self.lower = -(-self.lower // self._unit) * self._unit
            step = step if self._plain else 2 * step

    # -- preparation -----------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        """Make pairs and their prices, leave questions out, and begin with what the kit has to have."""
        problem = self.problem
        self._answers = int(problem.answers.max(initial=0)) + 1
        self._unit = max(gcd(*problem.costs.tolist()), 1)
        self._pairs = Pairs(problem)
        self._kernel = None
        if problem.apart == 1 and problem.secrets * self._answers <= MOST_CELLS:
            kinds, each = np.ascontiguousarray(problem.kinds), np.ascontiguousarray(problem.costs)
            self._kernel = kits.Kits(self._pairs.columns, kinds, each, self.stopped)
            self._pairs.kernel = self._kernel
        self._pairs.begin()
        usable = np.array([g not in problem.never for g in range(problem.questions)], dtype=np.bool_)
        parts = np.array([len(np.unique(row)) for row in problem.answers])
        usable &= parts > 1
        free = [g for g in np.flatnonzero(usable & (problem.costs == 0)).tolist() if g not in problem.must]
        usable &= problem.costs > 0
        self._start = (*problem.must, *free * problem.apart, *self._free_again())
        self._least_cost = int(problem.costs[usable].min(initial=self._big()))
        paid = problem.costs[usable]
        self._plain = bool(len(paid) == 0 or (paid == paid[0]).all())
        self._counting = Counting(parts[usable].tolist(), problem.apart)
        self._usable = mask_of(usable)
        self._orbits: dict[tuple[int, ...], list[int] | None] = {}
        if problem.questions <= MOST_COMPARED:
            self._usable &= ~mask_of(self._replaced(usable, parts))
        costs = sorted(set(problem.costs[usable].tolist()))
        self._tiers = [(int(c), mask_of(usable & (problem.costs <= c))) for c in costs]
        self._prices = prices_of_pairs(self._pairs.rows, problem.costs.tolist(), self._usable)
        root = self._root()
        self.lower = root.cost
        self._bound(root)

    def _bound(self, root: Node) -> None:
        """Raise the lower bound to what the root says."""
        self._extend(root)
        if root.open[0]:
            rest = self._rest(root).rest
            self.lower = max(self.lower, int(min(root.cost + rest, self._big())))
        self.lower = -(-self.lower // self._unit) * self._unit

    def _price(self) -> None:
        """Find better prices where they bound kits well: pairs join that they say are hardly told apart."""
        assert self._kernel is not None
        root = self._root()
        for _ in range(ROUNDS):
            if 2 * self._prices.least <= self.upper or not self._pairs.add_by_shares(self._prices.shares):
                break
            self._prices = prices_of_pairs(self._pairs.rows, self.problem.costs.tolist(), self._usable)
            self._bound(root)
        if 2 * self._prices.least > self.upper:
            each = self._prices.each
            self._kernel.price(np.repeat(np.arange(len(each), dtype=np.int32), each))

    def _big(self) -> int:
        """Return more than any kit costs."""
        return (int(self.problem.costs.sum()) + 1) * self.problem.apart + self.problem.cost(self.problem.must)

    def _free_again(self) -> list[int]:
        """Return what the kit has to have and costs nothing, as often again as may help."""
        problem = self.problem
        again = [g for g in dict.fromkeys(problem.must) if problem.costs[g] == 0]
        return again * (problem.apart - 1)

    def _replaced(self, usable: NDArray[np.bool_], parts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which questions another one replaces: it costs no more, and tells apart all that they do.

        Of questions that replace each other one stays, and symmetry may take it to one that does not. That
        loses no kit. Call two questions alike that replace each other, as their images then do; the class of
        one is forbidden when its orbit was tried first. A kit with a question of that class, and none of
        those forbidden before, has an image with the question tried; let those that stay stand for all others
        in it. They are alike, so none of their classes was forbidden before, and it was met.
        """
        problem, covers = self.problem, self._pairs.covers
        replaced = np.zeros(problem.questions, dtype=np.bool_)
        order = sorted(np.flatnonzero(usable).tolist(), key=lambda g: (-parts[g], problem.costs[g], g))
        for i, g in enumerate(order):
            for h in order[:i]:
                if replaced[h] or covers[g] & ~covers[h] or problem.costs[h] > problem.costs[g]:
                    continue
                if self._refines(h, g, int(parts[h])):
                    replaced[g] = True
                    break
        return replaced

    def _refines(self, fine: int, coarse: int, parts: int) -> bool:
        """Return whether equal answers to one question mean equal answers to another."""
        labels = self.problem.split(self.problem.answers[fine].astype(np.int64), coarse)
        return int(labels.max()) + 1 == parts

    def _root(self) -> Node:
        labels = self.problem.labels(self._start)
        symmetric = self.classes is not None and len(self._start) < DEEP
        node = Node(self._start, self.problem.cost(self._start), self._usable, [], 0, labels, symmetric)
        node.open = [0] * self.problem.apart
        self._extend(node)
        return node

    def _enough(self) -> tuple[int, ...]:
        """Return a kit at once: questions in any order, until they tell all apart."""
        problem, kit = self.problem, list(self.problem.must)
        labels = problem.labels(kit)
        order = np.random.default_rng(0).permutation(problem.questions).tolist()
        for question in order:
            if question in problem.never:
                continue
            parts = problem.split(labels, question)
            if parts.max(initial=0) > labels.max(initial=0):
                kit.append(question)
                labels = parts
                if not self._untold(labels):
                    break
        return tuple(kit * problem.apart)

    def _untold(self, labels: NDArray[np.int64]) -> bool:
        """Return whether secrets of different kinds have equal labels."""
        both = labels * (int(self.problem.kinds.max(initial=0)) + 1) + self.problem.kinds
        return len(np.unique(both)) > len(np.unique(labels))

    def _greedy(self) -> tuple[int, ...]:
        """Return a kit: again and again the question that leaves fewest pairs alike for its cost.

        Against lies, or where there are too many questions to split all secrets by each, it is the question
        that tells apart most of the pairs made so far.
        """
        node, costs = self._root(), self.problem.costs
        exact = self.problem.apart == 1 and self.problem.questions * self.problem.secrets <= MOST_SPLIT
        while True:
            if not node.open[0]:
                if not self._pairs.add_untold(node.kit, node.labels):
                    return node.kit
                self._extend(node)
            self._heed()
            opened, covers, labels = node.open[0], self._pairs.covers, node.labels
            before = self._alike(labels)
            gains = {
                g: (before - self._alike_after(labels, g) if exact else (opened & covers[g]).bit_count())
                / int(costs[g])
                for g in bits(node.allowed)
            }
            node = self._child(node, max(gains, key=gains.__getitem__), node.allowed)

    def _alike(self, labels: NDArray[np.int64]) -> int:
        """Return how many pairs of secrets of different kinds have equal labels, twice each."""
        alike = int((np.bincount(labels) ** 2).sum())
        if self.problem.distinct:
            return alike
        both = labels * (int(self.problem.kinds.max()) + 1) + self.problem.kinds
        return alike - int((np.unique(both, return_counts=True)[1] ** 2).sum())

    def _alike_after(self, labels: NDArray[np.int64], question: int) -> int:
        """Return `_alike` for what a question makes of labels."""
        return self._alike(labels * self._answers + self.problem.answers[question])

    def _improve(self) -> None:
        """Look for better kits that have all but a few questions of the best one, drawn at random."""
        dice, must = np.random.default_rng(0), len(self._start)
        for _ in range(NEIGHBOURHOODS):
            if self.best is None or self.lower >= self.upper:
                return
            rest = np.array(self.best[len(self.problem.must) :], dtype=np.int64)
            kept = dice.permutation(rest)[: max(len(rest) - REPLACED, 0)].tolist()
            node = self._root()
            node.symmetric = False
            for question in kept:
                if node.allowed >> question & 1:
                    node = self._child(node, question, node.allowed)
            self._limit, self._most_nodes = self.upper - self._unit, self.nodes + NODES
            with suppress(Enough):
                self._visit(node)
            self._most_nodes = inf
            if must == len(node.kit):
                return  # it was all of the search

    def _take(self, kit: tuple[int, ...]) -> None:
        """Keep a kit if it is the best so far, without what it does not need."""
        kit = self._slim(kit)
        cost = self.problem.cost(kit)
        if cost < self.upper:
            self.best, self.upper = kit, cost

    def _slim(self, kit: tuple[int, ...]) -> tuple[int, ...]:
        """Return a kit without questions that it does not need, the dearest first."""
        must = self.problem.must
        spare = list(kit[len(must) :])
        for question in sorted(spare, key=lambda g: -int(self.problem.costs[g])):
            rest = list(spare)
            rest.remove(question)
            if self.problem.tells_apart((*must, *rest)):
                spare = rest
        return (*must, *spare)

    # -- the search ------------------------------------------------------------------------------------------

    def _heed(self) -> None:
        self.nodes += 1
        if self.nodes > self._most_nodes:
            raise Enough
        if self.stopped():
            raise Stopped

    def _visit(self, node: Node) -> None:
        """Look for kits within the limit that begin as a node does."""
        self._heed()
        if not node.open[0] and self._pairs.add_untold(node.kit, node.labels):
            self._extend(node)
        if not node.open[0]:
            self._take(node.kit)
            self._limit = self.upper - self._unit
            return
        cut = self._rest(node)
        if node.cost + cut.rest > self._limit:
            self._exceeded = min(self._exceeded, node.cost + cut.rest)
            return
        orbits = self._orbits_after(node)
        if self._kernel is not None and (
            orbits is None or self._limit - node.cost < SMALL * self._least_cost
        ):
            self._finish(node)
            return
        pair = cut.pair if orbits is None else self._fewest_orbits(node, orbits)
        choices = self._pairs.rows[pair] & node.allowed
        if self._limit - node.cost < 2 * self._least_cost:  # the last one has to tell all
            choices &= cut.common
            self._exceeded = min(self._exceeded, node.cost + 2 * self._least_cost)
        tried = [choices & orbit for orbit in orbits] if orbits is not None else None
        asked = [next(bits(some)) for some in tried if some] if tried is not None else [*bits(choices)]
        covers, costs, left = self._pairs.covers, self.problem.costs, node.allowed
        opened = node.open[0]
        asked.sort(key=lambda g: -(covers[g] & opened).bit_count() / int(costs[g]))
        for question in asked:
            if node.cost + int(costs[question]) > self._limit:
                self._exceeded = min(self._exceeded, node.cost + int(costs[question]))
                continue
            self._extend(node)
            self._visit(self._child(node, question, left))
            orbit = 1 << question
            if orbits is not None:
                orbit = next(mask for mask in orbits if mask >> question & 1)
            left &= ~orbit

    def _finish(self, node: Node) -> None:
        """Look below a node with the kernel, again and again as the limit sinks."""
        assert self._kernel is not None
        labels, allowed = node.labels.astype(np.int32), as_bytes(node.allowed)
        while True:
            budget, before = int(self._limit - node.cost), self._kernel.nodes
            most = int(min(self._most_nodes - self.nodes, 1 << 60))
            found = self._kernel.rest(as_bytes(node.open[0]), allowed, labels, budget, most)
            self.nodes += self._kernel.nodes - before
            self._pairs.follow(self._kernel.added)
            if self._kernel.ended:
                raise Stopped if self._kernel.ended == 1 else Enough
            if found is None:
                if self._kernel.over >= 0:
                    self._exceeded = min(self._exceeded, self._limit + self._kernel.over)
                return
            self._extend(node)
            self._take((*node.kit, *found))
            self._limit = self.upper - self._unit

    def _child(self, node: Node, question: int, allowed: int) -> Node:
        """Return a node with one question more."""
        covered = self._pairs.covers[question]
        longer = [*node.open[1:], 0]
        still = [mask & ~covered | more & covered for mask, more in zip(node.open, longer, strict=True)]
        labels = self.problem.split(node.labels, question)
        kit = (*node.kit, question)
        symmetric = node.symmetric and len(kit) < DEEP and self._orbits.get(node.kit) is not None
        if self.problem.apart == 1:
            allowed &= ~(1 << question)
        return Node(
            kit, node.cost + int(self.problem.costs[question]), allowed, still, node.known, labels, symmetric
        )

    def _extend(self, node: Node) -> None:
        """Have the masks of a node say what it leaves open of pairs that were added later."""
        for pair in range(node.known, len(self._pairs)):
            row = self._pairs.rows[pair]
            told = sum(row >> question & 1 for question in node.kit)
            for level in range(self.problem.apart - told):
                node.open[level] |= 1 << pair
        node.known = len(self._pairs)

    def _orbits_after(self, node: Node) -> list[int] | None:
        """Return the orbits of questions after those of a node as masks; None: every question is alone."""
        if not node.symmetric or self.classes is None:
            return None
        if node.kit not in self._orbits:
            found = self.classes(tuple(sorted(set(node.kit))))
            self._orbits[node.kit] = (
                None if found is None else [mask_of(found == smallest) for smallest in np.unique(found)]
            )
        return self._orbits[node.kit]

    def _fewest_orbits(self, node: Node, orbits: Sequence[int]) -> int:
        """Return one of the pairs that few questions tell apart: with questions of the fewest orbits."""
        allowed, rows = node.allowed, self._pairs.rows
        pairs = sorted(bits(node.open[0]), key=lambda pair: (rows[pair] & allowed).bit_count())[:FEW]
        return min(pairs, key=lambda pair: sum(1 for orbit in orbits if rows[pair] & allowed & orbit))

    # -- bounds ----------------------------------------------------------------------------------------------

    def _rest(self, node: Node) -> Cut:
        """Return at least what the rest of a kit costs, and the pair to go on with.

        The greatest of: the prices of the open pairs (`prices_of_pairs`); the costs of pairs that have no
        question in common, each told apart by the cheapest of its own; two questions, or more, where none
        tells all open pairs apart; the number of questions by counting (`Counting`), for the largest set of
        kinds that were answered alike; and by what each question tells apart at most (`_by_gains`).
        """
        rows, allowed, apart = self._pairs.rows, node.allowed, self.problem.apart
        prices = self._prices.each
        common, valued, found = allowed, 0, []
        for pair in bits(node.open[0]):
            row = rows[pair] & allowed
            many = row.bit_count()
            if not many:
                return Cut(inf)
            common &= row
            need = 1 if apart == 1 else sum(mask >> pair & 1 for mask in node.open)
            if pair < len(prices):
                valued += prices[pair] * need
            found.append((many, pair, row, need))
        found.sort()
        used = rest = 0
        most = 1 if common else 2
        for _, _, row, need in found:
            most = max(most, need)
            if not row & used:
                used |= row
                rest += need * self._cheapest(row)
        largest = self._largest(node)
        most = max(most, self._counting.fewest(largest))
        rest = max(rest, ceil(valued * self._prices.factor), self._least_cost * most)
        if node.cost + rest <= self._limit and self.problem.questions <= MOST_GAINS:
            rest = max(rest, self._by_gains(node))
        return Cut(-(-rest // self._unit) * self._unit, found[0][1], common)

    def _cheapest(self, row: int) -> int:
        """Return what the cheapest question of a mask costs."""
        return next(cost for cost, mask in self._tiers if row & mask)

    def _largest(self, node: Node) -> int:
        """Return how many kinds the largest set of secrets that were answered alike has."""
        if self.problem.distinct:
            return int(np.bincount(node.labels).max())
        many = int(self.problem.kinds.max()) + 1
        return int(np.bincount(np.unique(node.labels * many + self.problem.kinds) // many).max())

    def _by_gains(self, node: Node) -> int:
        """Return at least what it costs that questions tell apart as many pairs as are open, one by one.

        No question tells apart more of the open pairs than it does now; so at best the questions are asked
        that tell apart most for their cost, the last one in part.
        """
        opened, covers, costs = node.open[0], self._pairs.covers, self.problem.costs
        due = sum(mask.bit_count() for mask in node.open)
        gains = [((covers[g] & opened).bit_count(), int(costs[g])) for g in bits(node.allowed)]
        if self.problem.apart > 1:  # a question may be asked again
            gain, cost = max(gains, key=lambda one: Fraction(*one))
            return -(-due * cost // gain)
        paid = 0
        for gain, cost in sorted(gains, key=lambda one: one[0] / one[1], reverse=True):
            if gain >= due or not gain:
                return paid + (-(-due * cost // gain) if gain else 0)
            due -= gain
            paid += cost
        return paid


def as_bytes(mask: int) -> bytes:
    """Return a mask as bytes, the lowest first."""
    return mask.to_bytes((mask.bit_length() + 7) // 8, "little")


def keeps(classes: NDArray[np.int64], renaming: Permutation) -> bool:
    """Return whether a renaming of things takes each class of them to a class."""
    both = np.unique(np.stack([classes, classes[renaming]]), axis=1)
    return both.shape[1] == len(np.unique(classes))
