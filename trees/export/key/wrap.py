"""Text in lines that fit: cut where words may be, and within a word only where no line could hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..wrap import chunks_of, signs_of


def pieces_of(text: str, room: float, width: Callable[[str], float]) -> Iterator[str]:
    """Yield what is never cut, with the space before it; each fits in `room`, or is one sign."""
    for chunk in chunks_of(text):
        piece = chunk.strip(" ")
        lead = " " if chunk.startswith(" ") else ""
        for sign in signs_of(piece) if width(piece) > room else ():
            if lead.strip(" ") and width(lead.strip(" ") + sign) > room:
                yield lead
                lead = ""
            lead += sign
            piece = ""
        yield lead + piece


def fill(widths: Sequence[tuple[float, float]], room: float) -> list[slice]:
    """Return which pieces make each line, by the widths of the spaces before them and their own.

    There are as many on a line as fit in `room`, and there is one line at least.
    """
    lines, start, used = [], 0, 0.0
    for at, (space, wide) in enumerate(widths):
        if at > start and used + space + wide > room:
            lines.append(slice(start, at))
            start = at
        used = used + space + wide if at > start else wide
    return [*lines, slice(start, len(widths))]
