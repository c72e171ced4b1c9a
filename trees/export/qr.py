"""QR codes (ISO/IEC 18004) of addresses, as rows of modules to be drawn on a sheet."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import graphviz

from guesstree.engine.errors import shown

from ..tree import TreeError

MOST_LETTERS = 300
"""Of an address: the code of a longer one takes more room than a sheet should give."""
MODULE = 1.8
"""Width of a module in points: 0.6 mm, which phones read at arm's length."""
QUIET = 4
"""Modules that are left free around a code, as the standard asks."""


@dataclass(frozen=True)
class Code:
    """A QR code: its rows from above, each with True where a module is dark, without the margin.

    Attributes
    ----------
    text: what it says.
    rows: the modules.
    """

    text: str
    rows: tuple[tuple[bool, ...], ...]

    @property
    def width(self) -> float:
        """Its width in points, which is its height, with its margin."""
        return (len(self.rows) + 2 * QUIET) * MODULE

    @property
    def height(self) -> float:
        """Its height in points, with its margin."""
        return self.width

    def bars(self) -> Iterator[tuple[float, float, float, float]]:
        """Yield rectangles that cover the dark modules: left, top, width, height in points."""
        for down, row in enumerate(self.rows):
            start = 0
            while start < len(row):
                end = start
                while end < len(row) and row[end]:
                    end += 1
                if end > start:
                    yield (QUIET + start) * MODULE, (QUIET + down) * MODULE, (end - start) * MODULE, MODULE
                start = end + 1


def require_qr() -> None:
    """Raise TreeError where nothing writes codes."""
    if importlib.util.find_spec("segno") is None:
        raise TreeError("qr: nothing to write it with: pip install 'guesstree[office]'")


def code_of(address: str) -> Code:
    """Return the code of an address on the web, with error correction of 15 % at least.

    Raises TreeError for a text that is none, or too long, and where nothing writes codes.
    """
    if not isinstance(address, str) or not _is_address(address):
        what = shown(address)
        raise TreeError(f"qr {what}: expected an address such as https://example.org/guide.html")
    if len(address) > MOST_LETTERS:
        raise TreeError(f"qr: an address of {len(address)} letters; expected at most {MOST_LETTERS}")
    require_qr()
    made = importlib.import_module("segno").make_qr(address, error="m")
    return Code(address, tuple(tuple(map(bool, row)) for row in made.matrix))


def put_code(source: graphviz.Digraph, name: str, code: Code, left: float, top: float) -> None:
    """Draw a code on a sheet where its upper left corner goes, in points from its left and lower edge."""
    look = {"label": "", "shape": "box", "style": "filled", "fillcolor": "black", "penwidth": "0"}
    for number, (right, down, width, height) in enumerate(code.bars()):
        place = f"{left + right + width / 2:.2f},{top - down - height / 2:.2f}"
        # A hair wider, so that no light shows between rows.
        size = {"width": f"{(width + 0.04) / 72:.5f}", "height": f"{(height + 0.04) / 72:.5f}"}
        source.node(f"{name}{number}", pos=place, fixedsize="true", **look, **size)


def _is_address(text: str) -> bool:
    if not text.isascii() or any(not sign.isprintable() or sign.isspace() for sign in text):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
