"""Awkward CSV files: encodings, separators, line ends, quotation marks, ragged rows, labels, dates."""

from collections.abc import Iterator

from awkward import Awkward, Rows, read, refused

TABLE: Rows = [
    ["test", "Müller", "b", "two words"],
    ["hum, loud", "yes", "no", "0,5"],
    ["look; listen", "ja | nein", "1", "é"],
]
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
ENDS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}
ENCODINGS = {
    "utf-8": (b"", ""),
    "utf-8 with a mark": (b"\xef\xbb\xbf", ""),
    "utf-16-le with a mark": (b"\xff\xfe", "UTF-16"),
    "utf-16-be with a mark": (b"\xfe\xff", "UTF-16"),
    "utf-16-le": (b"", "UTF-16"),
    "utf-32-le with a mark": (b"\xff\xfe\0\0", "UTF-32"),
    "windows-1252": (b"", "Windows-1252 ('Müller')"),
}
WORDS = {
    "windows-1250": ("Windows-1250", ["gatunek", "liść"], ["dąb", "żółty"], ["łąka", "krótki"]),
    "windows-1251": ("Windows-1251", ["вид", "лист"], ["бук", "зелёный"], ["дуб", "длинный"]),
    "windows-1253": ("Windows-1253", ["είδος", "φύλλο"], ["οξιά", "πράσινο"], ["δρυς", "λευκό"]),
    "windows-1254": ("Windows-1254", ["tür", "çiçek"], ["gürgen", "yeşil"], ["meşe", "uçuk"]),
    "koi8-r": ("KOI8-R", ["вид", "лист"], ["бук", "зелёный"], ["дуб", "длинный"]),
    "mac-roman": ("MacRoman", ["espèce", "pétales"], ["violette", "blanchâtre"], ["été", "fleurs"]),
    "cp437": ("cp437", ["espèce", "pétales"], ["violette", "blanche"], ["été", "fleurs"]),
    "cp932": ("CP932", ["種類", "葉"], ["ブナ", "緑"], ["ナラ", "青い"]),
    "gb18030": ("GB18030", ["种类", "叶"], ["山毛榉", "绿色"], ["橡树", "黄色"]),
    "big5": ("Big5", ["種類", "葉"], ["山毛櫸", "綠色"], ["橡樹", "黃色"]),
}
PLAIN: Rows = [["t", "a", "b"], ["x", "1", "2"], ["y", "3", "4"]]
CSV = "t,a,b\nx,1,2\ny,3,4\n"


def joined(rows: Rows, separator: str = ",", end: str = "\n") -> str:
    """Return rows as CSV, with quotation marks where a cell needs them."""
    return "".join(
        separator.join(f'"{cell}"' if separator in cell else cell for cell in row) + end for row in rows
    )


def texts() -> Iterator[Awkward]:
    """Yield all awkward CSV files."""
    yield from _encodings()
    yield from _shapes()
    yield from _quotes()
    yield from _cells()
    yield from _labels()
    yield from _broken()


def _encodings() -> Iterator[Awkward]:
    for name, (mark, said) in ENCODINGS.items():
        for separator, called in SEPARATORS.items():
            for end, ended in ENDS.items():
                data = mark + joined(TABLE, separator, end).encode(name.removesuffix(" with a mark"))
                words = ([said] if said else []) + ([f"{called}s"] if separator != "," else [])
                yield read(f"{name}, {called}, {ended}", "table.csv", data, TABLE, *words)
    for name, (said, *rows) in WORDS.items():
        yield read(
            f"{name} by its words", "table.csv", joined(rows, ";").encode(name), rows, said, "semicolons"
        )
    yield read("UTF-16 without a mark, big ends first", "t.csv", CSV.encode("utf-16-be"), PLAIN, "UTF-16")
    yield read(
        "UTF-16 with sep=;", "t.csv", "sep=;\r\nt;a\r\nx;1\r\n".encode("utf-16"), [["t", "a"], ["x", "1"]]
    )
    yield refused(
        "UTF-8 with a wrong byte", "t.csv", "t,ä,ö\nx,ü,\xdf\n".encode() + b"y,\xff,2\n", "line 3", "UTF-8"
    )
    yield refused("half a letter of UTF-16", "t.csv", CSV.encode("utf-16")[:-1], "line", "not UTF-16", "save")
    yield refused(
        "a lone surrogate", "t.csv", b"\xff\xfet\0,\0a\0\n\0x\0,\0\0\xd8\n\0", "line 2", "not UTF-16"
    )
    yield refused("bytes that are no text", "t.csv", b"t,a\nx,\xff\0\xfe\n", "line 2", "no text", "UTF-8")


