"""`assist`, `play` and what else works on a state where tests may get several answers."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from guesstree.cli import main

SHRUBS = """test,holly,oak,beech,elm,minutes
thorns,y/n,n,n,n,1
lobed,n,y,n,y/n,1
evergreen,y,n,n,n,2
even base,y,y,y,n,3
bark,n,n,y/n,n,1
weight,5,3,2,2,
"""
DOCTOR = """test,flu,cold,well,cost,group,setup
fever,yes:9/no:1,no:9/yes:1,no:9/yes:1,1,,
cough,yes/no,yes:9/no:1,no:9/yes:1,1,,
swab,pos:19/neg:1,neg:19/pos:1,neg:19/pos:1,2,lab,4
blood,high:4/low:1,low:7/high:3,low:9/high:1,1,lab,4
weight,5,3,2,,,
decide antiviral,0,15,30,,,
decide rest,40,0,5,,,
"""
LAMP = """test,bulb,fuse,cost,after
open,ok,ok,1,
new bulb,fixed:4/dark:1,dark,2,open
new fuse,dark,fixed,3,
weight,3,1,,
decide call,30,30,,
"""
SENSORS = "test,leak,tight\n" + "".join(f"t{i},wet:19/dry:1,dry:19/wet:1\n" for i in range(4))
SENSORS += "decide fix,0,9\ndecide leave,99,0\n"
CAR = """test,fuse,bulb,cost
lamp,dark,bright,1
weight,1,18,
decide keep,100,0,
decide stop,50,50,
"""
MARKS = """test,a,b,c
left,?,yes,no
right,no,no,yes
"""
TABLES = {"sensors": SENSORS, "shrubs": SHRUBS, "doctor": DOCTOR, "lamp": LAMP, "car": CAR, "marks": MARKS}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("guesstree.present.review.SECONDS", 60.0)  # however busy the machine is
    for name, text in TABLES.items():
        (tmp_path / f"{name}.csv").write_text(text)


class Session:
    """Commands in this process, with what is typed and what is printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.patch, self.capsys = monkeypatch, capsys

    def run(self, command: str, *words: str, typed: str = "") -> list[str]:
        """Return the lines printed by a command, or the one that says what is wrong."""
        self.patch.setattr(sys, "stdin", io.StringIO(typed.replace(";", "\n") + "\n" * bool(typed)))
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([*command.split(), *words])
        shown = self.capsys.readouterr()
        if end.value.code != 0:
            assert end.value.code == 2 and shown.out == "" and "Traceback" not in shown.err
            return shown.err.splitlines()[-1:]  # before it there may be notes
        return shown.out.splitlines()


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Session:
    return Session(monkeypatch, capsys)


SHRUB_TABLE = "table:shrubs.csv,cells=sets"


