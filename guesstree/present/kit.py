"""What is reported of a kit: lines of text, plain data, and rows for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from guesstree.engine.exact import as_plain
from guesstree.engine.kits.kit import Kit
from guesstree.engine.notation import plural, plurals
from guesstree.engine.sheets.separated import guarded

from .reports import symmetry_text


def kit_lines(kit: Kit) -> Iterator[str]:
    """Yield what a kit is and what each of its questions does, as lines of text."""
    game, look, many = kit.game, kit.game.look, len(kit.questions)
    lies = f", up to {plural(kit.lies, 'false answer')}" if kit.lies else ""
    upper, lower = game.cost_text(kit.upper), game.cost_text(kit.lower)
    known = "proven least" if kit.optimal else f"at least {lower}"
    cost = f", cost {upper}" if game.facts.priced or kit.upper != many else ""
    yield f"{game.spec}: {plural(many, look.guess)} planned beforehand{lies}{cost}: {known}"
    if kit.goal == "win":
        yield f"  then one {look.guess} more wins: {many + 1} in all"
    kinds = len(set(kit.kinds.tolist()))
    kinds_text = "" if kinds == len(kit.kinds) else f" of {plural(kinds, 'kind')}"
    secrets = plural(len(kit.kinds), look.secret)
    yield f"  {secrets}{kinds_text}, {plural(kit.pairs, 'pair')} to tell apart"
    head = (look.guess, "cost", "answers", "tells", "adds", "alone")
    numbers = [(row.parts, row.separates, row.adds, row.alone) for row in kit.rows]
    rows = [
        (row.question, game.cost_text(row.cost), *map(str, some))
        for row, some in zip(kit.rows, numbers, strict=True)
    ]
    if many:
        yield from _aligned([head, *rows])
        yield (
            f"  tells: pairs that the {look.guess} tells apart; adds: pairs told apart from it on; "
            "alone: pairs that need it"
        )
    yield f"  {plural(kit.nodes, 'node')}{symmetry_text(kit.symmetry)}, {kit.seconds:.2f} s"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows in columns, labels to the left and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for label, *numbers in rows:
        cells = (number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True))
        yield "  " + "  ".join((label.ljust(widths[0]), *cells))


def kit_as_json(kit: Kit) -> dict[str, Any]:
    """Return a kit as plain data; costs in units of the table."""
    unit = kit.game.cost_unit
    return {
        "game": kit.game.spec,
        "goal": kit.goal,
        "lies": kit.lies,
        "questions": [
            {
                "question": row.question,
                "cost": as_plain(row.cost * unit),
                "answers": row.parts,
                "tells": row.separates,
                "adds": row.adds,
                "alone": row.alone,
            }
            for row in kit.rows
        ],
        "cost": as_plain(kit.upper * unit),
        "lower": as_plain(kit.lower * unit),
        "optimal": kit.optimal,
        "pairs": kit.pairs,
        "stopped": kit.stopped,
        "nodes": kit.nodes,
        **({"symmetry": kit.symmetry} if kit.symmetry else {}),
        "seconds": round(kit.seconds, 3),
    }


def sheet_csv(kit: Kit) -> str:
    """Return the sheet to read answers by: a row for each secret with its answers to the kit."""
    return csv_text([[kit.game.look.secret, *kit.labels], *kit.sheet()])


def pairs_csv(kit: Kit) -> str:
    """Return a row for each pair of secrets: how many questions of the kit tell it apart, and which."""
    secret = kit.game.look.secret
    head = [f"{secret} 1", f"{secret} 2", "told apart by", plurals(kit.game.look.guess)]
    return csv_text([head, *([a, b, str(len(told)), "; ".join(told)] for a, b, told in kit.told())])


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV, with what a spreadsheet would take for a formula made harmless."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([guarded(cell) for cell in row] for row in rows)
    return text.getvalue()
