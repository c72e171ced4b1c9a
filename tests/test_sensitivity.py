"""From where to where a strategy stays best, two measures, what tests are worth: against all strategies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from effort import seeds
from piped import piped

from guesstree import solve
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.tables.cells import answers_of
from guesstree.engine.tables.rows import table_game
from guesstree.engine.tables.table import Content
from guesstree.sensitivity.envelope import Line, envelope, stays_until
from guesstree.sensitivity.front import front
from guesstree.sensitivity.information import information
from guesstree.sensitivity.ranges import Sensitivity

Plan = Any
"""What is decided, or a test and what follows its first and its second answer."""


def random_content(seed: int, tests: int = 2) -> Content:
    """Return a small table with odds, costs, set-ups and losses."""
    random = Random(seed)
    causes, decisions = random.randint(2, 3), 2
    rows = []
    for _ in range(tests):
        cells = [random.choice(["yes", "no", "yes:1/no:3", "yes:4/no:1", "yes/no"]) for _ in range(causes)]
        cells[0] = "yes:9/no:1"  # so that both answers are there
        rows.append(tuple(cells))
    grouped = random.random() < 0.4
    later = [random.randint(0, 3) for _ in range(tests)]
    setup = random.randint(1, 3) * grouped
    return Content(
        guesses=tuple(f"t{i}" for i in range(tests)),
        secrets=tuple("abc"[:causes]),
        cells=tuple(rows),
        weights=tuple(random.randint(1, 5) for _ in range(causes)),
        costs=tuple(price + setup for price in later),
        sets=True,
        groups=("g",) * tests if grouped else (),
        later=tuple(later) if grouped else (),
        decisions=("d0", "d1"),
        losses=tuple(tuple(random.randint(0, 12) for _ in range(causes)) for _ in range(decisions)),
    )


def plans(tests: frozenset[int], decisions: int) -> Iterator[Plan]:
    """Yield all strategies that ask some of these tests, each with two answers."""
    yield from range(decisions)
    for test in tests:
        below = list(plans(tests - {test}, decisions))
        yield from ((test, *pair) for pair in product(below, repeat=2))


def taken(content: Content, plan: Plan, masses: list[Fraction], opened: bool = False) -> Fraction:
    """Return what a strategy takes for these masses, from the definition."""
    unit = content.cost_unit
    if isinstance(plan, int):
        losses = content.losses[plan]
        return sum((m * (loss or 0) * unit for m, loss in zip(masses, losses, strict=True)), Fraction(0))
    test, *below = plan
    assert content.costs is not None
    price = (content.later if opened else content.costs)[test] * unit
    total = price * sum(masses)
    for answer, rest in zip(("yes", "no"), below, strict=True):
        parts = [
            m * answers_of(cell).get(answer, 0) for m, cell in zip(masses, content.cells[test], strict=True)
        ]
        total += taken(content, rest, parts, bool(content.groups))
    return total


def average(content: Content, plan: Plan) -> Fraction:
    assert content.weights is not None
    return taken(content, plan, [Fraction(w, sum(content.weights)) for w in content.weights])


def lines_of(content: Content, other: Content, x: Fraction, y: Fraction) -> set[tuple[Fraction, Fraction]]:
    """Return start and slope of the line of each strategy between two tables."""
    found = set()
    for plan in plans(frozenset(range(len(content.guesses))), len(content.decisions)):
        values = average(content, plan), average(other, plan)
        slope = (values[1] - values[0]) / (y - x)
        found.add((values[0] - slope * x, slope))
    return found


@pytest.mark.parametrize("seed", seeds(6, 90))
def test_ranges_are_those_of_all_strategies(seed: int) -> None:
    content = random_content(seed)
    found = Sensitivity(table_game(f"table:{seed}", content))
    random = Random(seed)
    for parameter in random.sample(found.parameters, 3):
        (known,) = found.ranges([parameter])
        now, far = parameter.value, parameter.high if parameter.value < parameter.high else parameter.low
        lines = lines_of(content, parameter.content(far), now, far)
        best = min(start + slope * now for start, slope in lines)
        assert found.average == best
        own_start = best - known.slope * now
        assert (own_start, known.slope) in lines
        low, high = parameter.low, parameter.high
        for start, slope in lines:  # the own line is above another one beyond where the two meet
            if slope > known.slope:
                low = max(low, (own_start - start) / (slope - known.slope))
            elif slope < known.slope:
                high = min(high, (start - own_start) / (known.slope - slope))
        assert known.low == low
        assert known.high == (None if parameter.rising and high == parameter.high else high)


@pytest.mark.parametrize("seed", seeds(6, 90))
def test_a_curve_is_the_least_of_all_strategies(seed: int) -> None:
    content = random_content(seed)
    found = Sensitivity(table_game(f"table:{seed}", content))
    parameter = Random(seed).choice(found.parameters)
    low, high = parameter.low, parameter.usual
    if low == high:
        return
    lines = lines_of(parameter.content(low), parameter.content(high), low, high)
    pieces = found.curve(parameter, low, high)
    assert (pieces[0].low, pieces[-1].high) == (low, high)
    for piece in pieces:
        assert (piece.line.start, piece.line.slope) in lines
        for x in (piece.low, (piece.low + piece.high) / 2, piece.high):
            assert piece.line.at(x) == min(start + slope * x for start, slope in lines)


@pytest.mark.parametrize("seed", seeds(6, 90))
def test_a_front_is_the_hull_of_all_strategies(seed: int) -> None:
    content, random = random_content(seed), Random(seed)
    prices = [random.randint(0, 4) for _ in content.guesses]
    other = Content(
        **{
            **{name: getattr(content, name) for name in ("guesses", "secrets", "cells", "weights", "sets")},
            "costs": tuple(price + bool(content.groups) for price in prices),
            "groups": content.groups,
            "later": tuple(prices) if content.groups else (),
            "decisions": content.decisions,
            "losses": tuple(tuple(random.randint(0, 9) for _ in row) for row in content.losses),
        }
    )
    points = front(table_game("table:a", content), table_game("table:b", other))
    every = {
        (average(content, plan), average(other, plan))
        for plan in plans(frozenset(range(len(content.guesses))), len(content.decisions))
    }
    hull = hull_of(every)
    assert [(point.first, point.second) for point in points] == hull
    for point in points:
        low, high = point.rates
        for rate in (low, low + 1 if high is None else (low + high) / 2):
            assert point.first + rate * point.second == min(a + rate * b for a, b in every)


def hull_of(points: set[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """Return the corners that are least for some positive weights, from the least first coordinate on."""
    least = min(points)
    found = [least]
    while True:
        below = [p for p in points if p[1] < found[-1][1]]
        if not below:
            return found
        # The steepest way down comes next; of several the last.
        last = found[-1]
        found.append(max(below, key=lambda p: ((last[1] - p[1]) / (p[0] - last[0]), p[0])))


def test_lines_that_meet_at_an_end_make_no_piece() -> None:
    lines = [Line(Fraction(0), Fraction(1), "up"), Line(Fraction(0), Fraction(2), "steeper")]

    def best(x: Fraction) -> Line[str]:
        return min(reversed(lines), key=lambda line: line.at(x))

    assert [piece.line.strategy for piece in envelope(best, Fraction(0), Fraction(1))] == ["up"]
    assert stays_until(lines[0], best, Fraction(0), Fraction(1)) == 1
    assert stays_until(lines[1], best, Fraction(0), Fraction(1)) == 0


def test_the_value_of_information_is_what_a_decision_loses_less() -> None:
    for seed in range(8):
        content = random_content(seed)
        game = table_game(f"table:{seed}", content)
        strategy = solve(game).strategy
        unit, tests = content.cost_unit, range(len(content.guesses))
        best = average(content, min(plans(frozenset(tests), 2), key=lambda plan: average(content, plan)))
        now = min(average(content, plan) for plan in range(2))
        nodes = list(information(strategy))
        assert len(nodes) == sum(guess >= 0 for guess in strategy.guess.tolist())
        for at in nodes[:1]:
            assert at.share == 1 and at.value is not None and at.value * unit == now - best
            assert at.tests[0].more == 0
            for one in at.tests:
                test = one.outlook.test
                assert content.costs is not None
                after = min(average(content, (test, *pair)) for pair in product(range(2), repeat=2))
                assert one.value is not None
                assert one.value * unit == now - after + content.costs[test] * unit
                begun = [p for p in plans(frozenset(tests), 2) if isinstance(p, tuple) and p[0] == test]
                assert one.more * unit == min(average(content, plan) for plan in begun) - best


def test_two_answers_and_one_decision_have_thresholds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two thresholds of a test (Pauker and Kassirer 1980), by hand."""
    monkeypatch.chdir(tmp_path)
    Path("sick.csv").write_text(
        "test,sick,well,cost,sensitivity,specificity\nswab,yes,no,1,0.9,0.8\nprobability,0.1,0.9,,,\n"
        "decide treat,0,10,,,\ndecide wait,90,0,,,\n"
    )
    # Wait loses 90 p, treat 10 (1 - p), the swab 1 + 9 p + 2 (1 - p).
    low, high = Fraction(3, 83), Fraction(7, 17)
    done = piped("sensitivity", "table:sick.csv", "--of", "probability of sick", "--json")
    found = json.loads(done.stdout)
    assert [piece["first"] for piece in found["pieces"]] == ["decide wait", "ask swab", "decide treat"]
    assert [Fraction(piece["low"]) for piece in found["pieces"][1:]] == [low, high]
    text = piped("sensitivity", "table:sick.csv", "--of", "probability of sick").stdout
    assert "threshold 0.03614: decide wait below, ask swab above" in text


