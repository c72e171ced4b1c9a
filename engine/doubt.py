"""Advice where responses may be false: what is still possible, which responses are in doubt, what to ask.

A position counts, for every secret, the responses that would be false if it were the hidden one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .advice import BLOCK_CELLS, Contradiction, Position, Step
from .errors import GuesstreeError
from .game import Game
from .search.lying import Knowledge, Volume, make_searcher
from .state import everything
from .support import Request, require


@dataclass(frozen=True)
class Weighed:
    """A guess where responses may be false, and what it would leave.

    Attributes
    ----------
    guess: its index; of a class of equivalent guesses the smallest.
    candidate: whether it may be the secret.
    equivalents: how many guesses the symmetry makes equal to it, itself included.
    volume: of what it leaves at most, see `lies.Volume`.
    most: candidates that it leaves at most.
    parts: how many responses some candidate gives to it.
    """

    guess: int
    candidate: bool
    equivalents: int
    volume: int
    most: int
    parts: int


class Doubtful(Position):
    """A game after some guesses and responses, of which up to `lies` may be false.

    To win, the winning response is never false, see `search.lying`. Raises Contradiction when more responses
    would be false for every secret, GuesstreeError for a number of lies that cannot be.
    """

    def __init__(
        self, game: Game, lies: int, history: Sequence[Step] = (), *, goal: str | None = None
    ) -> None:
        require(Request(game, "worst", lies=lies))
        self.lies = lies
        self.known = Knowledge.start(len(game.secrets), lies)
        super().__init__(game, history, goal=goal)

    def _filter(self, guess: int, response: int) -> None:
        """Take the lies that a response costs; raise Contradiction when no candidate can afford it."""
        answers, winning = self.problem.row(guess, self.known.candidates), self.problem.winning
        if response == winning:
            won = answers == winning
            known = Knowledge(self.known.candidates[won], self.known.left[won])
        else:
            known = self.known.after(answers, response, winning)
        if not len(known):
            step = len(self.history)
            asked = f"{self.game.guesses[guess]} {self.game.responses[response]}"
            many = "1 response is" if self.lies == 1 else f"{self.lies} responses are"
            what = f"from response {step} on ({asked}), more than {many} false for each secret"
            raise Contradiction(f"{self.game.spec}: {what}", step)
        self.known, self.candidates = known, known.candidates

    def doubts(self) -> list[int]:
        """Return for each response so far how many candidates make it false."""
        return [
            int((self.problem.row(guess, self.candidates) != response).sum())
            for guess, response in self.history
        ]

    def suspects(self, step: Step) -> list[tuple[int, int]]:
        """Return (number, candidates) for each response that explains a contradiction if it is mistyped.

        `step` is the one after which no secret fits; as many others as are allowed may be false besides.
        """
        steps = (*self.history, step)
        secrets = everything(self.problem.secrets)
        false = np.array([self.problem.row(guess, secrets) != response for guess, response in steps])
        blamed = false[:, false.sum(axis=0) == self.lies + 1].sum(axis=1)
        return [(number, int(count)) for number, count in enumerate(blamed, 1) if count]

    @cached_property
    def _counting(self) -> tuple[int, Volume]:
        """At least how many guesses are needed, by counting, and the volumes."""
        searcher, volume = make_searcher(self.problem, self.lies, counting=True)
        return int(searcher.least(self.known.candidates, self.known.left)), volume

    @property
    def least(self) -> int:
        """At least how many more guesses the worst case needs, by counting."""
        return self._counting[0]

    def after(self, guess: int, response: int) -> Doubtful:
        """Return the position after one more guess and response; see `Position.after`."""
        position = super().after(guess, response)
        assert isinstance(position, Doubtful)
        position.__dict__.pop("_counting", None)
        return position

    def weigh(self) -> list[Weighed]:
        """Return one guess of each class that tells something, by the volume that it leaves at most.

        Ties go to more parts, then to a candidate, then to the smallest guess.
        """
        least, volume = self._counting
        weight = volume.weight[min(max(least - 1, 0), len(volume.weight) - 1)]
        smallest, equivalents = np.unique(self.classes, return_counts=True)
        found: list[Weighed] = []
        step = max(BLOCK_CELLS // len(self.candidates), 1)
        for start in range(0, len(smallest), step):
            guesses = smallest[start : start + step].astype(np.int32)
            found += self._weighed(guesses, equivalents[start : start + step], weight)
        return sorted(found, key=lambda w: (w.volume, -w.parts, not w.candidate, w.guess))

    def _weighed(
        self, guesses: NDArray[np.int32], equivalents: NDArray[np.int64], weight: NDArray[np.int64]
    ) -> list[Weighed]:
        """Return guesses with what they leave; a secret loses a lie by every response but its own."""
        candidates, left = self.known.candidates, self.known.left
        loss = np.concatenate(
            ([0], weight[:-1])
        )  # the volume of a secret that has lost a lie, by lies before
        place = np.searchsorted(candidates, np.maximum(self.problem.own[guesses], 0))
        place = np.minimum(place, len(candidates) - 1)
        named = candidates[place] == self.problem.own[guesses]
        won = named & (self.problem.winning >= 0)
        volume = np.full((len(guesses), 1), int(loss[left].sum()), dtype=np.int64)
        volume[won, 0] -= loss[left[place[won]]]
        kept = np.full((len(guesses), 1), int((left > 0).sum()), dtype=np.int64)
        kept[won, 0] -= left[place[won]] > 0
        sizes = np.zeros((len(guesses), self.problem.responses), dtype=np.int64)
        for level in range(self.lies + 1):
            if (left == level).any():
                same = self.problem.sizes(guesses, candidates[left == level]).astype(np.int64)
                volume = volume + same * (weight[level] - loss[level])
                kept = kept + same * (level == 0)
                sizes += same
        used = sizes > 0
        if self.problem.winning >= 0:
            used[:, self.problem.winning] = False
        parts = used.sum(axis=1)
        columns = (
            guesses.tolist(),
            named.tolist(),
            equivalents.tolist(),
            np.where(used, volume, 0).max(axis=1).tolist(),
            np.where(used, kept, 0).max(axis=1).tolist(),
            parts.tolist(),
        )
        telling = (won | (parts > 1)).tolist()
        return [
            Weighed(*row) for row, tells in zip(zip(*columns, strict=True), telling, strict=True) if tells
        ]

    def best_guess(self, method: object = "volume") -> int:
        """Return the guess that leaves least volume; -1 when nothing tells anything."""
        if method != "volume":
            raise GuesstreeError(f"method {method} with lies; accepted: volume")
        if len(self.candidates) == 1:
            return int(self.problem.winner[self.candidates[0]])
        found = self.weigh()
        return found[0].guess if found else -1
