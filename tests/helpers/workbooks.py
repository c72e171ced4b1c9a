"""Workbooks made part by part, so that they can hold what no spreadsheet would write."""

import io
import zipfile
from collections.abc import Iterable, Mapping
from html import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OPEN = "urn:oasis:names:tc:opendocument:xmlns:"


class Raw(str):
    """XML of a cell, as it is; ``{at}`` is its name."""


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip file of parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, text)
    return file.getvalue()


def at(row: int, column: int) -> str:
    """Return the name of a cell by its row and column from 0; of the first 26 columns."""
    return f"{chr(65 + column)}{row + 1}"


def xlsx_cell(place: str, value: object) -> str:
    """Return the XML of a cell."""
    if isinstance(value, Raw):
        return value.replace("{at}", place)
    if value is None:
        return ""
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value!r}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>'


def xlsx_sheet(rows: Iterable[Iterable[object]], end: str = "") -> str:
    """Return the part of a sheet; `end` comes after its cells."""
    body = "".join(
        f'<row r="{i + 1}">' + "".join(xlsx_cell(at(i, j), value) for j, value in enumerate(row)) + "</row>"
        for i, row in enumerate(rows)
    )
    return f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData>{end}</worksheet>'


def xlsx_parts(
    sheets: Mapping[str, str], hidden: Mapping[str, str] | None = None, strings: Iterable[str] = ()
) -> dict[str, str]:
    """Return the parts of a workbook with some sheets, with a style 1 for dates and 2 for times."""
    states = {name: f' state="{state}"' for name, state in (hidden or {}).items()}
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{i}"{states.get(name, "")} r:id="rId{i}"/>'
        for i, name in enumerate(sheets, 1)
    )
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kinds = [f"worksheets/sheet{i}.xml" for i in range(1, len(sheets) + 1)]
    relations = "".join(
        f'<Relationship Id="rId{i}" Type="{office}/worksheet" Target="{target}"/>'
        for i, target in enumerate(kinds, 1)
    )
    relations += f'<Relationship Id="rIdS" Type="{office}/styles" Target="styles.xml"/>'
    relations += f'<Relationship Id="rIdT" Type="{office}/sharedStrings" Target="sharedStrings.xml"/>'
    shared = "".join(f"<si><t>{text}</t></si>" for text in strings)
    formats = "".join(
        f'<xf numFmtId="{number}" fontId="0" fillId="0" borderId="0"/>' for number in (0, 14, 20)
    )
    return {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{office}">'
        f"<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">{relations}'
        "</Relationships>",
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs>{formats}</cellXfs></styleSheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{shared}</sst>',
        **{f"xl/{kind}": text for kind, text in zip(kinds, sheets.values(), strict=True)},
    }


def xlsx(rows: Iterable[Iterable[object]], end: str = "") -> bytes:
    """Return a workbook with one sheet, called Tests."""
    return zipped(xlsx_parts({"Tests": xlsx_sheet(rows, end)}))


def ods_cell(value: object, more: str = "") -> str:
    """Return the XML of a cell."""
    if isinstance(value, Raw):
        return value
    if value is None:
        return "<table:table-cell/>"
    kind, text = "string", f"<text:p>{escape(str(value))}</text:p>"
    if isinstance(value, int | float):
        kind = f'float" office:value="{value!r}'
    return f'<table:table-cell office:value-type="{kind}" {more}>{text}</table:table-cell>'


def ods_row(row: Iterable[object], more: str = "") -> str:
    """Return the XML of a row."""
    return f"<table:table-row {more}>{''.join(map(ods_cell, row))}</table:table-row>"


def ods(rows: Iterable[Iterable[object]], end: str = "") -> bytes:
    """Return an .ods file with one sheet, called Tests; `end` comes after its rows."""
    return ods_of({"Tests": "".join(map(ods_row, rows)) + end})


def ods_of(sheets: Mapping[str, str]) -> bytes:
    """Return an .ods file with some sheets, of the XML of their rows."""
    names = {"office": "office:1.0", "table": "table:1.0", "text": "text:1.0"}
    spaces = " ".join(f'xmlns:{name}="{_OPEN}{space}"' for name, space in names.items())
    spaces += ' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    tables = "".join(
        f'<table:table table:name="{name}">{rows}</table:table>' for name, rows in sheets.items()
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return zipped(
        {
            "mimetype": kind,
            "content.xml": f"<office:document-content {spaces}><office:body><office:spreadsheet>{tables}"
            "</office:spreadsheet></office:body></office:document-content>",
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{_OPEN}manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>',
        }
    )
