"""Weights, costs and budgets: search against the exhaustive oracle, known cases, and bad input."""

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import cases
from click.testing import CliRunner
from effort import tries
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from optimum import optimum
from tables import asked_objectives, games, pools, priced_games

from guesstree.api.comparison import compare
from guesstree.api.strategy import strategy_of
from guesstree.cli.check import command as check_command
from guesstree.cli.solve import command as solve_command
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError, GuesstreeError, SpaceError
from guesstree.engine.games.hangman import HangmanGame
from guesstree.engine.objective import OBJECTIVES, WITHOUT_BUDGET, parse_objective
from guesstree.engine.oracle import least_lost
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search import deadline as watch
from guesstree.engine.search import driver as plans
from guesstree.engine.search import priced as priced_search
from guesstree.engine.search.priced import Priced
from guesstree.engine.search.solve import solve
from guesstree.engine.search.space import Resources
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check
from guesstree.trees.export import files
from guesstree.trees.figures import figures_of


@tries(3.5)
@given(games(), st.sampled_from(list(WITHOUT_BUDGET)), st.sampled_from([None, 1, 2, 3, 4]))
def test_weights_and_costs_of_one_change_nothing(
    game: TableGame, objective: str, max_depth: int | None
) -> None:
    try:
        plain = optimum(game, objective, max_depth=max_depth)
    except GameError:
        return
    game.weights = [1] * len(game.secrets)
    assert optimum(game, objective, max_depth=max_depth) == plain
    game.costs = np.ones((len(game.guesses), len(game.responses)), dtype=np.int64)
    if max_depth is None:
        assert optimum(game, objective) == plain


@pytest.mark.parametrize(
    ("spec", "total", "worst"), [("mastermind:3x3", 73, 4), ("bulls:3x5", 230, 5), ("blackpeg:3x3", 81, 4)]
)
def test_games_with_unit_weights_keep_their_values(spec: str, total: int, worst: int) -> None:
    game = parse(spec)
    plain = [solve(game, name).upper for name in WITHOUT_BUDGET]
    game.weights = [1] * len(game.secrets)
    priced = [solve(game, name).upper for name in WITHOUT_BUDGET]
    assert priced == plain


@pytest.mark.parametrize("budget", [0, 1, 2, 3, 9])
def test_a_budget_of_guesses(budget: int) -> None:
    """Without costs a budget counts guesses; with enough of it the least total is left to minimise."""
    game = parse("mastermind:2x3")
    found = solve(game, "win-probability", budget=budget)
    assert found.optimal
    assert found.upper == least_lost(game, "win", budget)
    if budget == 9:
        assert found.upper == (0, *solve(game, "expected").upper)


def test_a_free_question_is_asked_at_once() -> None:
    game = TableGame(
        "table:free", ["dear", "free"], ["a", "b", "c", "d"], [["0", "1", "0", "1"], ["0", "0", "1", "1"]]
    )
    game.costs = np.array([[5, 5], [0, 0]])
    solution = solve(game, "expected")
    assert solution.upper == (20,)
    assert game.guesses[solution.choose(np.arange(4, dtype=np.int32))] == "free"


def random_game(secrets: int, guesses: int, kinds: int, seed: int) -> TableGame:
    rng = np.random.default_rng(seed)
    while True:
        table = rng.integers(kinds, size=(guesses, secrets))
        if len(np.unique(table, axis=1).T) == secrets:
            break
    cells = [[str(cell) for cell in row] for row in table]
    game = TableGame(
        "table:random", [f"g{i}" for i in range(guesses)], [f"s{i}" for i in range(secrets)], cells
    )
    game.weights = rng.integers(1, 100, secrets).tolist()
    costs = np.ones((guesses, len(game.responses)), dtype=np.int64)
    costs[:, 1:] = 0
    game.costs = costs
    return game


