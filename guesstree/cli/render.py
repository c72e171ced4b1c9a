"""`guesstree render`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from guesstree.trees.export.colours import MARKS, colour_of, ink
from guesstree.trees.export.formats import (
    ABOUT,
    PAPERS,
    PRINTED,
    TREE,
    check_format,
    check_text,
    endings,
    render,
)
from guesstree.trees.export.output import check_ending, metavar
from guesstree.trees.language import speaking

from .session.board import in_colour, shade
from .tools.files import Target, keep_apart
from .tools.group import OUTPUT, Command, option
from .tools.options import Choice, Whole, json_option, language_option, title_option
from .tools.reading import other_game_option, read_strategy
from .tools.screen import screen_width
from .tools.text import echo_lines, print_json

if TYPE_CHECKING:
    from guesstree.engine.notation import Look


def _is_known(path: str) -> None:
    check_ending(path, endings())


class _Printable(Target):
    """A file to write, or standard output."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return PRINTED if value == PRINTED else super().convert(value, param, ctx)


def _painted(look: Look, text: str, kind: str) -> str:
    """Return text as a terminal shows it: pegs and marks in their colours, and with their signs."""
    if kind == "marks" or (kind in ("code", "end") and look.codes == "pegs"):
        colours = [MARKS[sign] if kind == "marks" else colour_of(look, sign) for sign in text]
        return "".join(
            click.style(sign, fg=shade(ink(colour)), bg=shade(colour))
            for sign, colour in zip(text, colours, strict=True)
        )
    if kind in ("tree", "about"):
        return click.style(text, dim=True) if text else ""
    return click.style(text, bold=True) if kind == "end" else text


def _styles(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command an option for each style but that of trees."""
    for style in reversed(ABOUT):
        command = option(OUTPUT, f"--{style}", style, is_flag=True, help=ABOUT[style])(command)
    return command


@click.command("render", cls=Command, epilog="Example: guesstree render tree.json tree.pdf --depth 3")
@click.argument("source", type=click.Path(), metavar="FILE.json")
@click.argument("target", type=_Printable(_is_known), metavar=f"{metavar(endings())}|{PRINTED}")
@_styles
@title_option
@option(
    OUTPUT,
    "--no-parameters",
    "parameters",
    flag_value=False,
    default=None,
    help="Leave out the line of goal, objective and method.",
)
@option(OUTPUT, "--paper", type=Choice(PAPERS), metavar="PAPER", help=f"{' or '.join(PAPERS)} (default a4).")
@option(
    OUTPUT,
    "--pages",
    type=Whole(min=1),
    metavar="N",
    help="At most N pages of a flow chart; 1: shrink to fit.",
)
@option(
    OUTPUT,
    "--qr",
    metavar="URL",
    help="On a flow chart or a PDF of a key, a QR code of where you put its page.",
)
@option(
    OUTPUT, "--given", type=Whole(min=1), metavar="N", help="On a worksheet, the first N steps are filled in."
)
@option(OUTPUT, "--depth", type=Whole(min=1), metavar="N", help="Draw the first N guesses only.")
@option(OUTPUT, "--dag", is_flag=True, help="Draw subtrees of the same shape once.")
@option(
    OUTPUT,
    "--confirmatory",
    type=Whole(min=1),
    metavar="N",
    help="In a key, name up to N further tests that agree with each question.",
)
@option(
    OUTPUT,
    "--sure",
    type=Whole(min=1, max=100),
    metavar="PERCENT",
    help="With --confirmatory: how much of what is left agrees at least (default 75).",
)
@option(OUTPUT, "--costs", is_flag=True, default=None, help="In a key, say what questions cost.")
@option(OUTPUT, "--indented", is_flag=True, default=None, help="A key with each lead above its continuation.")
@language_option
@other_game_option
@json_option
def command(
    source: str,
    target: str,
    dag: bool,
    language: str | None,
    spec: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Draw the strategy in FILE.json as a picture, or as a page to explore; - prints it.

    The ending of the name says which format to write: .pdf, .svg, .png or .dot is a picture, and .tex is one
    for LaTeX; .html is a page that asks one question at a time, and on which you can search for a secret,
    follow responses and see the remaining candidates. Print a flow chart (.pdf, .svg, .png, .dot) or a key
    (.txt, .md, .html, .docx, .tex, .pdf) to use it by hand; open a list (.csv, .xlsx) in a spreadsheet. A
    program (.sql, .py, .c, .json, .pmml, .npz) decides elsewhere as the strategy does.

    With - as the name, the command prints the tree, or with --key the key, in lines that fit the terminal.
    """
    from guesstree.engine.meant import files_of
    from guesstree.trees.check import check
    from guesstree.trees.export import dag as dags
    from guesstree.trees.tree import TreeError

    chosen = [style for style in ABOUT if options.pop(style)]
    if len(chosen) > 1:
        raise TreeError(f"{' and '.join(f'--{style}' for style in chosen)}: use one of them")
    style = chosen[0] if chosen else TREE
    more = [name for name, value in options.items() if value is not None and name != "title"]
    if dag and (language or chosen or target == PRINTED or more):
        raise TreeError("--dag draws the whole tree in a style of its own; use it alone, or with --title")
    if as_json and target == PRINTED:
        raise TreeError(f"--json prints nothing but JSON; use a file instead of {PRINTED}")
    printed = check_text(style, **options) if target == PRINTED else None
    if printed is None:
        check_format(target, style, **options)
    reading = read_strategy(source, spec)
    game, strategy = reading.origin.game, reading.strategy
    if printed is None:
        named = files_of(game.spec)
        keep_apart(target, [source, *named, *(Path(source).parent / name for name in named)])
    report = check(game, strategy)
    if report.failures:
        raise TreeError(f"{source!r} is not a valid strategy: {report.failures[0].message}")
    if printed is not None:
        wanted = {name: value for name, value in options.items() if value is not None}
        if style == TREE and in_colour():
            wanted["paint"] = partial(_painted, game.look)
        with speaking(language):
            echo_lines(printed.draw(game, strategy, width=screen_width(), **wanted))
        return
    if dag:
        dags.render_dag(game, strategy, target, options["title"] or "")
    else:
        render(game, strategy, target, style=style, language=language, **options)
    if as_json:
        options["language"] = language
        data = {"file": source, "game": game.spec, "goal": strategy.goal, "nodes": len(strategy)}
        print_json(data | options | {"style": style, "dag": dag, "picture": target})
    else:
        click.echo(f"wrote {target}")
