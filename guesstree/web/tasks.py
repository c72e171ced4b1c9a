"""Long work for pages, each in a process of its own: followed while it runs, stopped when nobody looks."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.memory import usual_memory

from .desk import Refused
from .processes import begin_process, starting
from .store import Store

MOST_TASKS = 8
"""That run at once."""
ABSENCE = 10.0
"""Seconds after which a task ends that nobody follows any more."""
PATIENCE = 5.0
"""Seconds that a task has, once it is told to stop, to hand over the best that it has."""
POLL = 0.2
REMEMBERED = 200
"""Tasks that have ended and are still known by their id."""

Send = Callable[[Mapping[str, Any]], None]
"""Tells those who follow a task what is known, as plain data."""
Work = Callable[[Path, Mapping[str, Any], Send], Mapping[str, Any]]
"""What a task does: (path of the store, what was asked, `Send`) -> arguments of `Store.add_result`."""


@dataclass
class Task:
    """A task that runs, or has ended.

    Attributes
    ----------
    id: a random word.
    asked: what was asked, as plain data.
    known: what it told last; it has no more once it ended.
    result: the id of what it left; empty: nothing yet, or nothing at all.
    fault: in a line, why it left nothing.
    """

    id: str
    asked: Mapping[str, Any]
    process: BaseProcess
    pipe: Connection
    known: dict[str, Any] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    result: str = ""
    fault: str = ""
    ended: bool = False
    stopped: float = 0.0  # when it was told to stop
    followers: int = 0
    left: float = field(default_factory=time.monotonic)  # when the last follower went
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Tasks:
    """The tasks of a server. Finished work is in the store before anybody is told that it is.

    `folder` is for what their processes keep for a while.
    """

    def __init__(self, store: Store, folder: str) -> None:
        self.store, self.folder = store, folder
        self.tasks: dict[str, Task] = {}
        self._watchers: set[asyncio.Task[None]] = set()

    def start(self, work: Work, asked: Mapping[str, Any]) -> Task:
        """Start a task and return it; raise Refused when too many run."""
        running = [task for task in self.tasks.values() if not task.ended]
        if len(running) >= MOST_TASKS:
            raise Refused(f"{len(running)} searches run at once here, and that is the most: stop one", 429)
        for old in [own for own, task in self.tasks.items() if task.ended][:-REMEMBERED]:
            del self.tasks[old]
        context = starting()
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(
            target=_run,
            args=(work, self.store.path, dict(asked), theirs, usual_memory(), self.folder),
            daemon=True,
        )
        process.start()
        theirs.close()
        task = Task(secrets.token_hex(6), asked, process, ours)
        self.tasks[task.id] = task
        watcher = asyncio.get_running_loop().create_task(self._look_after(task))
        self._watchers.add(watcher)
        watcher.add_done_callback(self._watchers.discard)
        return task

    def stop(self, task: Task) -> None:
        """Tell a task to stop and to hand over the best that it has."""
        if not task.ended and not task.stopped:
            task.stopped = time.monotonic()
            with suppress(ProcessLookupError, TypeError):
                os.kill(task.process.pid or 0, signal.SIGINT)

    async def follow(self, task: Task) -> AsyncIterator[dict[str, Any]]:
        """Yield what a task tells, from its beginning to its end; the last has `result` or `fault`."""
        task.followers += 1
        seen = 0
        try:
            while True:
                while seen < len(task.history):
                    seen += 1
                    yield task.history[seen - 1]
                if task.ended:
                    return
                changed = task.changed
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), 15)
                if seen == len(task.history) and not task.ended:
                    yield {}  # so that a connection that was closed is noticed
        finally:
            task.followers -= 1
            task.left = time.monotonic()

    async def close(self) -> None:
        """Stop all tasks, keep what they hand over, and end the others."""
        for task in self.tasks.values():
            self.stop(task)
        if self._watchers:
            await asyncio.wait(self._watchers, timeout=2)
        for task in self.tasks.values():
            if task.process.is_alive():
                task.process.kill()

    async def _look_after(self, task: Task) -> None:
        """Take what a task tells until it ends; stop it when nobody follows, kill it if it goes on."""
        while not task.ended:
            now = time.monotonic()
            if not task.followers and now - task.left > ABSENCE:
                self.stop(task)
            if task.stopped and now - task.stopped > PATIENCE:
                task.process.kill()
            if await asyncio.to_thread(task.pipe.poll, POLL):
                try:
                    self._take(task, task.pipe.recv())
                except (EOFError, OSError):
                    self._end(task, fault=task.fault or "the search ended without a result: it was killed")
        task.pipe.close()
        await asyncio.to_thread(task.process.join, PATIENCE)

    def _take(self, task: Task, told: tuple[str, Any]) -> None:
        kind, what = told
        if kind == "known":
            self._tell(task, what)
            return
        if kind == "fault":
            self._end(task, fault=what)
            return
        try:
            self._end(task, result=self.store.add_result(**what))
        except GuesstreeError as error:
            self._end(task, fault=str(error))

    def _end(self, task: Task, *, result: str = "", fault: str = "") -> None:
        task.ended, task.result, task.fault = True, result, fault
        self._tell(task, {"result": result} if result else {"fault": fault})

    def _tell(self, task: Task, what: dict[str, Any]) -> None:
        task.known = what
        task.history.append(what)
        if len(task.history) > 2000:  # every second one will do
            del task.history[1:1000:2]
        task.changed.set()
        task.changed = asyncio.Event()


def _run(
    work: Work, store: Path, asked: Mapping[str, Any], pipe: Connection, memory: int, folder: str
) -> None:
    """Do the work of a task in its process."""
    begin_process(memory + (4 << 30), folder, stops=True)  # the search itself keeps within `memory`
    try:
        pipe.send(("result", work(store, asked, lambda known: pipe.send(("known", dict(known))))))
    except KeyboardInterrupt:
        pipe.send(("fault", "stopped before there was a result"))
    except GuesstreeError as error:
        pipe.send(("fault", " ".join(str(error).split())))
    except MemoryError:
        pipe.send(("fault", "out of memory; try a smaller game, or a shorter time"))
