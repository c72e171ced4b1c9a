"""Several boards at a prompt, side by side."""

import random
import re
from pathlib import Path

import pytest
from piped import data, piped
from terminal import COLOUR, terminal

from guesstree.engine.advice.boards import draw
from guesstree.engine.boards import BoardsGame
from guesstree.engine.registry import parse

WORDS = "crane\nslate\ntrace\ncrate\nleast\nstale\nmoist\nhoist\n"


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return four boards of Wordle with eight words, in a folder of their own."""
    (tmp_path / "w.txt").write_text(WORDS)
    monkeypatch.chdir(tmp_path)
    return "boards:4,wordle:w.txt"


def secrets(spec: str, seed: int) -> list[str]:
    game = parse(spec)
    assert isinstance(game, BoardsGame)
    return [game.board.secrets[secret] for secret in draw(game, random.Random(seed))]


def said(spec: str, guess: str, secret: str) -> str:
    board = parse(spec.partition(",")[2])
    return board.responses[board.respond(board.guess_index(guess), board.secret_index(secret))]


def test_a_game_is_played_to_the_end_and_its_responses_are_advised_on(spec: str) -> None:
    hidden = secrets(spec, 3)
    typed = "".join(f"{word}\n" for word in ["hint", "candidates", "moist", "undo", "Moist", *hidden])
    done = piped("play", spec, "--seed", "3", typed=typed)
    assert done.returncode == 0, done.stderr
    assert "4 boards, 8 secrets, all different (? for help)" in done.stdout
    assert re.search(r"at least \d\.\d\d and at most \d\.\d\d guesses on average", done.stdout)
    assert "board 4, 8 left: crane crate" in done.stdout and "took back moist" in done.stdout
    assert re.search(r"\n +board 1 +board 2 +board 3 +board 4\n  1 moist  ", done.stdout)
    many = 4 + ("moist" not in hidden)
    assert f"won: all 4 boards in {many} guesses: {', '.join(hidden)} (1 hint, 1 taken back)" in done.stdout
    assert re.search(r"the hints alone would have needed \d guesses\n$", done.stdout)
    row = re.search(r"\n  1 moist +(.*)\n", done.stdout)
    assert row is not None and row[1].split() == [said(spec, "moist", secret) for secret in hidden]

    history = "moist:" + "|".join(said(spec, "moist", secret) for secret in hidden)
    found = data("assist", spec, "--history", history)
    assert [len(board["secrets"]) == board["candidates"] for board in found["boards"]] == [True] * 4
    assert all(word in board["secrets"] for word, board in zip(hidden, found["boards"], strict=True))
    assert found["lower"] >= 4 - ("moist" in hidden) and found["best"][0]["guess"] in WORDS


def test_responses_are_typed_together_or_one_after_the_other(spec: str) -> None:
    hidden = ["moist", "crane", "stale", "hoist"]
    lines = ["", "---", "undo", "moist"]
    first = [said(spec, "moist", secret) for secret in hidden]
    lines += [" ".join(first[:2]), first[2], f"{first[3]} -----", first[3]]
    lines += ["hoist", " ".join(said(spec, "hoist", secret) for secret in hidden[1:]), "history"]
    lines += ["crane", "=====", said(spec, "crane", "stale"), "stale", "g g g g g"]
    done = piped("assist", spec, typed="\n".join(lines) + "\n")
    assert "response to moist, board 1 to 4 (" in done.stdout
    assert (
        "response to moist, board 3 to 4: " in done.stdout and "response to moist, board 4: " in done.stdout
    )
    assert "'---' is not a response to" in done.stdout
    assert "board 4: " in done.stdout and "in 1" in done.stdout
    assert f"won: all 4 boards in 4 guesses: {', '.join(hidden)}" in done.stdout


def test_what_does_not_fit_is_said_and_asked_again(spec: str) -> None:
    typed = "moist\n=====\n===== ----- -----\nundo\nfoo\nquit\n"
    done = piped("assist", spec, typed=typed)
    assert "no secrets fit that differ from board to board" in done.stdout
    assert "took back moist" in done.stdout and "'foo' is not a guess" in done.stdout
    assert "stopped after 0 guesses" in done.stdout and done.returncode == 0
    lost = piped("play", "boards:2,mastermind:2x3", "--seed", "1", typed="give up\n")
    assert "the secrets were " in lost.stdout
    for words in (["--lies", "1"], ["--goal", "win"]):
        for command in ("play", "assist"):
            refused = piped(command, spec, *words)
            assert refused.returncode == 2 and "does not go with boards:4,wordle:w.txt" in refused.stderr
    refused = piped("assist", spec, "--history", "moist:=====")
    assert refused.returncode == 2 and "expected one for each board" in refused.stderr


def test_after_all_guesses_it_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["mound", "sound", "wound", "round", "hound", "found", "bound", "pound", "crane"]
    Path("w.txt").write_text("\n".join(words))
    hidden = secrets("boards:2,wordle:w.txt", 0)
    others = [word for word in words if word not in hidden]
    done = piped("play", "boards:2,wordle:w.txt", "--seed", "0", typed="\n".join(others) + "\n")
    assert f"lost: 0 of 2 boards in 7 guesses\nthe secrets were {', '.join(hidden)}" in done.stdout
    ended = data("play", "boards:2,wordle:w.txt", "--seed", "0")
    assert ended["outcome"] == "stopped" and ended["secrets"] == hidden


def test_boards_stand_side_by_side_in_colours(spec: str) -> None:
    with terminal("play", spec, "--seed", "3") as screen:
        screen.wait(r"guess 1 of 9: ")
        screen.type("moist")
        screen.wait(r"board 1 +board 2 +board 3")
        screen.wait("guess 2 of 9: ")
        assert COLOUR.search(screen.raw)
        screen.type("give up")
        screen.wait("the secrets were")
        screen.end()
