"""Exact numbers as people write them: decimals, fractions and percents, read and shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias

Number: TypeAlias = int | Fraction
"""An exact number."""
Value: TypeAlias = int | Any
"""What a strategy takes: an integer, but a Fraction may be where a test splits weights (`noisy.model`)."""

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


def whole_or_part(value: Fraction) -> Value:
    """Return a fraction as an integer where it is one."""
    return value.numerator if value.denominator == 1 else value


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


# -- read --------------------------------------------------------------------------------------------------

EXPECTED = "a number such as 15, 2.5, 1/3 or 12 %"
_AROUND = re.compile(
    r"([A-Z]{3}\b|[€$£¥])?\s*([-+]?[0-9.,][0-9.,'\u2019\s/]*(?:[eE][-+]?[0-9]{1,2})?)\s*(\S+)?"
)
_FRACTION = re.compile(r"(?:([0-9]{1,30}) )?([0-9]{1,30})\s*/\s*([0-9]{1,30})")
_DECIMAL = re.compile(r"[0-9]{0,30}(?:\.[0-9]{0,30})?")
_GROUPS = re.compile(r"[0-9]{1,3}(?:[\s'\u2019][0-9]{3})+(?![0-9])")
UNITS = {
    word: unit
    for unit, words in {
        "%": "% percent prozent",
        "minutes": "min mins minute minutes minuten minutos",
        "hours": "h hr hrs hour hours std stunden heures horas",
        "seconds": "s sec secs second seconds sek sekunden secondes segundos",
        "days": "d day days tage jours",
        "EUR": "eur euro euros €",
        "USD": "usd dollar dollars $",
        "GBP": "gbp pound pounds £",
        "CHF": "chf franken",
        "JPY": "jpy yen ¥",
        **{unit: unit.casefold() for unit in ("mm", "cm", "m", "km", "mg", "g", "kg", "ml", "°C", "°F")},
    }.items()
    for word in words.split()
}
"""Every unit that is known without being named, however it is written in small letters."""
_LETTERS = {"O": "0", "o": "0", "\u041e": "0", "\u043e": "0", "l": "1", "I": "1"}
"""Letters that look like digits, those of Cyrillic too."""


class NoNumber(ValueError):  # noqa: N818 - what is wrong with a text
    """Report which of some texts is no number, by its index, and what was expected."""

    def __init__(self, index: int, expected: str) -> None:
        super().__init__(expected)
        self.index = index


@dataclass(frozen=True)
class Written:
    """A number as it is written: its digits and signs, and what stands beside it, such as ``min``."""

    body: str
    unit: str

    @property
    def marks(self) -> str:
        """The points and commas, in order."""
        return "".join(c for c in self.body if c in ".,")

    def decimal(self) -> str:
        """Return the sign that can only begin the decimals; empty where it may part thousands."""
        if len(self.marks) > 1 and len(set(self.marks)) == len(self.marks):
            return self.marks[-1]
        if len(self.marks) != 1:
            return ""
        before, after = re.split(r"[.,]", re.sub("[eE].*", "", self.body).lstrip("+-"))
        return self.marks if len(after) != 3 or not 1 <= len(before) <= 3 or before[0] == "0" else ""

    def grouping(self) -> str:
        """Return the sign that can only part thousands, or an empty text."""
        kinds = set(self.marks)
        if len(self.marks) > 2 and len(kinds) == 2:
            return self.marks[0]
        return self.marks[0] if len(self.marks) > 1 and len(kinds) == 1 else ""


def is_number(text: str, named: str = "") -> bool:
    """Return whether a text is a number on its own, whatever its points and commas mean.

    `named`: a unit that may stand beside it, see `read_numbers`.
    """
    try:
        read_numbers([text], named=named)
    except NoNumber as error:
        return "may be" in str(error)
    return True


def read_numbers(
    texts: Sequence[str], *, comma: bool = False, named: str = "", plain: bool = False
) -> tuple[list[Fraction], str]:
    """Return numbers that belong together, exactly, and the unit that is written beside them.

    Decimals have a point or a comma, the same in all; ``1/3`` is a fraction and ``12 %`` is 12/100. A sign
    that may part thousands or decimals, as in ``1,250``, is settled by the others; else a point begins
    decimals, unless the file is one of those that use the `comma`. A unit stands beside all of them or none,
    and is the same; it is one of `UNITS`, or the one that is `named` above them. `plain`: nothing but ``%``
    may stand there. Raises NoNumber.
    """
    found = [_written(i, text) for i, text in enumerate(texts)]
    signs = {one.decimal() for one in found} - {""}
    groups = {one.grouping() for one in found} - {""}
    if len(signs) > 1 or signs & groups:
        odd = next(i for i, one in enumerate(found) if one.decimal() or one.grouping())
        raise NoNumber(odd, "decimals with a point, or with a comma, in all of them")
    sign = next(iter(signs), "")
    if not sign and groups:
        sign = "." if groups == {","} else ","
    if not sign:
        unclear = [i for i, one in enumerate(found) if one.marks == "," or (comma and one.marks == ".")]
        if unclear:
            whole, part = re.split("[.,]", found[unclear[0]].body)
            raise NoNumber(
                unclear[0], f"{whole}{part} or {whole}.{part.rstrip('0') or 0}, as it may be either"
            )
        sign = "."
    unit = _unit_of(found, texts, named, plain=plain)
    numbers = [_value(i, one.body, sign) for i, one in enumerate(found)]
    return ([number / 100 for number in numbers], "%") if same_unit(unit) == "%" else (numbers, unit)


def _written(index: int, text: str) -> Written:
    found = _AROUND.fullmatch(text.strip()) if len(text) < 100 else None
    if found is None or (found[1] and found[3]):
        raise NoNumber(index, EXPECTED + _letter_in(text))
    return Written(found[2].strip(), found[1] or found[3] or "")


def _unit_of(found: Sequence[Written], texts: Sequence[str], named: str, *, plain: bool) -> str:
    """Return the unit of numbers as it is written; raise NoNumber for one unknown, or not that of all."""
    units = [one.unit.removesuffix(".") for one in found]
    for i, unit in enumerate(units):
        known = _is_known(unit)
        if unit and not known and (plain or unit.casefold() != named.casefold()):
            raise NoNumber(i, _unknown_unit(texts[i], found[i].unit, plain=plain))
        if unit and plain and same_unit(unit) != "%":
            raise NoNumber(i, f"{EXPECTED}, without another unit")
    first = next((i for i, unit in enumerate(units) if unit), -1)
    if first < 0:
        return ""
    shared = same_unit(units[first])
    odd = next((i for i, unit in enumerate(units) if same_unit(unit) != shared), None)
    if odd is not None:
        raise NoNumber(odd, f"the same unit for all, as in {texts[first]!r}" + _letter_in(texts[odd]))
    return units[first]


def _is_known(unit: str) -> bool:
    """Return whether a unit is known as it is written: short ones in their own letters, as M is no metre."""
    small = unit.casefold()
    return small in UNITS and (len(unit) > 2 or unit in (small, UNITS[small]))


def same_unit(unit: str) -> str:
    """Return a unit as it is called however it is written: ``minutes`` for ``min``."""
    return UNITS.get(unit.casefold(), unit.casefold())


def _unknown_unit(text: str, unit: str, *, plain: bool) -> str:
    """Return what was expected in place of a number with letters behind it."""
    if plain or _letter_in(text):
        return EXPECTED + _letter_in(text)
    return (
        f"{EXPECTED}, with a unit that is known, such as min, h, EUR or %, or that its label names, as in "
        f"'cost [{unit}]'"
    )


def _letter_in(text: str) -> str:
    """Return that a text has a letter for a digit, where it is a number with that digit; else nothing."""
    meant = "".join(_LETTERS.get(sign, sign) for sign in text if not sign.isspace())
    if len(text) > 40 or meant == "".join(text.split()) or not re.fullmatch("[-+]?[0-9.,/]+%?", meant):
        return ""
    letter = next(sign for sign in text if sign in _LETTERS)
    return f" ({letter!r} is a letter, not {_LETTERS[letter]})"


def _value(index: int, body: str, sign: str) -> Fraction:
    """Return the number that some digits are where decimals begin with this sign."""
    text, negative = body.lstrip("+-"), body.startswith("-")
    if fraction := _FRACTION.fullmatch(text):
        whole, above, below = (int(part or 0) for part in fraction.groups())
        mixed = fraction[1] is not None
        if not below or (mixed and (above >= below or _GROUPS.match(text))):  # 1 000/4 may be meant as 250
            raise NoNumber(index, EXPECTED)
        number = whole + Fraction(above, below)
    else:
        text, _, power = text.replace("E", "e").partition("e")
        other = "," if sign == "." else "."
        if other in text:
            if not re.fullmatch(rf"[0-9]{{1,3}}({re.escape(other)}[0-9]{{3}})+([{sign}][0-9]*)?", text):
                raise NoNumber(index, EXPECTED)
            text = text.replace(other, "")
        if groups := _GROUPS.match(text):
            text = re.sub(r"[\s'\u2019]", "", groups[0]) + text[groups.end() :]
        text = text.replace(sign, ".")
        if not _DECIMAL.fullmatch(text) or not re.search("[0-9]", text):
            raise NoNumber(index, EXPECTED)
        whole_part, _, part = text.partition(".")
        number = Fraction(int(f"{whole_part}{part}"), 10 ** len(part)) * Fraction(10) ** int(power or 0)
    return -number if negative else number


LARGE = 10**9
"""Integers from here on are counted in a unit of their own, where they have one."""


def scaled(numbers: Sequence[Fraction]) -> tuple[tuple[int, ...], Fraction]:
    """Return numbers as integers, and the unit that these count: 1 for integers, unless some are large."""
    shared = lcm(*(number.denominator for number in numbers))
    if shared == 1 and max(numbers, default=0) < LARGE:
        return tuple(int(number) for number in numbers), Fraction(1)
    counts = [int(number * shared) for number in numbers]
    unit = gcd(*counts)
    return tuple(count // unit for count in counts), Fraction(unit, shared)
