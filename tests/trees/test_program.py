"""Strategies as programs: each is run, and decides as the strategy does, whatever labels are called."""

import ctypes
import json
import math
import random
import shutil
import sqlite3
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from effort import seeds

import guesstree
from guesstree.api.strategy import Strategy
from guesstree.cli.render import command as render_command
from guesstree.trees.export.formats import PROGRAM, STYLES
from guesstree.trees.export.program.arrays import arrays_of
from guesstree.trees.export.program.c import field_names
from guesstree.trees.export.program.rules import Part, Rules, rules_of
from guesstree.trees.tree import TreeError

Row = dict[str, str | float | None]
HOSTILE = [
    "'); DROP TABLE t; --", '"', "'", "\\", "%s %n", "*/ int main(){} /*", "??/", "a\\", "{x}", "#{x}",
    "${x}", "]]>", "<!--", "&amp;", "<Node score='x'/>", "None", "NULL", "nan", "é ü 漢字 🎲", "a,b", "class",
    "x\u00a0y", '"""', "'''", "\\u0027", "\\047", "//", "--", "/*", "?" * 5, "0", "-1",
    "1e5", "007", "yes", "no", "int",
]  # fmt: skip


# -- what runs them ----------------------------------------------------------------------------------------


def in_sql(text: str, rules: Rules, rows: list[Row]) -> list[str | None]:
    """Return what SQLite makes of the expression, for a table with one column for each."""
    base = sqlite3.connect(":memory:")
    names = ["_row", *(one.name for one in rules.columns)]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    kinds = ["INTEGER", *("REAL" if one.kind == "number" else "TEXT" for one in rules.columns)]
    base.execute(f"CREATE TABLE t ({', '.join(f'{q} {k}' for q, k in zip(quoted, kinds, strict=True))})")
    marks = ", ".join("?" * len(names))
    base.executemany(f"INSERT INTO t VALUES ({marks})", [[i, *row.values()] for i, row in enumerate(rows)])
    return [one for (one,) in base.execute(f"SELECT {text} FROM t ORDER BY _row")]


def in_python(text: str, rules: Rules, rows: list[Row]) -> list[str | None]:
    """Return what the function makes of rows; nothing else may be defined."""
    found: dict[str, Any] = {}
    exec(text, found)
    assert {name for name in found if name != "__builtins__"} == {
        "COLUMNS",
        "_number",
        "_text",
        "decide",
        "__doc__",
    }
    assert list(found["COLUMNS"]) == [one.name for one in rules.columns]
    return [found["decide"](row) for row in rows]


def in_c(text: str, rules: Rules, rows: list[Row], folder: Path) -> list[str | None]:
    """Return what the compiled function makes of rows."""
    (folder / "t.c").write_text(text, encoding="ascii")
    words = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC", "t.c", "-o", "t.so"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    kinds: list[Any] = [ctypes.c_double if one.kind == "number" else ctypes.c_char_p for one in rules.columns]
    fields = list(zip(field_names(rules), kinds, strict=True)) or [("unused", ctypes.c_int)]
    struct = type("Row", (ctypes.Structure,), {"_fields_": fields})
    decide = ctypes.CDLL(str(folder / "t.so")).guesstree_decide
    decide.restype, decide.argtypes = ctypes.c_char_p, [ctypes.POINTER(struct)]
    found = []
    for row in rows:
        values: list[Any] = []
        for one in rules.columns:
            value = row[one.name]
            if one.kind == "number":
                values.append(math.nan if value is None else float(value))
            else:
                values.append(None if value is None else str(value).encode())
        said = decide(ctypes.byref(struct(*values)))
        found.append(None if said is None else said.decode())
    return found


def in_json(text: str, rules: Rules, rows: list[Row]) -> list[str | None]:
    """Return what the first rule says whose conditions hold."""
    document = json.loads(text)
    assert document["columns"] == {one.name: one.kind for one in rules.columns}

    def holds(condition: dict[str, Any], row: Row) -> bool:
        value = row[condition["column"]]
        if value is None:
            return False
        if "in" in condition:
            return value in condition["in"]
        number = float(value)
        return any(
            one.get("from", -math.inf) <= number < one.get("below", math.inf) for one in condition["ranges"]
        )

    first = [next(r for r in document["rules"] if all(holds(c, row) for c in r["if"])) for row in rows]
    ended = [rule for rule in document["rules"] if "share" in rule]
    assert math.isclose(sum(rule["share"] for rule in ended), 1)
    return [rule["then"] for rule in first]


def tag(element: ET.Element) -> str:
    space, name = element.tag.removeprefix("{").split("}")
    assert space == "http://www.dmg.org/PMML-4_4"
    return name


