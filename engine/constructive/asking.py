"""What the strategies for codes share: asking, counting the steps, and noticing what cannot be true."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import Contradiction
from .size import Code, Response, Size, counts

Mask = NDArray[np.bool_]
T = TypeVar("T")
Talk = Generator[Code, Response, T]


MOST_LISTED = 1 << 16
"""Up to so many codes, those still possible are listed."""


class Known(Exception):  # noqa: N818 - an event, not an error
    """Say that a code is known before the strategy would have come to it."""

    def __init__(self, code: Code) -> None:
        super().__init__("known")
        self.code = code


class Asking:
    """The questions of one game.

    Attributes
    ----------
    step: how many responses were given.
    counts: how often each colour occurs in the code, once it is known; then the number of pegs in a
        response, black and white together, is known before it is given.
    zero: a guess without a black peg, once there was one.
    open: guesses and responses that nothing concluded so far vouches for.
    left: the codes still possible, shape (codes, pegs), where there are few from the start.
    won: whether all pegs of a guess were black.
    fits: whether a code agrees with what was concluded.
    """

    def __init__(self, size: Size) -> None:
        self.size = size
        self.step = 0
        self.counts: NDArray[np.int64] | None = None
        self.zero: Code | None = None
        self.open: list[tuple[Code, Response]] = []
        self.left: Code | None = None
        self.won = False
        self.fits: Callable[[Code], bool] = lambda _: True
        if 1 < size.colours**size.pegs <= MOST_LISTED:
            self.left = np.indices((size.colours,) * size.pegs, dtype=np.uint16).reshape(size.pegs, -1).T

    def wrong(self, reason: str) -> Contradiction:
        """Return the error for responses that no code fits, the last one included."""
        return Contradiction(
            f"{self.size.spec}: no code fits from response {self.step} on ({reason})", self.step
        )

    def ask(self, guess: Code) -> Talk[Response]:
        """Ask a guess and return the response; raise Known, or Contradiction for one that cannot be."""
        guess.flags.writeable = False
        response = yield guess
        self.step += 1
        written = self.size.write_response(response)
        if not self.size.possible(response):
            raise self.wrong(f"{written} is never a response")
        if self.counts is not None and self.size.whites:
            pegs = int(np.minimum(counts(guess, self.size.colours), self.counts).sum())
            if sum(response) != pegs:
                raise self.wrong(f"{written}, but by its colours the guess has {pegs} pegs, black and white")
        self.open.append((guess, response))
        self._filter(guess, response)
        if response[0] == self.size.pegs:
            self.won = True
            raise Known(guess)
        if self.left is not None and len(self.left) == 1:
            raise Known(self.left[0])
        if response[0] == 0:
            self.zero = guess
        return response

    def _filter(self, guess: Code, response: Response) -> None:
        if self.left is None:
            return
        kept = (self.left == guess).sum(axis=1) == response[0]
        if self.size.whites:
            shown = counts(guess, self.size.colours)
            common = sum(
                np.minimum((self.left == colour).sum(axis=1), shown[colour])
                for colour in np.flatnonzero(shown)
            )
            kept &= common == sum(response)
        self.left = self.left[kept]
        if not len(self.left):
            raise self.wrong("none of those left gives it")

    def weigh(
        self,
        talk: Generator[Mask, int, T],
        show: Callable[[Mask], Code],
        read: Callable[[Mask, Response], int],
    ) -> Talk[T]:
        """Play a coin game by questions: `show` the mask as a guess, `read` the weight off the response."""
        response: Response | None = None
        mask: Mask | None = None
        while True:
            try:
                mask = next(talk) if mask is None or response is None else talk.send(read(mask, response))
            except StopIteration as end:
                found: T = end.value
                return found
            except Contradiction as error:
                raise self.wrong(str(error)) from None
            response = yield from self.ask(show(mask))

    def verify(self, code: Code) -> None:
        """Raise Contradiction unless a code fits the guesses and responses that are open."""
        for guess, response in self.open:
            if self.size.respond(guess, code) != response:
                raise self.wrong("the only code that explains the others does not fit all")
