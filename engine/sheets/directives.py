"""The files of DELTA and their directives: ``*CHARACTER LIST`` and the like, with comments ``<...>``.

The format: M. J. Dallwitz, T. A. Paine, Definition of the DELTA format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from ..errors import GameError, shown
from .looks import bytes_of
from .text import decoded

_DIRECTIVE = re.compile(r"^[ \t]*\*[ \t]*(?=[A-Z]{3})", re.MULTILINE)
_PHRASES = {
    "CHA LIS": "characters",
    "CHA NOT": "notes",
    "CHA IMA": "character images",
    "TAX IMA": "taxon images",
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
_ROLES = ("chars", "items", "specs", "tokey", "key", "cnotes", "cimages", "timages")
_ROLE = re.compile(rf"(?:(?<=[^a-z])|^)({'|'.join(_ROLES)})(?=[^a-z]|$)", re.IGNORECASE)


@dataclass
class Directive:
    """A directive of a file: where it stands, its line, and its data."""

    path: str
    line: int
    data: str

    def wrong(self, what: str) -> GameError:
        """Return the error of something in it."""
        return GameError(f"{self.path!r} line {self.line}: {what}")


def read_directives(
    source: str, files: Sequence[tuple[str, bytes]]
) -> tuple[dict[str, Directive], list[str]]:
    """Return the directives of the files of a data set, by their names; and what to say of encodings.

    The first of each kind counts. Raises GameError for a data set without characters or items.
    """
    said: list[str] = []
    found: dict[str, Directive] = {}
    for file, data in files:
        text, encoding = decoded(data, repr(file))
        said += [words for words in encoding if words not in said]
        for name, directive in _directives(file, text):
            found.setdefault(name, directive)
    if "characters" not in found or "items" not in found:
        missing = "*CHARACTER LIST" if "characters" not in found else "*ITEM DESCRIPTIONS"
        read = ", ".join(PurePath(file).name for file, _ in files) or "this folder"
        raise GameError(f"{source!r}: no {missing} in {read}; expected files chars, items and specs of DELTA")
    return found, said


def files_in_folder(path: Path) -> list[tuple[str, bytes]]:
    """Return the files of a data set: those of a folder, or those named like the one given."""
    folder = path if path.is_dir() else path.parent
    try:
        inside = [file.name for file in sorted(folder.iterdir()) if file.is_file()]
    except OSError as error:
        raise GameError(f"cannot read {str(folder)!r}: {error.strerror or error}") from None
    if path.is_dir():
        names = files_among(str(path), inside)
    else:
        own = _role_of(path.name)
        beside = _data_sets(inside).get(own[0], {}) if own else {}
        names = [path.name, *(beside[role] for role in _ROLES if beside.get(role, path.name) != path.name)]
    files = [folder / name for name in names]
    return [(str(file), bytes_of(str(file))) for file in files]


def is_data_set(folder: Path) -> bool:
    """Return whether a folder has characters and items of DELTA."""
    try:
        inside = [file.name for file in folder.iterdir() if file.is_file()]
    except OSError:
        return False
    return any({"chars", "items"} <= set(files) for files in _data_sets(inside).values())


def files_among(source: str, names: Sequence[str]) -> list[str]:
    """Return which files are the only data set among some; empty: there is none.

    Raises GameError where there are several, of which none is called without more than its role.
    """
    whole = {rest: files for rest, files in _data_sets(names).items() if {"chars", "items"} <= set(files)}
    if len(whole) > 1 and "*" not in whole:
        some = " or ".join(repr(files["items"]) for files in list(whole.values())[:3])
        raise GameError(f"{source!r} has {len(whole)} data sets of DELTA; name one by its items, {some}")
    files = whole.get("*") or next(iter(whole.values()), {})
    return [files[role] for role in _ROLES if role in files]


_ITALIC = re.compile(
    r"\\i(?:\{\}| )(\s*[^\s\\].*?)(?:\\i0(?:\{\}| |(?!\w))|$)|\[I\](\s*[^\s\[].*?)\['I\]", re.DOTALL
)
"""Italics of RTF, as DELTA has them, and of other programs that set DELTA."""


def _data_sets(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return files by their role in a data set, which their names have in common but for the role."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        if own := _role_of(name):
            found.setdefault(own[0], {}).setdefault(own[1], name)
    return found


def _role_of(name: str) -> tuple[str, str] | None:
    """Return the name of a file with a star for its role in a data set, and the role; None: it has none."""
    folder, between, last = name.rpartition("/")
    role = _ROLE.search(last)
    if role is None:
        return None
    return f"{folder}{between}{last[: role.start()]}*{last[role.end() :]}".lower(), role[1].lower()


def remark_entries(directive: Directive, *, numbered: bool) -> Iterator[tuple[Directive, str, str]]:
    """Yield the place, the head and the text of each entry ``#head. text`` of notes or pictures.

    The head of a `numbered` one are numbers of characters, that of others ends with a slash.
    """
    for found in re.finditer(r"^[ \t]*#(.*?)(?=^[ \t]*#|\Z)", directive.data, re.DOTALL | re.MULTILINE):
        line = directive.line + directive.data.count("\n", 0, found.start(1))
        head, sign, text = found[1].partition("." if numbered else "/")
        if sign and text.strip():
            yield Directive(directive.path, line, ""), " ".join(head.split()), text


def plain_text(text: str) -> str:
    """Return a text on one line, without typesetting and without the brackets of comments."""
    return _line(text.replace("<", "").replace(">", ""), emphasis=False)


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
