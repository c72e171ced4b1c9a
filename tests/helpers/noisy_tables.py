"""Tables of tests that may get several answers as text, for their checkers, with a brute force of their own.

It reads the table that a certificate names, and follows every test in every state with fractions: no bound,
no order, nothing of the engine, of a checker, or of what tests are useful.
"""

import csv
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from math import inf, lcm, prod
from pathlib import Path

from certificates import mutated

Masses = tuple[Fraction, ...]
Step = tuple[int, str]


@dataclass(frozen=True)
class NoisyTiny:
    """A small table, line by line as its certificates have it."""

    lines: tuple[str, ...]

    @property
    def data(self) -> bytes:
        """The file."""
        return "".join(f"{line}\n" for line in self.lines).encode()

    def head(self, folder: Path) -> str:
        """Write the table into a folder, and return the first words of its certificates."""
        digest = sha256(self.data).hexdigest()
        (folder / f"{digest}.csv").write_bytes(self.data)
        return f"guesstree-proof/1 noisy {digest} {digest}.csv identify"


class Brute:
    """The values of a small table."""

    def __init__(self, table: NoisyTiny) -> None:
        (corner, *head), *rows = csv.reader(table.lines)
        width = head.index("cost")
        tests = [row for row in rows if row[0] != "weight" and row[1 + width] != "-"]
        self.cliques, self.causes, self.tests = corner == "cliques", range(width), range(len(tests))
        self.losses = [row[1 : 1 + width] for row in rows if row[0] != "weight" and row[1 + width] == "-"]
        weights = [row[1 : 1 + width] for row in rows if row[0] == "weight"] or [["1"] * width]
        self.weights = tuple(Fraction(w) for w in weights[0])
        extra = [dict(zip(head[width:], row[1 + width :], strict=True)) for row in tests]
        self.price = [int(one["cost"]) for one in extra]
        self.group = [one.get("cost:group", "") for one in extra]
        self.later = [
            int(one.get("cost:later") or price) for one, price in zip(extra, self.price, strict=True)
        ]
        self.ends = [one.get("cost:ends", "").split("/") for one in extra]
        self.needs = [{int(n) - 1 for n in one.get("cost:after", "").split("/") if n} for one in extra]
        self.cells = [[self.cell(text) for text in row[1 : 1 + width]] for row in tests]
        self.value, self.worst = cache(self._value), cache(self._worst)

    @staticmethod
    def cell(text: str) -> dict[str, Fraction]:
        """Return the probabilities of answers."""
        rates = {one.partition(":")[0]: int(one.partition(":")[2] or 1) for one in text.split("/")}
        return {answer: Fraction(rate, sum(rates.values())) for answer, rate in rates.items()}

    @property
    def unit(self) -> int:
        """What a certificate counts masses in."""
        return prod(lcm(*(p.denominator for cell in row for p in cell.values())) for row in self.cells)

    def may_end(self, causes: list[int]) -> bool:
        """Return whether causes may be named together."""
        return len(causes) < 2 or (
            self.cliques and all({*row[i]} & {*row[j]} for row in self.cells for i in causes for j in causes)
        )

    def options(self, asked: frozenset[int], opened: frozenset[str]) -> list[tuple[int, int, frozenset[str]]]:
        """Return the tests that may be asked, what they cost, and the groups that are open then."""
        return [
            (
                t,
                self.later[t] if self.group[t] in opened else self.price[t],
                opened | ({self.group[t]} - {""}),
            )
            for t in self.tests
            if t not in asked and self.needs[t] <= asked
        ]

    def after(self, masses: Masses, t: int) -> dict[str, Masses]:
        """Return the masses after each answer that goes on."""
        answers = {a for i in self.causes if masses[i] for a in self.cells[t][i]} - {*self.ends[t]}
        return {a: tuple(masses[i] * self.cells[t][i].get(a, 0) for i in self.causes) for a in answers}

    def _value(self, masses: Masses, asked: frozenset[int], opened: frozenset[str]) -> Fraction | float:
        here = [i for i in self.causes if masses[i]]
        best: Fraction | float = 0 if not self.losses and self.may_end(here) else inf
        for row in self.losses:
            if all(row[i] for i in here):
                best = min(best, sum((masses[i] * int(row[i]) for i in here), start=Fraction()))
        for t, price, groups in self.options(asked, opened):
            parts = self.after(masses, t).values()
            below = [self.value(part, asked | {t}, groups) for part in parts]
            best = min(best, price * sum(masses) + sum(below))
        return best

    def _worst(self, here: frozenset[int], asked: frozenset[int], opened: frozenset[str]) -> float:
        best = 0.0 if not self.losses and self.may_end([*here]) else inf
        for row in self.losses:
            if all(row[i] for i in here):
                best = min(best, max(int(row[i]) for i in here))
        for t, price, groups in self.options(asked, opened):
            parts = [
                frozenset(i for i in here if a in self.cells[t][i])
                for a in {a for i in here for a in self.cells[t][i]} - {*self.ends[t]}
            ]
            below = [self.worst(part, asked | {t}, groups) for part in parts]
            best = min(best, price + max(below, default=0))
        return best

    def state(self, path: list[Step]) -> tuple[Masses, frozenset[int], frozenset[str]]:
        """Return the state after some tests and answers."""
        masses, asked, opened = self.weights, frozenset[int](), frozenset[str]()
        for t, answer in path:
            masses, asked = self.after(masses, t)[answer], asked | {t}
            opened |= {self.group[t]} - {""}
        return masses, asked, opened

    def cost(self, path: list[Step], *, worst: bool = False) -> int | None:
        """Return what a state costs as certificates count it; None: it cannot be settled."""
        masses, asked, opened = self.state(path)
        if worst:
            least: Fraction | float = self.worst(
                frozenset(i for i in self.causes if masses[i]), asked, opened
            )
        else:
            least = self.value(masses, asked, opened) * (1 if self.unit == 1 else Fraction(self.unit))
        if least == inf:
            return None
        assert Fraction(least).denominator == 1
        return int(least)

    def first_costs(self) -> Iterator[tuple[int, int]]:
        """Yield what strategies cost at least that begin with a test, where there are any."""
        for t, price, groups in self.options(frozenset(), frozenset()):
            parts = self.after(self.weights, t).values()
            below = sum(self.value(part, frozenset({t}), groups) for part in parts)
            if below < inf:
                yield t, int((price * sum(self.weights) + below) * self.unit)

    def body(
        self, path: list[Step], dice: random.Random, *, worst: bool = False, more: float = 0, less: int = 0
    ) -> str:
        """Return a body with true lemmas about states after a path; some claim `more`: one too much.

        With `less`, they may claim up to so much less than is true, and some look further ahead.
        """
        items = []
        masses, asked, opened = self.state(path)
        for t, _, _ in self.options(asked, opened):
            for answer in self.after(masses, t):
                below = [*path, (t, answer)]
                cost = self.cost(below, worst=worst)
                if cost is None or dice.random() < 0.3:
                    continue
                deep = "." if not less else dice.choice([".", "0", "1", "2"])
                if dice.random() < 0.7:
                    deep = self.body(below, dice, worst=worst, more=more, less=less)
                claimed = max(0, cost + (dice.random() < more) - dice.randint(0, less))
                items.append(f"{t + 1} {answer} {claimed} {deep}")
        return f"( {' '.join(items)} )" if items else dice.choice([".", "0", "1", "2"])


