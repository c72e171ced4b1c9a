"""A strategy as questions about columns, from which programs in any language are written.

A test is a column of the same name, whose values are its answers. If all its answers are numbers, so are
the values. A test whose answers are classes of numbers (``< 2.5``, ``2.5 to 4``, ``>= 4``) is a column of
numbers, and so is one called ``x < 2.5`` with the answers yes and no: its column is x.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import numpy as np

from guesstree.engine.exact import exact_text
from guesstree.engine.game import Game

from ...outline import Outline, outline
from ...tree import Tree, TreeError

Kind = Literal["number", "text"]
Interval = tuple[Fraction | None, Fraction | None]
"""From where, with it, to where, without it; None: without end."""
MOST_NESTED = 60
"""Questions on a path: programs are nested so deep."""
_NUMBER = r"-?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:/[0-9]{1,30})?"
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?")
_CLASS = re.compile(rf"< ({_NUMBER})|({_NUMBER}) to ({_NUMBER})|>= ({_NUMBER})")
_CUT = re.compile(rf"(.+) < ({_NUMBER})", re.DOTALL)
_YES_NO = {"yes", "no"}


@dataclass(frozen=True)
class Column:
    """What a program is given: a column by its name, of numbers or of texts."""

    name: str
    kind: Kind


@dataclass(frozen=True)
class Question:
    """What is asked: the number of a column, and what of its values gives which answer.

    Attributes
    ----------
    column: the number of the column.
    values: the text of each answer, if these are texts.
    intervals: the numbers of each answer.
    points: whether each interval is one number, and has no end beside it.
    """

    column: int
    values: dict[str, str]
    intervals: dict[str, Interval]
    points: bool = False


@dataclass(frozen=True)
class Part:
    """A branch: the values of the column that take it, texts or intervals, and the step that follows."""

    values: tuple[str, ...]
    intervals: tuple[Interval, ...]
    step: int


@dataclass(frozen=True)
class Rules:
    """A strategy as questions about columns.

    Attributes
    ----------
    spec: the game.
    columns: what a program is given.
    ends: what the steps decide or name, None where they ask; for a question what is decided if no branch
        fits the value, None: nothing can be.
    asks: the question of each step, None at an end.
    parts: the branches of each step.
    shares: of each step, the share of each class or decision among what gets there; empty: nobody says.
    weights: the share of everything that gets to each step.
    """

    spec: str
    columns: tuple[Column, ...]
    ends: tuple[str | None, ...]
    asks: tuple[Question | None, ...]
    parts: tuple[tuple[Part, ...], ...]
    shares: tuple[dict[str, Fraction], ...]
    weights: tuple[Fraction, ...]

    @property
    def labels(self) -> list[str]:
        """What may be decided or named, each once, in order."""
        return sorted({end for end in self.ends if end is not None})

    def paths(self) -> Iterator[tuple[list[tuple[Question, Part]], int]]:
        """Yield the branches that lead to each end, and to each question, which comes after all below it."""
        way: list[tuple[Question, Part]] = []

        def below(step: int) -> Iterator[tuple[list[tuple[Question, Part]], int]]:
            asked = self.asks[step]
            for part in self.parts[step]:
                assert asked is not None
                way.append((asked, part))
                yield from below(part.step)
                way.pop()
            yield list(way), step

        yield from below(0)


def rules_of(game: Game, strategy: Tree) -> Rules:
    """Return a strategy as questions about columns; raise TreeError for one that is no program."""
    seen = outline(game, strategy)
    deepest = max(step.depth for step in seen.steps)
    if deepest > MOST_NESTED:
        raise TreeError(f"{deepest} questions on a path; a program has at most {MOST_NESTED}")
    asked = list(dict.fromkeys(step.question for step in seen.steps if step.question))
    columns, questions = _columns(game, asked, _answers(game, asked))
    parts = []
    for step in seen.steps:
        own = questions.get(step.question)
        parts.append(
            tuple(_part(own, branch.answers, branch.step) for branch in step.branches) if own else ()
        )
    shares = [dict(step.possible) if not step.names or game.classes else {} for step in seen.steps]
    return Rules(
        game.spec,
        tuple(columns),
        tuple(_end(seen, at) for at in range(len(seen.steps))),
        tuple(questions.get(step.question) for step in seen.steps),
        tuple(parts),
        tuple(shares),
        tuple(seen.share(at) if seen.steps[0].weight else Fraction() for at in range(len(seen.steps))),
    )


def _answers(game: Game, asked: Sequence[str]) -> dict[str, list[str]]:
    """Return what each test can answer."""
    number = {label: guess for guess, label in enumerate(game.guesses)}
    found = {}
    for label in asked:
        model, guess = game.model, number[label]
        if model is None:
            every = np.arange(len(game.secrets), dtype=np.int32)
            answers = {*game.block(np.array([guess], dtype=np.int32), every).ravel().tolist()}
        else:
            answers = {answer for cell in model.chances[guess] for answer in cell}
            answers |= {model.silent} if model.failures else set()
        found[label] = [game.responses[answer] for answer in sorted(answers)]
    return found


def _columns(
    game: Game, asked: Sequence[str], answers: dict[str, list[str]]
) -> tuple[list[Column], dict[str, Question]]:
    """Return the columns and the question that each test is; raise TreeError for answers of two kinds."""
    labels, columns, questions = set(game.guesses), dict[str, Column](), dict[str, Question]()

    def ask(
        name: str, kind: Kind, test: str, intervals: dict[str, Interval], *, points: bool = False
    ) -> None:
        columns.setdefault(name, Column(name, kind))
        values = {} if intervals else {answer: answer for answer in answers[test]}
        questions[test] = Question(list(columns).index(name), values, intervals, points)

    for test in asked:
        cut = _CUT.fullmatch(test)
        if cut and cut[1] not in labels and set(answers[test]) <= _YES_NO:
            at = Fraction(cut[2])
            ask(cut[1], "number", test, {"yes": (None, at), "no": (at, None)})
        elif found := _classes_in(answers[test]):
            ask(test, "number", test, found)
        elif found := _points_in(answers[test]):
            ask(test, "number", test, found, points=True)
        elif classes := list(filter(_CLASS.fullmatch, answers[test])):
            odd = next(answer for answer in answers[test] if answer not in classes)
            raise TreeError(
                f"{test!r} has classes of numbers, such as {classes[0]!r}, and {odd!r}, which is no number; "
                "a program takes one or the other"
            )
        else:
            ask(test, "text", test, {})
    return list(columns.values()), questions


def _classes_in(answers: Sequence[str]) -> dict[str, Interval]:
    """Return the interval that each answer is; empty where one is none, or they are not side by side."""
    found = dict[str, Interval]()
    for answer in answers:
        one = _CLASS.fullmatch(answer)
        if not one:
            return {}
        below, low, high, above = (None if text is None else Fraction(text) for text in one.groups())
        found[answer] = (above if low is None else low, below if high is None else high)
    ordered = sorted(found.values(), key=lambda one: (one[0] is not None, one[0] or 0))
    apart = all(a[1] is not None and b[0] is not None and a[1] <= b[0] for a, b in pairwise(ordered))
    return found if apart else {}


def _points_in(answers: Sequence[str]) -> dict[str, Interval]:
    """Return the number that each answer is, as an interval; empty where one is none."""
    if not all(map(_PLAIN.fullmatch, answers)):
        return {}
    found: dict[str, Interval] = {answer: (Fraction(answer),) * 2 for answer in answers}
    return found if len(set(found.values())) == len(found) else {}


def _part(question: Question, answers: Sequence[str], step: int) -> Part:
    if question.values:
        return Part(tuple(question.values[answer] for answer in answers), (), step)
    some = sorted(
        (question.intervals[answer] for answer in answers), key=lambda one: (one[0] is not None, one[0] or 0)
    )
    joined: list[Interval] = []
    for one in some:
        if joined and not question.points and joined[-1][1] == one[0]:
            joined[-1] = (joined[-1][0], one[1])
        else:
            joined.append(one)
    return Part((), tuple(joined), step)


def _end(seen: Outline, at: int) -> str | None:
    """Return what a step decides or names; where it asks, what loses least there, if something is allowed."""
    step, game = seen.steps[at], seen.game
    if step.names:
        return " or ".join(step.names)
    model = game.model
    if model is None or model.losses is None or not seen.reached:
        return None
    masses = seen.reached[step.node].masses
    best: tuple[Fraction, str] | None = None
    for name, losses in zip(game.decisions, model.losses, strict=True):
        lost = [(mass, losses[secret]) for secret, mass in masses.items()]
        if all(loss is not None for _, loss in lost):
            total = sum((mass * loss for mass, loss in lost if loss), Fraction())
            best = min(best, (total, name), key=lambda one: one[0]) if best else (total, name)
    return best[1] if best else None


def number_text(number: Fraction) -> str:
    """Return a number as programs of any language write it."""
    text = exact_text(number)
    return repr(float(number)) if "/" in text else text
