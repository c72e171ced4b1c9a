"""The search over costs and its plain twin: equal in value and counters; and the contract of both."""

import inspect
from typing import Any

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import priced_games

from guesstree.cext import kernels, priced, reference, reference_priced
from guesstree.engine.game import Game, response_type
from guesstree.engine.games.table import TableGame
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.search.priced import Prices


def run(
    module: Any,
    game: Game,
    goal: str,
    beta: int,
    *,
    left: int = -1,
    worst: bool = False,
    losses: bool = False,
    **how: Any,
) -> tuple[int, list[int]]:
    """Return the value and the counters of a search of the whole game."""
    memory = how.pop("memory", 1 << 26)
    prices = Prices(Problem(game, OBJECTIVES["expected"], goal=goal, **how))
    counters = np.zeros(module.COUNTERS, dtype=np.int64)
    searcher = module.Searcher(
        **prices.arguments(left, worst=worst, losses=losses), counters=counters, memory=memory
    )
    secrets = np.arange(len(game.secrets), dtype=np.int32)
    return int(searcher.search(secrets, left, beta)), counters.tolist()


def test_the_constants_and_arguments_of_the_twins_agree() -> None:
    shared = [name for name in vars(reference_priced) if name.isupper() and hasattr(priced, name)]
    assert len(shared) >= 9
    assert {n: getattr(priced, n) for n in shared} == {n: getattr(reference_priced, n) for n in shared}
    names = list(inspect.signature(reference_priced.Searcher).parameters)
    assert names[0] == "table"
    assert names[-1] == "memory"


@tries(10)
@given(
    priced_games(most_secrets=10, most_extra=6),
    st.booleans(),
    st.sampled_from(
        [(-1, ""), (-1, "worst"), *((left, kind) for left in (0, 3, 9) for kind in ("", "losses"))]
    ),
    st.sampled_from([1, 7, 30, 200, 1 << 62]),
)
def test_searches_agree_in_value_and_counts(
    game: Game, identify: bool, mode: tuple[int, str], beta: int
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    how: dict[str, Any] = {"left": mode[0]} | ({mode[1]: True} if mode[1] else {})
    found = run(priced, game, goal, beta, **how)
    assert found == run(reference_priced, game, goal, beta, **how)
    # Nearly all is forgotten at once: never wrong.
    forgetful = run(priced, game, goal, beta, memory=1, **how)[0]
    assert forgetful == found[0] if found[0] < beta else forgetful >= beta


@tries(3.5)
@given(priced_games(win=True, most_secrets=10))
def test_searches_agree_with_candidates_only(game: Game) -> None:
    for how in ({}, {"worst": True}, {"left": 4}):
        found = run(priced, game, "win", 1 << 62, candidates_only=True, **how)
        assert found == run(reference_priced, game, "win", 1 << 62, candidates_only=True, **how)


@tries(3.5)
@given(priced_games(), st.booleans())
def test_the_contract_of_beta(game: Game, worst: bool) -> None:
    goal = "identify" if game.winning is None else "win"
    truth = best(front(game, goal), ("worst" if worst else "expected",))
    if truth is None:
        return
    for beta in (1, max(truth[0] - 1, 1), truth[0], truth[0] + 1, 1 << 62):
        value = run(priced, game, goal, beta, worst=worst)[0]
        assert value == truth[0] if truth[0] < beta else beta <= value <= truth[0]


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("many", [255, 256, 600])
def test_searches_of_many_responses_agree(many: int, apart: bool) -> None:
    rng = np.random.default_rng(many)
    secrets, guesses = [f"s{i}" for i in range(many)], [f"g{i}" for i in range(9)]
    cells = [[str(rng.integers(2)) if i else f"r{s}" for s in range(many)] for i in range(9)]
    cells[0][: many // 2] = ["r0"] * (many // 2)
    cells[8] = [str(s % 40) for s in range(many)]
    if apart:
        cells[7] = [f"r{s}" for s in range(many)]
    game = TableGame("table:random", guesses, secrets, [["r0"] * many] * 9)
    game.responses = sorted({label for row in cells for label in row} | {f"x{i}" for i in range(many)})
    number = {label: i for i, label in enumerate(game.responses)}
    table = np.array([[number[label] for label in row] for row in cells], dtype=response_type(game))
    game.table = lambda: table  # type: ignore[method-assign]
    game.costs = rng.integers(0, 3, (len(guesses), len(game.responses)))
    for how in ({}, {"worst": True}, {"left": 2}):
        found = run(priced, game, "identify", 1 << 62, **how)
        assert found == run(reference_priced, game, "identify", 1 << 62, **how)
    some = np.arange(0, many, 3, dtype=np.int32)
    counts = kernels.histograms(table, some, len(game.responses))
    assert np.array_equal(counts, reference.histograms(table, some, len(game.responses)))


@pytest.mark.parametrize("win", [True, False])
@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("kinds", [2, 5])
def test_searches_of_large_sets_agree(win: bool, least: int, kinds: int) -> None:
    rng = np.random.default_rng(kinds)
    secrets = [f"s{i}" for i in range(22)]
    guesses = [f"g{i}" for i in range(14)] + (secrets if win else [])
    cells = [["W" if g == s else "abcde"[rng.integers(kinds)] for s in secrets] for g in guesses]
    game = TableGame("table:random", guesses, secrets, cells, "W" if win else None)
    game.weights = rng.integers(1, 1000, len(secrets)).tolist()
    game.costs = rng.integers(least, 9, (len(guesses), len(game.responses)))
    goal = "win" if win else "identify"
    for how in ({}, {"worst": True}, {"left": 11}):
        found = run(priced, game, goal, 1 << 62, **how)
        assert found == run(reference_priced, game, goal, 1 << 62, **how)
