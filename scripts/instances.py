"""Tables of real tests for `scripts/diagnosis.py`: read from public data or made here, written as tables."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np

from guesstree import Game
from guesstree.engine.noisy.model import Model
from guesstree.engine.symmetry.groups import Subsets, Symmetry

TENTH = Fraction(1, 10)
Cell = Mapping[str, Fraction]


@dataclass(frozen=True)
class Test:
    """A test: the chances of its answers for each cause, and what it costs."""

    name: str
    cells: tuple[Cell, ...]
    cost: Fraction = Fraction(1)
    group: str = ""
    later: Fraction | None = None


@dataclass(frozen=True)
class Instance:
    """Causes, tests and decisions.

    Attributes
    ----------
    losses: for each decision what it loses for each cause, None: it is not allowed; empty: causes are named.
    ends: the answer that ends a path, or nothing.
    """

    causes: tuple[str, ...]
    weights: tuple[Fraction, ...]
    tests: tuple[Test, ...]
    losses: Mapping[str, tuple[Fraction | None, ...]] = field(default_factory=dict)
    cliques: bool = False
    ends: str = ""

    def options(self) -> str:
        """Return what is to be said behind the name of the file."""
        several = any(len(cell) > 1 for test in self.tests for cell in test.cells)
        return (
            (",cells=sets" if several else "")
            + (",ambiguous=clique" if self.cliques else "")
            + (f",ends={self.ends}" if self.ends else "")
        )

    def table(self) -> str:
        """Return the table, tests in rows."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        extra = ["cost"] + ["group", "later"] * any(test.group for test in self.tests)
        writer.writerow(["test", *self.causes, *extra])
        for test in self.tests:
            priced = [test.cost, test.group, "" if test.later is None else test.later]
            writer.writerow([test.name, *map(written, test.cells), *priced[: len(extra)]])
        blank = [""] * len(extra)
        writer.writerow(["weight", *self.weights, *blank])
        for name, row in self.losses.items():
            writer.writerow([f"decide {name}", *("" if one is None else one for one in row), *blank])
        return text.getvalue()

    def model(self) -> Model:
        """Return the model that the table stands for."""
        chances, ends = [], []
        for test in self.tests:
            number = {a: i for i, a in enumerate(dict.fromkeys(a for cell in test.cells for a in cell))}
            chances.append(tuple({number[a]: p for a, p in cell.items()} for cell in test.cells))
            ends.append(frozenset({number[self.ends]} if self.ends in number else set[int]()))
        groups = sorted({test.group for test in self.tests if test.group})
        return Model(
            chances=tuple(chances),
            weights=self.weights,
            prices=tuple(test.cost for test in self.tests),
            cliques=self.cliques,
            losses=tuple(self.losses.values()) or None,
            groups=tuple(groups.index(t.group) if t.group else None for t in self.tests) if groups else (),
            later=tuple(t.cost if t.later is None else t.later for t in self.tests) if groups else (),
            ends=tuple(ends) if self.ends else (),
        )


def written(cell: Cell) -> str:
    """Return a cell as text: an answer, several that are equally likely, or odds in integers."""
    if len(set(cell.values())) == 1:
        return "/".join(cell)
    unit = lcm(*(chance.denominator for chance in cell.values()))
    return "/".join(f"{answer}:{chance * unit}" for answer, chance in cell.items())


def sure(answers: Iterable[str]) -> tuple[Cell, ...]:
    """Return cells with one answer each."""
    return tuple({answer: Fraction(1)} for answer in answers)


# -- public data -------------------------------------------------------------------------------------------


