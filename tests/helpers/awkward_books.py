"""Awkward workbooks: formulas, errors, dates, merged cells, several sheets, zip bombs, broken files."""

import io
import re
import struct
import zipfile
from collections.abc import Iterator
from html import escape

from awkward import Awkward, Rows, read, refused
from workbooks import (
    MAIN,
    Raw,
    ods,
    ods_cell,
    ods_of,
    ods_row,
    xlsx,
    xlsx_parts,
    xlsx_sheet,
    zipped,
)

PLAIN: Rows = [["t", "a", "b"], ["x", "1", "2"], ["y", "3", "4"]]
CELLS: list[list[object]] = [["t", "a", "b"], ["x", 1, 2.0], ["y", "3", 4]]
SHEET = xlsx_sheet(CELLS)
EMPTY = "<table:table-cell {}/>"


def _with(value: object, row: int = 2, column: int = 2) -> list[list[object]]:
    """Return the cells with one of them, the last if nothing is said, replaced."""
    cells = [list(row) for row in CELLS]
    cells[row][column] = value
    return cells


def _then(text: str) -> Rows:
    """Return the table with its last cell replaced."""
    return [PLAIN[0], PLAIN[1], ["y", "3", text]]


def books() -> Iterator[Awkward]:
    """Yield all awkward workbooks."""
    yield from _values()
    yield from _merged()
    yield from _sheets()
    yield from _stranger()
    yield from _open()
    yield from _broken()
    yield from _looks()


def _values() -> Iterator[Awkward]:
    name = "t.xlsx"
    yield read("a plain workbook", name, xlsx(CELLS), PLAIN)
    for value, text in (
        (0.1 + 0.2, "0.3"),
        (2 / 3, "0.666666666666667"),
        (1e-5, "0.00001"),
        (1e17, "100000000000000000"),
        (-0.5, "-0.5"),
        (True, "TRUE"),
        (False, "FALSE"),
        ("=1+2", "=1+2"),
        ("3/4", "3/4"),
        ("two\nlines", "two lines"),
        (" spaces ", "spaces"),
        ("<b>&amp;", "<b>&amp;"),
        ("naïve", "naïve"),
        (None, ""),
    ):
        yield read(f"a cell {value!r} in a workbook", name, xlsx(_with(value)), _then(text))
    for called, cell, text in (
        ("a formula with its value", '<c r="{at}"><f>A1</f><v>7</v></c>', "7"),
        ("a formula of a text", '<c r="{at}" t="str"><f>A1</f><v>seven</v></c>', "seven"),
        ("a formula of an empty text", '<c r="{at}" t="str"><f>A1</f><v></v></c>', ""),
        (
            "a text in pieces",
            '<c r="{at}" t="inlineStr"><is><r><t xml:space="preserve">in </t></r><r><t>bits</t></r></is></c>',
            "in bits",
        ),
        ("a percentage", '<c r="{at}" s="9"><v>0.05</v></c>', "0.05"),
        ("a cell with a style alone", '<c r="{at}" s="1"/>', ""),
    ):
        yield read(called, name, xlsx(_with(Raw(cell))), _then(text))
    for called, cell, words in (
        (
            "a formula without its value",
            '<c r="{at}"><f>A1</f><v></v></c>',
            ("C3", "formula without", "save it"),
        ),
        ("a formula with nothing", '<c r="{at}"><f>A1</f></c>', ("C3", "formula without", "save it")),
        ("an error", '<c r="{at}" t="e"><v>#REF!</v></c>', ("C3", "#REF!", "correct it")),
        (
            "an error of a formula",
            '<c r="{at}" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
            ("C3", "#DIV/0!", "correct it"),
        ),
        ("a date among numbers", '<c r="{at}" s="1"><v>45385</v></c>', ("C3", "2024-04-03", "as text")),
        ("a time among numbers", '<c r="{at}" s="2"><v>0.125</v></c>', ("C3", "03:00", "as text")),
        ("a date in ISO form", '<c r="{at}" t="d"><v>2024-04-03</v></c>', ("C3", "2024-04-03", "as text")),
        (
            "a control character in a workbook",
            '<c r="{at}" t="inlineStr"><is><t>_x001B_[2J</t></is></c>',
            ("row 3",),
        ),
    ):
        yield refused(called, name, xlsx(_with(Raw(cell))), "'Tests'", *words)
    dated = [Raw(f'<c r="{{at}}" s="1"><v>{day}</v></c>') for day in (45386, 45387)]
    dates: list[list[object]] = [["t", "a", "b"], ["t1", 1, dated[0]], ["t2", 2, dated[1]]]
    yield read(
        "a column of dates in a workbook",
        name,
        xlsx(dates),
        [PLAIN[0], ["t1", "1", "2024-04-04"], ["t2", "2", "2024-04-05"]],
        "2 dates",
    )


