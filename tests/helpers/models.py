"""Games of models, without a table that says them."""

from __future__ import annotations

from typing import Any, NoReturn

from guesstree.engine.game import Game
from guesstree.engine.noisy.model import Model


class ModelGame(Game):
    """The game of a model, with labels made up: causes c0, c1, ..., tests t0, ..., decisions d0, ..."""

    def __init__(self, model: Model, spec: str = "model") -> None:
        self.spec, self.model, self.winning = spec, model, None
        if all(isinstance(weight, int) for weight in model.weights):
            self.weights = [int(weight) for weight in model.weights]
        self.secrets = [f"c{i}" for i in range(len(model.weights))]
        self.guesses = [f"t{i}" for i in range(len(model.chances))]
        most = max([model.silent, *(a for row in model.chances for cell in row for a in cell)])
        self.responses = [f"a{i}" if i != model.silent else "?" for i in range(most + 1)]
        self.decisions = [f"d{i}" for i in range(len(model.losses or ()))]

    def respond(self, guess: int, secret: int) -> NoReturn:  # noqa: ARG002 - of the kind
        """Raise, as no single response is right."""
        raise AssertionError("a test may get several answers")

    def block(self, *_: Any) -> NoReturn:
        """Raise, see `respond`."""
        raise AssertionError("a test may get several answers")
