"""Reshaping: what is removed, when, and that no secret ever needs more guesses."""

from fractions import Fraction

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import games

from guesstree.engine.errors import GameError
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame
from guesstree.trees.breed.breakers import random_breaker
from guesstree.trees.check import check
from guesstree.trees.figures import summarise
from guesstree.trees.shape import arrange, merge, reshape, shrink, triangle
from guesstree.trees.tree import Claims, Tree, TreeError, build

ARRAYS = ("guess", "parent", "response", "first_child", "secret", "depth")


def equal(a: Tree, b: Tree) -> bool:
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ARRAYS)


def tree_of(game: Game, goal: str, nodes: list[tuple[str, dict[str, int]]]) -> Tree:
    """Build a tree from (label, children by response); secrets are where the labels say."""
    guess, secret = np.full(len(nodes), -1), np.full(len(nodes), -1)
    parent, response = np.full(len(nodes), -1), np.full(len(nodes), -1)
    for node, (label, children) in enumerate(nodes):
        if goal == "win" or children:
            guess[node] = game.guess_index(label)
        if goal == "win" and label in game.secrets:
            secret[node] = game.secrets.index(label)
        if goal == "identify" and not children:
            secret[node] = game.secrets.index(label)
        for answer, child in children.items():
            parent[child], response[child] = node, list(game.responses).index(answer)
    none = np.zeros(0, dtype=np.int32)
    shell = Tree(game, goal, none, none, none, none, none, none)
    return arrange(shell, *(a.astype(np.int32) for a in (guess, parent, response, secret)))


def naming(extra: dict[str, str], same: str = "-") -> TableGame:
    """Make a game to win with secrets a, b, c, ...; `extra` has guesses that win nothing."""
    secrets = "abcd"[: len(next(iter(extra.values())))]
    cells = [["W" if g == s else same for s in secrets] for g in secrets] + [
        list(row) for row in extra.values()
    ]
    return TableGame("table:own", [*secrets, *extra], list(secrets), cells, "W")


@tries(3.5)
@given(games(), st.integers(0, 2**32), st.sampled_from([0, 1, 3, None]), st.booleans())
def test_reshaped_trees_are_valid_never_slower_and_done(
    game: TableGame, seed: int, blind: int | None, win: bool
) -> None:
    goal = "win" if win and game.winning is not None else "identify"
    try:
        raw = random_breaker(game, seed, blind=blind, goal=goal)
    except GameError:
        return
    small, saved = reshape(game, raw)
    report = check(game, small)
    assert report.valid and not report.dead
    assert (small.guesses_needed() <= raw.guesses_needed()).all()
    assert equal(shrink(game, small), small) and equal(triangle(game, small), small)
    assert saved.guesses == raw.guesses_needed().sum() - small.guesses_needed().sum()
    assert saved.nodes == len(raw) - len(small) == saved.uninformative + saved.unreached + saved.triangles
    children = np.diff(small.first_child)
    assert not ((children == 1) & (small.secret < 0)).any()
    alone = triangle(game, raw)
    assert check(game, alone).valid and (alone.guesses_needed() <= raw.guesses_needed()).all()


@pytest.mark.parametrize("spec", ["mastermind:3x3", "bulls:3x5", "blackpeg:3x3", "mastermind:4x4"])
def test_random_breakers_of_code_games(spec: str) -> None:
    game = parse(spec)
    for seed in range(5):
        raw = random_breaker(game, seed)
        small, saved = reshape(game, raw)
        assert check(game, small).valid and (small.guesses_needed() <= raw.guesses_needed()).all()
        assert saved.height == raw.guesses_needed().max() - small.guesses_needed().max() > 0
        assert saved.guesses > 0 and saved.triangles > 0


def test_seven_triangles_in_one_tree_all_removed() -> None:
    """As in the picture of the source: seven nodes with two leaf children, none left afterwards."""
    game = parse("mastermind:3x3")
    small = shrink(game, random_breaker(game, 4))
    folded = triangle(game, small)
    assert triangles_of(small) == 7 and triangles_of(folded) == 0
    assert small.guesses_needed().sum() - folded.guesses_needed().sum() == 7
    assert len(small) - len(folded) == 7


def triangles_of(tree: Tree) -> int:
    leaf = np.diff(tree.first_child) == 0
    return sum(
        tree.secret[node] < 0 and len(tree.children(node)) == 2 and all(leaf[c] for c in tree.children(node))
        for node in range(len(tree))
    )


def test_the_fitness_of_the_tree_of_the_source() -> None:
    """1, 2, 16 and 8 terminal nodes on levels 1 to 4 of a tree for 27 codes."""
    figures = summarise([1] + [2] * 2 + [3] * 16 + [4] * 8)
    assert figures.average == Fraction(85, 27)
    game = parse("mastermind:3x3")
    for seed in range(100):
        small, _ = reshape(game, random_breaker(game, seed))
        if summarise(small.guesses_needed()).histogram == figures.histogram:
            assert check(game, small).average == Fraction(85, 27)
            return
    raise AssertionError("no random breaker is like the one of the source")


