"""Noisy tests: the values of worked examples, and the search against the exhaustive oracle."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from effort import some_of
from models import ModelGame
from random_models import model_of, noisy_game, random_model
from taken import taken

from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.noisy import float_model, oracle
from guesstree.engine.noisy.exact_search import ExactSearch
from guesstree.engine.noisy.feasible import undecided
from guesstree.engine.noisy.float_model import FloatModel
from guesstree.engine.noisy.integer_model import INFINITE, IntegerModel
from guesstree.engine.noisy.model import Model
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.solution import Solved
from guesstree.engine.tables.cells import answers_of
from guesstree.engine.tables.from_data import table

EXAMPLES: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "noisy.json").read_text())


def exact(value: object) -> str | None:
    return None if value is None else str(value)


def example_of(example: dict[str, Any]) -> Model:
    model = model_of(example["rows"], example.get("ambiguous", ""), example.get("ends", ""))
    return replace(model, failures=example.get("lapses", 0), silent=len(example["rows"]))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_oracle_knows_the_worked_examples(name: str) -> None:
    example = EXAMPLES[name]
    model = example_of(example)
    found = exact(oracle.expected(model)), exact(oracle.worst(model))
    assert found[1] == example["worst"] and (model.failures or found[0] == example["expected"])


def searched(model: Model, *, worst: bool, limit: int = -1, **how: int) -> Fraction | None:
    """Return what the search finds: the least expected cost, or the least worst case; None: no strategy."""
    integers, floats = IntegerModel(model), FloatModel.of(model, worst=worst, limited=limit >= 0)
    search, root = ExactSearch(integers, floats, limit=limit, **how), integers.root()
    found = search.search(root._replace(budget=limit if limit >= 0 else None), ())
    assert found.lower == found.upper
    unit = integers.coin * (1 if worst else root.mass)
    return None if found.upper >= INFINITE else Fraction(found.upper, unit)


def values(model: Model) -> list[str | None]:
    """Return the least expected cost, nothing where tests may fail to answer, and the least worst case."""
    return [
        None if model.failures and not worst else exact(searched(model, worst=worst))
        for worst in (False, True)
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_search_knows_the_worked_examples(name: str) -> None:
    example = EXAMPLES[name]
    model = example_of(example)
    found = values(model)
    assert found == [None if model.failures else example["expected"], example["worst"]]
    game = ModelGame(model)
    for objective, value in zip(("expected", "worst"), found, strict=True):
        if value is None and not (objective == "expected" and model.failures):
            with pytest.raises(GameError, match="may get the same answer to every test; expected a test"):
                solve(game, objective)
        elif objective == "expected" and model.failures:
            with pytest.raises(GuesstreeError, match="where tests may fail to answer; use worst"):
                solve(game, objective)
        else:
            assert value is not None
            whole = sum(model.weights) if objective == "expected" else 1
            assert solve(game, objective).lower == solve(game, objective).upper == (Fraction(value) * whole,)


NUMBERS = {"integers": float_model.EXACT, "doubles": 300, "fractions": 0}
"""Up to where whole numbers count as exact: so small models are searched as large ones are."""


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize(
    "seeds", [range(70), pytest.param(some_of(range(1000, 4000)), marks=pytest.mark.long)]
)
def test_the_search_finds_what_the_oracle_finds(
    seeds: Sequence[int], numbers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of every mixture, with limits of what a path may cost or ask and without, with a thread or more."""
    monkeypatch.setattr(float_model, "EXACT", NUMBERS[numbers])
    for seed in seeds:
        dice = random.Random(seed)
        model = random_model(dice)
        expected, worst, coin = oracle.expected(model), oracle.worst(model), IntegerModel(model).coin
        assert (undecided(IntegerModel(model)) is None) == (worst is not None), seed
        tests, jobs = dice.randint(0, 4), 1 + seed % 3
        assert searched(model, worst=True, jobs=jobs) == worst, seed
        assert searched(model, worst=True, tests=tests, jobs=jobs) == oracle.worst(model, tests), seed
        if not model.failures:
            limit = int((worst or 0) * coin) + dice.choice([-1, 0, coin, 2 * coin])
            assert searched(model, worst=False, jobs=jobs) == expected, seed
            for most in (tests, len(model.chances)):
                found = searched(model, worst=False, limit=max(limit, 0), tests=most, jobs=jobs)
                assert found == oracle.expected(model, Fraction(max(limit, 0), coin), most), seed


