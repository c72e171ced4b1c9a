"""Have certificates judged by the checker, and enter them in docs/results.json.

`scripts/frontier.py` does so with those that it makes. This enters what was made elsewhere, such as by
`guesstree prove` or by `guesstree ledger --export`:

    python scripts/certify.py 4x9.proof --seconds 250
    python scripts/certify.py wordle.proof --game wordle:official

Exit status: 0; 1 the checker refuses one, or it contradicts what is recorded.
"""

from __future__ import annotations

import argparse
import lzma
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from results import FAMILIES, RESULTS, Cell, Record, load, made, proved, save

# Nothing of guesstree is imported here: on Linux a process starts with the peak memory of its parent.

PART = "certificates"
CHECKER = Path(__file__).parent.parent / "verify" / "gtverify"


class LateError(Exception):
    """A process took longer than it may."""


def set_limits(seconds: float | None, memory: int | None) -> None:
    """Have this process end after so many seconds of one processor, and take so many bytes at most."""
    if seconds is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(-(-seconds // 1)), resource.RLIM_INFINITY))
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def run(
    command: Sequence[str | Path], limit: float | None = None, memory: int | None = None
) -> tuple[str, resource.struct_rusage]:
    """Run a program within so many seconds and bytes; return what it printed, and what it took.

    Raises LateError when it takes longer than the limit, RuntimeError when it fails otherwise.
    """
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: set_limits(limit, memory),
    ) as process:
        assert process.stdout is not None
        printed = process.stdout.read().strip()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == -signal.SIGXCPU:
        raise LateError
    if process.returncode:
        raise RuntimeError((printed or f"ended with status {process.returncode}").splitlines()[-1])
    return printed, usage


def weighed(path: Path, checker: str, limit: float | None = None) -> tuple[str, Record]:
    """Return what a checker says of a certificate that it accepts, and what that takes; see `run`."""
    program: list[str | Path] = [CHECKER.with_name(f"gt{checker}")]
    if checker == "kit":  # it is in Python alone
        program = [sys.executable, "-I", CHECKER.with_name("kit.py")]
    printed, usage = run([*program, path], limit)
    counts = re.search(r"\(\d+ guess(?:es)?, (\d+) lemmas?\)$", printed)
    if counts is None:
        raise RuntimeError(f"the checker says {printed!r}")
    data = path.read_bytes()
    return printed, {
        "lemmas": int(counts[1]),
        "bytes": len(data),
        "xz_bytes": len(lzma.compress(data, preset=9)),
        "check_seconds": round(usage.ru_utime + usage.ru_stime, 3),
        "check_mb": usage.ru_maxrss // 1024,
        "sha256": sha256(data).hexdigest(),
    }


def judged(path: Path, limit: float | None = None) -> tuple[Cell, Record]:
    """Return what a certificate is about, and what it says and takes; `run` has the errors."""
    _, took = weighed(path, "verify", limit)
    data = path.read_bytes()
    kind, one, other, goal, first, within, bound = data[: 1 << 12].decode().split(maxsplit=8)[1:8]
    game = f"{kind}:{one}x{other}" if kind in FAMILIES else kind
    objective = "worst" if bound == "inf" else "expected"
    record = {
        "first": None if first == "-" else first,
        "within": None if within == "-" else int(within),
        "bound": None if bound == "inf" else int(bound),
        "lemmas": took.pop("lemmas"),
        "small_sets": data.split().count(b"!"),
    } | took
    limited = objective == "expected" and within != "-"
    return Cell(game, objective, goal, int(within) if limited else None), record


def agree(cell: Cell, known: Record, record: Record) -> None:
    """Raise RuntimeError unless a certificate proves what is known of a cell."""
    claim = record["first"], record["within"], record["bound"]
    value = known["lower"]
    expected = (None, cell.within, value) if cell.objective == "expected" else (None, value - 1, None)
    if claim != expected or not proved(known):
        raise RuntimeError(
            f"CONTRADICTION: {cell}: {value} is recorded, {claim} is proved (first, within, bound)"
        )


def summary(record: Record) -> str:
    """Return a record in words."""
    if not made(record):
        return f"no {record['stopped']} in {record['time_limit']:g} s"
    return f"{record['bytes']} bytes, checked in {record['check_seconds']:.2f} s, {record['sha256'][:12]}"


def enter(path: Path, results: Path, game: str | None, seconds: float | None) -> None:
    """Enter a certificate under the name of its cell; see `judged` and `agree` for errors."""
    about, record = judged(path)
    cell = Cell(game or about.game, about.objective, about.goal, about.within)
    known, name = load(results).get(str(cell)), str(cell)
    if record["first"] is not None:
        name += f" first {record['first']}"
    elif known is not None:
        agree(cell, known, record)
    old = load(results, PART).get(name)
    if old is not None and old.get("sha256") == record["sha256"]:
        record = old | record
    if seconds is not None:
        record |= {"prove_seconds": seconds}
    save(results, PART, load(results, PART) | {name: record})
    print(f"{name}: {summary(record)}")


def main(arguments: list[str]) -> int:
    """Enter certificates; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="FILE.proof", help="certificates")
    parser.add_argument("--game", metavar="SPEC", help="the game, if it is one of words")
    parser.add_argument("--seconds", type=float, metavar="S", help="what search and proof took, if known")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FILE", help="default: docs/results.json"
    )
    given = parser.parse_args(arguments)
    try:
        for path in given.paths:
            enter(path, given.results, given.game, given.seconds)
    except (RuntimeError, OSError) as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
