"""The script that proves first guesses one by one: what it shows, that it can be stopped, what it refuses."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve

SCRIPTS = Path(__file__).parent.parent.parent / "scripts"
WORDS = ["abbey", "abide", "babes", "eerie", "geese", "keels", "steel", "sweet", "speed", "crepe", "erase"]


@pytest.fixture
def game(tmp_path: Path) -> str:
    (tmp_path / "answers.txt").write_text("\n".join(WORDS))
    return f"wordle:{tmp_path / 'answers.txt'}"


def command(*words: object) -> list[str]:
    return [sys.executable, str(SCRIPTS / "first_guesses.py"), *map(str, words)]


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), capture_output=True, text=True, timeout=120)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_all_first_guesses_reach_the_optimum_and_no_more(game: str, tmp_path: Path, objective: str) -> None:
    optimum = solve(parse(game), objective).upper[0]
    state = tmp_path / "state.jsonl"
    done = run(game, "--objective", objective, "--reach", optimum, "--state", state, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    assert f"11 of 11 first guesses take at least {optimum}; the game at least {optimum};" in done.stdout
    assert {line.get("guess") for line in lines_of(state)} == {None, *WORDS}
    other = tmp_path / "more.jsonl"
    done = run(game, "--objective", objective, "--reach", optimum + 1, "--state", other)
    assert done.returncode == 1, done.stderr
    less = [line for line in lines_of(other)[1:] if line["less"]]
    values = {str(line["guess"]): line["lower"] for line in lines_of(other)[1:]}
    assert less
    for line in lines_of(other)[1:]:
        exact = solve(parse(game), objective, first=str(line["guess"])).upper[0]
        assert line["less"] == (exact <= optimum)
        assert values[str(line["guess"])] <= exact


def test_a_file_is_taken_up_where_it_ends(game: str, tmp_path: Path) -> None:
    """A line cut off in the middle counts for nothing; what is whole is not done again."""
    optimum, state = solve(parse(game)).upper[0], tmp_path / "state.jsonl"
    assert run(game, "--reach", optimum, "--state", state).returncode == 0
    whole = state.read_text()
    state.write_text(whole[: len(whole) * 2 // 3])
    kept = state.read_text().rpartition("\n")[0].splitlines()
    assert 3 < len(kept) < 11
    done = run(game, "--reach", optimum, "--state", state)
    assert done.returncode == 0, done.stderr
    assert "11 of 11" in done.stdout
    assert state.read_text().splitlines()[: len(kept)] == kept
    assert (
        len(state.read_text().splitlines()) == len(whole.splitlines()) + 1
    )  # the broken line is still there
    before = state.read_bytes()
    assert run(game, "--reach", optimum, "--state", state).returncode == 0
    assert state.read_bytes() == before


def test_what_an_interrupt_leaves_is_whole(tmp_path: Path) -> None:
    """Stopped in the middle, and ended later: the same first guesses, each proved once."""
    state = tmp_path / "state.jsonl"
    given = ("mastermind:4x6", "--reach", 5625, "--state", state)
    process = subprocess.Popen(command(*given), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and (not state.exists() or state.read_text().count("\n") < 2):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (0, 130), errors
    assert "Traceback" not in errors
    assert run(*given).returncode == 0
    proved = [line["guess"] for line in lines_of(state)[1:] if line["lower"] == 5625]
    assert sorted(proved) == ["1112", "1122", "1123", "1234"] or len(proved) == 5


def test_another_question_is_refused(game: str, tmp_path: Path) -> None:
    state = tmp_path / "state.jsonl"
    assert run(game, "--reach", 20, "--state", state).returncode == 0
    done = run(game, "--reach", 21, "--state", state)
    assert done.returncode == 2
    assert "is about" in done.stderr
    assert "Traceback" not in done.stderr
    done = run("bulls:2x4", "--reach", 20, "--state", state)
    assert done.returncode == 2
    done = run(game, "--reach", 1, "--state", tmp_path / "other")
    assert (done.returncode, done.stderr) == (2, "first_guesses.py: --reach 1; expected at least 2\n")
    assert not (tmp_path / "other").exists()


def test_a_result_is_recorded_beside_the_cells(game: str, tmp_path: Path) -> None:
    results, state = tmp_path / "r.json", tmp_path / "state.jsonl"
    frontier = [sys.executable, str(SCRIPTS / "frontier.py"), "--results", str(results)]
    subprocess.run([*frontier, "--cell", "mastermind:2x3 expected win"], check=True, capture_output=True)
    optimum = solve(parse(game)).upper[0]
    given = (game, "--reach", optimum, "--state", state, "--results", results, "--record", "Eleven words")
    assert run(*given).returncode == 0
    subprocess.run([*frontier, "--cell", "mastermind:2x2 expected win"], check=True, capture_output=True)
    document = json.loads(results.read_text())
    assert len(document["cells"]) == 2
    found = document["first_guesses"]["Eleven words: expected"]
    assert (found["reached"], found["first_guesses"], found["less"]) == (11, 11, 0)
    assert found["lower"] == found["upper"] == optimum
    subprocess.run([*frontier, "--table"], check=True, capture_output=True)
    page = results.with_suffix(".md").read_text()
    assert f"| Eleven words | 11 | 11 | total | 11 of 11 | {optimum} |" in page
