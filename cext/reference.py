"""NumPy twin of every kernel: same names, arguments, dtypes and results; slow and plainly right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]


def code_responses(guesses: Bytes, secrets: Bytes, colours: int, lookup: Bytes) -> Bytes:
    """Return the response of every guess on every secret, shape (guesses, secrets), uint8.

    Parameters
    ----------
    guesses, secrets: codes as numbers 0..colours-1, uint8, shapes (guesses, pegs) and (secrets, pegs).
    lookup: the response for (equal positions, common symbols in all), uint8, shape (pegs + 1, pegs + 1).
    """
    out = np.empty((len(guesses), len(secrets)), dtype=np.uint8)
    counts = np.stack([(secrets == c).sum(axis=1) for c in range(colours)])
    for g, guess in enumerate(guesses):
        black = (secrets == guess).sum(axis=1)
        own = np.bincount(guess, minlength=colours)
        common = np.minimum(counts, own[:, None]).sum(axis=0)
        out[g] = lookup[black, common]
    return out


def histograms(table: Bytes, candidates: Ints, responses: int) -> Ints:
    """Return for each guess how many candidates give each response, int32, shape (guesses, responses).

    Parameters
    ----------
    table: responses 0..responses-1, uint8, shape (guesses, secrets).
    candidates: secrets, int32, shape (candidates,).
    """
    out = np.zeros((len(table), responses), dtype=np.int32)
    for g in range(len(table)):
        out[g] = np.bincount(table[g, candidates], minlength=responses)
    return out
