"""Advice on games that are played elsewhere, in the browser."""

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from pages import violations
from served import Server

from guesstree.web.work.uploads import game_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    Visit = Callable[..., Page]

FAULTS = b"""test,pump,valve,"fuse; main: A",cable
hum: loud,yes,no,yes,no
light,on,off,off,on
smell,no,no,burnt,no
"""
DOCTOR = b"""test,flu,cold,cost
fever,yes:9/no:1,no:9/yes:1,1
swab,pos,neg,2
decide rest,40,0,
decide pills,0,9,
"""


def said(response: httpx.Response) -> str:
    main = response.text.partition("<main")[2]
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", main)).split())


def linked(response: httpx.Response, text: str) -> list[str]:
    """Return where the links with this text, or this name, lead."""
    found = re.findall(r"<a ([^>]*)>(.*?)</a>", response.text, flags=re.DOTALL)
    named = [attributes for attributes, inside in found if text in attributes or text in inside]
    return [html.unescape(re.search('href="([^"]*)"', one)[1]) for one in named]  # type: ignore[index]


@pytest.fixture(scope="session")
def faults(server: Server) -> str:
    return f"table:{server.store.add_file('faults.csv', FAULTS)}"


@pytest.fixture(scope="session")
def words(server: Server) -> str:
    return server.store.add_file("five.txt", b"bare\nbase\nbike\nbone\ncake\ncame\n", "words")


@pytest.mark.parametrize(
    ("spec", "secret"),
    [
        ("mastermind:3x4", "142"),
        ("bulls:3x5", "031"),
        ("wordle:{words}", "cake"),
        ("hangman:{words}", "bone"),
    ],
)
def test_a_whole_game_by_the_best_guess(server: Server, words: str, spec: str, secret: str) -> None:
    spec = spec.format(words=words)
    game = game_at(server.store.path, spec)
    hidden = game.secret_index(secret)
    page = server.get("/assist", game=spec)
    for _ in range(8):
        if "the secret is" in said(page):
            break
        ask = linked(page, 'class="ask"')[0]
        asked = parse_qs(urlsplit(ask).query)["guess"][0]
        response = game.responses[game.respond(game.guess_index(asked), hidden)]
        assert "What was the response" in said(server.client.get(ask))
        page = server.client.get(f"{ask}&response={response.replace('+', '%2B')}", follow_redirects=True)
        assert page.url.params["history"].count(":") == page.text.count(
            "turn-number"
        )  # all is in the address
    ended = said(page)
    assert re.search("(Won|Known) after [1-6] guess", ended)
    assert secret in ended.replace(" ", "")


def test_a_contradiction_names_the_fewest_responses_to_doubt(server: Server) -> None:
    history = "1122:0,0;1133:0,0;4455:0,0;6666:0,0"
    page = server.get("/assist", game="mastermind:4x6", history=history)
    told = said(page)
    assert "No secret fits from response 4 on (6666 0,0)." in told
    # Without the third, codes of 4 and 5 are left; without another, one of one colour.
    lefts = re.findall("response ([1-4]) \\( correct this one \\): then ([0-9]+) secrets? fits?", told)
    assert lefts == [("1", "1"), ("2", "1"), ("3", "16"), ("4", "1")]
    edit = linked(page, "correct this one")[2]
    assert parse_qs(urlsplit(edit).query)["edit"] == ["3"]
    editing = said(server.client.get(edit))
    assert "Change: what was the response to 4 4 5 5 ?" in editing
    assert sum(map(int, re.findall("([0-9]+) left", editing))) == 16  # with all the others
    mended = server.client.get(f"{edit}&response=2,0")
    assert mended.status_code == 303
    history = history.replace("4455:0,0", "4455:2,0")
    assert parse_qs(urlsplit(mended.headers["location"]).query)["history"] == [history]
    assert "2 secrets fit" in said(server.client.get(mended.headers["location"]))
    doubted = server.client.get(linked(page, "let 1 response be false")[0])
    # Not 4455 and 6666: what wins is never answered falsely.
    lies = "May be false: response 1, for 1 of 17; response 2, for 1 of 17; response 3, for 15 of 17."
    assert lies in said(doubted)
    removed = server.client.get(linked(page, "Remove guess 1")[0])
    assert "1133:0,0;4455:0,0;6666:0,0" in parse_qs(urlsplit(removed.headers["location"]).query)["history"]


def test_false_responses_are_named(server: Server) -> None:
    page = said(server.get("/assist", game="mastermind:3x3", history="111:0,0;123:3,0", lies="1"))
    assert "May be false: response 1 is surely false." in page
    assert "Won after 2 guesses: the secret is 1 2 3" in page


