"""Claims of a campaign checked by the checker of certificates, in any process."""

from __future__ import annotations

import tempfile
from pathlib import Path

from guesstree.checker import run_checker
from guesstree.engine.campaign.asks import Finding
from guesstree.engine.campaign.checking import Checking
from guesstree.engine.campaign.worker import at_work
from guesstree.engine.proofs.certificate import Statement


def checked(order: bytes, told: tuple[Finding, ...]) -> tuple[str, ...]:
    """Return what the checker has against the proof of each claim; empty: it is accepted."""
    with at_work(order) as worker:
        return tuple(Checking(worker.writer, worker.paths, refusal).verdicts(told))


def refusal(statement: Statement, text: str) -> str:
    """Return what the checker says of a certificate that it refuses; empty: it is accepted."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "claims.proof"
        path.write_text(text)
        for name, data in statement.game.files.items():
            path.with_name(name).write_bytes(data)
        verdict = run_checker(path)
    return "" if verdict.verified else verdict.line
