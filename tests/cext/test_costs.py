"""The search over costs and its plain twin: equal in value and counters; and the contract of both."""

from copy import copy
from typing import Any

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from ruled import ruled_game
from tables import Work, priced_games

from guesstree.cext import kernels, priced, reference, reference_priced
from guesstree.engine.game import Game, response_type
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.priced import Priced
from guesstree.engine.search.space import Query
from guesstree.engine.tables.table import TableGame

FIGURES = [(name, one.budgeted) for one in OBJECTIVES.values() for name in one.figures]
"""What is minimised for any objective, and whether within a budget."""
MODES: list[dict[str, Any]] = [
    {"part": name, "left": left}
    for name, budgeted in dict.fromkeys(FIGURES)
    for left in ((0, 4, 9) if budgeted else (-1,))
]
OTHERS: list[dict[str, Any]] = [{"memory": 1}, {"jobs": 3}, {"memory": 1, "jobs": 2}]


def plain(game: Game) -> Game:
    """Return a game without its rules: a problem is made of it, and the kernel is given them."""
    free = copy(game)
    free.rules = lambda: None  # type: ignore[method-assign]
    return free


def run(
    module: Any,
    game: Game,
    goal: str,
    beta: int,
    *,
    left: int = -1,
    part: str = "total",
    **how: Any,
) -> tuple[int, Work]:
    """Return the value of a search of the whole game, and the work that it took."""
    kernel: dict[str, Any] = {
        name: how.pop(name)
        for name in ("memory", "width", "discrepancies", "pairs", "jobs", "classes", "renaming")
        if name in how
    }
    depth = how.pop("depth", module.UNLIMITED)
    rules = game.rules()
    if rules is not None:
        kernel |= {"features": rules.features, "needs": rules.needs}
    form = game.code_form()
    if "renaming" in kernel and form is not None:
        kernel["digits"] = form.digits
    kind = Priced(Problem(plain(game), OBJECTIVES["expected"], goal=goal, **how))
    question = Query(part, depth, left)
    searcher = module.Searcher(**kind.arguments(question), **kernel)
    secrets = np.arange(len(game.secrets), dtype=np.int32)
    outcome = searcher.search(secrets, depth, beta, left=left)
    assert outcome.lower >= beta or outcome.lower == outcome.upper
    return outcome.lower, Work.of(searcher, outcome)


