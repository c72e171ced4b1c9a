"""`guesstree solve`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.methods.greedy import Method
from guesstree.engine.search.solve import solve
from guesstree.engine.solution import Solution
from guesstree.trees.export.formats import FORMATS
from guesstree.trees.export.output import metavar

from .common import (
    check_writable,
    cost_lines,
    first_option,
    game_argument,
    goal_option,
    histogram_lines,
    jobs_option,
    json_option,
    lies_option,
    lies_text,
    make_game,
    memory_option,
    print_json,
    win_option,
)
from .progress import live

if TYPE_CHECKING:
    from guesstree.trees.figures import Costs, Summary


@click.command("solve", epilog="Example: guesstree solve mastermind:4x6 --out tree.json --render tree.pdf")
@game_argument
@click.option(
    "--objective",
    default="expected",
    show_default=True,
    metavar="OBJECTIVE",
    help="expected (least total over all secrets), worst, a pair: worst,expected or expected,worst, or "
    "win-probability within a --budget.",
)
@click.option(
    "--budget",
    type=int,
    metavar="B",
    help="What a secret may cost (guesses, if they have no costs) to count as won, for win-probability.",
)
@click.option(
    "--method",
    default="exact",
    show_default=True,
    metavar="METHOD",
    help="exact, or one step ahead: max-part, expected-size, entropy, parts, first-consistent, "
    "random-consistent, or module:function (sizes of the parts -> score, the least wins).",
)
@click.option("--no-preference", is_flag=True, help="One step ahead: a tie goes to the smallest guess.")
@click.option("--seed", type=int, default=0, help="Of random-consistent.")
@click.option(
    "--width",
    type=click.IntRange(min=1),
    metavar="N",
    help="A good strategy fast: try the N most promising guesses of each state only (10, say).",
)
@goal_option
@click.option(
    "--max-depth", type=click.IntRange(min=1), metavar="D", help="At most D guesses for every secret."
)
@first_option
@click.option("--candidates-only", is_flag=True, help="Ask only what may be the secret.")
@click.option(
    "--time-limit", type=float, metavar="S", help="Return the best found after S seconds, with bounds."
)
@lies_option
@jobs_option
@memory_option
@win_option
@click.option("--out", metavar="FILE.json", help="Write the strategy.")
@click.option("--render", "picture", metavar=metavar(FORMATS), help="Draw the strategy.")
@json_option
def command(
    spec: str,
    win: str | None,
    out: str | None,
    picture: str | None,
    as_json: bool,
    method: str,
    no_preference: bool,
    seed: int,
    **options: Any,
) -> int:
    """Find an optimal strategy for GAME and prove it, or play out a one-step METHOD.

    Ctrl-C or the time limit end the search: the best strategy so far is returned with bounds of the optimum,
    and said not to be proven.
    """
    from guesstree.strategy import strategy_of
    from guesstree.trees.export import files, formats
    from guesstree.trees.figures import costs_of, summary_of

    game = make_game(spec, win)
    check_writable(out)
    check_writable(picture)
    if picture is not None:
        formats.check_format(picture, lies=options["lies"])
    with live() as progress:
        how = method if method == "exact" else Method(method, prefer=not no_preference, seed=seed)
        solution = solve(game, method=how, progress=progress, **options)
    strategy = strategy_of(solution)
    summary = summary_of(strategy)
    costs = costs_of(game, strategy)
    written = []
    if out is not None:
        files.write(game, strategy, out)
        written.append(out)
    if picture is not None:
        formats.render(game, strategy, picture)
        written.append(picture)
    if as_json:
        paid = {} if costs is None else {"costs": costs.as_json()}
        print_json(as_data(solution) | summary.as_json() | paid)
    else:
        print_solution(solution, summary, written, costs)
    return 130 if solution.stopped == "interrupt" else 0


def print_solution(
    solution: Solution, summary: Summary, written: Sequence[str], costs: Costs | None = None
) -> None:
    """Print what is proven, the figures of the strategy, the work done and the files written."""
    game = solution.game
    asked = f"goal {solution.goal}{lies_text(solution.lies)}, objective {solution.objective}"
    click.echo(f"{game.spec}: {asked}: {verdict(solution)}")
    if costs is not None:
        click.echo(cost_lines(costs))
    click.echo(figures_line(summary, "total" if costs is None else "guesses: total", solution.lies))
    click.echo(histogram_lines(summary.histogram))
    click.echo(f"  {solution.states} states, {solution.evaluations} evaluations, {solution.seconds:.2f} s")
    for path in written:
        click.echo(f"  wrote {path}")


def figures_line(summary: Summary, what: str, lies: int) -> str:
    """Return the figures of a strategy as a line; with lies a secret has no single number of guesses."""
    if lies:
        ways = f"over {summary.secrets} secrets and all ways to lie"
        return f"  worst case {summary.worst} {ways}; of each secret:"
    return (
        f"  {what} {summary.total} over {summary.secrets} secrets, average {float(summary.average):.4f}, "
        f"worst case {summary.worst}"
    )


def verdict(solution: Solution) -> str:
    """Return in words what is proven."""
    if solution.optimal:
        return "proven optimal"
    lower = ",".join(map(str, solution.lower))
    upper = ",".join(map(str, solution.upper))
    if solution.method == "beam":
        cut = f", cut short ({solution.stopped})" if solution.stopped else ""
        return f"beam of width {solution.parameters['width']}, optimum at least {lower}, at most {upper}{cut}"
    if solution.method != "exact":
        cut = f", cut short ({solution.stopped}): the rest asks any candidate" if solution.stopped else ""
        return f"method {solution.method}, optimum at least {lower}{cut}"
    return f"NOT proven ({solution.stopped}): optimum at least {lower}, at most {upper}"


def as_data(solution: Solution) -> dict[str, Any]:
    """Return what a solution says as plain data; bounds of pairs are lists."""
    single = len(solution.lower) == 1
    return {
        "game": solution.game.spec,
        "goal": solution.goal,
        **({"lies": solution.lies} if solution.lies else {}),
        "objective": solution.objective,
        "method": solution.method,
        "parameters": dict(solution.parameters),
        "lower": solution.lower[0] if single else list(solution.lower),
        "upper": solution.upper[0] if single else list(solution.upper),
        "optimal": solution.optimal,
        "stopped": solution.stopped,
        "states": solution.states,
        "evaluations": solution.evaluations,
        "seconds": round(solution.seconds, 3),
    }
