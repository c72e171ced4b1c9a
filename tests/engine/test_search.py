"""Exact search against the exhaustive oracle, against known values, and when it is stopped."""

import json
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from optimum import optimum
from tables import arrays, games

from guesstree.api.strategy import strategy_of
from guesstree.cext import counted
from guesstree.engine.errors import GameError, GuesstreeError, Infeasible
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES, WITHOUT_BUDGET
from guesstree.engine.onestep.greedy import OneStep
from guesstree.engine.onestep.valuations import VALUATIONS
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search import counted as counting
from guesstree.engine.search.counted import Counted
from guesstree.engine.search.deadline import Deadline, Progress
from guesstree.engine.search.session import Session
from guesstree.engine.search.solve import solve
from guesstree.engine.search.space import Resources
from guesstree.engine.solution import Found
from guesstree.engine.symmetry.groups import Generated
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check

DATA = json.loads((Path(__file__).parent.parent / "data" / "known.json").read_text())


@given(
    games(),
    st.sampled_from(list(WITHOUT_BUDGET)),
    st.sampled_from([None, 1, 2, 3, 4]),
    st.booleans(),
    st.booleans(),
)
def test_search_equals_the_oracle_on_tables(
    game: TableGame, objective: str, max_depth: int | None, identify: bool, only_candidates: bool
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    pairs = front(game, goal, candidates_only=only_candidates)
    expected = best(pairs, OBJECTIVES[objective].figures, max_depth)
    options = {"goal": goal, "max_depth": max_depth, "candidates_only": only_candidates}
    try:
        assert optimum(game, objective, **options) == expected
    except GameError as error:
        assert "apart" in str(error)
        assert expected is None


@given(games(), st.data())
def test_a_fixed_first_guess_equals_the_oracle(game: TableGame, data: st.DataObject) -> None:
    first = data.draw(st.sampled_from(game.guesses))
    goal = data.draw(st.sampled_from(["identify"] if game.winning is None else ["win", "identify"]))
    objective = data.draw(st.sampled_from(list(WITHOUT_BUDGET)))
    expected = best(front(game, goal, first=game.guess_index(first)), OBJECTIVES[objective].figures)
    try:
        assert optimum(game, objective, goal=goal, first=first) == expected
    except GuesstreeError as error:
        assert "first test" in str(error) or "apart" in str(error)
        assert expected is None


@given(games(most_secrets=8), st.integers(1, 9), st.booleans())
def test_the_bare_search_equals_the_oracle(game: Game, depth: int, identify: bool) -> None:
    """Without the one-step strategies in front, and with every beta: the contract of `Searcher.search`."""
    win = game.winning is not None and not identify
    pairs = front(game, "win" if win else "identify")
    secrets = np.arange(len(game.secrets), dtype=np.int32)
    within = best(pairs, ("total",), depth)
    for unit, truth in (
        (1, within[0] if within else counted.INFINITE),
        (0, 0 if within else counted.INFINITE),
    ):
        for beta in (1, max(truth - 1, 1), truth, truth + 1, counted.INFINITE):
            searcher = counted.Searcher(**arrays(game, win=win, unit=unit))
            found = searcher.search(secrets, depth, beta)
            assert found.ended == ""
            if truth < beta:
                assert found.lower == found.upper == truth
            else:
                assert beta <= found.lower <= truth and found.upper == counted.INFINITE


@pytest.mark.parametrize(
    "spec", ["mastermind:2x3", "mastermind:3x2", "blackpeg:3x2", "blackpeg:2x3", "bulls:2x4"]
)
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_games_equal_the_oracle_with_symmetry_on_and_off(spec: str, goal: str) -> None:
    game = parse(spec)
    pairs = front(game, goal)
    for name, objective in WITHOUT_BUDGET.items():
        for max_depth in (None, 2, 3):
            expected = best(pairs, objective.figures, max_depth)
            for symmetry in (True, False):
                assert optimum(game, name, goal=goal, max_depth=max_depth, symmetry=symmetry) == expected


@pytest.mark.parametrize("spec", ["coins:3", "coins:2,max=2", "coins:4,total=2", "coins:3,max=2,total=2..3"])
def test_coins_equal_the_oracle_with_symmetry_on_and_off(spec: str) -> None:
    test_games_equal_the_oracle_with_symmetry_on_and_off(spec, "identify")


@pytest.mark.parametrize("spec", ["mastermind:3x4", "mastermind:6x2", "blackpeg:4x3", "bulls:3x6", "coins:6"])
def test_symmetry_saves_work_and_changes_no_value(spec: str) -> None:
    game = parse(spec)
    on, off = (solve(game, "expected", symmetry=symmetry) for symmetry in (True, False))
    assert on.upper == off.upper
    assert on.evaluations < off.evaluations


@pytest.mark.parametrize("entry", DATA["values"], ids=lambda e: "-".join(str(v) for v in e.values()))
def test_known_values(entry: dict[str, Any]) -> None:
    options = {k: entry[k] for k in ("goal", "max_depth", "first", "candidates_only") if k in entry}
    assert optimum(parse(entry["game"]), entry["objective"], **options) == tuple(entry["value"])


def slack_game() -> TableGame:
    """Return 13 secrets in two parts that a first question tells apart.

    The first eight can be identified in (worst, total) = (3, 21) or (4, 20); the other five only one at a
    time, which takes 4. So the eight may use a fourth guess for nothing.
    """
    eight = [[1, 1, 1, 2, 1, 2, 1, 0], [0, 0, 1, 1, 0, 0, 0, 2], [0, 1, 0, 2, 1, 1, 1, 0],
             [2, 0, 0, 1, 2, 0, 0, 2], [0, 0, 2, 2, 0, 0, 2, 0]]  # fmt: skip
    cells = [["3"] * 8 + ["4"] * 5]
    cells += [[str(r) for r in row] + ["0"] * 5 for row in eight]
    cells += [["0"] * 8 + ["1" if i == j else "0" for j in range(5)] for i in range(5)]
    return TableGame("table:slack", [f"g{i}" for i in range(11)], [f"s{i}" for i in range(13)], cells)


def test_guesses_that_cannot_win_may_divide_more() -> None:
    """Yes/no questions beside guesses that win or tell nothing: a question leaves two parts to go on with."""
    rows = ["yynnnn", "ynyyyn", "nyyyny"]
    cells = [list(row) for row in rows] + [["W" if i == j else "n" for j in range(6)] for i in range(6)]
    secrets = [f"s{i}" for i in range(6)]
    game = TableGame("table:questions", ["q0", "q1", "q2", *secrets], secrets, cells, "W")
    assert best(front(game, "win"), ("worst", "total")) == (4, 19)
    assert optimum(game, "worst,expected") == (4, 19)
    assert optimum(game, "worst", max_depth=4) == (4,)


def test_labels_alone_do_not_follow_a_symmetry() -> None:
    """Candidates by label only: a renaming that keeps responses may turn a candidate into another guess."""

    class Labelled(TableGame):
        @property
        def symmetry(self) -> Generated:
            return Generated([([0, 4, 3, 1, 2, 6, 5], [3, 2, 0, 1])])

    rows = ["1111", "0100", "1000", "0001", "0010", "1100", "0011"]
    guesses = ["g0", "s1", "g2", "s2", "s3", "g5", "s0"]
    game = Labelled("table:labelled", guesses, ["s0", "s1", "s2", "s3"], [list(row) for row in rows])
    expected = best(front(game, "identify", candidates_only=True), ("worst", "total"))
    assert optimum(game, "worst,expected", candidates_only=True) == expected == (2, 8)


def test_responses_out_of_range_are_refused() -> None:
    class Wild(TableGame):
        def table(self) -> Any:
            return super().table() + 7

    with pytest.raises(GameError, match="a response is 8, out of range; expected 0 to 1"):
        solve(Wild("table:wild", ["x"], ["a", "b"], [["0", "1"]]))
    with pytest.raises(GameError, match="no secret, or no guess"):
        solve(TableGame("table:empty", ["x"], [], [[]]))


def test_progress_of_a_fixed_first_guess_is_that_of_the_game() -> None:
    totals: list[Progress] = []

    def watch(seen: Progress) -> None:
        totals.extend([seen] if seen.phase == "total" else [])
        if len(totals) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        solve(parse("mastermind:4x7"), first="1123", progress=watch)
    assert all(p.first == "1123" and p.lower > 9000 for p in totals)


@pytest.mark.parametrize("patience", [0, 1, 16, 4096])
def test_parts_of_a_first_guess_may_take_turns(patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "PATIENCE", patience)
    found = solve(parse("mastermind:4x6"), first="1122")
    assert (found.lower, found.upper) == ((5702,), (5702,))
    stopped = solve(parse("mastermind:4x6"), first="1122", time_limit=0.001)
    assert stopped.lower <= (5702,) <= stopped.upper


def test_one_strategy_begins_the_proof_of_a_total_and_all_with_a_time_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[str] = []
    play_out = OneStep.play_out

    def noted(self: OneStep) -> Found | None:
        played.append(self.method.name)
        return play_out(self)

    monkeypatch.setattr(OneStep, "play_out", noted)
    game = parse("mastermind:3x4")
    solve(game)
    assert played == ["parts"]
    for options in ({"time_limit": 60}, {"objective": "worst"}):
        played.clear()
        solve(game, **options)
        assert played[0] == "parts"
        assert sorted(played) == sorted(VALUATIONS)


def test_an_error_in_the_progress_callback_ends_the_search() -> None:
    def cancel(_: Progress) -> None:
        raise RuntimeError("cancelled")

    before = threading.active_count()
    with pytest.raises(RuntimeError, match="cancelled"):
        solve(parse("bulls:4x10"), progress=cancel)
    deadline = time.monotonic() + 10  # what does not heed it at once ends when it comes back
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threading.active_count() == before


def test_a_pair_is_not_solved_part_by_part() -> None:
    """The law of `engine.objective`: (worst, total) child by child gives a worse total than the truth."""
    game = slack_game()
    table = game.table()

    @cache
    def part_by_part(candidates: frozenset[int]) -> tuple[int, int]:
        if len(candidates) == 1:
            return (0, 0)
        found = []
        for row in table:
            cells: dict[int, set[int]] = {}
            for s in candidates:
                cells.setdefault(int(row[s]), set()).add(s)
            if len(cells) > 1:
                below = [part_by_part(frozenset(cell)) for cell in cells.values()]
                found.append((1 + max(w for w, _ in below), len(candidates) + sum(t for _, t in below)))
        return min(found)

    assert part_by_part(frozenset(range(8))) == (3, 21)
    truth = best(front(game, "identify"), ("worst", "total"))
    assert truth is not None
    naive = part_by_part(frozenset(range(13)))
    assert naive[0] == truth[0]
    assert naive[1] > truth[1]
    assert optimum(game, "worst,expected") == truth


def test_a_depth_that_cannot_be_kept_is_said() -> None:
    with pytest.raises(Infeasible, match="mastermind:4x6 cannot be won within 4 guesses"):
        solve(parse("mastermind:4x6"), "expected", max_depth=4)


def test_secrets_that_cannot_be_told_apart_are_named() -> None:
    game = TableGame("table:same", ["x", "y"], ["a", "b", "c"], [["0", "1", "0"], ["1", "1", "1"]])
    with pytest.raises(GameError, match="no test tells these causes apart: 'a', 'c'"):
        solve(game)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"goal": "guess"}, "unknown goal 'guess'; use one of win, identify"),
        ({"max_depth": 0}, "at least 1 guess"),
        ({"first": "11119"}, "'11119' is not a guess of mastermind:2x3"),
        ({"time_limit": 0.0}, "more than 0"),
        ({"width": 0}, "a beam 0 guesses wide; expected at least 1"),
        ({"width": 2, "method": "entropy"}, "a beam with method 'entropy'; use exact"),
    ],
)
def test_bad_arguments_are_named(options: dict[str, Any], words: str) -> None:
    with pytest.raises(GuesstreeError) as error:
        solve(parse("mastermind:2x3"), "expected", **options)
    assert words in str(error.value)


