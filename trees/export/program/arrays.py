"""A strategy as the arrays of a tree of scikit-learn: yes/no questions about columns of numbers."""

from __future__ import annotations

import io
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.game import Game

from ...tree import Tree, TreeError
from .rules import Part, Rules, rules_of

LEAF, UNDEFINED = -1, -2
"""What scikit-learn has for no child, and for no feature and no threshold."""


@dataclass(frozen=True)
class Arrays:
    """A tree as scikit-learn has it in `tree_`: left is where the feature is at most the threshold.

    Attributes
    ----------
    children_left, children_right: the nodes below, -1 at a leaf; int64, shape (nodes,).
    feature: the number of the feature asked, -2 at a leaf; int64, shape (nodes,).
    threshold: float64, shape (nodes,).
    value: the share of each class at a node, shape (nodes, 1, classes); where the decision is another than
        the likeliest class, 1 for the decision.
    weight: the share of everything that gets to a node; float64, shape (nodes,).
    classes: what is decided, in order.
    feature_names: columns of numbers by their name, and ``column_value`` for each value of a column of texts,
        which is 1 or 0, as `pandas.get_dummies` names them.
    """

    children_left: NDArray[np.int64]
    children_right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    value: NDArray[np.float64]
    weight: NDArray[np.float64]
    classes: tuple[str, ...]
    feature_names: tuple[str, ...]


def arrays_of(game: Game, strategy: Tree) -> Arrays:
    """Return the arrays of a strategy.

    Raises TreeError if two columns would have the same name, as `x` with the value `y_z` and `x_y` with `z`.
    """
    rules = rules_of(game, strategy)
    grown = _Grown(rules)
    grown.grow(0)
    weights = [float(rules.weights[step]) for step in grown.steps]
    return Arrays(
        np.array(grown.left, dtype=np.int64),
        np.array(grown.right, dtype=np.int64),
        np.array(grown.feature, dtype=np.int64),
        np.array(grown.threshold, dtype=np.float64),
        np.array([[grown.shares(step)] for step in grown.steps], dtype=np.float64),
        np.array(weights, dtype=np.float64),
        tuple(rules.labels),
        tuple(grown.names),
    )