def test_numbers_keep_what_they_are_part_of() -> None:
    content = random_content(3)
    assert content.weights is not None
    for parameter in Sensitivity(table_game("table:x", content)).parameters:
        assert parameter.content(parameter.value) == scaled_again(content)


def scaled_again(content: Content) -> Any:
    """Compare two tables by what they say, whatever units they count in."""

    class Same:
        def __eq__(self, other: object) -> bool:
            assert isinstance(other, Content) and other.weights is not None and content.weights is not None
            shares = [Fraction(w, sum(other.weights)) for w in other.weights]
            chances = [[answers_of(cell) for cell in row] for row in other.cells]
            return (
                shares == [Fraction(w, sum(content.weights)) for w in content.weights]
                and chances == [[answers_of(cell) for cell in row] for row in content.cells]
                and amounts(other) == amounts(content)
            )

        __hash__ = None  # type: ignore[assignment]

    return Same()


def amounts(content: Content) -> list[Fraction]:
    losses = [loss for row in content.losses for loss in row if loss is not None]
    return [number * content.cost_unit for number in (*(content.costs or ()), *content.later, *losses)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mastermind:2x3",), "it has no numbers to change; expected a table"),
        (("table:lamp.csv", "--of", "cost"), "several numbers have this in their names"),
        (("table:lamp.csv", "--from", "1"), "--from 1 without a curve; use it with --of NUMBER"),
        (("table:lamp.csv", "--tests"), "valuations values the tests of other games"),
        (("table:lamp.csv", "--tests", "--of", "cost of swap"), "use one of them"),
        (("table:lamp.csv", "--of", "nothing"), "no number of the table is called so"),
        (
            ("table:lamp.csv", "--of", "cost of swap", "--from", "3", "--to", "2"),
            "expected numbers from 0 to",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lamp.csv").write_text("test,bulb,fuse,switch\nswap,on,off,off\nmeasure,live,dead,live\n")
    done = piped("sensitivity", *words)
    *_, line = done.stderr.splitlines()
    assert (done.returncode, said in line) == (2, True)


def test_a_front_is_of_one_table() -> None:
    one, other = random_content(1), random_content(2)
    with pytest.raises(GuesstreeError, match="expected the same table with other costs and losses"):
        front(table_game("table:a", one), table_game("table:b", other))


def test_numbers_are_those_of_the_table_where_causes_are_split_and_tests_copied(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(
        "test,sick,well,cost\nx,yes:0.8/no:0.2,yes:0.1/no:0.9,1\ny,yes:0.8/no:0.2,yes:0.1/no:0.9,1\n"
        "z,yes:0.7/no:0.3,no,1\nx & y,yes & yes:0.75/yes & no:0.05/no & yes:0.05/no & no:0.15,independent,0\n"
        "weight,3,7,\ndecide treat,0,20,\ndecide wait,40,0,\n"
    )
    split = Sensitivity(f"table:{file},cells=sets")
    assert [one.name for one in split.parameters] == [
        "probability of sick",
        "probability of well",
        "cost of x",
        "cost of y",
        "cost of z",
        "loss of treat for sick",
        "loss of treat for well",
        "loss of wait for sick",
        "loss of wait for well",
        "chance of yes to x for well",
        "chance of yes to y for well",
        "chance of yes to z for sick",
    ]
    prior, loss = split.named("probability of sick"), split.named("loss of wait for sick")
    assert prior.value == Fraction(3, 10) and loss.value == 40
    changed = prior.content(Fraction(6, 10))
    assert [Fraction(one) * changed.weight_unit for one in changed.weights or ()] == [
        *(Fraction(6, 10) * part for part in map(Fraction, ("0.75", "0.05", "0.05", "0.15"))),
        Fraction(4, 10),
    ]
    changed = loss.content(Fraction(7))
    assert [(one or 0) * changed.cost_unit for one in changed.losses[1]] == [7, 7, 7, 7, 0]
    file.write_text("test,a,b,cost,error\nx,yes,no,2,0.1\nx (b),yes,no,3,0.2\n")
    copied = Sensitivity(f"table:{file},wrong=9,repeat=3")
    assert [one.name for one in copied.parameters if "cost" in one.name] == ["cost of x", "cost of x (b)"]
    changed = copied.named("cost of x").content(Fraction(5))
    assert [cost * changed.cost_unit for cost in changed.costs or ()] == [5, 5, 5, 3, 3, 3]


@pytest.mark.parametrize("part", [Fraction(1, 10**9), Fraction(10**6)])
def test_the_unit_of_costs_changes_no_result(part: Fraction) -> None:
    content = Content(
        ("cough?", "jaw?", "strep test"),
        ("virus", "strep", "abscess"),
        (
            ("yes:6/no:4", "yes:3/no:7", "yes:3/no:7"),
            ("no:9/yes:1", "no:9/yes:1", "no:2/yes:8"),
            ("no:95/yes:5", "no:14/yes:86", "no:95/yes:5"),
        ),
        (7, 2, 1),
        (5, 5, 60),
        sets=True,
        decisions=("wait", "treat", "refer"),
        losses=((0, 900, 25000), (400, 0, 15000), (2200, 2000, 0)),
    )
    games = [table_game("table:t", replace(content, cost_unit=unit)) for unit in (Fraction(1), part)]
    plain, other = (Sensitivity(game) for game in games)
    number, scaled = (one.named("cost of strep") for one in (plain, other))
    (one,), (two,) = plain.ranges([number]), other.ranges([scaled])
    assert one.high is not None and two.high is not None
    assert (two.low, two.high) == (one.low * part, one.high * part)
    pieces = [
        (piece.low * part, piece.high * part) for piece in plain.curve(number, number.low, number.usual)
    ]
    assert pieces == [(p.low, p.high) for p in other.curve(scaled, scaled.low, scaled.usual)]
    harm = replace(content, costs=(1, 4, 9), losses=((0, 9, 30), (1, 0, 16), (20, 3, 0)))
    fronts = [
        front(games[0], table_game("table:u", replace(harm, cost_unit=unit))) for unit in (Fraction(1), part)
    ]
    assert len(fronts[0]) > 3
    assert [(p.first, p.second * part) for p in fronts[0]] == [(p.first, p.second) for p in fronts[1]]
