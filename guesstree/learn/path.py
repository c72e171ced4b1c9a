"""Trees from small to large, each with what it costs for its own examples and for new ones."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt
from statistics import stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from guesstree.engine.errors import GuesstreeError, Infeasible, shown
from guesstree.learn.examples import listed, weights_of_examples
from guesstree.learn.features import Columns
from guesstree.trees.tree import TreeError

if TYPE_CHECKING:
    import pandas

AXES = {
    "max_depth": "features asked on a path, at most",
    "max_leaves": "leaves, at most",
    "min_samples": "weight in a leaf, at least",
    "leaf_price": "price of a leaf",
}
"""What sizes are called where they are drawn."""

Split = tuple[Sequence[int], Sequence[int]]


@dataclass(frozen=True)
class Sized:
    """A tree of a path.

    Attributes
    ----------
    size: the limit that it keeps.
    tree: the fitted estimator.
    leaves, depth: of the tree.
    fitted: what one of its examples costs, exactly: tests and losses, without a price of leaves.
    folds: what a new example costs on average, in each part of the examples that was left out; infinite where
        a decision was not allowed, or where the rest of the examples has no tree of this size.
    optimal: whether the tree is proven to be the best of its size.
    """

    size: Any
    tree: Any
    leaves: int
    depth: int
    fitted: Fraction
    folds: tuple[float, ...]
    optimal: bool

    @property
    def validated(self) -> float:
        """What a new example costs on average."""
        return sum(self.folds) / len(self.folds)

    @property
    def error(self) -> float:
        """The standard error of that, over the parts; not a number where one is infinite."""
        if inf in self.folds or len(self.folds) < 2:
            return 0.0 if len(self.folds) < 2 else float("nan")
        return stdev(self.folds) / sqrt(len(self.folds))


@dataclass(frozen=True)
class CostPath:
    """Trees from small to large, with what they cost; see `Tests.cost_path`.

    Attributes
    ----------
    by: which limit the sizes are of.
    trees: a `Sized` for each size that has a tree, in the order of leaves.
    """

    by: str
    trees: tuple[Sized, ...]

    @property
    def best(self) -> Sized:
        """The tree that costs least for new examples; of equals the smaller one."""
        return min(self.trees, key=lambda one: one.validated)

    @property
    def simplest(self) -> Sized:
        """The smallest tree within one standard error of the best (Breiman, Friedman, Olshen, Stone 1984)."""
        best = self.best
        most = best.validated + (best.error if best.error == best.error else 0)
        return next(one for one in self.trees if one.validated <= most)

    def to_frame(self) -> pandas.DataFrame:
        """Return a pandas.DataFrame with a row for each tree; raise TreeError where pandas is missing."""
        try:
            import pandas as pd
        except ImportError:
            raise TreeError(
                "a DataFrame is made by pandas, which is not installed: pip install pandas"
            ) from None
        return pd.DataFrame(
            {
                self.by: one.size,
                "leaves": one.leaves,
                "depth": one.depth,
                "cost": float(one.fitted),
                "new": one.validated,
                "error": one.error,
                "proven": one.optimal,
            }
            for one in self.trees
        )

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draw both costs of all trees as .svg, .png or .pdf; raises TreeError without Matplotlib."""
        from guesstree.trees.export.plots import costs_by_size

        marked = {"best": self.trees.index(self.best)}
        if self.simplest is not self.best:
            marked["simplest"] = self.trees.index(self.simplest)
        costs_by_size(
            [str(one.size) for one in self.trees],
            [float(one.fitted) for one in self.trees],
            [one.validated for one in self.trees],
            [one.error for one in self.trees],
            marked,
            AXES[self.by],
            path,
        )

    def __repr__(self) -> str:
        sizes = ", ".join(str(one.size) for one in self.trees)
        return f"CostPath({self.by}: {sizes}; best: {self.best.size}, simplest: {self.simplest.size})"


def cost_path(
    estimator: Any,
    X: Any,  # noqa: N803 - as scikit-learn has it
    y: Any,
    sizes: Sequence[Any],
    by: str,
    cv: Any,
    seed: int,
    sample_weight: Any,
) -> CostPath:
    """Return the path of `Tests.cost_path`."""
    columns = Columns.of(X)
    classes, weights = listed(y, columns.examples), weights_of_examples(sample_weight, columns.examples)
    splits = list(_splits(classes, cv, seed))
    data = dict(zip(columns.names, columns.values, strict=True))
    found, last = [], GuesstreeError(f"sizes={shown(sizes)}; expected one or more limits")
    for size in sizes:

        def learned(some: Sequence[int], size: Any = size) -> Any:
            tree = type(estimator)(**{**estimator.get_params(), by: size})
            return tree.fit(*_part(data, classes, some), [weights[i] for i in some])

        try:
            tree = learned(range(columns.examples))
        except Infeasible as error:
            last = error
            continue
        folds = []
        for old, new in splits:
            own = [weights[i] for i in new]
            try:
                folds.append(float(learned(old).cost(*_part(data, classes, new), own) / sum(own)))
            except GuesstreeError:
                folds.append(inf)  # the others have no such tree, or it knows no loss of a class
        strategy = tree.strategy_
        leaves, depth = int((strategy.guess < 0).sum()), int(strategy.depth.max())
        found.append(Sized(size, tree, leaves, depth, tree.expected_, tuple(folds), tree.solution_.optimal))
    if not found:
        raise last
    return CostPath(by, tuple(sorted(found, key=lambda one: (one.leaves, one.depth))))


def _part(
    data: dict[str, Any], classes: Sequence[Any], some: Sequence[int]
) -> tuple[dict[str, Any], list[Any]]:
    """Return some of the examples and their classes."""
    return {name: [values[i] for i in some] for name, values in data.items()}, [classes[i] for i in some]


def _splits(classes: Sequence[Any], cv: Any, seed: int) -> Iterator[Split]:
    """Yield the examples to learn from and the new ones; raise GuesstreeError for what is no split."""
    count = len(classes)
    if isinstance(cv, int | np.integer) and not isinstance(cv, bool):
        if not 2 <= cv <= count:
            raise GuesstreeError(f"cv={cv}; expected from 2 to {count} parts of {count} examples")
        dice, order = random.Random(seed), list[int]()
        for label in dict.fromkeys(classes):
            own = [i for i, one in enumerate(classes) if one == label]
            order += dice.sample(own, len(own))
        for part in range(cv):
            new = sorted(order[part::cv])
            kept = set(new)
            yield [i for i in range(count) if i not in kept], new
        return
    pairs = list(cv) if hasattr(cv, "__iter__") and not isinstance(cv, str) else []
    if not pairs or any(not hasattr(pair, "__len__") or len(pair) != 2 for pair in pairs):
        raise GuesstreeError(f"cv={shown(cv)}; expected a number of parts, or pairs of lists of row numbers")
    for old, new in pairs:
        numbers = [[int(i) for i in some] for some in (old, new)]
        if not all(numbers) or any(not 0 <= i < count for some in numbers for i in some):
            raise GuesstreeError(f"cv: rows {shown(numbers)}; expected numbers from 0 to {count - 1}")
        yield numbers[0], numbers[1]
