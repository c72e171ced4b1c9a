"""Several boards side by side: a game that the machine hides the secrets of, and advice on one elsewhere."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from guesstree.engine.advice.boards import BoardsPosition, Turn, answers, draw
from guesstree.engine.boards import BoardsGame
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.notation import Look, plural
from guesstree.present.boards import BoardSeen, boards_advice, boards_of, boards_seen, ended, reason
from guesstree.present.turns import help_text
from guesstree.web.work.advising import Advice, RealBoard, advise
from guesstree.web.work.boards import MOST_POSITIONS, MOST_SECRETS, MOST_TURNS, GuessEntry, about, guess_entry
from guesstree.web.work.solve_form import title_of
from guesstree.web.work.uploads import game_at

SECONDS = 2.0
"""So long it is looked for what is proven."""
GIVEN_UP = "given up"


@dataclass(frozen=True)
class Suggestion:
    """A guess that is advised, and in words why."""

    label: str
    words: str


@dataclass(frozen=True)
class Several:
    """What a page shows of several boards.

    Attributes
    ----------
    request: what was asked, where all that is known is in the address.
    guesses: those that were asked.
    boards: the boards, side by side.
    entry: how the next guess is entered.
    asked: the guess whose responses are missing, of the boards `missing`; empty: none.
    typed: what was typed for them.
    changed: whether the address is to be another one.
    fault: what is wrong with what was typed.
    to_come, best: what to ask, where that is shown.
    left: how many guesses may still be asked, in words.
    outcome: how it ended; empty: it goes on.
    secrets: those of the boards, at the end.
    """

    spec: str
    name: str
    about: str
    look: Look
    guesses: tuple[str, ...]
    boards: tuple[BoardSeen, ...]
    request: RealBoard | None = None
    entry: GuessEntry | None = None
    asked: str = ""
    missing: tuple[int, ...] = ()
    typed: tuple[str, ...] = ()
    changed: bool = False
    fault: str = ""
    to_come: str = ""
    best: tuple[Suggestion, ...] = ()
    left: str = ""
    outcome: str = ""
    secrets: tuple[str, ...] = ()
    lies: int = 0


def is_several(store: Path, spec: str) -> bool:
    """Return whether guesses of a game are answered on several boards."""
    return game_at(store, spec).facts.boards > 1


def require_several(game: BoardsGame, goal: str, lies: int) -> None:
    """Raise GuesstreeError for what cannot be played or advised on."""
    many = game.problem.secrets
    if many > MOST_SECRETS:
        raise GuesstreeError(
            f"{game.spec}: {many} secrets on each board; pages play with at most {MOST_SECRETS}"
        )
    if lies or goal not in ("", "identify"):
        raise GuesstreeError(f"{game.spec}: all boards are to be solved, with true responses")


def words_about(game: BoardsGame) -> str:
    """Return in words what may be hidden."""
    return f"{game.boards} boards, each with another one of {about(game.board)}"


@lru_cache(MOST_POSITIONS)
def several_at(store: Path, spec: str, history: tuple[Turn, ...]) -> BoardsPosition:
    """Return a position; raise GuesstreeError as its constructor does."""
    if not history:
        return BoardsPosition(boards_of(game_at(store, spec)))
    return several_at(store, spec, history[:-1]).after(*history[-1])


def _seen(position: BoardsPosition, spec: str) -> Several:
    game = position.game
    return Several(
        spec,
        title_of(game),
        words_about(game),
        game.board.look,
        tuple(game.guesses[guess] for guess, _ in position.history),
        tuple(boards_seen(position)),
    )


def _advised(position: BoardsPosition, seen: Several) -> Several:
    """Return what is shown with advice."""
    advice = boards_advice(position, SECONDS)
    best = tuple(Suggestion(one.label, reason(position, one)) for one in advice.best)
    return replace(seen, to_come=advice.to_come, best=best)


# -- the machine hides -------------------------------------------------------------------------------------


@lru_cache(32)
def _hidden(store: Path, spec: str, seed: int) -> tuple[int, ...]:
    return draw(boards_of(game_at(store, spec)), random.Random(seed))


def _position(store: Path, state: Mapping[str, Any]) -> BoardsPosition:
    """Return the position of a game; what guesses got follows from the seed."""
    game = boards_of(game_at(store, state["game"]))
    secrets, position = _hidden(store, state["game"], state["seed"]), several_at(store, state["game"], ())
    for guess, _ in state["steps"]:
        told = tuple(answers(game, position, secrets, guess))
        position = several_at(store, state["game"], (*position.history, (guess, told)))
    return position


def move_several(store: Path, state: Mapping[str, Any], do: str, given: str) -> dict[str, Any]:
    """Return what is kept after a move: ``guess``, ``hint``, ``undo`` or ``give up``."""
    position, after, steps = _position(store, state), dict(state), state["steps"]
    if state["ended"] or position.finished or position.lost:
        raise GuesstreeError("this game is over; begin another")
    if do == "guess":
        if not given.strip():
            raise GuesstreeError(position.game.board.look.named("no guess was entered"))
        if len(steps) >= MOST_TURNS:
            raise GuesstreeError(f"{MOST_TURNS} turns are the most here")
        after |= {"steps": [*steps, [position.read_guess(given.strip()), 0]], "hint": False}
    elif do == "hint":
        after |= {"hint": True, "hints": state["hints"] + (not state["hint"])}
    elif do == "undo":
        number = int(given) if given.isdecimal() and len(given) < 6 else len(steps)
        if not 1 <= number <= len(steps):
            raise GuesstreeError("there is nothing to take back")
        after |= {"steps": steps[: number - 1], "undone": state["undone"] + len(steps) - number + 1}
        after["hint"] = False
    elif do == "give up":
        after |= {"ended": GIVEN_UP}
    else:
        raise GuesstreeError("no such move; expected a guess, a hint, to take back, or to give up")
    return after


def several_shown(store: Path, state: Mapping[str, Any]) -> Several:
    """Return what a page shows of a game."""
    position = _position(store, state)
    game, noun = position.game, position.game.board.look.guess
    seen, took = _seen(position, state["game"]), plural(len(position.history), noun)
    by = help_text(state["hints"], state["undone"])
    solved = game.boards - len(position.unsolved)
    if position.finished:
        seen = replace(seen, outcome=f"You solved {ended(position).partition(':')[0]}{by}.")
    elif state["ended"]:
        seen = replace(
            seen, outcome=f"Given up after {took}, with {solved} of {game.boards} boards solved{by}."
        )
    elif position.lost:
        seen = replace(seen, outcome=f"Lost after {took}: {solved} of {game.boards} boards are solved{by}.")
    if seen.outcome:
        hidden = _hidden(store, state["game"], state["seed"])
        return replace(seen, secrets=tuple(game.board.secrets[secret] for secret in hidden))
    if game.tries is not None:
        seen = replace(seen, left=f"{plural(game.tries - len(position.history), noun)} left")
    seen = replace(seen, entry=guess_entry(store, game.board, []))
    return _advised(position, seen) if state["hint"] else seen


# -- played elsewhere --------------------------------------------------------------------------------------


def advise_any(store: Path, board: RealBoard) -> Advice | Several:
    """Return what is known of a game elsewhere: see `advise`, and of several boards `advise_several`."""
    return (advise_several if is_several(store, board.spec) else advise)(store, board)


def advise_several(store: Path, board: RealBoard) -> Several:
    """Return what is known of boards elsewhere and what to ask next, after what the request changes."""
    game = boards_of(game_at(store, board.spec))
    require_several(game, board.goal, board.lies)
    history = tuple(BoardsPosition(game).read_turns(board.history, unquote))
    if len(history) > MOST_TURNS:
        raise GuesstreeError(f"{len(history)} turns; expected at most {MOST_TURNS}")
    if board.drop > len(history) or board.edit:
        raise GuesstreeError(f"turn {board.drop or board.edit} is not there; expected 1 to {len(history)}")
    if board.drop:
        history = history[: board.drop - 1]
    position = several_at(store, board.spec, history)
    asked, typed, fault, changed = "", tuple[str, ...](), "", bool(board.drop)
    try:
        if board.guess:
            guess = position.read_guess(board.guess.strip())
            asked = game.guesses[guess]
            if board.response:
                typed = tuple(board.response.split("|"))
                position = _answered(position, guess, typed)
                changed = True
    except GuesstreeError as error:
        fault = str(error)
    text = ";".join(position.turn_text(turn, _quoted) for turn in position.history)
    left = replace(
        board, history=text, guess="" if changed else asked, response="", drop=0, edit=0, decision=""
    )
    seen = replace(_seen(position, board.spec), request=left, changed=changed, fault=fault)
    if changed:
        return seen
    if position.finished:
        return replace(seen, outcome=f"Solved: {ended(position)}.")
    if asked:
        return replace(seen, asked=asked, missing=tuple(position.unsolved), typed=typed)
    return _advised(position, replace(seen, entry=guess_entry(store, game.board, [])))


def _answered(position: BoardsPosition, guess: int, typed: tuple[str, ...]) -> BoardsPosition:
    """Return the position after the responses that were typed, one for each board that is not solved."""
    missing = position.unsolved
    if len(typed) != len(missing):
        raise GuesstreeError(f"{plural(len(typed), 'response')}; expected {len(missing)}, one for each board")
    told: list[int | None] = [None] * len(position.boards)
    for board, text in zip(missing, typed, strict=True):
        told[board] = position.read_responses(text or " ", guess, [board])[0]
    return position.after(guess, told)


def _quoted(label: str) -> str:
    return re.sub("[%:;|/]", lambda found: f"%{ord(found[0]):02X}", label)
