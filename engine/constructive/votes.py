"""Play any constructive strategy though responses are false: take each as it is, and ask again when in doubt.

A strategy notices a false response once the responses fit no code, at the latest when the code that it
concludes turns out not to be the secret. Then questions are asked again, the last ones first, until two
responses to the same guess differ; of these the true one is settled, and the strategy goes on from there.
Lies thus cost what they spoil, while asking every question so often that lies are outvoted (`lies.repeated`)
multiplies all questions by one more than the lies.

What is concluded is right. *At most L lies*: if a response is false, so are all equal responses to its guess,
and of every other guess at least those that differ from its most frequent one; where these are more than L
together, the response is true. The code is returned only when "all black" is true for it in this sense, or
where the game is won, as a win is never claimed falsely. *Each response false with a chance of P*: a response
counts as true when it leads by so many votes that a false one does so in one of a thousand games at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from math import ceil, log

from ..errors import Contradiction, GuesstreeError
from .asking import Talk
from .many import strategy
from .size import Code, Response, Size

MOST_LIES = 1000
"""Lies cost at most about two games each, and a game goes over all its steps for each."""
MOST_RATE = 0.49
"""Nearer to 1/2, a response is asked for thousands of times before it is settled."""
RIGHT = 1000
"""With random errors, a response is settled when a false one would be in at most one of so many games."""
SPOILED = 4
"""With random errors, about so many responses may be taken for true wrongly, to be found later."""


class Votes:
    """How often which response was given to a guess.

    Parameters
    ----------
    lies: at most so many responses are false.
    """

    first = 1
    """By how many votes a response leads when it is taken for true until there is doubt."""

    def __init__(self, lies: int) -> None:
        if not 0 <= lies <= MOST_LIES:
            raise GuesstreeError(f"{lies} lies; expected 0 to {MOST_LIES}")
        self.lies, self.asked, self.false = lies, 0, 0
        self._given: dict[bytes, Counter[Response]] = {}

    def of(self, guess: Code) -> Counter[Response]:
        """Return how often each response was given to a guess."""
        return self._given.setdefault(guess.tobytes(), Counter())

    def best(self, guess: Code) -> Response:
        """Return the response given most often, the first of several."""
        return self.of(guess).most_common(1)[0][0]

    def lead(self, guess: Code) -> int:
        """Return by how many votes the best response leads."""
        votes = [many for _, many in self.of(guess).most_common(2)]
        return sum(votes[:1]) - sum(votes[1:])

    def settled(self, guess: Code) -> bool:
        """Return whether the best response is true: else more than `lies` were false."""
        given = self.of(guess)
        votes = max(given.values(), default=0)
        return votes + self.false - (given.total() - votes) > self.lies

    def ask(self, guess: Code) -> Talk[None]:
        """Ask a guess; raise Contradiction when more than `lies` responses are false."""
        given = self.of(guess)
        before = given.total() - max(given.values(), default=0)
        given[(yield guess)] += 1
        self.asked += 1
        self.false += given.total() - max(given.values()) - before
        self.check()

    def check(self) -> None:
        """Raise Contradiction when more than `lies` responses are false."""
        if self.false > self.lies:
            raise self.wrong()

    def wrong(self) -> Contradiction:
        """Return the error for responses that fit no code."""
        return Contradiction(f"more than {self.lies} of {self.asked} responses are false", self.asked)

    def settle(self, guess: Code) -> Talk[Response]:
        """Ask until the best response is settled; return it."""
        while not self.settled(guess):
            yield from self.ask(guess)
        return self.best(guess)

    def once(self, guess: Code) -> Talk[Response]:
        """Return the best response, asking only as often as `first` wants."""
        while not self.settled(guess) and self.lead(guess) < self.first:
            yield from self.ask(guess)
        return self.best(guess)


class RandomErrors(Votes):
    """Votes where each response is false with a chance of `rate`, independently.

    Responses with leads of `first` are wrong about `SPOILED` times in a game of as many questions as the size
    may take; with leads of `last`, in one of `RIGHT` games at most. After a lead of d a false response is
    at best (rate / (1 - rate))^d times as likely as the true one: when all false ones are equal.
    """

    def __init__(self, size: Size, rate: float) -> None:
        if not 0 <= rate <= MOST_RATE:
            raise GuesstreeError(f"an error rate of {rate:g}; expected 0 to {MOST_RATE}")
        super().__init__(0)
        questions = 2 * size.pegs * max(ceil(log(size.colours + 1)), 1)
        odds = log((1 - rate) / rate) if rate else float("inf")
        self.first = max(ceil(log(questions / SPOILED) / odds), 1)
        self._last = max(ceil(log(questions * RIGHT) / odds), self.first)

    def settled(self, guess: Code) -> bool:
        """Return whether the best response leads by so much that it is hardly ever false."""
        return self.lead(guess) >= self._last

    def check(self) -> None:
        """Accept any number of false responses."""

    def wrong(self) -> Contradiction:
        """Return the error for responses that fit no code."""
        return Contradiction(f"no code fits {self.asked} responses, however often they are asked", self.asked)


def surviving(size: Size, votes: Votes, goal: str = "win", zeros: str = "free") -> Talk[Code]:
    """Find a code though responses are false.

    Parameters
    ----------
    votes: what may be false, `Votes` or `RandomErrors`; counts the questions.
    goal: ``win``: a winning response is never false, and ends the game; ``identify``: any may be false, and
        the code is asked until it is settled.

    Yields and is sent what `many.strategy` is. Raises Contradiction when more responses are false.
    """
    talk = _found(size, votes, goal, zeros)
    try:
        guess = next(talk)
        while True:
            response = yield guess
            if goal == "win" and response[0] == size.pegs:  # whatever was false before
                return guess
            guess = talk.send(response)
    except StopIteration as end:
        code: Code = end.value
        return code


def _found(size: Size, votes: Votes, goal: str, zeros: str) -> Talk[Code]:
    """Find a code as `surviving` does; may ask on after a win that fits no response before."""
    trail: list[tuple[Code, Response]] = []
    while True:
        code = yield from _played(strategy(size, "win", zeros), trail, votes)
        if code is not None:
            if goal == "win" or (yield from votes.settle(code))[0] == size.pegs:
                return code
            trail.pop()  # what was said of the code is corrected
            continue
        del trail[(yield from _false(trail, votes)) :]


def _played(
    talk: Generator[Code, Response, Code], trail: list[tuple[Code, Response]], votes: Votes
) -> Talk[Code | None]:
    """Go on after the steps of a trail, which grows; return the code, None when no code fits the responses.

    The code is the guess of the last step, which was said to win.
    """
    done = len(trail)
    try:
        guess = next(talk)
        for _, response in trail[:done]:
            guess = talk.send(response)
        while True:
            response = yield from votes.once(guess)
            trail.append((guess, response))
            guess = talk.send(response)
    except StopIteration as end:
        code: Code = end.value
        return code
    except Contradiction:
        # One of the votes, which nothing can mend, or one of the strategy.
        votes.check()
        return None


def _false(trail: list[tuple[Code, Response]], votes: Votes) -> Talk[int]:
    """Return the last step of a trail with a response that is certainly not true; asks again for this.

    Every unsettled response is asked for once more, then all of these again; so either one differs, or all
    are settled and no code fits them.
    """
    while True:
        settled = True
        for i in reversed(range(len(trail))):
            guess, response = trail[i]
            if not votes.settled(guess):
                settled = False
                yield from votes.ask(guess)
                if votes.of(guess)[response] < votes.of(guess).total():
                    yield from votes.settle(guess)
            if votes.best(guess) != response:
                return i
        if settled:
            raise votes.wrong()
