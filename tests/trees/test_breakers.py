"""Random breakers: reproducible, valid, built in the two phases; surveys of many."""

import csv

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import games, priced_games

from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.game import Game, costs_of, weights_of
from guesstree.engine.oracle import least
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame
from guesstree.trees.breed.breakers import random_breaker, survey, tree_seed
from guesstree.trees.breed.grid import as_csv, counted_by, expand
from guesstree.trees.check import check
from guesstree.trees.shape import shrink, triangle
from guesstree.trees.tree import Tree

ARRAYS = ("guess", "parent", "response", "first_child", "secret", "depth")


def breaker(game: Game, seed: int, blind: int | None, goal: str | None = None) -> Tree | None:
    """Return a random breaker, or None for a table on which no tree can identify the secret."""
    try:
        return random_breaker(game, seed, blind=blind, goal=goal)
    except GameError:
        return None


@tries(2.5)
@given(games(), st.integers(0, 2**32), st.sampled_from([0, 1, 3, None]), st.booleans())
def test_breakers_of_random_tables_are_valid(
    game: TableGame, seed: int, blind: int | None, win: bool
) -> None:
    goal = "win" if win and game.winning is not None else "identify"
    tree = breaker(game, seed, blind, goal)
    if tree is not None:
        report = check(game, tree)
        assert report.valid and not report.dead


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("spec", ["mastermind:3x3", "bulls:3x5", "blackpeg:3x3"])
def test_a_path_asks_nothing_twice(spec: str, goal: str) -> None:
    tree = random_breaker(parse(spec), 5, blind=None, goal=goal)
    for node in range(len(tree)):
        asked = [int(tree.guess[n]) for n in tree.path(node) if tree.guess[n] >= 0]
        assert len(set(asked)) == len(asked)


def test_after_the_switch_every_guess_can_be_the_secret() -> None:
    game = parse("mastermind:3x3")
    for blind in (0, 2):
        tree = random_breaker(game, 3, blind=blind)
        assert (tree.secret[tree.depth >= blind] >= 0).all()
        assert np.array_equal(tree.secret[tree.depth >= blind], tree.guess[tree.depth >= blind])


def test_before_the_switch_guesses_are_drawn_whatever_they_tell() -> None:
    tree = random_breaker(parse("mastermind:3x3"), 1, blind=None)
    assert int(tree.depth.max()) > 15


def test_the_same_seed_gives_the_same_tree() -> None:
    game = parse("mastermind:3x4")
    first, again, other = (random_breaker(game, seed) for seed in (7, 7, 8))
    assert all(np.array_equal(getattr(first, name), getattr(again, name)) for name in ARRAYS)
    assert first.claims == again.claims
    assert not np.array_equal(first.guess, other.guess)


def test_a_tree_of_many_guesses_is_built_level_by_level() -> None:
    game = parse("mastermind:4x4")
    tree = random_breaker(game, 1, blind=None)
    assert len(tree) > 25_000 and int(tree.depth.max()) > 200
    needed = tree.guesses_needed()
    assert len(needed) == 256 and needed.min() > 0 and int(needed.sum()) <= 256 * 256


def test_every_code_is_drawn_about_as_often() -> None:
    roots = [int(random_breaker(parse("mastermind:2x2"), seed).guess[0]) for seed in range(200)]
    assert min(np.bincount(roots, minlength=4)) > 30


def test_bad_arguments_are_refused() -> None:
    game = parse("mastermind:2x2")
    with pytest.raises(GuesstreeError, match="a seed of -1"):
        random_breaker(game, -1)
    with pytest.raises(GuesstreeError, match="first phase of -2"):
        random_breaker(game, 0, blind=-2)
    with pytest.raises(GuesstreeError, match="population of 0"):
        survey(game, 0)


@pytest.mark.parametrize(
    ("spec", "optimum"), [("2x2", 8), ("2x3", 21), ("3x2", 18), ("3x3", 73), ("3x4", 206), ("4x4", 905)]
)
def test_mean_fitness_falls_at_each_stage(spec: str, optimum: int) -> None:
    found = survey(parse(f"mastermind:{spec}"), 25, seed=1)
    raw, shrunk, triangles = (figures["mean"] for figures in found.figures().values())
    # Of 2x2 every shrunk tree is optimal, so nothing is left for the triangles.
    assert raw > shrunk > triangles or (spec == "2x2" and raw > shrunk == triangles == optimum / 4)
    assert found.lower == found.upper == optimum
    assert all(a >= b >= c >= optimum for a, b, c in found.totals)


def test_fitness_is_the_cost_where_tests_cost_something() -> None:
    cells = [["x", "x", "y", "y", "z"], ["p", "q", "p", "q", "p"], ["0", "1", "1", "0", "1"]]
    game = TableGame("t", ["t1", "t2", "t3"], list("abcde"), cells, weights=[1, 2, 3, 4, 5], prices=[2, 1, 1])
    found = survey(game, 20, seed=1)
    trees = [random_breaker(game, tree_seed(1, i)) for i in range(20)]
    assert [row[0] for row in found.totals] == [paid(game, tree) for tree in trees]
    assert [found.lower] == [found.upper] == list(least(game, "identify", "expected") or ())
    assert found.each == 15 and found.counted == "average cost"
    assert min(row[2] for row in found.totals) >= found.lower


def paid(game: TableGame, tree: Tree) -> int:
    """Return the weighted cost of a tree, secret by secret, by the game's own responses."""
    costs, weights = costs_of(game), weights_of(game)
    total = 0
    for secret in range(len(game.secrets)):
        node = int(np.flatnonzero(tree.secret == secret)[0])
        for above in tree.path(node):
            if tree.guess[above] >= 0:
                total += int(
                    weights[secret] * costs[tree.guess[above], game.respond(tree.guess[above], secret)]
                )
    return total


@tries(1)
@given(priced_games(), st.integers(0, 2**32), st.booleans())
def test_reshaping_never_costs_more(game: TableGame, seed: int, win: bool) -> None:
    goal = "win" if win and game.winning is not None else "identify"
    raw = breaker(game, seed, 3, goal)
    if raw is not None:
        small = shrink(game, raw)
        folded = triangle(game, small)
        assert check(game, folded).valid
        assert paid(game, raw) >= paid(game, small) >= paid(game, folded)


def test_sizes_may_be_ranges() -> None:
    assert expand("mastermind:2..3x4") == ["mastermind:2x4", "mastermind:3x4"]
    assert expand("coins:3..4,max=2") == ["coins:3,max=2", "coins:4,max=2"]
    for alone in ("coins:5,total=1..2", "mastermind:3x3", "table:a..b.csv", "nothing"):
        assert expand(alone) == [alone]
    with pytest.raises(GuesstreeError, match="no number from 3 to 2"):
        expand("coins:3..2")
    with pytest.raises(GuesstreeError, match="are 101 games; expected at most 100"):
        expand("coins:1..101")


def test_the_table_of_many_games() -> None:
    found = [survey(parse(spec), 4) for spec in ("mastermind:2x2", "coins:3,total=1..2")]
    rows = list(csv.DictReader(as_csv(found).splitlines()))
    assert [row["game"] for row in rows[::3]] == ["mastermind:2x2", "coins:3,total=1..2"]
    assert [row["stage"] for row in rows[:3]] == ["raw", "shrunk", "triangles"]
    for one, row in zip(found, rows[2::3], strict=True):
        assert float(row["mean"]) == pytest.approx(one.figures()["triangles"]["mean"], abs=1e-6)
        assert (int(row["lower"]), int(row["upper"])) == (one.lower, one.upper)
    assert counted_by(found) == "average number of guesses"
