"""Small games whose labels a reader of tables might take otherwise, near twins, and what they truly cost."""

import csv
import io
import random
from dataclasses import dataclass, replace
from itertools import count
from math import inf
from typing import Any

from certificates import Tiny
from priced_tables import PricedTiny

from guesstree.engine.tables.table import TableGame

WORDS = ["a", "b", "c", "s1", "é", "1", "2", "0", "x y", "a,b", "'a'", "-"]
KEYWORDS = [
    "cost",
    "weight",
    "win",
    "cost:",
    "cost:1",
    "cost:a",
    "Cost",
    "\u0441ost",
    "\uff43ost",
    "<1>",
    "<2>",
    "<12>",
    "'cost'",
]
BLANKS = [" ", "\t", "\r", "\n", "\r\n", "\v", "\f", "\x1c", "\x85", "\xa0", "\u2028", "\u2029", "\u3000"]
MARKS = ["\ufeff", "\u200b", "\u200d", "\xad", "\u202e", "\0", "\x1b", "\x7f", "\ud800", "\u0301"]
QUOTES = ['"', '""', ",", '","', '"\n', '",', ";", "\\", "=", "#"]
WON = "won"


@dataclass(frozen=True)
class Hostile:
    """A table with labels of any kind; `win`: a guess wins on the secret of its label, and each has one."""

    secrets: tuple[str, ...]
    guesses: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    win: bool = False
    only: bool = False
    weights: tuple[int, ...] | None = None
    prices: tuple[int, ...] | None = None
    objective: str = "expected"
    budget: int | None = None
    lies: int = 0

    @property
    def goal(self) -> str:
        """What it is asked for."""
        return "win" if self.win else "identify"

    def game(self) -> TableGame:
        """Return it as the project knows it; raise GameError where that is no game."""
        won = self.won if self.win else None
        return TableGame(
            "table:x.csv", self.guesses, self.secrets, self.cells, won, self.weights, self.prices
        )

    @property
    def won(self) -> str:
        """The response that wins."""
        return self.cells[self.guesses.index(self.secrets[0])][0]

    @property
    def asked(self) -> dict[str, Any]:
        """What is asked of it, as `solve` and `prove` take it."""
        more = {"candidates_only": self.only, "budget": self.budget, "lies": self.lies}
        return {"objective": self.objective, "goal": self.goal, **more}

    @property
    def rows(self) -> list[list[str]]:
        """The responses, without a meaning but for the one that wins."""
        return [
            ["win" if self.win and cell == self.won else f"r{cell}" for cell in row] for row in self.cells
        ]

    @property
    def pattern(self) -> list[list[int]]:
        """Which responses are the same, guess by guess."""
        return [[row.index(cell) for cell in row] for row in self.cells]

    def priced(self, limit: float, counts: str = "paid") -> PricedTiny:
        """Return it as a table with costs that tries all."""
        prices = self.prices or [1] * len(self.rows)
        price = [dict.fromkeys(row, cost) for row, cost in zip(self.rows, prices, strict=True)]
        return PricedTiny(
            self.rows, price, list(self.weights or [1] * len(self.secrets)), self.win, limit, counts
        )

    def least(self) -> str:
        """Return the least total, worst case or loss in words, by trying all; with lies, nothing."""
        if self.lies:
            return ""
        if self.budget is not None:
            tiny = self.priced(self.budget, "lost:won")
            lost, paid = divmod(int(tiny.cost(tiny.everything())), tiny.scale)
            return f" is a weight of {lost} lost, {paid} paid by the others"
        if self.objective == "worst" and not self.only:
            some = ((most, self.priced(most)) for most in count())
            return f" is {next(most for most, tiny in some if tiny.cost(tiny.everything()) < inf)}"
        own = [self.secrets.index(g) if g in self.secrets else -1 for g in self.guesses]
        names, asked = [str(s) for s in range(len(self.secrets))], [str(g) for g in range(len(self.guesses))]
        tiny_table = Tiny("table", names, asked, self.rows, self.win, own, self.only)
        if self.weights is None and self.prices is None:
            return f" is {tiny_table.cost(tiny_table.everything())}"
        tiny = self.priced(inf)
        return f" is {tiny.cost(tiny.everything())}"


def hostile_label(chance: random.Random) -> str:
    """Return a label that some reader may strip, split, unquote or take for a word of the format."""
    word = chance.choice([*WORDS, *KEYWORDS] if chance.random() < 0.6 else ["", *WORDS])
    for _ in range(chance.choice([0, 0, 1, 1, 2])):
        odd = chance.choice(chance.choice([BLANKS, MARKS, QUOTES]))
        at = chance.choice([0, len(word), chance.randint(0, len(word))])
        word = word[:at] + odd + word[at:]
    return word


def hostile_labels(count: int, chance: random.Random, odd: float = 1) -> list[str]:
    """Return so many labels, each once; some are the same but for a blank or a mark, others plain.

    `odd`: how many of them, about, are not plain.
    """
    found: dict[str, None] = {}
    while len(found) < count:
        label = f"{chance.choice(WORDS)}{len(found)}"
        if chance.random() < odd:
            end = chance.choice(chance.choice([BLANKS, MARKS]))
            near = found and chance.random() < 0.3
            label = chance.choice([*found]) + end if near else hostile_label(chance)
        found |= {label: None} if label else {}
    return [*found]


