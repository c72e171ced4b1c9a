"""What is minimised, as tuples of integers compared from the left.

Law: combining the parts of a partition is monotone in each part for `worst` (one more than the largest) and
for `expected` (candidates plus the sum), so each can be solved part by part. A pair cannot: a part that is
not on the deepest branch may use the slack that the deepest leaves. It can under a depth limit, which is how
`engine.search` solves pairs: first the least worst case, then the least total under it, with the guesses
left in the key of every state; or first the least total, then the least depth that still reaches it.

The cost of a secret is the sum of what the responses on its path cost (1 each, unless the game says
otherwise). With weights the total is weighted. `win-probability` is the pair (weight of the secrets that are
not won within the budget, weighted cost of those that are): an ordered sum, so it can be solved part by part
with what is left of the budget in the key of every state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .errors import GuesstreeError, unknown
from .exact import Number
from .game import Game

GOALS = ("win", "identify")


@dataclass(frozen=True)
class Objective:
    """An objective by its parts: ``worst`` (guesses at most), ``expected`` (total over all secrets).

    ``win-probability`` stands alone and needs a budget; its value has two numbers.
    """

    parts: tuple[str, ...]

    @property
    def name(self) -> str:
        """The parts, joined by commas."""
        return ",".join(self.parts)

    @property
    def budgeted(self) -> bool:
        """Whether it is about what is won within a budget."""
        return self.parts == ("win-probability",)

    @property
    def figures(self) -> tuple[str, ...]:
        """What is compared, by the names of `solution.Figures`."""
        if self.budgeted:
            return "lost", "won"
        return tuple({"expected": "total"}.get(part, part) for part in self.parts)

    def value(self, total: int, worst: int) -> tuple[int, ...]:
        """Return what a strategy with this total and worst case is compared by."""
        return tuple(worst if part == "worst" else total for part in self.parts)


OBJECTIVES = {
    objective.name: objective
    for objective in (
        Objective(("expected",)),
        Objective(("worst",)),
        Objective(("worst", "expected")),
        Objective(("expected", "worst")),
    )
}


WIN_PROBABILITY = Objective(("win-probability",))


OBJECTIVE_NAMES = (*OBJECTIVES, WIN_PROBABILITY.name)


def value_texts(game: Game, objective: str, value: Sequence[Number]) -> tuple[str, ...]:
    """Return the parts of a value of an objective as readers see them, in the units of the game."""
    names = parse_objective(objective).figures
    return tuple(game.figure_text(*figure) for figure in zip(names, value, strict=False))


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
    return "expected" if budget is None else WIN_PROBABILITY.name


def parse_objective(name: str) -> Objective:
    """Return the objective of this name; raise GuesstreeError for another."""
    if isinstance(name, str) and name == WIN_PROBABILITY.name:
        return WIN_PROBABILITY
    if not isinstance(name, str) or name not in OBJECTIVES:
        raise GuesstreeError(unknown("objective", name, OBJECTIVE_NAMES))
    return OBJECTIVES[name]