WITHIN = (
    # Asked first, t2 makes a path dearer than 7; below other tests it does not, and it is the cheapest.
    ["test,c0,c1,c2,c3,cost", "t0,y,y,y,z,6", "t1,z,x,x,z,4", "t2,x,y,x,x,2", "t3,y,y,z,z,3"],
    # Where one test may be asked, it is not the one that costs nothing.
    ["test,c0,c1,c2,cost", "t0,x,x,y,0", "t1,x,y,z,1"],
)


@pytest.mark.parametrize("rows", WITHIN)
def test_what_is_left_of_a_limit_belongs_to_the_state(rows: list[str]) -> None:
    model = model_of(rows)
    for limit in range(15):
        assert searched(model, worst=False, limit=limit) == oracle.expected(model, limit)
    for tests in range(4):
        assert searched(model, worst=False, tests=tests) == oracle.expected(model, None, tests)
        assert searched(model, worst=True, tests=tests) == oracle.worst(model, tests)


def test_odds_are_exact_numbers_and_percents() -> None:
    tenth = {"a": Fraction(9, 10), "b": Fraction(1, 10)}
    for cell in ("a:9/b:1", "a:0.9/b:.1", "a:90 %/b:10 %", "a:0,9/b:0,1"):
        assert answers_of(cell) == tenth
    for cell in ("a:0/b:1", "a:1e999999999/b:1", "a:nan/b:1", "a:3 min/b:1 min", "a:-1/b:2"):
        with pytest.raises(GameError, match="gives odds of"):
            answers_of(cell)


@pytest.mark.parametrize("tests", [15, 50])
def test_masses_may_be_more_than_floats_and_where_they_are_too_many_they_are_refused(tests: int) -> None:
    rows = [f"t{i},a:{10**29}/b:{i + 1},a:1/b:{10**29},b" for i in range(tests)]
    game = noisy_game(["test,A,B,C", *rows, "t,x,y,y", "u,x,x,y"])
    if tests > 15:
        with pytest.raises(GameError, match=r"52 tests come to numbers of more than 4096 bits; expected"):
            solve(game)
        return
    assert solve(game).upper == solve(game, width=2).upper == (5,)


def told(model: Model, solution: Solved) -> tuple[Fraction, Fraction]:
    """Return what a strategy takes, which says what it takes itself, in the order of its objective."""
    found = taken(model, solution.choose_after)
    figures = {"expected": found[0] * sum(model.weights), "worst": found[1]}
    assert solution.upper == tuple(figures[part] for part in solution.objective.split(","))
    return found


FREE = (5514, 10892)
"""Seeds of models that have free tests in groups, which cannot matter."""


@pytest.mark.parametrize(
    "seeds", [(*range(200, 270), *FREE), pytest.param(some_of(range(1000, 4000)), marks=pytest.mark.long)]
)
def test_strategies_take_what_they_say(seeds: Sequence[int]) -> None:
    """Of every mixture, for every objective, by beams, and with a first test."""
    for seed in seeds:
        model = random_model(random.Random(seed))
        game = ModelGame(model)
        expected, worst = oracle.expected(model), oracle.worst(model)
        if worst is None:
            with pytest.raises(
                GameError, match=r"expected a test that tells them apart|no decision is allowed"
            ):
                solve(game, "worst")
            continue
        least = solve(game, "worst")
        assert least.optimal and told(model, least)[1] == worst
        if model.failures:
            continue
        assert expected is not None
        best = solve(game)
        assert best.optimal and told(model, best)[0] == expected
        assert solve(game, width=1).lower <= best.upper
        told(model, solve(game, width=1))
        found = told(model, solve(game, "worst,expected"))
        assert found == (oracle.expected(model, worst), worst), seed
        found = told(model, solve(game, "expected,worst"))
        assert found[0] == expected and oracle.expected(model, found[1]) == expected, seed
        less = found[1] - Fraction(1, 4)  # all is counted in quarters
        assert less < 0 or oracle.expected(model, less) != expected, seed


