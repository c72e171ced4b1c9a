"""Guesses, secrets and responses as HTML-like labels: text on as many lines as it takes, pegs, and tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from guesstree.engine.notation import ABSENT, ELSEWHERE, PLACE, Look

from ..language import answer_texts, say, to_say
from .colours import FRAMES, PAPER, WHITE, colour_of, ink, luminance
from .labels import FONT, LINE, escape, line, plain, text_width
from .wrap import BOLD, Block, Span, block, wide_enough, wrap

PEG = 14
"""Side of a peg."""
TILE = 13
"""Side of the tile of a letter with its mark."""
LEGEND = to_say("Square and green: in place. Round and yellow: elsewhere. Bare and grey: absent.")
"""What the tiles of marks mean."""
MEANINGS = {PLACE: to_say("in place"), ELSEWHERE: to_say("elsewhere"), ABSENT: to_say("absent")}
"""What the marks of letters mean."""
BLANK, APART = 9, 2
"""Width of the blank of a letter, and room between two; between words there is more."""
GUESS, ANSWER = 190.0, 130.0
"""Room for the lines of a guess and of a response; more where they are long."""


def signs_in_words() -> str:
    """Return what marks mean where they are written; a sign is kept with what it means."""
    return ", ".join(f"{sign} {say(what)}".replace(" ", "\u00a0") for sign, what in MEANINGS.items())


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


def tile_marks(look: Look, responses: Sequence[str], guess: str) -> str:
    """Return the marks of the letters of a guess, where they are all that a response says; else nothing."""
    marks = responses[0] if look.answers == "marks" and len(responses) == 1 else ""
    return marks if len(marks) == len(guess) and set(marks) <= set(PAPER) else ""


def answer_cells(
    look: Look, responses: Sequence[str], guess: str, room: float = ANSWER
) -> tuple[str, float, float]:
    """Return responses to a guess as HTML, its width and height: tiles with its letters, or lines of text."""
    if marks := tile_marks(look, responses, guess):
        tiles = Tiles(guess, FONT, marks=marks)
        return tiles.html(1.0), tiles.width + APART, tiles.height
    text = say(" or ").join(answer_texts(look, responses))
    lines = wrap(text, wide_enough(text, room, FONT), FONT)
    return lines_html(lines), max(map(text_width, lines)), LINE * len(lines)


def answer_block(look: Look, responses: Sequence[str], guess: str, room: float, size: float) -> Block:
    """Return responses to a guess as a block: tiles with its letters, or text in a size."""
    if marks := tile_marks(look, responses, guess):
        return Block(((Tiles(guess, size, marks=marks),),))
    text = ", ".join(answer_texts(look, responses))
    return block(text, wide_enough(text, room, size), size)


@dataclass(frozen=True)
class Tiles(Span):
    """The letters of a guess on tiles in the colours of their marks; their shapes say the same.

    What is in place has a square frame, what is elsewhere a round one, and what is absent none.
    """

    marks: str = ""
    table: ClassVar[bool] = True

    @cached_property
    def width(self) -> float:
        """How wide the tiles are."""
        return (len(self.marks) * (TILE + 1) + 1) * self.size / FONT

    @property
    def height(self) -> float:
        """How high they are."""
        return (TILE + 2) * self.size / FONT

    def html(self, zoom: float) -> str:
        """Return them as a table."""
        scale = zoom * self.size / FONT
        side, frame = round(TILE * scale), max(1, round(scale))
        font = f'POINT-SIZE="{self.size * zoom:.2f}"'
        cells = ""
        for letter, mark in zip(self.text, self.marks, strict=True):
            edge = f'BORDER="{frame}" COLOR="{FRAMES[mark]}"' if mark in FRAMES else 'BORDER="0"'
            form = ' STYLE="ROUNDED"' if mark == ELSEWHERE else ""
            cells += (
                f'<TD {edge}{form} WIDTH="{side}" HEIGHT="{side}" FIXEDSIZE="TRUE" BGCOLOR="{PAPER[mark]}">'
                f'<FONT COLOR="{ink(PAPER[mark])}" {font}>{escape(plain(letter))}</FONT></TD>'
            )
        return f'<TABLE BORDER="0" CELLSPACING="{frame}" CELLPADDING="0"><TR>{cells}</TR></TABLE>'


def pattern_block(pattern: str, room: float, size: float) -> Block:
    """Return a pattern such as ``_ a | _ o _`` as blanks with the letters that are known, word by word."""
    lines: list[Blanks] = []
    for word in pattern.split(" | ") if pattern else []:
        longer = Blanks(f"{lines[-1].text} | {word}" if lines else word, size)
        if lines and longer.width <= room:
            lines[-1] = longer
        else:
            lines.append(Blanks(word, size))
    return Block(tuple((words,) for words in lines))


@dataclass(frozen=True)
class Blanks(Span):
    """A line of blanks, with letters on some, as people draw them who guess a word."""

    table: ClassVar[bool] = True

    @cached_property
    def width(self) -> float:
        """How wide the blanks are."""
        letters = sum(sign != "|" for sign in self.text.split(" "))
        return (letters * (BLANK + APART) + self.text.count("|") * 4 * APART + APART) * self.size / FONT

    @property
    def height(self) -> float:
        """How high they are."""
        return (LINE + 2 * APART) * self.size / FONT

    def html(self, zoom: float) -> str:
        """Return them as a table."""
        scale = zoom * self.size / FONT
        pen, wide, high = max(1, round(scale)), round(BLANK * scale), round(LINE * scale)
        cells = ""
        for sign in self.text.split(" "):
            letter = f'<FONT POINT-SIZE="{self.size * zoom:.2f}">{escape(plain(sign))}</FONT>'
            cells += (
                f'<TD WIDTH="{round(3 * APART * scale)}"></TD>'
                if sign == "|"
                else f'<TD SIDES="B" BORDER="{pen}" WIDTH="{wide}" HEIGHT="{high}" FIXEDSIZE="TRUE">'
                f"{'' if sign == '_' else letter}</TD>"
            )
        return (
            f'<TABLE BORDER="0" CELLSPACING="{round(APART * scale)}" CELLPADDING="0"><TR>{cells}</TR></TABLE>'
        )
