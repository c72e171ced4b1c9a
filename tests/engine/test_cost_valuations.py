"""Valuations of games with weights and costs: the formulas, exact comparison, and strategies played out."""

from fractions import Fraction
from math import inf, log2, prod

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import priced_games

from guesstree.api.strategy import strategy_of
from guesstree.engine.advice.position import Position
from guesstree.engine.errors import GameError
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.onestep.greedy import OneStep
from guesstree.engine.onestep.logs import Logs, coprime, sign
from guesstree.engine.onestep.ranking import Method
from guesstree.engine.onestep.valuations import BUDGET_VALUATIONS, COST_VALUATIONS, VALUATIONS
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.state import everything
from guesstree.trees.check import check

numbers = st.dictionaries(st.integers(2, 40), st.integers(-6, 6), max_size=5)


@tries(8.5)
@given(numbers)
def test_the_sign_of_logarithms_is_that_of_products(terms: dict[int, int]) -> None:
    up = prod(n**m for n, m in terms.items() if m > 0)
    down = prod(n**-m for n, m in terms.items() if m < 0)
    assert sign({n: m for n, m in terms.items() if m}) == (up > down) - (up < down)


def test_near_ties_and_ties_are_told_apart() -> None:
    # A convergent of log 3 / log 2 with 40 digits: doubles see a tie.
    p, q = 1, 1
    before = (1, 0)
    for term in (1, 1, 1, 2, 2, 3, 1, 5, 2, 23, 2, 2, 1, 1, 55, 1, 4, 3, 1, 1, 15, 1, 9, 2, 5, 7, 1, 1, 4, 8):
        before, (p, q) = (p, q), (term * p + before[0], term * q + before[1])
    assert p > 10**14
    assert sign({2: p, 3: -q}) != 0
    assert sign({2: p, 3: -q}) == -sign({2: -p, 3: q})
    assert Logs([(3, 4)]) == Logs([(6, 2)])
    assert Logs([(3, 4)]) / 2 == Logs([(9, 2)]) / 3
    assert Logs([(10**20, 12), (-(10**20), 3)]) == Logs([(10**20, 4)])
    assert Logs([(10**20, 12), (-(10**20), 3)]) < Logs([(10**20, 4), (1, 2)])


@given(st.lists(st.integers(1, 10**6), max_size=6))
def test_a_coprime_base_divides_everything(some: list[int]) -> None:
    base = coprime(some)
    assert all(np.gcd(a, b) == 1 for i, a in enumerate(base) for b in base[:i])
    for number in some:
        for b in base:
            while number % b == 0:
                number //= b
        assert number == 1


def test_the_figures_are_those_of_the_formulas() -> None:
    parts = ((1, 0), (2, 0), (5, 1))
    least, reduction, information = (COST_VALUATIONS[name].figure for name in COST_VALUATIONS)
    assert list(COST_VALUATIONS) == ["least-cost", "reduction-per-cost", "information-per-cost"]
    assert least(parts) == Fraction(5, 8)
    assert reduction(parts) == Fraction(64 - 1 - 4 - 25, 5)
    bits = sum(w / 8 * log2(8 / w) for w, _ in parts)
    assert information(parts) == pytest.approx(bits / (5 / 8))
    assert reduction(((1, 0), (2, 0))) == information(((1, 0), (2, 0))) == inf


def test_a_hit_or_a_miss_alone_makes_reduction_the_most_frequent_letter() -> None:
    """With two parts the expected reduction per expected miss is twice the number of words hit."""
    for hits in range(1, 9):
        parts = ((hits, 0), (9 - hits, 1))
        assert COST_VALUATIONS["reduction-per-cost"].figure(parts) == 2 * hits


def best_of(problem: Problem, name: str) -> int:
    """Return the guess of a valuation by its figure alone: exact as long as no two figures nearly tie."""
    everyone = everything(problem.secrets)
    guesses = problem.allowed(everyone)
    found = []
    for guess, parts in zip(guesses.tolist(), problem.paid(guesses, everyone), strict=True):
        if len(parts) > 1:
            figure = float(COST_VALUATIONS[name].figure(parts))
            free = COST_VALUATIONS["information-per-cost"].key(parts)[1] if figure == inf else 0
            outside = problem.own[guess] < 0
            up = figure if COST_VALUATIONS[name].best == "min" else -figure
            if figure == inf and name == "reduction-per-cost":
                free = COST_VALUATIONS[name].key(parts)[1]
            rounded = round(up, 9) if up != -inf else up
            found.append((rounded, round(-abs(float(free)), 9), outside, guess))
    return min(found)[3] if found else -1


@tries(5)
@given(priced_games(), st.sampled_from(list(COST_VALUATIONS)))
def test_the_guess_is_the_best_by_the_figure(game: Game, name: str) -> None:
    problem = Problem(game, OBJECTIVES["expected"], goal="identify")
    if problem.secrets > 1:
        assert OneStep(problem, Method(name)).choose(everything(problem.secrets)) == best_of(problem, name)


@pytest.mark.parametrize("name", [*COST_VALUATIONS, *VALUATIONS])
def test_with_weights_a_position_values_guesses_that_symmetry_would_make_equal(name: str) -> None:
    for seed in range(5):
        game = parse("mastermind:2x3")
        game.weights = np.random.default_rng(seed).integers(1, 9, 9).tolist()
        problem = Problem(game, OBJECTIVES["expected"])
        position = Position(game)
        assert position.best_guess(name) == OneStep(problem, Method(name)).choose(position.candidates)
        assert len(position.valuations(name)) == len(game.guesses)


@pytest.mark.parametrize(
    ("name", "same"), [("information-per-cost", "entropy"), ("reduction-per-cost", "expected-size")]
)
def test_where_all_cost_the_same_they_are_the_plain_valuations(name: str, same: str) -> None:
    for spec in ("mastermind:3x3", "bulls:2x5"):
        found, plain = (solve(parse(spec), method=method) for method in (name, same))
        assert found.choices == plain.choices


VALUED = st.sampled_from([*COST_VALUATIONS, *VALUATIONS, *BUDGET_VALUATIONS])


@tries(2.2)
@given(priced_games(), VALUED, st.integers(0, 6))
def test_strategies_are_complete_and_no_better_than_the_best(game: Game, name: str, budget: int) -> None:
    try:
        played = solve(game, "win-probability", budget=budget, method=name)
        optimum = solve(game, "win-probability", budget=budget)
    except GameError:
        return
    report = check(game, strategy_of(played))
    assert report.valid, report.messages()
    assert optimum.upper <= played.upper
