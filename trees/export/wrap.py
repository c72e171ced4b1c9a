"""Text on several lines: broken between words, and inside a word only where no line could hold it."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from .labels import escape, plain, text_width

BOLD = 1.14
"""How much wider bold text is."""
LEADING = 1.2
"""Height of a line, in sizes of its text, as Graphviz sets it."""
FLAT = 2.5
"""How many times wider than high a long text is set at most, where it does not fit on a few lines."""
WORD = 30.0
"""Room for a word, in sizes of its text: whoever sets text makes so much room before a word is broken."""
LEAST = 3
"""Letters of a word before a hyphen and after it, at least."""
_ROUNDING = 1e-6
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef"
_CLOSING = "\u3001\u3002\u3009\u300b\u300d\u300f\u3011\u30fc\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f"
# After a hyphen, a slash or a bar between letters, and beside the signs of Chinese, Japanese and Korean but
# before those that close.
_INSIDE = re.compile(
    rf"(?<=[^\W\d_][-/|_])(?=[^\W\d_])|(?<=[{_WIDE}])(?![{_CLOSING}])|(?<=\w)(?=[{_WIDE}])(?![{_CLOSING}])"
)
_JOINERS = "\u200d\ufe0e\ufe0f"
# Where a syllable begins, roughly: at a consonant before a vowel; some are written with several letters.
_SYLLABLE = re.compile("(?=(?:sch|ch|ck|ph|th|qu|[^\\W\\d_aeiouyäöü])[aeiouyäöü])", re.IGNORECASE)
_VOWEL = re.compile("[aeiouyäöü]", re.IGNORECASE)
_PAIR = re.compile("s?ch|ck|ph|th|qu", re.IGNORECASE)


@lru_cache(maxsize=65536)
def wrap(text: str, room: float, size: float, *, bold: bool = False) -> tuple[str, ...]:
    """Return the lines of a text of which none is wider than the room, about equally long, none cut.

    A single sign wider than the room has a line of its own. Line breaks of the text are kept.
    """
    lines: list[str] = []
    for line in re.split(r"\r\n|[\r\n\u2028\u2029]", text):
        lines += _balanced(chunks_of(plain(line, len(line))), room, size * (BOLD if bold else 1.0))
    return tuple(lines)


@lru_cache(maxsize=65536)
def wide_enough(text: str, room: float, size: float) -> float:
    """Return the room for a text: more than is given for a long one, and for a long word what it takes."""
    long = math.sqrt(text_width(text, size) * size * LEADING * FLAT)
    word = max((text_width(chunk.strip(), size) * BOLD for chunk in chunks_of(text)), default=0.0)
    return max(room, long, min(word, WORD * size))


@dataclass(frozen=True)
class Span:
    """Some text in one size and weight; where it is a `table` it stands on a line of its own."""

    text: str
    size: float
    bold: bool = False
    table: ClassVar[bool] = False

    @cached_property
    def width(self) -> float:
        """At least its width."""
        return text_width(self.text, self.size) * (BOLD if self.bold else 1.0)

    @property
    def height(self) -> float:
        """Height of a line of it."""
        return LEADING * self.size

    def html(self, zoom: float) -> str:
        """Return it as a part of an HTML-like label."""
        text = f"<B>{escape(self.text)}</B>" if self.bold else escape(self.text)
        return f'<FONT POINT-SIZE="{self.size * zoom:.2f}">{text}</FONT>'


@dataclass(frozen=True)
class Block:
    """Lines of text, each of some runs."""

    lines: tuple[tuple[Span, ...], ...]

    @cached_property
    def width(self) -> float:
        """At least the width of the longest line."""
        return max((sum(run.width for run in line) for line in self.lines), default=0.0)

    @cached_property
    def height(self) -> float:
        """The height of all lines."""
        return sum(max(run.height for run in line) for line in self.lines)

    def html(self, zoom: float, align: str = "CENTER") -> str:
        """Return the lines as an HTML-like label."""
        lines = ["".join(run.html(zoom) for run in line) for line in self.lines]
        heights = {run.height for line in self.lines for run in line}
        if (len(lines) > 1 and len(heights) > 1) or any(run.table for line in self.lines for run in line):
            # Graphviz sets lines of different sizes too near to each other: each gets its own cell.
            high = [math.floor(zoom * max(run.height for run in line)) for line in self.lines]
            cells = (
                f'<TR><TD HEIGHT="{tall}" ALIGN="{align}">{line}</TD></TR>'
                for tall, line in zip(high, lines, strict=True)
            )
            return (
                f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">{"".join(cells)}</TABLE>'
            )
        end = f'<BR ALIGN="{align}"/>'
        return end.join(lines) + end

    def __add__(self, other: Block) -> Block:
        return Block(self.lines + other.lines)


@lru_cache(maxsize=65536)
def block(text: str, room: float, size: float, *, bold: bool = False) -> Block:
    """Return a text as lines that fit into the room."""
    return Block(tuple((Span(line, size, bold),) for line in wrap(text, room, size, bold=bold)))


def appended(block_: Block, run: Span, room: float) -> Block:
    """Return lines with one more text after the last, on the same line where it fits into the room."""
    *above, last = block_.lines
    spaced = Span(f"  {run.text}", run.size, run.bold)
    if sum(part.width for part in last) + spaced.width <= room:
        return Block((*above, (*last, spaced)))
    return Block((*block_.lines, (run,)))


def chunks_of(line: str) -> list[str]:
    """Return what is never broken while there is room for it, each with the space before it.

    Words that a no-break space joins stay together.
    """
    return [chunk for word in re.findall(r"[ \t]*[^ \t]+", line) for chunk in _INSIDE.split(word)] or [""]


def pieces_of(text: str, room: float, width: Callable[[str], float]) -> Iterator[str]:
    """Yield what is never cut, with the space before it; each fits in `room`, or is one sign."""
    for chunk in chunks_of(text):
        piece = chunk.strip(" ")
        lead = " " if chunk.startswith(" ") else ""
        for sign in signs_of(piece) if width(piece) > room else ():
            if lead.strip(" ") and width(lead.strip(" ") + sign) > room:
                yield lead
                lead = ""
            lead += sign
            piece = ""
        yield lead + piece


def fill(widths: Sequence[tuple[float, float]], room: float) -> list[slice]:
    """Return which pieces make each line, by the widths of the spaces before them and their own.

    There are as many on a line as fit in `room`, and there is one line at least.
    """
    lines, start, used = [], 0, 0.0
    for at, (space, wide) in enumerate(widths):
        if at > start and used + space + wide > room:
            lines.append(slice(start, at))
            start = at
        used = used + space + wide if at > start else wide
    return [*lines, slice(start, len(widths))]


def _balanced(chunks: list[str], room: float, size: float) -> list[str]:
    lines = _filled(chunks, room, size)
    narrow, wide = room / 2, room
    for _ in range(5 if len(lines) > 1 else 0):
        middle = (narrow + wide) / 2
        fewer = _filled(chunks, middle, size)
        if len(fewer) == len(lines) and not _breaks_words(fewer, chunks):
            lines, wide = fewer, middle
        else:
            narrow = middle
    return lines


def _breaks_words(lines: list[str], chunks: list[str]) -> bool:
    ends = {sum(len(c.replace(" ", "")) for c in chunks[: i + 1]) for i in range(len(chunks))}
    done = 0
    for line in lines:
        done += len(line.replace(" ", ""))
        if done not in ends:
            return True
    return False


def _filled(chunks: list[str], room: float, size: float) -> list[str]:
    """Return lines that are each as long as there is room for."""
    lines, line = list[str](), ""
    for chunk in chunks:
        longer = line + chunk
        if text_width(longer.strip(), size) <= room + _ROUNDING:
            line = longer
            continue
        if line.strip():
            lines.append(line.strip())
        *full, line = _broken(chunk.strip(), room, size)
        lines += full
    return [*lines, line.strip()]


def _broken(word: str, room: float, size: float) -> list[str]:
    """Return a word in parts that fit: after syllables with a hyphen, else between signs that stand alone."""

    def fits(text: str) -> bool:
        return text_width(text, size) <= room + _ROUNDING

    parts, rest = list[str](), word
    while not fits(rest):
        most = _fitting(rest, fits)
        if most == rest:
            break
        ends = [
            at
            for at in _syllables(rest[: len(most) + LEAST])
            if 2 * at >= len(most) and fits(f"{rest[:at]}-")
        ]
        parts.append(f"{rest[: ends[-1]]}-" if ends else most)
        rest = rest[ends[-1] if ends else len(most) :]
    return [*parts, rest]


def _fitting(word: str, fits: Callable[[str], bool]) -> str:
    """Return how much of a word fits, one sign at least."""
    part = ""
    for sign in signs_of(word):
        if part and not fits(part + sign):
            break
        part += sign
    return part


def _syllables(word: str) -> list[int]:
    """Return where a word may be broken with a hyphen: between letters, where a syllable begins."""
    return [
        at
        for at in (found.start() for found in _SYLLABLE.finditer(word, LEAST, len(word) - LEAST + 1))
        if word[at - LEAST : at + LEAST].isalpha()
        and _VOWEL.search(word[:at])
        and not any(pair.start() < at < pair.end() for pair in _PAIR.finditer(word))
    ]


def signs_of(word: str) -> list[str]:
    """Return a word sign by sign, each with the marks that belong to it."""
    signs: list[str] = []
    for char in word:
        joined = signs and (
            unicodedata.category(char).startswith("M") or char in _JOINERS or signs[-1][-1] == "\u200d"
        )
        if joined:
            signs[-1] += char
        else:
            signs.append(char)
    return signs
