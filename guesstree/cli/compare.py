"""`guesstree compare`."""

from __future__ import annotations

from typing import Any

import click

from guesstree.comparison import Row, compare
from guesstree.engine.heuristics import METHODS, VALUATIONS

from .common import (
    check_writable,
    first_option,
    game_argument,
    json_option,
    make_game,
    print_json,
)
from .progress import live

EXACT_SECONDS = 10.0


@click.command("compare", epilog="Example: guesstree compare mastermind:4x6 --methods entropy,parts")
@game_argument
@click.option(
    "--methods",
    default=",".join(VALUATIONS),
    show_default=True,
    metavar="A,B,...",
    help=f"Out of {', '.join(METHODS)}, or module:function.",
)
@first_option
@click.option("--candidates-only", is_flag=True, help="Ask only what may be the secret.")
@click.option("--no-preference", is_flag=True, help="A tie goes to the smallest guess, candidate or not.")
@click.option("--goal", type=click.Choice(["win", "identify"]), help="Win (default), or identify.")
@click.option("--seed", type=int, default=0, help="Of random-consistent.")
@click.option(
    "--exact-seconds",
    type=click.FloatRange(min=0),
    default=EXACT_SECONDS,
    show_default=True,
    help="Time for the exact optimum beside them; 0: leave it out.",
)
@click.option("--plot", metavar="FILE.svg|png", help="Draw the histograms.")
@click.option("--csv", "csv_path", metavar="FILE.csv", help="Write the table.")
@json_option
def command(
    spec: str, methods: str, plot: str | None, csv_path: str | None, as_json: bool, **options: Any
) -> None:
    """Play one-step methods out for every secret of GAME and compare them, beside the optimum.

    The optimum is left out where it cannot be searched for; where it is not proven in time, its bounds are
    shown.
    """
    from guesstree.trees.export import plots
    from guesstree.trees.export.output import write_whole

    game = make_game(spec)
    for path in (plot, csv_path):
        check_writable(path)
    if plot is not None:
        plots.check_plot(plot)
    with live() as progress:
        rows = compare(game, [name for name in methods.split(",") if name], progress=progress, **options)
    if plot is not None:
        plots.histograms(game.spec, [(row.label, row.summary.histogram) for row in rows], plot)
    if csv_path is not None:
        write_whole(csv_path, as_csv(rows).encode())
    if as_json:
        print_json({"game": game.spec, "methods": [as_data(row) for row in rows]})
    else:
        print_table(game.spec, rows)
    for path in (plot, csv_path):
        if path is not None and not as_json:
            click.echo(f"  wrote {path}")


def as_data(row: Row) -> dict[str, Any]:
    """Return a row as plain data."""
    return {
        "method": row.method,
        "first": row.first,
        **row.summary.as_json(),
        **({} if row.costs is None else {"costs": row.costs.as_json()}),
        "optimal": row.optimal,
        "lower": row.lower,
        "seconds": round(row.seconds, 4),
    }


def as_csv(rows: list[Row]) -> str:
    """Return the table as CSV."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["method", "first", "total", "average", "worst", "histogram", "optimal", "lower", "seconds"]
    )
    for row in rows:
        s = row.summary
        shown = "-".join(str(s.histogram.get(n, 0)) for n in range(1, s.worst + 1))
        writer.writerow(
            [
                row.method,
                row.first,
                row.figures.total,
                float(row.figures.average),
                row.figures.worst,
                shown,
                row.optimal,
                row.lower,
                row.seconds,
            ]
        )
    return text.getvalue()


def print_table(spec: str, rows: list[Row]) -> None:
    """Print the rows aligned."""
    labels = [row.label for row in rows]
    width = max(len("method"), *map(len, labels))
    first = max(len("first"), *(len(row.first) for row in rows))
    what = "" if rows[0].costs is None else f", weight {rows[0].costs.weight}: costs, histogram of guesses"
    click.echo(f"{spec}: {rows[0].summary.secrets} secrets{what}")
    click.echo(f"  {'method':<{width}}  {'first':<{first}}     total  average  worst  seconds  histogram")
    for row, label in zip(rows, labels, strict=True):
        s, f = row.summary, row.figures
        shown = "-".join(str(s.histogram.get(n, 0)) for n in range(1, s.worst + 1))
        click.echo(
            f"  {label:<{width}}  {row.first:<{first}}  {f.total:>8}  {float(f.average):>7.4f}  {f.worst:>5}"
            f"  {row.seconds:>7.3f}  {shown}"
        )
