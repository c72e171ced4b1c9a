"""Check a certificate of a small game in which questions cost: `python verify/priced.py FILE.proof`.

Slow and plain, from the text of PRICED.md and its P1 to P9. Status 0: accepted; 1: refused, with the line;
2: a file cannot be read. A cost is an integer, or inf where it cannot be done.
"""

import heapq
import re
import sys
from itertools import accumulate
from math import inf
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from checking import Checker as AnyChecker
from checking import Claim, Images, need, pattern, rows_of, run, whole

MOST_SUM = 10**17  # of weights times what is paid
GOALS = {"win": (True, False), "win-candidates": (True, True), "identify": (False, False)}
SMALL = 10  # sets of so many secrets are searched to the end (P6)
Set = tuple[int, ...]  # numbers of secrets, rising
State = tuple[Set, float]  # secrets, and what each of them may still pay


class Game:
    """A table with what its guesses cost and its secrets weigh, and what counts: bounds of states."""

    def __init__(self, data: bytes, win: bool, candidates: bool) -> None:
        (_, *head), *rows = rows_of(data)
        own = [c for c, name in enumerate(head) if not re.match("cost(:|$)", name)]
        costs = [name for name in head if re.match("cost(:|$)", name)]
        need(
            own and len({*costs}) == len(costs) < 4098,
            "no secret, or a column of costs twice, or 4098 of them",
        )
        weights = [row[1:] for row in rows if row[0] == "weight"]
        need(len(weights) < 2 and len(rows) > len(weights), "two rows of weights, or no guess")
        self.win, self.candidates, self.secrets = win, candidates, tuple(range(len(own)))
        self.weight = [whole(weights[0][c], least=1) if weights else 1 for c in own]
        self.answer: list[list[str]] = []
        self.wins: list[list[bool]] = []
        self.price: list[list[int]] = []
        for _, *cells in (row for row in rows if row[0] != "weight"):
            usual = whole(cells[head.index("cost")]) if "cost" in head else 1
            special = [c for c, name in enumerate(head) if name.startswith("cost:") and cells[c]]
            named = {head[c][5:]: whole(cells[c]) for c in special}
            self.answer.append([cells[c] for c in own])
            self.wins.append([win and cells[c] == "win" for c in own])
            self.price.append([named.get(cells[c], usual) for c in own])
            need(all(self.answer[-1]), "an empty cell")
            need(len({*self.answer[-1]} - ({"win"} if win else set())) <= 4096, "4097 responses to a guess")
            need(sum(self.wins[-1]) < 2, "a guess wins on two secrets")
        need(not win or all(map(any, zip(*self.wins, strict=True))), "no guess wins on some secret")
        self.guesses = range(len(self.answer))
        self.exact: dict[State, float] = {}
        self.seen: dict[State, float] = {}
        self.find_prices()

    def find_prices(self) -> None:
        """Find at least what secrets pay, from guesses that tell something or win; of candidates, win."""
        told = {g for g in self.guesses if not self.candidates and self.tells(g, self.secrets)}
        some = [g for g in self.guesses if g in told or any(self.wins[g])]
        self.pay, self.end = (
            [
                min((self.price[g][s] for g in some if self.wins[g][s] == won), default=inf)
                for s in self.secrets
            ]
            for won in (False, True)
        )
        most = max(1, *(max(row) for row in self.price))  # a guess that tells nothing may be asked, too
        need(most * sum(self.weight) * len(self.secrets) <= MOST_SUM, "costs and weights are too large")
        prices = {self.price[g][s] for g in some for s in self.secrets}
        paying = [{self.answer[g][s] for s in self.secrets if self.price[g][s]} for g in some]
        chained = prices > {0} and all(len(answers) < 2 for answers in paying)
        self.unit, self.payer = min(prices, default=0), min(prices - {0}) if chained else 0

    def counts(self, penalty: float, rate: int) -> None:
        """Say what counts: a unit of weight that is lost with so much left costs penalty + rate * left."""
        self.penalty, self.rate = penalty, rate

    def lost(self, left: float) -> float:
        """Return what a unit of weight costs that is lost with so much left."""
        return self.penalty + self.rate * left if self.penalty < inf else inf

    def per(self, paid: float, left: float) -> float:
        """Return what a unit of weight costs that pays this."""
        return self.lost(left) if paid > left or paid == inf else self.rate * paid

    def tells(self, g: int, members: Set) -> bool:
        """Return whether the secrets do not all answer alike to a guess."""
        return len({self.answer[g][s] for s in members}) > 1

    def allowed(self, g: int, members: Set) -> bool:
        """Return whether a guess may be asked: of candidates, if it wins on one of them (P7)."""
        return not self.candidates or any(self.wins[g][s] for s in members)

    def useful(self, members: Set) -> list[int]:
        """Return the guesses that may be asked and tell the secrets apart."""
        return [g for g in self.guesses if self.allowed(g, members) and self.tells(g, members)]

    def costly(self, g: int, members: Set) -> bool:
        """Return whether a guess costs any of the secrets something."""
        return any(self.price[g][s] for s in members)

    def asked(self, members: Set, left: float, g: int | None) -> tuple[float, list[State]]:
        """Return what is paid for a guess and by who is settled then, and the sets left open (P2)."""
        total: float = 0
        parts, waiting = list[State](), [(members, left)]
        if g is not None:
            groups: dict[tuple[str, int], list[int]] = {}
            for s in members:
                groups.setdefault((self.answer[g][s], self.price[g][s]), []).append(s)
            total += sum(self.weight[s] * self.per(self.price[g][s], left) for s in members)
            waiting = [
                (tuple(some), left - cost)
                for (_, cost), some in groups.items()
                if cost <= left and not self.wins[g][some[0]]
            ]
        while waiting:
            some, rest = waiting.pop()
            free = [] if self.candidates else [g for g in self.useful(some) if not self.costly(g, some)]
            if len(some) == 1:
                total += self.weight[some[0]] * self.per(self.end[some[0]], rest) if self.win else 0
            elif not free:
                parts.append((some, rest))
            else:
                for answer in {self.answer[free[0]][s] for s in some}:
                    part = tuple([s for s in some if self.answer[free[0]][s] == answer])
                    if not self.wins[free[0]][part[0]]:
                        waiting.append((part, rest))
        return total, parts

    def images(self, members: Set, to: dict[int, int]) -> dict[int, int]:
        """Return the image of each useful guess under a renaming of the secrets (P9)."""

        def of(g: int, some: Set) -> tuple[Any, ...]:
            return pattern(
                [self.answer[g][s] for s in some], [(self.price[g][s], self.wins[g][s]) for s in some]
            )

        known = {of(g, tuple([to[s] for s in members])): g for g in self.guesses}
        found = {g: known.get(of(g, members), -1) for g in self.useful(members)}
        need(-1 not in found.values(), "the renaming has no image of a guess")
        return found

    def value(self, state: State) -> float:
        """Return what a small set costs, by trying all (P1, P2)."""
        if state not in self.exact:
            ways = (self.asked(*state, g) for g in self.useful(state[0]))
            self.exact[state] = min((paid + sum(map(self.value, parts)) for paid, parts in ways), default=inf)
        return self.exact[state]

    def branches(self, members: Set) -> int:
        """Return the most parts that a guess leaves which may be asked, without the one that it wins."""
        asked = [g for g in self.guesses if self.allowed(g, members)]
        return max(len({self.answer[g][s] for s in members if not self.wins[g][s]}) for g in asked)

    def counting(self, members: Set, left: float, most: int) -> float:
        """Return at least what two secrets or more cost if guesses leave so many parts at most (P3, P4)."""
        if not self.win:
            paid = sum(self.weight[s] * self.per(self.pay[s], left) for s in members)
            return max(paid, self.leaves(members, left, most) if self.unit else 0)
        full = [self.weight[s] * self.per(self.pay[s] + self.end[s], left) for s in members]
        last = [self.weight[s] * self.per(self.end[s], left) for s in members]
        paid = min(last[i] + sum(full[:i] + full[i + 1 :]) for i in range(len(members)))
        heavy = sorted((self.weight[s] for s in members), reverse=True)
        depth = 0
        deep: float = 0
        while heavy and self.unit:
            some = min(max(most, 1) ** depth, len(heavy))
            depth += 1
            deep += sum(weight * self.per(depth * self.unit, left) for weight in heavy[:some])
            del heavy[:some]
        return max(paid, deep)

    def leaves(self, members: Set, left: float, most: int) -> float:
        """Return at least what the leaves of a tree with so many branches cost (P4)."""
        weights = sorted(self.weight[s] for s in members)
        if most < 2:
            return inf
        if left < inf:
            reached, steps = 1, 0
            while reached < len(members) and steps < left // self.unit:
                reached, steps = reached * most, steps + 1
            if reached < len(members):
                return sum(weights[: len(members) - reached]) * self.lost(left)
        if self.penalty < inf:
            return 0
        total, weights = 0, [0] * (-(len(weights) - 1) % (most - 1)) + weights
        heapq.heapify(weights)
        while len(weights) > 1:
            joined = sum(heapq.heappop(weights) for _ in range(most))
            heapq.heappush(weights, joined)
            total += joined
        return self.unit * total

    def chain(self, members: Set, left: float) -> float:
        """Return at least what a set costs where one response to a guess costs something at most (P5)."""
        if not self.payer:
            return 0
        every = [sum(self.weight[s] for s in members if not self.price[g][s]) for g in self.useful(members)]
        spared, heaviest = sorted(every, reverse=True), max(self.weight[s] for s in members)
        on_path = [sum(self.weight[s] for s in members) - gone for gone in accumulate(spared, initial=0)]
        paid = 0
        bound: float = 0
        if left < inf:
            reach = min(int(left // self.payer), len(spared))
            rest = min(on_path[reach] - heaviest, on_path[min(reach + 1, len(spared))])
            bound = rest * self.lost(left) if rest > 0 else 0
        if self.penalty == inf:
            for k in range(len(spared)):
                if on_path[k + 1] <= 0 or (k and on_path[k] <= heaviest):
                    break
                paid += self.payer * on_path[k + 1]
        return max(bound, paid)

    def ahead(self, state: State) -> float:
        """Return at least what a set costs, by one step ahead and small sets (P6)."""
        if len(state[0]) <= SMALL:
            return self.value(state)
        if state not in self.seen:
            most = self.branches(state[0])
            found = [inf]
            for g in self.useful(state[0]):
                paid, parts = self.asked(*state, g)
                found.append(paid + sum(self.quick(part, most) for part in parts))
            floor = max(self.counting(*state, most), self.chain(*state))
            self.seen[state] = max(min(found), floor)
        return self.seen[state]

    def quick(self, state: State, most: int) -> float:
        """Return at least what a part costs, without looking ahead."""
        return self.value(state) if len(state[0]) <= SMALL else self.counting(*state, most)


class Checker(AnyChecker):
    """A certificate, and the claims that were proved."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.memory: dict[Set, dict[float, float]] = {}  # bounds, by what is left

    def check(self) -> str:
        """Return what the certificate proves."""
        need(self.take() == "guesstree-proof/1" and self.take() == "priced", "no guesstree-proof/1 priced")
        digest, name, goal = self.take(), self.take(), self.take()
        need(goal in GOALS and len(digest) == 64, "no goal, or no SHA-256")
        game = self.game = Game(self.file(name, digest), *GOALS[goal])
        self.guesses, self.secrets = ({str(i + 1): i for i in some} for some in (game.guesses, game.secrets))
        first, left = self.first(self.guesses), self.number(endless="-")
        if first is not None:
            need(game.allowed(first, game.secrets), "the first guess wins on no secret: it may not be asked")
        bound = self.cost(cost := self.take(), left)
        self.prove_all(Claim(game.secrets, left, bound, first))
        seen = f"({len(game.guesses)} guesses, {self.lemmas} lemmas)"
        return f"verified: {len(game.secrets)} secrets cost at least {cost}, within {left} {seen}"

    def cost(self, word: str, left: float) -> float:
        """Return the bound of the whole, and say what counts."""
        self.game.counts(inf, 1)
        if not word.startswith("lost:"):
            return inf if word == "inf" else whole(word)
        most, numbers = sum(self.game.weight), [whole(part) for part in word.split(":")[1:]]
        need(left < inf and len(numbers) < 3 and numbers[0] <= most, f"{word[:40]}: nothing that can be lost")
        scale = most * left + 1
        need(most * scale <= MOST_SUM, "weights and the limit are too large")
        self.game.counts(*((1, 0) if len(numbers) == 1 else (scale - left, 1)))
        need(len(numbers) == 1 or numbers[1] < scale, f"{word[:40]}: more than can be paid")
        return numbers[0] if len(numbers) == 1 else numbers[0] * scale + numbers[1]

    def known(self, state: State) -> float:
        """Return the best bound that was proved (P8)."""
        members, left = state
        falls = self.game.penalty == inf or not self.game.rate
        found = self.memory.get(members, {}).items()
        return max((bound for at, bound in found if at == left or (falls and at > left)), default=0)

    def part(self, claim: Claim, word: str) -> tuple[int | None, Claim]:
        """Read what a lemma is about."""
        guess = None if word == "-" else self.place(self.guesses, word)
        secret, least = self.place(self.secrets), self.number(endless="inf")
        found = [part for part in self.game.asked(claim.members, claim.left, guess)[1] if secret in part[0]]
        need(found, "the secret is not in the set, or settled")
        return guess, Claim(*found[0], least)

    def renaming(self, claim: Claim) -> Images:
        """Read the cycles of a renaming of the secrets of a set (P9)."""
        to = self.cycles({s: self.game.weight[s] for s in claim.members})
        return self.game.images(claim.members, to)

    def guesses_of(self, claim: Claim) -> list[int | None]:
        """Return the guesses that tell the set apart, or the only one that need be asked (P1, P2, P7)."""
        alone, state = len(claim.members) == 1, (claim.members, claim.left)
        if claim.fixed is not None:
            return [None if alone and not self.game.win else claim.fixed]
        if self.game.asked(*state, None)[1] != [state]:
            return [None]
        return [*self.game.useful(claim.members)]

    def shown(self, claim: Claim) -> bool:
        """Return whether what is proved, or a bound of the set itself, is enough."""
        game, state = self.game, (claim.members, claim.left)
        if self.known(state) >= claim.bound:
            return True
        if claim.fixed is not None or game.asked(*state, None)[1] != [state]:
            return False
        return max(game.counting(*state, game.branches(claim.members)), game.chain(*state)) >= claim.bound

    def passes(self, claim: Claim, guess: int | None) -> bool:
        """Return whether it is shown that asking this guess first costs at least the bound."""
        game, most = self.game, self.game.branches(claim.members)
        total, parts = game.asked(claim.members, claim.left, guess)
        bounds = [max(self.known(part), game.counting(*part, most)) for part in parts]
        for i, part in enumerate(parts):
            if total + sum(bounds) >= claim.bound:
                break
            bounds[i] = max(bounds[i], game.ahead(part))
        return total + sum(bounds) >= claim.bound

    def remember(self, claim: Claim) -> None:
        """Keep a claim."""
        of = self.memory.setdefault(claim.members, {})
        of[claim.left] = max(of.get(claim.left, 0), claim.bound)


if __name__ == "__main__":
    run(Checker)
