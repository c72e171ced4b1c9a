"""Several methods played out over one game, beside the optimum where it is affordable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from numbers import Real
from typing import Any

from guesstree.api.solution import Solution, solve, with_bound
from guesstree.engine.errors import GuesstreeError, Infeasible, SpaceError, require_flag, shown
from guesstree.engine.exact import Value, short_text
from guesstree.engine.game import Game, whole
from guesstree.engine.notation import plural, plurals
from guesstree.engine.notebook import html_table
from guesstree.engine.objective import EXPECTED, WORST, usual_objective
from guesstree.engine.onestep.ranking import AnyMethod, Method
from guesstree.engine.onestep.valuations import BUDGET_VALUATIONS, COST_VALUATIONS, VALUATIONS, VOLUME
from guesstree.engine.registry import game_of
from guesstree.engine.search.deadline import Progress
from guesstree.trees.figures import Costs, Summary, figures_of

EXACT_SECONDS = 10.0
"""For the exact search beside one-step methods."""


def usual_methods(game: Game, lies: int = 0) -> list[str]:
    """Return the one-step methods that are compared unless others are asked for."""
    if lies:
        return [VOLUME, *VALUATIONS]
    priced = game.facts.weighted or game.facts.priced
    found = [*COST_VALUATIONS, "entropy"] if priced else list(VALUATIONS)
    return found if game.budget is None else [*found, *BUDGET_VALUATIONS]


@dataclass(frozen=True)
class Compared:
    """One method's strategy in figures.

    Attributes
    ----------
    method: its name; ``exact`` for the best strategy that the search found.
    first: the label of its first guess, empty when nothing has to be asked.
    summary: total number of guesses, worst case and histogram, from the strategy's tree.
    optimal, lower: whether the total is proven least, and at least what the least total is (guesses); with a
        budget, the same of the weight that is lost, and with lies of the worst case.
    seconds: wall-clock time of the play or of the search.
    costs: what the strategy costs where the game has weights or costs, else None.
    objective: what is proven least: the total, with a budget what is lost, with lies the worst case.
    """

    method: str
    first: str
    summary: Summary
    optimal: bool
    lower: Value
    seconds: float
    costs: Costs | None = None
    objective: str = EXPECTED.name

    def __repr__(self) -> str:
        first = f"first {self.first}, " if self.first else ""
        figures = self.figures
        taken = "total {total}, average {average}, worst {worst}".format_map(figures.shown)
        return f"Compared({self.label}, {first}{taken})"

    @property
    def figures(self) -> Summary | Costs:
        """What total, average and worst case are about: costs where there are any, else guesses."""
        return self.summary if self.costs is None else self.costs

    @property
    def won(self) -> tuple[str, ...]:
        """The weight that is won within the budget, and its share in percent; empty without a budget."""
        if self.costs is None or self.costs.budget is None:
            return ()
        return self.costs.shown["won"], f"{100 * float(self.costs.probability):.3f}"

    @property
    def label(self) -> str:
        """The method, and for the search what it proved."""
        if self.method != "exact":
            return self.method
        lost = " lost" if self.costs is not None and self.costs.budget is not None else ""
        if self.objective == WORST.name:
            return "least worst case" if self.optimal else f"search so far (worst case at least {self.lower})"
        return "optimum" if self.optimal else f"search so far (at least {short_text(self.least)}{lost})"

    @property
    def least(self) -> Fraction:
        """The bound as readers see it."""
        costs = self.costs
        if costs is None:
            return Fraction(self.lower)
        return self.lower * costs.weight_unit * (costs.cost_unit if costs.budget is None else 1)

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain data, costs as readers see them."""
        guesses = self.summary.as_json()
        return {
            "method": self.method,
            "first": self.first,
            **(guesses if self.costs is None else self.costs.beside(guesses)),
            "optimal": self.optimal,
            "lower": int(self.least) if self.least == int(self.least) else float(self.least),
            "seconds": round(self.seconds, 4),
        }


class Comparison(list[Compared]):
    """The rows of a comparison; in a notebook they show as a table.

    Attributes
    ----------
    stopped: ``interrupt`` if Ctrl-C ended it; the methods that were not played to the end are left out.
    about: the game in words, with what total, average and worst case count.
    """

    stopped = ""
    about = ""

    @property
    def budget(self) -> str:
        """What a secret may cost to count as won, as readers see it; empty: nothing is won or lost."""
        costs = self[0].costs if self else None
        return "" if costs is None or costs.budget is None else costs.shown["budget"]

    def _repr_html_(self) -> str:
        head = ("method", "first", "total", "average", "worst", *["won", "%"] * bool(self.budget), "seconds")
        cells = [
            (
                row.label,
                row.first,
                *(row.figures.shown[name] for name in ("total", "average", "worst")),
                *row.won,
                f"{row.seconds:.3f}",
            )
            for row in self
        ]
        within = f"; won within {self.budget}" if self.budget else ""
        return f"<p>{escape(self.about + within)}</p>{html_table(head, cells)}"


