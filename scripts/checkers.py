"""Have every checker that is there judge every certificate, and enter what it takes in docs/results.json.

    python scripts/checkers.py                     what was not measured yet
    python scripts/checkers.py --again Coq         one of the checkers again: C, Python, Coq, WebAssembly
    python scripts/checkers.py --results FILE      other files

The checkers in C and Python are those of verify/, the one that is proved in Coq is build/coq/gtcoq, and
WebAssembly is in the page verify/check.html, which Node runs here. What ends within no limit, or is not
covered, becomes null.

Exit status: 0; 1 a checker refuses what the one in C accepts; 130 interrupted.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from certify import PART, LateError, run
from kept import FOLDER, ROOT, VERIFY, ArchiveError, Entry, Store, checker_of, entries, unpack
from results import OTHERS, RESULTS, Record, load, save

# Nothing of guesstree is imported here: on Linux a process starts with the peak memory of its parent.

PAGE, SYSTEM = VERIFY / "check.html", VERIFY / "page" / "wasi.js"
PROVED = ROOT / "build" / "coq" / "gtcoq"
NAMES = ("C", "Python", "Coq", "WebAssembly")
SECONDS = {"C": 3600.0, "Python": 30.0, "Coq": 600.0, "WebAssembly": 3600.0}
MEMORY = {"C": 8 << 30, "Python": 4 << 30, "Coq": 8 << 30, "WebAssembly": None}
"""Limits; Node reserves much more memory than it uses."""
IN_NODE = """
const fs = require("fs"), path = require("path"), zlib = require("zlib");
const [, page, system, program, file] = process.argv;
const packed = fs.readFileSync(page, "utf8").match(`id="${program}-wasm">(.*?)</script>`)[1];
const module_ = new WebAssembly.Module(zlib.gunzipSync(Buffer.from(packed, "base64")));
const runChecker = new Function(fs.readFileSync(system, "utf8") + "; return runChecker;")();
const folder = path.dirname(file), files = new Map();
for (const name of fs.readdirSync(folder)) {
  files.set(name, new Uint8Array(fs.readFileSync(path.join(folder, name))));
}
const verdict = runChecker(module_, path.basename(file), files, () => {});
console.log(verdict.line);
process.exit(verdict.status);
"""
Took = list[float] | None
"""Seconds of one processor and MB, or that it came to no verdict."""


class ContradictionError(Exception):
    """A checker refuses what another accepts."""


def command_of(name: str, checker: str, path: Path) -> list[str | Path] | None:
    """Return how one of the checkers is run; None where it is not there, or reads no such certificate."""
    if name == "C":
        return None if checker == "kit" else [VERIFY / f"gt{checker}", path]
    if name == "Python":
        return [sys.executable, "-I", VERIFY / f"{checker}.py", path]
    if name == "Coq":
        return [PROVED, path] if PROVED.exists() else None
    node = shutil.which("node")
    if checker == "kit" or node is None or not (PAGE.exists() and SYSTEM.exists()):
        return None
    return [node, "-e", IN_NODE, PAGE, SYSTEM, checker, path]


def judged(name: str, checker: str, path: Path) -> Took:
    """Return what a checker takes for a certificate; raise ContradictionError where it refuses it.

    The one in Python refuses large games, and the proved one what its theorem does not cover.
    """
    command = command_of(name, checker, path)
    if command is None:
        return None
    try:
        _, usage = run(command, SECONDS[name], MEMORY[name])
    except LateError:
        return None
    except RuntimeError as error:
        if name in ("C", "WebAssembly") and "refused" in str(error):
            raise ContradictionError(f"{name} refuses it: {error}") from None
        return None
    return [round(usage.ru_utime + usage.ru_stime, 2), usage.ru_maxrss // 1024]


def missing(record: Record, again: list[str]) -> list[str]:
    """Return the checkers that have not judged a certificate yet, or are to judge it again."""
    known = record.get("checkers", {})
    return [name for name in NAMES if name in again or name not in known]


def measure(entry: Entry, names: list[str], store: Store, path: Path) -> None:
    """Have some checkers judge a certificate, and enter what they take where the record is."""
    with tempfile.TemporaryDirectory() as scratch:
        proof = unpack(entry, store, Path(scratch))
        checker = checker_of(proof.read_bytes())
        took = {name: judged(name, checker, proof) for name in names if available(name)}
    records = load(path, PART)
    known = records[entry.name].get("checkers", {}) | took
    records[entry.name]["checkers"] = {name: known[name] for name in NAMES if name in known}
    save(path, PART, records)
    said = (
        f"{name} {'-' if one is None else f'{one[0]:.2f} s, {one[1]:.0f} MB'}" for name, one in took.items()
    )
    print(f"{entry.name}: {'; '.join(said)}", flush=True)


def available(name: str) -> bool:
    """Return whether a checker is there at all; of one that is not, nothing is entered."""
    return command_of(name, "verify", Path("some.proof")) is not None


def main(arguments: list[str]) -> int:
    """Measure what was not measured; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--again", action="append", choices=NAMES, default=[], help="measure one of the checkers once more")
    add("--results", type=Path, default=RESULTS, metavar="FILE", help="default: docs/results.json")
    add("--others", type=Path, default=OTHERS, metavar="FILE", help="default: docs/certificates.json")
    add("--folder", type=Path, default=FOLDER, metavar="DIR", help="of the files, default: proofs")
    given = parser.parse_args(arguments)
    store, others, status = Store(given.folder), load(given.others, PART), 0
    try:
        for entry in entries(given.results, given.others):
            names = [name for name in missing(entry.record, given.again) if available(name)]
            if not names:
                continue
            try:
                measure(entry, names, store, given.others if entry.name in others else given.results)
            except (ArchiveError, ContradictionError) as error:
                print(f"ERROR: {entry.name}: {error}", file=sys.stderr, flush=True)
                status = 1
    except KeyboardInterrupt:
        print("interrupted; what was measured is kept", file=sys.stderr)
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
