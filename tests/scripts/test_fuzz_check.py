"""The fuzzer of `check` finds what it looks for, and nothing in `check`."""

import json

import fuzz_check
import pytest
from judge import judged

from guesstree.trees import dead, figures
from guesstree.trees.export import files

LYING = {
    "format": "guesstree/1",
    "game": "blackpeg:1x2",
    "goal": "identify",
    "lies": 1,
    "parameters": {"budget": 2},
    "nodes": [
        {"guess": "1", "children": {"0": 1, "1": 2}},
        {"guess": "1", "children": {"0": 3, "1": 4}},
        {"guess": "1", "children": {"0": 5, "1": 6}},
        {"secret": "2"},
        {"guess": "1", "children": {"0": 7, "1": 8}},
        {"guess": "1", "children": {"0": 9, "1": 10}},
        {"secret": "1"},
        {"secret": "2"},
        {"secret": "1"},
        {"secret": "2"},
        {"secret": "1"},
    ],
}


def test_some_changed_files_get_true_verdicts_and_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz_check.main(["--files", "200", "--seed", "3"]) == 0
    assert "200 files: no verdict and no figure is false" in capsys.readouterr().out


@pytest.mark.long
def test_many_changed_files_get_true_verdicts_and_figures() -> None:
    assert fuzz_check.main(["--files", "20000", "--seed", "4"]) == 0


def test_figures_that_count_dead_branches_are_found_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_it_is = dead.without_dead
    monkeypatch.setattr(
        files, "without_dead", lambda tree: tree if tree.goal == "identify" else as_it_is(tree)
    )
    assert fuzz_check.main(["--files", "1000", "--seed", "2"]) == 1
    assert "tree.json: " in capsys.readouterr().err


def test_a_secret_that_ends_in_many_ways_is_paid_for_once() -> None:
    """Two secrets of three guesses at most, beyond a budget of two: none is won."""
    truth = judged(LYING)
    assert not truth.wrong and truth.costs is not None
    assert (truth.costs["total"], truth.costs["weight"], truth.costs["won"]) == (6, 2, 0)
    assert fuzz_check.differs(LYING, truth, write=True) == ("valid", "")
    strategy = fuzz_check.read_text(json.dumps(LYING)).strategy
    costs = figures.figures_of(strategy).costs
    assert costs is not None and costs.stated()["total"] == 6
    assert all(here.secrets for here in dead.possible_at(strategy))