def _shapes() -> Iterator[Awkward]:
    name = "t.csv"
    yield read("trailing separators on each line", name, CSV.replace("\n", ",,,\n"), PLAIN)
    yield read("trailing separators on one line", name, CSV.replace("1,2", "1,2,,"), PLAIN)
    yield read("a column of spaces at the end", name, CSV.replace("\n", ", \n"), PLAIN)
    yield read(
        "a cause called like the corner",
        name,
        "t,t,b\nx,u,v\ny,w,z\n",
        [["t", "t", "b"], ["x", "u", "v"], ["y", "w", "z"]],
    )
    guarded = "t,'=a,''+b\nx,'-,'q'\ny,'@,'\n"
    yield read(
        "formulas behind apostrophes", name, guarded, [["t", "=a", "'+b"], ["x", "-", "'q'"], ["y", "@", "'"]]
    )
    yield read("blank lines", name, "\n\n" + CSV.replace("\n", "\n\n \n,,\n"), PLAIN)
    yield read("no line end at the end", name, CSV.rstrip(), PLAIN)
    yield read("mixed line ends", name, "t,a,b\r\nx,1,2\ny,3,4\r", PLAIN)
    yield read(
        "an empty column on the left",
        name,
        CSV.replace("t,", ",t,").replace("\nx", "\n,x").replace("\ny", "\n,y"),
        PLAIN,
    )
    yield read("spaces around cells", name, " t , a,b\u00a0\n x , 1 ,\u00a02\ny,3,4\n", PLAIN)
    yield read("sep=; on the first line", name, "sep=;\n" + CSV.replace(",", ";"), PLAIN, "semicolons")
    yield read("sep=# on the first line", name, "sep=#\n" + CSV.replace(",", "#"), PLAIN, "separator '#'")
    yield read('"sep=;" in quotation marks', name, '"sep=;"\n' + CSV.replace(",", ";"), PLAIN)
    yield read(
        "decimal commas",
        name,
        "t;a;b\nx;0,5;1,5\ny;2,5;1\n",
        [["t", "a", "b"], ["x", "0,5", "1,5"], ["y", "2,5", "1"]],
    )
    yield read(
        "commas in all labels, tabs between",
        name,
        "t\tA, b\nx, y\t1\n",
        [["t", "A, b"], ["x, y", "1"]],
        "tabs",
    )
    yield read(
        "semicolons in one cell",
        name,
        CSV.replace("1", "1; 3; 5"),
        [["t", "a", "b"], ["x", "1; 3; 5", "2"], ["y", "3", "4"]],
    )
    yield read("a title above", name, "Faults of lamps\n\n" + CSV, PLAIN, "'Faults of lamps' left out")
    yield read(
        "a title with a comma at its end", name, "Lamps,,\nas of May,,\n" + CSV, PLAIN, "'as of May' left out"
    )
    yield read("a note below", name, CSV + "\nSource: Smith\n", PLAIN, "'Source: Smith' left out")
    yield read(
        "a title above an indented table", name, "Lamps\n" + ",t,a,b\n,x,1,2\n,y,3,4\n", PLAIN, "'Lamps'"
    )
    yield read("a test of which nothing is known", name, CSV + "z,,\n", [*PLAIN, ["z", "", ""]])
    yield read("no label in the corner", name, CSV[1:], [["", "a", "b"], *PLAIN[1:]])
    yield read("one cause", name, ",a\nx,1\ny,2\n", [["", "a"], ["x", "1"], ["y", "2"]])
    yield refused("an empty file", name, "", "expected a first row")
    yield refused("a mark and nothing else", name, b"\xef\xbb\xbf", "expected a first row")
    yield refused("separators alone", name, ",,,\n,,,\n", "expected a first row")
    yield refused("one line", name, "t,a,b\n", "then one row for each")
    yield refused("one column", name, "t\nx\ny\n", "expected a first row")
    yield refused("a row too short", name, CSV + "z,5\n", "line 4", "2 cells; expected 3")
    yield refused("a row too long", name, CSV.replace("1,2", "1,2,3"), "line 2", "4 cells; expected 3")
    yield refused("a cause without a label", name, CSV.replace("t,a", "t,"), "line 1", "no label")
    yield refused("a test without a label", name, CSV.replace("x,", ","), "line 2", "no label")
    wide = [["t", *(f"c{i}" for i in range(2000))], ["x", *(str(i % 7) for i in range(2000))]]
    yield read("2,000 columns", name, joined(wide), wide)
    high = [["t", "a"], *([f"t{i}", str(i % 7)] for i in range(5000))]
    yield read("5,000 rows", name, joined(high, ";"), high, "semicolons")


