"""Coins whose weights lie in known ranges."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from guesstree.engine.constructive import ranges
from guesstree.engine.constructive.adaptive import play, replay
from guesstree.engine.constructive.ranges import weigh_ranges
from guesstree.engine.errors import Contradiction

COINS = st.lists(
    st.lists(st.integers(1, 9), min_size=1, max_size=6).flatmap(
        lambda odds: st.tuples(st.just(tuple(odds)), st.integers(0, len(odds) - 1))
    ),
    max_size=24,
)


def weighings(odds: Sequence[tuple[int, ...]], weights: list[int], *, known: bool) -> int:
    hidden = np.array(weights, dtype=np.int64)
    total = int(hidden.sum()) if known else None
    record = play(weigh_ranges(odds, total), lambda mask: int(hidden[mask].sum()))
    assert record.secret.tolist() == weights
    return record.questions


@given(COINS, st.booleans())
def test_every_weight_is_found(coins: list[tuple[tuple[int, ...], int]], known: bool) -> None:
    weighings([odds for odds, _ in coins], [weight for _, weight in coins], known=known)


@given(COINS, st.booleans())
def test_every_weight_is_found_by_schemes_alone(
    coins: list[tuple[tuple[int, ...], int]], known: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "MOST_CASES", 1)
        patch.setattr(ranges, "MANY", 0)
        weighings([odds for odds, _ in coins], [weight for _, weight in coins], known=known)


def test_five_coins_take_four_weighings_or_three_with_their_total() -> None:
    """The article's example; looking ahead does as well in the worst case."""
    every = [[number >> coin & 1 for coin in range(5)] for number in range(32)]
    assert max(weighings([(1, 1)] * 5, weights, known=False) for weights in every) <= 4
    assert max(weighings([(1, 1)] * 5, weights, known=True) for weights in every) <= 3


def test_two_coins_take_one_and_a_half_weighings_on_average() -> None:
    every = [[a, b] for a in (0, 1) for b in (0, 1)]
    assert sorted(weighings([(1, 1)] * 2, weights, known=False) for weights in every) == [1, 1, 2, 2]


def test_odds_say_what_to_find_soonest() -> None:
    odds = [(15, 1)] * 4 + [(1, 1)] * 4
    cases = [[number >> coin & 1 for coin in range(8)] for number in range(256)]

    def expected(told: Sequence[tuple[int, ...]]) -> int:
        """Return the weighings for all cases, each as often as it has the odds."""
        return sum(weighings(told, case, known=False) * 15 ** (4 - sum(case[:4])) for case in cases)

    assert expected(odds) < expected([(1, 1)] * 8)


def test_results_that_no_weights_give_are_noticed() -> None:
    with pytest.raises(Contradiction, match="cannot weigh 3 together") as found:
        replay(weigh_ranges([(1, 1)] * 2), [3])
    assert found.value.step == 1
    with pytest.raises(Contradiction, match="add up to 9"):
        replay(weigh_ranges([(1, 1)] * 2, 9), [])
    hidden = np.array([number % 2 for number in range(40)])
    talk = weigh_ranges([(1, 1)] * 40)
    with pytest.raises(Contradiction):
        # One result is off by one: its parity cannot be explained.
        asked: list[int] = []

        def wrong(mask: np.ndarray) -> int:
            asked.append(1)
            return int(hidden[mask].sum()) + (len(asked) == 3)

        play(talk, wrong)


@given(COINS, st.integers(1, 6))
def test_coins_of_a_slot_are_never_weighed_together(
    coins: list[tuple[tuple[int, ...], int]], many: int
) -> None:
    hidden = np.array([weight for _, weight in coins], dtype=np.int64)
    slots = np.arange(len(coins)) % many

    def weight(mask: np.ndarray) -> int:
        assert np.bincount(slots[mask], minlength=1).max() <= 1
        return int(hidden[mask].sum())

    record = play(weigh_ranges([odds for odds, _ in coins], slots=slots.tolist()), weight)
    assert record.secret.tolist() == hidden.tolist()


def test_two_slots_of_six_coins_take_less_than_six_games_of_two() -> None:
    slots = [coin % 2 for coin in range(12)]
    numbers = np.random.default_rng(1)
    asked = 0

    def sum_of(hidden: NDArray[np.int64], mask: NDArray[np.bool_]) -> int:
        return int(hidden[mask].sum())

    for _ in range(50):
        talk = weigh_ranges([(1, 1)] * 12, slots=slots)
        asked += play(talk, partial(sum_of, numbers.integers(0, 2, 12))).questions
    assert asked / 50 < 8.8  # six games of two coins: 9 on average


def test_weights_of_many_values_are_found() -> None:
    for weight in (0, 255, 256, 300):
        assert weighings([(1,) * 301, (1, 1)], [weight, 1], known=False) <= 2
