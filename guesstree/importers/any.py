"""`import_tree`: trees that other programs made, from their files or as they are, as strategies."""

from __future__ import annotations

import io
import os
import pickle
import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from typing import Any

from guesstree.api.strategy import Strategy
from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.game import Game
from guesstree.engine.registry import game_of
from guesstree.importers.grown import Grown, Labels, as_strategy, require_tests
from guesstree.importers.pickles import MOST_BYTES
from guesstree.importers.selby import read_published
from guesstree.importers.sklearn import read_model
from guesstree.importers.streed import read_printed
from guesstree.trees.check import check
from guesstree.trees.export.output import read_whole
from guesstree.trees.tree import Tree, TreeError


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TreeError(f"byte {error.start} is not UTF-8; expected a text file") from None


def _learned(game: Game, labels: Labels, read: Callable[[], Grown]) -> tuple[Tree, str]:
    require_tests(game)
    return as_strategy(game, read(), labels)


KINDS: Mapping[str, Callable[..., tuple[Tree, str]]] = {
    "sklearn": lambda data, game, labels=None: _learned(game, labels, lambda: read_model(data)),
    "pystreed": lambda data, game, labels=None: _learned(
        game, labels, lambda: read_printed(_text(data), game.guesses)
    ),
    "selby": lambda data, game, _labels=None: (read_published(_text(data), game), ""),
}
"""What reads a file, for a game, by the name of what made it; `labels`: see `import_tree`."""


def import_file(
    kind: str, path: str | os.PathLike[str], game: Game, labels: Labels = None
) -> tuple[Strategy, str]:
    """Return the tree in a file of another program as a strategy, and what is to be said of it.

    `kind` is one of `KINDS`; `labels`: see `import_tree`. The strategy has passed the checker. Raises
    TreeError, one line with the place, for a file of something else, and for a tree that is not one for this
    game.
    """
    try:
        tree, note = KINDS[kind](read_whole(path, MOST_BYTES), game, labels)
        return _checked(tree), note
    except GuesstreeError as error:
        raise TreeError(f"{str(path)!r}: {error}") from None


def import_tree(model: Any, game: Game | str, labels: Labels = None) -> Strategy:
    """Return a tree that another program has learned as a strategy for a game, which has passed the checker.

    Parameters
    ----------
    model: a fitted DecisionTreeClassifier of scikit-learn, or a fitted classifier of pystreed. Its columns
        are tests, by name or in their order, or answers to tests (``wings_hard``); its classes are causes, or
        decisions of the game.
    game: the game of the tree, or its spec, such as ``table:lamp.csv``.
    labels: what the classes of the model stand for, where they are numbers: labels of the game from 0 on,
        or a mapping from classes to labels.

    Raises TreeError for anything else, and for a tree that does not fit the game.
    """
    found = game_of(game)
    if hasattr(model, "print_tree"):
        with redirect_stdout(io.StringIO()) as printed:
            model.print_tree()
        kind, data = "pystreed", printed.getvalue().encode()
    elif type(model).__module__.startswith("sklearn."):
        kind, data = "sklearn", pickle.dumps(model)
    else:
        raise TreeError(f"{shown(model)}; expected a fitted classifier of scikit-learn or pystreed")
    try:
        tree, note = KINDS[kind](data, found, labels)
        strategy = _checked(tree)
    except GuesstreeError as error:
        raise TreeError(f"{shown(model)}: {error}") from None
    if note:
        warnings.warn(note, stacklevel=2)
    return strategy


def _checked(tree: Tree) -> Strategy:
    """Return a tree as a strategy; raise TreeError unless the checker finds it valid."""
    report = check(tree.game, tree)
    if not report.valid:
        more = f" (and {report.failed - 1} more)" if report.failed > 1 else ""
        raise TreeError(f"{report.messages()[0]}{more}")
    return Strategy.of(tree)
