"""`guesstree diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from guesstree.engine.exact import short_text
from guesstree.engine.notation import plural, plurals
from guesstree.present.reports import cost_lines, histogram_lines, weigh_alike

from .tools.group import Command
from .tools.options import json_option
from .tools.reading import other_game_option, read_strategy
from .tools.text import print_json

if TYPE_CHECKING:
    from guesstree.engine.game import Game
    from guesstree.trees.diff import Difference


@click.command("diff", cls=Command, epilog="Example: guesstree diff a.json b.json --up-to-symmetry")
@click.argument("first", type=click.Path(), metavar="A.json")
@click.argument("second", type=click.Path(), metavar="B.json")
@click.option(
    "--up-to-symmetry",
    is_flag=True,
    help="Count trees as equal if a renaming of the game turns one into the other.",
)
@other_game_option
@json_option
def command(first: str, second: str, up_to_symmetry: bool, spec: str | None, as_json: bool) -> int:
    """Compare the strategies in A.json and B.json, for one game and one goal.

    The exit status is 0 if they are the same tree, 1 if they differ. Up to symmetry, the command first
    renames both to their canonical form, and shows the secrets and guesses of that form.
    """
    from guesstree.engine.game_source import same_game
    from guesstree.trees.diff import difference
    from guesstree.trees.tree import TreeError

    readings = [read_strategy(path, spec) for path in (first, second)]
    game, other = (reading.origin.game for reading in readings)
    a, b = (reading.strategy for reading in readings)
    if not same_game(game, other):
        which = "another of that name" if other.spec == game.spec else other.spec
        raise TreeError(
            f"{first!r} is for {game.spec}, {second!r} for {which}; expected two strategies for one game"
        )
    found = difference(game, a, b, up_to_symmetry=up_to_symmetry)
    if as_json:
        print_json({"game": game.spec, "goal": a.goal, "up_to_symmetry": up_to_symmetry, **found.as_json()})
    else:
        symmetry = " up to symmetry" if up_to_symmetry else ""
        click.echo(f"{game.spec}, goal {a.goal}: {'the same' if found.same else 'different'}{symmetry}")
        show(first, second, found, game)
    return 0 if found.same else 1


def show(first: str, second: str, difference: Difference, game: Game) -> None:
    """Print what sets two strategies apart."""
    look = game.look
    paid = difference.costs or (None, None)
    for path, summary, costs, nodes in zip(
        (first, second), (difference.first, difference.second), paid, difference.nodes, strict=True
    ):
        total = f"total {short_text(summary.total)}, " if weigh_alike(game) else ""
        most = f"worst case {summary.worst}" if total else f"at most {plural(summary.worst, look.guess)}"
        click.echo(f"{path}: {total}{most}, {plural(nodes, 'node')}")
        if costs is not None:
            click.echo(cost_lines(game, costs))
        click.echo(histogram_lines(summary.histogram, look))
    if difference.same:
        return
    need = "needs" if difference.slower == 1 else "need"
    slower = f"{plural(difference.slower, look.secret)} {need}"
    click.echo(f"  {slower} more {plurals(look.guess)} in the second, {difference.faster} fewer")
    for secret, before, after in difference.examples:
        click.echo(f"    {secret}: {before} -> {after}")
    if difference.path is not None and difference.asked is not None:
        steps = ", ".join(f"{guess} {response}" for guess, response in difference.path) or "at the root"
        click.echo(f"  first difference: {steps}: {difference.asked[0]} or {difference.asked[1]}")
    largest = f", the largest of {plural(difference.largest, 'node')}" if difference.shared else ""
    click.echo(f"  {plural(difference.shared, 'subtree')} in common{largest}")
