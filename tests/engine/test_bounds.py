"""Counting bounds: exactly what a perfect tree reaches, and never above the truth."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tables import arrays, games

from guesstree.cext.reference_evaluate import leaves
from guesstree.engine.bounds.counting import capacities, least_totals, least_weighted
from guesstree.engine.game import Game
from guesstree.engine.oracle import best, front


@cache
def perfect(n: int, depth: int, win: bool) -> int | None:
    """Return the least total of any tree over n secrets within a depth whose splits keep the profile."""
    if n <= (0 if win else 1):
        return 0
    if depth == 0:
        return None
    spread = splits(n - 1 if win else n, n, 0, depth - 1, win)
    return None if spread is None else spread + n


@cache
def splits(n: int, largest: int, made: int, depth: int, win: bool) -> int | None:
    """Return the least sum over parts in falling order, so many made already, that keep the profile."""
    if n == 0:
        return 0
    found = [
        a + b
        for m in range(1, min(n, largest) + 1)
        if made < (PROFILE[m - 1] if m <= len(PROFILE) else 0)
        and (a := perfect(m, depth, win)) is not None
        and (b := splits(n - m, m, made + 1, depth, win)) is not None
    ]
    return min(found, default=None)


PROFILE: list[int] = []


def check_perfect(profile: list[int], secrets: int, win: bool, *, exactly: bool) -> None:
    PROFILE[:] = profile
    perfect.cache_clear()
    splits.cache_clear()
    totals = least_totals(profile, secrets, win=win)
    capacity = capacities(profile, secrets, win=win)
    assert not win or (np.diff(totals, 2) >= 0).all(), "convex"
    for n in range(1, secrets + 1):
        depths = [d for d in range(secrets + 1) if perfect(n, d, win) is not None]
        if depths:
            assert next(d for d in range(len(capacity)) if capacity[d] >= n) <= depths[0]
            assert all((perfect(n, d, win) or 0) >= totals[n] for d in depths)
        if depths and exactly:
            assert next(d for d in range(len(capacity)) if capacity[d] >= n) == depths[0]
            assert all(perfect(n, d, win) == totals[n] for d in depths), "the same under a depth limit"


@given(st.integers(2, 5), st.integers(1, 14), st.booleans())
def test_bounds_are_those_of_perfect_trees(responses: int, secrets: int, win: bool) -> None:
    check_perfect([responses - win] * secrets, secrets, win, exactly=True)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.integers(1, 12), st.booleans())
def test_bounds_hold_for_every_profile(profile: list[int], secrets: int, win: bool) -> None:
    check_perfect(sorted(profile, reverse=True), secrets, win, exactly=win)


@given(st.integers(2, 5), st.integers(1, 4), st.integers(0, 16))
def test_leaves_below_nodes_are_the_least_of_all_splits(branches: int, k: int, more: int) -> None:
    least = least_totals([branches] * (k + more), k + more, win=False)
    ways = combinations_with_replacement(range(1, more + 2), k)
    sums = (sum(int(least[m]) for m in sizes) for sizes in ways if sum(sizes) == k + more)
    assert leaves(branches, k, k + more) == min(sums)


@given(games(), st.booleans())
def test_bounds_are_admissible(game: Game, identify: bool) -> None:
    win = game.winning is not None and not identify
    pairs = front(game, "win" if win else "identify")
    given_arrays = arrays(game, win=win, unit=1)
    total, worst = best(pairs, ("total",)), best(pairs, ("worst",))
    if total and worst:
        assert given_arrays["least"][len(game.secrets)] <= total[0]
        assert given_arrays["capacity"][min(worst[0], len(given_arrays["capacity"]) - 1)] >= len(game.secrets)


def groups(items: tuple[int, ...], most: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield every way to part items into at most `most` groups."""
    if not items:
        yield []
        return
    for rest in groups(items[1:], most):
        for i, group in enumerate(rest):
            yield [*rest[:i], (items[0], *group), *rest[i + 1 :]]
        if len(rest) < most:
            yield [(items[0],), *rest]


@cache
def free_tree(weights: tuple[int, ...], branches: int, win: bool) -> int:
    """Return the least weighted total where any parts can be had, and any secret can be won."""
    if len(weights) <= (0 if win else 1):
        return 0
    found = []
    for won in range(len(weights)) if win else [None]:
        left = weights if won is None else weights[:won] + weights[won + 1 :]
        found += [
            sum(weights) + sum(free_tree(tuple(sorted(part)), branches, win) for part in parts)
            for parts in groups(left, branches)
            if win or len(parts) > 1
        ]
    return min(found)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(2, 4), st.booleans())
def test_weighted_counting_is_the_least_of_all_trees(weights: list[int], branches: int, win: bool) -> None:
    assert least_weighted(weights, branches, win=win) == free_tree(tuple(sorted(weights)), branches, win)
