"""The colours of pegs and tiles, by symbol, and of the text on them."""

from __future__ import annotations

from guesstree.engine.notation import ABSENT, ELSEWHERE, HOLE, PLACE, Look

WHITE = "#FFFFFF"
MARKS = {PLACE: "#009E73", ELSEWHERE: "#F0E442", ABSENT: "#6A6A6A"}
"""Colours of the marks of a response: green, yellow and grey that differ in lightness too."""

# Okabe and Ito's colours, which colour-blind readers tell apart; yellow and black last as they glare.
_BASE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442", "#000000")


def _mix(colour: str, other: str, share: float) -> str:
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


PAPER = MARKS | {ABSENT: "#E0E0E0"}
"""The same on white paper, where what is absent is to be no darker than what is in place."""
FRAMES = {PLACE: _mix(MARKS[PLACE], "#000000", 0.5), ELSEWHERE: _mix(MARKS[ELSEWHERE], "#000000", 0.5)}
"""Colours of the frames that tell tiles apart without colour: none for what is absent."""

PALETTE = (
    *_BASE,
    *(_mix(colour, "#FFFFFF", 0.55) for colour in _BASE),
    *(_mix(colour, "#000000", 0.45) for colour in _BASE[:-1]),
    *(_mix(colour, "#FFFFFF", 0.8) for colour in _BASE),
    "#5C3A21",
    "#4B0082",
    "#FFFFFF",
    "#3D3D3D",
)
"""Colours of symbols, in their order; the symbol inside a peg tells apart those that are close."""


LINES = tuple(_BASE[i] for i in (0, 3, 2, 7, 5, 1, 4))
"""Colours of lines on white, those that are alike far apart."""
DASHES = ("solid", "dashed", "dotted")
"""How lines are drawn of the first colours, of the next as many, ..."""
SHARED = "#777777"
"""The colour of a line for several things."""


def darker(colour: str) -> str:
    """Return a colour for text on white that belongs to a line of this colour."""
    return _mix(colour, "#000000", 0.45)


NAMED = {
    "R": "#D62839",
    "G": "#1E8E3E",
    "B": "#1F5FBF",
    "Y": "#F4D31F",
    "O": "#F28C1B",
    "P": "#7B3FA0",
    "W": "#FFFFFF",
    "K": "#000000",
    "N": "#6B4226",
    "S": "#B0B0B0",
    "T": "#1FA79A",
    "V": "#4B0082",
    "C": "#27B7E8",
    "M": "#C2188F",
}
"""The colours that letters stand for where pegs have them: red, green, blue, ..., K is black, N brown."""


EMPTY = "#E8E8E8"
"""The colour of a hole without a peg."""


def colour_of(look: Look, symbol: str) -> str:
    """Return the colour of a symbol, white where there is none left for it, and pale for an empty hole."""
    if symbol == HOLE:
        return EMPTY
    if look.own_letters and symbol in NAMED:
        return NAMED[symbol]
    place = look.symbols.find(symbol)
    return PALETTE[place] if 0 <= place < len(PALETTE) else WHITE


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#RRGGBB`` (WCAG 2), 0 for black to 1 for white."""
    parts = [c / 255 for c in _channels(colour)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    # The contrast with black, (L + 0.05) / 0.05, equals that with white, 1.05 / (L + 0.05), at L = 0.179.
    return "#000000" if luminance(colour) > 0.179 else "#FFFFFF"
