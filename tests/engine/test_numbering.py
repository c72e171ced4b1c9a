"""Responses numbered guess by guess: a table worded otherwise in each row is worth the same."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from effort import JOBS, seeds, tries
from hypothesis import given
from hypothesis import strategies as st
from limits import most_responses
from ruled import ruled_game
from tables import asked_objectives, games, priced_games

import guesstree
from guesstree.api.mixed import solve_mixed
from guesstree.api.strategy import strategy_of
from guesstree.engine.advice.position import Position
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.kits.kit import least_kit
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import least, worst_with_lies
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check
from guesstree.trees.export.files import as_document, from_document

TESTS, ANSWERS = 70, "abcd"
EXTRAS: list[dict[str, Any]] = [{}, {"weights": True}, {"prices": True}, {"weights": True, "prices": True}]


def few_and_many(
    seed: int, secrets: int = 9, *, win: bool = False, weights: bool = False, prices: bool = False
) -> tuple[TableGame, TableGame]:
    """Return a table of 70 tests with four answers each, and the same with other answers in each row."""
    dice = random.Random(seed)
    causes = [f"s{i}" for i in range(secrets)]
    tests = [causes[t] if win and t < secrets else f"t{t}" for t in range(TESTS)]
    cells = [["won" if test == cause else dice.choice(ANSWERS) for cause in causes] for test in tests]
    worded = [
        [cell if cell == "won" else f"{test} {cell}" for cell in row]
        for test, row in zip(tests, cells, strict=True)
    ]
    more: dict[str, Any] = {"win": "won" if win else None}
    more["weights"] = [dice.randint(1, 5) for _ in causes] if weights else None
    more["prices"] = [dice.randint(1, 4) for _ in tests] if prices else None
    few, many = (TableGame("table:made", tests, causes, some, **more) for some in (cells, worded))
    assert len(few.responses) <= 5 < 255 < len(many.responses) <= 280 + win
    assert not few.facts.large and not many.facts.large
    return few, many


def found(game: Game, objective: str, **options: Any) -> Any:
    """Return bounds of a strategy that passed the checker; else what was refused."""
    try:
        solved = solve(game, objective, **options)
    except GuesstreeError as error:
        return str(error)
    strategy = strategy_of(solved)
    report = check(game, strategy)
    assert report.valid, report.messages()
    assert from_document(as_document(game, strategy), game).guess.tolist() == strategy.guess.tolist()
    return solved.lower, solved.upper


OPTIONS: list[dict[str, Any]] = [
    {"first": "t50"},
    {"max_depth": 3},
    {"width": 2},
    {"candidates_only": True},
    {"goal": "identify"},
    {"jobs": max(JOBS)},
    {"symmetry": False},
    {"method": "entropy"},
    {"lies": 1, "objective": "worst"},
    {"lies": 1, "objective": "worst", "method": "volume"},
    *({"objective": name} | ({"budget": 2} if one.budgeted else {}) for name, one in OBJECTIVES.items()),
]


@pytest.mark.parametrize("number", [0, 3, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
@pytest.mark.parametrize("win", [False, True])
def test_many_labels_are_worth_what_few_are(number: int, win: bool) -> None:
    extra = EXTRAS[number]
    few, many = few_and_many(7, win=win, **extra)
    for options in OPTIONS:
        asked = {"objective": "expected"} | options
        if not (asked.get("lies") and extra):  # sums of several seconds, see the next test
            assert found(few, **asked) == found(many, **asked), options


@pytest.mark.parametrize("seed", seeds(1, 40))
def test_so_are_sums_against_lies(seed: int) -> None:
    """Lies are answers of the same test then: no others would make anybody pay more."""
    dice = random.Random(seed)
    cells = [[dice.choice("abc") for _ in range(3)] for _ in range(3)]
    worded = [[f"{test} {cell}" for cell in row] for test, row in enumerate(cells)]
    prices = [dice.randint(1, 3) for _ in cells] if seed % 2 else None
    few, many = (TableGame("table:lies", "xyz", "stu", some, prices=prices) for some in (cells, worded))
    for objective in ("expected", "worst"):
        value = found(few, objective, lies=1)
        with most_responses(3):
            assert found(many, objective, lies=1) == value


@pytest.mark.parametrize("win", [False, True])
def test_so_is_all_that_is_no_search(win: bool) -> None:
    few, many = few_and_many(3, win=win)
    check_game(many)
    one, other = (guesstree.bounds(game) for game in (few, many))
    assert (one.lower, one.upper) == (other.lower, other.upper)
    assert solve_mixed(few).value == solve_mixed(many).value
    assert least_kit(few).upper == least_kit(many).upper
    assert list(least_kit(few).told()) == list(least_kit(many).told())
    assert guesstree.play_against(few, "s4")[0][0] == guesstree.play_against(many, "s4")[0][0]


def test_what_is_told_and_typed_is_the_label() -> None:
    few, many = few_and_many(3)
    here, there = Position(few), Position(many)
    assert [v.guess for v in here.valuations()] == [v.guess for v in there.valuations()]
    answer = few.responses[few.respond(20, 4)]
    here, there = here.after("t20", answer), there.after("t20", f"t20 {answer}")
    assert here.secrets == there.secrets
    assert 1 < len(here.secrets) < 9
    known = {part.response: part.secrets for part in here.partition("t30")}
    assert {part.response: part.secrets for part in there.partition("t30")} == {
        f"t30 {response}": secrets for response, secrets in known.items()
    }
    odd = next(f"t30 {response}" for response in ANSWERS if response not in known)
    with pytest.raises(GuesstreeError, match="no cause fits"):
        there.after("t30", odd)
    assert there.suspects((30, many.response_index(odd)))
    with pytest.raises(GuesstreeError, match="expected 't30 "):
        there.after("t30", answer)


@pytest.mark.parametrize("extra", EXTRAS, ids=lambda extra: "-".join(extra) or "plain")
def test_certificates_hold_the_labels(extra: dict[str, Any], tmp_path: Path) -> None:
    """The checkers read the table that is written."""
    few, many = few_and_many(5, **extra)
    one, other = guesstree.prove(few), guesstree.prove(many)
    assert one.bound == other.bound
    assert all("verified" in line for line in other.write(tmp_path / "many.proof"))
    (table,) = (path.read_text() for path in tmp_path.glob("*.csv"))
    rows = [line.split(",") for line in table.splitlines()]
    assert {cell for row in rows[1 : TESTS + 1] for cell in row[1:10]} == set(many.responses)


@tries(1)
@given(st.one_of(games(), priced_games()), asked_objectives(), st.booleans(), st.sampled_from([1, 2]))
def test_random_tables_equal_the_oracle(
    game: TableGame, asked: dict[str, Any], identify: bool, limit: int
) -> None:
    """With a limit of one or two responses small tables have many: in one byte, or in two."""
    goal = "identify" if identify or game.winning is None else "win"
    expected = least(game, goal, **asked)
    with most_responses(limit):
        value = found(game, goal=goal, **asked)
    if isinstance(value, str):
        assert "apart" in value or expected is None
    else:
        assert value == (expected, expected)


@tries(0.5)
@given(st.integers(0, 10**6), st.sampled_from([1, 2]))
def test_random_rules_equal_the_oracle(seed: int, limit: int) -> None:
    game = ruled_game(seed)
    goal = "identify" if game.winning is None else "win"
    expected = least(game, goal, "expected")
    with most_responses(limit):
        value = found(game, "expected", goal=goal)
    assert isinstance(value, str) if expected is None else value == (expected, expected)


@tries(1)
@given(games(most_secrets=4, most_extra=3), st.booleans())
def test_random_lies_equal_the_oracle(game: TableGame, identify: bool) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    with most_responses(2):
        if game.facts.large:
            return
        value = found(game, "worst", lies=1, goal=goal)
    if not isinstance(value, str):
        assert value[1][0] == worst_with_lies(game, goal, 1, 12)


def numbers(secrets: int = 300, answers: int = 280, tests: int = 7, seed: int = 5) -> TableGame:
    """Return a table with one test of many answers: a date, a part number."""
    dice = random.Random(seed)
    rows = [[f"no. {s % answers}" for s in range(secrets)]]
    for t in range(tests):
        kinds = dice.choice([2, 3, 5])
        rows.append([f"t{t} {dice.randrange(kinds)}" for _ in range(secrets)])
    labels = ["number", *(f"t{t}" for t in range(tests))]
    return TableGame("table:numbers", labels, [f"s{s}" for s in range(secrets)], rows)


def test_a_test_may_have_more_than_255_answers(tmp_path: Path) -> None:
    """Of 300 causes 40 share a number with another; each of these takes one test more."""
    game = numbers()
    assert (game.most_answers, game.facts.large, game.table().itemsize) == (280, True, 2)
    for options in ({}, {"jobs": max(JOBS)}, {"symmetry": False}):
        assert found(game, "expected", **options) == ((340,), (340,))
    assert found(game, "worst") == ((2,), (2,))
    assert found(game, "win-probability", budget=1) == ((40, 260), (40, 260))
    assert found(game, "expected", method="parts")[1] == (340,)
    (line,) = guesstree.prove(game).write(tmp_path / "numbers.proof")
    assert "300 secrets costs at least 340" in line
    assert len(Position(game).partition("number")) == 280


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lies": 1}, "table:numbers: a test has over 255 responses; with lies, use one where none has"),
        ({"candidates_only": True}, "candidates only, with weights, costs, a budget or over 255 responses"),
    ],
)
def test_what_two_bytes_refuse(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GuesstreeError, match=message):
        solve(numbers(), **options)


def test_a_table_has_65535_labels_at_most() -> None:
    rows = [[str(test * 300 + s) for s in range(300)] for test in range(219)]
    labels = [f"t{test}" for test in range(219)], [f"s{s}" for s in range(300)]
    with pytest.raises(GameError, match="65700 different responses; expected at most 65535"):
        TableGame("table:all", *labels, rows)
    game = TableGame("table:most", labels[0][:218], labels[1], rows[:218])
    assert solve(game).upper == (300,)
