"""Guesses, secrets and responses as HTML-like labels: text on as many lines as it takes, pegs, and tiles."""

from __future__ import annotations

from guesstree.engine.look import Look

from .colours import MARKS, WHITE, colour_of, ink, luminance
from .labels import FONT, LINE, escape, line, plain, text_width
from .wrap import BOLD, wide_enough, wrap

PEG = 14
"""Side of a peg."""
MARK = 9
"""Width of the tile of a mark."""
GUESS, ANSWER = 190.0, 130.0
"""Room for the lines of a guess and of a response; more where they are long."""


def guess_cells(look: Look, label: str) -> tuple[str, float, float]:
    """Return a guess or secret as an HTML-like table of pegs, tiles or text, with its width and height."""
    if look.codes == "text" or not label:
        lines = wrap(label, wide_enough(label, GUESS, FONT), FONT, bold=True)
        width = round(max(map(text_width, lines)) * BOLD) + 6
        height = PEG + 2 + LINE * (len(lines) - 1)
        return line(lines_html(lines, "<B>{}</B>"), width, height), width, height
    cells = "".join(_peg(look, symbol) if look.codes == "pegs" else _tile(symbol) for symbol in label)
    width = len(label) * (PEG + 2) + 2
    return (
        (
            f'<TABLE BORDER="0" CELLSPACING="2" CELLPADDING="0" FIXEDSIZE="TRUE" WIDTH="{width}" '
            f'HEIGHT="{PEG + 4}"><TR>{cells}</TR></TABLE>'
        ),
        width,
        PEG + 4,
    )


def lines_html(lines: tuple[str, ...], form: str = "{}") -> str:
    """Return lines of text as HTML, each in a form such as ``<B>{}</B>``."""
    return "<BR/>".join(form.format(escape(text)) for text in lines)


def _peg(look: Look, symbol: str) -> str:
    colour = colour_of(look, symbol)
    # White needs an edge to be seen.
    edge = 'BORDER="1" COLOR="#777777"' if luminance(colour) > 0.9 else 'BORDER="0"'
    return (
        f'<TD {edge} STYLE="ROUNDED" WIDTH="{PEG}" HEIGHT="{PEG}" FIXEDSIZE="TRUE" BGCOLOR="{colour}">'
        f'<FONT COLOR="{ink(colour)}">{escape(plain(symbol))}</FONT></TD>'
    )


def _tile(symbol: str) -> str:
    return (
        f'<TD BORDER="1" COLOR="#777777" WIDTH="{PEG}" HEIGHT="{PEG}" FIXEDSIZE="TRUE" BGCOLOR="{WHITE}">'
        f"{escape(plain(symbol))}</TD>"
    )


def answer_cells(look: Look, responses: tuple[str, ...], room: float = ANSWER) -> tuple[str, float, float]:
    """Return responses as HTML, its width and height: the marks of one as narrow tiles, or lines of text."""
    if len(responses) > 1 or look.answers != "marks" or not set(responses[0]) <= set(MARKS):
        text = " or ".join(map(look.write, responses))
        lines = wrap(text, wide_enough(text, room, FONT), FONT)
        return lines_html(lines), max(map(text_width, lines)), LINE * len(lines)
    cells = "".join(
        f'<TD WIDTH="{MARK}" HEIGHT="{LINE - 2}" FIXEDSIZE="TRUE" BGCOLOR="{MARKS[mark]}">'
        f'<FONT COLOR="{ink(MARKS[mark])}" POINT-SIZE="7">{escape(mark)}</FONT></TD>'
        for mark in responses[0]
    )
    return (
        f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="1" CELLPADDING="0"><TR>{cells}</TR></TABLE>',
        len(responses[0]) * (MARK + 1) + 1,
        LINE,
    )
