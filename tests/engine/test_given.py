"""Tables from data: every form makes the game that the CSV file makes, and what is no table is named."""

import copy
import pickle
import re
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import guesstree
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError
from guesstree.engine.tables.missing import UnsureTable
from guesstree.engine.tables.table import TableGame

FAULTS = (
    "test,battery,starter,pump,plug,fuse,cost\ndim?,yes,no,no,no,no,1\nclick?,yes,yes,no,no,no,1\n"
    "smell?,no,no,no,yes,no,2\nradio?,yes,yes,yes,yes,no,1\npressure,0,0,1,0,0,15\nweight,40,10,8,30,12,\n"
)
SECRETS = ["battery", "starter", "pump", "plug", "fuse"]
GUESSES = ["dim?", "click?", "smell?", "radio?", "pressure"]
CELLS = [line.split(",")[1:6] for line in FAULTS.splitlines()[1:6]]
WEIGHTS, COSTS = [40, 10, 8, 30, 12], [1, 1, 2, 1, 15]
MAPPING = {g: dict(zip(SECRETS, row, strict=True)) for g, row in zip(GUESSES, CELLS, strict=True)}
NUMBERS: dict[str, Any] = {"weights": WEIGHTS, "costs": COSTS}
LABELS: dict[str, Any] = {"secrets": SECRETS, "guesses": GUESSES}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "faults.csv"
    path.write_text(FAULTS)
    return path


FORMS: dict[str, Callable[[], TableGame]] = {
    "mapping": lambda: guesstree.table(MAPPING, **NUMBERS),
    "numbers by label": lambda: guesstree.table(
        MAPPING,
        weights=dict(reversed(list(zip(SECRETS, WEIGHTS, strict=True)))),
        costs=dict(zip(GUESSES, COSTS, strict=True)),
    ),
    "numbers in the data": lambda: guesstree.table(
        {g: {**row, "cost": c} for (g, row), c in zip(MAPPING.items(), COSTS, strict=True)}
        | {"weight": dict(zip(SECRETS, WEIGHTS, strict=True))}
    ),
    "mapping of lists": lambda: guesstree.table(
        dict(zip(GUESSES, CELLS, strict=True)), secrets=SECRETS, **NUMBERS
    ),
    "mapping by secret": lambda: guesstree.table(
        {s: {g: MAPPING[g][s] for g in GUESSES} for s in SECRETS}, rows="secrets", **NUMBERS
    ),
    "lists": lambda: guesstree.table(CELLS, **LABELS, **NUMBERS),
    "array": lambda: guesstree.table(
        np.array(CELLS), **LABELS, weights=np.array(WEIGHTS, dtype=float), costs=np.array(COSTS)
    ),
    "array by secret": lambda: guesstree.table(np.array(CELLS).T, rows="secrets", **LABELS, **NUMBERS),
    "other types": lambda: guesstree.table(
        [*CELLS[:4], [0.0, np.int64(0), 1, np.float32(0), " 0 "]], **LABELS, **NUMBERS
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_makes_the_table_of_the_file(form: str, file: Path) -> None:
    truth, game = guesstree.parse(f"table:{file}"), FORMS[form]()
    assert isinstance(truth, TableGame) and game.content == truth.content
    assert game.spec == "table:data"
    check_game(game)


def test_frames_of_pandas(file: Path) -> None:
    pandas = pytest.importorskip("pandas")
    truth = guesstree.parse(f"table:{file}")
    assert isinstance(truth, TableGame)
    frame = pandas.read_csv(file, index_col=0)
    body = frame.drop("weight").drop(columns="cost")
    numbers = {"weights": frame.loc["weight"].drop("cost"), "costs": frame["cost"].drop("weight")}
    for game in (
        guesstree.table(pandas.read_csv(file)),
        guesstree.table(frame),
        guesstree.table(frame.T, rows="secrets"),
        guesstree.table(body, **numbers),
        guesstree.table(body, **NUMBERS),
        guesstree.table(body.reset_index(drop=True), guesses=body.index, **NUMBERS),
        guesstree.table(body.astype("category"), **NUMBERS),
    ):
        assert game.content == truth.content


def test_what_is_missing_in_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"a": [1, 0, 1], "b": [0, 0, None], "c": pandas.array([1, 1, None], dtype="Int64")},
        index=["x", "y", "z"],
    )
    with pytest.raises(
        GameError, match=r"row 3: a cell is empty \(test 'z', cause 'b'\); expected an answer"
    ):
        guesstree.table(frame)
    game = guesstree.table(frame, missing="any")
    assert game.content.cells == (("1", "0", "1"), ("0", "0", "1"), ("1", "", ""))
    first, second = pandas.Timestamp("2020-01-01"), pandas.Timestamp("2020-01-02")
    stamps = pandas.DataFrame({"a": [first, second], "b": [pandas.NaT, first]}, index=["x", "y"])
    assert guesstree.table(stamps, missing="any").content.cells[0] == ("2020-01-01 00:00:00", "")


