"""A strategy as a function of Python."""

from __future__ import annotations

from guesstree.engine.game import Game

from ...tree import Tree
from .rules import Column, Interval, Part, Question, Rules, number_text, rules_of

_HEAD = '''"""A decision tree as a function, written by guesstree."""


def _number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def _text(value):
    return None if value is None else str(value).strip()


def decide(row):
    """Return what is decided for a row, a mapping from COLUMNS to values; None: nothing can be."""
'''


def draw(game: Game, strategy: Tree) -> bytes:
    """Return a module with a function `decide`, in ASCII; names and texts are literals.

    A value without a branch, None and NaN too, gets what loses least there, or None.
    """
    rules = rules_of(game, strategy)
    kinds = ", ".join(f"{one.name!a}: {one.kind!r}" for one in rules.columns)
    head, body = _HEAD.split("def _number", 1)
    lines = _lines(rules, 0, "    ")
    return f"{head}COLUMNS = {{{kinds}}}\n\n\ndef _number{body}{chr(10).join(lines)}\n".encode()


def _lines(rules: Rules, step: int, indent: str) -> list[str]:
    asked = rules.asks[step]
    found = []
    if asked is not None:
        column = rules.columns[asked.column]
        read = "_number" if column.kind == "number" else "_text"
        found.append(f"{indent}value = {read}(row.get({column.name!a}))")
        for part in rules.parts[step]:
            found.append(f"{indent}if {_condition(column, asked, part)}:")
            found += _lines(rules, part.step, f"{indent}    ")
    end = rules.ends[step]
    return [*found, f"{indent}return {'None' if end is None else ascii(end)}"]


def _condition(column: Column, asked: Question, part: Part) -> str:
    if column.kind == "text":
        texts = [ascii(value) for value in part.values]
        return f"value == {texts[0]}" if len(texts) == 1 else f"value in ({', '.join(texts)})"
    if asked.points:
        numbers = [number_text(low) for low, _ in part.intervals if low is not None]
        return f"value == {numbers[0]}" if len(numbers) == 1 else f"value in ({', '.join(numbers)})"
    return " or ".join(map(_between, part.intervals))


def _between(interval: Interval) -> str:
    low, high = (None if one is None else number_text(one) for one in interval)
    if low is None:
        return f"value < {high}"
    return f"value >= {low}" if high is None else f"{low} <= value < {high}"
