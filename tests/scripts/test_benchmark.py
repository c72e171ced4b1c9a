"""The signature of the search: a change of the search changes what it counts on purpose only."""

from typing import Any

import pytest
from loading import script

benchmark = script("benchmark")
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


def test_the_script_prints_every_run_and_the_sum_of_states(capsys: pytest.CaptureFixture[str]) -> None:
    benchmark.main(["--signature"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(RUNS) + 1
    assert lines[-1] == f"Nodes: {sum(run['states'] for run in RUNS)}"
    assert not [line for line in lines if "recorded" in line]
