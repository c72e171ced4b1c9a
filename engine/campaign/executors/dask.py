"""Workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from dask import config
from distributed import Client
from distributed.cfexecutor import ClientExecutor

from guesstree.engine.errors import GuesstreeError

from .team import ANSWER_SECONDS


class DaskExecutor(ClientExecutor):  # type: ignore[misc] # no types are published
    """Dask's own, which takes no tasks when its scheduler is gone for good: they would all end cancelled."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have some worker call a function.

        Raises GuesstreeError when there is no scheduler any more.
        """
        if self._client.status == "closed":
            raise GuesstreeError("the Dask scheduler does not answer any more")
        return super().submit(fn, *args, **kwargs)


@contextmanager
def on_dask(address: str, workers: int | None) -> Iterator[tuple[DaskExecutor, int]]:
    """Use the cluster of a scheduler; what a lost worker had, Dask gives to another.

    workers: for how many there are tasks, which wait for those still to come; None: for those that are there.

    Raises GuesstreeError when the address does not answer, workers do several tasks at once, or none is
    there and it is not said how many are to come.
    """
    try:
        with config.set({"distributed.comm.timeouts.connect": ANSWER_SECONDS}):
            client = Client(address, set_as_default=False)
    except (OSError, ValueError):
        raise GuesstreeError(
            f"no Dask scheduler answers at {address}; give the tcp://HOST:PORT that `dask scheduler` tells"
        ) from None
    with client:
        threads = client.nthreads()
        if not threads and workers is None:
            raise GuesstreeError(
                f"the Dask scheduler at {address} has no workers; start some: dask worker {address} "
                "--nworkers auto --nthreads 1, or say with --workers how many are to come"
            )
        if max(threads.values(), default=1) > 1:  # their tables are for one
            raise GuesstreeError(
                f"a Dask worker at {address} has {max(threads.values())} threads; start it with one: "
                f"dask worker {address} --nworkers auto --nthreads 1"
            )
        executor = DaskExecutor(client, pure=False)  # equal tasks are not one task
        try:
            yield executor, workers or len(threads)
        finally:
            executor.shutdown(wait=False)  # cancels
