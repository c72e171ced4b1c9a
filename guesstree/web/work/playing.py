"""Games that the machine hides a secret in: what is kept of one, what a page shows, and what a move does.

What is kept is plain data: the secret follows from the seed, and what a page is shown has neither of them
before the end.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from guesstree.api.codemaker import Hidden, used_up
from guesstree.engine.advice.evidence import Evidence
from guesstree.engine.advice.position import paid_on, require_new
from guesstree.engine.advice.turns import guess_typed
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.notation import Look, plural
from guesstree.engine.rules import Step
from guesstree.present.boards import boards_of
from guesstree.present.turns import Turn, help_text, turns_of
from guesstree.web.work.boards import (
    MOST_TURNS,
    BestGuess,
    GuessEntry,
    about,
    best_guesses,
    guess_entry,
    labelled,
    left_words,
    may_err,
    position_at,
    require_playable,
)
from guesstree.web.work.noisy_advice import NoisyAdvice, advisor_at, evidence_at, evidence_rows, noisy_advice
from guesstree.web.work.several import (
    Several,
    is_several,
    move_several,
    require_several,
    several_shown,
    words_about,
)
from guesstree.web.work.solve_form import counted, title_of
from guesstree.web.work.uploads import game_at

MOST_HINTS, MOST_SHOWN = 3, 20
GIVEN_UP, DECIDED = "given up", "decided"


@dataclass(frozen=True)
class Hint:
    """What is known, with some secrets that fit and how many more do, and the best guesses."""

    left: str
    some: tuple[str, ...]
    more: int
    best: tuple[BestGuess, ...]


@dataclass(frozen=True)
class Playing:
    """What a page shows of a game that the machine hides a secret in.

    Attributes
    ----------
    turn: how many turns there were.
    left: what may still be paid, in words; empty where nothing says so.
    outcome: how it ended, in words; empty: it goes on.
    secret: empty before the end.
    hint: where one was asked for; `noisy_advice` instead where tests may err.
    why: why there is no hint.
    decisions: what may be decided at any time.
    """

    spec: str
    name: str
    about: str
    look: Look
    lies: int
    turns: tuple[Turn, ...]
    pattern: str
    entry: GuessEntry | None
    left: str = ""
    outcome: str = ""
    won: bool = False
    secret: str = ""
    hint: Hint | None = None
    noisy_advice: NoisyAdvice | None = None
    why: str = ""
    decisions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choices:
    """What may be chosen before a game begins."""

    spec: str
    name: str
    look: Look
    about: str
    notes: tuple[str, ...]
    wins: bool  # whether a guess may win
    errs: bool  # whether tests may
    lies: bool  # whether responses may be false


def beginning(store: Path, spec: str) -> Choices:
    """Return what may be chosen; raise GuesstreeError for a game that cannot be played."""
    game = game_at(store, spec)
    if game.facts.boards > 1:
        several = boards_of(game)
        require_several(several, "", 0)
        look, told = several.board.look, words_about(several)
        return Choices(spec, title_of(game), look, told, tuple(game.notes), False, False, False)
    require_playable(game, "", 0)
    wins = game.facts.winnable
    errs, lies = game.facts.noisy, may_err(game, "", 1)
    return Choices(spec, title_of(game), game.look, about(game), tuple(game.notes), wins, errs, lies)


def begin(store: Path, spec: str, goal: str, lies: int) -> dict[str, Any]:
    """Return what is kept of a new game."""
    game = game_at(store, spec)
    if game.facts.boards > 1:
        require_several(boards_of(game), goal, lies)
    else:
        require_playable(game, goal, lies)
    state = {
        "game": spec,
        "goal": goal,
        "lies": lies,
        "seed": random.SystemRandom().randrange(1 << 32),
        "steps": [],
        "hint": False,
        "hints": 0,
        "undone": 0,
        "ended": "",
        "decision": "",
    }
    any_shown(store, state)  # refused here when it cannot be
    return state


@lru_cache(32)
def hidden_at(store: Path, spec: str, seed: int, goal: str, lies: int) -> Hidden:
    """Return what a game hides."""
    return Hidden(game_at(store, spec), seed, goal=goal or None, lies=lies)


class _Table:
    """A game that goes on, with what is known of it where that needs no search."""

    def __init__(self, store: Path, state: Mapping[str, Any]) -> None:
        self.store, self.state = store, state
        self.spec, self.goal, self.lies = state["game"], state["goal"], state["lies"]
        self.game = game_at(store, self.spec)
        self.look = self.game.look
        self.hidden = hidden_at(store, self.spec, state["seed"], self.goal, self.lies)
        self.history: tuple[Step, ...] = tuple((g, r) for g, r in state["steps"])
        self.wins = self.game.facts.winnable and self.goal != "identify" and not self.game.facts.noisy

    @property
    def evidence(self) -> Evidence:
        """What is known where tests may err."""
        return evidence_at(self.store, self.spec, self.history)

    @property
    def paid(self) -> int:
        """What was paid, in units of cost, where each response has its cost."""
        return paid_on(self.game, self.history)

    @property
    def lost(self) -> bool:
        """Whether more was paid than the game allows, or all guesses that it has are used."""
        over = self.game.budget is not None and self.paid > self.game.budget
        return over or (used_up(self.game, self.history, self.lies) and not self.finished)

    def positions(self) -> list[Any]:
        """Return the position after each number of turns."""
        steps = self.history
        return [
            position_at(self.store, self.spec, steps[:n], self.goal, self.lies) for n in range(len(steps) + 1)
        ]

    @property
    def finished(self) -> bool:
        """Whether it was won, or the secret is known where that is the goal."""
        if self.game.facts.noisy:
            return self.evidence.finished
        if self.wins:
            return bool(self.history) and self.history[-1][1] == self.game.winning
        return bool(self.positions()[-1].finished)

    @property
    def over(self) -> bool:
        """Whether nothing is to be done any more."""
        return bool(self.state["ended"]) or self.lost or self.finished


def move(store: Path, state: Mapping[str, Any], do: str, given: str) -> dict[str, Any]:
    """Return what is kept after a move: ``guess``, ``hint``, ``undo``, ``decide`` or ``give up``.

    `given` is what was typed: the guess, the decision, or from which turn on it is taken back.
    """
    if is_several(store, state["game"]):
        return move_several(store, state, do, given)
    table, after = _Table(store, state), dict(state)
    if table.over and do != "undo":
        raise GuesstreeError("this game is over; begin another")
    if do == "guess":
        guess = _guess(table, given)
        after |= {
            "steps": [*state["steps"], [guess, table.hidden.answer(table.history, guess)]],
            "hint": False,
        }
        _Table(store, after).finished  # noqa: B018 - refused here when it may not be asked
    elif do == "hint":
        after |= {"hint": True, "hints": state["hints"] + (not state["hint"])}
    elif do == "undo":
        steps = state["steps"]
        number = int(given) if given.isdecimal() and len(given) < 6 else len(steps)
        if state["ended"] or table.lost or table.finished or not 1 <= number <= len(steps):
            raise GuesstreeError("there is nothing to take back")
        after |= {"steps": steps[: number - 1], "undone": state["undone"] + len(steps) - number + 1}
        after["hint"] = False
    elif do == "decide" and table.game.facts.noisy:
        after |= {"ended": DECIDED, "decision": table.game.decisions[table.evidence.read_decision(given)]}
    elif do == "give up":
        after |= {"ended": GIVEN_UP}
    else:
        raise GuesstreeError("no such move; expected a guess, a hint, to take back, or to give up")
    return after


def _guess(table: _Table, text: str) -> int:
    game = table.game
    if not text.strip():
        raise GuesstreeError(game.look.named("no guess was entered"))
    if len(table.history) >= MOST_TURNS:
        raise GuesstreeError(f"{MOST_TURNS} turns are the most here")
    guess = guess_typed(game, text.strip())
    if game.facts.noisy:
        table.evidence.require_askable(guess)
        return guess
    require_new(game, table.history, guess, table.lies)
    if why := game.refused(table.history, guess):
        raise GuesstreeError(f"{game.guesses[guess]!r} is not allowed after these responses: {why}")
    return guess


def any_shown(store: Path, state: Mapping[str, Any]) -> Playing | Several:
    """Return the same as `playing_shown`; of several boards `several.several_shown`."""
    return (several_shown if is_several(store, state["game"]) else playing_shown)(store, state)


def playing_shown(store: Path, state: Mapping[str, Any]) -> Playing:
    """Return what a page shows of a game."""
    table = _Table(store, state)
    game, look = table.game, table.look
    steps = labelled(game, table.history)
    if game.facts.noisy:
        turns, positions = evidence_rows(store, table.spec, table.history), []
    else:
        positions = [] if table.wins else table.positions()
        turns = turns_of(game, table.history, positions)
    shown = Playing(
        table.spec,
        title_of(game),
        about(game),
        look,
        table.lies,
        tuple(turns),
        positions[-1].pattern() if positions else "",
        None,
    )
    if table.over:
        return _ended(table, shown)
    if game.budget is not None:
        shown = replace(shown, left=f"{_price(table, game.budget - table.paid)} left")
    elif game.tries is not None and not table.lies:
        shown = replace(shown, left=f"{plural(game.tries - len(steps), look.guess)} left")
    entry = guess_entry(store, game, steps, lies=table.lies)
    decisions = tuple(game.decisions) if game.facts.noisy else ()
    shown = replace(shown, entry=entry, decisions=decisions)
    return _hinted(table, shown) if state["hint"] else shown


def _hinted(table: _Table, shown: Playing) -> Playing:
    """Return what is shown with a hint, or why there is none."""
    if table.game.facts.noisy:
        return replace(shown, noisy_advice=noisy_advice(table.store, table.spec, table.history))
    try:
        where = (table.store, table.spec, table.history, table.goal, table.lies)
        candidates = position_at(*where).candidates
        best = best_guesses(*where)[:MOST_HINTS]
    except GuesstreeError as error:
        return replace(shown, why=str(error))
    some = tuple(table.game.secrets[int(s)] for s in candidates[:MOST_SHOWN])
    hint = Hint(left_words(table.game, len(candidates)), some, len(candidates) - len(some), best)
    return replace(shown, hint=hint)


def _ended(table: _Table, shown: Playing) -> Playing:
    """Return what is shown at the end: how it ended, and the secret."""
    game, look = table.game, table.look
    secret, took = game.secrets[table.hidden.secret], plural(len(table.history), look.guess)
    ended = table.state["ended"]
    by = help_text(table.state["hints"], table.state["undone"])
    won = table.finished and not ended
    if ended == GIVEN_UP:
        outcome = f"Given up after {took}{by}."
    elif ended == DECIDED:
        outcome = f"Decided after {took}{by}: {table.state['decision']}. {_taken(table)}"
    elif table.lost and game.budget is None:
        outcome = f"Lost after {took}{by}."
    elif table.lost:
        assert game.budget is not None
        outcome = f"Lost: {_price(table, table.paid)}, {game.cost_text(game.budget)} allowed{by}."
    elif game.facts.noisy:
        outcome = f"It ended after {took}{by}. {_taken(table)}"
    elif table.wins:
        outcome = f"You found it in {took}{by}."
    else:
        paid = f", {_price(table, table.paid)}" if game.facts.priced else ""
        outcome = f"Only one {look.secret} is left: known after {took}{paid}{by}."
    if table.lies:
        false = table.hidden.false(table.history)
        outcome += f" False: response {', '.join(map(str, false))}." if false else " No response was false."
    return replace(shown, outcome=outcome, won=won, secret=secret)


def _price(table: _Table, units: int) -> str:
    """Return what was paid where each response has its cost."""
    return paid_words(table.look, table.game.cost_text(units))


def paid_words(look: Look, cost: str) -> str:
    """Return a cost in words: ``5 minutes``, ``a price of 5``; misses, where responses are places."""
    if look.answers == "places":
        return f"{cost} {'miss' if cost == '1' else 'misses'}"
    return look.paid(cost) if counted(look.cost) else f"a {look.cost} of {cost}"


def _taken(table: _Table) -> str:
    """Return what was paid and lost where tests may err."""
    advisor = advisor_at(table.store, table.spec)
    paid = paid_words(table.look, advisor.cost(table.evidence.paid))
    if table.state["ended"] != DECIDED:
        return f"It took {paid}."
    decision = list(table.game.decisions).index(table.state["decision"])
    return f"It took {paid}, and the decision lost {advisor.cost(table.hidden.loss(decision))}."
