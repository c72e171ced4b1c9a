"""Find an optimal strategy and prove it, or play a one-step method out: the public function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from guesstree.cext import onestep

from ..errors import GuesstreeError, Infeasible, shown
from ..game import Game
from ..leaf_limits import LeafLimits
from ..notation import plural
from ..objective import WORST, parse_objective
from ..onestep.ranking import AnyMethod, Method
from ..problem import Problem
from ..registry import game_of
from ..solution import Found, Solved
from ..support import EXACT, Request, require
from .counted import Counted
from .deadline import PLAYED, Deadline, Progress, TimeUp
from .driver import answer, improve, start_with_less
from .first_guesses import known_beside, look_first, look_last
from .session import Session
from .space import ClaimSpace, Resources, SearchSpace

LISTING = 2e-5
"""Seconds that a secret takes in a tree, which is built when the search has ended."""


def space_of(problem: Problem, lies: int = 0) -> SearchSpace[Any]:
    """Return what a state of a problem is; raise GameError or Infeasible where it has no strategy at all."""
    problem.require_listed()
    if problem.game.facts.noisy:
        if problem.leaves is not None:
            from .leaves import Limited  # this and the others are loaded when they are needed

            return Limited(problem)
        from .noisy import Noisy

        return Noisy(problem)
    problem.require_distinct()
    problem.require_winners()
    if lies and (problem.priced or problem.objective.figures != WORST.figures):
        from .lying_sums import LyingSums

        return LyingSums(problem, lies)
    if lies:
        from .lying import Lying

        return Lying(problem, lies)
    if problem.priced:
        from .priced import Priced

        return Priced(problem)
    return Counted(problem)


def claim_space(problem: Problem, lies: int = 0) -> ClaimSpace[Any]:
    """Return what a state is where claims may be made about it; raise as `space_of`."""
    space = space_of(problem, lies)
    assert isinstance(space, ClaimSpace)
    return space


def solve(
    game: Game | str,
    objective: str = "expected",
    *,
    method: AnyMethod = EXACT,
    goal: str | None = None,
    max_depth: int | None = None,
    first: str | None = None,
    candidates_only: bool = False,
    time_limit: float | None = None,
    memory: int | None = None,
    jobs: int = 1,
    symmetry: bool = True,
    budget: int | None = None,
    width: int | None = None,
    lies: int = 0,
    max_leaves: int | None = None,
    min_samples: float | Fraction | str | None = None,
    leaf_price: float | Fraction | str | None = None,
    progress: Callable[[Progress], None] | None = None,
    whole: Deadline | None = None,
) -> Solved:
    """Find an optimal strategy and prove it; if stopped early, return the best one so far, with bounds.

    Parameters
    ----------
    game: a game, or the spec of one, such as ``mastermind:4x6``.
    objective: ``expected`` (least total number of guesses over all secrets), ``worst`` (least number that
        always suffices), ``worst,expected`` or ``expected,worst``; ``win-probability`` (least weight of the
        secrets that are not won within `budget`, then least weighted cost of the others). If the game has
        costs and weights, totals and worst cases are costs of secrets, see `search.priced`.
    method: ``exact``, or a one-step method, by name, as `Method`, or a function of the sizes of the parts:
        it is played for every secret, and the lower bounds come from counting and a look ahead.
    goal: ``win`` (some guess gets the winning response) or ``identify`` (one secret is left); None: to win
        if there is a winning response.
    max_depth: the most guesses allowed, or None.
    first: label of the first guess, or None.
    candidates_only: whether every guess must name a secret that is still possible.
    symmetry: whether to try only one of several guesses that renamings of the game make equal, declared by
        it or found in its table; the result says how many were used.
    budget: the most that a secret may cost to count as won, in units of the game (see `Game.cost_units`), for
        the objective ``win-probability``; None: the budget of the game.
    lies: how many responses may be false, see `search.lying`; with ``expected`` each secret counts what it
        takes at most over all ways to lie, see `search.lying_sums`.
    time_limit: seconds after which the best strategy so far is returned; Ctrl-C does the same.
    memory: bytes for tables and stored states (default: half of the memory of this machine, at most what is
        free). With less memory the search takes longer; its result stays right.
    jobs: threads that search together. The result does not depend on their number; the counts do.
    width: search only the `width` most promising guesses of each state (a beam), for a good strategy in a
        short time; the lower bounds come from counting and a look ahead. Objectives ``expected`` and
        ``worst``.
    max_leaves: the most leaves (ends) that the tree may have; this and the next two are for games with
        decisions, sets or odds, and exact as everything else.
    min_samples: the least that may end in each leaf, in the weights of the table: the sum of the weights of
        the secrets times the probabilities of the answers on the way.
    leaf_price: what each leaf adds to the expected cost, in the costs of the table.
    progress: a function that the calling thread calls some 20 times a second while a search runs.
    whole: the clock of the request of which this search is a part, which then knows of Ctrl-C.

    `engine.support` lists which arguments work together. Raises Infeasible if no strategy meets the limits,
    or none was found before the search was stopped; GuesstreeError for bad arguments, SpaceError for a game
    that does not fit in memory.
    """
    game = game_of(game)
    require(Request(game, WORST.name, time_limit=time_limit))  # the rest is looked at when the clock runs
    if whole is not None and not isinstance(whole, Deadline):
        raise GuesstreeError(f"whole={shown(whole)}; expected the clock of a request")
    deadline, leaves = Deadline(time_limit, whole), LeafLimits.of(max_leaves, min_samples, leaf_price)
    how = None if isinstance(method, str) and method == EXACT else Method.of(method)

    def make() -> Problem:
        problem = Problem(
            game,
            parse_objective(objective),
            goal=goal,
            max_depth=max_depth,
            first=first,
            candidates_only=candidates_only,
            symmetry=symmetry,
            budget=budget,
            leaves=leaves,
        )
        name = EXACT if how is None else how.name
        needs = how is not None and how.needs_budget
        request = replace(problem.asked, method=name, needs_budget=needs, lies=lies)
        require(replace(request, width=width, jobs=jobs, time_limit=time_limit))
        return problem

    def search(session: Session[Any]) -> None:
        session.start(session.quick)
        look_first(session)
        start_with_less(session, search)
        improve(session, width or 0)

    if how is not None:
        return played(game, make, how, deadline, progress, lies)

    def begin() -> Session[Any]:
        problem = make()
        resources = Resources.of(problem, jobs, memory, lies)
        return Session(space_of(problem, lies), resources, deadline, progress)

    session = in_time(deadline, game, begin, search_exactly if width is None else search)
    return session.conclude() if width is None else session.conclude("beam", {"width": width})


def search_exactly(session: Session[Any]) -> None:
    """Look for strategies and raise lower bounds until they meet, or the time is up."""
    session.start(session.quick)
    look_first(session)
    start_with_less(session, search_exactly)
    answer(session)


def in_time(
    deadline: Deadline, game: Game, begin: Callable[[], Session[Any]], work: Callable[[Session[Any]], None]
) -> Session[Any]:
    """Return a session that was worked on to its end, or until the time was up or Ctrl-C was pressed.

    Raises Infeasible when it could not even begin.
    """
    begun: list[Session[Any]] = []
    deadline.awaited = True

    def both() -> None:
        begun.append(begin())
        deadline.set_aside(LISTING * begun[0].problem.secrets)
        work(begun[0])

    try:
        deadline.run(both, lambda: None)
    except TimeUp:
        deadline.late()
        if not begun:
            raise Infeasible(no_time(game)) from None
        begun[0].deadline = deadline
    look_last(begun[0])
    return begun[0]


def no_time(game: Game) -> str:
    """Return in words that a search was stopped before it began."""
    secrets, guesses = plural(len(game.secrets), game.look.secret), plural(len(game.guesses), game.look.guess)
    return (
        f"{game.spec} has {secrets} and {guesses}: "
        "no strategy was found before the search stopped, it was still being prepared; allow more time"
    )


def played(
    game: Game,
    make: Callable[[], Problem],
    method: Method,
    deadline: Deadline,
    progress: Callable[[Progress], None] | None,
    lies: int = 0,
) -> Solved:
    """Play a one-step method out for every secret."""

    def play() -> tuple[SearchSpace[Any], Any, Found | None, float]:
        problem = make()
        space, names = space_of(problem, lies), problem.objective.figures
        deadline.set_aside(LISTING * problem.secrets)
        player, counted = space.player(method), space.counted()

        def report() -> None:
            assert progress is not None
            settled, valued = (int(player.counters[i]) for i in (onestep.SETTLED, onestep.VALUED))
            known = counted[names[0]]
            progress(Progress(PLAYED, 0, valued, known, None, "", deadline.seconds, settled, problem.secrets))

        found = deadline.run(player.play_out, player.stop, None if progress is None else report)
        return space, player, found, deadline.seconds

    deadline.awaited = True
    try:
        space, player, found, seconds = deadline.run(play, lambda: None)
    except TimeUp:
        if deadline.late() and deadline.stopped == "interrupt":
            raise KeyboardInterrupt from None
        raise Infeasible(f"{no_time(game)}, or another method than {method.name}") from None
    problem, names = space.problem, space.problem.objective.figures
    if found is None:
        raise Infeasible(f"{problem.no_strategy(deadline.stopped, lies)} by method {method.name}")
    figures, lower = space.figures(found), known_beside(space, found, deadline)
    return problem.solution(
        found,
        tuple(space.reported(figure, figures[figure]) for figure in names),
        tuple(space.reported(figure, lower[figure]) for figure in names),
        method=method.name,
        stopped=deadline.stopped,
        states=len(found.choices),
        evaluations=int(player.counters[onestep.VALUED]),
        seconds=seconds,
        extra=method.parameters,
        lies=lies,
        by_history=space.by_history,
    )
