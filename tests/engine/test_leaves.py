"""Limits of the leaves of trees: the search against all trees of small models, and what the checker says."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from effort import some_of
from models import ModelGame
from random_models import model_of, random_model

from guesstree.api.strategy import strategy_of
from guesstree.engine.errors import GuesstreeError, Infeasible
from guesstree.engine.leaf_limits import LeafLimits
from guesstree.engine.noisy import float_model, leaf_search
from guesstree.engine.noisy.integer_model import INFINITE, IntegerModel
from guesstree.engine.noisy.leaf_oracle import leaf_costs
from guesstree.engine.noisy.leaf_search import History, LeafSearch
from guesstree.engine.noisy.model import Model
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.trees.check import check

FLOWERS = [
    "test,a,b,c,d",
    "petals,5,5,6,6",
    "leaf,round,long,round,long",
    "colour,red,red,blue,white",
    "weight,4,3,2,1",
    "decide eat,0,0,9,9",
    "decide leave,3,3,0,0",
    "decide ask,1,1,1,1",
]


def test_the_oracle_knows_what_is_plain() -> None:
    """Every number by hand: one leaf decides at once; petals alone tell who is to be eaten."""
    model = model_of(FLOWERS)
    assert leaf_costs(model)[1] == 1
    assert leaf_costs(model)[2] == 1  # a test costs 1, and decides without loss
    assert leaf_costs(model, least=4) == {1: 1, 2: 2}  # the leaf leaves 6 and 4, petals 7 and 3
    assert leaf_costs(model, least=5) == {1: 1}
    assert leaf_costs(model, most=0) == {1: 1}
    cheap = replace(model, prices=(Fraction(1, 2), 1, 1))
    assert leaf_costs(cheap)[2] == Fraction(1, 2) and leaf_costs(cheap, worst=True)[2] == Fraction(1, 2)


def case(seed: int) -> tuple[Model, dict[str, Any], LeafLimits]:
    """Return a random model, how it is searched, and limits of leaves, alone or together."""
    dice = random.Random(seed)
    model = random_model(dice)
    weight = sum(map(Fraction, model.weights))
    worst = bool(model.failures) or dice.random() < 0.3
    limits = LeafLimits(
        dice.choice([None, None, 1, 2, 3, 4, 5]),
        dice.choice([None, None, *(Fraction(weight, dice.randint(1, most)) for most in (8, 20))]),
        None if worst else dice.choice([None, None, Fraction(dice.randint(1, 6), dice.randint(1, 12))]),
    )
    if limits == LeafLimits():
        limits = LeafLimits(3)
    how: dict[str, Any] = {"worst": worst, "tests": dice.choice([-1, -1, 0, 1, 2, 3])}
    coin = IntegerModel(model, limits.leaf_price or 0).coin
    how["limit"] = -1 if worst else dice.choice([-1, -1, dice.randint(0, 15 * coin)])
    how["first"] = dice.randrange(len(model.prices)) if dice.random() < 0.15 and not model.after else -1
    return model, how, limits


def searched(model: Model, how: dict[str, Any], limits: LeafLimits) -> Fraction | None:
    """Return what the search finds; None: there is no tree."""
    integers = IntegerModel(model, limits.leaf_price or 0)
    found = LeafSearch(model, integers, limits, **how).search()
    assert found.lower == found.upper
    unit = integers.coin * (1 if how["worst"] else integers.root().mass)
    return None if found.upper >= INFINITE else Fraction(found.upper, unit)


def best(model: Model, how: dict[str, Any], limits: LeafLimits) -> Fraction | None:
    """Return the least cost of all trees within the limits."""
    every = leaf_costs(
        model,
        worst=how["worst"],
        limit=None
        if how["limit"] < 0
        else Fraction(how["limit"], IntegerModel(model, limits.leaf_price or 0).coin),
        most=None if how["tests"] < 0 else how["tests"],
        least=limits.min_samples or 0,
        first=None if how["first"] < 0 else how["first"],
    )
    most = limits.max_leaves or max(every, default=0)
    price = limits.leaf_price or Fraction(0)
    return min((Fraction(cost) + n * price for n, cost in every.items() if n <= most), default=None)


@pytest.mark.parametrize(
    "seeds", [range(150), pytest.param(some_of(range(1000, 6000)), marks=pytest.mark.long)]
)
def test_the_search_finds_the_best_of_all_trees(seeds: Sequence[int]) -> None:
    """Of every mixture: noise, sets, decisions, groups, needs, answers that end the path, tests that fail."""
    for seed in seeds:
        model, how, limits = case(seed)
        assert searched(model, how, limits) == best(model, how, limits), seed


@pytest.mark.parametrize("seeds", [range(60), pytest.param(some_of(range(2000)), marks=pytest.mark.long)])
def test_a_value_asked_for_cuts_nothing_that_is_below_it(seeds: Sequence[int]) -> None:
    """A tree of more tests may have more leaves, and so cost less than any of the small ones."""
    for seed in seeds:
        dice = random.Random(seed)
        causes, tests = dice.randint(3, 5), dice.randint(2, 4)
        model = Model(
            chances=tuple(
                tuple({dice.randint(0, 1): Fraction(1)} for _ in range(causes)) for _ in range(tests)
            ),
            weights=tuple(dice.randint(1, 9) for _ in range(causes)),
            prices=tuple(dice.randint(1, 4) for _ in range(tests)),
            losses=tuple(tuple(20 * (said != own) for own in range(causes)) for said in range(causes)),
        )
        limits, how = LeafLimits(dice.randint(2, 6)), {"worst": False, "limit": -1, "tests": -1, "first": -1}
        value = best(model, how, limits)
        assert value is not None
        total = value * sum(model.weights)
        beta = dice.randint(int(total) + 1, 3 * int(total) + 2)
        found = LeafSearch(model, IntegerModel(model), limits).search(beta)
        assert [Fraction(end) for end in (found.lower, found.upper)] == [total] * 2, (seed, beta)


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(some_of(range(6000, 8000)), marks=pytest.mark.long)]
)
def test_where_doubles_do_not_hold_the_numbers_fractions_do(
    seeds: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(float_model, "EXACT", 0)
    monkeypatch.setattr(leaf_search, "leaves", None)  # it is not to be asked
    for seed in seeds:
        model, how, limits = case(seed)
        assert searched(model, how, limits) == best(model, how, limits), seed


@pytest.mark.parametrize(
    "seeds", [range(25), pytest.param(some_of(range(8000, 8600)), marks=pytest.mark.long)]
)
@pytest.mark.parametrize("objective", ["expected", "worst", "worst,expected", "expected,worst"])
def test_strategies_keep_their_limits_and_take_what_they_say(seeds: Sequence[int], objective: str) -> None:
    """The checker counts the leaves and weighs what ends in them, by a replay of its own."""
    solved = 0
    for seed in seeds:
        model, how, limits = case(seed)
        if model.failures and objective != "worst":
            continue
        if objective == "worst":
            limits = replace(limits, leaf_price=None)
        if limits == LeafLimits():
            limits = LeafLimits(2)
        game, most = ModelGame(model), how["tests"] if how["tests"] > 0 else None
        first = objective.split(",")[0]
        asked = how | {"worst": first == "worst", "tests": most or -1, "limit": -1, "first": -1}
        price = None if first == "worst" else limits.leaf_price
        value = best(model, asked, replace(limits, leaf_price=price))
        try:
            solution = solve(game, objective, max_depth=most, **vars(limits))
        except GuesstreeError:
            assert value is None, seed
            continue
        assert value is not None
        assert solution.optimal
        assert solution.upper[0] == value * (1 if first == "worst" else sum(model.weights)), seed
        report = check(game, strategy_of(solution))
        assert report.valid, (seed, report.messages())
        solved += 1
    assert solved > len(seeds) // 5


def taken(model: Model, search: LeafSearch) -> tuple[int, Fraction]:
    """Return the leaves of the tree that a search has found, and its expected cost."""
    leaves, total = 0, Fraction(0)
    waiting: list[tuple[History, tuple[Fraction, ...]]] = [((), tuple(map(Fraction, model.weights)))]
    losses = model.losses or ()
    while waiting:
        history, masses = waiting.pop()
        ended = bool(history) and history[-1][1] in model.ending(history[-1][0])
        settled = not losses and model.settled([i for i, m in enumerate(masses) if m])
        guess = len(model.chances) if ended or settled else search.choice(history)
        if guess >= len(model.chances):
            leaves += 1
            if not ended and losses:
                lost = losses[guess - len(model.chances)]
                total += sum(m * x for m, x in zip(masses, lost, strict=True) if m and x is not None)
            continue
        total += sum(masses) * model.price(guess, {g for t, _ in history for g in model.group(t)})
        row = model.chances[guess]
        for answer in sorted({a for m, cell in zip(masses, row, strict=True) if m for a in cell}):
            part = tuple(m * cell.get(answer, 0) for m, cell in zip(masses, row, strict=True))
            waiting.append(((*history, (guess, answer)), part))
    return leaves, total / sum(map(Fraction, model.weights))


def test_what_was_forgotten_is_looked_at_again() -> None:
    """With no memory at all, the tree is still the one that was found."""
    trees = 0
    for seed in range(120):
        model, how, limits = case(seed)
        if how["worst"]:
            continue
        integers = IntegerModel(model, limits.leaf_price or 0)
        search = LeafSearch(model, integers, limits, **how, memory=0)
        found = search.search()
        if found.upper < INFINITE:
            leaves, cost = taken(model, search)
            price = limits.leaf_price or 0
            assert cost + leaves * price == best(model, how, limits), seed
            assert limits.max_leaves is None or leaves <= limits.max_leaves, seed
            trees += 1
    assert trees > 30


def test_a_search_that_is_stopped_knows_bounds() -> None:
    """Every tree found so far is one, and the lower bound stays below it."""
    dice = np.random.default_rng(3)
    rows = dice.integers(0, 2, (400, 40))
    classes = (rows[:, :9].sum(axis=1) + dice.integers(0, 3, 400)) % 2
    model = Model(
        chances=tuple(tuple({int(a): Fraction(1)} for a in column) for column in rows.T),
        weights=(1,) * 400,
        prices=(0,) * 40,
        losses=tuple(tuple(int(said != own) for own in classes) for said in (0, 1)),
    )
    game = ModelGame(model)
    solution = solve(game, max_leaves=12, time_limit=0.6)
    assert solution.stopped == "time" and solution.lower < solution.upper
    report = check(game, strategy_of(solution))
    assert report.valid, report.messages()


REFUSED = {
    "max_leaves": [0, -1, 1.5, "two", True],
    "min_samples": [-1, "few", True, float("nan"), float("inf")],
    "leaf_price": [-0.1, "x", [1]],
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_limit_is_refused_in_one_line(name: str) -> None:
    for value in REFUSED[name]:
        asked: dict[str, Any] = {name: value}
        with pytest.raises(GuesstreeError, match=f"^{name}=.*; expected a ") as error:
            solve(ModelGame(model_of(FLOWERS)), **asked)
        assert "\n" not in str(error.value)


def test_where_no_tree_keeps_the_limits_one_line_says_so() -> None:
    rows = ["test,a,b,c", "t,x,x,y", "u,x,y,y"]
    game = ModelGame(model_of(rows))
    with pytest.raises(Infeasible, match=r"cannot be settled with at most 2 leaves$"):
        solve(game, max_leaves=2)
    with pytest.raises(Infeasible, match=r"with at most 3 leaves with at least 5 in each leaf$"):
        solve(game, max_leaves=3, min_samples=5)
    with pytest.raises(GuesstreeError, match=r"each leaf names one .*; use a table with decisions"):
        solve(parse("mastermind:2x3"), max_leaves=2)


def test_the_checker_finds_limits_that_are_not_kept() -> None:
    game = ModelGame(model_of([*FLOWERS[:5], "decide eat,0,0,9,9", "decide leave,3,3,0,0"]))
    solution = solve(game, max_leaves=4, min_samples=1, leaf_price="1/100")
    strategy = strategy_of(solution)
    assert check(game, strategy).valid
    leaves = int((strategy.guess < 0).sum())
    for name, claimed, said in (
        ("max_leaves", leaves - 1, f"max_leaves {leaves - 1}, the tree has {leaves}"),
        ("max_leaves", "many", "max_leaves many; expected an integer, 1 or more"),
        ("min_samples", "9/2", "min_samples 9/2, leaf"),
        ("min_samples", -1, "min_samples -1; expected a number, 0 or more"),
        ("leaf_price", "1/2", "bounds say upper"),
        ("leaf_price", "a lot", "leaf_price a lot; expected a number, 0 or more"),
    ):
        parameters = {**strategy.claims.parameters, name: claimed}
        claims = replace(strategy.claims, parameters=parameters)
        report = check(game, replace(strategy, claims=claims))
        assert any(said in lie for lie in report.lies), (name, report.lies)
