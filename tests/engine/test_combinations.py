"""Costs with depth limits, rules, beams and threads, lies with threads: oracle and checker agree."""

from typing import Any

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from ruled import RuledGame, ruled_game
from tables import asked_objectives, games, priced_games

from guesstree.api.strategy import strategy_of
from guesstree.cext import counted
from guesstree.engine.errors import GameError, GuesstreeError, Infeasible
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front, least, worst_with_lies
from guesstree.engine.registry import parse
from guesstree.engine.search import space as kind
from guesstree.engine.search.bounds import bounds
from guesstree.engine.search.solve import solve
from guesstree.engine.solution import Solved
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check


def checked(game: Game, objective: str, **options: Any) -> Solved | None:
    """Return a solution whose tree passed the checker; None when there is none."""
    try:
        solution = solve(game, objective, **options)
    except Infeasible:
        return None
    report = check(game, strategy_of(solution))
    assert report.valid, report.messages()
    assert solution.lower <= solution.upper
    if report.costs is not None:
        assert report.costs.value(objective) == solution.upper
    return solution


def optimum(game: Game, objective: str, **options: Any) -> tuple[int, ...] | None:
    """Return the optimum, proved, and reached by a tree that passed the checker; None when there is none."""
    solution = checked(game, objective, **options)
    assert solution is None or solution.optimal, solution
    return None if solution is None else solution.upper


def priced_rules(seed: int, **sizes: int) -> RuledGame:
    """Return a random small table with random rules, and with weights, costs, or both."""
    game, dice = ruled_game(seed, **sizes), np.random.default_rng(seed)
    kinds = int(dice.integers(3))
    if kinds != 1:
        game.weights = dice.integers(1, 9, len(game.secrets)).tolist()
    if kinds:
        game.costs = dice.integers(0, 4, (len(game.guesses), len(game.responses)))
    return game


@tries(18)
@given(st.data(), priced_games(), asked_objectives(most=12), st.booleans(), st.booleans(), st.booleans())
def test_costs_equal_the_oracle(
    data: st.DataObject,
    game: TableGame,
    asked: dict[str, Any],
    identify: bool,
    only_candidates: bool,
    fixed: bool,
) -> None:
    """Of any objective, within a budget or a depth, after a first guess or any, with one thread or two."""
    goal = "identify" if identify or game.winning is None else "win"
    limits = asked | {"goal": goal}
    if "budget" not in asked:
        limits["max_depth"] = data.draw(st.sampled_from([None, 1, 2, 3, 4, 5]))
    limits["candidates_only"] = only_candidates and goal == "win" and not fixed
    first, jobs = data.draw(st.sampled_from(game.guesses)) if fixed else None, data.draw(st.integers(1, 2))
    try:
        found = optimum(game, **limits, first=first, jobs=min(jobs, counted.MOST_JOBS))
    except GuesstreeError as error:
        assert "apart" in str(error) or (fixed and "first test" in str(error))
        return
    assert found == least(game, **limits, first=None if first is None else game.guess_index(first))


@tries(8)
@given(
    st.integers(0, 1 << 30),
    asked_objectives(),
    st.sampled_from([None, 2, 3]),
    st.booleans(),
)
def test_costs_under_rules_equal_the_oracle(
    seed: int, asked: dict[str, Any], max_depth: int | None, identify: bool
) -> None:
    game = priced_rules(seed, most_secrets=6, most_extra=4)
    goal = "identify" if identify or game.winning is None else "win"
    limits = asked if "budget" in asked else asked | {"max_depth": max_depth}
    try:
        found = optimum(game, goal=goal, **limits)
    except GuesstreeError as error:
        assert "apart" in str(error) or ("budget" in asked and "use the goal win" in str(error))
        return
    assert found == least(game, goal, **limits)


@tries(4)
@given(
    priced_games(most_secrets=8, most_extra=6),
    st.sampled_from(["expected", "worst"]),
    st.integers(1, 3),
    st.sampled_from([None, 3, 4]),
)
def test_a_beam_over_costs_finds_a_real_strategy(
    game: TableGame, objective: str, width: int, max_depth: int | None
) -> None:
    goal = "identify" if game.winning is None else "win"
    truth = best(front(game, goal, max_depth=max_depth), OBJECTIVES[objective].figures)
    try:
        found = checked(game, objective, width=width, max_depth=max_depth)
    except GameError:
        return
    if found is not None:
        assert truth is not None
        assert found.method == "beam"
        assert found.lower <= truth <= found.upper
        asked = check(game, strategy_of(found)).worst
        assert max_depth is None or (asked is not None and asked <= max_depth)


