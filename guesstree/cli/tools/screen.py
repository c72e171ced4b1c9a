"""Text that is as wide as the terminal at most, where no word is broken."""

from __future__ import annotations

import re
import shutil
import sys
import unicodedata
from collections.abc import Sequence

import click

_PEG = r"(?:\x1b\[[0-9;]*m)+[^\x1b]*\x1b\[0m"
_WORD = re.compile(rf"(?:{_PEG}(?: (?=\x1b))?|[^\s\x1b]|(?<=\d) (?=%)|(?<=\(\*) )+")
_PIECE = re.compile(rf"{_PEG} ?|[^\s\x1b]+")
INDENT = 2
LEAST_FIGURES = 2
"""Columns that stand beside a label; where there is no room for so many they go below it."""


def screen_width() -> int | None:
    """Return how many columns standard output has, or None where it is no terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def columns_of(text: str) -> int:
    """Return how many columns a text takes, escape codes not counted."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in click.unstyle(text)
    )


def pad(text: str, width: int) -> str:
    """Return text filled up to a width."""
    return text + " " * (width - columns_of(text))


def wrapped(text: str, width: int | None) -> list[str]:
    """Return the lines of a text; what is wider than `width` is broken between words and indented."""
    lines: list[str] = []
    for line in text.split("\n"):
        if width is None or columns_of(line) <= width:
            lines.append(line)
        else:
            lines += _broken(line, width)
    return lines


def _broken(line: str, width: int) -> list[str]:
    margin = len(line) - len(line.lstrip())
    found, room, end = [line[:margin]], width - margin, margin
    for word in _WORD.finditer(line, margin):
        gap, end = line[end : word.start()], word.end()
        for piece in [word[0]] if columns_of(word[0]) <= room - INDENT else _PIECE.findall(word[0]):
            if found[-1].strip() and columns_of(found[-1] + gap + piece.rstrip(" ")) > width:
                found.append(" " * (margin + INDENT) + piece)
            else:
                found[-1] += gap + piece
            gap = ""
    return found


def echo(text: str) -> None:
    """Print a text, no wider than the terminal."""
    click.echo("\n".join(wrapped(text, screen_width())))


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells, the first of them a heading, as lines; the first column is to the left.

    On a narrow terminal the last columns are left out, or the others stand below the first.
    """
    limit = screen_width()
    widths = [max(map(columns_of, column)) for column in zip(*rows, strict=True)]
    kept = _fitting(widths, limit)
    if kept <= LEAST_FIGURES and kept < len(widths):
        lines = []
        for label, *figures in rows:
            lines += wrapped(f"  {label}", limit)
            lines.append(_row(["", *figures], [0, *widths[1:]], _fitting([0, *widths[1:]], limit)))
        return "\n".join(lines)
    return "\n".join(_row(row, widths, kept) for row in rows)


def _fitting(widths: Sequence[int], limit: int | None) -> int:
    """Return how many columns fit."""
    kept = len(widths)
    while kept > 1 and limit is not None and sum(widths[:kept]) + 2 * kept > limit:
        kept -= 1
    return kept


def _row(cells: Sequence[str], widths: Sequence[int], kept: int) -> str:
    numbers = (cell.rjust(width) for cell, width in zip(cells[1:kept], widths[1:kept], strict=True))
    return "  " + "  ".join((pad(cells[0], widths[0]), *numbers))
