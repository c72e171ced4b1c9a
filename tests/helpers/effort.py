"""How many examples property tests try, and with how many threads."""

import os
from typing import Any

from hypothesis import settings

JOBS = (1,) if os.environ.get("GUESSTREE_CEXT") == "reference" else (1, 2)
"""Numbers of threads to search with; the plain twins have one."""


def tries(times: float, **more: Any) -> settings:
    """Return settings with so many times the examples of the profile, see `conftest.py`."""
    return settings(max_examples=round(times * settings().max_examples), **more)
