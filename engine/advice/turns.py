"""Guesses and responses as people write them: one reader for prompts, histories, `Position` and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError
from ..game import Game
from ..notation import plural
from ..registry import game_of
from ..rules import Step, turns_in


def guess_typed(game: Game, text: str, listed: Sequence[int] | None = None) -> int:
    """Return the guess that was typed, see `Game.read_guess`; or by its number among those `listed`.

    None: among all, where they are named, as the tests of a table are. Raises GuesstreeError for another.
    """
    if listed is None and game.look.codes == "text" and game.look.plain:
        listed = range(len(game.guesses))
    number = int(text) if re.fullmatch("[0-9]{1,6}", text, re.ASCII) else 0
    if 0 < number <= len(listed or ()) and game.look.find_guess(game.guesses, text) is None:
        assert listed is not None
        return listed[number - 1]
    return game.read_guess(text)


def response_typed(
    game: Game,
    text: str,
    guess: int,
    before: Sequence[Step] = (),
    secrets: NDArray[np.int32] | None = None,
) -> int:
    """Return the response to a guess that was typed, see `Game.read_response`; raise GuesstreeError else.

    `before`: the turns before it, `secrets`: those that are possible then (None: all). A pattern, ``_o_``,
    that shows a letter not asked, or has no possible size, is refused: as a response to one letter it would
    be taken for less than it says.
    """
    found = game.read_response(text, guess, secrets)
    shown = [c for c in text if c.isalpha()]
    if game.look.answers != "places" or "_" not in text or not shown:
        return found
    asked = {game.guesses[g].casefold() for g in (guess, *(g for g, _ in before))}
    for letter in shown:
        if letter.casefold() not in asked:
            raise GuesstreeError(f"{text!r} shows {letter!r}, which was not asked; ask for it by itself")
    words = [re.sub(r"\s", "", word) for word in re.split("[|/]", text)]
    if not game.sized(list(map(len, words)), secrets):
        size = plural(len(words[0]), "place") if len(words) == 1 else f"{len(words)} words"
        raise GuesstreeError(f"{text!r} has {size}; no {game.look.secret} that is possible has as many")
    return found


def parse_history(game: Game | str, text: str, decode: Callable[[str], str] = str) -> list[Step]:
    """Return the turns of a text such as ``1122:1,0 1344:bww``, each part written as at a prompt.

    They are parted as in `rules.turns_in`. Of several colons in a turn the last that fits stands between
    guess and response. `decode` is done with each part first. Raises GuesstreeError for a bad one.
    """
    game = game_of(game)
    steps: list[Step] = []
    for turn in turns_in(text):
        steps.append(_turn(game, turn, steps, decode))
    return steps


def _turn(game: Game, text: str, before: Sequence[Step], decode: Callable[[str], str]) -> Step:
    """Return one turn; raise GuesstreeError for the last colon after which something is wrong."""
    parts = text.split(":")
    wrong: GuesstreeError | None = None
    for at in range(len(parts) - 1, 0, -1):
        asked, answered = (decode(":".join(some)).strip() for some in (parts[:at], parts[at:]))
        try:
            guess = guess_typed(game, asked)
            return guess, response_typed(game, answered, guess, before)
        except GuesstreeError as error:
            wrong = wrong or error
    assert wrong is not None  # a turn has a colon
    raise wrong
