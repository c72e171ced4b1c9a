"""The guide of a page in any order: what it ranks, rules out and proves, beside the engine's own figures."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import log2
from typing import TYPE_CHECKING, Any

import pytest
from pages import Played, Show, overflow, told, violations
from strategies import best_strategy, random_model

import guesstree
from guesstree.engine.advice.evidence import UNKNOWN, Evidence
from guesstree.engine.errors import Contradiction
from guesstree.engine.noisy import oracle

if TYPE_CHECKING:
    from playwright.sync_api import Page

BIRDS = {
    "size": {"wren": "small", "robin": "small", "crow": "large", "heron": "large", "duck": "large"},
    "breast": {"wren": "brown", "robin": "red", "crow": "black", "heron": "grey", "duck": "brown"},
    "webbed?": {"wren": "no", "robin": "no", "crow": "no", "heron": "no", "duck": "yes"},
    "tail": {"wren": "up", "robin": "down", "crow": "down", "heron": "down", "duck": "up"},
    "wings?": dict.fromkeys(["wren", "robin", "crow", "heron", "duck"], "yes"),
}
SEEN = """(given) => {
    [picks, chosen] = [given, -1];
    const now = standing();
    const some = still();
    const total = (own) => {
        const here = standing();
        const mass = sum(still().map(([, left]) => left));
        if (here.names) return here.decision === undefined ? 0 : mass * lossOf(here.decision, still());
        const before = picks;
        const parts = here.answers.map((r) => {
            picks = [...before, [here.ask, r]];
            return still().length ? total() : 0;
        });
        picks = before;
        return mass * (data.prices ? paid(here.ask, 0, openNow()) : 1) + sum(parts);
    };
    const back = now.node >= 0 && now.beside && !now.names;
    const takes = back ? total() / sum(some.map(([, left]) => left)) : -1;
    [picks, chosen] = [given, -1];
    return {
        takes,
        left: ranked(some), rank: ranking(some),
        wrong: data.secrets.map((_, s) => against(s).map(([g]) => g)),
    };
}"""
"""What the page says after some answers, in whatever order."""


@pytest.fixture(scope="module")
def birds() -> Played:
    game = guesstree.table(BIRDS, costs=[1, 2, 1, 4, 1], weights=[4, 3, 1, 1, 1])
    return game, guesstree.solve(game).strategy


def entropy(masses: Sequence[Fraction]) -> float:
    whole = sum(masses)
    return -sum(float(m / whole) * log2(m / whole) for m in masses if m)


def see(page: "Page", given: Sequence[tuple[int, int]]) -> Any:
    return page.evaluate(SEEN, [list(one) for one in given])


def test_in_any_order_what_is_left_and_ranked_is_what_the_table_says(show: Show, birds: Played) -> None:
    game, strategy = birds
    page = show(game, strategy, guide=True)
    secrets, tests = range(len(game.secrets)), range(len(game.guesses))
    weights = [4, 3, 1, 1, 1]
    for secret in secrets:
        for order in list(permutations(tests, 2)) + [(t,) for t in tests]:
            given = [(test, game.respond(test, secret)) for test in order]
            seen = see(page, given)
            left = [s for s in secrets if all(game.respond(t, s) == r for t, r in given)]
            assert {s for s, _ in seen["left"]} == set(left)
            for s in secrets:
                assert seen["wrong"][s] == [t for t, r in given if game.respond(t, s) != r]
            for one in seen["rank"]:
                parts: dict[int, list[int]] = {}
                for s in left:
                    parts.setdefault(game.respond(one["g"], s), []).append(weights[s])
                whole = Fraction(sum(map(sum, parts.values())))
                bits = entropy([Fraction(weights[s]) for s in left])
                bits -= sum(
                    float(sum(part) / whole) * entropy(list(map(Fraction, part))) for part in parts.values()
                )
                assert one["bits"] == pytest.approx(bits, abs=1e-9)
                assert one["left"] == pytest.approx(
                    float(sum(sum(p) * len(p) for p in parts.values()) / whole)
                )
            worth = [one["bits"] / one["cost"] for one in seen["rank"]]
            assert worth == sorted(worth, reverse=True)
            assert {one["g"] for one in seen["rank"]} == set(tests) - set(order)


def followed(page: "Page", game: Any, dice: random.Random) -> tuple[int, int]:
    """Compare a page with the engine after random answers; return how often, and how often proven."""
    tried = proven = 0
    for _ in range(25):
        evidence, given = Evidence(game), []
        for _ in range(dice.randint(1, 3)):
            if evidence.over or not evidence.askable:
                break
            test = dice.choice(evidence.askable)
            answer = dice.choice([*evidence.splits(test), UNKNOWN])
            try:
                evidence = evidence.after(test, answer)
            except Contradiction:
                continue
            given.append((test, answer if answer != UNKNOWN else -1))
        if evidence.over:
            continue
        seen = see(page, given)
        likely = {s: float(p) for s, p in enumerate(evidence.posterior) if p}
        assert dict(map(tuple, seen["left"])) == pytest.approx(likely)
        known = [(t, r) for t, r in given if r >= 0]
        chances = evidence.model.chances
        for s in range(len(game.secrets)):
            assert seen["wrong"][s] == [t for t, r in known if r not in chances[t][s]]
        ranks = {one["g"]: one for one in seen["rank"]}
        assert set(ranks) == set(evidence.askable)
        for test, one in ranks.items():
            outlook = evidence.outlook(test)
            assert one["bits"] == pytest.approx(outlook.bits, abs=1e-6)
            assert one["cost"] == pytest.approx(float(outlook.price))
            if outlook.loss is not None:
                assert one["loss"] == pytest.approx(float(outlook.loss))
        if seen["takes"] >= 0:
            proven += 1
            assert seen["takes"] == pytest.approx(float(oracle.expected(evidence.left[0]) or 0)), given
        tried += 1
    return tried, proven


@pytest.mark.long
def test_odds_losses_groups_and_what_is_back_in_the_proven_order_are_those_of_the_engine(show: Show) -> None:
    dice, tried, proven = random.Random(32), 0, 0
    while tried < 300:
        model = replace(random_model(dice), failures=0, silent=-1)
        tree = best_strategy(model, "expected")
        if tree is None or tree.guess[0] < 0:
            continue
        page = show(tree.game, tree, guide=True)
        counts = followed(page, tree.game, dice)
        tried, proven = tried + counts[0], proven + counts[1]
        page.close()
    assert proven > 5


@pytest.mark.long
def test_a_cause_with_unknown_cells_stays_as_long_as_it_can_give_the_answers(show: Show) -> None:
    cells = {
        "leaf": {"beech": "simple", "rowan": "compound", "holly": "simple", "oak": "simple"},
        "edge": {"beech": "smooth", "rowan": "toothed", "holly": None, "oak": "lobed"},
        "fruit": {"beech": "nut", "rowan": "berry", "holly": "berry", "oak": "nut"},
        "thorns": {"beech": "no", "rowan": "no", "holly": None, "oak": "no"},
    }
    game = guesstree.table(cells, missing="any")
    page = show(game, guesstree.solve(game).strategy, guide=True)
    names = list(dict.fromkeys(game.kinds or ()))
    for secret, order in [(s, o) for s in range(len(game.secrets)) for o in permutations(range(4), 2)]:
        given = [(test, game.respond(test, secret)) for test in order]
        seen = see(page, given)
        possible = {
            kind
            for s, kind in enumerate(game.kinds or ())
            if all(game.respond(test, s) == answer for test, answer in given)
        }
        assert {names[s] for s, _ in seen["left"]} == possible
        assert {names[s] for s, wrong in enumerate(seen["wrong"]) if not wrong} == possible
        assert all(one["g"] < 4 for one in seen["rank"]), "to name a cause is no test"


@pytest.mark.long
def test_where_nothing_is_proven_it_does_not_speak_of_it(show: Show, birds: Played) -> None:
    game, _ = birds
    page = show(game, guesstree.solve(game, method="entropy").strategy, guide=True)
    page.keyboard.press("0")
    assert "not by the strategy" in told(page, "#verdict").lower() and "proven" not in told(page, "#guided")


def test_the_page_leaves_the_proven_order_and_comes_back(show: Show, birds: Played) -> None:
    page = show(*birds, guide=True)
    assert told(page, "#verdict").startswith("✓ proven")
    first = told(page, "#asked .text")
    page.click("#fold-others summary")
    offered = page.locator("#fold-others .rank .text").all_text_contents()
    assert set(offered) | {first} == set(BIRDS) - {"wings?"} and "Of no use now: wings?" in told(
        page, "#fold-others"
    )
    page.click("#fold-others .offer:has-text('tail')")
    assert told(page, "#asked .text") == "tail" and "Chosen by you" in told(page, "#asked")
    page.click(".instead")
    assert told(page, "#asked .text") == first
    page.go_back()
    page.click(".choice:has-text('up')")
    assert "it is not the proven one; what is ruled out is so for certain" in told(page, "#verdict")
    assert "no longer the proven one" in told(page, "#asked")
    page.click("#fold-why summary")
    page.wait_for_selector("#fold-why li")
    assert [row for row in page.locator("#fold-why li").all_text_contents() if row.startswith("crow")] == [
        "crowtail: up; there it is down"
    ]
    page.fill("#fold-why input", "duc")
    assert "Still possible" in told(page, "#fold-why") or "now," in told(page, "#fold-why")
    assert page.locator("#fold-why li").count() == 1
    page.keyboard.press("0")
    assert page.locator(".past").count() == 1, "what is typed into the field is no answer"
    page.click("#fold-differ summary")
    assert "webbed?" in told(page, "#fold-differ") and "wings?" not in told(page, "#fold-differ")
    place = page.url
    page.reload()
    assert page.url == place and page.locator(".past").count() == 1
    page.click("[aria-label='Take back: tail']")
    assert told(page, "#verdict").startswith("✓ proven") and page.locator(".past").count() == 0


@pytest.mark.long
def test_an_answer_that_nothing_left_gives_names_those_to_doubt(show: Show, birds: Played) -> None:
    page = show(*birds, 360, 740, guide=True)
    game, _ = birds
    page.evaluate("(given) => turn(given)", [[0, game.respond(0, 0)], [2, game.respond(2, 0)]])
    page.evaluate("(g) => choose(g)", 1)
    page.click("#fold-none summary")
    page.click("#fold-none .offer:has-text('black')")
    assert told(page, "#asked h2") == "No cause gives all these answers"
    assert "crowbut for size: small" in told(page, "#asked") and page.locator(".choice").count() == 0
    assert violations(page, "wcag2a", "wcag2aa") == [] and overflow(page) == 0
    page.click("[aria-label='Take back: size']")
    assert told(page, "#asked .text") == "crow"
    assert "Not asked in the proven order" in told(page, "#verdict")


def test_tests_that_tell_nothing_do_not_leave_the_proven_order(show: Show, birds: Played) -> None:
    page = show(*birds, guide=True)
    game, _ = birds
    first = told(page, "#asked .text")
    page.evaluate("(g) => choose(g)", 4)
    page.keyboard.press("1")
    assert told(page, "#asked .text") == first
    assert told(page, "#verdict") == "Back in the proven order: none for what is left costs less on average."
    page.keyboard.press("0")
    assert "what is ruled out is so for certain" in told(page, "#verdict") and "proven:" not in told(
        page, "#verdict"
    )
    page.click("#to-tree")
    assert told(page, "#verdict").startswith("✓ proven"), "the tree is what it was"
    assert len(game.guesses) == 5


@pytest.mark.long
def test_an_address_that_does_not_fit_is_followed_as_far_as_it_does(show: Show, birds: Played) -> None:
    page = show(*birds, guide=True)
    for place in ("9:1", "1:999", "3:", "x.x.x.x.x.x", "3:1.3:1", ":", "0:x.0:x", "1:0.", "77777777777:0"):
        page.evaluate("(place) => { location.hash = `#guide=${place}`; readAddress('guide'); }", place)
        assert page.locator("#asked h2").count() >= 1, place
        given = page.evaluate("picks")
        assert len({g for g, _ in given}) == len(given) <= 5, "none is asked twice"


@pytest.mark.long
def test_it_is_usable_on_a_phone_and_by_keyboard(show: Show, birds: Played) -> None:
    page = show(*birds, 360, 740, guide=True, has_touch=True, is_mobile=True)
    page.focus("#fold-others summary")
    page.keyboard.press("Enter")
    page.focus("#fold-others .offer")
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    for name in ("others", "differ", "why"):
        if page.locator(f"#fold-{name}:not([open])").count():
            page.focus(f"#fold-{name} summary")
            page.keyboard.press("Enter")
    assert page.locator(".fold[open]").count() == 3
    assert overflow(page) == 0 and violations(page, "wcag2a", "wcag2aa") == []
    small = [
        b.inner_text()
        for b in page.locator("#answered button:visible, summary:visible").all()
        if (b.bounding_box() or {"height": 0})["height"] < 44
    ]
    assert small == []
    page.emulate_media(media="print")
    assert page.locator(".without >> nth=0").is_hidden()


@pytest.mark.long
def test_a_table_that_is_too_large_says_so(
    show: Show, birds: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    from guesstree.trees.export.page import data

    game, strategy = birds
    asked = len(set(strategy.guess.tolist()) - {-1})
    monkeypatch.setattr(data, "MOST_CELLS", asked * len(game.secrets))
    page = show(game, strategy, guide=True)
    page.click("#fold-others summary")
    assert "only the tests of the strategy are here" in told(page, "#fold-others")
    monkeypatch.setattr(data, "MOST_CELLS", 1)
    page = show(game, strategy, guide=True)
    assert (
        "in the order of the strategy alone" in told(page, "#answered") and page.locator(".fold").count() == 0
    )
    assert page.locator(".without").count() == 0
