"""Lies: search against the exhaustive oracle, known values, trees that are checked on every way to lie."""

import signal
import time
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import games

from guesstree.api.strategy import strategy_of
from guesstree.cli.check import command as check_command
from guesstree.cli.solve import command as solve_command
from guesstree.engine.errors import GameError, GuesstreeError, Infeasible
from guesstree.engine.game import Game
from guesstree.engine.oracle import best, front, worst_with_lies
from guesstree.engine.registry import parse
from guesstree.engine.search.deadline import Progress
from guesstree.engine.search.lying import LieState, Volume
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check
from guesstree.trees.diff import difference
from guesstree.trees.export import files, formats
from guesstree.trees.export.page.page import render_page
from guesstree.trees.replay import MALFORMED, MISSING, WRONG_SECRET
from guesstree.trees.tree import Tree, TreeError, build


def worst(game: Game, lies: int, **options: Any) -> int | None:
    """Return the least worst case, after the tree has passed the checker; None when there is no strategy."""
    try:
        solution = solve(game, "worst", lies=lies, **options)
    except Infeasible:
        return None
    assert solution.optimal, (solution.lower, solution.upper)
    report = check(game, strategy_of(solution))
    assert report.valid, report.messages()
    assert solution.upper == (report.worst,)
    assert not report.dead
    return report.worst


@tries(7)
@given(games(most_secrets=5, most_extra=4), st.integers(0, 2), st.booleans(), st.booleans())
def test_search_equals_the_oracle(game: TableGame, lies: int, identify: bool, symmetry: bool) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    most = {0: 6, 1: 6, 2: 5}[lies]
    expected = worst_with_lies(game, goal, lies, most)
    try:
        found = worst(game, lies, goal=goal, symmetry=symmetry)
    except GameError as error:
        assert "apart" in str(error)
        found = None
    assert found == expected if expected is not None else found is None or found > most


@pytest.mark.parametrize(
    ("spec", "lies", "most"),
    [
        ("mastermind:2x2", 1, 9),
        ("mastermind:2x2", 2, 9),
        ("mastermind:2x3", 1, 9),
        ("mastermind:3x2", 1, 9),
        ("mastermind:3x2", 2, 9),
        ("bulls:2x3", 1, 9),
        ("bulls:2x3", 2, 9),
        ("bulls:2x4", 1, 6),
        ("mastermind:2x4", 1, 6),
        ("blackpeg:2x3", 1, 9),
    ],
)
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_games_equal_the_oracle(spec: str, lies: int, most: int, goal: str) -> None:
    game = parse(spec)
    expected = worst_with_lies(game, goal, lies, most)
    assert expected is not None
    assert worst(game, lies, goal=goal) == expected
    assert worst(game, lies, goal=goal, symmetry=False) == expected


@pytest.mark.long
def test_mastermind_3x3_equals_the_oracle() -> None:
    game = parse("mastermind:3x3")
    assert worst(game, 1) == worst_with_lies(game, "win", 1, 5) == 5


@tries(3.5)
@given(games(), st.booleans())
def test_without_lies_the_oracle_is_the_ordinary_one(game: TableGame, identify: bool) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    ordinary = best(front(game, goal), ("worst",))
    assert worst_with_lies(game, goal, 0, 8) == (None if ordinary is None else ordinary[0])


def ulam(secrets: int) -> TableGame:
    """Return the game of all questions with yes or no on so many secrets, but for complements."""
    rows = [("n", *row) for row in product("yn", repeat=secrets - 1) if "y" in row]
    names = [f"s{i}" for i in range(secrets)]
    return TableGame("table:ulam", [f"q{i}" for i in range(len(rows))], names, rows)


def pelc(n: int) -> int:
    """Return how many questions find one of n numbers against one lie (Pelc 1987)."""
    return next(q for q in range(40) if n * (q + 1) + (q - 1 if n % 2 else 0) <= 2**q)


@pytest.mark.parametrize("secrets", range(2, 10))
def test_ulams_game_with_one_lie(secrets: int) -> None:
    assert worst(ulam(secrets), 1) == pelc(secrets)


