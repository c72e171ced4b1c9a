"""What commands put out: JSON of all of them, full disks, files that cannot be made, help in groups."""

import io
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
from downloads import OWN, foreign_that_ran, unsafe_environment, write_foreign
from strangers import write_strangers

from guesstree.cli import COMMANDS, guesstree_command, main
from guesstree.cli.bounds import Table
from guesstree.cli.tools.files import Target
from guesstree.cli.tools.group import FEW, Command, Option
from guesstree.cli.tools.options import Jobs
from guesstree.cli.tools.text import echo_lines
from guesstree.engine.campaign.ledger import Ledger
from guesstree.engine.campaign.records import about_of
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.solution import Row

GAME = "mastermind:2x3"
CASES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "assist": ([GAME, "--history", "11:1,0"], {"candidates": 4, "secrets": ["12", "13", "21", "31"]}),
    "bounds": ([GAME], {"lower": 21, "upper": 21, "gap": 0.0}),
    "breed evolve": ([GAME, "--generations", "1"], {"lower": 21, "secrets": 9}),
    "breed population": ([GAME, "--size", "2"], {"lower": 21, "secrets": 9}),
    "breed random": ([GAME], {"secrets": 9}),
    "check": (["tree.json"], {"valid": True, "total": 21, "exact": "7/3"}),
    "compare": ([GAME, "--methods", "max-part", "--exact-seconds", "0"], {}),
    "constructive": (["mastermind:3x4", "--secret", "1 2 3"], {"secret": "1 2 3"}),
    "demo": ([GAME, "--secret", "12"], {"secret": "12"}),
    "diff": (["tree.json", "tree.json"], {"same": True}),
    "duel": ([GAME], {"lower": 0.5, "exact": True, "fewest": "12", "your_turn": True}),
    "explain": (["some.proof"], {}),
    "front": (["table:lamp.csv", "table:lamp.csv"], {"game": "table:lamp.csv"}),
    "games": ([], {}),
    "graph": (["mastermind:2x2", "--out", "states.dot"], {"file": "states.dot"}),
    "import pystreed": (["lamp.txt", "table:lamp.csv"], {"total": 8, "lower": None, "upper": 8}),
    "import selby": (["words.tree", "wordle:words.txt"], {"total": 14, "worst": 3, "method": "selby"}),
    "import sklearn": (["lamp.joblib", "table:lamp.csv"], {"total": 8, "exact": "2", "goal": "identify"}),
    "ledger": (["some.ledger"], {}),
    "partition": ([GAME, "12"], {"candidates": 9}),
    "plan": ([GAME], {"cost": 2, "lower": 2, "pairs": 36}),
    "play": ([GAME, "--seed", "1"], {"outcome": "given up", "guesses": 1}),
    "pool": (["3"], {"samples": 3, "code": 1.598, "game": "pools:3,prevalence=1:9"}),
    "render": (["tree.json", "tree.dot"], {"nodes": 9, "picture": "tree.dot"}),
    "prove": ([GAME, "--out", "some.proof"], {"lower": 21, "optimal": True}),
    "respond": ([GAME, "12", "13"], {"response": "1,0"}),
    "sensitivity": (["table:lamp.csv"], {"average": 2}),
    "robust": (["ranged.csv"], {"lower": "1/2", "upper": "1/2", "single": "1/2", "stopped": ""}),
    "solve": ([GAME], {"total": 21, "exact": "7/3", "optimal": True, "gap": 0.0}),
    "states": ([GAME, "--depth", "1"], {"depth": 1}),
    "table": (["animals.csv"], {"causes": ["owl", "ant"], "causes_in": "rows", "empty": 0}),
    "valuations": ([GAME], {"candidates": 9}),
    "verify": (["some.proof", "--strategy", "tree.json"], {"proved": "optimum"}),
    "weigh": (["4"], {"coins": 4}),
}
"""Every command with what it needs, and some of what its JSON is to hold."""


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield all commands with their names, those of groups too."""
    with click.Context(guesstree_command) as context:
        for name in COMMANDS:
            command = guesstree_command.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                yield from ((f"{name} {part}", below) for part, below in command.commands.items())
            else:
                yield name, command


@cache
def ledger() -> bytes:
    """Return a ledger as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/some"
        Ledger(path, about_of(Problem(parse(GAME), parse_objective("expected")))).close()
        return Path(path).read_bytes()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a strategy in it, and what a player types."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(sys, "stdin", io.StringIO("11\ngive up\n"))
    (tmp_path / "ranged.csv").write_text(
        "test,a,b,sensitivity,specificity\nt,yes,no,80..90 %,90 %\ndecide a,0,1,,\ndecide b,1,0,,\n"
    )
    (tmp_path / "animals.csv").write_text("animal,legs\nowl,2\nant,6\n")
    write_strangers(tmp_path)
    (tmp_path / "some.ledger").write_bytes(ledger())
    with pytest.raises(SystemExit, match="0"):
        main(["solve", GAME, "--out", "tree.json", "--prove", "some.proof", "--json"])
    return tmp_path