def _merged() -> Iterator[Awkward]:
    name = "t.xlsx"

    def merged(*refs: str) -> str:
        return "<mergeCells>" + "".join(f'<mergeCell ref="{ref}"/>' for ref in refs) + "</mergeCells>"

    yield read(
        "merged answers", name, xlsx(_with(None), merged("B3:C3")), _then("3"), "merged cells B3:C3 filled"
    )
    down: list[list[object]] = [["t", "a", "b"], ["x", 1, 2], ["y", None, 4]]
    yield read(
        "answers merged over rows",
        name,
        xlsx(down, merged("B2:B3")),
        [PLAIN[0], PLAIN[1], ["y", "1", "4"]],
        "B2:B3",
    )
    yield read(
        "a merged title", name, xlsx([["Lamps"], [], *CELLS], merged("A1:C1")), PLAIN, "'Lamps' left out"
    )
    yield read(
        "a title merged over rows", name, xlsx([["Lamps"], [], *CELLS], merged("A1:C2")), PLAIN, "'Lamps'"
    )
    yield read(
        "a note below in a workbook", name, xlsx([*CELLS, [], ["by Smith"]]), PLAIN, "'by Smith' left out"
    )
    yield read(
        "a table away from the corner", name, xlsx([[], [], *([None, None, *row] for row in CELLS)]), PLAIN
    )
    yield refused(
        "merged labels of tests", name, xlsx(_with(None, 2, 0), merged("A2:A3")), "row 3", "repeated"
    )
    yield refused(
        "merged labels of causes", name, xlsx(_with(None, 0, 2), merged("B1:C1")), "row 1", "repeated"
    )
    yield read("merged cells far beyond the table", name, xlsx(CELLS, merged("A100000:XFD200000")), PLAIN)


def _sheets() -> Iterator[Awkward]:
    name, empty = "t.xlsx", xlsx_sheet([])
    other = xlsx_sheet([["u", "c"], ["z", 5]])
    two = zipped(xlsx_parts({"Tests": SHEET, "Costs & more": other}))
    yield read("two sheets", name, two, PLAIN, "sheet 'Tests'")
    yield read("a sheet by its name", name, two, [["u", "c"], ["z", "5"]], sheet="Costs & more")
    yield refused("a sheet that is not there", name, two, "unknown sheet 'Tets'", "'Tests'", sheet="Tets")
    yield refused("a sheet of a CSV file", "t.csv", "t,a\nx,1\n", "no sheets", sheet="Tests")
    yield read(
        "empty sheets before", name, zipped(xlsx_parts({"1": empty, "2": empty, "Tests": SHEET})), PLAIN
    )
    hidden = xlsx_parts({"Lists": other, "Tests": SHEET}, {"Lists": "hidden"})
    yield read("a hidden sheet before", name, zipped(hidden), PLAIN, "sheet 'Tests' of 2, 1 of them hidden")
    lists = [["u", "c"], ["z", "5"]]
    yield read(
        "a hidden sheet by its name", name, zipped(hidden), lists, "hidden sheet 'Lists'", sheet="Lists"
    )
    veiled = zipped(xlsx_parts({"T": SHEET}, {"T": "veryHidden"}))
    yield read("one sheet, very hidden", name, veiled, PLAIN, "hidden sheet 'T'")
    yield refused(
        "no filled sheet", name, zipped(xlsx_parts({"1": empty, "2": empty})), "no sheet has filled cells"
    )
    yield read("a protected sheet", name, xlsx(CELLS, '<sheetProtection sheet="1" password="CC1A"/>'), PLAIN)
    yield read("a workbook called .csv", "t.csv", xlsx(CELLS), PLAIN)
    yield read("a workbook called .ods", "t.ods", xlsx(CELLS), PLAIN)
    yield read("CSV called .xlsx", "t.xlsx", "t,a,b\nx,1,2\ny,3,4\n", PLAIN)
    yield read("a workbook without an ending", "table", xlsx(CELLS), PLAIN)


