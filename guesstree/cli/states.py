"""`guesstree states`."""

from __future__ import annotations

import click

from guesstree.engine.notation import plural
from guesstree.engine.support import Request, require

from .tools.group import Command
from .tools.options import Whole, game_argument, json_option, make_game
from .tools.text import print_json

MOST = 100


@click.command("states", cls=Command, epilog="Example: guesstree states mastermind:4x6 --depth 3")
@game_argument
@click.option("--depth", type=Whole(1, MOST), required=True, metavar="D", help="Guesses asked, 1 to 100.")
@json_option
def command(spec: str, depth: int, as_json: bool) -> None:
    """Count the essentially different sequences of D guesses in GAME, and the game states.

    Sequences that a renaming of positions and colours turns into each other count once. A state is such a
    sequence with a response to each guess.
    """
    game = make_game(spec)
    require(Request(game, tool="states"))
    symmetry, responses = game.symmetry, len(game.responses)
    rows = [
        {"depth": d, "sequences": n, "states": n * responses**d}
        for d, n in ((d, symmetry.count(d)) for d in range(1, depth + 1))
    ]
    if as_json:
        print_json({"game": game.spec, "responses": responses, **rows[-1], "levels": rows})
        return
    widths = {key: max(len(key), len(str(rows[-1][key]))) for key in rows[0]}
    click.echo(f"{game.spec}: {plural(responses, 'response')}")
    click.echo("  " + "  ".join(f"{key:>{width}}" for key, width in widths.items()))
    for row in rows:
        click.echo("  " + "  ".join(f"{row[key]:>{width}}" for key, width in widths.items()))
