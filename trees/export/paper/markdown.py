"""Texts as Markdown, with tables as GitHub has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..key.markdown import escaped
from .blocks import Grid, Heading, Paper


def draw(paper: Paper) -> bytes:
    """Return a text as Markdown in UTF-8."""
    return "".join(f"{line}\n" for line in _lines(paper)).encode()


def _lines(paper: Paper) -> Iterator[str]:
    yield f"# {escaped(paper.title)}"
    for block in paper.blocks:
        yield ""
        if isinstance(block, Heading):
            yield f"## {escaped(block.text)}"
        elif isinstance(block, Grid):
            yield _row(block.head)
            yield _row(["--:" if right else "---" for right in block.to_the_right], plain=True)
            yield from map(_row, block.rows)
        else:
            lead = f"**{escaped(block.lead)}** " if block.lead else ""
            yield lead + escaped(block.text)


def _row(cells: Sequence[str], *, plain: bool = False) -> str:
    return f"| {' | '.join(cells if plain else map(escaped, cells))} |"
