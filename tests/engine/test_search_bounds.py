"""Bounds that improve: always true, always with a valid tree, and exact when there is time."""

import signal
import threading
import time
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import games, priced_games

from guesstree.api.strategy import strategy_of
from guesstree.engine.errors import GameError, GuesstreeError, Infeasible, SpaceError
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.onestep.valuations import VALUATIONS
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search import bounds as anytime
from guesstree.engine.search import first_guesses
from guesstree.engine.search import space as kind
from guesstree.engine.search.bounds import bounds
from guesstree.engine.search.priced import Priced
from guesstree.engine.search.solve import solve
from guesstree.engine.solution import Row, Solved
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check

BOTH = ["expected", "worst"]


def checked(found: Solved, truth: int) -> Solved:
    """Return bounds that passed: true at every moment, monotone, and with a valid tree that reaches them."""
    solution = found
    assert solution.lower <= (truth,) <= solution.upper
    for row in found.rows:
        assert row.lower <= truth
        assert row.upper is None or truth <= row.upper
    for earlier, later in pairwise(found.rows):
        assert earlier.seconds <= later.seconds
        assert earlier.lower <= later.lower
        assert earlier.upper is None or (later.upper is not None and earlier.upper >= later.upper)
        assert (earlier.lower, earlier.upper) != (later.lower, later.upper)
    report = check(solution.game, strategy_of(solution))
    assert report.valid, report.messages()
    if report.costs is not None:
        assert report.costs.value(solution.objective) == solution.upper
    else:
        value = report.total if solution.objective == "expected" else report.worst
        assert (value,) == solution.upper
    return found


def compare_with_the_oracle(game: Game, objective: str, truth: int | None, **options: Any) -> None:
    try:
        found = bounds(game, objective, **options)
    except Infeasible as answer:
        assert truth is None or "one may exist" in str(answer)
    except GameError as error:
        assert "apart" in str(error)
        assert truth is None
    except GuesstreeError as error:
        assert "first test" in str(error)
        assert truth is None
    else:
        assert truth is not None
        checked(found, truth)
        if options["time_limit"] >= 60:
            assert found.optimal
            assert (found.rows[-1].lower, found.rows[-1].upper) == (truth, truth)


