"""Letters on the page: tiles that are marked, patterns; and what axe says of all kinds of pages."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pages import Played, Show, first_candidate, overflow, selected, settle, told, violations

import guesstree
from guesstree.api.strategy import strategy_of
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.trees.export.page.page import STATIC, render_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WORDS = "crane speed video sweet geese house night index lemon queen knife steal fable apple eagle table "
WORDS += "trace stare zebra snake"
HANGED = ["cats", "bats", "rats", "sate", "mole", "lion"]
WASHING = {
    "drum turns?": {"belt": "no", "pump": "yes", "door": "no", "fuse": "no"},
    "lamp lit?": {"belt": "yes", "pump": "yes", "door": "yes", "fuse": "no"},
    "hums?": {"belt": "yes", "pump": "yes", "door": "no", "fuse": "no"},
}


@pytest.fixture(scope="module")
def wordle(tmp_path_factory: pytest.TempPathFactory) -> Played:
    file = tmp_path_factory.mktemp("words") / "words.txt"
    file.write_text(WORDS.replace(" ", "\n"))
    game = parse(f"wordle:{file}")
    return game, strategy_of(solve(game, first="crane"))


@pytest.fixture(scope="module")
def hangman(tmp_path_factory: pytest.TempPathFactory) -> Played:
    file = tmp_path_factory.mktemp("words") / "words.txt"
    file.write_text("\n".join(HANGED))
    game = parse(f"hangman:{file}")
    return game, strategy_of(solve(game, first="a"))


def said(page: "Page") -> Any:
    """Return the responses to choose from, as they are said, or as they are written."""
    return page.eval_on_selector_all(
        ".choice .answer", "all => all.map(one => one.ariaLabel ?? one.innerText)"
    )


def test_marks_are_put_together_on_the_tiles_of_the_guess(show: Show, wordle: Played) -> None:
    page = show(*wordle, 360, 720, guide=True, has_touch=True, is_mobile=True)
    tiles, take = page.locator(".tile"), page.locator(".take")
    shapes = "tiles => tiles.map(tile => tile.classList[1] + tile.lastChild.textContent)"
    assert told(page, "#asked .code") == "crane" and take.is_disabled()
    tiles.nth(1).click()
    tiles.nth(4).dblclick()
    assert tiles.evaluate_all("tiles => tiles.map(tile => tile.ariaLabel)") == [
        *("c, absent", "r, elsewhere", "a, absent", "n, absent", "e, in place")
    ]
    assert tiles.evaluate_all(shapes) == ["flat-", "round+", "flat-", "flat-", "square="]
    assert take.inner_text() == "No secret left gives this response" and overflow(page) == 0
    sizes: list[Any] = [button.bounding_box() for button in page.locator("button:visible").all()]
    assert min(min(size["height"], size["width"]) for size in sizes) >= 44
    tiles.nth(0).focus()
    for key in "b-Y.g":  # what the terminal takes
        page.keyboard.press(key)
    assert take.inner_text() == "Go on: 4 secrets left"
    page.keyboard.press("Enter")
    assert told(page, "#asked .code") == "fable" and told(page, "#state dd") == "4 of 20"
    assert told(page, "#asked p") == "Tells 4 secrets apart, and may be the secret itself"
    assert said(page) == [
        "f absent, a elsewhere, b absent, l in place, e in place",
        "f absent, a in place, b absent, l in place, e in place",
        "f absent, a in place, b in place, l in place, e in place",
        "f in place, a in place, b in place, l in place, e in place",
    ]
    way = page.url
    page.keyboard.press("4")
    assert told(page, "#said") == "It is: fable." and told(page, "#asked h2") == "It is"
    assert page.locator(".past .peg").all_text_contents() == [*"crane", *"fable"]
    page.go_back()
    page.keyboard.press("1")
    assert told(page, "#asked") == "It can only beapple" and page.url.startswith(way + ".")
    page.goto(way.replace("#guide", "#explore"))
    page.reload()
    settle(page)
    assert told(page, ".row.on .ask") == "fable" and page.locator("#guided").is_hidden()
    page.goto(way + ".77.x.3")
    assert told(page, "#asked .code") == "fable", "what does not fit is left out"


def test_what_is_shown_of_a_word_stands_in_tree_and_guide(show: Show, hangman: Played) -> None:
    page = show(*hangman)
    page.click("#expand")
    settle(page)
    shown = page.locator(".row .via").all_text_contents()
    assert shown == [
        *("no a", "l _ _ _", "_ _ l _", "_ a _ _", "s a _ _"),
        *("_ a _ s", "no b", "no c", "c a _ s", "b a _ s"),
    ]
    assert page.locator("[aria-label^='Response blank a blank s. Guess 3: b']").count() == 1
    page.click("#to-guide")
    assert said(page) == ["no a", "blank a blank blank"] and told(page, "#asked .shown") == "_ _ _ _"
    page.keyboard.press("2")
    assert told(page, "#asked .shown") == "_ a _ _" and told(page, ".past") == "_ a _ _cost 0"
    page.keyboard.press("2")
    assert said(page) == ["no b", "b a blank s"] and told(page, "#asked .text") == "b"
    assert page.locator(".unsure").count() == 0
    page.keyboard.press("2")
    assert told(page, "#said") == "It is: bats."


@pytest.mark.long
def test_axe_finds_nothing_on_pages_of_a_server(
    browser: "Browser", tmp_path: Path, wordle: Played, hangman: Played
) -> None:
    table = guesstree.table(WASHING, costs=[1, 2, 5], weights=[4, 3, 2, 1])
    solved = table, guesstree.solve(table).strategy
    page, wrong = browser.new_page(), list[str]()
    page.on("console", lambda message: wrong.append(message.text))
    page.route("**/*.html*", lambda route: route.fulfill(path=tmp_path / "page.html"))
    page.route("**/sent/*", lambda route: route.fulfill(path=STATIC / Path(route.request.url).name))
    for game, strategy in (solved, first_candidate("mastermind:2x3"), wordle, hangman):
        text = render_page(game, strategy, files="/sent/", home=("/", "All strategies"))
        (tmp_path / "page.html").write_text(text)
        page.emulate_media(color_scheme="light")
        page.goto(f"http://page.test/{game.look.codes}{game.look.answers}.html#guide")
        page.wait_for_selector(".choice")
        assert violations(page, "color-contrast") == [], game.spec
        node = max(strategy.children(0), key=lambda n: len(strategy.children(n)))
        page.evaluate(f"turn([[{strategy.guess[0]}, {strategy.response[node]}]])")
        page.click("#to-tree")
        assert selected(page) == node
        page.evaluate("byId('guided').hidden = false")  # both views in one go
        page.emulate_media(color_scheme="dark")
        assert violations(page) == [], game.spec
    page.click("#help")
    assert violations(page, "color-contrast", "aria-dialog-name") == [] == wrong
    page.close()
