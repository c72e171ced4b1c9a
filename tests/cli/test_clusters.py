"""A game is proved on clusters that lose a part on the way: Ray, Dask and MPI on this machine.

Ray has four nodes with a processor each, of which one is removed; Dask two workers, of which one is killed;
MPI two workers, of which one is killed, which ends the job: it is started again with its ledger. Ray and Dask
start with one worker or none, and get another later. The total has to be that of a process alone, and
`guesstree verify` to accept the certificate. The script for Slurm and the manifest for Kubernetes start Dask.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import slurm
from downloads import foreign_that_ran, unsafe_environment, write_foreign
from manifest import containers, kind

pytestmark = pytest.mark.skipif("GUESSTREE_CLUSTERS" not in os.environ, reason="make clusters runs it")

PYTHON = [sys.executable, "-P"]
COMMAND = ["-m", "guesstree"]
POLL_SECONDS = 0.05
NODES = 4
GAME, TOTAL = "mastermind:4x7", 11228
JOBS = 2
"""Threads of each worker."""
AFTER = 5
"""Claims that are answered when a part is lost."""
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
Grow = Callable[[], object]


@contextmanager
def on_ray() -> Iterator[tuple[list[str], str, Lose]]:
    """Start four nodes; the last one can be lost."""
    from ray.cluster_utils import Cluster

    room = {"num_cpus": JOBS, "object_store_memory": STORE_BYTES}
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


def wait_for(run: subprocess.Popen[bytes], ledger: Path, claims: int) -> None:
    """Wait until so many claims are answered."""
    while not ledger.exists() or answered(ledger) < claims:
        with suppress(subprocess.TimeoutExpired):
            run.wait(POLL_SECONDS)
            pytest.fail("it ended before that")


@contextmanager
def on_small_ray() -> Iterator[tuple[str, list[tuple[int, Grow]]]]:
    """Start a node with room for one worker; another can be added, when so many claims are answered."""
    from ray.cluster_utils import Cluster

    room = {"num_cpus": JOBS, "object_store_memory": STORE_BYTES}
    cluster = Cluster(initialize_head=True, head_node_args=room | {"include_dashboard": False})
    try:
        yield f"ray:{cluster.address}", [(1, lambda: cluster.add_node(**room))]
    finally:
        cluster.shutdown()


@contextmanager
def on_empty_dask() -> Iterator[tuple[str, list[tuple[int, Grow]]]]:
    """Start a scheduler alone; workers can be added one after the other, when so many claims are answered."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=None) as cluster:
        later = [(0, lambda: cluster.scale(1)), (1, lambda: cluster.scale(2))]
        yield f"dask:{cluster.scheduler_address}", later


SMALL = {"ray": on_small_ray, "dask": on_empty_dask}


def proved(command: list[str], ledger: Path, lose: Lose | None = None) -> dict[str, Any] | None:
    """Return what a run of `prove --json` tells, or None where it failed."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as run:
        if lose is not None:
            wait_for(run, ledger, AFTER)
            lose()
        assert run.stdout is not None
        text = run.stdout.read()
    found: dict[str, Any] | None = None if run.returncode else json.loads(text)
    return found


def who_answered(ledger: Path) -> set[str]:
    """Return the workers that have answered claims; one that is given out again is nobody's."""
    with closing(sqlite3.connect(f"{ledger.as_uri()}?mode=ro", uri=True)) as file:
        found = file.execute("SELECT worker FROM claims WHERE evaluations > 0 AND worker != ''")
        return {worker for (worker,) in found}


