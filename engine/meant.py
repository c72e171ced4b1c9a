"""Files named where a game, or a file of another kind, is expected: what they are, and what takes them."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from .errors import GameError, GuesstreeError, shown
from .opened import open_whole
from .sheets.looks import format_of
from .sheets.separated import SEPARATORS
from .sheets.text import decoded

BEGINNING = 1 << 16
"""Bytes of a file that tell what is in it."""
MOSTLY = 0.9
"""Share of lines that are words in a list of words; the others are mistakes."""
USES = {
    "strategy": ("a strategy file", "guesstree check {0}, or guesstree render {0} tree.pdf"),
    "certificate": ("a certificate", "guesstree verify {0}"),
    "module": ("a Python file", "guesstree --import {1}, which makes its games known"),
    "words": ("a list of words", "wordle:{0} or hangman:{0}"),
    "table": ("a table", "guesstree solve table:{0} --out tree.json"),
}
"""What a file of each kind is called, and what takes it; {0} is the file, {1} its name without the ending."""
_OPTIONS = ",(?=[a-z]+(?:=|,|$))"
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


def _is_there(path: str) -> bool:
    with suppress(OSError):  # for names that are too long
        return Path(path).is_file() or Path(path).is_dir()
    return False


def _beginning(path: str) -> bytes:
    """Return how a file begins; nothing for none."""
    with suppress(OSError):
        if Path(path).is_file():
            with open_whole(path) as file:
                return file.read(BEGINNING)
    return b""


def file_kind(path: str) -> str:
    """Return which of `USES` is in a file, by how it begins; empty for no file, or something else."""
    data = _beginning(path)
    if re.match(rb"(\xef\xbb\xbf)?\s*[\[{]", data):
        return "strategy" if b'"guesstree/' in data else ""
    if data.startswith(b"guesstree-proof/"):
        return "certificate"
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


def used_as(path: str, kind: str, wanted: str) -> str:
    """Return in words what is in a file, which is not what is wanted, and what to use it with."""
    what, use = USES[kind]
    return f"{shown(path)} is {what}, not {wanted}; use {use.format(path, Path(path).stem)}"


def files_of(text: str) -> list[str]:
    """Return all that may be a file in a spec, or in the path of a table with its options."""
    named = {text, *re.split("[,+]", text), re.split(_OPTIONS, text, maxsplit=1)[0]}
    named |= {part.partition(":")[2] for part in named} | {part.rpartition("=")[2] for part in named}
    return sorted(named - {""})


def spec_of(text: str) -> str:
    """Return the spec that a text stands for: itself, or for the file of a table that of its game.

    Raises GameError that says what another file is, and what to use it with.
    """
    path = re.split(_OPTIONS, text, maxsplit=1)[0]
    if not path:
        raise GameError("the name of the game is empty; expected one such as mastermind:4x6, or a file")
    if ":" in path or not _is_there(path):
        return text
    if Path(path).is_dir():
        raise GameError(f"{shown(path)} is a folder; name a file in it, or a game")
    kind = file_kind(path)
    if kind == "table":
        return f"table:{text}"
    if kind:
        raise GameError(used_as(path, kind, "a game"))
    if not Path(path).stat().st_size:
        raise GameError(f"{shown(path)} is empty; expected a table, or a game such as mastermind:4x6")
    format_of(shown(path), _beginning(path))  # says what it looks like
    raise GameError(f"{shown(path)} is no table; expected one, or a game such as mastermind:4x6")
