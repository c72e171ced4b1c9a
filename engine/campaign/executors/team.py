"""An executor over workers that may be lost at any time: each has one task, and its loss costs that task."""

from __future__ import annotations

import pickle
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from threading import Condition, Thread
from typing import Any, Protocol

from guesstree.engine.errors import GuesstreeError

ANSWER_SECONDS = 15
"""So long an address of a cluster may take to answer."""
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds before another worker is started in the place of one that was lost before it was ready; lost again
after the last, the next would be lost, too."""


class WorkerLost(BrokenExecutor):
    """Report a worker that ended before its task did: whoever asked may ask again."""


class Member(Protocol):
    """A process somewhere that works on tasks, and keeps its modules' state between tasks."""

    def ready(self) -> None:
        """Return when the first task may come; raise WorkerLost when the process ended instead."""

    def run(self, task: bytes) -> bytes:
        """Have `perform` called there, return its reply; raise WorkerLost when the process ended instead."""

    def kill(self) -> None:
        """End the process at once: who waits in `ready` or `run`, in another thread, gets WorkerLost."""

    def end(self) -> None:
        """End the process at once and let go of all that it took; nothing else is called after that."""


def perform(task: bytes) -> bytes:
    """Call a function as a worker, and return what `outcome` reads."""
    try:
        return pickle.dumps((pickle.loads(task)(), None))
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        try:
            error.add_note(text)  # the traceback itself does not travel
            pickle.loads(reply := pickle.dumps((None, error)))
        except Exception:  # nor does every exception
            return pickle.dumps((None, RuntimeError(text)))
        return reply


def outcome(reply: bytes) -> Any:
    """Return what a function returned in a worker, or raise what it raised."""
    result, error = pickle.loads(reply)
    if error is not None:
        raise error
    return result


def last_line(error: Exception) -> str:
    """Return the line in which libraries that quote tracebacks say what was wrong."""
    return str(error).strip().rpartition("\n")[2].strip() or type(error).__name__


class Team(Executor):
    """Gives each worker one task at a time, the longest waiting first, and replaces those that are lost.

    Every worker has a thread that waits for it. One that is not ready has no task, so that a worker for whom
    a cluster has no room holds nothing up, and serves as soon as there is room.

    Attributes
    ----------
    hire: starts a worker and does not wait for it.
    workers: how many there are.
    """

    def __init__(self, hire: Callable[[], Member], workers: int) -> None:
        self._hire = hire
        self._changed = Condition()  # over all that follows
        self._tasks: deque[tuple[Future[Any], bytes]] = deque()
        self._hired: set[Member] = set()
        self._closed = False
        self._serving = workers
        self._fault = ""  # why none serves
        self._threads = [Thread(target=self._serve, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker call a function; the future's exception is WorkerLost when the worker is.

        Raises GuesstreeError when no worker can be started any more.
        """
        task = pickle.dumps(partial(fn, *args, **kwargs))
        future: Future[Any] = Future()
        with self._changed:
            if self._fault:
                raise GuesstreeError(self._fault)
            if self._closed:
                raise RuntimeError("no task is taken after the shutdown")
            self._tasks.append((future, task))
            self._changed.notify()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Have all tasks done, or with `cancel_futures` none: workers are killed whatever they do."""
        with self._changed:
            self._closed = True
            if cancel_futures:
                for future, _ in self._tasks:
                    future.cancel()
                self._tasks.clear()
                for worker in self._hired:
                    worker.kill()
            self._changed.notify_all()
        if wait:
            for thread in self._threads:
                thread.join()

    def _serve(self) -> None:
        """Give tasks to a worker, and to another when it is lost, until there are no more."""
        try:
            while (worker := self._next_worker()) is not None:
                try:
                    self._work(worker)
                finally:
                    self._dismiss(worker)
            fault = ""
        except Exception as error:  # whatever the library behind the workers raises
            fault = last_line(error)
        with self._changed:
            self._serving -= 1
            if self._serving or not fault:
                return
            self._fault = f"no worker can be started: {fault}"
            waiting = list(self._tasks)
            self._tasks.clear()
        for future, _ in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(GuesstreeError(self._fault))

    def _next_worker(self) -> Member | None:
        """Return a worker that is ready, or None when there is nothing to do any more."""
        for pause in (*PAUSES, None):
            with self._changed:
                if self._closed and not self._tasks:
                    return None
                worker = self._hire()
                self._hired.add(worker)
            try:
                worker.ready()
                return worker
            except BaseException as error:
                self._dismiss(worker)
                if pause is None or not isinstance(error, WorkerLost):
                    raise
            with self._changed:
                self._changed.wait_for(lambda: self._closed, pause)
        return None

    def _work(self, worker: Member) -> None:
        """Give tasks to a worker until it is lost, or there are no more."""
        while (task := self._next_task()) is not None:
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(outcome(worker.run(call)))
            except WorkerLost as lost:
                future.set_exception(lost)
                return
            except Exception as error:
                future.set_exception(error)

    def _next_task(self) -> tuple[Future[Any], bytes] | None:
        """Return the task that waits longest, when there is one, or None when there are no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._tasks or self._closed)
            return self._tasks.popleft() if self._tasks else None

    def _dismiss(self, worker: Member) -> None:
        """Let go of a worker."""
        with self._changed:
            self._hired.remove(worker)
        worker.end()