@given(games(most_secrets=3, most_extra=2))
def test_one_more_lie_takes_two_more_questions_to_identify_at_least(game: TableGame) -> None:
    """Two secrets that L lies leave two questions earlier are told the truth once each: see docs/lies.md."""
    before, after = (worst_with_lies(game, "identify", lies, 7) for lies in (0, 1))
    assert len(game.secrets) == 1 or after is None or (before is not None and after >= before + 2)


@pytest.mark.parametrize(
    ("spec", "lies", "goal", "value"),
    [
        pytest.param("mastermind:4x6", 1, "win", 7, marks=pytest.mark.long),  # Huang, Chen and Lin 2005
        ("mastermind:3x3", 1, "win", 5),
        ("mastermind:3x3", 2, "win", 6),
        ("mastermind:2x2", 3, "win", 4),
        ("mastermind:2x2", 3, "identify", 8),
        ("mastermind:2x3", 3, "win", 7),
        pytest.param("mastermind:2x3", 3, "identify", 11, marks=pytest.mark.long),
        pytest.param("mastermind:3x2", 3, "win", 7, marks=pytest.mark.long),
        pytest.param("mastermind:3x2", 3, "identify", 11, marks=pytest.mark.long),
        pytest.param("mastermind:2x4", 3, "win", 9, marks=pytest.mark.long),
        pytest.param("mastermind:2x4", 3, "identify", 11, marks=pytest.mark.long),
        pytest.param("mastermind:2x5", 3, "win", 10, marks=pytest.mark.long),
        pytest.param("mastermind:3x3", 3, "win", 8, marks=pytest.mark.long),
        pytest.param("mastermind:3x3", 3, "identify", 9, marks=pytest.mark.long),
        pytest.param("mastermind:4x2", 3, "win", 7, marks=pytest.mark.long),
        pytest.param("mastermind:4x2", 3, "identify", 12, marks=pytest.mark.long),
        pytest.param("bulls:3x4", 3, "win", 9, marks=pytest.mark.long),
        ("mastermind:2x4", 1, "win", 6),
        ("bulls:3x5", 1, "win", 6),
    ],
)
def test_known_values(spec: str, lies: int, goal: str, value: int) -> None:
    assert worst(parse(spec), lies, goal=goal) == value


def test_a_fixed_first_guess_and_a_depth_limit() -> None:
    game = parse("mastermind:2x3")
    free = worst(game, 1)
    assert free is not None
    fixed = [worst(game, 1, first=first) for first in ("11", "12")]  # one of each class
    assert free == min(value for value in fixed if value is not None)
    assert worst(game, 1, max_depth=free) == free
    assert worst(game, 1, max_depth=free - 1) is None


# -- bounds ---------------------------------------------------------------------------------------------


@tries(5)
@given(st.integers(1, 3), st.integers(0, 3), st.booleans(), st.integers(1, 4), st.data())
def test_the_volume_counts_states(r: int, lies: int, win: bool, depth: int, data: st.DataObject) -> None:
    """The weights count response sequences with so many false responses, one response being the true one."""
    volume = Volume.of(r, lies, 3, win=win)
    asked = depth - 1 if win else depth
    sequences = [sum(x > 0 for x in some) for some in product(range(r), repeat=asked)]
    for left in range(lies + 1):
        assert volume.weight[depth, left] == sum(false <= left for false in sequences)
        exact = [sum(x > 0 for x in some) for some in product(range(r), repeat=depth)]
        assert volume.spread[depth, left] == exact.count(left)
    assert volume.nodes[depth] == r**depth


def test_the_volume_stays_within_64_bits() -> None:
    for responses, lies in product((1, 2, 14, 254), (0, 1, 7)):
        volume = Volume.of(responses, lies, 1 << 20, win=True)
        assert len(volume.weight) == len(volume.nodes) == len(volume.spread) > 2
        assert volume.weight.min() >= 0 < volume.nodes.min()


