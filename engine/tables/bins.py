"""Measurements put into classes: so many of equal counts, or between given numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor

from ..exact import NoNumber, exact_text, read_numbers


def numbers_of(answers: Sequence[str], *, named: str = "") -> dict[str, Fraction] | None:
    """Return the numbers that the answers of a test are, empty cells left out; None: it has others."""
    try:
        return read_answers(answers, named=named)[0] or None
    except NoNumber:
        return None


def read_answers(
    answers: Sequence[str], *, named: str, comma: bool = False
) -> tuple[dict[str, Fraction], str]:
    """Return the number that each answer is, empty cells left out, and their unit; see `read_numbers`.

    Raises NoNumber, with the index among the `answers`.
    """
    labels = [answer for answer in dict.fromkeys(answers) if answer]
    try:
        numbers, unit = read_numbers(labels, comma=comma, named=named)
    except NoNumber as error:
        raise NoNumber(list(answers).index(labels[error.index]), str(error)) from None
    return dict(zip(labels, numbers, strict=True)), unit


def cut_points(values: Sequence[Fraction], classes: int) -> list[Fraction]:
    """Return where to cut values into classes of counts as equal as their ties allow, at short decimals."""
    ordered = sorted(values)
    steps = [i for i in range(1, len(ordered)) if ordered[i - 1] < ordered[i]]
    cuts: list[Fraction] = []
    for k in range(1, classes):
        wanted = Fraction(k * len(ordered), classes)
        free = [i for i in steps if not cuts or ordered[i - 1] >= cuts[-1]]
        if free:
            best = min(free, key=lambda i: abs(i - wanted))
            cuts.append(short_between(ordered[best - 1], ordered[best]))
    return cuts


def short_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the number above `low`, at most `high`, of the fewest decimals, nearest to their middle."""
    places, middle = 0, (low + high) / 2
    while True:
        step = Fraction(1, 10**places)
        least, most = (low // step + 1) * step, (high // step) * step
        if least <= most:
            return min(max(floor(middle / step + Fraction(1, 2)) * step, least), most)
        places += 1


def class_labels(cuts: Sequence[Fraction]) -> list[str]:
    """Return what the classes between some numbers are called: ``< 2.5``, ``2.5 to 4``, ``>= 4``."""
    texts = [exact_text(cut) for cut in cuts]
    middle = [f"{low} to {high}" for low, high in pairwise(texts)]
    return [f"< {texts[0]}", *middle, f">= {texts[-1]}"]


def put_in_classes(
    answers: Sequence[str], numbers: Mapping[str, Fraction], cuts: Sequence[Fraction]
) -> list[str]:
    """Return the class of each answer, what is no number as it is; a class holds its lower end."""
    labels = class_labels(cuts)
    known = {answer: labels[bisect_right(cuts, number)] for answer, number in numbers.items()}
    return [known.get(answer, answer) for answer in answers]
