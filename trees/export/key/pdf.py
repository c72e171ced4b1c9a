"""Numbered keys as .pdf files: upright pages of leads, whose numbers are links."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from guesstree.engine.emphasis import Runs
from guesstree.engine.game import Game

from ...language import say
from ...tree import Tree
from ..book import BoundPage, PageLink, bind
from ..cells import LEGEND, Tiles
from ..formats import paper_size
from ..labels import Line, escape, text_width
from ..output import draw_source
from ..qr import Code, code_of, put_code
from ..sheet import put_line, sheet
from ..wrap import BOLD, fill, pieces_of
from .couplets import SURE, Couplet, Lead, NumberedKey, numbered_key

MARGIN = 54.0
SIZE, LEADING = 10.0, 13.5
"""Of text, and from line to line."""
TILED = 8.0
"""Of letters on tiles: these are as high as a line."""
TITLE, TITLE_LEADING = 16.0, 22.0
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
LONGEST = 320.0
"""A word that may be longer is cut; in an indented key one that leaves no room for the numbers."""
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

Word = tuple[str, str]
"""A word or a part of one, with a space before it if there is one, and its style."""
DOT = (".", "")
SPACE = " "
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
    pages = _paged(groups, height - 2 * MARGIN, NARROW if indented else GAP)
    made = [_Page(setter, lines, width, height) for lines in pages]
    if code:
        put_code(made[0].source, "code", code, width - MARGIN - code.width, height - MARGIN)
    return _book(key.title, made)


class _Setter:
    """Set a key in lines of a width, in points."""

    def __init__(self, key: NumberedKey, width: float, indented: bool, code: Code | None = None) -> None:
        self.key, self.width, self.indented, self.code = key, width, indented, code
        self.address = _words(say("Scan for the guide: {address}", address=code.text), "soft") if code else []
        self.longest = ROOM - NUMBERS if indented else LONGEST
        used = {DOT, *self.address, *_words(key.title, "title"), *_words(key.explained(LEGEND), "soft")}
        for couplet, lead in key.rows():
            used |= {*self._label(couplet, lead), *self._said(lead), *self._end(lead)}
        bare = {(text.strip(SPACE) or text, style) for text, style in used}
        self.widths = _measured(bare | {(SPACE, style) for style in STYLES})
        self.margin = max(self.wide(self._label(*row)) for row in key.rows()) + 10

    def wide(self, words: Sequence[Word]) -> float:
        """Return the width of words that begin a line."""
        return sum(map(sum, self._widths(words))) - sum(space for space, _ in self._widths(words[:1]))

    def space(self, word: Word) -> float:
        """Return the width of the space before a word."""
        return self.widths[SPACE, word[1]] if word[0].startswith(SPACE) else 0.0

    def _widths(self, words: Sequence[Word]) -> list[tuple[float, float]]:
        return [(self.space(word), self.widths[word[0].strip(SPACE), word[1]]) for word in words]

    def head(self) -> list[_Line]:
        """Return the lines above the key."""
        room = self.width - (self.code.width if self.code else 0.0)
        title = self._wrapped(_words(self.key.title, "title"), room)
        about = self._wrapped(_words(self.key.explained(LEGEND), "soft"), room)
        about += self._wrapped(self.address, room) if self.code else []
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
        lines = self._wrapped(self._said(lead), room - NUMBERS)
        ends = self._wrapped(self._end(lead), room - DOTS)
        if self.wide(lines[-1]) + DOTS + self.wide(ends[0]) > room:
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
        return names + _words(f" ({lead.share})" if lead.share else "")

    def _said(self, lead: Lead) -> list[Word]:
        letters, marks = zip(*lead.tiles, strict=True) if lead.tiles else ((), ())
        tiles = [("".join(letters), MARKED + "".join(marks))]
        says = tiles if lead.tiles else _words(lead.says, longest=self.longest)
        more = ((" ", False), *lead.noted) if lead.noted else ()
        return says + _run_words(more, "more", "soft", self.longest)

    def _wrapped(self, words: Sequence[Word], room: float) -> list[Sequence[Word]]:
        return [words[line] for line in fill(self._widths(words), room)]


def _words(text: str, style: str = "", longest: float = LONGEST) -> list[Word]:
    size = SIZES.get(style, SIZE)
    pieces = pieces_of(text, longest, lambda piece: text_width(piece, size))
    return [(piece, style) for piece in pieces if piece]


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
        found += _words(space + text, marked if emphasised else style, longest)
        space = SPACE if text.endswith(SPACE) or (space and not text) else ""
    return found


def _html(text: str, style: str) -> str:
    if style.startswith(MARKED):
        return Tiles(text, TILED, marks=style.removeprefix(MARKED)).html(1.0)
    return STYLES[style].format("&#160;" if text == SPACE else escape(text))


def _measured(words: Iterable[Word]) -> dict[Word, float]:
    """Return how wide words are in the fonts that they are printed in."""
    found = sorted(words)
    source = sheet("key", 0, 0, fontsize=f"{SIZE:g}")
    for number, (text, style) in enumerate(found):
        source.node(f"w{number}", label=f"<{_html(text, style)}>", pos="0,0")
    measured = draw_source(source, "plain").decode()
    widths = {int(n): float(inches) for n, inches in re.findall(r"(?m)^node w(\d+) \S+ \S+ (\S+)", measured)}
    return {word: widths[number] * 72 for number, word in enumerate(found)}


# -- pages -------------------------------------------------------------------------------------------------


def _paged(groups: Sequence[Sequence[_Line]], room: float, gap: float) -> list[list[tuple[float, _Line]]]:
    """Return the lines of each page, with where they are from the top; groups are cut only if they must."""
    pages: list[list[tuple[float, _Line]]] = [[]]
    top = 0.0
    for group in groups:
        height = sum(line.height for line in group)
        if top + height > room and (height <= room or top > room / 2):
            pages.append([])
            top = 0.0
        for line_ in group:
            if top + line_.height > room:
                pages.append([])
                top = 0.0
            pages[-1].append((top, line_))
            top += line_.height
        top += gap
    return pages


class _Page:
    """A page as DOT, and what on it is a link."""

    def __init__(
        self, setter: _Setter, lines: Sequence[tuple[float, _Line]], width: float, height: float
    ) -> None:
        self.setter, self.width, self.height = setter, width, height
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
            starts = right - self.setter.wide(line_.end)
            each = self.setter.widths[DOT]
            dots = math.floor((starts - ends - DOTS / 2) / each) if line_.dots else 0
            row = Line("." * dots, dots * each, LEADING)
            put_line(self.source, f"dots{number}", row, starts - DOTS / 4 - dots * each, top)
            self.text(f"end{number}", line_.end, starts, top)
            if line_.goes:
                self.links.append((line_.goes, (starts - DOTS / 4, top - LEADING, right, top)))

    def text(
        self, name: str, words: Sequence[Word], left: float, top: float, height: float = LEADING
    ) -> float:
        """Write words from a place on, each style by itself; return where they end."""
        for number, (style, run) in enumerate(groupby(words, key=lambda word: word[1])):
            some = list(run)
            left += self.setter.space(some[0]) if number else 0.0
            text, wide = "".join(text for text, _ in some).strip(SPACE), self.setter.wide(some)
            put_line(self.source, f"{name}-{number}", Line(_html(text, style), wide, height), left, top)
            left += wide
        return left

    def foot(self, text: str) -> None:
        """Write what stands below all lines, in the middle."""
        number = Line(STYLES["soft"].format(text), 0.0, LEADING)
        put_line(self.source, "foot", number, self.width / 2, MARGIN / 2)


def _book(title: str, pages: Sequence[_Page]) -> bytes:
    """Return the pages as a PDF, numbered if there are several, and linked."""
    homes = {number: (at, top) for at, page in enumerate(pages) for number, top in page.homes.items()}
    sheets = []
    for at, page in enumerate(pages):
        if len(pages) > 1:
            page.foot(f"{at + 1} / {len(pages)}")
        links = [PageLink(homes[to][0], area, homes[to][1] + GAP) for to, area in page.links]
        sheets.append(BoundPage(draw_source(page.source, "pdf"), links, (page.width, page.height)))
    return bind(title, sheets)
