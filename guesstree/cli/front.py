"""`guesstree front`."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from guesstree.present.sensitivity import front_data, front_rows
from guesstree.sensitivity.front import front
from guesstree.trees.export.output import metavar
from guesstree.trees.export.plots import ENDINGS, check_plot
from guesstree.trees.export.plots import front as draw_front

from .tools.files import Target, deliver
from .tools.group import LIMITS, OUTPUT, Command, option
from .tools.options import Seconds, jobs_option, json_option, make_game, memory_option
from .tools.progress import said
from .tools.screen import aligned, echo
from .tools.text import print_json


@click.command("front", cls=Command, epilog="Example: guesstree front money.csv harm.csv --plot front.svg")
@click.argument("spec", metavar="GAME")
@click.argument("other", metavar="OTHER")
@option(
    LIMITS,
    "--time-limit",
    type=Seconds(),
    metavar="S",
    help="Take at most S seconds for each of the searches.",
)
@memory_option
@jobs_option
@option(OUTPUT, "--plot", type=Target(check_plot), metavar=metavar(ENDINGS), help="Draw the front.")
@json_option
def command(spec: str, other: str, plot: str | None, *, as_json: bool, **options: Any) -> None:
    """Weigh two measures, such as money and harm: find what is best for some price of one in the other.

    OTHER is the same table as GAME with other costs and losses.
    """
    games = make_game(spec), make_game(other)
    with said("searching"):
        points = front(*games, **options)
    first, second = (game.look.cost for game in games)
    names = (first, second) if first != second else ("first", "second")

    def show() -> None:
        if as_json:
            print_json(front_data(games, points))
            return
        echo(
            f"{games[0].spec} and {games[1].spec}: {len(points)} strategies, each the best on average "
            f"for some price of {names[1]} in {names[0]}; what is between two neighbours takes a draw"
        )
        click.echo(aligned(front_rows(points, names)))

    where = [(float(point.first), float(point.second)) for point in points]
    deliver(show, [(plot, partial(draw_front, games[0].spec, names, where))], as_json=as_json)
