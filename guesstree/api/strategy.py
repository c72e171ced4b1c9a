"""`Strategy`: a tree with what is done with it by hand: look at it, draw it, write it, check it."""

from __future__ import annotations

import os
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self

from guesstree.engine.game import Game
from guesstree.engine.registry import game_of
from guesstree.engine.solution import Solved
from guesstree.trees.noisy import build_noisy
from guesstree.trees.tree import Claims, Tree, TreeError, build

if TYPE_CHECKING:
    import networkx as nx
    import pandas
    from sklearn.tree import DecisionTreeClassifier

    from guesstree.trees.check import Report

MOST_LINES = 60
"""The lines of a strategy as text, unless a depth is asked for."""
MOST_DRAWN = 120
"""The nodes of a strategy that a notebook draws; of a larger one it draws the first guesses."""


class Strategy(Tree):
    """A decision tree with its game, and what can be done with it.

    It is what `Solution.strategy` and `Strategy.read` return. The nodes are flat arrays in breadth-first
    order: `guess`, `response`, `parent`, `secret`, `depth`, `first_child`; see `Tree`.
    """

    @classmethod
    def of(cls, tree: Tree) -> Self:
        """Return a tree as a strategy; nothing is copied."""
        return cls(**{field.name: getattr(tree, field.name) for field in fields(Tree)})

    @classmethod
    def read(cls, path: str | os.PathLike[str], game: Game | str | None = None) -> Self:
        """Read a strategy file; `game` stands in for the one that the file names.

        Raises TreeError, one line with the place, for anything that is not a strategy file of this game.
        Whether the strategy is valid is for `check` to say.
        """
        from guesstree.trees.export import files

        return cls.of(files.read(path, None if game is None else game_of(game))[1])

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a strategy file (JSON), whole or not at all; raise TreeError when that cannot be done."""
        from guesstree.trees.export import files

        files.write(self.game, self, path)

    def render(
        self, path: str | os.PathLike[str], depth: int | None = None, style: str = "tree", **options: Any
    ) -> None:
        """Draw to a file whose ending says how: .pdf, .svg, .png, .dot, or .html, a page to explore.

        With `depth`, only the first so many guesses are drawn. Other styles, such as ``key``, and their
        options are those of ``guesstree render``. Raises TreeError for another ending, or when what is needed
        to draw is not installed.
        """
        from guesstree.trees.export import formats

        formats.render(self.game, self, path, style=style, depth=depth, **options)

    def check(self, game: Game | str | None = None) -> Report:
        """Replay every secret by the responses of the game; report errors and all figures.

        `game` stands in for the strategy's own.
        """
        from guesstree.trees.check import check

        return check(self.game if game is None else game_of(game), self)

    def to_networkx(self) -> nx.DiGraph[Any]:
        """Return a networkx.DiGraph whose nodes are numbered as here.

        Nodes have ``guess`` and ``secret``, labels or None, and ``depth`` (guesses asked before); if the game
        has decisions, also ``decision``, a label or None. Edges have ``response``, a label.
        """
        from guesstree.trees.export.nx import to_networkx

        return to_networkx(self.game, self)

    def to_sklearn(self) -> DecisionTreeClassifier:
        """Return a fitted sklearn.tree.DecisionTreeClassifier that decides as the strategy does.

        It asks yes/no questions about columns of numbers, ``feature_names_in_``: a column of texts becomes
        one for each value, ``column_value``, as `pandas.get_dummies` names them. Its thresholds are for
        numbers of four bytes, as all of scikit-learn. Raises TreeError if scikit-learn is not installed.
        """
        from guesstree.trees.export.program.arrays import to_sklearn

        found: DecisionTreeClassifier = to_sklearn(self.game, self)
        return found

    def to_frame(self) -> pandas.DataFrame:
        """Return a pandas.DataFrame with a row for each secret.

        Its columns: ``secret``, ``weight``, ``guesses`` (their number), ``cost`` (the cost of these guesses),
        and ``path``, such as ``x: low; y: no``. Weights and costs are 1 if the game has none. If the game has
        decisions, there are also ``loss`` and ``decision``. If responses may be false, or a guess may get
        several, a secret has a row for each of its ends; a row that depends on chance has a share of the
        weight. Raises TreeError if pandas is not installed.
        """
        from guesstree.trees.export.frame import to_frame

        return to_frame(self.game, self)

    def text(self, depth: int | None = None) -> str:
        """Return the strategy as lines of text: its first `depth` guesses.

        None: as many as fit on 60 lines.
        """
        from guesstree.trees.export.boxes import fitting_depth
        from guesstree.trees.export.text import tree_lines

        deep = fitting_depth(self, MOST_LINES) if depth is None else depth
        return "\n".join(tree_lines(self.game, self, depth=deep))

    def _repr_svg_(self) -> str | None:
        """Draw it in a notebook, a large one in part; None, so that it shows as text, where nothing draws."""
        from guesstree.trees.export import svg
        from guesstree.trees.export.boxes import fitting_depth

        try:
            return str(svg.draw(self.game, self, fitting_depth(self, MOST_DRAWN)), "utf-8")
        except TreeError:
            return None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - asked for so
        """Show it as text in IPython."""
        printer.text(self.text())


def strategy_of(solved: Solved) -> Strategy:
    """Build the decision tree of what a search found, by the game's own responses.

    Raises TreeError or GuesstreeError when the responses do not lead through the states of the search.
    """
    claims = Claims(
        objective=solved.objective,
        method=solved.method,
        lower=solved.lower,
        upper=solved.upper,
        parameters=dict(solved.parameters),
    )
    if solved.game.facts.noisy:
        return Strategy.of(build_noisy(solved.game, solved.choose_after, claims))
    by_history = solved.choose_after if solved.by_history else None
    return Strategy.of(build(solved.game, solved.goal, solved.choose, claims, solved.lies, by_history))
