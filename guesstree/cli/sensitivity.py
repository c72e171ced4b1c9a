"""`guesstree sensitivity`."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import click

from guesstree.engine.errors import GuesstreeError
from guesstree.present.sensitivity import (
    HEADING,
    average_line,
    curve_data,
    curve_rows,
    information_data,
    node_title,
    range_row,
    sensitivity_data,
    threshold_lines,
    worth_rows,
)
from guesstree.sensitivity.information import information
from guesstree.sensitivity.ranges import Sensitivity
from guesstree.trees.export.output import metavar
from guesstree.trees.export.plots import ENDINGS, check_plot, curve

from .tools.files import Target, deliver
from .tools.group import LIMITS, OBJECTIVE, OUTPUT, Command, option
from .tools.options import Exact, Seconds, game_argument, jobs_option, json_option, make_game, memory_option
from .tools.progress import said
from .tools.screen import aligned, echo
from .tools.text import print_json


@click.command(
    "sensitivity", cls=Command, epilog='Example: guesstree sensitivity throat.csv --of "probability of strep"'
)
@game_argument
@option(
    OBJECTIVE, "--of", metavar="NUMBER", help="The best strategies where this number is another: a curve."
)
@option(OBJECTIVE, "--from", "low", type=Exact(), metavar="X", help="Begin the curve at X.")
@option(OBJECTIVE, "--to", "high", type=Exact(), metavar="X", help="End the curve at X.")
@option(OBJECTIVE, "--tests", is_flag=True, help="What each test is worth at each node of the best strategy.")
@option(
    LIMITS,
    "--time-limit",
    type=Seconds(),
    metavar="S",
    help="Take at most S seconds for each of the searches.",
)
@memory_option
@jobs_option
@option(OUTPUT, "--plot", type=Target(check_plot), metavar=metavar(ENDINGS), help="Draw the curve.")
@json_option
def command(
    spec: str,
    of: str | None,
    low: Fraction | None,
    high: Fraction | None,
    plot: str | None,
    *,
    tests: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Say how sure the best strategy of a table GAME is: from where to where of each number it stays best.

    Numbers are the probabilities of causes, costs, losses and chances of answers, each by itself; where a
    probability is another, the others keep their proportions.
    """
    for name, value in (("from", low), ("to", high), ("plot", plot)):
        if value is not None and of is None:
            raise GuesstreeError(f"--{name} {value} without a curve; use it with --of NUMBER")
    if tests and of is not None:
        raise GuesstreeError(f"--tests beside --of {of!r}; use one of them")
    game = make_game(spec)
    with said("searching"):
        found = Sensitivity(game, **options)
    if tests:
        _tests(found, options["time_limit"], as_json=as_json)
    elif of is not None:
        _curve(found, of, low, high, plot, as_json=as_json)
    else:
        _ranges(found, as_json=as_json)


def _ranges(found: Sensitivity, *, as_json: bool) -> None:
    with said(f"searching for {len(found.parameters)} numbers"):
        ranges = list(found.ranges())
    if as_json:
        print_json(sensitivity_data(found, ranges))
        return
    echo(average_line(found))
    click.echo(aligned([HEADING, *map(range_row, ranges)]))


def _curve(
    found: Sensitivity,
    of: str,
    low: Fraction | None,
    high: Fraction | None,
    plot: str | None,
    *,
    as_json: bool,
) -> None:
    parameter = found.named(of)
    low = parameter.low if low is None else low
    high = parameter.usual if high is None else high
    with said("searching"):
        pieces = found.curve(parameter, low, high)

    def show() -> None:
        if as_json:
            print_json(curve_data(found, parameter, pieces))
            return
        echo(average_line(found))
        echo(f"{parameter.name}:")
        click.echo(aligned(curve_rows(pieces)))
        for line in threshold_lines(pieces):
            echo(f"  {line}")

    points = [(float(piece.low), float(piece.line.at(piece.low))) for piece in pieces]
    points.append((float(high), float(pieces[-1].line.at(high))))
    now = (float(parameter.value), float(found.average))
    draw = partial(curve, found.game.spec, parameter.name, "average", points, now)
    deliver(show, [(plot, draw)], as_json=as_json)


def _tests(found: Sensitivity, time_limit: float | None, *, as_json: bool) -> None:
    game = found.game
    with said("searching"):
        nodes = list(information(found.strategy, time_limit=time_limit))
    if as_json:
        print_json(information_data(game, nodes))
        return
    echo(average_line(found))
    for at in nodes:
        echo(node_title(game, at))
        click.echo(aligned(worth_rows(game, at.tests)))
