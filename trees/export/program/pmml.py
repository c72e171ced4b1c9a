"""A strategy as a TreeModel of PMML 4.4 (Data Mining Group)."""

from __future__ import annotations

from itertools import count
from xml.etree import ElementTree as ET

from guesstree.engine.game import Game

from ...tree import Tree, TreeError
from .rules import Column, Interval, Part, Question, Rules, number_text, rules_of

_NO_XML = {"\ufffe", "\uffff"}
VERSION, SPACE = "4.4", "http://www.dmg.org/PMML-4_4"


def draw(game: Game, strategy: Tree) -> bytes:
    """Return a document of PMML with a TreeModel for classification, in UTF-8.

    A value without a branch ends at the question, and a missing one too, with the score of that node: what
    loses least there; where nothing may be decided, with no score. Raises TreeError without a question.
    """
    rules = rules_of(game, strategy)
    if not rules.columns:
        raise TreeError("PMML takes one column or more, and the strategy asks nothing")
    odd = next((text for text in _texts(rules) if set(text) & _NO_XML), None)
    if odd is not None:
        raise TreeError(f"{odd!a} has a character that XML does not have; expected another label")
    target = next(name for name in _names() if name not in {one.name for one in rules.columns})
    root = ET.Element("PMML", {"xmlns": SPACE, "version": VERSION})
    header = ET.SubElement(root, "Header")
    ET.SubElement(header, "Application", {"name": "guesstree"})
    _dictionary(root, rules, target)
    defaults = all(end is not None for end in rules.ends)
    model = ET.SubElement(
        root,
        "TreeModel",
        {
            "modelName": "strategy",
            "functionName": "classification",
            "splitCharacteristic": "multiSplit",
            "missingValueStrategy": "lastPrediction" if defaults else "nullPrediction",
            "noTrueChildStrategy": "returnLastPrediction" if defaults else "returnNullPrediction",
        },
    )
    schema = ET.SubElement(model, "MiningSchema")
    for one in rules.columns:
        ET.SubElement(schema, "MiningField", {"name": one.name, "invalidValueTreatment": "asIs"})
    ET.SubElement(schema, "MiningField", {"name": target, "usageType": "target"})
    numbers = count(1)
    _node(model, rules, 0, None, numbers)
    ET.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="utf-8") + b"\n"


def _texts(rules: Rules) -> list[str]:
    """Return all names and texts."""
    values = [value for ask in rules.asks if ask for value in ask.values]
    return [*(one.name for one in rules.columns), *rules.labels, *values]


def _names() -> list[str]:
    return ["decision", "class", *(f"decision {number}" for number in range(2, 1000))]


def _dictionary(root: ET.Element, rules: Rules, target: str) -> None:
    fields = ET.SubElement(root, "DataDictionary", {"numberOfFields": str(len(rules.columns) + 1)})
    for number, one in enumerate(rules.columns):
        text = one.kind == "text"
        kinds = (
            {"optype": "categorical", "dataType": "string"}
            if text
            else {"optype": "continuous", "dataType": "double"}
        )
        field = ET.SubElement(fields, "DataField", {"name": one.name, **kinds})
        if text:
            values = dict.fromkeys(
                v for ask in rules.asks if ask and ask.column == number for v in ask.values
            )
            for value in values:
                ET.SubElement(field, "Value", {"value": value})
    field = ET.SubElement(
        fields, "DataField", {"name": target, "optype": "categorical", "dataType": "string"}
    )
    for label in rules.labels:
        ET.SubElement(field, "Value", {"value": label})


def _node(
    above: ET.Element, rules: Rules, step: int, part: tuple[Question, Part] | None, numbers: count[int]
) -> None:
    end = rules.ends[step]
    attributes = {"id": str(next(numbers))} | ({} if end is None else {"score": end})
    shares = {label: share for label, share in rules.shares[step].items() if label in rules.labels}
    if shares:
        attributes["recordCount"] = _share(rules.weights[step])
    node = ET.SubElement(above, "Node", attributes)
    if part is None:
        ET.SubElement(node, "True")
    else:
        _predicate(node, rules.columns[part[0].column], *part)
    for label, share in shares.items():
        ET.SubElement(
            node,
            "ScoreDistribution",
            {
                "value": label,
                "recordCount": _share(rules.weights[step] * share),
                "probability": _share(share),
            },
        )
    asked = rules.asks[step]
    for one in rules.parts[step]:
        assert asked is not None
        _node(node, rules, one.step, (asked, one), numbers)


def _share(number: object) -> str:
    return f"{float(number):.12g}"  # type: ignore[arg-type]


def _predicate(node: ET.Element, column: Column, asked: Question, part: Part) -> None:
    """Add what is true of the values that take a branch."""
    if asked.points:
        texts = [number_text(low) for low, _ in part.intervals if low is not None]
    else:
        texts = list(part.values)
    into = node
    if len(texts) + (0 if asked.points else len(part.intervals)) > 1:
        into = ET.SubElement(node, "CompoundPredicate", {"booleanOperator": "or"})
    for text in texts:
        ET.SubElement(into, "SimplePredicate", {"field": column.name, "operator": "equal", "value": text})
    if not asked.points:
        for one in part.intervals:
            _between(into, column.name, one)


def _between(into: ET.Element, name: str, interval: Interval) -> None:
    low, high = interval
    said = [] if low is None else [("greaterOrEqual", low)]
    said += [] if high is None else [("lessThan", high)]
    if len(said) > 1:
        into = ET.SubElement(into, "CompoundPredicate", {"booleanOperator": "and"})
    for operator, number in said:
        ET.SubElement(
            into, "SimplePredicate", {"field": name, "operator": operator, "value": number_text(number)}
        )
