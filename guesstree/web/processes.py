"""How the server starts other processes, and how these begin."""

from __future__ import annotations

import multiprocessing
import os
import pkgutil
import resource
import shutil
import signal
import tempfile
import threading
from collections.abc import Sequence
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import wait
from typing import Any

from guesstree.engine.modules import SAFE, load_modules
from guesstree.engine.registry import families

from . import work

Named = Sequence[tuple[str, str]]
"""Modules that a user has named, as `loaded_modules` returns them."""


def starting() -> Any:
    """Return how processes are started: from one that has everything loaded, where the system can.

    None of them looks for modules in the current folder, where downloads may lie.
    """
    os.environ[SAFE] = "1"
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    files = [f"{work.__name__}.{file.name}" for file in pkgutil.iter_modules(work.__path__)]
    games = [family.make.__module__ for family in families()]  # those of a user, each process loads itself
    context.set_forkserver_preload([*files, *games, "networkx"])
    resource_tracker.ensure_running()  # which would let signals through again
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until they begin, below
    forkserver.ensure_running()
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return context


def begin_process(memory: int, folder: str, modules: Named, *, stops: bool = False) -> None:
    """Begin a process of the server: it may take so many bytes, and ends when the server does.

    Files that it makes for a while lie in the `folder`, which the server removes, or the others when that is
    killed: a process that is killed removes nothing. `modules`: those that the user has named.

    Ctrl-C at the terminal is for the server alone; with `stops` the server sends SIGINT to end work early.
    """
    os.setpgrp()  # what is typed at the terminal goes to the server's group
    signal.signal(signal.SIGINT, signal.default_int_handler if stops else signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    tempfile.tempdir = folder
    threading.Thread(target=_end_with_server, args=(folder,), daemon=True).start()
    load_modules(modules)


def _end_with_server(folder: str) -> None:
    """Wait until the server ends; where it was killed, nobody else removes its folder."""
    server = multiprocessing.parent_process()
    if server is not None:
        wait([server.sentinel])
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)
