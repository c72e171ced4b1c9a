"""`guesstree solve`."""

from __future__ import annotations

from typing import Any

import click

from guesstree.engine.methods.ranking import Method
from guesstree.engine.methods.valuations import methods
from guesstree.engine.search.solve import solve
from guesstree.trees.export.formats import FORMATS
from guesstree.trees.export.output import metavar

from .tools.options import (
    budget_option,
    candidates_only_option,
    check_writable,
    first_option,
    game_argument,
    goal_option,
    jobs_option,
    json_option,
    lies_option,
    make_game,
    memory_option,
    no_preference_option,
    random_option,
    win_option,
)
from .tools.progress import live
from .tools.solution import print_solution, solution_data
from .tools.text import print_json


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
@budget_option
@click.option(
    "--method",
    default="exact",
    show_default=True,
    metavar="METHOD",
    help=f"exact, or one step ahead: {', '.join(methods())}, or module:function (sizes of the parts -> "
    "score, the least wins).",
)
@no_preference_option
@random_option
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
@candidates_only_option
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
    from guesstree.trees.figures import strategy_costs, summary_of

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
    costs = strategy_costs(game, strategy)
    written = []
    if out is not None:
        files.write(game, strategy, out)
        written.append(out)
    if picture is not None:
        formats.render(game, strategy, picture)
        written.append(picture)
    if as_json:
        paid = {} if costs is None else {"costs": costs.as_json()}
        print_json(solution_data(solution) | summary.as_json() | paid)
    else:
        print_solution(solution, summary, written, costs)
    return 130 if solution.stopped == "interrupt" else 0
