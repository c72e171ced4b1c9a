"""Text in lines that fit: cut between words, and within a word only where no line could hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence


def pieces_of(text: str, room: float, width: Callable[[str], float]) -> Iterator[str]:
    """Yield the words of a text, cut into pieces that `width` says fit in `room`, a letter at least."""
    for word in text.split():
        piece = ""
        for char in word if width(word) > room else ():
            if piece and width(piece + char) > room:
                yield piece
                piece = ""
            piece += char
        yield piece or word


def fill(widths: Sequence[float], room: float, space: float) -> list[slice]:
    """Return which words make each line, by their widths: as many as fit in `room`; one line at least."""
    lines, start, used = [], 0, 0.0
    for at, wide in enumerate(widths):
        if at > start and used + space + wide > room:
            lines.append(slice(start, at))
            start = at
        used = used + space + wide if at > start else wide
    return [*lines, slice(start, len(widths))]
