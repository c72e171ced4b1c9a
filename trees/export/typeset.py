"""Words set in lines and lines on pages, as wide as they are in the fonts that a PDF is printed in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Protocol, TypeVar

import graphviz

from .cells import Tiles
from .labels import Line, escape, text_width
from .output import draw_source
from .sheet import put_line, sheet
from .wrap import BOLD, fill, pieces_of

MARGIN = 54.0
"""Of an upright page."""
SIZE, LEADING = 10.0, 13.5
"""Of text, and from line to line."""
TILED = 8.0
"""Of letters on tiles: these are as high as a line."""
TITLE, TITLE_LEADING = 16.0, 22.0
LONGEST = 320.0
"""A word that may be longer is cut."""
SIZES = {"title": BOLD * TITLE, "bold": BOLD * SIZE, "name": BOLD * SIZE}
"""Sizes of text in those styles that are wider than the others."""
# By the names of the fonts: Graphviz does not set text in <B> on the same line as text without.
STYLES = {
    "": "{}",
    "bold": '<FONT FACE="Helvetica-Bold">{}</FONT>',
    "name": '<FONT FACE="Helvetica-BoldOblique">{}</FONT>',
    "soft": '<FONT FACE="Helvetica-Oblique" COLOR="#555555">{}</FONT>',
    "more": '<FONT COLOR="#555555">{}</FONT>',
    "title": f'<FONT FACE="Helvetica-Bold" POINT-SIZE="{TITLE:g}">{{}}</FONT>',
}
MARKED = "marks "
"""A style of letters on tiles: the marks follow."""
SPACE = " "

Word = tuple[str, str]
"""A word or a part of one, with a space before it if there is one, and its style."""


class High(Protocol):
    """What stands on a page."""

    @property
    def height(self) -> float:
        """How high it is, in points."""


L = TypeVar("L", bound=High)


def words_of(text: str, style: str = "", longest: float = LONGEST) -> list[Word]:
    """Return the words of a text, those too long in parts."""
    size = SIZES.get(style, SIZE)
    pieces = pieces_of(text, longest, lambda piece: text_width(piece, size))
    return [(piece, style) for piece in pieces if piece]


def html_of(text: str, style: str) -> str:
    """Return a word as an HTML-like label."""
    if style.startswith(MARKED):
        return Tiles(text, TILED, marks=style.removeprefix(MARKED)).html(1.0)
    return STYLES[style].format("&#160;" if text == SPACE else escape(text))


class Measured:
    """How wide some words are in the fonts that they are printed in."""

    def __init__(self, used: Iterable[Word]) -> None:
        bare = {(text.strip(SPACE) or text, style) for text, style in used}
        self.widths: Mapping[Word, float] = _measured(bare | {(SPACE, style) for style in STYLES})

    def wide(self, words: Sequence[Word]) -> float:
        """Return the width of words that begin a line."""
        return sum(map(sum, self._widths(words))) - sum(space for space, _ in self._widths(words[:1]))

    def space(self, word: Word) -> float:
        """Return the width of the space before a word."""
        return self.widths[SPACE, word[1]] if word[0].startswith(SPACE) else 0.0

    def wrapped(self, words: Sequence[Word], room: float) -> list[Sequence[Word]]:
        """Return words in lines, as many on each as fit."""
        return [words[line] for line in fill(self._widths(words), room)]

    def put(
        self,
        source: graphviz.Digraph,
        name: str,
        words: Sequence[Word],
        left: float,
        top: float,
        height: float = LEADING,
    ) -> float:
        """Write words on a sheet from a place on, each style by itself; return where they end."""
        for number, (style, run) in enumerate(groupby(words, key=lambda word: word[1])):
            some = list(run)
            left += self.space(some[0]) if number else 0.0
            text, wide = "".join(text for text, _ in some).strip(SPACE), self.wide(some)
            put_line(source, f"{name}-{number}", Line(html_of(text, style), wide, height), left, top)
            left += wide
        return left

    def _widths(self, words: Sequence[Word]) -> list[tuple[float, float]]:
        return [(self.space(word), self.widths[word[0].strip(SPACE), word[1]]) for word in words]


def _measured(words: Iterable[Word]) -> dict[Word, float]:
    found = sorted(words)
    source = sheet("key", 0, 0, fontsize=f"{SIZE:g}")
    for number, (text, style) in enumerate(found):
        source.node(f"w{number}", label=f"<{html_of(text, style)}>", pos="0,0")
    measured = draw_source(source, "plain").decode()
    widths = {int(n): float(inches) for n, inches in re.findall(r"(?m)^node w(\d+) \S+ \S+ (\S+)", measured)}
    return {word: widths[number] * 72 for number, word in enumerate(found)}


def paged(groups: Sequence[Sequence[L]], room: float, gap: float) -> list[list[tuple[float, L]]]:
    """Return the lines of each page, with where they are from the top; groups are cut only if they must."""
    pages: list[list[tuple[float, L]]] = [[]]
    top = 0.0
    for group in groups:
        height = sum(line.height for line in group)
        if top + height > room and (height <= room or top > room / 2):
            pages.append([])
            top = 0.0
        for line in group:
            if top + line.height > room:
                pages.append([])
                top = 0.0
            pages[-1].append((top, line))
            top += line.height
        top += gap
    return pages


def put_foot(source: graphviz.Digraph, text: str, width: float, bottom: float) -> None:
    """Write what stands below all lines, in the middle."""
    put_line(source, "foot", Line(STYLES["soft"].format(text), 0.0, LEADING), width / 2, bottom)
