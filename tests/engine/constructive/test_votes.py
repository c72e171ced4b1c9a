"""Constructive strategies though responses are false: every placement of lies in tiny games, random ones."""

from collections.abc import Generator
from itertools import islice, product

import numpy as np
import pytest

from guesstree.engine.constructive import asking
from guesstree.engine.constructive.adaptive import play
from guesstree.engine.constructive.liars import Doubt, Doubted, lies_bound, measure_doubt, misread
from guesstree.engine.constructive.many import strategy
from guesstree.engine.constructive.measure import random_codes
from guesstree.engine.constructive.size import FAMILIES, Code, Response, Size
from guesstree.engine.constructive.votes import RandomErrors, Votes, surviving
from guesstree.engine.errors import Contradiction, GuesstreeError


def every_response(size: Size) -> list[Response]:
    numbers = range(size.pegs + 1)
    shapes = product(numbers, repeat=1 + size.whites)
    return [response for response in shapes if sum(response) <= size.pegs]


def every_game(size: Size, secret: Code, lies: int, goal: str) -> Generator[tuple[Code, int]]:
    """Yield the code found and the questions, for every way to place and choose the lies."""
    plans: list[dict[int, Response]] = [{}]
    while plans:
        plan = plans.pop()
        true: list[Response] = []

        def respond(guess: Code) -> Response:
            true.append(size.respond(guess, secret))  # noqa: B023
            return plan.get(len(true) - 1, true[-1])  # noqa: B023

        game = play(surviving(size, Votes(lies), goal), respond, most=200)
        yield game.secret, game.questions
        if len(plan) < lies:
            for i in range(max(plan, default=-1) + 1, len(true)):
                wins = (size.pegs, 0)[: 1 + size.whites]
                if goal == "win" and true[i] == wins:
                    continue  # never withheld, and below: never claimed
                plans += [
                    {**plan, i: false}
                    for false in every_response(size)
                    if false != true[i] and (goal != "win" or false != wins)
                ]


TINY = [
    ("mastermind", 2, 3, 1),
    ("mastermind", 3, 2, 1),
    ("blackpeg", 2, 3, 1),
    ("blackpeg", 3, 2, 1),
    ("mastermind", 1, 3, 2),
    pytest.param("mastermind", 2, 2, 2, marks=pytest.mark.long),
    pytest.param("mastermind", 3, 3, 1, marks=pytest.mark.long),
    pytest.param("blackpeg", 3, 2, 2, marks=pytest.mark.long),
]


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize(("family", "n", "k", "lies"), TINY)
def test_every_placement_of_lies_is_survived(
    family: str, n: int, k: int, lies: int, goal: str, listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not listed:
        monkeypatch.setattr(asking, "MOST_LISTED", 0)
    size = Size(family, n, k)
    most = 0
    for code in product(range(k), repeat=n):
        secret = size.code(code)
        for found, questions in every_game(size, secret, lies, goal):
            assert found.tolist() == list(code)
            most = max(most, questions)
    assert most >= lies_bound(size, lies, goal)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("n", "k", "lies"), [(6, 9, 3), (30, 30, 2), (60, 4, 4)])
def test_liars_who_wait_or_insist_are_survived(family: str, n: int, k: int, lies: int) -> None:
    """Lies early, late, in a row, at the same guess again, and anything else a codemaker may say."""
    size, dice = Size(family, n, k), np.random.default_rng(n + k)
    for code in random_codes(size, 3, n):
        for habit in ("first", "row", "insist", "any"):
            left, start = lies, int(dice.integers(0, 2 * n))
            said: dict[bytes, Response] = {}
            asked: list[Code] = []

            def respond(guess: Code) -> Response:
                nonlocal left
                asked.append(guess)  # noqa: B023
                truth = size.respond(guess, code)  # noqa: B023
                again = said.get(guess.tobytes())  # noqa: B023
                wants = {
                    "first": True,
                    "row": len(asked) > start,  # noqa: B023
                    "insist": again is not None or (not said and len(asked) > start),  # noqa: B023
                    "any": bool(dice.random() < 0.05),
                }[habit]  # noqa: B023
                if not left or not wants:
                    return truth
                left -= 1
                false = again or misread(size, truth, dice)
                if habit == "any":  # noqa: B023
                    false = tuple(int(dice.integers(-1, n + 2)) for _ in truth)
                    left += false == truth
                said[guess.tobytes()] = false  # noqa: B023
                return false

            found = play(surviving(size, Votes(lies), "identify"), respond, most=20 * n * (lies + 1))
            assert np.array_equal(found.secret, code)


