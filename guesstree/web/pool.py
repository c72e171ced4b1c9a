"""Short work for pages, in other processes: a page never waits for another's search."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import TimeoutError as OverTime
from contextlib import suppress
from typing import Any

from pebble import ProcessExpired, ProcessPool

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.memory import physical_memory
from guesstree.engine.modules import loaded_modules

from .processes import begin_process, starting

MOST_PROCESSES = 4
LEAST_MEMORY = 2 << 30
"""Bytes that each may take, however little there is."""
MOST_WAITING = 200
"""Questions that are asked at once."""
SECONDS = 15.0
"""So long a page waits for short work."""


class Refused(Exception):  # noqa: N818 - it is no failure of the server
    """Report in a line what cannot be done, for the page to show; `status` is that of the response."""

    def __init__(self, line: str, status: int = 400) -> None:
        super().__init__(line)
        self.status = status


class Pool:
    """Processes that answer short questions; one that takes too long is ended and replaced.

    Parameters
    ----------
    folder: for what they keep for a while.
    many: how many there are; None: one for each processor, a few at most.
    renewed: after how many questions a process is replaced by a new one, which holds no memory; 0: never.
    """

    def __init__(self, folder: str, many: int | None = None, renewed: int = 0) -> None:
        self._waiting = 0
        many = many or min(MOST_PROCESSES, os.cpu_count() or 1)
        memory = max(physical_memory() // 2 // many, LEAST_MEMORY)
        self._setting: dict[str, Any] = {
            "max_workers": many,
            "max_tasks": renewed,
            "context": starting(),
            "initializer": begin_process,
            "initargs": (memory, folder, loaded_modules()),
        }
        self._pool = self._begun()

    def _begun(self) -> ProcessPool:
        """Return processes that start now, so that the first page need not wait."""
        pool = ProcessPool(**self._setting)
        for _ in range(self._setting["max_workers"]):
            pool.schedule(_answer, args=[os.getpid])
        return pool

    async def ask(self, work: Callable[..., Any], *given: Any, seconds: float = SECONDS) -> Any:
        """Return what `work(*given)` does in another process; raise Refused for bad input, or if late."""
        if self._waiting >= MOST_WAITING:
            raise Refused("too much is asked here at once; try again in a while", 503)
        self._waiting += 1
        try:
            fault, found = await self._asked(seconds, work, *given)
        except OverTime:
            raise Refused(f"this takes more than {seconds:g} seconds here; try something smaller") from None
        except (ProcessExpired, MemoryError):
            raise Refused("this takes more memory than there is here; try something smaller") from None
        finally:
            self._waiting -= 1
        if fault:
            raise Refused(found)
        return found

    async def _asked(self, seconds: float, *given: Any) -> tuple[bool, Any]:
        """Return what `_answer(*given)` does; when a process that waits was killed, all are begun anew."""
        pool = self._pool
        try:
            return await asyncio.wrap_future(pool.schedule(_answer, args=given, timeout=seconds))
        except RuntimeError:
            if pool.active:
                raise  # it is the work that went wrong
        if self._pool is pool:
            self._pool = self._begun()
            _end(pool)
        return await asyncio.wrap_future(self._pool.schedule(_answer, args=given, timeout=seconds))

    def close(self) -> None:
        """End all processes."""
        _end(self._pool)


def _end(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    with suppress(RuntimeError):  # of processes that were killed
        pool.join(timeout=2)


def _answer(work: Callable[..., Any], *given: Any) -> tuple[bool, Any]:
    """Return what work returns, or the line of what is wrong with the input: (whether it is wrong, what)."""
    try:
        return False, work(*given)
    except GuesstreeError as error:
        line = "; ".join(" ".join(line.split()) for line in str(error).splitlines())
        return True, line.partition("; use guesstree ")[0]  # a command is no help in a browser
    except OSError as error:
        return True, f"a file cannot be written here now: {error.strerror or error}"
    except MemoryError:
        with suppress(MemoryError):
            return True, "out of memory; try something smaller"
        raise
