"""The guide of a page: one question at a time."""

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from decided import THROAT, decided
from pages import Played, Show, first_candidate, hostile, overflow, replay, selected, told, words
from random_models import noisy_game
from strategies import best_strategy, random_model

import guesstree
from guesstree.api.strategy import strategy_of
from guesstree.engine.advice.evidence import UNKNOWN, Evidence
from guesstree.engine.noisy import oracle
from guesstree.engine.notation import plural
from guesstree.engine.search.solve import solve
from guesstree.trees.language import share_text
from guesstree.trees.outline import outline

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FAULTS = {
    "headlights dim?": {"battery": "yes", "starter": "no", "pump": "no", "plug": "no", "fuse": "no"},
    "click on start?": {"battery": "yes", "starter": "yes", "pump": "no", "plug": "no", "fuse": "no"},
    "smell of fuel?": {"battery": "no", "starter": "no", "pump": "no", "plug": "yes", "fuse": "no"},
    "radio works?": {"battery": "yes", "starter": "yes", "pump": "yes", "plug": "yes", "fuse": "no"},
    "fuel pressure": {"battery": "good", "starter": "good", "pump": "low", "plug": "good", "fuse": "good"},
}
HOLLY = {
    "leaf": {"beech": "simple", "birch": "simple", "rowan": "compound", "holly": "simple"},
    "edge": {"beech": "smooth", "birch": "toothed", "rowan": "toothed", "holly": None},
    "fruit": {"beech": "nut", "birch": "winged", "rowan": "berry", "holly": "berry"},
    "thorns": {"beech": "no", "birch": "no", "rowan": "no", "holly": "yes"},
}


@pytest.fixture(scope="module")
def faults() -> Played:
    game = guesstree.table(FAULTS, costs=[1, 1, 2, 1, 15], weights=[40, 10, 8, 30, 12])
    return game, guesstree.solve(game).strategy


@pytest.fixture(scope="module")
def holly() -> Played:
    game = guesstree.table(HOLLY, missing="any")
    return game, guesstree.solve(game, "worst", first="edge").strategy


def progress(page: "Page") -> list[str]:
    """Return what the guide says of how far it is."""
    figures = page.locator("#state div").all()
    return [" ".join(reversed(figure.locator("> *").all_text_contents())) for figure in figures]


def answered(page: "Page") -> list[list[str]]:
    """Return what the guide says was asked and answered."""
    rows = page.locator(".past").all()
    return [row.locator("> *").all_text_contents() for row in rows]


def test_the_guide_leads_to_every_cause_and_says_what_it_cost(show: Show, faults: Played) -> None:
    game, strategy = faults
    page = show(game, strategy, guide=True)
    assert progress(page) == ["5 of 5 causes left", "cost 0 0 tests so far", "at most 4 more tests"]
    assert page.text_content("#asked p") == "Splits 5 causes into 4 and 1"
    for secret, label in enumerate(game.secrets):
        steps = replay(game, strategy, secret)
        for number, (test, answer) in enumerate(steps):
            assert page.text_content("#asked .text") == test
            price = "cost 2" if test == "smell of fuel?" else "cost 1"
            assert page.text_content("#asked h2") == f"Test {number + 1} · {price}"
            page.click(f'.choice:has(:text-is("{answer}"))')
        assert page.locator("#asked .text").all_text_contents() == [label]
        spent = [2 if test == "smell of fuel?" else 1 for test, _ in steps]
        tests = f"{len(steps)} test{'s' * (len(steps) > 1)}"
        assert progress(page) == ["1 of 5 causes left", f"cost {sum(spent)} {tests} so far", "0 more tests"]
        assert page.text_content("#said") == f"It is: {label}."
        assert answered(page) == [[*step, f"cost {paid}"] for step, paid in zip(steps, spent, strict=True)]
        assert page.locator(".choice").count() == 0 and page.locator("#print").is_visible()
        page.click("#again")
    assert page.locator("#print").is_hidden() and page.locator("#again").is_disabled()


