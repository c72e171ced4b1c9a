"""The lock of a file that one process writes: a file beside it, let go by whatever ends the process."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

WAIT_SECONDS = 0.5
"""So long an asker may hold it that only wants to know whether it is held."""


class Lock:
    """The right to write a file, until `release`; raises BlockingIOError that says who has it.

    The file beside it is ours alone: what SQLite locks of its own file, the system lets go as soon as any
    other handle of that file is closed.
    """

    def __init__(self, path: str) -> None:
        self.path = lock_beside(path)
        until = time.monotonic() + WAIT_SECONDS
        while True:
            self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl.flock(self.handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._there():
                    break
                os.close(self.handle)
            except BlockingIOError:
                who = _words(self.handle)
                os.close(self.handle)
                if time.monotonic() > until:
                    raise BlockingIOError(who) from None
                time.sleep(WAIT_SECONDS / 10)
        os.ftruncate(self.handle, 0)
        with suppress(OSError):  # on a full disk; to hold it is what counts
            os.write(self.handle, f"process {os.getpid()} of {os.uname().nodename}".encode())

    def _there(self) -> bool:
        """Whether who had it before did not remove the file after it was opened here."""
        try:
            return os.path.samestat(os.fstat(self.handle), self.path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let others write."""
        with suppress(OSError):
            self.path.unlink()
        os.close(self.handle)


def lock_beside(path: str) -> Path:
    """Return the file that is locked for another."""
    return Path(f"{os.path.realpath(path)}-lock")


def holder(path: str) -> str:
    """Return who may write a file now; empty: nobody."""
    try:
        handle = os.open(lock_beside(path), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _words(handle) or "a process"
    else:
        return ""
    finally:
        os.close(handle)


def _words(handle: int) -> str:
    return os.pread(handle, 200, 0).decode(errors="replace") or "a process"
