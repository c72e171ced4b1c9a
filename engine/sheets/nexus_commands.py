"""The blocks and commands of a NEXUS file, without its comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ..errors import GameError, shown

_BEGINS = re.compile(r"['\"\[]")
_BRACKET = re.compile(r"[\[\]]")
_PART = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|;|[^'\";]+|['\"]")
_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[,/]|[^\s,/'\"]+|['\"]")
_PAIR = re.compile(r"([A-Za-z]+)(?:\s*=\s*('(?:[^']|'')*'|\"[^\"]*\"|[^\s'\"]\S*))?")
_FIRST = re.compile(r"\s*([A-Za-z]+)")


@dataclass(frozen=True)
class Token:
    """A word of a command, and where it begins in its text."""

    text: str
    start: int


@dataclass
class Command:
    """A command: its name in capitals, its text behind that, and where it stands in the file."""

    source: str
    lines: list[int]
    name: str
    text: str
    start: int

    def line_at(self, at: int) -> int:
        """Return the line of a place in the text."""
        return bisect_right(self.lines, self.start + at)

    def wrong(self, what: str, at: int = 0) -> GameError:
        """Return the error of something in it, with its line."""
        return GameError(f"{self.source} line {self.line_at(at)}: {what}")

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield what is said as ``WORD=value``, or by a word alone; words in capitals, values as written."""
        for found in _PAIR.finditer(self.text):
            yield found[1].upper(), found[2] or ""

    def tokens(self) -> list[Token]:
        """Return its words; commas and slashes are words of their own."""
        return [Token(found[0], found.start()) for found in _TOKEN.finditer(self.text)]

    def parted(self, sign: str) -> list[list[Token]]:
        """Return its words in the groups between a sign, without empty ones."""
        groups: list[list[Token]] = [[]]
        for token in self.tokens():
            if token.text == sign:
                groups.append([])
            else:
                groups[-1].append(token)
        return [group for group in groups if group]


@dataclass
class Block:
    """A block: its name in capitals, and its commands."""

    name: str
    commands: list[Command] = field(default_factory=list)

    @cached_property
    def _by_name(self) -> dict[str, Command]:
        found: dict[str, Command] = {}
        for command in self.commands:
            found.setdefault(command.name, command)
        return found

    def first(self, name: str) -> Command | None:
        """Return the first command of a name."""
        return self._by_name.get(name)

    def has(self, name: str) -> bool:
        """Return whether there is a command of a name."""
        return name in self._by_name


def blocks_of(source: str, text: str) -> Iterator[Block]:
    """Yield the blocks of a file; raise GameError with the line of what is not closed."""
    lines = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]
    plain = _uncommented(source, text, lines)
    block = None
    for command in _commands(source, plain, lines):
        if command.name == "BEGIN":
            word = command.text.strip().upper()
            block = Block(word if re.fullmatch("[A-Z0-9_]+", word) else "")
        elif command.name in ("END", "ENDBLOCK"):
            if block is not None:
                yield block
            block = None
        elif block is not None:
            block.commands.append(command)
    if block is not None:  # as cut off behind its last command, or with END missing
        yield block


def _commands(source: str, text: str, lines: list[int]) -> Iterator[Command]:
    """Yield all commands; those behind the last semicolon, too."""
    start = re.match(r"\s*#nexus", text, re.IGNORECASE)
    at = start.end() if start else 0
    ends = [found.start() for found in _PART.finditer(text, at) if found[0] == ";"]
    for end in [*ends, len(text)]:
        if name := _FIRST.match(text, at, end):
            yield Command(source, lines, name[1].upper(), text[name.end() : end], name.end())
        at = end + 1


def _uncommented(source: str, text: str, lines: list[int]) -> str:
    """Return a text of the same length with spaces for its comments ``[...]``, which may be nested."""
    parts, at = [], 0
    while found := _BEGINS.search(text, at):
        start = found.start()
        if found[0] != "[":
            end = text.find(found[0], start + 1)
            if end < 0:
                line = bisect_right(lines, start)
                raise GameError(f"{source} line {line}: a quotation mark {found[0]} that is not closed")
            parts.append(text[at : end + 1])
            at = end + 1
            continue
        parts.append(text[at:start])
        depth, at = 1, start + 1
        while depth:
            bracket = _BRACKET.search(text, at)
            if bracket is None:
                raise GameError(f"{source} line {bisect_right(lines, start)}: a comment [ that is not closed")
            depth += 1 if bracket[0] == "[" else -1
            at = bracket.end()
        parts.append(re.sub(r"[^\r\n]", " ", text[start:at]))
    return "".join([*parts, text[at:]])


def unquoted(text: str) -> str:
    """Return a word without its quotation marks."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1].replace("''", "'") if text[0] == "'" else text[1:-1]
    return text


def label_of(text: str) -> str:
    """Return the label that a word is: without its quotation marks, or with spaces for its underscores."""
    bare = unquoted(text)
    return (bare if bare != text else text.replace("_", " ")).strip()


def labels_in(command: Command) -> list[str]:
    """Return the labels that a command lists."""
    return [label_of(token.text) for token in command.tokens() if token.text != ","]


def listed(command: Command, most: int) -> list[int]:
    """Return the numbers that a command lists, such as ``1-3 7``; raise GameError for others."""
    found: list[int] = []
    for part in re.sub(r"\s*-\s*", "-", command.text).split():
        ends = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}|\.))?", part, re.ASCII)
        first = int(ends[1]) if ends else 0
        last = most if ends and ends[2] == "." else int(ends[2] or ends[1]) if ends else 0
        if not 0 < first <= last <= most:
            raise command.wrong(f"{shown(part)}; expected numbers of characters, from 1 to {most}")
        found += range(first, last + 1)
    return found