@pytest.mark.long
def test_the_guide_goes_back_by_button_key_row_and_browser(show: Show, faults: Played) -> None:
    page = show(*faults, guide=True)
    for keys, left in ((["2"], 4), (["2"], 3), (["Backspace"], 4), (["2", "1"], 2)):
        for key in keys:
            page.keyboard.press(key)
        assert progress(page)[0] == f"{left} of 5 causes left"
    asked = told(page, "#asked .text")
    assert told(page, "#said") == f"Test 4: {asked} 2 of 5 causes left."
    page.reload()
    assert told(page, "#asked .text") == asked and len(answered(page)) == 3
    page.click("#back")
    assert progress(page)[0] == "3 of 5 causes left"
    page.go_back()
    assert told(page, "#asked .text") == asked
    page.click(".past >> nth=0")
    assert progress(page)[0] == "5 of 5 causes left" and answered(page) == []
    page.keyboard.press("2")
    page.click("#to-tree")
    assert selected(page) == 2, "the tree is shown where the guide was"


def test_the_guide_goes_on_without_an_answer(show: Show, faults: Played, holly: Played) -> None:
    for played in (holly, faults):
        page = show(*played, guide=True)
        # Every secret, with every choice of questions that are not answered, as bits.
        wrong = page.evaluate(
            """() => {
                const wrong = [];
                const secrets = Object.values(data.outcomes)[0].length;
                const tests = Object.keys(data.outcomes).length;
                for (let s = 0; s < secrets; s++) for (let unknown = 0; unknown < 2 ** tests; unknown++) {
                    picks = [];
                    let now = standing();
                    while (!now.names) {
                        const known = !(unknown >> now.ask & 1);
                        picks.push([now.ask, known ? data.outcomes[now.ask][s] : -1]);
                        now = standing();
                    }
                    // What is left is what no other test tells apart.
                    const free = Object.keys(data.outcomes).filter((g) => !(unknown >> g & 1));
                    const same = [...Array(secrets).keys()].filter((t) =>
                        free.every((g) => data.outcomes[g][s] === data.outcomes[g][t]));
                    const kinds = new Set(same.map(kindOf));
                    const found = now.names.includes(kindOf(s)) && now.names.length <= kinds.size;
                    if (!found || picks.length > tests) wrong.push([s, unknown, now.names]);
                }
                turn([]);
                return wrong;
            }"""
        )
        assert wrong == []
    page.keyboard.press("0")
    assert "no longer proven" in told(page, "#asked") and "tells most for its cost" in told(page, "#asked")
    while page.locator(".choice").count():
        page.keyboard.press("0")
    assert page.text_content("#asked h2") == "No answer tells these 5 causes apart"
    assert page.locator(".ends li").all_text_contents() == [
        "battery40 %",
        "plug30 %",
        "fuse12 %",
        "starter10 %",
        "pump8 %",
    ]
    assert {row[1] for row in answered(page)} == {"don\u2019t know"}


@pytest.mark.long
def test_shares_of_the_guide_are_those_of_sheets(show: Show) -> None:
    shares = [Fraction(n, 2000) for n in (875, 690, 205, 125, 105)]
    game = guesstree.table(FAULTS, weights=shares)
    page = show(game, guesstree.solve(game).strategy, guide=True)
    seen = page.locator("#answered .chip b").all_text_contents()
    assert seen == [share_text(share) for share in shares] == ["44 %", "34.5 %", "10 %", "6.3 %", "5.3 %"]


@pytest.mark.long
def test_the_guide_follows_tests_that_may_get_several_answers(show: Show) -> None:
    rows = [
        "test,A,B,C,D,E,cost",
        "t1,x,x/y,y,y,y,1",
        "t2,x,y,x/y/z,z,z,1",
        "t3,y,x,y,x:0.3/y:0.7,x,2",
        "weight,4,2,1,1,1,",
    ]
    game = noisy_game(rows, "clique")
    page = show(game, strategy_of(solve(game)), guide=True)
    # Every answer of every cause, and none: the cause is among those named, likelier the more it explains.
    ends = page.evaluate(
        """() => {
            const ends = [];
            const walk = (s) => {
                const now = standing();
                if (now.names) {
                    if (!now.names.includes(s) || now.left !== now.names.length) ends.push([s, now.names]);
                    if (now.names.length > 1) ends.push(now.shares.reduce((a, b) => a + b));
                    return;
                }
                const before = picks;
                for (const r of [-1, ...answersOf(now.ask, s)]) {
                    picks = [...before, [now.ask, r]];
                    walk(s);
                }
                picks = before;
            };
            for (let s = 0; s < 5; s++) walk(s);
            picks = [];
            return ends;
        }"""
    )
    assert ends and all(end == pytest.approx(1) for end in ends)
    while page.locator(".choice").count():
        page.keyboard.press("0")
    assert page.locator(".ends li").all_text_contents() == ["A44 %", "B22 %", "C11 %", "D11 %", "E11 %"]


