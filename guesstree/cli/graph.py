"""`guesstree graph`."""

from __future__ import annotations

import click

from guesstree.engine.methods.ranking import Method
from guesstree.engine.search.solve import solve
from guesstree.trees.export.output import GRAPHS, check_ending, metavar

from .tools.options import check_writable, game_argument, make_game


@click.command("graph", epilog="Example: guesstree graph mastermind:2x2 --out states.svg --method max-part")
@game_argument
@click.option("--out", required=True, metavar=metavar(GRAPHS), help="Where to draw it.")
@click.option("--method", default="exact", show_default=True, metavar="METHOD", help="Whose arcs are thick.")
def command(spec: str, out: str, method: str) -> None:
    """Draw the state graph of a small GAME: sets of candidates, an arc for each guess and response.

    The arcs that METHOD plays are thick, winning ones green.
    """
    from guesstree.trees.export import stategraph

    check_writable(out)
    check_ending(out, GRAPHS)
    game = make_game(spec)
    stategraph.state_graph(game)  # refuses a large game before any search
    solution = solve(game, method=method if method == "exact" else Method(method))
    stategraph.render_graph(game, out, solution.choose)
    click.echo(f"wrote {out}")
