"""One-step methods against random phrases: what is refused there, and what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from guesstree.api.sample import Sample, play_sample
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.onestep.ranking import Method
from guesstree.present.reports import histogram_lines

from .progress import live
from .text import print_json


def require_played(game: Game, given: Mapping[str, Any]) -> None:
    """Raise GuesstreeError for the first option that is given and means nothing to a sample."""
    for name, value in given.items():
        if value:
            raise GuesstreeError(
                f"--{name.replace('_', '-')}: {game.spec} has too many phrases to list, so methods are "
                "played against random ones; leave this option out"
            )


def show_sample(game: Game, method: str, seed: int, budget: int | None, *, as_json: bool) -> None:
    """Play a one-step method against random phrases, and print what it takes."""
    sample = Sample.of(game, seed)
    with live() as progress:
        row = play_sample(game, Method(method), sample.phrases, budget=budget, progress=progress)
    if as_json:
        print_json({"game": game.spec, "goal": "identify", "sample": sample.as_json()} | row.as_json())
        return
    click.echo(f"{game.spec}: goal identify, method {method} {sample}: an estimate, nothing is proven")
    if row.won:
        click.echo(
            "  wins {} of them = {} % within {misses}".format(*row.won, misses=f"a budget of {budget}")
        )
    taken = "total {total}, average {average}, most {worst}".format_map(row.figures.shown)
    click.echo(f"  {game.look.cost}: {taken}")
    click.echo("  guesses: total {total}, average {average}, most {worst}".format_map(row.summary.shown))
    click.echo(histogram_lines(row.summary.histogram, game.look))
