"""The kernels of hosts who keep the largest part, against their twins."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from effort import seeds
from numpy.typing import NDArray

from guesstree.cext import hosts, reference_hosts


def some_table(dice: np.random.Generator, kind: Any, guesses: int, secrets: int) -> NDArray[Any]:
    """Return a table of random responses, of which some rows and columns are alike."""
    table = dice.integers(0, int(dice.integers(2, 7)), (guesses, secrets)).astype(kind)
    table[:, dice.integers(secrets)] = table[:, dice.integers(secrets)]
    table[dice.integers(guesses)] = table[dice.integers(guesses)]
    return np.ascontiguousarray(table)


@pytest.mark.parametrize("seed", seeds(60, 2000))
@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_kernels_are_their_twins(seed: int, kind: Any) -> None:
    dice = np.random.default_rng(seed)
    table = some_table(dice, kind, int(dice.integers(1, 30)), int(dice.integers(2, 14)))
    guesses, secrets = table.shape
    candidates = np.flatnonzero(dice.random(secrets) < 0.8).astype(np.int32)
    if not len(candidates):
        return
    rank = dice.permutation(7).astype(np.int32)
    winning = int(dice.integers(-1, 3))
    answers, sizes, parts = hosts.kept(table, candidates, rank, winning)
    twin = reference_hosts.kept(table, candidates, rank, winning)
    assert all(map(np.array_equal, (answers, sizes, parts), twin))
    asked = np.flatnonzero(sizes > 1).astype(np.int32)
    others = np.argsort(-parts, kind="stable").astype(np.int32)
    words = int(dice.integers(0, 3))
    demanded, features = (
        dice.integers(0, 4, (many, words)).astype(np.uint64) for many in (len(asked), guesses)
    )
    own = (
        dice.integers(-1, secrets, guesses).astype(np.int32) if dice.random() < 0.5 else np.empty(0, np.int32)
    )
    cores = np.empty((0, hosts.CORE), dtype=np.int32)
    for _ in range(2):  # again with what was learnt
        given: list[Any] = [table, candidates, asked, np.ascontiguousarray(answers[asked]), others]
        given += [np.ascontiguousarray(parts[others]), demanded, features, own, cores]
        pairs, new = hosts.endings(*given)
        expected, _ = reference_hosts.endings(*given)
        assert np.array_equal(pairs, expected)
        for core in new:
            some = core[core >= 0]
            assert all(len(np.unique(row[some])) < len(some) for row in table)
        cores = np.concatenate([cores, new])


def test_pairs_are_in_order() -> None:
    table = np.array([[0, 0, 1], [0, 1, 2], [2, 1, 0]], dtype=np.uint8)
    every = np.arange(3, dtype=np.int32)
    none = np.empty((3, 0), dtype=np.uint64)
    asked, answers = np.array([0], dtype=np.int32), np.array([0], dtype=np.int32)
    parts, own = np.array([2, 3, 3], dtype=np.int32), np.empty(0, dtype=np.int32)
    cores = np.empty((0, hosts.CORE), dtype=np.int32)
    pairs, _ = hosts.endings(table, every, asked, answers, every, parts, none[:1], none, own, cores)
    assert pairs.tolist() == [[0, 1], [0, 2]]
    assert all(a[1] < b[1] for a, b in pairwise(pairs.tolist()))