def test_the_best_first_test_is_as_good_as_any_strategy() -> None:
    refused = 0
    for seed in range(200, 260):
        model = random_model(random.Random(seed))
        game = ModelGame(model)
        values = {"worst": oracle.worst(model)} | (
            {} if model.failures else {"expected": oracle.expected(model)}
        )
        for objective, value in values.items():
            found = []
            for test, label in enumerate(game.guesses):
                try:
                    solution = solve(game, objective, first=label)
                except GuesstreeError as error:
                    refused += value is not None
                    assert value is None or f"first guess {label!r}" in str(error)
                    continue
                assert solution.choose_after(()) == test and solution.optimal
                found.append(told(model, solution)[objective == "worst"])
            if value is None:
                assert not found
                continue
            first = solve(game, objective).choices.get(b"", len(game.guesses))
            assert (first < len(game.guesses) and min(found) == value) or min(found, default=value) >= value
    assert refused > 10


def test_where_there_is_no_strategy_the_causes_to_blame_are_named() -> None:
    same = ["test,a,b,c", "t,x,y,y", "u,x,y,x/y"]
    apart = ["test,a,b,c", "t,x,y,z"]
    decide = ["decide A,0,,", "decide B,,0,5"]
    for rows, ambiguous, failures, message in (
        (
            same,
            "",
            0,
            "'c1' and 'c2' may get the same .* every test; expected a test [^,]* apart, or ambiguous=clique",
        ),
        (
            ["test,a,b,c", "t,x,y,y", "u,x,y,y"],
            "",
            0,
            r"expected a test [^,]* apart, merge \(they become one cause\), or ambiguous=clique",
        ),
        (
            apart,
            "",
            1,
            "'c0' and 'c1' may .* every test but 1, which may fail .*; expected a test [^,]* apart$",
        ),
        (
            [*same, "decide A,0,0,"],
            "",
            0,
            "no decision is allowed for secret 'c2'; expected one, with its loss$",
        ),
        ([*apart[:1], "t,x,x,y", *decide], "", 0, "allowed for all of 'c0' and 'c1', which may .*; expected"),
    ):
        model = replace(model_of(rows, ambiguous), failures=failures, silent=9)
        with pytest.raises(GameError, match=message):
            solve(ModelGame(model), "worst")


