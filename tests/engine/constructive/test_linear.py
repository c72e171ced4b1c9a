"""Codes whose colours differ, by a number of questions linear in the pegs."""

from itertools import permutations

import numpy as np
import pytest

from guesstree.engine.constructive import asking
from guesstree.engine.constructive.adaptive import play
from guesstree.engine.constructive.liars import misread
from guesstree.engine.constructive.linear import places_questions
from guesstree.engine.constructive.many import strategy
from guesstree.engine.constructive.measure import different_codes, measure, questions, random_codes
from guesstree.engine.constructive.size import FAMILIES, Code, Response, Size
from guesstree.engine.errors import Contradiction, GuesstreeError


@pytest.mark.parametrize("n", range(1, 7))
def test_every_order_of_few_colours_is_found(n: int) -> None:
    asked = [places_questions(np.array(order, dtype=np.uint16)) for order in permutations(range(n))]
    assert max(asked) <= 11 * n
    assert n < 3 or max(asked) >= n - 1


@pytest.mark.parametrize("n", [7, 16, 23, 64, 100, 256])
def test_questions_are_at_most_eleven_for_each_peg(n: int) -> None:
    for seed in range(5):
        code = np.random.default_rng(seed).permutation(n).astype(np.uint16)
        assert places_questions(code) <= 11 * n


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("n", "k"), [(1, 3), (3, 3), (4, 6), (5, 5), (16, 16), (30, 30), (33, 70)])
def test_codes_are_found_by_guesses(family: str, n: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MOST_LISTED", 0)
    size = Size(family, n, k)
    for code in different_codes(size, 5, n) + random_codes(size, 2, k):
        for goal in ("win", "identify"):
            questions(strategy(size, goal, places="linear"), size, code)


def test_a_false_response_is_named_or_another_code_fits_all() -> None:
    size, named = Size("blackpeg", 12, 12), 0
    for seed in range(30):
        dice, code = np.random.default_rng(seed), different_codes(size, 1, seed)[0]
        steps: list[tuple[Code, Response]] = []

        def respond(guess: Code) -> Response:
            response = size.respond(guess, code)  # noqa: B023
            if len(steps) == 20 + seed % 15:  # noqa: B023
                response = misread(size, response, dice)  # noqa: B023
            steps.append((guess, response))  # noqa: B023
            return response

        try:
            found = play(strategy(size, places="linear"), respond).secret
        except Contradiction:
            named += 1
            continue
        assert all(size.respond(guess, found) == response for guess, response in steps)
    assert named > 15


def test_blocks_need_fewer_questions() -> None:
    size = Size("mastermind", 16, 16)
    codes = different_codes(size, 5, 1)
    assert measure(size, codes).most < measure(size, codes, places="linear").least


def test_ways_that_do_not_exist_are_named() -> None:
    with pytest.raises(GuesstreeError, match="places 'all'; use blocks or linear"):
        next(strategy(Size("mastermind", 4, 6), places="all"))
