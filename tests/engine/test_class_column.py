"""Rows that are examples, with a column of classes: how they are read, and the optimum beside an oracle."""

import random
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from effort import seeds

import guesstree
from guesstree.engine.errors import GameError
from guesstree.engine.sheets.arff import read_arff
from guesstree.engine.sheets.separated import read_separated
from guesstree.engine.tables.options import parse_options
from guesstree.engine.tables.reading import ReadTable, read_table
from guesstree.engine.tables.rows import table_game

GOLF = """outlook,humidity,windy,class
sunny,high,no,stay
sunny,high,yes,stay
overcast,high,no,play
rain,high,no,play
rain,normal,no,play
rain,normal,yes,stay
overcast,normal,yes,play
sunny,high,no,stay
sunny,normal,no,play
rain,normal,no,play
"""


def read(text: str, options: str = "") -> ReadTable:
    how = parse_options(f"t.csv{options}")[1]
    return read_table(read_separated("t.csv", text.encode()), how)


def refused(text: str, options: str = "") -> str:
    with pytest.raises(GameError) as caught:
        read(text, options)
    return str(caught.value)


# -- what is taken for what --------------------------------------------------------------------------------


def test_equal_rows_are_one_example_and_the_class_is_decided() -> None:
    found = read(GOLF)
    content = found.content
    assert found.line == (
        "8 examples, 3 tests: 10 rows are examples (8 different ones), classes from 'class': play 6, stay 4"
    )
    assert content.guesses == ("outlook", "humidity", "windy") and content.decisions == ("stay", "play")
    assert content.secrets[:3] == ("row 1: stay", "row 2: stay", "row 3: play")
    assert content.weights == (2, 1, 1, 1, 2, 1, 1, 1)
    assert content.classes == ("stay", "stay", "play", "play", "play", "stay", "play", "play")
    assert content.costs == (1, 1, 1)


@pytest.mark.parametrize("text", ["x,y\n1,u\n1,u\n2,v\n2,v\n", "x,count,y\n1,2,u\n2,2,v\n"])
def test_equal_weights_are_weights(text: str) -> None:
    """Two rows are in each leaf, so that two may be asked for, and three may not."""
    game = table_game("table:t", read(text, ",target=y").content)
    assert guesstree.solve(game, min_samples=2).optimal
    assert game.weight_unit * sum(game.weights or [1, 1]) == 4
    with pytest.raises(guesstree.Infeasible, match="with at least 3 in each leaf"):
        guesstree.solve(game, min_samples=3)


def test_the_cheapest_tree_is_found_and_names_classes(tmp_path: Path) -> None:
    (tmp_path / "golf.csv").write_text(GOLF)
    solution = guesstree.solve(f"table:{tmp_path}/golf.csv")
    # the ways of outlook: sunny asks humidity, rain asks wind; 2 examples are done after one question
    assert solution.optimal and solution.upper == (10 + 4 + 4,)


@pytest.mark.parametrize(
    ("text", "options", "said", "features"),
    [
        (
            GOLF.replace("class", "what"),
            ",target=what",
            "classes from 'what'",
            ["outlook", "humidity", "windy"],
        ),
        (
            GOLF.replace("class", "what"),
            ",target=windy,wrong=5",
            "classes from 'windy'",
            ["outlook", "humidity", "what"],
        ),
        ("id,a,class\n1,x,u\n2,y,v\n", "", "'id' names the rows", ["a"]),
        (",a,class\n0,x,u\n1,y,v\n", "", "'' names the rows", ["a"]),
        ("species,a,class\nox,x,u\nbee,y,v\n", ",target=class", "'species' names the rows", ["a"]),
        ("species,a,class\nox,x,u\nox,y,v\nox,x,u\n", ",target=class", "classes", ["species", "a"]),
        ("x,count,class\na,3,u\nb,1,v\na,1,u\n", "", "weights from 'count'", ["x"]),
        ("x,weight,class\na,3,u\nb,1,v\nb,1,v\n", ",weights=weight", "weights from 'weight'", ["x"]),
        ("x,weight,class\na,3,u\nb,1,v\nb,1,v\n", ",weights=none", "classes", ["x", "weight"]),
        ("1,Klasse\n2,u\n3,v\n", "", "classes from 'Klasse'", ["1"]),
    ],
)
def test_columns(text: str, options: str, said: str, features: list[str]) -> None:
    found = read(text, options)
    assert said in found.line and list(found.content.guesses) == features


