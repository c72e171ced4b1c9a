"""`guesstree check`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from guesstree.engine.notation import plural, plurals
from guesstree.present.reports import report_of, with_lies

from .tools.group import Command
from .tools.options import json_option, make_game
from .tools.reading import other_game_option, read_strategy
from .tools.text import print_json

MOST_SHOWN = 10


@click.command("check", cls=Command, epilog="Example: guesstree check tree.json")
@click.argument("path", type=click.Path(), metavar="FILE.json")
@other_game_option
@json_option
def command(path: str, spec: str | None, as_json: bool) -> int:
    """Replay every secret through the strategy in FILE.json and recompute every figure.

    If the file contains a table, the command uses that table; it looks for other files that the game names
    beside the strategy first. Branches that no secret takes do no harm: the command names them, and no figure
    counts them.

    Of a folder that solve --maker mixed wrote, the command replays all strategies, and adds up what each
    secret pays by their probabilities.

    Of a file that solve --maker largest wrote, the command replays every win against the host.

    The exit status is 1 if the tree fails for some secret or breaks the limits that the file claims, if the
    figures or bounds of the file differ from those of the tree, and if its table is another one. A lower
    bound claims that no strategy is better; only a certificate proves that (guesstree verify).
    """
    if Path(path).is_dir():
        return check_mixture(path, spec, as_json=as_json)
    from guesstree.engine.meant import file_kind
    from guesstree.trees.check import check
    from guesstree.trees.claims import MOST_UNCHECKED

    if file_kind(path) == "wins":
        return check_wins(path, spec, as_json=as_json)

    reading = read_strategy(path, spec)
    strategy, origin = reading.strategy, reading.origin
    game, against = origin.game, origin.against
    look = game.look
    report = check(game, strategy)
    if origin.other:
        report = replace(report, lies=(*report.lies, f"table: {origin.note}"))
    if as_json:
        lies = {"lies_told": strategy.lies} if strategy.lies else {}  # `lies` are false claims of the file
        found: dict[str, Any] = {"against": against} if against else {}
        if report.figures is not None:
            found |= report.figures.decisions_as_json()
        print_json({"game": game.spec, **found, "goal": strategy.goal, **lies, **report.as_json()})
        return 0 if report.valid else 1
    goal = strategy.goal + with_lies(strategy.lies)
    click.echo(f"{path}: {game.spec}, goal {goal}: {'valid' if report.valid else 'INVALID'}")
    if against:
        click.echo(f"  checked against {against}")
    wrong = [failure.message for failure in report.failures] + list(report.lies)
    for message in wrong[:MOST_SHOWN]:
        click.echo(f"  {message}")
    if max(len(wrong), report.failed) > MOST_SHOWN:
        click.echo(f"  ... and more: {report.failed} {plurals(look.secret)} fail")
    if report.dead:
        click.echo(f"  {report.dead_text}")
    if report.unchecked:
        more = ", ..." * (len(report.unchecked) > MOST_UNCHECKED)
        click.echo(f"  claimed, not checked: {', '.join(report.unchecked[:MOST_UNCHECKED])}{more}")
    if report.figures is not None:
        click.echo("\n".join(report_of(strategy, report.figures).lines(average=False)))
    return 0 if report.valid else 1


def check_wins(path: str, spec: str | None, *, as_json: bool) -> int:
    """Check a file of wins against a host, print what is found, and return the status."""
    from guesstree.api.host import WinsFile

    file = WinsFile.read(path, make_game(spec) if spec else None)
    wrong = file.check()
    data = file.as_json()
    if as_json:
        print_json(data | {"valid": not wrong, "wrong": wrong})
        return 1 if wrong else 0
    verdict = "INVALID" if wrong else "valid"
    click.echo(f"{path}: {file.game.spec}, goal {data['goal']}, against a host: {verdict}")
    for message in wrong:
        click.echo(f"  {message}")
    if not wrong:
        cost = f" at a cost of {data['cost']}" if file.game.facts.priced else ""
        click.echo(
            f"  {plural(data['wins'], 'win')} with {plural(data['guesses'], file.game.look.guess)}{cost}"
        )
        if data["proven"]:
            listed = ", and all of these are listed" if data["complete"] else ""
            click.echo(f"  claimed, not checked: no win is shorter{listed}")
    return 1 if wrong else 0


def check_mixture(folder: str, spec: str | None, *, as_json: bool) -> int:
    """Check a folder of mixtures, print what is found, and return the status."""
    from guesstree.api.mixture import Mixture

    mixture = Mixture.read(folder, make_game(spec) if spec else None)
    wrong = mixture.check()
    if as_json:
        print_json(mixture.as_json() | {"valid": not wrong, "wrong": wrong})
        return 1 if wrong else 0
    many = "1 strategy" if len(mixture.names) == 1 else f"{len(mixture.names)} strategies"
    found = "INVALID" if wrong else "valid"
    click.echo(f"{folder}: {mixture.game.spec}, goal {mixture.goal}, {many}: {found}")
    for message in wrong[:MOST_SHOWN]:
        click.echo(f"  {message}")
    if len(wrong) > MOST_SHOWN:
        click.echo(f"  ... and {len(wrong) - MOST_SHOWN} more")
    if not wrong:
        click.echo("\n".join(f"  {line}" for line in mixture.lines()))
    return 1 if wrong else 0