def test_assist_where_answers_are_missing_or_impossible(session: Session) -> None:
    assert session.run(f"assist {SHRUB_TABLE}")[:12] == [
        f"{SHRUB_TABLE}: 4 causes, 5 tests (? for help)",
        "4 causes possible: holly 41.7 %, oak 25 %, beech 16.7 %, elm 16.7 %",
        "best: lobed, 1 minute; expected minutes from here 4.0833",
        "  y (33.3 %): oak 75 %, elm 25 %",
        "  n (66.7 %): holly 62.5 %, beech 25 %, elm 12.5 %",
        "     test       cost    bits  from here",
        "  1  lobed         1  0.7516     4.0833",
        "  2  thorns        1  0.3216     4.4583",
        "  3  bark          1  0.2472     4.5833",
        "  4  evergreen     2  0.9799     4.1667",
        "  5  even base     3  0.6500          5",
        "test 1 [lobed]: ",
    ]
    # Not known: the test is left out, and advice goes on; some causes may have to be named together.
    lines = session.run(f"assist {SHRUB_TABLE}", typed="?;thorns;?;lobed;don't know;;help;n;;y")
    assert "  ?                   this help (as an answer: not known; then type help)" in lines
    assert lines.count("  1  thorns  not known") == 1
    at = lines.index("  2  lobed  not known")
    together = "some causes cannot be told apart without the missing answers: they are named together"
    assert lines[at + 2 : at + 4] == [
        together,
        "best: evergreen, 2 minutes; expected minutes from here 3.75",
    ]
    assert lines[-1] == "known: the cause is oak or beech; 4 tests, 7 minutes"
    # What is impossible is refused, names what cannot go together, and nothing is lost.
    typed = "lobed;y;thorns;?;bark;y;maybe;n;undo;change 2 n;change 1 x;change 1 ?;history;undo 1;lobed;n"
    lines = session.run(f"assist {SHRUB_TABLE}", typed=typed)
    at = lines.index(f"{SHRUB_TABLE}: no cause gives lobed y and bark y together")
    assert lines[at + 1 : at + 3] == [
        "  if answer 1 alone is wrong: 1 possible cause",
        "  if answer 3 alone is wrong: 2 possible causes",
    ]
    assert lines[at + 3].startswith("type answer 3 again, or undo to ask something else; undo N takes back")
    assert "'maybe' is not an answer to 'bark'; expected 'y', 'n', or ? where it is not known" in lines
    assert "'x' is not an answer to 'lobed'; expected 'y', 'n', or ? where it is not known" in lines
    at = lines.index("test 3 [bark]: history")
    assert lines[at + 1 : at + 3] == ["  1  lobed  not known", "  2  thorns  n  (79.2 %)"]
    assert lines[-1] == "stopped after 1 test"
    assert session.run(f"assist {SHRUB_TABLE}", "--history", "thorns:n lobed:y bark:y") == [
        f"guesstree: {SHRUB_TABLE}: no cause gives lobed y and bark y together"
    ]


DOCTOR_TABLE = "table:doctor.csv,cells=sets"
CAR_TABLE = "table:car.csv,lapses=1"


def test_where_tests_may_fail_the_worst_case_counts_to_the_end(session: Session) -> None:
    assert json.loads(session.run(f"solve {CAR_TABLE} --objective worst --json")[0])["upper"] == 50
    lines = session.run(f"assist {CAR_TABLE}", typed="lamp;?;")
    assert lines[-3] == "best: decide stop, worst loss 50"
    assert lines[-1] == "decided: stop, worst loss 50; 1 test, cost 1"
    assert session.run(f"assist {CAR_TABLE}", typed="decide keep")[-1].startswith(
        "decided: keep, worst loss 100"
    )
    assert session.run(f"assist {CAR_TABLE}", typed="decide")[-1].startswith("decided: stop, worst loss 50")
    found = json.loads(session.run(f"assist {CAR_TABLE} --json", "--history", "lamp:?")[0])
    assert found["objective"] == "worst" and found["decide"] == {"decision": "stop", "loss": 50}
    assert found["advice"] == {"guess": None, "decision": "stop", "lower": 50, "upper": 50, "optimal": True}
    lines = session.run(f"play {CAR_TABLE} --seed 1", typed="decide keep")
    assert "value: the cost at worst from there on, then playing best; 50 given away in all" in " ".join(
        lines
    )
    assert lines[-1].startswith("the optimum takes") and lines[-1].endswith("; 50.0000 at worst")


def test_an_answer_of_a_question_mark_is_not_that_nobody_knows(session: Session) -> None:
    marks = "table:marks.csv,missing=label"
    lines = session.run(f"assist {marks}", typed="left;?")
    assert any("(1 yes, 2 no, ?; or don't know)" in line for line in lines)
    assert lines[-1] == "known: the cause is a, 1 test"
    lines = session.run(f"assist {marks}", typed="left;don't know;right;?")
    assert any("(1 yes, 2 no; ? not known)" in line for line in lines)
    assert lines[-1].endswith("a or b or c, 2 tests")
    for history, left in (("left:?", 1), ("left:don't know;", 3), ("right:?", 3)):
        found = json.loads(session.run(f"assist {marks} --json", "--history", history)[0])
        assert found["candidates"] == left


