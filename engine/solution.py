"""What a search finds: `Found`, a complete strategy; `Solved`, with what is proved of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import GuesstreeError
from .exact import Value
from .game import Game
from .notation import plural
from .objective import bounds_text
from .state import Ints


def history_key(history: Sequence[tuple[int, int]]) -> bytes:
    """Return what a strategy knows a state by where guesses may get several responses (`Game.model`)."""
    return np.array(history, dtype=np.int32).tobytes()


@dataclass
class Found:
    """A complete strategy: the guess of every state that it meets.

    Candidates alone tell the state, whatever the history demands: two states of one strategy either share no
    candidate, or one lies below the other and is smaller, because every guess asked tells something.
    `total` and `worst` count guesses, whatever they cost.
    """

    choices: dict[bytes, int] = field(default_factory=dict)
    total: int = 0
    worst: int = 0

    def add(self, candidates: Ints, guess: int) -> None:
        """Record the guess of a state; each of its candidates pays one guess."""
        self.choices[candidates.tobytes()] = guess
        self.total += len(candidates)


@dataclass(frozen=True)
class Figures:
    """What a strategy takes, in guesses or in what they cost.

    Attributes
    ----------
    total, worst: over all secrets, weighted, and of the one that takes most.
    lost, won: within a budget, the weight that is lost, and the weighted cost of what is won.
    depth: guesses asked at most, whatever they cost.
    """

    total: int
    worst: int
    lost: int
    won: int
    depth: int

    def __getitem__(self, part: str) -> int:
        return int(getattr(self, part))

    def value(self, parts: tuple[str, ...]) -> tuple[int, ...]:
        """Return what an objective with these parts compares."""
        return tuple(self[part] for part in parts)


def gap(lower: Value, upper: Value) -> float | None:
    """Return how far `upper` may be above the optimum, as a part of `lower`; None: however far."""
    return None if lower == 0 < upper else float((upper - lower) / max(lower, 1))


@dataclass(frozen=True)
class Row:
    """What was known of the optimum at one time.

    Attributes
    ----------
    seconds: wall-clock time since the beginning.
    lower: at least the optimum.
    upper: what the best strategy takes, or None when none is known yet.
    how: what improved a bound.
    """

    seconds: float
    lower: Value
    upper: Value | None
    how: str

    @property
    def gap(self) -> float | None:
        """How far the strategy may be above the optimum, as a part of the lower bound; None: unknown."""
        return None if self.upper is None else gap(self.lower, self.upper)


@dataclass(frozen=True)
class Solved:
    """What a search found and proved.

    Attributes
    ----------
    goal, objective, method, parameters: what was asked and how it was answered.
    lower, upper: bounds of the optimum, one number for each figure of the objective, compared from the left;
        `upper` is what the strategy reaches. Equal when it is proven optimal.
    stopped: why the search ended early (``time``, ``interrupt``), or ``""``.
    choices: the guess for each state, by the bytes of its sorted int32 candidates, or by `history_key`; a
        number from that of all guesses on is a decision, see `Game.decisions`.
    states, evaluations: work done: states expanded, sets valued against all guesses.
    seconds: wall-clock time.
    lies: how many responses may be false; then states are keyed by `lying.LieState`.
    by_history: whether states are keyed by `history_key`.
    rows: how the bounds improved, where it was recorded.
    symmetry: how many renamings of the game were used, declared or found, such as ``4! x 6!``; empty: none.
    """

    game: Game
    goal: str
    objective: str
    method: str
    parameters: Mapping[str, Any]
    lower: tuple[Value, ...]
    upper: tuple[Value, ...]
    stopped: str
    choices: Mapping[bytes, int]
    states: int
    evaluations: int
    seconds: float
    lies: int = 0
    by_history: bool = False
    rows: tuple[Row, ...] = ()
    symmetry: str = ""

    @property
    def optimal(self) -> bool:
        """Whether the strategy is proven optimal among those that the parameters allow."""
        return self.lower == self.upper

    @property
    def gap(self) -> float | None:
        """The gap of the bounds in the first figure of the objective where they differ, see `gap`."""
        differ = [pair for pair in zip(self.lower, self.upper, strict=True) if pair[0] != pair[1]]
        return gap(*differ[0]) if differ else 0.0

    def __repr__(self) -> str:
        said = [self.game.spec, self.objective]
        if self.goal == "identify" and self.game.facts.winnable:
            said.append(self.goal)
        if self.method != "exact":
            said.append(self.method)
        if self.lies:
            said.append(plural(self.lies, "lie"))
        said += [f"{key}: {value}" for key, value in self.parameters.items()]
        lower, upper = (self.game.value_texts(self.objective, value) for value in (self.lower, self.upper))
        said.append(bounds_text(lower, upper))
        if self.stopped:
            said.append(f"stopped by {self.stopped}")
        said.append(plural(self.states, "state"))
        return f"{type(self).__name__}({', '.join(said)})"

    def choose_after(self, history: Sequence[tuple[int, int]]) -> int:
        """Return the guess after some guesses and responses, see `history_key`."""
        return self.choices[history_key(history)]

    def choose(self, candidates: Ints, left: NDArray[np.uint8] | None = None) -> int:
        """Return the guess for a state that the strategy meets; raise GuesstreeError for another.

        `left`: how many lies each candidate has left, where responses may be false.
        """
        try:
            return self.choices[candidates.tobytes() + (b"" if left is None else left.tobytes())]
        except KeyError:
            raise GuesstreeError(
                f"{self.game.spec}: the strategy does not meet this state of {len(candidates)} candidates: "
                "the game's table and its respond() disagree"
            ) from None
