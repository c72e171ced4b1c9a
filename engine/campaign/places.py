"""Paths without symmetry; stands in for `paths`."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Mapping

from ..problem import Problem
from ..search.counted import CountedState
from ..state import everything
from .asks import Steps


class Paths:
    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def state(self, path: Steps, depth: int) -> CountedState:
        candidates = everything(self.problem.secrets)
        for guess, response in zip(path[::2], path[1::2], strict=True):
            candidates = candidates[self.problem.row(guess, candidates) == response]
        return CountedState(candidates, depth, tuple(path[::2]))

    def canonical(self, path: Steps) -> Steps:
        return path


def packed(choices: Mapping[bytes, int]) -> bytes:
    return zlib.compress(pickle.dumps(dict(choices)))


def unpacked(data: bytes) -> dict[bytes, int]:
    found: dict[bytes, int] = pickle.loads(zlib.decompress(data))
    return found