def test_assist_says_when_to_decide_and_what_is_unlikely(session: Session) -> None:
    lines = session.run(f"assist {DOCTOR_TABLE}", typed=";yes;;")
    assert lines[1:6] == [
        "3 causes possible: flu 50 %, cold 30 %, well 20 %",
        "best: fever, cost 1; expected cost and loss from here 4.95",
        "  yes (50 %): flu 90 %, cold 6 %, well 4 %",
        "  no (50 %): cold 54 %, well 36 %, flu 10 %",
        "deciding now, antiviral: expected loss 10.5, 5.55 more",
    ]
    assert "  2  swab      6  0.7136       2.475      8.475" in lines
    at = lines.index("  1  fever  yes  (50 %)")
    assert lines[at + 2 : at + 4] == [
        "best: decide antiviral, expected loss 2.1",
        "asking on takes 3.1 at best (cough), 1 more",
    ]
    assert lines[-1] == "decided: antiviral, expected loss 2.1; 1 test, cost 1"
    typed = "fever;yes;swab;neg;blood;low;Rest;decide fast;decide rest"
    lines = session.run(f"assist {DOCTOR_TABLE}", typed=typed)
    best = "best: blood, cost 1, set-up paid; expected cost and loss from here 7.4393"
    assert best in lines and "deciding now, rest: expected loss 14.2143, 6.775 more" in lines
    assert "'rest' is a decision: type decide rest to end with it" in lines
    assert "'fast' is not a decision; expected 'antiviral', 'rest'" in lines
    assert lines[-1] == "decided: rest, expected loss 6.3899; 3 tests, cost 8"
    lines = session.run("assist table:sensors.csv,cells=sets", typed="t0;wet;t1;wet;t2;dry;t3;dry;candidates")
    assert [line for line in lines if line.startswith("unlikely")] == [
        "unlikely (probability 0.0023): even for leak, which fits best, these are exceptions: t2 dry, t3 dry"
    ]
    assert lines[-4:-2] == ["         50 %  leak", "         50 %  tight"]
    history = ("--history", "t0:wet t1:wet t2:dry t3:dry")
    assert session.run("assist table:sensors.csv,cells=sets", *history)[5].startswith("unlikely (prob")
    found = json.loads(session.run("assist table:sensors.csv,cells=sets --json", *history)[0])
    assert found["unlikely"]["exceptions"][0] == {"guess": "t2", "response": "dry"}
    assert (found["unlikely"]["secret"], found["exact"]) == ("leak", "361/160000")
    found = json.loads(session.run(f"assist {DOCTOR_TABLE} --json", "--history", "fever:yes cough:?")[0])
    assert found["steps"][1] == {
        "guess": "cough",
        "response": None,
        "cost": 1,
        "probability": 1.0,
        "exact": 1,
    }
    assert found["posterior"][0] == {"secret": "flu", "probability": 0.9, "exact": "9/10"}
    assert found["advice"] == {
        "guess": None,
        "decision": "antiviral",
        "lower": "21/10",
        "upper": "21/10",
        "optimal": True,
    }
    assert [test["guess"] for test in found["best"]] == ["blood", "swab"]
    assert (found["best"][1]["cost"], found["best"][1]["setup"]) == (6, 4)


LAMP_TABLE = "table:lamp.csv,cells=sets,ends=fixed"


