"""`guesstree prove` and its workers are killed with -9 at random moments of a proof, and nothing is lost.

A command that was killed is started again with the same ledger, until it ends. What the ledger holds never
becomes less, the bound is that of a run that nobody disturbed, and `guesstree verify` accepts certificate and
strategy.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from guesstree.engine.campaign.ledger import Ledger
from guesstree.engine.campaign.messages import NodeId

KILLS = 5
PRICED = Path(__file__).parent.parent / "data" / "priced.csv"
PROGRAM = [sys.executable, "-P", "-m", "guesstree"]
GONE_SECONDS = 30.0
"""Workers of a process that was killed end within so many seconds."""
Known = dict[NodeId, tuple[int, int, int]]
"""Of each claim: at least what it costs, at most, and what was accepted."""


def tables_in(ledger: Path) -> int:
    """Return how many tables a ledger has; none where its writer was killed before it made them."""
    with closing(sqlite3.connect(f"{ledger.as_uri()}?mode=ro", uri=True)) as file:
        return int(file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def known_in(ledger: Path, began: float) -> tuple[Known, int]:
    """Return what a ledger holds, and how many claims were asked since a time and not answered."""
    if not ledger.exists() or not tables_in(ledger):
        return {}, 0
    with closing(Ledger(str(ledger))) as kept:
        known = {place: (it.lower, it.upper, it.accepted) for place, it in kept.known.items()}
        return known, sum(1 for it in kept.known.values() if it.since > began)


def lost(before: Known, after: Known) -> list[NodeId]:
    """Return claims of which less is known than before."""
    missing = 0, 1 << 62, 0
    return [
        place
        for place, (lower, upper, accepted) in before.items()
        if (now := after.get(place, missing))[0] < lower or now[1] > upper or now[2] < accepted
    ]


def workers_of(process: int) -> list[int]:
    """Return the workers that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it is gone
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process and b"spawn_main" in (path / "cmdline").read_bytes():
                found.append(int(path.name))
    return found


def alive(process: int) -> bool:
    """Return whether a process runs: it is there, and no zombie."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@dataclass
class Proof:
    """A proof in progress.

    Attributes
    ----------
    words: of the command.
    known: what the ledger held when it was last looked at.
    starts, began: how often the command was started, and when that was last.
    losses: of each kill, the claims that nobody works on any more.
    """

    words: list[str]
    ledger: Path
    chance: random.Random
    known: Known = field(default_factory=dict)
    starts: int = 0
    began: float = 0.0
    losses: list[int] = field(default_factory=list)

    def look(self) -> int:
        """See that nothing in the ledger became less; return how many claims are being worked on."""
        now, running = known_in(self.ledger, self.began)
        gone = lost(self.known, now)
        assert not gone, f"less is known of {len(gone)} claims, as of {gone[:3]}"
        self.known = now
        return running

    def run(self, kills: int, longest: float) -> dict[str, Any]:
        """Kill so often, the command or a worker, and return what the last run says."""
        while True:
            self.starts, self.began = self.starts + 1, time.time()
            command = [*PROGRAM, "prove", *self.words, "--json"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as run:
                while len(self.losses) < kills:
                    with suppress(subprocess.TimeoutExpired):
                        run.wait(self.chance.uniform(0.05, longest))
                        break
                    if self.kill(run, whole=self.chance.random() < 0.5):
                        break
                said, _ = run.communicate()
                if run.returncode != -signal.SIGKILL:
                    assert run.returncode == 0, f"status {run.returncode}"
                    self.look()
                    found: dict[str, Any] = json.loads(said)
                    return found

    def kill(self, run: subprocess.Popen[str], *, whole: bool) -> bool:
        """Kill a run or one of its workers; return whether the run is dead."""
        running, workers = self.look(), workers_of(run.pid)
        if whole:
            run.kill()
            run.wait()
            until = time.monotonic() + GONE_SECONDS
            while any(map(alive, workers)):
                assert time.monotonic() < until, f"workers outlive the command by {GONE_SECONDS} s"
                time.sleep(0.05)
            self.look()
        elif workers:
            with suppress(ProcessLookupError):
                os.kill(self.chance.choice(workers), signal.SIGKILL)
        else:
            return False
        self.losses.append(running)
        return whole


@pytest.mark.long
@pytest.mark.parametrize(
    ("asked", "bound", "share"),
    [
        ("mastermind:4x6", 5625, 0.2),
        ("table:priced.csv --objective expected", 4045, 0.5),
        ("table:priced.csv --objective worst,expected", 4646, 0.5),
        ("bulls:3x5 --goal identify --objective worst --lies 1", None, 0.5),
    ],
)
def test_nothing_is_lost_where_it_is_killed(
    asked: str, bound: int | None, share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`share`: a run is killed after so much of the time that it takes undisturbed, at most."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(PRICED, "priced.csv")
    words = [*asked.split(), "--workers", "2", "--out", "some.proof", "--strategy", "some.json"]
    began = time.monotonic()
    undisturbed = subprocess.run([*PROGRAM, "prove", *words, "--json"], check=True, stdout=subprocess.PIPE)
    seconds = time.monotonic() - began
    proof = Proof([*words, "--ledger", "ledger"], Path("ledger").resolve(), random.Random(0))
    found = proof.run(KILLS, share * seconds)
    assert 1 <= len(proof.losses) <= KILLS
    assert found["proof"]["bound"] == json.loads(undisturbed.stdout)["proof"]["bound"] == bound
    assert found["proof"]["verified"][0].startswith("verified: "), found
    subprocess.run(
        [*PROGRAM, "verify", "some.proof", "--strategy", "some.json"], check=True, stdout=subprocess.PIPE
    )
