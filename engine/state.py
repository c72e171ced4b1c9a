"""States, the secrets still possible, and what a guess makes of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Table = NDArray[np.unsignedinteger[Any]]


def split(answers: Table, candidates: Ints) -> list[tuple[int, Ints]]:
    """Return (response, candidates) for every part, given the answer of one guess to each candidate."""
    if len(candidates) == 1:  # as most states of a strategy
        return [(int(answers[0]), candidates)]
    order = answers.argsort(kind="stable")
    answers, candidates = answers[order], candidates[order]
    cuts = ((answers[1:] != answers[:-1]).nonzero()[0] + 1).tolist()
    return [(int(answers[i]), candidates[i:j]) for i, j in pairwise([0, *cuts, len(answers)])]


def everything(secrets: int) -> Ints:
    """Return the state in which every secret is possible."""
    return np.arange(secrets, dtype=np.int32)
