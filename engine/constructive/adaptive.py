"""An adaptive strategy is a generator: it yields a guess, is sent the response, and returns the secret.

Parts compose with ``yield from``: a strategy for many colours asks through the strategies for coins inside
it. A strategy raises `advise.Contradiction` as soon as a response cannot be true.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..errors import GuesstreeError

G = TypeVar("G")
"""A guess: a NumPy array for codes and for sets of coins."""
R = TypeVar("R")
"""A response: an int, or a pair of ints."""
S = TypeVar("S")
"""What is concluded."""


@dataclass(frozen=True)
class Played(Generic[G, R, S]):
    """A game that a strategy played: every guess with its response, and what it concluded."""

    steps: tuple[tuple[G, R], ...]
    secret: S

    @property
    def questions(self) -> int:
        """How many guesses were asked."""
        return len(self.steps)


def play(talk: Generator[G, R, S], respond: Callable[[G], R], *, most: int | None = None) -> Played[G, R, S]:
    """Return the game of a strategy against `respond`.

    Raises Contradiction when a response cannot be true, and GuesstreeError when more than `most` guesses
    are asked.
    """
    steps: list[tuple[G, R]] = []
    try:
        guess = next(talk)
        while True:
            if len(steps) == most:
                raise GuesstreeError(f"the strategy asks more than {most} questions")
            response = respond(guess)
            steps.append((guess, response))
            guess = talk.send(response)
    except StopIteration as end:
        return Played(tuple(steps), end.value)


def replay(talk: Generator[G, R, S], responses: Sequence[R]) -> tuple[G | None, S | None]:
    """Return what comes after these responses: (next guess, None), or (None, the secret concluded).

    Raises Contradiction, whose `step` is the number of the response that cannot be true, and GuesstreeError
    when there are more responses than questions.
    """
    asked = 0
    try:
        guess = next(talk)
        for response in responses:
            asked += 1
            guess = talk.send(response)
    except StopIteration as end:
        if asked < len(responses):
            raise GuesstreeError(
                f"{len(responses)} responses, but the strategy asks {asked} questions"
            ) from None
        return None, end.value
    return guess, None
