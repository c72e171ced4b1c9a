"""`guesstree import`: trees that other programs made."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from .tools.files import deliver
from .tools.group import OTHERS, Named, option
from .tools.options import game_argument, json_option, make_game, out_option
from .tools.text import print_json, print_strategy


@click.group(
    "import",
    cls=Named,
    epilog="Example: guesstree import sklearn model.joblib table:lamp.csv",
)
def command() -> None:
    """Read trees of other programs, turn them into strategies and check them like all others."""


def _split(_context: click.Context, _param: click.Parameter, text: str | None) -> list[str] | None:
    """Return labels with commas between them, as a line of CSV has them."""
    return None if text is None else [label.strip() for label in next(csv.reader([text]), [])]


_labels_option = option(
    OTHERS,
    "--labels",
    metavar="A,B,...",
    callback=_split,
    help="What the classes of the tree stand for, where they are numbers: labels of GAME from 0 on.",
)


def _files(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that all of these have."""
    for add in (json_option, out_option, game_argument):
        function = add(function)
    return function


@command.command("sklearn", epilog="Example: guesstree import sklearn model.joblib table:lamp.csv")
@click.argument("model", type=click.Path())
@_labels_option
@_files
def sklearn_command(model: str, spec: str, labels: list[str] | None, out: str | None, as_json: bool) -> None:
    """Read a fitted DecisionTreeClassifier of scikit-learn, from a file of joblib, pickle or skops.

    Its columns are the tests of GAME, by name or in their order, or single answers, as in Wings_hard. Its
    classes are the causes, or the decisions of GAME. The command reads the file as data: it runs nothing in
    it, and does not need scikit-learn.
    """
    _import("sklearn", model, spec, out, as_json, labels)


@command.command("pystreed", epilog="Example: guesstree import pystreed tree.txt table:lamp.csv")
@click.argument("path", metavar="FILE", type=click.Path())
@_labels_option
@_files
def pystreed_command(path: str, spec: str, labels: list[str] | None, out: str | None, as_json: bool) -> None:
    """Read a tree of pystreed, as STreeDClassifier.print_tree(FILE) writes it.

    Its features are the tests of GAME, or single answers; its labels are the causes, or the decisions of
    GAME, by name or by number from 0; of decisions --labels says which number is which.
    """
    _import("pystreed", path, spec, out, as_json, labels)


@command.command("selby", epilog="Example: guesstree import selby salet.tree wordle:official")
@click.argument("path", metavar="FILE", type=click.Path())
@_files
def selby_command(path: str, spec: str, out: str | None, as_json: bool) -> None:
    """Read a tree for Wordle as Alex Selby's program prints it, with lines such as salet BBBBB1 courd GGGGG2.

    The tree must find every secret of GAME, and ask no other words than GAME allows; a tree for hard mode is
    one for wordle:official,hard.
    """
    _import("selby", path, spec, out, as_json)


def _import(
    kind: str, path: str, spec: str, out: str | None, as_json: bool, labels: list[str] | None = None
) -> None:
    """Read a tree, print its figures and write it."""
    from guesstree.importers.any import import_file
    from guesstree.present.reports import bounds_as_json, report_of
    from guesstree.trees.export import files

    game = make_game(spec)
    strategy, note = import_file(kind, path, game, labels)
    if note:
        click.echo(f"guesstree: {path!r}: {note}", err=True)

    report = report_of(strategy)

    def show() -> None:
        if not as_json:
            click.echo(f"{path}: {game.spec}, goal {strategy.goal}: valid")
            click.echo("\n".join(report.lines()))
            print_strategy(strategy, out, None)
            return
        head: dict[str, Any] = {"game": game.spec, "goal": strategy.goal, "method": strategy.claims.method}
        bounds = bounds_as_json(None, report.figures.compared.total)
        print_json(head | {"nodes": len(strategy)} | bounds | report.figures.as_json())

    deliver(show, [(out, partial(files.write, game, strategy))], as_json=as_json)
