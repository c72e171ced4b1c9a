"""`python -m guesstree`."""

import os
import sys
from contextlib import suppress

if not sys.flags.safe_path:
    with suppress(OSError):  # the folder is gone
        if sys.path[0] == os.getcwd():  # noqa: PTH109 (nothing else is loaded before)
            del sys.path[0]  # which `python -m` has put there: files of the folder would stand for Python's

from guesstree.cli import main

if __name__ == "__main__":  # MPI has its workers import this file
    main()