def plain_hostile(chance: random.Random) -> Hostile:
    """Return a random game, of two to five secrets, of which the least total is asked."""
    secrets, odd = chance.randint(2, 5), chance.choice([1, 0.1])
    answers = hostile_labels(chance.randint(2, 4), chance, odd)
    win, own = chance.random() < 0.3, chance.random() < 0.4
    labels = hostile_labels(secrets + 5, chance, odd)
    more = labels[secrets : secrets + chance.randint(1, 4)]
    if chance.random() < 0.3:
        more[0] = "win" if "win" not in labels else more[0]
    guesses = [*labels[:secrets], *more] if win or own else more
    cells = [[chance.choice(answers) for _ in range(secrets)] for _ in guesses]
    if win:
        won = next(
            label
            for label in (chance.choice(["win", hostile_label(chance)]), WON)
            if label and label not in answers
        )
        for s in range(secrets):
            cells[s][s] = won
    order = chance.sample(range(len(guesses)), len(guesses))
    priced = chance.random() < 0.5
    return Hostile(
        tuple(labels[:secrets]),
        tuple(guesses[g] for g in order),
        tuple(tuple(cells[g]) for g in order),
        win,
        not priced and chance.random() < 0.3,
        tuple(chance.randint(1, 3) for _ in range(secrets)) if priced and chance.random() < 0.7 else None,
        tuple(chance.randint(0, 4) for _ in guesses) if priced else None,
    )


def some_hostile(chance: random.Random) -> Hostile:
    """Return a random game, and what is asked of it."""
    one, ask = plain_hostile(chance), chance.random()
    if one.only or ask < 0.6:
        return one
    if ask < 0.75:
        return replace(one, objective="worst")
    if ask < 0.9 or one.prices is not None or one.weights is not None:
        return replace(one, objective="win-probability", budget=chance.randint(1, 5))
    return replace(one, objective="worst", lies=1)


def table_file(one: Hostile, chance: random.Random) -> bytes:
    """Return the game as a table that the project may read, or refuse, or read as another game."""
    file = io.StringIO()
    dialect = chance.choice(["excel", "unix"])  # of which the second quotes all
    writer = csv.writer(file, dialect, lineterminator=chance.choice(["\n", "\r\n"]))
    prices = one.prices or [1] * len(one.guesses)
    writer.writerow(["test", *one.secrets, "cost"])
    writer.writerows(
        [guess, *row, price] for guess, row, price in zip(one.guesses, one.cells, prices, strict=True)
    )
    if one.weights is not None:
        writer.writerow(["weight", *one.weights, ""])
    data = file.getvalue().encode("utf-8", "surrogatepass")
    return mangled(data, chance) if chance.random() < 0.5 else data


def near_twin(one: Hostile, chance: random.Random) -> Hostile:
    """Return a game in which one thing is another: a label, a cell, a weight, a price, or the order."""
    secrets, guesses, cells = [*one.secrets], [*one.guesses], [[*row] for row in one.cells]
    change = chance.randrange(6)
    g, s = chance.randrange(len(guesses)), chance.randrange(len(secrets))
    if change == 0:
        label, old = hostile_labels(1, chance)[0], secrets[s]
        if label not in (*secrets, *guesses):
            secrets[s] = label
            guesses = [label if guess == old else guess for guess in guesses]
    elif change == 1 and guesses[g] not in secrets:
        guesses[g] = next(
            label for label in (*hostile_labels(9, chance), "z9") if label not in (*secrets, *guesses)
        )
    elif change == 2 and not (one.win and cells[g][s] == one.won):
        cells[g][s] = chance.choice([c for row in cells for c in row if not one.win or c != one.won] or [WON])
    elif change == 3 and one.weights is not None:
        return replace(one, weights=(*one.weights[:s], one.weights[s] + 1, *one.weights[s + 1 :]))
    elif change == 4 and one.prices is not None:
        return replace(one, prices=(*one.prices[:g], one.prices[g] + 1, *one.prices[g + 1 :]))
    else:
        order = chance.sample(range(len(secrets)), len(secrets))
        secrets, cells = [secrets[i] for i in order], [[row[i] for i in order] for row in cells]
    return replace(one, secrets=tuple(secrets), guesses=tuple(guesses), cells=tuple(map(tuple, cells)))


def mangled(table: bytes, chance: random.Random) -> bytes:
    """Return the table of a certificate with bytes put in or taken out that readers may differ about."""
    odd = [*BLANKS, *MARKS, *QUOTES, *KEYWORDS, '\ufeff"x,\n']
    for _ in range(chance.randint(1, 3)):
        at = chance.choice([0, chance.randrange(len(table)), len(table)])
        put = chance.choice(odd).encode("utf-8", "surrogatepass")
        table = table[:at] + put + table[at + chance.randint(0, 1) :]
    return table
