"""Large tables made from a seed, those of docs/costs.md: each is solved and bounded within some seconds."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve

PAGE = Path(__file__).parent.parent.parent / "docs" / "costs.md"
SEED = 15
Longs = NDArray[np.int64]


@dataclass(frozen=True)
class Made:
    """A table: answers, int64, shape (tests, causes); what causes weigh and tests cost, or None."""

    answers: Longs
    weights: Longs | None = None
    costs: Longs | None = None


def sparse(random: np.random.Generator, causes: int = 500, tests: int = 200) -> Longs:
    """Return tests that are positive for 3 to 25 causes each, or a few more so that all differ."""
    while True:
        rows = np.zeros((tests, causes), dtype=np.int64)
        for row in rows:
            row[random.choice(causes, int(random.integers(3, 26)), replace=False)] = 1
        # Causes with the same column get one more test each, until all differ.
        for _ in range(20):
            _, group, many = np.unique(rows, axis=1, return_inverse=True, return_counts=True)
            alike = np.flatnonzero(many[group.ravel()] > 1)
            if not len(alike):
                return rows
            rows[random.integers(0, tests, len(alike)), alike] = 1


def dense(random: np.random.Generator, causes: int, tests: int) -> Longs:
    """Return tests of 2 to 5 answers, most of 2, some answers likelier than others."""
    shares = [random.dirichlet(np.ones(random.choice([2, 2, 2, 2, 2, 2, 3, 3, 4, 5]))) for _ in range(tests)]
    return np.array([random.choice(len(share), causes, p=share) for share in shares])


def ten(random: np.random.Generator, many: int) -> Longs:
    """Return numbers from 1 to 10."""
    return random.integers(1, 11, many)


def skewed(random: np.random.Generator) -> Made:
    """Return 1,000 causes, 200 tests of 2 to 5 answers; costs from 1 to 1,000, weights 10,000 / rank."""
    answers = dense(random, 1000, 200)
    costs = np.rint(10 ** random.uniform(0, 3, 200)).astype(np.int64)
    return Made(answers, random.permutation(10_000 // np.arange(1, 1001)), costs)


TABLES: dict[str, Callable[[np.random.Generator], Made]] = {
    "random": lambda r: Made(dense(r, 2000, 300), ten(r, 2000), ten(r, 300)),
    "random-plain": lambda r: Made(dense(r, 2000, 300)),
    "sparse": lambda r: Made(sparse(r), ten(r, 500), ten(r, 200)),
    "sparse-plain": lambda r: Made(sparse(r)),
    "skewed": skewed,
}


def write(made: Made, path: Path) -> None:
    """Write a table as CSV."""
    costs = [] if made.costs is None else made.costs.tolist()
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(
            ["test", *(f"c{i}" for i in range(made.answers.shape[1])), *(["cost"] if costs else [])]
        )
        rows.writerows([f"t{i}", *row, *costs[i : i + 1]] for i, row in enumerate(made.answers.tolist()))
        if made.weights is not None:
            rows.writerow(["weight", *made.weights.tolist(), *([""] if costs else [])])


def test_a_sparse_table_tells_all_causes_apart() -> None:
    answers = TABLES["sparse-plain"](np.random.default_rng(SEED)).answers
    assert answers.shape == (200, 500)
    assert len(np.unique(answers, axis=1).T) == 500
    positive = answers.sum(axis=1)
    assert 3 <= positive.min() <= positive.max() <= 50


@pytest.mark.long
@pytest.mark.parametrize("name", TABLES)
def test_a_large_table_is_bounded_as_the_page_says(name: str, tmp_path: Path) -> None:
    """At least as well as within 10 seconds there, to 3 %."""
    made, path = TABLES[name](np.random.default_rng(SEED)), tmp_path / f"{name}.csv"
    write(made, path)
    weight = made.answers.shape[1] if made.weights is None else int(made.weights.sum())
    found = solve(parse(f"table:{path}"), time_limit=30)
    row = re.search(rf"^\| {name} \| .* \| solve \| 10 \| ([\d.]+) \| ([\d.]+) \|", PAGE.read_text(), re.M)
    assert row is not None
    upper, lower = map(float, row.groups())
    assert found.upper[0] / weight <= 1.03 * upper
    assert found.lower[0] / weight >= 0.97 * lower