def test_labels_are_what_they_are_in_an_address(server: Server, faults: str) -> None:
    page = server.get("/assist", game=faults)
    ask = linked(page, "hum: loud")[0]
    assert said(server.client.get(ask)).count("2 left") == 2
    page = server.client.get(f"{ask}&response=yes", follow_redirects=True)
    assert page.url.params["history"] == "hum%3A loud:yes"
    assert "2 causes fit" in said(page)
    assert "pump" in said(page)
    assert "fuse; main: A" in said(page)
    unknown = said(server.get("/assist", game=faults, history="hum%3A loud:yes;light:?"))
    assert "light not known" in unknown
    assert "Why not" in unknown and re.search(r"hum: loud: yes; there it is no", unknown)
    assert "smell tells both causes apart" in unknown


def test_tests_that_may_err_have_probabilities(server: Server) -> None:
    spec = f"table:{server.store.add_file('ill.csv', DOCTOR)},cells=sets"
    page = said(server.get("/assist", game=spec, history="fever:yes"))
    assert "flu 90 %" in page
    assert "cold 10 %" in page
    assert "Best: decide pills; this is expected to lose 0.9." in page
    decided = said(server.get("/assist", game=spec, history="fever:yes", decision="pills"))
    assert "Decided: pills. It is expected to lose 0.9; cost 1 was paid." in decided
    wrong = said(server.get("/assist", game=spec, history="fever:yes;fever:no"))
    assert "'fever' was asked already" in wrong


def test_where_tests_may_fail_pages_tell_the_worst_case(server: Server) -> None:
    car = b"test,fuse,bulb,cost\nlamp,dark,bright,1\nweight,1,18,\ndecide keep,100,0,\ndecide stop,50,50,\n"
    spec = f"table:{server.store.add_file('car.csv', car)},failures=1"
    page = said(server.get("/assist", game=spec, history="lamp:?"))
    assert "Best: decide stop; this loses at most 50." in page
    decided = said(server.get("/assist", game=spec, history="lamp:?", decision="keep"))
    assert "Decided: keep. It loses at most 100; cost 1 was paid." in decided


def test_the_button_takes_no_answer_that_is_a_question_mark(server: Server) -> None:
    marks = b"test,a,b,c\nleft,?,yes,no\nright,no,no,yes\n"
    noisy = b"test,a,b,c\nleft,?:9/yes:1,yes,no\nright,no,no,yes\ndecide A,0,9,9\ndecide B,9,0,0\n"
    unsure = (
        b"test,a,b,c\nleft,?:1/yes:9,yes:9/?:1,no:9/?:1\nright,no,no,yes\ndecide A,0,9,9\ndecide B,9,0,0\n"
    )
    for text, options, value in (
        (marks, "missing=label", "don&#39;t know"),
        (noisy, "cells=sets,missing=label", "don&#39;t know"),
        (unsure, "cells=sets,missing=label", "?"),  # it tells nothing: nobody knows
    ):
        spec = f"table:{server.store.add_file('marks.csv', text)},{options}"
        page = server.get("/assist", game=spec, guess="left").text
        button = re.search(
            r'<button name="response" value="([^"]*)" class="response unknown">Don.t know<', page
        )
        assert button and button[1] == value
        assert page.count('value="?"') == 1
        query = {"game": spec, "guess": "left", "response": html.unescape(value)}
        there = server.client.get("/assist", params=query, follow_redirects=True)
        unknown = said(server.get("/assist", game=spec, history=there.url.params["history"]))
        assert ("left not known" in unknown) == (value != "?")
        assert "3 causes" in unknown


@pytest.mark.parametrize(
    ("query", "status", "line"),
    [
        ({"history": "12"}, 400, "history '12'; expected GUESS:RESPONSE"),
        ({"history": "111:9,9"}, 400, "'9,9' is not a response"),
        ({"guess": "hello"}, 200, "'hello' is not a guess"),
        ({"guess": "111", "response": "7,7"}, 200, "'7,7' is not a response"),
        ({"drop": "5"}, 200, "turn 5 is not there"),
        ({"edit": "-1"}, 400, "expected 0 to"),
        ({"lies": "x"}, 400, "expected 0 to"),
        ({"goal": "x"}, 400, "unknown goal"),
        ({"history": ";".join(["111:0,0"] * 400)}, 400, "expected at most 300"),
    ],
)
def test_what_is_wrong_is_one_line(server: Server, query: dict[str, str], status: int, line: str) -> None:
    page = server.get("/assist", game="mastermind:3x3", **query)
    assert (page.status_code, line in said(page)) == (status, True), said(page)


def test_responses_are_clicked(server: Server, words: str, visit: "Visit") -> None:
    page = visit(f"/assist?game=wordle:{words}&guess=cake", width=360)
    page.click(".marking button:nth-child(4)")
    page.click(".marking button:nth-child(4)")
    page.focus(".marking button:nth-child(2)")
    page.keyboard.press("g")
    page.keyboard.press("Enter")
    page.wait_for_selector(".turns .mark-place")
    assert "history=cake%3A-%3D-%3D" in page.url
    assert page.text_content("#advice-name") == "2 secrets fit"
    page.go_back()
    page.wait_for_selector(".marking")
    page.goto(f"/assist?game=hangman:{words}&guess=b")
    page.click(".marking button:nth-child(1)")
    page.click("text=It is there")
    page.wait_for_selector(".turns .pattern")
    assert page.get_attribute(".turns .pattern", "aria-label") == "b blank blank blank"
    page.goto("/assist?game=mastermind:4x6&guess=1122")
    page.click("button:has(> [aria-label='1 black, 2 white'])")
    page.wait_for_selector(".turns .keys")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    page.click(".best .ask >> nth=0")
    page.wait_for_selector(".responses")


