"""The script of the constructive strategy's tables."""

import json
from pathlib import Path

import pytest
from loading import script

many = script("many")


@pytest.mark.long
def test_a_run_measures_what_is_missing_and_writes_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(many, "games", lambda _: 5)
    monkeypatch.setattr(many, "TWO_COLOURS", [2, 3, 4])
    results = tmp_path / "many.json"
    many.main(["--most", "4", "--results", str(results)])
    known = json.loads(results.read_text())
    assert known["mastermind:4x4 random"]["games"] == 5
    # Two colours, no white pegs, a walking peg: n questions to know the code.
    assert known["blackpeg:4x2 two"]["walk"] <= 4
    assert known["mastermind:4x4 entropy"] == {"mean": 3.5625, "max": 4}
    assert "mastermind:5x5 random" not in known
    capsys.readouterr()
    many.main(["--most", "4", "--results", str(results)])
    assert capsys.readouterr().out == ""
    many.main(["--table", "--results", str(results)])
    page = (tmp_path / "many-tables.md").read_text()
    row = known["mastermind:4x4 random"]
    assert f"| 4 | 3 | 4.0 | {row['mean']:.1f} ({row['max']}) |" in page
    for plot in ("many.svg", "many-two.svg"):
        assert f"({plot})" in page
        assert (tmp_path / plot).read_text().startswith("<?xml")


def test_the_page_is_that_of_the_figures() -> None:
    known = json.loads(many.RESULTS.read_text())
    assert (many.DOCS / "many-tables.md").read_text() == many.page(known)
