"""Improving lower and upper bounds of the optimum, for games that may be far out of reach of a proof.

Strategies come first, from above: the one-step strategies, then beams of growing width. From below, the least
total is bounded best first at the root: of the first guesses that the symmetry leaves, the one that promises
the least total has one of its children raised, again and again. A first guess costs at least the sum of the
bounds of its children, the game at least the least such sum, and a first guess whose sum reaches what a
strategy is known to take is refuted. `driver` does all else: the worst case is bounded by refuting one depth
after another; where questions cost, parts of the game that are small enough are solved exactly; tables have
bounds of their own. Where there are many responses, `told` bounds what second guesses tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic

from ..errors import GuesstreeError, SpaceError, shown
from ..game import Game
from ..objective import parse_objective
from ..onestep.valuations import VALUATIONS
from ..problem import Problem
from ..registry import game_of
from ..solution import Row, Solved
from ..support import Request, require
from .deadline import Deadline, Progress
from .driver import answer, hurried, improve, start_with_less
from .first_guesses import firsts_of, look_first
from .session import Session
from .solve import in_time, space_of
from .space import LEAST_MEMORY, Resources, S
from .told import SecondGuesses, is_plain

WIDTHS = (1, 3, 10, 30, 100, 300)
BEAM_SHARE = 0.5
"""The part of the time that strategies may take."""
COUNTED = "counting"


@dataclass
class Record(Generic[S]):
    """The rows that tell how the bounds of a session improved; each is reported as it comes."""

    session: Session[S]
    improved: Callable[[Row], None] | None
    rows: list[Row]

    def add(self, how: str) -> None:
        """Add a row if a bound has improved; a lower bound above the upper one says that they have met."""
        session, figure = self.session, self.session.problem.objective.figures[0]
        upper = None if session.figures is None else session.figures[figure]
        lower = session.lower[figure] if upper is None else min(session.lower[figure], upper)
        shown = (
            session.space.reported(figure, lower),
            None if upper is None else session.space.reported(figure, upper),
        )
        if self.rows and (self.rows[-1].lower, self.rows[-1].upper) == shown:
            return
        self.rows.append(Row(session.deadline.seconds, *shown, how))
        if self.improved is not None:
            self.improved(self.rows[-1])


def strategies(session: Session[S]) -> None:
    """Try the one-step strategies, then beams; the best is kept."""
    figure = session.problem.objective.figures[0]
    session.start(VALUATIONS)
    for width in WIDTHS:
        if width > len(session.problem.own) or session.settled(figure) or session.deadline.late():
            return
        improve(session, width)


def bounds(
    game: Game | str,
    objective: str = "expected",
    *,
    time_limit: float = 60.0,
    goal: str | None = None,
    max_depth: int | None = None,
    first: str | None = None,
    candidates_only: bool = False,
    memory: int | None = None,
    jobs: int = 1,
    lies: int = 0,
    progress: Callable[[Progress], None] | None = None,
    improved: Callable[[Row], None] | None = None,
) -> Solved:
    """Improve bounds of the optimum from both sides until they meet or the time is up.

    The `rows` of the solution show how the bounds improved.

    Parameters
    ----------
    game: a game, or the spec of one, such as ``mastermind:5x8``.
    objective: ``expected`` or ``worst``.
    time_limit: seconds; Ctrl-C ends the work too.
    goal, max_depth, first, candidates_only, memory, jobs, lies, progress: see `solve`.
    improved: a function that the searching thread calls with each new row.

    If there is no memory for a search, the strategy comes from one-step methods, and the lower bound from
    counting.

    Raises Infeasible if there is no strategy, or none was found in time; GuesstreeError for bad arguments,
    SpaceError for a game that does not fit in memory.
    """
    game, asked = game_of(game), parse_objective(objective)
    if time_limit is None:
        raise GuesstreeError("no time limit; expected seconds, more than 0")
    if improved is not None and not callable(improved):
        raise GuesstreeError(f"improved={shown(improved)}; expected a function of a row, or None")
    require(Request(game, asked.name, bounds=True, lies=lies, jobs=jobs, time_limit=time_limit))
    deadline, record = Deadline(time_limit), list[Row]()

    def begin() -> Session[Any]:
        problem = Problem(
            game, asked, goal=goal, max_depth=max_depth, first=first, candidates_only=candidates_only
        )
        require(replace(problem.asked, lies=lies))
        try:
            resources = Resources.of(problem, jobs, memory, lies)
        except SpaceError:
            little = memory is not None and memory < LEAST_MEMORY
            if little or lies or not problem.listed or not problem.tableless:
                raise
            resources = Resources(0, tabled=False, jobs=jobs)
        return Session(space_of(problem, lies), resources, deadline, progress)

    def work(session: Session[Any]) -> None:
        session.noted = Record(session, improved, record).add
        session.noted(COUNTED)
        search(session)

    def search(session: Session[Any]) -> None:
        if not session.resources.memory:
            session.start(VALUATIONS)
            return
        if hurried(session, session.space.query(session.figure)):
            session.start(VALUATIONS)
            look_first(session)
            answer(session)
            return
        problem, least = session.problem, session.figure == "total"
        if least and problem.game.facts.large and is_plain(problem):
            session.start(())
            SecondGuesses(session).work()
        elif session.space.one_step and not session.policy.takes_turns:
            with session.within(BEAM_SHARE * time_limit):
                strategies(session)
        else:
            session.start(())
            start_with_less(session, search)
        if not session.deadline.stopped and not session.settled(session.figure):
            look_first(session)
            if session.space.decides and session.figure == "total":
                firsts_of(session).work()
            else:
                answer(session)

    return replace(in_time(deadline, game, begin, work).conclude(), rows=tuple(record))
