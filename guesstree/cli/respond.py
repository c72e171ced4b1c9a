"""`guesstree respond`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .tools.group import Command
from .tools.options import game_argument, json_option, make_game
from .tools.text import print_json

if TYPE_CHECKING:
    from guesstree.engine.game import Game


@click.command("respond", cls=Command, epilog="Example: guesstree respond mastermind:4x6 1122 1213")
@game_argument
@click.argument("guess")
@click.argument("secret")
@json_option
def command(spec: str, guess: str, secret: str, as_json: bool) -> None:
    """Print the response that GUESS gets when SECRET is hidden.

    If GUESS may get several responses, print each with its probability.
    """
    game = make_game(spec)
    asked, hidden = game.guess_index(guess), game.secret_index(secret)
    if game.facts.noisy:
        show_chances(game, asked, hidden, as_json=as_json)
        return
    response = game.responses[game.respond(asked, hidden)]
    if as_json:
        print_json({"game": game.spec, "guess": guess, "secret": secret, "response": response})
    else:
        click.echo(response)


def show_chances(game: Game, guess: int, secret: int, *, as_json: bool) -> None:
    """Print the responses that a guess may get, each with its probability."""
    from guesstree.present.noisy_advice import chance_data, chance_text

    assert game.model is not None
    chances = game.model.chances[guess][secret]
    if as_json:
        answers = [{"response": game.responses[r]} | chance_data(p) for r, p in chances.items()]
        asked = {"guess": game.guesses[guess], "secret": game.secrets[secret]}
        print_json({"game": game.spec, **asked, "responses": answers})
        return
    width = max(len(game.responses[response]) for response in chances)
    for response, chance in chances.items():
        click.echo(f"{game.responses[response]:<{width}}  {chance_text(chance)}")
