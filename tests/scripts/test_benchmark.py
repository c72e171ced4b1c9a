"""The signature of the search: a change of the search changes what it counts on purpose only."""

from datetime import date
from pathlib import Path
from typing import Any

import benchmark
import counts
import pytest

RUNS = benchmark.runs()


@pytest.mark.parametrize(
    "run", RUNS, ids=lambda run: " ".join([run["game"], *map(str, run["options"].values())])
)
def test_what_the_search_counts_is_known_and_reproducible(run: dict[str, Any]) -> None:
    recorded = {name: run[name] for name in ("upper", "states", "evaluations")}
    assert [benchmark.counts(run) for _ in range(2)] == [recorded] * 2


def test_the_signature_covers_what_can_be_asked_for() -> None:
    options = {(name, str(value)) for run in RUNS for name, value in run["options"].items()}
    objectives = ("expected,worst", "win-probability", "worst", "worst,expected")
    assert {("objective", name) for name in objectives} <= options
    others = {
        "goal",
        "max_depth",
        "candidates_only",
        "first",
        "width",
        "method",
        "symmetry",
        "budget",
        "lies",
    }
    assert others <= {name for name, _ in options}


def test_the_script_prints_runs_and_the_sum_of_states(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmark, "runs", lambda: [*RUNS[:3], RUNS[3] | {"states": 1}])
    benchmark.main(["--signature"])
    *lines, last = capsys.readouterr().out.splitlines()
    assert ["recorded" in line for line in lines] == [False, False, False, True]
    assert last == f"Nodes: {sum(run['states'] for run in RUNS[:4])}"


def test_the_last_count_that_is_kept_is_that_of_today(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = counts.kept()
    assert int(rows[-1][1]) == sum(run["states"] for run in RUNS)
    monkeypatch.setattr(counts, "PLOT", tmp_path / "counts.svg")
    counts.plot()
    assert (tmp_path / "counts.svg").read_text().startswith("<?xml")


def test_a_count_is_kept_before_the_commit_that_changes_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(counts, "KEPT", tmp_path / "counts.csv")
    counts.KEPT.write_text('date,nodes,what\n2026-11-21,7,"First, and more"\n')
    monkeypatch.setattr(counts, "runs", lambda: [{"states": 4}, {"states": 5}])
    counts.add("Second")
    assert counts.kept() == [["2026-11-21", "7", "First, and more"], [str(date.today()), "9", "Second"]]
