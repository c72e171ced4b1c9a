"""A proof that is killed at random moments goes on, and proves the same."""

import re

import pytest
from loading import script

kill_prove = script("kill_prove")


@pytest.mark.long
def test_nothing_is_lost_where_it_is_killed(capsys: pytest.CaptureFixture[str]) -> None:
    kill_prove.main(["mastermind:4x6", "--times", "5"])
    last = capsys.readouterr().out.splitlines()[-1]
    assert re.match(r"mastermind:4x6: 5625; [1-5] killed, \d+ starts", last)