def _quotes() -> Iterator[Awkward]:
    name = "t.csv"
    broken = "line breaks inside cells read as spaces"
    for end, called in ENDS.items():
        data = CSV.replace("1", f'"1{end}or{end}{end}3"').replace("\n", end if end == "\r\n" else "\n")
        yield read(
            f"{called} inside quotation marks",
            name,
            data,
            [["t", "a", "b"], ["x", "1 or 3", "2"], PLAIN[2]],
            broken,
        )
    yield read(
        "a tab inside quotation marks",
        name,
        CSV.replace("1", '"1\t3"'),
        [["t", "a", "b"], ["x", "1 3", "2"], PLAIN[2]],
        broken,
    )
    yield read(
        "all cells in quotation marks",
        name,
        '"t";"a";"b"\n"x";"1";"2"\n"y";"3";""\n',
        [*PLAIN[:2], ["y", "3", ""]],
    )
    yield read(
        "doubled quotation marks",
        name,
        CSV.replace("x", '"5"" pipe, ""new"""'),
        [PLAIN[0], ['5" pipe, "new"', "1", "2"], PLAIN[2]],
    )
    yield read(
        "a quotation mark inside a cell",
        name,
        CSV.replace("x", '5" pipe'),
        [PLAIN[0], ['5" pipe', "1", "2"], PLAIN[2]],
    )
    yield read(
        "single quotation marks", name, CSV.replace("x", "'x'"), [PLAIN[0], ["'x'", "1", "2"], PLAIN[2]]
    )
    yield read(
        "a space before quotation marks",
        name,
        CSV.replace("1", ' "1, 3"'),
        [PLAIN[0], ["x", "1, 3", "2"], PLAIN[2]],
    )
    yield read("a first cell of two lines", name, '"t\nests",a\nx,1\n', [["t ests", "a"], ["x", "1"]], broken)
    yield refused("a quotation mark left open", name, CSV.replace("1", '"1'), "line 2", "not closed")
    yield refused("text after quotation marks", name, CSV.replace("1", '"1"3'), "line 2", "doubled")
    yield refused(
        "a row too short after a cell of two lines", name, 't,a,b\nx,"1\n1",2\ny,3\n', "line 4", "2 cells"
    )


def _cells() -> Iterator[Awkward]:
    name = "t.csv"
    for text in ("3-Apr", "03. Apr", "Apr 03", "1-Mai", "2-févr.", "Jan-02", "4. Mrz"):
        yield refused(
            f"a date made of 3 over 4, {text}",
            name,
            CSV.replace("4", text),
            "line 3 cell 3",
            text,
            "write that",
        )
    dates = [["t", "a", "b"], ["x", "1", "3-Apr"], ["y", "3", "9-May"]]
    yield read("a column of dates", name, joined(dates), dates, "2 dates or times, such as '3-Apr'")
    across = [["t", "3-Apr", "9-May"], *PLAIN[1:]]
    yield read("dates as labels", name, joined(across), across, "2 dates or times")
    for text in (
        "=cmd|' /C calc'!A0",
        "@SUM(A1)",
        "+1",
        "-1",
        "=1+2",
        "1E5",
        "0x10",
        "NaN",
        "NULL",
        "TRUE",
        "#N/A",
    ):
        rows = [PLAIN[0], ["x", text, "2"], PLAIN[2]]
        yield read(f"a cell {text}", name, joined(rows), rows)
    for sign, called in (
        ("\0", "NUL"),
        ("\x1b[2J", "an escape"),
        ("\x07", "a bell"),
        ("\u2028", "a line separator"),
    ):
        yield refused(
            f"{called} in a cell", name, CSV.replace("3", f"3{sign}4"), "line 3", "control character"
        )
    yield refused("a cell of 200,000 characters", name, CSV.replace("1", "1" * 200_000), "line 2", "131,072")


