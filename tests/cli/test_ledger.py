"""What `guesstree ledger` says of a proof that is under way, and of several."""

import io
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ledgers import about, fill, proved

from guesstree.cli import run
from guesstree.engine.campaign.forecast import Forecast, forecast
from guesstree.engine.campaign.ledger import Ledger
from guesstree.engine.campaign.messages import INFINITE, NodeId, Report
from guesstree.engine.campaign.records import about_of
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.trees.tree import TreeError


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What returns what the command prints; a second passes from one look at the clock to the next."""
    now = iter(range(10**6, 2 * 10**6))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setattr("time.time", lambda: float(next(now)))
    monkeypatch.chdir(tmp_path)
    return partial(printed, "ledger")


def printed(*words: str) -> str:
    """Return what a command prints."""
    with redirect_stdout(io.StringIO()) as out:
        assert run(list(words)) == 0
    return out.getvalue()


SHOWN = """\
some.ledger: mastermind:4x6, goal win, objective expected
  total: at least 5600 (accepted: 5590), at most 5650, gap 0.893%
  WRITER

  claims about    all  accepted  proved  searched  split  open  running
  guess 1           2         1       -         -      1     -        -
  states after 1    8         -       -         6      -     OPENED
  all              10         1       -         6      1     OPENED

  took 27.5 s of processors, 100 evaluations; SIZE
  2 claims may take 6.5 s more of processors, give or take 2.4 s

  after   at least  accepted  at most     gap
  0.0 s       5300         0     5700  7.547%
  12.0 s      5600         0     5650  0.893%
  13.0 s      5600      5590     5650  0.893%
WORKING
  refused: 1
    1112, 1970-01-12 TIME: refused: line 3: no
"""
WORKING = """
  running:
    1122:1,2, since 1970-01-12 TIME (4.0 s)