def test_a_chain_of_guesses_that_tell_nothing() -> None:
    game = naming({"x": "pp", "y": "qq"})
    tree = tree_of(game, "win", [("x", {"p": 1}), ("y", {"q": 2}), ("a", {"-": 3}), ("b", {})])
    assert check(game, tree).valid
    small = shrink(game, tree)
    assert equal(small, tree_of(game, "win", [("a", {"-": 1}), ("b", {})]))
    assert reshape(game, tree)[1].uninformative == 2


def test_a_certain_win_is_not_a_guess_that_tells_nothing() -> None:
    game = naming({"x": "pq"})
    tree = tree_of(game, "win", [("a", {"-": 1}), ("b", {})])
    assert shrink(game, tree) is tree and triangle(game, tree) is tree


def test_a_question_about_a_known_secret_is_removed() -> None:
    game = TableGame("table:known", ["x", "y"], ["a", "b"], [["+", "-"], ["+", "-"]])
    tree = tree_of(game, "identify", [("x", {"+": 1, "-": 2}), ("y", {"+": 3}), ("b", {}), ("a", {})])
    assert check(game, tree).valid
    assert shrink(game, tree).guesses_needed().tolist() == [1, 1]


def test_a_branch_that_no_secret_takes_is_removed() -> None:
    game = naming({"x": "pq", "y": "rs"})
    raw = tree_of(game, "win", [("x", {"p": 1, "q": 2, "s": 3}), ("a", {}), ("b", {}), ("y", {})])
    assert check(game, raw).valid and check(game, raw).dead
    small, saved = reshape(game, raw)
    assert (saved.unreached, saved.triangles, len(small)) == (1, 1, 2)


def test_a_triangle_with_three_leaves_folds_only_where_a_leaf_tells_the_others_apart() -> None:
    leaves = [("x", {"p": 1, "q": 2, "r": 3}), ("a", {}), ("b", {}), ("c", {})]
    together = naming({"x": "pqr"})
    tree = tree_of(together, "win", leaves)
    assert triangle(together, tree) is tree  # asking a first leaves b and c together: c would be slower
    cells = [["W", "p", "p"], ["p", "W", "q"], ["p", "p", "W"], ["p", "q", "r"]]
    apart = TableGame("table:apart", ["a", "b", "c", "x"], ["a", "b", "c"], cells, "W")
    folded = triangle(apart, tree_of(apart, "win", leaves))
    assert equal(folded, tree_of(apart, "win", [("b", {"p": 1, "q": 2}), ("a", {}), ("c", {})]))


def test_identification_has_no_triangles() -> None:
    game = parse("mastermind:3x3")
    small = shrink(game, random_breaker(game, 1, goal="identify"))
    assert triangle(game, small) is small


def test_invalid_trees_are_refused() -> None:
    game = naming({"x": "pq"})
    short = tree_of(game, "win", [("a", {})])
    crossed = tree_of(game, "win", [("x", {"q": 1, "p": 2}), ("a", {}), ("b", {})])
    for tree in (short, crossed):
        assert not check(game, tree).valid
        for step in (shrink, triangle, reshape):
            with pytest.raises(TreeError, match="not a valid strategy: secret"):
                step(game, tree)


def test_claims_of_a_reshaped_tree_are_true() -> None:
    game = parse("mastermind:3x3")
    raw = random_breaker(game, 1)
    total = int(raw.guesses_needed().sum())
    small, _ = reshape(game, raw.with_claims(Claims("expected", "x", (73,), (total,), {}, {"total": total})))
    assert small.claims.lower == (73,) and small.claims.upper == (int(small.guesses_needed().sum()),)
    assert check(game, small).valid
    bound = Claims("expected", "x", (total,), (total,), {"first": "111"})
    assert check(game, reshape(game, raw.with_claims(bound))[0]).valid


def test_a_tree_of_depth_1500() -> None:
    labels = [str(i) for i in range(1500)]
    cells = [["no"] * i + ["yes"] + ["no"] * (1499 - i) for i in range(1500)]
    game = TableGame("table:deep", labels, labels, cells, "yes")
    tree = build(game, "win", lambda candidates: int(candidates[0]))
    small, saved = reshape(game, tree)
    assert equal(small, tree) and saved.nodes == 0
    assert len(merge(tree)) == 1500


def test_merging_by_shape_and_by_label() -> None:
    game = parse("mastermind:4x4")
    tree, _ = reshape(game, random_breaker(game, 2))
    exact, shapes = merge(tree, labels=True), merge(tree)
    assert len(exact) == len(tree)  # each secret ends in one place
    assert len(shapes) < len(tree) / 2
    assert shapes.count.sum() == len(tree) and shapes.size[shapes.root] == len(tree)
    for one in range(len(shapes)):
        edges = slice(shapes.first_edge[one], shapes.first_edge[one + 1])
        assert (shapes.target[edges] < one).all()
        assert shapes.size[one] == 1 + shapes.size[shapes.target[edges]].sum()
        for node in np.flatnonzero(shapes.node_class == one)[:3]:
            children = tree.children(int(node))
            assert tree.response[children.start : children.stop].tolist() == shapes.response[edges].tolist()
            assert shapes.node_class[children.start : children.stop].tolist() == shapes.target[edges].tolist()
