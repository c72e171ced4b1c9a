"""Objectives as queries: which searches, in which order, answer an objective.

A pair is solved under a limit, see `engine.objective`: first the least worst case, then the least total
within it; or first the least total, then the least worst case that still reaches it. What is lost within a
budget is settled before what the others pay: where costs do not count, many more bounds meet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from guesstree.cext import Outcome

from ..errors import GuesstreeError
from ..objective import FIGURES, OBJECTIVES
from .deadline import Progress
from .first_guesses import firsts_of, look_longer
from .layering import by_layers
from .neighbourhood import rebuild
from .session import Session
from .space import Query, S

BEAMS = (1, 3, 10, 30)
TURNS = (3, 30)
"""Widths of beams: of those that come when a search is long, and of those that take turns with a proof."""
LOOK_SHARE, BOUND_SHARE, PROOF_SHARE = 0.1, 0.3, 0.6
"""Of the time for a table: a first look, then bounds, then strategies unless no proof is within reach."""
RELAXED = 60.0
"""Seconds that the question without a limit may take before the one with it is searched."""
PARTS_FIRST = 60.0
"""Seconds that parts may take before the worst case of the whole is searched without a time limit."""
FEWER = "fewer repeats"
NEAR = 1.05
"""A proof is within reach where the strategy takes at most so many times the bound."""
TURN_GROWS, TURN_SHARE = 4, 0.5
"""Where states share what is known, the proof has turns: each of so many times the evaluations, and at most
so much of the time that is left. After each, a part of what it took is for better strategies."""
LARGE = 1 << 14
"""Cells of a table: with fewer, a first look is over at once."""
LEAST_CLASS, CLASSES_GROW = 32, 4
"""Classes of so many secrets are searched, see `by_layers`, then of so many times as many."""
TABLE_LOOK = 1 << 7
"""Evaluations for each secret before the values of all states are computed, often 1000 times as many."""
QUICK_BUDGET, LAST_BUDGET = 1 << 9, 1 << 20
"""Evaluations of the first and the last turn of a proof; without a time limit it then goes on to the end."""
PHASES = {name: figure.phase for name, figure in FIGURES.items()}


def answer(session: Session[S]) -> None:
    """Raise the lower bounds of all figures of the objective and look for strategies until they meet.

    Raises GuesstreeError for an objective that no search answers.
    """
    objective = session.problem.objective
    if objective.figures not in ANSWERS:
        known = [one.name for one in OBJECTIVES.values() if one.figures in ANSWERS]
        raise GuesstreeError(
            f"objective {objective.name!r}: no search minimises {', then '.join(objective.figures)}; "
            f"expected one of: {', '.join(known)}"
        )
    ANSWERS[objective.figures](session)


def least_lost(session: Session[S]) -> None:
    """Minimise the weight lost within the budget, then the cost of what is won."""
    if session.worth(session.space.query("lost")):
        minimise(session, session.space.query("lost"))
    if not session.deadline.stopped and not (session.settled("lost") and session.settled("won")):
        minimise(session, session.space.query("won"))


def least_worst_then_total(session: Session[S]) -> None:
    """Minimise the worst case, then the total within it."""
    least_worst(session)
    if not session.deadline.stopped and session.settled("worst"):
        if session.policy.relaxes:
            relax(session)
        if not session.deadline.stopped and not session.settled("total"):
            minimise(session, session.space.query("total", session.upper("worst")))


def least_total(session: Session[S]) -> None:
    """Minimise the total."""
    minimise(session, session.space.query("total"))


def least_total_then_worst(session: Session[S]) -> None:
    """Minimise the total, then the worst case that still reaches it."""
    least_total(session)
    if not session.deadline.stopped and session.settled("total"):
        least_worst_with(session)


def start_with_less(session: Session[S], work: Callable[[Session[Any]], None]) -> None:
    """Do this work on the game with less to ask first, where there is one, and begin with its strategy.

    It may take all the time, so that more to ask never ends worse.
    """
    less, outer = session.space.poorer(), session.progress
    if less is None or session.settled(session.figure):
        return

    def progress(seen: Progress) -> None:
        assert outer is not None
        lower = session.space.reported(session.figure, session.lower[session.figure])
        outer(replace(seen, phase=f"{seen.phase}, {FEWER}", lower=lower))

    inner = Session(less.space, session.resources, session.deadline, outer and progress)
    try:
        work(inner)
    finally:
        session.spent = session.spent[0] + inner.states, session.spent[1] + inner.evaluations
        if inner.best is not None:
            session.offer(less.widened(inner.best), FEWER)


def minimise(session: Session[S], query: Query) -> None:
    """Raise what is known of a query to its least value, with a strategy offered, unless stopped.

    When a first look does not settle it, better strategies and bounds are sought before the proof goes on.
    Where no one-step method was played, the strategy to begin with is that of a beam.
    """
    session.figure, space = query.figure, session.space
    session.phase = PHASES[query.figure]
    begin(session, query)
    budget, share = session.policy.look[session.deadline.unlimited], LOOK_SHARE
    while True:
        left = session.deadline.left
        outcome = look(session, query, budget, left * share if budget and hurried(session, query) else left)
        if not outcome.ended or session.deadline.stopped or by_tables(session, query):
            return
        again = space.shares and hurried(session, query) and near(session)
        with session.within((left - session.deadline.left) / TURN_GROWS if again else session.deadline.left):
            strengthen(session, query)
        if all(map(session.settled, space.learnt(query, 0))):
            return
        budget, share = budget * TURN_GROWS if again else 0, TURN_SHARE


def look(session: Session[S], query: Query, budget: int, seconds: float) -> Outcome:
    """Search for so many evaluations, or with 0 to the end, and seconds; take in what that finds.

    The seconds are for the search alone: to read a strategy off may take longer.
    """
    session.phase = PHASES[query.figure]
    fixed = query.figure == "worst" and session.problem.first is not None
    session.offset = None if fixed or query.figure == "won" else 0
    beta = min(session.worth(query), session.space.ceiling(query))
    with session.within(seconds):
        outcome = session.ask(query, beta, budget)
    session.offset = None
    if outcome.upper < beta:
        session.take(query, outcome.guess)
        ended = outcome.ended or session.deadline.stopped
        assert ended or session.worth(query) <= outcome.upper, f"{outcome}, {session.figures}"
    learn(session, query, min(outcome.lower, session.worth(query)))
    return outcome


def begin(session: Session[S], query: Query) -> None:
    """Begin a query with the strategies of beams, and with bounds, where a first look takes long."""
    table = tells_apart(session, query)
    if table and session.space.shares:  # beams end soon, and a proof meets few states below a good strategy
        with session.within(BOUND_SHARE * session.deadline.left):
            for width in BEAMS:
                beam(session, query, width, session.policy.look[1])
    elif (session.best is None and not session.space.one_step) or (large(session) and table):
        beam(session, query, BEAMS[0], 0)  # takes no time beside a first look
    if large(session):
        with session.within(BOUND_SHARE * session.deadline.left):
            by_layers(session)


def near(session: Session[S]) -> bool:
    """Return whether a proof of the least total is within reach."""
    return session.upper("total") <= NEAR * session.lower["total"]


def by_tables(session: Session[S], query: Query) -> bool:
    """Compute the values of all states, where that can be done in half of the time; return whether it was."""
    space = session.space
    given = space.tables(query, session.resources.memory)
    if given is None:
        return False
    if query.figure == "won":  # what may be lost is known, often nothing: most states are out of reach
        most = TABLE_LOOK * session.problem.secrets
        outcome = look(session, query, most, session.deadline.left / 2)
        if not outcome.ended or session.deadline.stopped:
            return True
    query, tables = given
    session.phase = f"{PHASES[query.figure]}, all states"
    with session.within(session.deadline.left / 2):
        value = session.deadline.run(tables.run, tables.stop)
    session.spent = session.spent[0] + tables.states, session.spent[1] + tables.states
    if value < 0:
        return False
    learn(session, query, value)
    root = space.root(query)
    found = session.in_time(lambda: space.walk(root, lambda s: space.choice(tables, s)), tables)
    taken = space.worth(query, space.figures(found))
    assert taken == value, f"the tables say {value}, and their strategy takes {taken}"
    session.offer(found)
    return True


def relax(session: Session[S]) -> None:
    """Raise the least total to what it is without a limit, and offer that strategy: it may keep the limit."""
    query = session.space.query("total")
    session.figure, session.phase = query.figure, "total without a limit"
    with session.within(min(session.deadline.left * PROOF_SHARE, RELAXED)):
        outcome = session.ask(query, session.space.infinite)
    learn(session, query, outcome.lower)
    if outcome.upper < session.space.infinite:
        session.take(query, outcome.guess)


def learn(session: Session[S], query: Query, lower: int) -> None:
    """Take in a lower bound of a question; with several parts, the first counts most."""
    if lower >= session.space.infinite:  # there is no strategy
        return
    found = session.space.learnt(query, lower)
    if tuple(found.values()) > tuple(session.lower[figure] for figure in found):
        session.lower = session.lower | found
        session.noted(session.phase)


def strengthen(session: Session[S], query: Query) -> None:
    """Look for better strategies by beams and one-step methods, and for better bounds from parts.

    Strategies take a share of the time that is left, then bounds half of the rest. Without a time limit,
    bounds are sought only for a worst case.
    """
    space, session.phase = session.space, PHASES[query.figure]
    look_longer(session)
    if session.policy.layers and not large(session):
        by_layers(session)
    if hurried(session, query) and session.best is not None:
        approach(session, query)
        return
    if query.figure == "total" and query.left < 0 and not space.one_step and not session.deadline.unlimited:
        with session.within(session.deadline.left / 2):
            rebuild(session, query)
        return
    budget = session.policy.beam_budget if session.deadline.unlimited else 0
    with session.within(session.policy.beam_share * session.deadline.left):
        beam(session, query, BEAMS[0], budget)
        with session.within(session.deadline.left / 2):
            later, session.later = session.later, []
            session.play(later)
        if later and not session.deadline.unlimited:
            refine(session, query)
        for width in BEAMS[1:]:
            beam(session, query, width, budget)
    if session.policy.small and (query.figure == "worst" or not session.deadline.unlimited):
        with session.within(PARTS_FIRST if session.deadline.unlimited else session.deadline.left / 2):
            raise_by_parts(session, query)


def large(session: Session[S]) -> bool:
    """Return whether a first look takes so long that what says something at once comes before it."""
    return (
        session.policy.layers
        and session.resources.tabled
        and session.problem.secrets * len(session.problem.own) >= LARGE
    )


def tells_apart(session: Session[S], query: Query) -> bool:
    """Return whether the secrets of a table are to be distinguished, for the least total."""
    problem, total = session.problem, query.figure == "total" and query.left < 0
    return total and problem.winning < 0 and problem.codes is None and session.space.one_step


def hurried(session: Session[S], query: Query) -> bool:
    """Return whether that is to be done in limited time."""
    return tells_apart(session, query) and not session.deadline.unlimited


def approach(session: Session[S], query: Query) -> None:
    """Raise the bound of a table, and build its strategy anew; leave time for a proof that is within reach.

    Where all questions count the same, layers are few, and first guesses may say more.
    """
    with session.within(BOUND_SHARE * session.deadline.left):
        if session.space.decides:
            rebuild(session, query)
        else:
            raise_by_layers(session)
    if session.space.decides:
        first = firsts_of(session)
        if NEAR * first.least >= session.lower["total"]:
            first.work()
            return
    with session.within(session.deadline.left * (PROOF_SHARE if near(session) else 1)):
        rebuild(session, query)


def beam(session: Session[S], query: Query, width: int, budget: int) -> None:
    """Look for a strategy that is better than the best, among the best guesses of each state."""
    session.beam(width, query, min(session.worth(query), session.space.ceiling(query)), budget)


def refine(session: Session[S], query: Query) -> None:
    """Improve the best strategy from below, by beams in ever larger states.

    Where strategies are deep, a beam from the first guess on hardly ends.
    """
    for width in BEAMS[1:3]:
        searcher, most = session.space.searcher(query, session.resources, width), max(session.policy.small, 1)
        try:
            while most < session.problem.secrets and not session.deadline.late():
                session.phase = f"{PHASES[query.figure]}, best {width} guesses of states up to {most}"
                session.improve_below(searcher, query, most)
                most *= 2
        finally:
            session.retire(searcher)
    session.phase = PHASES[query.figure]


def raise_by_layers(session: Session[S]) -> None:
    """Bound the total by layers of the costs, with ever larger classes searched, while that may say more."""
    most, bound = LEAST_CLASS, float(session.lower["total"])
    while NEAR * bound >= session.lower["total"] and most < session.problem.secrets:
        if session.deadline.late() or session.settled("total"):
            break
        session.phase = f"{PHASES['total']}, classes of {most} secrets"
        bound = by_layers(session, most)
        most *= CLASSES_GROW
    session.phase = PHASES["total"]


def raise_by_parts(session: Session[S], query: Query) -> None:
    """Bound a query by ever larger parts; what is found there improves the best strategy.

    A depth-first search that the clock stops has hardly a bound of its own.
    """
    searcher, most, infinite = session.searcher(query), session.policy.small, session.space.infinite
    while most < session.problem.secrets and not session.deadline.late():
        bound = 0
        for part in session.space.parts(query, most):
            lower = session.search(searcher, part, infinite).lower
            bound = max(bound, lower) if query.figure == "worst" else bound + lower
            if session.deadline.late():
                break
        learn(session, query, min(bound, session.worth(query)))
        if bound >= session.worth(query):
            return
        session.improve_below(searcher, query, most)
        most *= 2


# -- the worst case ----------------------------------------------------------------------------------------


def least_worst(session: Session[S]) -> None:
    """Raise what is known of the worst case to the least, with a strategy offered, unless stopped."""
    session.figure = "worst"
    if not session.space.decides:
        minimise(session, session.space.query("worst"))
    elif session.policy.takes_turns:
        take_turns(session)
    else:
        rise(session)


def rise(session: Session[S], budget: int = 0) -> None:
    """Decide one depth after another, until one suffices or so many evaluations are spent (0: any number)."""
    while (
        session.lower["worst"] < min(session.upper("worst"), session.space.most + 1)
        and not session.deadline.late()
    ):
        depth = session.lower["worst"]
        session.phase = f"worst case of {depth}"
        query = session.space.query("worst", depth)
        outcome = session.ask(query, depth + 1, budget)
        if outcome.upper <= depth:
            session.take(query, outcome.guess)
            return
        if outcome.ended:
            return
        session.raise_to("worst", depth + 1, f"depth {depth} refuted")


def take_turns(session: Session[S]) -> None:
    """Let the proof and the search for better strategies take turns, with growing budgets.

    First what is refuted in no time. Then a strategy: the most promising guess everywhere.
    """
    rise(session, QUICK_BUDGET)
    strategy_by_beams(session, 1)
    budget = session.policy.look[0]
    while (
        session.lower["worst"] < min(session.upper("worst"), session.space.most + 1)
        and not session.deadline.late()
    ):
        for width in TURNS:
            improve(session, width, budget)
        rise(session, 0 if budget >= LAST_BUDGET and session.deadline.unlimited else budget)
        budget *= 4


def strategy_by_beams(session: Session[S], width: int) -> None:
    """Find a strategy by beams of this width, with ever more guesses allowed."""
    depth = session.lower["worst"]
    while session.best is None and depth <= session.space.most and not session.deadline.late():
        session.beam(width, session.space.query("worst", depth), depth + 1)
        depth += 1


def least_worst_with(session: Session[S]) -> None:
    """Lower the worst case of the best strategy as far as the least total allows."""
    total, session.figure = session.upper("total"), "worst"
    while session.upper("worst") > session.lower["worst"] and not session.deadline.late():
        limit = session.upper("worst") - 1
        session.phase = f"worst case of {limit} with the least total"
        query = session.space.query("total", limit)
        outcome = session.ask(query, min(total + 1, session.space.ceiling(query)))
        if outcome.upper <= total:
            session.take(query, outcome.guess)
        elif not outcome.ended:
            session.raise_to("worst", limit + 1)
        if outcome.ended:
            return


# -- strategies --------------------------------------------------------------------------------------------


def improve(session: Session[S], width: int, budget: int = 0) -> None:
    """Look for a better strategy by beams of this width.

    Where the worst case is decided, by one for each depth below the best, until one fails; else by one.
    """
    figure = session.problem.objective.figures[0]
    session.phase, session.figure = PHASES[figure], figure
    if figure != "worst" or not session.space.decides:
        query = session.space.query(figure)
        session.beam(width, query, session.worth(query), budget)
        return
    if session.policy.takes_turns:
        strategy_by_beams(session, width)
    found = True
    while found and session.lower[figure] < session.upper(figure) and not session.deadline.late():
        depth = min(session.upper(figure) - 1, session.space.most)
        found = session.beam(width, session.space.query(figure, depth), depth + 1, budget)


ANSWERS: dict[tuple[str, ...], Callable[[Session[Any]], None]] = {
    ("total",): least_total,
    ("worst",): least_worst,
    ("worst", "total"): least_worst_then_total,
    ("total", "worst"): least_total_then_worst,
    ("lost", "won"): least_lost,
}
"""What minimises the figures of an objective, in their order."""
