"""Rules by which earlier guesses and their responses limit what may be asked."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import GameError, GuesstreeError

if TYPE_CHECKING:
    from .game import Game

Words = NDArray[np.uint64]
Step = tuple[int, int]
"""A guess and the response to it, by index."""
MOST_CALLS = 1 << 18
"""How often `check_rules` calls `refused` at most, about."""


@dataclass(frozen=True)
class Rules:
    """What guesses have and what responses demand, as bits, so that kernels can follow a history.

    A guess may be asked if it has every bit that some step of the history demands. What is demanded is never
    forgotten, so the more was asked, the fewer guesses are allowed.

    Attributes
    ----------
    features: the bits that each guess has, uint64, shape (guesses, words).
    needs: the bits that a guess with a response demands of all that follow, uint64, shape (guesses,
        responses, words); those of a response that no secret gives are not looked at.
    """

    features: Words
    needs: Words

    @property
    def start(self) -> Words:
        """What is demanded before the first guess: nothing."""
        return np.zeros(self.features.shape[1], dtype=np.uint64)

    def after(self, needs: Words, guess: int, response: int) -> Words:
        """Return what is demanded after one more step."""
        return needs | self.needs[guess, response]

    def follow(self, history: Sequence[Step]) -> Words:
        """Return what a whole history demands."""
        needs = self.start
        for step in history:
            needs = self.after(needs, *step)
        return needs

    def allowed(self, needs: Words) -> NDArray[np.bool_]:
        """Return which guesses have all that is demanded, shape (guesses,)."""
        may = np.ones(len(self.features), dtype=np.bool_)
        for word in np.flatnonzero(needs):
            may &= self.features[:, word] & needs[word] == needs[word]
        return may


def rules_of(game: Game) -> Rules | None:
    """Return the rules of a game as contiguous arrays; raise GameError for arrays that cannot be."""
    rules = game.rules()
    if rules is None:
        return None
    words = max(rules.features.shape[-1] if rules.features.ndim else 0, 1)
    shapes = (len(game.guesses), words), (len(game.guesses), len(game.responses), words)
    for what, array, shape in zip(("features", "needs"), (rules.features, rules.needs), shapes, strict=True):
        if array.shape != shape or array.dtype != np.uint64:
            raise GameError(
                f"{game.spec}: {what} of the rules are {array.dtype} of shape {array.shape}; "
                f"accepted: uint64, {shape}"
            )
    return Rules(np.ascontiguousarray(rules.features), np.ascontiguousarray(rules.needs))


def require_no_rules(game: Game, what: str) -> None:
    """Raise GuesstreeError when what may be asked depends on the history; `what` does not follow that."""
    if game.rules() is not None:
        raise GuesstreeError(
            f"{what} of {game.spec}: what may be asked there depends on earlier responses; accepted: games "
            "where every guess is always allowed"
        )


def check_rules(game: Game, table: NDArray[np.uint8]) -> None:
    """Raise GameError where the rules break the contract, or `rules` and `refused` differ.

    A guess that wins on a secret must have what each response that this secret gives demands. Rules and
    `refused` are compared for all guesses after all histories of two guesses, or after some of them, always
    the same, where there are more than about 2^18 cases.
    """
    rules = rules_of(game)
    if rules is not None and game.winning is not None:
        for winner, secret in np.argwhere(table == game.winning).tolist():
            demanded = rules.needs[np.arange(len(table)), table[:, secret]]
            bad = (demanded & ~rules.features[winner]).any(axis=1)
            if bad.any():
                asked = int(bad.argmax())
                raise GameError(
                    f"{game.spec}: guess {game.guesses[winner]!r} is refused after {game.guesses[asked]!r} "
                    f"{game.responses[int(table[asked, secret])]!r}, though it may win"
                )
    for history in _histories(game, table):
        allowed = None if rules is None else rules.allowed(rules.follow(history))
        for guess in range(len(game.guesses)):
            plain = not game.refused(history, guess)
            if plain != (allowed is None or bool(allowed[guess])):
                steps = ", ".join(f"{game.guesses[g]!r} {game.responses[r]!r}" for g, r in history)
                raise GameError(
                    f"{game.spec}: after {steps or 'nothing'} refused() {'allows' if plain else 'refuses'} "
                    f"{game.guesses[guess]!r}, rules() does not"
                )


def _histories(game: Game, table: NDArray[np.uint8]) -> Iterator[tuple[Step, ...]]:
    """Yield the histories that are compared; each of their guesses was allowed when it was asked."""
    guesses, secrets = table.shape
    yield ()
    cases = guesses * guesses * secrets
    most = max(MOST_CALLS // guesses, 1)
    drawn: Iterator[tuple[int, ...]] = product(range(guesses), range(guesses), range(secrets))
    if cases > most:
        dice = random.Random(0)
        drawn = (
            (dice.randrange(guesses), dice.randrange(guesses), dice.randrange(secrets)) for _ in range(most)
        )
    met: set[tuple[Step, ...]] = set()
    for first, second, secret in drawn:
        one = (first, int(table[first, secret]))
        two = (second, int(table[second, secret]))
        legal = not game.refused((one,), second)
        for history in ((one,), (one, two)) if legal else ((one,),):
            if history not in met:
                met.add(history)
                yield history