def _labels() -> Iterator[Awkward]:
    name = "t.csv"
    unseen = "characters without a shape left out"
    for text in (
        "<script>alert(1)</script>",
        "&amp; &lt;b&gt;",
        "../../etc/passwd",
        "%s %n {0} {x}",
        "C:\\new\\table",
        "\U0001f600 \U0001f469\u200d\U0001f52c",
        "שלום",
        "مرحبا",
        "$(rm -rf .)",
        "a" * 10_000,
        "∞ ≠ µ Ω",
        "\\N",
    ):
        yield read(f"a label {text[:30]}", name, CSV.replace("a", text), [["t", text, "b"], *PLAIN[1:]])
    yield read(
        "a label that turns its letters",
        name,
        CSV.replace("a", "a\u202ec"),
        [["t", "ac", "b"], *PLAIN[1:]],
        unseen,
    )
    yield read(
        "a label with a space of no width",
        name,
        CSV.replace("a", "a\u200bc"),
        [["t", "ac", "b"], *PLAIN[1:]],
        unseen,
    )
    yield read(
        "a label with a soft hyphen",
        name,
        CSV.replace("a", "a\u00adc"),
        [["t", "ac", "b"], *PLAIN[1:]],
        unseen,
    )
    yield read(
        "a letter and its accent apart", name, CSV.replace("a", "e\u0301"), [["t", "é", "b"], *PLAIN[1:]]
    )
    yield read("a mark in the middle", name, CSV.replace("a", "\ufeffa"), PLAIN)
    yield refused(
        "equal labels but for how accents are stored",
        name,
        CSV.replace("a", "é").replace("b", "e\u0301"),
        "line 1",
        "repeated",
    )
    yield refused("equal labels but for spaces", name, CSV.replace("b", " a "), "line 1", "repeated")
    yield refused("equal labels of tests", name, CSV.replace("y", "x"), "line 3", "repeated")
    yield refused(
        "a control character in a label", name, CSV.replace("a", "a\x08"), "line 1", "control character"
    )


def _broken() -> Iterator[Awkward]:
    for called, data, words in (
        ("a PDF", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", ("a PDF", "spreadsheet")),
        ("a PNG", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ("a picture", "type")),
        ("a JPEG", b"\xff\xd8\xff\xe0\0\x10JFIF\0", ("a picture", "type")),
        ("a GIF", b"GIF89a\x01\0\x01\0", ("a picture", "type")),
        ("an RTF", rb"{\rtf1\ansi t,a\par}", ("RTF", "spreadsheet")),
        ("a gzip", b"\x1f\x8b\x08\0\0\0\0\0", ("packed", "unpack")),
        ("a 7z", b"7z\xbc\xaf\x27\x1c\0\x04", ("packed", "unpack")),
        ("a RAR", b"Rar!\x1a\x07\x01\0", ("packed", "unpack")),
        ("a database", b"SQLite format 3\0\x10\0", ("database", "export")),
        ("a parquet file", b"PAR1\x15\x04\x15\x10", ("data frames", "pandas")),
        ("a program", b"\x7fELF\x02\x01\x01\0", ("a program",)),
        ("a web page", b"<html><table><tr><td>t</td></tr></table></html>", ("web page", "spreadsheet")),
        ("a web page with a type", b"\n<!DOCTYPE HTML><p>", ("web page", "spreadsheet")),
        ("JSON", b'{"secrets": ["a"]}', ("JSON", "CSV")),
        ("a NEXUS file", b"#NEXUS\nBEGIN DATA;\n", ("NEXUS", "CSV")),
        ("an old workbook", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, (".xls", ".xlsx or CSV")),
        (
            "a workbook with a password",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0" + "EncryptedPackage".encode("utf-16-le"),
            ("a password", "without"),
        ),
    ):
        yield refused(f"{called} called .csv", "t.csv", data, *words)
