"""`guesstree render`."""

from __future__ import annotations

import click

from guesstree.trees.export.formats import FORMATS, check_format, render
from guesstree.trees.export.output import metavar

from .tools.files import Target
from .tools.group import Command
from .tools.options import Whole, json_option
from .tools.reading import other_game_option, read_strategy
from .tools.text import print_json


@click.command("render", cls=Command, epilog="Example: guesstree render tree.json tree.pdf --depth 3")
@click.argument("source", type=click.Path(), metavar="FILE.json")
@click.argument("target", type=Target(check_format), metavar=metavar(FORMATS))
@click.option("--depth", type=Whole(min=1), metavar="N", help="Draw the first N guesses only.")
@click.option("--dag", is_flag=True, help="Draw subtrees of the same shape once.")
@other_game_option
@json_option
def command(source: str, target: str, depth: int | None, dag: bool, spec: str | None, as_json: bool) -> None:
    """Draw the strategy in FILE.json as a picture, or as a page to explore.

    The name of the picture ends in its format: .pdf, .svg, .png or .dot; .html is a page on which to search
    for a secret, follow responses and see what is left.
    """
    from guesstree.trees.check import check
    from guesstree.trees.export import dag as dags
    from guesstree.trees.tree import TreeError

    if dag and depth is not None:
        raise TreeError("--dag draws the whole tree; use --dag or --depth N")
    check_format(target, depth)
    reading = read_strategy(source, spec)
    game, strategy = reading.origin.game, reading.strategy
    report = check(game, strategy)
    if report.failures:
        raise TreeError(f"{source!r} is not a valid strategy: {report.failures[0].message}")
    if dag:
        dags.render_dag(game, strategy, target)
    else:
        render(game, strategy, target, depth)
    if as_json:
        data = {"file": source, "game": game.spec, "goal": strategy.goal, "nodes": len(strategy)}
        print_json(data | {"depth": depth, "dag": dag, "picture": target})
    else:
        click.echo(f"wrote {target}")
