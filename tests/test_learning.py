"""`Tests`: the cheapest tree for examples, against exhaustive search; new examples; bad input."""

from __future__ import annotations

import pickle
import random
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import guesstree
from guesstree import GuesstreeError, Strategy, Tests
from guesstree.engine.noisy import oracle

NEVER = float("inf")
FEVER = {"fever": ["yes", "yes", "no", "no", "no"], "age": [20, 50, 30, 60, 70]}
STATE = ["ill", "ill", "well", "well", "ill"]


def least(
    rows: Sequence[tuple[str, ...]],
    classes: Sequence[str],
    weights: Sequence[int],
    prices: Sequence[Fraction],
    later: Sequence[Fraction],
    group: str,
    loss: Mapping[tuple[str, str], Fraction],
) -> Fraction:
    """Return the least expected cost, by all trees over sets of examples; `group` has a letter each."""

    @cache
    def value(inside: frozenset[int], asked: frozenset[int], opened: frozenset[str]) -> Fraction:
        found = min(sum(weights[i] * loss[say, classes[i]] for i in inside) for say in set(classes))
        for test in set(range(len(prices))) - asked:
            price = later[test] if group[test] in opened else prices[test]
            total = price * sum(weights[i] for i in inside)
            for answer in {rows[i][test] for i in inside}:
                part = frozenset(i for i in inside if rows[i][test] == answer)
                total += value(part, asked | {test}, opened | {group[test]})
            found = min(found, total)
        return Fraction(found)

    return value(frozenset(range(len(rows))), frozenset(), frozenset()) / sum(weights)


def drawn(source: random.Random) -> tuple[dict[str, Any], dict[str, list[Any]], list[str], list[int]]:
    """Return parameters, examples, classes and weights at random."""
    count, names = source.randint(2, 9), ["p", "q", "r"]
    examples = {name: [source.choice("abc"[: source.randint(1, 3)]) for _ in range(count)] for name in names}
    kinds = ["u", "v", "w"][: source.randint(2, 3)]
    classes = [*kinds, *(source.choice(kinds) for _ in range(count))][:count]
    loss = {(a, b): Fraction(source.randint(0, 60), 7) * (a != b) for a in set(classes) for b in set(classes)}
    costs = {name: Fraction(source.randint(0, 30), 10) for name in names}
    given = {
        "costs": costs,
        "groups": {name: source.choice("xy") for name in names},
        "setup": {"x": "0.5"},
        "later": {"p": costs["p"] / 2},
        "loss": loss,
    }
    return given, examples, classes, [source.randint(1, 4) for _ in range(count)]


@pytest.mark.parametrize("seed", range(60))
def test_the_cheapest_tree_is_found_and_examples_cost_what_it_promises(seed: int) -> None:
    given, examples, classes, weights = drawn(random.Random(seed))
    given["setup"] = {one: "0.5" for one in set(given["groups"].values()) if one == "x"}
    tests = Tests(**given).fit(examples, classes, weights)
    setups = [Fraction(1, 2) * (given["groups"][name] == "x") for name in examples]
    prices = [cost + setup for cost, setup in zip(given["costs"].values(), setups, strict=True)]
    later = [given["costs"]["p"] / 2, given["costs"]["q"], given["costs"]["r"]]
    rows = list(zip(*examples.values(), strict=True))
    group = "".join(given["groups"].values())
    expected = least(rows, classes, weights, prices, later, group, given["loss"])
    assert tests.solution_.optimal and tests.expected_ == expected
    assert tests.cost(examples, classes, weights) == expected * sum(weights)
    game = tests.strategy_.game
    assert game.model is not None
    assert tests.solution_.upper[0] * game.figure_unit("total") == expected * sum(weights)


@pytest.mark.parametrize("missing", ["shares", "even", "answer"])
@pytest.mark.parametrize("seed", range(8))
def test_missing_values_cost_what_the_model_says(seed: int, missing: str) -> None:
    source = random.Random(seed)
    given, examples, classes, weights = drawn(source)
    del given["setup"], given["groups"], given["later"]
    for column in examples.values():
        column[:] = [source.choice([value, value, None]) for value in column]
    tests = Tests(**given, missing=missing).fit(examples, classes, weights)
    game = tests.strategy_.game
    assert game.model is not None
    assert tests.expected_ == (oracle.expected(game.model) or 0) * game.cost_unit
    assert tests.cost(examples, classes, weights) == tests.expected_ * sum(weights)


