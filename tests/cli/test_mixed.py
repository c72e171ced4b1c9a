"""`solve --maker mixed` and what plays its folder: `check`, `assist`, `demo` and `play`."""

import json
from pathlib import Path

import pytest
from piped import data, piped

from guesstree.api.mixed import solve_mixed
from guesstree.engine.registry import parse


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    solve_mixed("mastermind:2x3").write("mix")


def test_a_folder_is_written_and_checked() -> None:
    done = piped("solve", "mastermind:2x3", "--maker", "mixed", "--out", "again")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "  wrote again"
    done = piped("check", "again")
    assert done.returncode == 0
    assert done.stdout.splitlines()[:2] == [
        "again: mastermind:2x3, goal win, 2 strategies: valid",
        "  no secret pays more than 29/12 = 2.4167 on average",
    ]
    assert data("check", "again") == {
        "game": "mastermind:2x3",
        "goal": "win",
        "strategies": ["1.json", "2.json"],
        "renamed": True,
        "upper": "29/12",
        "lower_claimed": "29/12",
        "valid": True,
        "wrong": [],
    }


def test_a_lie_of_a_folder_is_told() -> None:
    path = Path("mix", "mixture.json")
    path.write_text(path.read_text().replace('"upper": "29/12"', '"upper": "7/3"', 1))
    done = piped("check", "mix")
    assert done.returncode == 1 and "INVALID" in done.stdout.splitlines()[0]
    assert any("more than 7/3" in line for line in done.stdout.splitlines())
    assert data("check", "mix", status=1)["valid"] is False


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("game", "mastermind:9x9", "is for 'mastermind:9x9', its strategies for mastermind:2x3"),
        ("value", "2", "a value of 2, with bounds of 29/12 and 29/12"),
        ("lower", "-5", "bounds of -5 and 29/12"),
        ("lower", "3", "bounds of 3 and 29/12"),
        ("upper", "100", "none pays more than 29/12"),
        ("uniform", {"lower": "9", "upper": "1"}, "bounds of 9 and 1 where all are drawn alike"),
    ],
)
def test_each_lie_of_a_folder_is_told(name: str, value: object, said: str) -> None:
    path = Path("mix", "mixture.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}))
    assert said in "".join(data("check", "mix", status=1)["wrong"])


def test_strategies_of_a_folder_are_for_one_game_and_for_its_table() -> None:
    """The second was read as one for the game of the first, its table and costs unseen."""
    Path("t.csv").write_text("cause,s,t,u\na,1,1,1\nb,1,2,2\nc,2,1,3\nd,2,2,3\n")
    solve_mixed("table:t.csv").write("tests")
    one, other = (json.loads(Path("tests", "1.json").read_text()) for _ in range(2))
    other["table"]["costs"] = [5, 5, 5]
    mixture = json.loads(Path("tests", "mixture.json").read_text())
    mixture["strategies"] = [{"file": f"{n}.json", "probability": "1/2"} for n in (1, 2)]
    Path("tests", "mixture.json").write_text(json.dumps(mixture))
    Path("tests", "2.json").write_text(json.dumps(other))
    done = piped("check", "tests")
    assert done.returncode == 2 and "is for another game than '1.json' beside it" in done.stderr
    for n in "12":
        Path("tests", f"{n}.json").write_text(json.dumps(one | {"table": {"sha256": "0" * 64}}))
    assert "1.json: table: " in "".join(data("check", "tests", status=1)["wrong"])


def test_a_file_that_is_there_is_written_over_where_it_is_no_folder() -> None:
    Path("tree.json").write_text("{}")
    assert piped("solve", "mastermind:2x2", "--out", "tree.json").returncode == 0
    assert json.loads(Path("tree.json").read_text())["game"] == "mastermind:2x2"


def test_a_strategy_is_drawn_by_the_seed_and_followed_whatever_the_secret() -> None:
    drawn = set()
    for seed in map(str, range(8)):
        for secret in parse("mastermind:2x3").secrets:
            words = ("demo", "mastermind:2x3", "--secret", secret, "--strategy", "mix", "--seed", seed)
            found = data(*words)
            assert found["guesses"] <= 4 and found == data(*words)
            drawn.add((found["method"], found["steps"][0]["guess"]))
    assert len({method for method, _ in drawn}) == 2 and len(drawn) > 4
    said = piped("demo", "mastermind:2x3", "--secret", "11", "--strategy", "mix", "--seed", "1").stdout
    assert "renamed at random; --seed 1 draws it again" in said
    alone = piped("demo", "mastermind:2x3", "--secret", "11", "--strategy", "mix/1.json").stdout
    assert alone.splitlines()[0].endswith("strategy mix/1.json")


def test_assist_follows_it_and_goes_on_where_something_else_was_asked() -> None:
    words = ("assist", "mastermind:2x3", "--strategy", "mix", "--seed", "2")
    found = data(*words)
    first, said = found["best"][0]["guess"], (found["method"], found["seed"])
    assert said[1] == 2 and said == (said[0], data(*words, "--history", f"{first}:1,0")["seed"])
    other = next(code for code in ("11", "12", "13", "21") if code != first)
    done = piped(*words, "--history", f"{other}:1,0", typed="\n")
    assert "does not come to this position" in done.stdout and "by entropy" in done.stdout
    done = piped(*words, typed="?\n")
    assert f"best guesses by {said[0]}, then by entropy" in done.stdout


def test_the_secret_is_drawn_as_the_codemaker_does() -> None:
    solve_mixed("mastermind:4x2").write("four")
    found = {
        data_of(
            piped("play", "mastermind:4x2", "--maker", "four", "--seed", str(seed), typed="give up\n").stdout
        )
        for seed in range(12)
    }
    assert len(found) > 3 and not found & {"1111", "2222"}  # which are never drawn


def data_of(talk: str) -> str:
    """Return the secret that is told in the end."""
    line = next(line for line in talk.splitlines() if "the secret was " in line)
    return line.rpartition(" ")[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("assist mastermind:2x3 --seed 1", "use it with --strategy FOLDER"),
        (
            "assist mastermind:2x3 --strategy mix --method entropy",
            "--method does not go with --strategy 'mix'",
        ),
        ("assist mastermind:2x3 --strategy mix --lies 1", "--lies does not go with --strategy 'mix'"),
        ("assist mastermind:2x3 --strategy mix --goal identify", "is for the goal win; expected identify"),
        ("assist mastermind:2x4 --strategy mix", "'mix' is for mastermind:2x3; expected mastermind:2x4"),
        ("demo mastermind:2x3 --secret 11 --strategy mix --first 12", "--first does not go with"),
        ("play mastermind:2x3 --maker nothing", "'nothing' has no mixture.json; expected a folder"),
        ("play mastermind:2x3 --maker mix --goal identify", "is for the goal win; expected identify"),
        ("check .", "'.' has no mixture.json; expected a folder"),
        ("solve mastermind:2x3 --maker mixed --budget 3", "a budget of 3"),
        ("solve mastermind:2x3 --maker mixed --out=", "cannot write into '': it is no name"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_line(words: str, said: str) -> None:
    done = piped(*words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_a_folder_of_decisions_is_checked_and_refused_where_it_would_be_played() -> None:
    Path("shop.csv").write_text("test,a,b,c\naction,x,x,y\nt1,no,no,yes\nt2,yes,no,no\n")
    done = piped("solve", "table:shop.csv", "--maker", "mixed", "--out", "shop")
    assert (done.returncode, done.stderr) == (0, "") and "  value 1\n" in done.stdout
    assert piped("check", "shop").returncode == 0
    for words, use in (
        (("play", "table:shop.csv", "--maker", "shop"), "use play without --maker"),
        (("assist", "table:shop.csv", "--strategy", "shop"), "use assist without --strategy"),
        (("demo", "table:shop.csv", "--secret", "a", "--strategy", "shop/1.json"), "use assist without"),
    ):
        done = piped(*words)
        assert done.returncode == 2 and use in done.stderr and done.stderr.count("\n") == 1
