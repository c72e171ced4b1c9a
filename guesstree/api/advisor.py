"""Which guess a method asks next, and how guesses compare."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from typing import Any

from guesstree.engine.advice.openings import ProvenGuess
from guesstree.engine.advice.position import Position, Step, Valued, usual_method
from guesstree.engine.errors import GuesstreeError, Infeasible
from guesstree.engine.exact import exact_text, rounded_text
from guesstree.engine.game import Game
from guesstree.engine.notation import plurals
from guesstree.engine.objective import EXPECTED, WORST, usual_objective
from guesstree.engine.onestep.ranking import Method
from guesstree.engine.onestep.valuations import VOLUME
from guesstree.engine.search.deadline import Progress
from guesstree.engine.search.solve import solve
from guesstree.engine.solution import Solved
from guesstree.engine.state import everything
from guesstree.engine.support import EXACT, Request, require

Watching = Callable[[], AbstractContextManager[Callable[[Progress], None] | None]]


MOST_ASIDE = 3
"""Guesses that were not answered, by label."""


class Advisor:
    """Say what a method asks in a position, and how guesses compare.

    Parameters
    ----------
    method: ``exact``, one of `methods()`, or ``module:function``; with lies ``volume`` or ``exact``. None:
        the opening of a proven strategy where there is one, else the usual method.
    goal, first: for ``exact``, what the strategy is for and how it begins.
    candidates_only: whether every guess must name a secret that is still possible.
    lies: how many responses may be false.
    time_limit: how many seconds ``exact`` searches for each advice at most; None: as long as it takes.
    watching: yields what is shown of an exact search while it lasts, or None.

    Attributes
    ----------
    limit: the time limit, which may be changed.

    Raises GuesstreeError for an unknown method.
    """

    def __init__(
        self,
        game: Game,
        method: str | None = None,
        *,
        goal: str | None = None,
        first: str | None = None,
        candidates_only: bool = False,
        lies: int = 0,
        time_limit: float | None = None,
        watching: Watching = nullcontext,
    ) -> None:
        self.game, self.usual = game, usual_method(game, lies)
        self.method = method or self.usual
        limits: dict[str, Any] = {"goal": goal or "", "candidates_only": candidates_only}
        limits |= {"lies": lies, "time_limit": time_limit}
        require(Request(game, (WORST if lies else EXPECTED).name, advice=True, **limits))
        if lies and self.method not in (VOLUME, EXACT):
            raise GuesstreeError(f"method {self.method} with lies; use {VOLUME} or {EXACT}")
        if not lies and self.method == VOLUME:
            raise GuesstreeError(f"method {VOLUME} without lies; use max-part")
        self._one_step = None if lies or self.method == EXACT else Method(self.method)
        self._asked, self._goal, self._first, self._lies = method, goal, first, lies
        self._candidates_only = candidates_only
        self.limit, self._watching = time_limit, watching
        self._whole = bool(lies) or game.budget is not None  # then a strategy for the whole game is followed
        self._found: dict[tuple[Step, ...], Solved | None] = {}
        self._late = False

    def _searched(self, position: Position) -> Solved | None:
        """Return what ``exact`` proves of the state, or of the whole game if it follows that; None: nothing.

        Raises GuesstreeError where the game has no strategy.
        """
        key = () if self._whole else position.history
        if key not in self._found:
            objective = WORST.name if self._lies else usual_objective(self.game.budget)
            limits: dict[str, Any] = {"goal": self._goal, "lies": self._lies, "time_limit": self.limit}
            limits |= {"first": None if key else self._first, "candidates_only": self._candidates_only}
            found = None
            try:
                with self._watching() as progress:
                    game = position.rest() if key else self.game
                    found = solve(game, objective, progress=progress, **limits)
            except Infeasible:  # no strategy at all was found in time
                self._late = True
            except GuesstreeError:
                if not key:
                    raise
            if found is not None and found.stopped == "interrupt":
                raise KeyboardInterrupt
            self._late = self._late or (found is not None and bool(found.stopped))
            self._found[key] = found if found is not None and found.optimal else None
        return self._found[key]

    def _followed(self, position: Position) -> int | None:
        """Return the guess of a strategy for the whole game; None: it does not meet this state."""
        found = self._searched(position) if self._whole and self.method == EXACT else None
        choice = None if found is None else found.choices.get(position.key)
        if choice in position.aside or (choice and self.game.refused(position.known_steps, choice)):
            return None
        return choice

    def proven(self, position: Position) -> ProvenGuess | None:
        """Return how a proven strategy goes on from here; None: none is known, or not what it takes.

        By an opening where no method was asked for or ``exact``, else by what ``exact`` finds in time.
        """
        if self._asked not in (None, EXACT):
            return None
        free = self._first is None and not self._candidates_only
        if free and (opening := position.opening) is not None:
            return opening
        if self._asked is None or self._whole or len(position.candidates) == 1:
            return None
        if (found := self._searched(position)) is None:
            return None
        game, some = self.game, position.candidates.tolist()
        candidates = len(some) if game.weights is None else sum(game.weights[secret] for secret in some)
        choice = found.choices[everything(len(some)).tobytes()]
        guess = int(position.askable[choice]) if position.history else choice
        return ProvenGuess(guess, Fraction(found.upper[0]) * game.cost_unit, candidates)

    def best(self, position: Position) -> int:
        """Return the guess that the method asks here; -1 when nothing tells anything.

        Where nothing is proven, the guess of the usual method.
        """
        if (proven := self.proven(position)) is not None:
            return proven.guess
        if (followed := self._followed(position)) is not None:
            return followed
        method = self._one_step or self.usual
        if not self._candidates_only or (self._one_step is not None and self._one_step.consistent):
            return position.best_guess(method)
        found = position.valuations(method, candidates_only=True)[0]
        return found.guess if found.tells or len(position.candidates) == 1 else -1

    def by(self, position: Position) -> str:
        """Return who advises here: what is proven comes before the guesses of a method."""
        if self.proven(position) or self._followed(position) is not None:
            return f"{'exact search' if self.method == EXACT else 'proof'}, then by {self.usual}"
        return self.usual if self.method == EXACT else self.method

    def note(self, position: Position) -> str:
        """Return in a line what is proven of the best guess here, or why ``exact`` does not know it."""
        if (proven := self.proven(position)) is not None:
            return f"proven: {self.game.guesses[proven.guess]}, {proven_words(position, proven)}"
        if self.method != EXACT or len(position.candidates) == 1 or self._followed(position) is not None:
            return ""
        if self._late:
            long = f"the exact search takes more than {self.limit:g} seconds"
            return f"not proven: {long} (--time-limit S allows more)"
        return "not proven: the exact strategy does not come to this position"

    def top(self, position: Position, most: int) -> list[Valued]:
        """Return the guess of the method and the next best, one of each class, that tell something.

        Raises GuesstreeError when the method has no guess here.
        """
        best, kind = self.best(position), position.classes
        if best < 0:
            why = f"method {self.method} has no {self.game.look.guess} here; use {self.usual}"
            if self.method == self.usual:
                why = f"no {self.game.look.guess} tells {len(position.candidates)} candidates apart"
            raise GuesstreeError(f"{self.game.spec}: {why}")
        consistent = self._one_step is not None and self._one_step.consistent
        only = consistent or self._candidates_only
        ranked = position.valuations(None if consistent else self._one_step, candidates_only=only)
        others = [v for v in ranked if v.tells and kind[best] != kind[v.guess]]
        if best in (pair := named_pair(position)):
            others = [position.value(guess) for guess in pair if guess != best]
        return [position.value(best), *others][:most]


def named_pair(position: Position) -> list[int]:
    """Return the guesses that name the last two candidates where nothing is better than these; else none.

    Either may win at once, and if it does not, the other does: no other guess wins sooner. With costs another
    may be cheaper, with lies another may tell more.
    """
    if len(position.candidates) != 2 or position.game.facts.priced or position.lies:
        return []
    pair = [int(guess) for guess in position.problem.winner[position.candidates]]
    askable = set(position.askable.tolist())
    return pair if all(guess in askable and position.value(guess).tells for guess in pair) else []


def proven_words(position: Position, proven: ProvenGuess) -> str:
    """Return in words what a proven strategy takes from a position on."""
    game, average = position.game, rounded_text(proven.average)
    if game.facts.priced:
        what, less = game.look.paid(average), "costs less"
    else:
        less = "needs fewer"
        what = f"{average} {'more ' * bool(position.history)}{plurals(game.look.guess)}"
    total = f" ({exact_text(proven.total)} in all)" if not game.facts.weighted else ""
    # The whole game was proven with all guesses: what is left is so without those that were not answered.
    aside = [repr(game.guesses[guess]) for guess in sorted(position.aside)]
    without = f" without {', '.join(aside[:MOST_ASIDE])}" if aside else ""
    more = f" and {len(aside) - MOST_ASIDE} others" if len(aside) > MOST_ASIDE else ""
    return f"{what} on average{total}; no strategy{without}{more} {less}"
