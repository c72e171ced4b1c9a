"""Proofs of tests that may get several answers: the checkers accept them, and say what the search says."""

import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from effort import seeds
from noisy_tables import Brute, NoisyTiny
from random_models import noisy_game, random_rows
from slow_checker import judged

from guesstree.api.certificate import prove
from guesstree.api.verification import Claimed, proved, read_certificate
from guesstree.api.verification import judged as said
from guesstree.cext import noisy_claims as kernel
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.noisy import oracle
from guesstree.engine.objective import EXPECTED
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.noisy import NoisyWriter
from guesstree.engine.proofs.statement import statement_of
from guesstree.engine.proofs.writer import ProofError
from guesstree.engine.tables.noisy import NoisyTable
from guesstree.trees.check import check


def some_game(dice: random.Random) -> NoisyTable:
    """Return a random game that has a strategy."""
    while True:
        try:
            game = noisy_game(random_rows(dice), dice.choice(["", "clique"]))
        except GuesstreeError:
            continue
        if game.model is not None and oracle.expected(game.model) is not None:
            return game


@pytest.mark.parametrize("seed", seeds(4, 60))
@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_what_is_proved_is_the_optimum(tmp_path: Path, seed: int, objective: str) -> None:
    game = some_game(random.Random(seed))
    found = prove(game, objective)
    assert found.solution is not None
    path = tmp_path / "some.proof"
    assert found.write(path)[0].startswith("verified")
    assert judged(tmp_path, found.text, "noisy") == ""
    certificate = read_certificate(str(path))
    claim = Claimed.read(certificate, said(certificate))
    report = check(game, found.solution.strategy)
    assert proved([claim], found.solution.strategy, report).what == "optimum"
    (table,) = found.files.values()
    brute = Brute(NoisyTiny(tuple(table.decode().splitlines())))
    cost = brute.cost([], worst=objective == "worst")
    assert cost == (claim.bound if claim.within is None else claim.within + 1)


def test_what_is_false_is_refused() -> None:
    game = some_game(random.Random(1))
    problem = Problem(game, EXPECTED)
    writer = NoisyWriter(problem, statement_of(problem))
    with pytest.raises(ProofError, match="the bound is false"):
        writer.root(None, 10**9)
    with pytest.raises(ProofError, match="the bound is false"):
        writer.root(10**9, None)


def test_what_is_remembered_does_not_change_what_is_seen_ahead() -> None:
    """Bounds of pairs, too high, are used where a test leads to them, not where they are further ahead."""
    rows = (",a,b,c,d,cost", "t,x,x,x,y,1", "u,x,x,y,x,1", "v,x,y,x,x,1")
    checker = kernel.Checker(NoisyTiny(rows).data, worst=False)
    for one, other in combinations(range(3), 2):
        path = np.array([one, 0, other, 0], np.int32)
        checker.remember(path, b"7")
        assert checker.refused(path[:2], -1, b"11", 99) == other
        checker.remember(path, b"100")
    assert checker.refused(np.array([], np.int32), -1, b"9", 99) == -1
    assert checker.refused(np.array([], np.int32), -1, b"10", 99) >= 0


def test_when_the_time_is_up_the_best_bound_is_proved() -> None:
    game = some_game(random.Random(2))
    problem = Problem(game, EXPECTED)
    writer = NoisyWriter(problem, statement_of(problem))
    writer.stop()
    assert writer.root(None, 1).bound in (0, 1)


def test_a_strategy_of_another_table_is_refused(tmp_path: Path) -> None:
    dice = random.Random(3)
    game, other = some_game(dice), some_game(dice)
    found, beside = prove(game), prove(other)
    found.write(tmp_path / "some.proof")
    certificate = read_certificate(str(tmp_path / "some.proof"))
    claim = Claimed.read(certificate, said(certificate))
    assert beside.solution is not None
    with pytest.raises(GuesstreeError, match="is a certificate of"):
        proved([claim], beside.solution.strategy, check(other, beside.solution.strategy))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"at_least": 3}, "a bound"),
        ({"max_depth": 2}, "limit of tests"),
        ({"objective": "worst,expected"}, "two"),
    ],
)
def test_what_certificates_do_not_cover(options: dict[str, object], why: str) -> None:
    game = some_game(random.Random(4))
    with pytest.raises(GuesstreeError, match=why):
        prove(game, **options)  # type: ignore[arg-type]


def test_a_ledger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GuesstreeError, match="ledger"):
        prove(some_game(random.Random(5)), ledger=tmp_path / "some.ledger")


def test_failures_are_refused() -> None:
    game = some_game(random.Random(6))
    assert game.model is not None
    failing = game.with_model(replace(game.model, failures=1, silent=99), game.secrets, game.guesses)
    with pytest.raises(GuesstreeError, match="failures"):
        prove(failing, "worst")
