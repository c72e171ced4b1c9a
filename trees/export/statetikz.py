"""State graphs as .tex files: a LaTeX document of one TikZ picture, where Graphviz has placed everything."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from guesstree.engine.notation import Look

from .colours import darker
from .tikz import HEAD, key_boxes, require_room, tex_text

STYLE = r"""\begin{tikzpicture}[x=1pt,y=1pt,
  state/.style={draw=black!50,fill=black!3,rounded corners=3pt,inner sep=4pt,font=\small},
  said/.style={align=center,inner sep=1pt,font=\scriptsize}]"""


@dataclass(frozen=True)
class Line:
    """A line of the picture: what several arcs between the same states share.

    Attributes
    ----------
    source, target: the numbers of the states.
    texts: the guess and the response of each arc.
    colour: that of the guess, or that of lines for several.
    dash: how it is drawn, ``solid`` for several guesses.
    """

    source: int
    target: int
    texts: tuple[str, ...]
    wins: bool
    played: bool
    colour: str
    dash: str


def states_as_tikz(
    look: Look, above: str, labels: Sequence[str], lines: Sequence[Line], layout: bytes
) -> bytes:
    """Return a state graph as a LaTeX document.

    `labels`: of the states; `layout`: the picture in the form ``json0`` of Graphviz, in which states are
    called s0, s1, ... and lines have the ids a0, a1, ... Raises TreeError for a picture too large for TeX.
    """
    data = json.loads(layout)
    require_room(*map(float, data["bb"].split(",")), less="use .svg or .pdf, or a smaller game")
    named = {name: f"line{chr(97 + i)}" for i, name in enumerate(dict.fromkeys(one.colour for one in lines))}
    colours = (
        rf"\definecolor{{{name}{end}}}{{HTML}}{{{shade[1:]}}}%"
        for colour, name in named.items()
        for end, shade in (("", colour), ("text", darker(colour)))
    )
    top = max((float(one["pos"].split(",")[1]) for one in data["objects"]), default=0) + 30
    head = rf"\node[anchor=south west,inner sep=0pt,font=\bfseries] at (0,{top:g}) {{{tex_text(above)}}};"
    body = [*_states(data, labels), *_lines(data, lines, named)]
    start = [HEAD, r"\begin{document}%", *key_boxes(look), *colours, STYLE, head]
    return "\n".join([*start, *body, r"\end{tikzpicture}", r"\end{document}", ""]).encode()


def _states(data: dict[str, Any], labels: Sequence[str]) -> Iterator[str]:
    for one in data["objects"]:
        yield rf"\node[state] at ({one['pos']}) {{{tex_text(labels[int(one['name'][1:])])}}};"


def _lines(data: dict[str, Any], lines: Sequence[Line], named: dict[str, str]) -> Iterator[str]:
    """Yield each line as the curve of its control points, and its texts beside it."""
    for one in data["edges"]:
        line = lines[int(one["id"][1:])]
        ends = [part for part in one["pos"].split() if part.startswith("e,")]
        first, *rest = [part for part in one["pos"].split() if part[0] not in "es"]
        curve = "".join(
            f" .. controls ({a}) and ({b}) .. ({c})"
            for a, b, c in zip(rest[::3], rest[1::3], rest[2::3], strict=True)
        )
        tip = "".join(f" -- ({end[2:]})" for end in ends)
        name, width = named[line.colour], "2.4pt" if line.played else "0.8pt"
        arrow = "->>" if line.wins else "->"
        yield rf"\draw[{arrow},{name},{line.dash},line width={width}] ({first}){curve}{tip};"
        texts = r"\\".join(map(tex_text, line.texts))
        yield rf"\node[said,text={name}text] at ({one['lp']}) {{{texts}}};"