def some_noisy(dice: random.Random, tests: int = 3) -> NoisyTiny:
    """Return a random small table."""
    causes, many = dice.randint(1, 4), dice.randint(1, tests)
    columns = ["cost"]
    kinds = {name: dice.random() < 0.35 for name in ("group", "ends", "after", "decide", "odds", "weight")}
    columns += ["cost:later", "cost:group"] * kinds["group"]
    columns += ["cost:ends"] * kinds["ends"] + ["cost:after"] * kinds["after"]
    corner = "cliques" if not kinds["decide"] and dice.random() < 0.4 else ""
    rows = [[corner, *(f"c{i}" for i in range(causes)), *columns]]
    for t in range(many):
        answers = "abc"[: dice.randint(2, 3)]
        cells = [some_cell(answers, dice, odds=kinds["odds"]) for _ in range(causes)]
        price = dice.choice([0, 1, 1, 2, 5])
        extra = {"cost": str(price)}
        if dice.random() < 0.6:
            extra |= {"cost:later": str(dice.randint(0, price)), "cost:group": dice.choice("xy")}
        met = sorted({one.partition(":")[0] for cell in cells for one in cell.split("/")})
        extra["cost:ends"] = dice.choice(met) if dice.random() < 0.5 else ""
        extra["cost:after"] = str(dice.randint(1, t)) if t and dice.random() < 0.5 else ""
        rows.append([f"t{t}", *cells, *(extra.get(name, "") for name in columns)])
    if kinds["weight"]:
        rows.append(["weight", *(str(dice.randint(1, 5)) for _ in range(causes)), *[""] * len(columns)])
    for d in range(dice.randint(1, 3) if kinds["decide"] else 0):
        losses = [dice.choice(["", "0", "1", "3", "9"]) for _ in range(causes)]
        rows.append([f"d{d}", *losses, "-", *[""] * (len(columns) - 1)])
    return NoisyTiny(tuple(",".join(row) for row in rows))