def test_an_example_that_weighs_nothing_costs_nothing() -> None:
    """Not even where its class may not be said: without a loss that would be infinite."""
    tests = Tests().fit({"fever": ["yes", "no", "no"]}, ["ill", "well", "ill"], [1, 1, 0])
    assert tests.cost({"fever": ["yes", "no", "no"]}, ["ill", "well", "ill"], [1, 1, 0]) == 2


def test_equal_examples_of_several_classes_end_together() -> None:
    tests = Tests(costs={"fever": 1, "age": "2.5"}, wrong=20, bins={"age": [40]}).fit(FEVER, STATE)
    assert tests.expected_ == 5 == tests.cost(FEVER, STATE) / 5
    game = tests.strategy_.game
    assert list(game.secrets) == ["row 0: ill", "row 1: ill", "row 2: well", "row 3: well", "row 4: ill"]
    assert game.weights is None or set(game.weights) == {1}
    assert list(game.decisions) == ["ill", "well"]
    assert tests.predict(FEVER).tolist() == ["ill", "ill", "well", "well", "well"]
    assert tests.predict_proba(FEVER)[2].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert "no  well  (60 %; well 67 %, ill 33 %, expected loss 6.67)" in tests.strategy_.text()
    assert tests.score(FEVER, STATE) == 0.8 and tests.score(FEVER, STATE, [1, 1, 1, 1, 4]) == 0.5


def test_frames_mappings_and_arrays_are_read_alike() -> None:
    rows: list[list[Any]] = [[20, "a", True], [None, "b", False], [35.5, "a", False], [35.5, " b ", True]]
    columns: dict[str, Any] = {name: [row[i] for row in rows] for i, name in enumerate("pqr")}
    wanted = Tests(wrong=10, bins=2).fit(columns, [1, 2, 2, 1])
    frame = pd.DataFrame(columns)
    for examples, truth in [
        (frame, pd.Series([1, 2, 2, 1])),
        (frame.convert_dtypes(), np.array([1, 2, 2, 1])),
        (pl.DataFrame({**columns, "p": [20.0, None, 35.5, 35.5]}), pl.Series([1, 2, 2, 1])),
        (np.array(rows, dtype=object), [1, 2, 2, 1]),
        (rows, (1, 2, 2, 1)),
    ]:
        tests = Tests(wrong=10, bins=2).fit(examples, truth)
        assert tests.expected_ == wanted.expected_ and tests.predict(examples).tolist() == [1, 2, 2, 1]
        assert [one.answers for one in tests.features_] == [("20", "35.5"), ("a", "b"), ("True", "False")]
    assert tests.n_features_in_ == 3 and tests.features_[0].name == "x0"


# -- numbers -----------------------------------------------------------------------------------------------


def test_measurements_are_cut_into_classes() -> None:
    source = np.random.default_rng(1)
    centres = np.array([[5.0, 1.4], [5.9, 4.3], [6.6, 5.6]])
    truth = np.repeat(["s", "v", "w"], 40)
    examples = pd.DataFrame(
        (centres.repeat(40, axis=0) + source.normal(0, 0.4, (120, 2))).round(1), columns=["sepal", "petal"]
    )
    tests = Tests(costs={"sepal": 1, "petal": 2}, wrong=30).fit(examples, truth)
    assert [len(one.cuts) for one in tests.features_] == [3, 3] and tests.solution_.optimal
    assert all(label in tests.features_[1].answers for label in tests.strategy_.game.responses[4:])
    assert tests.cost(examples, truth) == tests.expected_ * 120
    fine = Tests(costs=[1, 2], wrong=30, bins={"petal": [Fraction("2.5"), 5]}).fit(examples, truth)
    assert fine.features_[1].answers == ("< 2.5", "2.5 to 5", ">= 5")
    assert fine.score(examples, truth) > 0.9
    new: dict[str, list[Any]] = {
        "sepal": [5.0, 5.0, 5.0, 5.0],
        "petal": [2.4999, Decimal("2.5"), np.float32(5), float("inf")],
    }
    assert fine.features_[1].read(new["petal"]) == [0, 1, 2, 2]
    assert fine.predict(new).tolist()[0] == "s"


def test_a_number_on_a_cut_belongs_to_the_class_above_whatever_its_binary_form() -> None:
    tests = Tests(wrong=5, bins={"x": [0.7, "0.3"]}).fit({"x": [0.1, 0.3, 0.7]}, ["a", "b", "c"])
    assert tests.features_[0].read([0.3, 0.7, 0.1 + 0.2, 0.69999]) == [1, 2, 1, 1]
    assert tests.predict({"x": [0.7]}).tolist() == ["c"]


