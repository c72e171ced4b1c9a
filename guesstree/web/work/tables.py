"""Tables that were brought: how they are read, and what looks wrong in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from guesstree.engine.errors import GameError, shown
from guesstree.engine.game_source import FAMILY
from guesstree.engine.notation import plurals
from guesstree.engine.sheets import Sheet, read_sheet
from guesstree.engine.sheets.looks import bytes_of, format_of
from guesstree.engine.sheets.packed import is_document
from guesstree.engine.sheets.workbook import sheets_of
from guesstree.engine.tables.canonical import canonical_form
from guesstree.engine.tables.class_column import CORNER
from guesstree.engine.tables.lint import doubtful_pair, twins_of, warnings_of
from guesstree.engine.tables.models import UNDECIDED
from guesstree.engine.tables.notes import Note
from guesstree.engine.tables.options import join_options, parse_options, split_options
from guesstree.engine.tables.reading import ReadTable, read_table
from guesstree.present.table import cost_line, cost_texts, counted_answers, odds_text, weight_line

from .editing import Spot, faulty_spots, spots_of
from .uploads import places_unsaid, uploads_of

MOST_MENDED = 4000
"""Cells of a table that can be mended in a browser."""
MOST_ROWS, MOST_COLUMNS = 60, 40
"""Of what is shown of a table."""
MOST_TESTS = 60
MOST_ANSWERS = 6
MOST_LINES = 200
"""Lines among which those of costs and weights are chosen."""
MOST_DOUBTED = 400_000
"""Cells of a table of which is found out whether all causes can be told apart."""
_SPELLING = "“{}: {}”"
"""How an option is called in what a page says: as the field is that sets it."""


def table_seen(store: Path, spec: str) -> dict[str, Any]:
    """Return how a table is read, as plain data for its page.

    `fault` is why it cannot be read, empty if it can; then there are counts, tests, answers, costs, weights
    and what was said. `unsettled` comes first, `warnings` are what looks wrong. `grid`: the rows of the
    file, empty where they are too many to be mended.
    """
    name, given = split_options(spec.removeprefix(FAMILY))
    doubts: list[Note] = []
    reading, message, fault = None, "", ""
    with places_unsaid():
        whole, sheets = bool(given.get("target")), _names_of_sheets(store, name)
        sheet = _sheet(store, name, whole=whole)
        try:
            if "sheet" in given:
                sheet = _sheet(store, name, given["sheet"])
            reading = _read(store, sheet, spec, doubts)
        except GameError as error:
            message = str(error)
            fault = _here(store, message)
    seen = _sheet_seen(sheet, _marked(sheet, reading, message, doubts)) | {
        "file": name,
        "options": given,
        "spec": f"{FAMILY}{name}{join_options(given)}",
        "sheets": sheets,
        "lines": _lines(sheet),
        "columns": list(dict.fromkeys(filter(None, sheet.rows[0].cells[:MOST_LINES]))) if sheet.rows else [],
        "fault": fault,
    }
    return seen | ({"ready": False} if reading is None else _reading_seen(store, reading, doubts))


def tidied(store: Path, spec: str) -> tuple[str, str]:
    """Return the canonical form of a table, and the options with which it is read as the same one."""
    name, given = split_options(spec.removeprefix(FAMILY))
    with places_unsaid():
        sheet = _sheet(store, name, given.get("sheet", ""), whole=bool(given.get("target")))
        reading = _read(store, sheet, spec, [])
    return canonical_form(reading.content, reading.words)


# -- reading -----------------------------------------------------------------------------------------------


def _here(store: Path, line: str) -> str:
    return line.replace(f"{uploads_of(store).folder}/", "")


def _sheet(store: Path, name: str, sheet: str = "", *, whole: bool = False) -> Sheet:
    return read_sheet(uploads_of(store)(name), sheet, whole=whole)


def _read(store: Path, sheet: Sheet, spec: str, doubts: list[Note]) -> ReadTable:
    how = parse_options(spec.removeprefix(FAMILY))[1]
    matrix = _sheet(store, how.loss) if how.loss else None
    return read_table(sheet, replace(how, spelling=_SPELLING), doubts, matrix)


def _names_of_sheets(store: Path, name: str) -> list[str]:
    path = uploads_of(store)(name)
    data = bytes_of(path)
    return sheets_of(data) if format_of(repr(path), data) == "workbook" and is_document(data) else []


# -- what a page shows -------------------------------------------------------------------------------------


def _marked(sheet: Sheet, reading: ReadTable | None, fault: str, doubts: Sequence[Note]) -> list[Spot]:
    """Return the cells that something is said of, in the order of the rows."""
    if reading is None:
        return sorted(set(faulty_spots(sheet, fault.splitlines())))
    found = [*doubts, *warnings_of(reading.content)]
    return sorted(set(spots_of(sheet, reading.causes, (spot for note in found for spot in note.at))))


def _sheet_seen(sheet: Sheet, marked: Sequence[Spot]) -> dict[str, Any]:
    """Return the first cells of a sheet, and all of them where they can be mended.

    `marked`: those that something is said of; of the first ones it stands beside each whether it is one.
    """
    rows = [row.cells for row in sheet.rows]
    columns = max(map(len, rows), default=0)
    few, spots = len(rows) * columns <= MOST_MENDED, set(marked)
    return {
        "first": [
            [(cell, (i, j) in spots) for j, cell in enumerate(row[:MOST_COLUMNS])]
            for i, row in enumerate(rows[:MOST_ROWS])
        ],
        "marked": " ".join(f"{i},{j}" for i, j in marked) if few else "",
        "size": [len(rows), columns],
        "grid": "\n".join("\t".join(row) for row in rows) if few else "",
    }


def _lines(sheet: Sheet) -> list[str]:
    """Return the labels of rows and columns, of which one may be that of costs or weights."""
    labels = [*sheet.rows[0].cells[1:], *(row.cells[0] for row in sheet.rows[1:])] if sheet.rows else []
    return list(dict.fromkeys(filter(None, labels[:MOST_LINES])))


def _reading_seen(store: Path, reading: ReadTable, doubts: Sequence[Note]) -> dict[str, Any]:
    content = reading.content
    named = not (content.decisions or content.cliques or content.ends)
    twins = named and bool(twins_of(content))
    warnings = warnings_of(content)
    unsettled = [_note_seen(store, note) for note in (*doubts, *warnings[:twins])]
    notes = list(reading.model.notes)
    if named and not unsettled:
        errs = any(note.startswith(UNDECIDED) for note in notes)
        unsettled = _doubtful(reading, errs=errs)
        notes = [note for note in notes if not (unsettled and note.startswith(UNDECIDED))]
    costs = cost_texts(reading)
    return {
        "look": content.look,
        "causes": len(content.secrets),
        "tests": len(content.guesses),
        "causes_in": reading.causes,
        "examples": reading.corner == CORNER,
        "said": [_here(store, line) for line in reading.said],
        "told": list(reading.model.lines),
        "notes": notes,
        "priced": bool(costs),
        "weighted": content.weights is not None,
        "costs": _unless_said("costs", cost_line(reading), reading),
        "weights": _unless_said("weights", weight_line(reading), reading),
        "empty": reading.empty,
        "unsettled": unsettled,
        "warnings": [_note_seen(store, note) for note in warnings[twins:]],
        "ready": not unsettled,
        "answers": [
            _test_seen(test, row, costs[i] if costs else "", sets=content.sets)
            for i, (test, row) in enumerate(
                zip(content.guesses[:MOST_TESTS], content.cells[:MOST_TESTS], strict=True)
            )
        ],
    }


def _doubtful(reading: ReadTable, *, errs: bool) -> list[dict[str, Any]]:
    """Return that some causes cannot be told apart for sure, if so, and how it may end all the same."""
    content = reading.content
    unsure = content.sets or any("" in row for row in content.cells)
    pair = unsure and len(content.secrets) * len(content.guesses) <= MOST_DOUBTED and doubtful_pair(content)
    if not pair:
        return []
    text = f"{' and '.join(map(shown, pair))} may get the same answer to every {content.look.guess}"
    if errs:
        text += ", as answers may be wrong: it can only end with a decision that may be wrong"
        unit = content.look.cost if content.costs else plurals(content.look.guess)
        return [
            {
                "text": text,
                "options": [],
                "mends": [],
                "ask": ("wrong", f"What a wrong decision costs, in {unit}"),
            }
        ]
    does = f"let it end with several {plurals(content.look.secret)} where nothing tells them apart"
    return [{"text": text, "options": [("ambiguous=clique", does)], "mends": [], "ask": None}]


def _unless_said(what: str, line: str, reading: ReadTable) -> str:
    """Return a line, `what` before it; empty where something of it is among what is said anyhow."""
    known = not line or any(said.startswith(what) for said in reading.said)
    return "" if known else f"{what} from {line}"


def _note_seen(store: Path, note: Note) -> dict[str, Any]:
    text = _here(store, note.text)
    return {"text": text, "options": list(note.options), "ask": None, "mends": list(note.mends)}


def _test_seen(test: str, row: Sequence[str], cost: str, *, sets: bool) -> dict[str, Any]:
    """Return a test with its answers and how many causes give each."""
    answers = counted_answers(row)
    return {
        "test": test,
        "cost": cost,
        "answers": [(odds_text(cell) if sets else cell, many) for cell, many in answers[:MOST_ANSWERS]],
        "more": max(len(answers) - MOST_ANSWERS, 0),
        "unknown": row.count(""),
    }
