"""The commands about one-step strategies and single states."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from piped import data, piped

import guesstree
from guesstree.api.comparison import compare
from guesstree.api.solution import solve


def test_solve_by_a_method(tmp_path: Path) -> None:
    found = data("solve", "mastermind:4x6", "--method", "entropy")
    assert (found["method"], found["total"], found["optimal"]) == ("entropy", 5722, False)
    assert data("solve", "mastermind:4x6", "--method", "parts", "--no-preference")["total"] == 5924
    done = piped("solve", "mastermind:3x4", "--method", "parts", "--out", "a.json", cwd=tmp_path)
    assert "method parts, optimum at least" in done.stdout
    assert piped("check", "a.json", cwd=tmp_path).returncode == 0


@pytest.mark.long
def test_a_method_cut_short_says_so_and_is_complete(tmp_path: Path) -> None:
    words = ["solve", "mastermind:5x8", "--method", "entropy", "--time-limit", "0.3", "--out", "a.json"]
    done = piped(*words, cwd=tmp_path)
    assert done.returncode == 0
    assert "cut short (time)" in done.stdout
    assert piped("check", "a.json", cwd=tmp_path).returncode == 0


def test_compare_beside_the_optimum(tmp_path: Path) -> None:
    done = piped("compare", "mastermind:3x4", "--plot", "c.svg", "--csv", "c.csv", "--json", cwd=tmp_path)
    rows = json.loads(done.stdout)["methods"]
    assert [row["method"] for row in rows] == ["max-part", "expected-size", "entropy", "parts", "exact"]
    assert (rows[-1]["total"], rows[-1]["optimal"]) == (206, True)
    assert all(row["total"] >= 206 for row in rows)
    with (tmp_path / "c.csv").open() as file:
        table = list(csv.DictReader(file))
    assert [row["total"] for row in table] == [str(row["total"]) for row in rows]
    numbers = [name for name in table[0] if name.isdigit()]
    assert numbers == [str(n) for n in range(1, max(row["worst"] for row in rows) + 1)]
    bars = [{n: str(row["histogram"].get(n, 0)) for n in numbers} for row in rows]
    assert [{n: row[n] for n in numbers} for row in table] == bars
    assert "</svg>" in (tmp_path / "c.svg").read_text()
    assert piped("compare", "mastermind:2x2", "--plot", "c.png", cwd=tmp_path).returncode == 0
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


def test_compare_counts_in_what_readers_see(tmp_path: Path) -> None:
    table = tmp_path / "odds.csv"
    rows = ["test,ill,well,cost,error", "swab,yes,no,5.5,10 %", "probability,12.5 %,87.5 %,,"]
    table.write_text("\n".join([*rows, "decide treat,0,15,,", "decide wait,100,0,,"]) + "\n")
    found = json.loads(json.dumps([row.as_json() for row in compare(f"table:{table}", ["entropy"])]))
    # The swab for everybody, 15 for 7 of 80 (treated, and well), 100 for 1 of 80 (waiting, and ill).
    assert [(row["lower"], row["total"], row["optimal"]) for row in found] == [(8.0625, 8.0625, True)] * 2


def test_compare_as_text_says_what_is_proven() -> None:
    done = piped("compare", "mastermind:4x6", "--methods", "parts,first-consistent", "--exact-seconds", "0")
    assert "5668" in done.stdout
    assert "7471" in done.stdout
    assert "optimum" not in done.stdout
    assert "search so far (at least" in piped("compare", "bulls:4x10", "--exact-seconds", "0.2").stdout


def test_valuations_and_partition_and_respond() -> None:
    found = data("valuations", "mastermind:4x6")
    assert [row["guess"] for row in found["guesses"]] == ["1234", "1123", "1122", "1112", "1111"]
    assert found["guesses"][0]["max-part"] == 312
    found = data("valuations", "mastermind:4x6", "--history", "1122:1,0", "--by", "parts")
    assert (found["candidates"], found["guesses"][0]["guess"]) == (256, "1334")
    found = data("partition", "mastermind:2x2", "12")
    assert [(p["response"], p["secrets"]) for p in found["parts"]] == [
        ("0,2", ["21"]),
        ("1,0", ["11", "22"]),
        ("2,0", ["12"]),
    ]
    assert piped("respond", "mastermind:4x6", "1122", "1213").stdout == "1,2\n"
    assert data("respond", "bulls:4x10", "0123", "3120")["response"] == "2,2"


def test_a_users_own_valuation(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def worst(sizes):\n    return max(sizes)\n")
    done = piped("solve", "mastermind:3x3", "--method", "mine:worst", "--json", cwd=tmp_path)
    assert (
        json.loads(done.stdout)["total"] == data("solve", "mastermind:3x3", "--method", "max-part")["total"]
    )


@pytest.mark.parametrize("name", ["g.svg", "g.png", "g.dot"])
def test_the_state_graph(name: str, tmp_path: Path) -> None:
    assert (
        piped("graph", "mastermind:2x2", "--out", name, "--method", "max-part", cwd=tmp_path).returncode == 0
    )
    assert (tmp_path / name).stat().st_size > 500


def test_the_state_graph_of_the_thesis() -> None:
    from guesstree.trees.export.stategraph import state_graph

    game = guesstree.parse("mastermind:2x2")
    graph = state_graph(game, guesstree.solve(game, method="max-part").choose)
    assert {d["label"] for _, d in graph.nodes(data=True)} == {
        "{11, 12, 21, 22}", "{11, 22}", "{12, 21}", "{11}", "{12}", "{21}", "{22}"
    }  # fmt: skip
    played = {(d["guess"], d["response"]) for s, _, d in graph.edges(data=True) if d["played"] and len(s) > 1}
    assert played == {("11", "0,0"), ("11", "1,0"), ("11", "2,0"), ("12", "0,2"), ("12", "2,0")}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["solve", "mastermind:2x3", "--method", "luck"],
            "unknown method 'luck'; use one of exact, max-part",
        ),
        (["compare", "mastermind:2x3", "--methods", "parts,luck"], "unknown method 'luck'"),
        (
            ["compare", "mastermind:2x3", "--methods", "exact"],
            "method 'exact' in a comparison: the search stands",
        ),
        (["compare", "mastermind:2x3", "--plot", "a.gif"], "ends in .svg, .png"),
        (["valuations", "mastermind:4x6", "--history", "1122"], "GUESS:RESPONSE"),
        (["valuations", "mastermind:4x6", "--history", "1122:7,0"], "'7,0' is not a response"),
        (["valuations", "mastermind:4x6", "--history", "1122:4,0 1122:3,0"], "from response 2 on"),
        (["valuations", "mastermind:4x6", "--by", "luck"], "unknown valuation 'luck'; use one of max-part"),
        (["partition", "mastermind:4x6", "11"], "'11' is not a guess"),
        (["respond", "mastermind:4x6", "1111", "7777"], "'7777' is not a secret"),
        (["graph", "mastermind:3x3", "--out", "g.svg"], "too many states to draw"),
    ],
)
def test_bad_input_is_one_clear_line(words: list[str], message: str, tmp_path: Path) -> None:
    done = piped(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_comparison_shows_as_a_table_in_a_notebook() -> None:
    table = guesstree.compare("mastermind:2x2", "parts")._repr_html_()
    assert "<th>average</th>" in table and "<td>2.0000</td>" in table


@pytest.mark.parametrize("after", [1.0, pytest.param(2.5, marks=pytest.mark.long)])
def test_ctrl_c_leaves_out_what_was_not_played_to_the_end(after: float) -> None:
    """Totals of methods on Mastermind 5x8 as `solve --method` finds them, or none at all."""
    words = [sys.executable, "-m", "guesstree", "compare", "mastermind:5x8", "--exact-seconds", "0", "--json"]
    words += ["--methods", "max-part,expected-size,max-part,expected-size,max-part,expected-size"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(after)
        os.kill(process.pid, signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "interrupted" in stderr
    rows = json.loads(stdout)["methods"] if stdout else []
    assert len(rows) < 6
    truth = {"max-part": 183966, "expected-size": 180287}
    assert {row["method"]: row["total"] for row in rows}.items() <= truth.items()


@pytest.mark.parametrize("begun", [True, False])
def test_a_comparison_that_was_interrupted_says_so(begun: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second method is interrupted: the first stays, the rest is not begun."""
    asked = []

    def stopped(game: Any, method: Any, **options: Any) -> Any:
        asked.append(method.name)
        if asked[1:] and not begun:
            raise KeyboardInterrupt
        return replace(solve(game, method=method, **options), stopped="interrupt" if asked[1:] else "")

    monkeypatch.setattr("guesstree.api.comparison.solve", stopped)
    rows = compare(guesstree.parse("mastermind:2x3"), ["parts", "entropy", "max-part"])
    assert [row.method for row in rows] == ["parts"] == asked[:1]
    assert (rows.stopped, len(asked)) == ("interrupt", 2)
