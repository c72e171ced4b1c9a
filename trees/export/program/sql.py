"""A strategy as an expression ``CASE`` of standard SQL."""

from __future__ import annotations

from guesstree.engine.game import Game

from ...tree import Tree
from .rules import Column, Interval, Part, Question, Rules, number_text, rules_of


def draw(game: Game, strategy: Tree) -> bytes:
    """Return an expression for a column of a SELECT, in UTF-8.

    Names of columns are in double quotes, texts in single ones, and quotation marks inside are doubled, as
    the standard says (ISO/IEC 9075); nothing else is special there. A value without a branch, NULL too, gets
    what loses least there, or NULL.
    """
    rules = rules_of(game, strategy)
    return ("\n".join(_lines(rules, 0, "")) + "\n").encode()


def _lines(rules: Rules, step: int, indent: str) -> list[str]:
    asked, end = rules.asks[step], rules.ends[step]
    if asked is None:
        return [f"{indent}{_text(end)}"]
    found = [f"{indent}CASE"]
    for part in rules.parts[step]:
        found.append(f"{indent}  WHEN {_condition(rules.columns[asked.column], asked, part)} THEN")
        found += _lines(rules, part.step, f"{indent}    ")
    return [*found, f"{indent}  ELSE {_text(end)}", f"{indent}END"]


def _condition(column: Column, asked: Question, part: Part) -> str:
    name = '"' + column.name.replace('"', '""') + '"'
    if part.values:
        texts = [_text(value) for value in part.values]
        return f"{name} = {texts[0]}" if len(texts) == 1 else f"{name} IN ({', '.join(texts)})"
    if asked.points:
        numbers = [number_text(low) for low, _ in part.intervals if low is not None]
        return f"{name} = {numbers[0]}" if len(numbers) == 1 else f"{name} IN ({', '.join(numbers)})"
    return " OR ".join(_between(name, one) for one in part.intervals)


def _between(name: str, interval: Interval) -> str:
    low, high = interval
    said = [] if low is None else [f"{name} >= {number_text(low)}"]
    said += [] if high is None else [f"{name} < {number_text(high)}"]
    return f"({' AND '.join(said)})" if len(said) > 1 else said[0]


def _text(text: str | None) -> str:
    return "NULL" if text is None else "'" + text.replace("'", "''") + "'"