def compare(
    game: Game | str,
    methods: AnyMethod | Sequence[AnyMethod] | None = None,
    *,
    first: str | None = None,
    candidates_only: bool = False,
    no_preference: bool = False,
    goal: str | None = None,
    seed: int = 0,
    budget: int | None = None,
    lies: int = 0,
    exact_seconds: float = EXACT_SECONDS,
    progress: Callable[[Progress], None] | None = None,
) -> Comparison:
    """Play each method for every secret, and search for the least total, with lies the least worst case.

    Parameters
    ----------
    methods: names of one-step methods, `Method`, or functions, see there; None: those that suit the game,
        see `usual_methods`.
    exact_seconds: how long the search may take; 0: no search.
    first, candidates_only, goal, budget, lies, progress: see `solve`.
    no_preference, seed: see `Method`.

    With a budget, given or (without lies) the game's own, the optimum is the largest weight won within it.
    Ctrl-C ends the comparison, see `Comparison`. There is no optimum if the table of responses does not fit
    in memory, or if the search finds no strategy in time. Raises Infeasible for a method that gets stuck, and
    GuesstreeError for bad arguments, see `solve`.
    """
    game, rows, found = game_of(game), Comparison(), list[Solution]()
    if whole(lies) is None:
        raise GuesstreeError(f"{shown(lies)} lies; expected a whole number")
    if budget is None and not lies:
        budget = game.budget
    objective = WORST.name if lies else usual_objective(budget)
    limits: dict[str, Any] = {
        "first": first,
        "candidates_only": candidates_only,
        "goal": goal,
        "objective": objective,
        "budget": budget,
        "lies": lies,
    }
    if isinstance(methods, str | Method) or callable(methods):
        methods = [methods]
    if methods is not None and not hasattr(methods, "__iter__"):
        raise GuesstreeError(f"methods={shown(methods)}; expected names of methods, or None")
    require_flag("no_preference", no_preference)
    if whole(seed) is None:
        raise GuesstreeError(f"seed={shown(seed)}; expected a whole number")
    if not isinstance(exact_seconds, Real) or isinstance(exact_seconds, bool) or not exact_seconds >= 0:
        raise GuesstreeError(f"exact_seconds={shown(exact_seconds)}; expected seconds, from 0")
    for method in usual_methods(game, lies) if methods is None else methods:
        if method == "exact":
            raise GuesstreeError(
                "method 'exact' in a comparison: the search stands beside the others already, unless "
                "exact_seconds (--exact-seconds) is 0; expected one-step methods"
            )
        how = Method.of(method, prefer=not no_preference, seed=seed)
        try:
            solution = solve(game, method=how, progress=progress, **limits)
        except KeyboardInterrupt:  # before anything was played
            rows.stopped = "interrupt"
            return _with_bounds(rows, game, found)
        if solution.stopped == "interrupt":  # the rest was played with quick guesses: not this method's
            rows.stopped = solution.stopped
            return _with_bounds(rows, game, found)
        found.append(solution)
    if exact_seconds:
        with suppress(SpaceError, Infeasible):
            solution = solve(game, method="exact", time_limit=exact_seconds, progress=progress, **limits)
            found.append(solution)
            rows.stopped = solution.stopped if solution.stopped == "interrupt" else ""
    return _with_bounds(rows, game, found)


def _with_bounds(rows: Comparison, game: Game, found: list[Solution]) -> Comparison:
    """Return a comparison with its rows; all have the greatest bound that one of them knows."""
    bounds = [solution.lower[0] for solution in found]
    rows.extend(_row(game, with_bound(solution, *bounds)) for solution in found)
    counted = "" if not rows or rows[0].costs is None else _counted(game, rows[0].costs)
    if rows and found[0].lies:
        false = "response" if found[0].lies == 1 else "responses"
        counted += f", {plurals(game.look.guess)} of each the most, {found[0].lies} {false} may be false"
    if rows:
        rows.about = f"{game.spec}: {plural(rows[0].summary.secrets, game.look.secret)}{counted}"
    return rows


def _counted(game: Game, costs: Costs) -> str:
    """Return in words what totals add up, and over which weight."""
    look = game.look
    if not game.facts.priced:
        return f", weight {costs.shown['weight']}: weighted {plurals(look.guess)}"
    several = look.cost.endswith("s") or look.cost.isupper()  # minutes, EUR
    what = look.cost if several else plurals(look.cost)
    return f": {what}" if not game.facts.weighted else f", weight {costs.shown['weight']}: {what}"


def _row(game: Game, solution: Solution) -> Compared:
    strategy, figures = solution.strategy, figures_of(solution.strategy)
    root = int(strategy.guess[0])
    return Compared(
        method=solution.method,
        first="" if root < 0 else game.guesses[root],
        summary=figures.guesses,
        optimal=solution.optimal,
        lower=solution.lower[0],
        seconds=solution.seconds,
        costs=figures.costs,
        objective=solution.objective,
    )


def csv_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows, each as `Compared.as_json` gives it, as CSV.

    Columns 1, 2, ... count the secrets that need so many guesses. A label that a spreadsheet would take for a
    formula gets an apostrophe in front.
    """
    import csv
    import io

    from guesstree.engine.sheets.separated import guarded

    rows, text = list(rows), io.StringIO()
    needed = {int(number) for row in rows for number in row["histogram"]}
    numbers = [str(number) for number in range(min(needed | {1}), max(needed) + 1)]
    names = ("method", "first", "total", "average", "worst", *numbers, "optimal", "lower", "seconds")
    writer = csv.DictWriter(text, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        many = {number: row["histogram"].get(number, 0) for number in numbers}
        texts = {name: guarded(value) for name, value in row.items() if isinstance(value, str)}
        writer.writerow({**row, **texts, **many})
    return text.getvalue()
