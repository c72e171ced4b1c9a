"""What the checker of games with costs finds by itself, as writers see it: never more than what is true."""

import random
from itertools import permutations
from math import inf
from typing import Any

import numpy as np
import pytest
from effort import seeds
from priced_tables import ANSWERS, WIN, PricedTiny, mirrored, some_priced

from guesstree.cext import priced_claims

LEFT = {"paid": (priced_claims.INFINITE, 1), "lost": (1, 0)}


def checker(game: PricedTiny) -> Any:
    """Return what a checker knows of a tiny game."""
    table = np.array([[ANSWERS.index(a) for a in row] for row in game.answers], dtype=np.uint8)
    costs = np.array([[price[a] for a in ANSWERS] for price in game.price], dtype=np.int64)
    weights = np.array(game.weights, dtype=np.int64)
    winning = ANSWERS.index(WIN) if game.win else -1
    known = priced_claims.Checker(table, len(ANSWERS), winning, weights, costs, game.only)
    penalty, rate = LEFT.get(game.counts, (game.scale - game.limit if game.limit < inf else 0, 1))
    known.counts(int(penalty), rate)
    return known


def cost_of(bound: int) -> float:
    return inf if bound >= priced_claims.INFINITE else bound


@pytest.mark.parametrize("seed", seeds(12, 200))
def test_what_is_shown_is_true(seed: int) -> None:
    """All that a checker says of a guess and of what it leaves is at most what that costs."""
    chance = random.Random(seed)
    game = some_priced(chance, only=True)
    known, everything = checker(game), game.everything()
    states, asked = [(everything, 0)], np.arange(len(game.answers), dtype=np.int32)
    for members, paid in states:
        left = -1 if game.limit == inf else int(game.limit) - paid
        candidates = np.array(members, dtype=np.int32)
        sets = {
            guess: game.sets(members, paid, None if guess < 0 else guess)
            for guess in range(-1, len(game.answers))
        }
        spent = 0 if game.counts == "lost" else paid * game.weight(members)
        for guess, found in sets.items():
            total, parts = known.ask(candidates, left, guess, priced_claims.INFINITE)
            if guess >= 0:
                assert cost_of(total) <= game.asking(members, guess, paid) - spent
            named = {(tuple(part.tolist()), rest): cost_of(bound) for part, rest, bound in parts}
            true = {(part, -1 if left < 0 else int(game.limit) - now): (part, now) for part, now in found}
            assert named.keys() == true.keys()
            assert all(bound <= game.bound(*true[key]) for key, bound in named.items())
        states += [one for found in sets.values() for one in found if one not in states][: 12 - len(states)]
        bound = game.bound(members, paid)
        if len(members) > 1 and sets[-1] == [(members, paid)] and bound < inf:
            cheap = {g for g in game.useful(members) if game.asking(members, g, paid) - spent < bound + 1}
            assert cheap <= {*known.weak(candidates, left, int(bound) + 1, asked)}
            known.remember(candidates, left, int(bound))
            assert known.known(candidates, left) == bound


@pytest.mark.parametrize("seed", seeds(4, 40))
def test_orbits_are_those_of_renamings(seed: int) -> None:
    """A permutation of the secrets is taken exactly if every guess has an image, and joins both."""
    chance = random.Random(seed)
    game = mirrored(some_priced(chance, 4, 2, only=True), chance)
    known, everything = checker(game), game.everything()
    candidates = np.array(everything, dtype=np.int32)
    for to in permutations(everything):
        images, orbits = game.images(everything, to), known.orbits(candidates, [np.array(to, dtype=np.int32)])
        assert (images is None) == (orbits is None)
        for guess, some in (images or {}).items():
            assert orbits[guess] in {orbits[image] for image in some}
            assert orbits[guess] <= guess


def test_misses_add_up_on_the_path_that_meets_them() -> None:
    """Three letters, each in one of four words: 1 miss for the second, 2, 3 and 3 for the others (P5)."""
    rows = [["a", "b", "b", "b"], ["b", "a", "b", "b"], ["b", "b", "a", "b"]]
    price = [{answer: int(answer == "b") for answer in ANSWERS}] * 3
    known, every = checker(PricedTiny(rows, price, [1] * 4, win=False)), np.arange(4, dtype=np.int32)
    assert known.weak(every, -1, 6, every[:3]) == []
    assert known.weak(every, -1, 10, every[:3]) == [0, 1, 2]
