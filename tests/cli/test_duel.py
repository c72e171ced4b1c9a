"""`guesstree duel`: both sides typed in, undone, refused, and the chances beside the guesses."""

import json

import pytest
from piped import piped

BEHIND = ("--mine", "312:0,2 231:0,2", "--theirs", "411:0,0 552:0,0")


def test_a_duel_is_typed_to_its_end() -> None:
    typed = "12\n0,1\n12\n1,0\nundo\n12\n0,1\nwhat\n\n0,1\n23\n2,0\n"
    done = piped("duel", "mastermind:2x3", typed=typed)
    assert done.returncode == 0
    assert "you win 29.63 %, draw 40.74 %, they win 29.63 %: 50.00 % for you" in done.stdout
    assert "candidates: 2 for you, 9 for them" in done.stdout
    assert "'what'" in done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("they win: 2 guesses of yours, 2 guesses of theirs")


def test_it_says_where_the_fewest_guesses_lose_chances() -> None:
    done = piped("duel", "mastermind:3x5", *BEHIND)
    line = "124 wins more often than 134, which has the fewest expected guesses: 8.33 % to 0.00 %"
    assert line in done.stdout


@pytest.mark.parametrize("opponent", ["fewest", "best"])
def test_large_games_have_bounds(opponent: str) -> None:
    # 64 candidates and all guesses are more states than are listed.
    done = piped("duel", "mastermind:3x4", "--second", "--json", "--opponent", opponent)
    data = json.loads(done.stdout)
    assert not data["exact"] and data["lower"] < data["upper"] < data["lower"] + 0.04
    assert not data["your_turn"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("mastermind:2x3", "--mine", "11:0,0 12:0,0"), "2 guesses of mine and 0 of theirs"),
        (("mastermind:2x3", "--mine", "11:0,0 12:2,0"), "no"),
        (("higher:3,costs=1+2+3",), "without costs"),
        (("mastermind:2x3", "--theirs", "zz:1"), "zz"),
    ],
)
def test_what_does_not_fit_is_one_line(words: tuple[str, ...], line: str) -> None:
    done = piped("duel", *words)
    assert done.returncode == 2
    assert line in done.stderr and done.stderr.count("\n") == 1