def run(*words: str) -> int:
    """Run a command in this process and return its status."""
    with pytest.raises(SystemExit) as end:
        main(list(words))
    assert isinstance(end.value.code, int)
    return end.value.code


def test_every_command_is_here() -> None:
    pages = {"serve"}  # shows nothing but pages
    assert {name for name, _ in commands()} - pages == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_every_command_prints_json(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder == Path.cwd()
    capsys.readouterr()
    words, known = CASES[name]
    assert run(*name.split(), *words, "--json") == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    found = json.loads(printed)
    assert isinstance(found, dict) and len(found) > len(known)
    assert known.items() <= found.items()


def run_among_foreign(folder: Path, *words: str) -> None:
    """Run a command in a folder with modules of strangers, none of which may run."""
    done = subprocess.run(
        [sys.executable, "-m", "guesstree", *words],
        cwd=folder,
        env=unsafe_environment(),
        input="11\ngive up\n",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, foreign_that_ran(folder)) == (0, []), done.stderr


def test_a_command_and_its_workers_run_no_file_of_the_folder(tmp_path: Path) -> None:
    write_foreign(tmp_path)
    (tmp_path / "lock.py").write_text(OWN)
    run_among_foreign(
        tmp_path, "--import", "lock", "prove", "lock:2", "--out", "some.proof", "--workers", "2"
    )


@pytest.mark.long
def test_no_command_runs_a_file_of_the_folder(folder: Path) -> None:
    write_foreign(folder)
    for name, (words, _) in CASES.items():
        run_among_foreign(folder, *name.split(), *words)
        run_among_foreign(folder, *name.split(), "--help")
    for file in ("tree.svg", "tree.pdf", "tree.png", "tree.html", "tree.dot"):
        run_among_foreign(folder, "render", "tree.json", file)
    for how in ("--key key.docx", "--list list.xlsx", "--list list.csv", "--flowchart chart.pdf"):
        run_among_foreign(folder, "render", "tree.json", *how.split())


@pytest.mark.parametrize("name", CASES)
def test_a_full_disk_behind_the_output_is_one_line(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for more in (["--json"], [], ["--help"]):
        with Path("/dev/full").open("w") as full, monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.StringIO("11\ngive up\n"))
            patch.setattr(sys, "stdout", full)
            capsys.readouterr()
            assert run(*name.split(), *CASES[name][0], *more) == 2
        lines = capsys.readouterr().err.splitlines()
        assert lines[-1] == "guesstree: cannot write the output: No space left on device"
        assert not any("Traceback" in line for line in lines)
    assert folder == Path.cwd()


@pytest.mark.usefixtures("folder")
def test_a_reader_may_have_seen_enough(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ends, begins = os.pipe()
    os.close(ends)
    with os.fdopen(begins, "w", buffering=1) as gone, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", gone)
        assert run("render", "tree.json", "-") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("words", [["--help"], ["games"], []])
def test_nothing_is_tried_again_as_the_process_ends(words: list[str]) -> None:
    command = [sys.executable, "-m", "guesstree", *words]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("words", ["play mastermind:2x2", "assist mastermind:2x2"])
def test_a_closed_input_is_at_its_end(words: str) -> None:
    closed = ["sh", "-c", f'"$0" -m guesstree {words} <&-', sys.executable]
    done = subprocess.run(closed, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("stopped after 0 guesses\n")


def test_a_closed_output_is_no_fault() -> None:
    """It is asked whether it is a terminal, and what is opened first must not take its place."""
    closed = ["sh", "-c", '"$0" -m guesstree play mastermind:2x2 >&-', sys.executable]
    done = subprocess.run(closed, input="11\n", stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_game_played_is_told_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder == Path.cwd()
    capsys.readouterr()
    assert run("play", GAME, "--seed", "1", "--json") == 0
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert [step["guess"] for step in found["steps"]] == ["11"]
    assert f"the secret was {found['secret']}" in shown.err
    needed = json.loads(_demo(found["secret"], capsys))["guesses"]
    assert (found["hints_alone"], found["hints"], found["taken_back"]) == (needed, 0, 0)


def _demo(secret: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert run("demo", GAME, "--secret", secret, "--json") == 0
    return capsys.readouterr().out


def targets() -> list[tuple[str, str, str]]:
    """Return every command with each of its options for a file to write, and an ending of that file."""
    found = []
    for name, command in commands():
        for param in command.params:
            assert isinstance(param.type, Target) == (
                param.name
                in (
                    "out",
                    "tree_out",
                    "picture",
                    "target",
                    "plot",
                    "csv_path",
                    "sheet",
                    "page",
                    "pairs",
                    "state",
                    "proof",
                    "ledger",
                )
            )
            if isinstance(param.type, Target):
                assert param.metavar is not None
                ending = param.metavar.partition(".")[2].partition("|")[0]
                found.append((name, param.opts[0], f".{ending}" if ending else ""))
    return found


@pytest.mark.parametrize(("name", "option", "ending"), targets(), ids=str)
@pytest.mark.parametrize("where", ["absent/x", "folder", "x" * 300], ids=["absent", "folder", "long"])
def test_a_file_that_cannot_be_made_is_refused_before_any_work(
    name: str,
    option: str,
    ending: str,
    where: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = where + ending
    if where == "folder":
        (folder / path).mkdir()
    before = sorted(folder.iterdir())
    capsys.readouterr()
    words = CASES[name][0]
    words = [words[0], path] if option == "target" else [*words, option, path]
    assert run(*name.split(), *words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert f"cannot write {path!r}: " in shown.err
    assert sorted(folder.iterdir()) == before


def limited(size: int, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that can write no more than so many bytes to a file."""
    return subprocess.run(
        [sys.executable, "-m", "guesstree", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )


def test_a_disk_that_is_full_in_the_end_costs_no_figures(tmp_path: Path) -> None:
    words = ("solve", "mastermind:3x3", "--render", "a.html", "--out", "a.json")
    done = limited(5000, *words, cwd=tmp_path)
    assert done.returncode == 2
    assert "total 73 over 27 secrets" in done.stdout
    assert done.stdout.endswith("  wrote a.json\n")
    assert done.stderr == "guesstree: cannot write 'a.html': File too large\n"
    assert os.listdir(tmp_path) == ["a.json"]  # noqa: PTH208 - hidden ones too
    done = limited(500, *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("guesstree: cannot write 'a.")


def test_a_strategy_is_written_though_the_figures_cannot(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "guesstree", "solve", GAME, "--out", "a.json"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
        )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert json.loads((tmp_path / "a.json").read_text())["summary"]["total"] == 21


def test_without_graphviz_a_picture_is_refused_before_the_search(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    capsys.readouterr()
    for words in (("solve", GAME, "--render"), ("render", "tree.json"), ("graph", "mastermind:2x2", "--out")):
        for ending in ("svg", "pdf", "png"):
            assert run(*words, f"a.{ending}") == 2
            shown = capsys.readouterr()
            assert shown.out == ""
            assert f"'a.{ending}': nothing to draw with: pip install pygraphviz" in shown.err
        assert run(*words, "a.dot") == 0
        assert (folder / "a.dot").exists()
        capsys.readouterr()


def test_options_are_shown_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("solve", "--help") == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert heads == ["Objective:", "Strategy:", "Limits:", "Output:", "Options:"]
    assert lines.index("Output:") < next(i for i, line in enumerate(lines) if "--json" in line)
    for name, command in commands():
        assert isinstance(command, Command)
        options = [param for param in command.params if isinstance(param, click.Option)]
        if len(options) >= FEW:
            assert [one.name for one in options if not isinstance(one, Option)] == [], name


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", GAME, "--objectiv", "worst"], "No such option '--objectiv'. Did you mean '--objective'?"),
        (
            ["solve", GAME, "--objective", "worst,expectd"],
            "unknown objective 'worst,expectd'; did you mean 'worst,expected'?",
        ),
        (["bounds", GAME, "--goal", "identfy"], "unknown goal 'identfy'; did you mean 'identify'?"),
        (["solve", GAME, "--method", "Entropy"], "unknown method 'Entropy'; did you mean 'entropy'?"),
        (
            ["compare", GAME, "--methods", "parts,max-pat"],
            "unknown method 'max-pat'; did you mean 'max-part'?",
        ),
        (["valuations", GAME, "--by", "part"], "unknown valuation 'part'; did you mean 'parts'?"),
        (["constructive", GAME, "--zeros", "fre"], "unknown zeros 'fre'; did you mean 'free'?"),
        (["solve", GAME, "--seed", "7"], "--seed 7 means nothing to exact; use it with random-consistent"),
        (
            ["compare", GAME, "--seed", "7", "--methods", "parts"],
            "--seed 7 means nothing to parts; use it with",
        ),
        (["solve", GAME, "--no-preference"], "--no-preference means nothing to exact; use it with"),
    ],
)
def test_what_was_meant_is_said(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert message in shown.err


def test_a_seed_draws(capsys: pytest.CaptureFixture[str]) -> None:
    totals = set()
    for seed in ([], ["--seed", "1"], ["--seed", "2"]):
        assert run("solve", "mastermind:3x4", "--method", "random-consistent", "--json", *seed) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["parameters"]["seed"] == int(seed[1] if seed else 0)
        totals.add(found["total"])
    assert len(totals) > 1


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["solve", "mastermind:3x3"], r"  1 state, 3 evaluations, 36 renamings, .*"),
        (["solve", "mastermind:1x1"], "  total 1 over 1 secret, average 1.0000, worst case 1"),
        (["breed", "random", "mastermind:1x1"], "mastermind:1x1: goal win, 1 node"),
        (["partition", "mastermind:1x1", "1"], "mastermind:1x1: 1 makes 1 part of 1 secret"),
        (
            ["valuations", "mastermind:1x1"],
            "mastermind:1x1: 1 secret possible, 1 class of guesses, best by entropy",
        ),
        (["states", "mastermind:1x1", "--depth", "1"], "mastermind:1x1: 1 response"),
        (["compare", "mastermind:1x1"], "mastermind:1x1: 1 secret"),
    ],
)
def test_one_is_told_as_one(words: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words) == 0
    assert any(re.fullmatch(line, found) for found in capsys.readouterr().out.splitlines())


def test_no_more_threads_than_processors_unless_asked_twice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    for text, jobs in (("1", 1), ("2", 2), ("64!", 64), ("65!", 65), ("0", 0)):
        assert Jobs().convert(text, None, None) == jobs
        assert capsys.readouterr().err == ""
    assert Jobs().convert("64", None, None) == 2
    assert capsys.readouterr().err == (
        "guesstree: --jobs 64 on 2 processors would only be slower, so 2 threads will search; "
        "--jobs 64! starts them all\n"
    )


def test_bounds_are_shown_when_the_gap_has_moved(capsys: pytest.CaptureFixture[str]) -> None:
    """From 10 % to none in steps of one: a line for each tenth of what is left, and the last."""
    table = Table(str)
    for lower in range(1000, 1101):
        table.add(Row(0.0, lower, None if lower == 1000 else 1100, "raised"))
    table.end()
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[1] for line in lines[1:4]] == ["1000", "1001", "1011"]
    assert lines[-1][1:4] == ["1100", "1100", "0.000%"]
    assert 15 < len(lines) < 40
    table = Table(str)
    for lower in (1000, 1001, 1002):
        table.add(Row(0.0, lower, 1100, "raised"))
    table.end()
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()[1:]] == ["1000", "1002"]


def test_the_gap_of_what_is_not_proven_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("solve", "mastermind:3x4", "--method", "parts") == 0
    assert "method parts, optimum at least 206, gap 0.971%" in capsys.readouterr().out


def test_a_small_strategy_is_printed_and_of_a_large_one_how_to_draw_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    small = ["  11  (4 secrets)", "  ├─ –  22", "  └─ ●  12  (2 secrets)", "     └─ ○○  21"]
    assert run("solve", "mastermind:2x2") == 0
    assert capsys.readouterr().out.splitlines()[-4:] == small
    draws = ("--out", "small.json", "--render", "small.dot")
    assert run("solve", "mastermind:2x2", *draws) == 0
    assert capsys.readouterr().out.splitlines()[-6:-2] == small
    large = ("solve", "mastermind:3x3")
    assert run(*large) == 0
    told = capsys.readouterr().out
    assert "\n  draw it: add --out tree.json, then guesstree render tree.json tree.pdf\n" in told
    assert run(*large, "--out", "large.json") == 0
    assert "\n  draw it: guesstree render large.json tree.pdf\n" in capsys.readouterr().out
    for words in (["--render", "large.dot"], ["--json"]):
        assert run(*large, *words) == 0
        assert "draw it" not in capsys.readouterr().out
    latin = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", latin)
    echo_lines(["├─ ○  漢"])
    latin.flush()
    assert latin.buffer.getvalue().decode("cp1252").strip() == "|- o  ?"


def test_a_cause_with_empty_cells_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("test,a,b,c\nleaf,x,y,y\nedge,s,t,\nthorns,n,n,y\n")
    figures = "total 5 over 3 causes, average 1.6667, worst case 2"
    counts = ["  tests    1  2", "  causes   1  2"]
    assert run("solve", "table:t.csv,missing=any", "--objective", "worst,expected", "--out", "t.json") == 0
    solved = capsys.readouterr().out.splitlines()
    assert solved[2:5] == [f"  tests: {figures}; of each cause at most:", *counts]
    assert run("check", "t.json") == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "  tests: total 5 over 3 causes, worst case 2; of each cause at most:",
        *counts,
    ]
