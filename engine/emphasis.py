"""Emphasis inside labels: ``*Quercus robur* L.`` of Markdown, or as DELTA and RTF write it.

A label is what it is, with its marks, wherever it is compared or stored; only who prints it looks at them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

Runs = tuple[tuple[str, bool], ...]
"""The parts of a label in their order, none empty, and whether each is emphasised."""

MOST_LOOKED_AT = 100_000
"""Of so many labels one is found without its marks of emphasis, too."""
_MARKED = re.compile(
    r"\\i(?:\{\}|[ ])(?P<rtf>.+?)(?:\\i0(?:\{\}|[ ]|(?!\w))|$)"
    r"|(?<![\w*\\])\*(?P<star>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])"
)
"""Marks are at the edge of a word: ``5*3*2`` has none. Underscores are none, as ``_12_`` is a code."""
_RTF = re.compile(r"\\(?:b|b0|i0|plain)\{\}")
"""What else RTF marks, which is not printed."""


@lru_cache(maxsize=65536)
def runs_of(label: str) -> Runs:
    """Return the parts of a label, each with whether it is emphasised; without marks it is one part."""
    if not any(mark in label for mark in "*\\"):
        return ((label, False),) if label else ()
    found, at = [], 0
    for mark in _MARKED.finditer(label):
        found += [(label[at : mark.start()], False), (mark["rtf"] or mark["star"], True)]
        at = mark.end()
    found.append((label[at:], False))
    return tuple((text, marked) for text, marked in ((_RTF.sub("", part), m) for part, m in found) if text)


def bare(label: str) -> str:
    """Return a label without the marks of emphasis."""
    return "".join(text for text, _ in runs_of(label))


def unmarked(labels: Sequence[str], text: str) -> list[int]:
    """Return which labels are a text with marks of emphasis; none of very many labels."""
    some = labels if len(labels) <= MOST_LOOKED_AT else ()
    return [i for i, label in enumerate(some) if label != text and bare(label) == text]
