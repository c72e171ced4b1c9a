"""`guesstree partition`."""

from __future__ import annotations

import click

from guesstree.engine.advice.evidence import Evidence
from guesstree.engine.advice.position import Position
from guesstree.engine.notation import plural
from guesstree.present.noisy_advice import NoisyAdvisor

from .tools.group import Command
from .tools.options import game_argument, history_option, json_option, make_game
from .tools.text import print_json

MOST_LISTED = 8


@click.command(
    "partition", cls=Command, epilog='Example: guesstree partition mastermind:4x6 1344 --history "1122:1,0"'
)
@game_argument
@click.argument("guess")
@history_option
@json_option
def command(spec: str, guess: str, history: str, as_json: bool) -> None:
    """Show how GUESS splits the secrets still possible: a line for each response.

    If it may get several, each line has the probabilities of the response and of the secrets after it.
    """
    game = make_game(spec)
    if game.facts.noisy:
        advisor, evidence = NoisyAdvisor(game), Evidence(game, history)
        outlook = evidence.outlook(game.guess_index(guess))
        if as_json:
            print_json(advisor.known(evidence) | advisor.test_data(evidence, outlook))
        else:
            click.echo("\n".join([f"{game.spec}: {guess}", *advisor.answers(evidence, outlook)]))
        return
    position = Position(game, history)
    parts = position.partition(game.guess_index(guess))
    if as_json:
        print_json(
            {
                "game": game.spec,
                "history": history,
                "guess": guess,
                "candidates": len(position.candidates),
                "parts": [
                    {"response": p.response, "size": len(p.secrets), "secrets": p.secrets} for p in parts
                ],
            }
        )
        return
    made = f"{plural(len(parts), 'part')} of {plural(len(position.candidates), 'secret')}"
    click.echo(f"{game.spec}: {guess} makes {made}")
    width = max(len(part.response) for part in parts)
    size = len(str(max(len(part.secrets) for part in parts)))
    for part in parts:
        some = " ".join(part.secrets[:MOST_LISTED]) + (" ..." if len(part.secrets) > MOST_LISTED else "")
        click.echo(f"  {part.response:>{width}}  {len(part.secrets):>{size}}  {some}")