def test_frames_of_polars(file: Path) -> None:
    polars = pytest.importorskip("polars")
    truth = guesstree.parse(f"table:{file}")
    assert isinstance(truth, TableGame)
    frame = polars.read_csv(file)
    body = frame.filter(polars.col("test") != "weight").drop("cost")
    for game in (
        guesstree.table(frame),
        guesstree.table(body, weights=WEIGHTS, costs=polars.Series(COSTS)),
        guesstree.table(body.drop("test"), guesses=body["test"], **NUMBERS),
        guesstree.table(body.transpose(include_header=True, column_names="test"), rows="secrets", **NUMBERS),
    ):
        assert game.content == truth.content
    unsure = polars.DataFrame({"test": ["x", "y"], "a": ["1", None], "b": ["0", "1"]})
    with pytest.raises(GameError, match=r"row 2: a cell is empty \(test 'y', cause 'a'\)"):
        guesstree.table(unsure)
    assert guesstree.table(unsure, missing="any").content.cells[1] == ("", "1")


def test_what_is_missing_merged_or_won() -> None:
    ill: dict[str, Any] = {
        "fever?": {"flu": "yes", "cold": None, "mumps": "no"},
        "chills?": {"flu": "yes", "cold": "no", "mumps": "no"},
        "swollen?": {"flu": "no", "mumps": "yes", "cold": "no"},
    }
    game = guesstree.table(ill, missing="any", name="ill")
    assert isinstance(game, UnsureTable) and game.spec == "table:ill"
    assert game.content.cells[0] == ("yes", "", "no")
    left_out = copy.deepcopy(ill)
    del left_out["fever?"]["cold"]
    assert sorted(guesstree.table(left_out, missing="any").secrets) == sorted(game.secrets)
    twins = guesstree.table({"x": {"a": 1, "b": 1, "c": 2}}, merge=True)
    assert (twins.secrets, twins.weights) == (("a|b", "c"), (2, 1))
    won = guesstree.table([[1, 0], [0, 1]], secrets="ab", guesses="ab", win=1)
    assert won.winning is not None and won.responses[won.winning] == "1"


def test_a_game_of_data_is_solved_pickled_written_and_drawn(tmp_path: Path) -> None:
    game = pickle.loads(pickle.dumps(guesstree.table(MAPPING, **NUMBERS)))
    solution = guesstree.solve(game)
    assert solution.upper == guesstree.solve(guesstree.table(CELLS, **LABELS, **NUMBERS)).upper == (268,)
    solution.strategy.write(tmp_path / "tree.json")
    solution.strategy.render(tmp_path / "tree.dot")
    again = guesstree.Strategy.read(tmp_path / "tree.json")
    assert again.game.spec == "table:data" and again.check().valid


