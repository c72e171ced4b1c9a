"""Strategies that survive lies: every placement of lies in small games, random ones in large games."""

from collections.abc import Callable, Generator
from itertools import product

import numpy as np
import pytest

from guesstree.engine.constructive import lies as module
from guesstree.engine.constructive.adaptive import play
from guesstree.engine.constructive.coins import weigh
from guesstree.engine.constructive.lies import repeated, weigh_with_lies, weighings_with_lies_at_most
from guesstree.engine.constructive.plans import FEW, Checked, Listed, Plan, Repeated, plan
from guesstree.engine.errors import Contradiction, GuesstreeError


def every_game(coins: np.ndarray, lies: int) -> Generator[tuple[np.ndarray, int]]:
    """Yield what is concluded and the number of weighings, for every way to place and choose the lies."""
    plans: list[dict[int, int]] = [{}]
    while plans:
        plan = plans.pop()
        true: list[tuple[int, int]] = []

        def respond(mask: np.ndarray) -> int:
            true.append((int(mask.sum()), int(coins[mask].sum())))  # noqa: B023
            return plan.get(len(true) - 1, true[-1][1])  # noqa: B023

        game = play(weigh_with_lies(len(coins), lies), respond)
        yield game.secret, game.questions
        if len(plan) < lies:
            for i in range(max(plan, default=-1) + 1, len(true)):
                size, truth = true[i]
                plans += [{**plan, i: false} for false in range(size + 2) if false != truth]


KINDS: dict[str, Callable[[int, int, int], Plan]] = {
    "best": plan,
    "listed": lambda n, _, lies: Listed(FEW[lies][0][:n], lies),
    "checked": Checked,
    "repeated": Repeated,
}


@pytest.mark.parametrize(
    ("n", "lies", "kind"),
    [
        (1, 1, "best"),
        (4, 1, "best"),
        (2, 2, "best"),
        (5, 1, "listed"),
        (2, 2, "listed"),
        (3, 1, "checked"),
        (1, 2, "checked"),
        (3, 1, "repeated"),
        (3, 1, None),
        (2, 2, None),
    ],
)
def test_every_placement_of_lies_is_survived(
    n: int, lies: int, kind: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_plan", lambda n, lies, most: KINDS[kind](n, most, lies) if kind else None)
    most = weighings_with_lies_at_most(n, lies)
    asked = []
    for vector in product((0, 1), repeat=n):
        for found, questions in every_game(np.array(vector), lies):
            assert found.tolist() == list(vector)
            asked.append(questions)
    assert max(asked) == most, "the guarantee is met"


@pytest.mark.parametrize(("n", "lies"), [(5, 1), (5, 3), (70, 2), (150, 2), (400, 1), (400, 5)])
def test_random_lies_are_survived(n: int, lies: int) -> None:
    rng = np.random.default_rng(n + lies)
    most = weighings_with_lies_at_most(n, lies)
    for _ in range(30):
        coins = rng.integers(0, 2, n)
        false = set(rng.integers(0, int(rng.choice([5, most])), lies).tolist())
        asked: list[int] = []

        def respond(mask: np.ndarray) -> int:
            asked.append(0)  # noqa: B023
            wrong = len(asked) - 1 in false  # noqa: B023
            return int(coins[mask].sum()) + (int(rng.choice([-1, 1, 2])) if wrong else 0)  # noqa: B023

        game = play(weigh_with_lies(n, lies), respond, most=most)
        assert np.array_equal(game.secret, coins)


def test_without_lies_nothing_is_asked_twice() -> None:
    coins = np.arange(100) % 3 % 2
    games = [
        play(talk, lambda mask: int(coins[mask].sum())) for talk in (weigh_with_lies(100, 0), weigh(100))
    ]
    assert games[0].questions == games[1].questions


def test_many_coins_cost_far_less_than_asking_everything_so_often() -> None:
    assert weighings_with_lies_at_most(10_000, 2) == 1879 + 4 * 14
    assert weighings_with_lies_at_most(1000, 1) == 252 + 2 * 10
    assert weighings_with_lies_at_most(5, 2) == 9 < 4 * 3 + 2
    assert weighings_with_lies_at_most(2, 9) == 2 * 10 + 9


def test_more_lies_than_allowed_are_noticed_or_not_but_never_go_on_for_ever() -> None:
    rng = np.random.default_rng(4)
    noticed = dict.fromkeys((3, 40, 120), 0)
    for n in noticed:
        for _ in range(20):
            most = weighings_with_lies_at_most(n, 2)
            try:
                play(weigh_with_lies(n, 2), lambda mask: int(rng.integers(0, mask.sum() + 1)), most=most)
            except Contradiction as error:
                noticed[n] += 1
                assert "more than 2 of" in str(error)
                assert error.step <= most
    assert noticed[3] > 0 and noticed[40] == noticed[120] == 20


def halving(numbers: int) -> Generator[int, bool, int]:
    low, high = 0, numbers
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if (yield middle) else (middle, high)
    return low


def test_any_strategy_can_be_repeated() -> None:
    """Twenty questions with lies, every placement of two."""
    for secret, first, second in product(range(8), range(11), range(11)):
        asked: list[int] = []

        def respond(guess: int) -> bool:
            asked.append(guess)  # noqa: B023
            return (secret < guess) != (len(asked) - 1 in (first, second))  # noqa: B023

        game = play(repeated(halving(8), 2), respond, most=3 * 3 + 2)
        assert game.secret == secret


def test_a_number_of_lies_below_zero_is_named() -> None:
    with pytest.raises(GuesstreeError, match="-1 lies; expected 0 or more"):
        play(weigh_with_lies(5, -1), lambda _: 0)
