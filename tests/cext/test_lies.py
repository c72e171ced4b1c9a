"""The search against lies and its plain twin: equal in results and counters; and the contract of both."""

from typing import Any

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import Work, games

from guesstree.cext import reference_lying
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.lying import Knowledge, Volume

lies = pytest.importorskip("guesstree.cext.lying")


def searcher(module: Any, game: Game, goal: str, most: int, **how: Any) -> Any:
    """Return a searcher of a game."""
    problem = Problem(game, OBJECTIVES["worst"], goal=goal)
    responses = max([1, *problem.profile[:1]])
    volume = Volume.of(responses, most, problem.secrets, win=problem.winning >= 0)
    form = game.code_form()
    if "renaming" in how and form is not None:
        how["digits"] = form.digits
    return module.Searcher(
        problem.table, problem.own, problem.winner, problem.responses, problem.winning, most,
        volume.weight, volume.nodes, volume.spread, problem.capacity, problem.classes, **how,
    )  # fmt: skip


@tries(8.5)
@given(
    games(most_secrets=8),
    st.integers(0, 3),
    st.booleans(),
    st.integers(0, 7),
    st.sampled_from([0, 0, 1, 3]),
    st.data(),
)
def test_searches_agree(
    game: Game, most: int, identify: bool, depth: int, width: int, data: st.DataObject
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    if goal == "win" and (Problem(game, OBJECTIVES["worst"]).winner < 0).any():
        return
    left = np.array([data.draw(st.integers(0, most)) for _ in game.secrets], dtype=np.uint8)
    candidates = np.arange(len(game.secrets), dtype=np.int32)
    a, b = (searcher(m, game, goal, most, width=width) for m in (lies, reference_lying))
    assert a.least(candidates, left) == b.least(candidates, left)
    found = a.search(candidates, depth, left=left)
    assert Work.of(a, found) == Work.of(b, b.search(candidates, depth, left=left))
    # Nearly all is forgotten at once, or several threads search: never wrong.
    if not width:
        for how in ({"memory": 1}, {"jobs": 3}):
            other = searcher(lies, game, goal, most, **how).search(candidates, depth, left=left)
            assert other[:2] == found[:2]
    if found.upper == 0 and not (goal == "identify" and len(candidates) == 1):
        assert a.choice(candidates, depth, None, left) == b.choice(candidates, depth, None, left)
    else:
        with pytest.raises(ValueError, match="no strategy is known"):
            a.choice(candidates, depth, None, left)


@pytest.mark.parametrize(
    ("spec", "most", "depth"), [("mastermind:3x3", 1, 4), ("mastermind:3x3", 1, 5), ("bulls:2x4", 2, 7)]
)
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_searches_of_games_agree(spec: str, most: int, depth: int, goal: str) -> None:
    game = parse(spec)
    known = Knowledge.start(len(game.secrets), most)
    upper = set()
    for how in ({}, {"renaming": game.symmetry.renaming}):
        found = []
        for module in (lies, reference_lying):
            made = searcher(module, game, goal, most, **how)
            found.append(Work.of(made, made.search(known.candidates, depth, left=known.left)))
        assert found[0] == found[1]
        upper.add(found[0].outcome.upper)
    assert len(upper) == 1, "the symmetry changes a value"


@tries(2.5)
@given(games(most_secrets=6), st.integers(0, 2), st.booleans(), st.data())
def test_more_guesses_and_fewer_lies_are_no_harder(
    game: Game, most: int, identify: bool, data: st.DataObject
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    if goal == "win" and (Problem(game, OBJECTIVES["worst"]).winner < 0).any():
        return
    made = searcher(lies, game, goal, most)
    candidates = np.arange(len(game.secrets), dtype=np.int32)
    left = np.array([data.draw(st.integers(0, most)) for _ in game.secrets], dtype=np.uint8)
    fewer = np.array([data.draw(st.integers(0, int(n))) for n in left], dtype=np.uint8)
    found = [
        tuple(int(made.search(candidates, d, left=some).upper == 0) for some in (left, fewer))
        for d in range(7)
    ]
    assert found == sorted(found)
    assert all(few >= many for many, few in found)


def test_a_budget_stops_the_search() -> None:
    game = parse("mastermind:4x3")
    known = Knowledge.start(len(game.secrets), 1)
    for module in (lies, reference_lying):
        made = searcher(module, game, "win", 1)
        for total in (3, 6):  # a budget is of one search
            outcome = made.search(known.candidates, 6, evaluations=3, left=known.left)
            assert outcome == (0, module.INFINITE, -1, "budget")
            assert made.evaluations == total
