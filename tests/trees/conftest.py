"""Pages in the browser of `tests/conftest.py`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pages import Show

from guesstree.engine.game import Game
from guesstree.trees.export.page.page import render_page
from guesstree.trees.tree import Tree

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page


@pytest.fixture
def show(browser: "Browser", tmp_path: Path) -> Iterator[Show]:
    """Open pages, and see to it that none has complained or asked for anything by the end of the test."""
    seen: list[str] = []
    contexts: list[BrowserContext] = []

    def refuse(dialog: "Dialog") -> None:
        seen.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def make(
        game: Game,
        strategy: Tree,
        width: int = 1280,
        height: int = 800,
        *,
        guide: bool = False,
        **options: Any,
    ) -> "Page":
        file = tmp_path / f"{len(contexts)}.html"
        file.write_text(render_page(game, strategy), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.on("dialog", refuse)
        page.on("request", lambda asked: seen.extend({f"asked: {asked.url}"} - {f"asked: {file.as_uri()}"}))
        page.goto(file.as_uri())
        page.click("#to-guide" if guide else "#to-tree")
        page.wait_for_selector("#choices .choice" if guide else "#details .now")
        return page

    yield make
    for context in contexts:
        context.close()
    assert seen == []
