"""What a checker of proofs over costs knows: the kernel and its plain twin say the same."""

from typing import Any

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import priced_games

from guesstree.cext import priced_claims, reference_priced_claims
from guesstree.engine.bounds.counting import least_costs
from guesstree.engine.game import Game, costs_of, weights_of


def shown(game: Game, small: int) -> list[Any]:
    """Return both twins for a game."""
    table, costs, weights = game.table(), costs_of(game), weights_of(game)
    winning = -1 if game.winning is None else game.winning
    least = least_costs(table, costs, winning)
    what = (
        table,
        len(game.responses),
        winning,
        weights,
        costs,
        least.pay,
        least.end,
        least.unit,
        least.payer,
    )
    return [twin.Shown(*what, small) for twin in (priced_claims, reference_priced_claims)]


@tries(2)
@given(
    game=priced_games(7, 5),
    small=st.sampled_from([1, 2, 4]),
    left=st.integers(-1, 8),
    counts=st.sampled_from([(priced_claims.INFINITE, 1), (1, 0), (1000, 1)]),
    seed=st.integers(0, 1000),
)
def test_twins_show_the_same(game: Game, small: int, left: int, counts: tuple[int, int], seed: int) -> None:
    twins, chance = shown(game, small), np.random.default_rng(seed)
    every = np.arange(len(game.secrets), dtype=np.int32)
    for twin in twins:
        twin.counts(*counts)
    parts = [(every, left, 0)]
    for _ in range(6):
        candidates, rest, _bound = parts[int(chance.integers(len(parts)))]
        told = int(chance.integers(1, 20))
        guess = int(chance.integers(-1, len(game.guesses)))
        need = int(chance.choice([1, 10, 40, priced_claims.INFINITE]))
        found = [twin.ask(candidates, rest, guess, need) for twin in twins]
        (total, some), (plain_total, plain_some) = found
        assert min(total, need) == min(plain_total, need)
        named = [{(c.tobytes(), at): (c, at, b) for c, at, b in ones} for ones in (some, plain_some)]
        assert named[0].keys() == named[1].keys()
        for twin in twins:
            twin.remember(candidates, rest, told)
        assert len({twin.known(candidates, rest) for twin in twins}) == 1
        if len(candidates) > 1 and [len(c) for c, _, _ in twins[1].ask(candidates, rest, -1, 0)[1]] == [
            len(candidates)
        ]:
            assert twins[0].weak(candidates, rest, need) == twins[1].weak(candidates, rest, need)
        parts += [named[1][key] for key in sorted(named[1])]


@pytest.mark.parametrize("module", [priced_claims, reference_priced_claims])
def test_misses_add_up_on_the_path_that_meets_them(module: Any) -> None:
    """Three letters, each in one of four words: 1 miss for the second, 2, 3 and 3 for the others (P5)."""
    table = np.array([[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1]], dtype=np.uint8)
    ones, costs = np.ones(4, dtype=np.int64), np.array([[0, 1]] * 3, dtype=np.int64)
    least = least_costs(table, costs, -1)
    known = module.Shown(table, 2, -1, ones, costs, least.pay, least.end, least.unit, least.payer, 1)
    every = np.arange(4, dtype=np.int32)
    assert known.weak(every, -1, 6) == []
    assert known.weak(every, -1, 7) == [0, 1, 2]
