"""The symmetry that a table has: as many renamings as there are, and guesses equivalent that are."""

import numpy as np
import pytest
from effort import seeds
from renamings import Marked, alike_too, listed, symmetric_table

from guesstree.engine.symmetry.found import Found

QUICK = 12


@pytest.mark.parametrize("seed", seeds(QUICK, 200))
def test_renamings_and_classes_are_those_of_the_oracle(seed: int) -> None:
    """Twenty tables: all permutations of the secrets are tried, and orbits of those that keep a history."""
    rng = np.random.default_rng(seed)
    for _ in range(20):
        marked = symmetric_table(rng, 5 if seed < QUICK else 6)
        found, renamings = Found(marked.coloured()), marked.renamings()
        assert found.complete
        assert found.order == len(renamings)
        generated = listed([one.secrets for one in found.renamings], len(marked.secrets))
        assert {tuple(element) for element in generated} == set(renamings)
        for length in range(3):
            history = tuple(rng.integers(0, len(marked.guesses), length).tolist())
            classes = found.classes(history)
            called = np.arange(len(marked.guesses)) if classes is None else classes
            orbits = marked.orbits(history, renamings)
            for guess, orbit in enumerate(orbits):
                assert set(np.flatnonzero(called == called[guess]).tolist()) <= orbit
            assert alike_too(marked, called, history) == orbits  # the random elements were enough


def marked(rows: list[str]) -> Marked:
    """Return a table of which all secrets, guesses and responses are of one kind."""
    table = np.array([[int(cell) for cell in row] for row in rows], dtype=np.uint8)
    shape = (len(table), int(table.max()) + 1)
    kinds, guesses, secrets = (np.zeros(size, dtype=np.uint64) for size in (shape, shape[0], table.shape[1]))
    return Marked(table, kinds, guesses, secrets)


def order(table: Marked) -> int:
    """Return the order of the symmetry of a table, all of which is found."""
    found = Found(table.coloured())
    assert found.complete
    return found.order


def test_secrets_that_no_guess_tells_apart_are_counted() -> None:
    assert order(marked(["0011"])) == 8
    assert order(marked(["000"])) == 6
    assert order(marked(["0"])) == 1


def test_guesses_that_divide_alike_are_not_counted() -> None:
    """They go where such guesses go, in their order; none is called equivalent to its like for that."""
    table = marked(["0012", "1120"])
    assert order(table) == 4
    assert Found(table.coloured()).classes(()) is None
    twice = marked(["01", "01", "10"])
    assert order(twice) == 2
    assert [one.guesses.tolist() for one in Found(twice.coloured()).renamings] == [[0, 1, 2]]


def test_responses_are_renamed_within_a_guess() -> None:
    assert order(marked(["0122", "1100"])) == 4
    assert [one.responses.tolist() for one in Found(marked(["01"]).coloured()).renamings] == [[[1, 0]]]


def test_what_no_secret_gives_says_nothing() -> None:
    """Responses of other kinds that never come leave the symmetry as it is."""
    table = marked(["010", "100"])
    kinds = np.array([[5, 5, 7], [5, 5, 8]], dtype=np.uint64)
    assert order(Marked(table.table, kinds, table.guesses, table.secrets)) == order(table) == 2


def test_kinds_and_colours_are_kept() -> None:
    table = marked(["0123"])
    assert order(table) == 24
    kinds = np.array([[1, 1, 2, 2]], dtype=np.uint64)
    weights = np.array([3, 1, 1, 1], dtype=np.uint64)
    assert order(Marked(table.table, kinds, table.guesses, table.secrets)) == 4
    assert order(Marked(table.table, table.kinds, table.guesses, weights)) == 6
    assert order(Marked(table.table, kinds, table.guesses, weights)) == 2
    rows = marked(["011", "101", "110"])
    assert order(rows) == 6
    assert order(Marked(rows.table, rows.kinds, np.array([0, 0, 1], dtype=np.uint64), rows.secrets)) == 2
