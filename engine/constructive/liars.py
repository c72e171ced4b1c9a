"""How many questions strategies ask of codemakers whose responses are partly false."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import comb, sqrt

import numpy as np

from ..errors import Contradiction, GuesstreeError
from .many import strategy
from .measure import Measured, questions
from .size import Code, Response, Size
from .votes import RandomErrors, Votes, surviving

Dice = np.random.Generator
Lie = Callable[[Response], bool]
"""Whether the next response is false, by the true one."""
NORMAL = 1.959964
"""95 % of a normal distribution are within so many standard deviations."""


@dataclass(frozen=True)
class Doubt:
    """What may be false: at most `lies` responses of a game, or each one with a chance of `rate`."""

    lies: int = 0
    rate: float | None = None

    def votes(self, size: Size) -> Votes:
        """Return the votes of a game; raise GuesstreeError for numbers that are none."""
        return Votes(self.lies) if self.rate is None else RandomErrors(size, self.rate)

    def moments(self, size: Size, secret: Code, goal: str, zeros: str, dice: Dice) -> Lie:
        """Return which responses of a game are false.

        Lies are told at random moments of as many questions as the game takes with true responses. Where the
        game is to be won, the response that wins it is true.
        """
        if self.rate is not None:
            rate = self.rate
            return lambda _: bool(dice.random() < rate)
        length = questions(strategy(size, goal, zeros), size, secret)
        false = set(dice.permutation(length)[: self.lies].tolist())
        asked: list[Response] = []

        def lie(truth: Response) -> bool:
            asked.append(truth)
            return len(asked) - 1 in false and (goal != "win" or truth[0] < size.pegs)

        return lie


def misread(size: Size, truth: Response, dice: Dice, goal: str = "identify") -> Response:
    """Return a false response close to the true one: one black peg more or less, and one white the other way.

    Where there is none, the number of white pegs stays; where no such response is possible, it is (0,) or
    (0, 0), or 1 black peg instead of none. With the goal ``win``, no false response wins; where no other is
    left, the true one is returned.
    """
    black, *white = truth
    most = size.pegs - (goal == "win")
    near: list[list[Response]] = [[], []]
    for step in (-1, 1):
        near[0] += [(black + step, *(many - step for many in white))]
        near[1] += [(black + step, *white)]
    for choices in near:
        possible = [response for response in choices if size.possible(response) and response[0] <= most]
        if possible:
            return possible[int(dice.integers(len(possible)))]
    return (int(black == 0), *(0 for _ in white)) if most else truth


def against(size: Size, lie: Lie, dice: Dice, goal: str = "identify") -> Callable[[Response], Response]:
    """Return what a codemaker makes of true responses."""
    return lambda truth: misread(size, truth, dice, goal) if lie(truth) else truth


@dataclass(frozen=True)
class Doubted(Measured):
    """Games with false responses.

    Attributes
    ----------
    right: in how many of them the code found was the secret.
    extra: questions beyond those with true responses, in all.
    """

    right: int = 0
    extra: int = 0

    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of how often the code found is right (Wilson 1927)."""
        games, share = self.games, self.right / self.games
        middle = share + NORMAL**2 / (2 * games)
        spread = NORMAL * sqrt(share * (1 - share) / games + (NORMAL / (2 * games)) ** 2)
        scale = 1 + NORMAL**2 / games
        return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)


def measure_doubt(
    size: Size, codes: Iterable[Code], doubt: Doubt, goal: str = "win", zeros: str = "free", seed: int = 1
) -> Doubted:
    """Return how many questions are asked for each of some codes by a codemaker who misreads.

    Raises GuesstreeError when not more than the lies allowed are told, and yet no code or another is found.
    """
    dice = np.random.default_rng(seed)
    asked: Counter[int] = Counter()
    right = extra = 0
    for code in codes:
        votes = doubt.votes(size)
        tell = against(size, doubt.moments(size, code, goal, zeros, dice), dice, goal)
        try:
            many = questions(surviving(size, votes, goal, zeros), size, code, tell)
            right += 1
        except GuesstreeError:
            if doubt.rate is None:
                raise
            many = votes.asked
        asked[many] += 1
        extra += many - questions(strategy(size, goal, zeros), size, code)
    return Doubted(dict(sorted(asked.items())), 0.0, right, extra)


def lies_bound(size: Size, lies: int, goal: str) -> int:
    """Return at least how many questions every code takes at worst, by counting, if `lies` may be false.

    *identify*: after t questions with R responses each, every choice of up to `lies` false responses, and
    of what they are, ends elsewhere, and codes end apart: codes x sum C(t, i) (R - 1)^i <= R^t.

    *win*: the one response that wins is never false. Let each game go on to t questions, with false responses
    as before; then every code has sum C(t - 1, i) (R - 2)^i ends, as one of the t questions is the right
    guess. There are t (R - 1)^(t - 1) ends, as one of the t responses is the one that wins.

    If t is enough, so is t + 1, as the sum grows at most R-fold (C(t + 1, i) = C(t, i) + C(t, i - 1)), for
    *win* (R - 1)-fold: the least t is found by halving.
    """
    r, codes, low = size.responses, size.colours**size.pegs, max(size.counting_bound - 1, 1)

    def enough(t: int) -> bool:
        win = goal == "win"
        told = codes * sum(comb(t - win, i) * max(r - 1 - win, 0) ** i for i in range(lies + 1))
        return codes == 1 or told <= (t * (r - 1) ** (t - 1) if win else r**t)

    high = low
    while not enough(high):
        high *= 2
    return low + bisect_left(range(low, high), x=True, key=enough)


def played(
    size: Size, secret: Code, doubt: Doubt, goal: str, zeros: str, seed: int
) -> tuple[list[tuple[Code, Response]], Sequence[bool], Code | None]:
    """Return the steps of one game, which responses were false, and the code found, if any."""
    dice = np.random.default_rng(seed)
    lie = doubt.moments(size, secret, goal, zeros, dice)
    steps: list[tuple[Code, Response]] = []
    false: list[bool] = []
    talk = surviving(size, doubt.votes(size), goal, zeros)
    try:
        guess = next(talk)
        while True:
            truth = size.respond(guess, secret)
            response = misread(size, truth, dice, goal) if lie(truth) else truth
            false.append(response != truth)
            steps.append((guess, response))
            guess = talk.send(response)
    except StopIteration as end:
        return steps, false, end.value
    except Contradiction:
        return steps, false, None
