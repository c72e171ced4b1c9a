"""Cells that hold several answers: ``a/b``, either of them, or with odds, ``a:3/b:1``."""

from __future__ import annotations

from fractions import Fraction

from ..errors import GameError, shown
from ..exact import NoNumber, read_numbers

BETWEEN, ODDS = "/", ":"


def answers_of(cell: str) -> dict[str, Fraction]:
    """Return the answers that a cell holds, each with its probability.

    Where all answers have odds these count, else all are equally likely and a colon is part of an answer.
    Raises GameError for an answer that is empty or repeated, and for odds that are no numbers above 0.
    """
    parts = [part.strip() for part in cell.split(BETWEEN)]
    pairs = [part.rpartition(ODDS) for part in parts]
    odds = len(parts) > 1 and all(answer and colon for answer, colon, _ in pairs)
    labels = [answer.strip() for answer, _, _ in pairs] if odds else parts
    numbers = _numbers(cell, [number.strip() for *_, number in pairs]) if odds else [Fraction(1)] * len(parts)
    if not all(labels) or len(set(labels)) < len(labels):
        raise GameError(
            f"the cell {shown(cell)} repeats an answer or has an empty one; expected such as 'a/b'"
        )
    return {label: number / sum(numbers) for label, number in zip(labels, numbers, strict=True)}


def _numbers(cell: str, texts: list[str]) -> list[Fraction]:
    """Return the odds in a cell."""
    try:
        numbers, unit = read_numbers(texts)
        wrong = next((i for i, number in enumerate(numbers) if number <= 0 or unit not in ("", "%")), -1)
    except NoNumber as error:
        wrong = error.index
    if wrong >= 0:
        raise GameError(
            f"the cell {shown(cell)} gives odds of {shown(texts[wrong])}; expected such as 'a:3/b:1'"
        )
    return numbers
