"""How many examples property tests try, and with how many threads."""

import os
import random
from typing import Any

import pytest
from hypothesis import settings

JOBS = (1,) if os.environ.get("GUESSTREE_CEXT") == "reference" else (1, 2)
"""Numbers of threads to search with; the plain twins have one."""


EVERY = int(os.environ.get("GUESSTREE_EVERY", "1"))
"""Of so many random games and certificates among those that take long, one is run."""


def tries(times: float, **more: Any) -> settings:
    """Return settings with so many times the examples of the profile, see `conftest.py`."""
    return settings(max_examples=round(times * settings().max_examples), **more)


def seeds(quick: int, all_of_them: int) -> list[Any]:
    """Return so many seeds of random tests; those beyond the first few are for the tests that take long.

    Of these, `GUESSTREE_EVERY=10` takes a tenth, the same each time. Not each tenth: tests choose by
    remainders.
    """
    rest = range(quick, all_of_them)
    some = sorted(random.Random(0).sample(rest, len(rest) // EVERY))
    more = (pytest.param(seed, marks=pytest.mark.long) for seed in some)
    return [*range(quick), *more]