def test_play_draws_a_cause_and_answers(session: Session) -> None:
    typed = "new bulb;open;new bulb;new bulb;hint;new fuse;decide"
    ends = set()
    for seed in range(6):
        lines = session.run(f"play {LAMP_TABLE} --seed {seed}", typed=typed)
        assert lines == session.run(f"play {LAMP_TABLE} --seed {seed}", typed=typed)
        assert "'new bulb' may not be asked before 'open'" in lines
        assert re.match("the optimum takes cost .* here, with . tests?; 8.7000 on average", lines[-2])
        assert lines[-3].startswith("value: the cost expected from there on")
        at = lines.index("what each test gave away:")
        ends.add(lines[at - 2].split(":")[0] if "of it lost" in lines[at - 1] else lines[at - 1])
        if "  2  new bulb  dark  (40 %)" in lines:
            assert "'new bulb' was asked already (new bulb dark); it would get the same answer" in lines
    assert len(ends) > 1
    typed = "fever;decide rest"
    found = json.loads(session.run(f"play {DOCTOR_TABLE} --seed 1 --json", typed=typed)[0])
    assert (found["outcome"], found["decided"], found["guesses"]) == ("decided", "rest", 1)
    assert found["lost"] == {"flu": 40, "cold": 0, "well": 5}[found["secret"]]
    assert found["optimum"] == {"lower": "99/20", "upper": "99/20"}
    assert found["review"]["moves"][0]["better"] is None
    shown = [session.run(f"play {DOCTOR_TABLE} --seed {i}", typed="give up")[2] for i in range(12)]
    assert set(shown) == {f"the cause was {cause}" for cause in ("flu", "cold", "well")}


def test_commands_that_look_at_one_state(session: Session) -> None:
    assert session.run(f"respond {DOCTOR_TABLE} fever flu") == ["yes  90 %", "no   10 %"]
    assert session.run(f"partition {DOCTOR_TABLE} fever", "--history", "swab:? cough:no") == [
        f"{DOCTOR_TABLE}: fever",
        "  yes (53.5 %): flu 91.5 %, well 7.32 %, cold 1.22 %",
        "  no (46.5 %): well 75.7 %, cold 12.6 %, flu 11.7 %",
    ]
    lines = session.run(f"valuations {DOCTOR_TABLE} --most 2")
    assert lines == [
        f"{DOCTOR_TABLE}: 3 causes possible",
        "  test   cost    bits  loss after",
        "  fever     1  0.5310        3.95",
        "  swab      6  0.7136       2.475",
    ]
    lines = session.run(f"compare {DOCTOR_TABLE} --methods entropy,least-cost")
    assert [line.split()[0] for line in lines[2:]] == ["entropy", "least-cost", "optimum"]
    lapsing = session.run("assist table:sensors.csv,cells=sets,lapse=10%", typed="t0;maybe;?")
    assert "'maybe' is not an answer to 't0'; expected 'wet', 'dry', or ? where it is not known" in lapsing
    Path("lamp.csv").write_text(LAMP.replace("cost", "EUR"))
    euros = session.run("compare table:lamp.csv,cells=sets,ends=fixed --methods entropy")
    assert euros[0] == "table:lamp.csv,cells=sets,ends=fixed: 2 causes, weight 4: EUR, histogram of tests"
    assert session.run("solve table:lamp.csv,cells=sets,ends=fixed")[2] == (
        "  tests: worst case 3; of each cause at most:"
    )
    several = "a test may get several answers; use {}"
    exact = "a test may get several answers, so advice is exact"
    refused = {
        "demo T --secret flu": several.format("assist or play (in Python, Evidence)"),
        "states T --depth 2": several.format("solve, assist or play"),
        "graph T --out x.svg": several.format("solve, assist or play"),
        "breed random T": several.format("solve, assist or play"),
        "valuations T --by parts": f"{exact}; leave the method out",
        "assist T --method entropy": f"{exact}; leave the method out",
        "assist T --time-limit 0": "a time limit of 0.0 s; expected more than 0",
        "play T --goal win": "has no winning response; use the goal identify",
    }
    for words, why in refused.items():
        (line,) = session.run(words.replace("T", DOCTOR_TABLE))
        assert line.startswith("guesstree: ") and line.endswith(why)
    Path("sure.csv").write_text("test,a,b\nt,x,y\ndecide go,0,9\ndecide stay,9,0\n")
    (line,) = session.run("states table:sure.csv --depth 2")
    assert line.endswith(": there are decisions, groups, or answers that end it; use solve, assist or play")
