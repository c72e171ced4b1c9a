"""`guesstree games`."""

from __future__ import annotations

import click

from .tools.group import Command
from .tools.options import json_option
from .tools.text import print_json


@click.command("games", cls=Command, epilog="Example: guesstree games")
@json_option
def command(as_json: bool) -> None:
    """List the games, each with an example spec and a reference."""
    from guesstree.engine.registry import families

    if as_json:
        keys = ("name", "example", "about", "reference")
        print_json({"games": [{key: getattr(family, key) for key in keys} for family in families()]})
        return
    lines = click.HelpFormatter()
    lines.write_dl([(family.example, f"{family.about} ({family.reference})") for family in families()])
    click.echo(lines.getvalue(), nl=False)
