"""What the shell offers for arguments of our own kinds; files and choices are known to it by their types."""

from __future__ import annotations

import click

from guesstree.engine.onestep.valuations import methods
from guesstree.engine.registry import families
from guesstree.engine.support import EXACT


def complete_game(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[str]:
    """Return an example of each family that may be meant: what follows the colon is easily changed."""
    return [family.example for family in families() if family.example.startswith(typed)]


def complete_method(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[str]:
    """Return the methods whose names begin as typed."""
    return [name for name in (EXACT, *methods()) if name.startswith(typed)]
