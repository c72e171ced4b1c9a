"""The command line as a user meets it: output, exit status, one line per mistake, nothing half-written."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from downloads import unsafe_environment
from piped import piped as run
from terminal import terminal

import guesstree
from guesstree.cli import COMMANDS, main
from guesstree.cli.tools.options import Bytes
from guesstree.engine.registry import parse

COMMAND = [sys.executable, "-m", "guesstree"]


def data(*words: str, cwd: Path | None = None) -> dict[str, Any]:
    done = run(*words, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("options", "upper", "total", "worst"),
    [
        (["--objective", "expected"], 5625, 5625, 6),
        (["--max-depth", "5"], 5626, 5626, 5),
        (["--objective", "worst"], 5, None, 5),
        (["--goal", "identify", "--objective", "worst"], 4, None, 4),
        (["--objective", "worst,expected"], [5, 5626], 5626, 5),
    ],
)
def test_solve_mastermind(options: list[str], upper: object, total: int | None, worst: int) -> None:
    found = data("solve", "mastermind:4x6", *options)
    assert found["upper"] == found["lower"] == upper
    assert found["optimal"] is True
    assert found["worst"] == worst
    assert total is None or found["total"] == total
    assert {"game", "goal", "objective", "method", "secrets", "average", "histogram"} <= set(found)
    assert {"states", "evaluations", "symmetry", "seconds"} <= set(found)


def test_solve_check_render(tmp_path: Path) -> None:
    done = run("solve", "mastermind:3x3", "--out", "a.json", "--render", "a.svg", cwd=tmp_path)
    assert done.returncode == 0
    assert "total 73 over 27 secrets" in done.stdout
    assert "<svg" in (tmp_path / "a.svg").read_text()
    report = data("check", "a.json", cwd=tmp_path)
    assert (report["valid"], report["total"], report["worst"]) == (True, 73, 4)
    for name in ("b.pdf", "b.dot", "b.png"):
        assert run("render", "a.json", name, "--depth", "2", cwd=tmp_path).returncode == 0
        assert (tmp_path / name).stat().st_size > 100


@pytest.mark.parametrize(
    ("game", "typed", "asked"),
    [
        ("mastermind:3x4", "1 1 2", "112"),
        ("wordle:words.txt", "SALET", "salet"),
        ("bulls:2x12", "0b", "0B"),
        ("table:leaves.csv", "red leaf", "*red* leaf"),  # and not the one that begins so
    ],
)
def test_a_first_guess_is_typed_as_in_a_game(game: str, typed: str, asked: str, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("crane\nsalet\nslate\n")
    (tmp_path / "leaves.csv").write_text("test,a,b,c,d\n*red* leaf,x,x,y,y\nred leaf spot,x,y,x,y\n")
    done = run("solve", game, "--first", typed, "--out", "tree.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "tree.json").read_text())["parameters"]["first"] == asked


def test_a_summary_that_lies_has_status_1(tmp_path: Path) -> None:
    run("solve", "mastermind:2x3", "--out", "a.json", cwd=tmp_path)
    document = json.loads((tmp_path / "a.json").read_text())
    document["summary"]["total"] -= 1
    (tmp_path / "a.json").write_text(json.dumps(document))
    done = run("check", "a.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "summary says total 20, the tree has 21" in done.stdout
    assert run("check", "a.json", "--json", cwd=tmp_path).returncode == 1


def test_a_tree_that_fails_names_secret_and_path(tmp_path: Path) -> None:
    run("solve", "mastermind:2x3", "--out", "a.json", cwd=tmp_path)
    document = json.loads((tmp_path / "a.json").read_text())
    response, child = document["nodes"][0]["children"].popitem()
    assert child == len(document["nodes"][0]["children"]) + 1
    del document["nodes"][child:]
    for node in document["nodes"]:
        node.pop("children", None) if node is not document["nodes"][0] else None
    (tmp_path / "a.json").write_text(json.dumps(document))
    done = run("check", "a.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "INVALID" in done.stdout
    assert done.stdout.count("\n") > 1
    assert run("render", "a.json", "a.svg", cwd=tmp_path).returncode == 2
    assert not (tmp_path / "a.svg").exists()
    assert response in done.stdout


READ = "table,a,b\none,x,y\n"


@pytest.mark.parametrize(
    "words",
    [
        "solve own.csv --out own.csv",
        "solve table:own.csv,merge --out ./own.csv",
        "compare own.csv --csv own.csv",
        "compare hangman:words.txt+own.csv --csv own.csv",
        "prove own.csv --out own.csv",
        "table own.csv,merge --out own.csv",
        "render home/tree.json home/own.csv --list",
        "render home/tree.json own.csv --list",
        "ledger own.csv --strategy own.csv",
        "ledger words.txt own.csv --merge words.txt --export ./own.csv",
        "verify words.txt --strategy own.csv --minimise own.csv",
        "verify words.txt --strategy home/tree.json --game table:own.csv --minimise own.csv",
    ],
)
def test_no_file_that_is_read_is_written_over(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("home").mkdir()
    for place in (Path("own.csv"), Path("home", "own.csv")):
        place.write_text(READ)
    guesstree.solve("table:own.csv").strategy.write("home/tree.json")
    Path("words.txt").write_text("ab\n")
    with pytest.raises(SystemExit, match="2"):
        main(words.split())
    assert "is read here, and would be lost; write to another name" in capsys.readouterr().err
    assert {Path(name).read_text() for name in ("own.csv", "home/own.csv")} == {READ}


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("solve mastermind:2x2 --out x.json --prove ./x.json", "--out and --prove"),
        ("plan mastermind:2x2 --csv x.csv --pairs x.csv", "--csv and --pairs"),
    ],
)
def test_two_options_write_two_files(
    words: str,
    options: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(words.split())
    assert f"for both {options}; write two files" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


BAD = [
    (["solve", "chess:8x8"], "unknown game 'chess:8x8'"),
    (["solve", "MASTERMIND:4x6"], "did you mean 'mastermind:4x6'?"),
    (["solve", "mastermnd"], "did you mean 'mastermind:4x6'?"),
    (["solve", "mastermind:4X6"], "unknown game 'mastermind:4X6'; did you mean 'mastermind:4x6'?"),
    (["solve", "MASTERMIND:4X6"], "did you mean 'mastermind:4x6'?"),
    (["solve", "4X6"], "did you mean 'blackpeg:4x6' or 'bulls:4x6' or 'mastermind:4x6'?"),
    (["solve", "lamp.csv"], "did you mean 'table:lamp.csv'?"),
    (["solve", "five.txt"], "did you mean 'hangman:five.txt' or"),
    (["solve", "lamp.csv"], "no file 'lamp.csv', and unknown game"),
    (["solve", "cut.json"], "'cut.json' is a strategy file, not a game; use guesstree check cut.json, or"),
    (["play", "cut.json"], "'cut.json' is a strategy file, not a game; use guesstree check"),
    (
        ["bounds", "some.txt"],
        "'some.txt' is a list of words, not a game; use hangman:some.txt or jotto:some.txt or",
    ),
    (["compare", "a.proof"], "'a.proof' is a certificate, not a game; use guesstree verify a.proof"),
    (["solve", "own.py"], "'own.py' is a Python file, not a game; use guesstree --import own, which"),
    (["solve", "photo.csv"], "'photo.csv' looks like a picture; type the table in"),
    (["solve", "deep.json"], "'deep.json' is no table; expected one, or a game such as mastermind:4x6"),
    (["solve", ""], "the name of the game is empty; expected one such as mastermind:4x6, or a file"),
    (["solve", "Ragedd.csv"], "no file 'Ragedd.csv'; did you mean 'ragged.csv'?"),
    (["solve", "nothing.csv"], "'nothing.csv' is empty; expected a table, or a game such as mastermind:4x6"),
    (["solve", "."], "'.' is a folder; name a file in it, or a game"),
    (["table", "cut.json"], "'cut.json' is a strategy file, not a table; use guesstree check"),
    (["solve", "table:some.txt"], "'some.txt' is a list of words, not a table; use hangman:some.txt or"),
    (["check", "same.csv"], "'same.csv' is a table, not a strategy file; use guesstree solve table:same.csv"),
    (["render", "a.proof", "a.svg"], "'a.proof' is a certificate, not a strategy file; use guesstree verify"),
    (["verify", "cut.json"], "'cut.json' is a strategy file, not a certificate; use guesstree check"),
    (["solve"], "Missing argument 'GAME'; see guesstree solve --help"),
    (["states", "mastermind:2x3"], "Missing option '--depth'; see guesstree states --help"),
    (["solve", "mastermind:2x3", "--time-limit", "soon"], "'soon' is not a valid number of seconds"),
    (["solve", "mastermind:2x3", "--width", "wide"], "'wide' is not a valid whole number"),
    (["solv"], "No such command 'solv'; did you mean solve?"),
    (["breed", "evolv"], "did you mean evolve?"),
    (["solve", "mastermind:0x6"], "two whole numbers from 1 to 65536"),
    (["solve", "mastermind:4x6.5"], "two whole numbers from 1 to 65536"),
    (["solve", "mastermind:12x12"], "GiB"),
    (["solve", "mastermind:2x3", "--first", "14"], "'14' is not a guess"),
    (["solve", "mastermind:2x3", "--objective", "fast"], "unknown objective 'fast'"),
    (["solve", "mastermind:2x3", "--goal", "lose"], "'lose'"),
    (["solve", "mastermind:2x3", "--max-depth", "0"], "a depth limit of 0; expected at least 1 guess"),
    (["solve", "mastermind:2x3", "--time-limit", "-1"], "time limit"),
    (["solve", "mastermind:2x3", "--time-limit", "nan"], "time limit"),
    (["solve", "mastermind:2x3", "--jobs", "0"], "0 jobs; expected 1 to 64"),
    (["solve", "mastermind:2x3", "--jobs", "two"], "'two'"),
    (["solve", "mastermind:2x3", "--memory", "2X"], "'2X'; expected bytes above 0, such as 500M or 2G"),
    (["solve", "mastermind:2x3", "--memory", "-1G"], "'-1G'; expected"),
    (["solve", "mastermind:2x3", "--memory", "0"], "'0'; expected"),
    (["solve", "mastermind:2x3", "--memory", "G"], "'G'; expected"),
    (["solve", "mastermind:2x3", "--memory", "9" * 17 + "G"], "expected bytes above 0"),
    (["solve", "mastermind:2x3", "--memory", ""], "''; expected"),
    (["solve", "mastermind:2x3", "--memory", "1.5G"], "'1.5G'; expected"),
    (["solve", "mastermind:2x3", "--memory", "1K"], "may be used"),
    (["bounds", "mastermind:2x3", "--memory", "1K"], "may be used"),
    (["bounds", "mastermind:2x3", "--jobs", "65!"], "65 jobs; expected 1 to 64"),
    (["bounds", "mastermind:2x3", "--time-limit", "0"], "time limit"),
    (["bounds", "mastermind:2x3", "--objective", "expected,worst"], "use expected or worst"),
    (["bounds", "mastermind:2x3", "--first", "14"], "'14' is not a guess"),
    (["bounds", "mastermind:2x3", "--out", "absent/a.json"], "no folder 'absent'"),
    (["bounds", "table:same.csv"], "apart"),
    (["solve", "mastermind:2x3", "--win", "2,0"], "only table games"),
    (["solve", "mastermind:2x3", "--out", "absent/a.json"], "no folder 'absent'"),
    (["solve", "mastermind:2x3", "--render", "a.gif"], "a.gif"),
    (["solve", "table:ragged.csv"], "line 2"),
    (["solve", "table:same.csv"], "apart"),
    (["states", "mastermind:4x6", "--depth", "0"], "--depth"),
    (["states", "mastermind:4x6"], "--depth"),
    (["check", "absent.json"], "absent.json"),
    (["check", "cut.json"], "cut.json"),
    (["check", "deep.json"], "deep.json"),
    (["render", "cut.json", "a.svg"], "cut.json"),
    (["--import", "no_such_module", "games"], "no_such_module"),
    (["nothing"], "No such command"),
    (["solve", "mastermind:2x3", "--width", "2", "--objective", "worst,expected"], "a beam with objective"),
    (["solve", "mastermind:2x3", "--width", "0"], "a beam 0 guesses wide; expected at least 1"),
]


@pytest.mark.parametrize(
    ("words", "message"), BAD, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_bad_input_is_one_clear_line(words: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "ragged.csv").write_text("test,a,b\nx,1\n")
    (tmp_path / "nothing.csv").write_text("")
    (tmp_path / "same.csv").write_text("test,a,b\nx,1,1\n")
    (tmp_path / "cut.json").write_text('{"format": "guesstree/1", "nodes": [')
    (tmp_path / "deep.json").write_text("[" * 200_000)
    (tmp_path / "some.txt").write_text("crane\nslate\ntrace\n")
    (tmp_path / "a.proof").write_text("guesstree-proof/1\n")
    (tmp_path / "own.py").write_text("import guesstree\n")
    (tmp_path / "photo.csv").write_bytes(b"\x89PNG ...")
    before = sorted(tmp_path.iterdir())
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("guesstree: ")
    assert message in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_all_that_is_wrong_with_a_table_is_said_a_line_for_each(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("test,a,a,cost\nx,1,2,5\ny,1,,two\n")
    for words in (["table", "bad.csv"], ["solve", "table:bad.csv"], ["solve", "table:bad.csv", "--json"]):
        done = run(*words, cwd=tmp_path)
        lines = done.stderr.splitlines()
        assert done.returncode == 2 and len(lines) == 3
        assert lines[0] == "guesstree: 'bad.csv' line 1: the cause label 'a' is repeated"
        assert lines[2].startswith("guesstree: 'bad.csv' line 3: a cell is empty (test 'y', cause 'a')")
        assert (json.loads(done.stdout)["problems"] if done.stdout else None) == (
            [line.removeprefix("guesstree: ") for line in lines] if "--json" in words else None
        )


def test_the_file_of_a_table_is_a_game(tmp_path: Path) -> None:
    (tmp_path / "lamp.csv").write_text("test,a,b\nx,1,2\ny,1,\n")
    done = run("solve", "lamp.csv,missing=any", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["game"] == "table:lamp.csv,missing=any"
    assert done.stderr.splitlines()[0] == (
        "guesstree: 'lamp.csv,missing=any' is taken as table:lamp.csv,missing=any"
    )
    place = f"{tmp_path}/lamp.csv,missing=any"
    assert parse(place).spec == f"table:{place}"


def test_a_game_that_cannot_be_won_has_status_1() -> None:
    done = run("solve", "mastermind:4x6", "--max-depth", "4", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "guesstree: mastermind:4x6 cannot be won within 4 guesses\n"


def test_states() -> None:
    found = data("states", "mastermind:4x6", "--depth", "3")
    assert (found["sequences"], found["states"]) == (151_235, 414_988_840)


def test_games_are_listed_with_examples() -> None:
    games = data("games")["games"]
    assert {game["name"] for game in games} >= {"mastermind", "blackpeg", "bulls", "table"}
    assert all(game["example"] and game["reference"] for game in games)
    lines = run("games").stdout.splitlines()
    assert max(map(len, lines)) < 80
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == [
        game["example"] for game in games
    ]


def test_a_winning_response_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("test,a,b\na,yes,no\nb,no,yes\nhint,1,2\n")
    found = data("solve", "table:t.csv", "--win", "yes", "--out", "t.json", cwd=tmp_path)
    assert (found["goal"], found["total"], found["game"]) == ("win", 3, "table:t.csv,win=yes")
    assert run("check", "t.json", cwd=tmp_path).returncode == 0


def test_a_users_file_does_not_replace_a_library(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError\n")
    words = [sys.executable, "-m", "guesstree", "respond", "mastermind:2x2", "11", "12", "--json"]
    done = subprocess.run(
        words, cwd=tmp_path, env=unsafe_environment(), capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["response"] == "1,0"


def has_worked(process: int) -> float:
    """Return the processor time of a process in seconds: on a busy machine the clock tells nothing of it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("after", [0.5, pytest.param(2.0, marks=pytest.mark.long)])