def in_pmml(text: str, rules: Rules, rows: list[Row]) -> list[str | None]:
    """Return what the model says, by PMML 4.4 as far as it uses that; its form is that of the schema."""
    root = ET.fromstring(text.encode())
    header, dictionary, model = root
    assert [tag(one) for one in root] == ["Header", "DataDictionary", "TreeModel"] and header is not None
    types = {field.get("name"): field.get("dataType") for field in dictionary}
    assert len(types) == int(dictionary.get("numberOfFields", "")) == len(rules.columns) + 1
    schema, node = model
    mined = {field.get("name"): field.get("usageType", "active") for field in schema}
    assert set(mined) == set(types) and list(mined.values()).count("target") == 1
    last = model.get("missingValueStrategy") == "lastPrediction"
    assert (model.get("noTrueChildStrategy") == "returnLastPrediction") == last
    numbers = [one.get("id") for one in root.iter() if tag(one) == "Node"]
    assert len(set(numbers)) == len(numbers)

    def true(one: ET.Element, row: Row) -> bool | None:
        if tag(one) == "True":
            return True
        if tag(one) == "CompoundPredicate":
            parts = [true(part, row) for part in one]
            stop = one.get("booleanOperator") == "or"
            return stop if stop in parts else None if None in parts else not stop
        assert tag(one) == "SimplePredicate" and types[one.get("field")]
        value = row[str(one.get("field"))]
        if value is None:
            return None
        if types[one.get("field")] == "double":
            left, right = float(value), float(str(one.get("value")))
            return {"equal": left == right, "lessThan": left < right, "greaterOrEqual": left >= right}[
                str(one.get("operator"))
            ]
        assert one.get("operator") == "equal"
        return value == one.get("value")

    def score(node: ET.Element, row: Row) -> str | None:
        kinds = [{"Node": 2, "ScoreDistribution": 1}.get(tag(one), 0) for one in node]
        assert kinds == sorted(kinds) and kinds.count(0) == 1
        below = [one for one in node if tag(one) == "Node"]
        for one in below:
            said = true(one[0], row)
            if said:
                return score(one, row)
            if said is None:
                return node.get("score") if last else None
        return node.get("score") if last or not below else None

    return [score(node, row) for row in rows]


def in_sklearn(strategy: Strategy, rules: Rules, rows: list[Row]) -> list[str | None]:
    """Return what scikit-learn predicts for the columns of 0 and 1."""
    model = strategy.to_sklearn()
    columns: dict[str, list[float]] = {}
    for one in rules.columns:
        for name in model.feature_names_in_:
            if one.kind == "number" and name == one.name:
                columns[name] = [float(row[one.name] or 0) for row in rows]
            elif one.kind == "text" and name.startswith(f"{one.name}_"):
                own = [float(row[one.name] == name.removeprefix(f"{one.name}_")) for row in rows]
                columns[name] = list(np.maximum(columns.get(name, own), own))
    frame = pd.DataFrame({name: columns[name] for name in model.feature_names_in_})
    return list(model.predict(frame))


def decided(strategy: Strategy, answers: list[str]) -> str:
    """Return what a strategy says of answers to the tests, one for each."""
    node = 0
    while (guess := int(strategy.guess[node])) >= 0:
        node = strategy.child(node, answers[guess])
    return " or ".join(strategy.endings(node))


def all_programs(
    strategy: Strategy, rules: Rules, rows: list[Row], folder: Path, *, known: bool
) -> dict[str, list[str | None]]:
    texts = {}
    for ending in STYLES[PROGRAM]:
        strategy.render(folder / f"t{ending}")
        if ending != ".npz":
            texts[ending] = (folder / f"t{ending}").read_text(encoding="utf-8")
    found = {
        "sql": in_sql(texts[".sql"], rules, rows),
        "python": in_python(texts[".py"], rules, rows),
        "json": in_json(texts[".json"], rules, rows),
        "pmml": in_pmml(texts[".pmml"], rules, rows),
    }
    if shutil.which("cc"):
        found["c"] = in_c(texts[".c"], rules, rows, folder)
    if known:
        found["sklearn"] = in_sklearn(strategy, rules, rows)
    return found


# -- random tables -----------------------------------------------------------------------------------------


