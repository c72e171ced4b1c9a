"""What is minimised, as tuples of integers compared from the left: one record for each objective.

Law: combining the parts of a partition is monotone in each figure for `worst` (one more than the largest) and
for `total` (candidates plus the sum), so each can be solved part by part. A pair cannot: a part that is
not on the deepest branch may use the slack that the deepest leaves. It can under a depth limit, which is how
`engine.search` solves pairs: first the least worst case, then the least total under it, with the guesses
left in the key of every state; or first the least total, then the least depth that still reaches it.

The cost of a secret is the sum of what the responses on its path cost (1 each, unless the game says
otherwise). With weights the total is weighted. `win-probability` is the pair (weight of the secrets that are
not won within the budget, weighted cost of those that are): an ordered sum, so it can be solved part by part
with what is left of the budget in the key of every state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from .errors import GuesstreeError, unknown

GOALS = ("win", "identify")
N = TypeVar("N")


@dataclass(frozen=True)
class Figure:
    """A number that strategies are compared by.

    Attributes
    ----------
    name: as in `solution.Figures`, in questions of a search, and in figures of a tree.
    phase: what a search for its least value is called.
    costs, weighted: whether it counts units of cost, of weight, or of both multiplied.
    share: what all of the weight makes where the browser divides by it (1: an average, 100: percent); 0: it
        does not.
    words: how the browser says so much of it; ``{what}`` is what is paid.
    """

    name: str
    phase: str
    costs: bool
    weighted: bool
    share: int
    words: str

    def unit(self, cost: Fraction, weight: Fraction) -> Fraction:
        """Return what the integer 1 of it stands for, where those of costs and weights stand for these."""
        return (cost if self.costs else 1) * (weight if self.weighted else Fraction(1))


FIGURES = {
    figure.name: figure
    for figure in (
        Figure("total", "total", costs=True, weighted=True, share=1, words="{what} on average"),
        Figure("worst", "worst case", costs=True, weighted=False, share=0, words="{what} at most"),
        Figure(
            "lost",
            "weight lost",
            costs=False,
            weighted=True,
            share=100,
            words="% not found within the budget",
        ),
        Figure("won", "cost of what is won", costs=True, weighted=True, share=0, words="{what} in all"),
    )
}


@dataclass(frozen=True)
class Objective:
    """An objective: what it compares, what it needs, and the words in which it is offered and proven.

    Attributes
    ----------
    name: as users give it.
    figures: what is compared, by the names of `FIGURES`; the first counts most.
    group: the feature of `engine.support` that refusals and docs/combinations.md know it by.
    budgeted: whether it is about what is won within a budget, without which it is nothing.
    title, explained: what a form calls it, and a sentence that explains it; ``{little}`` is ``few tests`` or
        ``little cost``, ``{some}`` that secrets differ, ``{secret}``, ``{secrets}``, ``{guesses}`` are the
        words of the game.
    proven, proven_cost: that nothing is better, where ``{fewer}`` names what is counted, and where nothing is
        counted; ``{order}`` is a strategy.
    """

    name: str
    figures: tuple[str, ...]
    group: str
    title: str
    explained: str
    proven: str
    proven_cost: str
    budgeted: bool = False

    def value(self, figures: Mapping[str, N]) -> tuple[N, ...]:
        """Return what a strategy with these figures is compared by."""
        return tuple(figures[name] for name in self.figures)

    def compares(self, figures: Mapping[str, object]) -> bool:
        """Return whether these figures suffice to compare strategies."""
        return set(self.figures) <= set(figures)


OBJECTIVES = {
    objective.name: objective
    for objective in (
        Objective(
            "expected",
            ("total",),
            group="expected",
            title="As {little} as possible on average",
            explained="Best when this is done often; {some}.",
            proven="no {order} needs {fewer} on average",
            proven_cost="no {order} costs less on average",
        ),
        Objective(
            "worst",
            ("worst",),
            group="worst",
            title="Never more than needed in the worst case",
            explained="As {little} as possible for the {secret} that is hardest to find.",
            proven="no {order} needs {fewer} in the worst case",
            proven_cost="no {order} costs less in the worst case",
        ),
        Objective(
            "worst,expected",
            ("worst", "total"),
            group="a pair",
            title="First the worst case, then the average",
            explained="Of all that are best in the worst case, the one that is best on average.",
            proven="no {order} needs {fewer} in the worst case, "
            "nor fewer on average with the same worst case",
            proven_cost="no {order} costs less in the worst case, "
            "nor less on average with the same worst case",
        ),
        Objective(
            "expected,worst",
            ("total", "worst"),
            group="a pair",
            title="First the average, then the worst case",
            explained="Of all that are best on average, the one that is best in the worst case.",
            proven="no {order} needs {fewer} on average, nor fewer in the worst case with the same average",
            proven_cost="no {order} costs less on average, nor less in the worst case with the same average",
        ),
        Objective(
            "win-probability",
            ("lost", "won"),
            group="win-probability",
            title="The best chance within a budget",
            explained="As many {secrets} as possible are found before the budget is spent: "
            "so many {guesses}, or what they cost.",
            proven="no {order} succeeds more often within the budget",
            proven_cost="no {order} succeeds more often within the budget",
            budgeted=True,
        ),
    )
}
OBJECTIVE_NAMES = tuple(OBJECTIVES)
WITHOUT_BUDGET = {name: one for name, one in OBJECTIVES.items() if not one.budgeted}
EXPECTED, WORST, WIN_PROBABILITY = (OBJECTIVES[name] for name in ("expected", "worst", "win-probability"))


def objective_groups(holds: Callable[[Objective], bool] = lambda _: True) -> tuple[str, ...]:
    """Return the groups of the objectives of which this holds, by default of all."""
    return tuple(dict.fromkeys(one.group for one in OBJECTIVES.values() if holds(one)))


def bounds_text(lower: Sequence[object], upper: Sequence[object]) -> str:
    """Return in words what is known of an optimum: ``5625 proven``, or ``at least 5600, at most 5640``."""
    least, most = (
        str(bound[0]) if len(bound) == 1 else f"({', '.join(map(str, bound))})" for bound in (lower, upper)
    )
    if lower == upper:
        return f"{most} proven"
    return f"at least {least}, at most {most}" if lower else f"at most {most}"


def usual_objective(budget: int | None) -> str:
    """Return the objective where none is asked for, of a game with this budget, or with none."""
    return (EXPECTED if budget is None else WIN_PROBABILITY).name


def parse_objective(name: str) -> Objective:
    """Return the objective of this name; raise GuesstreeError for another."""
    if not isinstance(name, str) or name not in OBJECTIVES:
        raise GuesstreeError(unknown("objective", name, OBJECTIVE_NAMES))
    return OBJECTIVES[name]