def test_ctrl_c_returns_the_best_so_far(after: float, tmp_path: Path) -> None:
    words = [*COMMAND, "solve", "bulls:4x10", "--out", "a.json", "--json"]
    with subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while has_worked(process.pid) < after:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    if process.returncode == 130 and not stdout:
        assert stderr.strip() == "guesstree: interrupted"  # before there was anything to return
        return
    assert process.returncode == 130, stderr
    found = json.loads(stdout)
    assert not found["optimal"]
    assert found["lower"] < found["upper"]
    assert run("check", "a.json", cwd=tmp_path).returncode == 0


def test_a_beam_says_what_it_is_and_its_tree_is_valid(tmp_path: Path) -> None:
    done = run("solve", "mastermind:4x5", "--width", "3", "--out", "a.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "beam of width 3, optimum at least 2388, at most" in done.stdout
    assert run("check", "a.json", cwd=tmp_path).returncode == 0
    found = data("solve", "mastermind:4x5", "--width", "3")
    assert (found["method"], found["parameters"], found["optimal"]) == ("beam", {"width": 3}, False)
    assert found["lower"] < 2463 <= found["upper"] == found["total"]


def test_jobs_and_memory_change_no_value() -> None:
    for words in (["--jobs", "2"], ["--memory", "16M"], ["--memory", "4000k", "--jobs", "2"]):
        assert data("solve", "mastermind:4x5", *words)["upper"] == 2463
        assert data("bounds", "mastermind:4x5", *words)["upper"] == 2463


@pytest.mark.parametrize(
    ("value", "bytes_"), [("1", 1), ("5k", 5 << 10), ("500M", 500 << 20), ("2G", 2 << 30), ("02g", 2 << 30)]
)
def test_sizes_are_bytes(value: str, bytes_: int) -> None:
    assert Bytes().convert(value, None, None) == bytes_


def test_bounds_as_text_and_as_data(tmp_path: Path) -> None:
    done = run("bounds", "mastermind:3x4", "--out", "a.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["seconds", "at", "least", "at", "most", "gap", "improved", "by"]
    assert lines[1].split()[1:] == ["192", "counting"]
    end = lines.index("mastermind:3x4: goal win, objective expected: proven optimal")
    assert lines[end - 1].split()[1:4] == ["206", "206", "0.000%"]
    assert lines[end + 1].startswith("  total 206 over 64 secrets")
    assert lines[-1] == "  wrote a.json"
    report = data("check", "a.json", cwd=tmp_path)
    assert (report["valid"], report["total"]) == (True, 206)
    found = data("bounds", "mastermind:3x4", "--objective", "worst", "--goal", "identify")
    assert found["optimal"] is True
    assert found["upper"] == found["worst"] == found["rows"][-1]["lower"] == found["rows"][-1]["upper"]
    assert set(found["rows"][0]) == {"seconds", "lower", "upper", "how"}
    assert found["rows"][0]["upper"] is None


@pytest.mark.parametrize("after", [1.0, pytest.param(3.0, marks=pytest.mark.long)])
def test_ctrl_c_ends_bounds_with_what_is_known(after: float, tmp_path: Path) -> None:
    words = [*COMMAND, "bounds", "bulls:5x9", "--time-limit", "8", "--out", "a.json"]
    with subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(after)
        os.kill(process.pid, signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    if not stdout or "goal win" not in stdout:
        assert stderr.strip().startswith("guesstree: ")  # before there was anything to return
        return
    assert "NOT proven (interrupt): optimum at least" in stdout
    assert run("check", "a.json", cwd=tmp_path).returncode == 0


def test_help_is_quick_to_import() -> None:
    """Help must not wait for NumPy, Rich or networkx."""
    code = "import sys, guesstree.cli; print([m for m in ('numpy', 'rich', 'networkx') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_subcommand_has_help_with_an_example(name: str) -> None:
    done = run(name, "--help")
    assert done.returncode == 0
    assert "Example: guesstree" in done.stdout


@pytest.mark.long
def test_rows_of_bounds_stand_above_the_live_line() -> None:
    with terminal("bounds", "bulls:4x10", "--time-limit", "3") as shown:
        assert shown.end() == 0
    rows = [line for line in shown.text.splitlines() if "%  " in line]
    assert rows
    assert all(re.fullmatch(r"(.*\x1b\[2K)? *\d+\.\d\d +\d+ +\d+ +\d+\.\d{3}%  .*", row) for row in rows)


@pytest.mark.parametrize("words", [[], ["breed"]])
def test_nothing_asked_for_is_help_with_whole_sentences(words: list[str]) -> None:
    done = run(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: guesstree") and "\nCommands:\n" in done.stdout
    assert "..." not in done.stdout.partition("\nCommands:\n")[2]
