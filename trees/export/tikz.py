"""Strategies as .tex files: a LaTeX document of one TikZ picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from string import ascii_letters

from guesstree.engine.game import Game
from guesstree.engine.notation import Look

from ..tree import Tree, TreeError
from .boxes import Drawing, fold, texts
from .cells import tile_marks
from .colours import FRAMES, PAPER, WHITE, colour_of, ink
from .labels import plain, text_width
from .title import headlines
from .wrap import BOLD

ROW, GAP, SIGN = 17.0, 14.0, 11.0
"""Points from one end to the next, beside a label, and of a peg or tile."""
MOST_SIDE = 16_000
"""Points of a side: TeX knows no length above 16,383.99."""
LONGEST = 200
"""Characters of a label."""

HEAD = r"""% pdflatex takes Latin letters; use lualatex where labels have others.
\documentclass[border=6pt]{standalone}
\usepackage{tikz}
\usepackage{iftex}
\ifPDFTeX\usepackage[T1]{fontenc}\else\usepackage{fontspec}\fi
\renewcommand{\familydefault}{\sfdefault}"""
STYLE = r"""\begin{tikzpicture}[x=1pt,y=1pt,
  question/.style={draw=black!50,rounded corners=3pt,anchor=west,inner sep=3pt,font=\small\bfseries},
  named/.style={draw=none,fill=yellow!35,anchor=west,inner sep=3pt,font=\small},
  answer/.style={anchor=east,inner sep=2pt,font=\small},
  way/.style={draw=black!50,rounded corners=2pt}]"""

_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "*": "{*}",
    "\u00a0": "~",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "…": r"\dots{}",
    "·": r"\textperiodcentered{}",
    "≈": r"\ensuremath{\approx}",
    "→": r"\ensuremath{\rightarrow}",
    "↵": r"\ensuremath{\hookleftarrow}",
    "●": r"\usebox{\blackkey}",
    "○": r"\usebox{\whitekey}",
}


def tex_text(text: str) -> str:
    """Return text as LaTeX shows it: no character means anything, and none joins with the next."""
    shown = [_TEX.get(char, char) for char in text]
    # Two hyphens would be a dash, two commas or apostrophes a quotation mark; spaces would be one.
    for at, (char, after) in enumerate(pairwise(text)):
        if char == after and char in "-,'":
            shown[at] += "{}"
        elif char == after == " ":
            shown[at] = r"\ "
    return "".join(shown)


def draw(
    game: Game, strategy: Tree, depth: int | None = None, title: str = "", *, parameters: bool = True
) -> bytes:
    """Return the tree as a LaTeX document, or the steps less than `depth` guesses below the first.

    Raises TreeError for a tree that is larger than TeX can draw, for a depth below 1, and a title too long.
    """
    drawing = fold(game, strategy, depth)
    first, *rest = map(tex_text, headlines(game, strategy, title, parameters=parameters))
    above = r"\\".join([rf"\textbf{{{first}}}", *rest])
    head = rf"\node[anchor=south west,align=left,inner sep=0pt,font=\small] at (0,{ROW:g}) {{{above}}};"
    lines = [HEAD, r"\begin{document}%", *_signs(drawing), STYLE, head, *_steps(drawing)]
    return "\n".join([*lines, r"\end{tikzpicture}", r"\end{document}", ""]).encode()


def _signs(drawing: Drawing) -> Iterator[str]:
    """Yield what makes the pegs that are drawn, each once in a box, as pictures in pictures are not safe."""
    yield from key_boxes(drawing.look)
    if drawing.look.codes == "pegs":
        labels = [*drawing.game.secrets, *(drawing.name(step) for step in drawing.step)]
        for symbol in sorted(set().union(*labels)):
            colour, name = colour_of(drawing.look, symbol), _peg(drawing.look, symbol)
            yield rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:]}}}%"
            text = rf"\tiny\bfseries {tex_text(symbol)}"
            inked = "white" if ink(colour) == WHITE else "black"
            yield rf"\newsavebox{{\{name}}}\sbox{{\{name}}}{{{_DISC % ('10', name, inked, text)}}}%"


def key_boxes(look: Look) -> Iterator[str]:
    """Yield what makes the key pegs ``●`` and ``○`` of `tex_text`, where responses have them."""
    for name, fill in (("blackkey", "black"), ("whitekey", "white")) if look.answers == "keys" else ():
        yield rf"\newsavebox{{\{name}}}\sbox{{\{name}}}{{{_DISC % ('6', fill, fill, '')}}}%"


_DISC = (
    r"\tikz[baseline=-3pt]\node[circle,inner sep=0pt,draw=black!60,minimum size=%spt,fill=%s,text=%s]{%s};"
)


def _peg(look: Look, symbol: str) -> str:
    """Return the name of a peg, of letters alone as TeX wants it."""
    return f"peg{ascii_letters[look.symbols.find(symbol)]}"


def _steps(drawing: Drawing) -> Iterator[str]:
    """Yield the boxes of the steps that are drawn, and the ways between them.

    Ends stand below each other in rows, a question beside the middle of what follows it, and each level where
    the longest label of the one before leaves room.
    """
    shown = sorted({*drawing.step, *(step for rows in drawing.rows for step in rows)})
    steps, known = drawing.outline.steps, set(shown)
    below = {at: [b.step for b in steps[at].branches if b.step in known] for at in shown}
    level = {shown[0]: 0}
    for at in shown:
        level.update(dict.fromkeys(below[at], level[at] + 1))
    wide, answers = [0.0] * (max(level.values()) + 1), [0.0] * (max(level.values()) + 1)
    for at in shown:
        wide[level[at]] = max(wide[level[at]], _width(drawing, at))
        answers[level[at]] = max(answers[level[at]], _answer_width(drawing, at))
    starts = [0.0]
    for room, answer in zip(wide, answers[1:], strict=False):
        starts.append(starts[-1] + room + 2 * GAP + answer)
    places = _rows(shown[0], below)
    require_room(starts[-1] + wide[-1], ROW * max(places.values()), less="draw less with --depth N")
    for at in shown:
        place = f"({starts[level[at]]:.1f},{-ROW * places[at]:.1f})"
        kind = "named" if steps[at].names else "question"
        yield rf"\node[{kind}] (n{at}) at {place} {{{_label(drawing, at)}}};"
        if steps[at].parent in known:
            x, y = starts[level[at]] - 4, -ROW * places[at]
            trunk = x - answers[level[at]] - GAP / 2
            yield rf"\node[answer] (a{at}) at ({x:.1f},{y:.1f}) {{{_answer(drawing, at)}}};"
            yield rf"\draw[way] (n{steps[at].parent}.east) -| ({trunk:.1f},{y:.1f}) -- (a{at}.west);"


def _rows(root: int, below: Mapping[int, Sequence[int]]) -> dict[int, float]:
    """Return how many rows down each step stands."""
    found, waiting, rows = dict[int, float](), [(root, False)], 0
    while waiting:
        at, placed = waiting.pop()
        if placed:
            found[at] = (found[below[at][0]] + found[below[at][-1]]) / 2
        elif below[at]:
            waiting += [(at, True), *((child, False) for child in reversed(below[at]))]
        else:
            found[at], rows = float(rows), rows + 1
    return found


def require_room(*sides: float, less: str) -> None:
    """Raise TreeError where a side of a picture, in points, is too long for TeX."""
    if max(sides) > MOST_SIDE:
        raise TreeError(
            f"the picture would be {max(sides):.0f} points long; expected at most {MOST_SIDE}, as TeX can "
            f"draw; {less}"
        )


def _notes(drawing: Drawing, step: int) -> str:
    """Return what stands beside the label of a step: shares, prices, how many more guesses there may be."""
    box, names = drawing.box_of.get(step), drawing.outline.steps[step].names
    notes = [drawing.share(step)] if box is None or names else texts(drawing, box)
    return ", ".join(
        filter(None, (*notes, *(drawing.likely(step) if names and drawing.game.decisions else ())))
    )


def _label(drawing: Drawing, step: int) -> str:
    """Return the question or the name of a step as TeX, pegs as pegs."""
    name, notes = plain(drawing.name(step), LONGEST), _notes(drawing, step)
    shown = tex_text(name)
    if drawing.look.codes == "pegs" and set(name) <= set(drawing.look.symbols):
        shown = r"\,".join(rf"\usebox{{\{_peg(drawing.look, symbol)}}}" for symbol in name)
    return rf"{shown}\enspace\footnotesize\mdseries {tex_text(notes)}" if notes else shown


def _width(drawing: Drawing, step: int) -> float:
    """Return how wide a box is, in points."""
    name, notes = plain(drawing.name(step), LONGEST), _notes(drawing, step)
    pegs = drawing.look.codes == "pegs" and set(name) <= set(drawing.look.symbols)
    wide = len(name) * (SIGN + 2) if pegs else text_width(name) * BOLD
    return 8 + wide + (6 + text_width(notes) if notes else 0)


def _answer(drawing: Drawing, step: int) -> str:
    """Return the responses that lead to a step as TeX; marks as tiles of the letters of the guess."""
    asked = drawing.asked(step)
    if marks := tile_marks(drawing.look, drawing.outline.answers[step], asked):
        tiles = (
            rf"\fcolorbox[HTML]{{{frame[1:]}}}{{{PAPER[mark][1:]}}}{{{tex_text(letter)}}}"
            for letter, mark in zip(asked, marks, strict=True)
            for frame in [FRAMES.get(mark, PAPER[mark])]
        )
        return r"\fboxsep=1.5pt\ttfamily " + r"\,".join(tiles)
    return tex_text(drawing.answer(step, LONGEST))


def _answer_width(drawing: Drawing, step: int) -> float:
    if not drawing.outline.answers[step]:
        return 0.0
    marks = tile_marks(drawing.look, drawing.outline.answers[step], drawing.asked(step))
    return len(marks) * SIGN if marks else 6 + text_width(drawing.answer(step, LONGEST))
