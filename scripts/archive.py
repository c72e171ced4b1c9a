"""Pack all certificates, strategies and tables with the checkers into one file that can be published.

The folder proofs/ keeps them, compressed. What is missing there, or is not what docs/results.json and
docs/certificates.json record, is made again first, so a run may be stopped and taken up again. The same files
give the same archive, byte for byte.

    python scripts/archive.py               make what is missing, and pack out/guesstree-certificates-*.tar.xz
    python scripts/archive.py --from DIR    take what is missing from a folder that frontier.py --save filled
    python scripts/archive.py --record      enter what docs/certificates.json names by its command alone

Exit status: 0; 1 something cannot be made, or is not what is recorded; 130 interrupted.
"""

from __future__ import annotations

import argparse
import csv
import io
import lzma
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from certify import PART, weighed
from kept import (
    FOLDER,
    ROOT,
    VERIFY,
    ArchiveError,
    Entry,
    Store,
    checker_of,
    digest,
    entries,
    header,
    is_recorded,
    kept_files,
    replayed,
    unpack,
)
from literature import credit
from results import OTHERS, RESULTS, accepted, load, parse_cell, proved, save
from strategy_text import text_of_file

from guesstree.engine.errors import GuesstreeError

COQ = ROOT / "build" / "coq"
EPOCH = 315532800
"""When the files of an archive were made: 1980, as those of a wheel."""
TEXTS = {".c", ".h", ".s", ".py", ".md", ".v", ".ml", ".mli", ".html", ".css", ".js"}


# -- what is recorded, and what is there -------------------------------------------------------------------


def fill(entry: Entry, store: Store, sources: Iterable[Path]) -> str:
    """Put the files of a certificate into the store where they are missing; return what was done.

    Raises ArchiveError when they cannot be made as they are recorded.
    """
    text = store.read(f"{entry.stem}.proof")
    if text is not None and is_recorded(entry, text) and complete(entry, text, store):
        return ""
    for folder in sources:
        path = folder / f"{entry.stem}.proof"
        if path.exists() and is_recorded(entry, path.read_bytes()):
            take(entry, folder, store)
            return f"taken from {folder.name}"
    if "workers" in entry.record:
        raise ArchiveError(
            "several processes made it, so its bytes cannot be made again: take it from a folder"
        )
    with tempfile.TemporaryDirectory() as scratch:
        make(entry, Path(scratch))
        new = (Path(scratch) / f"{entry.stem}.proof").read_bytes()
        if not is_recorded(entry, new):
            raise ArchiveError(f"{entry.record['sha256']} is recorded, {digest(new)} was made")
        take(entry, Path(scratch), store)
    return "made"


def complete(entry: Entry, text: bytes, store: Store) -> bool:
    """Return whether the files that a certificate names are there, and its strategy if it has one."""
    wanted = kept_files(entry, text)
    if replayed(entry):
        wanted.append(f"{entry.stem}.strategy")
    return all(store.read(name) is not None for name in wanted)


def take(entry: Entry, folder: Path, store: Store) -> None:
    """Put what a folder has of a certificate into the store: the proof last, as it says that all is there."""
    text = (folder / f"{entry.stem}.proof").read_bytes()
    for name in kept_files(entry, text):
        store.write(name, (folder / name).read_bytes())
    if replayed(entry):
        store.write(f"{entry.stem}.strategy", text_of_file(folder / f"{entry.stem}.json").encode())
    store.write(f"{entry.stem}.proof", text)


