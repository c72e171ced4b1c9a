"""What subcommands print: JSON, lines of text, and small strategies."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from .screen import screen_width

if TYPE_CHECKING:
    from guesstree.trees.tree import Tree

AT_ONCE = 500
"""Lines that are printed together."""
MOST_LINES = 24
"""The lines of a strategy that is printed by itself."""


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object."""
    import json

    click.echo(json.dumps(data))


_SIGNS = str.maketrans("├└─│–●○·→…", "|`-|-xo->~")
"""What is printed where standard output has no such signs."""


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines as they come, many at a time; where standard output has no such signs, with others."""
    encoding = sys.stdout.encoding or "utf-8"
    rest = iter(lines)
    while some := list(islice(rest, AT_ONCE)):
        text = "\n".join(some)
        try:
            text.encode(encoding)
        except UnicodeEncodeError:
            text = text.translate(_SIGNS).encode(encoding, "replace").decode(encoding)
        click.echo(text)


def print_strategy(strategy: Tree, out: str | None, picture: str | None) -> None:
    """Print all of a small strategy as text; of a large one that is not drawn, how to draw it."""
    from guesstree.trees.export.text import short_lines

    width = screen_width()
    lines = short_lines(strategy.game, strategy, MOST_LINES, width and width - 2)
    if lines:
        echo_lines(f"  {line}" for line in lines)
    elif picture is None:
        add = "" if out else "add --out tree.json, then "
        style = " --flowchart" if strategy.game.look.codes == "text" else ""
        click.echo(f"  draw it: {add}guesstree render {out or 'tree.json'} tree.pdf{style}")
