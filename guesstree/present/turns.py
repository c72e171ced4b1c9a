"""A turn of play, and how a game ended: computed once; terminal, pages and JSON lay them out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from guesstree.engine.advice.evidence import Evidence
from guesstree.engine.advice.position import Position, step_labels
from guesstree.engine.game import Game
from guesstree.engine.notation import plural
from guesstree.engine.rules import UNKNOWN, Step

from .noisy_advice import chance_text


@dataclass(frozen=True)
class Turn:
    """A guess and its response by label.

    Attributes
    ----------
    unknown: whether the response is not known.
    pattern: what is shown of the secret so far, where responses are places.
    left: how many candidates are left; None where nothing has computed them.
    chance: the probability that the response had, as text, where it depends on chance; else empty.
    note: what a page says beside it.
    """

    number: int
    guess: str
    response: str
    pattern: str = ""
    unknown: bool = False
    left: int | None = None
    chance: str = ""
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the turn as plain data."""
        response = None if self.unknown else self.response
        return {"guess": self.guess, "response": response, "candidates": self.left}


def turn_of(position: Position) -> Turn:
    """Return the last turn of a position."""
    step, left = position.history[-1], len(position.candidates)
    labels, unknown = step_labels(position.game, step), step[1] == UNKNOWN
    return Turn(len(position.history), *labels, position.pattern(), unknown, left)


def turns_of(game: Game, history: Iterable[Step], positions: Sequence[Position] = ()) -> list[Turn]:
    """Return the turns of a game; of those without a position after them only the labels."""
    known = [turn_of(position) for position in positions if position.history]
    rest = list(enumerate(history, 1))[len(known) :]
    return known + [Turn(n, *step_labels(game, step), unknown=step[1] == UNKNOWN) for n, step in rest]


def noisy_turn(before: Evidence, after: Evidence) -> Turn:
    """Return the last turn where a guess may get several responses, with the chance that this one had."""
    step, number = after.history[-1], len(after.history)
    labels = step_labels(after.game, step)
    if step[1] == UNKNOWN:
        return Turn(number, *labels, unknown=True)
    return Turn(number, *labels, chance=chance_text(after.probability / before.probability))


def help_text(hints: int, taken_back: int) -> str:
    """Return in brackets which help a player had; empty for none."""
    helped = [plural(hints, "hint")] * bool(hints) + [f"{taken_back} taken back"] * bool(taken_back)
    return f" ({', '.join(helped)})" if helped else ""
