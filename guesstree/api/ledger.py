"""What a ledger says: how far a proof is, what is open, who works on what, and what the rest may take."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from guesstree.api.certificate import Certificate, certificate_of
from guesstree.api.solution import Solution
from guesstree.engine.campaign.exported import LedgerProver
from guesstree.engine.campaign.forecast import Forecast, forecast
from guesstree.engine.campaign.ledger import Ledger
from guesstree.engine.campaign.lock import holder
from guesstree.engine.campaign.merging import merge_into
from guesstree.engine.campaign.messages import INFINITE, NodeId
from guesstree.engine.campaign.paths import Paths
from guesstree.engine.campaign.records import About, RefusedClaim, Rise, StoredRecord
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.search.deadline import Deadline
from guesstree.engine.search.solve import claim_space
from guesstree.engine.support import require
from guesstree.trees.tree import TreeError

STATUSES = ("accepted", "proved", "searched", "split", "open", "running")
"""What a claim is: accepted by the checker; with a proof that it has not seen yet; shown by the search alone;
done by claims below it; to be asked again; worked on now."""


@dataclass(frozen=True)
class Effort:
    """What a worker did: claims that it reported on last, and what these took, whoever took part before."""

    worker: str
    claims: int
    evaluations: int
    seconds: float


@dataclass(frozen=True)
class LedgerReport:
    """What a ledger says.

    Attributes
    ----------
    path, size: the file, and its bytes.
    about: the game and objective.
    writer: who writes it now; empty: nobody.
    claims: how many there are of each status, by the steps of their paths: odd numbers for guesses, even for
        states.
    bounds: of the whole game, one for each part and number of guesses allowed.
    history: how these rose.
    running: what is worked on now, the oldest first.
    refused: claims that turned out wrong.
    evaluations, seconds: that all of it took, seconds of processors.
    answered: how often a claim was answered.
    workers: who reported, by name.
    rest: what the claims that are open may take.
    lemmas: how many are kept for a proof that one process writes.
    optimum: the value that is kept with a strategy; None: none.
    known, statuses: of each place what is known of it; of claims which of `STATUSES` they are.
    """

    path: str
    size: int
    about: About
    writer: str
    claims: dict[int, Counter[str]]
    bounds: tuple[Rise, ...]
    history: tuple[Rise, ...]
    running: tuple[StoredRecord, ...]
    refused: tuple[RefusedClaim, ...]
    evaluations: int
    seconds: float
    answered: int
    workers: tuple[Effort, ...]
    rest: Forecast
    lemmas: int
    optimum: tuple[Any, ...] | None
    known: Mapping[NodeId, StoredRecord]
    statuses: Mapping[NodeId, str]

    @property
    def counts(self) -> Counter[str]:
        """How many claims there are of each status."""
        return sum(self.claims.values(), Counter())

    def named(self, places: Sequence[NodeId], paths: Paths | None = None) -> list[str]:
        """Return places in the words of the game; in its numbers where it cannot be opened.

        `paths`: of the game, where it is open already.
        """
        with suppress(GuesstreeError):
            if places and paths is None:
                paths = Paths(claim_space(self.about.problem(), self.about.lies))
            return [self._named(node, "" if paths is None else paths.text(node.path)) for node in places]
        return [self._named(node, " ".join(map(str, node.path))) for node in places]

    @staticmethod
    def _named(node: NodeId, path: str) -> str:
        within = f" within {node.depth}" if node.figure == "worst" else ""
        return f"{path or 'the game'}{within}"

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON has it; more than any total is null."""
        asked = json.loads(self.about.asked)
        running, refused = (
            self.named([one.node for one in self.running]),
            self.named([one.node for one in self.refused]),
        )
        return {
            "file": self.path,
            "bytes": self.size,
            "game": asked.get("game"),
            "claim": self.about.claim,
            "writer": self.writer or None,
            "claims": {name: self.counts[name] for name in STATUSES} | {"refused": len(self.refused)},
            "bounds": [_plain(rise) for rise in self.bounds],
            "history": [_plain(rise) for rise in self.history],
            "running": [
                {"claim": name, "at_least": _number(one.bound), "since": one.since, "worker": one.worker}
                for name, one in zip(running, self.running, strict=True)
            ],
            "refused": [
                {"claim": name, "why": one.why, "time": one.time}
                for name, one in zip(refused, self.refused, strict=True)
            ],
            "evaluations": self.evaluations,
            "seconds": self.seconds,
            "workers": [vars(one) for one in self.workers],
            "rest": vars(self.rest),
            "lemmas": self.lemmas,
            "optimum": None if self.optimum is None else list(self.optimum),
        }


