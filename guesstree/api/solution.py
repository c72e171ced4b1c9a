"""`Solution`: what a search found with its tree; and the searches of the engine, which then return one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, wraps
from html import escape
from inspect import signature
from typing import ParamSpec

from guesstree.api.progress import progress_bar
from guesstree.api.strategy import MOST_DRAWN, Strategy, strategy_of
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.exact import Value
from guesstree.engine.notation import plural
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.search import bounds as anytime
from guesstree.engine.search import solve as search
from guesstree.engine.solution import Solved

P = ParamSpec("P")
MOST_DESCRIBED = 20_000
"""Secrets of a strategy that a notebook describes: its tree takes a moment to build."""


class Solution(Solved):
    """What a search found and proved, and its strategy.

    `lower` and `upper` bound the optimum, and `upper` is what the strategy takes: one number for each part of
    the objective. They are equal when it is proven optimal. `stopped` says why a search ended early; the
    other attributes are those of `Solved`.
    """

    @cached_property
    def strategy(self) -> Strategy:
        """The decision tree, built by the game's own responses when it is first asked for."""
        return strategy_of(self)

    def _repr_html_(self) -> str:
        """Show in a notebook what is proven and what the strategy takes, and a small strategy's tree."""
        from guesstree.trees.export.title import headlines

        lines, picture = [repr(self)], ""
        if len(self.game.secrets) <= MOST_DESCRIBED:
            with suppress(GuesstreeError):  # the bounds are there without the tree
                lines = headlines(self.game, self.strategy)
                if len(self.strategy) <= MOST_DRAWN and (drawn := self.strategy._repr_svg_()):
                    lines, picture = [], drawn[drawn.index("<svg") :]  # the figures are its title
        work = f"{plural(self.states, 'state')}, {plural(self.evaluations, 'evaluation')}"
        cut = f", stopped by {self.stopped}" if self.stopped else ""
        renamed = f", {self.symmetry} renamings" if self.symmetry else ""
        lines.append(f"{work}{renamed}, {self.seconds:.2f} s{cut}")
        return f"{picture}<p style='white-space: pre-wrap'>{'<br>'.join(map(escape, lines))}</p>"


def with_bound(solution: Solution, *bounds: Value | tuple[Value, ...] | None) -> Solution:
    """Return a solution with the greatest of some bounds of the total, those of certificates, say.

    A certificate needs no lemma for a look ahead at all first guesses, for which a search may have had no
    time, and more may be found after the search has ended. What is no bound of a total is left out.
    """
    totals = [bound for bound in bounds if bound is not None and not isinstance(bound, tuple)]
    greatest, (lower, *others) = max(totals, default=0), solution.lower
    if OBJECTIVES[solution.objective].figures[0] != "total" or greatest <= lower:
        return solution
    raised = (greatest, *others)
    return replace(solution, lower=raised, stopped="" if raised == solution.upper else solution.stopped)


def _with_tree(search: Callable[P, Solved]) -> Callable[P, Solution]:
    """Return a search of the engine as one that returns a `Solution`, and shows a bar in a notebook."""

    @wraps(search)
    def searched(*given: P.args, **options: P.kwargs) -> Solution:
        with progress_bar(options.get("progress")) as options["progress"]:
            return Solution(**vars(search(*given, **options)))

    searched.__module__ = __name__  # where pickle looks for it
    shown = signature(search).replace(return_annotation="Solution")
    searched.__signature__ = shown  # type: ignore[attr-defined]
    return searched


solve = _with_tree(search.solve)
bounds = _with_tree(anytime.bounds)
