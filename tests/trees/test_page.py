import base64
import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from pages import (
    HOSTILE,
    Played,
    Show,
    first_candidate,
    hops,
    hostile,
    overflow,
    replay,
    selected,
    settle,
    told,
    words,
)

from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame
from guesstree.trees.export.heading import sheet_title
from guesstree.trees.export.page.page import SCRIPTS, STATIC, STYLE, embed, render_page
from guesstree.trees.figures import summarise
from guesstree.trees.tree import Claims, Tree, TreeError, build

if TYPE_CHECKING:
    from playwright.sync_api import Page


def dead_leaf() -> Played:
    """Return a strategy with a branch, "z", that no secret takes, and a leaf that names one all the same."""
    game = TableGame("table:t", ["g", "h"], ["a", "b"], [["x", "y"], ["z", "z"]])
    tree = {
        "guess": [0, -1, -1, -1],
        "parent": [-1, 0, 0, 0],
        "response": [-1, 0, 1, 2],
        "first_child": [1, 4, 4, 4, 4],
        "secret": [-1, 0, 1, 0],
        "depth": [0, 1, 1, 1],
    }
    arrays: dict[str, Any] = {name: np.array(values, np.int32) for name, values in tree.items()}
    return game, Tree(game, "identify", **arrays)


class Parsed(HTMLParser):
    """The tags of a page, and what is between the script tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[dict[str, str]] = []
        self.inside: list[tuple[str, dict[str, str], str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.append({name: value or "" for name, value in attrs})

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] in ("script", "style"):
            self.inside.append((self.tags[-1], self.attributes[-1], data))

    @property
    def data(self) -> Any:
        return json.loads(next(text for _, attrs, text in self.inside if attrs.get("id") == "data"))


# ---- The file ----


def test_the_page_stands_alone_and_allows_nothing_but_its_own_script_and_style() -> None:
    text = render_page(*first_candidate("mastermind:2x3"))
    assert not re.search(r"https?:|\b(src|href|action)\s*=|url\(|@import|<link|innerHTML|eval\(", text)
    page = Parsed(text)
    policy = next(a["content"] for a in page.attributes if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    run = [(tag, inside) for tag, attrs, inside in page.inside if not attrs and inside.strip()]
    assert [tag for tag, _ in run] == ["style", "script"]
    for tag, inside in run:
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_a_server_sends_style_and_scripts_beside_the_page() -> None:
    text = render_page(*hostile(), files="/static/explorer/", home=("/?a=1&b", "All <games>"))
    page = Parsed(text)
    links = [a.get("src") or a["href"] for a in page.attributes if "src" in a or "stylesheet" in a.values()]
    assert links == [f"/static/explorer/{name}" for name in (STYLE, *SCRIPTS)]
    assert sorted(file.name for file in STATIC.iterdir()) == sorted([STYLE, *SCRIPTS])
    assert [attrs for _, attrs, inside in page.inside if inside.strip()] == [
        {"type": "application/json", "id": "data"}
    ]
    policy = next(a["content"] for a in page.attributes if "http-equiv" in a)
    assert "script-src 'self'; style-src 'self';" in policy and "unsafe" not in policy
    assert '<a class="home" href="/?a=1&amp;b">All &lt;games&gt;</a>' in text


def test_hostile_labels_stay_inside_the_data() -> None:
    game, strategy = hostile()
    text = render_page(game, strategy)
    clean = Parsed(render_page(*first_candidate("mastermind:2x2")))
    page = Parsed(text)
    assert page.tags == clean.tags
    assert page.data["secrets"] == HOSTILE
    assert page.data["guesses"] == {str(g): HOSTILE[g] for g in range(len(HOSTILE))}
    block = text.partition('id="data">')[2].partition("</script>")[0]
    assert block.isascii() and not set("<>&") & set(block)
    text.encode()  # without the lone surrogate


def test_data_comes_back_as_it_was() -> None:
    value = {label: [label, 1, None, -2, True] for label in HOSTILE}
    assert json.loads(embed(value)) == value


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("spec", ["mastermind:3x3", "blackpeg:2x4", "bulls:2x4"])
def test_the_page_holds_the_arrays_of_the_strategy(spec: str, goal: str) -> None:
    game, strategy = first_candidate(spec, goal, Claims("expected", "first", (3,), (5,)))
    data = Parsed(render_page(game, strategy)).data
    for name in ("guess", "parent", "response", "secret"):
        assert data[name] == getattr(strategy, name).tolist()
    assert data["also"] == {} and data["weight"] is data["left"] is data["outcomes"] is None
    assert data["secrets"] == list(game.secrets) and data["guesses"] is None
    assert data["responses"] == list(game.responses)
    assert (data["goal"], data["lower"], data["upper"], data["proven"]) == (goal, ["3"], ["5"], False)
    assert data["figures"]["Average"] == f"{float(summarise(strategy.guesses_needed()).average):.4f}"
    assert set(data["palette"]) == set("".join(game.secrets))


def test_what_is_paid_is_told_where_guesses_do_not_tell() -> None:
    cells = [["yes", "no", "no"], ["no", "no", "yes"]]
    game = TableGame("table:t", ["x", "y"], ["a", "b", "c"], cells, weights=[6, 3, 1])
    strategy = build(game, "identify", lambda candidates: int(candidates[0]))
    told = Parsed(render_page(game, strategy)).data["figures"]
    assert told == {
        "Causes": "3",
        "Worst": "2",
        "Weight": "10",
        "Weighted average": "1.4000",
    }
    game = TableGame("table:t", ["x", "y"], ["a", "b", "c"], cells, prices=[2, 5])
    priced = build(game, "identify", lambda candidates: int(candidates[0]))
    within = priced.with_claims(Claims("win-probability", parameters={"budget": 6}))
    paid = {"Weight": "3", "Average cost": "5.3333", "Worst cost": "7", "Won": "33.3 %"}
    data = Parsed(render_page(game, within)).data
    assert dict(list(data["figures"].items())[4:]) == paid
    assert data["captions"][3:7] == ["Worst tests", "Weight", "Average cost", "Worst cost"]
    plain = parse("mastermind:2x2")
    strategy = build(plain, "win", lambda candidates: int(candidates[0]))
    figures = {"Secrets": "4", "Total": "8", "Average": "2.0000", "Worst": "3"}
    assert Parsed(render_page(plain, strategy)).data["figures"] == figures


def test_a_leaf_that_its_secret_does_not_reach_is_left_out() -> None:
    game, strategy = dead_leaf()
    data = Parsed(render_page(game, strategy)).data
    assert data["secret"] == [-1, 0, 1] and data["figures"]["Average"] == "1.0000"


def test_a_strategy_that_reaches_no_secret_is_refused() -> None:
    game, strategy = dead_leaf()
    strategy.secret[:] = -1
    with pytest.raises(TreeError, match="no secret"):
        render_page(game, strategy)


def test_the_same_strategy_gives_the_same_page() -> None:
    assert render_page(*hostile()) == render_page(*hostile())


# ---- In a browser ----


@pytest.fixture(scope="module")
def knuth() -> Played:
    return first_candidate("mastermind:4x4", claims=Claims("expected", "first", (1,), (1,)))


@pytest.mark.long
def test_header_and_histogram_have_the_figures_of_the_strategy(show: Show, knuth: Played) -> None:
    game, strategy = knuth
    figures = summarise(strategy.guesses_needed())
    page = show(game, strategy)
    assert page.title() == "Mastermind 4x4 · strategy"
    shown = {name: page.text_content(f"#{name}") for name in ("game", "secrets", "total", "average", "worst")}
    assert shown == {
        "game": "Mastermind 4x4",
        "secrets": f"{figures.secrets:,}",
        "total": f"{figures.total:,}",
        "average": f"{float(figures.average):.4f}",
        "worst": str(figures.worst),
    }
    assert "proven: no strategy needs fewer guesses on average" in told(page, "#verdict")
    names = page.locator("#histogram .n").all_text_contents()
    counts = page.locator("#histogram .count:not(.brief)").all_text_contents()
    assert dict(zip(names, counts, strict=True)) == {str(n): f"{m:,}" for n, m in figures.histogram.items()}
    heights = page.eval_on_selector_all("#histogram i", "bars => bars.map(bar => bar.offsetHeight)")
    assert heights.index(max(heights)) == list(figures.histogram.values()).index(
        max(figures.histogram.values())
    )


@pytest.mark.parametrize("goal", ["win", "identify"])
def test_search_shows_the_game_that_replaying_gives(show: Show, goal: str) -> None:
    game, strategy = first_candidate("mastermind:3x4", goal)
    page = show(game, strategy)
    for secret in (0, 1, 17, 40, 63):
        page.keyboard.press("/")
        page.fill("#query", game.secrets[secret])
        page.keyboard.press("Enter")
        expected = [(guess, words(response)) for guess, response in replay(game, strategy, secret)]
        many = len(expected)
        expected += [(game.secrets[secret], "identified")] if goal == "identify" else []
        assert [tuple(hop) for hop in hops(page)] == expected
        assert page.text_content("#found .total") == f"{many} guess{'es' if many != 1 else ''}"
        node = selected(page)
        assert int(strategy.secret[node]) == secret
        trail = page.eval_on_selector_all(".row.trail", "rows => rows.map(row => +row.dataset.node)")
        assert set(trail) <= set(strategy.path(node)) and node in trail
    page.keyboard.press("Escape")
    settle(page)
    assert page.locator("#found").is_hidden() and page.locator(".row.trail").count() == 0


@pytest.mark.long
def test_what_is_no_secret_gets_a_message_and_half_a_secret_gets_hints(show: Show, knuth: Played) -> None:
    page = show(*knuth)
    page.fill("#query", "1199")
    page.keyboard.press("Enter")
    assert page.text_content("#found .bad") == (
        "“1199” is not a secret of mastermind:4x4. A secret has 4 symbols out of 1234."
    )
    page.fill("#query", "432")
    assert page.locator("#found .hints button").all_text_contents() == ["4321", "4322", "4323", "4324"]
    page.click("#found .hints button >> nth=2")
    assert hops(page)[-1] == ["4323", "4 black, 0 white"]
    page.fill("#query", " 43 23 ")
    assert hops(page)[-1] == ["4323", "4 black, 0 white"]


def test_hostile_labels_are_shown_as_text(show: Show) -> None:
    game, strategy = hostile()
    page = show(game, strategy)
    page.click("#expand")
    page.set_viewport_size({"width": 1280, "height": 2000})
    settle(page)
    assert page.locator(".row").count() == len(strategy)
    titles = page.eval_on_selector_all(".row .ask .text", "labels => labels.map(label => label.title)")
    assert set(titles) == set(HOSTILE)
    texts = page.locator(".row .ask .text").all_text_contents()
    assert {HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[3], HOSTILE[4], "two↵lines", "␣"} <= set(texts)
    assert page.text_content("#game") == sheet_title(game) == page.title()
    assert page.locator("script").count() == 2 and page.locator("img").count() == 0
    for label in HOSTILE[:6]:
        page.fill("#query", label)
        assert page.locator("#found .hop .text").last.text_content() == label
    page.fill("#query", "<script>alert(3)</script>")
    page.keyboard.press("Enter")
    assert "<script>alert(3)</script>" in told(page, "#found .bad")
    assert page.locator("script").count() == 2


@pytest.mark.long
def test_a_tree_is_opened_as_far_as_it_fits_a_screen(show: Show, knuth: Played) -> None:
    whole = first_candidate("mastermind:2x3")
    page = show(*whole)
    settle(page)
    assert page.locator(".row").count() == len(whole[1]) > len(whole[1].children(0)) + 1
    _, strategy = knuth
    level = [0]
    below = [child for n in (0, *strategy.children(0)) for child in strategy.children(n)]
    page = show(*knuth)
    settle(page)
    assert page.locator(".row[aria-level='3']").count() > 0 and len(level + below) <= 40 < len(strategy)
    assert page.evaluate("rows.length") == len(level + below)


@pytest.mark.long
def test_a_click_opens_a_row_and_a_second_click_closes_it(show: Show, knuth: Played) -> None:
    _, strategy = knuth
    page = show(*knuth)
    page.click("#collapse")
    settle(page)
    node = next(n for n in strategy.children(0) if strategy.children(n))
    row, child = page.locator(f"#node-{node}"), page.locator(f"#node-{strategy.children(node)[0]}")
    assert row.get_attribute("aria-expanded") == "false" and child.count() == 0
    row.click()
    child.wait_for()
    assert row.get_attribute("aria-expanded") == "true" and selected(page) == node
    row.click()
    child.wait_for(state="detached")
    page.click("#collapse")
    page.click(f"#details tr.go >> nth={node - 1}")
    child.wait_for()
    assert selected(page) == node


@pytest.mark.long
def test_details_show_the_partition_and_every_secret_that_is_left(show: Show, knuth: Played) -> None:
    game, strategy = knuth
    page = show(game, strategy)
    guess = int(strategy.guess[0])
    sizes = Counter(game.responses[game.respond(guess, s)] for s in range(len(game.secrets)))
    shown = page.eval_on_selector_all(
        "#details tbody tr",
        """rows => rows.map(row => [row.querySelector(".answer").getAttribute("aria-label"),
                                    row.cells[1].textContent])""",
    )
    assert dict(shown) == {words(label): f"{size:,}" for label, size in sizes.items()}
    secrets = page.locator("#details .chip")
    assert secrets.count() == 200
    page.click("#details .more")
    assert secrets.all_text_contents() == list(game.secrets)
    node = max(strategy.children(0), key=lambda n: sizes[game.responses[int(strategy.response[n])]])
    page.click(f"#node-{node}")
    selected(page)
    left = [s for s in range(len(game.secrets)) if game.respond(guess, s) == strategy.response[node]]
    needed = [len(replay(game, strategy, s)) - 1 for s in left]
    assert secrets.all_text_contents() == [game.secrets[s] for s in left]
    assert page.locator("#details .facts dd").all_text_contents() == [
        str(len(left)),
        f"{sum(needed) / len(left):.4f}",
        str(max(needed)),
    ]


@pytest.mark.long
def test_the_keyboard_moves_like_in_a_tree_of_files(show: Show, knuth: Played) -> None:
    _, strategy = knuth
    page = show(*knuth)
    page.click("#collapse")
    children = strategy.children(0)
    inner = next(n for n in children if strategy.children(n))
    below = strategy.children(inner)
    for key, expected in (
        ("ArrowDown", children[0]),
        ("End", children[-1]),
        ("Home", 0),
        ("ArrowUp", 0),
        ("ArrowRight", children[0]),
        ("ArrowLeft", 0),
    ):
        page.keyboard.press(key)
        assert selected(page) == expected, key
    for _ in range(inner):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert selected(page) == inner
    page.keyboard.press("ArrowRight")
    assert selected(page) == below[0]
    assert page.get_attribute("#tree", "aria-activedescendant") == f"node-{below[0]}"
    assert page.get_attribute(f"#node-{below[0]}", "aria-level") == "3"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert selected(page) == inner
    assert page.get_attribute(f"#node-{inner}", "aria-expanded") == "false"
    page.keyboard.press("?")
    assert page.locator("#manual").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#manual").is_hidden()


@pytest.mark.long
def test_a_tree_of_33_000_nodes_opens_quickly_and_only_what_is_seen_is_drawn(show: Show) -> None:
    game, strategy = first_candidate("mastermind:5x8")
    assert len(strategy) > 32_000
    assert len(render_page(game, strategy).encode()) < 2_000_000
    start = time.monotonic()
    page = show(game, strategy)
    assert time.monotonic() - start < 30
    page.click("#expand")
    page.keyboard.press("End")
    node = selected(page)
    assert page.locator(".row").count() < 100
    assert page.locator(f"#node-{node}").is_visible() and not strategy.children(node)
    page.evaluate("document.getElementById('scroll').scrollTop = 300000")
    selected(page)
    assert page.locator(".row").count() < 100
    page.fill("#query", "83217")
    assert len(hops(page)) == len(replay(game, strategy, game.secret_index("83217")))


@pytest.mark.parametrize("make", [lambda: first_candidate("mastermind:5x4"), hostile], ids=["codes", "text"])
def test_on_a_phone_nothing_is_wider_than_the_screen(show: Show, make: Callable[[], Played]) -> None:
    game, strategy = make()
    page = show(game, strategy, 375, 740, has_touch=True, is_mobile=True)
    assert overflow(page) == 0
    bars = [int(n) for n in page.locator("#histogram .brief").all_text_contents()]
    assert bars == list(summarise(strategy.guesses_needed()).histogram.values())
    page.click("#expand")
    page.fill("#query", game.secrets[len(game.secrets) // 2])
    selected(page)
    assert overflow(page) == 0
    page.fill("#query", "x" * 300)
    assert overflow(page) == 0


@pytest.mark.long
def test_colours_follow_the_system_and_the_button(show: Show, knuth: Played) -> None:
    def ground(page: "Page") -> int:
        return sum(
            map(int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor")))
        )

    page = show(*knuth, color_scheme="light")
    assert ground(page) > 600
    page.emulate_media(color_scheme="dark")
    assert ground(page) < 150
    page.click("#theme")
    assert ground(page) > 600


@pytest.mark.long
def test_all_rows_are_printed(show: Show, knuth: Played) -> None:
    _, strategy = knuth
    page = show(*knuth)
    page.click("#expand")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".row").count() == len(strategy)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".row").count() < len(strategy)


@pytest.mark.long
@pytest.mark.parametrize("spec", ["blackpeg:2x3", "bulls:2x4", "mastermind:12x2"])
def test_every_family_is_drawn(show: Show, spec: str) -> None:
    game, strategy = first_candidate(spec, "identify") if spec[0] == "b" else first_candidate(spec)
    page = show(game, strategy)
    label = page.text_content("#node-0 .ask")
    assert label == game.guesses[int(strategy.guess[0])]
    assert page.locator("#details tbody tr").count() >= len(strategy.children(0))


@pytest.mark.long
def test_marks_are_tiles_with_their_signs_and_are_said_in_words(show: Show, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("crepe\nerase\nsteal")
    page = show(*first_candidate(f"wordle:{tmp_path}/words.txt"))
    page.click("#expand")
    told = page.locator("#node-2 .answer")
    assert told.locator(".peg").all_text_contents() == list("crepe")
    assert told.get_attribute("aria-label") == ("c absent, r in place, e elsewhere, p absent, e in place")
    ground = "tiles => tiles.map(tile => getComputedStyle(tile).backgroundColor)"
    grey, green, yellow = "rgb(106, 106, 106)", "rgb(0, 158, 115)", "rgb(240, 228, 66)"
    assert told.locator(".peg").evaluate_all(ground) == [grey, green, yellow, grey, green]
    round = "tiles => tiles.map(tile => getComputedStyle(tile).borderRadius == '50%')"
    assert told.locator(".peg").evaluate_all(round) == [False, False, True, False, False]
    assert page.locator("#node-2 .ask .peg").all_text_contents() == list("erase")
    page.fill("#query", "tears")
    assert page.text_content("#found .bad") == f"“tears” is not a secret of wordle:{tmp_path}/words.txt."
    page.keyboard.press("Escape")
    page.click("#help")
    assert page.locator("#signs dd").all_text_contents()[-3:] == ["in place", "elsewhere", "absent"]


@pytest.mark.long
def test_a_dead_branch_is_left_out_and_a_single_secret_is_shown(show: Show) -> None:
    game, strategy = dead_leaf()
    page = show(game, strategy)
    assert page.text_content("#causes") == "2" and page.locator(".row").count() == 3
    page = show(*first_candidate("mastermind:1x1", "identify"))
    assert page.text_content("#average") == "0.0000" and "The secret" in told(page, "#details")


@pytest.mark.long
def test_secrets_and_guesses_are_called_what_the_game_calls_them(show: Show) -> None:
    cells = [["yes" if g == s else "no" for s in range(4)] for g in range(4)]
    game = TableGame("table:t", ["hot", "loud", "far", "red"], ["sun", "fan", "moon", "mars"], cells)
    page = show(game, build(game, "identify", lambda candidates: int(candidates[0])))
    page.click("#expand")
    seen = page.inner_text("body")
    for text in ("sun", "m", "nothing"):
        page.fill("#query", text)
        seen += page.inner_text("body") + page.inner_text("#found")
    page.keyboard.press("Escape")
    page.click("#help")
    seen += page.inner_text("#manual") + (page.get_attribute("#query", "placeholder") or "")
    assert "4 possible causes" in seen and "Test 1" in seen and "Find a cause" in seen
    assert not re.search("secret|guess", seen, re.IGNORECASE)