def ledger_report(path: str | os.PathLike[str], *, whole: bool = True) -> LedgerReport:
    """Read a ledger, which another process may be writing.

    `whole`: whether proofs and strategies are checked, too; without it, it takes a fraction of the time.

    Raises GuesstreeError for a file that is no ledger, is damaged, or is of another version.
    """
    path = os.fspath(path)
    writer = holder(path)
    with closing(Ledger(path, whole=whole)) as ledger:
        records = [record for record in ledger.known.values() if record.node.path]
        best: dict[NodeId, int] = {}
        for node, record in ledger.known.items():
            if node.branch:
                above = _above(node)
                best[above] = min(best.get(above, INFINITE), record.upper)
        claims: dict[int, Counter[str]] = defaultdict(Counter)
        statuses: dict[NodeId, str] = {}
        took: dict[Any, list[float]] = defaultdict(list)
        left = []
        for record in records:
            status = statuses[record.node] = _status(record, best, working=bool(writer))
            kind = len(record.node.path)
            claims[kind][status] += 1
            if status in ("open", "running"):
                left.append((kind, record.seconds))
            elif status != "split":
                took[kind].append(record.seconds)
        running = [record for record in records if record.since and writer]
        spent = [(one.evaluations, one.seconds) for one in ledger.known.values()]
        spent += ((one.evaluations, one.seconds) for one in ledger.refused)
        return LedgerReport(
            path,
            sum(Path(path + end).stat().st_size for end in ("", "-wal") if Path(path + end).exists()),
            ledger.about,
            writer,
            dict(sorted(claims.items())),
            tuple({rise[1:3]: rise for rise in ledger.history}.values()),
            tuple(ledger.history),
            tuple(sorted(running, key=lambda record: record.since)),
            tuple(ledger.refused),
            sum(evaluations for evaluations, _ in spent),
            sum(seconds for _, seconds in spent),
            sum(record.tries - bool(record.since) for record in records),
            _efforts(records),
            forecast(took, left),
            ledger.many_lemmas,
            ledger.optimum,
            ledger.known,
            statuses,
        )


def _efforts(records: Sequence[StoredRecord]) -> tuple[Effort, ...]:
    """Return who reported what; a claim that was given out again is nobody's until it is answered."""
    found: dict[str, list[StoredRecord]] = defaultdict(list)
    for record in records:
        if record.worker:
            found[record.worker].append(record)
    return tuple(
        Effort(name, len(own), sum(one.evaluations for one in own), sum(one.seconds for one in own))
        for name, own in sorted(found.items())
    )


def _status(record: StoredRecord, best: dict[NodeId, int], *, working: bool) -> str:
    """Return one of `STATUSES`.

    A guess need not cost more than the best one in its state. One that was asked without success is done by
    claims about the states that it leaves, a state by claims about guesses.

    `best`: of each state about whose guesses there are claims, what the best of them costs at most.
    """
    node = record.node
    cheaper = best[_above(node)] if node.branch else INFINITE
    enough = min(record.bound or INFINITE, record.upper, cheaper)
    if record.accepted and record.accepted >= enough:
        return "accepted"
    if record.since and working:
        return "running"
    if record.proved and record.proved >= enough:
        return "proved"
    if record.lower >= enough or record.upper < record.bound:
        return "searched"
    gone_on = node.branch and record.evaluations and not record.since
    return "split" if gone_on or node in best else "open"


def _above(node: NodeId) -> NodeId:
    """Return the state in which a guess is asked."""
    return NodeId(node.path[:-1], node.figure, node.depth)


def merge_ledgers(paths: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str]) -> None:
    """Write a new ledger with all that others of the same game know; see `campaign.merging`.

    Raises GuesstreeError for ledgers of different games, and TreeError where there is such a file already.
    """
    target = os.fspath(out)
    for there in (target, f"{target}-wal"):  # SQLite would take what an older file left for a part of it
        if Path(there).exists():
            raise TreeError(f"cannot write {target!r}: {there!r} is there already; expected a new file")
    beside = f"{target}.{os.getpid()}.tmp"
    try:
        with ExitStack() as stack:
            merge_into(beside, [stack.enter_context(closing(Ledger(os.fspath(path)))) for path in paths])
        Path(beside).replace(target)
    finally:
        Path(beside).unlink(missing_ok=True)


def export_ledger(path: str | os.PathLike[str], *, strategy_only: bool = False) -> Certificate:
    """Return the certificate of what a ledger proves, with the best strategy that it knows, if it knows one.

    What was accepted counts, and nothing is searched: where the strategy is not shown to be optimal, it is a
    certificate of the best bound.

    Raises GuesstreeError for a ledger without claims, and for what certificates do not cover, unless only the
    strategy is asked for.
    """
    with closing(Ledger(os.fspath(path))) as ledger:
        prover = LedgerProver(ledger)
        require(replace(prover.problem.asked, certificate=not strategy_only))
        best = prover.strategy()
        aims = prover.aims(best)
        found = certificate_of(prover, aims, Deadline(None), None)
        if best is None:
            return found
        shown = [found] if found.more is None else [found, found.more]
        if [(one.bound, one.within) for one in shown] == [(aim.bound, aim.within) for aim in aims]:
            lower = best.upper
        else:
            total = OBJECTIVES[best.objective].figures[0] == "total"
            first = shown[0].bound if total else 1 + (shown[-1].within or 0) if shown[-1].bound is None else 0
            assert isinstance(first, int)
            lower = (first, *best.lower[1:])
        return replace(found, solution=Solution(**vars(replace(best, lower=lower))))


def _plain(rise: Rise) -> dict[str, Any]:
    numbers = {name: getattr(rise, name) for name in ("depth", "lower", "upper", "accepted")}
    found = {name: _number(value) for name, value in numbers.items()}
    return {"time": rise.time, "part": rise.figure} | found


def _number(value: Any) -> Any:
    return None if value == INFINITE else value
