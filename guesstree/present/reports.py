"""What is reported of a strategy: its figures and their words, computed once.

Terminal, pages and JSON lay a `Report` out; drawings and strategy files take the same `Figures`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from guesstree.engine.exact import Value, as_plain, exact_text, rounded_text, short_text
from guesstree.engine.game import Game
from guesstree.engine.notation import Look, plural, plurals
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.support import EXACT
from guesstree.trees.figures import Costs, Figures, Summary, figures_of
from guesstree.trees.words import decision_rows, meaning

if TYPE_CHECKING:
    from guesstree.engine.solution import Solved
    from guesstree.trees.tree import Tree

PLAIN = Look()


@dataclass(frozen=True)
class Report:
    """A strategy in figures and words.

    Attributes
    ----------
    several: whether a secret may need several numbers of guesses, of which a histogram has the most.
    decisions, more: rows of the decisions, most often first (name, share, share that is wrong, loss), and
        how many more there are.
    meaning: what costs and losses come to, in sentences; empty where nothing is decided.
    totals: with lies, whether the strategy was to take little in all, where no weights and costs say that.
    """

    game: Game
    goal: str
    lies: int
    figures: Figures
    several: bool
    decisions: list[tuple[str, str, str, str]]
    more: int
    meaning: str
    totals: bool = False

    @property
    def summary(self) -> Summary:
        """The guesses as readers count them."""
        return self.figures.counted

    def lines(self, *, average: bool = True) -> Iterator[str]:
        """Yield the figures as lines of text: costs, guesses, how many secrets need so many, decisions."""
        game, costs = self.game, self.figures.costs
        if costs is not None:
            yield cost_lines(game, costs)
        yield self._guesses(average=average)
        yield histogram_lines(self.summary.histogram, game.look)
        if self.decisions:
            yield from self._decision_lines()

    def _guesses(self, *, average: bool) -> str:
        look, alike, counted = self.game.look, weigh_alike(self.game), ""
        if self.lies:
            ways = f"over {plural(self.summary.secrets, look.secret)} and all ways to lie"
            total = (
                f"total {self.summary.total}, average {rounded_text(self.summary.average)}, " * self.totals
            )
            return f"  {total}worst case {self.summary.worst} {ways}; of each {look.secret}:"
        if self.figures.costs is not None:
            counted = f"{plurals(look.guess)}: "
        most = f"; of each {look.secret} at most:" if self.several else ""
        return f"  {counted}{figures_text(self.summary, look, alike=alike, average=average)}{most}"

    def _decision_lines(self) -> Iterator[str]:
        rows = [("decision", "share", "wrong", "loss"), *self.decisions]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for label, *numbers in rows:
            cells = (number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True))
            yield "  " + "   ".join((label.ljust(widths[0]), *cells))
        if self.more:
            yield f"  ... and {self.more} more"
        yield f"  {self.meaning}"


def report_of(strategy: Tree, figures: Figures | None = None) -> Report:
    """Return what is reported of a strategy; `figures` are those of a replay, None: those of the tree."""
    game, figures = strategy.game, figures or figures_of(strategy)
    rows, more = decision_rows(figures)
    several, said = several_numbers(game), meaning(game, figures)
    known = OBJECTIVES.get(strategy.claims.objective)
    totals = strategy.lies > 0 and figures.costs is None and known is not None and "total" in known.figures
    return Report(game, strategy.goal, strategy.lies, figures, several, rows, more, said, totals)


# -- words of figures --------------------------------------------------------------------------------------


def figures_text(summary: Summary, look: Look = PLAIN, *, alike: bool = True, average: bool = True) -> str:
    """Return total, average and worst case; without the total where secrets do not weigh `alike`."""
    total = f"total {short_text(summary.total)} over {plural(summary.secrets, look.secret)}, "
    total += f"average {rounded_text(summary.average)}, " * average
    return f"{total * alike}worst case {summary.worst}"


def several_numbers(game: Game) -> bool:
    """Return whether a secret may need several numbers of guesses, of which histograms have the most."""
    return game.facts.noisy or game.facts.by_kind


def weigh_alike(game: Game) -> bool:
    """Return whether totals of guesses mean something: not where they split secrets of different weight."""
    return not game.facts.noisy or not game.facts.weighted


def histogram_lines(histogram: Mapping[int, int], look: Look = PLAIN) -> str:
    """Return a histogram as two aligned lines: guesses, and secrets that need so many."""
    width = max(len(str(number)) for pair in histogram.items() for number in pair) + 2
    nouns = plurals(look.guess), plurals(look.secret)
    room = max(map(len, nouns)) + 1
    rows = zip(nouns, (histogram, histogram.values()), strict=True)
    return "\n".join(f"  {noun:<{room}}" + "".join(f"{n:>{width}}" for n in row) for noun, row in rows)


def cost_lines(game: Game, costs: Costs) -> str:
    """Return what a strategy costs as a line, and what it wins within a budget as another.

    Where weights are shares of 1, such as percents, totals say no more than the average.
    """
    look, shown = game.look, costs.shown
    weight = costs.weight * game.weight_unit
    counted = weight != 1 and weight == int(weight)
    over = f"a weight of {shown['weight']}" if game.facts.weighted else plural(len(game.secrets), look.secret)
    decides = costs.loss is not None
    what = look.cost if game.facts.priced or decides else f"weighted {plurals(look.guess)}"
    total = f"total {shown['total']} over {over}, " if counted else ""
    parts = f" ({plurals(look.guess)} {shown['tests']}, decisions {shown['loss']})" if decides else ""
    text = f"  {what}: {total}average {shown['average']}{parts}, worst case {shown['worst']}"
    if costs.leaves is not None:
        text += f", {plural(costs.leaves, 'leaf')}"
        text += f" at {exact_text(costs.leaf_price * costs.cost_unit)} each" if costs.leaf_price else ""
    if costs.budget is None:
        return text
    won = f"{shown['won']}/{shown['weight']} = " if counted else ""
    at = f", at a cost of {shown['won_total']}" if counted else ""
    percent = 100 * float(costs.probability)
    return f"  wins {won}{percent:.2f} % within a budget of {shown['budget']}{at}\n{text}"


def with_lies(lies: int) -> str:
    """Return how many responses may be false, to go after what the game is for; empty for none."""
    return f", {lies} {'lie' if lies == 1 else 'lies'}" if lies else ""


def in_percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.3f}%"


# -- what a search found -----------------------------------------------------------------------------------


def solution_lines(solution: Solved, report: Report) -> Iterator[str]:
    """Yield what is proven, the figures of the strategy and the work done."""
    asked = f"goal {solution.goal}{with_lies(solution.lies)}, objective {solution.objective}"
    yield f"{solution.game.spec}: {asked}: {proof_text(solution)}"
    yield from report.lines()
    work = f"{plural(solution.states, 'state')}, {plural(solution.evaluations, 'evaluation')}"
    yield f"  {work}{symmetry_text(solution.symmetry)}, {solution.seconds:.2f} s"


def symmetry_text(symmetry: str) -> str:
    """Return how many renamings were used, to go after the work done; empty for none."""
    return f", {symmetry} renamings" if symmetry else ""


def proof_text(solution: Solved) -> str:
    """Return in words what is proven of what a search found."""
    if solution.optimal:
        return "proven optimal"
    texts = (
        solution.game.value_texts(solution.objective, value) for value in (solution.lower, solution.upper)
    )
    lower, upper = map(",".join, texts)
    gap = "" if solution.gap is None else f", gap {in_percent(solution.gap)}"
    cut = f", cut short ({solution.stopped})" if solution.stopped else ""
    if solution.method == "beam":
        width = solution.parameters["width"]
        return f"beam of width {width}, optimum at least {lower}, at most {upper}{gap}{cut}"
    if solution.method != EXACT:
        cut += ": the rest asks any candidate" if cut else ""
        return f"method {solution.method}, optimum at least {lower}{gap}{cut}"
    return f"NOT proven ({solution.stopped}): optimum at least {lower}, at most {upper}{gap}"


def bounds_as_json(lower: Any, upper: Any) -> dict[str, Any]:
    """Return bounds as plain data: integers, fractions as text, lists of them, or None."""

    def plain(bound: Value | tuple[Value, ...] | None) -> Any:
        if bound is None:
            return None
        return [as_plain(part) for part in bound] if isinstance(bound, tuple) else as_plain(bound)

    return {"lower": plain(lower), "upper": plain(upper)}


def solution_as_json(solution: Solved, report: Report, **more: Any) -> dict[str, Any]:
    """Return what a search found as plain data, `more` before the figures; bounds of pairs are lists."""
    bounds: tuple[Any, Any] = solution.lower, solution.upper
    if len(solution.lower) == 1:
        bounds = solution.lower[0], solution.upper[0]
    return {
        "game": solution.game.spec,
        "goal": solution.goal,
        **({"lies": solution.lies} if solution.lies else {}),
        "objective": solution.objective,
        "method": solution.method,
        "parameters": dict(solution.parameters),
        **bounds_as_json(*bounds),
        "optimal": solution.optimal,
        "gap": solution.gap,
        "stopped": solution.stopped,
        "states": solution.states,
        "evaluations": solution.evaluations,
        **({"symmetry": solution.symmetry} if solution.symmetry else {}),
        "seconds": round(solution.seconds, 3),
        **more,
        **report.figures.as_json(),
    }
