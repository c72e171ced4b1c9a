"""Modules that users name, and Python processes that look for none where they are started.

The current folder may hold anything, such as downloads: only the modules that a user names are looked for
there, and only while these are loaded.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType

SAFE = "PYTHONSAFEPATH"
"""The setting with which Python puts neither the current folder nor that of a script on its path."""
_loaded: dict[str, str] = {}  # in which folder each was named
_starting = threading.Lock()


def load_module(name: str, folder: str = "") -> ModuleType:
    """Return a module that a user names, of the current folder, or `folder`, where it is not installed.

    The folder comes last, or a random.py there would stand for Python's own. Raises ImportError.
    """
    folder = folder or os.getcwd()  # noqa: PTH109
    known = folder in sys.path
    if not known:
        sys.path.append(folder)
    try:
        module = importlib.import_module(name)
    finally:
        if not known:
            with suppress(ValueError):  # the module has seen to it
                sys.path.remove(folder)
    _loaded[name] = folder
    return module


def loaded_modules() -> tuple[tuple[str, str], ...]:
    """Return the modules that were named, each with its folder, for `load_modules` in another process."""
    return tuple(_loaded.items())


def load_modules(named: Sequence[tuple[str, str]]) -> None:
    """Load what another process has loaded; what is not here is missed by those who need it."""
    for name, folder in named:
        if _loaded.get(name) != folder:
            with suppress(ImportError):
                load_module(name, folder)


@contextmanager
def safe_path() -> Iterator[None]:
    """Let Python processes that are started meanwhile look for modules where they are installed alone."""
    with _starting:
        before = os.environ.get(SAFE)
        os.environ[SAFE] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[SAFE]
            else:
                os.environ[SAFE] = before