@given(
    games(),
    st.sampled_from(BOTH),
    st.sampled_from([None, 1, 2, 3, 4]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([60.0, 1e-4, 1e-3, 3e-3, 1e-2]),
)
def test_bounds_hold_the_truth_on_tables(
    game: TableGame,
    objective: str,
    max_depth: int | None,
    identify: bool,
    only_candidates: bool,
    seconds: float,
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    value = best(front(game, goal, candidates_only=only_candidates), OBJECTIVES[objective].figures, max_depth)
    options = {"goal": goal, "max_depth": max_depth, "candidates_only": only_candidates}
    compare_with_the_oracle(game, objective, value[0] if value else None, time_limit=seconds, **options)


@given(
    priced_games(),
    st.sampled_from(BOTH),
    st.booleans(),
    st.booleans(),
    st.sampled_from([60.0, 1e-4, 1e-3]),
)
def test_bounds_hold_the_truth_where_questions_cost(
    game: TableGame, objective: str, identify: bool, only_candidates: bool, seconds: float
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    options: dict[str, Any] = {"goal": goal, "candidates_only": only_candidates and goal == "win"}
    value = best(front(game, **options), OBJECTIVES[objective].figures)
    compare_with_the_oracle(game, objective, value[0] if value else None, time_limit=seconds, **options)


@given(priced_games(win=True), st.sampled_from(BOTH), st.integers(1, 4))
def test_bounds_hold_the_truth_of_weights_within_a_depth(
    game: TableGame, objective: str, max_depth: int
) -> None:
    game.costs, game.weights = None, [1 + s % 3 for s in range(len(game.secrets))]
    value = best(front(game, "win"), OBJECTIVES[objective].figures, max_depth)
    compare_with_the_oracle(
        game, objective, value[0] if value else None, time_limit=60.0, goal="win", max_depth=max_depth
    )


@given(priced_games())
def test_counting_is_no_more_than_the_optimum(game: TableGame) -> None:
    for goal in ("identify", "win")[: 1 + (game.winning is not None)]:
        pairs = front(game, goal)
        for name in ("expected", "worst", "worst,expected", "expected,worst"):
            optimum = best(pairs, OBJECTIVES[name].figures)
            if optimum is not None:
                counted = Priced(Problem(game, OBJECTIVES[name], goal=goal)).counted()
                assert tuple(counted[part] for part in OBJECTIVES[name].figures) <= optimum


@pytest.mark.parametrize("objective", BOTH)
@pytest.mark.parametrize("seconds", [0.01, 0.3, 1.0])
def test_a_large_game_with_costs_has_bounds_in_time(objective: str, seconds: float) -> None:
    rng = np.random.default_rng(5)
    cells = rng.integers(0, 2, (60, 500)).astype(str).tolist()
    names = [f"s{i}" for i in range(500)]
    weights, prices = rng.integers(1, 99, 500).tolist(), rng.integers(1, 9, 60).tolist()
    game = TableGame("table:large", [f"g{i}" for i in range(60)], names, cells, None, weights, prices)
    told: list[Row] = []
    found = bounds(game, objective, time_limit=seconds, improved=told.append, progress=lambda _: None)
    assert tuple(told) == found.rows and told[0].how == "counting" and told[0].lower > 0
    assert (told[-1].lower, told[-1].upper) == (*found.lower, *found.upper)
    assert found.optimal or found.stopped == "time"
    assert found.seconds < seconds + 25
    checked(found, found.upper[0])


@given(games(), st.sampled_from(BOTH), st.data())
def test_bounds_after_a_fixed_first_guess(game: TableGame, objective: str, data: st.DataObject) -> None:
    first = data.draw(st.sampled_from(game.guesses))
    goal = "identify" if game.winning is None else "win"
    value = best(front(game, goal, first=game.guess_index(first)), OBJECTIVES[objective].figures)
    compare_with_the_oracle(
        game, objective, value[0] if value else None, time_limit=60.0, goal=goal, first=first
    )


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("spec", "objective", "options", "truth"),
    [
        ("mastermind:4x6", "expected", {}, 5625),
        ("mastermind:4x6", "expected", {"max_depth": 5}, 5626),
        ("mastermind:4x6", "expected", {"candidates_only": True}, 5660),
        ("mastermind:4x6", "worst", {"goal": "identify"}, 4),
        ("blackpeg:8x2", "worst", {}, 7),
        ("bulls:4x8", "expected", {}, 7817),
    ],
)
def test_with_enough_time_the_optimum_is_proven(
    spec: str, objective: str, options: dict[str, Any], truth: int, jobs: int
) -> None:
    found = checked(bounds(parse(spec), objective, time_limit=120, jobs=jobs, **options), truth)
    assert found.optimal
    assert found.stopped == ""


def test_small_budgets_and_little_memory_change_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells left and taken up again, states forgotten."""
    monkeypatch.setattr(first_guesses, "LEAST_BUDGET", 4)
    monkeypatch.setattr(anytime, "WIDTHS", (1,))
    game = parse("mastermind:4x5")
    tables = 2 * len(game.secrets) ** 2
    found = checked(bounds(game, time_limit=120, memory=tables + (1 << 20)), 2463)
    assert found.optimal


def test_without_memory_for_a_search_bounds_are_those_of_counting_and_one_step_ahead() -> None:
    game = parse("mastermind:4x5")
    with pytest.raises(SpaceError, match=r"625 secrets and 625 guesses: .* guesstree bounds, "):
        solve(game, memory=1 << 20)
    found = checked(bounds(game, time_limit=120, memory=1 << 20), 2463)
    assert found.upper == min(solve(game, method=name).upper for name in VALUATIONS)
    assert found.states == 0
    with pytest.raises(SpaceError, match="32 secrets and 31 guesses"):  # its table is needed
        bounds(parse("coins:5"), time_limit=1, memory=1 << 10)


@pytest.mark.parametrize("seconds", [0.0001, 0.05, 0.4, 1.0])
@pytest.mark.parametrize(("objective", "truth"), [("expected", 26274), ("worst", 7)])
def test_a_time_limit_leaves_a_valid_tree_and_true_bounds(seconds: float, objective: str, truth: int) -> None:
    started = time.monotonic()
    found = checked(bounds(parse("bulls:4x10"), objective, time_limit=seconds), truth)
    assert time.monotonic() - started < seconds + 25
    assert found.optimal or found.stopped == "time"


@pytest.mark.parametrize(
    "after", [0.05, 0.3, 0.9, *(pytest.param(s, marks=pytest.mark.long) for s in (1.6, 2.5))]
)
def test_ctrl_c_leaves_a_valid_tree_and_true_bounds(after: float) -> None:
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(after, signal.pthread_kill, (main, signal.SIGINT))
    game = parse("bulls:4x10")
    timer.start()
    try:
        found = bounds(game, time_limit=4)
    except (KeyboardInterrupt, Infeasible):  # before there was anything to return
        return
    checked(found, 26274)
    assert found.stopped == "interrupt"
    assert not found.optimal


def test_each_row_is_told_as_it_comes() -> None:
    told: list[Row] = []
    found = bounds(parse("mastermind:3x4"), time_limit=60, improved=told.append)
    assert tuple(told) == found.rows
    assert told[0].how == "counting"
    assert told[0].gap is None
    assert told[-1].gap == 0
    assert len({row.how for row in told}) > 1


@pytest.mark.long
def test_progress_is_that_of_the_game() -> None:
    seen: list[Any] = []
    found = bounds(parse("bulls:4x10"), time_limit=3, progress=seen.append)
    assert seen
    assert all(p.lower <= 26274 for p in seen)
    assert all(p.upper is None or p.upper >= found.upper[0] for p in seen)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"objective": "worst,expected"}, "'worst,expected'; use expected or worst"),
        ({"objective": "best"}, "unknown objective 'best'"),
        ({"objective": "win-probability"}, "'win-probability'; use expected or worst"),
        ({"time_limit": 0.0}, "more than 0"),
        ({"jobs": 0}, "0 jobs"),
        ({"first": "9"}, "'9' is not a guess"),
    ],
)
def test_bad_arguments_are_named(options: dict[str, Any], words: str) -> None:
    with pytest.raises(GuesstreeError) as error:
        bounds(parse("mastermind:2x3"), **({"time_limit": 1.0} | options))
    assert words in str(error.value)


def test_a_depth_that_cannot_be_kept_is_said() -> None:
    for objective in BOTH:
        with pytest.raises(Infeasible, match="mastermind:4x6 cannot be won within 4 guesses"):
            bounds(parse("mastermind:4x6"), objective, max_depth=4, time_limit=120)


def solved(spec: str, **options: Any) -> Solved:
    """Return a solution proven optimal whose tree passed the checker."""
    solution = solve(parse(spec), **options)
    assert solution.optimal
    report = check(solution.game, strategy_of(solution))
    assert report.valid, report.messages()
    assert report.total is not None
    assert report.worst is not None
    assert (
        OBJECTIVES[solution.objective].value({"total": report.total, "worst": report.worst}) == solution.upper
    )
    return solution


@pytest.mark.parametrize(
    ("spec", "objective", "value"),
    [
        ("mastermind:4x6", "expected", (5625,)),
        ("mastermind:4x6", "worst,expected", (5, 5626)),
        ("bulls:4x8", "expected,worst", (7817, 6)),
        ("blackpeg:8x2", "worst", (7,)),
    ],
)
def test_two_threads_solve_to_the_same_value(spec: str, objective: str, value: tuple[int, ...]) -> None:
    assert solved(spec, objective=objective, jobs=2).upper == value


@pytest.mark.parametrize("jobs", [1, 2])
def test_solving_with_little_memory_forgets_and_is_never_wrong(
    jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Room for a table of the largest part of a first guess in each thread, and 512 states."""
    monkeypatch.setattr(kind, "LEAST_MEMORY", 1 << 16)
    largest = len(Problem(parse("bulls:4x8"), OBJECTIVES["expected"]).profile)
    tables = 2 * 1680 * largest * jobs
    ample = solved("bulls:4x8")
    scarce = solved("bulls:4x8", memory=tables + (1 << 16), jobs=jobs)
    assert ample.upper == scarce.upper == (7817,)
    assert jobs > 1 or scarce.evaluations > ample.evaluations, "it had to search again"
    with pytest.raises(SpaceError, match="1680 secrets and 1680 guesses: tables of responses would need"):
        solve(parse("bulls:4x8"), memory=tables + (1 << 16) - 1, jobs=jobs)
