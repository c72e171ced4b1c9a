"""Numbered keys as Markdown: a table of leads with links, for GitHub, Pandoc and their like."""

from __future__ import annotations

import re

from guesstree.engine.game import Game

from ...language import say
from ...tree import Tree
from .couplets import Couplet, Lead, numbered_key

INDENT = "&emsp;"
DEEPEST = 20
"""Deeper levels of an indented key are not indented further."""
_MARKUP = re.compile(r"[\\`*_\[\]<>|~&$@!#^{}]|:(?=\S)|(?<=www)\.")


def draw(game: Game, strategy: Tree, title: str = "", confirmatory: int = 0, indented: bool = False) -> bytes:
    """Return a key as Markdown with tables as GitHub has them, in UTF-8."""
    key = numbered_key(game, strategy, title, confirmatory)
    lines = [f"# {_escape(key.title)}", "", _escape(key.explained()), "", "|   |   |   |", "|---|---|--:|"]
    for couplet, lead in key.rows(indented):
        indent = INDENT * min(couplet.depth, DEEPEST) if indented else ""
        says = _escape(f"{lead.says} {lead.remarks}").strip()
        lines.append(f"| {indent}{_label(couplet, lead, indented)} | {says} | {_goes(lead, indented)} |")
    return ("\n".join(lines) + "\n").encode()


def _label(couplet: Couplet, lead: Lead, indented: bool) -> str:
    """Return the label of a lead; the first of a couplet is where links to the couplet go."""
    if lead is not couplet.leads[0]:
        return lead.label
    anchor = f'<a id="c{couplet.number}"></a>{lead.label}'
    return f"{anchor} ({_link(couplet.came)})" if couplet.came and not indented else anchor


def _goes(lead: Lead, indented: bool) -> str:
    if lead.goes:
        return "" if indented else f"→ {_link(lead.goes)}"
    return f"**{_escape(say(' or ').join(lead.names))}**" + (f" ({lead.share})" if lead.share else "")


def _link(number: int) -> str:
    return f"[{number}](#c{number})"


def _escape(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\g<0>", text)
