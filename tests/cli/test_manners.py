"""The manners of the prompts: what may be typed, what is said, and how it fits a narrow terminal."""

import json
import re
from pathlib import Path

import pytest
from piped import piped
from terminal import terminal

from guesstree.cli.tools import screen

WORDS = ["crepe", "erase", "geese", "speed", "steal", "sweet"]
ILL = """test,flu,cold,well,mumps
fever,Yes,no,no,Yes
face,fat,thin,thin,fat
fear,low,low,high,high
legs,2,4,2,4
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("guesstree.present.review.SECONDS", 60.0)  # however busy the machine is
    (tmp_path / "t.csv").write_text(ILL)
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    (tmp_path / "both.txt").write_text("Emma\nOtto\nEVE\nmole\n")
    (tmp_path / "long.csv").write_text(
        "test,red fox,blue cow,old owl\nis it an animal that flies,no,no,yes\nred,y,n,n\n"
    )


def told(words: str, typed: str) -> list[str]:
    """Return the lines of a command; what is typed is parted by semicolons."""
    done = piped(*words.split(), typed=typed.replace(";", "\n") + "\n")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.splitlines()


def test_answers_are_those_of_the_question_by_number_or_beginning() -> None:
    typed = "fe;f;fea;;high;hi;undo 1;3;2;fever;low;3;y;legs;3;2;#1;quit"
    lines = told("assist table:t.csv", typed)
    assert "'fe' begins 'fever', 'fear'; type more of it" in lines
    assert "'f' begins 'fever', 'face', 'fear'; type more of it" in lines
    assert "type the answer to 'fear': 'low', 'high', or ? where it is not known" in lines
    assert lines.count("answer to fear (1 low, 2 high; ? not known): 2") == 1
    assert "'low' is not an answer to 'fever'; expected 'Yes', 'no', or ? where it is not known" in lines
    assert "'3' is not an answer to 'fever'; expected 'Yes', 'no', or ? where it is not known" in lines
    assert lines.count("  1  fear  high") == 2
    assert lines[-1] == "known: the cause is mumps, 2 tests"  # y is Yes
    # Where answers are numbers themselves, these are meant; #1 is the first answer.
    lines = told("assist table:t.csv", "legs;1;#2;fever;1")
    assert "'1' is not an answer to 'legs'; expected '2', '4', or ? where it is not known" in lines
    assert "answer to legs (2, 4, or #1 to #2; ? not known): #2" in lines
    assert lines[-1] == "known: the cause is mumps, 2 tests"


def test_a_question_whose_answer_is_not_known_is_set_aside() -> None:
    lines = told("assist table:t.csv", "fear;?;fear;legs;don't know;1;no;history;undo;undo;legs;2;fever;yes")
    at = lines.index("  1  fear  not known")
    assert lines[at + 1] == "4 candidates; best tests by entropy:"  # no cause is asked for
    assert [line.split()[1] for line in lines[at + 3 : at + 6]] == ["fever", "face", "legs"]
    assert "'fear' was asked already (not known)" in lines
    together = "some causes cannot be told apart without the missing answers: they are named together"
    assert lines[lines.index(together) + 1] == "known: the cause is cold or well, 3 tests"
    lines = told("assist table:t.csv", "fear;?;legs;2;undo 1;fear;low;legs;2")
    assert lines[-1] == "known: the cause is flu, 2 tests"
    found = json.loads(piped("assist", "table:t.csv", "--history", "fear:? fever:Yes", "--json").stdout)
    assert found["steps"][0] == {"guess": "fear", "response": None, "candidates": 4}
    assert (found["secrets"], found["best"][0]["guess"]) == (["flu", "mumps"], "legs")
    found = json.loads(piped("assist", "table:t.csv", "--history", "fear:? legs:?", "--json").stdout)
    assert (found["finished"], found["candidates"]) == (False, 4)
    told("assist table:t.csv --method exact", "1;?;1;?;quit")


def test_the_fewest_answers_to_doubt_are_named() -> None:
    lines = told("assist table:t.csv", "fever;Yes;face;fat;undo;quit")
    assert not any("wrong" in line for line in lines)
    lines = told("assist mastermind:4x6", "1111;2,0;2222;1,0;3333;1,0;1112;1,0;quit")
    at = lines.index("mastermind:4x6: no secret fits from response 4 on (1112 1,0)")
    assert re.match(r"  if response \d alone is wrong: \d+ candidates?", lines[at + 1])
    lines = told("assist mastermind:4x6", "1111;0,0;2222;0,0;3333;2,0;4444;2,0;1122;1,3;quit")
    at = lines.index("mastermind:4x6: no secret fits from response 5 on (1122 1,3)")
    assert lines[at + 1] == "  if response 5 alone is wrong: 6 candidates"
    assert lines[at + 2].startswith("type response 5 again")  # whatever the others are, nobody gives that
    lines = told("assist mastermind:4x6", "1111;0,0;2222;0,0;3333;2,0;4444;2,0;1122;1,1;quit")
    at = lines.index("mastermind:4x6: no secret fits from response 5 on (1122 1,1)")
    pairs = ("1 and 3", "1 and 4", "2 and 3", "2 and 4")
    assert lines[at + 1 : at + 6] == [
        "  if response 5 alone is wrong: 6 candidates",
        *(f"  if responses {pair} are wrong: 4 candidates" for pair in pairs),
    ]


def test_nothing_or_nonsense_is_met_with_three_examples() -> None:
    lines = told("assist wordle:words.txt", "crepe;;gybb;gybbb;erase;ybyyy;geese;🟨🟩🟩⬛🟩;quit")
    assert any(
        re.fullmatch("type the response to 'crepe', such as [-+=]{5}, [gyb]{5} or [012]{5}", line)
        for line in lines
    )
    assert any(line.startswith("'gybb' is not a response to 'crepe'; type one such as ") for line in lines)
    assert "wordle:words.txt: no secret fits from response 1 on (crepe =+---)" in lines
    lines = told("assist mastermind:4x6", "1 1-2,2;;wwb;3344;○;1111;;quit")
    assert "type the response to '1111', such as 1,0, bb or ●" in lines  # what is still possible
    assert any(
        re.fullmatch("type the response to '1122', such as [0-4],[0-4], [bw]+ or [●○]+", line)
        for line in lines
    )
    assert "  1  1122  1,2 ●○○·" in lines and "  2  3344  0,1 ○···" in lines
    lines = told("play wordle:words.txt --seed 1", "?;;quit")
    says = "The response says: g or = in place, y or + elsewhere, b or - absent. Or:"
    assert lines[2] == f"Type a guess, such as speed. {says}"
    assert "type a guess: 'crepe', 'erase', 'geese', 'speed', 'steal', 'sweet'" in lines
    lines = told("play table:t.csv", "?;;2;9;quit")
    some = "by its number or the beginning of its name: 1 fever, 2 face, 3 fear, 4 legs"
    assert lines[2] == f"Type a test, {some}. Or:"
    assert f"type a test, {some}" in lines
    assert any(line.startswith("  1  face  ") for line in lines)
    assert any(line.startswith("'9' is not a test of table:t.csv") for line in lines)


def test_mastermind_of_any_size_takes_pegs_too() -> None:
    lines = told("assist mastermind:8x12 --method constructive", ";bb;1 0;2x;change 1 ●;quit")
    assert "type the response: black,white such as 1,0" in lines
    assert "'2x' is not a response of mastermind:8x12; expected black,white such as 1,0" in lines
    assert "   1  1 1 1 1 1 1 1 1  1,0" in lines


def test_a_letter_is_asked_once_whatever_its_case() -> None:
    lines = told("assist hangman:both.txt", "length;;5;4;quit")
    assert "type the response to 'length', such as 4 letters or 3 letters" in lines
    assert "'5' is not a response to 'length'; type one such as 4 letters or 3 letters" in lines
    assert "  1  length  ____  4 letters" in lines
    lines = told("assist hangman:both.txt", "E;_;quit")
    letters = [line.split()[1] for line in lines if re.match(r"  \d  ", line)]
    assert letters[:5] == ["length", "e", "m", "o", "a"]
    assert lines[lines.index("known: the secret is otto, 1 guess") + 1] == "what each guess gave away:"
    lines = told("assist hangman:both.txt", "length;____;m;_ o__;m__;undo;quit")
    assert "  1  length  ____  4 letters" in lines
    assert "'_ o__' shows 'o', which was not asked; ask for it by itself" in lines
    assert "'m__' has 3 places; no secret that is possible has as many" in lines


def test_a_game_ends_with_what_each_guess_gave_away() -> None:
    lines = told("play mastermind:2x3 --seed 1", "11;11;give up")
    at = lines.index("what each guess gave away:")
    assert lines[at + 1].split() == ["guess", "left", "gave", "away", "better", "value", "best", "value"]
    assert lines[at + 3].split()[3:4] == ["1"]  # the same again tells nothing: a whole guess
    assert lines[at + 4].startswith("value: the guesses expected from there on, then playing best; ")
    assert re.match(r"the optimum needs \d guess(es)? here, \d\.\d{4} on average", lines[at + 5])
    done = piped("play", "mastermind:2x3", "--seed", "1", "--json", typed="11\ngive up\n")
    review = json.loads(done.stdout)["review"]
    assert review["moves"][0]["guess"] == "11" and review["rivals"][0]["method"] == "exact"


def test_names_of_several_words_stand_one_on_a_line() -> None:
    lines = told("assist table:long.csv", "candidates;quit")
    at = lines.index("test 1 [is it an animal that flies]: candidates")
    assert lines[at + 1 : at + 5] == ["3 candidates:", "  red fox", "  blue cow", "  old owl"]


def test_lines_are_broken_between_words() -> None:
    text = "  1  \x1b[1m a \x1b[0m \x1b[1m b \x1b[0m  1,0  several words follow here, 50 % of them"
    lines = screen.wrapped(text, 24)
    assert [screen.columns_of(line) <= 24 for line in lines] == [True] * len(lines)
    assert lines[0].startswith("  1  \x1b[1m a \x1b[0m \x1b[1m b \x1b[0m") and lines[1].startswith("    ")
    assert any("50 %" in line for line in lines)
    assert " ".join("".join(lines).split()).count("several") == 1
    assert screen.wrapped(text, None) == [text]
    assert screen.wrapped("best guesses (* may be the secret)", 16) == [
        "best guesses",
        "  (* may be the",
        "  secret)",
    ]
    assert screen.columns_of("日本\x1b[1mab\x1b[0m") == 6


def test_a_whole_game_fits_forty_columns() -> None:
    with terminal("play", "wordle:words.txt", "--seed", "1", COLUMNS="40") as prompt:
        for typed in ("?", "hint", "candidates", "crepe", "erase"):
            prompt.wait(r"guess \d of 6: ")
            prompt.type(typed)
        assert prompt.end() == 0
        text = re.sub(r"\x1b\[[?0-9]*[A-Za-z]", "", prompt.text)  # what the progress line left
    assert all(len(line) <= 40 for line in text.split("\n"))
    assert "\n  value" not in text and "class counts\n" not in text
    assert "won: the secret is" in text and "what each guess gave away:" in text
