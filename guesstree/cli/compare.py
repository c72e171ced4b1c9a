"""`guesstree compare`."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from guesstree.api.comparison import EXACT_SECONDS, Comparison, compare, csv_table, usual_methods
from guesstree.api.sample import Sample, compare_sample
from guesstree.engine.game import Game
from guesstree.engine.notation import plurals
from guesstree.engine.onestep.valuations import (
    BUDGET_VALUATIONS,
    COST_VALUATIONS,
    VALUATIONS,
    VOLUME,
    methods,
)
from guesstree.trees.export.heading import called
from guesstree.trees.export.output import metavar, write_whole
from guesstree.trees.export.plots import ENDINGS, check_plot, histograms

from .tools.files import Target, deliver
from .tools.group import LIMITS, OUTPUT, STRATEGY, Command, option
from .tools.options import (
    budget_of,
    budget_option,
    candidates_only_option,
    check_title,
    first_option,
    game_argument,
    goal_option,
    json_option,
    lies_option,
    make_game,
    no_preference_option,
    random_option,
    seed_for,
    title_option,
)
from .tools.progress import live
from .tools.sampled import require_played
from .tools.text import print_json


@click.command(
    "compare", cls=Command, epilog="Example: guesstree compare mastermind:4x6 --methods entropy,parts"
)
@game_argument
@goal_option
@budget_option
@lies_option
@option(
    STRATEGY,
    "--methods",
    metavar="A,B,...",
    help=f"Which to compare: {', '.join(methods())}, or module:function. Default: {','.join(VALUATIONS)}; "
    f"{','.join(COST_VALUATIONS)},entropy where there are weights or costs; with lies {VOLUME}, too.",
)
@no_preference_option
@random_option
@first_option
@candidates_only_option
@option(
    LIMITS,
    "--exact-seconds",
    type=click.FloatRange(min=0),
    metavar="S",
    default=EXACT_SECONDS,
    show_default=True,
    help="Search for the optimum for S seconds; 0 leaves it out.",
)
@option(OUTPUT, "--plot", type=Target(check_plot), metavar=metavar(ENDINGS), help="Draw the histograms.")
@title_option
@option(OUTPUT, "--csv", "csv_path", type=Target(), metavar="FILE.csv", help="Write the table.")
@json_option
def command(
    spec: str,
    methods: str | None,
    seed: int | None,
    plot: str | None,
    title: str | None,
    csv_path: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Play one-step methods for every secret of GAME, and compare them with the optimum.

    The command leaves out the optimum if no search is possible; if the search does not finish in time, it
    shows bounds. It plays random phrases where there are too many to list. After Ctrl-C, it leaves out the
    methods that were not played to the end.
    """
    check_title(title, plot, "--plot")
    game = make_game(spec)
    chosen = (
        usual_methods(game, options["lies"])
        if methods is None
        else [name for name in methods.split(",") if name]
    )
    options["budget"] = budget_of(game, options["budget"])
    if game.facts.product:
        sample = Sample.of(game, seed or 0)
        chosen = [name for name in chosen if methods is not None or name not in BUDGET_VALUATIONS]
        budget = options.pop("budget")
        budget = game.budget if budget is None else budget
        options["goal"] = options["goal"] if options["goal"] == "win" else ""
        require_played(game, {name: value for name, value in options.items() if name != "exact_seconds"})
        with live() as progress:
            rows = compare_sample(game, chosen, sample, budget=budget, progress=progress)
    else:
        sample, seed = None, seed_for(chosen, seed)
        with live() as progress:
            rows = compare(game, chosen, seed=seed, progress=progress, **options)
    if not rows:
        raise KeyboardInterrupt

    def show() -> None:
        if as_json:
            of = {} if sample is None else {"sample": sample.as_json()}
            print_json({"game": game.spec, **of, "methods": [row.as_json() for row in rows]})
        else:
            print_table(game, rows)

    drawn = "" if sample is None else f", {sample}"
    above = title or game.look.named(f"{called(game)}{drawn}: secrets by guesses needed")
    bars = [(row.label, row.summary.histogram) for row in rows]
    wanted = (
        (plot, partial(histograms, above, bars)),
        (csv_path, lambda path: write_whole(path, csv_table([row.as_json() for row in rows]).encode())),
    )
    deliver(show, wanted, as_json=as_json)
    if rows.stopped:
        click.echo("guesstree: interrupted; methods that were not played to the end are left out", err=True)
    return 130 if rows.stopped else 0


def print_table(game: Game, rows: Comparison) -> None:
    """Print the rows aligned."""
    labels = [row.label for row in rows]
    width = max(len("method"), *map(len, labels))
    first = max(len("first"), *(len(row.first) for row in rows))
    what = "" if rows[0].costs is None else f", histogram of {plurals(game.look.guess)}"
    what += f"; won within {rows.budget}" if rows.budget else ""
    won = "      won        %" if rows.budget else ""
    click.echo(f"{rows.about}{what}")
    click.echo(
        f"  {'method':<{width}}  {'first':<{first}}     total  average  worst{won}  seconds  histogram"
    )
    for row, label in zip(rows, labels, strict=True):
        s, f = row.summary, row.figures.shown
        shown = "-".join(str(s.histogram.get(n, 0)) for n in range(1, s.worst + 1))
        if row.won:
            won = "  {:>7}  {:>7}".format(*row.won)
        click.echo(
            f"  {label:<{width}}  {row.first:<{first}}  {f['total']:>8}  {f['average']:>7}  {f['worst']:>5}"
            f"{won}  {row.seconds:>7.3f}  {shown}"
        )