def random_table(rng: random.Random) -> tuple[dict[str, list[str]], list[str]]:
    """Return tests with the answer of each row, and classes, under hostile labels."""
    many = rng.randint(4, 9)
    names = rng.sample(HOSTILE, 3)
    tests = {
        name: [rng.choice(HOSTILE[:12] if rng.random() < 0.5 else HOSTILE) for _ in range(many)]
        for name in names
    }
    tests["plain"] = [rng.choice("012") for _ in range(many)]
    return tests, [rng.choice(HOSTILE[:20]) for _ in range(many)]


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_programs_decide_as_strategies_under_hostile_labels(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    tests, actions = random_table(rng)
    secrets = [f"row {i}" for i in range(len(actions))]
    game = guesstree.table(
        tests, secrets=secrets, actions=actions, wrong=rng.choice([1, 3]), cells="labels", missing="label"
    )
    strategy = Strategy.of(guesstree.solve(game).strategy)
    rules = rules_of(game, strategy)
    rows: list[Row] = [
        {
            one.name: float(tests[one.name][i]) if one.kind == "number" else tests[one.name][i]
            for one in rules.columns
        }
        for i in range(len(actions))
    ]
    expected = [decided(strategy, [row[i] for row in tests.values()]) for i in range(len(actions))]
    if not rules.columns:
        return
    for name, said in all_programs(strategy, rules, rows, tmp_path, known=True).items():
        assert said == expected, name
    # values that no example has, and none
    strange: list[Row] = [{one.name: None if one.kind == "number" else "strange" for one in rules.columns}]
    strange.append(dict.fromkeys(strange[0]))
    for name, said in all_programs(strategy, rules, strange, tmp_path, known=False).items():
        assert said == [rules.ends[0]] * 2, name


@pytest.mark.parametrize("seed", seeds(2, 30))
@pytest.mark.parametrize("bins", [2, 3, "best", 0])
def test_programs_ask_for_numbers_as_strategies_do(seed: int, bins: Any, tmp_path: Path) -> None:
    rng = random.Random(f"{seed} {bins}")
    many = rng.randint(8, 14)
    frame = pd.DataFrame(
        {
            "x": [rng.choice([0.1, 0.7, 1.1, 2.45, 3.0, -4.0]) for _ in range(many)],
            "y'": [rng.randint(0, 3) for _ in range(many)],
            "kind": [rng.choice("abc") for _ in range(many)],
            "class": [rng.choice("uvw") for _ in range(many)],
        }
    )
    game = guesstree.table(frame, target="class", wrong=4, **({"bins": bins} if bins else {}))
    strategy = Strategy.of(guesstree.solve(game).strategy)
    rules = rules_of(game, strategy)
    rows: list[Row] = [
        {
            one.name: str(row[one.name]) if one.kind == "text" else float(row[one.name])
            for one in rules.columns
        }
        for row in frame.to_dict("records")
    ]
    found = all_programs(strategy, rules, rows, tmp_path, known=True) if rules.columns else {}
    assert len({tuple(said) for said in found.values()}) <= 1
    lost = sum(4 * (said != own) for said, own in zip(found.get("sql", []), frame["class"], strict=False))
    costs = strategy.check().costs
    assert costs is not None
    if rules.columns:
        assert sum(questions(rules, row) for row in rows) + lost == costs.total


def questions(rules: Rules, row: Row) -> int:
    """Return how many questions the rules ask of a row whose values they know."""
    step, asked = 0, 0
    while (question := rules.asks[step]) is not None:
        value = row[rules.columns[question.column].name]
        step = next(part.step for part in rules.parts[step] if takes(part, value))
        asked += 1
    return asked


def takes(part: Part, value: str | float | None) -> bool:
    """Return whether a value takes a branch."""
    if part.values:
        return value in part.values
    number = Fraction(str(value))
    return any(
        low == high == number or ((low is None or low <= number) and (high is None or number < high))
        for low, high in part.intervals
    )


@pytest.mark.parametrize("seed", seeds(2, 20))
def test_programs_predict_as_the_estimator_does(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    many = 25
    frame = pd.DataFrame(
        {
            "x": [rng.choice([0.5, 1.5, 2.5, 3.5, 4.25]) for _ in range(many)],
            "kind": [rng.choice("abc") for _ in range(many)],
        }
    )
    right = (frame["x"] < 2) ^ (frame["kind"] == "a")
    own = ["uv"[one ^ (rng.random() < 0.1)] for one in right]
    tests = guesstree.Tests(wrong=40, bins={"x": rng.choice([3, [2], [2, 3]])}).fit(frame, own)
    new = pd.DataFrame({"x": [-3, 1, 2.5, 99, 3], "kind": ["a", "d", "c", "b", "strange"]})
    rules = rules_of(tests.strategy_.game, tests.strategy_)
    rows: list[Row] = [{one.name: row[one.name] for one in rules.columns} for row in new.to_dict("records")]
    assert len(rules.columns) == 2
    for name, said in all_programs(tests.strategy_, rules, rows, tmp_path, known=False).items():
        assert said == tests.predict(new).tolist(), name


def test_answers_of_two_kinds_are_refused() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, None, 5.0, 6.0]})
    tests = guesstree.Tests(bins=2, missing="answer", wrong=9).fit(frame, list("aaabcc"))
    with pytest.raises(TreeError, match=r"'x' has classes of numbers, such as .*, which is no number"):
        rules_of(tests.strategy_.game, tests.strategy_)


