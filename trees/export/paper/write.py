"""A text as a file whose ending says how."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module

from ..output import check_ending, write_whole
from .blocks import Paper

ENDINGS: Mapping[str, str] = {
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".pdf": "pdf",
    ".html": "page",
}
"""The endings of files, with what writes them."""


def check_paper(path: str | os.PathLike[str]) -> str:
    """Return the ending of a file for a text; raise TreeError for another."""
    return check_ending(path, ENDINGS)


def write_paper(paper: Paper, path: str | os.PathLike[str]) -> None:
    """Write a text to a file, which appears whole or not at all; raise TreeError where it cannot be."""
    draw: Callable[[Paper], bytes] = import_module(f".{ENDINGS[check_paper(path)]}", __package__).draw
    write_whole(path, draw(paper))
