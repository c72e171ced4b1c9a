"""Read the awkward files of tests/helpers, and large ones: what is made of each, in how long.

usage: awkward_files.py [FOLDER]    (keeps the files there)
"""

import io
import resource
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from awkward import Awkward, refused
from awkward_books import books
from awkward_formats import formats
from awkward_text import texts
from workbooks import ods_of, ods_row, xlsx

from guesstree.engine.errors import GameError
from guesstree.engine.sheets import read_sheet


def large() -> Iterator[Awkward]:
    """Yield files of a million cells and more, and a zip bomb; they are only known to be read or refused."""
    for many, wide in ((1000, 1000), (100_000, 10), (10, 100_000)):
        rows = [["t", *(f"c{j}" for j in range(1, wide))]]
        rows += [[f"t{i}", *("yes" if (i * j) % 3 else "no" for j in range(1, wide))] for i in range(1, many)]
        csv = "\r\n".join(";".join(row) for row in rows)
        yield Awkward(f"CSV, {many:,} x {wide:,}", {"large.csv": csv.encode("utf-16")}, rows=rows)
        if wide <= 1000:
            names = [[f"{cell}" for cell in row] for row in rows]
            yield Awkward(
                f".ods, {many:,} x {wide:,}",
                {"large.ods": ods_of({"T": "".join(map(ods_row, names))})},
                rows=rows,
            )
        if wide == 10:
            yield Awkward(f".xlsx, {many:,} x {wide:,}", {"large.xlsx": xlsx(rows)}, rows=rows)
    huge = ("\n".join(["t,a,b,c"] + ["x,1,2,3"] * 1_100_000)).encode()
    yield refused("CSV of 4,400,000 cells", "huge.csv", huge, "4,000,000")
    yield refused("a file of 201 MB", "huge.csv", b"t,a\n" * (201_000_000 // 4), "200 MB")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/workbook.xml", b" " * 510_000_000)
    yield refused("a zip bomb of 510 MB", "bomb.xlsx", file.getvalue(), "unpacks to")


def outcome(case: Awkward, path: Path) -> str:
    """Return what is made of a file, in a few words; with WRONG in front where it is not as expected."""
    try:
        found = read_sheet(str(path), case.sheet)
    except GameError as error:
        line = str(error).replace(str(path), path.name)
        return line if case.rows is None else f"WRONG: {line}"
    right = case.rows is None or [row.cells for row in found.rows] == [list(row) for row in case.rows]
    words = f"{len(found.rows):,} rows of {len(found.rows[0].cells) if found.rows else 0:,}"
    return f"{'' if right else 'WRONG: '}{words}; {', '.join(found.said)}".rstrip("; ")


def main(folder: Path) -> None:
    """Print a line for each file: seconds, megabytes at most until then, what it is, what was made of it."""
    for i, case in enumerate([*texts(), *books(), *formats(), *large()]):
        path = case.write(folder / f"{i:03}")
        start = time.perf_counter()
        words = outcome(case, path)
        took = time.perf_counter() - start
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{took:6.2f} s {most:5} MB  {case.name}: {words}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made))
