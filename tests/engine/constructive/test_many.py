"""Mastermind of any size: every code is found, and responses that fit none are named."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guesstree.engine.constructive import asking
from guesstree.engine.constructive.adaptive import play
from guesstree.engine.constructive.many import strategy
from guesstree.engine.constructive.measure import (
    different_codes,
    measure,
    questions,
    random_codes,
    structured_codes,
)
from guesstree.engine.constructive.size import FAMILIES, Code, Response, Size
from guesstree.engine.constructive.zeros import WAYS
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve

TINY = [(n, k) for n in range(1, 6) for k in range(1, 8) if k**n <= 256]
SIZES = [(8, 8), (16, 16), (40, 7), (9, 100), (64, 64), (33, 70), (50, 3), (60, 2)]


@pytest.fixture
def unlisted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the strategy rely on what it concludes, as it does where codes are too many to list."""
    monkeypatch.setattr(asking, "MOST_LISTED", 0)


def every_code(size: Size) -> list[Code]:
    return [size.code(code) for code in product(range(size.colours), repeat=size.pegs)]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("zeros", WAYS)
@pytest.mark.long
def test_every_code_of_tiny_sizes_is_found(family: str, zeros: str, unlisted: None) -> None:
    for n, k in TINY:
        size = Size(family, n, k)
        for code in every_code(size):
            identify = questions(strategy(size, "identify", zeros), size, code)
            win = questions(strategy(size, "win", zeros), size, code)
            assert win - identify in (0, 1)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_code_of_tiny_sizes_is_found_with_the_codes_left_listed(family: str) -> None:
    for n, k in TINY:
        size = Size(family, n, k)
        for code in every_code(size):
            questions(strategy(size), size, code)


@pytest.mark.parametrize(("n", "k"), SIZES)
@pytest.mark.parametrize("family", FAMILIES)
def test_structured_codes_are_found(family: str, n: int, k: int) -> None:
    size = Size(family, n, k)
    for code in structured_codes(size).values():
        for zeros in WAYS:
            questions(strategy(size, "win", zeros), size, code)


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_random_codes_and_permutations_are_found(n: int, k: int) -> None:
    size = Size("mastermind", n, k)
    for code in random_codes(size, 20, seed=n) + different_codes(size, 20, seed=k):
        questions(strategy(size), size, code)


@pytest.mark.long
def test_more_than_a_thousand_random_codes_of_a_middling_size_are_found() -> None:
    size = Size("mastermind", 12, 12)
    found = measure(size, random_codes(size, 1000, seed=5))
    assert found.games == 1000
    assert 20 < found.mean < 40


@given(st.data())
def test_codes_of_any_size_are_found(data: st.DataObject) -> None:
    n, k = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 50))
    size = Size(data.draw(st.sampled_from(FAMILIES)), n, k)
    few = data.draw(st.integers(1, k))
    code = data.draw(st.lists(st.integers(0, few - 1), min_size=n, max_size=n))
    questions(strategy(size, zeros=data.draw(st.sampled_from(WAYS))), size, size.code(code))


@pytest.mark.parametrize(("n", "most"), [(256, 1150), pytest.param(1024, 5000, marks=pytest.mark.long)])
def test_large_codes_are_found_in_about_n_log_log_n_questions(n: int, most: int) -> None:
    size = Size("mastermind", n, n)
    assert measure(size, random_codes(size, 1, seed=n) + different_codes(size, 1, seed=n)).most <= most


def lying_game(size: Size, goal: str, zeros: str, lies: random.Random) -> tuple[int | None, int | None]:
    """Play against responses of which some are false; return when none is left, and when that is said.

    Sees that what is concluded is the one code that fits, and that nothing true is called false.
    """
    left = every_code(size)
    secret, rate = lies.choice(left), lies.choice([0.02, 0.1, 0.3, 1])
    dead: list[int] = []
    asked: list[Code] = []

    def respond(guess: Code) -> Response:
        nonlocal left
        asked.append(guess)
        response = size.respond(guess, secret)
        if lies.random() < rate:
            kind = lies.randrange(3)
            if kind == 0:
                response = size.respond(guess, lies.choice(every_code(size)))
            elif kind == 1:
                response = (response[0] + lies.choice([-1, 1]), *response[1:])
            else:
                response = tuple(lies.randint(-1, size.pegs + 1) for _ in response)
        left = [code for code in left if size.respond(guess, code) == response]
        if not left and not dead:
            dead.append(len(asked))
        return response

    try:
        record = play(strategy(size, goal, zeros), respond)
    except Contradiction as error:
        assert dead, f"{size.spec}: a code fits, but {error}"
        assert error.step == len(asked)
        return dead[0], error.step
    assert [code.tolist() for code in left] == [record.secret.tolist()]
    return None, None


GAMES = [
    Size(family, n, k)
    for family in FAMILIES
    for n, k in [(1, 3), (2, 2), (2, 3), (3, 3), (5, 2), (3, 4), (4, 3)]
]


def test_false_responses_are_named_at_once_where_codes_are_listed() -> None:
    lies = random.Random(1)
    for _ in range(300):
        dead, said = lying_game(lies.choice(GAMES), lies.choice(["win", "identify"]), lies.choice(WAYS), lies)
        assert dead == said


def test_false_responses_are_named_at_the_end_at_the_latest(unlisted: None) -> None:
    lies = random.Random(2)
    games = [
        lying_game(lies.choice(GAMES), lies.choice(["win", "identify"]), lies.choice(WAYS), lies)
        for _ in range(600)
    ]
    said = [game for game in games if game[0] is not None]
    assert len(said) > 100
    assert sum(dead == step for dead, step in said) > 0.8 * len(said)


def test_a_wrong_number_of_pegs_is_named_at_once_when_the_colours_are_known() -> None:
    size = Size("mastermind", 30, 30)
    secret = size.code(range(30))
    asked: list[Code] = []

    def respond(guess: Code) -> Response:
        asked.append(guess)
        black, white = size.respond(guess, secret)
        return (black, white + 1) if len(asked) == 20 else (black, white)

    with pytest.raises(Contradiction, match=r"from response 20 on .* by its colours"):
        play(strategy(size), respond)


@pytest.mark.parametrize("response", [(5, 0), (3, 1), (-1, 0), (2, 3), (1,)])
def test_what_is_never_a_response_is_named_at_once(response: Response) -> None:
    with pytest.raises(Contradiction, match=r"from response 1 on .* is never a response"):
        play(strategy(Size("mastermind", 4, 6)), lambda _: response)


@pytest.mark.parametrize(("n", "k"), [(1, 2), (1, 9), (2, 5), (2, 7), (2, 12), (3, 8)])
def test_no_strategy_spares_showing_all_colours_but_one(n: int, k: int) -> None:
    """Codes of one colour each, of which two were never shown, have got the same responses."""
    worst = solve(parse(f"mastermind:{n}x{k}"), "worst", goal="identify").lower[0]
    assert n * worst >= k - 1
    assert n > 1 or worst == k - 1


def test_goals_and_ways_that_do_not_exist_are_refused() -> None:
    with pytest.raises(GuesstreeError, match="goal 'draw'; use win or identify"):
        next(strategy(Size("mastermind", 4, 6), "draw"))
    with pytest.raises(GuesstreeError, match="zeros 'none'; use free, walk, weigh"):
        next(strategy(Size("mastermind", 4, 6), zeros="none"))
