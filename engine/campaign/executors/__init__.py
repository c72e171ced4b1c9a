"""Where claims are worked on: processes of this machine, or workers of a cluster, behind one `Executor`."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager

from guesstree.engine.errors import GuesstreeError, shown

from .processes import LocalProcess
from .team import Team

FORMS = "ray, ray:HOST:PORT, dask:HOST:PORT, mpi"
"""What a cluster may be called."""


def open_executor(
    workers: int | None, cluster: str | None = None, memory: int | None = None, jobs: int = 1
) -> AbstractContextManager[tuple[Executor, int]]:
    """Return what opens an executor, and tells how many tasks it does at once; leaving it drops all tasks.

    A task whose worker is lost ends with an exception, `team.WorkerLost` unless a library has its own.

    Parameters
    ----------
    workers: how many; None: one process of this machine, or as many as a cluster has room for.
    cluster: None: processes of this machine; or else one of `FORMS`.
    memory, jobs: bytes that all workers may take, and processors that each may, which Ray keeps free.

    Raises GuesstreeError, now or when it is opened, for a cluster that is no such thing, whose library is
    missing, or that does not answer.
    """
    if cluster is None:
        return _on_processes(workers or 1)
    kind, _, address = cluster.partition(":")
    try:
        if kind == "ray":
            from .ray import on_ray

            return on_ray(address, workers, memory, jobs)
        if kind == "dask" and address:
            from .dask import on_dask

            return on_dask(address, workers)
        if cluster == "mpi":
            from .mpi import on_mpi

            return on_mpi()
    except ModuleNotFoundError as error:
        raise GuesstreeError(
            f"--cluster {cluster} needs {error.name}, which is not installed: pip install 'guesstree[{kind}]'"
        ) from None
    raise GuesstreeError(f"--cluster {shown(cluster)}: give one of {FORMS}")


@contextmanager
def _on_processes(workers: int) -> Iterator[tuple[Team, int]]:
    team = Team(LocalProcess, workers)
    try:
        yield team, workers
    finally:
        team.shutdown(cancel_futures=True)
