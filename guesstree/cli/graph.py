"""`guesstree graph`."""

from __future__ import annotations

import click

from guesstree.engine.onestep.ranking import Method
from guesstree.engine.search.solve import solve
from guesstree.trees.export.output import STATE_GRAPHS, check_state_graph, metavar

from .tools.files import Target
from .tools.group import Command
from .tools.options import game_argument, json_option, make_game, title_option
from .tools.text import print_json


@click.command(
    "graph", cls=Command, epilog="Example: guesstree graph mastermind:2x2 --out states.svg --method max-part"
)
@game_argument
@click.option(
    "--out",
    type=Target(check_state_graph),
    required=True,
    metavar=metavar(STATE_GRAPHS),
    help="Where to draw it; .tex: a LaTeX document with TikZ.",
)
@click.option("--method", default="exact", show_default=True, metavar="METHOD", help="Whose arcs are thick.")
@title_option
@json_option
def command(spec: str, out: str, method: str, title: str | None, as_json: bool) -> None:
    """Draw the state graph of a small GAME: sets of candidates, an arc for each guess and response.

    Each guess has its colour. The arcs that METHOD plays are thick, winning ones have two heads.
    """
    from guesstree.trees.export import stategraph

    game = make_game(spec)
    stategraph.state_graph(game)  # refuses a large game before any search
    solution = solve(game, method=method if method == "exact" else Method(method))
    stategraph.render_graph(game, out, solution.choose, title or "")
    if not as_json:
        click.echo(f"wrote {out}")
        return
    graph = stategraph.state_graph(game, solution.choose)
    places = {state: place for place, state in enumerate(graph)}
    arcs = [
        {"from": places[source], "to": places[target], **data}
        for source, target, data in graph.edges(data=True)
    ]
    states = [[game.secrets[secret] for secret in state] for state in graph]
    head = {"game": game.spec, "goal": solution.goal, "method": method, "file": out}
    print_json(head | {"states": states, "arcs": arcs})
