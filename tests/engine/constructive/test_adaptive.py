"""The interface of adaptive strategies, with halving as the strategy."""

from collections.abc import Generator

import pytest

from guesstree.engine.constructive.adaptive import play, replay
from guesstree.engine.errors import GuesstreeError


def halving(numbers: int) -> Generator[int, bool, int]:
    """Find a number below `numbers`: each guess asks whether the secret is below it."""
    low, high = 0, numbers
    while high - low > 1:
        middle = (low + high) // 2
        if (yield middle):
            high = middle
        else:
            low = middle
    return low


@pytest.mark.parametrize("numbers", [1, 2, 3, 8, 100])
def test_play_finds_every_secret(numbers: int) -> None:
    records = [play(halving(numbers), secret.__lt__) for secret in range(numbers)]
    assert [record.secret for record in records] == list(range(numbers))
    assert max(record.questions for record in records) == (numbers - 1).bit_length()


def test_replay_gives_the_next_guess_or_the_secret() -> None:
    assert replay(halving(8), []) == (4, None)
    assert replay(halving(8), [True]) == (2, None)
    assert replay(halving(8), [True, False, True]) == (None, 2)
    with pytest.raises(GuesstreeError, match="4 responses, but the strategy asks 3 questions"):
        replay(halving(8), [True, False, True, True])


def test_play_ends_at_the_most_that_is_allowed() -> None:
    with pytest.raises(GuesstreeError, match="more than 2 questions"):
        play(halving(8), lambda _: False, most=2)
