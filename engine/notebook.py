"""What notebooks show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def html_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return texts as a table; nothing in them is markup."""
    lines = ["".join(f"<th>{escape(cell)}</th>" for cell in heading)]
    lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