AB: Any = {"x": {"a": 1, "b": 2}}
BAD: list[tuple[Any, dict[str, Any], str]] = [
    (3, {}, "outcomes without labels; expected a DataFrame of pandas or polars, a mapping such as"),
    ("lamp.csv", {}, "outcomes in 'lamp.csv'; expected the data, or solve('table:lamp.csv') for the file"),
    (3, {"secrets": "ab", "guesses": "x"}, "outcomes: a value of type int; expected a DataFrame"),
    ([[1, 2]], {"secrets": "ab"}, "outcomes without labels"),
    ([[1, 2]], {"secrets": "ab", "guesses": "xy"}, "1 rows of outcomes; expected 2, one for each label"),
    (
        [[1, 2], [1]],
        {"secrets": "ab", "guesses": "xy"},
        "row 'y' has 1 outcomes; expected 2, one for each column",
    ),
    ([1, 2], {"secrets": "ab", "guesses": "xy"}, "row 'x': a value of type int"),
    ({"x": [1, 2]}, {}, "row 'x' has outcomes without labels"),
    (AB, {"guesses": "x"}, "labels for the rows of a mapping; expected its keys"),
    ({}, {}, "outcomes: expected a first row of labels"),
    ({"x": {}}, {}, "outcomes: expected a first row of labels"),
    ({"x": {"a": 1, "b": [2]}}, {}, "row 'x', column 'b': a value of type list; expected a text, a number"),
    ({"x": {"a": 1}, "y": {"b": 1}}, {}, "row 1: a cell is empty (test 'x', cause 'b')"),
    (
        {"x": {"a": 1}, "y": {"b": 1}},
        {"rows": "secrets"},
        "column 1: a cell is empty (test 'a', cause 'y')",
    ),
    ({"x": {"a": 1, ("b", 2): 2}}, {}, "the label of column 2: a value of type tuple"),
    ({"x": {"a": 1, None: 2}}, {}, "columns: a cause has no label"),
    ({"x": {"a": 1, "b\n": "2\n3"}}, {}, "row 1: a cell holds a control character or a line break"),
    ({"x": {1: 1, "1": 2}}, {}, "columns: the cause label '1' is repeated"),
    (AB, {"weights": [1]}, "weights: 1 numbers; expected 2, one for each secret"),
    (
        AB,
        {"weights": {"a": 1, "c": 1}},
        "weights: 'c'; expected a number for each secret, and for nothing else",
    ),
    (AB, {"weights": {"a": 1}}, "weights: 'b'; expected a number for each secret"),
    (AB, {"weights": [1, "half"]}, "the weight of cause 'b' is 'half'; expected a number such as"),
    (AB, {"weights": [1, None]}, "the weight of cause 'b' is ''; expected a number such as 15"),
    (AB, {"weights": [1, True]}, "the weight of cause 'b' is 'True'"),
    (AB, {"costs": [-1]}, "row 1: the cost of test 'x' is '-1'; expected 0 or more"),
    (AB, {"costs": 5}, "costs: a value of type int; expected a number for each guess, in order or by label"),
    (
        {**AB, "weight": {"a": 1, "b": 2}},
        {"weights": [1, 2]},
        "weights: the test label 'weight' is repeated",
    ),
    (AB, {"win": 3}, "table:data: no cell holds the winning response '3'"),
    (AB, {"win": 1, "missing": "any"}, "a winning response '1' in a table with empty cells"),
    (AB, {"missing": "all"}, "missing='all'; expected missing='any' or missing='label'"),
    (AB, {"rows": "tests"}, "rows='tests'; expected 'guesses' or 'secrets'"),
    (AB, {"name": ""}, "name=''; expected a text on one line"),
    (AB, {"name": "a\nb"}, "name='a\\nb'; expected a text on one line"),
]


@pytest.mark.parametrize(("outcomes", "options", "words"), BAD)
def test_what_is_no_table_is_named(outcomes: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(GameError) as error:
        guesstree.table(outcomes, **options)
    first, *others = str(error.value).splitlines()
    assert words in first and all(re.match(r"(row|column) 2: a cell is empty", line) for line in others)


def test_a_frame_of_causes_in_rows_is_refused_until_it_is_told() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"species": ["bee", "dog"], "legs": [6, 4], "wings": ["yes", "no"]})
    for data in (frame, frame.set_index("species")):
        with pytest.raises(
            GameError, match=r"rows look like secrets \(corner 'species'\); expected rows='sec"
        ):
            guesstree.table(data)
        game = guesstree.table(data, rows="secrets")
        assert (game.secrets, game.guesses, game.look.secret) == (
            ("bee", "dog"),
            ("legs", "wings"),
            "species",
        )
        assert guesstree.table(data, rows="guesses").secrets == ("legs", "wings")


def test_numbers_of_data_are_exact() -> None:
    weights, costs = [0.1, np.float32(0.3), Decimal("2.50"), Fraction(1, 3)], ["1,5", 2]
    cells = {"x": dict.fromkeys("ab", 1) | dict.fromkeys("cd", 0), "y": {"a": 1, "b": 0, "c": 1, "d": 0}}
    game = guesstree.table(cells, weights=weights, costs=costs)
    assert (game.weights, game.weight_unit, game.cost_unit) == (
        (3, 9, 75, 10),
        Fraction(1, 30),
        Fraction(1, 2),
    )
    with pytest.raises(GameError, match=r"'4/5' \(test 'x', cause 'c'\) is a set.*cells='sets'"):
        guesstree.table({"x": {"a": "4", "b": "5", "c": "4/5"}})


