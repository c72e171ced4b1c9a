"""What is known of all places: the contract between who decides what is asked, and who keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from .asks import INFINITE, Finding, Place


@dataclass
class Standing:
    """What is known of one place.

    Attributes
    ----------
    lower, upper: by the search.
    proved, proof: the best bound that has a proof, and the proof; it counts only when `accepted`.
    accepted: the bound that the checker accepted.
    tries, budget: how often it was asked, and the evaluations allowed the last time.
    evaluations, seconds: what all of that took.
    choices: of the strategy behind `upper`, see `asks.Finding`.
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

    def learn(self, told: Finding) -> None:
        """Take in what was told; what is told twice, or is known better, changes nothing but the effort."""
        self.lower = max(self.lower, told.lower)
        if told.upper < self.upper or (told.upper == self.upper and not self.choices):
            self.upper, self.choices = told.upper, told.choices
        if told.proof and told.proved > self.proved:
            self.proved, self.proof = told.proved, told.proof
        self.evaluations += told.evaluations
        self.seconds += told.seconds


class Findings(Protocol):
    """Keeps what is known; one process writes."""

    def find(self, place: Place) -> Standing | None:
        """Return what is known of a place, or None."""

    def all(self) -> Iterator[tuple[Place, Standing]]:
        """Yield all that is known."""

    def asked(self, place: Place, bound: int, budget: int, worker: str) -> None:
        """Note that a place is worked on from now on."""

    def take(self, told: Finding) -> Standing:
        """Take in what was told, for good, and return what is known now."""

    def accept(self, place: Place, proved: int) -> None:
        """Note that the checker accepted the proof of a bound."""

    def refuse(self, place: Place, why: str) -> None:
        """Note that the checker refused the proof of a place, which is forgotten; `why` is its line."""

    def rose(
        self, place: Place, lower: int | None = None, upper: int | None = None, accepted: int | None = None
    ) -> None:
        """Note what is known of the whole game now, from claims about other places; None: as before.

        It is for readers, and counts for nothing: what it rests on may be refused.
        """


@dataclass
class InMemory:
    """A store that lasts as long as the process."""

    known: dict[Place, Standing] = field(default_factory=dict)
    refused: list[tuple[Place, str]] = field(default_factory=list)

    def find(self, place: Place) -> Standing | None:
        """See `Findings`."""
        return self.known.get(place)

    def all(self) -> Iterator[tuple[Place, Standing]]:
        """See `Findings`."""
        return iter(self.known.items())

    def asked(self, place: Place, bound: int, budget: int, worker: str) -> None:  # noqa: ARG002 - for those that tell others
        """See `Findings`."""
        known = self.known.setdefault(place, Standing())
        known.tries, known.budget = known.tries + 1, budget

    def take(self, told: Finding) -> Standing:
        """See `Findings`."""
        known = self.known.setdefault(told.place, Standing())
        known.learn(told)
        return known

    def accept(self, place: Place, proved: int) -> None:
        """See `Findings`."""
        known = self.known[place]
        known.accepted = max(known.accepted, proved)

    def refuse(self, place: Place, why: str) -> None:
        """See `Findings`: what the search said goes, too, as who was wrong once is not believed."""
        self.refused.append((place, why))
        old = self.known.pop(place)
        if old.accepted:
            self.known[place] = Standing(old.accepted, accepted=old.accepted)

    def rose(
        self, place: Place, lower: int | None = None, upper: int | None = None, accepted: int | None = None
    ) -> None:
        """See `Findings`: nobody reads it."""
