"""Building explicit trees: the arrays, the figures, what is refused."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from guesstree.api.strategy import strategy_of
from guesstree.engine.errors import GameError
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check
from guesstree.trees.export import files
from guesstree.trees.figures import summarise
from guesstree.trees.tree import Claims, Tree, TreeError, build

ARRAYS = ("guess", "parent", "response", "first_child", "secret", "depth")


def first_candidate(candidates: np.ndarray) -> int:
    return int(candidates[0])


def small(goal: str) -> Tree:
    """Two guesses, three secrets: x tells a from the rest, y tells b from c."""
    game = TableGame("table:small", ["x", "y"], ["a", "b", "c"], [["+", "-", "-"], ["+", "+", "-"]])
    return build(game, goal, lambda candidates: 0 if len(candidates) == 3 else 1)


def test_the_arrays_of_a_tree_that_identifies() -> None:
    tree = small("identify")
    assert {name: getattr(tree, name).tolist() for name in ARRAYS} == {
        "guess": [0, -1, 1, -1, -1],
        "parent": [-1, 0, 0, 2, 2],
        "response": [-1, 0, 1, 0, 1],
        "first_child": [1, 3, 3, 5, 5, 5],
        "secret": [-1, 0, -1, 1, 2],
        "depth": [0, 1, 1, 2, 2],
    }
    assert all(getattr(tree, name).dtype == np.int32 for name in ARRAYS)


def test_the_arrays_of_a_tree_that_wins() -> None:
    game = parse("blackpeg:1x3")
    tree = build(game, "win", first_candidate)
    assert {name: getattr(tree, name).tolist() for name in ARRAYS} == {
        "guess": [0, 1, 2],
        "parent": [-1, 0, 1],
        "response": [-1, 0, 0],
        "first_child": [1, 2, 3, 3],
        "secret": [0, 1, 2],
        "depth": [0, 1, 2],
    }


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("spec", ["mastermind:3x3", "bulls:3x5", "blackpeg:3x3"])
def test_nodes_are_in_breadth_first_order(spec: str, goal: str) -> None:
    tree = build(parse(spec), goal, first_candidate)
    assert (np.diff(tree.depth) >= 0).all() and (np.diff(tree.parent) >= 0).all()
    for node in range(len(tree)):
        children = tree.children(node)
        assert (np.diff(tree.response[children.start : children.stop]) > 0).all()
        assert all(tree.parent[child] == node for child in children)
        assert all(tree.child(node, int(tree.response[child])) == child for child in children)
        assert len(tree.path(node)) == tree.depth[node] + 1
    assert len(tree.guesses_needed()) == len(parse(spec).secrets) and (tree.guesses_needed() >= 0).all()


def test_the_views() -> None:
    tree = small("identify")
    assert (len(tree), list(tree.children(2)), tree.child(2, 1), tree.child(1, 0), tree.path(4)) == (
        5,
        [3, 4],
        4,
        -1,
        [0, 2, 4],
    )
    assert tree.guesses_needed().tolist() == [1, 2, 2]


def test_guesses_needed_are_in_the_order_of_secrets() -> None:
    game = parse("mastermind:2x3")
    strategy = strategy_of(solve(game))
    for secret, needed in zip(game.secrets, strategy.guesses_needed().tolist(), strict=True):
        node = 0
        asked = [game.guesses[strategy.guess[0]]]
        while asked[-1] != secret:
            response = game.respond(int(strategy.guess[node]), game.secret_index(secret))
            node = strategy.child(node, game.responses[response])
            asked.append(game.guesses[strategy.guess[node]])
        assert needed == len(asked)
    lost = replace(strategy, secret=np.where(strategy.secret == 4, -1, strategy.secret))
    assert lost.guesses_needed()[4] == -1 and (np.delete(lost.guesses_needed(), 4) > 0).all()


def test_the_figures() -> None:
    summary = summarise([1, 2, 2])
    assert (summary.secrets, summary.total, summary.worst, summary.histogram) == (3, 5, 2, {1: 1, 2: 2})
    assert summary.average == Fraction(5, 3)


def test_claims_are_proven_when_the_bounds_meet() -> None:
    assert not Claims().proven and not Claims(lower=(2,), upper=(3,)).proven
    assert small("identify").with_claims(Claims(lower=(2, 5), upper=(2, 5))).claims.proven


@pytest.mark.parametrize("goal", ["win", "identify"])
def test_a_guess_that_tells_nothing_is_refused(goal: str) -> None:
    with pytest.raises(TreeError, match="'111' tells nothing about 8 candidates"):
        build(parse("mastermind:3x3"), goal, lambda _: 0)


@pytest.mark.parametrize(
    ("spec", "lies"),
    [("mastermind:2x3", 0), ("mastermind:2x3", 1), ("coins:3", 0), ("wordle:WORDS", 0), ("hangman:WORDS", 0)],
)
def test_a_tree_is_built_without_one_response_after_another(
    spec: str, lies: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "words").write_text("cat\ncot\ndog\nact\n")
    game = parse(spec.replace("WORDS", str(tmp_path / "words")))
    solution = solve(game, "worst", lies=lies)
    with monkeypatch.context() as patch:
        patch.setattr(type(game), "respond", lambda *_: pytest.fail("respond was called"))
        strategy = strategy_of(solution)
    assert check(game, strategy).valid


def test_a_response_out_of_range_ends_the_building_of_a_tree() -> None:
    class Odd(TableGame):
        def respond_each(self, guesses: np.ndarray, secrets: np.ndarray) -> np.ndarray:
            return super().respond_each(guesses, secrets) + 7

    odd = Odd("table:odd", ["x"], ["a", "b"], [["+", "-"]])
    with pytest.raises(GameError, match="table:odd: a response is 8, out of range; expected 0 to 1"):
        build(odd, "identify", lambda _: 0)


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.long
def test_a_tree_of_depth_1500(goal: str, tmp_path: Path) -> None:
    labels = [str(i) for i in range(1500)]
    cells = [["no"] * i + ["yes"] + ["no"] * (1499 - i) for i in range(1500)]
    game = TableGame("table:deep", labels, labels, cells, "yes" if goal == "win" else None)
    tree = build(game, goal, first_candidate)
    assert int(tree.depth.max()) == 1499
    files.write(game, tree, tmp_path / "deep.json")
    _, again = files.read(tmp_path / "deep.json", game)
    assert all(np.array_equal(getattr(tree, name), getattr(again, name)) for name in ARRAYS)
    report = check(game, again)
    assert report.valid and report.worst == (1500 if goal == "win" else 1499)
