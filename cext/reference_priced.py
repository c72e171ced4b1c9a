"""Plain twin of the compiled search over costs: the same steps, counts and results, written to be read.

A question costs `costs[guess, response]`. The *value* of a set of candidates is the least, over all
strategies, of the weighted sum of what its secrets pay, or (`worst`) of the most that one of them pays.

With a budget, `left` of it for the set, a secret that pays more is lost: each unit of its weight then pays
`lost + left` in place of what it would. A path that spent `spent` before pays `lost + left + spent` in all,
which is the same wherever it ends, and more than any path within the budget: the fewest are lost, then the
won pay least. A set may be given up, so that all of it is lost. Without a budget `left` is -1.

With `rate` 0 only what is lost counts: costs use up the budget, and add nothing to the value.

Two facts hold throughout, because no cost is negative: a question with one response on the set never helps
(leave it out of a strategy: all paths remain, none costs more); and a strategy for a set, restricted to a
subset, is one for the subset in which nobody pays more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .reference_counted import BUDGET as BUDGET
from .reference_counted import COUNTERS as COUNTERS
from .reference_counted import ENTRIES as ENTRIES
from .reference_counted import EVALUATIONS as EVALUATIONS
from .reference_counted import FIRST as FIRST
from .reference_counted import LOWER as LOWER
from .reference_counted import SPENT as SPENT
from .reference_counted import STATES as STATES
from .reference_counted import STOP as STOP
from .reference_counted import UPPER as UPPER

INFINITE = 1 << 62

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Set = tuple[int, ...]


@dataclass
class Known:
    """What is known of a set with so much left: bounds of its value, exact when they are equal.

    `guess` reaches the upper bound; -1: the set is given up, or there is no upper bound yet.
    """

    lower: int
    upper: int = INFINITE
    guess: int = -1
    bounded: bool = False


@dataclass
class Part:
    """A part of a partition: its secrets, what the question costs them (`paid`), at least what follows."""

    members: Set
    left: int
    cost: int
    paid: int
    bound: int
    exact: bool
    ahead: bool


@dataclass
class Scan:
    """All guesses on a set: (bound, score, guess) of each that may be best, and bounds of the set itself.

    `free` is a guess that costs nothing on the set, or -1; `upper` is reached by `guess`.
    """

    ranked: list[tuple[int, int, int]]
    free: int
    most: int
    lower: int
    upper: int
    guess: int


class Searcher:
    """Search for the value of sets of candidates, remembering what was found.

    Parameters
    ----------
    table: responses 0..responses-1, uint8 or uint16, shape (guesses, secrets).
    own: the secret that each guess names, or -1, int32, shape (guesses,).
    winning: the response that ends the game, or -1: to identify.
    only_candidates: whether a guess must name a candidate.
    weights: at least 1, int64, shape (secrets,); 1 each with `worst`.
    costs: not negative, int64, shape (guesses, responses).
    prices: costs as the order of guesses sees them, at most 2^20, int64, shape (guesses, responses).
    pay, end: at least what a secret pays for a guess that does not win on it, and for one that does; int64.
    unit: the least cost where none is 0, else 0.
    payer: the least cost above 0 where each guess has at most one response with such a cost, else 0.
    worst: whether the value is the most that a secret pays.
    lost: see above; used with a budget only.
    rate: what a unit of cost adds to the value: 1, or with a budget also 0.
    counters: int64, shape (COUNTERS,): as in `reference_counted`.
    memory: bytes for what is remembered. The plain twin forgets nothing.
    """

    def __init__(
        self,
        table: NDArray[np.uint8] | NDArray[np.uint16],
        own: Ints,
        responses: int,
        winning: int,
        only_candidates: bool,
        weights: Longs,
        costs: Longs,
        prices: Longs,
        pay: Longs,
        end: Longs,
        unit: int,
        payer: int,
        worst: bool,
        lost: int,
        rate: int,
        counters: Longs,
        memory: int = 1 << 28,
    ) -> None:
        assert memory > 0
        # Heaviest first: then the secrets of every set come in that order.
        self.order = np.argsort(-weights, kind="stable").astype(np.int32)
        self.place = np.argsort(self.order).astype(np.int32)
        self.table = table[:, self.order].tolist()
        self.own = [int(self.place[s]) if s >= 0 else -1 for s in own]
        self.responses, self.winning, self.only_candidates = responses, winning, only_candidates
        self.win = winning >= 0
        self.weights, self.pay, self.end = (a[self.order].tolist() for a in (weights, pay, end))
        self.costs, self.prices = costs.tolist(), prices.tolist()
        self.unit, self.payer, self.worst, self.lost, self.rate = unit, payer, bool(worst), lost, rate
        self.counters = counters
        self.shift = max(0, int(weights.sum()).bit_length() - 30)
        self.entries: dict[tuple[int, Set], Known] = {}

    def search(self, candidates: Ints, left: int, beta: int) -> int:
        """Return exactly the value of the candidates if it is below beta, otherwise at least beta.

        When stopped, the return value means nothing; the counters tell what is known.
        """
        value = self.value(self.members(candidates), left, beta, max(self.responses, 2), top=True)
        self.counters[ENTRIES] = len(self.entries)
        return value

    def choice(self, candidates: Ints, left: int) -> int:
        """Return a guess that reaches the value of at least two candidates; -1: they are given up.

        Raises ValueError when there is no strategy, or none is found before the search is stopped.
        """
        members = self.members(candidates)
        known = self.entries.get((left, members))
        if known is None or known.lower < known.upper:
            self.search(candidates, left, INFINITE)
            known = self.entries.get((left, members))
        if known is None or known.lower < known.upper or known.lower >= INFINITE:
            raise ValueError(f"no strategy is known for {len(members)} candidates")
        return known.guess

    def members(self, candidates: Ints) -> Set:
        """Return the candidates by their places, heaviest first."""
        return tuple(sorted(int(self.place[s]) for s in candidates))

    # -- one state -------------------------------------------------------------------------------------

    def value(self, members: Set, left: int, beta: int, most: int, *, top: bool = False) -> int:
        """Return exactly the value of a set if it is below beta, otherwise at least beta (and a true bound).

        No guess leaves more than `most` parts of the set.
        """
        # 1 finished?
        if len(members) == 1:
            return self.single(members[0], left)
        # 2 what is known against beta
        known = self.known(members, left, most)
        lower = known.lower
        if lower >= beta or lower == known.upper or self.counters[STOP]:
            return lower
        if 0 < self.counters[BUDGET] <= self.counters[EVALUATIONS]:
            self.counters[STOP] = SPENT
            return lower
        self.counters[STATES] += 1
        # 3 all guesses on the set
        scan = self.scan(members, left, most)
        lower = max(lower, scan.lower)
        best, guess, settled, low = beta, -1, False, INFINITE
        # 4 giving up comes first: it is a strategy
        if left >= 0:
            low = self.given_up(members, left)
            if low < best:
                best, settled = low, True
        # 5 a question that costs nothing on the set is asked at once. Let T be any strategy for the set: ask
        #   the free question, then follow T in every part. Each secret pays what it pays in T or less, and
        #   meets what T asks with as much of the budget left: no objective gets worse. (Where only candidates
        #   may be asked, T may ask what is no candidate any more; then `free` is -1.)
        ranked = [(scan.lower, 0, scan.free)] if scan.free >= 0 else sorted(scan.ranked)
        for bound, _, asked in ranked:
            # 6 all that follow are bounded at least as high
            if bound >= best or (settled and best <= lower):
                low = min(low, bound)
                break
            if top:
                self.counters[LOWER] = max(int(self.counters[LOWER]), min(bound, best))
            total = self.guess_value(members, left, asked, best, scan.most)
            if self.counters[STOP]:
                return lower
            low = min(low, total)
            if total < best:
                best, guess, settled = total, asked, True
                if top:
                    self.counters[UPPER], self.counters[FIRST] = total, asked
        # 9 store. Without a choice every guess was bounded by `low` or more.
        lower = max(lower, best if settled else low)
        self.store(members, left, lower, lower if settled else INFINITE, guess)
        return lower

    def guess_value(self, members: Set, left: int, guess: int, best: int, most: int) -> int:
        """Return exactly the value of the set with this guess if it is below best, else at least best."""
        parts = self.parts(members, left, guess, most)
        total = self.total(parts)
        # 7 bound every part one step ahead before descending into any
        for part in parts:
            if total >= best:
                return min(total, INFINITE)
            if not part.exact and not part.ahead:
                known = self.ahead(part.members, part.left, most)
                if known.lower > part.bound:
                    part.bound = known.lower
                    total = self.total(parts)
                part.exact = known.lower >= known.upper
        # 8 descend, replacing bounds by values. A part matters only below what the others leave of `best`.
        for part in parts:
            if total >= best or self.counters[STOP]:
                break
            if not part.exact:
                limit = best - part.cost if self.worst else best - (total - part.bound)
                part.bound = self.value(part.members, part.left, limit, most)
                total = self.total(parts)
        return min(total, INFINITE)

    def total(self, parts: list[Part]) -> int:
        """Return at least what a guess costs, by what is known of its parts."""
        return (max if self.worst else sum)(part.paid + part.bound for part in parts)

    def parts(self, members: Set, left: int, guess: int, most: int) -> list[Part]:
        """Return the parts that a guess leaves, largest first; those that are won or lost have a value."""
        cells: dict[int, list[int]] = {}
        for s in members:
            cells.setdefault(self.table[guess][s], []).append(s)
        parts = []
        for r, cell in sorted(cells.items(), key=lambda item: (-len(item[1]), item[0])):
            cost, inside = self.costs[guess][r], tuple(cell)
            if left >= 0 and cost > left:
                parts.append(Part(inside, left, cost, 0, self.given_up(inside, left), True, True))
                continue
            below = left - cost if left >= 0 else -1
            paid = cost if self.worst else self.rate * cost * self.weight(inside)
            if r == self.winning:
                parts.append(Part(inside, below, cost, paid, 0, True, True))
            elif len(cell) == 1:
                parts.append(Part(inside, below, cost, paid, self.single(cell[0], below), True, True))
            else:
                known = self.known(inside, below, most)
                exact = known.lower >= known.upper
                parts.append(Part(inside, below, cost, paid, known.lower, exact, known.bounded))
        return parts

    # -- bounds ----------------------------------------------------------------------------------------

    def weight(self, members: Set) -> int:
        """Return the weight of a set."""
        return sum(self.weights[s] for s in members)

    def given_up(self, members: Set, left: int) -> int:
        """Return the value of giving up a set; no strategy for it is worse."""
        return self.weight(members) * self.loss(left)

    def per(self, cost: int, left: int) -> int:
        """Return what a unit of weight pays that needs this cost."""
        return self.rate * cost if left < 0 or cost <= left else self.loss(left)

    def loss(self, left: int) -> int:
        """Return what a unit of weight pays that is lost with so much left."""
        return self.lost + self.rate * left

    def single(self, s: int, left: int) -> int:
        """Return exactly the value of one secret: the cheapest guess that wins on it, or nothing."""
        if not self.win:
            return 0
        return self.end[s] if self.worst else self.weights[s] * self.per(self.end[s], left)

    def known(self, members: Set, left: int, most: int) -> Known:
        """Return what is known of a set, by counting if by nothing else."""
        found = self.entries.get((left, members))
        known = Known(0) if found is None else Known(**vars(found))
        known.lower = max(known.lower, self.static(members, left, most))
        if known.upper < known.lower:
            raise AssertionError("a bound is wrong")
        return known

    def store(
        self, members: Set, left: int, lower: int, upper: int, guess: int, *, bounded: bool = False
    ) -> None:
        """Remember bounds of a set."""
        known = self.entries.setdefault((left, members), Known(lower))
        known.lower = max(known.lower, lower)
        if upper < known.upper:
            known.upper, known.guess = upper, guess
        known.bounded |= bounded

    def static(self, members: Set, left: int, most: int) -> int:
        """Return at least the value of two secrets or more.

        *By secret*: every secret needs a question. To win, only one is won by the first, so all others also
        pay for one that does not win on them: leave out that part where it is most.

        *By counting*, where every question costs `unit` or more. To win: a guess wins on one secret and
        leaves at most most - 1 parts, so at most (most - 1)^(d - 1) are won by the d-th guess of their path;
        the heaviest first is least. To identify, the depths are those of the leaves of a tree with at most
        `most` branches, of which Huffman's has the least weighted depth. Within a budget for d guesses only
        most^d leaves can be, the others are lost.
        """
        if self.worst:
            by_secret = sorted(self.pay[s] + self.end[s] for s in members)[-2 if self.win else -1]
        else:
            by_secret = spared = 0
            for s in members:
                full = self.weights[s] * self.per(self.pay[s] + self.end[s], left)
                by_secret += full
                if self.win:
                    spared = max(spared, full - self.weights[s] * self.per(self.end[s], left))
            by_secret -= spared
        return max(by_secret, self.counted(members, left, most)) if self.unit else by_secret

    def counted(self, members: Set, left: int, most: int) -> int:
        """Return at least the value of two secrets or more, by counting; see `static`."""
        if self.win:
            total = depth = room = 0
            width = 1
            for s in members:
                if room == 0:
                    depth, room = depth + 1, width
                    width = min(width * max(most - 1, 1), len(members))
                room -= 1
                total += self.weights[s] * self.per(depth * self.unit, left)
            return depth * self.unit if self.worst else total
        if left >= 0:
            place, reach = 1, left // self.unit
            while reach > 0 and place < len(members):
                place, reach = place * most, reach - 1
            return self.given_up(members[place:], left) if place < len(members) else 0
        if self.worst:
            place, depth = 1, 0
            while place < len(members):
                place, depth = place * most, depth + 1
            return depth * self.unit
        return self.unit * self.huffman(members, most)

    def huffman(self, members: Set, most: int) -> int:
        """Return exactly the least weighted depth of the leaves of a tree with at most `most` branches.

        The lightest are joined first, in a queue; what is joined comes out in order of weight.
        """
        total, i, n = 0, len(members), len(members)
        joined: list[int] = []
        head = 0
        take = 2 + (n - 2) % (most - 1)
        while i + len(joined) - head > 1:
            weight = 0
            for _ in range(take):
                if head == len(joined) or (i > 0 and self.weights[members[i - 1]] <= joined[head]):
                    i -= 1
                    weight += self.weights[members[i]]
                else:
                    weight += joined[head]
                    head += 1
            total += weight
            joined.append(weight)
            take = most
        return total

    def ahead(self, members: Set, left: int, most: int) -> Known:
        """Return bounds of a set one step ahead (step 7), and remember them."""
        scan = self.scan(members, left, most)
        known = self.known(members, left, most)
        lower = max(known.lower, scan.lower)
        upper, guess = scan.upper, scan.guess
        if left >= 0 and self.given_up(members, left) <= min(lower, upper):
            upper, guess = self.given_up(members, left), -1
        if upper > lower:
            upper, guess = INFINITE, -1
        self.store(members, left, lower, upper, guess, bounded=True)
        return Known(lower, upper, guess, True)

    def scan(self, members: Set, left: int, most: int) -> Scan:
        """Bound every guess on a set by the sizes, weights and costs of its parts; equals are left out.

        Guesses that make the same parts at the same costs, and win on the same secret, have the same value.
        """
        self.counters[EVALUATIONS] += 1
        scan = Scan([], -1, 0, INFINITE, INFINITE, -1)
        inside, seen, spared = set(members), set(), []
        for guess, row in enumerate(self.table):
            if self.only_candidates and self.own[guess] not in inside:
                continue
            cells: dict[int, list[int]] = {}
            for s in members:
                cells.setdefault(row[s], []).append(s)
            if len(cells) < 2:
                continue
            costs = self.costs[guess]
            form = frozenset((tuple(cell), costs[r], r == self.winning) for r, cell in cells.items())
            if form in seen:
                continue
            seen.add(form)
            bound, score, exact = 0, 0, True
            for r, cell in cells.items():
                part, closed = self.cell_bound(cell, costs[r], left, r == self.winning, most)
                bound = max(bound, part) if self.worst else bound + part
                exact = exact and closed
                log = (
                    16 * (len(cell).bit_length() - 1) + (16 * len(cell) >> (len(cell).bit_length() - 1)) - 16
                )
                score += (self.weight(tuple(cell)) >> self.shift) * (self.prices[guess][r] + log)
            scan.ranked.append((bound, score, guess))
            scan.lower = min(scan.lower, bound)
            if exact and bound < scan.upper:
                scan.upper, scan.guess = bound, guess
            scan.most = max(scan.most, len(cells) + (self.win and self.winning not in cells))
            spared.append(sum(self.weight(tuple(cell)) for r, cell in cells.items() if not costs[r]))
            free = not any(costs[r] for r in cells)
            if free and scan.free < 0 and not self.only_candidates:
                scan.free = guess
        if self.payer and spared:
            scan.lower = max(scan.lower, self.chain(members, left, sorted(spared, reverse=True)))
        if left >= 0:
            scan.lower = min(scan.lower, self.given_up(members, left))
        return scan

    def cell_bound(self, cell: list[int], cost: int, left: int, won: bool, most: int) -> tuple[int, bool]:
        """Return at least what a part adds to the value of a guess, and whether it is exactly that."""
        members = tuple(cell)
        if left >= 0 and cost > left:
            return self.given_up(members, left), True
        below = left - cost if left >= 0 else -1
        paid = cost if self.worst else self.rate * cost * self.weight(members)
        if won:
            return paid, True
        if len(cell) == 1:
            return paid + self.single(cell[0], below), True
        # What needs no second look at the part.
        if self.win:
            return paid + (self.counted(members, below, most) if self.unit else 0), False
        if self.worst:
            return paid + max(self.pay[s] for s in members), False
        return paid + sum(self.weights[s] * self.per(self.pay[s], below) for s in members), False

    def chain(self, members: Set, left: int, spared: list[int]) -> int:
        """Return at least the value of a set where each guess has a single response that costs something.

        `spared` is the weight that each guess costs nothing, the most first. The secrets that pay for every
        question so far are together on one path; its k questions spare at most the sum of the first k, and
        what is left pays `payer` for each, or is one secret that the path has come to the end of. The first
        question is asked in any case.
        """
        total = weight = self.weight(members)
        heaviest = self.weights[members[0]]
        if left >= 0:
            reach = left // self.payer
            some = sum(spared[:reach])
            covered = max(some + heaviest, some + sum(spared[reach : reach + 1]))
            return max(0, weight - covered) * self.loss(left)
        paid = steps = 0
        for k, more in enumerate(spared):
            total -= more
            term = total - (heaviest if k else 0)
            if term <= 0:
                break
            paid, steps = paid + term, steps + 1
        return self.payer * (steps if self.worst else paid)
