"""Several boards in the browser: played, and advised on."""

import html
import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from served import Server

from guesstree.engine.advice.boards import draw
from guesstree.engine.boards import BoardsGame
from guesstree.web.work.several import several_shown
from guesstree.web.work.uploads import game_at

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Visit = Callable[..., Page]

pytestmark = pytest.mark.usefixtures("nothing_fails")

WORDS = b"crane\nslate\ntrace\ncrate\nleast\nstale\nmoist\nhoist\n"
SPEC = "boards:4,wordle:w.txt"


@pytest.fixture
def begun(server: Server) -> str:
    """Return the path of a game that was begun."""
    server.post("/bring", ("w.txt", WORDS))
    return server.post("/play", game=SPEC).headers["location"]


def hidden(server: Server, own: str) -> list[str]:
    """Return the words of the boards."""
    state = server.store.play_state(own.rpartition("/")[2])
    assert state is not None
    game = game_at(server.store.path, SPEC)
    assert isinstance(game, BoardsGame)
    return [game.board.secrets[secret] for secret in draw(game, random.Random(state["seed"]))]


def turn(page: str) -> str:
    found = re.search(r'name="turn" value="([^"]*)"', page)
    assert found is not None
    return found[1]


def test_a_game_is_played_to_the_end(server: Server, begun: str) -> None:
    secrets = hidden(server, begun)
    page = server.get(begun).text
    assert page.count("<h2>Board ") == 4 and "9 guesses left" in page
    other = next(word for word in WORDS.decode().split() if word not in secrets)
    for number, word in enumerate([other, *secrets], 1):
        page = server.get(begun).text
        assert not any(f">{secret}<" in page for secret in secrets)
        hint = server.post(begun, do="hint", turn=turn(page))
        assert hint.status_code == 303
        page = server.get(begun).text
        assert "more guesses on average" in page or "guesses on average" in page
        answer = server.post(begun, do="guess", guess=word, turn=turn(page))
        assert answer.status_code == 303, answer.text
        page = server.get(begun).text
        assert page.count("solved in ") == number - 1
    assert "You solved all 4 boards in 5 guesses (5 hints)." in html.unescape(page)
    assert server.post(begun, do="guess", guess=other, turn="5-0").status_code == 400


def test_guesses_are_taken_back_and_given_up_and_refused_in_one_line(server: Server, begun: str) -> None:
    for typed in ("", "xxxxx", "\0", "é" * 300, "<b>"):
        answer = server.post(begun, do="guess", guess=typed, turn="0-0")
        assert answer.status_code == 400 and 'role="alert"' in answer.text
    assert server.post(begun, do="undo", turn="0-0").status_code == 400
    assert server.post(begun, do="decide", given="x", turn="0-0").status_code == 400
    assert server.post(begun, do="guess", guess="moist", turn="0-0").status_code == 303
    assert "was asked already" in html.unescape(
        server.post(begun, do="guess", guess="moist", turn="1-0").text
    )
    assert server.post(begun, do="guess", guess="crane", turn="0-0").status_code == 409
    assert server.post(begun, do="undo", turn="1-0").status_code == 303
    assert server.post(begun, do="give up", turn="0-1").status_code == 303
    page = html.unescape(server.get(begun).text)
    assert "Given up after 0 guesses, with 0 of 4 boards solved (1 taken back)." in page
    for secret in hidden(server, begun):
        assert f'aria-label="{" ".join(secret)}"' in page
    state = server.store.play_state(begun.rpartition("/")[2])
    assert state is not None and several_shown(server.store.path, state).secrets


def test_advice_keeps_everything_in_the_address(server: Server) -> None:
    server.post("/bring", ("w.txt", WORDS))
    about = f"/assist?game={quote(SPEC)}"
    page = server.get(about).text
    assert "At least 4" in page and page.count("8 left") == 4
    page = server.get(f"{about}&guess=moist").text
    assert page.count('name="response"') == 4 and 'data-guess="moist"' in page
    said = "&".join(f"response={quote(one)}" for one in ("=====", "-====", "---++", "-----"))
    there = server.get(f"{about}&guess=moist&{said}").headers["location"]
    page = server.get(there).text
    assert "solved in 1" in page and "Which secrets fit board 3" in page
    page = server.get(f"{there}&guess=hoist").text
    assert page.count('name="response"') == 3 and ">Board 1</label>" not in page
    back = server.get(f"{there}&drop=1")
    assert back.status_code == 303 and "history" not in back.headers["location"]


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("&guess=moist&response=x&response=-----&response=-----&response=-----", 200, "board 1: 'x' is not"),
        ("&guess=moist&response=-----", 200, "1 response; expected 4, one for each board"),
        (
            "&guess=moist&response=%3D%3D%3D%3D%3D&response=%3D%3D%3D%3D%3D&response=-&response=-",
            200,
            "board 3",
        ),
        ("&guess=nobody", 200, "'nobody' is not a guess"),
        ("&history=moist", 400, "expected GUESS:RESPONSE"),
        ("&history=moist:-----", 400, "expected one for each board"),
        ("&drop=3", 400, "turn 3 is not there"),
        ("&edit=1", 400, "turn 1 is not there"),
        ("&lies=1", 400, "all boards are to be solved, with true responses"),
        ("&goal=win", 400, "all boards are to be solved"),
    ],
)
def test_what_does_not_fit_is_one_line(server: Server, query: str, status: int, words: str) -> None:
    server.post("/bring", ("w.txt", WORDS))
    answer = server.get(f"/assist?game={quote(SPEC)}{query}")
    assert answer.status_code == status, answer.text
    assert words in html.unescape(answer.text)


def test_games_that_cannot_be_several_and_files_that_were_not_brought_are_refused(server: Server) -> None:
    server.post("/bring", ("w.txt", WORDS))
    for spec in ("boards:2,hangman:w.txt", "boards:2,wordle:/etc/passwd", "boards:2,table:pump.csv"):
        for path in ("play", "assist", "game"):
            answer = server.get(f"/{path}?game={quote(spec)}")
            assert answer.status_code == 400 and "root:" not in answer.text, spec
    page = server.get("/").text
    assert '<option value="wordle:w.txt">' in page and "hangman:w.txt" not in page
    chosen = server.get("/game?family=boards&n=3&text=wordle:w.txt&then=play")
    assert chosen.headers["location"] == f"/play?game={quote('boards:3,wordle:w.txt', safe='')}"


@pytest.mark.long
def test_marks_are_clicked_board_by_board(visit: "Visit", server: Server) -> None:
    server.post("/bring", ("w.txt", WORDS))
    page = visit(f"/assist?game={quote('boards:2,wordle:w.txt')}&guess=moist")
    page.locator(".marking").first.wait_for()
    page.keyboard.type("gggggbgggg")
    assert [field.input_value() for field in page.locator("input[name=response]").all()] == ["=====", "-===="]
    page.keyboard.press("Enter")
    page.wait_for_url("**history=**")
    assert "solved in 1" in page.locator(".several li").first.inner_text().lower()
    assert "hoist" in page.locator(".several > li").nth(1).inner_text()