@pytest.mark.parametrize("objective", ["expected", "worst", "worst,expected", "win-probability"])
@pytest.mark.parametrize("seconds", [0.0001, 0.05, 0.3])
def test_a_time_limit_leaves_a_valid_tree_and_honest_bounds(objective: str, seconds: float) -> None:
    game = random_game(400, 40, 3, 1)
    shape = (len(game.guesses), len(game.responses))
    game.costs = np.random.default_rng(2).integers(1, 30, shape)
    budget = 60 if objective == "win-probability" else None
    solution = solve(game, objective, budget=budget, time_limit=seconds)
    assert solution.optimal or solution.stopped == "time"
    assert solution.lower <= solution.upper
    assert solution.seconds < seconds + 25
    report = check(game, strategy_of(solution))
    assert report.valid, report.messages()


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1, 0], "cause 'b' has weight 0; expected integers from 1"),
        ([1, -3], "cause 'b' has weight -3"),
        ([1, 1.5], "cause 'b' has weight 1.5"),
        ([1, True], "cause 'b' has weight True"),
        ([1], "1 weights; expected one for each cause"),
        ([1, 1 << 62], "the weights add up to"),
    ],
)
def test_bad_weights_are_named(weights: list[Any], words: str) -> None:
    game = TableGame("table:t", ["x"], ["a", "b"], [["0", "1"]])
    game.weights = weights
    for action in (check_game, solve):
        with pytest.raises(GameError) as error:
            action(game)
        assert words in str(error.value)


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ([[1, -1]], "test 'x' costs -1; expected 0 or more"),
        ([[1.0, 2.0]], "costs are float64 of shape (1, 2); expected integers, (1, 2)"),
        ([[1]], "shape (1, 1)"),
        ([[1 << 61, 0]], "expected less than 2^61"),
    ],
)
def test_bad_costs_are_named(costs: list[Any], words: str) -> None:
    game = TableGame("table:t", ["x"], ["a", "b"], [["0", "1"]])
    game.costs = np.array(costs)
    for action in (check_game, solve):
        with pytest.raises(GameError) as error:
            action(game)
        assert words in str(error.value)


@pytest.mark.parametrize(
    ("objective", "options", "words"),
    [
        ("win-probability", {}, "no budget; expected an integer from 0"),
        ("win-probability", {"budget": -1}, "a budget of -1; expected an integer from 0"),
        ("expected", {"budget": 3}, "a budget of 3; use it with the objective win-probability"),
        (
            "win-probability",
            {"budget": 3, "max_depth": 2},
            "a depth limit of 2 within a budget; use the budget alone",
        ),
    ],
)
def test_impossible_budgets_are_named(objective: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(GuesstreeError) as error:
        solve(parse("mastermind:2x3"), objective, **options)
    assert words in str(error.value)


def test_what_does_not_go_with_costs_is_named() -> None:
    game = TableGame("table:t", ["x", "a", "b"], ["a", "b"], [["0", "1"]] * 3)
    game.costs = np.ones((3, 2), dtype=np.int64)
    with pytest.raises(GuesstreeError, match="candidates only, with weights, costs, a budget or"):
        solve(game, candidates_only=True)
    game.costs, game.weights = None, [1 << 40, 1]
    with pytest.raises(GuesstreeError, match="divide the weights by a common factor"):
        solve(game, "win-probability", budget=2)


FAULTS = "test,a,b,c,cost\nx,1,1,0,2\ny,0,1,0,0\nweight,5,1,9,\n"


def test_a_table_with_costs_and_weights(tmp_path: Path) -> None:
    file = tmp_path / "faults.csv"
    file.write_text(FAULTS)
    game = parse(f"table:{file}")
    check_game(game)
    assert (tuple(game.secrets), tuple(game.guesses), game.weights) == (
        ("a", "b", "c"),
        ("x", "y"),
        (5, 1, 9),
    )
    assert game.costs is not None
    assert game.costs.tolist() == [[2, 2], [0, 0]]
    assert solve(game).upper == (28,)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    cases("test_costs", "test_bad_numbers_of_a_table_are_named"),
)
def test_bad_numbers_of_a_table_are_named(tmp_path: Path, before: str, after: str, words: str) -> None:
    file = tmp_path / "faults.csv"
    assert before in FAULTS
    file.write_text(FAULTS.replace(before, after))
    with pytest.raises(GameError) as error:
        parse(f"table:{file}")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_files_keep_costs_and_the_checker_recomputes_them(tmp_path: Path) -> None:
    file, tree = tmp_path / "faults.csv", tmp_path / "tree.json"
    file.write_text(FAULTS)
    game = parse(f"table:{file}")
    for objective, budget in (("expected", None), ("win-probability", 1)):
        solution = solve(game, objective, budget=budget)
        files.write(game, strategy_of(solution), tree)
        again, strategy = files.read(tree)
        report = check(again, strategy)
        assert report.valid, report.messages()
        assert report.costs == figures_of(strategy).costs
        assert report.costs is not None
        assert report.costs.value(objective) == solution.upper
        figure = '"weight": 15, "total": 28'
        assert figure in tree.read_text()
        tree.write_text(tree.read_text().replace(figure, '"weight": 15, "total": 27'))
        report = check(*files.read(tree))
        assert report.messages() == ["summary says costs total 27, the tree has 28"]