def rows_of(path: Path) -> list[list[str]]:
    """Return the rows of a CSV file."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


@dataclass(frozen=True)
class Classed:
    """A table of examples with classes.

    Attributes
    ----------
    instance: its causes are the combinations of answers that occur; what a decision loses for one is the mean
        over its examples.
    counts: for each class and cause, how many examples there are.
    losses: for each class what it loses to say each.
    """

    instance: Instance
    counts: tuple[tuple[int, ...], ...]
    losses: tuple[tuple[Fraction, ...], ...]


def classed(
    causes: Sequence[str],
    tests: Sequence[Test],
    counts: Sequence[Sequence[int]],
    losses: Sequence[Sequence[Fraction]],
) -> Classed:
    """Return a table of examples; see `Classed`."""
    columns = list(zip(*counts, strict=True))
    says = {
        f"class {say}": tuple(
            sum((row[say] * many for row, many in zip(losses, column, strict=True)), Fraction()) / sum(column)
            for column in columns
        )
        for say in range(len(losses))
    }
    weights = tuple(Fraction(sum(column)) for column in columns)
    instance = Instance(tuple(causes), weights, tuple(tests), says)
    return Classed(instance, tuple(map(tuple, counts)), tuple(map(tuple, losses)))


def cost_set(folder: Path, name: str, level: str) -> Classed:
    """Return a cost-sensitive set, as pystreed has it: attributes, costs with discounts, classes, losses."""
    head, *table = rows_of(folder / f"{name}.csv")
    counts = [list(map(int, row[1:])) for row in rows_of(folder / f"{name}-classes.csv")[1:]]
    says = [list(map(Fraction, row[1:])) for row in rows_of(folder / f"{name}-loss-{level}.csv")[1:]]
    tests = [
        Test(
            attribute,
            sure(f"x{cell}" for cell in cells),
            Fraction(cost),
            group,
            Fraction(later) if group else None,
        )
        for attribute, *cells, cost, group, later in table
    ]
    return classed(head[1:-3], tests, counts, list(zip(*says, strict=True)))


def costly(examples: int, attributes: int, classes: int, seed: int) -> Classed:
    """Return a random cost-sensitive set: yes/no attributes, the last two of which share a set-up."""
    rng = random.Random(seed)
    hidden = [rng.randrange(classes) for _ in range(examples)]
    likely = [[rng.random() for _ in range(attributes)] for _ in range(classes)]
    rows: dict[str, list[int]] = {}
    for k in hidden:
        key = "".join(str(int(rng.random() < p)) for p in likely[k])
        rows.setdefault(key, [0] * classes)[k] += 1
    tests = [
        Test(
            f"attribute {a + 1}",
            sure(f"x{key[a]}" for key in rows),
            Fraction(rng.randint(1, 9)) + 5 * (a >= attributes - 2),
            "set-up" if a >= attributes - 2 else "",
            Fraction(rng.randint(1, 3)) if a >= attributes - 2 else None,
        )
        for a in range(attributes)
    ]
    losses = [[Fraction(rng.randint(20, 60) * (a != b)) for b in range(classes)] for a in range(classes)]
    names = [f"e{i + 1}" for i in range(len(rows))]
    return classed(names, tests, list(zip(*rows.values(), strict=True)), losses)


def from_table(path: Path, *, cliques: bool) -> Instance:
    """Return a table with tests in rows; it may have sets, odds, empty cells, a column cost, a row weight."""
    head, *rows = rows_of(path)
    costs = head.index("cost") if "cost" in head else len(head)
    causes, weights, tests = head[1:costs], [Fraction(1)] * (costs - 1), []
    for label, *row in rows:
        cells = row[: costs - 1]
        if label == "weight":
            weights = list(map(Fraction, cells))
            continue
        every = dict.fromkeys(answer for cell in cells for answer in _chances(cell))
        alike = dict.fromkeys(every, Fraction(1, len(every)))
        price = Fraction(row[costs - 1]) if costs < len(head) else Fraction(1)
        tests.append(Test(label, tuple(_chances(cell) or alike for cell in cells), price))
    return Instance(tuple(causes), tuple(weights), tuple(tests), cliques=cliques)


def _chances(cell: str) -> dict[str, Fraction]:
    answers = [part.rpartition(":") for part in cell.split("/")] if cell else []
    if all(colon for _, colon, _ in answers):
        odds = {answer: Fraction(number) for answer, _, number in answers}
    else:
        odds = dict.fromkeys(cell.split("/"), Fraction(1))
    return {answer: number / sum(odds.values()) for answer, number in odds.items()}


def from_json(path: Path) -> Instance:
    """Return an example of `data/` in JSON: causes, weights, tests with chances, decisions."""
    said: dict[str, Any] = json.loads(path.read_text())
    causes = said["causes"]
    names = {"+": "infected", "-": "clean"}
    tests = [
        Test(
            test["name"],
            tuple({names.get(a, a): Fraction(p) for a, p in cell.items()} for cell in test["cells"]),
            Fraction(test["cost"]),
        )
        for test in said["tests"]
    ]
    ends = {answer for test in said["tests"] for answer in test.get("ends", ())}
    losses = (
        {
            name: tuple(Fraction(row[cause]) if cause in row else None for cause in causes)
            for name, row in said["decisions"].items()
        }
        if "decisions" in said
        else {}
    )
    weights = tuple(Fraction(weight) for weight in said.get("weights", [1] * len(causes)))
    return Instance(tuple(causes), weights, tuple(tests), losses, ends="".join(ends))


def zoo(folder: Path) -> Instance:
    """Return the zoo with its seven types as decisions; a wrong type is not allowed."""
    table, classes = from_table(folder / "zoo.csv", cliques=False), rows_of(folder / "zoo-classes.csv")
    kind = dict(zip(classes[0][1:], classes[1][1:], strict=True))
    losses = {
        one: tuple(Fraction() if kind[cause] == one else None for cause in table.causes)
        for one in dict.fromkeys(kind.values())
    }
    return Instance(table.causes, table.weights, table.tests, losses)


# -- made here ---------------------------------------------------------------------------------------------


def pools(
    samples: int, infected: Fraction, sensitivity: Fraction, specificity: Fraction, *, wrong: int
) -> Instance:
    """Return group testing with tests that err; `wrong`: what each sample that is named wrongly costs."""
    sets = [frozenset(c) for many in range(samples + 1) for c in combinations(range(samples), many)]
    name = ["".join("ABCDEFGH"[i] for i in sorted(one)) or "none" for one in sets]
    tests = [
        Test(
            f"pool {label}",
            tuple(
                {"infected": sensitivity, "clean": 1 - sensitivity}
                if one & pool
                else {"infected": 1 - specificity, "clean": specificity}
                for one in sets
            ),
        )
        for label, pool in zip(name, sets, strict=True)
        if pool
    ]
    losses = {
        label: tuple(Fraction(wrong * len(said ^ one)) for one in sets)
        for label, said in zip(name, sets, strict=True)
    }
    weights = tuple(infected ** len(one) * (1 - infected) ** (samples - len(one)) for one in sets)
    return Instance(tuple(name), weights, tuple(tests), losses)


def twenty_questions(numbers: int, copies: int, error: Fraction, wrong: int) -> Instance:
    """Return noisy twenty questions: "is it above k?", each answer wrong with some probability.

    Each question may be asked so often, independently; a wrong number costs `wrong`.
    """
    causes = tuple(str(i + 1) for i in range(numbers))
    tests = tuple(
        Test(
            f"above {k}? ({copy + 1})",
            tuple(
                {"yes": 1 - error, "no": error} if i >= k else {"yes": error, "no": 1 - error}
                for i in range(numbers)
            ),
        )
        for k in range(1, numbers)
        for copy in range(copies)
    )
    losses = {
        cause: tuple(Fraction(wrong * (i != j)) for j in range(numbers)) for i, cause in enumerate(causes)
    }
    return Instance(causes, (Fraction(1),) * numbers, tests, losses)


def unknown(causes: int, tests: int, share: float, seed: int) -> Instance:
    """Return a random table of yes and no with a share of unknown cells, where causes may end as a clique."""
    rng = random.Random(seed)
    either = {"0": Fraction(1, 2), "1": Fraction(1, 2)}
    sharp = sure("01")
    rows = tuple(
        Test(
            f"symptom {t + 1}",
            tuple(either if rng.random() < share else sharp[rng.random() < bias] for _ in range(causes)),
        )
        for t, bias in enumerate(rng.uniform(0.1, 0.9) for _ in range(tests))
    )
    names = tuple(f"chemical {i + 1}" for i in range(causes))
    return Instance(names, (Fraction(1),) * causes, rows, cliques=True)


class GroupTesting(Game):
    """Which of some samples are infected? A test of a pool tells whether any sample in it is.

    All samples are alike, and this is said, so pools that differ only in names are tried once.
    """

    def __init__(self, samples: int, healthy: int = 9) -> None:
        """`healthy`: how many samples are clean for one that is infected."""
        numbers = range(1 << samples)
        rows = np.array([[s >> i & 1 for i in range(samples)] for s in numbers], dtype=np.uint8)
        self.spec = f"group testing of {samples}"
        self._infected = sorted(numbers, key=lambda s: tuple(rows[s]))
        label = ["".join("ABCDEFGH"[i] for i in np.flatnonzero(row)) or "none" for row in rows]
        self.secrets = [label[s] for s in self._infected]
        self.guesses = [f"pool {one}" for one in label[1:]]
        self.responses, self.winning = ["clean", "infected"], None
        self.weights = [healthy ** (samples - s.bit_count()) for s in self._infected]
        self._symmetry = Subsets(rows[1:], rows[self._infected])

    @property
    def symmetry(self) -> Symmetry:
        """The samples may be renamed."""
        return self._symmetry

    def respond(self, guess: int, secret: int) -> int:
        """Return whether the pool has an infected sample."""
        return int(bool((guess + 1) & self._infected[secret]))


def yes_or_no(instance: Instance) -> Instance:
    """Return the table with yes/no tests alone, whether a number is at most so much."""
    tests = []
    for test in instance.tests:
        answers = [next(iter(cell)) for cell in test.cells]
        kinds = sorted(set(answers), key=lambda a: (len(a), a))
        if len(kinds) <= 2:
            tests.append(test)
            continue
        tests += [
            Test(f"{test.name} <= {most}", sure("yes" if int(a) <= int(most) else "no" for a in answers))
            for most in kinds[:-1]
        ]
    return replace(instance, tests=tuple(tests))