@pytest.mark.long
def test_advice_takes_the_keyboard_at_once_and_after_each_turn(
    server: Server, words: str, faults: str, visit: "Visit"
) -> None:
    page = visit(f"/assist?game=wordle:{words}")
    for turn, (word, marks) in enumerate((("cake", "ggbg"), ("came", "2222")), 1):
        page.wait_for_selector(".slot:focus")
        page.keyboard.type(word)
        page.keyboard.press("Enter")
        page.wait_for_selector(".marking :focus")
        page.keyboard.type(marks)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".turns li:nth-child({turn})")
    page = visit("/assist?game=mastermind:4x6")
    for turn, (code, pegs) in enumerate((("1122", "bww"), ("1344", "0 1")), 1):
        page.wait_for_selector(".slot:focus")
        page.keyboard.type(code)
        page.keyboard.press("Enter")
        page.wait_for_selector("input[name=response]:focus")
        page.keyboard.type(pegs)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".turns li:nth-child({turn})")
    assert "history=1122%3A1%2C2%3B1344%3A0%2C1" in page.url
    page = visit(f"/assist?game=hangman:{words}", width=360)
    page.wait_for_selector(".letters:focus")
    page.keyboard.press("c")
    page.wait_for_selector(".marking :focus")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".turns .pattern")
    page.wait_for_selector(".letters:focus")
    page = visit(f"/assist?game={faults}&guess=light")
    page.wait_for_selector("input[name=response]:focus")
    assert violations(page) == []


@pytest.mark.long
def test_places_are_typed_with_spaces_and_an_exact_name_is_found_among_longer_ones(
    server: Server, words: str, visit: "Visit"
) -> None:
    page = visit(f"/assist?game=hangman:{words}")
    page.keyboard.press("c")
    page.wait_for_selector(".marking :focus")
    page.keyboard.type("1 ,")  # the space presses no button
    page.keyboard.press("Enter")
    page.wait_for_selector(".turns .pattern")
    assert "history=c%3A1" in page.url
    page = visit("/assist?game=coins:4")
    page.keyboard.type("abc")
    page.keyboard.press("Enter")
    page.wait_for_selector("[name=response]")
    assert page.url.endswith("guess=ABC")


@pytest.mark.long
def test_a_game_that_was_played_elsewhere_is_reviewed(server: Server, visit: "Visit") -> None:
    over = "/assist?game=mastermind:3x3&history=112:1,2;121:1,2;211:3,0"
    assert "Compare with the best strategy" in said(server.client.get(over))
    page = visit(over, width=360)
    page.wait_for_selector("#review .reviewed")
    assert "The best strategy there is" in (page.text_content("#review") or "")
    assert violations(page) == []
    assert "How well did you play?" not in said(
        server.get("/assist", game="mastermind:3x3", history="112:1,1")
    )


def test_a_word_that_is_not_on_the_list_is_told_with_what_explains_it(server: Server) -> None:
    server.store.add_file("few-a.txt", b"crane\nslate\npilot\n", "words")
    server.store.add_file("few-b.txt", b"grape\ngrate\nprate\n", "words")
    game = "wordle:few-a.txt,few-b.txt"
    shown = said(server.get("/assist", game=game, history="crane:bggbg"))
    assert (
        f"No word among the 3 answers of {game} fits; of all 6 that may be guessed, 3 other words fit."
        in shown
    )
    assert "response 1 ( correct this one )" in shown and "grape grate prate" in shown
    won = said(server.get("/assist", game=game, history="grape:ggggg"))
    assert "&#39;grape&#39; is not among the 3 answers" in won or "'grape' is not among the 3 answers" in won
    assert "Won after 1 guess" in won


def test_notes_and_pictures_of_what_is_best_asked_and_found(server: "Server") -> None:
    table = (
        "species,leaf,fruit,notes,image\noak,simple,acorn,of <hills>,https://example.org/oak.jpg\n"
        "ash,pinnate,keys,,\nelm,simple,keys,,\nnotes,look at a twig,,,\n"
    )
    server.post("/bring", ("trees.csv", table.encode()))
    page = server.get("/assist", game="table:trees.csv").text
    assert "<strong>leaf:</strong> look at a twig" in page
    page = server.get("/assist", game="table:trees.csv", history="fruit:acorn").text
    assert "<strong>oak:</strong> of &lt;hills&gt;" in page
    assert (
        '<a href="https://example.org/oak.jpg" target="_blank" rel="noopener noreferrer">Picture of oak</a>'
        in page
    )
