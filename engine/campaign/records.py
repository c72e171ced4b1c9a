"""What a ledger holds of one claim, and what it notes besides: refusals, and how bounds rose."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, NamedTuple, Protocol
from zlib import compress, decompress

from ..errors import GuesstreeError
from ..game import Game
from ..objective import FIGURES, parse_objective
from ..problem import Problem
from ..proofs.statement import statement_of
from ..registry import game_of
from .messages import NodeId
from .schema import NODE, TABLES, DamageError
from .store import Record


@dataclass(frozen=True)
class About:
    """What is proved.

    Attributes
    ----------
    claim: the first line of a certificate without its bound, and the objective.
    numbering: the SHA-256 of the labels in their order, as paths are numbers.
    asked: the game and the arguments of `guesstree.prove`, as JSON.
    origins: a name of each ledger that went into this one, itself if it was never merged.
    """

    claim: str
    numbering: str = ""
    asked: str = field(default="{}", compare=False)
    origins: tuple[str, ...] = field(default=(), compare=False)

    def difference(self, other: About) -> str:
        """Return what another is about that this is not, with both names; empty: nothing."""
        if self.claim != other.claim:
            return f"of {self.claim!r}, not of {other.claim!r}; expected a ledger of that, or a new file"
        if self.numbering != other.numbering:
            return (
                f"of {self.claim!r} with other or otherwise ordered labels ({self.numbering[:8]}, not "
                f"{other.numbering[:8]}); expected the game as it was, or a new file"
            )
        return ""

    @property
    def objective(self) -> str:
        """The objective by its name."""
        return self.claim.rpartition(" ")[2]

    @property
    def lies(self) -> int:
        """How many responses may be false."""
        return int(json.loads(self.asked).get("lies") or 0)

    def problem(self, game: Game | None = None) -> Problem:
        """Return the problem, of a game at hand or of the spec; raise GuesstreeError if it is another."""
        asked = json.loads(self.asked)
        spec, objective, lies = (asked.pop(name, None) for name in ("game", "objective", "lies"))
        problem = Problem(game_of(spec if game is None else game), parse_objective(objective), **asked)
        if different := self.difference(about_of(problem, lies)):
            raise GuesstreeError(f"{spec!r} is no longer the game of this ledger, which is {different}")
        return problem


def about_of(problem: Problem, lies: int = 0) -> About:
    """Return what a ledger of a problem is about; raise GuesstreeError for one without certificates."""
    limit = problem.limited if problem.budget is None else problem.budget
    statement = replace(statement_of(problem, lies), within=limit)
    request, game = problem.asked, problem.game
    asked = {
        "game": game.spec,
        "objective": problem.objective.name,
        "goal": problem.goal,
        "max_depth": problem.limited,
        "first": request.first,
        "candidates_only": problem.candidates_only,
        "budget": problem.budget,
        "lies": lies,
    }
    return About(
        f"{statement.words} {problem.objective.name}",
        _digest([*game.guesses, "", *game.secrets, "", *game.responses]),
        json.dumps(asked),
    )


def _digest(labels: Iterable[str]) -> str:
    return sha256("\n".join(labels).encode()).hexdigest()


MOST_SECONDS = 1e12
KNOWN = list(TABLES["claims"])[1 + len(NODE) :]
"""What the table of claims has of one, behind its number and node."""


class Blobs(Protocol):
    """A file with proofs and strategies, by the numbers of claims; empty: there is none."""

    def proof_in(self, number: int, bound: int) -> bytes:
        """Return the proof of a bound, compressed."""

    def choices_in(self, number: int) -> bytes:
        """Return the strategy behind the upper bound."""


class StoredRecord(Record):
    """What is known of one place; proofs and choices that are in the file are read there.

    Attributes
    ----------
    number: of the claim in the file.
    bound: asked for the last time.
    worker: who works on it, or reported on it last.
    since: it is worked on from this time on, in seconds of the clock; 0: nobody does.
    fresh, packed: proofs by their bounds, compressed, and choices, that are not in the file yet.
    """

    def __init__(self, file: Blobs, node: NodeId, number: int) -> None:
        self.file, self.node, self.number = file, node, number
        self.fresh: dict[int, bytes] = {}
        super().__init__()
        self.packed: bytes | None = None
        self.bound, self.worker, self.since = 0, "", 0.0

    @property
    def proof(self) -> str:
        """The proof of `proved`."""
        return self.proof_of(self.proved)

    @proof.setter
    def proof(self, text: str) -> None:
        if text:
            self.fresh[int(self.proved)] = compress(text.encode())

    def proof_of(self, bound: int) -> str:
        """Return the proof of a bound; empty: there is none."""
        packed = self.fresh.get(bound) or (self.file.proof_in(self.number, bound) if bound else b"")
        return decompress(packed).decode() if packed else ""

    @property
    def choices(self) -> bytes:
        """The strategy behind `upper`."""
        return self.file.choices_in(self.number) if self.packed is None else self.packed

    @choices.setter
    def choices(self, packed: bytes) -> None:
        self.packed = packed

    def absorb(self, other: StoredRecord, *, once: bool) -> None:
        """Take in what another ledger has of the same place; see `Ledger.absorb`."""
        self.lower = max(self.lower, other.lower)
        if other.upper < self.upper:
            self.upper, self.choices = other.upper, other.choices
        if other.accepted > self.accepted:
            self.accepted = other.accepted
            if proof := other.proof_of(self.accepted):
                self.fresh[self.accepted] = compress(proof.encode())
        if other.proved > self.proved:
            self.proved, self.proof = other.proved, other.proof
        for name in ("tries", "evaluations", "seconds"):
            own, more = getattr(self, name), getattr(other, name)
            setattr(self, name, max(own, more) if once else own + more)
        for name in ("bound", "budget"):
            setattr(self, name, max(getattr(self, name), getattr(other, name)))
        self.worker = self.worker or other.worker

    @property
    def row(self) -> tuple[Any, ...]:
        """What the table of claims holds."""
        kinds = TABLES["claims"]
        return (self.number, *node_row(self.node), *(kinds[name](getattr(self, name)) for name in KNOWN))

    def impossible(self) -> str:
        """Return what cannot be, or nothing."""
        if self.node.figure not in FIGURES or self.node.depth < 0 or min(self.node.path, default=0) < 0:
            return "is about no place"
        for name in ("lower", "proved", "accepted"):
            if not 0 <= getattr(self, name) <= self.upper:
                return f"has {name} {getattr(self, name)} and upper {self.upper}"
        if min(self.bound, self.tries, self.budget, self.evaluations) < 0:
            return "has an effort below 0"
        return "" if 0 <= self.seconds < MOST_SECONDS else f"took {self.seconds} seconds"


def node_row(node: NodeId) -> tuple[str, str, int]:
    """Return a node as tables hold it."""
    return " ".join(map(str, node.path)), node.figure, int(node.depth)


def node_of(path: str, figure: str, depth: int) -> NodeId:
    """Return the place of a row; raise DamageError for a path that is none."""
    try:
        return NodeId(tuple(map(int, path.split())), figure, depth)
    except ValueError:
        raise DamageError(f"{path!r} is no path") from None


class RefusedClaim(NamedTuple):
    """A claim whose proof, or whose worker, was wrong: when, why, and what it took."""

    time: float
    node: NodeId
    why: str
    evaluations: int = 0
    seconds: float = 0.0


class Rise(NamedTuple):
    """What was known of the whole game, from a time on."""

    time: float
    figure: str
    depth: int
    lower: int
    upper: int
    accepted: int
