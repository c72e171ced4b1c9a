"""Awkward files are read as they are meant, or refused in one line that says where and what to do."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from awkward import Awkward
from awkward_books import books
from awkward_formats import formats
from awkward_text import texts

from guesstree.engine.errors import GameError
from guesstree.engine.sheets import Sheet, read_sheet
from guesstree.engine.tables.rows import check_rows


def table_of(path: Path, sheet: str) -> Sheet:
    """Return the sheet in a file, whose rows can be those of a table."""
    found = read_sheet(str(path), sheet)
    if len(found.rows) < 2 or len(found.rows[0].cells) < 2:
        raise GameError(f"{found.source}: expected a first row of labels, then one row for each test")
    check_rows(found.rows)
    return found


def wrong(case: Awkward, folder: Path) -> str:
    """Return what is not as expected of an awkward file, empty if all is."""
    try:
        found = table_of(case.write(folder), case.sheet)
    except GameError as error:
        line = str(error)
        if "\n" in line or len(line) > 400 or case.rows is not None:
            return line
        return "" if all(words in line for words in case.refused) else line
    rows = [row.cells for row in found.rows]
    said = [words for words in case.said if not any(words in line for line in found.said)]
    if case.rows is None:
        return f"read: {rows}"
    return "" if rows == [list(row) for row in case.rows] and not said else f"{rows} {found.said}"


@pytest.mark.parametrize(("kind", "least"), [(texts, 150), (books, 70), (formats, 45)])
def test_awkward_files(kind: Callable[[], Iterator[Awkward]], least: int, tmp_path: Path) -> None:
    cases = list(kind())
    assert len(cases) >= least
    assert len({case.name for case in cases}) == len(cases)
    found = {case.name: wrong(case, tmp_path / str(i)) for i, case in enumerate(cases)}
    assert {name: text for name, text in found.items() if text} == {}


def test_a_plain_file_loads_its_own_reader_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("t,ä\nx,ö\n", "utf-8")
    code = "from guesstree.engine.sheets import read_sheet; read_sheet(sys.argv[1])"
    code = f"import sys; {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, timeout=60)
    modules = set(done.stdout.split())
    assert "guesstree.engine.sheets.separated" in modules, done.stderr
    assert not modules & {"chardet", "python_calamine", "xml.etree", "guesstree.engine.sheets.delta"}
