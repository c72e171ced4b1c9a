"""How many questions a strategy asks, over random codes and codes that a rule describes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..errors import GuesstreeError
from .many import strategy
from .size import Code, Response, Size, counts


@dataclass(frozen=True)
class Measured:
    """Games that were played.

    Attributes
    ----------
    histogram: how many games took so many questions, by rising numbers of questions.
    seconds: what they took together.
    """

    histogram: Mapping[int, int]
    seconds: float

    @property
    def games(self) -> int:
        """How many games there were."""
        return sum(self.histogram.values())

    @property
    def questions(self) -> int:
        """How many questions were asked in all."""
        return sum(asked * games for asked, games in self.histogram.items())

    @property
    def mean(self) -> Fraction:
        """The questions of a game, on average, exactly."""
        return Fraction(self.questions, self.games)

    @property
    def least(self) -> int:
        """The fewest questions of a game."""
        return min(self.histogram)

    @property
    def most(self) -> int:
        """The most questions of a game."""
        return max(self.histogram)


def questions(
    talk: Generator[Code, Response, Code],
    size: Size,
    secret: Code,
    tell: Callable[[Response], Response] = lambda truth: truth,
) -> int:
    """Play a strategy against a secret and return how many questions it asks; guesses are not kept.

    `tell` turns true responses into those given. Raises GuesstreeError when it concludes another code.
    """
    asked, held = 0, counts(secret, size.colours)
    try:
        guess = next(talk)
        while True:
            asked += 1
            black = int((guess == secret).sum())
            if size.whites:
                common = int(np.minimum(counts(guess, size.colours), held).sum())
                guess = talk.send(tell((black, common - black)))
            else:
                guess = talk.send(tell((black,)))
    except StopIteration as end:
        if not np.array_equal(end.value, secret):
            raise GuesstreeError(
                f"{size.spec}: the strategy concludes {size.write_code(end.value)}, "
                f"but the secret is {size.write_code(secret)}"
            ) from None
        return asked


def measure(
    size: Size, codes: Iterable[Code], goal: str = "win", zeros: str = "free", places: str = "blocks"
) -> Measured:
    """Return how many questions the constructive strategy asks for each of some codes."""
    start = time.perf_counter()
    asked = Counter(questions(strategy(size, goal, zeros, places), size, code) for code in codes)
    return Measured(dict(sorted(asked.items())), time.perf_counter() - start)


def random_codes(size: Size, many: int, seed: int | None) -> list[Code]:
    """Return codes drawn at random, every code as likely; others each time where the seed is None."""
    numbers = np.random.default_rng(seed)
    return [size.code(numbers.integers(0, size.colours, size.pegs)) for _ in range(many)]


def different_codes(size: Size, many: int, seed: int) -> list[Code]:
    """Return random codes whose colours all differ, or occur as equally often as they can."""
    numbers = np.random.default_rng(seed)
    most = max(size.pegs, size.colours)
    return [size.code(numbers.permutation(most)[: size.pegs] % size.colours) for _ in range(many)]


def structured_codes(size: Size) -> dict[str, Code]:
    """Return codes that a rule describes, by its name."""
    n, k = size.pegs, size.colours
    peg = np.arange(n)
    last = k - 1
    found = {
        "constant, first colour": 0 * peg,
        "constant, last colour": 0 * peg + last,
        "colours in turn": peg % k,
        "colours in turn, reversed": (peg % k)[::-1],
        "sorted": np.sort(peg % k),
        "alternating": peg % 2 * last,
        "alternating from the other": (peg + 1) % 2 * last,
        "one odd peg, first": (peg == 0) * last,
        "one odd peg, last": (peg == n - 1) * last,
        "halves": (peg >= n // 2) * last,
        "pairs": peg // 2 % k,
        "one colour twice": np.maximum(peg - 1, 0) % k,
        "ones in the number of the peg": np.array([number.bit_count() for number in range(n)]) % k,
        "runs that double": np.minimum(np.array([(i + 1).bit_length() - 1 for i in range(n)]), last),
    }
    return {name: size.code(code) for name, code in found.items()}