TRAPS: dict[str, tuple[list[str], dict[str, Any], str, str]] = {
    "of two tests with equal parts, the dearer may open a group": (
        ["test,a,b,c,d,cost,group,later", "t,x,x,y,y,2,,", "u,x,x,y,y,3,g,3", "v,x,y,x,y,9,g,1"],
        {},
        "4",
        "4",
    ),
    "a test that gets one answer may pay, because it opens a group": (
        ["test,a,b,cost,group,later", "t,x,x,1,g,0", "u,x,y,9,g,2"],
        {},
        "3",
        "3",
    ),
    "a cause does not pay its least loss where an answer ends its path": (
        ["test,a,b,cost", "r,fixed,not,1", "s,not,fixed,2", "decide service,10,20,"],
        {"ends": "fixed"},
        "2",
        "3",
    ),
    "one cause left is not the end: repairs go on": (
        ["test,a,cost", "r,fixed/not,1", "s,fixed/not,1", "decide service,10,"],
        {"ends": "fixed"},
        "4",
        "10",
    ),
    "a test that ends the path for all alike tells nothing, and helps": (
        ["test,a,b,cost", "r,fixed:9/not:1,fixed:9/not:1,1", "t,x,y,5", "decide A,0,8,", "decide B,8,0,"],
        {"ends": "fixed"},
        "7/5",
        "5",
    ),
    "a test may become cheaper than the one that says the same, which is then asked first": (
        [
            "test,a,b,c,cost,group,later",
            "t,x,x:1/y:4,x:4/y:1,1,g,0",
            "u,x,x:1/y:4,x:4/y:1,1,,",
            "v,y,x:4/y:1,x:9/y:1,3,g,3",
            "weight,1,2,2,,,",
            "decide A,0,10,5,,,",
            "decide B,40,0,5,,,",
            "decide C,10,5,0,,,",
        ],
        {},
        "464/125",
        "10",
    ),
    "of tests that only open a group, a dearer one may be waited for": (
        [
            "test,a,b,c,cost,group,later",
            "t,x,x,x,2,g,0",
            "u,x,x,x,2,g,1",
            "v,x,x,y,2,g,0",
            "w,x,x,x,1,g,1",
            "decide A,0,20,20,,,",
            "decide B,20,0,20,,,",
            "decide C,20,20,0,,,",
        ],
        {"after": ((), (), (0, 1), (2,))},
        "26/3",
        "20",
    ),
    "it matters how many tests failed, even if these would tell nothing any more": (
        [
            "test,a,b,c,d,cost",
            "t,x,y,y,y,1",
            "u,y,y,x,y,1",
            "v,y,x,x,y,2",
            "w,x,y,x,y,3",
            "z,y,x,x,y,3",
            "decide A,0,8,8,8,",
            "decide B,8,0,8,8,",
            "decide C,8,8,0,8,",
            "decide D,8,8,8,0,",
        ],
        {"failures": 1},
        "11/4",
        "6",
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_traps(name: str) -> None:
    rows, more, *known = TRAPS[name]
    model = model_of(rows, ends=more.get("ends", ""))
    after = tuple(map(frozenset, more.get("after", ())))
    model = replace(model, after=after, failures=more.get("failures", 0), silent=9)
    assert [exact(oracle.expected(model)), exact(oracle.worst(model))] == known
    assert values(model) == [None if model.failures else known[0], known[1]]


CHEST = """test,attack,angina,reflux,muscle pain,embolism,cost (EUR),sensitivity,specificity,group,setup
ECG changes?,yes,yes,no,no,no,20,70 %,90 %,,
troponin raised?,yes,no,no,no,no,15,92 %,95 %,blood,8
D-dimer raised?,no,no,no,no,yes,25,95 %,60 %,blood,8
pain on pressure?,no,no,no,yes,no,1,80 %,85 %,,
relief by antacid?,no,no,yes,no,no,2,70 %,75 %,,
CT angiography,no,no,no,no,yes,300,97 %,97 %,,
probability,15 %,15 %,35 %,30 %,5 %,,,,,
decide catheter,0,200,3000,3000,4000,,,,,
decide ward,1500,0,600,600,1500,,,,,
decide home,20000,6000,0,0,15000,,,,,
decide anticoagulate,6000,2500,1500,1500,0,,,,,
"""


def test_a_fixed_first_test_stays_first_within_a_time_limit(tmp_path: Path) -> None:
    """And costs what it costs without one: strategies are built anew below it alone."""
    (tmp_path / "chest.csv").write_text(CHEST)
    game = parse(f"table:{tmp_path}/chest.csv")
    for first in ("D-dimer raised?", "relief by antacid?"):
        free, limited = solve(game, first=first), solve(game, first=first, time_limit=60.0)
        assert (limited.upper, limited.lower) == (free.upper, free.lower), first
        assert game.guesses[limited.choose_after(())] == first


def test_a_one_step_method_is_compared_with_a_bound_that_looks_ahead() -> None:
    """Counting alone says 10 of 20.29, which makes every strategy look bad."""
    cells = {
        "light": {"battery": "no", "bulb": "yes", "wire": "yes", "switch": "no"},
        "volt": {"battery": "no", "bulb": "yes", "wire": "no", "switch": "yes"},
        "swap": {"battery": "yes", "bulb": "no", "wire": "yes", "switch": "yes"},
    }
    sensitivity = {"light": 0.9, "volt": 0.8, "swap": 0.95}
    game = table(
        cells, sensitivity=sensitivity, specificity=0.95, costs={"light": 1, "volt": 2, "swap": 3}, wrong=10
    )
    best = solve(game)
    assert best.optimal
    assert solve(game, method="entropy").lower == best.upper
