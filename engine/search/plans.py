"""Objectives as questions: which searches, in which order, answer an objective.

A pair is solved under a limit, see `engine.objective`: first the least worst case, then the least total
within it; or first the least total, then the least worst case that still reaches it. What is lost within a
budget is settled before what the others pay: where costs do not count, many more bounds meet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..objective import FIGURES
from .first_guesses import firsts_of, look_longer
from .kind import Question, S
from .layering import by_layers
from .rebuild import rebuild
from .run import Run
from .watch import Progress

BEAMS = (1, 3, 10, 30)
TURNS = (3, 30)
"""Widths of beams: of those that come when a search is long, and of those that take turns with a proof."""
LOOK_SHARE, BOUND_SHARE, PROOF_SHARE = 0.1, 0.3, 0.6
"""Of the time for a table: a first look, then bounds, then strategies unless no proof is within reach."""
RELAXED = 60.0
"""Seconds that the question without a limit may take before the one with it is searched."""
FEWER = "fewer repeats"
NEAR = 1.05
"""A proof is within reach where the strategy takes at most so many times the bound."""
LARGE = 1 << 14
"""Cells of a table: with fewer, a first look is over at once."""
LEAST_CLASS, CLASSES_GROW = 32, 4
"""Classes of so many secrets are searched, see `by_layers`, then of so many times as many."""
QUICK_BUDGET, LAST_BUDGET = 1 << 9, 1 << 20
"""Evaluations of the first and the last turn of a proof; without a time limit it then goes on to the end."""
PHASES = {name: figure.phase for name, figure in FIGURES.items()}


def answer(run: Run[S]) -> None:
    """Raise the lower bounds of all parts of the objective and look for strategies until they meet."""
    parts = run.problem.objective.figures
    if parts == ("lost", "won"):
        if run.worth(run.kind.question("lost")):
            minimise(run, run.kind.question("lost"))
        if not run.watch.stopped:
            minimise(run, run.kind.question("won"))
    elif parts[0] == "worst":
        least_worst(run)
        if len(parts) > 1 and not run.watch.stopped and run.settled("worst"):
            if run.kind.relaxes:
                relax(run)
            if not run.watch.stopped and not run.settled("total"):
                minimise(run, run.kind.question("total", run.upper("worst")))
    else:
        minimise(run, run.kind.question("total"))
        if len(parts) > 1 and not run.watch.stopped and run.settled("total"):
            least_worst_with(run)


def start_with_less(run: Run[S], work: Callable[[Run[Any]], None]) -> None:
    """Do this work on the game with less to ask first, where there is one, and begin with its strategy.

    It may take all the time, so that more to ask never ends worse.
    """
    less, told = run.kind.poorer(), run.progress
    if less is None or run.settled(run.part):
        return

    def progress(seen: Progress) -> None:
        assert told is not None
        lower = run.kind.told(run.part, run.lower[run.part])
        told(replace(seen, phase=f"{seen.phase}, {FEWER}", lower=lower))

    inner = Run(less.kind, run.room, run.watch, told and progress)
    try:
        work(inner)
    finally:
        run.spent = run.spent[0] + inner.states, run.spent[1] + inner.evaluations
        if inner.best is not None:
            run.offer(less.widened(inner.best), FEWER)


def minimise(run: Run[S], question: Question) -> None:
    """Raise what is known of a question to its least value, with a strategy offered, unless stopped.

    When a first look does not settle it, better strategies and bounds are sought before the proof goes on.
    Where no one-step method was played, the strategy to begin with is that of a beam.
    """
    run.part, kind = question.part, run.kind
    run.phase = PHASES[question.part]
    if (run.best is None and not kind.one_step) or (large(run) and tells_apart(run, question)):
        beam(run, question, BEAMS[0], 0)  # takes no time beside a first look
    if large(run):
        with run.within(BOUND_SHARE * run.watch.left):
            by_layers(run)
    for budget in (kind.look[run.watch.unlimited], 0):
        run.phase = PHASES[question.part]
        run.offset = None if question.part == "won" or (question.part == "worst" and run.problem.first) else 0
        searcher, beta = run.searcher(question), min(run.worth(question), run.kind.ceiling(question))
        share = LOOK_SHARE if budget and hurried(run, question) else 1
        with run.within(run.watch.left * share):
            outcome = run.ask(searcher, question, beta, budget)
        run.offset = None
        if outcome.upper < beta:
            run.take(searcher, question, outcome.guess)
            ended = outcome.ended or run.watch.stopped
            assert ended or run.worth(question) <= outcome.upper, f"{outcome}, {run.figures}"
        learn(run, question, min(outcome.lower, run.worth(question)))
        if not outcome.ended or run.watch.stopped:
            return
        strengthen(run, question)


def relax(run: Run[S]) -> None:
    """Raise the least total to what it is without a limit, and offer that strategy: it may keep the limit."""
    question = run.kind.question("total")
    run.part, run.phase = question.part, "total without a limit"
    searcher = run.searcher(question)
    with run.within(min(run.watch.left * PROOF_SHARE, RELAXED)):
        outcome = run.ask(searcher, question, run.kind.infinite)
    learn(run, question, outcome.lower)
    if outcome.upper < run.kind.infinite:
        run.take(searcher, question, outcome.guess)


def learn(run: Run[S], question: Question, lower: int) -> None:
    """Take in a lower bound of a question; with several parts, the first counts most."""
    if lower >= run.kind.infinite:  # there is no strategy
        return
    found = run.kind.learnt(question, lower)
    if tuple(found.values()) > tuple(run.lower[part] for part in found):
        run.lower = run.lower | found
        run.noted(run.phase)


def strengthen(run: Run[S], question: Question) -> None:
    """Look for better strategies by beams and one-step methods, and for better bounds from parts.

    Strategies take a share of the time that is left, then bounds half of the rest.
    """
    kind, run.phase = run.kind, PHASES[question.part]
    look_longer(run)
    if not large(run):
        by_layers(run)
    if hurried(run, question) and run.best is not None:
        approach(run, question)
        return
    if question.part == "total" and question.left < 0 and not kind.one_step and not run.watch.unlimited:
        with run.within(run.watch.left / 2):
            rebuild(run, question)
        return
    budget = kind.beam_budget if run.watch.unlimited else 0
    with run.within(kind.beam_share * run.watch.left):
        beam(run, question, BEAMS[0], budget)
        with run.within(run.watch.left / 2):
            later, run.later = run.later, []
            run.play(later)
        if later and not run.watch.unlimited:
            refine(run, question)
        for width in BEAMS[1:]:
            beam(run, question, width, budget)
    if kind.small and not run.watch.unlimited:
        with run.within(run.watch.left / 2):
            raise_by_parts(run, question)


def large(run: Run[S]) -> bool:
    """Return whether a first look takes so long that what says something at once comes before it."""
    return run.room.tabled and run.problem.secrets * len(run.problem.own) >= LARGE


def tells_apart(run: Run[S], question: Question) -> bool:
    """Return whether the secrets of a table are to be told apart, for the least total."""
    problem, total = run.problem, question.part == "total" and question.left < 0
    return total and problem.winning < 0 and problem.codes is None and run.kind.one_step


def hurried(run: Run[S], question: Question) -> bool:
    """Return whether that is to be done in limited time."""
    return tells_apart(run, question) and not run.watch.unlimited


def approach(run: Run[S], question: Question) -> None:
    """Raise the bound of a table, and build its strategy anew; leave time for a proof that is within reach.

    Where all questions count the same, layers are few, and first guesses may say more.
    """
    with run.within(BOUND_SHARE * run.watch.left):
        if run.kind.decides:
            rebuild(run, question)
        else:
            raise_by_layers(run)
    if run.kind.decides:
        first = firsts_of(run)
        if NEAR * first.least >= run.lower["total"]:
            first.work()
            return
    near = run.upper("total") <= NEAR * run.lower["total"]
    with run.within(run.watch.left * (PROOF_SHARE if near else 1)):
        rebuild(run, question)


def beam(run: Run[S], question: Question, width: int, budget: int) -> None:
    """Look for a strategy that is better than the best, among the best guesses of each state."""
    run.beam(width, question, min(run.worth(question), run.kind.ceiling(question)), budget)


def refine(run: Run[S], question: Question) -> None:
    """Improve the best strategy from below, by beams in ever larger states.

    Where strategies are deep, a beam from the first guess on hardly ends.
    """
    for width in BEAMS[1:3]:
        searcher, most = run.kind.searcher(question, run.room, width), max(run.kind.small, 1)
        try:
            while most < run.problem.secrets and not run.watch.late():
                run.phase = f"{PHASES[question.part]}, best {width} guesses of states up to {most}"
                run.improve_below(searcher, question, most)
                most *= 2
        finally:
            run.retire(searcher)
    run.phase = PHASES[question.part]


def raise_by_layers(run: Run[S]) -> None:
    """Bound the total by layers of the costs, with ever larger classes searched, while that may say more."""
    most, bound = LEAST_CLASS, float(run.lower["total"])
    while NEAR * bound >= run.lower["total"] and most < run.problem.secrets:
        if run.watch.late() or run.settled("total"):
            break
        run.phase = f"{PHASES['total']}, classes of {most} secrets"
        bound = by_layers(run, most)
        most *= CLASSES_GROW
    run.phase = PHASES["total"]


def raise_by_parts(run: Run[S], question: Question) -> None:
    """Bound a question by ever larger parts; what is found there improves the best strategy.

    A depth-first search that the clock stops has hardly a bound of its own.
    """
    searcher, most, infinite = run.searcher(question), run.kind.small, run.kind.infinite
    while most < run.problem.secrets and not run.watch.late():
        bound = 0
        for part in run.kind.parts(question, most):
            lower = run.search(searcher, part, infinite).lower
            bound = max(bound, lower) if question.part == "worst" else bound + lower
            if run.watch.late():
                break
        learn(run, question, min(bound, run.worth(question)))
        if bound >= run.worth(question):
            return
        run.improve_below(searcher, question, most)
        most *= 2


# -- the worst case ----------------------------------------------------------------------------------------


def least_worst(run: Run[S]) -> None:
    """Raise what is known of the worst case to the least, with a strategy offered, unless stopped."""
    run.part = "worst"
    if not run.kind.decides:
        minimise(run, run.kind.question("worst"))
    elif run.kind.takes_turns:
        take_turns(run)
    else:
        rise(run)


def rise(run: Run[S], budget: int = 0) -> None:
    """Decide one depth after another, until one suffices or so many evaluations are spent (0: any number)."""
    while run.lower["worst"] < min(run.upper("worst"), run.kind.most + 1) and not run.watch.late():
        depth = run.lower["worst"]
        run.phase = f"worst case of {depth}"
        question = run.kind.question("worst", depth)
        searcher = run.searcher(question)
        outcome = run.ask(searcher, question, depth + 1, budget)
        if outcome.upper <= depth:
            run.take(searcher, question, outcome.guess)
            return
        if outcome.ended:
            return
        run.raise_to("worst", depth + 1, f"depth {depth} refuted")


def take_turns(run: Run[S]) -> None:
    """Let the proof and the search for better strategies take turns, with growing budgets.

    First what is refuted in no time. Then a strategy: the most promising guess everywhere.
    """
    rise(run, QUICK_BUDGET)
    first_strategy(run, 1)
    budget = run.kind.look[0]
    while run.lower["worst"] < min(run.upper("worst"), run.kind.most + 1) and not run.watch.late():
        for width in TURNS:
            improve(run, width, budget)
        rise(run, 0 if budget >= LAST_BUDGET and run.watch.unlimited else budget)
        budget *= 4


def first_strategy(run: Run[S], width: int) -> None:
    """Find a strategy by beams of this width, with ever more guesses allowed."""
    depth = run.lower["worst"]
    while run.best is None and depth <= run.kind.most and not run.watch.late():
        run.beam(width, run.kind.question("worst", depth), depth + 1)
        depth += 1


def least_worst_with(run: Run[S]) -> None:
    """Lower the worst case of the best strategy as far as the least total allows."""
    total, run.part = run.upper("total"), "worst"
    while run.upper("worst") > run.lower["worst"] and not run.watch.late():
        limit = run.upper("worst") - 1
        run.phase = f"worst case of {limit} with the least total"
        question = run.kind.question("total", limit)
        searcher = run.searcher(question)
        outcome = run.ask(searcher, question, min(total + 1, run.kind.ceiling(question)))
        if outcome.upper <= total:
            run.take(searcher, question, outcome.guess)
        elif not outcome.ended:
            run.raise_to("worst", limit + 1)
        if outcome.ended:
            return


# -- strategies --------------------------------------------------------------------------------------------


def improve(run: Run[S], width: int, budget: int = 0) -> None:
    """Look for a better strategy by beams of this width.

    Where the worst case is decided, by one for each depth below the best, until one fails; else by one.
    """
    part = run.problem.objective.figures[0]
    run.phase, run.part = PHASES[part], part
    if part != "worst" or not run.kind.decides:
        question = run.kind.question(part)
        run.beam(width, question, run.worth(question), budget)
        return
    if run.kind.takes_turns:
        first_strategy(run, width)
    found = True
    while found and run.lower[part] < run.upper(part) and not run.watch.late():
        depth = min(run.upper(part) - 1, run.kind.most)
        found = run.beam(width, run.kind.question(part, depth), depth + 1, budget)
