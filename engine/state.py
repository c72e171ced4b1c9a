"""States, the secrets still possible, and what a guess makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Table = NDArray[np.unsignedinteger[Any]]


def split(answers: Table, candidates: Ints) -> list[tuple[int, Ints]]:
    """Return (response, candidates) for every part, given the answer of one guess to each candidate."""
    return [(int(r), candidates[answers == r]) for r in np.unique(answers)]


def everything(secrets: int) -> Ints:
    """Return the state in which every secret is possible."""
    return np.arange(secrets, dtype=np.int32)
