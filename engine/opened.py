"""Opening a file that somebody names, whatever it is."""

from __future__ import annotations

import os
from typing import BinaryIO


def open_whole(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file to be read; raises OSError, or ValueError for what can be no path.

    A named pipe that nobody writes is empty, and not waited for.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        os.set_blocking(handle, True)  # what is being written is waited for
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise
