"""What is known of all places: the contract between who decides what is asked, and who keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from .messages import INFINITE, NodeId, Report


@dataclass
class Record:
    """What is known of one node.

    Attributes
    ----------
    lower, upper: by the search.
    proved, proof: the best bound that has a proof, and the proof; it counts only when `accepted`.
    accepted: the bound that the checker accepted.
    tries, budget: how often it was asked, and the evaluations allowed the last time.
    evaluations, seconds: what all of that took.
    choices: of the strategy behind `upper`, see `messages.Report`.
    """

    lower: int = 0
    upper: int = INFINITE
    proved: int = 0
    proof: str = ""
    accepted: int = 0
    tries: int = 0
    budget: int = 0
    evaluations: int = 0
    seconds: float = 0.0
    choices: bytes = b""

    def learn(self, report: Report) -> None:
        """Take in what was reported; what comes twice, or is known better, changes nothing but the effort."""
        self.lower = max(self.lower, report.lower)
        if report.upper < self.upper or (report.upper == self.upper and not self.choices):
            self.upper, self.choices = report.upper, report.choices
        if report.proof and report.proved > self.proved:
            self.proved, self.proof = report.proved, report.proof
        self.evaluations += report.evaluations
        self.seconds += report.seconds


class Store(Protocol):
    """Keeps what is known; one process writes."""

    def find(self, node: NodeId) -> Record | None:
        """Return what is known of a node, or None."""

    def all(self) -> Iterator[tuple[NodeId, Record]]:
        """Yield all that is known."""

    def asked(self, node: NodeId, bound: int, budget: int, worker: str) -> None:
        """Note that a node is worked on from now on."""

    def take(self, report: Report) -> Record:
        """Take in what was reported, for good, and return what is known now."""

    def accept(self, node: NodeId, proved: int) -> None:
        """Note that the checker accepted the proof of a bound."""

    def refuse(self, node: NodeId, why: str) -> None:
        """Note that the checker refused the proof of a node, which is forgotten; `why` is its line."""

    def rose(
        self, node: NodeId, lower: int | None = None, upper: int | None = None, accepted: int | None = None
    ) -> None:
        """Note what is known of the whole game now, from claims about other places; None: as before.

        It is for readers, and counts for nothing: what it rests on may be refused.
        """


@dataclass
class MemoryStore:
    """A store that lasts as long as the process."""

    known: dict[NodeId, Record] = field(default_factory=dict)
    refused: list[tuple[NodeId, str]] = field(default_factory=list)

    def find(self, node: NodeId) -> Record | None:
        """Return what is known of a node in memory, or None."""
        return self.known.get(node)

    def all(self) -> Iterator[tuple[NodeId, Record]]:
        """Yield all that is known in memory."""
        return iter(self.known.items())

    def asked(self, node: NodeId, bound: int, budget: int, worker: str) -> None:  # noqa: ARG002 - for those that tell others
        """Do nothing: nobody else sees what is worked on."""
        known = self.known.setdefault(node, Record())
        known.tries, known.budget = known.tries + 1, budget

    def take(self, report: Report) -> Record:
        """Keep what was reported, in memory."""
        known = self.known.setdefault(report.node, Record())
        known.learn(report)
        return known

    def accept(self, node: NodeId, proved: int) -> None:
        """Keep that a proof was accepted, in memory."""
        known = self.known[node]
        known.accepted = max(known.accepted, proved)

    def refuse(self, node: NodeId, why: str) -> None:
        """See `Store`: what the search said goes, too, as who was wrong once is not believed."""
        self.refused.append((node, why))
        old = self.known.pop(node)
        if old.accepted:
            self.known[node] = Record(old.accepted, accepted=old.accepted)

    def rose(
        self, node: NodeId, lower: int | None = None, upper: int | None = None, accepted: int | None = None
    ) -> None:
        """Do nothing: nobody reads how bounds rose."""
