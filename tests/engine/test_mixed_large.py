"""A codemaker who mixes very many secrets: bounds that hold, from a book of strategies."""

from __future__ import annotations

import os
import signal
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from tables import games, priced_games

from guesstree.api.mixed import solve_mixed
from guesstree.engine.errors import Infeasible
from guesstree.engine.game import Game
from guesstree.engine.mixed import solve as mixed_solve
from guesstree.engine.mixed.book import Book
from guesstree.engine.mixed.float_game import FloatGame
from guesstree.engine.mixed.oracle import paid_on_average, vectors
from guesstree.engine.mixed.simplex import MatrixGame
from guesstree.engine.mixed.solve import problem_of
from guesstree.engine.registry import parse
from guesstree.engine.search.deadline import Progress
from guesstree.engine.tables.table import TableGame

NEAR = 1e-3


def never() -> bool:
    """Return that the time is not up."""
    return False


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all games be large ones."""
    monkeypatch.setattr(mixed_solve, "MOST_ORBITS", 0)


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("mastermind:2x3", Fraction(29, 12)),
        ("mastermind:3x3", Fraction(73, 27)),
        ("mastermind:3x4", Fraction(219, 68)),
        ("coins:4", Fraction(19, 7)),
    ],
)
@pytest.mark.usefixtures("large")
def test_bounds_hold_of_games_whose_value_is_known(spec: str, value: Fraction) -> None:
    found = solve_mixed(spec)
    assert found.lower <= value <= found.upper and found.upper - value < Fraction(1, 20)
    assert found.stopped == ("" if found.optimal else "strategies")
    assert sum(found.probabilities) == 1 and found.checked() == []


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("options", [{"candidates_only": True}, {"goal": "identify"}, {"symmetry": False}])
def test_bounds_hold_with_options(options: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    found = solve_mixed("mastermind:2x3", **options)  # type: ignore[arg-type]
    monkeypatch.undo()
    value = solve_mixed("mastermind:2x3", **options).value  # type: ignore[arg-type]
    assert value is not None and found.lower <= value <= found.upper
    assert found.checked() == []


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("when", [1, 3, 8])
def test_ctrl_c_leaves_bounds_that_hold(when: int) -> None:
    told = []

    def press(seen: Progress) -> None:
        told.append(seen.upper)
        if len(told) == when:
            os.kill(os.getpid(), signal.SIGINT)

    found = solve_mixed("mastermind:3x4", symmetry=False, progress=press)
    assert found.stopped == "interrupt"
    assert found.lower <= Fraction(219, 68) <= found.upper and found.checked() == []


def book_against_all(game: Game) -> None:
    """Compare answers of a book that has every guess with the best of all strategies."""
    problem = problem_of(game, None, candidates_only=False, symmetry=True)
    try:
        problem.require_winners()
    except Infeasible:
        return
    every = vectors(game, goal=problem.goal)
    if not every or problem.rules is not None:
        return
    book, random = Book(problem, never, (1000,)), Random(1)
    for _ in range(3):
        weights = [random.randint(1, 9) for _ in game.secrets]
        line = book.answer(np.array(weights, dtype=np.float64))
        best = min(paid_on_average(weights, vector) for vector in every)
        assert Fraction(int(line.paid @ weights), sum(weights)) == best
        assert tuple(line.paid.tolist()) in every
        plan = book.plan(line)
        assert set(plan.choices.values()) <= set(range(len(game.guesses)))


@given(game=games(most_secrets=4, most_extra=3))
@tries(0.2)
def test_a_book_with_all_guesses_has_the_best_answer(game: Game) -> None:
    book_against_all(game)


@given(game=priced_games(most_secrets=4, most_extra=3))
@tries(0.2)
def test_a_book_counts_costs(game: Game) -> None:
    book_against_all(game)


def test_a_book_that_grows_answers_no_worse() -> None:
    problem = problem_of(parse("mastermind:3x4"), None, candidates_only=False, symmetry=True)
    book, random = Book(problem, never, (2, 1)), np.random.default_rng(2)
    weights = random.random(problem.secrets)
    before = book.answer(weights)
    for _ in range(3):
        book.grow(before, weights, never)
        after = book.answer(weights)
        assert weights @ after.paid <= weights @ before.paid + 1e-9
        before = after


def test_games_in_doubles_are_those_in_integers_but_for_rounding() -> None:
    random = Random(4)
    for _ in range(30):
        rows = random.randint(1, 8)
        sizes = [random.randint(1, 3) for _ in range(rows)]
        exact, rough = MatrixGame(sizes), FloatGame(sizes)
        for _ in range(random.randint(1, 8)):
            column = [size * random.randint(2, 8) for size in sizes]
            exact.add(column)
            rough.add(column)
        assert exact.value <= rough.value < exact.value + NEAR
        assert sum(rough.breaker()) == 1 and min(rough.breaker()) >= 0
        shares = rough.maker()
        assert sum(s * n for s, n in zip(shares, sizes, strict=True)) == 1 and min(shares) >= 0


@pytest.mark.usefixtures("large")
def test_bounds_hold_for_tiny_tables() -> None:
    random, tried = Random(1), 0
    while tried < 12:
        secrets, guesses = random.randint(2, 5), random.randint(2, 5)
        cells = [[random.choice("abc") for _ in range(secrets)] for _ in range(guesses)]
        if len(set(zip(*cells, strict=True))) < secrets:
            continue
        game = TableGame("table:random", list("vwxyz")[:guesses], list("ABCDE")[:secrets], cells, None)
        found, every = solve_mixed(game), vectors(game, goal="identify")
        assert found.lower <= min(paid_on_average(found.weights, vector) for vector in every)
        assert found.upper == max(found.each) >= found.lower and found.checked() == []
        tried += 1