def _stranger() -> Iterator[Awkward]:
    name = "t.xlsx"
    strings = ["t", "a", "b", "x", "y"]
    shared = [
        [
            Raw(f'<c r="{{at}}" t="s"><v>{strings.index(cell)}</v></c>') if cell in strings else int(cell)
            for cell in row
        ]
        for row in PLAIN
    ]
    yield read(
        "shared strings", name, zipped(xlsx_parts({"Tests": xlsx_sheet(shared)}, strings=strings)), PLAIN
    )
    styled = '<row r="900000"><c r="XFD900000" s="1"/></row></sheetData>'
    yield read(
        "a style far away", name, zipped(xlsx_parts({"T": SHEET.replace("</sheetData>", styled)})), PLAIN
    )
    far = '<row r="900000"><c r="XFD900000"><v>1</v></c></row></sheetData>'
    yield refused(
        "a cell far away",
        name,
        zipped(xlsx_parts({"T": SHEET.replace("</sheetData>", far)})),
        "XFD900000",
        "at most 4,000,000",
    )
    hidden = SHEET.replace('<row r="2">', '<row r="2" hidden="1">')
    yield read(
        "a hidden row", name, zipped(xlsx_parts({"T": hidden})), PLAIN, "hidden row 2 read all the same"
    )
    single = SHEET.replace('"', "'")
    yield read("single quotation marks in XML", name, zipped(xlsx_parts({"T": single})), PLAIN)
    prefixed = SHEET.replace("<", "<x:").replace("<x:/", "</x:").replace("xmlns=", "xmlns:x=")
    yield read("names of XML with a prefix", name, zipped(xlsx_parts({"T": prefixed})), PLAIN)
    bare = re.sub(r' r="[A-Z]?[0-9]"', "", SHEET)
    yield read("cells without their places", name, zipped(xlsx_parts({"T": bare})), PLAIN)
    comment = SHEET.replace('<row r="2">', '<row r="2"><!-- <c t=" -->')
    yield refused("a comment in the XML", name, zipped(xlsx_parts({"T": comment})), "no spreadsheet writes")
    long = xlsx_sheet([["t", "a"], *([Raw('<c r="{at}" t="s"><v>0</v></c>')] * 2 for _ in range(1100))])
    bomb = zipped(xlsx_parts({"T": long}, strings=["a" * 10**6]))
    yield refused("one long text in 2,200 cells", name, bomb, "MB of text", "shorter")


def _open() -> Iterator[Awkward]:
    name = "t.ods"
    yield read("a plain .ods", name, ods(CELLS), PLAIN)
    yield read("an .ods called .xlsx", "t.xlsx", ods(CELLS), PLAIN)
    blank = ods_row(
        [Raw(EMPTY.format('table:number-columns-repeated="16384"'))], 'table:number-rows-repeated="1048570"'
    )
    yield read("a million empty rows", name, ods(CELLS, blank), PLAIN)
    rows = ods_row(["t", "a", "b"]) + ods_row(["x", Raw(ods_cell(1, 'table:number-columns-repeated="2"'))])
    yield read("repeated cells", name, ods_of({"Tests": rows}), [PLAIN[0], ["x", "1", "1"]])
    many = ods_row(
        ["x", Raw(ods_cell("1", 'table:number-columns-repeated="16000"'))],
        'table:number-rows-repeated="1000000"',
    )
    yield refused("cells repeated to a bomb", name, ods_of({"Tests": many}), "at most 4,000,000 cells")
    veiled = many.replace("table:number-rows", 'x="> a" table:number-rows')
    yield refused("a bomb behind a bracket", name, ods_of({"Tests": veiled}), "at most 4,000,000 cells")
    text = Raw(ods_cell("a" * 50_000, 'table:number-columns-repeated="1000"'))
    yield refused(
        "a text repeated to a bomb",
        name,
        ods_of({"T": ods_row(["x", text], 'table:number-rows-repeated="100"')}),
        "MB of text",
    )
    wrong = ods_cell("#REF!", 'calcext:value-type="error" table:formula="of:=A0"')
    yield refused("an error in .ods", name, ods(_with(Raw(wrong))), "C3", "#REF!", "correct it")
    yield refused(
        "a formula without its value in .ods",
        name,
        ods(_with(Raw('<table:table-cell table:formula="of:=A1"/>'))),
        "C3",
        "formula without",
    )
    date = ods_cell("3 Apr").replace('="string"', '="date" office:date-value="2024-04-03"')
    yield refused("a date in .ods", name, ods(_with(Raw(date))), "C3", "2024-04-03", "as text")
    spanned = Raw(
        ods_cell("3", 'table:number-columns-spanned="2" table:number-rows-spanned="1"')
        + "<table:covered-table-cell/>"
    )
    yield read(
        "merged answers in .ods",
        name,
        ods([*CELLS[:2], ["y", spanned]]),
        _then("3"),
        "merged cells B3:C3 filled",
    )
    two = Raw(ods_cell("two lines").replace(" lines", "</text:p><text:p>lines"))
    yield read("two paragraphs in a cell", name, ods(_with(two)), _then("two lines"), "line breaks")
    sheets = {
        "Empty": "",
        "Tests": "".join(map(ods_row, CELLS)),
        "More": ods_row(["u", "c"]) + ods_row(["z", 5]),
    }
    yield read("two sheets in .ods", name, ods_of(sheets), PLAIN, "sheet 'Tests'")
    yield read("a sheet of .ods by its name", name, ods_of(sheets), [["u", "c"], ["z", "5"]], sheet="More")


