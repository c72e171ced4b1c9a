"""`solve --maker largest`, `check` of what it writes, and `play --maker largest`."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from piped import data, piped

from guesstree.api.host import solve_host


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    solve_host("mastermind:2x3").write("wins.json")


def test_wins_are_printed_and_written_as_json() -> None:
    done = piped("solve", "mastermind:2x3", "--maker", "largest", "--out", "again.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1] == "  won with 3 guesses"
    assert done.stdout.splitlines()[-1] == "  wrote again.json"
    found = json.loads(Path("again.json").read_text())
    assert (found["guesses"], found["wins"], found["proven"], found["maker"]) == (3, 12, True, "largest")
    done = piped("check", "again.json")
    assert done.stdout.splitlines()[:2] == [
        "again.json: mastermind:2x3, goal win, against a host: valid",
        "  12 wins with 3 guesses",
    ]
    assert data("check", "again.json")["valid"] is True


def test_wins_are_written_as_csv() -> None:
    solve_host("mastermind:2x3").write("wins.csv")
    rows = list(csv.DictReader(Path("wins.csv").read_text().splitlines()))
    assert sum(int(row["alike"]) for row in rows) == 12
    assert all(row["response 3"] == "2,0" for row in rows)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("wins", 13, "12 wins; the file says 13"),
        ("guesses", 2, "a win takes 3 guesses"),
        ("cost", "2", "a win takes 3 guesses"),
        ("goal", "identify", "game"),
        ("maker", "mixed", "expected 'largest'"),
        ("states", [], "expected states"),
    ],
)
def test_a_lie_of_a_file_is_told(name: str, value: Any, said: str) -> None:
    found = json.loads(Path("wins.json").read_text())
    Path("wins.json").write_text(json.dumps(found | {name: value}))
    done = piped("check", "wins.json")
    assert done.returncode == 1 and "INVALID" in done.stdout.splitlines()[0]
    assert said in done.stdout.splitlines()[1]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("response", "0,1", "the host answers"),
        ("guess", "99", "may not be asked"),
        ("to", 0, "leads nowhere"),
        ("to", -1, "does not end"),
        ("alike", 2, "stands for 2"),
    ],
)
def test_a_lie_of_a_state_is_told(name: str, value: Any, said: str) -> None:
    found = json.loads(Path("wins.json").read_text())
    found["states"][0]["asks"][0][name] = value
    Path("wins.json").write_text(json.dumps(found))
    assert said in "".join(data("check", "wins.json", status=1)["wrong"])


@pytest.mark.parametrize("number", [0, -1])
def test_a_file_that_asks_nothing_shows_nothing(number: int) -> None:
    """Nothing would be replayed below, and any figures would stand."""
    found = json.loads(Path("wins.json").read_text())
    found["states"][number] |= {"ways": 1, "asks": []}
    Path("wins.json").write_text(json.dumps(found))
    wrong = "".join(data("check", "wins.json", status=1)["wrong"])
    assert "nothing is asked, and" in wrong and "candidates are left" in wrong


def test_where_there_is_nothing_to_ask_a_win_takes_nothing() -> None:
    Path("one.csv").write_text("cause,t\na,1\n")
    solve_host("table:one.csv").write("wins.json")
    done = piped("check", "wins.json")
    assert done.stdout.splitlines()[1] == "  1 win with 0 tests"
    found = json.loads(Path("wins.json").read_text())
    Path("wins.json").write_text(json.dumps(found | {"guesses": 2}))
    assert "takes no guess" in "".join(data("check", "wins.json", status=1)["wrong"])


def test_wins_of_another_table_are_no_wins() -> None:
    Path("t.csv").write_text("cause,s,t\na,1,1\nb,1,2\nc,2,1\n")
    solve_host("table:t.csv").write("wins.json")
    found = json.loads(Path("wins.json").read_text())
    Path("wins.json").write_text(json.dumps(found | {"table": {"sha256": "0" * 64}}))
    assert "table" in "".join(data("check", "wins.json", status=1)["wrong"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("solve mastermind:2x3 --maker largest --lies 1", "lies against a host who keeps the largest part"),
        ("solve mastermind:2x3 --maker largest --max-depth 3", "depth limit against a host"),
        ("solve mastermind:2x3 --maker largest --method entropy", "one-step method against a host"),
        ("solve mastermind:2x3 --maker largest --out wins.txt", "ends in .json, .csv"),
        ("solve mastermind:2x3 --maker largest --title x", "--title means nothing"),
        ("play mastermind:2x3 --maker largest --seed 3", "--seed means nothing"),
        ("render wins.json wins.svg", "is a file of wins against a host"),
    ],
)
def test_what_does_not_fit_is_refused(words: str, said: str) -> None:
    done = piped(*words.split())
    assert done.returncode == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_win_is_one_at_the_prompt() -> None:
    found = solve_host("mastermind:2x3")
    _, steps = next(found.listed())
    labels = [found.game.guesses[guess] for guess, _ in steps]
    done = piped("play", "mastermind:2x3", "--maker", "largest", typed="\n".join(labels) + "\n")
    assert f"won: the secret is {labels[-1]}, 3 guesses" in done.stdout
    done = piped("play", "mastermind:2x3", "--maker", "largest", typed=f"{labels[0]}\ngive up\n")
    assert "the secret was" in done.stdout