def test_many_features_have_more_answers_than_fit_a_byte() -> None:
    source = np.random.default_rng(2)
    examples = source.normal(size=(30, 110)).round(3)
    tests = Tests(wrong=50).fit(examples, examples[:, 7] > 0)
    assert len(tests.strategy_.game.responses) > 255
    assert tests.score(examples, examples[:, 7] > 0) == 1 and tests.expected_ >= 1


# -- new examples ------------------------------------------------------------------------------------------


def test_an_answer_not_seen_there_ends_the_strategy_with_what_loses_least() -> None:
    examples = {"colour": ["red", "red", "blue", "blue", "blue"], "size": ["s", "l", "s", "l", "l"]}
    truth = ["a", "b", "c", "c", "c"]
    tests = Tests(costs={"colour": 1, "size": 3}).fit(examples, truth)
    assert tests.expected_ == Fraction(1 * 5 + 3 * 2, 5)
    assert tests.predict({"colour": ["green", "red"], "size": ["s", "medium"]}).tolist() == ["c", "a"]
    assert tests.cost({"colour": ["green"], "size": [None]}, ["c"]) == 1
    assert tests.cost({"colour": ["red"], "size": ["medium"]}, ["a"]) == 4
    assert tests.cost({"colour": ["red"], "size": ["medium"]}, ["b"]) == NEVER
    feared = Tests(wrong=20, loss={("c", "a"): 500}).fit(examples, truth)
    assert feared.predict({"colour": ["green"], "size": ["s"]}).tolist() == ["a"]
    assert feared.cost({"colour": ["green"], "size": ["s"]}, ["b"]) == 21


def test_a_missing_value_goes_down_every_branch() -> None:
    examples = {"test": ["pos"] * 3 + ["neg"] * 5}
    tests = Tests(wrong=100).fit(examples, ["ill"] * 3 + ["well"] * 5)
    assert tests.predict({"test": [None, "pos", float("nan")]}).tolist() == ["well", "ill", "well"]
    assert tests.predict_proba({"test": [None]}).tolist() == [[3 / 8, 5 / 8]]
    assert tests.cost({"test": [None]}, ["ill"]) == 1 + Fraction(5, 8) * 100
    even = Tests(wrong=100, missing="even").fit(examples, ["ill"] * 3 + ["well"] * 5)
    assert even.cost({"test": [None]}, ["ill"]) == 51
    own = Tests(missing="answer").fit({"test": ["pos", None]}, ["ill", "well"])
    assert own.predict({"test": [None, "pos"]}).tolist() == ["well", "ill"]


def test_columns_that_are_not_asked_may_be_left_out() -> None:
    examples = pd.DataFrame({"a": [1, 1, 2], "b": [1, 2, 3], "c": ["x", "y", "y"]})
    tests = Tests(costs={"a": 5, "b": 1, "c": 5}).fit(examples, [0, 1, 2])
    assert tests.predict({"b": [3, 1]}).tolist() == [2, 0]
    assert tests.predict(examples[["c", "b", "a"]]).tolist() == [0, 1, 2]
    assert tests.predict(examples.to_numpy()).tolist() == [0, 1, 2]
    one = Tests(wrong=1).fit(examples, ["same"] * 3)
    assert one.expected_ == 0 and one.predict({"z": [1, 2]}).tolist() == ["same", "same"]


# -- what is found -----------------------------------------------------------------------------------------