def some_cell(answers: str, dice: random.Random, *, odds: bool) -> str:
    """Return a random cell."""
    if dice.random() < 0.6:
        return dice.choice(answers)
    some = sorted(dice.sample(answers, dice.randint(1, len(answers))))
    return "/".join(f"{a}:{dice.randint(1, 4) if odds else 1}" for a in some)


def claims(head: str, cost: int | None, *, worst: bool, more: int = 0, first: str = "-") -> str:
    """Return a certificate without its body of what a table costs, or of more."""
    if cost is None:
        return f"{head} {first} {10**9} inf" if worst else f"{head} {first} - {10**300}"
    return f"{head} {first} {cost + more - 1} inf" if worst else f"{head} {first} - {cost + more}"


def spoiled(dice: random.Random) -> NoisyTiny:
    """Return a random table of which some letters are changed; it may be none any more."""
    text = [*"\n".join(some_noisy(dice).lines)]
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(text))
        text[at] = dice.choice([*'/:,-"0123ab \n', "", "cost", "9" * 16])
    return NoisyTiny(tuple("".join(text).split("\n")))


def false_claims(folder: Path, dice: random.Random, odd: Sequence[str], count: int) -> list[str]:
    """Return false certificates of a random table, or of one of its worst case, with bodies that may help.

    They claim one more than the true cost, or much more: with nothing, with true lemmas, with some that claim
    too much, with tokens swapped, left out or replaced, or for another first test than the best.
    """
    while True:
        table, worst = some_noisy(dice), dice.random() < 0.3
        brute = Brute(table)
        true = brute.cost([], worst=worst)
        if true is not None:
            break
    head, found = table.head(folder), list[str]()
    while len(found) < count:
        more = dice.choice([1, 1, 1, 2, 10, 10**6])
        claim = claims(head, true, worst=worst, more=more)
        body = dice.choice(["99", "0", "1", "2", "."])
        if dice.random() < 0.8:
            body = brute.body([], dice, worst=worst, more=dice.choice([0, 0, 0.1, 0.5]))
        if dice.random() < 0.4:
            body = " ".join(mutated(body, dice, odd))
        found.append(f"{claim} {body}")
    return found
