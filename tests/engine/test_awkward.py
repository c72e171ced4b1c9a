"""Awkward files are read as they are meant, or refused in one line that says where and what to do."""

import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from awkward import KINDS, Awkward, awkward, zipped

from guesstree.engine.errors import GameError
from guesstree.engine.sheets import Sheet, read_sheet
from guesstree.engine.tables.rows import check_rows

CSV = "t,a,b\nx,1,2\ny,3,4\n"
LEAST = {"texts": 200, "books": 110, "formats": 50}


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
    return "" if rows == [list(row) for row in case.rows] and not said else f"{rows} {found.said}"[:2000]


@pytest.mark.parametrize("kind", KINDS)
def test_awkward_files(kind: str, tmp_path: Path) -> None:
    cases = awkward(kind)
    assert len(cases) >= LEAST[kind]
    assert len({case.name for case in cases}) == len(cases)
    found = {case.name: wrong(case, tmp_path / str(i)) for i, case in enumerate(cases)}
    assert {name: text for name, text in found.items() if text} == {}


def long_ones() -> Iterator[Awkward]:
    """Yield files that are long, but not too long, and two with a cell that is."""
    wide = [["t", *(f"c{i}" for i in range(2000))], ["x", *(str(i % 7) for i in range(2000))]]
    high = [["t", "a"], *([f"t{i}", str(i % 7)] for i in range(5000))]
    for rows, sign, said in ((wide, ",", ()), (high, ";", ("semicolons",))):
        data = "".join(f"{sign.join(row)}\n" for row in rows).encode()
        yield Awkward(f"{len(rows)} rows", {"t.csv": data}, rows=rows, said=said)
    label = "a" * 10_000
    data = CSV.replace("a", label).encode()
    yield Awkward("a long label", {"t.csv": data}, rows=[["t", label, "b"], ["x", "1", "2"], ["y", "3", "4"]])
    data = CSV.replace("1", "1" * 200_000).encode()
    yield Awkward("a cell of 200,000 characters", {"t.csv": data}, refused=("line 2", "131,072"))


def large_ones() -> Iterator[Awkward]:
    """Yield files of a million cells, and of more than may be read."""
    for many, wide in ((1000, 1000), (100_000, 10), (10, 100_000)):
        rows = [["t", *(f"c{j}" for j in range(1, wide))]]
        rows += [[f"t{i}", *("yes" if (i * j) % 3 else "no" for j in range(1, wide))] for i in range(1, many)]
        csv = "\r\n".join(";".join(row) for row in rows)
        yield Awkward(f"CSV, {many} x {wide}", {"large.csv": csv.encode("utf-16")}, rows=rows)
        if wide <= 1000:
            yield Awkward(f".ods, {many} x {wide}", {"large.ods": ods(rows)}, rows=rows)
        if wide == 10:
            yield Awkward(f".xlsx, {many} x {wide}", {"large.xlsx": xlsx(rows)}, rows=rows)
    huge = "\n".join(["t,a,b,c"] + ["x,1,2,3"] * 1_100_000).encode()
    yield Awkward("4,400,000 cells", {"huge.csv": huge}, refused=("4,000,000",))
    yield Awkward("201 MB", {"huge.csv": b"t,a\n" * (201_000_000 // 4)}, refused=("200 MB",))
    bomb = zipped({"xl/workbook.xml": b" " * 510_000_000})
    yield Awkward("a zip bomb of 510 MB", {"bomb.xlsx": bomb}, refused=("unpacks to",))


def ods(rows: list[list[str]]) -> bytes:
    """Return a spreadsheet of OpenDocument, like that of the data but with other rows."""
    plain = next(case for case in awkward("books") if case.name == "a plain .ods").files["t.ods"]
    with zipfile.ZipFile(io.BytesIO(plain)) as package:
        parts = {name: package.read(name).decode() for name in package.namelist()}
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    body = "".join(f"<table:table-row>{''.join(map(cell.format, row))}</table:table-row>" for row in rows)
    found = re.sub("<table:table-row >.*</table:table-row>", body, parts["content.xml"])
    return zipped(parts | {"content.xml": found})


def xlsx(rows: list[list[str]]) -> bytes:
    """Return a workbook."""
    file = io.BytesIO()
    with pytest.importorskip("xlsxwriter").Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    return file.getvalue()


@pytest.mark.parametrize("kind", [long_ones, pytest.param(large_ones, marks=pytest.mark.long)])
def test_long_files(kind: Callable[[], Iterator[Awkward]], tmp_path: Path) -> None:
    for i, case in enumerate(kind()):
        assert wrong(case, tmp_path / str(i)) == "", case.name


@pytest.mark.parametrize("error", ["#REF!", "#DIV/0!", "#NAME?", "Err:508"])
def test_a_cell_of_a_csv_file_that_shows_an_error_is_refused(error: str, tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text(f"test,a,b\nt,1,2\nu,{error},2\n")
    with pytest.raises(GameError, match=re.escape(f"line 3 cell 2: the error {error}; correct it")):
        table_of(tmp_path / "some.csv", "")
    (tmp_path / "some.csv").write_text("test,a,b\nt,#1,#N/A\nu,x#REF!,2\n")
    assert len(table_of(tmp_path / "some.csv", "").rows) == 3


def test_a_plain_file_loads_its_own_reader_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("t,ä\nx,ö\n", "utf-8")
    code = "from guesstree.engine.sheets import read_sheet; read_sheet(sys.argv[1])"
    code = f"import sys; {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, timeout=60)
    modules = set(done.stdout.split())
    assert "guesstree.engine.sheets.separated" in modules, done.stderr
    assert not modules & {"chardet", "python_calamine", "xml.etree", "guesstree.engine.sheets.delta"}