@pytest.mark.parametrize(
    "text",
    [
        "species,legs,class\nox,4,mammal\nbee,6,insect\n",  # a row for each cause, as it always was
        "test,object,class\nopen,yes,no\nshut,no,yes\n",
        "beast,legs,class\nox,4,mammal\nbee,6,insect\n",
    ],
)
def test_what_names_its_rows_is_no_list_of_examples(text: str) -> None:
    assert not read(text, ",causes=rows").content.decisions
    if not text.startswith("beast"):
        assert not read(text).content.decisions


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            GOLF,
            ",target=wind",
            "t.csv line 1: no column is labelled 'wind'; expected the column of the classes",
        ),
        (GOLF, ",causes=rows,target=class", "causes= beside target=; expected one of them"),
        (GOLF.replace("rain,normal,yes,stay", "rain,normal,yes,"), "", "line 7: no class in 'class'"),
        (GOLF.replace("stay", "play"), "", "all classes in 'class' are 'play'; expected examples of two"),
        (
            "x,weight,class\na,3,u\nb,1,v\nb,1,v\n",
            "",
            "'weight' may be a feature, or how much each row counts",
        ),
        ("a,a,class\n1,2,u\n1,3,v\n", "", "two columns are called 'a'"),
        ("a,,class\n1,2,u\n1,3,v\n", "", "column 2 has no label"),
        ("action,b,class\n1,2,u\n1,3,v\n", "", "a feature is called 'action'"),
        ("a,class\n1,u\n1,v\n", "", "line 3: 'v', but 'u' in line 2, with all features equal; add ,wrong=N"),
        ("a,sample_weight,class\n1,1,u\n2,-1,v\n", "", "line 3: the weight is '-1'"),
        ("a,sample_weight,class\n1,0,u\n2,0,v\n", "", "all rows weigh 0"),
        ("a,b,class\n1,x,u\n?,y,v\n1,y,v\n", "", "a cell is '?'"),
        ("a,class\n1,u\n2,v\n", ",costs=a", "expected a row with the class 'cost'"),
        ("test,a\nx,1\n", ",bins=best", "bins=best is for examples"),
        ("a,class\n1,u\n2,v\n", ",bins=best", "no test has more than 2 different numbers for bins=best"),
        (
            "a,class\n1,u\n2,v\n3,u\n?,v\n",
            ",bins=best,missing=any",
            "is not known, which bins=best cannot cut",
        ),
        ("a,class\n1,u\n2,v\n", ",bins=most", "expected a whole number from 2 to 100, or best"),
    ],
)
def test_what_is_wrong_is_said_in_a_line_with_its_place(text: str, options: str, message: str) -> None:
    assert message in refused(text, options) and "\n" not in refused(text, options)


def test_too_many_cuts_are_refused() -> None:
    rows = "".join(f"{i},{i * i % 4001},{'uv'[i % 2]}\n" for i in range(1500))
    assert "could be cut at 2998 places for bins=best; expected at most 2000" in refused(
        "a,b,class\n" + rows, ",bins=best"
    )


def test_numbers_that_were_measured_are_no_classes() -> None:
    rows = "".join(f"{i % 7},{i}\n" for i in range(300))
    assert "300 different classes in 'class'; expected at most 200" in refused("a,class\n" + rows)


def test_a_row_of_the_class_cost_has_the_costs_of_features() -> None:
    content = read(GOLF + "2,1/2,3,cost\n").content
    assert [cost * content.cost_unit for cost in content.costs or ()] == [2, Fraction(1, 2), 3]
    content = read("a,class\n1,u\n2,v\n3,u\n5,cost\n", ",bins=best").content
    assert content.guesses == ("a < 2", "a < 3") and content.costs == (5, 5)


def test_contradictions_need_a_loss_and_are_one_state() -> None:
    text = "a,class\n" + 3 * "x,u\n" + "x,v\n" + 2 * "y,v\n"
    frame = pd.DataFrame({"a": list("xxxxyy"), "class": list("uuuvvv")})
    assert guesstree.solve(guesstree.table(frame, wrong=2)).upper == (6,)  # to say either of all
    found = read(text, ",wrong=10").content
    assert found.secrets == ("row 1: u", "row 4: v", "row 5: v") and found.weights == (3, 1, 2)


def test_numbers_are_cut_before_examples_are_put_together() -> None:
    text = "a,class\n" + "".join(f"{i},{'uv'[i > 6]}\n" for i in range(1, 13))
    assert len(read(text).content.secrets) == 12
    assert read(text, ",bins=2").content.secrets == ("row 1: u", "row 7: v")
    assert read(text, ",cuts=a:4;6.5").content.secrets == ("row 1: u", "row 4: u", "row 7: v")


def test_arff_with_a_target() -> None:
    data = b"@relation g\n@attribute a numeric\n@attribute class {u,v}\n@data\n1,u\n2,v\n2,v\n"
    how = parse_options("t.arff,target=class")[1]
    found = read_table(read_arff("t.arff", data, whole=True), how)
    assert found.content.decisions == ("u", "v") and found.content.weights == (1, 2)


