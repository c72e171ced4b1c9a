"""What a checker of proofs counts: the kernel and its plain twin say the same."""

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st

from guesstree.cext import claims, reference_claims
from guesstree.engine.proofs.counting import Counting


@tries(1)
@given(
    seed=st.integers(0, 10**6), secrets=st.integers(2, 40), responses=st.integers(2, 90), win=st.booleans()
)
def test_counters_agree(seed: int, secrets: int, responses: int, win: bool) -> None:
    chance = np.random.default_rng(seed)
    guesses = int(chance.integers(1, 50))
    table = chance.integers(0, responses, (guesses, secrets)).astype(np.uint8)
    own = np.full(guesses, -1, dtype=np.int32)
    winning = responses if win else -1
    if win:  # some guesses are secrets
        named = chance.permutation(min(guesses, secrets)).astype(np.int32)
        own[: len(named)] = named
        table[np.arange(len(named)), named] = responses
    fast, plain = (twin.Counter(table, own, responses + win, winning) for twin in (claims, reference_claims))
    size = int(chance.integers(2, secrets + 1))
    candidates = np.sort(chance.choice(secrets, size, replace=False)).astype(np.int32)
    parts = fast.parts(candidates)
    assert np.array_equal(parts, plain.parts(candidates))
    most = int(parts.max())
    counting = Counting([guesses] * secrets, most, secrets, win=win)
    for depth in (1, 3, secrets):
        costs = counting.of_sizes(size, depth)
        even = counting.even(costs, size, most)
        least = plain.least(candidates, parts, costs, even, 0)
        assert fast.least(candidates, parts, costs, even, 0) == least
        for bound in (least, least + 1, claims.INFINITE):
            weak = fast.weak(candidates, parts, costs, even, bound)
            assert np.array_equal(weak, plain.weak(candidates, parts, costs, even, bound))


@pytest.mark.parametrize("win", [True, False])
def test_counting_is_that_of_perfect_trees(win: bool) -> None:
    """Three branches: 1 + 2 * 2 + 4 * 3 to win seven, of which a guess wins one; 9 leaves of depth 2."""
    counting = Counting([3] * 9, 3, 9, win=win)
    assert int(counting.least[7 if win else 9]) == (1 + 2 * 2 + 4 * 3 if win else 18)
