"""The search against lies and its plain twin: equal in results and counters; and the contract of both."""

import inspect
from typing import Any

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import games

from guesstree.cext import reference_lying
from guesstree.engine.game import Game, parse
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.search.lying import Knowledge, Volume

lies = pytest.importorskip("guesstree.cext.lying")


def searcher(module: Any, game: Game, goal: str, most: int, **how: Any) -> tuple[Any, Any]:
    """Return a searcher of a game and its counters."""
    problem = Problem(game, OBJECTIVES["worst"], goal=goal)
    responses = max([1, *problem.profile[:1]])
    volume = Volume.of(responses, most, problem.secrets, win=problem.winning >= 0)
    counters = np.zeros(module.COUNTERS, dtype=np.int64)
    made = module.Searcher(
        problem.table, problem.own, problem.winner, problem.responses, problem.winning, most,
        volume.weight, volume.nodes, volume.spread, problem.capacity, counters, problem.classes, **how,
    )  # fmt: skip
    return made, counters


def test_the_constants_and_arguments_of_the_twins_agree() -> None:
    shared = [name for name in vars(reference_lying) if name.isupper() and hasattr(lies, name)]
    assert len(shared) >= 9
    assert {n: getattr(lies, n) for n in shared} == {n: getattr(reference_lying, n) for n in shared}
    names = list(inspect.signature(reference_lying.Searcher).parameters)
    assert names[0] == "table"
    assert names[-1] == "width"


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
    (a, counts), (b, other) = (searcher(m, game, goal, most, width=width) for m in (lies, reference_lying))
    assert a.least(candidates, left) == b.least(candidates, left)
    found = a.search(candidates, left, depth)
    assert found == b.search(candidates, left, depth)
    assert counts.tolist() == other.tolist()
    # Nearly all is forgotten at once: never wrong.
    if not width:
        assert searcher(lies, game, goal, most, memory=1)[0].search(candidates, left, depth) == found
    if found and not (goal == "identify" and len(candidates) == 1):
        assert a.choice(candidates, left, depth) == b.choice(candidates, left, depth)
    else:
        with pytest.raises(ValueError, match="no guess is known"):
            a.choice(candidates, left, depth)


@pytest.mark.parametrize(
    ("spec", "most", "depth"), [("mastermind:3x3", 1, 4), ("mastermind:3x3", 1, 5), ("bulls:2x4", 2, 7)]
)
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_searches_of_games_agree(spec: str, most: int, depth: int, goal: str) -> None:
    game = parse(spec)
    known = Knowledge.start(len(game.secrets), most)
    found = []
    for module in (lies, reference_lying):
        made, counters = searcher(module, game, goal, most)
        found.append((made.search(known.candidates, known.left, depth), counters.tolist()))
    assert found[0] == found[1]


@tries(2.5)
@given(games(most_secrets=6), st.integers(0, 2), st.booleans(), st.data())
def test_more_guesses_and_fewer_lies_are_no_harder(
    game: Game, most: int, identify: bool, data: st.DataObject
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    if goal == "win" and (Problem(game, OBJECTIVES["worst"]).winner < 0).any():
        return
    made = searcher(lies, game, goal, most)[0]
    candidates = np.arange(len(game.secrets), dtype=np.int32)
    left = np.array([data.draw(st.integers(0, most)) for _ in game.secrets], dtype=np.uint8)
    fewer = np.array([data.draw(st.integers(0, int(n))) for n in left], dtype=np.uint8)
    found = [(made.search(candidates, left, d), made.search(candidates, fewer, d)) for d in range(7)]
    assert found == sorted(found)
    assert all(few >= many for many, few in found)


def test_a_budget_stops_the_search() -> None:
    game = parse("mastermind:4x3")
    known = Knowledge.start(len(game.secrets), 1)
    for module in (lies, reference_lying):
        made, counters = searcher(module, game, "win", 1)
        counters[module.BUDGET] = 3
        assert made.search(known.candidates, known.left, 6) == 0
        assert counters[module.STOP] == module.SPENT
        assert counters[module.EVALUATIONS] == 3