def test_letters_beside_numbers_of_data_are_refused_and_lines_of_numbers_are_said_once() -> None:
    cells = {"x": {"a": 1, "b": 0, "time": 3}, "y": {"a": 1, "b": 1, "time": 4}}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"costs": ["1O", 2]}, "cost of test 'x' is '1O'; .*'O' is a letter, not 0"),
        ({"costs": ["2 h", "5 min"]}, "cost of test 'y' is '5 min'; expected the same unit for all"),
        ({"weights": ["1 O", 2]}, "weight of cause 'a' is '1 O'"),
        ({"error": "0.02x", "wrong": 5}, "error=0.02x; expected a probability"),
        ({"lapse": {"x": "0.02x"}, "wrong": 5}, "failure rate of test 'x' is '0.02x'"),
        ({"losses": {"p": {"a": "1O", "b": 0}}}, "loss of 'p' for 'a' is '1O'"),
        ({"wrong": "2 h"}, "wrong=2 h; expected a number above 0"),
    ]
    for keywords, words in wrong:
        with pytest.raises(GameError, match=words):
            guesstree.table({row: {"a": own["a"], "b": own["b"]} for row, own in cells.items()}, **keywords)
    with pytest.raises(GameError, match=r"the probability of 'u' is '0.9x'; expected a number"):
        guesstree.table({"x": {"a": {"u": "0.9x", "v": "0.1x"}, "b": "v"}})
    assert guesstree.table(cells).secrets == ("a", "b")
    with pytest.raises(GameError, match="a secret 'time' holds numbers that say costs, and costs= says them"):
        guesstree.table(cells, costs=[1, 2])
    assert guesstree.table(cells, costs="none").secrets == ("a", "b", "time")
    with pytest.raises(GameError, match=r"'soon'; .* or costs='none' where 'time' is a cause"):
        guesstree.table({"x": {"a": 1, "b": 0, "time": "soon"}})


def test_empty_and_unlabelled_frames() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    for frame in (pandas.DataFrame(), polars.DataFrame()):
        with pytest.raises(GameError, match="outcomes: expected a first row of labels"):
            guesstree.table(frame)
    frame = pandas.DataFrame({"a": [1], "b": [2]})
    with pytest.raises(GameError, match="labels for the columns of a DataFrame; expected those that it has"):
        guesstree.table(frame, secrets="ab", guesses="x")
    with pytest.raises(GameError, match="2 labels; expected 1, one for each row of the DataFrame"):
        guesstree.table(frame, guesses="xy")


def test_what_names_the_rows_of_a_frame_without_an_index_is_said() -> None:
    """In a note, and in a warning where the column is not called as names are; twice the same is no name."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    table = guesstree.table
    frame = pandas.DataFrame({"test": ["x", "y"], "a": ["1", "2"], "b": ["2", "2"]})
    told = "rows are named by the first column {!r}, as nothing else names them"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for quiet in (
            frame,
            polars.DataFrame(frame.to_dict("list")),
            frame.rename(columns={"test": "Unnamed: 0"}),
        ):
            assert table(quiet).notes == [told.format(quiet.columns[0])]
        assert not table(frame.set_index("test")).notes
        assert not table(frame.drop(columns="test"), guesses=["x", "y"]).notes
    flu = frame.rename(columns={"test": "flu"})
    for loud in (flu, polars.DataFrame(flu.to_dict("list"))):
        with pytest.warns(
            UserWarning, match=r"first column 'flu', as .* \(set_index\) or guesses= names"
        ) as found:
            assert table(loud).notes == [told.format("flu")]
        assert found[0].filename == __file__
    with pytest.warns(UserWarning, match="or secrets= names them otherwise"):
        table(flu, rows="secrets")
    answers = pandas.DataFrame({"flu": ["yes", "yes"], "cold": ["no", "yes"]})
    with pytest.raises(
        GameError, match="its first column 'flu' has 'yes' more than once; expected an index of"
    ):
        table(answers)
    assert table(answers, guesses=["x", "y"]).secrets == ("flu", "cold")