def test_knowledge_after_a_response() -> None:
    known = LieState(np.array([1, 4, 6, 7], dtype=np.int32), np.array([1, 0, 1, 0], dtype=np.uint8))
    answers = np.array([2, 2, 3, 9], dtype=np.uint8)
    after = known.after(answers, 2, -1)
    assert after.candidates.tolist() == [1, 4, 6]
    assert after.left.tolist() == [1, 0, 0]
    assert known.after(answers, 5, 2).candidates.tolist() == [6]
    assert [c.candidates.tolist() for c in known.children(answers, 10, 9)] == [[1, 4, 6], [1, 6], [1, 6]]


# -- trees ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["win", "identify"])
def tree(request: pytest.FixtureRequest) -> Tree:
    return strategy_of(solve(parse("mastermind:2x3"), "worst", lies=1, goal=request.param))


def replayed(game: Game, tree: Tree) -> dict[int, int]:
    """Return the guesses that each secret needs at most, by all sequences of responses."""
    needed: dict[int, int] = {}
    depth = int(tree.depth.max()) + 1
    winning = game.winning if tree.goal == "win" else None
    for secret in range(len(game.secrets)):
        for false in [{}, *({i: r} for i in range(depth) for r in range(len(game.responses)))]:
            node, asked, told = 0, 0, 0
            while tree.guess[node] >= 0:
                truth = game.respond(int(tree.guess[node]), secret)
                asked += 1
                if truth == winning:
                    break
                answer = false.get(asked - 1, truth)
                if answer == winning:
                    break
                told += answer != truth
                node = tree.child(node, answer)
                assert node >= 0
            else:
                assert tree.secret[node] == secret
            assert told <= 1
            needed[secret] = max(needed.get(secret, 0), asked)
    return needed


def test_the_checker_meets_every_way_to_lie(tree: Tree) -> None:
    game = tree.game
    needed = replayed(game, tree)
    report = check(game, tree)
    assert report.valid
    assert report.worst == max(needed.values())
    assert report.total == sum(needed.values())
    assert dict(enumerate(tree.guesses_needed().tolist())) == needed


