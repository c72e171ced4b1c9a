"""What a sheet means: tests and causes, costs and weights, and the answers in its cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import MOST_PROBLEMS, GameError, noted, problems_of, refuse, shown
from ..meant import file_kind
from ..notation import plural
from ..registry import used_as
from ..remarks import Remarks
from ..sheets import Placed, Sheet, read_sheet
from ..sheets.sheet import Side
from .cells import answers_of, cell_of, parts_of
from .class_column import CORNER, EQUAL_ROWS, examples_in, weighed
from .cutting import put_rows_in_classes
from .extras import take_extras
from .headings import corner
from .implied import implied_cells, implied_ends
from .longform import is_long, spread_out
from .margins import DECIMAL_COMMAS, Margins, take_margins
from .models import Said, modelled
from .notes import Note
from .options import How, parse_options
from .orders import orders_of
from .orientation import find_causes
from .ranges import ranges_in
from .remarked import Remarked, pictures_beside, remarks_in, take_remarks
from .rows import check_labels, check_rows, check_widths
from .sets import is_unknown, sets_among
from .table import LOOK, Content, merged


@dataclass(frozen=True)
class ReadTable:
    """A table, and how it was read.

    Attributes
    ----------
    content: what the table says.
    said: how it was read, a few words each, where that is not plain from the file.
    causes: where the causes were.
    empty: how many cells say nothing.
    costs, weights: the labels of the lines that held them; empty: none did.
    model: what the table says of groups, errors and decisions.
    corner: the cell in the corner.
    """

    content: Content
    said: tuple[str, ...]
    causes: Side
    empty: int
    costs: str
    weights: str
    model: Said
    corner: str = ""

    @property
    def words(self) -> tuple[str, str, str]:
        """What is written in the corner, and above costs and weights; empty where tests were in columns."""
        return (self.corner, self.costs, self.weights) if self.causes == "columns" else ("", "", "")

    @property
    def line(self) -> str:
        """How it was read, in one line; empty where all is plain."""
        if not self.said:
            return ""
        content = self.content
        tests, causes = content.look.guess, content.look.secret
        counts = f"{plural(len(content.secrets), causes)}, {plural(len(content.guesses), tests)}"
        return f"{counts}: {', '.join(self.said)}"


def read_file(text: str, find: Callable[[str], str] = str, doubts: list[Note] | None = None) -> ReadTable:
    """Return the table of a text ``FILE[,key=value]...``; `find` says where a file is; see `read_table`."""
    path, how = parse_options(text.removeprefix("table:"))
    place = find(path)
    try:
        sheet = read_sheet(place, how.sheet, whole=bool(how.target))
        matrix = read_sheet(find(str(Path(path).parent / how.loss))) if how.loss else None
        return read_table(sheet, how, doubts, matrix)
    except GameError as error:
        kind = file_kind(place)
        if kind in ("strategy", "certificate", "words"):
            raise GameError(used_as(place, kind, "a table")) from None
        if kind == "table" and (ranges := ranges_in(read_sheet(place, how.sheet))):
            said = f"{ranges[0].name} is a range, which guesstree robust takes"
            raise GameError(f"{problems_of(error)[0]}; {said}") from None
        raise


def read_table(
    sheet: Sheet, how: How, doubts: list[Note] | None = None, matrix: Sheet | None = None
) -> ReadTable:
    """Return the table in a sheet; raise Problems that name the places of all that is wrong with it.

    `matrix`: losses, what is said x what is true. With a list of `doubts`, cells that say nothing and those
    that are sets are added to it, and not refused.
    """
    lines: list[str] = []
    unsettled: list[Note] = []
    found = None
    try:
        found = _read(sheet, how, unsettled, lines, matrix, strict=doubts is None)
    except GameError as error:
        if not lines:  # else it may come of what is wrong before
            lines += problems_of(error)
    if lines or doubts is None:
        lines += [line for note in unsettled for line in (note.line, *note.others)]
        refuse(lines, sum(note.more for note in unsettled))
    else:
        doubts += unsettled
    assert found is not None  # or something is wrong
    return found


def _read(
    sheet: Sheet, how: How, doubts: list[Note], lines: list[str], matrix: Sheet | None, *, strict: bool
) -> ReadTable | None:
    """Return the table in a sheet; None where what is wrong is in `lines`, or `strict` and in `doubts`."""
    source, said = sheet.source, list(sheet.said)
    rows = [Placed(row.place, list(row.cells)) for row in sheet.rows]
    if len(rows) < 2 or len(rows[0].cells) < 2:
        raise GameError(f"{source}: expected a first row of labels, then one row for each test")
    comma = DECIMAL_COMMAS in sheet.said
    examples = examples_in(source, rows, how, sheet.causes, comma=comma)
    if examples:
        rows, how, own, causes = transposed(source, examples.rows), examples.how, CORNER, examples.how.causes
        said += examples.said
        doubts += examples.doubts
    else:
        rows, own, causes = _turned(source, rows, how, sheet.causes, said)
    words = corner(own)
    with noted(lines):
        check_rows(rows)
    remarked = Remarked() if examples else take_remarks(rows)
    extras = take_extras(rows)
    margins = take_margins(rows, how, lines, comma=comma)
    said += [*_said_of(margins), *remarked.said()]
    if len(rows) < 2 or len(rows[0].cells) < 2:
        raise GameError(f"{source}: expected at least one test and one cause beside costs and weights")
    given = how
    if sheet.sets:
        how, taken = implied_cells([row.cells[1:] for row in rows[1:]], how)
        said += taken
    if not how.cells:
        _settle_sets(rows, how, doubts, sets=sheet.sets)
    said += _settle_unknown(rows, how, doubts)
    with noted(lines):
        if how.cells == "sets":
            _check_sets(rows)
    if lines or (strict and doubts):
        return None
    said += put_rows_in_classes(rows, how, comma=comma)
    empty = sum(row.cells.count("") for row in rows[1:])
    remarks = _remarks(sheet, rows, remarked, said)
    content = content_of(rows, margins, how, remarks)
    if examples:
        content = weighed(content, examples)
    if sheet.taxa:
        content, taken = implied_ends(content, given)
        said += taken
    if how.dichotomous:
        with noted(lines):
            content = replace(content, orders=orders_of(content, how))
        said.append("asked by questions of two answers")
    unit = (margins.costs.written or margins.costs.heading.named) if margins.costs else ""
    content, model = modelled(content, extras, how, matrix, unit, comma=comma)
    look = replace(
        LOOK,
        secret=words.noun("cause", causes) or LOOK.secret,
        guess=words.noun("test", causes) or LOOK.guess,
        cost=margins.costs.noun if margins.costs else LOOK.cost,
    )
    costs, weights = (margin.label if margin else "" for margin in (margins.costs, margins.weights))
    weights = weights or (EQUAL_ROWS if examples else "")
    states = {guess: sheet.states[guess] for guess in content.guesses if guess in sheet.states}
    content = replace(content, look=look, detail=replace(content.detail, states=states))
    return ReadTable(content, tuple(said), causes, empty, costs, weights, model, own)


def _turned(
    source: str, rows: list[Placed], how: How, known: Side, said: list[str]
) -> tuple[list[Placed], str, Side]:
    """Return rows with tests in them, the cell that was in the corner, and where causes were; say how."""
    if is_long(rows):
        rows, long = spread_out(rows)
        said.append(long)
    check_widths(rows)
    causes, why = find_causes(source, rows, how, known)
    if why:
        said.append(f"causes in {causes} ({why})")
    return (transposed(source, rows) if causes == "rows" else rows), rows[0].cells[0], causes


def _remarks(
    sheet: Sheet, rows: Sequence[Placed], remarked: Remarked, said: list[str]
) -> tuple[Remarks, Remarks]:
    """Return the notes and pictures of tests and of causes; say which pictures are not there."""
    pictures = pictures_beside(sheet.beside, lenient=sheet.sets)
    remarks = (
        remarks_in(remarked.tests, [row.cells[0] for row in rows[1:]], pictures),
        remarks_in(remarked.causes, rows[0].cells[1:], pictures),
    )
    if pictures and pictures.missing:
        some = ", ".join(map(shown, list(pictures.missing)[:3])) + ", ..." * (len(pictures.missing) > 3)
        said.append(f"{plural(len(pictures.missing), 'picture')} left out (not beside the table: {some})")
    return remarks


def transposed(source: str, rows: Sequence[Placed]) -> list[Placed]:
    """Return the rows of a table with causes in rows as those of one with causes in columns."""
    columns = list(zip(*(row.cells for row in rows), strict=True))
    places = [rows[0].place, *(f"{source} column {shown(column[0])}" for column in columns[1:])]
    return [Placed(place, list(column)) for place, column in zip(places, columns, strict=True)]


def content_of(
    rows: Sequence[Placed],
    margins: Margins,
    how: How,
    remarks: tuple[Remarks, Remarks] = (Remarks(), Remarks()),
) -> Content:
    """Return the table of rows with nothing but labels and responses; raise GameError for empty cells."""
    header, *body = rows
    costs, weights = margins.costs, margins.weights
    table = Content(
        tuple(row.cells[0] for row in body),
        tuple(header.cells[1:]),
        tuple(tuple(row.cells[1:]) for row in body),
        weights.counts if weights else None,
        costs.counts if costs else None,
        how.win,
        sets=how.cells == "sets",
        cliques=bool(how.ambiguous),
        guess_remarks=remarks[0],
        secret_remarks=remarks[1],
    )
    if costs:
        table = replace(table, cost_unit=costs.unit)
    if weights:
        table = replace(table, weight_unit=weights.unit)
    if how.merge:
        table = merged(table)
        check_labels([(header.place, label) for label in table.secrets], "merged cause")
    return table


def _said_of(margins: Margins) -> list[str]:
    said = [margins.costs.said("cost") if margins.costs else ""]
    said += [margins.weights.said("weight") if margins.weights else ""]
    return [text for text in (*said, *(f"{shown(label)} left out" for label in margins.left_out)) if text]


def _settle_unknown(rows: Sequence[Placed], how: How, doubts: list[Note]) -> list[str]:
    """Make cells empty that say nothing in any way, and return their marks; doubt those without an option."""
    header, *body = rows
    marks: dict[str, None] = {}
    unknown: list[tuple[Placed, int, str]] = []
    for row in body:
        kinds = set(row.cells[1:])
        odd = {answer for answer in kinds if is_unknown(answer)} if how.missing != "label" else set()
        if odd or "" in kinds:
            if how.missing != "any" and how.cells != "sets":
                silent = {"", *odd}
                unknown += [(row, j, cell) for j, cell in enumerate(row.cells) if j and cell in silent]
            marks |= dict.fromkeys(sorted(odd))
            if odd:
                row.cells[1:] = ["" if cell in odd else cell for cell in row.cells[1:]]
    if unknown:
        doubts.append(_unknown_cells(header, unknown, how))
    return [f"{' and '.join(map(shown, marks))} read as unknown"] if marks else []


def _unknown_cells(header: Placed, unknown: Sequence[tuple[Placed, int, str]], how: How) -> Note:
    """Return where cells are that say nothing, and what to do about it."""
    places = []
    for row, j, cell in unknown[:MOST_PROBLEMS]:
        what = f"a cell is {shown(cell)}" if cell else "a cell is empty"
        where = f"(test {shown(row.cells[0])}, cause {shown(header.cells[j])})"
        places.append(f"{row.place}: {what} {where}")
    options = [
        ("any", "any answer is possible"),
        *([("label", "it is an answer like others")] if unknown[0][2] else []),
    ]
    listed = ", or ".join(f"{how.spelled('missing', value)} ({does})" for value, does in options)
    return Note(
        places[0],
        f"expected an answer, or {listed}",
        tuple((f"missing={value}", does) for value, does in options),
        at=tuple(dict.fromkeys((row.cells[0], cell) for row, _, cell in unknown)),
        others=tuple(places[1:]),
        more=len(unknown) - len(places),
    )


def _settle_sets(rows: Sequence[Placed], how: How, doubts: list[Note], *, sets: bool) -> None:
    """Doubt the first cell that is a set, or may be one; `sets`: the format of the file says that it is."""
    header, *body = rows
    for row in body:
        found, doubt = sets_among(row.cells[1:])
        if sets and not found:
            found = next((cell for cell in row.cells[1:] if len(parts_of(cell)) > 1), "")
        if not found and not doubt:
            continue
        cell = found or doubt
        cause = header.cells[row.cells.index(cell, 1)]
        where = f"{row.place}: {shown(cell)} (test {shown(row.cells[0])}, cause {shown(cause)})"
        what = "is a set of answers" if found else "may be a set of answers, or one answer"
        options = (("sets", "a cause may give any of them"), ("labels", "one answer of that name"))
        note = Note(
            f"{where} {what}",
            "add " + " or ".join(f"{how.spelled('cells', value)} ({does})" for value, does in options),
            tuple((f"cells={value}", does) for value, does in options),
            at=((row.cells[0], cell),),
        )
        doubts.append(note)
        return


def _check_sets(rows: Sequence[Placed]) -> None:
    """Write all sets with the same sign; raise Problems that name the places of cells that are none."""
    lines = []
    for row in rows[1:]:
        known = {"": ""}
        for cell in dict.fromkeys(row.cells[1:]):
            try:
                known[cell] = _one_sign(cell) if cell else ""
            except GameError as error:
                lines.append(f"{row.place}: {error} (test {shown(row.cells[0])})")
        row.cells[1:] = [known.get(cell, "") for cell in row.cells[1:]]
    refuse(lines)


def _one_sign(cell: str) -> str:
    """Return a set with the sign ``/``; raise GameError for what is none."""
    answers, parts = answers_of(cell), parts_of(cell)
    return cell_of(answers) if any("/" in part for part in parts) else "/".join(parts)
