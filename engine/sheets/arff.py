"""ARFF, the format of Weka: attributes with their types, then rows with a cell for each."""

from __future__ import annotations

import csv
import io
import re

from ..errors import GameError, shown
from .sheet import Cleaner, Placed, Sheet
from .text import decoded

_ATTRIBUTE = re.compile(
    r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{]+)\s*(.*)""", re.IGNORECASE
)
_NAMES = {"id", "name", "label", "instance", "species", "taxon", "cause"}
_CLASSES = {"class", "classe", "klasse", "target"}


def read_arff(source: str, data: bytes, *, whole: bool = False) -> Sheet:
    """Return a row for each row of data: its name, then what each attribute says of it.

    `whole`: every attribute as it stands, whatever it is called.

    The name is the first attribute of type string, or one called name, id or the like; else e1, e2, ... An
    attribute called class is left out. Raises GameError that names the line.
    """
    text, encoding = decoded(data, source)
    lines = text.splitlines()
    names, kinds, start = _head(source, lines)
    if whole:
        return _whole(source, lines, names, start, encoding)
    name = next(
        (
            i
            for i, (label, kind) in enumerate(zip(names, kinds, strict=True))
            if kind == "string" or label.lower() in _NAMES
        ),
        None,
    )
    classes = {i for i, label in enumerate(names) if label.lower() in _CLASSES}
    kept = [i for i in range(len(names)) if i != name and i not in classes]
    said = ["ARFF", *encoding]
    said += [f"attribute {names[i]!r} left out" for i in sorted(classes)]
    clean = Cleaner()
    rows = [
        Placed(f"{source} line {start}", ["" if name is None else names[name], *(names[i] for i in kept)])
    ]
    for row in _body(source, lines, start, len(names), clean):
        label = f"e{len(rows)}" if name is None else row.cells[name]
        known = ["" if row.cells[i] == "?" else row.cells[i] for i in kept]
        rows.append(Placed(row.place, [label, *known]))
    return Sheet(source, rows, (*said, *clean.said), causes="rows")


def _whole(source: str, lines: list[str], names: list[str], start: int, encoding: tuple[str, ...]) -> Sheet:
    """Return all attributes as columns."""
    clean = Cleaner()
    rows = [Placed(f"{source} line {start}", names), *_body(source, lines, start, len(names), clean)]
    return Sheet(source, rows, ("ARFF", *encoding, *clean.said))


def _body(source: str, lines: list[str], start: int, many: int, clean: Cleaner) -> list[Placed]:
    """Return the rows of data."""
    found = []
    for number, line in enumerate(lines[start:], start + 1):
        if line.strip() and not line.lstrip().startswith("%"):
            place = f"{source} line {number}"
            found.append(Placed(place, [clean(cell) for cell in _cells(place, line, many)]))
    return found


def _head(source: str, lines: list[str]) -> tuple[list[str], list[str], int]:
    """Return the names and types of attributes, and the number of the line that ends them."""
    names: list[str] = []
    kinds: list[str] = []
    for number, line in enumerate(lines, 1):
        place, line = f"{source} line {number}", line.strip()
        if re.match(r"@data\b", line, re.IGNORECASE):
            if not names:
                raise GameError(f"{place}: no @attribute before; expected one for each column")
            return names, kinds, number
        if line.lower().startswith("@attribute"):
            found = _ATTRIBUTE.match(line)
            if found is None or not found[2]:
                raise GameError(f"{place}: {shown(line)}; expected @attribute NAME TYPE")
            names.append(_plain(found[1]))
            kinds.append(found[2].strip().lower())
        elif line and not line.startswith("%") and not line.lower().startswith("@relation"):
            raise GameError(f"{place}: {shown(line)}; expected @attribute NAME TYPE or @data")
    raise GameError(f"{source}: no line @data; expected one before the rows")


def _plain(text: str) -> str:
    """Return a name without its quotation marks."""
    if text[:1] in "'\"" and text[-1:] == text[:1]:
        text = re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _cells(place: str, line: str, many: int) -> list[str]:
    """Return the cells of a row of data."""
    if line.lstrip().startswith("{"):
        raise GameError(f"{place}: a sparse row; save the file as CSV, or as ARFF that is not sparse")
    quote = "'" if re.search(r"(^|,)\s*'", line) else '"'
    separator = "," if "," in line else "\t"
    reader = csv.reader(
        io.StringIO(line.strip()),
        delimiter=separator,
        quotechar=quote,
        escapechar="\\",
        skipinitialspace=True,
        strict=True,
    )
    try:
        cells = next(reader)
    except csv.Error as error:
        raise GameError(f"{place}: {error}") from None
    if len(cells) != many:
        raise GameError(f"{place}: {len(cells)} cells; expected {many}, one for each attribute")
    return cells
