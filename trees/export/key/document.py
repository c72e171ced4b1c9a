"""Numbered keys as .docx files, to be edited in a word processor; their couplets link to each other."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from guesstree.engine.game import Game
from guesstree.engine.notation import ELSEWHERE, PLACE

from ...language import say, to_say
from ...tree import Tree
from ..colours import FRAMES, PAPER
from ..formats import paper_size
from ..labels import text_width
from .couplets import Couplet, Lead, numbered_key

MARGIN = 54.0
STEP = 14.0
"""By which each level of an indented key starts further right, in points."""
SIZE = 11.0
"""Of the text of the documents that python-docx makes, in points."""
NUMBERS = 34.0
"""At the right, what leads say leaves so much to the numbers, in points."""
ROOM = 240.0
"""What leads say keeps so much, however deep, in points."""
GREY = "6A6A6A"
LEGEND = to_say("Bold and green: in place. Double frame and yellow: elsewhere. Bare and grey: absent.")
"""What letters mean whose frames cannot be round."""


def draw(
    game: Game,
    strategy: Tree,
    title: str = "",
    confirmatory: int = 0,
    indented: bool = False,
    paper: str = "a4",
) -> bytes:
    """Return a key as a document of Word; needs python-docx."""
    import docx
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Pt

    key = numbered_key(game, strategy, title, confirmatory)
    document = docx.Document()
    section = document.sections[0]
    width, height = paper_size(paper)
    section.page_width, section.page_height = Pt(width), Pt(height)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Pt(MARGIN)
    about = document.core_properties
    about.title, about.author, about.comments = key.title[:255], "", ""
    document.add_heading(key.title, 1)
    document.add_paragraph(key.explained(LEGEND))
    longest = max(key.rows(), key=lambda row: len(row[1].label) + len(str(row[0].came)))
    label = longest[1].label if indented else f"{longest[1].label} ({longest[0].came})"
    writer = _Writer(document, width - 2 * MARGIN, text_width(label, SIZE) + 6, indented)
    for couplet, lead in key.rows(indented):
        writer.write(couplet, lead)
    footer = section.footer.paragraphs[0]
    footer.alignment = WD_ALIGN_PARAGRAPH.CENTER
    footer._p.append(_element("w:fldSimple", instr="PAGE"))
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


@dataclass
class _Writer:
    """Write leads as paragraphs, where lines and the labels on them are so many points wide."""

    document: Any
    width: float
    label: float
    indented: bool

    def write(self, couplet: Couplet, lead: Lead) -> None:
        """Write a lead: its label, what it says, and at the right where it leads."""
        from docx.enum.text import WD_TAB_ALIGNMENT, WD_TAB_LEADER
        from docx.shared import Pt, RGBColor

        first, last = lead is couplet.leads[0], lead is couplet.leads[-1]
        start = min(STEP * couplet.depth, self.width - self.label - ROOM) if self.indented else 0.0
        text = self.document.add_paragraph()
        form = text.paragraph_format
        form.left_indent, form.first_line_indent = Pt(start + self.label), Pt(-self.label)
        form.right_indent = Pt(NUMBERS)
        form.tab_stops.add_tab_stop(Pt(self.width), WD_TAB_ALIGNMENT.RIGHT, WD_TAB_LEADER.DOTS)
        form.space_after = Pt(8 if last and not self.indented else 0)
        form.keep_with_next = not last and not self.indented
        form.keep_together = True
        if first:
            mark = {"id": str(couplet.number)}
            text._p.append(_element("w:bookmarkStart", **mark, name=f"couplet_{couplet.number}"))
            text.add_run(lead.label)
            text._p.append(_element("w:bookmarkEnd", **mark))
        else:
            text.add_run(lead.label)
        if first and couplet.came and not self.indented:
            text.add_run(" (")
            _link(text, couplet.came)
            text.add_run(")")
        text.add_run("\t")
        if not lead.tiles:
            text.add_run(lead.says)
        for letter, sign in lead.tiles:
            _on_tile(text.add_run(f"\u00a0{letter}\u00a0"), sign)
        if lead.remarks:
            remarks = text.add_run(f" {lead.remarks}")
            remarks.italic, remarks.font.color.rgb = True, RGBColor.from_string(GREY)
        if not lead.goes:
            text.add_run("\t")
            text.add_run(say(" or ").join(lead.names)).bold = True
            text.add_run(f" ({lead.share})" if lead.share else "")
        elif not self.indented:
            text.add_run("\t")
            _link(text, lead.goes)


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
