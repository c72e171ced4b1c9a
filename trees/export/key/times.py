"""How wide text is in Times, in which documents of keys are set; of other letters at least about their width.

The widths are those of the font metrics of Adobe's Times-Roman, in thousandths of its size.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..labels import text_width
from ..wrap import fill, pieces_of

BOLD = 1.1
"""How much wider bold text is at most."""
_CLASSES = {
    180: "'",
    200: "|",
    250: " \u00a0.,",
    278: "ijlt/:;\\",
    333: "frI()[]-!`",
    389: "sJ",
    408: '"',
    444: "acez?",
    500: "bdghknopquvxy0123456789$_*#",
    556: "FPS",
    564: "+<=>",
    611: "ELTZ",
    667: "BCR",
    722: "ADGHKNOQUVXYw",
    778: "m&",
    833: "%",
    889: "M",
    944: "W",
}
_WIDTHS = {sign: width / 1000 for width, signs in _CLASSES.items() for sign in signs}


def times_width(text: str, size: float) -> float:
    """Return the width of a text of a size, in points."""
    return sum(_WIDTHS[sign] * size if sign in _WIDTHS else text_width(sign, size) for sign in text)


def last_line(parts: Iterable[tuple[str, float]], room: float) -> float:
    """Return how far the last line of texts of some sizes reaches, if no line is wider than the room."""
    widths = [
        (times_width(" ", size) * piece.startswith(" "), times_width(piece.strip(" "), size))
        for text, size in parts
        for piece in pieces_of(text, room, lambda piece, size=size: times_width(piece, size))  # type: ignore[misc]
    ]
    lines = list(fill(widths, room))
    last = widths[lines[-1]] if lines else []
    return sum(space + width for space, width in last) - (last[0][0] if last else 0.0)
