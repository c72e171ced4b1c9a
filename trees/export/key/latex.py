"""Numbered keys as .tex files: an article with environments of its own."""

from __future__ import annotations

from collections.abc import Iterator

from guesstree.engine.emphasis import Runs
from guesstree.engine.game import Game

from ...tree import Tree
from ..formats import paper_size
from ..tikz import tex_text
from .couplets import SURE, Couplet, Lead, numbered_key

HEAD = r"""% pdflatex takes Latin letters; use lualatex where labels have others.
\documentclass[10pt,PAPER]{article}
\usepackage{iftex}
\ifPDFTeX\usepackage[T1]{fontenc}\else\usepackage{fontspec}\fi
\usepackage[margin=54bp]{geometry}
\usepackage[hidelinks]{hyperref}"""
MACROS = r"""% In another document, this part and what stands between the lines of the document are needed.
\newlength{\keylabel}\settowidth{\keylabel}{LABEL\quad}
\newlength{\keystep}\setlength{\keystep}{1.2em}
\newsavebox{\keyend}
% The number of a couplet, and all its leads.
\newenvironment{couplet}[1]{\par\addvspace{.8em}\hypertarget{couplet.#1}{}\interlinepenalty=9999\relax}{\par}
% How deep a lead stands, its label, what it says, and where it leads, at the right.
\newcommand{\lead}[4]{\par\begingroup
  \setlength{\leftskip}{\dimexpr#1\keystep+\keylabel\relax}\setlength{\parindent}{-\keylabel}%
  \setlength{\rightskip}{3em plus 1em}\setlength{\parfillskip}{-3em plus -1em}\emergencystretch=3em
  \indent\makebox[\keylabel][l]{#2}\ignorespaces#3\unskip
  \sbox{\keyend}{#4}%
  \ifdim\wd\keyend=0pt\relax\hfill\null
  \else\nobreak\hfil\penalty50\hskip.5em\null\nobreak\dotfill\hskip.5em
    \ifdim\wd\keyend>.6\linewidth\parbox[t]{.6\linewidth}{\raggedleft#4}\else\usebox{\keyend}\fi
  \fi\par\endgroup}
\newcommand{\tocouplet}[1]{\hyperlink{couplet.#1}{#1}}
% A name without marks; one with marks, whose author is set as it is; what confirms, and what is left.
\newcommand{\kind}[1]{\textbf{#1}}
\newcommand{\taxon}[1]{\textbf{\textit{#1}}}
\newcommand{\remark}[1]{{\small #1}}"""
# What keys have and pdflatex has not by itself.
_SIGNS = {
    "\u2264": r"\ensuremath{\leq}",
    "\u2265": r"\ensuremath{\geq}",
    "\u2212": r"\ensuremath{-}",
    "\u00d7": r"\ensuremath{\times}",
    "\u00b1": r"\ensuremath{\pm}",
    "\u00b5": r"\ensuremath{\mu}",
    "\u03bc": r"\ensuremath{\mu}",
}


def draw(
    game: Game,
    strategy: Tree,
    title: str = "",
    confirmatory: int = 0,
    indented: bool = False,
    paper: str = "a4",
    *,
    costs: bool = False,
    sure: int = SURE,
) -> bytes:
    """Return a key as a LaTeX document."""
    key = numbered_key(game, strategy, title, confirmatory, costs=costs, sure=sure)
    paper_size(paper)  # refuse another
    rows = list(key.rows(indented))
    widest = max((_label(*row, indented, link=False) for row in rows), key=len)
    lines = [
        HEAD.replace("PAPER", f"{paper}paper"),
        MACROS.replace("LABEL", widest),
        r"\begin{document}",
        r"\raggedbottom\setlength{\parindent}{0pt}",
        rf"\section*{{{text_of(key.title)}}}",
        rf"\remark{{{text_of(key.explained())}}}",
    ]
    if indented:
        lines += [r"\par\addvspace{.8em}", *(_lead(couplet, lead, indented) for couplet, lead in rows)]
    else:
        for couplet in key.couplets:
            lines += _couplet(couplet)
    return "\n".join([*lines, r"\end{document}", ""]).encode()


def _couplet(couplet: Couplet) -> Iterator[str]:
    yield rf"\begin{{couplet}}{{{couplet.number}}}"
    for lead in couplet.leads:
        apart = r"\par\nopagebreak" if lead is not couplet.leads[0] else ""
        yield apart + _lead(couplet, lead, indented=False)
    yield r"\end{couplet}"


def _lead(couplet: Couplet, lead: Lead, indented: bool) -> str:
    noted = rf" \remark{{{_runs(lead.noted, 'textit')}}}" if lead.noted else ""
    depth = couplet.depth if indented else 0
    says = f"{text_of(lead.says)}{noted}"
    return rf"\lead{{{depth}}}{{{_label(couplet, lead, indented)}}}{{{says}}}{{{_goes(lead, indented)}}}"


def _label(couplet: Couplet, lead: Lead, indented: bool, *, link: bool = True) -> str:
    if indented or not couplet.came or lead is not couplet.leads[0]:
        return lead.label
    above = rf"\tocouplet{{{couplet.came}}}" if link else str(couplet.came)
    return f"{lead.label} ({above})"


def _goes(lead: Lead, indented: bool) -> str:
    if lead.goes:
        return "" if indented else rf"\tocouplet{{{lead.goes}}}"
    marked = any(emphasised for _, emphasised in lead.named)
    names = _runs(lead.named, "taxon") if marked else rf"\kind{{{_runs(lead.named, 'taxon')}}}"
    return names + (f" ({text_of(lead.share)})" if lead.share else "")


def _runs(runs: Runs, command: str) -> str:
    return "".join(rf"\{command}{{{text_of(text)}}}" if marked else text_of(text) for text, marked in runs)


def text_of(text: str) -> str:
    """Return text as LaTeX shows it, with signs that it has only in formulas."""
    shown = tex_text(text)
    for sign, command in _SIGNS.items():
        shown = shown.replace(sign, command)
    return shown
