"""Ledgers for tests: one that was filled by hand, and those of proofs that were made."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

from guesstree.api.certificate import Certificate, checked, ledger_of, prove_found
from guesstree.engine.campaign.ledger import Ledger
from guesstree.engine.campaign.messages import NodeId, Report
from guesstree.engine.campaign.proofs import CampaignProver
from guesstree.engine.campaign.records import About, about_of
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse

WHOLE = NodeId((), "total", 1296)


def about(objective: str = "expected") -> About:
    """Return what a ledger of Mastermind is about."""
    return about_of(Problem(parse("mastermind:4x6"), parse_objective(objective)))


def fill(ledger: Ledger) -> None:
    """Tell a ledger how a proof begins."""
    ledger.rose(WHOLE, 5300, 5700)
    for guess in (0, 1, 7):
        branch = NodeId((guess,), "total", 1296)
        ledger.asked(branch, 5625, 1000, "")
        lower = 5700 if guess == 0 else 5500
        ledger.take(Report(branch, lower, evaluations=10, seconds=2, proved=lower, proof="."))
    ledger.accept(NodeId((0,), "total", 1296), 5700)
    for response in range(8):
        cell = NodeId((7, response), "total", 1295)
        ledger.asked(cell, 100, 1000, "")
        lower = (100, 100, 100, 100, 100, 100, 90, 0)[response]
        if lower:
            ledger.take(Report(cell, lower, evaluations=10, seconds=response + 1 if lower == 100 else 0.5))
    ledger.rose(WHOLE, 5600, 5650)
    ledger.rose(WHOLE, accepted=5590)
    ledger.refuse(NodeId((1,), "total", 1296), "refused: line 3: no")


def proved(game: str, objective: str, ledger: str, *, trust: bool = False, **options: Any) -> Certificate:
    """Prove an optimum by claims that a thread of this process settles."""
    problem = Problem(parse(game), parse_objective(objective), **options)
    with ThreadPoolExecutor(1) as executor:
        kept = ledger_of(problem, ledger)
        prover = CampaignProver(problem, 1, None, kept, cluster=None, trust=trust, check=checked)
        with closing(prover):
            prover.scheduler = executor, 1
            return prove_found(prover)
