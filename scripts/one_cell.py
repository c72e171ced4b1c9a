"""Compute one cell of docs/results.md, with its certificate, in a process of its own, for frontier.py.

The task is the only argument, as JSON; what is known of the cell is printed as JSON, and files are written.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from results import WORDS, Cell, Record, parse_cell, proved

# Nothing of guesstree is imported here: this file is read by a parent, too, which stays small.

if TYPE_CHECKING:
    from guesstree.api.certificate import Certificate
    from guesstree.engine.search.deadline import Progress


@dataclass(frozen=True)
class Task:
    """How a cell is to be computed: the options of the command, in a process of its own.

    Attributes
    ----------
    limit: seconds; None: any number.
    memory: bytes; None: half of the machine's.
    folder: where the files of the cell go.
    ledger: that of its campaign; None: one process computes it, and does not begin a campaign.
    """

    cell: str
    limit: float | None
    workers: int
    memory: int | None
    trust: bool
    folder: str
    ledger: str | None


def work(task: Task) -> dict[str, Record]:
    """Solve and prove one cell in this process; return what is known of it, and what its proof took.

    Raises ValueError when the tree fails the check, or there is none.
    """
    import guesstree
    from guesstree.api.ledger import ledger_report

    cell, at_proof, (began, _) = parse_cell(task.cell), list[tuple[float, int]](), spent()

    def note(progress: Progress) -> None:
        if progress.phase == "proof" and not at_proof:
            at_proof.append(spent())

    game = guesstree.parse(cell.game)
    certificate = guesstree.prove(
        game,
        cell.objective,
        goal=cell.goal,
        max_depth=cell.within,
        time_limit=task.limit,
        memory=task.memory,
        workers=task.workers,
        ledger=task.ledger,
        trust=task.trust,
        progress=note,
    )
    ended = spent()
    search = (at_proof or [ended])[0]
    record = written(cell, certificate, task)
    took: Record = {"prove_mb": ended[1]}
    if task.ledger is None:
        took |= {"search_seconds": round(search[0] - began, 3), "prove_seconds": round(ended[0] - began, 3)}
        record |= {"jobs": 1, "peak_mb": search[1]}
    else:
        report = ledger_report(task.ledger)
        took |= {"prove_seconds": round(report.seconds, 3), "workers": task.workers}
        record |= {"states": sum(report.counts.values()), "evaluations": report.evaluations}
        record |= {"seconds": round(report.seconds, 3), "workers": task.workers, "peak_mb": ended[1]}
    if cell.family == WORDS:
        record |= {"secrets": len(game.secrets), "guesses": len(game.guesses)}
    if task.trust:
        return {"cell": record}
    late = certificate.stopped or not proved(record)
    return {"cell": record, "proof": {"stopped": "proof"} if late else took}


def spent() -> tuple[float, int]:
    """Return the processor seconds of this process so far, and the most MB that it or a worker had."""
    peaks = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return time.process_time(), max(peaks) // 1024  # KiB on Linux


def written(cell: Cell, certificate: Certificate, task: Task) -> Record:
    """Check the tree of a cell, write its files, and return what is known of the cell."""
    from guesstree.trees.export.files import as_document, write

    solution, folder = certificate.solution, Path(task.folder)
    if solution is None:
        raise ValueError("no strategy was found in time")
    strategy = solution.strategy
    report = strategy.check()
    reached = report.total if cell.objective == "expected" else report.worst
    if not report.valid or report.messages() or (reached,) != solution.upper:
        raise ValueError(f"the tree fails the check: {'; '.join(report.messages()[:3])}")
    write(strategy.game, strategy, folder / f"{cell.stem}.json")
    if not task.trust:
        for name, data in certificate.files.items():
            (folder / name).write_bytes(data)
        (folder / f"{cell.stem}.proof").write_text(certificate.text, encoding="ascii")
    canonical = json.dumps(
        as_document(strategy.game, strategy), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return {
        "lower": solution.lower[0],
        "upper": solution.upper[0],
        "states": solution.states,
        "evaluations": solution.evaluations,
        "seconds": round(solution.seconds, 3),
        "time_limit": task.limit,
        "memory": task.memory,
        "total": report.total,
        "worst": report.worst,
        "checked": True,
        "sha256": sha256(canonical.encode()).hexdigest(),
    }


if __name__ == "__main__":
    print(json.dumps(work(Task(**json.loads(sys.argv[1])))))