@tries(4)
@given(
    priced_games(most_secrets=10, most_extra=6),
    st.booleans(),
    st.sampled_from(MODES),
    st.sampled_from([1, 7, 30, 200, 1 << 62]),
)
def test_searches_agree_in_value_and_counts(
    game: Game, identify: bool, how: dict[str, Any], beta: int
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    found = run(priced, game, goal, beta, **how)
    assert found == run(reference_priced, game, goal, beta, **how)
    # Nearly all is forgotten at once, or several threads search: never wrong.
    for other in OTHERS:
        value = run(priced, game, goal, beta, **other, **how)[0]
        assert value == found[0] if found[0] < beta else value >= beta


@tries(2)
@given(priced_games(most_secrets=9, most_extra=6), st.booleans(), st.sampled_from(MODES), st.integers(0, 9))
def test_searches_agree_within_a_depth(game: Game, identify: bool, how: dict[str, Any], depth: int) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    found = run(priced, game, goal, 1 << 62, depth=depth, **how)
    assert found == run(reference_priced, game, goal, 1 << 62, depth=depth, **how)
    for other in OTHERS:
        assert run(priced, game, goal, 1 << 62, depth=depth, **other, **how)[0] == found[0]
    assert run(priced, game, goal, 1 << 62, depth=len(game.secrets), **how) == run(
        priced, game, goal, 1 << 62, **how
    )


@tries(2)
@given(priced_games(most_secrets=9), st.booleans())
def test_the_least_cost_within_a_depth_is_that_of_the_oracle(game: Game, identify: bool) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    for depth in range(5):
        pairs = front(game, goal, max_depth=depth)
        for part in ("total", "worst"):
            truth = best(pairs, (part,))
            value = run(priced, game, goal, 1 << 62, part=part, depth=depth)[0]
            assert value == (priced.INFINITE if truth is None else truth[0])


@given(st.integers(0, 1 << 30), st.sampled_from(MODES), st.integers(1, 9), st.sampled_from([0, 0, 3]))
def test_searches_agree_where_the_history_limits_what_may_be_asked(
    seed: int, how: dict[str, Any], depth: int, width: int
) -> None:
    game = ruled_game(seed, 9, 7)
    dice = np.random.default_rng(seed)
    game.weights = dice.integers(1, 9, len(game.secrets)).tolist()
    game.costs = dice.integers(0, 4, (len(game.guesses), len(game.responses)))
    for goal in {"identify", "identify" if game.winning is None else "win"}:
        for most in (priced.UNLIMITED, depth):
            found = run(priced, game, goal, 1 << 62, depth=most, width=width, **how)
            assert found == run(reference_priced, game, goal, 1 << 62, depth=most, width=width, **how)
            if not width:
                assert run(priced, game, goal, 1 << 62, depth=most, jobs=3, **how)[0] == found[0]


@given(
    priced_games(most_secrets=12, most_extra=8),
    st.booleans(),
    st.sampled_from(MODES),
    st.integers(1, 3),
    st.integers(-1, 2),
    st.booleans(),
)
def test_beams_agree_and_reach_what_they_say(
    game: Game, identify: bool, how: dict[str, Any], width: int, discrepancies: int, pairs: bool
) -> None:
    """A beam is the twin's beam, never better than the search of all guesses, and equal when it is wide."""
    goal = "identify" if identify or game.winning is None else "win"
    kind: dict[str, Any] = {"width": width, "discrepancies": discrepancies, "pairs": pairs}
    found = run(priced, game, goal, 1 << 62, **kind, **how)
    beam = run(reference_priced, game, goal, 1 << 62, **kind, **how)
    assert found == beam
    exact = run(priced, game, goal, 1 << 62, **how)[0]
    assert found[0] >= exact
    assert run(priced, game, goal, 1 << 62, width=len(game.guesses), **how)[0] == exact


@pytest.mark.parametrize("spec", ["mastermind:3x3", "blackpeg:3x3", "bulls:2x4", "mastermind:4x2"])
@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.long
def test_symmetry_that_keeps_costs_changes_no_value(spec: str, goal: str) -> None:
    """Costs by response alone: every renaming keeps them."""
    game = parse(spec)
    form = game.code_form()
    assert form is not None
    game.costs = np.tile(np.arange(len(game.responses)) % 3, (len(game.guesses), 1)).astype(np.int64)
    for how in MODES:
        found = [
            run(module, game, goal, 1 << 62, **how, **symmetry)
            for symmetry in ({}, {"classes": game.symmetry.classes}, {"renaming": game.symmetry.renaming})
            for module in (priced, reference_priced)
        ]
        assert found[0] == found[1]
        assert found[2] == found[3]
        assert found[4] == found[5]
        assert len({value for value, _ in found}) == 1
        assert found[4][1].states <= found[0][1].states


@tries(2)
@given(priced_games(win=True, most_secrets=10))
def test_searches_agree_with_candidates_only(game: Game) -> None:
    for how in MODES:
        found = run(priced, game, "win", 1 << 62, candidates_only=True, **how)
        assert found == run(reference_priced, game, "win", 1 << 62, candidates_only=True, **how)


@tries(2)
@given(priced_games(), st.booleans())
def test_the_contract_of_beta(game: Game, worst: bool) -> None:
    goal = "identify" if game.winning is None else "win"
    truth = best(front(game, goal), ("worst" if worst else "total",))
    if truth is None:
        return
    for beta in (1, max(truth[0] - 1, 1), truth[0], truth[0] + 1, 1 << 62):
        value = run(priced, game, goal, beta, part="worst" if worst else "total")[0]
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
    for how in MODES:
        found = run(priced, game, "identify", 1 << 62, **how)
        assert found == run(reference_priced, game, "identify", 1 << 62, **how)
    some = np.arange(0, many, 3, dtype=np.int32)
    counts = kernels.histograms(table, some, len(game.responses))
    assert np.array_equal(counts, reference.histograms(table, some, len(game.responses)))


@pytest.mark.parametrize("win", [True, False])
@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("kinds", [2, 5])
@pytest.mark.long
def test_searches_of_large_sets_agree(win: bool, least: int, kinds: int) -> None:
    rng = np.random.default_rng(kinds)
    secrets = [f"s{i}" for i in range(22)]
    guesses = [f"g{i}" for i in range(14)] + (secrets if win else [])
    cells = [["W" if g == s else "abcde"[rng.integers(kinds)] for s in secrets] for g in guesses]
    game = TableGame("table:random", guesses, secrets, cells, "W" if win else None)
    game.weights = rng.integers(1, 1000, len(secrets)).tolist()
    game.costs = rng.integers(least, 9, (len(guesses), len(game.responses)))
    goal = "win" if win else "identify"
    for how in MODES:
        found = run(priced, game, goal, 1 << 62, **how)
        assert found == run(reference_priced, game, goal, 1 << 62, **how)