def test_files_carry_lies(tree: Tree, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    game = tree.game
    files.write(game, tree, path)
    _, again = files.read(path)
    assert again.lies == 1
    for name in ("guess", "parent", "response", "first_child", "secret", "depth"):
        assert np.array_equal(getattr(again, name), getattr(tree, name))
    assert check(game, again).valid
    path.write_text(path.read_text().replace('"lies": 1', '"lies": -1'))
    with pytest.raises(TreeError, match="lies"):
        files.read(path)


def test_a_tree_is_not_valid_against_more_lies_or_without_a_branch(tree: Tree) -> None:
    game = tree.game
    more = check(game, replace(tree, lies=2))
    assert not more.valid
    assert "(false)" in more.failures[0].message
    last = len(tree) - 1  # a leaf, or a last guess
    cut = {name: getattr(tree, name)[:last] for name in ("guess", "parent", "response", "secret", "depth")}
    first_child = np.minimum(tree.first_child, last)[: last + 1]
    report = check(game, replace(tree, first_child=first_child, **cut))
    assert {failure.kind for failure in report.failures} <= {MISSING, "no win", "no leaf"}
    assert report.failures
    if tree.goal == "identify":
        secret = tree.secret.copy()
        leaf = int(np.flatnonzero(tree.guess < 0)[-1])
        secret[leaf] = (secret[leaf] + 1) % len(game.secrets)
        assert check(game, replace(tree, secret=secret)).failures[0].kind == WRONG_SECRET


def test_a_tree_without_lies_fails_against_one() -> None:
    game = parse("mastermind:2x3")
    truthful = strategy_of(solve(game, "worst"))
    report = check(game, replace(truthful, lies=1))
    assert not report.valid
    assert report.failed > 0


def test_a_claim_of_a_tree_with_lies_is_checked(tree: Tree) -> None:
    claims = replace(tree.claims, upper=(tree.claims.upper[0] - 1,), lower=())
    assert check(tree.game, tree.with_claims(claims)).lies


def test_lies_in_a_tree_that_cannot_have_them(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tree.game
    assert check(game, replace(tree, lies=-1)).failures[0].kind == MALFORMED
    monkeypatch.setattr(type(game), "rules", lambda _: "some")
    assert "rules" in check(game, tree).failures[0].message


def test_a_guess_that_tells_nothing_is_no_strategy() -> None:
    game = TableGame("table:x", ["g", "h"], ["a", "b"], [["x", "y"], ["x", "x"]])
    with pytest.raises(TreeError, match="tells nothing"):
        build(game, "identify", lambda *_: 1, lies=1)


def test_trees_with_lies_are_drawn_but_not_reshaped(tree: Tree, tmp_path: Path) -> None:
    game = tree.game
    formats.render(game, tree, tmp_path / "tree.svg")
    drawn = (tmp_path / "tree.svg").read_text()
    assert "lies: 1" in drawn
    assert "average" not in drawn
    for refused in (lambda: render_page(game, tree), lambda: difference(game, tree, tree)):
        with pytest.raises(TreeError, match="1 responses may be false"):
            refused()


# -- the command, bad input, interruption -----------------------------------------------------------------


def test_solve_and_check_from_the_command_line(tmp_path: Path) -> None:
    path = str(tmp_path / "tree.json")
    arguments = ["mastermind:3x3", "--lies", "1", "--objective", "worst", "--out", path]
    run = CliRunner().invoke(solve_command, arguments, standalone_mode=False)
    assert run.exception is None
    assert "goal win, 1 lie, objective worst: proven optimal" in run.output
    assert "average" not in run.output
    page = [*arguments[:-2], "--render", str(tmp_path / "tree.html")]
    with pytest.raises(TreeError, match=r"1 may be false; use \.pdf"):
        CliRunner().invoke(solve_command, page, standalone_mode=False, catch_exceptions=False)
    run = CliRunner().invoke(check_command, [path], standalone_mode=False)
    assert "goal win, 1 lie: valid" in run.output
    run = CliRunner().invoke(check_command, [path, "--json"], standalone_mode=False)
    assert '"lies_told": 1' in run.output
    assert '"worst": 5' in run.output


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"objective": "win-probability", "budget": 3}, "objective win-probability with 1 lie"),
        ({"lies": 8}, "8 lies; expected 0 to 7"),
        ({"lies": -1}, "-1 lies; expected 0 to 7"),
        ({"method": "least-cost"}, "method least-cost with lies; use volume, max-part"),
        ({"method": "volume", "lies": 0}, "method volume without lies; use max-part"),
        ({"candidates_only": True}, "candidates only with 1 lie"),
    ],
)
def test_what_is_not_solved_against_lies(options: dict[str, Any], text: str) -> None:
    given: dict[str, Any] = {"objective": "worst", "lies": 1}
    with pytest.raises(GuesstreeError, match=text):
        solve(parse("mastermind:2x2"), **given | options)


def test_what_cannot_be_told_apart() -> None:
    cells = [["W", "x", "x"], ["x", "W", "x"], ["x", "x", "W"]]
    game = TableGame("table:x", ["a", "b", "c"], ["a", "b", "c"], cells, "W")
    assert worst(game, 1) == 3
    game.guesses = ("a",)
    game._cells = game._cells[:1]
    with pytest.raises(Infeasible, match="cannot be won"):
        solve(game, "worst", lies=1)
    with pytest.raises(Infeasible, match="cannot be settled"):
        solve(game, "worst", lies=1, goal="identify")


def test_a_time_limit_gives_bounds() -> None:
    game = parse("mastermind:3x4")
    try:
        solution = solve(game, "worst", lies=2, time_limit=0.5)
    except Infeasible as error:
        assert "before the search stopped; one may exist" in str(error)
        return
    assert solution.lower[0] <= solution.upper[0]
    assert check(game, strategy_of(solution)).valid


def test_ctrl_c_ends_the_search_at_once() -> None:
    pressed: list[float] = []

    def press(_: Progress) -> None:
        if not pressed:
            pressed.append(time.monotonic())
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(Infeasible, match="before the search stopped"):
        solve(parse("mastermind:4x6"), "worst", lies=2, progress=press)
    assert time.monotonic() - pressed[0] < 20, "one second, on an idle machine"
