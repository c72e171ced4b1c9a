"""`guesstree table`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from guesstree.engine.notation import plural

from .tools.files import Target
from .tools.group import OUTPUT, Command, option
from .tools.options import json_option
from .tools.text import print_json

if TYPE_CHECKING:
    from guesstree.engine.tables.reading import ReadTable

MOST_TESTS = 40
"""Tests that are listed; more are counted."""
MOST_ANSWERS = 6
"""Answers of a test that are listed."""


@click.command("table", cls=Command, epilog="Example: guesstree table faults.xlsx --out clean.csv")
@click.argument("file", metavar="FILE[,OPTION]...")
@option(
    OUTPUT,
    "--out",
    "out",
    type=Target(),
    metavar="FILE.csv",
    help="Write the canonical form: tests in rows, commas, UTF-8.",
)
@json_option
def command(file: str, out: str | None, as_json: bool) -> None:
    """Show how guesstree reads a table: its causes, tests, answers, costs and weights, with warnings.

    FILE is a file with its options, such as birds.xlsx,causes=rows; write table:FILE in other commands.
    """
    from guesstree.engine.tables.canonical import canonical_form
    from guesstree.engine.tables.lint import warnings_of
    from guesstree.engine.tables.notes import Note
    from guesstree.engine.tables.reading import read_file
    from guesstree.present.table import reading_data
    from guesstree.trees.export.output import write_whole

    doubts: list[Note] = []
    reading = read_file(file, doubts=doubts)
    warnings = [*doubts, *warnings_of(reading.content)]
    options = ""
    if out is not None:
        text, options = canonical_form(reading.content, reading.words)
        write_whole(out, text.encode())
    if as_json:
        print_json(reading_data(file, reading, warnings))
        return
    show_table(file, reading)
    for line in reading.model.notes:
        click.echo(f"note: {line}")
    for note in warnings:
        click.echo(f"warning: {note.line}")
    if out is not None:
        click.echo(f"wrote {out}" + (f"; it is read as table:{out}{options}" if options else ""))


def show_table(file: str, reading: ReadTable) -> None:
    """Print how a table was read."""
    from guesstree.present.table import cost_line, cost_texts, weight_line

    content, look = reading.content, reading.content.look
    counts = f"{plural(len(content.secrets), look.secret)}, {plural(len(content.guesses), look.guess)}"
    click.echo(f"{Path(file).name}: {counts}")
    if reading.said:
        click.echo(f"  read as: {', '.join(reading.said)}")
    if reading.empty:
        click.echo(f"  unknown: {plural(reading.empty, 'cell')}")
    if line := cost_line(reading):
        click.echo(f"  costs: {line}")
    if line := weight_line(reading):
        click.echo(f"  weights: {line}")
    for line in reading.model.lines:
        click.echo(f"  {line}")
    costs = cost_texts(reading)
    width = min(32, max(map(len, content.guesses)))
    for i, (test, row) in enumerate(zip(content.guesses, content.cells, strict=True)):
        if i == MOST_TESTS:
            click.echo(f"  ... {len(content.guesses) - MOST_TESTS} more (--json has all)")
            break
        price = f"  {costs[i]:>{max(map(len, costs))}}" if costs else ""
        click.echo(f"  {_cut(test, width):<{width}}{price}  {_answers(row)}")


def _answers(row: tuple[str, ...]) -> str:
    """Return the answers to a test with how many give each, shortened."""
    from guesstree.present.table import counted_answers

    found = counted_answers(row)
    some = ", ".join(f"{_cut(answer, 24)} ({many})" for answer, many in found[:MOST_ANSWERS])
    unknown = row.count("")
    more = [f"... {len(found)} in all"] if len(found) > MOST_ANSWERS else []
    return ", ".join([some, *more, *([f"unknown ({unknown})"] if unknown else [])])


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