def make(entry: Entry, folder: Path) -> None:
    """Make the files of a certificate with the command that makes it; raise ArchiveError if that fails."""
    proof, strategy = f"{entry.stem}.proof", f"{entry.stem}.json"
    words = entry.command
    files = ["--proof", proof] if "plan" in words else ["--out", proof]
    files += ["--strategy", strategy] if replayed(entry) else []
    if "page" in entry.record:
        for name, body in shown_in((ROOT / entry.record["page"]).read_text(encoding="utf-8")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(body, encoding="utf-8")
    command = [sys.executable, "-P", "-m", "guesstree", *words, *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise ArchiveError((done.stderr or done.stdout).strip().splitlines()[-1])


def shown_in(page: str) -> Iterator[tuple[str, str]]:
    """Yield the names of the files that a page shows, and what they hold."""
    yield from re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def record_others(path: Path, store: Store) -> None:
    """Enter what the checkers say of certificates that a file names by their commands alone."""
    for name, record in load(path, PART).items():
        if "sha256" in record:
            continue
        entry = Entry(name, record)
        fill(entry, store, ())
        with tempfile.TemporaryDirectory() as scratch:
            there = unpack(entry, store, Path(scratch))
            said, found = weighed(there, checker_of(there.read_bytes()))
        save(path, PART, load(path, PART) | {name: record | {"said": said} | found})
        print(f"{name}: {said}", flush=True)


# -- the archive -------------------------------------------------------------------------------------------

COLUMNS = (
    *("game", "objective", "goal", "lower", "upper", "status", "first published"),
    *("claim", "lemmas", "bytes", "prove seconds", "check seconds", "check MB", "accepted by"),
    *("certificate", "SHA-256"),
)
"""What the table of all values says; an upper bound or a first source that is not known stays empty."""


def packed(found: Sequence[Entry], store: Store, results: Path, coq: Path) -> dict[str, bytes]:
    """Return the files of the archive by their names, SHA256SUMS the last.

    Raises ArchiveError where a file is missing.
    """
    files, claims = dict[str, bytes](), list[str]()
    for name in ("LICENSE", "CITATION.cff"):
        files[name] = (ROOT / name).read_bytes()
    for name in ("README.md", "RULES.md", "check-all"):
        files[name] = (FOLDER / name).read_bytes()
    for path in VERIFY.rglob("*"):
        if path.suffix in TEXTS or path.name == "Makefile":
            files[str(path.relative_to(ROOT))] = path.read_bytes()
    files |= extracted(coq)
    for entry in found:
        text = store.get(f"{entry.stem}.proof")
        files[f"certificates/{entry.stem}.proof"] = text
        for name in kept_files(entry, text):
            files[f"certificates/{name}"] = store.get(name)
        if replayed(entry):
            files[f"certificates/{entry.stem}.strategy"] = store.get(f"{entry.stem}.strategy")
        claims.append(
            " ".join([entry.stem, checker_of(text), "+" if replayed(entry) else "-", *header(text)])
        )
    files["claims.txt"] = "".join(f"{line}\n" for line in claims).encode()
    files["values.csv"] = values(found, store, results).encode()
    sums = "".join(f"{digest(data)}  {name}\n" for name, data in sorted(files.items()))
    return files | {"SHA256SUMS": sums.encode()}


def extracted(coq: Path) -> dict[str, bytes]:
    """Return the program that Coq extracts, and a script that compiles it with OCaml alone.

    Raises ArchiveError where it was not extracted.
    """
    text = (VERIFY / "coq" / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    known = dict(re.findall(r"^(\w+) := (.*)$", text, re.MULTILINE))
    (command,) = re.findall(r"ocamlfind (ocamlopt .*)$", text, re.MULTILINE)
    command = re.sub(r"\$\((\w+)\)", lambda name: known[name[1]], command)
    about = "# Compile the checker that is proved, as gtcoq: with OCaml alone."
    script = f'#!/bin/sh\n{about}\ncd "$(dirname "$0")" && {command}\n'
    names = [word for word in command.split() if word.endswith((".ml", ".mli"))]
    if missing := [name for name in names if not (coq / name).exists()]:
        raise ArchiveError(f"{coq / missing[0]} is missing: `make -C verify/coq` extracts it")
    files = {name: (coq / name).read_bytes() for name in names} | {"compile": script.encode()}
    return {f"verify/coq/extracted/{name}": data for name, data in files.items()}


def values(found: Sequence[Entry], store: Store, results: Path) -> str:
    """Return the table of all values, those without a certificate too, as CSV."""
    proofs = {entry.name: certified(entry, store) for entry in found}
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for name, record in load(results).items():
        status = "exact" if proved(record) else "bounds"
        bounds = [record["lower"], record["upper"], status, credit(parse_cell(name))]
        table.writerow([*in_words(name), *bounds, *proofs.pop(name, [])])
    for entry in (entry for entry in found if entry.name in proofs):
        *_, within, bound = header(store.get(f"{entry.stem}.proof"))
        unit = re.search(r" costs at least \d+( / \d+)?", entry.record.get("said", ""))
        lower = int(within) + 1 if bound == "inf" else f"{bound}{(unit and unit[1]) or ''}"
        bounds = [lower, lower, "exact"] if replayed(entry) else [lower, "", "at least"]
        table.writerow([*in_words(entry.name), *bounds, "", *proofs[entry.name]])
    return text.getvalue()


def in_words(name: str) -> list[str]:
    """Return game, objective and goal of a name, with what limits them."""
    game, objective, *goal = name.split()
    return [game, objective, " ".join(goal)]


def certified(entry: Entry, store: Store) -> list[object]:
    """Return what the table says of a certificate."""
    record, claim = entry.record, " ".join(header(store.get(f"{entry.stem}.proof")))
    took = [record.get(key, "") for key in ("prove_seconds", "check_seconds", "check_mb")]
    return [claim, record["lemmas"], record["bytes"], *took, accepted(record), entry.stem, record["sha256"]]


def write_archive(files: Mapping[str, bytes], folder: str, path: Path) -> None:
    """Write files as one archive, whole or not at all: the same files give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.tmp")
    try:
        with (
            lzma.open(beside, "wb", preset=9 | lzma.PRESET_EXTREME) as stream,
            tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive,
        ):
            for name, data in sorted(files.items()):
                info = tarfile.TarInfo(f"{folder}/{name}")
                info.size, info.mtime, info.mode = (
                    len(data),
                    EPOCH,
                    0o755 if data.startswith(b"#!") else 0o644,
                )
                archive.addfile(info, io.BytesIO(data))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def main(arguments: list[str]) -> int:
    """Make what is missing, and pack; return the exit status."""
    given = options(arguments)
    store, status = Store(given.folder), 0
    given.folder.mkdir(parents=True, exist_ok=True)
    try:
        if given.record:
            record_others(given.others, store)
            return 0
        found = entries(given.results, given.others)
        for entry in found:
            try:
                done = fill(entry, store, given.sources)
            except (ArchiveError, GuesstreeError, OSError) as error:
                print(f"ERROR: {entry.name}: {error}", file=sys.stderr, flush=True)
                status = 1
                continue
            if done:
                print(f"{entry.name}: {done}", flush=True)
        if status:
            return status
        version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        name = f"guesstree-certificates-{version}"
        path = given.out / f"{name}.tar.xz"
        files = packed(found, store, given.results, given.coq)
        write_archive(files, name, path)
        size = path.stat().st_size
        print(f"{path}: {len(found)} certificates, {size} bytes, SHA-256 {digest(path.read_bytes())}")
    except (ArchiveError, GuesstreeError, RuntimeError, OSError) as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; what was made is kept", file=sys.stderr)
        return 130
    return 0


def options(arguments: list[str]) -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add(
        "--from",
        dest="sources",
        action="append",
        type=Path,
        default=[],
        metavar="DIR",
        help="take files from there",
    )
    add(
        "--record",
        action="store_true",
        help="enter certificates that are named by commands alone; pack nothing",
    )
    add("--results", type=Path, default=RESULTS, metavar="FILE", help="default: docs/results.json")
    add("--others", type=Path, default=OTHERS, metavar="FILE", help="default: docs/certificates.json")
    add("--folder", type=Path, default=FOLDER, metavar="DIR", help="of the files, default: proofs")
    add("--coq", type=Path, default=COQ, metavar="DIR", help="of the extracted checker, default: build/coq")
    add("--out", type=Path, default=ROOT / "out", metavar="DIR", help="of the archive, default: out")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
