"""SIGTERM and SIGHUP end a command as Ctrl-C does, also where Ctrl-C is ignored, as in the background."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from terminal import COMMAND, terminal

from guesstree.cli import main

ENOUGH = 90.0


def has_worked(process: int) -> float:
    """Return the processor time of a process in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(process: int, seconds: float) -> None:
    until = time.monotonic() + ENOUGH
    while has_worked(process) < seconds:
        assert time.monotonic() < until
        time.sleep(0.01)


def children(process: int) -> list[str]:
    """Return the processes that threads of a process have started."""
    threads = Path(f"/proc/{process}/task").glob("*/children")
    return sorted({child for thread in threads for child in thread.read_text().split()}, key=int)


def background() -> None:
    """Do as a shell does for what it runs in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # also where tests run under nohup


def valid(path: str) -> bool:
    with pytest.raises(SystemExit) as end:
        main(["check", path])
    return end.value.code == 0


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.long)])
def test_a_search_ends_with_what_was_found(number: int) -> None:
    with subprocess.Popen(
        [*COMMAND, "solve", "bulls:4x10", "--out", "a.json", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=background,
    ) as process:
        wait_for(process.pid, 1.5)
        while process.poll() is None:  # as shells send it again, when the terminal has been closed
            os.kill(process.pid, number)
            time.sleep(0.01)
        stdout, stderr = process.communicate(timeout=ENOUGH)
    assert (process.returncode, stderr) == (128 + number, "")
    found = json.loads(stdout)
    assert found["stopped"] == "interrupt" and found["lower"] < found["upper"]
    assert valid("a.json")


def test_before_anything_is_found_it_is_said_that_it_was_interrupted() -> None:
    with subprocess.Popen(
        [*COMMAND, "assist", "mastermind:2x3"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=background,
    ) as process:
        assert process.stdout is not None and process.stdout.read(1)
        process.terminate()
        stderr = process.communicate(timeout=ENOUGH)[1]
    assert process.returncode == 143
    assert stderr.strip().splitlines()[-1] == "guesstree: interrupted"


def test_a_terminal_that_closes_leaves_what_was_found_in_files() -> None:
    shown = terminal("bounds", "bulls:4x10", "--out", "a.json")
    with shown as at:
        wait_for(at.child, 1.5)
        os.close(at.master)
        at.master = os.open(os.devnull, os.O_RDONLY)
        at.status = os.waitstatus_to_exitcode(os.waitpid(at.child, 0)[1])
    assert at.status == 129
    assert valid("a.json")


def test_what_nohup_ignores_stays_ignored() -> None:
    words = [*COMMAND, "solve", "mastermind:4x7", "--json"]
    ignored = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)  # noqa: E731
    with subprocess.Popen(words, stdout=subprocess.PIPE, preexec_fn=ignored) as process:
        wait_for(process.pid, 0.5)
        os.kill(process.pid, signal.SIGHUP)
        stdout = process.communicate(timeout=ENOUGH)[0]
    assert (process.returncode, json.loads(stdout)["upper"]) == (0, 11228)


@pytest.mark.long
def test_workers_end_and_what_claims_showed_is_kept() -> None:
    words = [*COMMAND, "prove", "bulls:4x10", "--workers", "2", "--ledger", "a.ledger", "--out", "a.proof"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=background
    ) as process:
        until = time.monotonic() + ENOUGH
        while len(workers := children(process.pid)) < 3:  # with a tracker of what they share
            assert time.monotonic() < until
            time.sleep(0.01)
        wait_for(int(workers[-1]), 1.0)
        process.terminate()
        stdout, stderr = process.communicate(timeout=ENOUGH)
    assert (process.returncode, stderr) == (143, "")
    assert stdout.splitlines()[-1].startswith("verified: ")
    until = time.monotonic() + ENOUGH
    while any(Path(f"/proc/{worker}").exists() for worker in workers):  # the tracker ends last
        assert time.monotonic() < until
        time.sleep(0.01)
    assert not Path("a.ledger-lock").exists()