def test_data_frames_and_mappings_are_examples_too() -> None:
    frame = pd.DataFrame([line.split(",") for line in GOLF.split()[1:]], columns=GOLF.split()[0].split(","))
    game = guesstree.table(frame)
    assert game.notes == [
        "8 examples, 3 tests: 10 rows are examples (8 different ones), classes from 'class': play 6, stay 4"
    ]
    assert guesstree.solve(game).upper == (18,)
    other = guesstree.table(
        {label: list(frame[label]) for label in frame},
        target="class",
        costs={"outlook": 2, "humidity": 1, "windy": 1},
    )
    assert guesstree.solve(other).upper == (28,)
    weighed = guesstree.table(frame, target="class", weights=[1, 1, 0, 0, 0, 0, 0, 0, 0, 5])
    assert guesstree.solve(weighed).upper == (7,)  # humidity alone
    with pytest.raises(GameError, match="groups= beside target="):
        guesstree.table(frame, target="class", groups={"outlook": "sky"})
    with pytest.raises(GameError, match="target= beside data without labels"):
        guesstree.table([[1, 2]], target="class")
    with pytest.raises(GameError, match="columns of 1 and 2 values"):
        guesstree.table({"a": [1], "b": [1, 2]}, target="b")
    indexed = frame.set_index(pd.Index([f"t{i}" for i in range(10)]))
    assert not guesstree.table(indexed, rows="secrets", merge=True).decisions


# -- beside an oracle --------------------------------------------------------------------------------------

Rows = list[tuple[tuple[int, ...], str]]


def least(rows: Rows, tests: list[tuple[int, int | None]], wrong: int | None) -> int | None:
    """Return the least total of questions and losses over all trees, by recursion; None: there is no tree.

    A test is a column, with None for whole values or the number at which it is cut.
    """

    @cache
    def best(left: frozenset[int]) -> float:
        counts = [sum(rows[i][1] == name for i in left) for name in {own for _, own in rows}]
        errors = len(left) - max(counts)
        found = float("inf") if wrong is None and errors else (wrong or 0) * errors
        for column, cut in tests:
            parts: dict[int, set[int]] = {}
            for i in left:
                value = rows[i][0][column]
                parts.setdefault(value if cut is None else int(value < cut), set()).add(i)
            if len(parts) > 1:
                found = min(found, len(left) + sum(best(frozenset(part)) for part in parts.values()))
        return found

    total = best(frozenset(range(len(rows))))
    return None if total == float("inf") else int(total)


def random_rows(rng: random.Random) -> Rows:
    columns, many = rng.randint(1, 3), rng.randint(3, 9)
    return [
        (tuple(rng.randint(0, 4) for _ in range(columns)), rng.choice("uvw"[: rng.randint(2, 3)]))
        for _ in range(many)
    ]


def written(rows: Rows) -> str:
    labels = "abc"[: len(rows[0][0])]
    return "\n".join([",".join([*labels, "class"]), *(",".join([*map(str, row), own]) for row, own in rows)])


@pytest.mark.parametrize("seed", seeds(2, 30))
@pytest.mark.parametrize("bins", ["", ",bins=best"])
def test_the_optimum_of_random_examples(bins: str, seed: int) -> None:
    rng = random.Random(f"{seed} {bins}")
    for _ in range(10):
        rows = random_rows(rng)
        values = [sorted({row[j] for row, _ in rows}) for j in range(len(rows[0][0]))]
        if len({own for _, own in rows}) < 2 or (bins and all(len(some) <= 2 for some in values)):
            continue
        whole = [j for j, some in enumerate(values) if not bins or len(some) <= 2]
        tests: list[tuple[int, int | None]] = [(j, None) for j in whole]
        tests += [(j, high) for j, some in enumerate(values) if j not in whole for _, high in pairwise(some)]
        wrong = rng.choice([None, 1, 3, 10])
        expected = least(rows, tests, wrong)
        options = bins + ("" if wrong is None else f",wrong={wrong}")
        if expected is None:
            assert "all features equal" in refused(written(rows), options)
            continue
        content = read(written(rows), options).content
        assert guesstree.solve(table_game("table:t.csv", content)).upper == (expected,)


def test_a_cut_inside_a_class_can_be_best() -> None:
    rows: Rows = [
        ((1, 0, 0), "c"), ((1, 0, 1), "a"), ((2, 0, 1), "a"), ((3, 0, 0), "b"),
        ((4, 1, 1), "b"), ((5, 0, 0), "c"), ((6, 0, 0), "a"), ((6, 1, 0), "b"),
    ]  # fmt: skip
    others: list[tuple[int, int | None]] = [(1, None), (2, None)]
    # 3 and 4 only have class b: the cut between them is no boundary of classes
    assert least(rows, [*others, *((0, cut) for cut in (2, 3, 5, 6))], None) == 21
    assert least(rows, [*others, *((0, cut) for cut in (2, 3, 4, 5, 6))], None) == 20
    content = read(written(rows), ",bins=best").content
    assert "a < 4" in content.guesses
