"""Plain twin of the frame of every search: memory of work done, budget, stop, symmetry. One thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .outcome import BUSY, Outcome
from .reference import equivalents

MOST_JOBS = 1
MOST_HISTORY = 20
CLASS_PLIES = 2

Ints = NDArray[np.int32]
Words = NDArray[np.uint64]
Classes = Callable[[tuple[int, ...]], "Ints | None"]
SIZES = 128
"""Classes of sizes of sets."""
FIXED_ROWS = 12
"""An evaluation takes as long as so many candidates more."""
Method = TypeVar("Method", bound=Callable[..., Any])


def size_class(n: int) -> int:
    """Return a class of sizes: each for itself up to 7, then four for each doubling."""
    k = max(0, n.bit_length() - 3)
    return 4 * k + (n >> k)


def alone(method: Method) -> Method:
    """Let one thread at a time call such methods of a searcher, whose `call` is a lock of its own.

    Whoever comes while another's call is at work gets RuntimeError: both would write one state.
    """

    @wraps(method)
    def one(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not self.call.acquire(blocking=False):
            raise RuntimeError(BUSY)
        try:
            return method(self, *args, **kwargs)
        finally:
            self.call.release()

    return one  # type: ignore[return-value]


class Core:
    """A search: what it has done, and what ends it.

    Parameters
    ----------
    infinite: the value of a state that no strategy settles.
    classes: history -> the smallest equivalent guess of each guess, or None (see `engine.symmetry`); asked
        for the first guesses only.
    digits, renaming: the guesses as codes, and how their symmetry is gone through (see `engine.symmetry`);
        then `classes` is not asked.
    memory: bytes for what is remembered; when they are used up, what took the least effort is forgotten. The
        plain twin forgets nothing.
    width: try so many guesses of a large state at most, the best first (a beam); then values are those of
        a real strategy, and bounds say nothing. 0: all.
    jobs: how many threads search, 1..MOST_JOBS.

    features, needs: the bits of each guess, and those that each response to it demands, see `engine.rules`;
        None: every guess is always allowed.

    Attributes
    ----------
    memo: what is known of states, by what tells them apart.
    states, evaluations: states expanded and sets valued against all guesses, in all searches.
    work: candidates evaluated, each time, and `FIXED_ROWS`.
    gained, worked: by looking ahead, and by searching, for each `size_class`: by how much bounds were
        raised, and the work for it.
    """

    def __init__(
        self,
        infinite: int,
        classes: Classes | None,
        digits: NDArray[np.uint8] | None,
        renaming: int,
        memory: int,
        width: int,
        jobs: int,
        features: Words | None = None,
        needs: Words | None = None,
    ) -> None:
        assert jobs == 1, "threads are for the compiled search"
        assert memory > 0
        self.call = RLock()
        self.infinite, self.width = infinite, width
        self.memo: dict[Any, Any] = {}
        self.features = None if features is None else [joined(row) for row in features]
        self.needs = None if needs is None else [[joined(word) for word in row] for row in needs]
        self.classes, self.digits, self.renaming = classes, digits, renaming
        self.states = self.evaluations = self.work = 0
        self.gained, self.worked = ([[0.0] * SIZES for _ in range(2)] for _ in range(2))
        self.ended, self.limit = "", 0
        self.lower, self.upper, self.first = 0, infinite, -1
        self.history: list[int] = []
        self.dropped: dict[tuple[int, ...], NDArray[np.bool_] | None] = {}

    def evaluated(self, n: int) -> None:
        """Count that all guesses were bounded on so many candidates."""
        self.evaluations += 1
        self.work += n + FIXED_ROWS

    @property
    def entries(self) -> int:
        """States remembered."""
        return len(self.memo)

    def stop(self) -> None:
        """End a search that runs in another thread; one that begins later is not ended."""
        self.ended = self.ended or "stopped"

    def seen(self) -> Outcome:
        """Return what is known of the state that is searched in another thread."""
        return Outcome(self.lower, self.upper, self.first, "")

    def begin(self, history: tuple[int, ...] | None, budget: int) -> None:
        """Begin a search, after so many evaluations to be ended (0: never).

        `history`: the guesses that led here. Only a set that these and their responses leave is kept by the
        symmetry that keeps them; None: it is some other, or they are not known, so that there is no symmetry.
        """
        self.history = [0] * (MOST_HISTORY + 1) if history is None else list(history)
        self.ended, self.limit = "", self.evaluations + budget if budget else 0
        self.lower, self.upper, self.first = 0, self.infinite, -1

    def spent(self) -> bool:
        """Return whether the budget is spent; then the search is ended."""
        if 0 < self.limit <= self.evaluations:
            self.ended = "budget"
            return True
        return False

    def outcome(self, value: int, beta: int, guess: int) -> Outcome:
        """Return what a search has found; `guess` is that of a strategy below beta, if it ran to the end."""
        if self.ended:
            return Outcome(self.lower, self.upper, self.first, self.ended)
        return Outcome(value, value, guess, "") if value < beta else Outcome(value, self.infinite, -1, "")

    def needs_after(self, needs: int, guess: int, response: int) -> int:
        """Return what is demanded after one more guess and response."""
        return needs | self.needs[guess][response] if self.needs is not None else 0

    def equivalents(self) -> NDArray[np.bool_] | None:
        """Return which guesses the symmetry makes equal to a smaller one after the history, or None."""
        past = tuple(self.history)
        if past not in self.dropped:
            dropped = None
            if self.renaming and len(past) <= MOST_HISTORY:
                assert self.digits is not None
                colours = int(self.digits.max()) + 1
                history = np.array(past, dtype=np.int32)
                dropped = equivalents(self.digits, colours, self.renaming == 2, history).astype(bool)
            elif not self.renaming and self.classes is not None and len(past) <= CLASS_PLIES:
                classes = self.classes(past)
                dropped = None if classes is None else classes != np.arange(len(classes))
            self.dropped[past] = dropped
        return self.dropped[past]


def joined(words: Words) -> int:
    """Return some words as one number."""
    return sum(int(word) << (64 * i) for i, word in enumerate(words))


def is_marked(marks: NDArray[np.bool_] | None, guess: int) -> bool:
    """Return whether a guess is marked; without marks none is."""
    return marks is not None and bool(marks[guess])