@tries(1.7)
@given(priced_games(), st.integers(0, 9))
def test_one_step_methods_are_priced(game: TableGame, budget: int) -> None:
    for objective in ("expected", "win-probability"):
        limit = budget if objective == "win-probability" else None
        try:
            solution = solve(game, objective, method="entropy", budget=limit)
            optimum = solve(game, objective, budget=limit)
        except GameError:
            return
        report = check(game, strategy_of(solution))
        assert report.valid, report.messages()
        assert optimum.upper <= solution.upper


def test_the_command_line_prints_costs(tmp_path: Path) -> None:
    file, tree = tmp_path / "faults.csv", tmp_path / "tree.json"
    file.write_text(FAULTS)
    runner = CliRunner()
    options = [f"table:{file}", "--objective", "win-probability", "--budget", "1"]
    shown = runner.invoke(solve_command, [*options, "--out", str(tree)])
    assert shown.exit_code == 0
    assert "wins 1/15 = 6.67 % within a budget of 1, at a cost of 0" in shown.output
    data = json.loads(runner.invoke(solve_command, [*options, "--json"]).output)
    assert (data["lower"], data["upper"], data["costs"]["won"]) == ([14, 0], [14, 0], 1)
    assert "wins 1/15" in runner.invoke(check_command, [str(tree)]).output


def test_a_comparison_is_of_costs(tmp_path: Path) -> None:
    file = tmp_path / "faults.csv"
    file.write_text(FAULTS)
    rows = compare(parse(f"table:{file}"), ["entropy"], exact_seconds=5)
    assert [row.method for row in rows] == ["entropy", "exact"]
    assert rows[1].figures.total == rows[1].lower == 28
    assert rows[0].figures.total >= 28


@tries(3.5)
@given(
    priced_games(most_secrets=9, most_extra=5),
    st.integers(1, 4),
    st.sampled_from([(-1, "total"), (-1, "worst"), (0, "lost"), (3, "lost"), (3, "won")]),
)
def test_parts_that_are_told_apart_cost_no_more(game: TableGame, most: int, mode: tuple[int, str]) -> None:
    problem = Problem(game, OBJECTIVES["expected"])
    kind = Priced(problem)
    question = kind.query(mode[1], mode[0])
    searcher = kind.searcher(question, Resources.of(problem, 1, None))
    parts = kind.parts(question, most)
    everyone = np.arange(len(game.secrets), dtype=np.int32)
    assert np.array_equal(np.sort(np.concatenate([part.candidates for part in parts])), everyone)
    values = [kind.search(searcher, part, kind.infinite, 0).lower for part in parts]
    together = max(values) if mode[1] == "worst" else sum(values)
    whole = kind.search(searcher, kind.root(question), kind.infinite, 0)
    assert min(together, kind.infinite) <= whole.lower