def test_a_goal_to_win_needs_a_winning_response() -> None:
    game = TableGame("table:t", ["x"], ["a", "b"], [["0", "1"]])
    with pytest.raises(GuesstreeError, match="no winning response"):
        solve(game, goal="win")
    with pytest.raises(GuesstreeError, match="unknown objective 'best'"):
        solve(game, "best")


@pytest.mark.parametrize("seconds", [0.0001, 0.05, 0.4, 1.0])
@pytest.mark.parametrize("objective", list(WITHOUT_BUDGET))
def test_a_time_limit_leaves_a_valid_tree_and_honest_bounds(seconds: float, objective: str) -> None:
    game = parse("mastermind:4x6")
    truth = {"expected": (5625,), "worst": (5,), "worst,expected": (5, 5626), "expected,worst": (5625, 6)}
    started = time.monotonic()
    solution = solve(game, objective, time_limit=seconds)
    assert time.monotonic() - started < seconds + 25
    assert solution.lower <= truth[objective] <= solution.upper
    assert solution.optimal or solution.stopped == "time"
    report = check(game, strategy_of(solution))
    assert report.valid
    assert report.total is not None
    assert report.worst is not None
    assert OBJECTIVES[objective].value({"total": report.total, "worst": report.worst}) == solution.upper


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize(
    ("spec", "unit", "value"), [("mastermind:3x4", 1, 206), ("bulls:4x6", 1, 1446), ("blackpeg:8x2", 1, 1346)]
)
def test_a_table_of_states_that_is_full_forgets_and_is_never_wrong(
    spec: str, unit: int, value: int, jobs: int
) -> None:
    """Room for 16 states: nearly every one is forgotten at once."""
    game = parse(spec)
    form = game.code_form()
    assert form is not None
    how: dict[str, Any] = {"digits": form.digits, "renaming": game.symmetry.renaming, "jobs": jobs}
    searcher = counted.Searcher(**arrays(game, win=True, unit=unit), memory=1, **how)
    secrets = np.arange(len(game.secrets), dtype=np.int32)
    assert searcher.search(secrets, len(secrets), counted.INFINITE).upper == value
    assert searcher.entries <= 16
    assert searcher.search(secrets, len(secrets), value).lower == value, "at least beta"
    assert searcher.choice(secrets, len(secrets)) >= 0


