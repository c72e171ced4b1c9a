"""The search below a node of a kit: the compiled one and its plain twin do the same, and fail cleanly."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import pytest
from effort import seeds

from guesstree.cext import reference_kits

kits = pytest.importorskip("guesstree.cext.kits")
core = pytest.importorskip("guesstree.cext.core")
Kits = type[reference_kits.Kits]


@pytest.fixture(autouse=True)
def nothing_fails_afterwards() -> Iterator[None]:
    """Take back what was to fail."""
    yield
    core.fail_allocation(0)


class Small:
    """A random problem, and what is asked about it."""

    def __init__(self, seed: int) -> None:
        dice = random.Random(seed)
        self.questions, self.secrets = dice.choice([3, 7, 12, 70]), dice.randint(2, 14)
        answers, full = dice.randint(2, 4), dice.choice([0.3, 0.6])
        shape = self.secrets, self.questions
        cells = [dice.randrange(answers) if dice.random() < full else 0 for _ in range(shape[0] * shape[1])]
        self.columns = np.array(cells, dtype=np.uint16).reshape(shape)
        kinds = [dice.randrange(s + 1) if dice.random() < 0.2 else s for s in range(self.secrets)]
        self.kinds = np.array(kinds, dtype=np.int64)
        most = dice.choice([1, 4])
        self.costs = np.array([dice.randint(1, most) for _ in range(self.questions)], dtype=np.int64)
        pairs = [pair for pair in combinations(range(self.secrets), 2) if kinds[pair[0]] != kinds[pair[1]]]
        self.pairs = dice.sample(pairs, min(len(pairs), dice.choice([0, 3, 9])))
        many = dice.choice([0, 5, 99]) if self.pairs else 0
        priced = [dice.randrange(len(self.pairs)) for _ in range(many)]
        self.priced = np.array(priced, dtype=np.int32)
        self.start = dice.randrange(self.questions) if dice.random() < 0.3 else None
        self.allowed = sum(1 << g for g in range(self.questions) if dice.random() < 0.95 and g != self.start)
        self.budget, self.most = dice.randint(0, 5 * most), dice.choice([10**9, 10**9, 9])

    def ask(self, kind: Kits, stopped: Callable[[], bool] = lambda: False) -> tuple[object, ...]:
        """Return all that a kernel says."""
        kernel = kind(self.columns, self.kinds, self.costs, stopped)
        for pair in self.pairs:
            kernel.add(*pair)
        kernel.price(self.priced)
        labels = np.zeros(self.secrets, dtype=np.int32)
        opened = (1 << len(self.pairs)) - 1
        if self.start is not None:
            labels = np.unique(self.columns[:, self.start], return_inverse=True)[1].astype(np.int32)
            same = [labels[a] == labels[b] for a, b in self.pairs]
            opened = sum(1 << i for i, alike in enumerate(same) if alike)
        masks = [mask.to_bytes((mask.bit_length() + 7) // 8, "little") for mask in (opened, self.allowed)]
        found = kernel.rest(masks[0], masks[1], labels, self.budget, self.most)
        return found, kernel.nodes, kernel.over, kernel.ended, kernel.added

    def least(self) -> int | None:
        """Return the least cost of a rest within the budget, by trying all sets of questions."""
        start = [] if self.start is None else [self.start]
        allowed = [g for g in range(self.questions) if self.allowed >> g & 1]
        found = [
            cost
            for size in range(min(self.budget, len(allowed)) + 1)
            for kit in combinations(allowed, size)
            if (cost := int(self.costs[list(kit)].sum())) <= self.budget and self.tells([*start, *kit])
        ]
        return min(found, default=None)

    def tells(self, kit: list[int]) -> bool:
        """Return whether questions tell all kinds apart."""
        alike: dict[tuple[int, ...], set[int]] = {}
        for row, kind in zip(self.columns[:, kit].tolist(), self.kinds.tolist(), strict=True):
            alike.setdefault(tuple(row), set()).add(kind)
        return all(len(kinds) == 1 for kinds in alike.values())


@pytest.mark.parametrize("seed", seeds(200, 5000))
def test_the_twins_find_the_same_in_as_many_nodes(seed: int) -> None:
    small = Small(seed)
    assert small.ask(kits.Kits) == small.ask(reference_kits.Kits)


@pytest.mark.parametrize("seed", seeds(100, 3000))
def test_a_rest_is_found_if_there_is_one(seed: int) -> None:
    small = Small(seed)
    if small.questions > 12 or small.most < 10**9:
        return
    found, _, over, _, _ = small.ask(reference_kits.Kits)
    least = small.least()
    assert (found is None) == (least is None)
    if isinstance(found, list):
        assert small.tells(found if small.start is None else [small.start, *found])
        assert small.costs[found].sum() <= small.budget
    else:
        small.budget, before = small.budget + int(str(over)), small.budget
        if over == -1 or small.budget > 12:
            return
        small.budget -= 1  # what it says to be over is at least over by so much
        assert small.budget < before or small.least() is None


def long_search(kind: Kits, stopped: Callable[[], bool]) -> tuple[object, int, int]:
    """Return what a kernel says of a search that takes more than a few thousand nodes."""
    columns = np.random.default_rng(0).integers(0, 2, (120, 60)).astype(np.uint16)
    kernel = kind(columns, np.arange(120), np.ones(60, dtype=np.int64), stopped)
    for pair in combinations(range(9), 2):
        kernel.add(*pair)
    opened, allowed = ((1 << 36) - 1).to_bytes(5, "little"), ((1 << 60) - 1).to_bytes(8, "little")
    found = kernel.rest(opened, allowed, np.zeros(120, dtype=np.int32), 8, 10**6)
    return found, kernel.nodes, kernel.ended


@pytest.mark.parametrize("kind", [kits.Kits, reference_kits.Kits])
def test_a_search_ends_when_it_is_told_to(kind: Kits) -> None:
    assert long_search(kind, lambda: True) == (None, reference_kits.POLL, 1)


def test_a_failing_callback_is_an_exception() -> None:
    def broken() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        long_search(kits.Kits, broken)


@pytest.mark.parametrize("seed", range(12))
def test_no_memory_is_an_exception(seed: int) -> None:
    small, number = Small(seed), 1
    expected = small.ask(kits.Kits)
    while True:
        core.fail_allocation(number)
        try:
            assert small.ask(kits.Kits) == expected
        except MemoryError:
            number += 1
            continue
        assert core.fail_allocation(0) > 0 or number > 1
        return


def test_more_pairs_than_there_was_room_for() -> None:
    """Each pair is told apart by one question only, so all of them are needed."""
    n = 60
    columns = np.zeros((n, n), dtype=np.uint16)
    columns[np.arange(n), np.arange(n)] = 1
    asked: list[tuple[list[int] | None, int]] = []
    for kind in (kits.Kits, reference_kits.Kits):
        kernel = kind(columns, np.arange(n), np.ones(n, dtype=np.int64), lambda: False)
        for pair in combinations(range(n), 2):
            kernel.add(*pair)
        opened = (1 << n * (n - 1) // 2) - 1
        masks = [mask.to_bytes((mask.bit_length() + 7) // 8, "little") for mask in (opened, (1 << n) - 1)]
        found = kernel.rest(masks[0], masks[1], np.zeros(n, dtype=np.int32), n - 1, 10**6)
        asked.append((found, kernel.nodes))
    assert asked[0] == asked[1]
    assert asked[0][0] is not None and len(asked[0][0]) == n - 1


def test_what_is_wrong_is_refused() -> None:
    columns = np.zeros((3, 2), dtype=np.uint16)
    kernel = kits.Kits(columns, np.arange(3), np.array([1, 0]), lambda: False)
    with pytest.raises(ValueError, match="secrets 0 and 3"):
        kernel.add(0, 3)
    with pytest.raises(ValueError, match="pair 0; expected a number below 0"):
        kernel.price(np.zeros(1, dtype=np.int32))
    with pytest.raises(ValueError, match="2 labels; expected 3"):
        kernel.rest(b"", b"\1", np.zeros(2, dtype=np.int32), 1, 9)
    with pytest.raises(ValueError, match="question 1 costs 0"):
        kernel.rest(b"", b"\2", np.zeros(3, dtype=np.int32), 1, 9)
