"""What a checker of proofs finds by itself: the kernel and its plain twin say the same."""

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st

from guesstree.cext import claims, reference_claims
from guesstree.engine.claims.counting import Counting


@tries(1)
@given(
    seed=st.integers(0, 10**6),
    secrets=st.integers(2, 30),
    responses=st.integers(2, 90),
    win=st.booleans(),
    only=st.booleans(),
)
def test_counters_agree(seed: int, secrets: int, responses: int, win: bool, only: bool) -> None:
    chance = np.random.default_rng(seed)
    guesses = int(chance.integers(1, 50))
    table = chance.integers(0, responses, (guesses, secrets)).astype(np.uint8)
    own = np.full(guesses, -1, dtype=np.int32)
    winning = responses if win else -1
    if win or only:  # some guesses are secrets
        named = chance.permutation(min(guesses, secrets)).astype(np.int32)
        own[: len(named)] = named
        table[np.arange(len(named)), named] = responses
    fast, plain = (
        twin.Counter(table, own, responses + 1, winning, only) for twin in (claims, reference_claims)
    )
    size = int(chance.integers(2, secrets + 1))
    candidates = np.sort(chance.choice(secrets, size, replace=False)).astype(np.int32)
    parts = fast.parts(candidates)
    assert np.array_equal(parts, plain.parts(candidates))
    most = max(1, int(parts.max()))
    counting = Counting([guesses] * secrets, most, secrets, win=win)
    asked = np.flatnonzero(parts).astype(np.int32)
    for depth in (1, 2, secrets):
        settled, later = counting.settled(depth - 1), counting.settled(depth - 2)
        shown = []
        for guess in asked.tolist():
            below = counting.least, most, settled, later, depth - 1, claims.INFINITE
            total, found = fast.bounds(candidates, guess, *below)
            same, expected = plain.bounds(candidates, guess, *below)
            assert total == same
            assert [bound for _, bound in found] == [bound for _, bound in expected]
            assert all(np.array_equal(a, b) for (a, _), (b, _) in zip(found, expected, strict=True))
            shown.append(total)
            if found and chance.random() < 0.2:  # a lemma, true or not: both believe it
                bound = min(found[0][1] + int(chance.integers(0, 3)), claims.INFINITE)
                for twin in (fast, plain):
                    twin.remember(found[0][0], depth - 1, bound)
        for bound in {*shown[:3], *(total + 1 for total in shown[:3]), claims.INFINITE}:
            weak = fast.weak(candidates, parts, counting.least, most, settled, bound)
            assert np.array_equal(weak, plain.weak(candidates, parts, counting.least, most, settled, bound))
            below = counting.least, most, settled, later, depth - 1, bound
            for a, b in zip(
                fast.failing(candidates, asked, *below), plain.failing(candidates, asked, *below), strict=True
            ):
                assert np.array_equal(a, b)
        for twin in (fast, plain):
            twin.forget()


def test_leaves_are_those_of_the_least_tree() -> None:
    """Nine leaves below nodes of three branches all have depth 2; of four, two have depth 1."""
    for twin in (claims, reference_claims):
        assert twin.leaves(3, 1, 9) == 18
        assert twin.leaves(3, 1, 4) == 1 + 1 + 2 + 2
        assert twin.leaves(2, 3, 3) == 0
        assert twin.leaves(1, 1, 2) == claims.INFINITE


@pytest.mark.parametrize("win", [True, False])
def test_counting_is_that_of_perfect_trees(win: bool) -> None:
    """Three branches: 1 + 2 * 2 + 4 * 3 to win seven, of which a guess wins one; 9 leaves of depth 2."""
    counting = Counting([3] * 9, 3, 9, win=win)
    assert int(counting.least[7 if win else 9]) == (1 + 2 * 2 + 4 * 3 if win else 18)


@tries(1)
@given(seed=st.integers(0, 10**6))
def test_counters_agree_which_sets_a_guess_leaves_whole(seed: int) -> None:
    chance = np.random.default_rng(seed)
    table = chance.integers(0, 3, (20, 12)).astype(np.uint8)
    own = np.full(20, -1, dtype=np.int32)
    sizes = chance.integers(2, 5, 8).astype(np.int32)
    members = np.array([chance.choice(12, 4, replace=False) for _ in sizes], dtype=np.int32)
    guesses = chance.permutation(20).astype(np.int32)[:15]
    fast, plain = (twin.Counter(table, own, 3, 2) for twin in (claims, reference_claims))
    found = plain.whole(guesses, members, sizes)
    assert np.array_equal(fast.whole(guesses, members, sizes), found)
