"""What pages show of a game: its turns, and how its guesses and responses are entered.

All is decided by the `Look` and by how much there is, never by the name of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite
from pathlib import Path

import numpy as np

from guesstree.api.advisor import Advisor, proven_words
from guesstree.engine.advice.position import Position, Valued, step_labels
from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.notation import ABSENT, ELSEWHERE, MISS, PLACE, Look, capital, plural, plurals
from guesstree.engine.objective import EXPECTED, WORST
from guesstree.engine.problem import number_of_secrets
from guesstree.engine.rules import Step
from guesstree.engine.support import Request, require
from guesstree.present.advice import advice_of
from guesstree.present.noisy_advice import require_exact
from guesstree.web.work.uploads import game_at

MOST_POSITIONS = 32
"""Positions that a process keeps, the last used ones."""
MOST_ADVICE = 1000
MOST_BEST = 5
"""Guesses that are advised."""
MOST_LETTERS, LETTER = 64, 2
"""Guesses that each have a button, where their labels are this short."""
MOST_TESTS = 400
"""Guesses that stand in a list; of more, so many are suggested where they are typed."""
MOST_BUTTONS = 80
"""Responses that each have a button."""
MOST_TURNS = 300
MOST_SECRETS = 1 << 22
"""Of a game that is played: their labels are listed."""
IN_A_ROW = 10
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


@dataclass(frozen=True)
class GuessRow:
    """A guess in a list: what it costs, its answers, and why it may not be asked now."""

    label: str
    cost: str
    answers: tuple[str, ...]
    refused: str = ""


@dataclass(frozen=True)
class GuessEntry:
    """How a guess is entered.

    Attributes
    ----------
    kind: ``code``, put together from symbols; ``letters``, a button each; ``cells`` of a board; ``list``, to
        choose from; ``text``.
    size: of codes, how many symbols.
    keys: of codes, the symbols in rows, each with what is known of it: a mark, or nothing.
    labels: of letters, all; of text, some that are suggested.
    rows: of a list.
    asked: the labels that were asked, and need not be again.
    hits: those of them that the secret has.
    cells: of a board, by rows, each with the response to it, or nothing.
    """

    kind: str
    size: int = 0
    keys: tuple[tuple[tuple[str, str], ...], ...] = ()
    labels: tuple[str, ...] = ()
    rows: tuple[GuessRow, ...] = ()
    asked: tuple[str, ...] = ()
    hits: tuple[str, ...] = ()
    cells: tuple[tuple[tuple[str, str], ...], ...] = ()


@dataclass(frozen=True)
class ResponseEntry:
    """How the response to a guess is entered.

    Attributes
    ----------
    kind: ``marks``, a tile each; ``places`` of a pattern; ``buttons``; or ``text``.
    guess: that it answers.
    labels: the responses that it may get, with how many candidates each leaves; of text, some.
    unknown: what says that it is not known; empty: nothing does.
    pattern: what is shown of the secret, with ``_`` and ``|``.
    """

    kind: str
    guess: str
    labels: tuple[tuple[str, str], ...] = ()
    unknown: str = ""
    pattern: str = ""


def _position(store: Path, spec: str, history: tuple[Step, ...], goal: str, lies: int) -> Position:
    if not history:
        return Position(game_at(store, spec), goal=goal or None, lies=lies)
    return position_at(store, spec, history[:-1], goal, lies).after(*history[-1])


@lru_cache(MOST_POSITIONS)
def position_at(store: Path, spec: str, history: tuple[Step, ...], goal: str, lies: int) -> Position:
    """Return a position of a game; raise GuesstreeError as its constructor does."""
    return _position(store, spec, history, goal, lies)


def require_playable(game: Game, goal: str, lies: int) -> None:
    """Raise GuesstreeError for what cannot be played or advised on."""
    many = number_of_secrets(game)
    if many > MOST_SECRETS:
        what = plurals(game.look.secret)
        raise GameError(f"{game.spec}: {many} {what}; pages play with at most {MOST_SECRETS}")
    if game.facts.noisy:
        require_exact(game, method=None, goal=goal, lies=lies)
    else:
        require(Request(game, (WORST if lies else EXPECTED).name, goal=goal, lies=lies, advice=True))


def may_err(game: Game, goal: str, lies: int) -> bool:
    """Return whether so many responses may be false there."""
    with suppress(GuesstreeError):
        require_playable(game, goal, lies)
        return not game.facts.noisy
    return False


# -- turns --------------------------------------------------------------------------------------------------


def labelled(game: Game, history: Iterable[Step]) -> list[tuple[str, str]]:
    """Return guesses and responses by label."""
    return [step_labels(game, step) for step in history]


def symbol_marks(look: Look, steps: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what is known of each symbol where responses are marks: the best mark that it had."""
    best: dict[str, str] = {}
    if look.answers == "marks":
        order = ABSENT + ELSEWHERE + PLACE
        for guess, response in steps:
            for symbol, mark in zip(guess, response, strict=True):
                if symbol not in best or order.index(mark) > order.index(best[symbol]):
                    best[symbol] = mark
    return best