@tries(3)
@given(priced_games(most_secrets=9, most_extra=7), st.sampled_from(list(OBJECTIVES)))
def test_threads_change_no_value_of_costs(game: TableGame, objective: str) -> None:
    budget = 4 if objective == "win-probability" else None
    try:
        alone = optimum(game, objective, budget=budget)
    except GameError:
        return
    assert optimum(game, objective, budget=budget, jobs=min(3, counted.MOST_JOBS)) == alone


@pytest.mark.long
@tries(3)
@given(games(most_secrets=5, most_extra=4), st.integers(1, 2), st.booleans())
def test_threads_change_no_value_of_lies(game: TableGame, lies: int, identify: bool) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    try:
        found = optimum(game, "worst", lies=lies, goal=goal, jobs=min(3, counted.MOST_JOBS))
    except GameError as error:
        assert "apart" in str(error)
        return
    assert found == optimum(game, "worst", lies=lies, goal=goal)


@tries(2)
@given(games(most_secrets=5, most_extra=4), st.sampled_from([1, 3]))
def test_bounds_and_beams_with_a_lie_hold_the_truth(game: TableGame, width: int) -> None:
    truth = worst_with_lies(game, "identify" if game.winning is None else "win", 1, 6)
    try:
        found = bounds(game, "worst", lies=1, time_limit=60)
        beam = checked(game, "worst", lies=1, width=width)
    except GuesstreeError:
        assert truth is None
        return
    assert found.optimal
    assert all(row.upper is None or row.lower <= row.upper for row in found.rows)
    assert check(game, strategy_of(found)).valid
    if truth is not None:
        assert found.upper == (truth,)
        assert beam is None or beam.upper >= (truth,)


def large_table(secrets: int, guesses: int) -> TableGame:
    """Return a table of yes and no with weights and prices, out of reach of a proof."""
    dice = np.random.default_rng(5)
    cells = dice.integers(0, 2, (guesses, secrets)).astype(str).tolist()
    names = [f"s{i}" for i in range(secrets)]
    weights, prices = dice.integers(1, 99, secrets).tolist(), dice.integers(1, 9, guesses).tolist()
    return TableGame("table:large", [f"g{i}" for i in range(guesses)], names, cells, None, weights, prices)


@pytest.mark.long
def test_beams_beat_every_one_step_method_where_questions_cost() -> None:
    game = large_table(400, 80)
    one_step = [
        solve(game, method=name).upper
        for name in ("entropy", "parts", "least-cost", "reduction-per-cost", "information-per-cost")
    ]
    for found in (checked(game, "expected", time_limit=2), bounds(game, "expected", time_limit=2)):
        assert found is not None
        assert found.upper[0] < 0.995 * min(one_step)[0]


def test_memory_is_shared_between_tables_and_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind, "LEAST_MEMORY", 1 << 16)
    game = large_table(12, 8)
    assert optimum(game, "expected", memory=1 << 17) == optimum(game, "expected")


def test_symmetry_is_used_where_it_keeps_weights_and_costs() -> None:
    """Costs by response alone are kept by every renaming; a dear guess, or a likely secret, by some."""
    values = []
    for name in ("costs", "guess", "secret"):
        game = parse("mastermind:3x3")
        costs = np.tile(1 + np.arange(len(game.responses)) % 3, (len(game.guesses), 1)).astype(np.int64)
        if name == "guess":
            costs[4] += 1
        if name == "secret":
            game.weights = [1 + (i == 5) for i in range(len(game.secrets))]
        game.costs = costs
        found = [solve(game, symmetry=symmetry) for symmetry in (True, False)]
        assert found[0].optimal and found[0].upper == found[1].upper
        values.append(found[0].upper)
        assert found[0].states < found[1].states
    assert len(set(values)) > 1, "what breaks the symmetry changes nothing"
