"""Strategies that are programs, as trees: checked like any other, with the counts of the games played."""

from collections.abc import Generator

import pytest

from guesstree.engine.constructive.many import strategy
from guesstree.engine.constructive.measure import questions
from guesstree.engine.constructive.size import parse_spec
from guesstree.engine.errors import GameError
from guesstree.engine.registry import parse
from guesstree.trees.check import check
from guesstree.trees.tree import TreeError
from guesstree.trees.unroll import unroll, unroll_constructive

SMALL = [
    *(
        f"mastermind:{size}"
        for size in ("1x1", "1x5", "2x2", "2x5", "3x3", "3x5", "4x4", "5x3", "6x2", "8x2")
    ),
    *(f"blackpeg:{size}" for size in ("1x1", "2x3", "3x3", "3x4", "4x3", "6x2")),
]


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("spec", SMALL)
def test_the_tree_is_valid_and_counts_as_the_games_do(spec: str, goal: str) -> None:
    size, game = parse_spec(spec), parse(spec)
    tree = unroll_constructive(spec, goal)
    report = check(game, tree)
    assert report.valid, report.messages()
    asked = {
        game.secret_index(label): questions(strategy(size, goal), size, size.parse_code(label))
        for label in game.secrets
    }
    assert dict(enumerate(tree.guesses_needed().tolist())) == asked
    assert report.worst == max(asked.values())


def by_elimination(*, wrong: bool = False) -> Generator[int, int, int]:
    """Find a code of two colours and one peg; `wrong` to conclude the other."""
    response = yield 0
    return int((response == 0) != wrong)


def test_a_strategy_that_concludes_another_secret_is_refused() -> None:
    game = parse("blackpeg:1x2")
    with pytest.raises(TreeError, match="for '1' the strategy concludes '2'"):
        unroll(
            game,
            lambda: by_elimination(wrong=True),
            goal="identify",
            guess_of=int,
            response_of=int,
            secret_of=int,
        )


def test_a_strategy_that_does_not_win_is_refused() -> None:
    game = parse("blackpeg:1x2")
    with pytest.raises(TreeError, match="does not ask '2' in the end"):
        unroll(game, lambda: by_elimination(), goal="win", guess_of=int, response_of=int, secret_of=int)


def test_a_strategy_that_asks_differently_is_refused() -> None:
    game, first = parse("blackpeg:1x3"), iter([0, 1])

    def fickle() -> Generator[int, int, int]:
        yield next(first)
        return 0

    with pytest.raises(TreeError, match="asks differently"):
        unroll(game, fickle, goal="identify", guess_of=int, response_of=int, secret_of=int)


def test_a_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(GameError):
        unroll_constructive("mastermind:64x64")
