"""Every page by those who use no mouse, no sight, no colours, a phone: checked in a browser."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from ledgers import about, fill
from pages import violations
from served import Server

from guesstree.engine.campaign.ledger import Ledger
from guesstree.web.ledger import WatchedLedger

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Visit = Callable[..., Page]

GAME = "table:pump.csv"
TABLE = b"""cause,light,sound,heat
minutes,5,2,1
fuse,off,no,no
lamp,off,no,yes
switch,on,no,no
bearing,on,yes,yes
"""
WORDS = b"crane\nslate\ntrace\ncrate\nleast\nstale\n"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
"""What may be wrong in the dark alone."""
REACHED = """() => {
    const first = node => document.querySelector(`[type=radio][name="${node.name}"]`) === node;
    const nodes = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
    const found = [...nodes].filter(node => node.checkVisibility({ checkVisibilityCSS: true })
        && !node.disabled && node.tabIndex >= 0 && node.type !== "hidden"
        && (node.type !== "radio" || first(node)));
    return found.map(node => node.outerHTML.slice(0, 160));
}"""
"""What can be used on a page; of radio buttons the first, which stands for all."""
FOLLOW = """() => {
    window.focusedInTurn = [];
    document.addEventListener("focusin", ({ target: node }) => {
        const style = getComputedStyle(node), box = node.getBoundingClientRect();
        const marked = style.outlineStyle !== "none" || style.boxShadow !== "none";
        const radio = `[type=radio][name="${node.name}"]`;
        const one = node.type === "radio" ? document.querySelector(radio) : node;
        const inside = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
        window.focusedInTurn.push([one.outerHTML.slice(0, 160), marked, inside]);
    });
    document.body.tabIndex = -1; // a page may have put the focus where one types: the walk begins at the top
    document.body.focus();
    document.body.removeAttribute("tabindex");
}"""
"""Note what gets the focus, whether that is seen, and whether it is within the window."""
JUMPS = """() => new Promise(done => {
    const sum = list => list.filter(one => !one.hadRecentInput).reduce((total, one) => total + one.value, 0);
    const seen = new PerformanceObserver(list => done(sum(list.getEntries())));
    seen.observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(0), 30);
})"""
"""How much of a page has jumped since it was loaded, as a browser counts it."""


def walk(page: "Page") -> None:
    """Reach everything that can be used with the Tab key alone, and see where that is each time."""
    there = page.evaluate(REACHED)
    page.evaluate(FOLLOW)
    for _ in there:
        page.keyboard.press("Tab")
    walked = page.evaluate("window.focusedInTurn")
    for name, marked, inside in walked:
        assert marked, f"focus is not seen: {name}"
        assert inside, f"focus is outside the window: {name}"
    assert set(there) <= {name for name, _, _ in walked}


def pages(server: Server) -> tuple[list[str], list[str]]:
    """Return the path of each kind of page, with something on it; those to walk through stand apart.

    The page of a search that goes on is in test_solve.py.
    """
    table = server.post("/bring", ("pump.csv", TABLE)).headers["location"]
    words = server.post("/bring", ("w.txt", WORDS)).headers["location"]
    own = server.post("/play", game="wordle:w.txt").headers["location"]
    server.post(own, do="hint", turn="0-0")
    several = server.post("/play", game="boards:3,wordle:w.txt").headers["location"]
    server.post(several, do="hint", turn="0-0")
    ended = server.post("/play", game=GAME).headers["location"]
    server.post(ended, do="give up", turn="0-0")
    done = []
    for what in ("/solve", "/compare"):
        task = server.post(what, None, game=GAME, seconds="9", **{"method-entropy": "1"}).headers["location"]
        server.get(f"{task}/events")
        done.append(server.get(task).headers["location"])
    about = f"game={quote(GAME)}"
    walked = ["/", table, own, done[0], f"{done[0]}/explore", f"/assist?{about}", f"/solve?{about}"]
    walked += [f"{done[0]}/delete", "/forget?file=pump.csv"]
    walked += ["/breed?game=mastermind:2x3&seed=1&size=5", several, "/verify"]
    walked += [
        "/assist?game=boards:3,wordle:w.txt&history=crane:--%3D-%3D|--%3D-%2B|%2B%3D%3D-%3D&guess=stale"
    ]
    seen = [words, done[1], f"{done[0]}/explore#guide", f"/play?{about}", f"{ended}?review=1"]
    seen += ["/assist?game=boards:32,bulls:3x5", "/assist?game=boards:2,mastermind:4x6&history=1122:1,0|0,2"]
    return walked, [*seen, "/assist?game=wordle:w.txt&guess=crane"]


@pytest.mark.long
def test_every_page_is_for_everybody(
    visit: "Visit", server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Ledger(str(tmp_path / "some.ledger"), about())) as ledger:
        fill(ledger)
    monkeypatch.setattr(server.app.state, "ledger", WatchedLedger(tmp_path / "some.ledger"))
    page = visit("/", width=360)
    walked, seen = pages(server)
    walked.append("/ledger?part=total&limit=1296&at=7")
    for path in walked + seen:
        page.set_viewport_size({"width": 360, "height": 800})
        page.emulate_media(color_scheme="light")
        page.goto(path)
        assert violations(page, *RULES) == [], path
        if page.evaluate(JUMPS) >= 0.02:  # rarely, on a busy machine; what always jumps does it again
            page.reload()
            assert page.evaluate(JUMPS) < 0.02, path
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        best = page.locator(".wide:has(.best)")
        assert best.evaluate_all("every => every.every(one => one.scrollWidth <= one.clientWidth)"), path
        assert page.locator("h1").count() == page.locator("main").count() == 1, path
        if path in walked:
            walk(page)
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 1300, "height": 800})
        assert violations(page, *COLOURS) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= 1300, path
        assert page.evaluate("document.querySelector('header').getBoundingClientRect().right") == 1300, path
