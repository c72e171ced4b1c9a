"""The chances in a duel: exact where all states can be listed, else bounds on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from ..advice.position import Position
from ..errors import GuesstreeError, shown
from ..objective import EXPECTED, WIN_PROBABILITY
from ..problem import Problem
from ..search.solve import solve
from ..state import Ints, everything
from ..subgame import Rest
from .arena import Arena, Move, TooManyStatesError, explore
from .values import Tie, Worth, of_move, worth

Opponent = Literal["fewest", "best"]
"""Who the other is: one who follows a strategy with the fewest expected guesses, or one who plays best."""
MOST_STATES = 4000
"""So many sets of candidates of a player are listed."""
MOST_FOR_ALL = 100
"""With more candidates all guesses are not tried: there would be more states."""
FEW, WIDTH = 6, 2
"""With so few candidates all guesses are looked at, where not all states are; else so many of most parts."""
SECONDS = 20.0
"""How long a search may take for a strategy, or for a bound."""


@dataclass(frozen=True)
class Weighed:
    """A guess in a duel: the chance to win with it, and to draw; the guesses expected, itself included."""

    guess: int
    win: float
    draw: float
    expected: float

    @property
    def value(self) -> float:
        """The chance to win, and half of that to draw."""
        return self.win + self.draw / 2


@dataclass(frozen=True)
class Chances:
    """What I may expect of a duel: at least `lower`, at most `upper`, with half of the draws in both.

    `win`, `draw`: what `lower` consists of, where it is known; else 0. `guesses`: what I may ask now, best
    first; with bounds alone, as if the other followed a strategy with the fewest expected guesses.
    """

    lower: float
    upper: float
    win: float
    draw: float
    guesses: tuple[Weighed, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the value is known, but for the rounding of doubles."""
        return self.upper - self.lower < 1e-9

    @property
    def fewest(self) -> Weighed | None:
        """The guess with the fewest expected guesses, of several the most likely to win."""
        return min(self.guesses, key=lambda one: (round(one.expected, 9), -one.value), default=None)


class Side:
    """One player: what is still possible for them, and how they may go on."""

    def __init__(self, position: Position, most: int = MOST_STATES) -> None:
        self.most = most
        game, candidates = position.problem.game, position.candidates
        every = len(candidates) == len(game.secrets)
        self.game = game if every else Rest(game, candidates, everything(len(game.guesses)))
        self.problem = Problem(self.game, EXPECTED, goal=position.problem.goal)
        self.everyone = everything(len(candidates))

    @cached_property
    def all_moves(self) -> Arena | None:
        """The arena of all guesses, or None where there are too many states."""
        if len(self.everyone) > MOST_FOR_ALL:
            return None
        every = everything(len(self.problem.own))
        try:
            return explore(self.problem, self.everyone, lambda _: every, self.most)
        except TooManyStatesError:
            return None

    @cached_property
    def some_moves(self) -> Arena:
        """An arena of some guesses, those of the strategy with the fewest expected guesses among them."""
        chosen = self.chosen
        every = everything(len(self.problem.own))

        def choose(members: Ints) -> Ints:
            if len(members) <= FEW:
                return every
            sizes = self.problem.sizes(every, members)
            order = np.lexsort((sizes.max(axis=1), -(sizes > 0).sum(axis=1)))[:WIDTH]
            return np.append(chosen.get(members.tobytes(), order[:0]), order).astype(np.int32)

        try:
            return explore(self.problem, self.everyone, choose, self.most)
        except TooManyStatesError:
            return self.fewest

    @cached_property
    def fewest(self) -> Arena:
        """The arena of one strategy with the fewest expected guesses, or the best that was found in time."""
        return self._followed[0]

    @property
    def chosen(self) -> dict[bytes, Ints]:
        """The guess of that strategy in each of its states, by the candidates."""
        return self._followed[1]

    @cached_property
    def _followed(self) -> tuple[Arena, dict[bytes, Ints]]:
        solved = solve(self.game, goal=self.problem.goal, time_limit=SECONDS)
        chosen: dict[bytes, Ints] = {}

        def choose(members: Ints) -> Ints:
            chosen[members.tobytes()] = np.array([solved.choose(members)], dtype=np.int32)
            return chosen[members.tobytes()]

        return explore(self.problem, self.everyone, choose, len(self.everyone) * 2 + 1), chosen

    @cached_property
    def most_within(self) -> list[float]:
        """Return at least the greatest chance to end within 0, 1, 2, ... guesses, by a search each."""
        found, whole = [0.0], float(self.problem.weights.sum())
        while found[-1] < 1:
            solved = solve(
                self.game,
                WIN_PROBABILITY.name,
                goal=self.problem.goal,
                budget=len(found),
                time_limit=SECONDS / 4,
            )
            found.append(max(1 - solved.lower[0] / whole, found[-1]))
            if len(found) > len(self.everyone):
                found.append(1.0)
        return found

    def ends(self) -> list[float]:
        """Return the chance to end with guess 1, 2, ... of the strategy with the fewest expected guesses."""
        whole = float(self.problem.weights.sum())
        return [weight / whole for weight in self.fewest.ends()]


