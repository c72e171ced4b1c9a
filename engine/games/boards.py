"""Several boards: one guess is answered on each of some games that are alike (Dordle, Quordle, Octordle)."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..boards import LEAST_BOARDS, MOST_BOARDS, BoardsGame
from ..catalogue import Amount, NamedList, Offer
from ..errors import GameError, shown
from ..game import Game
from ..notation import Look
from ..registry import parse, register
from .words import ALLOWED, ANSWERS


@register(
    "boards",
    example="boards:2,wordle:ANSWERS.txt",
    about="2 to 32 boards of a game, such as 4,wordle:official; each guess is answered on every board, and "
    "the secrets differ",
    reference="Dordle, Quordle and Octordle 2022",
    files="game",
    offer=Offer(
        "Boards",
        "Several boards at once: each guess is answered on every board, until all are solved.",
        (Amount("boards", LEAST_BOARDS, MOST_BOARDS, 4),),
        lists=(
            NamedList("wordle:official", "Wordle as first published", (ANSWERS, ALLOWED)),
            NamedList("mastermind:4x6", "Mastermind 4x6", ()),
            NamedList("bulls:4x10", "Bulls and Cows 4x10", ()),
        ),
        look=Look("tiles", "marks"),
        guess="CRANE",
        response="-+=--",
    ),
)
def make(text: str, find: Callable[[str], str] | None = None) -> Game:
    """Return the game of a spec ``boards:N,GAME``."""
    number, _, spec = text.partition(",")
    asked = f"boards:{text}"
    many = int(number) if re.fullmatch("[0-9]{1,6}", number, re.ASCII) else 0
    if not LEAST_BOARDS <= many <= MOST_BOARDS or not spec:
        raise GameError(
            f"{shown(asked)}: expected {LEAST_BOARDS} to {MOST_BOARDS} boards and a game, such as "
            "boards:4,wordle:official"
        )
    board = parse(spec, find)
    return BoardsGame(f"boards:{many},{board.spec}", board, many)
