"""Branch and bound for the least kits in several stages.

In each stage a kit of questions is asked, and the next kit is chosen by all answers so far. A plan of k
stages costs, in the worst case, the sum of what the kits on the way to a secret cost, most over all secrets.
So for a set P of secrets, with f(P, k) = 0 where P is of one kind,

    f(P, 1) = least cost of a kit that tells P apart,
    f(P, k) = least, over kits Q, of cost(Q) + the largest f(R, k - 1) of the parts R that Q makes of P.

A search asks whether f(P, k) <= B:

1. More stages never cost more, so f(P, k) is at least the worst case of a strategy that adapts to every
   answer, which is searched first; and that is at least what counting leaves (`_counted`).
2. To find the first kit, questions are added one by one. If some part R of what they make costs more in k
   stages than what is left, the whole node fails: what is asked in the rest of this stage and later is a
   plan of k stages for R. If all parts do with k - 1 stages, the kit is found. Otherwise some part needs more
   than is left: a kit has a question that splits it, and each of them is tried; those tried before may not
   be asked any more in this stage, so that no kit is met twice.
3. In the last stage each two kinds need a question: the pair that the fewest questions tell apart is taken.
4. Symmetry, at the set of all secrets: as in `search`, one question of each orbit is tried, and then its
   whole orbit is forbidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations, islice
from math import gcd, inf

import numpy as np

from .cover import CoverProblem
from .pairs import bits, mask_of
from .search import DEEP, Classes, Stopped

MOST_KNOWN = 1_000_000
"""Sets of secrets that are remembered; then all are forgotten."""
MOST_LOCAL = 20_000
"""Sets of secrets whose questions are remembered."""
NEAR = 60
"""Pairs of a part that are looked at to find one that few questions tell apart."""
MOST_COMPARED = 300
"""Up to so many questions of a set, those that another one replaces are looked for."""
ADAPTIVE = 0
"""In place of a number of stages: as many as there are questions."""


@dataclass(frozen=True)
class Round:
    """What is asked of a set of secrets in one stage, and what follows.

    Attributes
    ----------
    questions: the kit.
    cost: what it costs with what follows it, in the worst case.
    after: what follows for each part of the set that is not of one kind; parts are masks of secrets.
    """

    questions: tuple[int, ...]
    cost: int
    after: dict[int, Round]


@dataclass(frozen=True)
class Choice:
    """A question that may be asked of a set: the parts that it makes, and what it costs."""

    question: int
    cost: int
    parts: tuple[int, ...]


@dataclass
class Local:
    """The questions of a set of secrets, without those that others replace.

    Attributes
    ----------
    whole: the set.
    choices: the questions.
    many, costs: how many parts they make, falling, and their costs, rising.
    """

    whole: int
    choices: list[Choice]
    many: list[int]
    costs: list[int]
    apart: dict[tuple[int, int], int] = field(default_factory=dict)

    def telling(self, a: int, b: int) -> int:
        """Return which choices tell two secrets apart, as a mask."""
        if (a, b) not in self.apart:
            one, other = 1 << a, 1 << b
            self.apart[a, b] = sum(
                1 << i
                for i, choice in enumerate(self.choices)
                if not any(part & one and part & other for part in choice.parts)
            )
        return self.apart[a, b]


@dataclass
class Stages:
    """Look for the least plan of several stages.

    Parameters
    ----------
    problem: what it is for, without lies.
    stages: how many, at least 1.
    classes, stopped: as those of `search.Search`.

    Attributes
    ----------
    best, upper: the best plan found, and what it costs in the worst case.
    lower: at least what each plan costs.
    nodes: parts of the search looked at.
    """

    problem: CoverProblem
    stages: int
    classes: Classes | None = None
    stopped: Callable[[], bool] = field(default=lambda: False)
    best: Round | None = None
    upper: float = inf
    lower: int = 0
    nodes: int = 0

    def run(self) -> None:
        """Search until lower and upper bound meet; raise `Stopped` when it is to end before."""
        self._prepare()
        self._take(self._greedy(self._all, self.stages))
        self.lower = self._paid + self._counted(self._all)
        self._raise_to(ADAPTIVE)
        self._raise_to(self.stages)

    def _raise_to(self, stages: int) -> None:
        """Raise the lower bound to what so many stages cost; a plan found ends the search."""
        while self.lower < self.upper:
            found = self._within(self._all, stages, self.lower - self._paid)
            if found is not None:
                if stages == self.stages:
                    self._take(found)
                return
            self.lower += self._unit

    def _prepare(self) -> None:
        problem, answers = self.problem, self.problem.answers
        usable = [q for q in range(problem.questions) if q not in problem.never]
        free = [q for q in usable if problem.costs[q] == 0 and q not in problem.must]
        self._begin = (*problem.must, *free)
        self._paid = problem.cost(self._begin)
        self._cells = {
            q: [mask_of(answers[q] == answer) for answer in np.unique(answers[q])]
            for q in usable
            if q not in self._begin
        }
        self._unit = gcd(*(int(problem.costs[q]) for q in self._cells)) or 1
        self._kinds = [mask_of(problem.kinds == kind) for kind in np.unique(problem.kinds)]
        self._kind_of = np.unique(problem.kinds, return_inverse=True)[1].ravel().tolist()
        self._local: dict[int, Local] = {}
        self._low: dict[tuple[int, int], int] = {}
        self._high: dict[tuple[int, int], Round] = {}
        self._orbits: dict[tuple[int, ...], list[int] | None] = {}
        labels = problem.labels(self._begin)
        self._first = [mask_of(labels == label) for label in np.unique(labels)]
        self._all = (1 << problem.secrets) - 1

    def _take(self, found: Round) -> None:
        """Keep a plan that is better, with what is asked in any case before it."""
        if found.cost + self._paid < self.upper:
            self.best = Round((*self._begin, *found.questions), found.cost + self._paid, found.after)
            self.upper = self.best.cost

    def _heed(self) -> None:
        self.nodes += 1
        if self.stopped():
            raise Stopped

    # -- sets of secrets -------------------------------------------------------------------------------------

    def _settled(self, part: int) -> bool:
        """Return whether a set is of one kind."""
        lowest = (part & -part).bit_length() - 1
        return not part & ~self._kinds[self._kind_of[lowest]]

    def _many(self, part: int) -> int:
        """Return of how many kinds a set is."""
        if len(self._kinds) == self.problem.secrets:
            return part.bit_count()
        return sum(1 for kind in self._kinds if kind & part)

    def _parts(self, whole: int) -> list[int]:
        """Return the parts of a set not of one kind: what is asked in any case splits the set of all."""
        if whole != self._all:
            return [whole]
        return [part for part in self._first if not self._settled(part)]

    def _local_of(self, part: int) -> Local:
        """Return the questions of a set, one of those that make the same parts of it: the cheapest."""
        if (found := self._local.get(part)) is not None:
            return found
        self._heed()
        costs, cheapest = self.problem.costs, dict[frozenset[int], Choice]()
        symmetric = part == self._all and self.classes is not None
        choices: list[Choice] = []
        for question, cells in self._cells.items():
            parts = tuple(cell & part for cell in cells if cell & part)
            if len(parts) == 1:
                continue
            choice = Choice(question, int(costs[question]), parts)
            same = frozenset(parts)
            if symmetric:  # a renaming may take one of two that are alike to the other
                choices.append(choice)
            elif same not in cheapest or choice.cost < cheapest[same].cost:
                cheapest[same] = choice
        choices = choices or [*cheapest.values()]
        if not symmetric and len(choices) <= MOST_COMPARED:
            choices = [one for one in choices if not any(_replaces(other, one) for other in choices)]
        many = sorted((len(choice.parts) for choice in choices), reverse=True)
        local = Local(part, choices, many, sorted(choice.cost for choice in choices))
        if len(self._local) >= MOST_LOCAL:
            self._local.clear()
        self._local[part] = local
        return local

    def _counted(self, part: int) -> int:
        """Return at least what a set costs in any number of stages, by counting.

        A path of m questions has at most as many ends, with the paths beside it, as the m largest numbers of
        parts multiplied; so some path asks as many questions as that takes for all kinds. They differ, and
        cost at least as much as the cheapest.
        """
        needed = max((self._many(one) for one in self._parts(part)), default=1)
        local, paid, ends = self._local_of(part), 0, 1
        for many, cost in zip(local.many, local.costs, strict=True):
            if ends >= needed:
                return paid
            ends *= many
            paid += cost
        return paid

    # -- is it within a budget -------------------------------------------------------------------------------

    def _within(self, part: int, stages: int, budget: int) -> Round | None:
        """Return a plan of so many stages that costs at most the budget; None: there is none."""
        for fewer in range(self.stages + 1 if stages == ADAPTIVE else stages, -1, -1):
            found = self._high.get((part, fewer))
            if found is not None and found.cost <= budget and (fewer or stages == ADAPTIVE):
                return found
        if self._low.get((part, stages), 0) > budget or self._low.get((part, ADAPTIVE), 0) > budget:
            return None
        if len(self._high) + len(self._low) > MOST_KNOWN:
            self._high.clear()
            self._low.clear()
        self._heed()
        if self._counted(part) > budget:
            found = None
        elif stages == ADAPTIVE:
            found = self._adaptive(part, budget)
        elif self._within(part, ADAPTIVE, budget) is None:
            found = None
        elif stages >= self._most(part, budget):
            found = self._adaptive(part, budget)
        elif stages == 1:
            found = self._last(part, budget)
        else:
            found = self._staged(part, stages, budget)
        if found is None:
            self._low[part, stages] = max(self._low.get((part, stages), 0), budget + 1)
        else:
            self._high[part, stages] = found
        return found

    def _most(self, part: int, budget: int) -> float:
        """Return how many stages are enough for a budget to be spent question by question."""
        if part == self._all and self._begin:
            return inf  # what is asked in any case is asked with other questions
        costs = accumulate(self._local_of(part).costs)
        return sum(1 for cost in costs if cost <= budget)

    def _adaptive(self, whole: int, budget: int) -> Round | None:
        """Return what to ask first of a set, so that it takes at most the budget, question by question."""
        parts = self._parts(whole)
        if parts != [whole]:
            return self._after((), 0, parts, ADAPTIVE, budget)
        choices = self._local_of(whole).choices
        if whole == self._all and (orbits := self._orbits_after(())) is not None:
            first = [next(bits(orbit)) for orbit in orbits]
            choices = [choice for choice in choices if choice.question in first]
        for choice in sorted(choices, key=lambda one: (max(map(int.bit_count, one.parts)), one.cost)):
            left = budget - choice.cost
            if left < 0:
                continue
            found = self._after((choice.question,), choice.cost, self._open(choice.parts), ADAPTIVE, left)
            if found is not None:
                return found
        return None

    def _after(
        self, kit: tuple[int, ...], paid: int, parts: Sequence[int], stages: int, budget: int
    ) -> Round | None:
        """Return a kit with what follows for the parts that it makes, each within a budget, or None."""
        worst, after = 0, {}
        for part in parts:
            found = self._within(part, stages, budget)
            if found is None:
                return None
            worst, after[part] = max(worst, found.cost), found
        return Round(kit, paid + worst, after)

    def _open(self, parts: Sequence[int]) -> list[int]:
        """Return the parts that are not of one kind, the largest first."""
        return sorted((p for p in parts if not self._settled(p)), key=int.bit_count, reverse=True)

    # -- the last stage --------------------------------------------------------------------------------------

    def _last(self, whole: int, budget: int) -> Round | None:
        """Return a kit that tells a set apart within the budget; None: there is none."""
        local = self._local_of(whole)
        kit = self._cover(local, self._open(self._parts(whole)), budget, (1 << len(local.choices)) - 1)
        if kit is None:
            return None
        return Round(
            tuple(local.choices[i].question for i in kit), sum(local.choices[i].cost for i in kit), {}
        )

    def _cover(self, local: Local, parts: list[int], budget: int, allowed: int) -> tuple[int, ...] | None:
        """Return places of allowed choices that tell parts apart within a budget."""
        self._heed()
        if not parts:
            return ()
        if not self._has_room(local, parts, budget):
            return None
        used = paid = 0
        choices, fewest = 0, inf
        for a, b in islice(self._hard_pairs(parts), 4 * NEAR):
            row = local.telling(a, b) & allowed
            if not row:
                return None
            if not row & used:  # pairs without a common question: each needs one of its own
                used |= row
                paid += min(local.choices[i].cost for i in bits(row))
            if row.bit_count() < fewest:
                choices, fewest = row, row.bit_count()
        if paid > budget:
            return None
        ranked = []
        for i in bits(choices):
            if local.choices[i].cost <= budget:
                left = self._open(_split(parts, local.choices[i].parts))
                ranked.append((left[0].bit_count() if left else 0, len(left), i, left))
        for _, _, i, left in sorted(ranked, key=lambda one: one[:3]):
            allowed &= ~(1 << i)
            found = self._cover(local, left, budget - local.choices[i].cost, allowed)
            if found is not None:
                return (i, *found)
        return None

    def _has_room(self, local: Local, parts: Sequence[int], budget: int) -> bool:
        """Return whether counting allows the budget, see `_counted`."""
        ends = 1
        for many, cost in zip(local.many, local.costs, strict=True):
            budget -= cost
            if budget < 0:
                break
            ends *= many
        return all(self._many(part) <= ends for part in parts)

    def _hard_pairs(self, parts: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield pairs of two kinds, some of each part."""
        for part in parts:
            some = combinations(bits(part), 2)
            apart = (pair for pair in some if self._kind_of[pair[0]] != self._kind_of[pair[1]])
            yield from islice(apart, NEAR)

    # -- a stage before the last -----------------------------------------------------------------------------

    def _staged(self, whole: int, stages: int, budget: int) -> Round | None:
        """Return a plan whose first kit is not empty; None: there is none within the budget."""
        local = self._local_of(whole)
        symmetric = whole == self._all and self.classes is not None
        allowed = (1 << len(local.choices)) - 1
        return self._extend(local, (), self._open(self._parts(whole)), stages, budget, allowed, symmetric)

    def _extend(
        self,
        local: Local,
        kit: tuple[int, ...],
        parts: list[int],
        stages: int,
        budget: int,
        allowed: int,
        symmetric: bool,
    ) -> Round | None:
        """Return a plan whose first kit has some choices, and others of those allowed, see 2. above.

        `budget`: what is left after the kit so far.
        """
        self._heed()
        failing = self._failing(parts, stages, budget, begun=bool(kit) or parts != [local.whole])
        if isinstance(failing, Round):
            asked = [local.choices[i] for i in kit]
            paid = sum(choice.cost for choice in asked)
            return Round(tuple(one.question for one in asked), paid + failing.cost, failing.after)
        if failing == 0:
            return None
        orbits = self._orbits_of(local, kit) if symmetric else None
        ranked = []
        for i in bits(allowed):
            choice = local.choices[i]
            if choice.cost > budget or not any(failing & part not in (0, failing) for part in choice.parts):
                continue
            ranked.append((max(map(int.bit_count, _split(parts, choice.parts))), choice.cost, i))
        for _, _, i in sorted(ranked):
            if not allowed >> i & 1:
                continue
            orbit = 1 << i if orbits is None else next(mask for mask in orbits if mask >> i & 1)
            choice, more = local.choices[i], allowed & ~(1 << i)
            left = self._open(_split(parts, choice.parts))
            again = orbits is not None and len(kit) + 1 < DEEP
            found = self._extend(local, (*kit, i), left, stages, budget - choice.cost, more, again)
            if found is not None:
                return found
            allowed &= ~orbit
        return None

    def _failing(self, parts: Sequence[int], stages: int, budget: int, *, begun: bool) -> Round | int:
        """Return what follows a kit that makes some parts; or a part that it has to split; 0: no kit helps.

        The kit so far is left as it is if all parts do with one stage less. It has to have begun: a plan
        that begins with no question may ask its second kit in the first stage.
        """
        if not begun:
            return sum(parts)
        after, worst = {}, 0
        if any(self._within(part, ADAPTIVE, budget) is None for part in parts):
            return 0
        for part in parts:
            found = self._within(part, stages - 1, budget)
            if found is None:
                return part if self._within(part, stages, budget) is not None else 0
            worst, after[part] = max(worst, found.cost), found
        return Round((), worst, after)

    def _orbits_of(self, local: Local, kit: Sequence[int]) -> list[int] | None:
        """Return the orbits of choices after a kit, as masks of choices."""
        orbits = self._orbits_after(tuple(local.choices[i].question for i in kit))
        if orbits is None:
            return None
        return [
            sum(1 << i for i, choice in enumerate(local.choices) if orbit >> choice.question & 1)
            for orbit in orbits
        ]

    def _orbits_after(self, questions: tuple[int, ...]) -> list[int] | None:
        """Return the orbits of questions after some, and those asked in any case; None: each is alone."""
        if self.classes is None:
            return None
        if questions not in self._orbits:
            found = self.classes(tuple(sorted({*self._begin, *questions})))
            self._orbits[questions] = (
                None if found is None else [mask_of(found == smallest) for smallest in np.unique(found)]
            )
        return self._orbits[questions]

    # -- a first plan ----------------------------------------------------------------------------------------

    def _greedy(self, whole: int, stages: int) -> Round:
        """Return a plan: each time the question that leaves the smallest parts; kits end where it is best."""
        if (known := self._high.get((whole, stages))) is not None:
            return known
        choices = self._local_of(whole).choices
        parts, kit, paid, best = self._open(self._parts(whole)), list[int](), 0, None
        while True:
            self._heed()
            if not parts or (stages > 1 and kit):
                after = {part: self._greedy(part, stages - 1) for part in parts}
                worst = paid + max((one.cost for one in after.values()), default=0)
                if best is None or worst < best.cost:
                    best = Round(tuple(kit), worst, after)
            if not parts:
                break
            ranked = []
            for choice in choices:
                left = self._open(_split(parts, choice.parts))
                alike = sum(part.bit_count() ** 2 for part in left)
                gain = sum(part.bit_count() ** 2 for part in parts) - alike
                ranked.append((-gain / choice.cost, choice.question, choice, left))
            _, _, choice, parts = min(ranked, key=lambda one: one[:2])
            kit.append(choice.question)
            paid += choice.cost
        assert best is not None
        self._high[whole, stages] = best
        return best


def _split(parts: Sequence[int], cells: Sequence[int]) -> list[int]:
    """Return what a question makes of parts."""
    return [part & cell for part in parts for cell in cells if part & cell]


def _replaces(fine: Choice, coarse: Choice) -> bool:
    """Return whether a question tells more apart than another of another partition, and costs no more."""
    if fine.cost > coarse.cost or len(fine.parts) <= len(coarse.parts):
        return False
    return all(any(not part & ~cell for cell in coarse.parts) for part in fine.parts)
