"""Commands and their options in groups: what is listed, and what a mistyped command may stand for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

OBJECTIVE, STRATEGY, LIMITS, OUTPUT, OTHERS = "Objective", "Strategy", "Limits", "Output", "Options"
"""The groups of options."""
FEW = 6
"""So many options need no groups."""


class Option(click.Option):
    """An option of a group."""

    def __init__(self, *words: Any, group: str, **settings: Any) -> None:
        super().__init__(*words, **settings)
        self.group = group


def option(group: str, *names: str, **settings: Any) -> Callable[[Any], Any]:
    """Return what gives a command an option that its help shows in a group."""
    return click.option(*names, cls=Option, group=group, **settings)


class Command(click.Command):
    """A command whose help shows its options in groups, and which never writes over its own files."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless it would write over what it reads, or over what it writes."""
        from .files import keep_what_is_read, require_two_files

        keep_what_is_read(ctx)
        require_two_files(ctx)
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, in groups if they are many."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        groups: dict[str, list[tuple[str, str]]] = {}
        for one in options:
            group = one.group if isinstance(one, Option) and len(options) > FEW else OTHERS
            if row := one.get_help_record(ctx):
                groups.setdefault(group, []).append(row)
        for name, rows in groups.items():
            with formatter.section(name):
                formatter.write_dl(rows)


class Named(click.Group):
    """A group that says in a sentence what each command does, and which one a mistyped name may stand for."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; raise UsageError that names those nearest to it."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from difflib import get_close_matches

            names = self.list_commands(ctx)
            near = get_close_matches(args[0].lower(), names, n=2)
            what = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
            ctx.fail(f"No such command {args[0]!r}; {what}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, each with the first sentence of its help, whole."""
        rows = [(name, first_sentence(self.about(ctx, name))) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def about(self, ctx: click.Context, name: str) -> str:
        """Return the help of a command."""
        command = self.get_command(ctx, name)
        return (command.help if command else None) or ""


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, without its full stop."""
    return " ".join(text.split()).partition(". ")[0].removesuffix(".")
