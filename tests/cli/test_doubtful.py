"""`assist`, `play` and what else works on a state where tests may get several answers."""

import io
import sys
from pathlib import Path

import pytest

from guesstree.cli import main

SHRUBS = """test,holly,oak,beech,minutes
thorns,y/n,n,n,1
lobed,n,y,n,1
evergreen,y,n,n,2
bark,n,n,y/n,1
weight,5,3,2,
"""
TABLE = "table:shrubs.csv,cells=sets"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shrubs.csv").write_text(SHRUBS)
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *words: str, typed: str = "") -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    with pytest.raises(SystemExit) as end:
        main(list(words))
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.mark.usefixtures("folder")
def test_assist_where_answers_are_missing_or_impossible(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["thorns", "?", "", "don't know", "undo 2", "", "y", "evergreen", "y", "undo", "change 2 n", ""]
    assert run(monkeypatch, "assist", TABLE, typed="\n".join([*typed, "y", ""])) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        f"{TABLE}: 3 causes, 4 tests (? for help)",
        "3 causes possible: holly 50 %, oak 30 %, beech 20 %",
        "best: lobed, 1 minute; expected minutes from here 2.4",
    ]
    assert lines[3:5] == ["  y (30 %): oak 100 %", "  n (70 %): holly 71.4 %, beech 28.6 %"]
    at = lines.index("  2  lobed  not known")
    assert lines[at + 2 : at + 4] == [
        "some causes cannot be told apart without the missing answers: they are named together",
        "best: evergreen, 2 minutes; expected minutes from here 2",
    ]
    at = lines.index(f"{TABLE}: no cause gives lobed y and evergreen y together")
    expected = "type answer 3 again, or undo to ask something else; undo N takes back an earlier one"
    assert lines[at + 1].startswith(expected)
    assert lines[at + 5 :] == []
