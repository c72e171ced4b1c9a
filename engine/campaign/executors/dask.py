"""Workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from distributed import Client

from guesstree.engine.errors import GuesstreeError

from .crew import ANSWER_SECONDS


@contextmanager
def on_dask(address: str, workers: int | None) -> Iterator[tuple[Executor, int]]:
    """Use the cluster of a scheduler; what a lost worker had, Dask gives to another.

    Raises GuesstreeError when the address does not answer, or workers do several tasks at once.
    """
    try:
        client = Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except (OSError, ValueError):
        raise GuesstreeError(
            f"no Dask scheduler answers at {address}; give the tcp://HOST:PORT that `dask scheduler` tells"
        ) from None
    with client:
        threads = client.nthreads()
        if not threads:
            raise GuesstreeError(
                f"the Dask scheduler at {address} has no workers; start some: dask worker {address} "
                "--nworkers auto --nthreads 1"
            )
        if max(threads.values()) > 1:  # their tables are for one
            raise GuesstreeError(
                f"a Dask worker at {address} has {max(threads.values())} threads; start it with one: "
                f"dask worker {address} --nworkers auto --nthreads 1"
            )
        executor = client.get_executor(pure=False)
        try:
            yield executor, workers or len(threads)
        finally:
            executor.shutdown(wait=False)  # cancels
