"""A command of the project at the other end of a pseudo-terminal."""

import os
import pty
import re
import select
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

COMMAND = [sys.executable, "-m", "guesstree"]
PATIENCE = 20.0
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def environment(**more: str) -> dict[str, str]:
    """Return this environment without what would change colours."""
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM", "FORCE_COLOR")}
    return kept | {"TERM": "xterm-256color", "PYTHONUTF8": "1", "INPUTRC": os.devnull} | more


class Terminal:
    """A command at the other end of a pseudo-terminal."""

    def __init__(self, *words: str, **more: str) -> None:
        self.raw, self.read = "", 0
        self.status: int | None = None
        self.child, self.master = pty.fork()
        if self.child == 0:  # pragma: no cover - another process
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # also where tests run under nohup
            os.execve(COMMAND[0], [*COMMAND, *words], environment(**more))

    @property
    def text(self) -> str:
        return COLOUR.sub("", self.raw).replace("\r", "")

    def more(self, until: float) -> bool:
        """Take what the command wrote; False when it has ended."""
        ready, _, _ = select.select([self.master], [], [], max(until - time.monotonic(), 0))
        assert ready, f"waited in vain after:\n{self.text}"
        try:
            data = os.read(self.master, 65536)
        except OSError:  # what Linux says when the other side is closed
            return False
        self.raw += data.decode()
        return bool(data)

    def wait(self, pattern: str) -> re.Match[str]:
        """Read on until a pattern occurs in what was not looked at yet."""
        until = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text[self.read :])):
            assert self.more(until), f"ended without {pattern!r}:\n{self.text}"
        self.read += found.end()
        return found

    def type(self, line: str, end: str = "\n") -> None:
        os.write(self.master, (line + end).encode())

    def interrupt(self) -> None:
        """Type Ctrl-C; again when it came just before the editor waits, where Python sees it one key late."""
        for _ in range(10):
            time.sleep(0.1)
            os.write(self.master, b"\x03")
            if select.select([self.master], [], [], 1)[0]:
                break

    def end(self) -> int:
        """Return the exit status, once all is read."""
        until = time.monotonic() + PATIENCE
        while self.more(until):
            pass
        status = self.status = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        return status


@contextmanager
def terminal(*words: str, **more: str) -> Iterator[Terminal]:
    found = Terminal(*words, **more)
    try:
        yield found
    finally:
        if found.status is None:
            os.kill(found.child, 9)
            os.waitpid(found.child, 0)
        os.close(found.master)
