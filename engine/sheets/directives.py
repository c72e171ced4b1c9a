"""The files of DELTA and their directives: ``*CHARACTER LIST`` and the like, with comments ``<...>``.

The format: M. J. Dallwitz, T. A. Paine, Definition of the DELTA format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import GameError, shown
from .looks import bytes_of
from .text import decoded

_DIRECTIVE = re.compile(r"^[ \t]*\*[ \t]*(?=[A-Z]{3})", re.MULTILINE)
_PHRASES = {
    "CHA LIS": "characters",
    "ITE DES": "items",
    "CHA TYP": "types",
    "NUM OF STA": "numbers",
    "IMP VAL": "implicit",
    "DEP CHA": "dependent",
    "INA CHA": "dependent",
    "CHA REL": "reliabilities",
    "ITE ABU": "abundances",
    "KEY STA": "keys",
    "USE NOR VAL": "normal",
    "EXC CHA": "exclude characters",
    "INC CHA": "include characters",
    "EXC ITE": "exclude items",
    "INC ITE": "include items",
    "RBA": "rbase",
    "ABA": "abase",
}
"""What is read, by the first three letters of each word, which alone count."""
_ROLES = ("chars", "items", "specs", "tokey", "key")
_ROLE = re.compile(r"(?:(?<=[^a-z])|^)(chars|items|specs|tokey|key)(?=[^a-z]|$)", re.IGNORECASE)


@dataclass
class Directive:
    """A directive of a file: where it stands, its line, and its data."""

    path: str
    line: int
    data: str

    def wrong(self, what: str) -> GameError:
        """Return the error of something in it."""
        return GameError(f"{self.path!r} line {self.line}: {what}")


def read_directives(path: str) -> tuple[dict[str, Directive], list[str]]:
    """Return the directives of a folder of DELTA, or of the data set of a file; and what to say of encodings.

    The first of each kind counts. Raises GameError for a data set without characters or items.
    """
    said: list[str] = []
    found: dict[str, Directive] = {}
    paths = _files(Path(path))
    for file in paths:
        text, encoding = decoded(bytes_of(str(file)), repr(str(file)))
        said += [words for words in encoding if words not in said]
        for name, directive in _directives(str(file), text):
            found.setdefault(name, directive)
    if "characters" not in found or "items" not in found:
        missing = "*CHARACTER LIST" if "characters" not in found else "*ITEM DESCRIPTIONS"
        read = ", ".join(file.name for file in paths) or "this folder"
        raise GameError(f"{path!r}: no {missing} in {read}; expected files chars, items and specs of DELTA")
    return found, said


def _files(path: Path) -> list[Path]:
    """Return the files of one data set: those that a folder has, or those named like the one given."""
    folder = path if path.is_dir() else path.parent
    named: dict[str, dict[str, Path]] = {}
    try:
        inside = sorted(folder.iterdir())
    except OSError as error:
        raise GameError(f"cannot read {str(folder)!r}: {error.strerror or error}") from None
    for file in inside:
        role = _ROLE.search(file.name)
        if role and file.is_file():
            rest = file.name[: role.start()] + "*" + file.name[role.end() :]
            named.setdefault(rest.lower(), {}).setdefault(role[1].lower(), file)
    if not path.is_dir():
        own = _ROLE.search(path.name)
        rest = path.name[: own.start()] + "*" + path.name[own.end() :] if own else ""
        beside = named.get(rest.lower(), {})
        return [path, *(beside[role] for role in _ROLES if role in beside and beside[role] != path)]
    whole = {rest: files for rest, files in named.items() if {"chars", "items"} <= set(files)}
    if len(whole) > 1 and "*" not in whole:
        names = " or ".join(repr(files["items"].name) for files in list(whole.values())[:3])
        raise GameError(f"{str(path)!r} has {len(whole)} data sets of DELTA; name one by its items, {names}")
    files = whole.get("*") or next(iter(whole.values()), {})
    return [files[role] for role in _ROLES if role in files]


_ITALIC = re.compile(
    r"\\i(?:\{\}| )(\s*[^\s\\].*?)(?:\\i0(?:\{\}| |(?!\w))|$)|\[I\](\s*[^\s\[].*?)\['I\]", re.DOTALL
)
"""Italics of RTF, as DELTA has them, and of other programs that set DELTA."""


def _directives(path: str, text: str) -> Iterator[tuple[str, Directive]]:
    """Yield the directives of a file that are read."""
    starts = [*_DIRECTIVE.finditer(text)]
    ends = [start.start() for start in starts[1:]] + [len(text)]
    for start, end in zip(starts, ends, strict=False):  # there may be none
        words = re.findall(r"[A-Z]+(?![a-z])", text[start.end() : end][:60])
        for many in (4, 3, 2, 1):
            name = _PHRASES.get(" ".join(word[:3] for word in words[:many]))
            phrase = re.match(r"\s*".join(words[:many]), text[start.end() : end]) if name else None
            if name and phrase:
                line = text.count("\n", 0, start.start()) + 1
                yield name, Directive(path, line, text[start.end() + phrase.end() : end])
                break


def commented(text: str) -> Iterator[tuple[str, int]]:
    """Yield each sign with the number of comments ``<...>`` that it is in, brackets with their own.

    A bracket between spaces is none. Raises ValueError for one that is not closed.
    """
    depth = 0
    for i, sign in enumerate(text):
        bracket = sign in "<>" and bool(text[max(i - 1, 0) : i].strip() or text[i + 1 : i + 2].strip())
        depth += bracket and sign == "<"
        yield sign, depth
        depth -= bracket and sign == ">" and depth > 0
    if depth:
        raise ValueError("a comment is opened with < and not closed")


def uncommented(text: str, *, emphasis: bool = False) -> tuple[str, str]:
    """Return a text without its comments ``<...>``, and with them; both on one line, without typesetting.

    With `emphasis`, what is in italics stands between asterisks, see `engine.emphasis`.
    """
    outside, everything = [], []
    for sign, depth in commented(text):
        if not depth:
            outside.append(sign)
        everything.append({"<": " (", ">": ")"}.get(sign, sign) if depth else sign)
    return _line("".join(outside), emphasis), _line("".join(everything), emphasis)


def _line(text: str, emphasis: bool) -> str:
    """Return a text on one line without the marks of typesetting, such as those of RTF and ``[I]``."""
    if emphasis and "*" not in text:
        text = _ITALIC.sub(lambda found: f"*{(found[1] or found[2]).strip()}*", text)
    text = re.sub(r"\\[a-z]+-?\d*(?:\{\}| )?|\['?[A-Z]\]", "", text)
    return re.sub(r"\s+([,;.])", r"\1", " ".join(text.split()))


def names_of(text: str, *, emphasis: bool = False) -> list[str]:
    """Return what a text with comments may be called: without them, with them, or what they say.

    With `emphasis`, what is in italics stands between asterisks.
    """
    outside, everything = uncommented(text, emphasis=emphasis)
    return [outside, everything] if outside else [everything.strip("() ")]


def numbers(text: str, most: int) -> list[int]:
    """Return the numbers in a list such as ``1-3 7``; raise ValueError for what is none, or above `most`."""
    found: list[int] = []
    for part in text.split():
        ends = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", part)
        if not ends or not 0 < int(ends[1]) <= int(ends[2] or ends[1]) <= most:
            raise ValueError(f"{shown(part)}; expected numbers from 1 to {most}, such as 3 or 5-7")
        found += range(int(ends[1]), int(ends[2] or ends[1]) + 1)
    return found
