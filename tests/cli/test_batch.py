"""The script for Slurm and the manifest for Kubernetes say what the command and each other understand.

Here the script runs without Slurm and without Dask: workers are processes. `make clusters` starts Dask.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import slurm
from manifest import containers, kind

from guesstree.api.ledger import ledger_report
from guesstree.cli.prove import command as prove_command
from guesstree.engine.errors import GuesstreeError

SECONDS = 60
DASK = f"""#!{sys.executable}
import socket, sys, time
words = sys.argv[1:]
if words[0] == "scheduler":
    listener = socket.create_server((words[words.index("--host") + 1], int(words[words.index("--port") + 1])))
time.sleep({SECONDS})
"""
"""Answers at the address of a scheduler."""
GUESSTREE = f"""#!{sys.executable} -P
import os, sys
from guesstree.cli import main
if __name__ == "__main__":
    if sys.argv[1] == "prove":
        print(os.getpid(), *sys.argv[2:], file=open("prove.said", "a"), flush=True)
        del sys.argv[(at := sys.argv.index("--cluster")) : at + 2]
    main()
"""
"""The command itself, with processes for the cluster; it tells how it was called."""
PROGRAMS = {"dask": DASK, "guesstree": GUESSTREE}


def parsed(words: list[str]) -> dict[str, Any]:
    """Return the options of `guesstree prove`, which refuses those that it does not know."""
    return prove_command.make_context("prove", words).params


def claims_in(ledgers: Iterable[Path]) -> int:
    """Return how many claims ledgers have; none while one is being made."""
    with suppress(GuesstreeError):
        return sum(ledger_report(path).counts.total() for path in ledgers)
    return 0


def test_a_job_of_slurm_leaves_certificate_and_ledger_and_no_key(tmp_path: Path) -> None:
    with slurm.start(tmp_path, ["mastermind:3x4", "3x4"], PROGRAMS) as job:
        said, _ = job.communicate(timeout=SECONDS)
    assert job.returncode == 0, said
    assert said.splitlines()[-1].startswith("verified: ")
    assert {path.name for path in tmp_path.glob("3x4*")} == {"3x4.proof", "3x4.ledger", "3x4.dask"}
    assert list((tmp_path / "disk").iterdir()) == []
    assert not (tmp_path / "scontrol.said").exists()
    (told,) = (tmp_path / "prove.said").read_text().splitlines()
    words = told.split()[1:]
    Path(words[words.index("--ledger") + 1]).parent.mkdir()  # a place that can be written
    options = parsed(words)
    host, _, port = options["cluster"].removeprefix("dask:tls://").partition(":")
    assert host and int(port) == slurm.PORT
    assert (options["workers"], options["jobs"], options["memory"]) == (1, 2, 300 << 20)


@pytest.mark.parametrize(
    ("number", "victim", "again"),
    [
        (signal.SIGUSR1, "the script", True),
        (signal.SIGTERM, "the script", False),
        (signal.SIGKILL, "the command", True),
    ],
)
def test_a_job_of_slurm_that_is_ended_saves_the_ledger(
    number: signal.Signals, victim: str, again: bool, tmp_path: Path
) -> None:
    """It is queued again when the time is over or the command is killed, and not after scancel."""
    with slurm.start(tmp_path, ["mastermind:4x8", "4x8"], PROGRAMS) as job:
        until = time.monotonic() + SECONDS
        while not claims_in(tmp_path.glob("disk/*/ledger")):
            assert job.poll() is None and time.monotonic() < until
            time.sleep(0.05)
        command = int((tmp_path / "prove.said").read_text().split()[0])
        os.kill(job.pid if victim == "the script" else command, number)
        said, _ = job.communicate(timeout=SECONDS)
    assert job.returncode == 128 + number, said
    assert not (tmp_path / "4x8.proof").exists()
    assert claims_in([tmp_path / "4x8.ledger"])
    queued = tmp_path / "scontrol.said"
    assert (queued.read_text() if queued.exists() else "") == (f"requeue {slurm.JOB}\n" if again else "")


def test_the_command_of_the_manifest_is_one_of_guesstree_and_fits_the_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    parts = containers()
    assert list(parts) == ["scheduler", "worker", "command"]
    name, verb, *words = parts["command"]["command"]
    assert (name, verb) == ("guesstree", "prove")
    options = parsed(words)
    requests = parts["worker"]["resources"]["requests"]
    assert options["jobs"] == int(requests["cpu"])
    gibibytes = int(requests["memory"].removesuffix("Gi"))
    assert options["memory"] / options["workers"] <= 0.8 * (gibibytes << 30)
    assert parts["worker"]["of"]["replicas"] <= options["workers"]
    service = kind("Service")
    (port,) = service["spec"]["ports"]
    address = f"tcp://{service['metadata']['name']}:{port['port']}"
    assert options["cluster"] == f"dask:{address}"
    assert parts["worker"]["command"][:3] == ["dask", "worker", address]
    assert str(port["port"]) in parts["scheduler"]["command"]


def test_the_objects_of_the_manifest_find_each_other() -> None:
    parts = containers()
    assert len({part["image"] for part in parts.values()}) == 1
    for part in ("scheduler", "worker"):
        assert parts[part]["of"]["selector"]["matchLabels"] == parts[part]["labels"]
    assert kind("Service")["spec"]["selector"] == parts["scheduler"]["labels"]
    rule = kind("NetworkPolicy")["spec"]
    (source,) = rule["ingress"][0]["from"]
    for chosen in (rule["podSelector"], source["podSelector"]):
        assert all(chosen["matchLabels"].items() <= part["labels"].items() for part in parts.values())
    (volume,), (mount,) = parts["command"]["pod"]["volumes"], parts["command"]["volumeMounts"]
    assert volume["persistentVolumeClaim"]["claimName"] == kind("PersistentVolumeClaim")["metadata"]["name"]
    assert (mount["name"], mount["mountPath"]) == (volume["name"], parts["command"]["workingDir"])
