"""One-step methods where responses may be false: checked trees, never below the oracle, and exact scores."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import games, priced_games

from guesstree.api.comparison import compare
from guesstree.api.strategy import strategy_of
from guesstree.cli.compare import command as compare_command
from guesstree.engine.errors import GameError, GuesstreeError, Infeasible
from guesstree.engine.objective import OBJECTIVES, WORST
from guesstree.engine.onestep.lying import LYING, LyingParts, key, rough
from guesstree.engine.onestep.ranking import Method, Ranking
from guesstree.engine.onestep.valuations import CONSISTENT, VALUATIONS, VOLUME
from guesstree.engine.oracle import least_with_lies, worst_with_lies
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.lying import LieState
from guesstree.engine.search.solve import solve, space_of
from guesstree.engine.state import everything
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check

VALUED = (VOLUME, *VALUATIONS)


@given(games(most_secrets=4, most_extra=2), st.integers(1, 2), st.booleans(), st.sampled_from(LYING))
def test_methods_are_never_below_the_oracle(game: TableGame, lies: int, identify: bool, method: str) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    try:
        solution = solve(game, "worst", lies=lies, goal=goal, method=method)
    except GameError:
        return
    except Infeasible as error:
        assert method in CONSISTENT or "cannot be" in str(error)
        return
    report = check(game, strategy_of(solution))
    assert report.valid, report.messages()
    assert solution.upper == (report.worst,)
    most = 3 if lies == 2 else 4
    least = worst_with_lies(game, goal, lies, most)
    assert report.worst is not None
    assert report.worst >= (most + 1 if least is None else least)
    assert least is None or least >= solution.lower[0]


@tries(0.3)
@given(
    priced_games(most_secrets=3, most_extra=2),
    st.sampled_from([name for name, one in OBJECTIVES.items() if not one.budgeted]),
    st.sampled_from(LYING),
)
def test_what_methods_take_with_weights_and_costs_is_never_below_the_oracle(
    game: TableGame, objective: str, method: str
) -> None:
    try:
        solution = solve(game, objective, lies=1, method=method)
    except GameError:
        return
    except Infeasible:
        assert method in CONSISTENT
        return
    report = check(game, strategy_of(solution))
    assert report.valid and report.figures is not None, report.messages()
    assert report.figures.compared.value(objective) == solution.upper
    least = least_with_lies(game, solution.goal, objective, 1)
    assert least is not None and solution.lower[0] <= least[0] and least <= solution.upper


@given(games(most_secrets=6, most_extra=5), st.sampled_from(["expected-size", "entropy", "parts"]), st.data())
def test_without_a_lie_left_methods_are_the_ordinary_ones(
    game: TableGame, name: str, data: st.DataObject
) -> None:
    problem = Problem(game, WORST)
    some = data.draw(st.sets(st.sampled_from(range(problem.secrets)), min_size=1))
    candidates = np.array(sorted(some), dtype=np.int32)
    try:
        player: Any = space_of(problem, 1).player(Method(name))
    except (GameError, Infeasible):
        return
    state = LieState(candidates, np.zeros(len(candidates), dtype=np.uint8))
    ordinary = Ranking(problem, Method(name)).best(problem.allowed(candidates), candidates)
    assert len(some) == 1 or ordinary < 0 or player.choose(state) == ordinary


@given(games(most_secrets=6, most_extra=5), st.sampled_from(VALUED), st.data())
def test_the_best_guess_is_the_best_of_all_by_exact_scores(
    game: TableGame, name: str, data: st.DataObject
) -> None:
    problem = Problem(game, WORST)
    left = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=problem.secrets, max_size=problem.secrets))
    )
    weight = np.array([1, 1 + data.draw(st.integers(1, 10**6)), 10**7], dtype=np.int64)
    everyone = everything(problem.secrets)
    parts = LyingParts.of(problem, everything(len(problem.own)), everyone, left.astype(np.uint8), weight)
    if not parts.tells.any():
        return
    forms = parts.forms(problem.responses)[parts.tells]
    keys = [key(name, form) for form in forms.tolist()]
    scores = rough(name, forms)
    best = min(range(len(keys)), key=keys.__getitem__)
    assert scores[best] <= scores.min() + 1e-12 * abs(scores.min())


@given(games(most_secrets=5), st.data())
def test_volumes_are_those_of_the_states_after_each_response(game: TableGame, data: st.DataObject) -> None:
    problem = Problem(game, WORST)
    lies = st.lists(st.integers(0, 2), min_size=problem.secrets, max_size=problem.secrets)
    state = LieState(everything(problem.secrets), np.array(data.draw(lies), dtype=np.uint8))
    weight = np.array([1, 5, 25], dtype=np.int64)
    parts = LyingParts.of(problem, everything(len(problem.own)), state.candidates, state.left, weight)
    for guess in range(len(problem.own)):
        row = problem.row(guess, state.candidates)
        for response in range(problem.responses):
            child = state.after(row, response, problem.winning)
            given_by = int((row == response).sum()) if response != problem.winning else 0
            assert parts.sizes[guess, response] == given_by
            if given_by:
                assert parts.volume[guess, response] == weight[child.left].sum()
                assert parts.most[guess, response] == len(child)
        assert parts.rest[guess] == weight[state.after(row, -1, problem.winning).left].sum()


def test_limits_and_what_a_method_does_not_reach() -> None:
    game = parse("mastermind:2x3")
    solution = solve(game, "worst", lies=1, method="entropy", first="11")
    assert game.guesses[int(strategy_of(solution).guess[0])] == "11"
    assert solution.method == "entropy"
    assert solution.lies == 1
    with pytest.raises(Infeasible, match="against 1 lie by method entropy"):
        solve(game, "worst", lies=1, method="entropy", max_depth=4)
    with pytest.raises(GuesstreeError, match="method mine with lies; use volume, max-part"):
        solve(game, "worst", lies=1, method=Method("mine", function=max))


def test_methods_beside_the_optimum() -> None:
    rows = compare(parse("mastermind:2x3"), lies=1)
    assert [row.method for row in rows] == [*VALUED, "exact"]
    assert rows[-1].optimal and rows[-1].label == "least worst case"  # a method may need less in all
    assert all(row.summary.worst >= rows[-1].summary.worst == 5 for row in rows)
    run = CliRunner().invoke(compare_command, ["mastermind:2x3", "--lies", "1", "--methods", "volume,parts"])
    assert run.exit_code == 0
    assert "of each the most, 1 response may be false" in run.output


def test_a_budget_of_the_game_itself_is_none_of_the_worst_case(tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text("cat\nrat\nsat\nsea")
    rows = compare(parse(f"hangman:{tmp_path / 'few.txt'},misses=1"), ["entropy"], lies=1)
    assert rows[-1].optimal and all(row.costs is not None and row.costs.budget is None for row in rows)
