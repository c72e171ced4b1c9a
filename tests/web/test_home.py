"""The first page, and files that are brought."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_the_first_page_in_a_browser(
    visit: "Callable[..., Page]", faults_of: "Callable[[Page], list[str]]"
) -> None:
    page = visit("/", width=360)
    assert page.locator("h1").count() == 1
    assert faults_of(page) == []
