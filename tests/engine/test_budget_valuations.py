"""Valuations that know the budget: the figures by hand, what they promise, and strategies played out."""

from fractions import Fraction
from itertools import permutations
from math import exp, factorial, log2
from pathlib import Path

import numpy as np
import pytest
from effort import tries
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import priced_games

from guesstree.api.comparison import compare
from guesstree.api.strategy import strategy_of
from guesstree.engine.advice.playing import play_against
from guesstree.engine.advice.position import Position
from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.onestep.greedy import OneStep
from guesstree.engine.onestep.prospects import prospects
from guesstree.engine.onestep.ranking import Method
from guesstree.engine.onestep.valuations import BUDGET_VALUATIONS, at_most
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.state import everything, split
from guesstree.trees.check import check

EIGHT = ("cats", "bats", "rats", "vats", "sate", "mole", "vole", "role")
SURE, CHANCE = (BUDGET_VALUATIONS[name] for name in ("sure-wins", "win-chance"))
words = st.lists(st.text("abcd", min_size=3, max_size=3), min_size=1, max_size=9, unique=True)


@pytest.fixture
def eight(tmp_path: Path) -> str:
    """Return the spec of the example of the docs."""
    (tmp_path / "eight.txt").write_text("\n".join(EIGHT))
    return f"hangman:{tmp_path / 'eight.txt'}"


def test_a_poisson_number_is_small_with_the_probability_of_the_sum() -> None:
    for mean in (0.0, 0.3, 2.0, 9.5):
        for most in (-1, 0, 1, 6, 40):
            terms = [exp(-mean) * mean**k / factorial(k) for k in range(most + 1)]
            assert at_most(most, mean) == pytest.approx(min(sum(terms), 1), abs=1e-12)


def test_the_figures_of_the_example_are_those_by_hand(eight: str) -> None:
    """The letter s leaves 4 and 1 words with 1 miss left, 3 words with none: 2 + 1 + 1 can surely be won.

    It tells 1.4056 bits for 3/8 of a miss, and no letter tells more for a miss.
    """
    valued = Position(f"{eight},misses=1").value("s")
    bit = 3 / 8 / ((24 - 8 - 3 * log2(3)) / 8)
    expected = [(1, 0, 1, 1, 0), (3, 1, 0, 1, log2(3) * bit), (4, 0, 1, 2, 2 * bit)]
    for part, figures in zip(valued.prospects, expected, strict=True):
        assert tuple(part) == pytest.approx(figures)
    assert SURE.figure(valued.prospects) == Fraction(4, 8)
    chance = (4 * exp(-2 * bit) * (1 + 2 * bit) + 1 + 3 * exp(-log2(3) * bit)) / 8
    assert CHANCE.figure(valued.prospects) == pytest.approx(chance)


def plain_sure(game: Game, goal: str, guess: int, budget: int) -> int:
    """Return what is surely won after a guess: the heaviest secrets of each part that can be paid."""
    problem = Problem(game, OBJECTIVES["expected"], goal=goal)
    highest, total = max(int(problem.costs.max()), 1), 0
    table = game.table()
    free = all(
        any(row[a] != row[b] and not paid[row[a]] for row, paid in zip(table, problem.costs, strict=True))
        for a, b in permutations(range(problem.secrets), 2)
    )
    for response, part in split(problem.row(guess, everything(problem.secrets)), everything(problem.secrets)):
        left = budget - int(problem.costs[guess, response])
        own = sorted((int(problem.weights[s]) for s in part), reverse=True)
        if response == problem.winning:
            total += sum(own) * (left >= 0)
        else:
            most = left // highest + (goal == "identify")
            if goal == "win" or free or len(own) <= most:
                total += sum(own[: max(most, 0)])
    return total


@tries(3)
@given(priced_games(), st.integers(0, 9))
def test_what_is_surely_won_is_no_more_than_the_best_strategy_wins(game: Game, budget: int) -> None:
    goal = game.facts.goals[0]
    try:
        optimum = solve(game, "win-probability", budget=budget)
    except GameError:
        assume(False)
    problem = Problem(game, OBJECTIVES["win-probability"], budget=budget)
    most = int(problem.weights.sum()) - int(optimum.upper[0])
    everyone = everything(problem.secrets)
    for guess, parts in enumerate(prospects(problem, everything(len(game.guesses)), everyone, budget)):
        assert SURE.won(parts) == plain_sure(game, goal, guess, budget)
        assert SURE.won(parts) <= most
        assert sum(part.weight for part in parts) == problem.weights.sum()
        assert 0 <= CHANCE.figure(parts) <= 1


def test_with_one_guess_before_the_last_the_parts_are_counted() -> None:
    problem = Problem(parse("mastermind:3x4"), OBJECTIVES["win-probability"], budget=2)
    everyone = everything(problem.secrets)
    for parts in prospects(problem, everything(64), everyone, 2):
        assert SURE.won(parts) == len(parts)
    chosen = [OneStep(problem, Method(name)).choose(everyone, left=2) for name in ("sure-wins", "parts")]
    sizes = [np.count_nonzero(problem.sizes(np.array([guess], np.int32), everyone)) for guess in chosen]
    assert sizes[0] == sizes[1]


@tries(2)
@given(words, st.integers(0, 3), st.sampled_from(list(BUDGET_VALUATIONS)))
def test_hangman_is_never_better_than_the_best_and_advice_plays_the_same(
    tmp_path_factory: pytest.TempPathFactory, some: list[str], misses: int, name: str
) -> None:
    file = tmp_path_factory.getbasetemp() / "some.txt"
    file.write_text("\n".join(some))
    game = parse(f"hangman:{file},misses={misses}")
    played, best = solve(game, "win-probability", method=name), solve(game, "win-probability")
    report = check(game, strategy_of(played))
    assert report.valid, report.messages()
    assert best.upper <= played.upper
    lost = 0
    for secret in game.secrets:
        steps = play_against(game, secret, lambda position: position.best_guess(name))
        lost += sum(response == "miss" for _, response in steps) > misses
    assert lost == played.upper[0]


def test_a_method_that_needs_a_budget_says_so(eight: str) -> None:
    for ask in (
        lambda: solve(eight, method="win-chance"),
        lambda: Position(eight).valuations("win-chance"),
        lambda: compare(eight, ["sure-wins"]),
    ):
        with pytest.raises(GuesstreeError, match="without a budget; use it with one"):
            ask()
