import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from jobs import announce, contradict, process

from guesstree.engine.campaign.executors import open_executor
from guesstree.engine.campaign.executors.team import Team, WorkerLost
from guesstree.engine.errors import GuesstreeError

SECONDS = 20.0
"""Longer than any of this takes, however busy the machine is."""


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def state(pid: int) -> str:
    """Return the letter for what a process does, Z of one that is dead but not waited for; "" of none."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return ""


def begun(path: Path) -> int:
    """Return the process that does `announce`, once it does."""
    until = time.monotonic() + SECONDS
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    return int(path.read_text())


@pytest.fixture(scope="module")
def two() -> Iterator[Executor]:
    with open_executor(2) as (executor, workers):
        assert workers == 2
        yield executor


def test_a_worker_keeps_its_state_between_tasks(two: Executor) -> None:
    for number in range(10):
        table = two.submit(process, number).result(SECONDS)[1]
        assert table[-1] == number
    last = [two.submit(process, -1).result(SECONDS) for _ in range(2)]
    assert max(len(table) for _, table in last) > 2
    assert os.getpid() not in [pid for pid, _ in last]


def test_what_a_task_raises_comes_back(two: Executor) -> None:
    with pytest.raises(ZeroDivisionError) as told:
        two.submit(divmod, 1, 0).result(SECONDS)
    assert "Traceback" in told.value.__notes__[0]
    with pytest.raises(RuntimeError, match="Contradiction: no secret fits"):
        two.submit(contradict).result(SECONDS)
    with pytest.raises(TypeError, match="pickle"):
        two.submit(threading.Lock).result(SECONDS)
    with pytest.raises((AttributeError, TypeError), match="pickle"):
        two.submit(lambda: 1)
    assert two.submit(divmod, 7, 2).result(SECONDS) == (3, 1)


def test_a_kill_costs_its_task_alone_and_leaves_nothing_behind(two: Executor, tmp_path: Path) -> None:
    wait([two.submit(time.sleep, 0.05) for _ in range(4)])
    before, lost = open_descriptors(), []
    for number in range(20):
        path = tmp_path / str(number)
        victim, other = two.submit(announce, str(path), SECONDS), two.submit(process, number)
        pid = begun(path)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(WorkerLost, match="killed by signal 9"):
            victim.result(SECONDS)
        other_pid, table = other.result(SECONDS)
        assert other_pid != pid
        assert table[-1] == number
        lost.append(pid)
    started = [tmp_path / "a", tmp_path / "b"]
    both = [two.submit(announce, str(path), 0.0) for path in started]
    wait(both, SECONDS)
    for path in started:
        begun(path)
    until = time.monotonic() + SECONDS
    while open_descriptors() != before:  # the second may still start
        assert time.monotonic() < until, (before, open_descriptors())
        time.sleep(0.01)
    assert [state(pid) for pid in lost] == [""] * 20


def test_ctrl_c_is_not_for_workers(two: Executor, tmp_path: Path) -> None:
    task = two.submit(announce, str(tmp_path / "a"), 0.2)
    os.kill(begun(tmp_path / "a"), signal.SIGINT)
    assert task.result(SECONDS) is None


def test_leaving_drops_all_tasks_at_once(tmp_path: Path) -> None:
    with open_executor(1) as (executor, _):
        running = executor.submit(announce, str(tmp_path / "a"), SECONDS)
        waiting = executor.submit(time.sleep, SECONDS)
        pid = begun(tmp_path / "a")
        began = time.monotonic()
    assert time.monotonic() - began < SECONDS / 2
    assert isinstance(running.exception(0), WorkerLost)
    assert waiting.cancelled()
    assert state(pid) == ""
    with pytest.raises(RuntimeError, match="shutdown"):
        executor.submit(os.getpid)


def test_a_shutdown_without_more_has_all_tasks_done() -> None:
    with open_executor(1) as (executor, _):
        tasks = [executor.submit(divmod, number, 3) for number in range(5)]
        executor.shutdown()
        assert [task.result(0) for task in tasks] == [divmod(number, 3) for number in range(5)]


@pytest.mark.parametrize("ignored", [False, True], ids=["SIGINT", "SIGINT ignored"])
def test_workers_end_with_the_process_that_started_them(tmp_path: Path, ignored: bool) -> None:
    code = (
        "import signal, sys, time\n"
        f"signal.signal(signal.SIGINT, signal.{'SIG_IGN' if ignored else 'SIG_DFL'})\n"
        "sys.path.insert(0, sys.argv[2])\n"
        "from guesstree.engine.campaign.executors import open_executor\n"
        "from jobs import announce\n"
        "with open_executor(1) as (executor, _): executor.submit(announce, sys.argv[1], 60).result()\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "a"), str(Path(__file__).parent.parent / "helpers")]
    with subprocess.Popen(command) as parent:
        pid = begun(tmp_path / "a")
        parent.kill()
    until = time.monotonic() + SECONDS
    while state(pid) not in ("", "Z"):  # whoever takes over orphans may not wait for them
        assert time.monotonic() < until
        time.sleep(0.01)


class Doomed:
    """A worker that is lost before any task."""

    begun = ended = 0

    def __init__(self) -> None:
        Doomed.begun += 1

    def ready(self) -> None:
        raise WorkerLost("it has no legs\nand no arms")

    def run(self, task: bytes) -> bytes:  # noqa: ARG002 - see `Member`
        raise AssertionError

    def kill(self) -> None:
        pass

    def end(self) -> None:
        Doomed.ended += 1


def test_workers_that_never_get_ready_are_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guesstree.engine.campaign.executors.team.PAUSES", (0.01, 0.01))
    begin = threading.Event()

    def hire() -> Doomed:
        begin.wait(SECONDS)
        return Doomed()

    team = Team(hire, 2)
    begin.set()
    futures: list[Future[Any]] = []
    with pytest.raises(GuesstreeError, match=r"^no worker can be started: and no arms$"):
        for _ in range(int(SECONDS * 100)):
            futures.append(team.submit(os.getpid))
            time.sleep(0.01)
    for future in futures:
        with pytest.raises(GuesstreeError, match=r"^no worker can be started: and no arms$"):
            future.result(SECONDS)
    assert Doomed.begun == Doomed.ended == 6
    team.shutdown()


@pytest.mark.parametrize("cluster", ["", "rays", "Ray", "dask", "dask:", "mpi:3", "slurm", ":", "x" * 100])
def test_a_cluster_that_is_none_is_refused(cluster: str) -> None:
    with pytest.raises(GuesstreeError, match=r"^--cluster '.*give one of ray, ray:HOST:PORT, .*mpi$"):
        open_executor(2, cluster)


@pytest.mark.parametrize(
    ("cluster", "library"),
    [("ray", "ray"), ("ray:h:1", "ray"), ("dask:h:1", "dask"), ("mpi", "mpi4py")],
)
def test_a_library_that_is_missing_is_named(
    cluster: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = cluster.partition(":")[0]
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"guesstree.engine.campaign.executors.{kind}", raising=False)
    with pytest.raises(GuesstreeError, match=rf"needs {library}, .*pip install 'guesstree\[{kind}\]'$"):
        open_executor(2, cluster)
