"""How a table was read: what the terminal and pages both say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from guesstree.engine.tables.cells import answers_of
from guesstree.engine.tables.margins import margin_texts
from guesstree.engine.tables.notes import Note
from guesstree.engine.tables.reading import ReadTable
from guesstree.trees.language import decimal


def reading_data(file: str, reading: ReadTable, notes: Sequence[Note]) -> dict[str, Any]:
    """Return how a table was read as plain data."""
    content = reading.content
    return {
        "file": file,
        "said": list(reading.said),
        "causes": list(content.secrets),
        "causes_in": reading.causes,
        "tests": [
            {"test": test, "answers": dict(counted_answers(row))}
            for test, row in zip(content.guesses, content.cells, strict=True)
        ],
        "empty": reading.empty,
        "costs": None if content.costs is None else list(content.costs),
        "cost_unit": str(content.cost_unit),
        "weights": None if content.weights is None else list(content.weights),
        "weight_unit": str(content.weight_unit),
        **model_data(reading),
        "told": list(reading.model.lines),
        "notes": list(reading.model.notes),
        "warnings": [note.line for note in notes],
    }


def model_data(reading: ReadTable) -> dict[str, Any]:
    """Return what a table says of groups and decisions as plain data; costs and losses in `cost_unit`."""
    content = reading.content
    return {
        "groups": [group or None for group in content.groups],
        "later": list(content.later),
        "after": [list(known) for known in content.after],
        "decisions": list(content.decisions),
        "losses": [list(row) for row in content.losses],
        "ends": content.ends or None,
        "lapses": content.failures,
    }


def counted_answers(row: Sequence[str]) -> list[tuple[str, int]]:
    """Return the answers to a test with how many causes give each, the most frequent first."""
    return [(answer, many) for answer, many in Counter(row).most_common() if answer]


def cost_texts(reading: ReadTable) -> list[str]:
    """Return what each test costs as people say it, ``2 + 5`` with a set-up of 5; empty: it is not said."""
    content = reading.content
    if content.costs is None:
        return []
    setups = _setups(reading)
    if not any(setups):
        return margin_texts(content.costs, content.cost_unit)
    paid = (margin_texts(each, content.cost_unit) for each in (content.later, setups))
    return [f"{later} + {setup}" if setup != "0" else later for later, setup in zip(*paid, strict=True)]


def cost_line(reading: ReadTable) -> str:
    """Return which line holds the costs, and from where to where they go; empty: none does."""
    content = reading.content
    if content.costs is None or not reading.costs:
        return ""
    first = " where set-ups are paid" * any(_setups(reading))
    texts = margin_texts(content.costs, content.cost_unit)
    return f"{reading.costs!r}, {_range(texts, content.costs)}{first}"


def weight_line(reading: ReadTable) -> str:
    """Return which line holds the weights, and from where to where they go; empty: there are none."""
    content = reading.content
    if content.weights is None:
        return ""
    texts = margin_texts(content.weights, content.weight_unit)
    return f"{reading.weights or 'merged'!r}, {_range(texts, content.weights)}"


def _setups(reading: ReadTable) -> list[int]:
    """Return what each test costs more where its set-up is not paid yet."""
    content = reading.content
    return [cost - later for cost, later in zip(content.costs or (), content.later, strict=False)]


def _range(texts: Sequence[str], counts: Sequence[int]) -> str:
    """Return the least and the most of some numbers."""
    least, most = (pick(range(len(texts)), key=counts.__getitem__) for pick in (min, max))
    return texts[least] if least == most else f"{texts[least]} to {texts[most]}"


def odds_text(cell: str) -> str:
    """Return a cell in words, such as ``yes 80 %, no 20 %``; as it is written, if all are as likely."""
    held = answers_of(cell)
    if len(set(held.values())) < 2:
        return cell
    return ", ".join(f"{answer} {decimal(100 * chance)}\u00a0%" for answer, chance in held.items())
