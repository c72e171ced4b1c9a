"""`guesstree table`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.look import plural

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
    help="Write the tidy form: tests in rows, commas, UTF-8.",
)
@json_option
def command(file: str, out: str | None, as_json: bool) -> None:
    """Show how a table is read: its causes, tests, answers, costs and weights, and what smells in it.

    FILE is what stands after table: in other commands, with its options, such as birds.xlsx,causes=rows.
    """
    from guesstree.engine.tables.options import parse_options
    from guesstree.engine.tables.reading import read_file
    from guesstree.engine.tables.smells import warnings_of
    from guesstree.engine.tables.tidy import tidy_csv, tidy_options
    from guesstree.trees.export.output import write_whole

    own = Path(parse_options(file)[0])
    if out is not None and own.exists() and Path(out).exists() and own.samefile(out):
        raise GuesstreeError(f"--out {out!r} is the table itself; use another name")
    doubts: list[str] = []
    reading = read_file(file, doubts=doubts)
    warnings = [*doubts, *warnings_of(reading.content)]
    if out is not None:
        write_whole(out, tidy_csv(reading.content).encode())
    if as_json:
        print_json(reading_data(file, reading, warnings))
        return
    show_table(file, reading)
    for line in reading.model.notes:
        click.echo(f"note: {line}")
    for line in warnings:
        click.echo(f"warning: {line}")
    if out is not None:
        options = tidy_options(reading.content)
        click.echo(f"wrote {out}" + (f"; it is read as table:{out}{options}" if options else ""))


def reading_data(file: str, reading: ReadTable, warnings: list[str]) -> dict[str, Any]:
    """Return how a table was read as plain data."""
    content = reading.content
    return {
        "file": file,
        "said": list(reading.said),
        "causes": list(content.secrets),
        "causes_in": reading.causes,
        "tests": [
            {"test": test, "answers": dict(counted_answers(row))}
            for test, row in zip(content.guesses, content.cells, strict=True)
        ],
        "empty": reading.empty,
        "costs": None if content.costs is None else list(content.costs),
        "cost_unit": str(content.cost_unit),
        "weights": None if content.weights is None else list(content.weights),
        "weight_unit": str(content.weight_unit),
        **model_data(reading),
        "told": list(reading.model.told),
        "notes": list(reading.model.notes),
        "warnings": warnings,
    }


def model_data(reading: ReadTable) -> dict[str, Any]:
    """Return what a table says of groups and decisions as plain data; costs and losses in `cost_unit`."""
    content = reading.content
    return {
        "groups": [group or None for group in content.groups],
        "later": list(content.later),
        "after": [list(known) for known in content.after],
        "decisions": list(content.decisions),
        "losses": [list(row) for row in content.losses],
        "ends": content.ends or None,
        "lapses": content.lapses,
    }


def counted_answers(row: tuple[str, ...]) -> list[tuple[str, int]]:
    """Return the answers to a test with how many causes give each, the most frequent first."""
    return [(answer, many) for answer, many in Counter(row).most_common() if answer]


def show_table(file: str, reading: ReadTable) -> None:
    """Print how a table was read."""
    from guesstree.engine.tables.margins import margin_texts

    content, look = reading.content, reading.content.look
    counts = f"{plural(len(content.secrets), look.secret)}, {plural(len(content.guesses), look.guess)}"
    click.echo(f"{Path(file).name}: {counts}")
    if reading.said:
        click.echo(f"  read as: {', '.join(reading.said)}")
    if reading.empty:
        click.echo(f"  unknown: {plural(reading.empty, 'cell')}")
    costs = [] if content.costs is None else margin_texts(content.costs, content.cost_unit)
    setups = [cost - later for cost, later in zip(content.costs or (), content.later, strict=False)]
    if costs and reading.costs:
        first = " where set-ups are paid" * any(setups)
        click.echo(f"  costs: {reading.costs!r}, {_range(costs, content.costs)}{first}")
    if any(setups):  # as people say it: 2 + 5 is 7 first and 2 later
        paid = (margin_texts(each, content.cost_unit) for each in (content.later, setups))
        costs = [f"{later} + {setup}" if setup != "0" else later for later, setup in zip(*paid, strict=True)]
    if content.weights is not None:
        weights = margin_texts(content.weights, content.weight_unit)
        click.echo(f"  weights: {reading.weights or 'merged'!r}, {_range(weights, content.weights)}")
    for line in reading.model.told:
        click.echo(f"  {line}")
    width = min(32, max(map(len, content.guesses)))
    for i, (test, row) in enumerate(zip(content.guesses, content.cells, strict=True)):
        if i == MOST_TESTS:
            click.echo(f"  ... {len(content.guesses) - MOST_TESTS} more (--json has all)")
            break
        price = f"  {costs[i]:>{max(map(len, costs))}}" if costs else ""
        click.echo(f"  {_cut(test, width):<{width}}{price}  {_answers(row)}")


def _range(texts: list[str], counts: tuple[int, ...] | None) -> str:
    """Return the least and the most of some numbers."""
    assert counts is not None
    least, most = (pick(range(len(texts)), key=counts.__getitem__) for pick in (min, max))
    return texts[least] if least == most else f"{texts[least]} to {texts[most]}"


def _answers(row: tuple[str, ...]) -> str:
    """Return the answers to a test with how many give each, shortened."""
    found = counted_answers(row)
    some = ", ".join(f"{_cut(answer, 24)} ({many})" for answer, many in found[:MOST_ANSWERS])
    unknown = row.count("")
    more = [f"... {len(found)} in all"] if len(found) > MOST_ANSWERS else []
    return ", ".join([some, *more, *([f"unknown ({unknown})"] if unknown else [])])


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
