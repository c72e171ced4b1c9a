"""Games that the machine hides a secret in, in the browser: whole ones, and what goes wrong."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from served import Server

from guesstree.api.codemaker import Hidden
from guesstree.engine.advice.position import Position
from guesstree.engine.game import Game
from guesstree.engine.notation import plural
from guesstree.web.work import playing
from guesstree.web.work.boards import best_guesses, position_at
from guesstree.web.work.playing import playing_shown
from guesstree.web.work.uploads import game_at

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Visit = Callable[..., Page]

LONG = "abdicate\nabductor\nabeyance\naccident\nactivité\nactivist\nactivism\nactivity\n".encode()
WORDS = b"bare\nbase\nbike\nbone\ncake\ncame\ncare\ncode\n"
PLANTS = b"""test,oak,birch,pine,holly
leaf: shape,lobed,oval,needle,spiny
berries,no,no,no,yes
evergreen,no,no,yes,yes
"""
WIDE = "\n".join(
    [
        "test,a,b,c,d,e",
        *(f"t{t}," + ",".join(f"{t} {(s * t + s // 2) % 4}" for s in range(5)) for t in range(99)),
    ]
).encode()
"""Each test has up to four answers, worded otherwise than those of the others; more than 255 in all."""
PLACES = b"name,lat,lon\nParis,48.86,2.35\nBerlin,52.52,13.40\nLima,-12.05,-77.04\nRome,41.90,12.50\n"
DOCTOR = b"""test,flu,cold,well,cost
fever,yes:9/no:1,no:9/yes:1,no:9/yes:1,1
swab,pos:19/neg:1,neg:19/pos:1,neg:19/pos:1,2
decide antiviral,0,15,30,
decide rest,40,0,5,
"""


@dataclass
class Match:
    """A game that goes on at a server."""

    server: Server
    own: str

    @property
    def kept(self) -> dict[str, Any]:
        kept = self.server.store.play_state(self.own)
        assert kept is not None
        return kept

    @property
    def game(self) -> Game:
        return game_at(self.server.store.path, self.kept["game"])

    @property
    def hidden(self) -> Hidden:
        return Hidden(self.game, self.kept["seed"], goal=self.kept["goal"] or None, lies=self.kept["lies"])

    @property
    def secret(self) -> str:
        return self.game.secrets[self.hidden.secret]

    def page(self, **query: str) -> str:
        return words_of(self.server.get(f"/play/{self.own}", **query))

    def move(self, do: str, turn: str | None = None, **given: str) -> httpx.Response:
        turn = f"{len(self.kept['steps'])}-{self.kept['undone']}" if turn is None else turn
        return self.server.post(f"/play/{self.own}", None, do=do, turn=turn, **given)


def words_of(response: httpx.Response) -> str:
    """Return what a page says, tags left out."""
    main = response.text.partition("<main")[2]
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", main)).split())


def begun(server: Server, game: str, **chosen: str) -> Match:
    response = server.post("/play", None, game=game, **chosen)
    assert response.status_code == 303, response.text
    return Match(server, response.headers["location"].removeprefix("/play/"))


@pytest.fixture(scope="session")
def files(server: Server) -> dict[str, str]:
    """Return the files that games need, by the names that they were given."""
    return {
        "words": server.store.add_file("few.txt", WORDS, "words"),
        "long": server.store.add_file("lang.txt", LONG, "words"),
        "plants": server.store.add_file("plants.csv", PLANTS),
        "wide": server.store.add_file("wide.csv", WIDE),
        "places": server.store.add_file("places.csv", PLACES),
        "doctor": server.store.add_file("doctor.csv", DOCTOR),
    }


@pytest.mark.parametrize(
    ("spec", "chosen"),
    [
        ("mastermind:3x3", {}),
        ("mastermind:3x3", {"lies": "1"}),
        ("bulls:3x5", {"goal": "identify"}),
        ("wordle:{words}", {}),
        ("wordle:{words},hard", {}),
        ("wordle:{long},ultra", {}),
        ("hangman:{words},misses=6", {}),
        ("table:{plants}", {}),
        ("table:{wide}", {}),
        ("table:{wide}", {"lies": "1"}),
        ("worldle:{places},km=5000", {}),
        ("coins:3", {}),
        ("jotto:{words}", {}),
        ("nerdle:6", {}),
        ("primel:3", {}),
        ("balance:4,light,false=2", {}),
        ("battleship:2x4,ships=2,named", {}),
        ("who:{plants},causes=columns", {}),
    ],
)
def test_a_whole_game_is_played_with_hints(
    server: Server, files: dict[str, str], spec: str, chosen: dict[str, str]
) -> None:
    match = begun(server, spec.format(**files), **chosen)
    kept, asked = match.kept, 0
    while not playing_shown(server.store.path, match.kept).outcome:
        asked += 1
        assert asked < 20
        history = tuple((g, r) for g, r in match.kept["steps"])
        position = position_at(server.store.path, kept["game"], history, kept["goal"], kept["lies"])
        response = match.move("guess", guess=match.game.guesses[position.best_guess()])
        assert response.status_code == 303, response.text
        seen = playing_shown(server.store.path, match.kept)
        assert seen.secret == "" or seen.outcome  # the browser is not told before the end
    assert match.hidden.secret in position.after(*match.kept["steps"][-1]).candidates
    shown = match.page()
    if "misses=6" in spec:
        assert re.search("known after [0-9]+ guess(es)?, [0-9] miss(es)?[.]", shown)
    assert plural(asked, match.game.look.guess) in shown
    assert ("You found it" if seen.won and "found" in seen.outcome else "Only one") in shown
    assert seen.secret == match.secret
    assert str(kept["seed"]) not in server.get(f"/play/{match.own}").text


def test_hints_say_why_and_what_was_taken_back_is_told(server: Server) -> None:
    match = begun(server, "mastermind:2x3")
    match.move("guess", guess="11" if match.secret != "11" else "22")
    match.move("hint")
    assert re.search("splits [0-9]+ secrets into|tells (both|all) |the only secret left", match.page())
    match.move("undo")
    assert match.kept["steps"] == []
    assert "No guess yet" in match.page()
    match.move("guess", guess=match.secret)
    shown = match.page(review="1")
    assert "You found it in 1 guess (1 hint, 1 taken back)." in shown
    assert "The best strategy there is" in shown
    assert "gave away" in shown or "gave nothing away" in shown
    again = match.move("guess", guess="11")
    assert again.status_code == 400
    assert "this game is over" in words_of(again)


def test_what_is_given_up_is_shown_and_reviewed(server: Server, files: dict[str, str]) -> None:
    match = begun(server, f"table:{files['plants']}")
    match.move("guess", guess="evergreen")
    match.move("give up")
    shown = match.page(review="1")
    assert f"Given up after 1 test. The cause was {match.secret}" in shown
    assert "better:" in shown  # the leaf tells all at once


def test_a_table_whose_tests_may_err_is_decided(server: Server, files: dict[str, str]) -> None:
    match = begun(server, f"table:{files['doctor']},cells=sets")
    answer = match.hidden.answer((), 0)
    assert match.move("guess", guess="fever").status_code == 303
    assert match.kept["steps"] == [[0, answer]]
    match.move("hint")
    assert "3 causes possible" in match.page()
    match.move("decide", given="rest")
    lost = {"flu": 40, "cold": 0, "well": 5}[match.secret]
    shown = match.page(review="1")
    assert f"Decided after 1 test (1 hint): rest. It took a cost of 1, and the decision lost {lost}." in shown
    assert f"You 1 test, a cost of {1 + lost} –" in shown
    assert "decide rest" in shown


def test_two_tabs_and_games_that_are_gone(server: Server) -> None:
    match = begun(server, "mastermind:2x3")
    match.move("guess", guess="11")
    late = match.move("guess", turn="0-0", guess="22")
    assert late.status_code == 409
    assert "went on in another tab" in words_of(late)
    assert len(match.kept["steps"]) == 1
    for own in ("gone", "0" * 12, "%00", "a" * 5000, "..%2f..%2fetc"):
        assert server.get(f"/play/{own}").status_code == 404
    gone = server.post("/play/0", do="guess", turn="0-0", guess="11")
    assert (gone.status_code, "begin another" in gone.text) == (404, True)
    assert server.post(f"/play/{match.own}", token="other").status_code == 403


def test_a_move_that_another_tab_was_quicker_than_is_told(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begun(server, "mastermind:2x3")
    ask, before = server.app.state.pool.ask, match.kept
    quicker = before | {"steps": [[0, 0]]}

    async def late(work: Callable[..., Any], *given: Any, **how: Any) -> Any:
        found = await ask(work, *given, **how)
        if work is playing.move:
            assert server.store.change_play(match.own, before, quicker)
        return found

    monkeypatch.setattr(server.app.state.pool, "ask", late)
    answer = match.move("guess", guess="22")
    assert (answer.status_code, match.kept) == (409, quicker)
    assert "went on in another tab" in words_of(answer)
    assert 'value="22"' in answer.text  # to be asked again


def test_what_cannot_be_asked_is_told_and_kept(server: Server, files: dict[str, str]) -> None:
    match = begun(server, f"wordle:{files['words']}")
    wrong = match.move("guess", guess="zzzz")
    assert wrong.status_code == 400
    assert "'zzzz' is not a guess" in words_of(wrong)
    assert 'value="zzzz"' in wrong.text  # to be mended
    assert match.kept["steps"] == []
    for fields, line in (
        ({"do": "dance"}, "no such move"),
        ({"do": "guess", "guess": " "}, "no guess was entered"),
        ({"do": "undo"}, "nothing to take back"),
        ({"do": "decide", "given": "rest"}, "no such move"),
    ):
        assert line in words_of(match.move(**fields))


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"game": "mastermind:7x10"}, "10000000 secrets; pages play with at most 4194304"),
        ({"game": "chess"}, "unknown game"),
        ({"game": "mastermind:2x3", "lies": "99"}, "expected 0 to 9"),
        ({"game": "mastermind:2x3", "goal": "fun"}, "unknown goal"),
        ({"game": "table:/etc/passwd"}, "was brought here"),
    ],
)
def test_what_cannot_be_played_is_one_line(server: Server, fields: dict[str, str], line: str) -> None:
    response = server.post("/play", None, **fields)
    assert response.status_code == 400
    assert line in words_of(response)


@pytest.mark.long
def test_a_game_by_keyboard_and_by_mouse(server: Server, files: dict[str, str], visit: "Visit") -> None:
    match = begun(server, "mastermind:3x4")
    other = next(code for code in ("112", "334") if code != match.secret)
    page = visit(f"/play/{match.own}", width=360)
    page.focus(".slot")
    page.keyboard.type(f"{other[0]}4{other[1:]}")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type(other)
    page.keyboard.press("Enter")
    page.wait_for_selector("#said:has-text('Guess 1: ')", state="attached")  # what is read out
    assert page.evaluate("document.activeElement.className").startswith("slot")
    for symbol in match.secret:
        page.click(f"[data-key='{symbol}']")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("button.main")
    page.wait_for_selector(".reviewed")
    assert page.text_content(".outcome strong") == "You found it in 2 guesses."

    match = begun(server, f"wordle:{files['words']}")
    page.goto(f"/play/{match.own}")
    asked = next(word for word in WORDS.decode().split() if word != match.secret)
    page.wait_for_selector(".slot")
    page.keyboard.type(asked)  # nothing has the focus yet
    page.keyboard.press("Enter")
    page.wait_for_selector(".turns .tile")
    marks = page.eval_on_selector_all(".turns .tile", "tiles => tiles.map(tile => tile.className)")
    told = match.game.responses[match.kept["steps"][0][1]]
    names = {"=": "place", "+": "elsewhere", "-": "absent"}
    assert marks == [f"tile mark-{names[mark]}" for mark in told]
    best = page.get_attribute(f"[data-key='{asked[3]}']", "class")
    assert best == f"tile mark-{names[told[3]]}"  # every word ends in e


def test_a_refused_guess_is_corrected_or_typed_anew(
    server: Server, files: dict[str, str], visit: "Visit"
) -> None:
    match = begun(server, f"wordle:{files['words']}")
    page = visit(f"/play/{match.own}")
    page.wait_for_selector(".slot")
    page.keyboard.type("bbbb")
    page.keyboard.press("Enter")
    page.wait_for_selector(".fault")
    page.keyboard.type("ca")
    assert page.input_value("[name=guess]") == "ca"
    page.keyboard.type("bb")
    page.keyboard.press("Enter")
    page.wait_for_selector(".fault:has-text('cabb')")
    page.keyboard.press("Backspace")
    page.keyboard.type("e")
    assert page.input_value("[name=guess]") == "cabe"


def focused(page: "Page") -> str:
    """Return what has the keyboard: its class, or the name of a field."""
    return str(page.evaluate("document.activeElement.name || document.activeElement.className"))


def test_enter_after_a_letter_asks_nothing_else_and_a_letter_asked_again_costs_nothing(
    server: Server, files: dict[str, str], visit: "Visit"
) -> None:
    match = begun(server, f"hangman:{files['words']},misses=6")
    page = visit(f"/play/{match.own}")
    assert focused(page) == "letters"
    page.keyboard.press("e")
    page.wait_for_selector(".turns li:nth-child(1)")
    assert focused(page) == "letters"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.keyboard.press("e")
    page.wait_for_selector(".fault")
    asked = [match.game.guesses[guess] for guess, _ in match.kept["steps"]]
    assert asked == ["e"]
    told = match.game.responses[match.kept["steps"][0][1]]
    assert page.text_content(".fault") == f"'e' was asked already: {told}; that costs nothing"
    page.click(".letters button[value='e']", force=True)  # clicked, it says the same
    page.wait_for_selector(".fault")
    assert len(match.kept["steps"]) == 1


def test_the_page_of_advice_begins_with_a_proven_opening(tmp_path: Path) -> None:
    history = ((Position("mastermind:4x6").game.guess_index("3345"), 2),)
    first = best_guesses(tmp_path / "kept", "mastermind:4x6", (), "", 0)[0]
    then = best_guesses(tmp_path / "kept", "mastermind:4x6", history, "", 0)[0]
    assert (first.label, first.words) == (
        "1123",
        "needs 4.3403 guesses on average (5625 in all); no strategy needs fewer, as is proven",
    )
    assert "more guesses on average" in then.words
    assert "proven" not in best_guesses(tmp_path / "kept", "mastermind:4x6", (), "identify", 0)[0].words


def test_wordle_ends_after_six_guesses(server: Server, files: dict[str, str]) -> None:
    match = begun(server, f"wordle:{files['words']}")
    assert "6 guesses left" in match.page()
    others = [word for word in WORDS.decode().split() if word != match.secret][:6]
    for word in others:
        assert match.move("guess", guess=word).status_code == 303
    shown = match.page(review="1")
    assert f"Lost after 6 guesses. The secret was {' '.join(match.secret)}" in shown
    assert "gave away" in shown or "gave nothing away" in shown
    assert "this game is over" in words_of(match.move("guess", guess=match.secret))


def test_cells_of_a_board_are_buttons_with_what_was_found(server: Server) -> None:
    match = begun(server, "battleship:1x5,ships=3")
    assert "A1 A2 A3 A4 A5" in match.page()
    match.move("guess", guess="a3")  # which every placement has
    shown = server.get(f"/play/{match.own}").text
    assert 'value="A3" class="found" aria-label="A3: hit" aria-disabled="true"' in shown
    assert 'value="A2">A2</button>' in shown


@pytest.mark.long
def test_a_board_is_clicked_in_a_browser(visit: "Visit", server: Server) -> None:
    match = begun(server, "battleship:3x4,ships=2+3")
    page, cell = visit(f"/play/{match.own}"), match.secret.split()[0]
    page.click(f".cells button[value={cell}]")
    page.wait_for_selector(f".cells button.found[value={cell}]")
    assert page.locator(".cells .found").count() == 1
