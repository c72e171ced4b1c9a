"""Models of tests that are not certain, from the rows of a table, and random ones."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from guesstree.engine.noisy.float_model import FloatModel
from guesstree.engine.noisy.model import Model
from guesstree.engine.tables.cells import answers_of
from guesstree.engine.tables.noisy import NoisyTable
from guesstree.engine.tables.table import Content

DECIDE = "decide "


def model_of(rows: Sequence[str], ambiguous: str = "", ends: str = "") -> Model:
    """Return the model of some lines of CSV: tests in rows, causes in columns.

    Columns ``cost``, ``group`` and ``later``; rows ``weight`` and ``decide NAME``; an empty cell is any
    answer of its row.
    """
    header, *body = csv.reader(rows)
    causes = [label for label in header[1:] if label not in ("cost", "group", "later")]
    tests = [row for row in body if row[0] != "weight" and not row[0].startswith(DECIDE)]
    weights = next((row[1:] for row in body if row[0] == "weight"), ["1"] * len(causes))
    decisions = [row[1 : len(causes) + 1] for row in body if row[0].startswith(DECIDE)]

    def column(name: str, default: str) -> list[str]:
        return [row[header.index(name)] if name in header else default for row in tests]

    prices, groups = column("cost", "1"), column("group", "")
    chances, fatal = [], []
    for row in tests:
        cells = row[1 : len(causes) + 1]
        known = list(dict.fromkeys(answer for cell in cells if cell for answer in answers_of(cell)))
        every = "/".join(known)
        chances.append(
            tuple({known.index(a): p for a, p in answers_of(cell or every).items()} for cell in cells)
        )
        fatal.append(frozenset({known.index(ends)} if ends in known else ()))
    return Model(
        chances=tuple(chances),
        weights=tuple(map(Fraction, weights[: len(causes)])),
        prices=tuple(map(Fraction, prices)),
        cliques=ambiguous == "clique",
        losses=tuple(tuple(Fraction(x) if x else None for x in row) for row in decisions) or None,
        groups=tuple(sorted(set(groups)).index(g) if g else None for g in groups) if any(groups) else (),
        later=tuple(Fraction(x or p) for x, p in zip(column("later", ""), prices, strict=True))
        if any(groups)
        else (),
        ends=tuple(fatal) if ends else (),
    )


def random_rows(dice: random.Random) -> list[str]:
    """Return lines of CSV: a few causes and tests, with any of sets, odds, empty cells, weights and costs."""
    causes = [f"c{i}" for i in range(dice.randint(2, 5))]
    tests = [f"t{i}" for i in range(dice.randint(1, 5))]
    sets, odds, empty = (dice.choice([0, 0.2, 0.5]) for _ in range(3))

    def cell(known: str) -> str:
        if dice.random() < empty:
            return ""
        some = dice.sample(known, dice.randint(2, len(known)) if dice.random() < sets else 1)
        if len(some) > 1 and dice.random() < odds:
            return "/".join(f"{answer}:{dice.randint(1, 3)}" for answer in some)
        return "/".join(some)

    rows = []
    for test in tests:
        known = "xyz"[: dice.randint(2, 3)]
        cells = [cell(known) for _ in causes]
        rows.append([test, *(cells if any(cells) else ["x", *cells[1:]])])
    header = ["test", *causes]
    if dice.random() < 0.5:
        dear = dice.choice([1, 3, 9])
        header.append("cost")
        for row in rows:
            row.append(str(dice.randint(0 if dice.random() < 0.2 else 1, dear)))
    if dice.random() < 0.5:
        rows.append(["weight", *(str(dice.randint(1, 9)) for _ in causes), *[""] * ("cost" in header)])
    return [",".join(row) for row in [header, *rows]]


def random_model(dice: random.Random, more: int = 0) -> Model:
    """Return a small model of any mixture: odds, noise, cliques, losses, groups, ends, needs, failures.

    `more`: causes and tests than what the oracle can do.
    """
    causes, tests = more + dice.randint(1, 5), range(more + dice.choice([1, 2, 3, 3, 4, 4]))
    sure, odds = dice.choice([0, 0.5, 0.8, 1]), dice.random() < 0.4
    few = dice.random() < 0.3  # kinds of causes, so that some are alike

    def cell(answers: int) -> dict[int, Fraction]:
        some = dice.sample(range(answers), 1 if dice.random() < sure else dice.randint(2, answers))
        parts = [dice.randint(1, 3) if odds else 1 for _ in some]
        return {answer: Fraction(part, sum(parts)) for answer, part in zip(some, parts, strict=True)}

    rows = []
    for _ in tests:
        answers = dice.choice([2, 2, 3])
        some = [cell(answers) for _ in range(2 if few else causes)]
        rows.append(tuple(dice.choice(some) for _ in range(causes)) if few else tuple(some))
    if dice.random() < 0.3:  # independent repeats
        rows = [row if dice.random() < 0.6 else rows[0] for row in rows]
    dear = dice.choice([1, 1, 3, 9])
    prices = [Fraction(dice.randint(dice.random() < 0.9, dear), dice.choice([1, 1, 2])) for _ in tests]
    model = Model(
        chances=tuple(rows),
        weights=tuple(dice.randint(1, 9) if odds else 1 for _ in range(causes)),
        prices=tuple(prices),
        cliques=dice.random() < 0.5,
    )
    extra: dict[str, Any] = {}
    if dice.random() < 0.5:
        most, never = dice.choice([1, 4, 20]), dice.choice([0, 0, 0.2, 0.6])
        extra["losses"] = tuple(
            tuple(
                None if dice.random() < never else dice.choice([0, Fraction(dice.randint(0, 2 * most), 2)])
                for _ in range(causes)
            )
            for _ in range(dice.randint(1, 4))
        )
    if dice.random() < 0.4:
        extra["groups"] = tuple(dice.choice([None, 0, 0, 1]) for _ in tests)
        extra["later"] = tuple(price * Fraction(dice.randint(0, 2), 2) for price in prices)
    if dice.random() < 0.4:
        often = dice.choice([0.2, 0.5])
        extra["ends"] = tuple(frozenset(a for a in range(3) if dice.random() < often) for _ in tests)
    if dice.random() < 0.3:
        extra["after"] = tuple(frozenset(t for t in range(test) if dice.random() < 0.4) for test in tests)
    if dice.random() < 0.3:
        extra |= {"failures": dice.randint(1, 2), "silent": 3}
    return replace(model, **extra)


def noisy_game(rows: Sequence[str], ambiguous: str = "") -> NoisyTable:
    """Return the game of lines of CSV as `model_of` reads them, with whole weights and costs."""
    header, *body = csv.reader(rows)
    causes = [label for label in header[1:] if label != "cost"]
    tests = [row for row in body if row[0] != "weight"]
    weights = [tuple(map(int, row[1 : len(causes) + 1])) for row in body if row[0] == "weight"]
    content = Content(
        guesses=tuple(row[0] for row in tests),
        secrets=tuple(causes),
        cells=tuple(tuple(row[1 : len(causes) + 1]) for row in tests),
        weights=weights[0] if weights else None,
        costs=tuple(int(row[-1]) for row in tests) if "cost" in header else None,
        sets=True,
        cliques=ambiguous == "clique",
    )
    return NoisyTable("table:some", content)


def hard_model() -> Model:
    """Return a model that no search settles in a second: 12 causes, 14 tests that say little."""
    dice, causes = random.Random(5), range(12)
    shares = [[Fraction(dice.randint(1, 99), 100) for _ in causes] for _ in range(14)]
    return Model(
        chances=tuple(tuple({0: p, 1: 1 - p} for p in row) for row in shares),
        weights=(1,) * len(causes),
        prices=(1,) * len(shares),
        losses=tuple(tuple(40 * (cause != decision) for cause in causes) for decision in causes),
    )


def hard() -> dict[str, Any]:
    """Return `hard_model` for a kernel."""
    return FloatModel.of(hard_model()).given
