"""Trees of scikit-learn: a fitted DecisionTreeClassifier from a file of pickle, joblib or skops."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.tables.data import cell_text
from guesstree.trees.tree import TreeError

from .grown import Grown, Knot
from .pickles import ALONE, Held, array_of, read_pickle
from .questions import ColumnQuestion
from .skops import ZIPPED, read_skops

MODELS = ("DecisionTreeClassifier", "ExtraTreeClassifier")


def read_model(data: bytes) -> Grown:
    """Read a fitted tree from the bytes of its file; nothing in the file is run. Raises TreeError."""
    model = read_skops(data) if data.startswith(ZIPPED) else read_pickle(data)
    try:
        state = _state(model)
    except (LookupError, TypeError, AttributeError):
        raise TreeError(f"holds something else; {ALONE}") from None
    if "tree_" not in state:
        raise TreeError("is a tree that was not fitted; expected fit(X, y) before it is saved")
    try:
        return _grown(state)
    except GuesstreeError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, MemoryError) as error:
        said = " ".join(str(error).split())[:80]
        raise TreeError(f"is no tree as scikit-learn stores it ({said}); {ALONE}") from None


def _state(model: Held) -> Mapping[str, Any]:
    """Return the attributes of a model; old protocols make it by copyreg."""
    by = model.given[0] if model.by.name == "_reconstructor" else model.by
    if by.name not in MODELS or not isinstance(model.state, Mapping):
        raise TypeError
    return model.state


def _grown(state: Mapping[str, Any]) -> Grown:
    """Return the tree in the attributes of a model."""
    tree = state["tree_"].state
    nodes, values = array_of(tree["nodes"]), array_of(tree["values"])
    classes = array_of(state["classes_"]) if not isinstance(state["classes_"], list) else None
    if classes is None or values.ndim != 3 or values.shape[1] != 1:
        raise TreeError("says several things at once; expected a tree for one class")
    if len(nodes) != len(values) or values.shape[2] != len(classes):
        raise ValueError("arrays of different lengths")
    names = array_of(state["feature_names_in_"]).tolist() if "feature_names_in_" in state else None
    columns = int(state["n_features_in_"])
    labels = [cell_text(one, "a class") for one in classes.tolist()]
    knots = []
    for i, node in enumerate(nodes):
        place, left, right = f"node {i}", int(node["left_child"]), int(node["right_child"])
        if left < 0 and right < 0:
            knots.append(Knot(place, says=labels[int(values[i, 0].argmax())]))
            continue
        column, most = int(node["feature"]), float(node["threshold"])
        if not 0 <= column < (columns if names is None else len(names)) or not math.isfinite(most):
            raise ValueError(f"{place} asks for column {column}, at most {most}")
        name = column if names is None else cell_text(names[column], f"the name of column {column}")
        knots.append(Knot(place, ColumnQuestion(name, most), left, right))
    _require_tree(nodes)
    return Grown("scikit-learn", knots, columns, single=True)


def _require_tree(nodes: NDArray[Any]) -> None:
    """Raise ValueError unless each node but the first is a child once, of one before it."""
    both = np.concatenate([nodes["left_child"], nodes["right_child"]])
    parents = np.tile(np.arange(len(nodes)), 2)
    inner = (nodes["left_child"] >= 0) | (nodes["right_child"] >= 0)
    children, parents = both[np.tile(inner, 2)], parents[np.tile(inner, 2)]
    if (
        len(nodes) < 1
        or sorted(children.tolist()) != list(range(1, len(nodes)))
        or (children <= parents).any()
    ):
        raise ValueError("nodes that are no tree")
