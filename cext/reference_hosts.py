"""Plain twin of `hosts`: what a host who keeps the largest part answers, and which guesses end a game.

The host holds all candidates. To a guess the host gives the response that most of them give; of several
such the one of the lowest rank. The response that wins is given where no other is left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Words = NDArray[np.uint64]
Table = NDArray[np.unsignedinteger[Any]]
CORE = 8
"""At most so many secrets are in a core."""


def kept(table: Table, candidates: Ints, rank: Ints, winning: int) -> tuple[Ints, Ints, Ints]:
    """Return the host's response to each guess, how many candidates give it, and how many parts there are.

    Parameters
    ----------
    table: every response, shape (guesses, secrets).
    candidates: at least one secret, ascending.
    rank: of each response, all different, shape (responses,).
    winning: the response that wins, or -1.
    """
    found = np.empty((3, len(table)), dtype=np.int32)
    for guess, row in enumerate(table):
        sizes = np.bincount(row[candidates], minlength=len(rank))
        met = np.flatnonzero(sizes).tolist()
        best = min(met, key=lambda r: (r == winning, -sizes[r], rank[r]))
        found[:, guess] = best, sizes[best], len(met)
    return found[0], found[1], found[2]


def endings(
    table: Table,
    candidates: Ints,
    asked: Ints,
    answers: Ints,
    others: Ints,
    parts: Ints,  # noqa: ARG001 - the kernel's cut
    demanded: Words,
    features: Words,
    own: Ints,
    cores: Ints,  # noqa: ARG001
) -> tuple[Ints, Ints]:
    """Return which second guess tells all candidates apart that a first one leaves, and new cores.

    A pair (i, j) says that ``others[j]`` gets different responses on all candidates that give ``answers[i]``
    to ``asked[i]``, and may be asked then; int32, shape (pairs, 2), sorted by j, then i. A *core* is a set of
    secrets that no guess of the table tells apart; int32, shape (cores, CORE), filled up with -1. The twin
    looks for none.

    Parameters
    ----------
    others, parts: guesses, and how many parts of the candidates each makes, descending.
    demanded: what the rules demand after each first guess, shape (asked, words); no words: no rules.
    features: of each guess of the table, shape (guesses, words).
    own: the secret that each guess names, if only candidates may be asked; otherwise empty.
    cores: some that are known, of these responses.
    """
    found = []
    lefts = [candidates[table[g][candidates] == r] for g, r in zip(asked, answers, strict=True)]
    for j, other in enumerate(others):
        for i, left in enumerate(lefts):
            if len(np.unique(table[other][left])) < len(left):
                continue
            if len(own) and own[other] not in left:
                continue
            if (features[other] & demanded[i] == demanded[i]).all():
                found.append((i, j))
    return np.array(found, dtype=np.int32).reshape(-1, 2), np.empty((0, CORE), dtype=np.int32)
