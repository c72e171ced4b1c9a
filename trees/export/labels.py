"""Text, pegs and tiles as HTML-like labels, and how much room they take.

Every length is in points. Widths are estimated from above, since the fonts are chosen only where the
drawing is made: a cell may get a little more room than its text needs, never less.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from guesstree.engine.look import Look

from .colours import MARKS, WHITE, colour_of, ink, luminance

FONT = 9.0
"""Size of all text but the title."""
PEG = 14
"""Side of a peg."""
LINE = 12
"""Height of a line of text: fonts of this size take up to 11.3."""
MARK = 9
"""Width of the tile of a mark."""

# What XML 1.0 forbids, and lone surrogates, which UTF-8 cannot carry.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def plain(text: str, most: int = 1000) -> str:
    """Return text that fits on one line and in XML, cut to `most` characters."""
    text = re.sub(r"\r\n|[\r\n\u2028\u2029]", "↵", text).replace("\t", " ")
    text = _FORBIDDEN.sub("\ufffd", text)
    return text if len(text) <= most else text[: most - 1] + "…"


def percent(part: int, whole: int) -> str:
    """Return a part of a whole in percent, three digits of it."""
    return f"{float(Fraction(100 * part, whole)):.3g} %" if 1000 * part >= whole else "< 0.1 %"


def escape(text: str) -> str:
    """Return text for use inside an HTML-like label; it is to be made `plain` first."""
    # Doubled, since Graphviz replaces \\N and its like even in such labels.
    entities = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\\", "&#92;&#92;"))
    for char, entity in entities:
        text = text.replace(char, entity)
    return text.replace("  ", " &#160;") if text.strip() else "␣"


def text_width(text: str, size: float = FONT) -> float:
    """Return at least the width of text in any usual sans-serif font."""
    ems = 0.0
    for char in text:
        if char in "il.,:;|'!jft()[] ":
            ems += 0.42
        elif char in "MWmw@%…–—":
            ems += 1.02
        elif "A" <= char <= "Z" or char in "&+=<>~^#":
            ems += 0.84
        elif char < "\u0100":
            ems += 0.66
        elif unicodedata.east_asian_width(char) in "WF":
            ems += 1.4
        else:
            ems += 0.9
    return ems * size


def guess_cells(look: Look, label: str) -> tuple[str, float, float]:
    """Return a guess or secret as an HTML-like table of pegs, tiles or text, with its width and height."""
    if look.codes == "text" or not label:
        text = plain(label, 40)
        width = round(text_width(text) * 1.1) + 6  # bold is wider
        return line(f"<B>{escape(text)}</B>", width, PEG + 2), width, PEG + 2
    cells = "".join(_peg(look, symbol) if look.codes == "pegs" else _tile(symbol) for symbol in label)
    width = len(label) * (PEG + 2) + 2
    return (
        (
            f'<TABLE BORDER="0" CELLSPACING="2" CELLPADDING="0" FIXEDSIZE="TRUE" WIDTH="{width}" '
            f'HEIGHT="{PEG + 4}"><TR>{cells}</TR></TABLE>'
        ),
        width,
        PEG + 4,
    )


def _peg(look: Look, symbol: str) -> str:
    colour = colour_of(look, symbol)
    # White needs an edge to be seen.
    edge = 'BORDER="1" COLOR="#777777"' if luminance(colour) > 0.9 else 'BORDER="0"'
    return (
        f'<TD {edge} STYLE="ROUNDED" WIDTH="{PEG}" HEIGHT="{PEG}" FIXEDSIZE="TRUE" BGCOLOR="{colour}">'
        f'<FONT COLOR="{ink(colour)}">{escape(plain(symbol))}</FONT></TD>'
    )


def _tile(symbol: str) -> str:
    return (
        f'<TD BORDER="1" COLOR="#777777" WIDTH="{PEG}" HEIGHT="{PEG}" FIXEDSIZE="TRUE" BGCOLOR="{WHITE}">'
        f"{escape(plain(symbol))}</TD>"
    )


def answer_cells(look: Look, response: str, most: int = 24) -> tuple[str, float]:
    """Return a response as HTML and its width: marks as narrow tiles, or text cut to `most` characters."""
    if look.answers != "marks" or not set(response) <= set(MARKS):
        text = plain(look.write(response), most)
        return escape(text), text_width(text)
    cells = "".join(
        f'<TD WIDTH="{MARK}" HEIGHT="{LINE - 2}" FIXEDSIZE="TRUE" BGCOLOR="{MARKS[mark]}">'
        f'<FONT COLOR="{ink(MARKS[mark])}" POINT-SIZE="7">{escape(mark)}</FONT></TD>'
        for mark in response
    )
    return (
        f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="1" CELLPADDING="0"><TR>{cells}</TR></TABLE>',
        len(response) * (MARK + 1) + 1,
    )


def line(html: str, width: float, height: float = LINE, align: str = "CENTER") -> str:
    """Return a table of one cell with the given room."""
    return (
        '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>'
        f'<TD WIDTH="{width:.0f}" HEIGHT="{height:.0f}" ALIGN="{align}">{html}</TD></TR></TABLE>'
    )


@dataclass(frozen=True)
class Line:
    """A line of text above the tree: HTML, and at least its width."""

    html: str
    width: float
    height: float = LINE + 3


def text_line(text: str, colour: str = "#000000") -> Line:
    """Return a line of text in one colour."""
    return Line(f'<FONT COLOR="{colour}">{escape(text)}</FONT>', text_width(text))
