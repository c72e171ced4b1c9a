"""What more threads and workers bring is measured within rounds, and all ways have to find the same."""

import pytest
import scaling
from scaling import Took, Way


def test_each_way_is_compared_with_itself_on_one_processor() -> None:
    found = scaling.ways(6)
    assert [way.processors for way in found] == [1, 2, 4, 6, 1, 2, 4, 6, 2, 4, 6]
    assert {way.alone for way in found} == {Way(1, 0), Way(1, 1)} <= set(found)
    assert [str(way) for way in (found[1], found[5], found[8])] == [
        "threads: 2",
        "workers: 2",
        "workers: 1 of 2 threads",
    ]


def test_the_script_prints_ratios_of_real_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert scaling.main(["mastermind:3x4", "--processors", "2", "--rounds", "1"]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert [row.split(" | ")[1] for row in rows] == [str(way) for way in scaling.ways(2)]
    assert head.split(" | ")[-2:] == ["ratio", "share |"]
    assert all(float(row.split(" | ")[3]) > 0 and int(row.split(" | ")[4]) > 0 for row in rows)


def test_different_values_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "run", lambda _spec, _objective, way: (Took(1.0, 1.0, 1), [way.jobs]))
    with pytest.raises(RuntimeError, match="mastermind:3x4: threads: 2 found"):
        list(scaling.measure("mastermind:3x4", "expected", 2, 1))