def at_most(mine: Side, theirs: Side, lead: int, *, ties: float) -> float:
    """Return at least the value for `mine` against the strategy of `theirs` with the fewest expected guesses.

    Their number of guesses is T with probability p(T), whatever I do, and I with my t-th guess end `lead`
    rounds later than they with theirs (-1, 0 or 1). What I do may depend on what they know, but given their
    secret that is a strategy as any other, which ends within t guesses with probability at most G(t). I win
    if my round is earlier, and get `ties` of a tie: so the value is at most the sum over T of
    p(T) (ties G(s) + (1 - ties) G(s - 1)), where s is my guess in the round of their T-th.
    """
    within = mine.most_within

    def most(guesses: int) -> float:
        return 0.0 if guesses <= 0 else within[min(guesses, len(within) - 1)]

    return sum(
        chance * (ties * most(guess - lead) + (1 - ties) * most(guess - lead - 1))
        for guess, chance in enumerate(theirs.ends(), 1)
    )


class Duel:
    """Two players ask in turn; who needs fewer guesses wins.

    Parameters
    ----------
    mine, theirs: what I know of their secret, and they of mine.
    first: whether I ask first in each round.
    opponent: how they play, see `Opponent`; `tie`: see `Tie`.

    Raises GuesstreeError for a game with costs, and for histories that do not fit the turns.
    """

    def __init__(
        self,
        mine: Position,
        theirs: Position,
        *,
        first: bool = True,
        opponent: Opponent = "fewest",
        tie: Tie = "draw",
    ) -> None:
        game, facts = mine.game, mine.game.facts
        for what, given, kinds in (("opponent", opponent, Opponent), ("tie", tie, Tie)):
            if given not in get_args(kinds):
                raise GuesstreeError(f"{what} {shown(given)}; expected {' or '.join(get_args(kinds))}")
        if facts.priced or facts.noisy or facts.by_kind or facts.product or game.rules() is not None:
            raise GuesstreeError(
                f"{game.spec}: a duel counts guesses that may always be asked; expected a game without "
                "costs, tests that err, kinds and rules"
            )
        asked, answered = len(mine.history), len(theirs.history)
        ahead, behind = (asked, answered) if first else (answered, asked)
        if not behind <= ahead <= behind + 1:
            who = "I ask" if first else "they ask"
            raise GuesstreeError(
                f"{asked} guesses of mine and {answered} of theirs; where {who} first in each round, "
                "expected as many of both, or one more of who asks first"
            )
        self.mine, self.theirs, self.first = mine, theirs, first
        self.opponent, self.tie = opponent, tie
        self.between = ahead > behind
        self.my_turn = self.between != first

    @property
    def result(self) -> float | None:
        """What I got, 1 for a win and 0.5 for a draw; None while it is open."""
        mine, theirs = self.mine.finished, self.theirs.finished
        if mine and theirs:
            more = len(self.mine.history) - len(self.theirs.history)
            if not more and self.tie == "draw":
                return 0.5
            return float(self.first if not more else more < 0)
        if not (mine or theirs) or (self.between and self.tie == "draw" and mine == self.first):
            return None
        return float(mine)

    def chances(self) -> Chances:
        """Return what I may expect, and what each guess gives me if I am to ask."""
        done = self.result
        if done is not None:
            return Chances(done, done, float(done == 1), float(done == 0.5))
        if self.mine.finished or self.theirs.finished:
            return self._last()
        mine, theirs = Side(self.mine), Side(self.theirs)
        other = theirs.fewest if self.opponent == "fewest" else theirs.all_moves
        if mine.all_moves is not None and other is not None:
            return self._valued(mine.all_moves, other)
        return self._bounded(mine, theirs)

    def _last(self) -> Chances:
        """Return what a last guess decides: one player has ended, the other may still draw."""
        finished = self.mine.finished
        side = Side(self.theirs if finished else self.mine)
        every = everything(len(side.problem.own))
        weights, whole = side.problem.weights, float(side.problem.weights.sum())
        block = side.problem.block(every, side.everyone)
        if side.problem.winning >= 0:
            ended = (block == side.problem.winning) @ weights / whole
        else:
            alone = [np.bincount(row, minlength=side.problem.responses)[row] == 1 for row in block]
            ended = np.array(alone) @ weights / whole
        follows = finished and self.opponent == "fewest"
        draw = side.ends()[0] if follows else float(ended.max())
        value = 1 - draw / 2 if finished else draw / 2
        best = () if finished else (Weighed(int(ended.argmax()), 0.0, draw, float("nan")),)
        return Chances(value, value, 1 - draw if finished else 0.0, draw, best)

    def _valued(self, mine: Arena, other: Arena) -> Chances:
        """Return the value where both play best in their arenas."""
        totals = mine.totals()
        found = worth(mine, other, self.tie) if self.first else worth(other, mine, self.tie)
        weighed: list[Weighed] = []
        for guess, move in mine.guesses if self.my_turn else []:
            mean, sure = self._after(mine, move, found)
            expected = 1 + sum(totals[part] for part in move.parts) / mine.weights[-1]
            weighed.append(Weighed(guess, sure, 2 * (mean - sure), expected))
        weighed.sort(key=lambda one: (-round(one.value, 9), round(one.expected, 9), one.guess))
        if weighed:
            best = weighed[0]
            return Chances(best.value, best.value, best.win, best.draw, tuple(weighed))
        table, wins = (found.second, found.second_wins) if self.between else (found.first, found.first_wins)
        value, win = float(table[-1, -1]), float(wins[-1, -1])
        draw = 2 * (value - win)
        if not self.first:
            value, win = 1 - value, 1 - win - draw
        return Chances(value, value, win, draw)

    def _after(self, mine: Arena, move: Move, found: Worth) -> tuple[float, float]:
        """Return my value and my chance to win after a move of mine."""
        if self.first:
            value, wins = of_move(mine, mine.root, move, found)
            return float(value[-1]), float(wins[-1])
        whole = mine.weights[-1]
        theirs = sum(mine.weights[part] * float(found.first[-1, part]) for part in move.parts) / whole
        winning = sum(mine.weights[part] * float(found.first_wins[-1, part]) for part in move.parts) / whole
        drawn = 2 * (theirs - winning)
        return 1 - theirs, 1 - winning - drawn

    def _bounded(self, mine: Side, theirs: Side) -> Chances:
        """Return bounds: what some of my guesses reach, and what no strategy exceeds, see `at_most`."""
        draw = self.tie == "draw"
        # In the middle of a round one of us has asked already: his next guess is in the next round.
        late = int(self.between and self.first)
        early = int(self.between and not self.first)
        upper = at_most(mine, theirs, late - early, ties=0.5 if draw else float(self.first))
        arena = mine.all_moves or mine.some_moves
        found = self._valued(arena, theirs.fewest)
        if self.opponent == "fewest":
            return Chances(found.lower, max(upper, found.lower), found.win, found.draw, found.guesses)
        worst = at_most(theirs, mine, early - late, ties=0.5 if draw else float(not self.first))
        return Chances(max(1 - worst, 0.0), upper, 0.0, 0.0, found.guesses)
