"""Bounds and strategies from what second guesses tell at most, against the oracle."""

import random

import numpy as np
import pytest
from effort import seeds

import guesstree
from guesstree.api.strategy import strategy_of
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search import told
from guesstree.engine.search.bounds import bounds
from guesstree.engine.search.deadline import Deadline
from guesstree.engine.search.session import Session
from guesstree.engine.search.solve import space_of
from guesstree.engine.search.space import Resources
from guesstree.trees import check as checker


class Grid(Game):
    """Responses at random; the guess of the same number wins."""

    def __init__(self, seed: int) -> None:
        dice = random.Random(seed)
        secrets, others, kinds = dice.randrange(2, 9), dice.randrange(3), dice.randrange(2, 7)
        self.spec = f"grid:{seed}"
        self.secrets = [f"s{i}" for i in range(secrets)]
        self.guesses = [f"g{i}" for i in range(secrets + others)]
        self.responses = [*map(str, range(kinds)), "yes"]
        self.winning = kinds
        self.cells = [
            [kinds if g == s else dice.randrange(kinds) for s in range(secrets)]
            for g in range(secrets + others)
        ]

    def respond(self, guess: int, secret: int) -> int:
        return self.cells[guess][secret]


def least(game: Game) -> int:
    value = best(front(game, "win"), OBJECTIVES["expected"].figures)
    assert value is not None
    return value[0]


@pytest.mark.parametrize("seed", seeds(20, 400))
def test_bounds_and_strategies_hold_the_oracle(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "AT_ONCE", 1 + seed % 4)
    monkeypatch.setattr(told, "CELLS", 1 + seed % 50)
    for some in range(5):
        game = Grid(5 * seed + some)
        problem, value = Problem(game, OBJECTIVES["expected"]), least(game)
        assert told.is_plain(problem)
        found = told.by_parts(problem)
        assert found.total >= value
        session = Session(space_of(problem, 0), Resources.of(problem, 1 + seed % 2, None), Deadline(None))
        session.offer(found)
        told.SecondGuesses(session).work()
        assert session.lower["total"] <= value <= session.upper("total")
        sets = [np.arange(problem.secrets, dtype=np.int32)]
        most, _ = told.most_told(problem, sets)
        assert problem.secrets == 1 or 3 * problem.secrets - int(most[0]) <= value


@pytest.mark.parametrize("guess", ["4*7=28", "1+9=10"])
def test_a_first_guess_that_is_given_is_kept(guess: str) -> None:
    game = parse("nerdle:6")
    free, fixed = bounds(game, time_limit=20), bounds(game, time_limit=20, first=guess)
    assert free.optimal and free.upper == (544,) and fixed.optimal
    assert fixed.upper >= free.upper
    for solution in (free, fixed):
        assert checker.check(game, strategy_of(solution)).valid
    assert strategy_of(fixed).game.guesses[strategy_of(fixed).guess[0]] == guess


def test_the_second_guesses_alone_prove_mini_nerdle() -> None:
    problem = Problem(parse("nerdle:6"), OBJECTIVES["expected"])
    session = Session(space_of(problem, 0), Resources.of(problem, 1, None), Deadline(None))
    session.offer(told.by_parts(problem))
    told.SecondGuesses(session).work()
    assert session.lower["total"] == session.upper("total") == 544


def test_what_is_special_is_left_to_other_searches() -> None:
    expected = OBJECTIVES["expected"]
    assert told.is_plain(Problem(parse("nerdle:5"), expected))
    assert not told.is_plain(Problem(parse("nerdle:5"), expected, goal="identify"))
    assert not told.is_plain(Problem(parse("nerdle:5"), expected, candidates_only=True))
    cells = {"t": {"a": "+", "b": "-"}}
    assert not told.is_plain(Problem(guesstree.table(cells, weights=[2, 1]), expected))
