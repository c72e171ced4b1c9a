"""Notes and pictures of a table: read from their lines, kept in strategy files, never fetched."""

import base64
import json
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

import guesstree
from guesstree.engine.errors import GameError
from guesstree.engine.registry import parse
from guesstree.engine.sheets import Placed, Sheet
from guesstree.engine.sheets.beside import MOST_PICTURE
from guesstree.engine.tables.canonical import canonical_form
from guesstree.engine.tables.options import How
from guesstree.engine.tables.reading import read_file, read_table

TREES = """species,leaf,fruit,opposite leaves?,notes,image
sessile oak,simple,acorn,no,common in hills,pictures/leaf.png
beech,simple,nut,no,,
ash,compound,winged,yes,buds are black,https://example.org/ash.jpg; pictures/leaf.png
rowan,compound,berry,no,,
notes,"look at a whole leaf, not at a leaflet",,two leaves at one node,,
image,pictures/leaf.png,,,,
"""


def png(width: int = 2, height: int = 2) -> bytes:
    """Return a green picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes((30, 140, 60)) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


PNG = "data:image/png;base64," + base64.b64encode(png()).decode()


@pytest.fixture
def trees(tmp_path: Path) -> Path:
    """Return the file of a table with notes and pictures."""
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "leaf.png").write_bytes(png())
    file = tmp_path / "trees.csv"
    file.write_text(TREES)
    return file


def test_lines_of_notes_and_pictures_are_no_tests_and_no_causes(trees: Path) -> None:
    game = parse(f"table:{trees}")
    assert list(game.secrets) == ["sessile oak", "beech", "ash", "rowan"]
    assert list(game.guesses) == ["leaf", "fruit", "opposite leaves?"]
    assert game.secret_remarks.notes == {"sessile oak": "common in hills", "ash": "buds are black"}
    assert game.guess_remarks.notes["opposite leaves?"] == "two leaves at one node"
    assert game.guess_remarks.images == {"leaf": (PNG,)}
    assert game.secret_remarks.images == {
        "sessile oak": (PNG,),
        "ash": ("https://example.org/ash.jpg", PNG),
    }


def test_they_stay_with_a_strategy_through_its_file(trees: Path) -> None:
    solution = guesstree.solve(f"table:{trees}")
    file = trees.with_name("key.json")
    solution.strategy.write(file)
    trees.unlink()
    again = guesstree.Strategy.read(file)
    assert again.check().valid
    for side in ("guess_remarks", "secret_remarks"):
        own, known = getattr(again.game, side), getattr(solution.strategy.game, side)
        assert (own.notes, own.images) == (known.notes, known.images)
    plain = trees.with_name("plain.csv")
    plain.write_text("test,a,b\nx,1,2\n")
    guesstree.solve(f"table:{plain}").strategy.write(file)
    assert not {"notes", "images"} & set(json.loads(file.read_text())["table"])


@pytest.mark.parametrize("options", ["", ",missing=any", ",cells=sets", ",merge"])
def test_they_are_of_the_kinds_whatever_the_table_becomes(options: str, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(
        "test,a,b,c,notes\nx,1,2,2,first a\ny,1,1,1,\nnotes,of a,of b,of c,\n".replace(
            "2,2", "2,3" if options != ",merge" else "2,2"
        )
    )
    game = parse(f"table:{file}{options}")
    assert game.guess_remarks.notes == {"x": "first a"}
    merged = {"a": "of a", "b|c": "b: of b; c: of c"}
    assert game.secret_remarks.notes == (
        merged if options == ",merge" else {"a": "of a", "b": "of b", "c": "of c"}
    )


def test_copies_of_a_test_have_its_note() -> None:
    data = {"swab": {"strep": "+", "virus": "-", "notes": "of the throat"}}
    game = guesstree.table(data, error=0.1, repeat=2, wrong=10)
    assert game.guess_remarks.notes == {"swab": "of the throat", "swab (2)": "of the throat"}


def test_the_canonical_form_keeps_them(trees: Path) -> None:
    found = read_file(str(trees))
    text, options = canonical_form(found.content)
    trees.write_text(text)
    again = read_file(f"{trees}{options}").content
    assert again == found.content
    assert (again.guess_remarks, again.secret_remarks) == (
        found.content.guess_remarks,
        found.content.secret_remarks,
    )


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        (["t,a,b", "notes,yes,no", "x,1,2"], ["notes", "x"]),  # answers to a test that is called so
        (["t,a,b", "image,sharp,blurred", "x,1,2"], ["image", "x"]),
        (["t,a,b", "notes?,is loud,is still", "x,1,2"], ["notes?", "x"]),
        (["t,a,b", "notes,is loud,is still", "x,1,2"], ["x"]),
        (["t,a,b", "Bemerkungen,is loud,", "x,1,2"], ["x"]),
    ],
)
def test_a_line_of_answers_is_a_test_whatever_it_is_called(rows: list[str], kept: list[str]) -> None:
    placed = [Placed(f"line {i}", row.split(",")) for i, row in enumerate(rows, 1)]
    found = read_table(Sheet("t.csv", placed, causes="columns"), How())
    assert list(found.content.guesses) == kept


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("../leaf.png", "is not beside the table"),
        ("/etc/leaf.png", "is not beside the table"),
        ("c:\\leaf.png", "is not beside the table"),
        ("..\\leaf.png", "is not beside the table"),
        ("text.png", "is of another kind than pages show; expected a PNG, JPEG, GIF or WebP"),
        ("drawing.svg", "is of another kind"),
        ("large.png", "has more than 2 MB"),
        ("http://example.org/a.png", "is no link https://"),
        ("data:image/svg+xml;base64,PHN2Zz4=", "is no link https://"),
        ('https://example.org/a"onload=.png', "is no link https://"),
    ],
)
def test_pictures_that_are_none_are_refused_with_their_line(cell: str, words: str, tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (tmp_path / "leaf.png").write_bytes(png())
    (folder / "text.png").write_text("no picture")
    (folder / "drawing.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "large.png").write_bytes(png() + bytes(MOST_PICTURE))
    quoted = cell.replace('"', '""')
    (folder / "t.csv").write_text(f'test,a,b,image\nx,1,2,"{quoted}"\ny,1,1,\n')
    with pytest.raises(GameError) as error:
        parse(f"table:{folder / 't.csv'}")
    assert words in str(error.value)
    assert "line 2" in str(error.value)
    assert "\n" not in str(error.value)


def test_pictures_that_are_not_there_are_left_out_and_said(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (tmp_path / "leaf.png").write_bytes(png())
    (folder / "out.png").symlink_to(tmp_path / "leaf.png")  # which leads out of the folder
    (folder / "t.csv").write_text("test,a,b,image\nx,1,2,gone.png\ny,1,1,out.png\n")
    found = read_file(str(folder / "t.csv"))
    assert found.said == ("2 pictures left out (not beside the table: 'gone.png', 'out.png')",)
    assert found.content.guess_remarks.images == {}
    assert found.content.guess_remarks.sources == {"x": "gone.png", "y": "out.png"}


def test_pictures_in_a_zip_are_found_there(tmp_path: Path) -> None:
    file = tmp_path / "trees.zip"
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("in/trees.csv", TREES)
        package.writestr("in/pictures/leaf.png", png())
        package.writestr("in/pictures/notes.txt.bak", "x")
    assert parse(f"table:{file}").guess_remarks.images == {"leaf": (PNG,)}


def test_all_pictures_together_are_limited(tmp_path: Path) -> None:
    many = 17
    for i in range(many):
        (tmp_path / f"{i}.png").write_bytes(png() + i.to_bytes(1, "big") * (MOST_PICTURE - 500))
    names = "; ".join(f"{i}.png" for i in range(many))
    (tmp_path / "t.csv").write_text(f"test,a,b,image\nx,1,2,{names}\n")
    with pytest.raises(GameError, match="more than 30 MB of pictures"):
        parse(f"table:{tmp_path / 't.csv'}")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"notes": {"guesses": {"nothing": "x"}}}, "'nothing' is none of the guesses"),
        ({"notes": {"guesses": {"leaf": "a\nb"}}}, "expected a text on one line"),
        ({"images": {"secrets": {"beech": ["https://a b"]}}}, "expected a picture as data:image"),
        (
            {"images": {"secrets": {"beech": ["data:image/png;base64,<svg>"]}}},
            "expected a picture as data:image",
        ),
        ({"images": {"secrets": {"beech": ["javascript:alert(1)"]}}}, "images.secrets"),
        ({"notes": {"others": {}}}, "notes"),
    ],
)
def test_a_strategy_file_with_other_remarks_is_refused(
    change: dict[str, object], words: str, trees: Path
) -> None:
    file = trees.with_name("key.json")
    guesstree.solve(f"table:{trees}").strategy.write(file)
    document = json.loads(file.read_text())
    document["table"] |= change
    file.write_text(json.dumps(document))
    with pytest.raises(guesstree.GuesstreeError) as error:
        guesstree.Strategy.read(file)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_data_have_links_and_whole_pictures_and_no_files() -> None:
    rows = {"x": {"a": 1, "b": 2, "image": PNG}, "y": {"a": 1, "b": 1, "image": "https://example.org/y.png"}}
    game = guesstree.table(rows, weights=[1, 2])
    assert game.guess_remarks.images == {"x": (PNG,), "y": ("https://example.org/y.png",)}
    with pytest.raises(GameError, match=r"'x\.png' is a file"):
        guesstree.table({"x": {"a": 1, "b": 2, "image": "x.png"}})
