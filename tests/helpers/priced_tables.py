"""Tiny tables with costs and weights, what they truly cost by exhaustive search, and certificates of that.

Shares nothing with the checkers: strategies are followed with what has been paid, not with what is left.
"""

import random
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import permutations
from math import factorial, inf
from pathlib import Path
from typing import Any

from certificates import cycles

WIN = "win"
ANSWERS = [WIN, *"abc"]
COLUMNS = [str(s + 1) for s in range(100)]
"""What a certificate calls secrets."""
Secrets = tuple[int, ...]
Costs = list[dict[str, int]]


@dataclass
class PricedTiny:
    """A table; `price` of each guess and response; `limit` of what is paid; what counts: see `final`.

    `only`: a guess may be asked only where it wins on a secret that is left.
    """

    answers: list[list[str]]
    price: Costs
    weights: list[int]
    win: bool
    limit: float = inf
    counts: str = "paid"  # or "lost", or "lost:won"
    only: bool = False
    found: dict[tuple[Secrets, int], float] = field(default_factory=dict)

    def everything(self) -> Secrets:
        """Return all secrets."""
        return tuple(range(len(self.weights)))

    def weight(self, members: Secrets) -> int:
        """Return the weight of some secrets."""
        return sum(self.weights[s] for s in members)

    @property
    def scale(self) -> int:
        """What a unit of weight counts that is lost, where what the others pay counts too."""
        return self.weight(self.everything()) * int(self.limit) + 1

    def final(self, paid: int) -> float:
        """Return what a unit of weight costs in the end that has paid this in all."""
        if paid <= self.limit:
            return 0 if self.counts == "lost" else paid
        return {"paid": inf, "lost": 1}.get(self.counts) or self.scale

    def parts(self, members: Secrets, guess: int) -> dict[str, Secrets]:
        """Return the parts that a guess leaves, also what it wins."""
        found: dict[str, list[int]] = {}
        for s in members:
            found.setdefault(self.answers[guess][s], []).append(s)
        return {answer: tuple(part) for answer, part in found.items()}

    def asking(self, members: Secrets, guess: int, paid: int = 0) -> float:
        """Return what the secrets cost if this guess is asked first."""
        total: float = 0
        for answer, part in self.parts(members, guess).items():
            now = paid + self.price[guess][answer]
            won = self.win and answer == WIN
            total += self.weight(part) * self.final(now) if won else self.cost(part, now)
        return total

    @property
    def goal(self) -> str:
        """The goal as a certificate has it."""
        return ("win" if self.win else "identify") + "-candidates" * self.only

    def useful(self, members: Secrets) -> list[int]:
        """Return the guesses that may be asked of the secrets, and tell something of them, or win."""
        every = ((g, self.parts(members, g)) for g in range(len(self.answers)))
        return [g for g, p in every if (self.win and WIN in p) or (len(p) > 1 and not self.only)]

    def cost(self, members: Secrets, paid: int = 0) -> float:
        """Return the least that secrets cost in the end that have paid this already, by trying all."""
        if len(members) == 1 and not self.win:
            return self.weight(members) * self.final(paid)
        key = members, paid
        if key not in self.found:
            ways = [self.asking(members, g, paid) for g in self.useful(members)]
            self.found[key] = min(ways, default=inf)
        return self.found[key]

    def bound(self, members: Secrets, paid: int) -> float:
        """Return the true bound of a claim: without what has been paid."""
        counted = 0 if self.counts == "lost" or self.limit == inf else paid
        spent = counted if self.limit < inf else paid
        return self.cost(members, paid) - spent * self.weight(members)

    def free(self, members: Secrets) -> int | None:
        """Return a guess that tells something, costs nothing, and may as well be asked first."""
        for g in [] if self.only else self.useful(members):
            if not any(self.price[g][answer] for answer in self.parts(members, g)):
                return g
        return None

    def sets(self, members: Secrets, paid: int, guess: int | None) -> list[tuple[Secrets, int]]:
        """Return what is left to ask of after a guess, or none, and all that costs nothing."""
        waiting, found = [(members, paid)], []
        if guess is not None:
            waiting = [
                (part, paid + self.price[guess][answer])
                for answer, part in self.parts(members, guess).items()
                if not (self.win and answer == WIN)
            ]
        while waiting:
            some, now = waiting.pop()
            if len(some) < 2 or now > self.limit:
                continue
            if (g := self.free(some)) is None:
                found.append((some, now))
            else:
                parts = self.parts(some, g).items()
                waiting += [(part, now) for answer, part in parts if not (self.win and answer == WIN)]
        return found

    def pattern(self, guess: int, members: Secrets) -> tuple[tuple[int, int, bool], ...]:
        """Return what a guess tells of secrets in this order, whatever its responses are called."""
        answers = [self.answers[guess][s] for s in members]
        found = [(answers.index(a), self.price[guess][a]) for a in answers]
        return tuple([(*one, self.win and a == WIN) for one, a in zip(found, answers, strict=True)])

    def images(self, members: Secrets, to: Secrets) -> dict[int, list[int]] | None:
        """Return the images of each guess that may be asked and tells something, or None."""
        if [self.weights[s] for s in members] != [self.weights[s] for s in to]:
            return None
        every = range(len(self.answers))
        useful = [g for g in self.useful(members) if len(self.parts(members, g)) > 1]
        alike: dict[tuple[tuple[int, int, bool], ...], list[int]] = {}
        for h in every:
            alike.setdefault(self.pattern(h, to), []).append(h)
        found = {g: alike.get(self.pattern(g, members), []) for g in useful}
        return found if all(found.values()) else None

    def table(self, chance: random.Random) -> bytes:
        """Return the file of the game; costs are a column for all responses where that is enough."""
        names = [f"s{i}" for i in self.everything()]
        answers = sorted({answer for row in self.answers for answer in row})
        plain = all(len({*price.values()}) == 1 for price in self.price)
        if plain and chance.random() < 0.7:
            heads = ["cost"]
            prices = [[str(next(iter(price.values())))] for price in self.price]
        else:
            usual = [chance.choice([*price.values()]) for price in self.price]
            heads = [f"cost:{answer}" for answer in answers] + ["cost"]
            prices = [
                [
                    ""
                    if price.get(answer, most) == most and chance.random() < 0.5
                    else str(price.get(answer, 0))
                    for answer in answers
                ]
                + [str(most)]
                for price, most in zip(self.price, usual, strict=True)
            ]
        lines = [["", *names, *heads]]
        lines += [
            [f"g{g}", *row, *price] for g, (row, price) in enumerate(zip(self.answers, prices, strict=True))
        ]
        if max(self.weights) > 1:
            at = chance.randint(1, len(lines))
            lines.insert(at, ["weight", *map(str, self.weights), *[""] * len(heads)])
        return "".join(",".join(line) + "\n" for line in lines).encode()

    def head(self, folder: Path, chance: random.Random) -> str:
        """Write the table, and return the head of a certificate up to the goal."""
        data = self.table(chance)
        digest = sha256(data).hexdigest()
        (folder / f"{digest[:8]}.csv").write_bytes(data)
        return f"guesstree-proof/1 priced {digest} {digest[:8]}.csv {self.goal}"

    def said(self, value: float) -> str:
        """Return a bound of the whole as a certificate has it."""
        if self.counts == "lost:won":
            return f"lost:{int(value) // self.scale}:{int(value) % self.scale}"
        return f"lost:{value}" if self.counts == "lost" else str(value)

    def text(self, head: str, value: float, proof: str, first: str = "-") -> str:
        """Return a certificate."""
        return f"{head} {first} {'-' if self.limit == inf else self.limit} {self.said(value)} {proof}\n"

    def body(
        self,
        members: Secrets,
        paid: int,
        chance: random.Random,
        proved: set[tuple[Secrets, int]],
        lies: float = 0,
        renaming: bool = False,
    ) -> str:
        """Return lemmas for all that any guess leaves with true bounds, some too high as `lies` says.

        With renamings, they are for one guess of each orbit.
        """
        items = []
        guesses: list[int | None] = [*chance.sample(range(len(self.answers)), len(self.answers))]
        if renaming and len(members) < 6:
            for to in chance.sample([*permutations(members)], min(40, factorial(len(members)))):
                images = self.images(members, to)
                if to != members and images is not None:
                    items.append(cycles(COLUMNS, members, to))
                    for one, others in images.items():
                        if one in guesses and any(h in guesses for h in others if h != one):
                            guesses.remove(one)
        for g in [None] * (self.free(members) is not None) + guesses:
            for part, now in self.sets(members, paid, g):
                if len(part) == len(members) or (part, now) in proved:
                    continue
                proved.add((part, now))
                bound = self.bound(part, now) + (chance.random() < lies)
                below = self.body(part, now, chance, proved, lies, renaming)
                items.append(f"{'-' if g is None else g + 1} {chance.choice(part) + 1} {bound} {below}\n")
        return f"( {''.join(items)})" if items else "."


