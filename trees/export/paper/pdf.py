"""Texts as .pdf files of upright pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..book import BoundPage, bind
from ..formats import paper_size
from ..output import draw_source
from ..sheet import sheet
from ..typeset import LEADING, MARGIN, SIZE, TITLE_LEADING, Measured, Word, paged, put_foot, words_of
from .blocks import Block, Grid, Heading, Paper, Paragraph

GAP = 6.0
"""Between paragraphs, and above tables."""
BETWEEN = 12.0
"""Between the columns of a table."""
NARROWEST = 60.0
"""Of a column of text in a table."""
HEADING = 4.0
"""Above a heading, beside the gap."""


@dataclass(frozen=True)
class _Line:
    """A line of print: words, each run from somewhere on."""

    runs: Sequence[tuple[float, Sequence[Word]]]
    height: float = LEADING


def draw(paper: Paper, size: str = "a4") -> bytes:
    """Return a text as a PDF, its pages numbered if there are several; raise TreeError as `draw_source`."""
    width, height = paper_size(size)
    setter = _Setter(paper, width - 2 * MARGIN)
    pages = []
    lines = paged(list(setter.groups()), height - 2 * MARGIN, GAP)
    for number, page in enumerate(lines, 1):
        source = sheet("paper", width, height, fontsize=f"{SIZE:g}")
        for at, (top, line) in enumerate(page):
            for run, (left, words) in enumerate(line.runs):
                setter.measured.put(source, f"w{at}-{run}", words, MARGIN + left, height - MARGIN - top)
        if len(lines) > 1:
            put_foot(source, f"{number} / {len(lines)}", width, MARGIN / 2)
        pages.append(BoundPage(draw_source(source, "pdf"), (), (width, height)))
    return bind(paper.title, pages)


class _Setter:
    """Set a text in lines of a width, in points."""

    def __init__(self, paper: Paper, width: float) -> None:
        self.paper, self.width = paper, width
        used = {*words_of(paper.title, "title")}
        for block in paper.blocks:
            if isinstance(block, Grid):
                used |= {word for cell in block.head for word in words_of(cell, "soft")}
                used |= {word for row in block.rows for cell in row for word in words_of(cell)}
            else:
                used |= {*_said(block)}
        self.measured = Measured(used)

    def groups(self) -> Iterator[list[_Line]]:
        """Yield the lines of the text, those together that are to stay on one page."""
        title = self.measured.wrapped(words_of(self.paper.title, "title"), self.width)
        yield [_Line([(0.0, words)], TITLE_LEADING) for words in title]
        above: list[_Line] = []
        for block in self.paper.blocks:
            if isinstance(block, Grid):
                lines = list(self._grid(block))
            else:
                lines = [_Line([(0.0, words)]) for words in self.measured.wrapped(_said(block), self.width)]
            if isinstance(block, Heading):
                above = [_Line([], HEADING), *lines]
            else:
                yield [*above, *lines]
                above = []

    def _grid(self, grid: Grid) -> Iterator[_Line]:
        rows = [[words_of(cell, "soft") for cell in grid.head]]
        rows += [[words_of(cell) for cell in row] for row in grid.rows]
        widths = [max(map(self.measured.wide, column)) for column in zip(*rows, strict=True)]
        widths = grid.shared(widths, self.width - BETWEEN * (len(widths) - 1), NARROWEST)
        for row in rows:
            cells = [
                self.measured.wrapped(words, width + 1) for words, width in zip(row, widths, strict=True)
            ]
            for line in range(max(map(len, cells))):
                runs, left = list[tuple[float, Sequence[Word]]](), 0.0
                for cell, width, right in zip(cells, widths, grid.to_the_right, strict=True):
                    words = cell[line] if line < len(cell) else []
                    if words:
                        runs.append((left + (width - self.measured.wide(words) if right else 0.0), words))
                    left += width + BETWEEN
                yield _Line(runs)


def _said(block: Block) -> list[Word]:
    if isinstance(block, Heading):
        return words_of(block.text, "bold")
    assert isinstance(block, Paragraph)
    lead = words_of(block.lead, "bold")
    return [*lead, *words_of(f" {block.text}" if lead else block.text)]
