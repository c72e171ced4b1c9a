"""All ways to write a guess and a response, through all that takes them: each means the same everywhere."""

import html
import json
import random
import re
from itertools import product
from pathlib import Path
from urllib.parse import unquote

import pytest
from piped import piped
from served import Server

from guesstree.cli.assist import Assist
from guesstree.cli.session.noisy import NoisyAssist
from guesstree.engine.advice.evidence import Evidence
from guesstree.engine.advice.position import Position
from guesstree.engine.advice.turns import parse_history
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.registry import parse

FILES = {
    "ways-five.txt": b"abide\ncrepe\nerase\ngeese\nspeed\nsteal\nsweet\n",
    "ways-four.txt": b"mama\npapa\nkaka\nhobo\nzebu\n",
    "ways-lamp.csv": (
        b"test,bulb,fuse,switch,mains\nswap the bulb,works,dark,dark,dark\n"
        b"measure at the socket,live,dead,live,dead\npress the switch,dark,dark,click,dark\n"
        b"lamp in the next room,on,on,on,off\n"
    ),
    "ways-ill.csv": b"test,flu,cold\nfever,yes:9/no:1,no:9/yes:1\nrash,no,yes:1/no:1\n",
}
WAYS = [  # the first guess and the first response are those of the game
    (
        "mastermind:4x6",
        "1122 or 1 1 2 2 or 1,1,2,2 or 1-1-2-2",
        "1,2 or 1 2 or 12 or bww or 1b2w or ●○○ or wbw or ⚫⚪⚪",
    ),
    ("bulls:3x6", "123 or 1 2 3", "1,2 or 1 2 or 12 or bcc or 1b2c or CBC"),
    ("wordle:ways-five.txt", "speed or SPEED or s p e e d", "=-=-- or gbgbb or 20200 or 🟩⬛🟩⬛⬛ or G.G.."),
    ("hangman:ways-four.txt", "a or A", "2 4 or 2,4 or _a_a or _ a _ a or .A.A"),
    ("hangman:ways-four.txt", "z", "miss or - or MISS"),
    (
        "table:ways-lamp.csv",
        "measure at the socket or meas or 2 or MEASURE AT THE SOCKET",
        "dead or de or DEAD or #2 or 2",
    ),
    ("table:ways-lamp.csv", "press the switch or p or 3", "? or don't know or unknown"),
    ("table:ways-ill.csv,cells=sets", "rash or r or 2", "yes or y or YES or #1 or 1"),
    ("balance:4", "AB|CD or ab/cd or A B - C D", "left heavier or > or l"),
    ("balance:4", "A|B", "balanced or = or b"),
    ("mastermind:4xRGBYOW", "RRGG or rrgg or 1122 or R R G G", "1,2 or bww"),
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Path:
    place = tmp_path_factory.mktemp("ways")
    for name, data in FILES.items():
        (place / name).write_bytes(data)
        assert server.store.add_file(name, data, "words" if name.endswith(".txt") else "sheet") == name
    return place


def shown_history(page: str) -> str:
    """Return the turns that a page of advice keeps."""
    found = re.search('<input type="hidden" name="history" value="([^"]*)"', page)
    return html.unescape(found[1]) if found else ""


@pytest.mark.parametrize(("spec", "guesses", "some"), WAYS)
def test_a_turn_is_read_alike_everywhere(
    folder: Path, server: Server, spec: str, guesses: str, some: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    game, ways = parse(spec), list(product(guesses.split(" or "), some.split(" or ")))
    known = Position if game.model is None else Evidence
    step = known(game).after(*ways[0]).history
    assert game.guesses[step[0][0]] == ways[0][0]
    for guess, told in ways:
        assert known(game, f"{guess}:{told}").history == step, (guess, told)
        assert known(game, f" {guess} : {told} ;").history == step
        assert known(game, [(guess, told)]).history == step
        assert known(game).after(guess, told).history == step
        if game.model is None:
            typing: Assist | NoisyAssist = Assist(game, None, (), None, 0, 10)
        else:
            typing = NoisyAssist(game, (), 10)
        typing.enter(game.guesses[step[0][0]] if guess.isdigit() else guess)  # a number is that of the advice
        typing.enter(told)
        now = typing.position.history if isinstance(typing, Assist) else typing.evidence.history
        assert now == step
        sent = server.client.get("/assist", params={"game": spec, "guess": guess, "response": told})
        assert sent.status_code == 303
    guess, told = ways[-1]
    kept = server.client.get(sent.headers["location"]).url.params["history"]
    page = server.get("/assist", game=spec, history=f"{guess}:{told}", edit="1").text
    assert shown_history(page) == kept == f"{ways[0][0]}:{unquote(ways[0][1])}"
    done = piped("assist", spec, "--history", f"{guess}:{told}", "--json")
    told_json = json.loads(done.stdout)["steps"][0]
    assert told_json["guess"] == ways[0][0]


def test_turns_are_parted_by_semicolons_or_where_nothing_holds_a_space_by_spaces() -> None:
    steps = parse_history("mastermind:4x6", "1122:1,0 1344:0,2")
    assert len(steps) == 2
    for text in ("1122:b 1344:ww", "1 1 2 2:1 0; 1344:0 2", "1122:1,0;1344:○○", "1122:10\t1344:02"):
        assert parse_history("mastermind:4x6", text) == steps
    for text in ("1122:1 0 1344:0 2", "1 1 2 2:1,0 1344:0,2", "1122: 1,0 1344: 0,2", "1122:1,0 1344"):
        with pytest.raises(GuesstreeError, match=r"semicolon|is not a response"):
            parse_history("mastermind:4x6", text)
    for text in ("1122", "1122 1344", "1122;1344"):
        with pytest.raises(GuesstreeError, match="expected GUESS:RESPONSE"):
            parse_history("mastermind:4x6", text)
    assert parse_history("mastermind:4x6", "") == []


def test_a_pattern_in_a_history_shows_what_was_asked_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert len(Position("hangman:ways-four.txt", "a:_a_a; m:m_m_").candidates) == 1
    for text, line in (("a:ma_a", "shows 'm', which was not asked"), ("a:_a_a_", "has 5 places")):
        with pytest.raises(GuesstreeError, match=line):
            Position("hangman:ways-four.txt", text)


def test_any_text_is_read_or_refused_in_one_line() -> None:
    dice = random.Random(1)
    games = [parse(spec) for spec in ("mastermind:3x4", "mastermind:3xRGB", "bulls:3x5", "balance:4")]
    for _ in range(400):
        text = "".join(dice.choices("1234 bwRGAB:;,|/ ?●○=<>\n%", k=dice.randrange(14)))
        try:
            Position(dice.choice(games), text)
        except GuesstreeError as error:
            assert "\n" not in str(error)
