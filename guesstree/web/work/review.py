"""How a game against the machine was played, in words: beside the best strategy, and move by move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isinf
from pathlib import Path
from typing import Any

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.exact import Number
from guesstree.engine.game import Game
from guesstree.engine.notation import plural, plurals
from guesstree.engine.onestep.valuations import COST_VALUATIONS
from guesstree.engine.rules import Step
from guesstree.engine.support import EXACT
from guesstree.present.review import Move, Review, Rival, review, review_elsewhere
from guesstree.web.work.noisy_advice import evidence_at
from guesstree.web.work.playing import GIVEN_UP, hidden_at, paid_words, playing_shown
from guesstree.web.work.uploads import game_at


@dataclass(frozen=True)
class ReviewShown:
    """How a game was played, in words.

    Attributes
    ----------
    rivals: who needs what, first you, if others are known: name, guesses and what they cost, `usual`.
    usual: what the last of these is: on average, or at worst.
    moves: for each turn the guess, candidates before and after, what it gave away, and what was better.
    """

    rivals: tuple[tuple[str, str, str], ...]
    usual: str
    moves: tuple[tuple[str, str, str, str], ...]


def played_reviewed(store: Path, state: Mapping[str, Any]) -> ReviewShown:
    """Return how a game was played; raise GuesstreeError for one that goes on, or is too large."""
    if not playing_shown(store, state).outcome:
        raise GuesstreeError("this game is not over yet")
    history = tuple((guess, response) for guess, response in state["steps"])
    kept = (state["game"], state["seed"], state["goal"], state["lies"])
    return _judge(store, *kept, history, state["decision"], state["ended"] == GIVEN_UP)


@lru_cache(64)
def _judge(
    store: Path,
    spec: str,
    seed: int,
    goal: str,
    lies: int,
    history: tuple[Step, ...],
    decision: str,
    given_up: bool,
) -> ReviewShown:
    hidden = hidden_at(store, spec, seed, goal, lies)
    game, decided = hidden.game, list(hidden.game.decisions).index(decision) if decision else None
    found = review(hidden, history, decision=decided)
    lost = 0 if decided is None or not game.facts.noisy else hidden.loss(decided)
    return _in_words(store, spec, game, history, found, lost, given_up)


@lru_cache(64)
def elsewhere_reviewed(
    store: Path, spec: str, goal: str, lies: int, history: tuple[Step, ...]
) -> ReviewShown | None:
    """Return how a game was played elsewhere; None where that is not known."""
    game = game_at(store, spec)
    found = review_elsewhere(game, history, goal=goal or None, lies=lies)
    return None if found is None else _in_words(store, spec, game, history, found)


def _in_words(
    store: Path,
    spec: str,
    game: Game,
    history: tuple[Step, ...],
    found: Review,
    lost: Number = 0,
    given_up: bool = False,
) -> ReviewShown:
    """Return a review in words."""
    you = plural(len(history), game.look.guess)
    if game.facts.priced or game.facts.noisy:
        you += f", {paid_words(game.look, as_text(_paid(store, spec, game, history, lost)))}"
    rivals = [
        ("You", f"{you}, given up" if given_up else you, "–"),
        *(_rival(game, one) for one in found.rivals),
    ]
    moves = (
        (
            move.guess,
            f"{move.before} → {move.after}" if move.before > 1 else "",
            gave_away(game, move),
            move.better,
        )
        for move in found.moves
    )
    return ReviewShown(tuple(rivals) if found.rivals else (), _usual(game), tuple(moves))


def _paid(store: Path, spec: str, game: Game, history: tuple[Step, ...], lost: Number) -> Fraction:
    """Return what was paid, and lost by the decision."""
    if not game.facts.noisy:
        assert game.costs is not None
        return sum(int(game.costs[step]) for step in history) * game.cost_unit
    return Fraction(evidence_at(store, spec, history).paid + lost) * game.cost_unit


def _rival(game: Game, rival: Rival) -> tuple[str, str, str]:
    name = f"{'A' if rival.average is None else 'The best'} simple rule ({rival.method})"
    took = plural(rival.guesses, game.look.guess)
    if game.facts.priced or game.facts.noisy:
        took += f", {paid_words(game.look, as_text(rival.paid))}"
    average = "–" if rival.average is None else as_text(rival.average)
    return "The best strategy there is" if rival.method == EXACT else name, took, average


def _usual(game: Game) -> str:
    return "at worst" if game.model is not None and game.model.objective == "worst" else "on average"


def gave_away(game: Game, move: Move) -> str:
    """Return in words what a guess gave away."""
    if not move.lost:
        return "gave nothing away: as good as any"
    if move.by == EXACT:
        priced = game.facts.priced or game.facts.noisy
        lost = f"{float(move.lost):.2f}" if move.lost >= 0.01 else "less than 0.01"
        return f"gave away {lost} {game.look.cost if priced else plurals(game.look.guess)} {_usual(game)}"
    if move.by == "volume":
        return f"left {as_text(move.worth / move.best)} times as much open as the best"
    if isinf(move.lost):
        return f"might have cost something, which {move.better} did not"
    per = " for what it costs" if move.by in COST_VALUATIONS else ""
    return f"told {as_text(move.worth)} bits{per}; the best tells {as_text(move.best)}"


def as_text(value: Fraction | float) -> str:
    """Return a figure rounded for reading."""
    return f"{float(value):.4g}"
