"""A proof that is killed at random moments goes on, and proves the same."""

import re

import pytest
from loading import script

kill_prove = script("kill_prove")


@pytest.mark.long
def test_nothing_is_lost_where_it_is_killed(capsys: pytest.CaptureFixture[str]) -> None:
    kill_prove.main(["mastermind:4x7", "--times", "8", "--longest", "2.5"])
    last = capsys.readouterr().out.splitlines()[-1]
    assert re.match(r"mastermind:4x7: 11228; [1-8] killed, \d+ starts", last)
