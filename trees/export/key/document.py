"""Numbered keys as .docx files, to be edited in a word processor; their couplets link to each other."""

from __future__ import annotations

import io
import math
import os
import time
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from guesstree.engine.game import Game
from guesstree.engine.notation import ELSEWHERE, PLACE

from ...language import to_say
from ...tree import Tree, TreeError
from ..colours import FRAMES, PAPER
from ..formats import paper_size
from .couplets import SURE, Couplet, Lead, label_of, numbered_key
from .times import BOLD, last_line, times_width

MARGIN = 54.0
STEP = 14.0
"""By which each level of an indented key starts further right, in points."""
SIZE = 11.0
"""Of the text of the documents that python-docx makes, in points."""
NUMBERS = 34.0
"""At the right, what leads say leaves so much to the numbers, in points."""
ROOM = 240.0
"""What leads say keeps so much, however deep, in points."""
DOTS = 20.0
"""At least so much between what a lead says and its end, in points."""
GREY = "595959"
FONT = "Times New Roman"
TITLE = 18.0
"""Of the title, in points."""
LEGEND = to_say("Bold and green: in place. Double frame and yellow: elsewhere. Bare and grey: absent.")
"""What letters mean whose frames cannot be round."""


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
) -> bytes:
    """Return a key as a document of Word; needs python-docx.

    All looks are in named styles: Title, Key figures, Key couplet (the first lead of one) and Key lead, in an
    indented key one for each level; of letters Kind name, Kind author, Key remark and Key number.
    """
    import docx
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Pt

    key = numbered_key(game, strategy, title, confirmatory, costs=costs, sure=sure)
    document = docx.Document()
    section = document.sections[0]
    width, height = paper_size(paper)
    section.page_width, section.page_height = Pt(width), Pt(height)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Pt(MARGIN)
    about = document.core_properties
    about.title, about.author, about.comments = key.title[:255], "", ""
    about.created = about.modified = document_date()
    label = max((label_of(*row, indented) for row in key.rows()), key=lambda text: times_width(text, SIZE))
    styles = Styles(document.styles, width - 2 * MARGIN, times_width(label, SIZE) + 10)
    document.add_paragraph(key.title, styles.title)
    document.add_paragraph(key.explained(LEGEND), styles.figures)
    writer = _Writer(document, styles, indented)
    for couplet, lead in key.rows(indented):
        writer.write(couplet, lead)
    footer = section.footer.paragraphs[0]
    footer.alignment = WD_ALIGN_PARAGRAPH.CENTER
    footer._p.append(_element("w:fldSimple", instr="PAGE"))
    file = io.BytesIO()
    document.save(file)
    return _dated(file.getvalue())


def document_date() -> datetime:
    """Return now in whole seconds, or the time that the environment says: SOURCE_DATE_EPOCH, in seconds.

    Raises TreeError for one that is no number of seconds.
    """
    said = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        seconds = int(said) if said else int(time.time())
        return datetime.fromtimestamp(seconds, tz=UTC).replace(tzinfo=None)
    except (ValueError, OverflowError, OSError):
        raise TreeError(f"SOURCE_DATE_EPOCH={said!r}; expected seconds since 1970") from None


def _dated(data: bytes) -> bytes:
    """Return a document whose parts have the earliest date of archives; its own is in its properties."""
    again = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(again, "w") as made:
        for part in whole.infolist():
            info = zipfile.ZipInfo(part.filename)
            info.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(info, whole.read(part.filename))
    return again.getvalue()


