"""`Tests`: the cheapest decision tree for given examples, for those who know scikit-learn."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from guesstree.api.solution import Solution, solve
from guesstree.api.strategy import Strategy
from guesstree.engine.errors import GuesstreeError, shown, unknown
from guesstree.learn.examples import (
    Examples,
    Lost,
    Prices,
    classes_of,
    listed,
    losses_of,
    weights_of_examples,
)
from guesstree.learn.features import Columns, Feature, bins_of
from guesstree.learn.path import CostPath, cost_path
from guesstree.learn.prediction import Followed, Ways

if TYPE_CHECKING:
    import pandas

LIMITS = ("max_depth", "max_leaves", "min_samples", "leaf_price")
MISSING_WAYS = ("shares", "even", "answer")


def not_fitted() -> GuesstreeError:
    """Return the error of what is asked before `fit`, of scikit-learn's own kind too where that is loaded."""
    theirs = sys.modules.get("sklearn.exceptions")
    kinds = (GuesstreeError,) if theirs is None else (GuesstreeError, theirs.NotFittedError)
    found = type("NotFittedError", kinds, {"__reduce__": lambda _: (not_fitted, ())})
    return found("nothing is learned yet; expected fit(X, y) first")


class Tests:
    """Learn which tests to ask to say a class at the least expected cost, of tests and of wrong decisions.

    `fit` finds the cheapest of all decision trees for the given examples: a tree asks a whole test, with a
    branch for each answer, at most once on a path, to any depth that the limits allow. The result is exact,
    and proven unless the time runs out (`solution_`); it promises nothing about new examples. `Tests` works
    with the tools of scikit-learn (`cross_val_score`, `Pipeline`, `GridSearchCV`), but does not need it.

    Parameters
    ----------
    costs: what each feature costs to look at: by name, or in the order of the features; None: 1 each.
    groups: the group of each feature that has one, by name. The first test of a group on a path costs what
        `setup` says on top; then the group is open.
    setup: what each group costs once, by its name; 0 where it is not named.
    later: what a feature costs after another feature of its group, by name, instead of its cost.
    loss: what a decision loses: a mapping from (said, true), or a square array, with a row for each decision
        and a column for each true class, in the order of `classes_`. None or infinity: this decision is not
        allowed for that class.
    wrong: the loss of each wrong decision that `loss` does not contain. Without both, every example has to
        get its own class, which the features must allow.
    bins: the number of classes of equal counts for a feature with more different numbers; or, by name, this
        number or the list of the cuts, each the lower end of a class. A feature without a name in it gets 4.
    missing: the meaning of a missing value (None, NaN or an empty text): any answer to the feature, with the
        chances ``shares``, as often as the other examples have it, or ``even``; or an ``answer`` of its own.
    max_depth: the most features that a path of the tree asks for.
    max_leaves: the most leaves of the tree.
    min_samples: the least weight of the examples in each leaf.
    leaf_price: what each leaf adds to the expected cost of an example, so that a leaf has to be worth it; the
        tree is then the best for both together, and `expected_` is its cost without that.
    time_limit, memory: see `solve`.

    These limits keep a tree from being fitted to single examples; the tree is the best of all that keep
    them, and `cost_path` shows what limits are worth on new examples.

    Numbers are exact: 0.1 is 1/10; a Fraction, a Decimal or a text such as ``1/3`` keeps its value.

    Attributes
    ----------
    classes_: the classes, in order.
    features_: the features as tests: `name`, `answers` (labels), `cuts` of numbers.
    solution_, strategy_: the `Solution`, with its bounds, and its `Strategy`, whose examples are those of the
        data, equal ones of a class together, as "row 7: well".
    expected_: the expected cost of an example, of tests and losses, a Fraction.
    n_features_in_: how many features there are.
    feature_names_in_: the names of the columns, an array; only where the data have names that are texts.

    Before `fit`, methods that need it raise a GuesstreeError that is a NotFittedError of scikit-learn, too.
    """

    __test__ = False  # nor has it test cases, as pytest would take it by its name
    _estimator_type = "classifier"  # what scikit-learn asked for before version 1.6

    def __init__(
        self,
        *,
        costs: Any = None,
        groups: Any = None,
        setup: Any = None,
        later: Any = None,
        loss: Any = None,
        wrong: Any = None,
        bins: Any = 4,
        missing: str = "shares",
        max_depth: int | None = None,
        max_leaves: int | None = None,
        min_samples: Any = None,
        leaf_price: Any = None,
        time_limit: float | None = None,
        memory: int | None = None,
    ) -> None:
        self.costs, self.groups, self.setup, self.later = costs, groups, setup, later
        self.loss, self.wrong, self.bins, self.missing = loss, wrong, bins, missing
        self.max_depth, self.max_leaves = max_depth, max_leaves
        self.min_samples, self.leaf_price = min_samples, leaf_price
        self.time_limit, self.memory = time_limit, memory

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803 - as scikit-learn has it
        """Find the cheapest decision tree for examples; return the estimator.

        Parameters
        ----------
        X: a DataFrame of pandas or polars, a mapping of columns, or an array; a row for each example. Columns
            without names are x0, x1, ...
        y: the class of each example.
        sample_weight: how much each example counts, numbers from 0; None: 1 each.

        Raises GuesstreeError for what cannot be read, and where examples of different classes are equal and
        no loss is given.
        """
        columns = Columns.of(X)
        classes, own = classes_of(y, columns.examples)
        weights = weights_of_examples(sample_weight, columns.examples)
        weighed = [(i, k, w) for i, (k, w) in enumerate(zip(own, weights, strict=True)) if w]
        if not weighed:
            raise GuesstreeError("no examples; expected one or more, with a weight above zero")
        kept = [[column[i] for i, _, _ in weighed] for column in columns.values]
        features = self._features(columns.names, kept)
        losses = losses_of(self.loss, self.wrong, classes)
        prices = Prices.of(columns.names, self.costs, self.groups, self.setup, self.later)
        examples = Examples.of(
            features, kept, [str(one) for one in classes], weighed, even=self.missing == "even"
        )
        limits = {name: getattr(self, name) for name in LIMITS}
        game = examples.game(prices, losses)
        solution = solve(game, time_limit=self.time_limit, memory=self.memory, **limits)
        self.solution_: Solution = solution
        self.strategy_: Strategy = solution.strategy
        self.classes_ = np.array(classes)
        self.features_, self.n_features_in_ = features, len(features)
        self._names = columns.names if columns.own else ()
        vars(self).pop("feature_names_in_", None)  # of another fit
        if columns.own and columns.texts:
            self.feature_names_in_ = np.array(columns.names, dtype=object)
        self._lost = Lost(classes, losses, None if self.loss is not None else self.wrong)
        self._followed = Followed(self.strategy_, examples, losses)
        self.expected_ = self._followed.expected
        return self

    def _features(self, names: Sequence[str], columns: Sequence[Sequence[Any]]) -> tuple[Feature, ...]:
        """Return the features as tests; raise GuesstreeError for bins, cuts or a way that are none."""
        if not isinstance(self.missing, str) or self.missing not in MISSING_WAYS:
            ways = ", ".join(map(repr, MISSING_WAYS))
            raise GuesstreeError(f"missing={shown(self.missing)}; expected one of {ways}")
        bins = bins_of(self.bins, names)
        absent = self.missing == "answer"
        return tuple(
            Feature.of(name, column, bins[name], absent=absent)
            for name, column in zip(names, columns, strict=True)
        )

    # -- new examples --------------------------------------------------------------------------------------

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the predicted class of each example, shape (examples,).

        After an answer that no example gave there, the strategy ends and predicts the class that loses least
        for the examples that came so far: without losses, the most frequent class. A missing value that the
        strategy asks for goes down every branch, by the chances of its answers; the prediction is the class
        that loses least for the shares of classes (`predict_proba`) at all these ends.
        If columns have names, you may leave out columns that the strategy does not ask for.
        """
        said = [self._followed.said(ways) for ways in self._ways(X)]
        return np.asarray(self.classes_[np.array(said, dtype=np.intp)])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:  # noqa: N803
        """Return the share of each class where an example ends, shape (examples, classes).

        Predictions follow from these shares and from the losses.
        """
        shares = [self._followed.shares(ways) for ways in self._ways(X)]
        return np.array(shares, dtype=np.float64).reshape(-1, len(self.classes_))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:  # noqa: N803
        """Return the share of examples whose class is predicted."""
        said = self.predict(X).tolist()
        weights = weights_of_examples(sample_weight, len(said))
        right = [w for one, true, w in zip(said, listed(y, len(said)), weights, strict=True) if one == true]
        return float(sum(right) / sum(weights))

    def cost(self, X: Any, y: Any, sample_weight: Any = None) -> Fraction | float:  # noqa: N803
        """Return the exact total cost of examples: their tests, and the losses of the decisions.

        It is infinite if a decision is not allowed for the class of an example. A missing value counts as
        each answer, by its chances, with the decision that follows. For the examples of `fit`, the mean is
        `expected_`. Raises GuesstreeError for a class without known losses.
        """
        ways = list(self._ways(X))
        weights = weights_of_examples(sample_weight, len(ways))
        total: Fraction | float = Fraction()
        for each, true, weight in zip(ways, listed(y, len(ways)), weights, strict=True):
            if weight:  # no part of a loss that is infinite, too
                total += weight * sum(
                    chance * (self._followed.paid[node] + self._lost.by(self._followed.decided[node], true))
                    for chance, node in each
                )
        return total

    @staticmethod
    def cost_scorer(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:  # noqa: N803
        """Return minus what an example costs on average, tests and losses: more is better.

        Use it as ``scoring=Tests.cost_scorer`` in `cross_val_score` and `GridSearchCV`.

        Parameters
        ----------
        estimator: fitted `Tests`, or a Pipeline of scikit-learn that ends with them.
        X, y, sample_weight: examples that need not be those of the fit, their classes and weights.

        It is minus infinity if a decision is not allowed. Raises GuesstreeError as `cost` does.
        """
        while hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        if hasattr(estimator, "steps"):
            *before, (_, last) = estimator.steps
            X, estimator = (estimator[: len(before)].transform(X) if before else X), last  # noqa: N806
        if not isinstance(estimator, Tests):
            raise GuesstreeError(
                f"{shown(estimator)} has no costs; expected Tests, or a Pipeline that ends so"
            )
        total = estimator.cost(X, y, sample_weight)
        return -float(total / sum(weights_of_examples(sample_weight, len(listed(y, len(y))))))

    def _ways(self, X: Any) -> Iterable[Ways]:  # noqa: N803
        """Yield for each example where it ends; raise GuesstreeError for other columns than in fit."""
        self._require_fitted()
        columns = Columns.of(X)
        asked = self._followed.asked
        if self._names and columns.own:
            known = dict(zip(columns.names, columns.values, strict=True))
            missing = next((self._names[test] for test in asked if self._names[test] not in known), None)
            if missing is not None:
                raise GuesstreeError(f"no column {shown(missing)}, which the strategy asks for")
            wanted = [known[self._names[test]] for test in asked]
        elif len(columns.names) != self.n_features_in_:
            raise GuesstreeError(
                f"X has {len(columns.names)} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        else:
            wanted = [columns.values[test] for test in asked]
        answers = [self.features_[test].read(values) for test, values in zip(asked, wanted, strict=True)]
        rows = zip(*answers, strict=True) if answers else [()] * columns.examples
        return map(cache(self._followed.ways), rows)

    def _require_fitted(self) -> None:
        if not hasattr(self, "solution_"):
            raise not_fitted()

    # -- what was found ------------------------------------------------------------------------------------

    def to_frame(self) -> pandas.DataFrame:
        """Return a pandas.DataFrame with a row for each end of the strategy.

        Its columns: ``path``, such as ``glucose: >= 126; age: < 50``, ``decision``, ``examples`` (how much
        those weigh that end there), ``cost`` (of the tests), ``loss`` (of the decision, on average), and
        ``share of CLASS`` for each class. Raises TreeError where pandas is not installed.
        """
        self._require_fitted()
        return self._followed.to_frame()

    def cost_path(
        self,
        X: Any,  # noqa: N803
        y: Any,
        sizes: Iterable[Any] = range(1, 13),
        *,
        by: str = "max_leaves",
        cv: Any = 5,
        seed: int = 0,
        sample_weight: Any = None,
    ) -> CostPath:
        """Return trees from small to large, each with its cost for its examples and for new ones.

        Parameters
        ----------
        X, y, sample_weight: examples as in `fit`.
        sizes: the limits to try; one that no tree keeps is left out.
        by: which limit they are of: ``max_depth``, ``max_leaves``, ``min_samples`` or ``leaf_price``.
        cv: into how many parts the examples are cut, each class evenly, of which each is new once; or pairs
            of the numbers of examples to learn from and of new ones, as `split` of scikit-learn gives them.
        seed: of the cut.

        The other parameters are those of this estimator, which stays as it is. Raises GuesstreeError for
        what is none of these, and where no size has a tree.
        """
        if by not in LIMITS:
            raise GuesstreeError(f"by={shown(by)}; expected one of {', '.join(LIMITS)}")
        return cost_path(self, X, y, list(sizes), by, cv, seed, sample_weight)

    def render(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Draw the strategy to a file, see `Strategy.render`."""
        self._require_fitted()
        self.strategy_.render(path, **options)

    # -- the ways of scikit-learn --------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - nothing is nested
        """Return the parameters by name."""
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; return the estimator. Raises GuesstreeError for a name that is none."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise GuesstreeError(unknown("parameter", name, known))
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        usual = signature(type(self)).parameters
        given = {name: value for name, value in self.get_params().items() if value is not usual[name].default}
        said = [f"{name}={shown(value)}" for name, value in given.items()]
        return f"{type(self).__name__}({', '.join(said)})"

    def __sklearn_tags__(self) -> Any:  # called by scikit-learn alone
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(allow_nan=True, categorical=True, string=True, sparse=True),
        )