def _broken() -> Iterator[Awkward]:
    name, whole = "t.xlsx", xlsx(CELLS)
    again = "save or copy it again"
    for cut in (4, 100, len(whole) // 2, len(whole) - 30):
        yield refused(
            f"the first {cut if cut < 200 else 'many'} bytes of {cut}", name, whole[:cut], "damaged", again
        )
    middle = whole.index(b"xl/worksheets/sheet1.xml") + 60
    yield refused(
        "a wrong byte inside", name, whole[:middle] + b"\xaa\x55" + whole[middle + 2 :], "damaged", again
    )
    yield refused("an honest zip bomb", name, _sized(whole, 600_000_000), "unpacks to", "at most 500 MB")
    yield refused("a zip bomb that lies", name, _sized(whole, 10), "damaged", again)
    parts = xlsx_parts({"Tests": SHEET})
    yield refused(
        "no part for the sheet",
        name,
        zipped({k: v for k, v in parts.items() if "sheet1" not in k}),
        "no sheet has filled",
    )
    yield refused(
        "no relations",
        name,
        zipped({k: v for k, v in parts.items() if "_rels/w" not in k}),
        "no part",
        "save it again",
    )
    yield refused(
        "broken XML", name, zipped({**parts, "xl/worksheets/sheet1.xml": SHEET[:150]}), "damaged", "again"
    )
    twice = io.BytesIO(whole)
    with zipfile.ZipFile(twice, "a") as package:
        package.writestr("xl/workbook.xml ", "")
        package.infolist()[-1].filename = "xl/workbook.xml"
    yield refused("a part twice", name, twice.getvalue(), "two parts", "save it again")
    kinds = {"[Content_Types].xml": "", "word/document.xml": "<w/>"}
    yield refused("a .docx called .xlsx", name, zipped(kinds), ".docx", "spreadsheet")
    yield refused("a .pptx", "t.pptx", zipped({"ppt/presentation.xml": ""}), ".pptx", "spreadsheet")
    yield refused("a .numbers", "t.numbers", zipped({"Index/Document.iwa": ""}), "Numbers", "export it")
    yield refused("an .xlsb", "t.xlsb", zipped({"xl/workbook.bin": b"\0"}), ".xlsb", ".xlsx")
    odt = "application/vnd.oasis.opendocument.text"
    yield refused("an .odt", "t.odt", zipped({"mimetype": odt, "content.xml": ""}), "no spreadsheet")
    yield refused("CSV in a zip", "t.zip", zipped({"t.csv": "t,a\nx,1\n"}), "zip file", "unpack")
    entities = '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + SHEET.replace("<v>1</v>", "<v>&a;</v>")
    yield refused(
        "entities in a workbook",
        name,
        zipped({**parts, "xl/worksheets/sheet1.xml": entities}),
        "no spreadsheet writes",
    )
    half = ods(CELLS)
    with zipfile.ZipFile(io.BytesIO(half)) as package:
        content = package.read("content.xml").replace(b"</table:table>", b"")
        kind = package.read("mimetype")
    yield refused(
        "a table of .ods that does not end",
        "t.ods",
        zipped({"mimetype": kind, "content.xml": content}),
        "damaged",
    )
    old = f'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>{MAIN[:0]}'
    yield refused("XML of an old spreadsheet", "t.xml", old, "'Workbook'", "CSV")


def _looks() -> Iterator[Awkward]:
    """Yield what is not shown, and what is shown otherwise than as a number."""
    name, parts = "t.xlsx", xlsx_parts({"T": SHEET})
    columns = '<cols><col min="2" max="2" hidden="1"/></cols><sheetData>'
    filtered = SHEET.replace('<row r="3">', '<row r="3" hidden="1">').replace(
        "</worksheet>", '<autoFilter ref="A1:C3"><filterColumn colId="0"/></autoFilter></worksheet>'
    )
    for called, sheet, said in (
        ("a hidden column", SHEET.replace("<sheetData>", columns), "hidden column B read all the same"),
        ("a filtered row", filtered, "filtered row 3 read all the same"),
    ):
        yield read(called, name, zipped({**parts, "xl/worksheets/sheet1.xml": sheet}), PLAIN, said)

    def shown(value: float, code: str) -> bytes:
        """Return the workbook with a number that has a format of its own."""
        styles = (
            f'<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="164" '
            f'formatCode="{escape(code)}"/></numFmts>'
            '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>'
        )
        sheet = xlsx_sheet(_with(Raw(f'<c r="{{at}}" s="1"><v>{value}</v></c>')))
        return zipped({**parts, "xl/styles.xml": styles, "xl/worksheets/sheet1.xml": sheet})

    answers = '[=1]"yes";[=0]"no"'
    for value, code, text in (
        (1, answers, "yes"),
        (0, answers, "no"),
        (0, '"on";"under";"off"', "off"),
        (-3, '0 "up";0 "down"', "3 down"),
        (5, '0 "min"', "5 min"),
        (7.25, '[Red]"about "#,##0.0\\ \\h', "about 7.25 h"),
    ):
        said = "1 numbers read as they are shown" if text else ""
        yield read(f"{value} shown as {text!r}", name, shown(value, code), _then(text), said)
    for value, code in ((5, '#,##0.00 "€"'), (5, "0.00%"), (5, '"up "0;0'), (5, "[$EUR] 0")):
        text = "up 5" if "up" in code else "5"
        yield read(f"a number in the format {code}", name, shown(value, code), _then(text))
    for value, code in ((1500, '0.0,"k"'), (2, answers), (5, '[>9]0;"b";"c"'), (0.5, '0%" of all"')):
        yield refused(
            f"{value} in the format {code}", name, shown(value, code), "C3", "with words", "as a number"
        )
    cell = ods_cell(5).replace(">5<", ">5,00 min<")
    yield read(
        "a number with a word in .ods", "t.ods", ods(_with(Raw(cell))), _then("5 min"), "1 numbers read"
    )
    cell = ods_cell(1).replace(">1<", ">yes<")
    yield read(
        "a number shown as a word in .ods", "t.ods", ods(_with(Raw(cell))), _then("yes"), "as they are"
    )
    cell = ods_cell(1e-05).replace(">1e-05<", ">1E-05<")
    yield read("a small number in .ods", "t.ods", ods(_with(Raw(cell))), _then("0.00001"))
    cell = ods_cell(5).replace(">5<", ">5 of 7 min<")
    yield refused("a number among others in .ods", "t.ods", ods(_with(Raw(cell))), "C3", "with words")
    rows = ods_row(PLAIN[0]) + ods_row(PLAIN[1], 'table:visibility="filter"') + ods_row(PLAIN[2])
    column = '<table:table-column/><table:table-column table:visibility="collapse"/>'
    veiled = ods_of({"T": column + rows})
    yield read("a filtered row in .ods", "t.ods", veiled, PLAIN, "filtered row 2 read all the same")
    yield read("a hidden column in .ods", "t.ods", veiled, PLAIN, "hidden column B read all the same")


def _sized(data: bytes, size: int) -> bytes:
    """Return a zip file that says of the part of the sheet that it has some size."""
    place = data.rindex(b"xl/worksheets/sheet1.xml") - 46  # the entry of the directory at the end
    assert data[place : place + 4] == b"PK\x01\x02"
    return data[: place + 24] + struct.pack("<I", size) + data[place + 28 :]
