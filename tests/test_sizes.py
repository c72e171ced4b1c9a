"""Limits of learned trees: against all trees, as paths of sizes, and chosen by scikit-learn."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from effort import some_of

import guesstree
from guesstree import GuesstreeError, Tests
from guesstree.trees.check import check

NEVER = float("inf")


def drawn(seed: int) -> tuple[list[tuple[str, ...]], list[str], list[int]]:
    """Return examples of three features, their classes and weights."""
    dice = random.Random(seed)
    rows = [tuple(dice.choice("ab" if k else "abc") for k in range(3)) for _ in range(dice.randint(3, 9))]
    return rows, [dice.choice("uvw") for _ in rows], [dice.randint(1, 4) for _ in rows]


def curve(
    rows: list[tuple[str, ...]], classes: list[str], weights: list[int], wrong: int, depth: int, least: int
) -> dict[int, Fraction]:
    """Return the least cost of all examples by the exact number of leaves; each feature costs 1."""

    @cache
    def value(inside: frozenset[int], asked: frozenset[int]) -> tuple[tuple[int, Fraction], ...]:
        weight = sum(weights[i] for i in inside)
        found: dict[int, Fraction] = {}
        if weight >= least:
            right = max(sum(weights[i] for i in inside if classes[i] == own) for own in set(classes))
            found[1] = Fraction(wrong * (weight - right))
        for test in set(range(3)) - asked if len(asked) < depth else ():
            below = {0: Fraction(weight)}
            for answer in {rows[i][test] for i in inside}:
                part = value(frozenset(i for i in inside if rows[i][test] == answer), asked | {test})
                joined: dict[int, Fraction] = {}
                for a, x in below.items():
                    for b, y in part:
                        joined[a + b] = min(joined.get(a + b, x + y), x + y)
                below = joined
            for leaves, cost in below.items():
                found[leaves] = min(found.get(leaves, cost), cost)
        return tuple(found.items())

    return dict(value(frozenset(range(len(rows))), frozenset()))


@pytest.mark.parametrize(
    "seeds", [range(40), pytest.param(some_of(range(100, 1500)), marks=pytest.mark.long)]
)
def test_limited_trees_are_the_best_of_all_trees(seeds: Sequence[int]) -> None:
    """Cost for cost, and the fitted tree keeps its limits."""
    for seed in seeds:
        rows, classes, weights = drawn(seed)
        dice = random.Random(-seed)
        wrong, depth = dice.randint(1, 9), dice.randint(0, 3)
        most, least = dice.randint(1, 7), dice.randint(0, 5)
        price = Fraction(dice.randint(0, 4), 9)
        every = curve(rows, classes, weights, wrong, depth or 3, least)
        total = sum(weights)
        best = min((c + n * price * total for n, c in every.items() if n <= most), default=None)
        tests = Tests(
            wrong=wrong, max_depth=depth or None, max_leaves=most, min_samples=least, leaf_price=price
        )
        try:
            tests.fit(rows, classes, weights)
        except GuesstreeError as error:
            assert best is None, seed
            assert "cannot be settled" in str(error)
            continue
        frame = tests.to_frame()
        assert best is not None
        assert tests.solution_.optimal
        assert (tests.expected_ + len(frame) * price) * total == best, seed
        assert len(frame) <= most and (frame["examples"] >= least).all(), seed
        assert tests.cost(rows, classes, weights) == tests.expected_ * total


def flowers() -> tuple[pd.DataFrame, list[str]]:
    """Return examples whose class is what two features say, but for some noise."""
    dice = random.Random(1)
    data = pd.DataFrame({f"f{k}": [dice.choice("xyz") for _ in range(120)] for k in range(5)})
    told = [
        ("u" if a == "x" else "v" if b == "y" else "w") for a, b in zip(data["f0"], data["f1"], strict=True)
    ]
    return data, [one if dice.random() < 0.8 else dice.choice("uvw") for one in told]


COSTS = {f"f{k}": Fraction(1, 100) for k in range(5)}


def test_a_path_of_sizes_shows_where_trees_are_fitted_to_single_examples(tmp_path: Path) -> None:
    """Larger trees cost less for their own examples; for new ones, the best is small."""
    data, classes = flowers()
    path = Tests(costs=COSTS, wrong=1).cost_path(data, classes, [1, 3, 5, 9, 27, 81])
    fitted = [one.fitted for one in path.trees]
    assert fitted == sorted(fitted, reverse=True)
    assert all(one.leaves <= one.size and one.optimal and len(one.folds) == 5 for one in path.trees)
    assert path.best.size in (3, 5, 9)
    assert path.best.validated < path.trees[-1].validated
    assert path.simplest.leaves <= path.best.leaves
    assert path.simplest.validated <= path.best.validated + path.best.error
    frame = path.to_frame()
    assert frame.columns.tolist() == ["max_leaves", "leaves", "depth", "cost", "new", "error", "proven"]
    assert repr(path).startswith("CostPath(max_leaves: 1, 3, 5, 9, 27, 81; best: ")
    for ending in ("svg", "png"):
        path.plot(tmp_path / f"path.{ending}")
        assert (tmp_path / f"path.{ending}").stat().st_size > 1000
    assert "new examples" in (tmp_path / "path.svg").read_text()


def test_the_cost_of_new_examples_is_that_of_trees_without_them() -> None:
    data, classes = flowers()
    old, new = list(range(80)), list(range(80, 120))
    tests = Tests(costs=COSTS, wrong=1)
    (one,) = tests.cost_path(data, classes, [4], cv=[(old, new)]).trees
    fitted = Tests(costs=COSTS, wrong=1, max_leaves=4).fit(data.iloc[old], classes[:80])
    assert one.folds == (float(fitted.cost(data.iloc[new], classes[80:])) / 40,)
    assert not hasattr(tests, "solution_") and tests.max_leaves is None  # it stays as it is


def test_sizes_of_every_limit_and_what_has_no_tree() -> None:
    data, classes = flowers()
    tests = Tests(costs=COSTS, wrong=1)
    limits: dict[str, list[Any]] = {"max_depth": [1, 2], "min_samples": [60, 10], "leaf_price": [0.2, 0.01]}
    for by, sizes in limits.items():
        path = tests.cost_path(data, classes, sizes, by=by, cv=3)
        assert [one.size for one in path.trees] == sizes
        assert path.trees[0].leaves <= path.trees[1].leaves
    some = {"f": list("aabbc")}, list("uuvvw")
    path = Tests().cost_path(*some, range(1, 5), cv=2)
    assert [one.size for one in path.trees] == [3, 4]  # three classes need three leaves
    assert path.best.validated == NEVER  # where c was left out, no tree says w
    with pytest.raises(GuesstreeError, match=r"cannot be settled with at most 2 leaves$"):
        Tests().cost_path(*some, [1, 2], cv=2)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"by": "leaves"}, "by='leaves'; expected one of max_depth, max_leaves"),
    ({"cv": 1}, "cv=1; expected from 2 to 120 parts"),
    ({"cv": "five"}, "cv='five'; expected a number of parts"),
    ({"cv": [([0], [500])]}, "expected numbers from 0 to 119"),
    ({"sizes": []}, "expected one or more limits"),
    ({"sizes": [0]}, "max_leaves=0; expected a whole number from 1"),
]


@pytest.mark.parametrize(("given", "said"), WRONG)
def test_bad_input_is_one_clear_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(GuesstreeError) as error:
        Tests(wrong=1).cost_path(*flowers(), **given)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_scikit_learn_chooses_limits_by_cost() -> None:
    """The grid's winner is that of the same cuts by hand."""
    pytest.importorskip("sklearn", reason="make installs scikit-learn")
    from sklearn.model_selection import GridSearchCV, KFold

    data, classes = flowers()
    cut = KFold(2)
    limits: dict[str, list[Any]] = {
        "max_depth": [1, 2],
        "max_leaves": [2, 5],
        "min_samples": [1, 12],
        "leaf_price": [0.1, 0.02],
    }
    for by, sizes in limits.items():
        tests = Tests(costs=COSTS, wrong=1)
        grid = GridSearchCV(tests, {by: sizes}, cv=cut, scoring=Tests.cost_scorer).fit(data, classes)
        folds = list(cut.split(data))
        path = tests.cost_path(data, classes, sizes, by=by, cv=folds)
        found = {one.size: one.validated for one in path.trees}
        scores = dict(zip(sizes, grid.cv_results_["mean_test_score"], strict=True))
        assert {size: -score for size, score in scores.items()} == pytest.approx(found)
        assert grid.best_score_ == max(scores.values())
        assert grid.best_estimator_.solution_.optimal


def test_a_tree_of_a_limited_size_is_checked_as_a_file(tmp_path: Path) -> None:
    data, classes = flowers()
    tests = Tests(costs=COSTS, wrong=1, max_leaves=5, min_samples=4, leaf_price="1/50").fit(data, classes)
    assert tests.get_params()["max_leaves"] == 5
    tests.strategy_.write(tmp_path / "tree.json")
    read = guesstree.Strategy.read(tmp_path / "tree.json")
    report = check(read.game, read)
    assert report.valid, report.messages()
    assert tests.strategy_.claims.parameters == {"max_leaves": 5, "min_samples": 4, "leaf_price": "1/50"}
