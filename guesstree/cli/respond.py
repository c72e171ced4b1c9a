"""`guesstree respond`."""

from __future__ import annotations

import click

from .tools.group import Command
from .tools.options import game_argument, json_option, make_game
from .tools.text import print_json


@click.command("respond", cls=Command, epilog="Example: guesstree respond mastermind:4x6 1122 1213")
@game_argument
@click.argument("guess")
@click.argument("secret")
@json_option
def command(spec: str, guess: str, secret: str, as_json: bool) -> None:
    """Print the response that GUESS gets when SECRET is hidden."""
    game = make_game(spec)
    response = game.responses[game.respond(game.guess_index(guess), game.secret_index(secret))]
    if as_json:
        print_json({"game": game.spec, "guess": guess, "secret": secret, "response": response})
    else:
        click.echo(response)