def mirrored(game: PricedTiny, chance: random.Random) -> PricedTiny:
    """Return a game with images of its guesses under some permutation of its secrets, which is a renaming."""
    order = chance.sample(game.everything(), len(game.weights))
    rows, price = [*game.answers], [*game.price]
    for _ in range(3):
        rows += [[row[order[s]] for s in game.everything()] for row in rows[-len(game.answers) :]]
        price += game.price
    return replace(game, answers=rows, price=price, weights=[1] * len(order), found={})


def some_priced(
    chance: random.Random, most_secrets: int = 6, most_guesses: int = 5, *, only: bool = False
) -> PricedTiny:
    """Return a random table that can be told apart; if wanted, half of those to win ask candidates only."""
    while True:
        secrets, extra = chance.randint(1, most_secrets), chance.randint(1, most_guesses)
        win, kind = chance.random() < 0.5, chance.choice(["unit", "payer", "any", "free"])
        letters = "abc"[: chance.randint(2, 3)]
        rows = [[chance.choice(letters) for _ in range(secrets)] for _ in range(extra)]
        if win:
            rows += [
                [WIN if s == own else chance.choice(letters) for s in range(secrets)]
                for own in range(secrets)
            ]
        price = [{answer: chance.randint(1, 3) for answer in ANSWERS} for _ in rows]
        if chance.random() < 0.4:
            price = [dict.fromkeys(ANSWERS, chance.randint(1, 4)) for _ in rows]
        if kind == "free":
            price = [{answer: max(0, cost - 1) for answer, cost in some.items()} for some in price]
        elif kind == "payer":
            paying, cost = ([chance.choice(ANSWERS) for _ in rows], chance.choice([1, 1, 2]))
            price = [{answer: (answer == one) * cost for answer in ANSWERS} for one in paying]
        weights = [chance.randint(1, chance.choice([1, 5])) for _ in range(secrets)]
        limit = chance.choice([inf, chance.randint(0, 7)])
        counts = "paid" if limit == inf else chance.choice(["paid", "lost", "lost:won"])
        tiny = PricedTiny(rows, price, weights, win, limit, counts, only and win and chance.random() < 0.5)
        if PricedTiny(rows, price, weights, win).cost(tiny.everything()) < inf:
            return tiny


def four(**how: Any) -> PricedTiny:
    """Return four secrets, of which the guess that costs nothing leaves those together that cost most."""
    rows = [[WIN, *"baa"], [*"b", WIN, *"ac"], [*"aa", WIN, "a"], [*"aaa", WIN]]
    return PricedTiny(
        rows, [dict.fromkeys(ANSWERS, cost) for cost in (0, 1, 10, 10)], [1] * 4, win=True, **how
    )