@pytest.mark.long
def test_the_guide_says_what_is_decided_how_likely_causes_are_and_what_it_cost(
    show: Show, tmp_path: Path
) -> None:
    game, tree = decided(tmp_path, THROAT)
    seen = outline(game, tree)
    page = show(game, tree, guide=True)
    for at, step in enumerate(seen.steps):
        way = [[game.guess_index(seen.steps[s].question), answers[0]] for s, answers in seen.path(at)]
        now, likely, spent, loss = page.evaluate(
            """(way) => {
                turn(way.map(([g, answer]) => [g, data.responses.indexOf(answer)]));
                const now = standing();
                const loss = now.names ? lossOf(now.decision, still()) : 0;
                return [now, ranked(still()).map(([s, p]) => [data.secrets[s], p]), sum(costs()), loss];
            }""",
            way,
        )
        assert [name for name, _ in likely] == [name for name, _ in step.possible]
        assert [p for _, p in likely] == pytest.approx([float(p) for _, p in step.possible])
        assert (spent, loss) == (seen.spent(at), pytest.approx(float(step.loss)))
        asked = step.question or game.decisions[now["decision"]]
        assert told(page, "#asked .text") == asked == (step.question or step.names[0])
    page.click("#again")
    page.keyboard.press("2")
    assert told(page, "#asked h2") == "Test 2 · 10 EUR + 5 set-up"
    assert told(page, "#asked p") == "Rules out no cause, but makes some likelier"
    assert page.locator("#answered .chip").all_text_contents() == [
        "strep throat57 %",
        "flu26 %",
        "glandular fever17 %",
    ]
    page.keyboard.press("1")
    assert progress(page)[1:] == ["16 EUR 2 tests so far", "0 more tests"]
    assert told(page, "#said") == "Decision: refer."
    assert told(page, "#asked") == (
        "DecisionreferExpected loss: 20.4 EURStill possibleglandular fever87 %strep throat10 %flu3.1 %"
    )
    assert answered(page) == [["cough?", "no", "1 EUR"], ["antibodies", "positive", "15 EUR"]]
    page.click("#to-tree")
    assert "Expected loss: 20.4 EUR" in told(page, "#details")


@pytest.mark.long
def test_without_an_answer_the_guide_goes_on_at_the_least_expected_cost(show: Show) -> None:
    """A test that was not answered is asked no more: the oracle says what is left to reach."""
    tried = 0
    for seed in range(60):
        model = replace(random_model(random.Random(seed)), failures=0, silent=-1)
        tree = best_strategy(model, "expected")
        if model.losses is None or tree is None or tree.guess[0] < 0 or tried == 3:
            continue
        tried += 1
        first = int(tree.guess[0])
        left = Evidence(tree.game).after(first, UNKNOWN).left[0]
        found = show(tree.game, tree, guide=True).evaluate(
            """() => {
                const total = () => {
                    const now = standing();
                    const mass = sum(still().map(([, left]) => left));
                    const loss = () => (now.decision === undefined ? 0 : lossOf(now.decision, still()));
                    if (now.names) return mass * loss();
                    if (picks.some(([g]) => g === now.ask)) throw new Error("asked again");
                    const before = picks;
                    const parts = now.answers.map((r) => {
                        picks = [...before, [now.ask, r]];
                        return still().length ? total() : 0;
                    });
                    picks = before;
                    return mass * paid(now.ask, 0, openNow()) + sum(parts);
                };
                const whole = sum(still().map(([, left]) => left));
                picks = [[standing().ask, -1]];
                return total() / whole;
            }"""
        )
        assert found == pytest.approx(float(oracle.expected(left) or 0)), seed
    assert tried == 3


