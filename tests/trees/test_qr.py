"""QR codes on flow charts: what is drawn is the code of the address, and what is no address is refused."""

import importlib.util
import io
import re

import pypdf
import pytest

import guesstree
from guesstree.trees.export import qr
from guesstree.trees.export.chart import pages, picture
from guesstree.trees.export.key import pdf as key
from guesstree.trees.export.qr import QUIET, code_of
from guesstree.trees.tree import TreeError

needs_segno = pytest.mark.skipif(
    importlib.util.find_spec("segno") is None, reason="segno is not installed: pip install segno"
)
ADDRESS = "https://example.org/guides/lamp.html#guide"
LAMP = {
    "swap the bulb": {"bulb": "works", "fuse": "dark", "mains": "dark"},
    "lamp in the next room": {"bulb": "on", "fuse": "on", "mains": "off"},
}


def lamp() -> guesstree.Strategy:
    return guesstree.solve(guesstree.table(LAMP)).strategy


@needs_segno
def test_the_bars_are_the_modules_of_the_code() -> None:
    import segno

    code = code_of(ADDRESS)
    size, unit = len(code.rows), qr.MODULE
    assert code.rows == tuple(tuple(map(bool, row)) for row in segno.make_qr(ADDRESS, error="m").matrix)
    assert code.width == code.height == (size + 2 * QUIET) * unit
    dark = set()
    for left, top, width, height in code.bars():
        assert height == pytest.approx(unit)
        start, down = round(left / unit) - QUIET, round(top / unit) - QUIET
        dark |= {(down, start + step) for step in range(round(width / unit))}
    assert dark == {(i, j) for i, row in enumerate(code.rows) for j, on in enumerate(row) if on}


@needs_segno
def test_a_picture_and_a_sheet_show_the_code_and_the_address() -> None:
    pytest.importorskip("pygraphviz")
    from PIL import Image

    strategy, code = lamp(), code_of(ADDRESS)
    seen = Image.open(io.BytesIO(picture.png(strategy.game, strategy, qr=ADDRESS))).convert("L")
    bare = Image.open(io.BytesIO(picture.png(strategy.game, strategy)))
    whole = re.search(rb'width="(\d+)pt"', picture.svg(strategy.game, strategy, qr=ADDRESS))
    assert whole is not None
    across = int((code.width + picture.PAD) * seen.width / int(whole[1]))
    assert seen.height > bare.height
    room = seen.crop((seen.width - across, 0, seen.width, across))
    left, top, right, bottom = room.point(lambda shade: 255 * (shade < 128)).getbbox() or (0, 0, 0, 0)
    size = len(code.rows)
    for i, row in enumerate(code.rows):
        for j, on in enumerate(row):
            at = left + (j + 0.5) * (right - left) / size, top + (i + 0.5) * (bottom - top) / size
            assert (
                room.crop((int(at[0]), int(at[1]), int(at[0]) + 1, int(at[1]) + 1)).tobytes()[0] < 128
            ) == on
    first = pypdf.PdfReader(io.BytesIO(pages.draw(strategy.game, strategy, qr=ADDRESS))).pages[0]
    assert f"Scan for the guide: {ADDRESS}" in " ".join(first.extract_text().split())


@needs_segno
def test_a_key_has_its_code_on_the_first_page() -> None:
    pytest.importorskip("pygraphviz")
    strategy, code = lamp(), code_of(ADDRESS)
    bare, coded = (
        pypdf.PdfReader(io.BytesIO(key.draw(strategy.game, strategy, **more)))  # type: ignore[arg-type]
        for more in ({}, {"qr": ADDRESS})
    )
    assert f"Scan for the guide: {ADDRESS}" in " ".join(coded.pages[0].extract_text().split())
    drawn = [len(book.pages[0].get_contents().get_data()) for book in (bare, coded)]  # type: ignore[union-attr]
    assert drawn[1] > drawn[0] + 15 * len(list(code.bars())), "every bar is there"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "guide.html",
        "file:///tmp/guide.html",
        "javascript:alert(1)",
        "https://",
        "https://a b",
        "http://[",
        "https://exa\nmple.org",
        "https://ex\u00e4mple.org",
        "data:text/html,x",
    ],
)
def test_what_is_no_address_of_a_page_is_refused(address: str) -> None:
    with pytest.raises(TreeError, match=r"expected an address such as https://"):
        code_of(address)


def test_a_long_address_is_refused() -> None:
    with pytest.raises(TreeError, match=r"an address of 320 letters; expected at most 300"):
        code_of("https://example.org/".ljust(320, "x"))


def test_without_the_library_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(TreeError, match=r"pip install 'guesstree\[office\]'"):
        code_of(ADDRESS)
