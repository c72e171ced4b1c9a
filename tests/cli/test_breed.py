"""`breed` and `diff` as a user meets them."""

import subprocess
import sys
from pathlib import Path

import pytest
from piped import data, piped

COMMAND = [sys.executable, "-m", "guesstree"]


@pytest.mark.long
def test_a_random_breaker_before_and_after(tmp_path: Path) -> None:
    raw = data("breed", "random", "mastermind:3x3", "--seed", "44", "--out", "raw.json", cwd=tmp_path)
    words = ["breed", "random", "mastermind:3x3", "--seed", "44", "--shape", "--out", "small.json"]
    small = data(*words, cwd=tmp_path)
    assert small["histogram"] == {"1": 1, "2": 2, "3": 16, "4": 8}
    assert small["saved"]["guesses"] == raw["total"] - small["total"]
    for name in ("raw.json", "small.json"):
        assert piped("check", name, cwd=tmp_path).returncode == 0
    found = data("diff", "raw.json", "small.json", cwd=tmp_path, status=1)
    assert not found["same"] and found["slower"] == 0 and found["faster"] > 20
    assert "first difference" in piped("diff", "raw.json", "small.json", cwd=tmp_path).stdout
    assert data("diff", "raw.json", "raw.json", "--up-to-symmetry", cwd=tmp_path)["same"]


def test_a_population_beside_the_optimum(tmp_path: Path) -> None:
    found = data("breed", "population", "mastermind:3x3", "--size", "10", "--csv", "p.csv", cwd=tmp_path)
    means = [found["stages"][stage]["mean"] for stage in ("raw", "shrunk", "triangles")]
    assert means == sorted(means, reverse=True) and means[-1] > found["optimum"] == 73 / 27
    assert len((tmp_path / "p.csv").read_text().splitlines()) == 11
    shown = piped("breed", "population", "mastermind:3x3", "--size", "10").stdout
    assert "total 73, proven" in shown and f"{means[0]:.4f}" in shown


def test_one_table_of_many_games(tmp_path: Path) -> None:
    words = ["breed", "population", "mastermind:2..3x2", "coins:3", "--size", "3", "--csv", "g.csv"]
    found = data(*words, cwd=tmp_path)["games"]
    assert [one["game"] for one in found] == ["mastermind:2x2", "mastermind:3x2", "coins:3"]
    assert (tmp_path / "g.csv").read_text().count("\n") == 1 + 3 * 3
    shown = piped(*words[:-2]).stdout
    assert shown.count("mastermind:") == 2 and f"{found[1]['optimum']:.4f}" in shown


@pytest.mark.long
def test_evolution_in_two_runs_is_evolution_in_one(tmp_path: Path) -> None:
    pytest.importorskip("deap")
    words = ["breed", "evolve", "mastermind:3x3", "--seed", "1", "--size", "10"]
    piped(*words, "--generations", "4", "--state", "s.json", cwd=tmp_path)
    parted = data(*words, "--generations", "8", "--state", "s.json", "--out", "t.json", cwd=tmp_path)
    whole = data(*words, "--generations", "8", "--csv", "l.csv", cwd=tmp_path)
    assert parted == whole
    assert whole["total"] == whole["log"][-1]["best"] and len(whole["log"]) == whole["generation"] + 1
    assert piped("check", "t.json", cwd=tmp_path).returncode == 0
    assert (tmp_path / "l.csv").read_text().startswith("generation,")
    other = piped(*words[:3], "--seed", "2", "--state", "s.json", cwd=tmp_path)
    assert other.returncode == 2 and "--seed 2" in other.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["l.csv", "s.json", "t.json"]


@pytest.mark.long
def test_a_plot(tmp_path: Path) -> None:
    pytest.importorskip("deap")
    pytest.importorskip("matplotlib")
    words = ["breed", "evolve", "mastermind:2x3", "--generations", "2", "--plot"]
    for name in ("e.svg", "e.png", "e.pdf"):
        assert piped(*words, name, cwd=tmp_path).returncode == 0
        assert (tmp_path / name).stat().st_size > 1000
    assert len(list(tmp_path.iterdir())) == 3


def test_a_missing_package_is_one_clear_line(tmp_path: Path) -> None:
    for package, words in (("deap", []), ("matplotlib", ["--plot", "e.svg"])):
        words = ["breed", "evolve", "mastermind:2x2", *words]
        code = f"import sys; sys.modules[{package!r}] = None; from guesstree.cli import main; main({words!r})"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr.count("\n") == 1
        assert package in done.stderr.lower() and "pip install" in done.stderr


BAD = [
    (["breed", "random", "chess:8x8"], "unknown game"),
    (["breed", "random", "mastermind:2x2", "--seed", "-1"], "--seed"),
    (["breed", "random", "mastermind:2x2", "--out", "absent/a.json"], "no folder"),
    (["breed", "population", "mastermind:2x2", "--size", "0"], "--size"),
    (["breed", "population", "mastermind:3..2x2", "--size", "2"], "no number from 3 to 2"),
    (["breed", "population", "mastermind:1..99x1..99", "--size", "2"], "9801 games"),
    (["breed", "population", "mastermind:2x2", "--size", "2", "--plot", "p.gif"], "p.gif"),
    (["breed", "evolve", "mastermind:2x2", "--size", "1"], "--size"),
    (["breed", "evolve", "mastermind:2x2", "--plot", "e.gif"], "e.gif"),
    (["breed", "evolve", "mastermind:2x2", "--time-limit", "0"], "time limit"),
    (["breed", "evolve", "mastermind:2x2", "--state", "cut.json"], "cut.json"),
    (["breed", "nothing"], "No such command"),
    (["diff", "cut.json", "cut.json"], "cut.json"),
    (["diff", "absent.json", "cut.json"], "absent.json"),
]


@pytest.mark.parametrize(
    ("words", "message"), BAD, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_bad_input_is_one_clear_line(words: list[str], message: str, tmp_path: Path) -> None:
    pytest.importorskip("deap")
    (tmp_path / "cut.json").write_text('{"format": ')
    done = piped(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("guesstree: ")
    assert message in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["cut.json"]


@pytest.mark.parametrize(
    "words", [["diff"], ["breed"], ["breed", "random"], ["breed", "population"], ["breed", "evolve"]]
)
def test_help_has_an_example(words: list[str]) -> None:
    done = piped(*words, "--help")
    assert done.returncode == 0 and "Example: guesstree" in done.stdout