def test_the_ends_as_a_frame_and_the_strategy_as_files(tmp_path: Path) -> None:
    tests = Tests(
        costs={"fever": 1, "age": 2}, loss={("ill", "well"): 9, ("well", "ill"): 8}, bins={"age": [40]}
    )
    frame = tests.fit(FEVER, STATE).to_frame()
    assert list(frame.columns) == [
        "path",
        "decision",
        "examples",
        "cost",
        "loss",
        "share of ill",
        "share of well",
    ]
    assert frame["examples"].sum() == 5
    assert float((frame["examples"] * (frame["cost"] + frame["loss"])).sum()) == 5 * tests.expected_
    assert frame["path"][0] == "fever: yes"
    tests.render(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").stat().st_size > 500
    tests.strategy_.write(tmp_path / "tree.json")
    again = Strategy.read(tmp_path / "tree.json")
    assert again.check().valid and again.game.model == tests.strategy_.game.model
    said = tests.strategy_.text().replace("proven: ", "the file says: ")
    assert again.text() == said != tests.strategy_.text()
    assert pickle.loads(pickle.dumps(tests)).predict(FEVER).tolist() == tests.predict(FEVER).tolist()


def test_a_search_without_time_says_how_far_it_may_be() -> None:
    source = np.random.default_rng(3)
    examples, truth = source.integers(0, 2, (800, 30)), source.integers(0, 3, 800)
    tests = Tests(wrong=20, time_limit=0.3).fit(examples, truth)
    lower, upper = tests.solution_.lower[0], tests.solution_.upper[0]
    assert tests.solution_.stopped == "time" and lower < upper and not tests.solution_.optimal
    assert tests.cost(examples, truth) == upper * tests.strategy_.game.figure_unit("total")


def test_parameters_are_told_and_set() -> None:
    tests = Tests(wrong=5)
    assert repr(tests) == "Tests(wrong=5)"
    assert tests.set_params(bins=3, costs={"a": 1}) is tests
    assert repr(tests) == "Tests(costs={'a': 1}, wrong=5, bins=3)"
    assert tests.get_params() == {**Tests().get_params(), "wrong": 5, "bins": 3, "costs": {"a": 1}}
    with pytest.raises(GuesstreeError, match="unknown parameter 'cost'; did you mean 'costs'"):
        tests.set_params(cost=1)


def test_scikit_learn_takes_it_for_one_of_its_classifiers() -> None:
    pytest.importorskip("sklearn")
    from sklearn.base import clone, is_classifier
    from sklearn.compose import ColumnTransformer
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder

    source = np.random.default_rng(4)
    examples = pd.DataFrame({"a": source.normal(size=60), "b": source.choice(["x", "y"], 60)})
    truth = np.where((examples["a"] > 0.3) & (examples["b"] == "x"), "in", "out")
    tests = Tests(costs=[1, 0.5], wrong=9)
    assert is_classifier(tests)
    copy = clone(tests)
    assert copy is not tests and copy.get_params() == tests.get_params() and not hasattr(copy, "solution_")
    assert cross_val_score(tests, examples, truth, cv=3).mean() > 0.75
    grid = GridSearchCV(tests, {"bins": [2, 6], "wrong": [2, 20]}, cv=3).fit(examples, truth)
    assert grid.best_params_["bins"] == 6 and isinstance(grid.best_estimator_.expected_, Fraction)
    negative = GridSearchCV(tests, {"bins": [2, 6]}, cv=3, scoring=lambda each, x, y: -float(each.cost(x, y)))
    assert negative.fit(examples, truth).best_params_ == {"bins": 6}
    parts = ColumnTransformer([("cut", KBinsDiscretizer(5), ["a"]), ("kind", OneHotEncoder(), ["b"])])
    pipe = make_pipeline(parts, Tests(wrong=9)).fit(examples, truth)
    assert pipe.score(examples, truth) > 0.7 and pipe.predict_proba(examples).shape == (60, 2)


def test_what_scikit_learn_looks_for_is_there() -> None:
    """Names of features, an error of its own kind before the fit, and classes in one column."""
    pytest.importorskip("sklearn")
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    tests = Tests(wrong=20)
    for ask in (lambda: tests.predict([[1]]), tests.to_frame, lambda: tests.cost([[1]], [1])):
        with pytest.raises(NotFittedError, match=r"expected fit\(X, y\) first") as error:
            ask()
        assert isinstance(error.value, GuesstreeError)
        assert isinstance(pickle.loads(pickle.dumps(error.value)), NotFittedError)
    with pytest.raises(NotFittedError):
        check_is_fitted(tests)
    frame = pd.DataFrame(FEVER)
    check_is_fitted(tests.fit(frame, pd.DataFrame({"state": STATE})))
    assert tests.feature_names_in_.tolist() == ["fever", "age"] and tests.n_features_in_ == 2
    assert tests.fit(FEVER, np.array([STATE]).T).feature_names_in_.tolist() == ["fever", "age"]
    assert not hasattr(tests.fit(frame.to_numpy(), STATE), "feature_names_in_")
    assert not hasattr(tests.fit(frame.set_axis([0, 1], axis=1), STATE), "feature_names_in_")


def test_costs_choose_among_parameters() -> None:
    """What `cost_scorer` says of held-out examples is minus their cost, also behind other steps."""
    pytest.importorskip("sklearn")
    from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    source = np.random.default_rng(5)
    examples = pd.DataFrame({"a": source.normal(size=40), "b": source.choice(["x", "y"], 40)})
    truth = np.where((examples["a"] > 0.3) & (examples["b"] == "x"), "in", "out")
    tests = Tests(costs={"a": 1, "b": "0.5"}, wrong=9)
    scores = cross_val_score(tests, examples, truth, cv=KFold(4), scoring=Tests.cost_scorer)
    for score, (known, new) in zip(scores, KFold(4).split(examples), strict=True):
        tests.fit(examples.iloc[known], truth[known])
        assert score == -float(tests.cost(examples.iloc[new], truth[new]) / 10)
    grid = GridSearchCV(tests, {"bins": [2, 6]}, cv=4, scoring=Tests.cost_scorer).fit(examples, truth)
    assert grid.best_score_ == max(grid.cv_results_["mean_test_score"]) < 0
    assert Tests.cost_scorer(grid, examples, truth) == -float(grid.best_estimator_.expected_)
    pipe = make_pipeline(OrdinalEncoder(), Tests(wrong=9)).fit(examples, truth)
    assert Tests.cost_scorer(pipe, examples, truth, [2] * 40) == -float(pipe[-1].expected_)
    with pytest.raises(
        GuesstreeError, match=r"OrdinalEncoder\(\) has no costs; expected Tests, or a Pipeline"
    ):
        Tests.cost_scorer(OrdinalEncoder(), examples, truth)


@pytest.mark.long
def test_the_checks_of_scikit_learn_pass() -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    weighed = "numbers are cut into classes of equal counts of examples, whatever these weigh"
    words = "the error has other words"
    expected = {
        "check_sample_weight_equivalence_on_dense_data": weighed,
        "check_sample_weight_equivalence_on_sparse_data": weighed,
        "check_complex_data": words,
        "check_estimators_empty_data_messages": words,
        "check_supervised_y_2d": "classes in one column are taken without a warning",
    }
    found = checks.check_estimator(
        Tests(wrong=50, time_limit=5), expected_failed_checks=expected, on_skip=None
    )
    assert len(found) > 50


# -- bad input ---------------------------------------------------------------------------------------------

WRONG: list[tuple[dict[str, Any], Any, Any, str]] = [
    (
        {},
        {"a": [1, 1]},
        ["x", "y"],
        "such as row 0, are x and y; expected loss= or wrong=",
    ),
    ({"wrong": "much"}, {"a": [1, 2]}, ["x", "y"], "wrong: 'much'; expected a number such as 2.5 or 1/3"),
    ({"wrong": -1}, {"a": [1, 2]}, ["x", "y"], "wrong: -1; expected a number from 0"),
    ({"loss": 5}, {"a": [1, 2]}, ["x", "y"], "loss=5; expected .* wrong=5"),
    ({"loss": {("x", "z"): 5}}, {"a": [1, 2]}, ["x", "y"], r"loss of \('x', 'z'\); expected pairs"),
    ({"loss": {("x", "y"): 5}}, {"a": [1, 2]}, ["x", "y"], r"nothing for \('y', 'x'\), \(said, true\)"),
    ({"loss": [[0, 1]]}, {"a": [1, 2]}, ["x", "y"], "rows of 2, what saying each class costs"),
    ({"costs": {"b": 1}}, {"a": [1, 2]}, ["x", "y"], "costs: 'b' is not known; expected 'a'"),
    ({"costs": {}}, {"a": [1, 2]}, ["x", "y"], "costs: nothing for 'a'; expected a number for each feature"),
    ({"costs": [1, 2]}, {"a": [1, 2]}, ["x", "y"], "costs=.*; expected a mapping, or 1 values in order"),
    ({"costs": [-1]}, {"a": [1, 2]}, ["x", "y"], "costs of 'a': -1; expected a number from 0"),
    ({"costs": [float("nan")]}, {"a": [1, 2]}, ["x", "y"], "costs of 'a': nan; expected a number"),
    (
        {"later": {"a": 1}},
        {"a": [1, 2]},
        ["x", "y"],
        "later: 'a' is not known; expected none",
    ),
    ({"groups": {"a": "g"}, "later": {"a": 3}}, {"a": [1, 2]}, ["x", "y"], "costs 3 after 1 at first"),
    (
        {"groups": {"a": "g"}, "setup": {"h": 3}},
        {"a": [1, 2]},
        ["x", "y"],
        "setup: 'h' is not known",
    ),
    ({"bins": 1}, {"a": [1, 2]}, ["x", "y"], "bins of 'a': 1; expected an integer from 2"),
    ({"bins": {"b": 2}}, {"a": [1, 2]}, ["x", "y"], "bins: 'b' is not known; expected 'a'"),
    ({"bins": {"a": [2]}}, {"a": [1, "b"]}, ["x", "y"], "feature 'a': 'b'; expected a number"),
    (
        {"missing": "any"},
        {"a": [1, 2]},
        ["x", "y"],
        "missing='any'; expected one of 'shares'",
    ),
    (
        {},
        {"a": ["1/2", None]},
        ["x", "y"],
        "the value '1/2', which reads as several",
    ),
    ({}, {"a": [[1], [2]]}, ["x", "y"], "feature 'a': a value of type list"),
    ({}, {"a": [1, 2], "b": [1]}, ["x", "y"], "column 'b' has 1 values; expected 2, as column 'a'"),
    ({}, [[1, 2], [1]], ["x", "y"], "example 1 has 1 features; expected 2"),
    ({}, [], [], "examples without features"),
    ({}, {"a": []}, [], "no examples; expected one or more, with a weight above zero"),
    ({}, {"a": 5}, [1], "column 'a': 5; expected a value for each example"),
    ({}, np.array(5), [1], "expected a DataFrame, a mapping"),
    ({}, np.array([1.0, 2.0]), [1, 2], r"Reshape your data where it is one example, to \[example\]"),
    ({}, {"a": [1, 2]}, None, "y is None"),
    ({}, {"a": [1, 2]}, 5, "classes 5; expected a list, an array or a Series"),
    ({}, {"a": [1, 2]}, np.array(5), "expected a list, an array or a Series"),
    ({}, {"a": [1, 2]}, [0.5, 1.0], "Unknown label type: continuous, as example 0 is 0.5; expected classes"),
    ({}, "table.csv", ["x"], "examples 'table.csv'; expected a DataFrame"),
    ({}, pd.DataFrame([[1, 2]], columns=["a", "a"]), ["x"], "two columns are called 'a'"),
    ({}, {"a": [1, 2]}, ["x"], "1 classes for 2 examples"),
    ({}, {"a": [1, 2]}, ["x", None], "example 1 has no class"),
    ({}, {"a": [1, 2]}, ["x", 3], "classes of several kinds"),
    ({"time_limit": 0}, {"a": [1, 2]}, ["x", "y"], "a time limit of 0 s"),
]


@pytest.mark.parametrize(("given", "examples", "truth", "said"), WRONG)
def test_bad_input_is_one_clear_line(given: dict[str, Any], examples: Any, truth: Any, said: str) -> None:
    with pytest.raises(GuesstreeError, match=said) as error:
        Tests(**given).fit(examples, truth)
    assert "\n" not in str(error.value)


def test_what_cannot_be_predicted_is_told() -> None:
    tests = Tests(wrong=4, loss={("x", "y"): 20})
    with pytest.raises(GuesstreeError, match=r"nothing is learned yet; expected fit\(X, y\) first"):
        tests.predict([[1]])
    tests.fit({"a": [1, 2]}, ["x", "y"])
    for examples, said in (
        ({"b": [1]}, "no column 'a', which the strategy"),
        ([[1, 2]], "X has 2 features, but Tests is expecting 1 features as input"),
    ):
        with pytest.raises(GuesstreeError, match=said):
            tests.predict(examples)
    with pytest.raises(GuesstreeError, match="no loss is known of the class 'z'"):
        tests.cost({"a": [1]}, ["z"])
    assert Tests(wrong=4).fit({"a": [1, 2]}, ["x", "y"]).cost({"a": [1]}, ["z"]) == 5
    with pytest.raises(GuesstreeError, match="2 classes for 1 examples"):
        tests.score({"a": [1]}, ["x", "y"])
    with pytest.raises(GuesstreeError, match="the weight of example 0: -1; expected a number from 0"):
        tests.fit({"a": [1, 2]}, ["x", "y"], [-1, 1])
    with pytest.raises(
        GuesstreeError, match=r"the weight of example 1: .*; expected fewer decimals, such as"
    ):
        tests.fit({"a": [1, 2]}, ["x", "y"], [1, 7.1234567890123456789e-9])
    assert guesstree.Tests is Tests
