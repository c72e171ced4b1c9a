"""A look ahead at first guesses: never above the optimum, never below what a certificate shows by itself."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import games

from guesstree.api.certificate import prove, prove_found, prover_for
from guesstree.api.comparison import compare
from guesstree.api.solution import solve
from guesstree.engine.game import Game
from guesstree.engine.objective import parse_objective
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.counted import CountedWriter
from guesstree.engine.registry import parse
from guesstree.engine.search import first_guesses
from guesstree.engine.search.counted import Counted
from guesstree.engine.search.deadline import Deadline
from guesstree.engine.search.first_guesses import look_ahead
from guesstree.engine.search.session import Session
from guesstree.engine.search.space import Resources
from guesstree.engine.tables.table import TableGame


def looked(game: Game | str, most: int = 1 << 30, **options: Any) -> tuple[int, int]:
    """Return what a look ahead shows of the least total, and what a certificate without a lemma does."""
    asked = parse_objective("expected")
    problem = Problem(parse(game) if isinstance(game, str) else game, asked, **options)
    room = Resources.of(problem, 1, 1 << 26)
    run = Session(Counted(problem), room, Deadline(None))
    look_ahead(run, most)
    writer = CountedWriter(problem, room)
    writer.stop()
    bound = writer.root(problem.max_depth, 1 << 40).bound
    assert isinstance(bound, int)
    return run.lower["total"], bound


@given(games(), st.booleans(), st.booleans(), st.integers(0, 3))
def test_a_look_is_between_a_certificate_and_the_optimum(
    game: TableGame, identify: bool, candidates_only: bool, most: int
) -> None:
    goal = "win" if game.winning is not None and not identify else "identify"
    pairs = front(game, goal, candidates_only=candidates_only)
    optimum = best(pairs, ("total",))
    assume(optimum is not None and len(game.secrets) > 1)
    assert optimum is not None
    whole, certified = looked(game, goal=goal, candidates_only=candidates_only)
    assert certified <= whole <= optimum[0]
    few, _ = looked(game, most, goal=goal, candidates_only=candidates_only)
    assert few <= whole


@pytest.mark.parametrize(
    ("spec", "options", "shown", "optimum"),
    [
        ("mastermind:4x4", {}, 903, 905),
        ("mastermind:4x5", {}, 2388, 2463),
        ("mastermind:4x5", {"candidates_only": True}, 2392, 2476),
        ("mastermind:4x5", {"goal": "identify"}, 1863, 1949),
        ("mastermind:4x5", {"first": "1122"}, 2401, 2486),
        ("bulls:3x6", {}, 430, 436),
        ("blackpeg:3x5", {}, 615, 645),
    ],
)
def test_what_a_look_shows_of_games_of_codes(
    spec: str, options: dict[str, Any], shown: int, optimum: int
) -> None:
    whole, certified = looked(spec, **options)
    assert certified <= whole == shown <= optimum


def test_a_beam_and_a_method_know_what_a_look_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve("mastermind:4x6", width=1).lower == (5442,)
    found = solve("mastermind:4x6", method="entropy")
    assert found.lower == (5442,) == found.strategy.claims.lower
    monkeypatch.setattr(first_guesses, "QUICK", 0)  # as for a large game: before the search
    assert solve("mastermind:4x6", width=1).lower == (5442,)


def test_the_rows_of_a_comparison_know_the_greatest_bound() -> None:
    rows = compare("mastermind:3x4", ["max-part", "entropy"])
    assert [(row.lower, row.optimal) for row in rows] == [(206, False), (206, False), (206, True)]


def test_what_a_certificate_shows_is_told_of_the_solution() -> None:
    problem = Problem(parse("mastermind:4x4"), parse_objective("expected"))
    beam = solve("mastermind:4x4", width=30)
    assert beam.lower < beam.upper
    found = prove_found(prover_for(problem), lambda **_: beam)
    assert found.solution is not None
    assert (found.bound,) == beam.upper == found.solution.lower
    assert found.solution.optimal and found.solution.stopped == ""
    assert found.solution.strategy.claims.proven


def test_a_campaign_begins_with_a_look(tmp_path: Any) -> None:
    certificate = prove("mastermind:4x5", ledger=tmp_path / "a.ledger", time_limit=0.01, trust=True)
    assert certificate.solution is not None
    assert certificate.solution.lower >= (2388,)
