"""Kill `guesstree prove` with -9 at random moments, start it again, and see that nothing is lost or wrong.

Each time a new ledger is begun, the command is killed somewhere on its way, and started again to its end: the
bound must be that of a run that nobody disturbed, and `guesstree verify` must accept the certificate.

    python scripts/kill_prove.py mastermind:4x6 --times 100 --workers 2
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

PROGRAM = [sys.executable, "-m", "guesstree"]
GONE_SECONDS = 5.0
"""Workers of a process that was killed end within so many seconds."""


def claims_in(ledger: Path) -> int:
    """Return how many claims a ledger has, 0 where it was not even begun."""
    if not ledger.exists():
        return 0
    with closing(sqlite3.connect(ledger)) as file, suppress(sqlite3.OperationalError):
        return int(file.execute("SELECT count(*) FROM claims").fetchone()[0])
    return 0


def proved(words: list[str]) -> int | None:
    """Return the bound that a run of the command proves."""
    done = subprocess.run([*PROGRAM, "prove", *words, "--json"], check=True, stdout=subprocess.PIPE)
    found = json.loads(done.stdout)["proof"]
    assert all(line.startswith("verified: ") for line in found["verified"]), found
    bound: int | None = found["bound"]
    return bound


def kill_after(words: list[str], seconds: float) -> bool:
    """Kill a run of the command after some seconds; return whether it was still running."""
    command = [*PROGRAM, "prove", *words, "--json"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as run:
        with suppress(subprocess.TimeoutExpired):
            run.wait(seconds)
            return False
        run.kill()
    until = time.monotonic() + GONE_SECONDS
    while workers_of(run.pid):
        assert time.monotonic() < until, f"workers outlive the command by {GONE_SECONDS} s"
        time.sleep(0.05)
    with suppress(ProcessLookupError):  # a checker that it had started
        os.killpg(run.pid, signal.SIGKILL)
    return True


def workers_of(group: int) -> list[str]:
    """Return what runs in a group of processes, but for checkers: they end by themselves."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it is gone
            name, _, rest = path.read_text().partition("(")[2].rpartition(")")
            if int(rest.split()[2]) == group and not name.startswith("gt"):
                found.append(name)
    return found


def main(arguments: list[str] | None = None) -> None:
    """Kill and start again so many times, and tell what each found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--objective", default="expected")
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    chance = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        out, ledger = Path(folder, "some.proof"), Path(folder, "ledger")
        words = [asked.game, "--objective", asked.objective, "--workers", str(asked.workers)]
        words += ["--out", str(out), "--ledger", str(ledger)]
        began = time.monotonic()
        bound = proved(words)
        seconds = time.monotonic() - began
        print(f"{asked.game}: {bound} in {seconds:.2f} s, {claims_in(ledger)} claims", flush=True)
        killed = 0
        while killed < asked.times:
            for old in Path(folder).iterdir():
                old.unlink()
            moment = chance.uniform(0, seconds)
            if not kill_after(words, moment):
                seconds = moment  # it was faster than the first
                continue
            killed += 1
            kept = claims_in(ledger)
            again = proved(words)
            assert again == bound, f"{again} instead of {bound} after a kill at {moment:.3f} s"
            subprocess.run([*PROGRAM, "verify", str(out)], check=True, stdout=subprocess.DEVNULL)
            print(f"{killed:4}  killed after {moment:.3f} s, {kept} claims kept: {again}", flush=True)
        print(f"{killed} killed while they ran, as many certificates verified")


if __name__ == "__main__":
    main()
