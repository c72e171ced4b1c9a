"""Texts as .tex files: an article with tables that may go on on the next page."""

from __future__ import annotations

from collections.abc import Iterator

from ..formats import paper_size
from ..key.latex import text_of
from .blocks import Grid, Heading, Paper

HEAD = r"""% pdflatex takes Latin letters; use lualatex where labels have others.
\documentclass[10pt,PAPER]{article}
\usepackage{iftex}
\ifPDFTeX\usepackage[T1]{fontenc}\else\usepackage{fontspec}\fi
\usepackage[margin=54bp]{geometry}
\usepackage{array,longtable}
\setlength{\parindent}{0pt}\setlength{\parskip}{.5em}\setlength{\LTpre}{.2em}\setlength{\LTpost}{.2em}
\setlength{\LTleft}{0pt}\setlength{\tabcolsep}{5pt}\renewcommand{\arraystretch}{1.1}\setlength{\emergencystretch}{3em}
\begin{document}\raggedbottom"""
COLUMNS = 105
"""Letters of a table, of the usual width, that stand side by side in the text of a page."""
BETWEEN, ROOM = 2.3, 16
"""Letters between the columns of a table, and those that cells with text have at least."""


def draw(paper: Paper, size: str = "a4") -> bytes:
    """Return a text as a LaTeX document."""
    paper_size(size)  # refuse another
    lines = [HEAD.replace("PAPER", f"{size}paper"), rf"\section*{{{text_of(paper.title)}}}"]
    for block in paper.blocks:
        if isinstance(block, Heading):
            lines.append(rf"\subsection*{{{text_of(block.text)}}}")
        elif isinstance(block, Grid):
            lines += _grid(block)
        else:
            lead = rf"\textbf{{{text_of(block.lead)}}} " if block.lead else ""
            lines += [lead + text_of(block.text), ""]
    return "\n".join([*lines, r"\end{document}", ""]).encode()


def _grid(grid: Grid) -> Iterator[str]:
    longest = [max(map(len, column)) for column in zip(grid.head, *grid.rows, strict=True)]
    widths = grid.shared(longest, COLUMNS - BETWEEN * (len(longest) - 1), ROOM)
    kinds = [
        rf">{{\raggedright\arraybackslash}}p{{{width / COLUMNS:.3f}\textwidth}}"
        if width < needed
        else "r"
        if right
        else "l"
        for width, needed, right in zip(widths, longest, grid.to_the_right, strict=True)
    ]
    yield rf"{{\small\begin{{longtable}}{{@{{}}{''.join(kinds)}@{{}}}}"
    yield " & ".join(rf"\textit{{{text_of(cell)}}}" for cell in grid.head) + r" \\ \hline \endhead"
    for row in grid.rows:
        yield " & ".join(map(text_of, row)) + r" \\"
    yield r"\end{longtable}}"
    yield ""
