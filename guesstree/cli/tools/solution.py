"""How a solution is told: what is proven, the figures of its strategy, the work done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.exact import Value, as_plain
from guesstree.engine.notation import plural

from .screen import screen_width
from .text import (
    cost_lines,
    decision_lines,
    echo_lines,
    figures_line,
    histogram_lines,
    in_percent,
    weigh_alike,
    with_lies,
)

if TYPE_CHECKING:
    from guesstree.api.solution import Solution
    from guesstree.engine.solution import Solved
    from guesstree.trees.tree import Tree

MOST_LINES = 24
"""The lines of a strategy that is printed by itself."""


def print_solution(solution: Solution) -> None:
    """Print what is proven, the figures of the strategy and the work done."""
    asked = f"goal {solution.goal}{with_lies(solution.lies)}, objective {solution.objective}"
    click.echo(f"{solution.game.spec}: {asked}: {verdict(solution)}")
    print_figures(solution.strategy)
    work = f"{plural(solution.states, 'state')}, {plural(solution.evaluations, 'evaluation')}"
    click.echo(f"  {work}, {solution.seconds:.2f} s")


def print_figures(strategy: Tree) -> None:
    """Print what a strategy takes: costs, guesses, how many secrets need how many, decisions."""
    from guesstree.trees.figures import strategy_costs
    from guesstree.trees.outline import figures_told

    game, lies = strategy.game, strategy.lies
    summary, costs = figures_told(game, strategy), strategy_costs(game, strategy)
    if costs is not None:
        click.echo(cost_lines(game, costs))
    split = game.facts.noisy or game.facts.by_kind
    paid, alike = costs is not None, weigh_alike(game)
    click.echo(figures_line(summary, game.look, paid=paid, lies=lies, split=split, alike=alike))
    click.echo(histogram_lines(summary.histogram, game.look))
    for line in decision_lines(strategy):
        click.echo(line)


def print_strategy(strategy: Tree, out: str | None, picture: str | None) -> None:
    """Print all of a small strategy as text; of a large one that is not drawn, how to draw it."""
    from guesstree.trees.export.text import short_lines

    width = screen_width()
    lines = short_lines(strategy.game, strategy, MOST_LINES, width and width - 2)
    if lines:
        echo_lines(f"  {line}" for line in lines)
    elif picture is None:
        add = "" if out else "add --out tree.json, then "
        style = " --flowchart" if strategy.game.look.codes == "text" else ""
        click.echo(f"  draw it: {add}guesstree render {out or 'tree.json'} tree.pdf{style}")


def verdict(solution: Solved) -> str:
    """Return in words what is proven."""
    if solution.optimal:
        return "proven optimal"
    lower, upper = (
        ",".join(solution.game.value_texts(solution.objective, value))
        for value in (solution.lower, solution.upper)
    )
    gap = "" if solution.gap is None else f", gap {in_percent(solution.gap)}"
    if solution.method == "beam":
        cut = f", cut short ({solution.stopped})" if solution.stopped else ""
        width = solution.parameters["width"]
        return f"beam of width {width}, optimum at least {lower}, at most {upper}{gap}{cut}"
    if solution.method != "exact":
        cut = f", cut short ({solution.stopped}): the rest asks any candidate" if solution.stopped else ""
        return f"method {solution.method}, optimum at least {lower}{gap}{cut}"
    return f"NOT proven ({solution.stopped}): optimum at least {lower}, at most {upper}{gap}"


def plain_bounds(lower: Value | tuple[Value, ...], upper: Value | tuple[Value, ...] | None) -> dict[str, Any]:
    """Return bounds as plain data: integers, fractions as text, lists of them, or None."""

    def plain(bound: Any) -> Any:
        if bound is None:
            return None
        return [as_plain(part) for part in bound] if isinstance(bound, tuple) else as_plain(bound)

    return {"lower": plain(lower), "upper": plain(upper)}


def solution_data(solution: Solved) -> dict[str, Any]:
    """Return what a solution says as plain data; bounds of pairs are lists."""
    single = len(solution.lower) == 1
    return {
        "game": solution.game.spec,
        "goal": solution.goal,
        **({"lies": solution.lies} if solution.lies else {}),
        "objective": solution.objective,
        "method": solution.method,
        "parameters": dict(solution.parameters),
        **plain_bounds(*((bound[0] if single else bound) for bound in (solution.lower, solution.upper))),
        "optimal": solution.optimal,
        "gap": solution.gap,
        "stopped": solution.stopped,
        "states": solution.states,
        "evaluations": solution.evaluations,
        "seconds": round(solution.seconds, 3),
    }