@pytest.mark.parametrize("jobs", [2, 8])
def test_threads_value_little_that_one_thread_does_not(jobs: int) -> None:
    alone, shared = solve(parse("bulls:4x8")), solve(parse("bulls:4x8"), jobs=jobs)
    assert shared.upper == alone.upper
    assert shared.evaluations < 1.3 * alone.evaluations, "1.02 to 1.13 were counted"


def test_limits_of_a_set_do_not_end_before_those_of_all() -> None:
    """Seven secrets of which every guess but one wins on one and tells nothing else: 1 + 2 + ... + 7."""
    secrets = [f"s{i}" for i in range(7)]
    cells = [["W" if i == j else "a" for j in range(7)] for i in range(7)] + [["a"] * 6 + ["b"]]
    game = TableGame("table:few", [*secrets, "g"], secrets, cells, "W")
    assert optimum(game, "expected") == (28,)
    assert optimum(game, "worst") == (7,)


def test_secrets_that_only_come_off_one_at_a_time() -> None:
    """A strategy as deep as there are secrets: nothing may assume that depths are small."""
    n = 12
    cells = [["1" if i == j else "0" for j in range(n)] for i in range(n - 1)]
    game = TableGame("table:deep", [f"g{i}" for i in range(n - 1)], [f"s{i}" for i in range(n)], cells)
    assert optimum(game, "worst") == (n - 1,)
    assert optimum(game, "expected") == ((n - 1) * (n + 2) // 2,)


@given(games(), st.sampled_from(["expected", "worst"]), st.integers(1, 3), st.data())
def test_a_beam_finds_a_real_strategy(
    game: TableGame, objective: str, width: int, data: st.DataObject
) -> None:
    goal = data.draw(st.sampled_from(["identify"] if game.winning is None else ["win", "identify"]))
    max_depth = data.draw(st.sampled_from([None, 2, 4]))
    truth = best(front(game, goal), OBJECTIVES[objective].figures, max_depth)
    try:
        solution = solve(game, objective, goal=goal, max_depth=max_depth, width=width)
    except (GameError, Infeasible):
        return  # a beam may miss the only strategies within a limit of depth
    assert truth is not None
    assert solution.lower <= truth <= solution.upper
    assert solution.method == "beam"
    report = check(game, strategy_of(solution))
    assert report.valid
    assert report.total is not None
    assert report.worst is not None
    assert OBJECTIVES[objective].value({"total": report.total, "worst": report.worst}) == solution.upper


def test_beams_are_good_and_say_what_they_are() -> None:
    """The totals are those of known.json at most 0.3 % above; a pair is refused."""
    for spec, truth in (("mastermind:4x6", 5625), ("bulls:4x8", 7817)):
        solution = solve(parse(spec), width=10)
        assert truth <= solution.upper[0] <= truth * 1.003
        assert solution.parameters == {"width": 10}
        assert not solution.stopped
    with pytest.raises(GuesstreeError, match="a beam with objective 'worst,expected'"):
        solve(parse("mastermind:2x3"), "worst,expected", width=2)


def test_a_weak_first_guess_is_refuted_one_step_ahead() -> None:
    """Its parts are all bounded before any is searched: when the sum of these bounds will do, none is."""
    problem = Problem(parse("mastermind:4x6"), OBJECTIVES["expected"], first="1122")
    kind = Counted(problem)
    question = kind.query("total")
    room = Resources.of(problem, 1, None)
    searcher = kind.searcher(question, room)
    cells = kind.split(question, kind.root(question), problem.game.guess_index("1122"))
    counted_total = sum(cell.paid + cell.lower for cell in cells)
    beta = sum(
        cell.paid + (cell.lower if cell.state is None else kind.bound(searcher, cell.state)[0])
        for cell in cells
    )
    assert counted_total < beta < 5702  # what it takes
    run = Session(kind, room, Deadline(None))
    searcher = run.searcher(question)
    refuted = run.ask(question, beta)
    assert (refuted.lower, refuted.upper, refuted.ended) == (beta, kind.infinite, "")
    assert searcher.states == 0
    assert run.ask(question, kind.infinite).upper == 5702
