"""Plain twin of the compiled search over costs: the same steps, counts and results, written to be read.

A question costs `costs[guess, response]`. The *value* of a set of candidates is the least, over all
strategies, of the weighted sum of what its secrets pay, or (`worst`) of the most that one of them pays.

With a budget, `left` of it for the set, a secret that pays more is lost: each unit of its weight then pays
`lost + left` in place of what it would. A path that spent `spent` before pays `lost + left + spent` in all,
which is the same wherever it ends, and more than any path within the budget: the fewest are lost, then the
won pay least. A set may be given up, so that all of it is lost. Without a budget `left` is -1.

With `rate` 0 only what is lost counts: costs use up the budget, and add nothing to the value.

With a limit of guesses, `depth` of them for the set, a set that cannot be settled with so many has the value
INFINITE, or within a budget that of giving it up. Where earlier responses limit what may be asked, a set has
*needs*, see `reference_counted`.

Two facts hold throughout, because no cost is negative: a question with one response on the set never helps
(leave it out of a strategy: all paths remain, none costs more); and a strategy for a set, restricted to a
subset, is one for the subset in which nobody pays more.

A beam may count *deviations* (Harvey and Ginsberg 1995): each path asks the guess that is tried first in its
state, except so often. The time that it takes is then a power of the length of paths, not of the width.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .outcome import Outcome
from .reference_core import Ints, alone
from .reference_pricing import ANY, INFINITE, SMALL, Asked, Pricer

UNLIMITED = 1 << 30
WORTH_BOUNDS = 16
"""Where deviations are counted, larger parts are not bounded one step ahead."""


@dataclass
class Part:
    """A part of a partition: its secrets, what the question costs them (`paid`), at least what follows."""

    asked: Asked
    cost: int
    paid: int
    bound: int
    exact: bool
    ahead: bool


class Searcher(Pricer):
    """Search for the value of sets of candidates, remembering what was found.

    See `reference_pricing.Pricer` for its arguments.
    """

    @alone
    def search(
        self,
        candidates: Ints,
        left: int,
        beta: int,
        budget: int = 0,
        depth: int = UNLIMITED,
        history: tuple[int, ...] | None = (),
    ) -> Outcome:
        """Search for the value of the candidates below beta, with so much left of the budget, or -1.

        `budget`: evaluations after which the search ends, 0: never. `depth`: guesses left. `history`: see
        `reference_core.Core.begin`. The guess is -1 where all candidates are given up.
        """
        self.begin(history, budget)
        asked = self.asked(candidates, left, depth, history)
        value = self.value(asked, beta, top=True)
        guess = -1
        if not self.ended and value < beta and len(asked.members) > 1:
            guess = self.known(asked).guess
        return self.outcome(value, beta, guess)

    @alone
    def choice(
        self, candidates: Ints, left: int, depth: int = UNLIMITED, history: tuple[int, ...] | None = ()
    ) -> int:
        """Return a guess that reaches the value of at least two candidates; -1: they are given up.

        Raises ValueError when there is no strategy, or none is found before the search is stopped.
        """
        asked = self.asked(candidates, left, depth, history)
        # With as many deviations left as were, or fewer: the best that is known.
        spares = range(asked.spare, -1, -1) if asked.spare != ANY else [ANY]
        keys = [self.key(replace(asked, spare=spare)) for spare in spares]
        some = [known for known in map(self.memo.get, keys) if known is not None]
        some = [known for known in some if known.lower >= known.upper and known.upper < INFINITE]
        if some:
            return min(some, key=lambda known: known.upper).guess
        found = self.search(candidates, left, INFINITE, 0, depth, history)
        if found.ended or found.upper >= INFINITE:
            raise ValueError(f"no strategy is known for {len(candidates)} candidates")
        return found.guess

    @alone
    def bound(
        self, candidates: Ints, left: int, depth: int = UNLIMITED, history: tuple[int, ...] | None = ()
    ) -> tuple[int, bool]:
        """Return at least the value of the candidates, one step ahead, and whether it is exactly that."""
        asked = self.asked(candidates, left, depth, history)
        members = asked.members
        if len(members) == 1:
            return self.single(members[0], left, depth), True
        if self.dead(len(members), depth, asked.most):
            return self.lost_all(self.weight(members), left), True
        known = self.known(asked)
        if not known.bounded and known.lower < known.upper:
            ahead = self.ahead(asked)
            return max(ahead.lower, known.lower), max(ahead.lower, known.lower) >= ahead.upper
        return known.lower, known.lower >= known.upper

    def asked(self, candidates: Ints, left: int, depth: int, history: tuple[int, ...] | None) -> Asked:
        """Return what is asked: the candidates by their places, heaviest first."""
        members = tuple(sorted(int(self.place[s]) for s in candidates))
        needs = 0
        for guess in history or ():
            needs = self.needs_after(needs, guess, self.table[guess][members[0]])
        spare = self.deviations if len(members) > SMALL else ANY
        return Asked(members, left, depth, needs, max(self.responses, 2), spare)

    # -- one state -------------------------------------------------------------------------------------

    def value(self, asked: Asked, beta: int, *, top: bool = False) -> int:
        """Return exactly the value of a set if it is below beta, else at least beta (and a true bound)."""
        members, left = asked.members, asked.left
        # 1 finished, or out of reach?
        if len(members) == 1:
            return self.single(members[0], left, asked.depth)
        if self.dead(len(members), asked.depth, asked.most):
            return self.lost_all(self.weight(members), left)
        # 2 what is known against beta
        known = self.known(asked)
        lower = known.lower
        if lower >= beta or lower == known.upper or self.ended or self.spent():
            return lower
        self.states += 1
        # 3 all guesses on the set; those that the symmetry makes equal to a smaller one need not be tried
        scan = self.scan(asked, self.equivalents() if len(members) > SMALL else None)
        lower = max(lower, scan.lower)
        best, guess, settled, low, count = beta, -1, False, INFINITE, 0
        # 4 giving up comes first: it is a strategy
        if left >= 0:
            low = self.given_up(members, left)
            if low < best:
                best, settled = low, True
        # 5 a question that costs nothing on the set is asked at once. Let T be any strategy for the set: ask
        #   the free question, then follow T in every part. Each secret pays what it pays in T or less, and
        #   meets what T asks with as much of the budget left: no objective gets worse. (Where only candidates
        #   may be asked, T may ask what is no candidate any more; where needs, or guesses left, are changed
        #   by asking, T may not be followed; then `free` is -1.)
        beam = self.width > 0 and len(members) > SMALL
        ranked = sorted(scan.ranked, key=lambda r: (r[1], r[0], r[2])) if beam else sorted(scan.ranked)
        if scan.free >= 0:
            ranked = [(scan.lower, 0, scan.free)]
        for bound, _, number in ranked:
            # 6 all that follow are bounded at least as high (in a beam: perhaps)
            if settled and best <= lower:
                break
            if bound >= best:
                low = min(low, bound)
                if beam:
                    continue
                break
            if beam and count >= (self.width if asked.spare else 1):  # smaller sets are searched to the end
                break
            if top:
                self.lower = max(self.lower, bound)
            self.history.append(number)
            spare = asked.spare - (asked.spare != ANY and count > 0)
            total = self.guess_value(replace(asked, spare=spare), number, best, scan.most)
            self.history.pop()
            if self.ended:
                return lower
            low, count = min(low, total), count + 1
            if total < best:
                best, guess, settled = total, number, True
                if top:
                    self.upper, self.first = total, number
        # 9 store. Without a choice every guess was bounded by `low` or more.
        lower = max(lower, best if settled else low)
        self.store(asked, lower, lower if settled else INFINITE, guess)
        return lower

    def guess_value(self, asked: Asked, guess: int, best: int, most: int) -> int:
        """Return exactly the value of the set with this guess if it is below best, else at least best."""
        parts = self.parts(asked, guess, most)
        total = self.total(parts)
        # 7 bound every part one step ahead before descending into any
        for part in parts:
            if total >= best:
                return min(total, INFINITE)
            bounded = part.asked.spare == ANY or len(part.asked.members) <= WORTH_BOUNDS
            if not part.exact and not part.ahead and bounded:
                known = self.ahead(part.asked)
                if known.lower > part.bound:
                    part.bound = known.lower
                    total = self.total(parts)
                part.exact = known.lower >= known.upper
        # 8 descend, replacing bounds by values. A part matters only below what the others leave of `best`.
        for part in parts:
            if total >= best or self.ended:
                break
            if not part.exact:
                limit = best - part.cost if self.worst else best - (total - part.bound)
                part.bound = self.value(part.asked, limit)
                total = self.total(parts)
        return min(total, INFINITE)

    def total(self, parts: list[Part]) -> int:
        """Return at least what a guess costs, by what is known of its parts."""
        return (max if self.worst else sum)(part.paid + part.bound for part in parts)

    def parts(self, above: Asked, guess: int, most: int) -> list[Part]:
        """Return the parts that a guess leaves, largest first; those that are won or lost have a value."""
        cells: dict[int, list[int]] = {}
        for s in above.members:
            cells.setdefault(self.table[guess][s], []).append(s)
        parts = []
        for r, cell in sorted(cells.items(), key=lambda item: (-len(item[1]), item[0])):
            cost, inside, left = self.costs[guess][r], tuple(cell), above.left
            needs = self.needs_after(above.needs, guess, r)
            below = left - cost if left >= 0 else -1
            spare = above.spare if len(inside) > SMALL else ANY
            asked = Asked(inside, below, above.depth - 1, needs, most, spare)
            if left >= 0 and cost > left:
                parts.append(Part(asked, cost, 0, self.given_up(inside, left), True, True))
                continue
            paid = cost if self.worst else self.rate * cost * self.weight(inside)
            if r == self.winning:
                parts.append(Part(asked, cost, paid, 0, True, True))
            elif len(cell) == 1:
                parts.append(Part(asked, cost, paid, self.single(cell[0], below, asked.depth), True, True))
            elif self.dead(len(cell), asked.depth, most):
                lost = self.lost_all(self.weight(inside), below)
                parts.append(Part(asked, cost, paid, lost, True, True))
            else:
                known = self.known(asked)
                exact = known.lower >= known.upper
                parts.append(Part(asked, cost, paid, known.lower, exact, known.bounded))
        return parts
