"""Cells that hold several answers: ``a/b`` or ``a|b``, either of them, or with odds, ``a:3/b:1``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from ..errors import GameError, shown
from ..exact import NoNumber, exact_text, read_numbers

BETWEEN, BAR, ODDS = "/", "|", ":"
_FRACTIONS = re.compile(r"[^/|:]+:\s*[0-9]+/[0-9]+(?:/[^/|:]+:\s*[0-9]+/[0-9]+)+")
_PROBABILITY = re.compile(r"([^/|]*[^/|\s:])\s*:\s*([0-9.,]+\s*%|0?[.,][0-9]+)")


def parts_of(text: str) -> list[str]:
    """Return what stands between the signs of a set, without spaces around it."""
    parts = text.split(BAR if BAR in text else BETWEEN)
    if _FRACTIONS.fullmatch(text):
        parts = [f"{first}{BETWEEN}{second}" for first, second in zip(parts[::2], parts[1::2], strict=True)]
    return [part.strip() for part in parts]


def is_probability(part: str) -> bool:
    """Return whether a part of a cell says how likely an answer is: ``a:0.9``, ``a: 90 %``; not ``1:0.5``."""
    found = _PROBABILITY.fullmatch(part)
    return found is not None and not found[1].isdigit()


def answers_of(cell: str) -> dict[str, Fraction]:
    """Return the answers that a cell holds, each with its probability.

    Where all answers have odds these count, else all are equally likely and a colon is part of an answer.
    Raises GameError for an answer that is empty or repeated, for odds that are no numbers above 0, and for
    probabilities (percents, or decimals of which none is above 1) that do not add up to 1.
    """
    parts = parts_of(cell)
    pairs = [part.rpartition(ODDS) for part in parts]
    alone = [is_probability(part) for part in parts]
    if any(alone) and (len(parts) == 1 or not all(answer and colon for answer, colon, _ in pairs)):
        raise GameError(
            f"the cell {shown(cell)} says how likely some answers are; expected it of all of them"
        )
    odds = len(parts) > 1 and all(answer and colon for answer, colon, _ in pairs)
    labels = [answer.strip() for answer, _, _ in pairs] if odds else parts
    numbers = _numbers(cell, [number.strip() for *_, number in pairs]) if odds else [Fraction(1)] * len(parts)
    if not all(labels) or len(set(labels)) < len(labels):
        raise GameError(
            f"the cell {shown(cell)} repeats an answer or has an empty one; expected such as 'a/b'"
        )
    return {label: number / sum(numbers) for label, number in zip(labels, numbers, strict=True)}


def chances_in(row: Sequence[str], *, sets: bool) -> list[dict[str, Fraction]]:
    """Return the answers in each cell of a test, each with its probability; an empty cell is any of them."""
    each = {cell: answers_of(cell) if sets else {cell: Fraction(1)} for cell in dict.fromkeys(row) if cell}
    every = dict.fromkeys(answer for cell in each.values() for answer in cell)
    alike = {answer: Fraction(1, len(every)) for answer in every}
    return [each.get(cell, alike) for cell in row]


def _numbers(cell: str, texts: list[str]) -> list[Fraction]:
    """Return the odds in a cell."""
    try:
        numbers, unit = read_numbers(texts, plain=True)
        wrong = next((i for i, number in enumerate(numbers) if number <= 0), -1)
    except NoNumber as error:
        wrong = error.index
    if wrong >= 0:
        raise GameError(
            f"the cell {shown(cell)} gives odds of {shown(texts[wrong])}; expected such as 'a:3/b:1'"
        )
    broken = any(number.denominator > 1 for number in numbers) and max(numbers) <= 1
    if (unit == "%" or broken) and sum(numbers) != 1:
        total = exact_text(sum(numbers) * (100 if unit == "%" else 1)) + (" %" if unit == "%" else "")
        raise GameError(
            f"the cell {shown(cell)} gives probabilities that add up to {total}; expected "
            f"{'100 %' if unit == '%' else '1'}, or whole numbers as odds"
        )
    return numbers


def cell_of(chances: Mapping[str, Fraction]) -> str:
    """Return the cell that holds answers with these probabilities, above 0: the reverse of `answers_of`.

    Raises GameError for an answer that would be read as several.
    """
    odd = next((label for label in chances if BETWEEN in label or BAR in label or not label.strip()), None)
    if odd is not None:
        raise GameError(
            f"an answer {shown(odd)} beside probabilities; expected one without the signs of sets, / and |"
        )
    numbers = list(chances.values())
    if len(set(numbers)) == 1:
        cell = BETWEEN.join(chances)
        if _same(cell, chances):
            return cell
    texts = _decimals(numbers)
    return BETWEEN.join(f"{label}{ODDS}{text}" for label, text in zip(chances, texts, strict=True))


def _same(cell: str, chances: Mapping[str, Fraction]) -> bool:
    try:
        return answers_of(cell) == dict(chances)
    except GameError:
        return False


def _decimals(numbers: Sequence[Fraction]) -> list[str]:
    """Return probabilities as decimals where these end, else as whole odds."""
    texts = [exact_text(number) for number in numbers]
    if not any(BETWEEN in text for text in texts):
        return texts
    shared = lcm(*(number.denominator for number in numbers))
    return [str(int(number * shared)) for number in numbers]
