"""Tests that depend on each other given the cause: rows of answers together, against all strategies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from effort import seeds

import guesstree
from guesstree.engine.errors import GameError
from guesstree.engine.tables.cells import cell_of

ANSWERS = ("yes", "no")
Together = Mapping[tuple[str, ...], Fraction]


def random_joint(random: Random, width: int) -> dict[tuple[str, ...], Fraction]:
    """Return random odds of answers together, some of which may never come."""
    odds = {answers: random.choice([0, 1, 2, 5]) for answers in product(ANSWERS, repeat=width)}
    if not any(odds.values()):
        odds[("yes",) * width] = 1
    return {answers: Fraction(n, sum(odds.values())) for answers, n in odds.items() if n}


def alone(together: Together, place: int) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for answers, p in together.items():
        found[answers[place]] = found.get(answers[place], Fraction(0)) + p
    return found


def plans(tests: frozenset[int]) -> Iterator[Any]:
    yield from range(2)
    for test in tests:
        below = list(plans(tests - {test}))
        yield from ((test, *pair) for pair in product(below, repeat=2))


def taken(plan: Any, masses: dict[tuple[int, tuple[str, ...]], Fraction], costs: Any, losses: Any) -> Any:
    """Return what a strategy takes, where a cause and the answers to all tests are drawn together."""
    if isinstance(plan, int):
        return sum(mass * losses[plan][cause] for (cause, _), mass in masses.items())
    test, *below = plan
    total = costs[test] * sum(masses.values())
    for answer, rest in zip(ANSWERS, below, strict=True):
        total += taken(rest, {k: m for k, m in masses.items() if k[1][test] == answer}, costs, losses)
    return total


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_a_table_with_answers_together_takes_what_the_best_of_all_strategies_takes(
    seed: int, tmp_path: Path
) -> None:
    random = Random(seed)
    causes = random.randint(2, 3)
    odds = [random_joint(random, 2) for _ in range(causes)]
    third = [random_joint(random, 1) for _ in range(causes)]
    apart = random.randrange(causes) if random.random() < 0.5 else -1
    if apart >= 0:  # independent given this cause
        a, b = (alone(odds[apart], place) for place in range(2))
        odds[apart] = {(x, y): p * q for x, p in a.items() for y, q in b.items()}
    weights = [random.randint(1, 4) for _ in range(causes)]
    costs = [random.randint(0, 2) for _ in range(3)]
    losses = [[random.randint(0, 9) for _ in range(causes)] for _ in range(2)]
    joint = [
        "independent" if cause == apart else cell_of({" & ".join(k): p for k, p in odds[cause].items()})
        for cause in range(causes)
    ]
    rows: list[list[Any]] = [
        ["test", *(f"c{i}" for i in range(causes)), "cost"],
        ["t", *(cell_of(alone(one, 0)) for one in odds), costs[0]],
        ["u", *(cell_of(alone(one, 1)) for one in odds), costs[1]],
        ["v", *(cell_of(alone(one, 0)) for one in third), costs[2]],
        ["t & u", *joint, 0],
        ["weight", *weights, ""],
        *([f"decide d{i}", *row, ""] for i, row in enumerate(losses)),
    ]
    file = tmp_path / "t.csv"
    file.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    game = guesstree.parse(f"table:{file},cells=sets")
    assert tuple(game.guesses) == ("t", "u", "v")
    masses = {
        (cause, (*pair, *one)): Fraction(weights[cause], sum(weights)) * p * q
        for cause in range(causes)
        for pair, p in odds[cause].items()
        for one, q in third[cause].items()
    }
    best = min(taken(plan, masses, costs, losses) for plan in plans(frozenset(range(3))))
    found = guesstree.solve(game)
    report = found.strategy.check()
    assert found.lower == found.upper and report.valid and report.costs is not None
    assert report.costs.average * game.cost_unit == best


TABLE = """test,strep,virus,cost
first,yes:0.8/no:0.2,yes:0.1/no:0.9,1
second,yes:0.8/no:0.2,yes:0.1/no:0.9,1
first & second,{},independent,0
"""


def text_of(cell: str) -> str:
    return TABLE.format(cell)


def test_without_decisions_a_cause_is_named_not_its_parts(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(
        "test,a,b,cost\nx,yes/no,yes/no,1\ny,yes/no,yes/no,1\nx & y,yes & yes/no & no,yes & no/no & yes,0\n"
    )
    game = guesstree.parse(f"table:{file},cells=sets")
    found = guesstree.solve(game)
    report = found.strategy.check()
    # Each test alone says nothing, both together say all: whether they agree.
    assert report.costs is not None and report.costs.average * game.cost_unit == 2
    assert set(game.classes) == {"a", "b"} == set(game.decisions)


def test_a_label_with_and_alone_is_a_test_like_others(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("test,a,b,c\nsalt,yes,no,no\npepper,no,yes,no\nsalt & pepper,no,no,yes\n")
    assert len(guesstree.parse(f"table:{file}").guesses) == 3


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("yes & yes:0.7/no & no:0.3", "with probability 0.7; expected 0.8, as the row of that test says"),
        ("yes & yes:0.8/no & maybe:0.2", "the answer 'no' with probability 0; expected 0.2"),
    ],
)
def test_rows_that_do_not_agree_are_refused(cell: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(text_of(cell))
    with pytest.raises(GameError) as error:
        guesstree.parse(f"table:{file},cells=sets")
    assert said in str(error.value)


def test_a_test_stands_in_one_row_and_cliques_in_none(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    good = text_of("yes & yes:0.7/yes & no:0.1/no & yes:0.1/no & no:0.1")
    file.write_text(good + "second & first,independent,independent,0\n")
    with pytest.raises(GameError, match="in two rows of answers together"):
        guesstree.parse(f"table:{file},cells=sets")
    file.write_text(good)
    with pytest.raises(GameError, match="beside ambiguous=clique"):
        guesstree.parse(f"table:{file},cells=sets,ambiguous=clique")


GOOD = "yes & yes:0.75/yes & no:0.05/no & yes:0.05/no & no:0.15"


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (text_of(GOOD), "wrong=9,error=2%", "the answer 'yes' with probability 0.8; expected 0.788"),
        (text_of(GOOD), "wrong=9,failure=5%", "expected 0.76, as the row of that test says"),
        (text_of(GOOD), "wrong=9,repeat=2", "beside repeat=2; expected one of them"),
        (text_of(GOOD).replace("independent,0", "independent,7"), "wrong=9", "costs 7; expected 0"),
        (text_of(GOOD.replace("no & no", "no")), "wrong=9", "expected an answer of each of its 2 tests"),
    ],
)
def test_a_row_of_answers_together_is_no_test(text: str, options: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(text)
    with pytest.raises(GameError) as error:
        guesstree.parse(f"table:{file},cells=sets,{options}")
    assert said in str(error.value)


@pytest.mark.parametrize(("column", "cell"), [("set-up", "4"), ("after", "first"), ("error", "0.1")])
def test_a_row_of_answers_together_has_nothing_that_tests_have(
    column: str, cell: str, tmp_path: Path
) -> None:
    file = tmp_path / "t.csv"
    head, *rows, last = text_of(GOOD).splitlines()
    file.write_text("\n".join([f"{head},{column}", *(f"{row}," for row in rows), f"{last},{cell}", ""]))
    with pytest.raises(GameError, match="which is no test; expected an empty cell"):
        guesstree.parse(f"table:{file},cells=sets,wrong=9")


def test_rates_in_columns_and_a_confidence_are_those_of_its_tests(tmp_path: Path) -> None:
    file, other = tmp_path / "t.csv", tmp_path / "u.csv"
    file.write_text(
        "test,strep,virus,cost,sensitivity,specificity\nfirst,yes,no,1,0.8,0.9\nsecond,yes,no,1,0.8,0.9\n"
        f"first & second,{GOOD},independent,0,,\n"
    )
    other.write_text(text_of(GOOD))
    games = [guesstree.parse(f"table:{one},cells=sets,confidence=95%") for one in (file, other)]
    assert games[0].model == games[1].model
    assert games[0].model is not None and games[0].model.losses is not None
    assert max(loss or 0 for row in games[0].model.losses for loss in row) * games[0].cost_unit == 20


def test_questions_of_two_answers_ask_its_tests_alone(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(text_of(GOOD))
    plain = guesstree.solve(f"table:{file},cells=sets,wrong=9")
    assert guesstree.solve(f"table:{file},cells=sets,wrong=9,dichotomous").lower == plain.lower