@pytest.mark.long
def test_what_is_not_known_is_paid_opens_its_group_and_counts_for_after(show: Show) -> None:
    cells = {
        "open": {"jam": "full", "belt": "ok", "fuse": "ok"},
        "look": {"jam": "ok", "belt": "worn", "fuse": "ok"},
        "lamp": {"jam": "on", "belt": "on", "fuse": "off"},
    }
    game = guesstree.table(
        cells,
        costs={"open": 1, "look": 2, "lamp": "8.5"},
        groups={"open": "cover", "look": "cover"},
        setups={"cover": 5},
        after={"look": "open"},
        losses={"call": {"jam": 90, "belt": 90, "fuse": 80}, "mend": {"jam": 0, "belt": 30, "fuse": 200}},
        name="printer",
    )
    page = show(game, guesstree.solve(game, first="open").strategy, guide=True)
    evidence = Evidence(game)
    while page.locator(".choice").count():
        test = page.text_content("#asked .text") or ""
        price = game.look.paid(game.cost_text(evidence.outlook(test).price))
        shown = page.text_content("#asked h2") or ""
        assert evidence.outlook(test).setup or shown.endswith(price)
        page.keyboard.press("0")
        evidence = evidence.after(test, UNKNOWN)
        cost = game.look.paid(game.cost_text(evidence.paid))
        assert progress(page)[1] == f"{cost} {plural(len(evidence.history), 'test')} so far"
    assert len(evidence.history) == 3
    assert [row[2] for row in answered(page)][:1] == ["cost 6"]
    assert page.text_content("#asked .big") == game.decisions[evidence.advise().decision]


@pytest.mark.long
def test_an_answer_of_a_question_mark_is_not_dont_know(show: Show) -> None:
    cells = {"left": {"a": "?", "b": "yes", "c": "no"}, "right": {"a": "no", "b": "no", "c": "yes"}}
    game = guesstree.table(cells, missing="label", name="marks")
    page = show(game, guesstree.solve(game, first="left").strategy, guide=True)
    assert page.locator(".choice").count() == 4 and page.locator(".unsure").count() == 1
    page.keyboard.press("0")
    assert progress(page)[0] == "3 of 3 causes left"
    page.keyboard.press("Backspace")
    page.click('.choice:not(.unsure):has(:text-is("?"))')
    assert page.text_content("#asked h2") == "It is" and page.text_content("#asked .big") == "a"


@pytest.mark.long
def test_where_tests_may_fail_the_guide_ends_with_the_worst_case(show: Show) -> None:
    cells = {"lamp": {"fuse": "dark", "bulb": "bright"}, "hum": {"fuse": "yes", "bulb": "no"}}
    losses = {"keep": {"fuse": 100, "bulb": 0}, "stop": {"fuse": 50, "bulb": 40}}
    weights = {"fuse": 1, "bulb": 18}
    game = guesstree.table(cells, weights=weights, losses=losses, failures=1, name="car")
    page = show(game, guesstree.solve(game, "worst", first="lamp").strategy, guide=True)
    while page.locator(".choice").count():
        page.keyboard.press("0")
    assert page.text_content("#asked .big") == "stop" and "Loss at most: 50" in told(page, "#asked")
    assert Evidence(game, "lamp:? hum:?").loss("stop") == Fraction(50)


def test_a_long_word_is_smaller_on_a_phone_rather_than_broken(show: Show) -> None:
    word = "Kraftstoffpumpengeräusch"
    game = guesstree.table({f"{word} hörbar?": {"Relais": "nein", "Zündverteilerkappe": "ja"}})
    page = show(game, guesstree.solve(game).strategy, 320, guide=True)
    lines = "(one) => { const range = document.createRange(); range.setStart(one.firstChild, 0); "
    lines += f"range.setEnd(one.firstChild, {len(word)}); return range.getClientRects().length; }}"
    asked = page.locator("#asked .big")
    assert asked.evaluate(lines) == 1
    page.set_viewport_size({"width": 1280, "height": 800})
    assert asked.evaluate("(one) => getComputedStyle(one).fontSize") == "24px"