@tries(2.5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(priced_games(most_secrets=9, most_extra=5), asked_objectives(most=3))
def test_bounds_sought_for_their_own_sake_change_no_result(
    monkeypatch: pytest.MonkeyPatch, game: TableGame, asked: dict[str, Any]
) -> None:
    """With a time limit, as if every game were large: one-step strategies first, then bounds from parts."""
    for name in ("LOOK", "SMALL"):
        monkeypatch.setattr(priced_search, name, 1)
    try:
        hurried = solve(game, **asked, time_limit=60)
    except GameError:
        return
    monkeypatch.undo()
    assert hurried.optimal
    assert hurried.upper == solve(game, **asked).upper


def test_a_stopped_search_has_honest_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(priced_search, "LOOK", 1 << 8)
    rng = np.random.default_rng(3)
    words = {"".join(rng.choice(list("abcdefghijklmno"), 4)) for _ in range(400)}
    game = HangmanGame("hangman:test", dict.fromkeys(words, 1))
    best = solve(game, "win-probability", budget=3, time_limit=2)
    assert 0 < best.lower[0] <= best.upper[0]
    if best.lower[0] < best.upper[0]:
        assert best.stopped == "time"
    assert check(game, strategy_of(best)).valid


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("part", ["lost", "won"])
def test_the_symmetry_of_a_game_says_nothing_of_its_parts(goal: str, part: str) -> None:
    game = parse("blackpeg:3x3")
    problems = [
        Problem(game, parse_objective("win-probability"), goal=goal, budget=4, symmetry=symmetry)
        for symmetry in (True, False)
    ]
    with_symmetry, without = (Priced(problem) for problem in problems)
    question, room = without.query(part), Resources(1 << 20, tabled=True, jobs=1)
    truth = without.search(without.searcher(question, room), without.root(question), without.infinite, 0)
    searcher, plain = (kind.searcher(question, room) for kind in (with_symmetry, without))
    for most in (8, 16):
        parts = with_symmetry.parts(question, most)
        values = [with_symmetry.search(searcher, some, without.infinite, 0).lower for some in parts]
        assert values == [without.search(plain, some, without.infinite, 0).lower for some in parts]
        assert sum(values) <= truth.lower


def test_a_strategy_that_cannot_be_read_off_in_time_leaves_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    game = random_game(12, 8, 2, 1)
    truth = solve(game).upper

    def choice(*_: Any) -> int:  # as a searcher that is stopped while it searches again for what it forgot
        time.sleep(0.2)
        raise ValueError("no strategy is known")

    monkeypatch.setattr(watch, "GRACE", 0.05)
    monkeypatch.setattr(watch, "LAST_GRACE", 0.05)
    monkeypatch.setattr(Priced, "choice", choice)
    for limit in (0.1, 0.04):
        found = solve(game, time_limit=limit)
        assert found.lower <= truth < found.upper
        assert found.stopped == "time"


def test_without_a_time_limit_no_strategy_is_sought_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    sought = []
    monkeypatch.setattr(priced_search, "LOOK", 1)
    monkeypatch.setattr(plans, "rebuild", lambda *_: sought.append("rebuilt"))
    game = random_game(12, 8, 2, 1)
    truth = solve(game).upper
    assert not sought
    assert solve(game, time_limit=60).upper == truth
    assert sought


@pytest.mark.parametrize(
    ("samples", "total", "most"),
    [
        (6, 2903876, 3000),
        pytest.param(7, 33706686, 20000, marks=pytest.mark.long),
        pytest.param(8, 385974537, 250000, marks=pytest.mark.long),
    ],
)
def test_alike_samples_are_proven_soon(samples: int, total: int, most: int) -> None:
    """Beams find a strategy, and the proof has its turns: with a time limit as without."""
    for limit in (None,) if samples == 8 else (None, 600):
        found = solve(pools(samples), time_limit=limit)
        assert found.lower == found.upper == (total,)
        assert found.evaluations < most


def test_a_table_over_costs_has_to_fit() -> None:
    with pytest.raises(SpaceError, match=r"mastermind:5x8 .* tables of responses would need"):
        solve(parse("mastermind:5x8"), "win-probability", budget=5, memory=3 << 30)


def test_the_first_strategy_asks_what_looks_best_in_every_state() -> None:
    """With more states than guesses on a level, and with fewer."""
    rng = np.random.default_rng(3)
    cells = rng.integers(0, 3, (9, 120)).astype(str).tolist()
    tests, causes = [f"t{g}" for g in range(9)], [f"c{s}" for s in range(120)]
    weights, prices = rng.integers(1, 9, 120).tolist(), rng.integers(0, 5, 9).tolist()
    several = 0
    for first in (None, "t4"):
        game = TableGame("some", tests, causes, cells, None, weights, prices)
        asked = Priced(Problem(game, OBJECTIVES["expected"], first=first))
        found = asked.first_strategy()
        assert found is not None
        root = asked.root(asked.query("total"))
        if first is not None:
            assert found.choices[root.key] == 4
        for key, guess in found.choices.items():
            state = replace(root, candidates=np.frombuffer(key, dtype=np.int32))
            assert guess == asked.ahead(state) or (first is not None and key == root.key)
        several += len(found.choices) > 3 * len(tests)
        solution = asked.problem.solution(
            found,
            (asked.figures(found).total,),
            (0,),
            method="x",
            stopped="",
            states=0,
            evaluations=0,
            seconds=0,
        )
        assert figures_of(strategy_of(solution)).compared.value("expected") == solution.upper
    assert several
