"""A checker that comes to no end, or is killed: what was found is kept, and said to be not checked."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from here import work_here
from terminal import terminal

import guesstree
from guesstree.api import certificate as certificates
from guesstree.api import verification
from guesstree.cli import main

SLOW = "touch begun; exec sleep 60"
KILLED = "kill -9 $$"
SAYS = "every strategy for 27 secrets costs at least 73"
RUN = (
    "import sys; from pathlib import Path; from guesstree.api import verification; "
    "from guesstree.cli import main; verification.FOLDER = Path('bin'); main(sys.argv[1:])"
)
BUILT = verification.FOLDER.resolve()
ENOUGH = 90.0


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(certificates, "CHECK_SECONDS", 0.2)
    monkeypatch.setattr(certificates, "PAUSES", (0.0, 0.0))


def replaced(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a script in the place of the checker."""
    program = Path("bin/gtverify")
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(verification, "FOLDER", Path("bin").resolve())


def ended(words: list[str]) -> int:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.mark.parametrize(
    ("script", "why", "words"),
    [
        (SLOW, "the time is up", ["--time-limit", "1"]),
        (KILLED, "the checker was killed by signal 9", []),
        (KILLED, "the checker was killed by signal 9", ["--json"]),
    ],
)
def test_what_is_not_checked_is_kept_and_said(
    script: str,
    why: str,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    replaced(monkeypatch, script)
    line = f"not checked ({why}): a.proof says that {SAYS}; guesstree verify a.proof checks it"
    assert ended(["prove", "mastermind:3x3", "--out", "a.proof", *words]) == 1
    text = capsys.readouterr()
    assert text.err == ""
    if "--json" in words:
        found = json.loads(text.out)["proof"]
        assert (found["verified"], found["unchecked"]) == ([], [line])
    else:
        assert text.out.splitlines()[-2:] == ["  wrote a.proof", line]
    monkeypatch.setattr(verification, "FOLDER", BUILT)
    assert verification.run_checker("a.proof").verified


def test_both_certificates_of_a_pair_are_written_before_the_first_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replaced(monkeypatch, SLOW)
    lines = guesstree.prove("mastermind:2x3", "worst,expected").write("a.proof", due=time.monotonic())
    assert [line.partition(" says ")[0] for line in lines] == [
        "not checked (the time is up): a.proof",
        "not checked (the time is up): a.worst.proof",
    ]
    assert Path("a.worst.proof").exists()


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_ctrl_c_while_it_is_checked_keeps_what_was_found(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced(monkeypatch, SLOW)
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            RUN,
            "prove",
            "mastermind:3x3",
            "--out",
            "a.proof",
            "--strategy",
            "a.json",
            *words,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        until = time.monotonic() + ENOUGH
        while not Path("begun").exists() and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGINT)
        pressed = time.monotonic()
        stdout, stderr = process.communicate(timeout=ENOUGH)
        assert time.monotonic() - pressed < 20, "one second, on an idle machine"
    assert (process.returncode, stderr) == (130, "")
    line = f"not checked (interrupted): a.proof says that {SAYS}; guesstree verify a.proof checks it"
    assert json.loads(stdout)["proof"]["unchecked"] == [line] if words else stdout.splitlines()[-1] == line
    assert Path("a.proof").exists() and Path("a.json").exists()


def test_the_check_is_told_on_a_terminal_alone() -> None:
    with terminal("prove", "mastermind:3x3", "--out", "a.proof") as shown:
        assert shown.end() == 0
    assert "checking a.proof ..." in shown.text


def test_verify_says_that_nothing_is_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    guesstree.prove("mastermind:3x3").write("a.proof")
    replaced(monkeypatch, KILLED)
    assert ended(["verify", "a.proof"]) == 2
    said = "guesstree: a.proof is not checked: the checker was killed by signal 9; check it again\n"
    assert capsys.readouterr().err == said


def test_a_killed_checker_does_not_end_a_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    """The claims that it had are checked again, and only they; after some more tries one line ends it."""
    work_here(monkeypatch)
    real, log = BUILT / "gtverify", Path("log").resolve()
    count = f'printf x >> {log}; [ $(wc -c < {log}) -gt $AGAIN ] || kill -9 $$; exec {real} "$@"'
    monkeypatch.setenv("AGAIN", "2")
    replaced(monkeypatch, count)
    found: Any = guesstree.prove("mastermind:3x4", ledger="some.ledger")
    assert found.bound == 206 and found.line.startswith("verified: ")
    assert log.stat().st_size > 3
    monkeypatch.setenv("AGAIN", "1000")
    said = "the checker was killed by signal 9, 3 times in a row: claims are not checked; use fewer workers"
    with pytest.raises(guesstree.GuesstreeError, match=said):
        guesstree.prove("mastermind:3x4", ledger="other.ledger")
    monkeypatch.setenv("AGAIN", "0")
    assert guesstree.prove("mastermind:3x4", ledger="other.ledger").bound == 206