"""


def shown(**blanks: str) -> str:
    """Return what is shown."""
    text = SHOWN
    for name, value in blanks.items():
        text = text.replace(name, value)
    return text


def plain(text: str) -> str:
    """Return what was printed without times, sizes and processes."""
    text = re.sub(r"\d\d:\d\d:\d\d", "TIME", text)
    return re.sub(r"; [0-9.]+ KiB", "; SIZE", re.sub(r"process \d+ of .*", "process", text))


def test_what_is_known_is_told_while_it_is_written_and_later(told: Callable[..., str]) -> None:
    with closing(Ledger("some.ledger", about())) as ledger:
        fill(ledger)
        ledger.commit()
        found = plain(told("some.ledger"))
        assert found == shown(WRITER="written by process", OPENED="1        1", WORKING=WORKING)
    before, later = (
        Path("some.ledger").read_bytes(),
        shown(WRITER="nobody writes it now", OPENED="2        -", WORKING=""),
    )
    assert plain(told("some.ledger")) == later
    assert Path("some.ledger").read_bytes() == before and len(list(Path().iterdir())) == 1
    assert max(map(len, found.splitlines())) <= 80


def test_what_is_told_as_json_is_the_same(told: Callable[..., str]) -> None:
    with closing(Ledger("some.ledger", about())) as ledger:
        fill(ledger)
        ledger.commit()
        (found,) = json.loads(told("some.ledger", "--json"))["ledgers"]
    assert found["claims"] == {
        "accepted": 1,
        "proved": 0,
        "split": 1,
        "searched": 6,
        "open": 1,
        "running": 1,
        "refused": 1,
    }
    assert [(rise["lower"], rise["upper"], rise["accepted"]) for rise in found["history"]] == [
        (5300, 5700, 0),
        (5600, 5650, 0),
        (5600, 5650, 5590),
    ]
    (running,), (refused,) = found["running"], found["refused"]
    assert (running["claim"], running["at_least"]) == ("1122:1,2", 100)
    assert (refused["claim"], refused["why"]) == ("1112", "refused: line 3: no")
    assert (found["game"], found["rest"]["claims"]) == ("mastermind:4x6", 2)


def test_ledgers_merge_into_a_new_file(told: Callable[..., str]) -> None:
    for name, depth in (("one", 4), ("two", 5)):
        with closing(Ledger(name, about("worst"))) as ledger:
            ledger.take(Report(NodeId((), "worst", depth), INFINITE, evaluations=7))
            ledger.rose(NodeId((), "worst", depth), INFINITE, INFINITE, INFINITE if depth == 4 else 0)
    text = told("one", "two", "--merge", "both")
    assert text.splitlines()[1:] == [
        "  4 guesses do not suffice",
        "  5 guesses do not suffice (says the search alone)",
        "  nobody writes it now",
        "  took 0.0 s of processors, 14 evaluations; " + text.split("; ")[1].split("\n")[0],
    ]
    assert sorted(path.name for path in Path().iterdir()) == ["both", "one", "two"]
    before = Path("both").read_bytes()
    Path("more-wal").touch()
    for target, there in (("both", "both"), ("more", "more-wal")):
        with pytest.raises(TreeError, match=f"cannot write '{target}': '{there}' is there already"):
            told("one", "--merge", target)
    Path("more-wal").unlink()
    Ledger("other", about()).close()
    with pytest.raises(GuesstreeError, match="'other' is a ledger of 'mastermind 4 6 win - - expected', not"):
        told("one", "other", "--merge", "more")
    assert Path("both").read_bytes() == before and not Path("more").exists()


@pytest.mark.parametrize(
    ("game", "objective", "options"),
    [
        ("mastermind:3x5", "expected", {}),
        ("bulls:3x6", "worst", {}),
        ("mastermind:2x7", "worst,expected", {}),
        ("mastermind:3x4", "expected,worst", {"first": "112"}),
        ("blackpeg:3x3", "expected", {"max_depth": 6, "goal": "identify"}),
    ],
)
def test_a_certificate_and_a_strategy_are_exported(
    game: str, objective: str, options: dict[str, Any], told: Callable[..., str]
) -> None:
    certificate = proved(game, objective, "some", **options)
    lines = certificate.write("first.proof")
    text = told("some", "--export", "again.proof", "--strategy", "again.json")
    assert text.splitlines()[-len(lines) :] == lines
    proofs = [path.name for path in sorted(Path().glob("again*proof"))]
    for path in proofs:
        assert Path(path).read_bytes() == Path(path.replace("again", "first")).read_bytes()
    assert len(proofs) == len(lines)
    assert "optimum: " in printed("verify", *proofs, "--strategy", "again.json")


def test_what_each_worker_did_is_told(told: Callable[..., str]) -> None:
    proved("mastermind:3x5", "expected", "some")
    with closing(Ledger("some")) as reader, closing(Ledger("some", reader.about)) as ledger:
        for worker in ("here:1", "there:2"):
            ledger.take(Report(NodeId((0,), "total", 125), 400, evaluations=5, seconds=1, worker=worker))
    (found,) = json.loads(told("some", "--json"))["ledgers"]
    each = {one["worker"]: one for one in found["workers"]}
    assert len(each) == 2 and "here:1" not in each  # who proved it, and who reported on one claim last
    last = each["there:2"]
    assert (last["claims"], last["evaluations"] >= 10, last["seconds"] >= 2) == (1, True, True)
    for name in ("evaluations", "seconds"):
        assert sum(one[name] for one in each.values()) == pytest.approx(found[name])


def test_a_proof_that_nobody_checked_is_not_exported(told: Callable[..., str]) -> None:
    assert proved("mastermind:3x5", "expected", "some").bound == 451
    with closing(Ledger("some")) as reader, closing(Ledger("some", reader.about)) as ledger:
        for place, known in list(ledger.all()):
            if known.accepted and place.branch:
                more = known.accepted + 1
                ledger.take(Report(place, more, proved=more, proof="a liar says so", worker="liar"))
    assert "verified: every strategy for 125 secrets costs at least 451 " in told(
        "some", "--export", "a.proof"
    )


def test_at_any_time_the_best_that_is_accepted_is_exported(told: Callable[..., str]) -> None:
    assert proved("mastermind:4x5", "expected", "some").bound == 2463
    bounds = []
    for gone in ("optimum", "choices", "claims WHERE accepted = 2463"):
        with closing(sqlite3.connect("some")) as file, file:
            file.execute(f"DELETE FROM {gone}")
            file.execute("DELETE FROM proofs WHERE number NOT IN (SELECT number FROM claims)")
        words = ["--strategy", "some.json"] * (gone == "optimum")
        told("some", "--export", "some.proof", *words)
        bounds.append(printed("verify", "some.proof", *words).splitlines()[-1].rpartition(", win: ")[2])
    assert bounds[:2] == ["the least total is 2463", "at least 2463 in total"]
    assert re.fullmatch(r"at least 23\d\d in total", bounds[2])  # what counting shows, and what is left
    with closing(Ledger("other", about())) as ledger:
        ledger.take(Report(NodeId((0,), "total", 1296), 2000))
    Ledger("empty", about()).close()
    for words, what in (
        (["other", "--strategy", "x.json"], "'other' knows none yet"),
        (["empty", "--export", "x.proof"], "'empty' has no claims"),
        (["some", "some", "--export", "x.proof"], "'x.proof' is of one ledger"),
    ):
        with pytest.raises(GuesstreeError, match=what):
            told(*words)


def test_that_there_is_no_strategy_is_exported(told: Callable[..., str]) -> None:
    assert proved("mastermind:3x5", "expected", "some", max_depth=4).bound is None
    text = told("some", "--export", "some.proof")
    assert "total within 4 guesses: no strategy (says the search alone)" in text
    assert "no strategy settles all 125 secrets within 4 guesses" in text.splitlines()[-1]


def test_what_certificates_do_not_cover_has_a_strategy_alone(
    told: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "words.txt").write_text("sorted\nported\nposted\nhosted\ncosted\ncoated\n")
    assert proved("wordle:words.txt,hard", "expected", "some", trust=True).trusted
    told("some", "--strategy", "some.json")
    assert "wordle:words.txt,hard" in printed("check", "some.json")
    with pytest.raises(GuesstreeError, match=r"words.txt,hard: no checker knows its rules"):
        told("some", "--export", "some.proof")
    assert not (tmp_path / "some.proof").exists()


def test_a_game_that_is_gone_is_told_in_numbers(told: Callable[..., str], tmp_path: Path) -> None:
    table = tmp_path / "some.csv"
    table.write_text("animal,legs,eyes\nowl,2,2\nant,6,5\ncat,4,2\n")
    problem = Problem(parse("table:some.csv"), parse_objective("expected"))
    with closing(Ledger("some", about_of(problem))) as ledger:
        ledger.take(Report(NodeId((1,), "total", 3), 7))
        ledger.refuse(NodeId((1,), "total", 3), "no")
    assert "    eyes, " in told("some")
    table.unlink()
    assert "    1, " in told("some")


def test_forecasts() -> None:
    took = {"a": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]}
    assert forecast(took, []) == Forecast(0, 0, 0, 0)
    whole, later, unlike = (forecast(took, [one]) for one in (("a", 0.0), ("a", 2.5), ("a", 6.0)))
    assert [whole.seconds, whole.spread] == pytest.approx([4, 2])
    assert [later.seconds, later.spread] == pytest.approx([2.5, 2**0.5])  # 3, ..., 7
    assert unlike == Forecast(1, 6, 6, 1) == forecast(took, [("b", 6.0)])
    both = forecast(took, [("a", 0.0), ("a", 2.5)])
    assert [both.seconds, both.spread] == pytest.approx([6.5, 6**0.5])
