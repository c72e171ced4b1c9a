"""Tables asked by questions of two answers, against enumeration of every strategy for every object."""

import random
from fractions import Fraction

import pytest
from dichotomy import plain_of, random_content
from effort import seeds
from forms import understood

from guesstree.api.strategy import strategy_of
from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.cells import answers_of
from guesstree.engine.tables.dichotomous import SplitTable
from guesstree.engine.tables.rows import table_game
from guesstree.trees.check import check

BLOCK = 30
"""Tables of a test."""


def solved(game: SplitTable, objective: str) -> Fraction | None:
    """Return what the search proves of an objective, and check its strategy; None: there is no strategy."""
    try:
        found = solve(game, objective)
    except GuesstreeError:
        return None
    assert found.optimal
    report = check(game, strategy_of(found))
    assert report.valid, report.messages()
    return Fraction(found.upper[0])


@pytest.mark.parametrize("seed", seeds(2, 40))
def test_values_are_those_of_enumeration(seed: int) -> None:
    """Expected and worst cost, with sets, odds, orders, unknown cells, costs, weights, and decisions."""
    dice = random.Random(seed)
    for number in range(BLOCK):
        content = random_content(dice, decisions=number % 4 == 3)
        wanted = plain_of(content, answers_of).paid()
        try:
            game = SplitTable("table:random", content)
        except GameError as error:
            assert "nothing may be decided" in str(error) or "no test has two answers" in str(error)
            continue
        average = solved(game, "expected")
        assert (
            None if average is None else average / sum(content.weights or (1,) * len(content.secrets))
        ) == wanted.expected, content
        assert solved(game, "worst") == wanted.worst, content


@pytest.mark.parametrize("seed", seeds(1, 12))
def test_the_pair_is_least_on_average_among_the_best_at_worst(seed: int) -> None:
    dice = random.Random(1000 + seed)
    for _ in range(BLOCK):
        content = random_content(dice)
        plain = plain_of(content, answers_of)
        try:
            game = SplitTable("table:random", content)
            found = solve(game, "worst,expected")
        except GuesstreeError:
            continue
        assert found.optimal
        worst, total = (Fraction(value) for value in found.upper)
        assert total / sum(plain.weights) == plain.paid_within(worst), content
        report = check(game, strategy_of(found))
        assert report.valid, report.messages()


def understood_as(rows: list[str], options: str) -> SplitTable:
    """Return the game of some rows."""
    game = table_game("table:t.csv", understood(rows, ",dichotomous" + options).content)
    assert isinstance(game, SplitTable)
    return game


def test_what_groups_of_states_are_called() -> None:
    """Numbers and classes of them, counts, words in order, and any other states."""
    rows = ["test,a,b,c,d", "legs,4,6,8,10", "mass (g),1,2,3,4", "hairs,few,some,many,dense", "hue,x,y,z,x"]
    game = understood_as(rows, ",order=hairs:few;some;many;dense,cuts=mass (g):2;3;4")
    for label in (
        "legs: 6 or fewer / 8 or more",
        "legs: 6 / 8 or more",
        "mass (g): < 3 / >= 3",
        "mass (g): 2 to 4 / >= 4",
        "hairs: few / some to dense",
        "hairs: few or some / many or dense",
        "hue: x or z / y",
    ):
        assert label in game.guesses
    assert "hue: x / z" in game.guesses and "legs: 4 or 8 / 6 or 10" not in game.guesses
    unordered = understood_as(rows[:2], ",order=none")
    assert "legs: 4 or 8 / 6 or 10" in unordered.guesses


@pytest.mark.parametrize(
    ("row", "options", "said"),
    [
        ("t,a,b,c", ",win=a", "dichotomous with a winning response"),
        ("t,a,b,c", ",error=2%", "dichotomous with tests that err"),
        ("t,a,b,c", ",order=t:a;b", "leaves out 'c'"),
        ("t,a,b,c", ",order=u:a;b", "no test is labelled 'u'"),
        ("t,a,b,c", ",order=t", "order=t; expected a test and its answers in order"),
        ("t,a,a,a", "", "no test has two answers"),
    ],
)
def test_what_does_not_go_with_questions_of_two_answers(row: str, options: str, said: str) -> None:
    with pytest.raises(GameError) as error:
        understood_as(["test,x,y,z", row], options)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_too_many_groups_are_refused_with_a_way_out() -> None:
    for many, options, way in ((10, "", "order=t:A;B;C"), (39, "", "bins, cuts")):
        states = [str(i) if many > 10 else f"s{i}" for i in range(many + 1)]
        rows = ["test," + ",".join(f"k{i}" for i in range(many + 1)), "t," + ",".join(states)]
        with pytest.raises(GameError, match="questions part in two; expected at most") as error:
            understood_as(rows, options)
        assert way in str(error.value)
