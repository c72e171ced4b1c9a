"""Plain twin of the bounds of the search over costs; `reference_priced` explains the contract."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .reference_core import Classes, Core, Ints, Words, is_marked

INFINITE = 1 << 62
SMALL = 4
"""Sets of more secrets are worth symmetry, and the order of a beam."""
ANY = -1
"""Deviations: as many as there are."""

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


@dataclass(frozen=True)
class Asked:
    """Some secrets, the heaviest first, and what may still be asked of them.

    `left` is what is left of the budget, or -1; `depth` how many guesses are left; `needs` what the history
    demands of them. No guess makes more than `most` parts. `spare` is how many deviations are left, or ANY.
    """

    members: Set
    left: int
    depth: int
    needs: int
    most: int
    spare: int = ANY


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


class Pricer(Core):
    """A game with weights and costs, and bounds of one set at a time.

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
    features, needs: the bits of each guess, and those that each response to it demands, see `engine.rules`.
    deviations: in a beam, how often a path may ask another guess than the first that is tried, ANY: always.
    pairs: whether a beam orders guesses by the pairs that they tell apart, not by bits.
    classes, digits, renaming, memory, width, jobs: see `reference_core.Core`; symmetry must keep weights and
        costs.
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
        classes: Classes | None = None,
        digits: NDArray[np.uint8] | None = None,
        renaming: int = 0,
        features: Words | None = None,
        needs: Words | None = None,
        memory: int = 1 << 28,
        width: int = 0,
        jobs: int = 1,
        deviations: int = ANY,
        pairs: bool = False,
    ) -> None:
        super().__init__(INFINITE, classes, digits, renaming, memory, width, jobs, features, needs)
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
        self.shift = max(0, int(weights.sum()).bit_length() - 30)
        self.deviations, self.pairs = deviations, pairs
        self.memo: dict[tuple[Set, int, int, int, int], Known] = {}

    # -- what is known ---------------------------------------------------------------------------------

    def key(self, asked: Asked) -> tuple[Set, int, int, int, int]:
        """Return what tells a set apart; guesses left count where they may be too few."""
        depth = asked.depth if self.bound_to(len(asked.members), asked.depth) else -1
        return asked.members, asked.left, depth, asked.needs, asked.spare

    def known(self, asked: Asked) -> Known:
        """Return what is known of a set, by counting if by nothing else."""
        found = self.memo.get(self.key(asked), Known(0))
        known = replace(found)
        if found.lower < found.upper:
            known.lower = max(found.lower, self.static(asked.members, asked.left, asked.most))
        if known.upper < known.lower:
            raise AssertionError("a bound is wrong")
        return known

    def store(self, asked: Asked, lower: int, upper: int, guess: int, *, bounded: bool = False) -> None:
        """Remember bounds of a set."""
        known = self.memo.setdefault(self.key(asked), Known(lower))
        known.lower = max(known.lower, lower)
        if upper < known.upper:
            known.upper, known.guess = upper, guess
        known.bounded |= bounded

    # -- bounds ----------------------------------------------------------------------------------------

    def bound_to(self, n: int, depth: int) -> bool:
        """Return whether so many guesses left may be too few: more than one a secret are never asked."""
        return depth < n - 1 + self.win

    def dead(self, n: int, depth: int, most: int) -> bool:
        """Return True only if no strategy settles so many secrets within `depth` guesses.

        By counting: d guesses with at most `most` responses tell most^d secrets apart. To win, a guess wins
        on one and leaves at most most - 1 parts, so at most (most - 1)^(d - 1) are won by the d-th.
        """
        if n == 1:
            return self.win and depth < 1
        if not self.bound_to(n, depth):
            return False
        settled, level = 1 - self.win, 1
        for _ in range(depth):
            settled = settled + level if self.win else settled * most
            level = min(level * max(most - 1, 1), n)
        return settled < n

    def lost_all(self, weight: int, left: int) -> int:
        """Return exactly the value of a set of this weight for which there is no strategy."""
        return INFINITE if left < 0 else weight * self.loss(left)

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

    def single(self, s: int, left: int, depth: int) -> int:
        """Return exactly the value of one secret: the cheapest guess that wins on it, or nothing."""
        if not self.win:
            return 0
        if depth < 1:
            return self.lost_all(self.weights[s], left)
        return self.end[s] if self.worst else self.weights[s] * self.per(self.end[s], left)

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

    def ahead(self, asked: Asked) -> Known:
        """Return bounds of a set one step ahead (step 7), and remember them."""
        scan = self.scan(asked, None)
        known = self.known(asked)
        lower = max(known.lower, scan.lower)
        upper, guess = scan.upper, scan.guess
        if asked.left >= 0 and self.given_up(asked.members, asked.left) <= min(lower, upper):
            upper, guess = self.given_up(asked.members, asked.left), -1
        if upper > lower:
            upper, guess = INFINITE, -1
        self.store(asked, lower, upper, guess, bounded=True)
        return Known(lower, upper, guess, True)

    def scan(self, asked: Asked, dropped: NDArray[np.bool_] | None) -> Scan:
        """Bound every guess on a set by the sizes, weights and costs of its parts; equals are left out.

        Guesses that make the same parts at the same costs, win on the same secret, and leave the same needs
        where those matter, have the same value. So have guesses that the symmetry makes equal: those
        `dropped` bound the set as the others do, and need not be tried.
        """
        self.evaluations += 1
        members, left = asked.members, asked.left
        scan = Scan([], -1, 0, INFINITE, INFINITE, -1)
        inside, seen, spared = set(members), set(), []
        for guess, row in enumerate(self.table):
            if self.only_candidates and self.own[guess] not in inside:
                continue
            if self.features is not None and asked.needs & ~self.features[guess]:
                continue
            cells: dict[int, list[int]] = {}
            for s in members:
                cells.setdefault(row[s], []).append(s)
            if len(cells) < 2:
                continue
            costs = self.costs[guess]
            form = frozenset(
                (
                    tuple(cell),
                    costs[r],
                    r == self.winning,
                    self.needs_after(asked.needs, guess, r) if len(cell) > 1 else 0,
                )
                for r, cell in cells.items()
            )
            if form in seen:
                continue
            seen.add(form)
            bound, score, exact = 0, 0, True
            for r, cell in cells.items():
                part, closed = self.cell_bound(cell, costs[r], asked, r == self.winning)
                bound = max(bound, part) if self.worst else min(bound + part, INFINITE)
                exact = exact and closed
                log = (
                    16 * (len(cell).bit_length() - 1) + (16 * len(cell) >> (len(cell).bit_length() - 1)) - 16
                )
                score += (self.weight(tuple(cell)) >> self.shift) * (self.prices[guess][r] + log)
            if self.width:
                parts = [(self.weight(tuple(cell)), costs[r]) for r, cell in cells.items()]
                score = self.beam_score(parts)
            if not is_marked(dropped, guess):
                scan.ranked.append((bound, score, guess))
            scan.lower = min(scan.lower, bound)
            if exact and bound < scan.upper:
                scan.upper, scan.guess = bound, guess
            scan.most = max(scan.most, len(cells) + (self.win and self.winning not in cells))
            spared.append(sum(self.weight(tuple(cell)) for r, cell in cells.items() if not costs[r]))
            # Where what may be asked next depends on what was asked, or on how often, no question is free.
            free = not any(costs[r] for r in cells) and not self.bound_to(len(members), asked.depth)
            if free and scan.free < 0 and not self.only_candidates and self.features is None:
                scan.free = guess
        if self.payer and spared:
            scan.lower = max(scan.lower, self.chain(members, left, sorted(spared, reverse=True)))
        if left >= 0:
            scan.lower = min(scan.lower, self.given_up(members, left))
        return scan

    def beam_score(self, parts: list[tuple[int, int]]) -> int:
        """Return what orders guesses in a beam, by the (weight, cost) of their parts: cost per bit, or pair.

        The cost that is left adds up over the questions to come, and each takes away its bits: the one that
        takes them at the least price is the best one step ahead (the valuation information-per-cost).
        """
        weights = [max(weight >> self.shift, 1) for weight, _ in parts]
        paid = float(sum(weight * cost for weight, cost in parts))
        whole = sum(weights)
        if self.pairs:  # of units of weight that it tells apart (the valuation reduction-per-cost)
            told, scale = whole * whole - sum(w * w for w in weights), whole
        else:
            told, scale = whole * binary_log(whole) - sum(w * binary_log(w) for w in weights), 1
        return int(min(paid * float(1 << 20) * float(scale) / float(max(told, 1)), float(1 << 62)))

    def cell_bound(self, cell: list[int], cost: int, asked: Asked, won: bool) -> tuple[int, bool]:
        """Return at least what a part adds to the value of a guess, and whether it is exactly that."""
        members, left = tuple(cell), asked.left
        if left >= 0 and cost > left:
            return self.given_up(members, left), True
        below = left - cost if left >= 0 else -1
        paid = cost if self.worst else self.rate * cost * self.weight(members)
        if won:
            return paid, True
        if len(cell) == 1:
            return min(paid + self.single(cell[0], below, asked.depth - 1), INFINITE), True
        if self.dead(len(cell), asked.depth - 1, asked.most):
            return min(paid + self.lost_all(self.weight(members), below), INFINITE), True
        # What needs no second look at the part.
        if self.win:
            return paid + (self.counted(members, below, asked.most) if self.unit else 0), False
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


def binary_log(n: int) -> int:
    """Return log2 n in units of 2^-16, rounded down, for n from 1 up to 2^31; by squaring (Briggs 1624)."""
    whole = n.bit_length() - 1
    x, fraction = n << (31 - whole), 0
    for _ in range(16):
        x = (x * x) >> 31
        fraction *= 2
        if x >> 32:
            x >>= 1
            fraction += 1
    return (whole << 16) + fraction
