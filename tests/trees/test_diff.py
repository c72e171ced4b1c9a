"""Comparing strategies: figures, the first difference, what is shared, renamings; networkx is the judge."""

from collections.abc import Callable
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st

from guesstree.engine.errors import SpaceError
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame
from guesstree.trees.breed.breakers import random_breaker
from guesstree.trees.check import check
from guesstree.trees.diff import Renamings, canonical, difference, renamings
from guesstree.trees.export.nx import to_networkx
from guesstree.trees.shape import reshape
from guesstree.trees.tree import Tree, TreeError, build

GAME = parse("mastermind:3x3")
GROUP = renamings(GAME)


def breaker(seed: int, game: Game = GAME, goal: str = "win") -> Tree:
    return reshape(game, random_breaker(game, seed, goal=goal))[0]


def renamed(tree: Tree, element: int, group: Renamings = GROUP) -> Tree:
    guess = np.where(tree.guess >= 0, group.guesses[element].astype(int)[tree.guess], -1)
    secret = np.where(tree.secret >= 0, group.secrets[element].astype(int)[tree.secret], -1)
    return replace(tree, guess=guess.astype(np.int32), secret=secret.astype(np.int32))


def same_in_networkx(game: Game, a: Tree, b: Tree) -> bool:
    """Whether the trees are isomorphic with equal guesses, secrets and responses."""
    return nx.is_isomorphic(
        to_networkx(game, a),
        to_networkx(game, b),
        node_match=lambda x, y: (x["guess"], x["secret"]) == (y["guess"], y["secret"]),
        edge_match=lambda x, y: x["response"] == y["response"],
    )


def test_a_tree_is_the_same_as_itself() -> None:
    tree = breaker(1)
    found = difference(GAME, tree, tree)
    assert found.same and found.path is None and found.asked is None
    assert (found.slower, found.faster, found.examples) == (0, 0, ())
    assert found.largest == len(tree) and found.nodes == (len(tree), len(tree))


def test_the_first_difference_and_the_secrets() -> None:
    def choose(second: int) -> Callable[[np.ndarray], int]:
        def chosen(candidates: np.ndarray) -> int:
            return second if len(candidates) == 12 else int(candidates[0])

        return chosen

    a, b = build(GAME, "win", choose(1)), build(GAME, "win", choose(12))
    sizes = {child: len(a.children(child)) for child in a.children(0)}
    found = difference(GAME, a, b)
    assert not found.same and len(sizes) > 1
    assert found.path == (("111", "1,0"),)
    assert found.asked == (GAME.guesses[1], GAME.guesses[12])
    assert found.second.total - found.first.total == found.as_json()["total"]
    for secret, before, after in found.examples:
        s = GAME.secrets.index(secret)
        assert before == int(a.depth[a.secret == s][0]) + 1 and after == int(b.depth[b.secret == s][0]) + 1
    assert len(found.examples) == min(found.slower, 10) + min(found.faster, 10)
    # Whatever lies below the other responses to the root is in both.
    assert found.shared > 0 and found.largest >= max(n for c, n in sizes.items() if n < 12)


@pytest.mark.parametrize("spec", ["mastermind:2x4", "bulls:3x4", "blackpeg:2x3", "mastermind:3x3"])
def test_the_renamings_are_a_group_that_keeps_responses(spec: str) -> None:
    game = parse(spec)
    orders = {"mastermind:2x4": 2 * 24, "bulls:3x4": 6 * 24, "blackpeg:2x3": 2 * 36, "mastermind:3x3": 36}
    group, table = renamings(game), game.table()
    assert len(group.guesses) == orders[spec]
    for g, s in zip(group.guesses, group.secrets, strict=True):
        assert np.array_equal(table[np.ix_(g, s)], table)


@tries(0.7)
@given(st.integers(0, 200), st.integers(0, 35), st.sampled_from(["win", "identify"]))
def test_renamed_trees_are_the_same_up_to_symmetry(seed: int, element: int, goal: str) -> None:
    tree = breaker(seed, goal=goal)
    other = renamed(tree, element)
    assert check(GAME, other).valid
    assert difference(GAME, tree, other, up_to_symmetry=True).same
    assert difference(GAME, tree, other).same == same_in_networkx(GAME, tree, other)
    form = canonical(GAME, tree, GROUP)
    assert check(GAME, form).valid and np.array_equal(canonical(GAME, form).guess, form.guess)


def test_up_to_symmetry_agrees_with_trying_every_renaming() -> None:
    game = parse("mastermind:2x3")
    group = renamings(game)
    trees = [breaker(seed, game) for seed in range(12)]
    outcomes = set()
    for a in trees:
        for b in trees:
            tried = any(same_in_networkx(game, renamed(a, i, group), b) for i in range(len(group.guesses)))
            outcomes.add(tried)
            assert difference(game, a, b, up_to_symmetry=True).same == tried
    assert outcomes == {True, False}


def test_a_game_without_symmetry_has_the_identity() -> None:
    game = TableGame("table:own", ["x"], ["a", "b"], [["+", "-"]])
    tree = build(game, "identify", lambda _: 0)
    assert difference(game, tree, tree, up_to_symmetry=True).same


@pytest.mark.long
def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(TreeError, match="same goal"):
        difference(GAME, breaker(1), breaker(1, goal="identify"))
    broken = replace(breaker(1), secret=np.full(len(breaker(1)), -1, dtype=np.int32))
    with pytest.raises(TreeError, match="not a valid strategy"):
        difference(GAME, breaker(1), broken)
    with pytest.raises(SpaceError, match="renamings of 1296 guesses"):
        renamings(parse("blackpeg:4x6"))
