"""Openings of proven strategies: the first guess of standard games, and the second after each response.

`openings.json` beside this file holds them, as ``scripts/openings.py`` has written them from strategies that
the search proves: of each game its name, the goal, the guesses that all secrets need together (`total`), the
first guess, and for each response to it the second one with the guesses that are needed from there on. Games
are named by their rules, lists of words by the SHA-256 of what they hold, as certificates name them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import GameError
from ..game import Game
from ..proofs.statement import ruled_game
from ..rules import UNKNOWN, Step
from ..symmetry.groups import Permutation

FILE = Path(__file__).parent / "openings.json"


@dataclass(frozen=True)
class ProvenGuess:
    """The guess with which a proven strategy goes on.

    Attributes
    ----------
    guess: its index.
    total: what all candidates need together from here on, in guesses or in what they cost; each as often as
        its weight says.
    candidates: how many there are, or what they weigh together.
    """

    guess: int
    total: Fraction
    candidates: int

    @property
    def average(self) -> Fraction:
        """What is expected to be needed from here on: no strategy needs less."""
        return self.total / self.candidates


@cache
def openings() -> dict[tuple[str, str], dict[str, Any]]:
    """Return what the file holds, by the name of the game and the goal."""
    found = json.loads(FILE.read_text(encoding="utf-8"))["openings"]
    return {(one["game"], one["goal"]): one for one in found}


def opening_name(game: Game) -> str:
    """Return what the file calls a game: its rules, and what its lists of words hold; empty for another."""
    try:
        return " ".join(ruled_game(game).content)
    except GameError:
        return ""


def opening_of(game: Game, goal: str, history: Sequence[Step]) -> ProvenGuess | None:
    """Return how a proven strategy goes on before the first or the second guess; None: the file has none."""
    if len(history) > 1 or not (name := opening_name(game)):
        return None
    found = openings().get((name, goal))
    if found is None:
        return None
    first = game.read_guess(found["first"])
    if not history:
        return ProvenGuess(first, Fraction(found["total"]), len(game.secrets))
    asked, response = history[0]
    then = None if response == UNKNOWN else found["then"].get(game.responses[response])
    if then is None:
        return None
    second, total, candidates = then
    guess = _moved(game, first, asked, game.read_guess(second))
    return None if guess is None else ProvenGuess(guess, Fraction(total), candidates)


def _moved(game: Game, first: int, asked: int, second: int) -> int | None:
    """Return the second guess where another first one was asked, if symmetry makes the two equal; else None.

    What takes the one first guess to the other takes the second along, and leaves responses as they are.
    """
    if asked == first:
        return second
    classes = game.symmetry.classes(())
    if classes is None or classes[asked] != classes[first]:
        return None
    moved = taken_along(game.symmetry.generators(), first, asked, second)
    equal = game.symmetry.classes((asked,))
    return moved if equal is None else int(equal[moved])


def taken_along(
    generators: Sequence[tuple[Permutation, Permutation]], start: int, end: int, other: int
) -> int:
    """Return where a renaming that takes guess `start` to `end`, which is equivalent, takes another guess."""
    reach, queue = {start: other}, [start]
    for guess in queue:
        if guess == end:
            break
        for permutation, _ in generators:
            image = int(permutation[guess])
            if image not in reach:
                reach[image] = int(permutation[reach[guess]])
                queue.append(image)
    return reach[end]
