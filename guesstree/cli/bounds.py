"""`guesstree bounds`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from guesstree.api.solution import bounds
from guesstree.engine.objective import parse_objective
from guesstree.engine.solution import Row
from guesstree.present.reports import bounds_as_json, in_percent, report_of, solution_as_json, solution_lines

from .tools.files import deliver_with_proof
from .tools.group import LIMITS, Command, option
from .tools.options import (
    Seconds,
    first_option,
    game_argument,
    goal_option,
    jobs_option,
    json_option,
    lies_option,
    make_game,
    memory_option,
    objective_option,
    out_option,
    prove_option,
    win_option,
)
from .tools.progress import live

STEP = 0.1
"""The part of the gap that is worth a line."""


@click.command(
    "bounds", cls=Command, epilog="Example: guesstree bounds bulls:5x10 --time-limit 60 --out tree.json"
)
@game_argument
@objective_option("expected (least total over all secrets) or worst; where questions cost, of what is paid.")
@goal_option
@lies_option
@win_option
@first_option
@option(
    LIMITS,
    "--time-limit",
    type=Seconds(),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Return the best strategy and bounds after S seconds.",
)
@memory_option
@jobs_option
@out_option
@prove_option
@json_option
def command(
    spec: str, win: str | None, out: str | None, proof: str | None, as_json: bool, **options: Any
) -> int:
    """Bound the optimum of GAME from both sides, even where a proof is far out of reach.

    Each line shows a lower and an upper bound, and the gap between them in percent; the next line comes when
    the gap has shrunk by a tenth. Ctrl-C or the time limit ends the work; the best strategy is kept.
    """
    game = make_game(spec, win)
    table = Table(partial(game.figure_text, parse_objective(options["objective"]).figures[0]))
    try:
        certificate = None
        with live() as progress:
            search = partial(
                bounds, game, **options, improved=None if as_json else table.add, progress=progress
            )
            if proof is None:
                found = search()
            else:
                from guesstree.api.certificate import certified

                found, certificate = certified(game, progress=progress, find=search, **options)
    finally:
        table.end()
    strategy, report = found.strategy, report_of(found.strategy)

    def data() -> dict[str, Any]:
        rows = [
            {"seconds": round(row.seconds, 3), **bounds_as_json(row.lower, row.upper), "how": row.how}
            for row in found.rows
        ]
        return solution_as_json(found, report, rows=rows)

    def show() -> None:
        click.echo("\n".join(solution_lines(found, report)))

    files = [(out, strategy.write)]
    status = deliver_with_proof(show, data, files, certificate, proof, as_json=as_json)
    return 130 if found.stopped == "interrupt" else status


class Table:
    """A table that grows: the first row, each by which the gap has shrunk by a tenth or more, and the last.

    `text_of` makes texts of bounds. `print`, because `click.echo` would go past the live line and break it.
    """

    def __init__(self, text_of: Callable[[int], str]) -> None:
        self.text_of = text_of
        self.last: Row | None = None
        self.held: Row | None = None

    def add(self, row: Row) -> None:
        """Print a row if it is worth a line; else hold it, as it may be the last."""
        self.held = row
        if self.last is None or worth(self.last, row):
            self.end()

    def end(self) -> None:
        """Print the last row, unless it was."""
        row = self.held
        if row is None:
            return
        if self.last is None:  # not before: nothing is printed of bad input
            print("   seconds    at least     at most      gap  improved by", flush=True)
        lower = self.text_of(row.lower)
        upper = "" if row.upper is None else self.text_of(row.upper)
        gap = "" if row.gap is None else in_percent(row.gap)
        print(f"{row.seconds:>10.2f}  {lower:>10}  {upper:>10}  {gap:>7}  {row.how}", flush=True)
        self.last, self.held = row, None


def worth(before: Row, now: Row) -> bool:
    """Return whether a row says enough more than an earlier one: `STEP` of the gap, or of the lower bound."""
    if before.gap is None or now.gap is None:
        return now.gap is not None or now.lower >= (1 + STEP) * before.lower
    return now.gap <= (1 - STEP) * before.gap
