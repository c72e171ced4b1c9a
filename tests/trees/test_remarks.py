"""Notes and pictures of tests and causes in the page of a strategy."""

import base64
import re
from typing import TYPE_CHECKING

import pytest
from pages import Played, Show, overflow

import guesstree
from guesstree.trees.export.page.data import as_data
from guesstree.trees.export.page.page import render_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

GIF = (
    "data:image/gif;base64,"
    + base64.b64encode(
        b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
    ).decode()
)
LINK = "https://example.org/leaf.jpg"
ROWS = {
    "leaf": {
        "oak": "lobed",
        "ash": "pinnate",
        "elm": None,
        "notes": "of a <b>whole</b> twig",
        "image": f"{GIF}; {LINK}",
    },
    "fruit": {"oak": "acorn", "ash": "keys", "elm": "winged"},
    "notes": {"oak": "an oak", "elm": "rough & uneven"},
    "image": {"elm": GIF},
}


@pytest.fixture(scope="module")
def trees() -> Played:
    game = guesstree.table(ROWS, missing="any")
    return game, guesstree.solve(game, first="leaf").strategy


def test_a_page_has_the_remarks_of_what_it_asks_and_names(trees: Played) -> None:
    game, strategy = trees
    data = as_data(game, strategy)
    number = {label: str(i) for i, label in enumerate(data["secrets"])}
    leaf = str(list(game.guesses).index("leaf"))
    assert data["remarks"]["guesses"] == {
        "notes": {leaf: "of a <b>whole</b> twig"},
        "images": {leaf: (GIF, LINK)},
    }
    assert data["remarks"]["secrets"] == {
        "notes": {number["oak"]: "an oak", number["elm"]: "rough & uneven"},
        "images": {number["elm"]: (GIF,)},
    }


def test_only_a_page_with_pictures_allows_them_and_only_those_inside(trees: Played) -> None:
    assert "img-src data:;" in render_page(*trees)
    assert "img-src" not in render_page(*trees).replace("img-src data:;", "", 1)
    plain = guesstree.table({"fruit": {"oak": "acorn", "ash": "winged"}})
    text = render_page(plain, guesstree.solve(plain).strategy)
    assert "img-src" not in text
    assert '"remarks"' not in text


@pytest.mark.long
def test_the_guide_shows_notes_and_pictures_of_what_it_asks_and_finds(show: Show, trees: Played) -> None:
    page = show(*trees, guide=True, width=360, height=780)
    assert page.text_content("#asked .remark") == "of a <b>whole</b> twig"
    assert pictures(page) == ["Picture 1 of leaf"]
    link = page.locator("#asked .pictures a")
    assert link.text_content() == "Picture 2 of leaf (example.org)"
    assert link.get_attribute("href") == LINK
    assert re.search("noreferrer", link.get_attribute("rel") or "")
    assert overflow(page) == 0
    page.locator("#choices .choice", has_text="pinnate").click()
    assert page.locator("#asked .remark").count() == 0
    page.locator("#choices .choice", has_text="winged").click()
    page.go_back()
    page.go_back()
    page.locator("#choices .choice", has_text="lobed").click()
    page.locator("#choices .choice", has_text="winged").click()
    assert page.text_content("#asked .remark") == "rough & uneven"
    assert pictures(page) == ["Picture of elm"]
    assert overflow(page) == 0
    page.click("#to-tree")
    assert page.text_content("#details .remark") == "rough & uneven"


def pictures(page: "Page") -> list[str]:
    """Return what the pictures that are shown are called; each has a size, so that it was drawn."""
    found = page.locator("#asked img")
    assert all(found.evaluate_all("all => all.map((one) => one.complete && one.naturalWidth > 0)"))
    return found.evaluate_all("all => all.map((one) => one.alt)")