def test_true_responses_cost_only_the_certainty_of_the_last() -> None:
    size = Size("mastermind", 40, 40)
    for code in random_codes(size, 5, 2):
        games = [
            play(talk, lambda guess: size.respond(guess, code)).questions  # noqa: B023
            for talk in (
                strategy(size),
                surviving(size, Votes(3)),
                surviving(size, Votes(3), "identify"),
            )
        ]
        assert games == [games[0], games[0], games[0] + 3]


def test_more_lies_than_allowed_are_named_or_another_code_is_found_but_it_ends() -> None:
    size, named = Size("blackpeg", 8, 5), 0
    for seed in range(20):
        dice = np.random.default_rng(seed)
        code = random_codes(size, 1, seed)[0]
        try:
            play(
                surviving(size, Votes(1), "identify"),
                lambda guess: (
                    misread(size, size.respond(guess, code), dice)  # noqa: B023
                    if dice.random() < 0.3  # noqa: B023
                    else size.respond(guess, code)  # noqa: B023
                ),
                most=500,
            )
        except Contradiction as error:
            named += 1
            assert "more than 1 of" in str(error)
    assert named > 10


def test_random_errors_are_survived_as_often_as_promised() -> None:
    size = Size("mastermind", 10, 8)
    codes = random_codes(size, 40, 3)
    costs = [measure_doubt(size, codes, Doubt(rate=rate), "identify") for rate in (0.0, 0.01, 0.1)]
    assert [one.right for one in costs] == [40, 40, 40]
    assert costs[0].extra == 40, "the code is asked, to be certain"
    assert 40 < costs[1].extra < costs[2].extra


def test_the_interval_is_that_of_wilson() -> None:
    low, high = Doubted({1: 100}, 0.0, 97, 0).interval()
    assert (round(low, 4), round(high, 4)) == (0.9155, 0.9897)  # Newcombe 1998, method 3
    assert Doubted({1: 10}, 0.0, 10, 0).interval()[1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("spec", "lies", "goal", "worst"),
    [((4, 6), 1, "identify", 6), ((4, 6), 1, "win", 7), ((4, 6), 0, "win", 5), ((3, 3), 1, "win", 5)],
)
def test_counting_does_not_exceed_what_is_proved_of_small_games(
    spec: tuple[int, int], lies: int, goal: str, worst: int
) -> None:
    assert 1 < lies_bound(Size("mastermind", *spec), lies, goal) <= worst


def test_misread_responses_are_false_and_possible() -> None:
    dice = np.random.default_rng(1)
    for size in (Size("mastermind", 5, 4), Size("blackpeg", 5, 4), Size("mastermind", 4, 2)):
        for truth in filter(size.possible, every_response(size)):
            false = misread(size, truth, dice)
            assert false != truth
            assert size.possible(false)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("n", "k"), [(1, 2), (1, 5), (2, 3), (5, 4)])
def test_a_win_is_never_claimed_falsely(family: str, n: int, k: int) -> None:
    size, dice = Size(family, n, k), np.random.default_rng(1)
    for truth in filter(size.possible, every_response(size)):
        if truth[0] < n:
            false = misread(size, truth, dice, "win")
            assert false[0] < n
            assert false != truth or n == 1
    codes = [size.code(code) for code in islice(product(range(k), repeat=n), 50)]
    assert measure_doubt(size, codes, Doubt(3)).right == len(codes)


def test_a_game_that_is_won_is_over_whatever_was_false_before() -> None:
    size, dice = Size("blackpeg", 3, 4), np.random.default_rng(2)
    for code in random_codes(size, 100, 1):
        left = [2]

        def respond(guess: Code) -> Response:
            truth = size.respond(guess, code)  # noqa: B023
            false = misread(size, truth, dice, "win")
            if left[0] and truth[0] < 3 and dice.random() < 0.5:  # noqa: B023
                left[0] -= 1  # noqa: B023
                return false
            return truth

        game = play(surviving(size, Votes(2)), respond)
        assert [truth[0] == 3 for _, truth in game.steps] == [False] * (game.questions - 1) + [True]


def test_numbers_that_are_none_are_named() -> None:
    with pytest.raises(GuesstreeError, match="-1 lies; expected 0 to 1000"):
        Votes(-1)
    with pytest.raises(GuesstreeError, match=r"rate of 0\.5; expected 0 to 0.49"):
        RandomErrors(Size("mastermind", 4, 6), 0.5)
