"""`prove` is killed at random moments, started again, and proves the same."""

import pytest
from loading import script

kill_prove = script("kill_prove")


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.long
def test_nothing_is_lost_where_it_is_killed(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    kill_prove.main(["mastermind:3x6", "--times", "1", "--workers", workers, "--seed", workers])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("mastermind:3x6: 854 in ")
    assert lines[-1].startswith("1 killed while they ran, as many certificates verified")
