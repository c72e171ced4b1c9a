"""Numbered keys as Markdown: a table of leads with links, for GitHub, Pandoc and their like."""

from __future__ import annotations

import re

from guesstree.engine.emphasis import Runs
from guesstree.engine.game import Game

from ...tree import Tree
from .couplets import SURE, Couplet, Lead, numbered_key

INDENT = "&emsp;"
DEEPEST = 20
"""Deeper levels of an indented key are not indented further."""
_MARKUP = re.compile(r"[\\`*_\[\]<>|~&$@!#^{}]|:(?=\S)|(?<=www)\.")


def draw(
    game: Game,
    strategy: Tree,
    title: str = "",
    confirmatory: int = 0,
    indented: bool = False,
    *,
    costs: bool = False,
    sure: int = SURE,
) -> bytes:
    """Return a key as Markdown with tables as GitHub has them, in UTF-8."""
    key = numbered_key(game, strategy, title, confirmatory, costs=costs, sure=sure)
    lines = [f"# {escaped(key.title)}", "", escaped(key.explained()), "", "|   |   |   |", "|---|---|--:|"]
    for couplet, lead in key.rows(indented):
        indent = INDENT * min(couplet.depth, DEEPEST) if indented else ""
        says = f"{escaped(lead.says)} {_marked(lead.noted)}".strip()
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
    names = _marked(lead.named)
    if not any(marked for _, marked in lead.named):
        names = f"**{names}**"
    return names + (f" ({lead.share})" if lead.share else "")


def _marked(runs: Runs) -> str:
    return "".join(f"*{escaped(text)}*" if marked else escaped(text) for text, marked in runs)


def _link(number: int) -> str:
    return f"[{number}](#c{number})"


def escaped(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\g<0>", text)
