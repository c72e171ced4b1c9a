"""A strategy as a list of rules in JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from guesstree.engine.game import Game

from ...tree import Tree
from .rules import Part, Question, Rules, rules_of

FORMAT = "guesstree-rules/1"


def draw(game: Game, strategy: Tree) -> bytes:
    """Return rules of which the first that fits decides; a rule without conditions fits always.

    ``if`` has conditions that hold together: a ``column`` with ``in``, a list of texts or of numbers, or with
    ``ranges``, each from ``from``, with it, to ``below``, without it. ``then`` is what is decided, null:
    nothing can be. ``share`` is how much gets to an end, ``classes`` the share of each class there.
    """
    rules = rules_of(game, strategy)
    found = []
    for way, step in rules.paths():
        rule: dict[str, Any] = {
            "if": [_condition(rules, asked, part) for asked, part in way],
            "then": rules.ends[step],
        }
        if rules.asks[step] is None:
            rule["share"] = _float(rules.weights[step])
            if rules.shares[step]:
                rule["classes"] = {label: _float(share) for label, share in rules.shares[step].items()}
        found.append(rule)
    head = {
        "format": FORMAT,
        "game": rules.spec,
        "columns": {one.name: one.kind for one in rules.columns},
        "labels": rules.labels,
    }
    lines = ",\n".join(json.dumps(rule, ensure_ascii=False, allow_nan=False) for rule in found)
    text = json.dumps(head, ensure_ascii=False)
    return f'{text[:-1]},\n"rules": [\n{lines}\n]}}\n'.encode()


def _condition(rules: Rules, asked: Question, part: Part) -> dict[str, Any]:
    said: dict[str, Any] = {"column": rules.columns[asked.column].name}
    if part.values:
        return said | {"in": list(part.values)}
    if asked.points:
        return said | {"in": [_float(low) for low, _ in part.intervals if low is not None]}
    ranges = []
    for low, high in part.intervals:
        one = {} if low is None else {"from": _float(low)}
        ranges.append(one if high is None else one | {"below": _float(high)})
    return said | {"ranges": ranges}


def _float(number: Fraction) -> int | float:
    return number.numerator if number.denominator == 1 else float(number)