# -- entries ------------------------------------------------------------------------------------------------


def guess_entry(store: Path, game: Game, steps: Sequence[tuple[str, str]], *, lies: int = 0) -> GuessEntry:
    """Return how the next guess is entered."""
    look = game.look
    asked = () if lies else tuple(dict.fromkeys(guess for guess, _ in steps))
    if look.codes != "text":
        known = {} if lies else symbol_marks(look, steps)
        keys = tuple(tuple((key, known.get(key, "")) for key in row) for row in key_rows(look))
        return GuessEntry("code", len(game.guesses[0]), keys, asked=asked)
    if look.cells:
        return GuessEntry("cells", asked=asked, cells=tuple(map(tuple, look.marked_board(steps))))
    if len(game.guesses) > MOST_TESTS:
        return GuessEntry("text", labels=tuple(game.guesses[:MOST_TESTS]), asked=asked)
    if len(game.guesses) <= MOST_LETTERS and look.answers == "places":
        hits = tuple(guess for guess, response in steps if response != MISS)
        return GuessEntry("letters", labels=tuple(game.guesses), asked=asked, hits=hits)
    return GuessEntry("list", rows=guess_rows(store, game.spec), asked=asked)


def key_rows(look: Look) -> list[str]:
    """Return the symbols in the rows of a keyboard: letters where hands expect them, else in their order."""
    letters = look.symbols.lower()
    if look.codes == "tiles" and letters.isalpha() and letters.isascii():
        own = {symbol.lower(): symbol for symbol in look.symbols}
        return ["".join(own[key] for key in row if key in own) for row in _KEYBOARD]
    return [look.symbols[i : i + IN_A_ROW] for i in range(0, len(look.symbols), IN_A_ROW)]


@lru_cache(8)
def guess_rows(store: Path, spec: str) -> tuple[GuessRow, ...]:
    """Return all guesses with what they cost and answer."""
    game = game_at(store, spec)
    return tuple(
        GuessRow(label, guess_cost(game, guess), tuple(answer_labels(game, guess)))
        for guess, label in enumerate(game.guesses)
    )


def guess_cost(game: Game, guess: int) -> str:
    """Return what a guess costs, with its word; empty where guesses have no costs."""
    if game.model is not None:
        return game.look.paid(game.cost_text(game.model.prices[guess]))
    if game.costs is None:
        return ""
    own = sorted({int(game.costs[guess, answer]) for answer in game.answers(guess)})
    least, most = game.cost_text(own[0]), game.cost_text(own[-1])
    return game.look.paid(least if least == most else f"{least} to {most}")


def answer_labels(game: Game, guess: int) -> list[str]:
    """Return the responses that a guess may get."""
    return [game.responses[answer] for answer in game.answers(guess)]


def response_entry(position: Position, guess: int) -> ResponseEntry:
    """Return how the response to a guess is entered."""
    game, label = position.game, position.game.guesses[guess]
    if game.look.answers == "marks":
        return ResponseEntry("marks", label)
    row = position.problem.told_row(guess, position.candidates)
    left = dict(zip(*(array.tolist() for array in np.unique(row, return_counts=True)), strict=True))
    if game.look.answers == "places" and (shown := position.pattern()) and len(label) == 1:
        return ResponseEntry("places", label, pattern=shown)
    own = answer_labels(game, guess)
    some = own if len(own) <= MOST_BUTTONS else [game.responses[r] for r in left][:MOST_TESTS]
    counts = ((one, left_text(left.get(game.responses.index(one), 0), position.lies)) for one in some)
    unknown = game.not_known(guess) if game.look.plain else ""
    return ResponseEntry("buttons" if len(own) <= MOST_BUTTONS else "text", label, tuple(counts), unknown)