@pytest.mark.parametrize("name", CLUSTERS)
def test_a_part_of_a_cluster_is_lost(name: str, tmp_path: Path) -> None:
    out, ledger = tmp_path / "some.proof", tmp_path / "ledger"
    with CLUSTERS[name]() as (program, cluster, lose):
        command = [*program, *COMMAND, "prove", GAME, "--cluster", cluster, "--jobs", f"{JOBS}!"]
        command += ["--ledger", str(ledger), "--out", str(out), "--json"]
        found = proved(command, ledger, lose)
        if found is None and name == "mpi":  # the job has ended with its worker
            found = proved(command, ledger)
    assert found is not None
    assert found["total"] == found["proof"]["bound"] == TOTAL
    assert all(line.startswith("verified: ") for line in found["proof"]["verified"]), found
    check(out)


def check(out: Path) -> None:
    """Have the command check the certificate once more."""
    done = subprocess.run([*PYTHON, *COMMAND, "verify", out], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"bound: mastermind 4 7, win: at least {TOTAL} in total"


@pytest.mark.parametrize("name", SMALL)
def test_workers_that_come_later_work(name: str, tmp_path: Path) -> None:
    out, ledger = tmp_path / "some.proof", tmp_path / "ledger"
    with SMALL[name]() as (cluster, later):
        command = [
            *PYTHON,
            *COMMAND,
            "prove",
            GAME,
            "--cluster",
            cluster,
            "--workers",
            "2",
            "--jobs",
            f"{JOBS}!",
        ]
        command += ["--ledger", str(ledger), "--out", str(out)]
        with subprocess.Popen(command) as run:
            for claims, add in later:
                wait_for(run, ledger, claims)
                add()
        assert run.returncode == 0
    assert len(who_answered(ledger)) == 2
    check(out)


def test_the_script_for_slurm_proves_a_game_though_a_worker_is_killed(tmp_path: Path) -> None:
    with slurm.start(tmp_path, [GAME, "some"], {}, NODES) as job:  # more nodes make more claims
        while not (ledger := next(iter(tmp_path.glob("disk/*/ledger")), None)) or answered(ledger) < AFTER:
            assert job.poll() is None, job.communicate()
            time.sleep(POLL_SECONDS)
        (worker,) = who_answered(ledger)
        os.kill(int(worker.partition(":")[2]), signal.SIGKILL)
        said, _ = job.communicate()
    assert job.returncode == 0, said
    assert len(who_answered(tmp_path / "some.ledger")) == 2
    check(tmp_path / "some.proof")


def test_the_manifest_for_kubernetes_proves_a_game_though_a_worker_is_replaced(tmp_path: Path) -> None:
    """Its programs run as they stand there, but for the address of the scheduler."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    name, _, told = (part["command"] for part in containers().values())
    address = {kind("Service")["metadata"]["name"]: "127.0.0.1", name[name.index("--port") + 1]: port}
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}

    def start(part: str) -> subprocess.Popen[bytes]:
        words = containers()[part]["command"]
        for old, new in address.items():
            words = [word.replace(old, new) for word in words]
        return subprocess.Popen(words, cwd=tmp_path, env=environment, start_new_session=True)

    ledger = tmp_path / told[told.index("--ledger") + 1]
    running = [start("scheduler")]
    try:
        time.sleep(AFTER)  # Kubernetes would start the command again if it did not find the scheduler yet
        run = start("command")
        running += [run, start("worker")]
        wait_for(run, ledger, AFTER)
        os.killpg(running.pop().pid, signal.SIGKILL)
        running.append(start("worker"))
        assert run.wait() == 0
    finally:
        for one in running:
            with suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
            one.wait()
    assert len(who_answered(ledger)) == 2
    check(tmp_path / told[told.index("--out") + 1])


def test_workers_of_ray_run_no_file_of_the_folder(tmp_path: Path) -> None:
    write_foreign(tmp_path)
    words = ["-m", "guesstree", "prove", "mastermind:3x4", "--cluster", "ray", "--out", "a.proof"]
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=tmp_path, env=unsafe_environment(), capture_output=True, text=True)
    assert (done.returncode, foreign_that_ran(tmp_path)) == (0, []), done.stderr
    assert done.stdout.splitlines()[-1].startswith("verified: ")
