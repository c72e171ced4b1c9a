"""What tests of pages share: strategies, and what a page in a browser shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame
from guesstree.trees.tree import Claims, Tree, build

if TYPE_CHECKING:
    from playwright.sync_api import Page

Played = tuple[Game, Tree]
Show = Callable[..., "Page"]
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "<img src=x onerror=alert(2)>",
    "\"double\" 'single' `back` \\ ${1+1}",
    "]]>&amp;&lt;",
    "%%DATA%%",
    "line\u2028end",
    "two\nlines",
    "",
    "漢字",
    "__proto__",
    "\ud800",
]


def first_candidate(spec: str, goal: str = "win", claims: Claims | None = None) -> Played:
    game = parse(spec)
    return game, build(game, goal, lambda candidates: int(candidates[0]), claims)


def hostile() -> Played:
    """Return a table whose every label is hostile, and a strategy with hostile claims."""
    size = len(HOSTILE)
    cells = [["=<b>" if g == s else HOSTILE[(s * (g + 1)) % 5] for s in range(size)] for g in range(size)]
    game = TableGame("table:<b>&\"'.csv", HOSTILE, HOSTILE, cells)
    claims = Claims(HOSTILE[0], HOSTILE[1], (30,), (44,), {HOSTILE[2]: HOSTILE[0]})
    return game, build(game, "identify", lambda candidates: int(candidates[0]), claims)


def words(label: str) -> str:
    black, white = label.split(",")
    return f"{black} black, {white} white"


def replay(game: Game, strategy: Tree, secret: int) -> list[tuple[str, str]]:
    """Return guess and response of every step towards a secret, by the game alone."""
    steps, node = [], 0
    while node >= 0 and strategy.guess[node] >= 0:
        guess = int(strategy.guess[node])
        response = game.respond(guess, secret)
        steps.append((game.guesses[guess], game.responses[response]))
        node = strategy.child(node, response)
    return steps


def told(page: Page, selector: str) -> str:
    """Return the text of an element that is there."""
    return page.text_content(selector) or ""


def hops(page: Page) -> Any:
    """Return guess and response of every step that the page shows."""
    return page.eval_on_selector_all(
        ".hop",
        """hops => hops.map(hop => [
            hop.querySelector(".code").textContent,
            hop.querySelector(".answer")?.getAttribute("aria-label") ?? "identified",
        ])""",
    )


def settle(page: Page) -> None:
    """Wait until the page has drawn what has changed."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def selected(page: Page) -> int:
    """Return the node of the selected row, once it is drawn."""
    settle(page)
    return int(page.locator(".row.on").get_attribute("data-node") or -1)


def overflow(page: Page) -> Any:
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


CHECK = """async rules => {
    const some = rules.length ? { runOnly: rules } : {};
    const found = await axe.run(document, { resultTypes: ["violations"], ...some });
    return found.violations.map(one => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`);
}"""


def violations(page: Page, *rules: str) -> list[str]:
    """Return what axe finds on a page, each with the first element; all its rules, or some, or tags."""
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(f"{Axe().axe_script};0")
    found: list[str] = page.evaluate(CHECK, rules)
    return found
