"""Groups of commands: what is listed, and what a mistyped command may stand for."""

from __future__ import annotations

from difflib import get_close_matches

import click


class Named(click.Group):
    """A group that says in a sentence what each command does, and which one a mistyped name may stand for."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant; raise UsageError that names those nearest to it."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            names = self.list_commands(ctx)
            near = get_close_matches(args[0].lower(), names, n=2)
            what = f"did you mean {' or '.join(near)}?" if near else f"accepted: {', '.join(names)}"
            ctx.fail(f"No such command {args[0]!r}; {what}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, each with the first sentence of its help, whole."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, first_sentence(command.help or "")) for name, command in commands if command]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, without its full stop."""
    return " ".join(text.split()).partition(". ")[0].removesuffix(".")