class _Grown:
    """The nodes of a binary tree as they are made."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.left, self.right, self.feature = list[int](), list[int](), list[int]()
        self.threshold, self.steps = list[float](), list[int]()
        self.names, self.known = list[str](), dict[tuple[int, str], int]()
        for number, column in enumerate(rules.columns):
            if column.kind == "number":
                self.known[number, ""] = len(self.names)
                self.names.append(column.name)
                continue
            values = (
                part.values
                for ask, parts in zip(rules.asks, rules.parts, strict=True)
                if ask and ask.column == number
                for part in parts
            )
            for value in sorted({value for some in values for value in some}):
                self.known[number, value] = len(self.names)
                self.names.append(f"{column.name}_{value}")
        twice = next((name for name in self.names if self.names.count(name) > 1), None)
        if twice is not None:
            raise TreeError(f"two columns of numbers would be called {twice!r}; expected other labels")

    def grow(self, step: int) -> int:
        """Add the nodes of a step and of all below it; return the number of the first."""
        asked = self.rules.asks[step]
        if asked is None:
            return self._node(step)
        if asked.values:
            return self._one_of(step, asked.column, list(self.rules.parts[step]))
        return self._chain(step, asked.column, self._sorted(step))

    def _node(self, step: int, feature: int = UNDEFINED, threshold: float = UNDEFINED) -> int:
        self.left.append(LEAF)
        self.right.append(LEAF)
        self.feature.append(feature)
        self.threshold.append(threshold)
        self.steps.append(step)
        return len(self.left) - 1

    def _one_of(self, step: int, column: int, parts: list[Part]) -> int:
        """Ask value by value; the last branch takes the rest."""
        if len(parts) == 1:
            return self.grow(parts[0].step)
        first, *others = parts
        value, *more = first.values
        node = self._node(step, self.known[column, value], 0.5)
        rest = [Part(tuple(more), (), first.step), *others] if more else others
        self.left[node] = self._one_of(step, column, rest)
        self.right[node] = self.grow(first.step)
        return node

    def _sorted(self, step: int) -> list[tuple[float, int]]:
        """Return to where each branch goes, from the lowest numbers on; the last has no end."""
        asked = self.rules.asks[step]
        assert asked is not None
        found = sorted(
            ((low, high, part.step) for part in self.rules.parts[step] for low, high in part.intervals),
            key=lambda one: (one[0] is not None, one[0] or 0),
        )
        ends: list[tuple[float, int]] = []
        for (low, high, to), (then, _, _) in pairwise(found):
            at = (low + then) / 2 if asked.points and low is not None and then is not None else high
            assert at is not None  # another begins there, or behind
            ends.append((below(at), to))
        return [*ends, (float("inf"), found[-1][2])]

    def _chain(self, step: int, column: int, ends: list[tuple[float, int]]) -> int:
        """Halve the intervals until one is left."""
        if len(ends) == 1:
            return self.grow(ends[0][1])
        middle = len(ends) // 2
        node = self._node(step, self.known[column, ""], ends[middle - 1][0])
        self.left[node] = self._chain(step, column, ends[:middle])
        self.right[node] = self._chain(step, column, ends[middle:])
        return node

    def shares(self, step: int) -> list[float]:
        """Return the share of each class, of which the largest is what is decided."""
        end, labels = self.rules.ends[step], self.rules.labels
        own = [float(self.rules.shares[step].get(label, Fraction())) for label in labels]
        if end is None:
            return own if sum(own) else [1 / len(labels)] * len(labels)
        if own.index(max(own)) == labels.index(end) and abs(sum(own) - 1) < 1e-9:
            return own
        return [float(label == end) for label in labels]


def below(cut: Fraction) -> float:
    """Return the threshold that numbers below a cut keep to, and no others.

    scikit-learn compares numbers of four bytes: it is the last of these below the cut.
    """
    return float(np.nextafter(np.float32(float(cut)), np.float32(-np.inf)))


def draw(game: Game, strategy: Tree) -> bytes:
    """Return the arrays as .npz, under the names of scikit-learn."""
    found, file = arrays_of(game, strategy), io.BytesIO()
    np.savez(
        file,
        children_left=found.children_left,
        children_right=found.children_right,
        feature=found.feature,
        threshold=found.threshold,
        value=found.value,
        weight=found.weight,
        classes=np.array(found.classes),
        feature_names=np.array(found.feature_names),
    )
    return file.getvalue()


def to_sklearn(game: Game, strategy: Tree) -> Any:
    """Return the arrays as a fitted DecisionTreeClassifier; raise TreeError without scikit-learn."""
    try:
        from sklearn.tree import DecisionTreeClassifier
        from sklearn.tree._tree import Tree as Grown
    except ImportError:
        raise TreeError(
            "a DecisionTreeClassifier is made by scikit-learn, which is not there: pip install scikit-learn"
        ) from None
    found = arrays_of(game, strategy)
    some = DecisionTreeClassifier(max_depth=1).fit([[0.0], [1.0]], [0, 1])
    nodes = np.zeros(len(found.feature), dtype=some.tree_.__getstate__()["nodes"].dtype)
    nodes["left_child"], nodes["right_child"] = found.children_left, found.children_right
    nodes["feature"], nodes["threshold"] = found.feature, found.threshold
    nodes["weighted_n_node_samples"] = found.weight
    nodes["n_node_samples"] = np.maximum(np.round(found.weight * len(game.secrets)), 1)
    nodes["impurity"] = 1 - (found.value[:, 0] ** 2).sum(axis=1)
    many = len(found.feature_names)
    tree = Grown(many, np.array([len(found.classes)], dtype=np.intp), 1)
    depth = np.zeros(len(nodes), dtype=int)
    for node in range(len(nodes)):
        for child in (found.children_left[node], found.children_right[node]):
            if child >= 0:
                depth[child] = depth[node] + 1
    tree.__setstate__(
        {"max_depth": int(depth.max()), "node_count": len(nodes), "nodes": nodes, "values": found.value}
    )
    model = DecisionTreeClassifier()
    model.tree_, model.n_features_in_, model.n_outputs_ = tree, many, 1
    model.classes_, model.n_classes_ = np.array(found.classes), len(found.classes)
    model.max_features_ = many
    model.feature_names_in_ = np.array(found.feature_names, dtype=object)
    return model
