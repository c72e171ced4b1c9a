"""Texts as web pages that stand alone and print well."""

from __future__ import annotations

import html
from collections.abc import Iterator

from ..page.page import policy
from .blocks import Grid, Heading, Paper

STYLE = """
* { box-sizing: border-box; }
:root { color-scheme: light dark; --line: light-dark(#9aa0a8, #6b727d);
  --mute: light-dark(#5d636c, #9aa2ae); }
body { margin: 2em auto; padding: 0 1.5em; max-width: 46em; background: light-dark(#ffffff, #121419);
  color: light-dark(#1c2026, #e6e8ec);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
h1 { font-size: 1.5em; line-height: 1.25; margin: 0 0 .6em; overflow-wrap: anywhere; }
h2 { font-size: 1.15em; margin: 1.5em 0 .4em; break-after: avoid; }
p { margin: .5em 0; overflow-wrap: anywhere; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: .6em 0 1em; font-variant-numeric: tabular-nums; font-size: .94em; }
th { text-align: left; font-weight: normal; font-style: italic; color: var(--mute); vertical-align: bottom;
  border-bottom: 1px solid var(--line); }
th, td { padding: .12em 1.2em .12em 0; }
td { vertical-align: top; white-space: nowrap; }
td.text { white-space: normal; overflow-wrap: anywhere; min-width: 9em; }
.number { text-align: right; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
@media print {
  :root { color-scheme: light; }
  body { margin: 0; padding: 0; max-width: none; font-size: 10pt; }
}
"""


def draw(paper: Paper) -> bytes:
    """Return a text as HTML; the same text gives the same page."""
    name = html.escape(paper.title)
    page = "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" content="%%POLICY%%">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>",
            *_blocks(paper),
            "</body>\n</html>\n",
        ]
    )
    return page.replace("%%POLICY%%", policy(page), 1).encode()


def _blocks(paper: Paper) -> Iterator[str]:
    for block in paper.blocks:
        if isinstance(block, Heading):
            yield f"<h2>{html.escape(block.text)}</h2>"
        elif isinstance(block, Grid):
            yield from _grid(block)
        else:
            lead = f"<b>{html.escape(block.lead)}</b> " if block.lead else ""
            yield f"<p>{lead}{html.escape(block.text)}</p>"


def _grid(grid: Grid) -> Iterator[str]:
    kinds = [
        ' class="number"' if right else ' class="text"' if at in grid.wide else ""
        for at, right in enumerate(grid.to_the_right)
    ]
    yield '<div class="table"><table><thead>'
    for number, row in enumerate((grid.head, *grid.rows)):
        tag = "td" if number else "th"
        cells = "".join(
            f"<{tag}{kind}>{html.escape(cell)}</{tag}>" for kind, cell in zip(kinds, row, strict=True)
        )
        yield f"<tr>{cells}</tr>" + ("" if number else "</thead><tbody>")
    yield "</tbody></table></div>"
