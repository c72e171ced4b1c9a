"""How a game was played, move by move: what each guess gave away, and what others would have needed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isinf
from time import monotonic
from typing import Any

from guesstree.api.codemaker import Hidden
from guesstree.api.comparison import usual_methods
from guesstree.engine.advice.evidence import Evidence
from guesstree.engine.advice.playing import play_against, position_of
from guesstree.engine.advice.position import Position, Valued, paid_for, usual_method
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.exact import as_plain
from guesstree.engine.game import Game
from guesstree.engine.notation import Look
from guesstree.engine.objective import EXPECTED, WORST
from guesstree.engine.onestep.valuations import COST_VALUATIONS
from guesstree.engine.rules import UNKNOWN, Step
from guesstree.engine.search.solve import solve
from guesstree.engine.solution import Solved, history_key
from guesstree.engine.state import everything
from guesstree.engine.support import EXACT

SECONDS = 1.0
"""So long states are searched; half as long it is tried which one-step method is the best."""
MOST_CELLS = 1 << 22
"""Guesses times candidates of a state that is searched."""
Worth = Fraction | float


@dataclass(frozen=True)
class Move:
    """What was asked in a state, beside the best that might have been.

    Attributes
    ----------
    guess, response: their labels; ``decide NAME`` and None where it was decided.
    before, after: how many candidates there were.
    by: what `worth` and `best` are: with ``exact`` what is expected to be paid from here on, or at most where
        the worst case counts, losses included, when all that follows is best (in guesses, where they have no
        costs); else a figure of this one-step method.
    worth, best: of what was asked, and of the best guess.
    better: the guess that was better, empty where none was.
    """

    guess: str
    response: str | None
    before: int
    after: int
    by: str
    worth: Worth
    best: Worth
    better: str

    @property
    def lost(self) -> Worth:
        """How much worse it was than the best, at least 0; infinite where the best cost nothing."""
        if self.worth == self.best:  # both may be infinite
            return Fraction(0)
        return self.worth - self.best if self.worth > self.best else self.best - self.worth

    def as_data(self) -> dict[str, Any]:
        """Return the move as plain data; what is infinite is None, as JSON has no number for it."""
        figures = {"worth": self.worth, "best": self.best, "lost": self.lost}
        return {
            "guess": self.guess,
            "response": self.response,
            "before": self.before,
            "after": self.after,
            "by": self.by,
            **{name: _as_plain(n) for name, n in figures.items()},
            "better": self.better or None,
        }


def _as_plain(worth: Worth) -> float | int | str | None:
    if isinstance(worth, Fraction):
        return as_plain(worth)
    return None if isinf(worth) else worth


@dataclass(frozen=True)
class Rival:
    """What a strategy would have needed for the same secret.

    Attributes
    ----------
    method: ``exact`` for the optimum, else the name of a one-step method.
    guesses: how many it asks here.
    paid: what they cost here, losses included.
    average: what it is expected to pay, or at most where the worst case counts; None: there was no time to
        find out.
    """

    method: str
    guesses: int
    paid: Fraction
    average: Fraction | None

    def as_data(self) -> dict[str, Any]:
        """Return the rival as plain data."""
        average = None if self.average is None else as_plain(self.average)
        return {
            "method": self.method,
            "guesses": self.guesses,
            "paid": as_plain(self.paid),
            "average": average,
        }


@dataclass(frozen=True)
class Review:
    """The moves of a game, and what the optimum, where it is known, and the best one-step method need."""

    moves: tuple[Move, ...]
    rivals: tuple[Rival, ...]

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "moves": [move.as_data() for move in self.moves],
            "rivals": [rival.as_data() for rival in self.rivals],
        }


def review(
    hidden: Hidden, history: Sequence[Step], *, decision: int | None = None, seconds: float | None = None
) -> Review:
    """Return how a game against a hidden secret was played.

    A state is valued exactly where there is time for it, `seconds` (default: `SECONDS`) for all states
    together, else by a one-step method. Where responses may be false it is that method alone, without rivals.

    Parameters
    ----------
    history: guesses and responses by index, as the hidden secret gave them.
    decision: what was decided after them, where there are decisions.
    """
    if seconds is None:
        seconds = SECONDS
    if hidden.game.facts.noisy:
        return _review_evidence(hidden, history, decision, seconds)
    start = position_of(hidden.game, goal=hidden.goal, lies=hidden.lies)
    positions = [start]
    for step in history:
        positions.append(positions[-1].after(*step))
    exact = _solved(start, seconds / 2)
    rivals = [] if exact is None else [_rival(hidden, exact)]
    with suppress(GuesstreeError):  # some secrets may be alike
        if not hidden.lies:
            rivals.append(_rival(hidden, _best_one_step(hidden.game, hidden.goal, seconds / 2)))
    clock = monotonic() + seconds / 2
    moves = [  # from the end: small states take little time
        _move(before, after, exact if before is start else None, clock)
        for before, after in reversed(list(pairwise(positions)))
    ]
    return Review(tuple(reversed(moves)), tuple(rivals))


def review_elsewhere(
    game: Game, history: Sequence[Step], *, goal: str | None = None, lies: int = 0
) -> Review | None:
    """Return how a game was played whose secret only its responses tell, as `review`.

    None where they leave several secrets or one is not known, and for tables: what a fault was is no game.
    """
    if (
        game.look.secret != Look.secret
        or game.facts.noisy
        or UNKNOWN in [response for _, response in history]
    ):
        return None
    left = position_of(game, history, goal=goal, lies=lies).candidates
    if len(left) > 1:
        return None
    return review(Hidden(game, goal=goal, lies=lies, secret=int(left[0])), history)


def _in_time(solved: Solved) -> Solved | None:
    """Return a strategy unless the search for it was stopped; raise KeyboardInterrupt for Ctrl-C."""
    if solved.stopped == "interrupt":
        raise KeyboardInterrupt
    return None if solved.stopped else solved


def _best_one_step(game: Game, goal: str | None, seconds: float) -> Solved | None:
    """Return the one-step method of the least total among those that there is time for, played out."""
    end, found = monotonic() + seconds, []
    objective = EXPECTED.name if game.model is None else game.model.objective
    for method in usual_methods(game):
        if (left := end - monotonic()) > 0:
            with suppress(GuesstreeError):
                found.append(_in_time(solve(game, objective, method=method, goal=goal, time_limit=left)))
    return min(filter(None, found), key=lambda solved: solved.upper, default=None)


def _average(solved: Solved) -> Fraction:
    """Return what a strategy takes, of its total per secret or per weight; of a worst case as it is."""
    game = solved.game
    weights = game.weights if game.model is None else game.model.weights
    each = 1 if solved.objective == WORST.name else len(game.secrets) if weights is None else sum(weights)
    return Fraction(solved.upper[0]) * game.cost_unit / each


# -- positions ----------------------------------------------------------------------------------------------


def _solved(position: Position, seconds: float, first: int | None = None) -> Solved | None:
    """Return the best strategy from a position on, or the best with this guess first; None: not in time."""
    game, label = position.game, None if first is None else position.game.guesses[first]
    if game.facts.product:
        return None
    if position.history:
        game = position.rest()
    cells = 0 if game.code_form() else len(game.guesses) * len(game.secrets)
    if position.lies or cells > MOST_CELLS or seconds <= 0:
        return None
    with suppress(GuesstreeError):
        return _in_time(solve(game, goal=position.problem.goal, first=label, time_limit=seconds))
    return None


def _rival(hidden: Hidden, solved: Solved | None) -> Rival:
    """Return what a strategy for the whole game needs for the hidden secret; None: the usual method."""
    game = hidden.game

    def choose(position: Position) -> int:
        if solved is None:
            return position.best_guess(usual_method(game))
        return solved.choose(position.candidates)

    steps = play_against(game, game.secrets[hidden.secret], choose, goal=hidden.goal)
    paid = Fraction(paid_for(game, steps)) * game.cost_unit
    if solved is None:
        return Rival(usual_method(game), len(steps), paid, None)
    return Rival(solved.method, len(steps), paid, _average(solved))


def _move(before: Position, after: Position, exact: Solved | None, clock: float) -> Move:
    """Return what the last guess of a position was worth; `exact` solves the state before, if it is known."""
    game, (guess, response) = before.game, after.history[-1]
    by, values = EXACT, _exactly(before, after, exact, clock)
    if values is None:
        by = usual_method(game, before.lies)
        best = before.valuations()[0]
        values = _figure(before.value(guess), by), _figure(best, by), best.guess
    worth, least, better = values
    counts = len(before.candidates), len(after.candidates)
    return Move(
        game.guesses[guess],
        game.responses[response],
        *counts,
        by,
        worth,
        least,
        "" if worth == least else game.guesses[better],
    )


def _exactly(
    position: Position, after: Position, exact: Solved | None, clock: float
) -> tuple[Worth, Worth, int] | None:
    """Return what the last guess and the best guess take from there on, and that one; None: not in time."""
    solved, game = exact or _solved(position, clock - monotonic()), position.game
    guess, response = after.history[-1]
    if solved is None:
        return None
    best = solved.choose(everything(len(position.candidates)))
    if position.history:
        best = int(position.askable[best])
    least = _average(solved)
    if guess == best:
        return least, least, best
    won = after.problem.goal == "win" and response == game.winning
    tells = won or len(after.candidates) < len(position.candidates)
    if not tells and after.needs is None:
        return least + _paid(game, guess, response), least, best
    own = _solved(position, clock - monotonic(), guess) if tells else _solved(after, clock - monotonic())
    if own is None:
        return None
    return _average(own) + (0 if tells else _paid(game, guess, response)), least, best


def _paid(game: Game, guess: int, response: int) -> Fraction:
    return (1 if game.costs is None else int(game.costs[guess, response])) * game.cost_unit


def _figure(valued: Valued, method: str) -> float:
    """Return what the usual one-step method says of a guess."""
    if method == "volume":
        return float(valued.volume or 0)
    return valued.figure(method) if method in COST_VALUATIONS else valued.entropy


# -- evidence -----------------------------------------------------------------------------------------------


def _review_evidence(hidden: Hidden, history: Sequence[Step], decision: int | None, seconds: float) -> Review:
    """Return the review where tests may get several answers; each state has its share of the time."""
    game, known = hidden.game, [Evidence(hidden.game)]
    for step in history:
        known.append(known[-1].after(*step))
    share, exact = seconds / (2 * len(known)), None
    moves = [_test(before, after, share) for before, after in pairwise(known)]
    if decision is not None:
        moves.append(_decision(known[-1], decision, share))
    with suppress(GuesstreeError):
        exact = _in_time(solve(game, known[0].objective, time_limit=seconds / 2))
    best = [solved for solved in (exact, _best_one_step(game, None, seconds / 2)) if solved]
    return Review(tuple(moves), tuple(_evidence_rival(hidden, solved) for solved in best))


def _evidence_rival(hidden: Hidden, solved: Solved) -> Rival:
    """Return what a strategy takes with the answers that the hidden cause gives."""
    game, evidence, lost = hidden.game, Evidence(hidden.game), Fraction(0)
    while (key := history_key(evidence.history)) in solved.choices:
        choice = solved.choices[key]
        if choice >= len(game.guesses):
            lost = Fraction(hidden.loss(choice - len(game.guesses)))
            break
        evidence = evidence.after(choice, hidden.answer(evidence.history, choice))
    paid = (evidence.paid + lost) * game.cost_unit
    return Rival(solved.method, len(evidence.history), Fraction(paid), _average(solved))


def _best_now(evidence: Evidence, seconds: float) -> tuple[Fraction, str] | None:
    """Return what it takes from here on, and the test or decision to begin with; None: not in time."""
    with suppress(GuesstreeError):
        advice = evidence.advise(seconds)
        if advice.proven:
            return advice.upper * evidence.game.cost_unit, _named(evidence.game, advice.test, advice.decision)
    return None


def _named(game: Game, test: int, decision: int = -1) -> str:
    return game.guesses[test] if test >= 0 else f"decide {game.decisions[decision]}"


def _test(before: Evidence, after: Evidence, seconds: float) -> Move:
    """Return what a test was worth."""
    game, (test, answer) = before.game, after.history[-1]
    counts = len(before.possible), len(after.possible)
    label, response = game.guesses[test], game.responses[answer]
    outlook, best = before.outlook(test), _best_now(before, seconds)
    worth: Fraction | None = None
    if best is not None and best[1] == label:
        worth = best[0]
    elif best is not None and test not in [one.test for one in before.outlooks()]:
        worth = best[0] + outlook.price * game.cost_unit
    elif best is not None:
        with suppress(GuesstreeError):
            own = before.advise(seconds, first=test)
            worth = own.upper * game.cost_unit if own.proven else None
    if best is not None and worth is not None:
        return Move(label, response, *counts, EXACT, worth, best[0], best[1] if worth != best[0] else "")
    most = max(before.outlooks(), key=lambda one: one.bits, default=outlook)
    better = game.guesses[most.test] if most.bits > outlook.bits else ""
    return Move(label, response, *counts, "entropy", outlook.bits, max(most.bits, outlook.bits), better)


def _decision(evidence: Evidence, decision: int, seconds: float) -> Move:
    """Return what a decision was worth; where asking on is not searched, beside the best decision."""
    game, loss, best = evidence.game, evidence.loss(decision), _best_now(evidence, seconds)
    assert loss is not None  # what is not allowed for a possible cause cannot be decided
    if best is None:
        assert evidence.decision is not None
        best = evidence.decision[1] * game.cost_unit, _named(game, -1, evidence.decision[0])
    many, worth = len(evidence.possible), loss * game.cost_unit
    better = best[1] if worth != best[0] else ""
    return Move(_named(game, -1, decision), None, many, many, EXACT, worth, best[0], better)
