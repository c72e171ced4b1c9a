"""Numbers of workbooks that are shown with words, by their format: ``5 min`` for 5, ``yes`` for 1."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|(?P<blank>_.)|\*.|\[(?P<bracket>[^\]]*)\]|(?P<general>General)'
    r"|(?P<digits>[#0?,]*[#0?](?:\.[#0?]*)?)|(?P<plain>[-+ $€£()!^&'~{}<>=:])|(?P<other>.)",
    re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)(-?[0-9.]+)")
_COMPARE = {
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
    "<=": operator.le,
    ">=": operator.ge,
    "<>": operator.ne,
}
_PART = re.compile(r';(?:"[^"]*"|\\.|\[[^\]]*\]|[^;])*', re.DOTALL)
_SHOWN = re.compile(r"([^\d]*?)([-+]?\d(?:[\d.,'\s]*\d)?(?:[eE][-+]?\d+)?)([^\d]*)")


MOST_SHOWN = 200
"""Characters of the longest number with words."""


@dataclass(frozen=True)
class _Section:
    """One of up to four parts of a format: what stands before and behind the digits, and for which numbers.

    `plain`: nothing in it but that; `digits`: whether the number is shown at all.
    """

    before: str = ""
    behind: str = ""
    digits: bool = False
    plain: bool = True
    condition: tuple[str, float] | None = None

    @property
    def worded(self) -> bool:
        """Whether it has letters."""
        return _has_letters(self.before + self.behind)


def has_words(code: str) -> bool:
    """Return whether a format of numbers shows letters beside their digits, or in place of them."""
    return any(section.worded for section in _sections(code))


def worded(number: float, text: str, code: str) -> str | None:
    """Return what a number is shown as by a format, all of its digits in it; None: that cannot be said.

    `text` is the number without a format.
    """
    sections = _sections(code)
    section = _section_for(number, sections)
    if section is None:
        return None
    if not section.worded:
        return text
    if not section.plain:
        return None
    if number < 0 and len(sections) > 1 and section.condition is None:
        text = text.removeprefix("-")
    return f"{section.before}{text}{section.behind}" if section.digits else section.before


def with_words(text: str, shown: str) -> str | None:
    """Return a number with the words that it is shown with, all of its digits in it; None: it has others."""
    if not any(sign.isdigit() for sign in shown):
        return shown if _has_letters(shown) else text
    found = _SHOWN.fullmatch(shown) if len(shown) <= MOST_SHOWN else None
    if found is None:
        return None
    before = found[1].removesuffix("-") if text.startswith("-") else found[1]
    return f"{before}{text}{found[3]}" if _has_letters(found[1] + found[3]) else text


def _has_letters(text: str) -> bool:
    return any(sign.isalpha() for sign in text)


def _sections(code: str) -> list[_Section]:
    """Return the parts of a format for numbers; the fourth is for texts."""
    parts = [found[0] for found in _PART.finditer(f";{code}")]
    return [_section(part[1:]) for part in parts[:3]]


def _section(part: str) -> _Section:
    """Return a part of a format."""
    sides = ["", ""]
    digits, plain, condition = False, True, None
    for token in _TOKEN.finditer(part):
        kind = token.lastgroup
        if kind in ("quoted", "escaped", "plain"):
            sides[digits] += token[kind]
        elif kind == "blank":
            sides[digits] += " "
        elif kind in ("digits", "general"):
            plain, digits = plain and not digits, True
        elif kind == "bracket":
            found = _CONDITION.fullmatch(token[kind])
            condition = (found[1], float(found[2])) if found else condition
        elif kind == "other":
            plain = False
    return _Section(sides[0], sides[1], digits, plain, condition)


def _section_for(number: float, sections: list[_Section]) -> _Section | None:
    """Return the part of a format that is for a number; None where that is not plain."""
    if any(section.condition for section in sections):
        for i, section in enumerate(sections):
            if section.condition is None:
                return section if i == len(sections) - 1 else None
            sign, limit = section.condition
            if _COMPARE[sign](number, limit):
                return section
        return None
    if len(sections) == 1:
        return sections[0]
    if number < 0:
        return sections[1]
    return sections[2] if len(sections) > 2 and number == 0 else sections[0]
