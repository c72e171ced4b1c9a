"""Which guess a method asks next, and how guesses compare."""

from __future__ import annotations

from collections.abc import Callable

from guesstree.engine.advice import Position, Valued, usual_method
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.methods.ranking import Method
from guesstree.engine.objective import usual_objective
from guesstree.engine.search.solve import solve
from guesstree.engine.search.watch import Progress
from guesstree.engine.solution import Solved


class Advisor:
    """Say what a method asks in a position, and how guesses compare.

    Parameters
    ----------
    method: ``exact``, one of `methods()`, or ``module:function``; with lies ``volume`` or ``exact``. None:
        the usual one.
    goal, first: for ``exact``, what the strategy is for and how it begins.
    lies: how many responses may be false.
    progress: is told what is known while ``exact`` searches.

    Raises GuesstreeError for an unknown method. With ``exact`` this takes as long as the search does.
    """

    def __init__(
        self,
        game: Game,
        method: str | None = None,
        *,
        goal: str | None = None,
        first: str | None = None,
        lies: int = 0,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self.game, self.usual = game, usual_method(game, lies)
        self.method = method or self.usual
        self.solution: Solved | None = None
        if lies and self.method not in ("volume", "exact"):
            raise GuesstreeError(f"method {self.method} with lies; use volume or exact")
        self._one_step = None if lies or self.method == "exact" else Method(self.method)
        if self.method == "exact":
            objective = "worst" if lies else usual_objective(game.budget)
            self.solution = solve(game, objective, goal=goal, first=first, lies=lies, progress=progress)
            if self.solution.stopped == "interrupt":
                raise KeyboardInterrupt

    def follows(self, position: Position) -> bool:
        """Return whether the exact strategy meets this state, with a guess that is allowed here."""
        if self.solution is None or position.key not in self.solution.choices:
            return False
        choice = self.solution.choices[position.key]
        return choice not in position.aside and not self.game.refused(position.known_steps, choice)

    def best(self, position: Position) -> int:
        """Return the guess that the method asks here; -1 when nothing tells anything.

        Where the exact strategy does not lead, the guess of the usual method.
        """
        if self.solution is not None and self.follows(position):
            return self.solution.choices[position.key]
        return position.best_guess(self._one_step)

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
        ranked = position.valuations(None if consistent else self._one_step, candidates_only=consistent)
        others = [v for v in ranked if v.tells and kind[best] != kind[v.guess]]
        if best in (pair := named_pair(position)):
            others = [position.value(guess) for guess in pair if guess != best]
        return [position.value(best), *others][:most]


def named_pair(position: Position) -> list[int]:
    """Return the guesses that name the last two candidates where nothing is better than these; else none.

    Either may win at once, and if it does not, the other does: no other guess wins sooner. With costs another
    may be cheaper, with lies another may tell more.
    """
    if len(position.candidates) != 2 or position.game.costs is not None or position.lies:
        return []
    pair = [int(guess) for guess in position.problem.winner[position.candidates]]
    askable = set(position.askable.tolist())
    return pair if all(guess in askable and position.value(guess).tells for guess in pair) else []
