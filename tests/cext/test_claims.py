"""What the checker finds by itself about sets of secrets, as writers see it: never more than what is true."""

import random
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from certificates import FOREVER, Tiny, some_game
from effort import seeds

from guesstree.cext import claims


def checker(game: Tiny) -> Any:
    """Return what a checker knows of a tiny game."""
    labels = sorted({answer for row in game.answers for answer in row})
    table = np.array([[labels.index(a) for a in row] for row in game.answers], dtype=np.uint8)
    own, winning = np.full(len(table), -1, dtype=np.int32), -1
    for g, s in np.ndindex(table.shape):
        if game.wins(g, s) and (game.win or game.only):
            own[g] = s
            winning = int(table[g, s]) if game.win else -1
    if game.only and not game.win:
        own[:] = game.own
    if game.win and winning < 0:
        winning = len(labels)
    return claims.Checker(table, own, len(labels) + 1, winning, game.only)


def cost_of(bound: float) -> float:
    return inf if bound >= claims.INFINITE else bound


@pytest.mark.parametrize("seed", seeds(12, 200))
def test_what_is_shown_is_true(tmp_path: Path, seed: int) -> None:
    """Counting, one step ahead and what is remembered are at most the cost; no weak guess is left out."""
    chance = random.Random(seed)
    game = some_game(tmp_path, chance)
    known, everything = checker(game), game.everything()
    for _ in range(12):
        members = tuple(sorted(chance.sample(everything, chance.randint(1, len(everything)))))
        depth = chance.choice([1, 2, 3, FOREVER])
        if len(members) == 1 and not game.win:
            continue
        true, candidates = game.cost(members, depth), np.array(members, dtype=np.int32)
        for bound in {true, true + 1, inf}:
            least = claims.INFINITE if bound == inf else int(bound)
            claim = claims.Claim(known, candidates, depth, least)
            assert cost_of(claim.counted(len(members), claim.depth)) <= true
            weak = claim.unsettled()
            asked = {g: game.asking(members, g, depth) for g in game.allowed(members)}
            cheap = {g for g, cost in asked.items() if cost < bound and game.parts(members, g) != [members]}
            assert cheap <= {*weak.tolist()}
            failing, shown = claim.failing(weak)
            assert cheap <= {*failing.tolist()}
            for g, total in zip(failing.tolist(), shown.tolist(), strict=True):
                assert cost_of(total) <= asked[g]
                parts = claim.parts_of(g, least)
                assert len(members) + sum(low for _, low in parts) == total
                assert sorted(tuple(part.tolist()) for part, _ in parts) == sorted(game.parts(members, g))
                assert [len(part) for part, _ in parts] == sorted((len(part) for part, _ in parts))[::-1]
        if true < inf:
            known.remember(candidates, depth, int(true))


def test_what_is_remembered_serves_the_same_set_with_as_many_guesses_or_fewer() -> None:
    """Four secrets, told apart two and two by one guess and not further: a lemma raises what it costs."""
    table = np.array([[0, 0, 1, 1], [0, 1, 2, 3]], dtype=np.uint8)
    known = claims.Checker(table, np.full(2, -1, dtype=np.int32), 4, -1)
    everything, pair = np.arange(4, dtype=np.int32), np.array([0, 1], dtype=np.int32)
    for depth, most in ((5, 9), (1, 9), (0, 2)):
        known.remember(pair, depth, 9)
        assert claims.Claim(known, everything, 2, 99).parts_of(0, 99)[0][1] == most
        known.forget()
        assert claims.Claim(known, everything, 2, 99).parts_of(0, 99)[0][1] == 2


@pytest.mark.parametrize("seed", range(3))
def test_which_small_set_a_guess_leaves_whole(seed: int) -> None:
    chance = np.random.default_rng(seed)
    table = chance.integers(0, 3, (20, 12)).astype(np.uint8)
    sizes = chance.integers(2, 5, 8).astype(np.int32)
    members = np.array([chance.choice(12, 4, replace=False) for _ in sizes], dtype=np.int32)
    guesses = chance.permutation(20).astype(np.int32)[:15]
    found = claims.Checker(table, np.full(20, -1, dtype=np.int32), 3, 2).whole(guesses, members, sizes)
    for guess, at in zip(guesses, found.tolist(), strict=True):
        rows = [table[guess, some[:size]] for some, size in zip(members, sizes, strict=True)]
        whole = [j for j, row in enumerate(rows) if (row == row[0]).all() and row[0] != 2]
        assert at == (whole[0] if whole else -1)


def test_counting_is_that_of_perfect_trees() -> None:
    """Three branches: 1 + 2 * 2 + 4 * 3 to win seven, of which a guess wins one; nine leaves of depth 2."""
    table = np.array(
        [[s % 3 for s in range(27)], [s // 3 % 3 for s in range(27)], [s // 9 for s in range(27)]]
    )
    everything = np.arange(27, dtype=np.int32)
    none, first = np.full(3, -1, dtype=np.int32), np.array([0, -1, -1], dtype=np.int32)
    assert claims.Claim(claims.Checker(table, none, 3, -1), everything, 9, 1).counted(9, 9) == 18
    table[0, 0] = 3
    assert (
        claims.Claim(claims.Checker(table, first, 4, 3), everything, 9, 1).counted(7, 9) <= 1 + 2 * 2 + 4 * 3
    )
