"""Workers that are actors of a Ray cluster."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, suppress
from functools import partial
from typing import Any

os.environ["RAY_DEDUP_LOGS_SKIP_REGEX"] = "^"  # what it says of lost nodes it prints among results

import ray
from ray.exceptions import RayError

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.memory import size_text
from guesstree.engine.notation import plural

from .team import ANSWER_SECONDS, Team, WorkerLost, last_line, perform


class Actor:
    """What Ray keeps in a process of its own, on some machine of the cluster."""

    def ready(self) -> None:
        """Return, once the process is there."""

    def run(self, task: bytes) -> bytes:
        """Do a task."""
        return perform(task)


class RayWorker:
    """An actor that has processors to itself, one for each thread; it waits until a machine has them."""

    def __init__(self, memory: int, jobs: int) -> None:
        self._actor: Any = ray.remote(Actor).options(num_cpus=jobs, memory=memory).remote()

    def ready(self) -> None:
        """Wait until the actor has started; raise WorkerLost when it is gone instead."""
        self._told(self._actor.ready.remote())

    def run(self, task: bytes) -> bytes:
        """Have the actor perform a task; raise WorkerLost when it is gone instead."""
        return self._told(self._actor.run.remote(task))

    def kill(self) -> None:
        """End the actor at once."""
        ray.kill(self._actor)

    end = kill

    def _told(self, answer: Any) -> Any:
        """Return what the actor answers; its process, its machine or what it sent may be lost."""
        try:
            return ray.get(answer)
        except RayError as error:
            raise WorkerLost(last_line(error)) from None


@contextmanager
def on_ray(address: str, workers: int | None, memory: int | None, jobs: int) -> Iterator[tuple[Team, int]]:
    """Use the cluster at an address or at RAY_ADDRESS, or else start one of this machine alone.

    Raises GuesstreeError when the address does not answer, or nowhere is room for a worker.
    """
    address = address or os.environ.get("RAY_ADDRESS", "")
    if address and not _answers(address):
        raise GuesstreeError(
            f"no Ray cluster answers at {address}; give the HOST:PORT that `ray start --head` tells, on a "
            "machine of the cluster"
        )
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        with chdir(sys.prefix), as_before(signal.SIGTERM):  # Ray puts the folder on the path of its workers
            ray.init(address or "local", **quiet)
    except (OSError, RuntimeError, ValueError) as error:  # another version of Ray or Python, say
        raise GuesstreeError(f"--cluster ray: {last_line(error)}") from None
    team = None
    try:
        machines = [machine["Resources"] for machine in ray.nodes() if machine["Alive"]]
        count = workers or max(1, sum(int(have.get("CPU", 0)) // jobs for have in machines))
        share = 0 if memory is None else memory // count
        if not any(have.get("CPU", 0) >= jobs and have.get("memory", 0) >= share for have in machines):
            raise GuesstreeError(
                f"no machine of the Ray cluster has {plural(jobs, 'processor')} and {size_text(share)} for "
                f"one of {plural(count, 'worker')}; use less --memory, fewer --jobs or more --workers"
            )
        team = Team(partial(RayWorker, share, jobs), count)
        yield team, count
    finally:
        if team is not None:
            team.shutdown(cancel_futures=True)
        ray.shutdown()


@contextmanager
def as_before(number: int) -> Iterator[None]:
    """Put back, in the end, what was done at a signal: Ray exits at once when it is sent SIGTERM."""
    before = signal.getsignal(number)
    try:
        yield
    finally:
        with suppress(ValueError):  # another thread than the first has nothing to put back
            signal.signal(number, before)


def _answers(address: str) -> bool:
    """Return whether Ray is there, by its own program: to join what is not there takes two minutes."""
    check = [sys.executable, "-m", "ray.scripts.scripts", "health-check", "--address", address]
    try:
        return subprocess.run(check, capture_output=True, timeout=ANSWER_SECONDS, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False
