"""Exact numbers as people write them: shown in decimals where these end, else as fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

Number: TypeAlias = int | Fraction
"""An exact number."""
Value: TypeAlias = int | Any
"""What a strategy takes: an integer, but a Fraction may be where a test splits weights (`masses.model`)."""

PLACES = 4
"""Decimals of an average, which is rounded."""
SHORT = 10
"""Characters of a bound that need not be rounded."""


def exact_text(value: Number) -> str:
    """Return a number exactly: as an integer, in decimals where these end (``2.68``), else as ``7/3``."""
    number = Fraction(value)
    rest, twos, fives = number.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest > 1:
        return str(number)
    places = max(twos, fives)
    if not places:
        return str(number.numerator)
    digits = f"{abs(number.numerator) * 10**places // number.denominator:0{places + 1}d}"
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def as_plain(value: Number) -> int | str:
    """Return a number for JSON, exactly: an integer, or a fraction as text, such as ``91/2``."""
    return value.numerator if value.denominator == 1 else str(value)


def short_text(value: Number) -> str:
    """Return a number as `exact_text` does, but rounded where that would be long."""
    text = exact_text(value)
    return text if len(text) <= SHORT or Fraction(value).denominator == 1 else rounded_text(value)


def rounded_text(value: Number) -> str:
    """Return a number rounded to four decimals, as averages are shown."""
    return f"{float(value):.{PLACES}f}"
