"""`guesstree bounds`."""

from __future__ import annotations

import click

from guesstree.engine.search.anytime import Row, bounds

from .tools.options import (
    check_writable,
    first_option,
    game_argument,
    goal_option,
    jobs_option,
    json_option,
    lies_option,
    make_game,
    memory_option,
    win_option,
)
from .tools.progress import live
from .tools.solution import print_solution, solution_data
from .tools.text import print_json


@click.command("bounds", epilog="Example: guesstree bounds bulls:5x10 --time-limit 60 --out tree.json")
@game_argument
@click.option(
    "--objective",
    default="expected",
    show_default=True,
    metavar="OBJECTIVE",
    help="expected (least total over all secrets) or worst; of what is paid where questions cost.",
)
@goal_option
@first_option
@lies_option
@click.option("--time-limit", type=float, default=60.0, show_default=True, metavar="S", help="Seconds.")
@jobs_option
@memory_option
@win_option
@click.option("--out", metavar="FILE.json", help="Write the best strategy.")
@json_option
def command(
    spec: str,
    objective: str,
    goal: str | None,
    first: str | None,
    lies: int,
    time_limit: float,
    jobs: int,
    memory: int | None,
    win: str | None,
    out: str | None,
    as_json: bool,
) -> int:
    """Bound the optimum of GAME from both sides, also where a proof is far out of reach.

    Each line is an improvement: at least and at most what the optimum is, and how far the strategy may be
    above it. Ctrl-C or the time limit end the work; the best strategy is kept.
    """
    from guesstree.strategy import strategy_of
    from guesstree.trees.export import files
    from guesstree.trees.figures import strategy_costs, summary_of

    game = make_game(spec, win)
    check_writable(out)
    with live() as progress:
        found = bounds(
            game,
            objective,
            goal=goal,
            first=first,
            lies=lies,
            time_limit=time_limit,
            jobs=jobs,
            memory=memory,
            progress=progress,
            improved=None if as_json else Table().print,
        )
    strategy = strategy_of(found.solution)
    summary, costs = summary_of(strategy), strategy_costs(game, strategy)
    if out is not None:
        files.write(game, strategy, out)
    if as_json:
        rows = [
            {"seconds": round(row.seconds, 3), "lower": row.lower, "upper": row.upper, "how": row.how}
            for row in found.rows
        ]
        paid = {} if costs is None else {"costs": costs.as_json()}
        print_json(solution_data(found.solution) | {"rows": rows} | summary.as_json() | paid)
    else:
        print_solution(found.solution, summary, [] if out is None else [out], costs)
    return 130 if found.solution.stopped == "interrupt" else 0


class Table:
    """A table that grows, its head printed with the first row: nothing is printed of bad input.

    `print`, because `click.echo` would go past the live line and break it.
    """

    def __init__(self) -> None:
        self.headed = False

    def print(self, row: Row) -> None:
        """Print a row of the table."""
        if not self.headed:
            print("   seconds    at least     at most      gap  improved by", flush=True)
            self.headed = True
        upper = "" if row.upper is None else row.upper
        gap = "" if row.gap is None else f"{100 * row.gap:.3f}%"
        print(f"{row.seconds:>10.2f}  {row.lower:>10}  {upper:>10}  {gap:>7}  {row.how}", flush=True)
