"""Claims of a campaign checked by the checker of certificates, in any process."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from guesstree.api.checker import NO_VERDICT, run_checker
from guesstree.engine.campaign.claim_proofs import Checking
from guesstree.engine.campaign.messages import Report
from guesstree.engine.campaign.worker import at_work
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.proofs.counted import CountedWriter
from guesstree.engine.proofs.statement import Statement

PAUSES = (0.1, 1.0, 5.0)
"""Seconds before claims are checked again whose checker was killed, as it is where memory is short."""


def checked(order: bytes, told: tuple[Report, ...]) -> tuple[str, ...]:
    """Return what the checker has against the proof of each claim; empty: it is accepted."""
    with at_work(order) as worker:
        assert isinstance(worker.writer, CountedWriter)
        return tuple(Checking(worker.writer, worker.paths, refusal).verdicts(told))


def refusal(statement: Statement, text: str) -> str:
    """Return what the checker says of a certificate that it refuses; empty: it is accepted.

    A checker that was killed says nothing of the certificate: it is checked again. Raises GuesstreeError
    where that does not help.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "claims.proof"
        path.write_text(text)
        for name, data in statement.game.files.items():
            path.with_name(name).write_bytes(data)
        for pause in (*PAUSES, None):
            verdict = run_checker(path)
            if verdict.status != NO_VERDICT:
                break
            if pause is None:
                raise GuesstreeError(
                    f"{verdict.line}, {len(PAUSES) + 1} times in a row: claims are not checked; use fewer "
                    "workers where memory is short"
                )
            time.sleep(pause)
    return "" if verdict.verified else verdict.line