# -- the rest ----------------------------------------------------------------------------------------------


def test_a_strategy_that_names_causes_is_a_program_too(tmp_path: Path) -> None:
    game = guesstree.table(
        {
            "socket": {"bulb": "live", "fuse": "dead", "mains": "dead"},
            "lamp": {"bulb": "on", "fuse": "on", "mains": "off"},
        }
    )
    strategy = Strategy.of(guesstree.solve(game).strategy)
    rules = rules_of(game, strategy)
    rows: list[Row] = [
        {"socket": "live", "lamp": "on"},
        {"socket": "dead", "lamp": "off"},
        {"socket": "gone", "lamp": None},
    ]
    rows = [{one.name: row[one.name] for one in rules.columns} for row in rows]
    for name, said in all_programs(strategy, rules, rows, tmp_path, known=False).items():
        assert said == ["bulb", "mains", None], name


def test_arrays_are_those_of_the_documentation_of_scikit_learn(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "class": ["a", "a", "b", "b"]})
    strategy = Strategy.of(guesstree.solve(guesstree.table(frame, bins="best")).strategy)
    found = arrays_of(strategy.game, strategy)
    assert found.children_left.tolist() == [1, -1, -1] and found.children_right.tolist() == [2, -1, -1]
    assert found.feature.tolist() == [0, -2, -2] and found.classes == ("a", "b")
    assert found.value.tolist() == [[[0.5, 0.5]], [[1, 0]], [[0, 1]]] and found.weight.tolist() == [
        1,
        0.5,
        0.5,
    ]
    strategy.render(tmp_path / "t.npz")
    with np.load(tmp_path / "t.npz", allow_pickle=False) as stored:
        assert {"children_left", "feature", "threshold", "value", "classes", "feature_names"} <= set(stored)
    model = strategy.to_sklearn()
    assert model.predict_proba(pd.DataFrame({"x": [2.9, 3.0]})).tolist() == [[1, 0], [0, 1]]
    assert model.get_depth() == 1 and model.get_n_leaves() == 2


def test_a_decision_that_is_not_the_likeliest_is_predicted_all_the_same() -> None:
    game = guesstree.table(
        {"x": list("aab"), "c": ["well", "well", "ill"]},
        target="c",
        losses={"well": {"well": 0, "ill": 1000}, "ill": {"well": 1, "ill": 0}},
        costs={"x": 50},
    )
    strategy = Strategy.of(guesstree.solve(game).strategy)
    assert strategy.to_sklearn().classes_.tolist() == ["ill"] and arrays_of(
        game, strategy
    ).value.tolist() == [[[1]]]


def test_names_of_c_are_names(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "int": [0, 0, 1, 1],
            "Int!": [0, 1, 0, 1],
            "漢": list("xxyy"),
            "1": [2, 2, 2, 3],
            "class": list("abcd"),
        }
    )
    strategy = Strategy.of(guesstree.solve(guesstree.table(frame, target="class")).strategy)
    fields = field_names(rules_of(strategy.game, strategy))
    assert all(name.isidentifier() and name.startswith("c_") for name in fields)
    assert len(set(fields)) == len(fields)


def test_what_is_no_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("test,a,b\nx,1,2\n")
    guesstree.solve(f"table:{tmp_path}/t.csv").strategy.write(tmp_path / "t.json")
    run = CliRunner().invoke(render_command, [f"{tmp_path}/t.json", f"{tmp_path}/t.json"])
    assert run.exit_code and "is read here, and would be lost" in str(run.exception)
    run = CliRunner().invoke(render_command, [f"{tmp_path}/t.json", f"{tmp_path}/u.sql", "--key"])
    assert run.exit_code and "use a name that ends in .pdf" in str(run.exception)
    run = CliRunner().invoke(
        render_command, [f"{tmp_path}/t.json", f"{tmp_path}/u.sql", "--program", "--depth", "1"]
    )
    assert run.exit_code and "depth means nothing to the style program" in str(run.exception)
    run = CliRunner().invoke(render_command, [f"{tmp_path}/t.json", f"{tmp_path}/u.sql"])
    assert run.output.startswith("wrote") and (tmp_path / "u.sql").read_text().startswith(
        'CASE\n  WHEN "x" = 1 THEN'
    )
    odd = guesstree.table({"x\ufffe": {"a": "1", "b": "2"}})
    with pytest.raises(TreeError, match="a character that XML does not have"):
        guesstree.solve(odd).strategy.render(tmp_path / "t.pmml")
    same = guesstree.table({"x": {"a": "y_z", "b": "u", "c": "v"}, "x_y": {"a": "z", "b": "z", "c": "w"}})
    strategy = Strategy.of(guesstree.solve(same).strategy)
    assert strategy.to_sklearn().classes_.tolist() == ["a", "b", "c"]
