"""What workers are given to do in tests: each process has this module, and its state, to itself."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

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


def tell_nonsense(store: Path, asked: Mapping[str, Any], send: Callable[[Any], None]) -> NoReturn:
    """Tell what nobody can read, as a task of the server, and go on for long."""
    send({"known": Contradiction("no secret fits", 3)})
    time.sleep(60)
    raise AssertionError


def be_killed(store: Path, asked: Mapping[str, Any], send: Callable[[Any], None]) -> NoReturn:
    """End as a process does that the system kills."""
    os._exit(9)


def fill_disk(store: Path, asked: Mapping[str, Any], send: Callable[[Any], None]) -> Mapping[str, Any]:
    """Find something that cannot be kept, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    return {"kind": "strategy", "game": "", "about": {}, "data": b""}
