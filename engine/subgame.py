"""What is left of a game after some guesses, as a game of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .game import Game, Responses, rules_of
from .rules import Rules
from .state import Ints


class Rest(Game):
    """Some of the secrets of a game, and some of its guesses; responses are those of the game.

    What rules have demanded so far is met by every guess that is left, so that only new demands count.
    """

    def __init__(self, game: Game, secrets: Ints, guesses: Ints) -> None:
        self.whole, self._secrets, self._guesses = game, secrets, guesses
        self.spec, self.look = game.spec, game.look
        self.responses, self.winning = game.responses, game.winning
        self.cost_unit, self.weight_unit = game.cost_unit, game.weight_unit
        self.secrets = tuple(game.secrets[secret] for secret in secrets.tolist())
        self.guesses = tuple(game.guesses[guess] for guess in guesses.tolist())
        if game.weights is not None:
            self.weights = tuple(game.weights[secret] for secret in secrets.tolist())
        if game.kinds is not None:
            self.kinds = tuple(game.kinds[secret] for secret in secrets.tolist())
        if game.costs is not None:
            self.costs = np.ascontiguousarray(game.costs[guesses])

    @property
    def most_answers(self) -> int:
        """At most how many responses one guess gets."""
        return self.whole.most_answers

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response, from the game's own rules."""
        return self.whole.respond(int(self._guesses[guess]), int(self._secrets[secret]))

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return some of the responses, shape (guesses, secrets)."""
        return self.whole.block(self._guesses[guesses], self._secrets[secrets])

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the response of each guess on the secret beside it."""
        return self.whole.respond_each(self._guesses[guesses], self._secrets[secrets])

    def own(self) -> NDArray[np.int32]:
        """Return the secret that each guess names, or -1."""
        number = np.full(len(self.whole.secrets) + 1, -1, dtype=np.int32)  # the last is that of no secret
        number[self._secrets] = np.arange(len(self._secrets))
        return number[self.whole.own()[self._guesses]]

    def rules(self) -> Rules | None:
        """Return the rules of the game for the guesses that are left, or None."""
        rules = rules_of(self.whole)
        return None if rules is None else rules.of(self._guesses)