BROKEN = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/[^ ]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      if (range.getClientRects().length > 1) found.push(word[0]);
    }
  }
  return found;
}"""
"""The words of a page that are on more than one line."""


def test_a_key_on_a_phone_breaks_no_word(browser: "Browser", tmp_path: Path) -> None:
    causes = ["Kraftstoffpumpenrelais", "Zündverteilerkappe", "Sicherung durchgebrannt", "Masse unterbrochen"]
    answers = ["heil heil", "heil kaputt", "geschmolzen heil", "geschmolzen kaputt"]
    cells = [dict(zip(causes, (answer.split()[i] for answer in answers), strict=True)) for i in range(2)]
    asks = ["Sicherungskastenabdeckung", "Kraftstoffpumpengeräusch hörbar?"]
    game = guesstree.table(dict(zip(asks, cells, strict=True)), weights=[40, 30, 20, 11])
    guesstree.solve(game).strategy.render(tmp_path / "key.html", style="key", language="de")
    page = browser.new_page(viewport={"width": 360, "height": 800})
    page.goto((tmp_path / "key.html").as_uri())
    assert page.evaluate(BROKEN) == []
    page.close()


@pytest.mark.long
def test_a_cause_at_two_places_is_one_cause_on_the_page(show: Show, holly: Played) -> None:
    page = show(*holly)
    assert page.text_content("#causes") == "4"
    assert "case" not in page.inner_text("body").replace("worst case", "")
    page.fill("#query", "holly")
    assert page.locator("#found .trace").count() == 2
    assert page.text_content("#node-0 .num") == "4"
    page.click("#to-guide")
    assert page.locator("#answered .chip").all_text_contents() == ["beech", "birch", "rowan", "holly"]


@pytest.mark.long
def test_the_guide_fits_a_phone_and_its_labels_stay_text(show: Show, faults: Played) -> None:
    game, strategy = hostile()
    page = show(game, strategy, 360, 720, guide=True, has_touch=True, is_mobile=True)
    for key in ("1", "0", "2"):
        assert overflow(page) == 0
        page.keyboard.press(key)
    assert overflow(page) == 0
    assert page.locator("script").count() == 2 and page.locator("img").count() == 0
    assert {"</script><script>alert(1)</script>"} <= set(page.locator("#guided .text").all_text_contents())
    page = show(*faults, 360, 720, guide=True, has_touch=True, is_mobile=True)
    place = page.locator("#choices").bounding_box()
    page.click(".choice >> nth=1")
    assert page.locator("#choices").bounding_box() == place, "nothing jumps"
    assert page.evaluate("document.activeElement.id") == "choices"
    buttons = page.locator("button:visible").all()
    assert len(buttons) > 8
    assert [b.inner_text() for b in buttons if (b.bounding_box() or {"height": 0})["height"] < 44] == []


@pytest.mark.long
def test_the_guide_is_printed_without_its_buttons(show: Show, faults: Played) -> None:
    page = show(*faults, guide=True)
    for key in "22":
        page.keyboard.press(key)
    page.emulate_media(media="print")
    assert page.locator("#choices").is_hidden() and page.locator("#back").is_hidden()
    assert page.locator(".past").count() == 2 and page.locator(".past >> nth=1").is_visible()


@pytest.mark.long
def test_the_guide_shows_codes_as_pegs(show: Show) -> None:
    game, strategy = first_candidate("mastermind:2x3")
    page = show(game, strategy, guide=True)
    for guess, response in replay(game, strategy, 7):
        assert page.locator("#asked .peg").all_text_contents() == list(guess)
        assert page.locator(".unsure").count() == 0
        if page.locator(".choice").count():
            page.click(f'.choice:has([aria-label="{words(response)}"])')
    assert page.locator("#asked .peg").all_text_contents() == list(game.secrets[7])
    assert told(page, "#asked h2") == "It can only be"
