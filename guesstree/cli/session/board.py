"""How a game looks on a terminal.

Colour is used on a terminal only, unless NO_COLOR is set; every peg has its symbol in it, so that nothing
is said by colour alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from guesstree.engine.advice.position import Position, Valued, step_labels
from guesstree.engine.advice.valued import columns
from guesstree.engine.game import Game
from guesstree.engine.notation import HIT, MISS, plural
from guesstree.present.turns import Turn
from guesstree.trees.export.colours import MARKS, WHITE, colour_of, ink
from guesstree.trees.export.labels import plain

from ..tools.screen import aligned, columns_of, pad

MOST_LISTED = 20
GREY, BLACK = "#808080", "#000000"


def in_colour() -> bool:
    """Return whether standard output shows colours, and wants them (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def shade(colour: str) -> int | tuple[int, int, int]:
    """Return ``#RRGGBB`` as the terminal takes it: exactly, or the nearest of the 216 of the colour cube."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    if os.environ.get("COLORTERM") in ("truecolor", "24bit"):
        return r, g, b
    levels = (0, 95, 135, 175, 215, 255)
    red, green, blue = (min(range(6), key=lambda i: abs(levels[i] - value)) for value in (r, g, b))
    return 16 + 36 * red + 6 * green + blue


def peg(symbol: str, colour: str) -> str:
    """Return a peg of a colour with its symbol."""
    return click.style(f" {symbol} ", fg=shade(ink(colour)), bg=shade(colour), bold=True)


def _mark(response: str) -> str:
    """Return a cell as it is drawn by signs that every terminal has."""
    return {"": ".", MISS: "o", HIT: "x"}.get(response, response.removeprefix(f"{HIT} "))


class Board:
    """Show the guesses and responses of one game."""

    def __init__(self, game: Game) -> None:
        self.game, self.look = game, game.look
        self.colour = in_colour()
        try:
            "●○·".encode(sys.stdout.encoding or "ascii")
            self.keys = self.look.answers == "keys"
        except UnicodeEncodeError:
            self.keys = False

    def guess(self, label: str, response: str = "") -> str:
        """Return a guess or secret: coloured pegs, tiles in the colours of a response, or its label."""
        if not self.colour or self.look.codes == "text":
            return plain(label)
        if self.look.answers == "marks" and len(response) == len(label):
            colours = [MARKS.get(mark, WHITE) for mark in response]
        else:
            colours = [colour_of(self.look, c) if self.look.codes == "pegs" else WHITE for c in label]
        return " ".join(peg(plain(c), colour) for c, colour in zip(label, colours, strict=True))

    def response(self, label: str) -> str:
        """Return a response: its label, with key pegs where the game has them (● black, ○ white)."""
        counts = self.look.counts(label) if self.keys else None
        if counts is None:
            return plain(label)
        black, white = counts
        dark, light, rest = "●" * black, "○" * white, "·" * (len(self.game.guesses[0]) - black - white)
        if self.colour:
            grey = shade(GREY)
            dark, light = (
                click.style(text, fg=shade(colour), bg=grey) if text else ""
                for text, colour in ((dark, BLACK), (light, WHITE))
            )
        return f"{label} {dark}{light}{rest}"

    def pattern(self, shown: str) -> str:
        """Return what is shown of the secret, ``_ a _ a``, without gaps in words, as ``_a_a``."""
        return plain(" | ".join(word.replace(" ", "") for word in shown.split(" | ")))

    def turn(self, turn: Turn, note: str = "") -> str:
        """Return one line for a guess and its response."""
        if turn.unknown:
            shown = [self.guess(turn.guess), "not known"]
        else:
            label, response = self.guess(turn.guess, turn.response), self.response(turn.response)
            shown = [label, self.pattern(turn.pattern), response]
        return "  ".join(part for part in (f"{turn.number:>3}", *shown, note) if part)

    def cells(self, position: Position) -> str:
        """Return the board of a game that has one, in lines: x a hit, or its name, o a miss; else nothing."""
        rows = self.look.marked_board(step_labels(self.game, step) for step in position.history)
        if not rows:
            return ""
        marks = [[_mark(response) for _, response in row] for row in rows]
        width = max(len(str(len(rows[0]))), *(len(mark) for row in marks for mark in row))
        heads = ["", *(row[0][0][:1] for row in rows)]
        numbers = [str(n) for n in range(1, len(rows[0]) + 1)]
        return "\n".join(
            f"    {head:1}  " + " ".join(one.rjust(width) for one in row).rstrip()
            for head, row in zip(heads, [numbers, *marks], strict=True)
        )

    def valuations(self, found: Sequence[Valued], *, numbered: bool = False) -> str:
        """Return guesses with what they would tell, as aligned lines below a heading."""
        names = [self.guess(self.game.guesses[valued.guess]) for valued in found]
        width, shown = max(map(columns_of, names)), columns(found)
        rows: list[tuple[str, ...]] = [("   " * numbered + self.look.guess, *shown[0])]
        for number, (name, valued, figures) in enumerate(zip(names, found, shown, strict=True), 1):
            label = f"{number}  " * numbered + pad(name, width) + (" *" if valued.candidate else "")
            rows.append((label, *figures.values()))
        return aligned(rows)

    def candidates(self, position: Position) -> str:
        """Return how many candidates remain, and some of them: names of several words one on a line."""
        some = [plain(position.game.secrets[int(s)]) for s in position.candidates[:MOST_LISTED]]
        some += ["..."] * (len(position.candidates) > MOST_LISTED)
        head = f"{plural(len(position.candidates), 'candidate')}:"
        return "\n  ".join([head, *some]) if any(" " in name for name in some) else " ".join([head, *some])
