"""How a game was played, as a table at its end."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf

import click

from guesstree.engine.exact import exact_text, rounded_text
from guesstree.engine.game import Game
from guesstree.engine.notation import Look, plural, plurals
from guesstree.engine.support import EXACT
from guesstree.present.review import Move, Review, Rival, Worth
from guesstree.trees.export.labels import plain

from ..tools.screen import aligned, screen_width, wrapped

UNITS = {"entropy": "bits", "information-per-cost": "bits/cost", "volume": "volume"}
"""What the figures of one-step methods are."""


def reviewed(game: Game, review: Review) -> Iterator[str]:
    """Yield lines that say what each guess gave away, and what others would have needed."""
    look = game.look
    if review.moves:
        heading = (look.guess, "left", "gave away", "better", "value", "best value")
        rows = [_row(number, move, look) for number, move in enumerate(review.moves, 1)]
        yield f"what each {look.guess} gave away:"
        yield aligned([(f"   {heading[0]}", *heading[1:]), *rows])
        yield from wrapped(_meaning(game, review), screen_width())
    for rival in review.rivals:
        yield from wrapped(_rival_text(game, rival), screen_width())


def show_review(game: Game, review: Review | None) -> None:
    """Print how a game was played, where that is known."""
    if review is not None:
        click.echo("\n".join(reviewed(game, review)))


def _row(number: int, move: Move, look: Look) -> tuple[str, ...]:
    unit = "" if move.by == EXACT else f" {UNITS[move.by]}"
    lost = f"{_short(move.lost)}{unit}" if move.lost else "-"
    if isinf(move.lost):
        lost = f"a free {look.guess}"
    better, figures = plain(move.better) or "-", (_short(move.worth), _short(move.best))
    return f"{number}  {plain(move.guess)}", str(move.after), lost, better, *figures


def _short(value: Worth) -> str:
    """Return a figure with at most four decimals; what costs nothing tells infinitely much for its cost."""
    if isinf(value):
        return "free"
    text = f"{float(value):.4f}"
    return text.rstrip("0").rstrip(".")


def _meaning(game: Game, review: Review) -> str:
    """Return in words what the figures are, and what was given away in all where it adds up."""
    noun, cost = plurals(game.look.guess), game.look.cost
    counted = noun if not game.facts.priced and not game.facts.noisy else cost
    said = f"value: the {counted} {_how(game, 'expected', 'at worst')} from there on, then playing best"
    exact = [move for move in review.moves if move.by == EXACT]
    if len(exact) == len(review.moves):
        lost = sum(move.lost for move in exact)
        return f"{said}; {_short(lost) if lost else 'nothing'} given away in all, the rest was luck"
    others = sorted({f"{UNITS[move.by]} by {move.by}" for move in review.moves if move.by != EXACT})
    figures = f"{', '.join(others)}, one step ahead"
    return f"{said}; elsewhere {figures}" if exact else f"value: {figures}"


def _how(game: Game, expected: str, worst: str) -> str:
    """Return the words that fit what figures of a game are."""
    return worst if game.model is not None and game.model.objective == "worst" else expected


def _rival_text(game: Game, rival: Rival) -> str:
    """Return what another strategy would have needed."""
    name = "the optimum" if rival.method == EXACT else f"{rival.method}, the best one-step method tried,"
    guesses = plural(rival.guesses, game.look.guess)
    if rival.average is None:
        return f"{rival.method}, one step ahead, needs {guesses} here"
    average = f"{rounded_text(rival.average)} {_how(game, 'on average', 'at worst')}"
    if not game.facts.priced and not game.facts.noisy:
        return f"{name} needs {guesses} here, {average}"
    return f"{name} takes {game.look.paid(exact_text(rival.paid))} here, with {guesses}; {average}"
