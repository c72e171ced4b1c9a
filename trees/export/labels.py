"""Text in HTML-like labels, and how much room it takes.

Every length is in points. Widths are estimated from above, since the fonts are chosen only where the
drawing is made: a cell may get a little more room than its text needs, never less.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from guesstree.engine.emphasis import bare

FONT = 9.0
"""Size of all text but the title."""
LINE = 12
"""Height of a line of text: fonts of this size take up to 11.3."""
# What XML 1.0 forbids, and lone surrogates, which UTF-8 cannot carry.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def plain(text: str, most: int = 1000) -> str:
    """Return text without marks of emphasis, that fits on one line and in XML, cut to `most` characters."""
    return one_line(bare(text), most)


def one_line(text: str, most: int = 1000) -> str:
    """Return text that fits on one line and in XML, cut to `most` characters; its marks are kept."""
    text = re.sub(r"\r\n|[\r\n\u2028\u2029]", "↵", text).replace("\t", " ")
    text = _FORBIDDEN.sub("\ufffd", text)
    return text if len(text) <= most else text[: most - 1] + "…"


def percent(part: int, whole: int) -> str:
    """Return a part of a whole in percent, three digits of it; what is not all never looks so."""
    if 999 * whole < 1000 * part < 1000 * whole:
        return "> 99.9 %"
    return f"{float(Fraction(100 * part, whole)):.3g} %" if 1000 * part >= whole else "< 0.1 %"


def letters(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ... for 0, 1, ...: each number has its own."""
    found = ""
    number += 1
    while number:
        number, last = divmod(number - 1, 26)
        found = chr(ord("a") + last) + found
    return found


def escape(text: str) -> str:
    """Return text for use inside an HTML-like label; it is to be made `plain` first."""
    # Doubled, since Graphviz replaces \\N and its like even in such labels.
    entities = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\\", "&#92;&#92;"))
    for char, entity in entities:
        text = text.replace(char, entity)
    return text.replace("  ", " &#160;") if text.strip() else "␣"


_EMS = {
    0.3: "'Iijl",
    0.36: " \u00a0,./:;\\f|",
    0.42: "!()-[]rt",
    0.54: '"*J`sz',
    0.6: "?L_ckvxy",
    0.7: "ABEKPSVXYZ",
    0.78: "&CDGHNRU",
    0.84: "#+<=>OQ^w~",
    1.02: "%@MWm…–—",
}
"""Widths of signs in DejaVu Sans, which is wider than most fonts, where they are not 0.66 or 0.9."""
_WIDTHS = {char: ems for ems, chars in _EMS.items() for char in chars}


def text_width(text: str, size: float = FONT) -> float:
    """Return at least the width of text in any usual sans-serif font."""
    ems = 0.0
    for char in text:
        if char in _WIDTHS:
            ems += _WIDTHS[char]
        elif char < "\u0080":
            ems += 0.66
        elif char < "\u0250":
            ems += 0.8 if char.isupper() else 0.7
        elif unicodedata.east_asian_width(char) in "WF":
            ems += 1.4
        else:
            ems += 0.9
    return ems * size


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
