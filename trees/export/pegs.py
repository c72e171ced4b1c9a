"""How guesses, secrets and responses look in a drawing: pegs, boxes or text, as HTML-like labels.

Every length is in points. Widths are estimated from above, since the fonts are chosen only where the
drawing is made: a cell may get a little more room than its text needs, never less.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

FONT = 9.0
"""Size of all text but the title."""
PEG = 14
"""Side of a peg."""
LINE = 12
"""Height of a line of text: fonts of this size take up to 11.3."""

# Okabe and Ito's colours, which colour-blind readers tell apart; yellow and black last as they glare.
_BASE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442", "#000000")


def _mix(colour: str, other: str, share: float) -> str:
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


PALETTE = (
    *_BASE,
    *(_mix(colour, "#FFFFFF", 0.55) for colour in _BASE),
    *(_mix(colour, "#000000", 0.45) for colour in _BASE[:-1]),
    *(_mix(colour, "#FFFFFF", 0.8) for colour in _BASE),
    "#5C3A21",
    "#4B0082",
    "#FFFFFF",
    "#3D3D3D",
)
"""Colours of the symbols 1-9 then A-Z; the symbol inside a peg tells apart those that are close."""


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#RRGGBB`` (WCAG 2), 0 for black to 1 for white."""
    parts = [c / 255 for c in _channels(colour)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    # The contrast with black, (L + 0.05) / 0.05, equals that with white, 1.05 / (L + 0.05), at L = 0.179.
    return "#000000" if luminance(colour) > 0.179 else "#FFFFFF"


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


def key_pegs(response: str) -> str:
    """Return ``black,white`` as black and white pegs."""
    black, white = (int(number) for number in response.split(","))
    return "●" * black + "○" * white or "–"


@dataclass(frozen=True)
class Look:
    """How the labels of one game are drawn.

    Attributes
    ----------
    family: the part of the game's spec before the colon.
    """

    family: str

    def response(self, label: str) -> str:
        """Return a response as one line of text."""
        if self.family == "mastermind":
            return key_pegs(label)
        return label if self.family in ("blackpeg", "bulls") else plain(label, 24)

    def guess(self, label: str) -> tuple[str, float, float]:
        """Return a guess as an HTML-like table, with its width and height."""
        if self.family in ("mastermind", "blackpeg"):
            cells = "".join(_peg(symbol) for symbol in label)
        elif self.family == "bulls":
            cells = "".join(_digit(symbol) for symbol in label)
        else:
            text = plain(label, 40)
            width = round(text_width(text) * 1.1) + 6  # bold is wider
            return line(f"<B>{escape(text)}</B>", width, PEG + 2), width, PEG + 2
        width = len(label) * (PEG + 2) + 2
        return (
            (
                f'<TABLE BORDER="0" CELLSPACING="2" CELLPADDING="0" FIXEDSIZE="TRUE" WIDTH="{width}" '
                f'HEIGHT="{PEG + 4}"><TR>{cells}</TR></TABLE>'
            ),
            width,
            PEG + 4,
        )


def _peg(symbol: str) -> str:
    colour = PALETTE["123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(symbol)]
    # White needs an edge to be seen.
    edge = 'BORDER="1" COLOR="#777777"' if luminance(colour) > 0.9 else 'BORDER="0"'
    return (
        f'<TD {edge} STYLE="ROUNDED" WIDTH="{PEG}" HEIGHT="{PEG}" FIXEDSIZE="TRUE" BGCOLOR="{colour}">'
        f'<FONT COLOR="{ink(colour)}">{symbol}</FONT></TD>'
    )


def _digit(symbol: str) -> str:
    return (
        f'<TD BORDER="1" COLOR="#777777" WIDTH="{PEG}" HEIGHT="{PEG}" FIXEDSIZE="TRUE" BGCOLOR="#FFFFFF">'
        f"{symbol}</TD>"
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
