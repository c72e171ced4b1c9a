"""The page of random breakers: populations, evolution, pictures, and what it refuses."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from page_forms import Forms
from pages import violations
from refused import one_line
from served import Server

from guesstree.engine.registry import parse
from guesstree.trees.breed.breakers import survey
from guesstree.trees.breed.evolve import Evolution, Settings
from guesstree.web.store import Store
from guesstree.web.work.breeding import evolved, fitness_bins, spread, tree_drawn, tree_figures

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Visit = Callable[..., Page]

GAME = "mastermind:2x2"
PRICED = b",cost,a,b,c,d,e\nt1,2,x,x,y,y,z\nt2,1,p,q,p,q,p\nt3,1,0,1,1,0,1\n"


def test_each_click_draws_another_one_and_an_address_says_which(server: Server) -> None:
    assert server.get("/breed").headers["location"] == "/?then=breed"
    first = server.get("/breed", game=GAME).headers["location"]
    assert re.fullmatch(r"/breed\?game=mastermind%3A2x2&seed=\d+&size=1&at=1&stage=raw&generations=-1", first)
    page, again = server.get(first), server.get(first)
    assert page.status_code == 200 and "Random breakers for Mastermind 2x2" in page.text
    news = [re.search('id="tree" href="([^"]*)"', one.text) for one in (page, again)]
    assert news[0] and news[1] and news[0][1] != news[1][1]
    assert re.search("optimum is 2.0000", page.text)


def test_a_population_has_the_figures_of_the_command(server: Server) -> None:
    found = survey(parse("mastermind:2x3"), 12, seed=5)
    page = server.get("/breed", game="mastermind:2x3", seed="5", size="12", at="3", stage="triangles").text
    assert f"Breaker 3 of 12</b>: average number of guesses {found.totals[2][2] / 9:.4f}" in page
    for figures in found.figures().values():
        assert all(f">{figure:.3f}<" in page for figure in figures.values())
    links = Forms(page).links["button"]
    assert any("at=2&" in link for link in links) and any("at=4&" in link for link in links)
    last = server.get("/breed", game="mastermind:2x3", seed="5", size="12", at="12").text
    assert any("at=1&" in link for link in Forms(last).links["button"])


def test_evolution_goes_on_where_it_was(tmp_path: Path) -> None:
    pytest.importorskip("deap")
    store, spec = tmp_path / "s.sqlite", "mastermind:2x3"
    Store(store)
    whole = Evolution(parse(spec), settings=Settings(size=6, seed=3))
    whole.run(2)
    states = [evolved(store, spec, 6, 3, 0, None)]
    for generation in (1, 2):
        states.append(evolved(store, spec, 6, 3, generation, states[-1]))
    last = states[-1]
    assert last["generation"] == whole.generation and last["log"] == whole.log
    assert last["totals"] == [one.tree.total for one in whole.population]
    assert last["ended"] == (min(last["totals"]) <= whole.least)
    assert tree_figures(store, spec, 3, 0, "triangles", last)[0][0].endswith("nodes")
    assert tree_drawn("en", 99, store, spec, 3, 0, "triangles", last).startswith(b"<?xml")


def test_the_page_of_an_evolution_and_its_tree(server: Server) -> None:
    pytest.importorskip("deap")
    asked = {"game": GAME, "seed": "1", "size": "4", "generations": "3"}
    page = server.client.get("/breed", params=asked, follow_redirects=True)
    assert "generation 0" in page.text and "Generation 0" in page.text  # all 2x2 trees are as good as it gets
    assert str(page.url).endswith("generations=0")
    begin = re.search('data-begin="([^"]*)"', page.text)
    assert begin and 0 < float(begin[1]) < 1
    picture = server.get("/breed/tree.svg", **asked, nodes="1")
    assert picture.headers["content-type"] == "image/svg+xml" and b"<svg" in picture.content


def test_a_table_with_costs_is_bred_by_what_it_costs(server: Server) -> None:
    spec = "table:" + server.store.add_file("priced.csv", PRICED)
    page = server.get("/breed", game=spec, seed="1", size="5").text
    assert "average cost" in page and "the optimum is 2.6000" in page
    assert "cost at worst" in page
    assert any(
        link.startswith("/breed?game=")
        for link in Forms(server.get("/table", game=spec).text).links["button"]
    )


REFUSED = [
    ({"game": "mastermind:6x10", "seed": "1"}, "too large to be bred here"),
    ({"game": "chess:8x8", "seed": "1"}, "unknown game"),
    ({"game": GAME, "seed": "-1"}, "seed '-1'; expected a whole number from 0 to 4294967295"),
    ({"game": GAME, "seed": "٣"}, "seed"),
    ({"game": GAME, "seed": "9" * 4000}, "seed"),
    ({"game": GAME, "seed": "1", "size": "0"}, "size '0'; expected a whole number from 1 to 200"),
    ({"game": GAME, "seed": "1", "size": "201"}, "size"),
    (
        {"game": GAME, "seed": "1", "size": "1", "generations": "1"},
        "size '1'; expected a whole number from 2",
    ),
    ({"game": GAME, "seed": "1", "size": "3", "at": "4"}, "at '4'; expected a whole number from 1 to 3"),
    ({"game": GAME, "seed": "1", "generations": "501"}, "generations"),
    ({"game": GAME, "seed": "1", "stage": "<b>"}, "stage"),
]


@pytest.mark.parametrize("path", ["/breed", "/breed/tree.svg"])
def test_what_cannot_be_is_one_line(server: Server, path: str) -> None:
    for query, line in REFUSED:
        answer = server.get(path, **query)
        assert answer.status_code == 400 and line in answer.text.replace("&#39;", "'"), query
        one_line(answer)
    assert server.get("/breed/tree.svg").status_code == 400
    for nodes in ("0", "1201", "x"):
        answer = server.get("/breed/tree.svg", game=GAME, seed="1", nodes=nodes)
        assert answer.status_code == 400 and f"nodes &#39;{nodes}&#39;" in answer.text


def test_bins_hold_everything() -> None:
    values = [2.0, 2.1, 2.5, 3.0, 3.0]
    bins = fitness_bins(values)
    assert sum(many for _, many in bins) == 5 and bins[0] == ("2.00 to 2.20", 2)
    assert fitness_bins([2.0, 2.0]) == [("2.000", 2)]
    close = [name.split(" to ") for name, _ in fitness_bins([4.3573, 4.3574, 4.3599])]
    assert all(low != high for low, high in close)
    assert spread(values)["mean"] == pytest.approx(2.52)


@pytest.mark.long
def test_keys_and_clicks_in_a_browser(visit: "Visit") -> None:
    pytest.importorskip("deap")
    page = visit("/breed?game=mastermind:2x3&seed=44", width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_default_timeout(60_000)
    page.locator("#tree").click()
    page.wait_for_url(lambda url: "seed=44" not in url)
    page.keyboard.press("r")
    page.wait_for_url("**stage=triangles**")
    page.fill("#size", "9")
    page.keyboard.press("r")  # typed into the field: no key
    page.locator("#breed").click()
    page.wait_for_url("**size=9**")
    page.locator("#said").click()
    for key, at in (("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowLeft", 9)):
        page.keyboard.press(key)
        page.wait_for_url(f"**at={at}&**")
        assert f"Breaker {at} of 9" in page.inner_text("#live")
    page.go_back()
    page.locator("#said", has_text="Breaker 1 of 9").wait_for()
    page.set_viewport_size({"width": 1300, "height": 800})
    page.goto("/breed?game=mastermind:3x3&seed=1&size=9")
    page.keyboard.press("w")
    page.wait_for_url(re.compile("generations=[0-9]"))
    assert page.inner_text("#watch") == "Stop watching"
    page.locator("#watch").click()
    assert page.inner_text("#watch") == "Keep watching"
    watched = page.url
    page.wait_for_timeout(1200)
    assert page.url == watched
    page.keyboard.press("n")
    page.wait_for_url("**generations=-1")
    page.uncheck("#use-keys")
    before = page.url
    page.keyboard.press("n")
    page.wait_for_timeout(300)
    assert page.url == before and page.evaluate("document.documentElement.scrollWidth") <= 1300
    assert violations(page, "wcag2a", "wcag2aa", "wcag21aa", "best-practice") == []


@pytest.mark.long
def test_a_large_tree_begins_in_view(visit: "Visit", server: Server) -> None:
    page = visit("/breed?game=mastermind:4x6&seed=5&size=1&at=1", width=360)
    page.set_default_timeout(60_000)
    page.locator("#watch:not(.later)").wait_for()
    place = """() => {
        const tree = document.getElementById("tree"), picture = tree.querySelector("img");
        return [picture.dataset.begin * picture.height - tree.scrollTop, tree.clientHeight];
    }"""
    for _ in range(100):
        middle, height = page.evaluate(place)
        if height / 3 < middle < 2 * height / 3:
            break
        page.wait_for_timeout(100)
    assert height / 3 < middle < 2 * height / 3
    page.locator("#tree").click()
    page.wait_for_url(lambda url: "seed=5&" not in url)
    page.wait_for_timeout(500)
    middle, height = page.evaluate(place)
    assert height / 3 < middle < 2 * height / 3
    # All figures of the stages are in view, too.
    stages = page.locator("#bred .wide")
    assert stages.evaluate("one => one.scrollWidth <= one.clientWidth")