def left_text(many: int, lies: int) -> str:
    """Return in words how many candidates a response leaves; with lies that is not so simple."""
    return "" if lies else f"{many} left" if many else "none left"


# -- what guesses tell --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BestGuess:
    """A guess that is advised, with its figures as texts, and in words what it tells."""

    label: str
    candidate: bool
    words: str
    figures: tuple[str, ...]


def headings(position: Position) -> list[tuple[str, str]]:
    """Return the figures of guesses: the heading of each, and what it means."""
    look = position.game.look
    parts = ("Parts", "how many different responses it may get: the more, the better")
    most = ("Most left", "how many candidates are left at worst")
    if position.lies:
        return [parts, most]
    found = [parts, most, ("Average", "how many candidates are left on average")]
    if position.game.facts.priced:
        cost = capital(look.cost)
        return [(cost, f"the {look.cost} on average"), *found, ("Bits per cost", _BITS)]
    return [*found, ("Bits", _BITS), *([("To come", look.named(_TO_COME))] if position.counted else [])]


_BITS = "what the response tells: each bit halves the candidates, as it were"
_TO_COME = (
    "how many guesses come after it on average, estimated (with the best strategy, where that is proven)"
)


@lru_cache(MOST_ADVICE)
def best_guesses(
    store: Path, spec: str, history: tuple[Step, ...], goal: str, lies: int
) -> tuple[BestGuess, ...]:
    """Return the best guesses of a position; raise GuesstreeError where none tells anything."""
    # A position that is not kept: what it remembers of thousands of guesses would be.
    position = _position(store, spec, history, goal, lies)
    advice = advice_of(Advisor(position.game, lies=lies), position, MOST_BEST)
    found = [_best_guess(position, one) for one in advice.best]
    if advice.proven is not None:
        found[0] = replace(found[0], words=f"needs {proven_words(position, advice.proven)}, as is proven")
    return tuple(found)


def _best_guess(position: Position, valued: Valued) -> BestGuess:
    """Return what is said of a guess."""
    parts, most = str(valued.parts), str(valued.most if position.lies else valued.max_part)
    figures = [parts, most]
    if not position.lies:
        mean = float(valued.expected_size)
        figures.append(f"{mean:.2f}" if mean < 100 else f"{mean:.0f}")
        bits = valued.figure("information-per-cost") if valued.paid else valued.entropy
        figures.append(f"{bits:.2f}" if isfinite(bits) else "free")
        if position.game.facts.priced:
            figures.insert(0, f"{valued.figure('least-cost'):.4g}")
        if valued.to_come is not None:
            proven = "" if valued.optimum is None else f" ({float(valued.optimum):.2f})"
            figures.append(f"{valued.to_come:.2f}{proven}")
    label = position.game.guesses[valued.guess]
    return BestGuess(label, valued.candidate, reason(position, valued), tuple(figures))


def reason(position: Position, valued: Valued) -> str:
    """Return in words why a guess is good."""
    look, many = position.game.look, len(position.candidates)
    if many == 1:
        return f"it is the only {look.secret} left"
    candidates = plural(many, look.secret)
    if position.lies:
        text = f"gets one of {plural(valued.parts, 'response')}, at most {valued.most} of {candidates} stay"
    elif valued.parts == many:
        text = f"tells {'both' if many == 2 else f'all {many}'} {plurals(look.secret)} apart"
    else:
        text = f"splits {candidates} into {valued.parts} parts, at most {valued.max_part} left"
    if position.game.facts.priced:
        cost = f"{valued.figure('least-cost'):.4g}"
        text += f", {look.paid(cost)} on average"
    return f"{text}, and it may be the {look.secret} itself" if valued.candidate else text


def left_words(game: Game, many: int) -> str:
    """Return how many secrets fit what is known."""
    return f"{plural(many, game.look.secret)} {'fits' if many == 1 else 'fit'}"


def about(game: Game) -> str:
    """Return in words what may be hidden."""
    return plural(len(game.secrets), game.look.secret)
