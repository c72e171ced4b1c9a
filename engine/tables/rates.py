"""How often tests err or fail to answer: columns beside the cells, which become odds in the cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ..errors import GameError, shown
from ..exact import exact_text
from .cells import BAR, BETWEEN, cell_of, chances_in
from .extras import FAILURE, MOST_NAMED, Extras, some_of
from .margins import numbers_at
from .noisy import SILENT
from .options import How
from .table import Content

OPPOSITES = {
    "yes": "no",
    "y": "n",
    "+": "-",
    "1": "0",
    "positive": "negative",
    "pos": "neg",
    "pos.": "neg.",
    "true": "false",
    "t": "f",
    "present": "absent",
    "ja": "nein",
    "j": "n",
    "oui": "non",
    "sí": "no",
    "si": "no",
}
"""Answers that count as positive, each with what it is not, in small letters."""
RIGHT = ("sensitivity", "specificity")
"""Columns that say how often an answer is right."""
WRONG = ("error", FAILURE)
"""Columns that say how often an answer is wrong, or there is none."""
Chances = dict[str, Fraction]


@dataclass(frozen=True)
class Rates:
    """How often a test errs: `right` are sensitivity and specificity; and how often it does not answer."""

    right: tuple[Fraction, Fraction] | None = None
    error: Fraction = Fraction(0)
    failure: Fraction = Fraction(0)

    @property
    def text(self) -> str:
        """What is said of it."""
        known = list(zip(RIGHT, self.right, strict=True)) if self.right else []
        known += [
            (word, number) for word, number in zip(WRONG, (self.error, self.failure), strict=True) if number
        ]
        return ", ".join(f"{word} {exact_text(number)}" for word, number in known)


@dataclass(frozen=True)
class Rated:
    """A table with errors in its cells, the tests that have some, and what is to be said."""

    content: Content
    tests: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def with_rates(content: Content, extras: Extras, how: How, *, comma: bool) -> Rated:
    """Return a table whose tests err as it says; raise GameError with the place of what cannot be.

    A true answer is drawn from the cell and then read wrongly, or not at all, each as often as the test does.
    """
    known = _rates(content, extras, how, comma=comma)
    if not known:
        return Rated(content)
    if not content.sets:
        for test, row in zip(content.guesses, content.cells, strict=True):
            odd = next((cell for cell in row if BETWEEN in cell or BAR in cell), None)
            if odd is not None:
                raise GameError(
                    f"test {shown(test)} has an answer {shown(odd)}, beside tests that err; expected answers "
                    f"without / and |, or {how.spelled('cells', 'sets')} (a cause may give any of them)"
                )
    cells, erring, notes = [], dict[str, list[str]](), list[str]()
    for test, row in zip(content.guesses, content.cells, strict=True):
        if test not in known:
            cells.append(row)
            continue
        rates, place = known[test]
        chances = chances_in(row, sets=content.sets)
        answers, positive = _answers_of(test, chances, rates, place)
        read = {true: _readings(true, rates, answers, positive) for true in answers}
        cells.append(tuple(cell_of(_read_as(cell, read)) for cell in chances))
        sign = f" ({positive!r} is positive)" if positive else ""
        erring.setdefault(f"{rates.text}{sign}", []).append(test)
        if rates.right and sum(rates.right) < 1:
            notes.append(
                f"sensitivity and specificity of {shown(test)} add up to less than 1: it is more often wrong "
                f"than right, unless {positive!r} is negative"
            )
    lines = [f"errors: {text}: {some_of(tests)}" for text, tests in list(erring.items())[:MOST_NAMED]]
    if len(erring) > MOST_NAMED:
        lines.append(f"errors: {len(erring) - MOST_NAMED} more rates")
    if how.repeat == 1:
        lines.append(
            "repeats: none, as a test that errs would answer the same again "
            f"({how.spelled('repeat', 2)}: each up to 2 times, independently)"
        )
    content = replace(content, cells=tuple(cells), sets=True)
    return Rated(content, tuple(known), tuple(lines), tuple(notes))


def _rates(content: Content, extras: Extras, how: How, *, comma: bool) -> dict[str, tuple[Rates, str]]:
    """Return the rates of each test that errs, and the place where they stand."""
    tests = content.guesses
    columns = {word: _column(word, extras, tests, comma=comma) for word in (*RIGHT, *WRONG)}
    if not any(columns.values()) and how.error is None and how.failure is None:
        return {}
    found = {}
    for test, row in zip(tests, content.cells, strict=True):
        own = {word: numbers[test] for word, numbers in columns.items() if test in numbers}
        place = next((extras.columns[word].cells[test].place for word in own), f"test {shown(test)}")
        said = [word for word in RIGHT if word in own]
        if len(said) == 1:
            other = next(word for word in RIGHT if word not in own)
            raise GameError(f"{place}: test {shown(test)} has a {said[0]} and no {other}; expected both")
        if said and "error" in own:
            raise GameError(
                f"{place}: test {shown(test)} has a sensitivity and an error; expected one of them"
            )
        answers = {answer for cell in chances_in(row, sets=content.sets) for answer in cell}
        if how.ends not in answers:
            if not said and how.error is not None and len(answers) > 1:
                own.setdefault("error", how.error)
            if how.failure is not None:
                own.setdefault(FAILURE, how.failure)
        right = (own.pop(RIGHT[0]), own.pop(RIGHT[1])) if said else None
        if any(own.values()) or (right and min(right) < 1):
            found[test] = (Rates(right, *(own.get(word, Fraction(0)) for word in WRONG)), place)
    return found


def _column(word: str, extras: Extras, tests: Sequence[str], *, comma: bool) -> dict[str, Fraction]:
    """Return the probabilities in a column, by test."""
    line = extras.columns.get(word)
    cells = line.filled(tests) if line else {}
    entries = [(cell.place, f"{word} of test {shown(test)}", cell.text) for test, cell in cells.items()]
    percents = [text.rstrip().endswith("%") for *_, text in entries]
    numbers = [Fraction(0)] * len(entries)
    for kind in (True, False):  # 95 % and 0.95 may stand together
        some = [i for i, percent in enumerate(percents) if percent is kind]
        read, _ = numbers_at([entries[i] for i in some], comma=comma, plain=True)
        for i, number in zip(some, read, strict=True):
            numbers[i] = number
    for (place, what, text), number in zip(entries, numbers, strict=True):
        if not 0 <= number <= 1 or (word in WRONG and number == 1):
            accepted = "below 1, such as 0.05 or 5 %" if word in WRONG else "such as 0.95 or 95 %"
            raise GameError(f"{place}: the {what} is {shown(text)}; expected a probability {accepted}")
    return dict(zip(cells, numbers, strict=True))


def _answers_of(test: str, chances: Sequence[Chances], rates: Rates, place: str) -> tuple[list[str], str]:
    """Return the answers that a test may give, and which of them is positive; empty: it does not matter."""
    answers = list(dict.fromkeys(answer for cell in chances for answer in cell))
    if rates.right is None:
        if rates.error and len(answers) == 1:
            raise GameError(
                f"{place}: error of test {shown(test)}, whose only answer is {shown(answers[0])}; "
                "expected two or more, to be taken for each other"
            )
        return answers, ""
    if len(answers) == 1:
        answers += _opposite(answers[0])
    positive = [answer for answer in answers if answer.casefold() in OPPOSITES]
    if len(answers) != 2 or len(positive) != 1:
        some = ", ".join(map(shown, answers[:4])) + (", ..." if len(answers) > 4 else "")
        raise GameError(
            f"{place}: sensitivity of test {shown(test)}, whose answers are {some}; expected two, of which "
            "one is yes, y, +, 1, positive or true, or a column 'error' for other answers"
        )
    return answers, positive[0]


def _opposite(answer: str) -> list[str]:
    """Return the answer that no cause gives, where all give the same one."""
    negative = {other: own for own, other in reversed(OPPOSITES.items())}
    other = OPPOSITES.get(answer.casefold()) or negative.get(answer.casefold(), "")
    cased = other.upper() if answer.isupper() else other.title() if answer.istitle() else other
    return [cased] if cased else []


def _readings(true: str, rates: Rates, answers: Sequence[str], positive: str) -> Chances:
    """Return what is read where an answer is true, and how often."""
    right = 1 - rates.error
    if rates.right:
        right = rates.right[0 if true == positive else 1]
    each = (1 - right) / max(1, len(answers) - 1)
    read = {answer: (right if answer == true else each) * (1 - rates.failure) for answer in answers}
    if rates.failure:
        read[SILENT] = read.get(SILENT, Fraction(0)) + rates.failure
    return read


def _read_as(cell: Mapping[str, Fraction], read: Mapping[str, Chances]) -> Chances:
    """Return what is read where the true answer is one of a cell."""
    found: Chances = {}
    for true, chance in cell.items():
        for answer, often in read[true].items():
            found[answer] = found.get(answer, Fraction(0)) + chance * often
    return {answer: chance for answer, chance in found.items() if chance}
