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
from guesstree.engine.memory import physical_memory, usual_memory
from guesstree.engine.modules import loaded_modules

from .pool import Refused
from .processes import Named, begin_process, starting
from .store import Store

MOST_TASKS = 8
"""That run at once."""
ABSENCE = 10.0
"""Seconds after which a task ends that nobody follows any more."""
PATIENCE = 30.0
"""Seconds that a task has, once it is asked to stop, to write down the best that it has."""
LAST_PATIENCE = 8.0
"""The same when the server ends."""
POLL = 0.25
PING = 5.0
"""Seconds after which a follower hears that there is nothing new: so a closed connection is noticed."""
REMEMBERED = 200
"""Tasks that have ended and are still known by their id."""
MOST_TOLD = 2000
"""Messages of a task that are kept, for those who begin to follow it later."""
LEAST_MEMORY = 512 << 20
"""Bytes for the search of a task, however many run."""
BESIDE = 4 << 30
"""Bytes for all else in the process of a task: code, stacks and what is written down."""
FAILED = "something went wrong here; what was finished is kept"
KILLED = "the search ended without a result: its process was killed, as for lack of memory"
STOPPED = "stopped before there was a result"

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
    asked: what was asked, as plain data; `memory` is what the search may take, in bytes.
    sent: how many messages it sent; `known` is the last, `history` the most of them.
    result: the id of what it left; empty: nothing yet, or nothing at all.
    fault: in a line, why it left nothing.
    """

    id: str
    asked: Mapping[str, Any]
    process: BaseProcess
    pipe: Connection
    sent: int = 0
    known: dict[str, Any] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    result: str = ""
    fault: str = ""
    ended: bool = False
    stopped: float = 0.0  # when it was asked to stop
    followers: int = 0
    began: float = field(default_factory=time.monotonic)
    seen: float = field(default_factory=time.monotonic)  # when somebody looked last
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Tasks:
    """The tasks of a server. What is finished is in the store before anybody hears that it is.

    `folder` is for what their processes keep for a while.
    """

    def __init__(self, store: Store, folder: str) -> None:
        self.store, self.folder = store, folder
        self.tasks: dict[str, Task] = {}
        self._watchers: set[asyncio.Task[None]] = set()

    @property
    def running(self) -> list[Task]:
        """The tasks that have not ended."""
        return [task for task in self.tasks.values() if not task.ended]

    def start(self, work: Work, asked: Mapping[str, Any]) -> Task:
        """Start a task and return it; raise Refused when too many run."""
        running = self.running
        if len(running) >= MOST_TASKS:
            raise Refused(f"{len(running)} searches run at once here, and that is the most: stop one", 429)
        for old in [own for own, task in self.tasks.items() if task.ended][:-REMEMBERED]:
            del self.tasks[old]
        asked = {**asked, "memory": _share(sum(task.asked["memory"] for task in running))}
        task = Task(secrets.token_hex(6), asked, *self._begun(work, asked))
        self.tasks[task.id] = task
        watcher = asyncio.get_running_loop().create_task(self._look_after(task))
        self._watchers.add(watcher)
        watcher.add_done_callback(self._watchers.discard)
        return task

    def _begun(self, work: Work, asked: Mapping[str, Any]) -> tuple[BaseProcess, Connection]:
        """Return a process that does the work, and what it tells; raise Refused where it cannot begin."""
        context = starting()
        ours, theirs = context.Pipe(duplex=False)
        given = (work, self.store.path, asked, theirs, self.folder, loaded_modules())
        process = context.Process(target=_run, args=given, daemon=True)
        try:
            process.start()
        except Exception as error:  # whatever the system, or what goes to the process, is wrong with
            ours.close()
            said = error.strerror if isinstance(error, OSError) else None
            raise Refused(
                f"no search can be started now: {said or error}; try again in a while", 503
            ) from None
        finally:
            theirs.close()
        return process, ours

    def stop(self, task: Task) -> None:
        """Tell a task to stop and to keep the best that it has."""
        if not task.ended and not task.stopped:
            task.stopped = time.monotonic()
            assert task.process.pid
            with suppress(ProcessLookupError):
                os.kill(task.process.pid, signal.SIGINT)

    def stop_all(self) -> None:
        """Tell all tasks to stop."""
        for task in self.running:
            self.stop(task)

    async def follow(self, task: Task) -> AsyncIterator[dict[str, Any]]:
        """Yield what a task tells, from its beginning to its end; the last has `result` or `fault`.

        Who is slow misses what is no longer true. Nothing new for some seconds is an empty message.
        """
        task.followers += 1
        seen = task.sent
        try:
            for message in tuple(task.history):
                yield message
            while not (task.ended and seen == task.sent):
                if seen == task.sent:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(task.changed.wait(), PING)
                if seen == task.sent:
                    yield {}
                else:
                    seen = task.sent
                    yield task.known
        finally:
            task.followers -= 1
            task.seen = time.monotonic()

    async def close(self) -> None:
        """Stop all tasks, let them keep what they have, and end those that take too long."""
        self.stop_all()
        if self._watchers:
            await asyncio.wait(self._watchers, timeout=LAST_PATIENCE)
        for task in self.running:
            task.process.kill()

    async def _look_after(self, task: Task) -> None:
        """Take what a task tells until it ends; stop it when nobody follows, kill it if it goes on."""
        loop, news = asyncio.get_running_loop(), asyncio.Event()
        try:
            loop.add_reader(task.pipe.fileno(), news.set)
            while not task.ended:
                now = time.monotonic()
                if not task.followers and now - task.seen > ABSENCE:
                    self.stop(task)
                if task.stopped and now - task.stopped > PATIENCE:
                    task.process.kill()
                with suppress(TimeoutError):
                    await asyncio.wait_for(news.wait(), POLL)
                news.clear()
                self._take(task)
        except Exception:  # what came is no message, say: nobody would take what else comes
            task.process.kill()
            self._end(task, fault=FAILED)
        finally:
            loop.remove_reader(task.pipe.fileno())
            task.pipe.close()
        await asyncio.to_thread(task.process.join, 1)
        with suppress(ValueError):  # it has not quite ended
            task.process.close()  # which would keep descriptors open

    def _take(self, task: Task) -> None:
        """Take what a task has sent; these are small messages, none of which is waited for."""
        try:
            while not task.ended and task.pipe.poll():
                kind, what = task.pipe.recv()
                if kind == "known":
                    self._tell(task, what)
                else:
                    self._end(task, **{kind: what})
        except (EOFError, OSError):
            self._end(task, fault=STOPPED if task.stopped else KILLED)

    def _end(self, task: Task, *, result: str = "", fault: str = "") -> None:
        task.ended, task.result, task.fault = True, result, fault
        del task.history[:-1]  # nobody begins to follow it any more
        self._tell(task, {"result": result} if result else {"fault": fault})

    def _tell(self, task: Task, what: dict[str, Any]) -> None:
        task.known = what
        task.sent += 1
        task.history.append(what)
        if len(task.history) > MOST_TOLD:  # every second one will do
            del task.history[1 : MOST_TOLD // 2 : 2]
        task.changed.set()
        task.changed = asyncio.Event()


def _share(promised: int) -> int:
    """Return the bytes that a search may take where those that run may take so many in all."""
    return max(LEAST_MEMORY, min(usual_memory(), (physical_memory() * 9 // 10 - promised) // 2))


def _run(
    work: Work, store: Path, asked: Mapping[str, Any], pipe: Connection, folder: str, modules: Named
) -> None:
    """Do the work of a task in its process."""
    try:
        begin_process(asked["memory"] + BESIDE, folder, modules, stops=True)
        found = work(store, asked, lambda known: pipe.send(("known", dict(known))))
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        pipe.send(("result", Store(store).add_result(**found)))
    except KeyboardInterrupt:
        pipe.send(("fault", STOPPED))
    except GuesstreeError as error:
        pipe.send(("fault", " ".join(str(error).split())))
    except OSError as error:
        pipe.send(("fault", f"a file cannot be written here now: {error.strerror or error}"))
    except MemoryError:
        pipe.send(("fault", "out of memory; try a smaller game, or a shorter time"))
    except Exception:
        pipe.send(("fault", FAILED))
        raise
