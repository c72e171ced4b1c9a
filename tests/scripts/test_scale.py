"""The script of simulated campaigns, and its page."""

import json
from pathlib import Path

import pytest
from loading import script

from guesstree.engine.campaign.simulation import Losses, Overheads

scale = script("scale")


@pytest.mark.long
def test_a_run_works_out_what_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "MANY", (1, 50))
    monkeypatch.setattr(scale, "DAYS", 0.02)
    monkeypatch.setattr(scale, "LARGE", ("bulls:4x11",))
    monkeypatch.setattr(scale, "GROWN", 1000)
    figures, results = tmp_path / "scale.json", tmp_path / "results.json"
    row = {"lower": 9, "upper": 9, "seconds": 1.0, "jobs": 2}
    cells = {
        f"bulls:4x{digits} expected win": row | {"evaluations": many}
        for digits, many in ((8, 10_000), (9, 100_000), (10, 1_000_000))
    }
    results.write_text(json.dumps({"cells": cells}))
    scale.main(["mastermind:4x5", "--figures", str(figures), "--results", str(results)])
    known = json.loads(figures.read_text())
    runs = known["games"]["mastermind:4x5"]["runs"]
    assert [(run["workers"], run["lower"]) for run in runs] == [(n, 2463) for n in (1, 2, 4, 16)]
    assert known["estimate"]["games"]["bulls:4x11"]["from"] == "bulls:4x10"
    for name in ("runs", "runs_lost"):
        one, fifty = known["large"][name]
        assert one["seconds"] > fifty["seconds"] > one["seconds"] / 50
    scale.main(["--plots", "--figures", str(figures)])
    for plot in ("scale-small.svg", "scale.svg", "scale-time.svg"):
        assert (tmp_path / plot).read_text().startswith("<?xml")


def test_all_of_the_work_that_is_drawn_is_done() -> None:
    costs, losses = Overheads(0.0, 0.0), Losses(life=50.0, noticed=1.0, absent=2.0)
    plain, lost = scale.drawn(1000.0, 4, costs, Losses()), scale.drawn(1000.0, 4, costs, losses)
    assert 1000.0 <= plain["searched"] < 1500.0  # what was cut off is done again
    assert plain["searched"] <= 4 * plain["seconds"]
    assert lost["lost"] > 0 == plain["lost"]
    assert lost["seconds"] > plain["seconds"]


def test_effort_that_grows_by_one_power_is_foreseen() -> None:
    cells = {
        ("mastermind", 5, c): scale.Cell("mastermind", 5, c, round(1e-6 * (c**5) ** 3), 1.0)
        for c in (6, 7, 8)
    }
    powers = scale.growth(cells)
    assert list(powers) == [("mastermind", 5, 7), ("mastermind", 5, 8)]
    assert all(abs(power - 3) < 1e-3 for power in powers.values())
    low, middle, high = scale.foreseen(cells["mastermind", 5, 6], 8, list(powers.values()))
    assert low <= middle <= high
    assert middle == pytest.approx(cells["mastermind", 5, 8].evaluations, rel=0.01)


def test_the_tables_of_the_page_are_those_of_the_figures() -> None:
    page = (scale.DOCS / "scale.md").read_text()
    for table in scale.tables(json.loads(scale.FIGURES.read_text())):
        assert "\n".join(table) in page
