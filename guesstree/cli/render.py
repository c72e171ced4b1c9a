"""`guesstree render`."""

from __future__ import annotations

from typing import Any

import click

from guesstree.trees.export.formats import PAPERS, STYLES, TREE, check_format, endings, render
from guesstree.trees.export.output import check_ending, metavar

from .tools.files import Target
from .tools.group import OUTPUT, Command, option
from .tools.options import Choice, Whole, json_option
from .tools.reading import other_game_option, read_strategy
from .tools.text import print_json


def _is_known(path: str) -> None:
    check_ending(path, endings())


@click.command("render", cls=Command, epilog="Example: guesstree render tree.json tree.pdf --depth 3")
@click.argument("source", type=click.Path(), metavar="FILE.json")
@click.argument("target", type=Target(_is_known), metavar=metavar(endings()))
@option(
    OUTPUT,
    "--style",
    type=Choice(STYLES),
    default=TREE,
    show_default=True,
    metavar="STYLE",
    help=f"What is drawn, and how: {', '.join(STYLES)}.",
)
@option(OUTPUT, "--title", metavar="TEXT", help="What stands above a flow chart, a key or a page.")
@option(OUTPUT, "--paper", type=Choice(PAPERS), metavar="PAPER", help=f"{' or '.join(PAPERS)} (default a4).")
@option(
    OUTPUT,
    "--pages",
    type=Whole(min=1),
    metavar="N",
    help="At most N pages of a flow chart; 1: shrink to fit.",
)
@option(OUTPUT, "--depth", type=Whole(min=1), metavar="N", help="Draw the first N guesses only.")
@option(OUTPUT, "--dag", is_flag=True, help="Draw subtrees of the same shape once.")
@option(
    OUTPUT,
    "--confirmatory",
    type=Whole(min=1),
    metavar="N",
    help="In a key, up to N further tests that agree with each that is asked.",
)
@option(OUTPUT, "--indented", is_flag=True, default=None, help="A key with leads above what they lead to.")
@other_game_option
@json_option
def command(
    source: str, target: str, style: str, dag: bool, spec: str | None, as_json: bool, **options: Any
) -> None:
    """Draw the strategy in FILE.json as a picture, or as a page to explore.

    The name of the picture ends in its format: .pdf, .svg, .png or .dot; .html is a page that asks one
    question at a time, and on which to search for a secret, follow responses and see what is left. A flow
    chart is to be printed and used by hand: tests in boxes, answers on arrows, causes at the ends. So is a
    key, numbered as botanists do it (.txt, .md, .html, .docx, .pdf); a list has every way to an end, what
    costs most first (.csv, .xlsx).
    """
    from guesstree.trees.check import check
    from guesstree.trees.export import dag as dags
    from guesstree.trees.tree import TreeError

    if dag and (style != TREE or any(value is not None for value in options.values())):
        raise TreeError("--dag draws the whole tree in a style of its own; use it alone")
    check_format(target, style, **options)
    reading = read_strategy(source, spec)
    game, strategy = reading.origin.game, reading.strategy
    report = check(game, strategy)
    if report.failures:
        raise TreeError(f"{source!r} is not a valid strategy: {report.failures[0].message}")
    if dag:
        dags.render_dag(game, strategy, target)
    else:
        render(game, strategy, target, style=style, **options)
    if as_json:
        data = {"file": source, "game": game.spec, "goal": strategy.goal, "nodes": len(strategy)}
        print_json(data | options | {"style": style, "dag": dag, "picture": target})
    else:
        click.echo(f"wrote {target}")
