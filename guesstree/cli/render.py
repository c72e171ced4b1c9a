"""`guesstree render`."""

from __future__ import annotations

import click

from guesstree.trees.export.formats import FORMATS
from guesstree.trees.export.output import metavar

from .tools.options import check_writable, make_game


@click.command("render", epilog="Example: guesstree render tree.json tree.pdf --depth 3")
@click.argument("source", metavar="FILE.json")
@click.argument("target", metavar=metavar(FORMATS))
@click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Draw the first N guesses only.")
@click.option("--dag", is_flag=True, help="Draw subtrees of the same shape once.")
@click.option("--game", "spec", metavar="GAME", help="The game, if not the one that the file names.")
def command(source: str, target: str, depth: int | None, dag: bool, spec: str | None) -> None:
    """Draw the strategy in FILE.json; the ending of the target says how.

    HTML is one page to explore: search for a secret, follow responses, see what is left.
    """
    from guesstree.trees.check import check
    from guesstree.trees.export import dag as dags
    from guesstree.trees.export import files, formats
    from guesstree.trees.tree import TreeError

    if dag and depth is not None:
        raise TreeError("--dag draws the whole tree; accepted: --dag or --depth N")
    check_writable(target)
    formats.check_format(target, depth)
    game, strategy = files.read(source, make_game(spec) if spec else None)
    report = check(game, strategy)
    if report.failures:
        raise TreeError(f"{source!r} is not a valid strategy: {report.failures[0].message}")
    if dag:
        dags.render_dag(game, strategy, target)
    else:
        formats.render(game, strategy, target, depth)
    click.echo(f"wrote {target}")
