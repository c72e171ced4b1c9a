"""Several boards side by side: what terminal and pages show of them, computed once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from guesstree.engine.advice.boards import BoardsPosition, BoardsValued
from guesstree.engine.boards import BoardsGame
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.exact import rounded_text
from guesstree.engine.game import Game
from guesstree.engine.notation import plural, plurals

MOST_BEST = 5
MOST_SECONDS = 5.0
"""So long it is looked for what is proven."""
SOME = 20
"""So many secrets of a board are listed."""


@dataclass(frozen=True)
class BoardSeen:
    """One board.

    Attributes
    ----------
    responses: those to each guess so far, empty from the one on after it was solved.
    left: what is known of it, in words.
    solved: the number of the guess that solved it, or 0.
    some: some of the secrets that fit, `more` others do.
    """

    number: int
    responses: tuple[str, ...]
    left: str
    solved: int
    some: tuple[str, ...]
    more: int


@dataclass(frozen=True)
class BoardsAdvice:
    """The best guesses, and what is known of what is still to come, in words."""

    best: tuple[BoardsValued, ...]
    to_come: str
    proven: bool


def boards_of(game: Game) -> BoardsGame:
    """Return a game of several boards as what it is."""
    assert isinstance(game, BoardsGame)
    return game


def require_plain(game: Game, **asked: object) -> None:
    """Raise GuesstreeError for what does not go with several boards, by the names of the options."""
    for name, given in asked.items():
        if given:
            option = name.replace("_", "-")
            why = "all boards are to be solved, by bits for each miss, with true responses"
            raise GuesstreeError(f"{option} {given} does not go with {game.spec}; {why}")


def boards_seen(position: BoardsPosition) -> list[BoardSeen]:
    """Return the boards."""
    board, found = position.game.board, []
    for i, one in enumerate(position.boards):
        said = []
        for _, given in position.history:
            response = given[i]
            said.append("" if response is None else board.responses[response])
        many = len(one.candidates)
        some = tuple(board.secrets[s] for s in one.candidates[:SOME].tolist())
        left = f"in {one.solved}" if one.solved else f"{many} left"
        found.append(BoardSeen(i + 1, tuple(said), left, one.solved, some, many - len(some)))
    return found


def boards_advice(position: BoardsPosition, seconds: float = MOST_SECONDS) -> BoardsAdvice:
    """Return what to ask: what is proven where few choices are left, else the most bits for each miss."""
    best, noun = position.best(MOST_BEST), plurals(position.game.board.look.guess)
    more = f"more {noun}" if position.history else noun
    proven = position.proven(seconds)
    if proven is not None:
        guess, takes = proven
        best = [position.value(guess), *(one for one in best if one.guess != guess)][:MOST_BEST]
        return BoardsAdvice(
            tuple(best), f"proven: {rounded_text(takes)} {more} on average are the fewest", True
        )
    bounds = position.bounds
    said = f"at least {down(bounds.lower)}"
    if bounds.upper is not None:
        said += f" and at most {up(bounds.upper)}"
    return BoardsAdvice(tuple(best), f"{said} {more} on average with the best strategy", False)


def down(value: Fraction) -> str:
    """Return a lower bound with two decimals, rounded down."""
    return f"{int(value * 100) / 100:.2f}"


def up(value: Fraction) -> str:
    """Return an upper bound with two decimals, rounded up."""
    return f"{-int(-value * 100 // 1) / 100:.2f}"


def reason(position: BoardsPosition, valued: BoardsValued) -> str:
    """Return in words why a guess is good."""
    look = position.game.board.look
    if valued.sure:
        return "solves a board for certain"
    parts = ", ".join(map(str, valued.parts))
    text = f"{valued.bits:.2f} bits; parts of the boards: {parts}"
    return (
        f"{text}; it is one of the {plurals(look.secret)} in {100 * valued.hits:.2g} %"
        if valued.hits
        else text
    )


def ended(position: BoardsPosition) -> str:
    """Return how it went where all boards are solved."""
    look, many = position.game.board.look, len(position.boards)
    secrets = [position.game.board.secrets[int(board.candidates[0])] for board in position.boards]
    return f"all {many} boards in {plural(len(position.history), look.guess)}: {', '.join(secrets)}"


def boards_data(position: BoardsPosition) -> dict[str, Any]:
    """Return a position as plain data."""
    board = position.game.board
    steps = [
        {
            "guess": board.guesses[guess],
            "responses": [None if r is None else board.responses[r] for r in given],
        }
        for guess, given in position.history
    ]
    boards = [
        {
            "candidates": len(one.candidates),
            "secrets": [board.secrets[s] for s in one.candidates[:SOME].tolist()],
            "solved": one.solved or None,
        }
        for one in position.boards
    ]
    return {"game": position.game.spec, "steps": steps, "boards": boards, "finished": position.finished}


def advice_data(position: BoardsPosition, advice: BoardsAdvice) -> dict[str, Any]:
    """Return advice as plain data."""
    bounds = position.bounds
    best = [
        {"guess": one.label, "bits": one.bits, "hits": one.hits, "parts": list(one.parts)}
        for one in advice.best
    ]
    upper = None if bounds.upper is None else float(bounds.upper)
    return {"best": best, "lower": float(bounds.lower), "upper": upper, "proven": advice.proven}
