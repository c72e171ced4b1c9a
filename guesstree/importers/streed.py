"""Trees that pystreed prints (``STreeDClassifier.print_tree``)."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from guesstree.engine.errors import shown
from guesstree.engine.notation import plural
from guesstree.trees.tree import TreeError

from .grown import Grown, Knot
from .questions import ColumnQuestion

BAR = "|   "
NO, YES = " not satisfied", " satisfied"
LABEL = "Label: "

_NUMBER = re.compile(r"(?P<column>.+) <= (?P<most>[-+0-9.e]+)")
_ANSWER = re.compile(r"(?P<column>.+) == (?P<answer>'.*'|[^']+)")
_ANSWERS = re.compile(r"(?P<column>.+) in \[(?P<answers>.+)\]")
_LISTED = re.compile(r"'((?:[^'\\]|\\.)*)'|([^',]+)")
_UNNAMED = re.compile(r"Feature ([0-9]{1,6})")


@dataclass
class _Open:
    """A question of which a branch is still to come.

    Attributes
    ----------
    node, words: of the question.
    plain: whether it asks if a column is 1, and so the opposite of a `ColumnQuestion`.
    satisfied: whether the branch for that is the one to come.
    """

    node: int
    words: str
    plain: bool
    satisfied: bool = False


def read_printed(text: str, tests: Collection[str]) -> Grown:
    """Read a tree of pystreed as it is printed; `tests` are the labels of tests, whatever signs they have.

    Raises TreeError with the line.
    """
    knots: list[Knot] = []
    opened: list[_Open] = []
    again = False  # whether the innermost question is to be said once more, for its other branch
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        body = line.rstrip().removeprefix(BAR * (len(opened) - again))
        if knots and not opened:
            raise TreeError(f"line {number}: {shown(line)} after the end of the tree; expected one tree")
        if again:
            if body != opened[-1].words + YES:
                raise TreeError(
                    f"line {number}: {shown(line)}; expected {shown(opened[-1].words + YES)} below "
                    f"{plural(len(opened) - 1, 'bar')}"
                )
            opened[-1].satisfied, again = True, False
            continue
        if opened:
            above = opened[-1]
            knot, yes = knots[above.node], above.satisfied != above.plain
            knots[above.node] = replace(knot, yes=len(knots)) if yes else replace(knot, no=len(knots))
        if body.startswith(LABEL):
            knots.append(Knot(f"line {number}", says=body.removeprefix(LABEL).strip()))
            while opened and opened[-1].satisfied:
                opened.pop()
            again = bool(opened)
        elif body.endswith(NO) and not body.startswith(BAR):
            words = body.removesuffix(NO)
            question, plain = _question(words, tests, f"line {number}")
            opened.append(_Open(len(knots), words, plain))
            knots.append(Knot(f"line {number}", question))
        else:
            raise TreeError(
                f"line {number}: {shown(line)}; expected a line of STreeDClassifier.print_tree, such as "
                f"'fever{NO}' or '{LABEL}0', below {plural(len(opened), 'bar')}"
            )
    if opened or not knots:
        raise TreeError("ends within the tree; expected the whole text of STreeDClassifier.print_tree")
    return Grown("pystreed", knots)


def _question(words: str, tests: Collection[str], place: str) -> tuple[ColumnQuestion, bool]:
    """Return what the words of a question ask, and whether that is its opposite: whether a column is 1."""
    if words in tests:
        return ColumnQuestion(words), True
    if found := _NUMBER.fullmatch(words):
        try:
            return ColumnQuestion(found["column"], float(found["most"])), False
        except ValueError:
            raise TreeError(f"{place}: {shown(words)}; expected a number after <=") from None
    if found := _ANSWERS.fullmatch(words) or _ANSWER.fullmatch(words):
        return ColumnQuestion(found["column"], among=_listed(found[2])), False
    found = _UNNAMED.fullmatch(words)
    return ColumnQuestion(int(found[1]) if found else words), True


def _listed(text: str) -> tuple[str, ...]:
    """Return the answers of a list such as ``'red','blue'``."""
    return tuple(quoted.replace("\\'", "'") or plain.strip() for quoted, plain in _LISTED.findall(text))
