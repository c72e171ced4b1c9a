"""Files named where a game, or a file of another kind, is expected: what is in them."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from .errors import GuesstreeError
from .opened import open_whole
from .sheets.looks import format_of
from .sheets.separated import SEPARATORS
from .sheets.text import decoded

BEGINNING = 1 << 16
"""Bytes of a file that tell what is in it."""
SQLITE = b"SQLite format 3\0"
LEDGER = 0x67745031
"""What SQLite knows a ledger by: its `application_id`, big-endian in bytes 68 to 71 of the file."""
MOSTLY = 0.9
"""Share of lines that are words in a list of words; the others are mistakes."""
BEFORE_OPTIONS = ",(?=[a-z]+(?:=|,|$))"
"""What stands before the options of a spec."""
_WORD = re.compile(r"\s*[^\W\d_]+(?:\t\s*[0-9]+)?\s*")


def words_in(data: bytes) -> str:
    """Return a text if it is a list of words, one on each line; else nothing."""
    try:
        text = decoded(data, "")[0]
    except GuesstreeError:
        return ""
    lines = [line for line in text.splitlines() if line.strip()]
    words = sum(_WORD.fullmatch(line) is not None for line in lines)
    return text if lines and words >= MOSTLY * len(lines) else ""


def is_there(path: str) -> bool:
    """Return whether a path is that of a file or a folder."""
    with suppress(OSError):  # for names that are too long
        return Path(path).is_file() or Path(path).is_dir()
    return False


def beginning_of(path: str) -> bytes:
    """Return how a file begins; nothing for none."""
    with suppress(OSError):
        if Path(path).is_file():
            with open_whole(path) as file:
                return file.read(BEGINNING)
    return b""


def file_kind(path: str) -> str:
    """Return which of `registry.USES` is in a file, by how it begins; empty: none, or no file."""
    data = beginning_of(path)
    if re.match(rb"(\xef\xbb\xbf)?\s*[\[{]", data):
        if b'"guesstree-wins/' in data:
            return "wins"
        return "strategy" if b'"guesstree/' in data else ""
    if data.startswith(b"guesstree-proof/"):
        return "certificate"
    if _is_ledger(path, data):
        return "ledger"
    if path.endswith(".py"):
        return "module"
    whole = data if len(data) < BEGINNING else data[: data.rfind(b"\n") + 1] or data
    if not path.lower().endswith((".csv", ".tsv")) and words_in(whole):
        return "words"
    try:
        if format_of("", data) != "text":
            return "table"
        text = decoded(whole, "")[0]
    except GuesstreeError:
        return ""
    lines = [line for line in text.splitlines() if line.strip()]
    return "table" if len(lines) > 1 and any(sign in lines[0] for sign in SEPARATORS) else ""


def _is_ledger(path: str, data: bytes) -> bool:
    """Return whether a file is a ledger; of one that was just begun, all but its first bytes is beside it."""
    known = int.from_bytes(data[68:72], "big")
    return data.startswith(SQLITE) and (known == LEDGER or (not known and Path(f"{path}-wal").is_file()))


def files_of(text: str) -> list[str]:
    """Return all that may be a file in a spec, or in the path of a table with its options."""
    named = {text, *re.split("[,+]", text), re.split(BEFORE_OPTIONS, text, maxsplit=1)[0]}
    named |= {part.partition(":")[2] for part in named} | {part.rpartition("=")[2] for part in named}
    return sorted(named - {""})
