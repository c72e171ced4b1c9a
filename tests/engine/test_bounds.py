"""Counting bounds: exactly what a perfect tree reaches, and never above the truth."""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st
from tables import arrays, games

from guesstree.engine.bounds import capacities, least_totals
from guesstree.engine.game import Game
from guesstree.engine.oracle import best, front


@cache
def perfect(n: int, responses: int, depth: int, win: bool) -> int | None:
    """Return the least total of any tree over n secrets within a depth, by trying every split."""
    if n <= (0 if win else 1):
        return 0
    if depth == 0:
        return None
    spread = splits(n - 1 if win else n, responses - 1 if win else responses, depth - 1, win)
    return None if spread is None else spread + n


@cache
def splits(n: int, parts: int, depth: int, win: bool) -> int | None:
    """Return the least sum over at most so many parts that are not empty."""
    if n == 0:
        return 0
    if parts == 0:
        return None
    found = [
        a + b
        for m in range(1, n + 1)
        if (a := perfect(m, PARTS[0], depth, win)) is not None
        and (b := splits(n - m, parts - 1, depth, win)) is not None
    ]
    return min(found, default=None)


PARTS = [0]


@given(st.integers(2, 5), st.integers(1, 14), st.booleans())
def test_bounds_are_those_of_perfect_trees(responses: int, secrets: int, win: bool) -> None:
    PARTS[0] = responses
    perfect.cache_clear()
    splits.cache_clear()
    totals = least_totals(responses, secrets, win=win)
    capacity = capacities(responses, secrets, win=win)
    for n in range(1, secrets + 1):
        depths = [d for d in range(secrets + 1) if perfect(n, responses, d, win) is not None]
        assert next(d for d in range(len(capacity)) if capacity[d] >= n) == depths[0]
        assert all(perfect(n, responses, d, win) == totals[n] for d in depths), "the same under a depth limit"


@given(games(), st.booleans())
def test_bounds_are_admissible(game: Game, identify: bool) -> None:
    win = game.winning is not None and not identify
    pairs = front(game, "win" if win else "identify")
    given_arrays = arrays(game, win=win, unit=1)
    total, worst = best(pairs, ("expected",)), best(pairs, ("worst",))
    if total and worst:
        assert given_arrays["least"][len(game.secrets)] <= total[0]
        assert given_arrays["capacity"][min(worst[0], len(given_arrays["capacity"]) - 1)] >= len(game.secrets)
