"""How many examples property tests try, and with how many threads."""

import os
import random
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

JOBS = (1,) if os.environ.get("GUESSTREE_CEXT") == "reference" else (1, 2)
"""Numbers of threads to search with; the plain twins have one."""


Seed = TypeVar("Seed")
EVERY = int(os.environ.get("GUESSTREE_EVERY", "1"))
"""Of so many random games and certificates among those that take long, one is run."""


def tries(times: float, **more: Any) -> settings:
    """Return settings with so many times the examples of the profile, see `conftest.py`."""
    return settings(max_examples=round(times * settings().max_examples), **more)


def some_of(several: Sequence[Seed]) -> list[Seed]:
    """Return those which a test that takes long tries: with `GUESSTREE_EVERY=10` a tenth, always the same.

    Not each tenth: tests choose by remainders.
    """
    return [several[i] for i in sorted(random.Random(0).sample(range(len(several)), len(several) // EVERY))]


def seeds(quick: int, all_of_them: int) -> list[Any]:
    """Return so many seeds of random tests; those beyond the first few are for the tests that take long."""
    more = (pytest.param(seed, marks=pytest.mark.long) for seed in some_of(range(quick, all_of_them)))
    return [*range(quick), *more]
