"""What workers are given to do in tests: each process has this module, and its state, to itself."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NoReturn

from guesstree.engine.errors import Contradiction

_given: list[int] = []


def process(number: int) -> tuple[int, list[int]]:
    """Return which process this is, and the numbers that it was given until now."""
    _given.append(number)
    return os.getpid(), _given


def announce(path: str, seconds: float) -> None:
    """Write to a file which process this is, and stay in it for a while."""
    part = Path(path + ".part")
    part.write_text(str(os.getpid()))
    part.rename(path)
    time.sleep(seconds)


def contradict() -> NoReturn:
    """Raise an exception that pickle can read no more."""
    raise Contradiction("no secret fits", 3)
