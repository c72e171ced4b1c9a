"""Make the certificates of what docs/results.json has proved, and have them checked, one after the other.

Each cell, such as "mastermind:4x6 expected win", is searched and proved in a process of its own, as
`guesstree prove` does it. Then the checker judges the file; one that it does not accept is an error. Easy
cells come first; a run may be stopped and taken up again.

    python scripts/certify.py --save DIR --time-limit 150     what has no certificate yet
    python scripts/certify.py --compare --cell "mastermind:5x5 expected win"
    python scripts/certify.py --record FILE.proof             enter one that was made elsewhere

Exit status: 0; 1 a certificate failed, or is not the one that is recorded; 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from hashlib import sha256
from math import inf
from pathlib import Path

from results import FAMILIES, RESULTS, Cell, Record, load, parse_cell, proved, save

# Nothing of guesstree is imported here: on Linux a process starts with the peak memory of its parent.

PART = "certificates"
CHECKER = Path(__file__).parent.parent / "verify" / "gtverify"
MEMORY = 4 << 30
"""Bytes for a search: which certificate is written does not depend on it."""


class LateError(Exception):
    """A process took longer than it may."""


# -- one certificate ---------------------------------------------------------------------------------------


def limit_seconds(limit: float | None) -> None:
    """Have this process end after so many seconds of one processor, rounded up."""
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(-(-limit // 1)), resource.RLIM_INFINITY))


def work(cell: Cell, path: Path, limit: float | None) -> Record:
    """Search and prove one cell in this process, and write the certificate."""
    limit_seconds(limit)
    from contextlib import closing

    from guesstree.certificate import certificate_of
    from guesstree.engine.objective import OBJECTIVES
    from guesstree.engine.problem import Problem
    from guesstree.engine.proofs.prove import aims_of, prover_of
    from guesstree.engine.registry import parse
    from guesstree.engine.search.watch import Watch

    started = time.process_time()
    problem = Problem(parse(cell.game), OBJECTIVES[cell.objective], goal=cell.goal)
    with closing(prover_of(problem, 1, MEMORY, None)) as prover:
        solved = prover.solve(Watch(None), None)
        searched = time.process_time() - started
        (aim,) = aims_of(solved, None, None)
        certificate = certificate_of(prover, [aim], Watch(None), None)
    seconds = time.process_time() - started
    path.write_text(certificate.text, encoding="ascii")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB on Linux
    return {
        "search_seconds": round(searched, 3),
        "prove_seconds": round(seconds, 3),
        "prove_mb": peak // 1024,
    }


def run(command: Sequence[str | Path], limit: float | None = None) -> tuple[str, resource.struct_rusage]:
    """Run a program; return what it printed, and what it took.

    Raises LateError when it takes longer than the limit, RuntimeError when it fails otherwise.
    """
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: limit_seconds(limit),
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


def judged(path: Path, limit: float | None) -> tuple[Cell, Record]:
    """Return what a certificate is about, and what it says and takes; `run` has the errors."""
    printed, usage = run([CHECKER, path], limit)
    counts = re.search(r"\((\d+) lemmas, (\d+) small sets\)", printed)
    data = path.read_bytes()
    kind, one, other, goal, first, within, bound = data[: 1 << 12].decode().split(maxsplit=8)[1:8]
    game = f"{kind}:{one}x{other}" if kind in FAMILIES else kind
    objective = "worst" if bound == "inf" else "expected"
    if counts is None:
        raise RuntimeError(f"the checker says {printed!r}")
    record = {
        "first": None if first == "-" else first,
        "within": None if within == "-" else int(within),
        "bound": None if bound == "inf" else int(bound),
        "lemmas": int(counts[1]),
        "small_sets": int(counts[2]),
        "bytes": len(data),
        "xz_bytes": len(lzma.compress(data, preset=9)),
        "check_seconds": round(usage.ru_utime + usage.ru_stime, 3),
        "check_mb": usage.ru_maxrss // 1024,
        "sha256": sha256(data).hexdigest(),
    }
    return Cell(game, objective, goal), record


def agree(cell: Cell, known: Record, record: Record) -> None:
    """Raise RuntimeError unless a certificate proves what is known of a cell."""
    claim = record["first"], record["within"], record["bound"]
    value = known["lower"]
    expected = (None, None, value) if cell.objective == "expected" else (None, value - 1, None)
    if claim != expected:
        raise RuntimeError(f"CONTRADICTION: {value} is recorded, {claim} is proved (first, within, bound)")


def compute(cell: Cell, known: Record, folder: Path, limit: float | None) -> Record:
    """Return the record of one cell: of its certificate, or of what there was no time for.

    Raises RuntimeError when it fails, or proves anything but what is known.
    """
    path = folder / f"{cell.stem}.proof"
    task = {"cell": str(cell), "path": str(path), "limit": limit}
    stage = "proof"
    try:
        printed, _ = run([sys.executable, __file__, "--work", json.dumps(task)])
        stage = "check"
        about, record = judged(path, limit)
    except LateError:
        return {"stopped": stage, "time_limit": limit}
    assert about == cell
    agree(cell, known, record)
    made: Record = json.loads(printed)
    return record | made


# -- the command -------------------------------------------------------------------------------------------


def late(record: Record, limit: float | None) -> bool:
    """Return whether a certificate was not made in less time than there is now."""
    return "stopped" in record and (limit or inf) > (
        inf if record["time_limit"] is None else record["time_limit"]
    )


def fill(cells: Sequence[Cell], given: argparse.Namespace, folder: Path) -> int:
    """Make the certificates that are wanted, or compare those that are there; return the exit status."""
    limit, status = given.time_limit or None, 0
    for cell in cells:
        old = load(given.results, PART).get(str(cell), {"stopped": "not tried", "time_limit": 0.0})
        made = "stopped" not in old
        if not (made if given.compare else given.again or late(old, limit)):
            continue
        try:
            record = compute(cell, load(given.results)[str(cell)], folder, limit)
            if given.compare and record.get("sha256") != old["sha256"]:
                raise RuntimeError(f"{told(old)} is recorded, {told(record)} was made")
        except RuntimeError as error:
            print(f"ERROR: {cell}: {error}", file=sys.stderr, flush=True)
            status = 1
            continue
        if not given.compare and not (made and "stopped" in record):
            save(given.results, PART, load(given.results, PART) | {str(cell): record})
        print(f"{cell}: {told(record)}", flush=True)
    return status


def told(record: Record) -> str:
    """Return a record in words."""
    if "stopped" in record:
        return f"no {record['stopped']} in {record['time_limit']:g} s"
    return f"{record['bytes']} bytes, checked in {record['check_seconds']:.2f} s, {record['sha256'][:12]}"


def enter(given: argparse.Namespace) -> None:
    """Enter a certificate that is there, under the name of its cell; see `judged` for errors."""
    cell, record = judged(given.record, None)
    cell = Cell(given.game or cell.game, cell.objective, cell.goal)
    name = str(cell)
    if record["first"] is not None:
        name += f" first {record['first']}"
    if record["within"] is not None and record["bound"] is not None:
        name += f" within {record['within']}"
    known, old = load(given.results).get(name), load(given.results, PART).get(name)
    if known is not None:
        agree(cell, known, record)
    if old is not None and old.get("sha256") == record["sha256"]:
        record = old | record
    if given.seconds is not None:
        record |= {"prove_seconds": given.seconds}
    save(given.results, PART, load(given.results, PART) | {name: record})
    print(f"{name}: {told(record)}")


def main(arguments: list[str]) -> int:
    """Make certificates, or enter one; return the exit status."""
    if arguments[:1] == ["--work"]:
        task = json.loads(arguments[1])
        print(json.dumps(work(parse_cell(task["cell"]), Path(task["path"]), task["limit"])))
        return 0
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--cell", action="append", type=parse_cell, metavar='"GAME OBJECTIVE GOAL"', help="only these cells"
    )
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep the certificates")
    parser.add_argument(
        "--time-limit",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="of one processor, for search and proof, and for the check; 0: none (default: 60)",
    )
    parser.add_argument("--again", action="store_true", help="make those again that are there")
    parser.add_argument(
        "--compare", action="store_true", help="make those again that are there, compare them, record nothing"
    )
    parser.add_argument("--record", type=Path, metavar="FILE.proof", help="enter this certificate")
    parser.add_argument("--game", metavar="SPEC", help="with --record: the game, if it is one of words")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="with --record: what search and proof took, if known"
    )
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FILE", help="default: docs/results.json"
    )
    given = parser.parse_args(arguments)
    known = {parse_cell(name): record for name, record in load(given.results).items() if proved(record)}
    cells = sorted(known, key=lambda cell: (known[cell]["seconds"] * known[cell]["jobs"], cell.order))
    for cell in given.cell or []:
        if cell not in known:
            parser.error(
                f'--cell "{cell}": {given.results} has no proof of it; expected a cell that is proved'
            )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if given.record is not None:
            enter(given)
            return 0
        with tempfile.TemporaryDirectory() as scratch:
            folder = given.save or Path(scratch)
            folder.mkdir(parents=True, exist_ok=True)
            return fill([c for c in cells if given.cell is None or c in given.cell], given, folder)
    except KeyboardInterrupt:
        print("interrupted; what was done is kept", file=sys.stderr)
        return 130
    except (RuntimeError, OSError) as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
