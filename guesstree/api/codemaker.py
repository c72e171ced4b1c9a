"""What the machine hides, and what it answers: with false responses, or with those that chances give."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm

import numpy as np

from guesstree.engine.exact import Number
from guesstree.engine.game import Game
from guesstree.engine.games.phrases import PhraseGame
from guesstree.engine.hosts.host import Host
from guesstree.engine.objective import EXPECTED
from guesstree.engine.problem import Problem
from guesstree.engine.rules import Step
from guesstree.engine.state import Ints, everything
from guesstree.engine.support import LARGEST, Request, require


class Hidden:
    """A secret drawn by its weight, and what guesses get; all of it follows from the seed.

    Where a guess may get several responses (`Game.model`) each has its one response, drawn by its chance.
    Elsewhere one response in three is another secret's while `lies` are left, but never where the truth wins.

    Attributes
    ----------
    seed: what the secret is drawn by; one is chosen where None is given.
    secret: its index; it may also be given.
    """

    def __init__(
        self,
        game: Game,
        seed: int | None = None,
        *,
        goal: str | None = None,
        lies: int = 0,
        secret: int | None = None,
    ) -> None:
        self.game, self.goal, self.lies = game, goal, lies
        self.seed = random.SystemRandom().randrange(1 << 32) if seed is None else seed
        dice, model = random.Random(self.seed), game.model
        weights = game.weights if model is None else model.weights
        drawn = (
            game.draw(dice)
            if isinstance(game, PhraseGame)
            else dice.randrange(len(game.secrets))
            if weights is None
            else by_chance(dice, dict(enumerate(weights)))
        )
        self.secret = drawn if secret is None else secret
        self._winning = None if goal == "identify" else game.winning
        chances = [] if model is None else [row[self.secret] for row in model.chances]
        self._drawn = [by_chance(dice, cell) for cell in chances]

    def answer(self, history: Sequence[Step], guess: int) -> int:
        """Return the response to a guess after a history; asked again after the same, it is the same."""
        if self._drawn:
            return self._drawn[guess]
        truth = self.game.respond(guess, self.secret)
        if len(self.false(history)) >= self.lies or truth == self._winning:
            return truth
        dice = random.Random(repr((self.seed, list(history), guess)))
        if dice.randrange(3):
            return truth
        answers = self.game.block(np.array([guess], dtype=np.int32), everything(len(self.game.secrets)))
        others = [int(r) for r in np.unique(answers) if r not in (truth, self._winning)]
        return dice.choice(others) if others else truth

    def loss(self, decision: int) -> Number:
        """Return what a decision loses, in `Game.cost_unit`; it must be one that the answers allow."""
        losses = self.game.model and self.game.model.losses
        loss = losses[decision][self.secret] if losses else 0
        assert loss is not None
        return loss

    def false(self, history: Sequence[Step]) -> list[int]:
        """Return the numbers of the responses of a history that are not true of the secret."""
        steps = enumerate(history, 1)
        return [
            n
            for n, (guess, response) in steps
            if self.lies and self.game.respond(guess, self.secret) != response
        ]


class Cheating(Hidden):
    """A host who hides nothing, and answers so that as many secrets as possible are left, see `hosts.host`.

    Attributes
    ----------
    secret: the first secret that fits all answers so far; another one may be left.
    seed: nothing is drawn: 0.
    """

    def __init__(self, game: Game, goal: str | None = None) -> None:
        require(Request(game, goal=goal or "", maker=LARGEST))
        super().__init__(game, 0, goal=goal, secret=0)
        self.problem = Problem(game, EXPECTED, goal=goal, by_guess=False)
        self.host = Host(self.problem)

    def left(self, history: Sequence[Step]) -> Ints:
        """Return the secrets that fit a history of true answers."""
        candidates = everything(len(self.game.secrets))
        for guess, response in history:
            candidates = candidates[self.problem.row(guess, candidates) == response]
        return candidates

    def answer(self, history: Sequence[Step], guess: int) -> int:
        """Return the response to a guess after a history."""
        response, left = self.host.answer(guess, self.left(history))
        self.secret = int(left[0])
        return response


def used_up(game: Game, history: Sequence[Step], lies: int = 0) -> bool:
    """Return whether all guesses that a game has are used, and none has won; lies are given time."""
    if game.tries is None or lies or len(history) < game.tries:
        return False
    return history[-1][1] != game.winning


def by_chance(dice: random.Random, chances: Mapping[int, Number]) -> int:
    """Return what is drawn by its chance, exactly."""
    shared = lcm(*(Fraction(chance).denominator for chance in chances.values()))
    below = dice.randrange(int(sum(chances.values()) * shared))
    sums = accumulate(int(chance * shared) for chance in chances.values())
    return next(one for one, upto in zip(chances, sums, strict=True) if below < upto)
