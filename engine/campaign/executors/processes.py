"""Workers that are processes of this machine."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection

from guesstree.engine.modules import safe_path

from .team import WorkerLost, perform

_SPAWN = get_context("spawn")  # a fork would take over the threads' locks


class LocalProcess:
    """A process with nothing of this one but a pipe; it ends when this one does.

    Ctrl-C, which a terminal sends to both, is for this one alone.
    """

    def __init__(self) -> None:
        self._pipe, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_serve_pipe, args=(theirs,), daemon=True)
        with safe_path():
            resource_tracker.ensure_running()  # on its way it would let SIGINT through again
            before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            try:
                self._process.start()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                theirs.close()  # so that the pipe ends with the process

    def ready(self) -> None:
        """Wait until the process says that it has started; raise WorkerLost when it ended instead."""
        self._receive()

    def run(self, task: bytes) -> bytes:
        """Send a task and return the reply; raise WorkerLost when the process ended instead."""
        with suppress(OSError):  # it is gone: nothing will be received
            self._pipe.send_bytes(task)
        return self._receive()

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process and close its pipe."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()

    def _receive(self) -> bytes:
        try:
            return self._pipe.recv_bytes()
        except (EOFError, OSError):
            self._process.kill()  # where it is the pipe that broke
            self._process.join()
            status = self._process.exitcode or 0
            how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
            raise WorkerLost(f"a worker {how}") from None


def _serve_pipe(pipe: Connection[bytes, bytes]) -> None:
    """Do what comes through a pipe, until the process at its other end is gone."""
    # NumPy is loaded later. Its threads would wait awake for a while, in each worker one for each processor.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    threading.Thread(target=_leave, daemon=True).start()
    with suppress(EOFError, OSError):
        pipe.send_bytes(b"")
        while True:
            pipe.send_bytes(perform(pipe.recv_bytes()))


def _leave() -> None:
    """End this process, whatever it does, when the one that started it is gone."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
