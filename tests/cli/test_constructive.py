"""`guesstree constructive`, and the constructive strategy in `demo`, `assist` and `play`."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from piped import piped
from terminal import COMMAND, environment

from guesstree.engine.constructive.size import parse_spec


def test_questions_are_counted() -> None:
    done = piped("constructive", "mastermind:20x20", "--codes", "5", "--seed", "3", "--json")
    found = json.loads(done.stdout)
    assert found["game"] == "mastermind:20x20"
    assert [found["codes"][kind]["games"] for kind in ("random", "different")] == [5, 5]
    row = found["codes"]["random"]
    asked = {int(n): games for n, games in row["histogram"].items()}
    assert sum(asked.values()) == 5
    assert (row["min"], row["max"]) == (min(asked), max(asked))
    assert row["mean"] == pytest.approx(sum(n * games for n, games in asked.items()) / 5)
    assert found["bounds"]["counting"] == 12 <= row["min"]
    assert found["structured"]["constant, first colour"] == 1
    text = piped("constructive", "mastermind:20x20", "--codes", "5", "--seed", "3").stdout
    assert f"random            5{row['mean']:>10.2f}{row['min']:>7}{row['max']:>7}" in text


@pytest.mark.parametrize("command", [["constructive"], ["demo", "--method", "constructive"]])
def test_a_game_against_a_secret(command: list[str]) -> None:
    secret = " ".join(str(i * 5 % 64 + 1) for i in range(64))
    words = [command[0], "mastermind:64x64", *command[1:], "--secret", secret]
    found = json.loads(piped(*words, "--json").stdout)
    size = parse_spec("mastermind:64x64")
    for step in found["steps"]:
        response = size.respond(size.parse_code(step["guess"]), size.parse_code(secret))
        assert step["response"] == size.write_response(response)
    assert found["steps"][-1] == {"guess": secret, "response": "64,0"}
    assert found["guesses"] == len(found["steps"]) < 250
    shown = piped(*words).stdout.splitlines()
    assert shown[-1] == f"{found['guesses']} guesses"
    assert len(shown) == found["guesses"] + 3


def test_games_with_false_responses_are_counted() -> None:
    words = ["constructive", "mastermind:12x12", "--codes", "5"]
    lied = json.loads(piped(*words, "--lies", "2", "--json").stdout)
    assert lied["bounds"]["counting with lies"] > lied["bounds"]["counting"]
    for row in lied["codes"].values():
        assert row["right"] == row["games"] == 5
        assert row["mean"] >= row["extra"] > 0
    erring = json.loads(piped(*words, "--error-rate", "0.02", "--json").stdout)
    assert erring["goal"] == "identify"
    assert erring["codes"]["random"]["interval"][1] == pytest.approx(1)
    shown = piped(*words, "--lies", "2").stdout
    assert "mastermind:12x12, up to 2 false responses: goal win" in shown


def test_a_game_with_lies_shows_them() -> None:
    words = ["constructive", "mastermind:8x6", "--secret", "4 4 2 1 3 2 5 4", "--lies", "1", "--seed", "1"]
    found = json.loads(piped(*words, "--json").stdout)
    size, secret = parse_spec("mastermind:8x6"), "4 4 2 1 3 2 5 4"
    assert found["found"] == secret
    assert len(found["false"]) == 1
    for number, step in enumerate(found["steps"], 1):
        truth = size.respond(size.parse_code(step["guess"]), size.parse_code(secret))
        assert (step["response"] != size.write_response(truth)) == (number in found["false"])
    assert piped(*words).stdout.count("(false)") == 1


def test_assist_allows_for_lies() -> None:
    words = ["assist", "mastermind:3x3", "--method", "constructive", "--json", "--goal", "identify"]
    one = json.loads(piped(*words, "--lies", "1", "--history", "3,0").stdout)
    assert (one["lies"], one["finished"]) == (1, False)
    two = json.loads(piped(*words, "--lies", "1", "--history", "3,0 3,0").stdout)
    assert (two["finished"], two["secret"]) == (True, one["guess"])
    done = piped(*words, "--lies", "1", "--history", "3,0 0,0 0,0 3,0")
    assert "the game is over after 3" in done.stderr or "more than 1 of" in done.stderr


def test_a_small_game_is_written_as_a_tree_that_is_valid(tmp_path: Path) -> None:
    done = piped("constructive", "blackpeg:3x3", "--out", "tree.json", "--goal", "identify", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    checked = json.loads(piped("check", "tree.json", "--json", cwd=tmp_path).stdout)
    assert checked["valid"]
    assert f"total {checked['total']}" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["constructive", "bulls:4x10"], "'bulls:4x10': use mastermind:PEGSxCOLOURS or blackpeg:"),
        (["constructive", "mastermind:3x3", "--secret", "1 2 4"], "expected 3 numbers from 1 to 3"),
        (["constructive", "mastermind:3x3", "--codes", "0"], "--codes 0; expected at least 1"),
        (["constructive", "mastermind:3x3", "--seed", "-1"], "--seed -1; expected 0 or more"),
        (["constructive", "mastermind:64x64", "--out", "x.json"], "expected at most"),
        (["constructive", "mastermind:9x9", "--places", "linear", "--lies", "1"], "use it without --secret"),
        (["constructive", "mastermind:9x9", "--lies", "-1"], "-1 lies; expected 0 to 1000"),
        (["constructive", "mastermind:9x9", "--error-rate", "0.5"], "0.5; expected 0 to 0.49"),
        (["constructive", "mastermind:9x9", "--error-rate", "nan"], "'nan'; expected a number such as"),
        (["constructive", "mastermind:9x9", "--lies", "1001"], "1001 lies; expected 0 to 1000"),
        (["constructive", "mastermind:9x9", "--lies", "1.5"], "'1.5' is not a valid whole number"),
        (["constructive", "mastermind:9x65537"], "two whole numbers from 1 to 65536"),
        (["constructive", "mastermind:9x9", "--error-rate", "0.1", "--goal", "win"], "use identify"),
        (["constructive", "mastermind:9x9", "--error-rate", "0.1", "--lies", "1"], "use one of them"),
        (
            ["constructive", "mastermind:3x3", "--lies", "1", "--out", "x.json"],
            "--out does not go with --lies 1",
        ),
        (["demo", "mastermind:64x64", "--secret", "1"], "expected at most"),
        (
            ["demo", "mastermind:3x3", "--secret", "1 1 1", "--method", "constructive", "--first", "1"],
            "--first",
        ),
        (["assist", "mastermind:3x3", "--method", "constructive", "--history", "5,5"], "from response 1 on"),
        (["play", "mastermind:3x3", "--hints", "constructive", "--goal", "identify"], "or the goal win"),
    ],
)
def test_bad_input_is_named(words: list[str], said: str) -> None:
    done = piped(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_assist_through_a_whole_game_with_responses_corrected() -> None:
    size = parse_spec("mastermind:30x40")
    secret = size.parse_code(" ".join(str(i * 7 % 40 + 1) for i in range(30)))
    typed: list[str] = []
    with subprocess.Popen(
        [*COMMAND, "assist", "mastermind:30x40", "--method", "constructive"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment() | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        keys = process.stdin

        def type_(text: str) -> None:
            typed.append(text)
            keys.write(f"{text}\n")
            keys.flush()

        seen: list[str] = []
        for line in process.stdout:
            seen.append(line)
            guess = re.match(r"guess (\d+): (.*)", line)
            if not guess:
                continue
            response = size.write_response(size.respond(size.parse_code(guess[2]), secret))
            if int(guess[1]) == 5 and "undo" not in typed:
                if "30,30" not in typed:
                    type_("30,30")
                else:
                    type_("undo")
            elif int(guess[1]) == 4 and "undo" in typed and "change 2 0,0" not in typed:
                type_("change 2 0,0")
            else:
                true = [
                    size.respond(size.parse_code(g), secret)
                    for g in re.findall(r"guess 2: (.*)", "".join(seen))
                ]
                if "change 2 0,0" in typed and typed[-1] == "change 2 0,0":
                    type_(f"change 2 {size.write_response(true[0])}")
                else:
                    type_(response)
        assert process.wait() == 0
    text = "".join(seen)
    assert "no code fits from response 5 on (30,30 is never a response)" in text
    assert f"won: the secret is {size.write_code(secret)}" in text


def test_play_with_hints_alone_asks_what_the_strategy_asks() -> None:
    done = piped("play", "mastermind:9x40", "--hints", "constructive", "--seed", "4", typed="hint\n\n" * 60)
    won = re.search(r"won: (\d+) guesses \((\d+) hints\)", done.stdout)
    assert won, done.stdout
    assert won[1] == won[2]
    assert f"the hints alone would have needed {won[1]} guesses" in done.stdout


def test_play_takes_other_guesses_and_gives_up() -> None:
    guess = " ".join(["1"] * 9)
    typed = f"history\n{guess}\n?\nhistory\n1 2\ngive up\n"
    done = piped("play", "mastermind:9x40", "--hints", "constructive", "--seed", "4", typed=typed)
    assert "no guess yet" in done.stdout
    assert done.stdout.count(f"   1  {guess}  0,0") == 2
    assert "'1 2' is not a code of mastermind:9x40; expected 9 numbers from 1 to 40" in done.stdout
    assert "the secret was" in done.stdout.splitlines()[-1]
