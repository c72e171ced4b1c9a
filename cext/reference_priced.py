"""Plain twin of the states with costs, weights and budgets; `reference_search` has the search.

A question costs `costs[guess, response]`. The *value* of a set of candidates is the least, over all
strategies, of the weighted sum of what its secrets pay, or (`worst`) of the most that one of them pays.

With a budget, `remaining` of it for the set, a secret that pays more is lost: each unit of its weight then
pays `penalty + remaining` in place of what it would. A path that spent `spent` before pays `penalty +
remaining + spent` in all, which is the same wherever it ends, and more than any path within the budget: the
fewest are lost, then the won pay least. A set may be given up, so that all of it is lost. Without a budget
`remaining` is -1.

With `rate` 0 only what is lost counts: costs use up the budget, and add nothing to the value.

With a limit of guesses, `depth` of them for the set, a set that cannot be settled with so many has the value
INFINITE, or within a budget that of giving it up. Where earlier responses limit what may be asked, a set has
*needs*, see `reference_counted`.

Two facts hold throughout, because no cost is negative: a question with one response on the set never helps
(leave it out of a strategy: all paths remain, none costs more); and a strategy for a set, restricted to a
subset, is one for the subset in which nobody pays more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .reference_core import Classes, Ints, Words, is_marked
from .reference_isomorph import named
from .reference_search import ANY, Child, Known, Longs, Node, Ranked, Search, Set, State

INFINITE = 1 << 62
UNLIMITED = 1 << 30
WORTH_BOUNDS = 16
"""Where discrepancies are counted, larger children are not bounded one ply ahead."""
NAMED, MET = 4096, 16
"""So many states are looked up by what those alike share; more while of one in `MET` something was known."""


@dataclass
class Scan:
    """All guesses on a set: those that may be best, and bounds of the set itself.

    `free` is a guess that costs nothing on the set, or -1; `upper` is reached by `guess`. `choices` are
    guesses with different parts; `name` and `images` are what the state and each of them are in all states
    alike, whose values are in units of `unit`.
    """

    ranked: list[Ranked]
    free: int
    most: int
    lower: int
    upper: int
    guess: int
    choices: list[int] = field(default_factory=list)
    name: Any = None
    images: list[Any] = field(default_factory=list)
    unit: int = 1


class Searcher(Search):
    """Search for the value of sets of candidates with costs and weights, remembering what was found.

    Parameters
    ----------
    table: responses 0..responses-1, uint8 or uint16, shape (guesses, secrets).
    secret_of_guess: the secret that each guess names, or -1, int32, shape (guesses,).
    winning: the response that ends the game, or -1: to identify.
    only_candidates: whether a guess must name a candidate.
    weights: at least 1, int64, shape (secrets,); 1 each with `worst`.
    costs: not negative, int64, shape (guesses, responses).
    prices: costs as the order of guesses sees them, at most 2^20, int64, shape (guesses, responses).
    min_ask, min_finish: at least what a secret pays for a guess that does not win on it, and for one that
        does; int64.
    unit: the least cost where none is 0, else 0.
    single_price: the least cost above 0 where each guess has at most one response with such a cost, else 0.
    worst: whether the value is the most that a secret pays.
    penalty: see above; used with a budget only.
    rate: what a unit of cost adds to the value: 1, or 0 where only what is lost counts; `worst` ignores it.
    features, needs: the bits of each guess, and those that each response to it demands, see `engine.rules`.
    pairs: whether a beam orders guesses by the pairs that they tell apart, not by bits.
    isomorphic: whether states that differ in names alone share what is known of them; see `recall_alike`.
    classes, digits, renaming, memory, width, jobs, discrepancies: see `reference_search.Search`; symmetry
        must keep weights and costs.
    """

    def __init__(
        self,
        table: NDArray[np.uint8] | NDArray[np.uint16],
        secret_of_guess: Ints,
        responses: int,
        winning: int,
        only_candidates: bool,
        weights: Longs,
        costs: Longs,
        prices: Longs,
        min_ask: Longs,
        min_finish: Longs,
        unit: int,
        single_price: int,
        worst: bool,
        penalty: int,
        rate: int,
        classes: Classes | None = None,
        digits: NDArray[np.uint8] | None = None,
        renaming: int = 0,
        features: Words | None = None,
        needs: Words | None = None,
        memory: int = 1 << 28,
        width: int = 0,
        jobs: int = 1,
        discrepancies: int = ANY,
        pairs: bool = False,
        isomorphic: bool = False,
    ) -> None:
        super().__init__(INFINITE, classes, digits, renaming, memory, width, jobs, features, needs)
        self.discrepancies = discrepancies
        # Heaviest first: then the secrets of every set come in that order.
        self.order = np.argsort(-weights, kind="stable").astype(np.int32)
        self.place = np.argsort(self.order).astype(np.int32)
        self.table = table[:, self.order].tolist()
        self.secret_of_guess = [int(self.place[s]) if s >= 0 else -1 for s in secret_of_guess]
        self.responses, self.winning, self.only_candidates = responses, winning, only_candidates
        self.win = winning >= 0
        self.weights, self.min_ask, self.min_finish = (
            a[self.order].tolist() for a in (weights, min_ask, min_finish)
        )
        self.costs, self.prices = costs.tolist(), prices.tolist()
        self.unit, self.single_price, self.maximum = unit, single_price, bool(worst)
        self.learns = not worst
        self.penalty, self.rate = penalty, rate
        self.shift = max(0, int(weights.sum()).bit_length() - 30)
        self.pairs = pairs
        # What may be asked of a set must be known by what guesses make of it.
        self.isomorphic = isomorphic and not only_candidates and features is None
        self.named = self.met = 0
        everything = State(tuple(range(len(self.order))), 0)
        self.whole = Node(everything, False, INFINITE, 0, INFINITE)

    def ask(self, candidates: Ints, depth: int, left: Any, history: tuple[int, ...] | None) -> State:
        """Return what is asked: the candidates by their places, heaviest first."""
        members = tuple(sorted(int(self.place[s]) for s in candidates))
        needs, remaining = 0, -1 if left is None else int(left)
        for guess in history or ():
            needs = self.needs_after(needs, guess, self.table[guess][members[0]])
        discrepancies = self.discrepancies if len(members) > self.small else ANY
        return State(members, depth, needs, remaining, max(self.responses, 2), discrepancies)

    def key(self, state: State) -> Any:
        """Return what tells a state apart; guesses left count where they may be too few."""
        depth = state.depth if self.bound_to(len(state), state.depth) else -1
        return state.members, state.remaining, depth, state.needs, state.discrepancies

    def solved(self, state: State) -> int | None:
        """Return exactly the value of one candidate, or of more that cannot be settled in time."""
        if len(state) == 1:
            return self.single(state.members[0], state.remaining, state.depth)
        if self.dead(len(state), state.depth, state.most_parts):
            return self.lost_all(self.weight(state.members), state.remaining)
        return None

    def last_guess(self, state: State) -> int:
        """Return -1: who asks knows the cheapest guess that wins."""
        return -1

    def static_bound(self, above: Node, state: State) -> int:
        """Return at least the value of two secrets or more, see `static`."""
        return self.static(state.members, state.remaining, state.most_parts)

    def rank(self, above: Node, node: Node) -> list[Ranked]:
        """Return the guesses that may be best.

        Giving up comes first: it is a strategy. Then a guess that costs nothing on the state is asked at
        once. Let T be any strategy for the state: ask the free guess, then follow T in every part. Each
        secret pays what it pays in T or less, and meets what T asks with as much of the budget left: no
        objective gets worse. (Where only candidates may be asked, T may ask what is no candidate any more;
        where needs, or guesses left, are changed by asking, T may not be followed; then `free` is -1.)
        """
        node.data = scan = self.scan(node.state, node.dropped)
        node.lower = max(node.lower, scan.lower)
        if node.state.remaining >= 0:
            node.low = self.given_up(node.state.members, node.state.remaining)
            if node.low < node.best:
                node.best, node.settled = node.low, True
        if scan.free >= 0:
            return [Ranked(scan.lower, 0, 0, scan.free)]
        if self.shares(node.state, scan) and node.lower < node.best:
            known = self.recall_alike(scan, node.state)
            node.lower = max(node.lower, known.lower)
            if known.lower >= known.upper and known.upper < node.best:
                node.best, node.settled, node.guess = known.upper, True, known.guess
            if node.lower >= node.best:
                node.low = min(node.low, node.lower)
                return []
        by_score = node.beam
        return sorted(scan.ranked, key=lambda each: (each.score, each)) if by_score else sorted(scan.ranked)

    def shares(self, state: State, scan: Scan) -> bool:
        """Return whether a state may share what is known with all alike, and that seems worth its while."""
        if not self.isomorphic or len(state) <= self.small or scan.free >= 0:
            return False
        return self.named < NAMED or MET * self.met >= self.named

    def recall_alike(self, scan: Scan, state: State) -> Known:
        """Return what is known of all states that differ from one in names and scale alone.

        A state's value follows from the weights of its secrets, from what guesses make of them, at which
        costs and which of them win, and from what is left to pay and to ask. A renaming of secrets that takes
        all this to another state's takes strategies to strategies that cost the same, and the first guess of
        one to that of the other. Guesses with the same parts at the same costs are one here: `scan` leaves
        out all but one.

        *Scale*: what a strategy takes is a sum of weights, each times what its secret pays or loses, which
        follows from costs and the budget alone. So the value is in proportion to the weights, and is kept in
        units of their greatest common divisor; with integers, at least v is at least v / unit, rounded up.
        (Of worst cases all weights are 1.)
        """
        place = {s: i for i, s in enumerate(state.members)}
        scan.unit = gcd(*(self.weights[s] for s in state.members))
        secrets = [(self.weights[s] // scan.unit, self.min_ask[s], self.min_finish[s]) for s in state.members]
        guesses = []
        for guess in scan.choices:
            parts: dict[int, list[int]] = {}
            for s in state.members:
                parts.setdefault(self.table[guess][s], []).append(place[s])
            costs = self.costs[guess]
            guesses.append([(2 * costs[r] + (r == self.winning), tuple(part)) for r, part in parts.items()])
        name, scan.images = named(secrets, guesses)
        depth = state.depth if self.bound_to(len(state), state.depth) else -1
        scan.name = name, state.remaining, depth, state.discrepancies
        self.named += 1
        self.met += scan.name in self.memo
        known = self.memo.get(scan.name, Known(0, self.infinite))
        lower, upper = (v if v == self.infinite else v * scan.unit for v in (known.lower, known.upper))
        guess = known.guess
        if guess >= 0:
            guess = scan.choices[scan.images.index(sorted(scan.images)[guess])]
        return Known(lower, upper, guess)

    def store_alike(self, node: Node, lower: int) -> None:
        """Remember what was found of a state for all alike; its guess by the place of its image in order."""
        scan = node.data
        if scan.name is not None:
            if lower < self.infinite:
                lower = -(-lower // scan.unit)
            upper, guess = (lower if node.settled else self.infinite), node.guess
            if guess >= 0:
                guess = sorted(scan.images).index(scan.images[scan.choices.index(guess)])
            self.remember(scan.name, lower, upper, guess)

    def split(self, node: Node, guess: int) -> tuple[list[Child], int]:
        """Return the children of a guess, largest first; those that are won or lost have a value."""
        parts: dict[int, list[int]] = {}
        for s in node.state.members:
            parts.setdefault(self.table[guess][s], []).append(s)
        by_size = sorted(parts.items(), key=lambda item: (-len(item[1]), item[0]))
        return [self.child(node, guess, response, tuple(part)) for response, part in by_size], 0

    def child(self, node: Node, guess: int, response: int, members: Set) -> Child:
        """Return what a guess leaves after a response, with what is known of it."""
        cost, above = self.costs[guess][response], node.state
        remaining = above.remaining - cost if above.remaining >= 0 else -1
        needs, discrepancies = (
            self.needs_after(above.needs, guess, response),
            self.pass_on(node, len(members)),
        )
        state = State(members, above.depth - 1, needs, remaining, node.data.most, discrepancies)
        if above.remaining >= 0 and cost > above.remaining:
            return Child(state, 0, self.given_up(members, above.remaining))
        paid = cost if self.maximum else self.rate * cost * self.weight(members)
        if response == self.winning:
            return Child(state, paid)
        solved = self.solved(state)
        if solved is not None:
            return Child(state, paid, solved)
        known = self.known(node, state)
        looked = known.bounded or (discrepancies != ANY and len(members) > WORTH_BOUNDS)
        return Child(state, paid, known.lower, known.lower >= known.upper, looked)

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
        return self.penalty + self.rate * left

    def single(self, s: int, left: int, depth: int) -> int:
        """Return exactly the value of one secret: the cheapest guess that wins on it, or nothing."""
        if not self.win:
            return 0
        if depth < 1:
            return self.lost_all(self.weights[s], left)
        return self.min_finish[s] if self.maximum else self.weights[s] * self.per(self.min_finish[s], left)

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
        if self.maximum:
            by_secret = sorted(self.min_ask[s] + self.min_finish[s] for s in members)[-2 if self.win else -1]
        else:
            by_secret = spared = 0
            for s in members:
                full = self.weights[s] * self.per(self.min_ask[s] + self.min_finish[s], left)
                by_secret += full
                if self.win:
                    spared = max(spared, full - self.weights[s] * self.per(self.min_finish[s], left))
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
            return depth * self.unit if self.maximum else total
        if left >= 0:
            place, reach = 1, left // self.unit
            while reach > 0 and place < len(members):
                place, reach = place * most, reach - 1
            return self.given_up(members[place:], left) if place < len(members) else 0
        if self.maximum:
            place, depth = 1, 0
            while place < len(members):
                place, depth = place * most, depth + 1
            return depth * self.unit
        return self.rate * self.unit * self.huffman(members, most)

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

    def look_ahead(self, above: Node, state: State) -> Known:
        """Return bounds of a state one ply ahead, or what is known of all alike, and remember them."""
        scan = self.scan(state, None)
        known = self.known(above, state)
        lower = max(known.lower, scan.lower)
        upper, guess = scan.upper, scan.guess
        if state.remaining >= 0:
            given = self.given_up(state.members, state.remaining)
            if given <= min(lower, upper):
                upper, guess = given, -1
        if self.shares(state, scan) and lower < upper:
            same = self.recall_alike(scan, state)
            lower = max(lower, same.lower)
            if same.lower >= same.upper:
                upper, guess = same.upper, same.guess
        if upper > lower:
            upper, guess = INFINITE, -1
        self.store(state, lower, upper, guess, bounded=True)
        return Known(lower, upper, guess, True)

    def scan(self, state: State, dropped: NDArray[np.bool_] | None) -> Scan:
        """Bound every guess on a set by the sizes, weights and costs of its parts; equals are left out.

        Guesses that make the same parts at the same costs, win on the same secret, and leave the same needs
        where those matter, have the same value. So have guesses that the symmetry makes equal: those
        `dropped` bound the set as the others do, and need not be tried.
        """
        self.evaluated(len(state))
        members, left = state.members, state.remaining
        scan = Scan([], -1, 0, INFINITE, INFINITE, -1)
        inside, seen, spared = set(members), set(), []
        for guess, row in enumerate(self.table):
            if self.only_candidates and self.secret_of_guess[guess] not in inside:
                continue
            if self.features is not None and state.needs & ~self.features[guess]:
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
                    self.needs_after(state.needs, guess, r) if len(cell) > 1 else 0,
                )
                for r, cell in cells.items()
            )
            if form in seen:
                continue
            seen.add(form)
            scan.choices.append(guess)
            bound, score, exact = 0, 0, True
            for r, cell in cells.items():
                part, closed = self.cell_bound(cell, costs[r], state, r == self.winning)
                bound = max(bound, part) if self.maximum else min(bound + part, INFINITE)
                exact = exact and closed
                log = (
                    16 * (len(cell).bit_length() - 1) + (16 * len(cell) >> (len(cell).bit_length() - 1)) - 16
                )
                score += (self.weight(tuple(cell)) >> self.shift) * (self.prices[guess][r] + log)
            if self.width:
                parts = [(self.weight(tuple(cell)), costs[r]) for r, cell in cells.items()]
                score = self.beam_score(parts)
            if not is_marked(dropped, guess):
                scan.ranked.append(Ranked(bound, score, 0, guess))
            scan.lower = min(scan.lower, bound)
            if exact and bound < scan.upper:
                scan.upper, scan.guess = bound, guess
            scan.most = max(scan.most, len(cells) + (self.win and self.winning not in cells))
            spared.append(sum(self.weight(tuple(cell)) for r, cell in cells.items() if not costs[r]))
            # Where what may be asked next depends on what was asked, or on how often, no question is free.
            free = not any(costs[r] for r in cells) and not self.bound_to(len(members), state.depth)
            if free and scan.free < 0 and not self.only_candidates and self.features is None:
                scan.free = guess
        if self.single_price and spared:
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
            gained, scale = whole * whole - sum(w * w for w in weights), whole
        else:
            gained, scale = whole * binary_log(whole) - sum(w * binary_log(w) for w in weights), 1
        return int(min(paid * float(1 << 20) * float(scale) / float(max(gained, 1)), float(1 << 62)))

    def cell_bound(self, cell: list[int], cost: int, state: State, won: bool) -> tuple[int, bool]:
        """Return at least what a part adds to the value of a guess, and whether it is exactly that."""
        members, left = tuple(cell), state.remaining
        if left >= 0 and cost > left:
            return self.given_up(members, left), True
        below = left - cost if left >= 0 else -1
        paid = cost if self.maximum else self.rate * cost * self.weight(members)
        if won:
            return paid, True
        if len(cell) == 1:
            return min(paid + self.single(cell[0], below, state.depth - 1), INFINITE), True
        if self.dead(len(cell), state.depth - 1, state.most_parts):
            return min(paid + self.lost_all(self.weight(members), below), INFINITE), True
        # What needs no second look at the part.
        if self.win:
            return paid + (self.counted(members, below, state.most_parts) if self.unit else 0), False
        if self.maximum:
            return paid + max(self.min_ask[s] for s in members), False
        return paid + sum(self.weights[s] * self.per(self.min_ask[s], below) for s in members), False

    def chain(self, members: Set, left: int, spared: list[int]) -> int:
        """Return at least the value of a set where each guess has a single response that costs something.

        `spared` is the weight that each guess costs nothing, the most first. The secrets that pay for every
        question so far are together on one path; its k questions spare at most the sum of the first k, and
        what is left pays `single_price` for each, or is one secret that the path has come to the end of. The
        first question is asked in any case.
        """
        total = weight = self.weight(members)
        heaviest = self.weights[members[0]]
        if left >= 0:
            reach = left // self.single_price
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
        return self.single_price * (steps if self.maximum else self.rate * paid)


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
