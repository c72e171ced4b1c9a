"""Positions of any game, and games against a known secret."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import GuesstreeError, shown
from ..game import Game, whole
from ..games.phrases import PhraseGame
from ..registry import game_of
from ..rules import Given
from .phrases import PhrasePosition
from .position import Position


def position_of(
    game: Game, history: str | Sequence[Given] = (), *, goal: str | None = None, lies: int = 0
) -> Position:
    """Return the `Position` of a game; where its secrets are never listed, that of phrases."""
    if isinstance(game, PhraseGame):
        return PhrasePosition(game, history, goal=goal, lies=lies)
    return Position(game, history, goal=goal, lies=lies)


def play_against(
    game: Game | str,
    secret: str,
    choose: Callable[[Position], int | str] | None = None,
    *,
    goal: str | None = None,
) -> list[tuple[str, str]]:
    """Return the game against a known secret, guesses and responses by label.

    `choose` returns the guess for a position by index or label, such as ``lambda p: p.best("parts")``; None:
    what `Position.best_guess` returns. Raises GuesstreeError if it asks a guess that gives no information, so
    that the game would not end.
    """
    game = game_of(game)
    if choose is not None and not callable(choose):
        raise GuesstreeError(f"choose={shown(choose)}; expected a function of a position, or None")
    hidden = game.secret_index(secret)
    position = position_of(game, goal=goal)
    steps: list[tuple[str, str]] = []
    while not position.finished:
        chosen = position.best_guess() if choose is None else choose(position)
        if (whole(chosen) or 0) < 0:
            raise position.nothing_tells()
        guess = game.guess_at(chosen)
        response = game.respond(guess, hidden)
        before = len(position.candidates)
        position = position.after(guess, response)
        if len(position.candidates) == before and not position.finished:
            raise GuesstreeError(f"{game.spec}: {game.guesses[guess]!r} tells nothing here")
        steps.append((game.guesses[guess], game.responses[response]))
    return steps
