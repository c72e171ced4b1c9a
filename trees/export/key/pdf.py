"""Numbered keys as .pdf files: upright pages of leads, whose numbers are links."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guesstree.engine.emphasis import Runs
from guesstree.engine.game import Game

from ...language import say
from ...tree import Tree
from ..book import BoundPage, PageLink, bind
from ..cells import LEGEND
from ..formats import paper_size
from ..labels import Line
from ..output import draw_source
from ..qr import Code, code_of, put_code
from ..sheet import put_line, sheet
from ..typeset import (
    LEADING,
    LONGEST,
    MARGIN,
    MARKED,
    SIZE,
    SPACE,
    TITLE_LEADING,
    Measured,
    Word,
    paged,
    put_foot,
    words_of,
)
from .couplets import SURE, Couplet, Lead, NumberedKey, numbered_key

GAP, NARROW = 7.0, 2.0
"""Between couplets, and between the leads of an indented key."""
STEP = 14.0
"""By which each level of an indented key starts further right."""
ROOM = 240.0
"""Statements keep so much, however deep."""
NUMBERS = 40.0
"""At the right, what statements leave to the numbers."""
DOTS = 18.0
"""At least so much between a statement and where it leads."""
DOT = (".", "")
Link = tuple[int, tuple[float, float, float, float]]
"""The couplet that an area of a page leads to: left, bottom, right, top."""


@dataclass(frozen=True)
class _Line:
    """A line of print: a label at `start`, words from `left` on, and words that end at the right.

    `came` and `goes` are the couplets to which the label and the words at the right are links; 0: none.
    `number` is that of the couplet which begins with the line, or 0.
    """

    words: Sequence[Word]
    left: float = 0.0
    label: Sequence[Word] = ()
    start: float = 0.0
    came: int = 0
    end: Sequence[Word] = ()
    goes: int = 0
    dots: bool = False
    number: int = 0
    height: float = LEADING


def draw(
    game: Game,
    strategy: Tree,
    title: str = "",
    confirmatory: int = 0,
    indented: bool = False,
    paper: str = "a4",
    *,
    costs: bool = False,
    sure: int = SURE,
    qr: str | None = None,
) -> bytes:
    """Return a key as a PDF, with the code of an address `qr` if there is one.

    Raises TreeError where there is nothing to draw with, and as `code_of` does.
    """
    code = None if qr is None else code_of(qr)
    key = numbered_key(game, strategy, title, confirmatory, costs=costs, sure=sure)
    width, height = paper_size(paper)
    setter = _Setter(key, width - 2 * MARGIN, indented, code)
    groups = [setter.head(), *setter.groups()]
    pages = paged(groups, height - 2 * MARGIN, NARROW if indented else GAP)
    made = [_Page(setter, lines, width, height) for lines in pages]
    if code:
        put_code(made[0].source, "code", code, width - MARGIN - code.width, height - MARGIN)
    return _book(key.title, made)


class _Setter:
    """Set a key in lines of a width, in points."""

    def __init__(self, key: NumberedKey, width: float, indented: bool, code: Code | None = None) -> None:
        self.key, self.width, self.indented, self.code = key, width, indented, code
        scan = say("Scan for the guide: {address}", address=code.text) if code else ""
        self.address = words_of(scan, "soft") if code else []
        self.longest = ROOM - NUMBERS if indented else LONGEST
        used = {DOT, *self.address, *words_of(key.title, "title"), *words_of(key.explained(LEGEND), "soft")}
        for couplet, lead in key.rows():
            used |= {*self._label(couplet, lead), *self._said(lead), *self._end(lead)}
        self.measured = Measured(used)
        self.margin = max(self.measured.wide(self._label(*row)) for row in key.rows()) + 10

    def head(self) -> list[_Line]:
        """Return the lines above the key."""
        room = self.width - (self.code.width if self.code else 0.0)
        title = self.measured.wrapped(words_of(self.key.title, "title"), room)
        about = self.measured.wrapped(words_of(self.key.explained(LEGEND), "soft"), room)
        about += self.measured.wrapped(self.address, room) if self.code else []
        lines = [*(_Line(words, height=TITLE_LEADING) for words in title), *map(_Line, about)]
        left = self.code.height - sum(line_.height for line_ in lines) if self.code else 0.0
        return [*lines, _Line([], height=left)] if left > 0 else lines

    def groups(self) -> Iterator[list[_Line]]:
        """Yield the lines of the key, those together that are to stay on one page."""
        if self.indented:
            yield from (list(self._lead(*row)) for row in self.key.rows(indented=True))
        else:
            for couplet in self.key.couplets:
                yield [line for lead in couplet.leads for line in self._lead(couplet, lead)]

    def _lead(self, couplet: Couplet, lead: Lead) -> Iterator[_Line]:
        start = min(STEP * couplet.depth, self.width - self.margin - ROOM) if self.indented else 0.0
        left = start + self.margin
        room = self.width - left
        lines = self.measured.wrapped(self._said(lead), room - NUMBERS)
        ends = self.measured.wrapped(self._end(lead), room - DOTS)
        if self.measured.wide(lines[-1]) + DOTS + self.measured.wide(ends[0]) > room:
            lines.append([])
        label, came = self._label(couplet, lead), 0 if self.indented else couplet.came
        number = couplet.number
        if lead is not couplet.leads[0]:
            came = number = 0
        for words in lines[:-1]:
            yield _Line(words, left, label, start, came, number=number)
            label, came, number = [], 0, 0
        yield _Line(lines[-1], left, label, start, came, ends[0], lead.goes, bool(ends[0]), number)
        yield from (_Line([], left, end=end) for end in ends[1:])

    def _label(self, couplet: Couplet, lead: Lead) -> list[Word]:
        came = couplet.came and lead is couplet.leads[0] and not self.indented
        return [(lead.label, ""), *([(f" ({couplet.came})", "")] if came else [])]

    def _end(self, lead: Lead) -> list[Word]:
        if lead.goes:
            return [] if self.indented else [(str(lead.goes), "")]
        marked = any(marked for _, marked in lead.named)
        names = _run_words(lead.named, "" if marked else "bold", "name", self.longest)
        return names + words_of(f" ({lead.share})" if lead.share else "")

    def _said(self, lead: Lead) -> list[Word]:
        letters, marks = zip(*lead.tiles, strict=True) if lead.tiles else ((), ())
        tiles = [("".join(letters), MARKED + "".join(marks))]
        says = tiles if lead.tiles else words_of(lead.says, longest=self.longest)
        more = ((" ", False), *lead.noted) if lead.noted else ()
        return says + _run_words(more, "more", "soft", self.longest)


def _run_words(runs: Runs, style: str, marked: str, longest: float) -> list[Word]:
    """Return the words of text of which some is emphasised, in two styles."""
    found: list[Word] = []
    space = ""
    for text, emphasised in runs:
        # What closes a word keeps its style, so that no line begins with it.
        close = re.match(r"[,;.)\]]*", text)
        if found and not space and close and close[0]:
            found[-1] = (found[-1][0] + close[0], found[-1][1])
            text = text[close.end() :]
        found += words_of(space + text, marked if emphasised else style, longest)
        space = SPACE if text.endswith(SPACE) or (space and not text) else ""
    return found


# -- pages -------------------------------------------------------------------------------------------------


class _Page:
    """A page as DOT, and what on it is a link."""

    def __init__(
        self, setter: _Setter, lines: Sequence[tuple[float, _Line]], width: float, height: float
    ) -> None:
        self.measured, self.width, self.height = setter.measured, width, height
        self.source, self.links = sheet("key", width, height, fontsize=f"{SIZE:g}"), list[Link]()
        self.homes: dict[int, float] = {}
        for number, (top, line_) in enumerate(lines):
            self._write(number, height - MARGIN - top, line_)

    def _write(self, number: int, top: float, line_: _Line) -> None:
        start, left, right = MARGIN + line_.start, MARGIN + line_.left, self.width - MARGIN
        if line_.number:
            self.homes[line_.number] = top
        ends = self.text(f"label{number}", line_.label, start, top)
        if line_.came:
            self.links.append((line_.came, (start, top - LEADING, ends, top)))
        ends = self.text(f"words{number}", line_.words, left, top, line_.height)
        if line_.end:
            starts = right - self.measured.wide(line_.end)
            each = self.measured.widths[DOT]
            dots = math.floor((starts - ends - DOTS / 2) / each) if line_.dots else 0
            row = Line("." * dots, dots * each, LEADING)
            put_line(self.source, f"dots{number}", row, starts - DOTS / 4 - dots * each, top)
            self.text(f"end{number}", line_.end, starts, top)
            if line_.goes:
                self.links.append((line_.goes, (starts - DOTS / 4, top - LEADING, right, top)))

    def text(
        self, name: str, words: Sequence[Word], left: float, top: float, height: float = LEADING
    ) -> float:
        """Write words from a place on; return where they end."""
        return self.measured.put(self.source, name, words, left, top, height)


def _book(title: str, pages: Sequence[_Page]) -> bytes:
    """Return the pages as a PDF, numbered if there are several, and linked."""
    homes = {number: (at, top) for at, page in enumerate(pages) for number, top in page.homes.items()}
    sheets = []
    for at, page in enumerate(pages):
        if len(pages) > 1:
            put_foot(page.source, f"{at + 1} / {len(pages)}", page.width, MARGIN / 2)
        links = [PageLink(homes[to][0], area, homes[to][1] + GAP) for to, area in page.links]
        sheets.append(BoundPage(draw_source(page.source, "pdf"), links, (page.width, page.height)))
    return bind(title, sheets)