class Styles:
    """The named styles of a key, on lines of a width, with labels of a width, in points."""

    def __init__(self, styles: Any, width: float, label: float) -> None:
        from docx.enum.style import WD_STYLE_TYPE
        from docx.shared import Pt, RGBColor

        self.styles, self.width, self.label = styles, width, label
        self.title = styles["Title"]
        self.title.font.size, self.title.font.name = Pt(TITLE), FONT
        self.title.font.color.rgb, self.title.font.bold = RGBColor(0, 0, 0), True
        self.title.element.rPr.rFonts.attrib.clear()
        self.title.font.name = FONT
        for border in self.title.element.xpath("w:pPr/w:pBdr"):
            border.getparent().remove(border)
        styles["Normal"].font.name, styles["Normal"].font.size = FONT, Pt(SIZE)
        paragraph, letters = WD_STYLE_TYPE.PARAGRAPH, WD_STYLE_TYPE.CHARACTER
        self.figures = self._made("Key figures", paragraph, "Normal")
        self.figures.font.size, self.figures.paragraph_format.space_after = Pt(SIZE - 1), Pt(14)
        self.lead = self._placed("Key lead", "Normal", 0)
        self.couplet = self._made("Key couplet", paragraph, "Key lead")
        self.couplet.paragraph_format.space_before = Pt(8)
        for style in (self.lead, self.couplet):
            style.paragraph_format.keep_together = True
        self.name = self._made("Kind name", letters)
        self.name.font.italic = self.name.font.bold = True
        self.plain = self._made("Kind name plain", letters)
        self.plain.font.bold = True
        self.author = self._made("Kind author", letters)
        self.remark = self._made("Key remark", letters)
        self.remark.font.size, self.remark.font.color.rgb = Pt(SIZE - 1), RGBColor.from_string(GREY)
        self.number = self._made("Key number", letters)

    def start(self, depth: int) -> float:
        """Return how far leads so deep are indented, in points."""
        return min(STEP * depth, self.width - self.label - ROOM)

    def level(self, depth: int) -> Any:
        """Return the style of leads so deep in an indented key; from some depth on it is the same."""
        start = self.start(depth)
        name = f"Key level {math.floor(start / STEP) + 1}"
        if name in self.styles:
            return self.styles[name]
        return self._placed(name, "Key lead", start)

    def _placed(self, name: str, base: str, start: float) -> Any:
        """Return a new style of leads whose labels begin somewhere."""
        from docx.enum.style import WD_STYLE_TYPE
        from docx.enum.text import WD_TAB_ALIGNMENT, WD_TAB_LEADER
        from docx.shared import Pt

        made = self._made(name, WD_STYLE_TYPE.PARAGRAPH, base)
        form = made.paragraph_format
        form.left_indent, form.first_line_indent = Pt(start + self.label), Pt(-self.label)
        form.right_indent, form.space_after = Pt(NUMBERS), Pt(0)
        form.tab_stops.add_tab_stop(Pt(self.width), WD_TAB_ALIGNMENT.RIGHT, WD_TAB_LEADER.DOTS)
        return made

    def _made(self, name: str, kind: Any, base: str = "") -> Any:
        made = self.styles.add_style(name, kind)
        made.base_style = self.styles[base] if base else None
        made.quick_style = True
        return made


@dataclass
class _Writer:
    """Write leads as paragraphs."""

    document: Any
    styles: Styles
    indented: bool

    def write(self, couplet: Couplet, lead: Lead) -> None:
        """Write a lead: its label, what it says, and at the right where it leads."""
        first, last = lead is couplet.leads[0], lead is couplet.leads[-1]
        styles = self.styles
        style = styles.level(couplet.depth) if self.indented else styles.couplet if first else styles.lead
        text = self.document.add_paragraph(style=style)
        if not last and not self.indented:
            text.paragraph_format.keep_with_next = True
        if first:
            mark = {"id": str(couplet.number)}
            text._p.append(_element("w:bookmarkStart", **mark, name=f"couplet_{couplet.number}"))
            text.add_run(lead.label, styles.number)
            text._p.append(_element("w:bookmarkEnd", **mark))
        else:
            text.add_run(lead.label, styles.number)
        if first and couplet.came and not self.indented:
            text.add_run(" (")
            _link(text, couplet.came)
            text.add_run(")")
        text.add_run("\t")
        if not lead.tiles:
            text.add_run(lead.says)
        for letter, sign in lead.tiles:
            _on_tile(text.add_run(f"\u00a0{letter}\u00a0"), sign)
        if lead.noted:
            text.add_run(" ", styles.remark)
        for part, emphasised in lead.noted:
            text.add_run(part, styles.remark).italic = emphasised or None
        if not lead.goes:
            if not self._fits(couplet, lead):
                text.add_run().add_break()
            text.add_run(" \t ")
            rest = styles.author if any(marked for _, marked in lead.named) else styles.plain
            for part, emphasised in lead.named:
                text.add_run(part, styles.name if emphasised else rest)
            text.add_run(f" ({lead.share})" if lead.share else "")
        elif not self.indented:
            text.add_run(" \t ")
            _link(text, lead.goes)

    def _fits(self, couplet: Couplet, lead: Lead) -> bool:
        """Whether the end of a lead stands beside the last line of what it says, with dots between."""
        room = (
            self.styles.width - self.styles.label - self.styles.start(couplet.depth if self.indented else 0)
        )
        said = [(lead.says, SIZE), *((f" {lead.remarks}", SIZE - 1) for _ in lead.noted[:1])]
        return last_line(said, room - NUMBERS) + DOTS + times_width(lead.end, SIZE) * BOLD <= room


def _on_tile(run: Any, mark: str) -> None:
    """Give a letter the colour of its mark, and a frame, which is double where it is elsewhere."""
    run.font.bold = mark == PLACE
    look = run._r.get_or_add_rPr()
    if mark in FRAMES:
        form = "double" if mark == ELSEWHERE else "single"
        look.append(_element("w:bdr", val=form, sz="6", space="0", color=FRAMES[mark][1:]))
    look.append(_element("w:shd", val="clear", color="auto", fill=PAPER[mark][1:]))


def _link(text: Any, number: int) -> None:
    """Append the number of a couplet to a paragraph, as a link to that couplet."""
    link = _element("w:hyperlink", anchor=f"couplet_{number}")
    link.append(text.add_run(str(number))._r)
    text._p.append(link)


def _element(tag: str, **attributes: str) -> Any:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    found = OxmlElement(tag)
    for name, value in attributes.items():
        found.set(qn(f"w:{name}"), value)
    return found
