"""`guesstree plan`: the kit in words, as data and as files, and what it refuses."""

import csv
import json
import re
from pathlib import Path

import pytest
from piped import data, piped

LAMP = """test,bulb,fuse,switch,mains
swap the bulb,works,dark,dark,dark
measure at the socket,live,dead,live,dead
press the switch,dark,dark,click,dark
=lamp in the next room,on,on,on,off
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lamp.csv").write_text(LAMP)


def test_a_kit_is_printed_and_written() -> None:
    done = piped("plan", "table:lamp.csv", "--csv", "s.csv", "--pairs", "p.csv", "--out", "k.json")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "table:lamp.csv: 3 tests planned beforehand: proven least"
    assert lines[1] == "  4 causes, 6 pairs to tell apart"
    assert [line for line in lines if line.startswith("  wrote")] == [
        "  wrote k.json",
        "  wrote s.csv",
        "  wrote p.csv",
    ]
    rows = list(csv.DictReader(Path("s.csv").read_text().splitlines()))
    assert [row["cause"] for row in rows] == ["bulb", "fuse", "switch", "mains"]
    assert len({tuple(row.values())[1:] for row in rows}) == 4
    pairs = list(csv.DictReader(Path("p.csv").read_text().splitlines()))
    assert [int(row["told apart by"]) for row in pairs] == [
        row["tests"].count(";") + 1 if row["tests"] else 0 for row in pairs
    ]
    kit = json.loads(Path("k.json").read_text())
    assert (kit["cost"], kit["lower"], kit["optimal"], kit["pairs"]) == (3, 3, True, 6)
    printed = data("plan", "table:lamp.csv")
    assert printed | {"seconds": 0} == kit | {"seconds": 0}


def test_a_game_to_win_takes_one_guess_more() -> None:
    lines = piped("plan", "mastermind:2x4").stdout.splitlines()
    assert lines[:2] == [
        "mastermind:2x4: 3 guesses planned beforehand: proven least",
        "  then one guess more wins: 4 in all",
    ]
    assert "then one" not in piped("plan", "mastermind:2x4", "--goal", "identify").stdout


def test_costs_are_those_of_the_table() -> None:
    Path("c.csv").write_text("test,cost,a,b,c\nx,2.5,1,2,3\ny,1,1,1,2\nz,1,1,2,2\n")
    kit = data("plan", "table:c.csv")
    assert (kit["cost"], [row["question"] for row in kit["questions"]]) == (2, ["y", "z"])
    assert data("plan", "table:c.csv", "--never", "y")["cost"] == "5/2"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("plan table:lamp.csv --must x", "must: 'x' is not a test of table:lamp.csv; expected"),
        ("plan table:lamp.csv --lies 99", "lies 99; expected a whole number from 0 to 20"),
        ("plan mastermind:2x3 --time-limit -1", "-1"),
        ("plan hangman:lamp.csv", "guesstree: "),
    ],
)
def test_bad_input_is_one_line(words: str, message: str) -> None:
    done = piped(*words.split())
    assert done.returncode == 2 and done.stdout == ""
    assert message in done.stderr and done.stderr.count("\n") == 1


def test_what_no_kit_tells_apart_is_an_answer() -> None:
    done = piped("plan", "table:lamp.csv", "--never", "measure at the socket")
    assert done.returncode == 0
    done = piped("plan", "table:lamp.csv", "--never", "=lamp in the next room")
    assert done.returncode == 1
    assert "tells 'fuse' and 'mains' apart" in done.stderr


def test_several_stages_are_printed_and_written() -> None:
    done = piped("plan", "table:lamp.csv", "--stages", "2", "--csv", "s.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("table:lamp.csv: at most 2 tests in 2 stages: proven least\n  stage 1: ")
    rows = list(csv.DictReader(Path("s.csv").read_text().splitlines()))
    assert [row["cause"] for row in rows] == ["bulb", "fuse", "switch", "mains"]
    assert max(int(row["cost"]) for row in rows) == 2
    plan = data("plan", "table:lamp.csv", "--stages", "2")
    assert (plan["cost"], plan["lower"], plan["optimal"], plan["stages"]) == (2, 2, True, 2)


def test_pairs_are_those_of_one_stage() -> None:
    done = piped("plan", "table:lamp.csv", "--stages", "2", "--pairs", "p.csv")
    assert done.returncode == 2 and "use it with one, or --csv" in done.stderr


def test_a_certificate_is_written_and_checked() -> None:
    done = piped("plan", "table:lamp.csv", "--proof", "k.proof")
    assert (done.returncode, done.stderr) == (0, "")
    said = "verified: every kit for 4 secrets costs at least 3 (4 guesses, 0 lemmas)"
    assert done.stdout.splitlines()[-1] == said
    assert "the table that k.proof names; keep them together" in done.stdout
    done = piped("verify", "k.proof")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == f"k.proof: {said}"
    assert lines[1].endswith(", planned beforehand: questions cost at least 3")
    assert data("plan", "table:lamp.csv", "--proof", "k.proof")["proof"]["verified"] == [said]
    text = Path("k.proof").read_text()
    Path("k.proof").write_text(text.replace(" - - 3 ", " - - 4 "))
    done = piped("verify", "k.proof")
    assert done.returncode == 1 and "refused" in done.stdout


def test_a_certificate_counts_in_the_least_unit() -> None:
    Path("c.csv").write_text("test,minutes,a,b,c\nx,2.5,1,2,3\ny,1,1,1,2\nz,1,1,2,2\n")
    lines = piped("plan", "table:c.csv", "--never", "y", "--proof", "c.proof").stdout.splitlines()
    assert lines[-2:] == [
        "  1 in the certificate is 0.5 minutes here",
        "verified: every kit for 3 secrets costs at least 5 (3 guesses, 0 lemmas)",
    ]


def test_a_certificate_is_no_proof_of_a_strategy() -> None:
    assert piped("plan", "mastermind:2x3", "--proof", "k.proof").returncode == 0
    assert piped("solve", "mastermind:2x3", "--out", "s.json").returncode == 0
    done = piped("verify", "k.proof", "--strategy", "s.json")
    assert done.returncode == 2 and "a kit, not of strategies" in done.stderr
    done = piped("plan", "table:lamp.csv", "--stages", "2", "--proof", "k.proof")
    assert done.returncode == 2 and "--proof 'k.proof' in 2 stages; use it with one" in done.stderr


def test_a_page_to_print_has_the_questions_and_the_answers() -> None:
    Path("odd.csv").write_text("test,minutes,a<b,c,d\n<i>x</i>,2,up,up,down\ny,1,1,2,2\n")
    done = piped("plan", "table:odd.csv", "--page", "k.html", "--csv", "s.csv", "--title", "What & why")
    assert done.returncode == 0
    page = Path("k.html").read_text()
    assert "<h1>What &amp; why</h1>" in page and "<i>" not in page and "a<b" not in page
    assert "2 tests to be asked, whatever the answers are, cost 3: no others cost less." in page
    assert '<span class="tick">up</span><span class="tick">down</span>' in page
    page = page.replace("a&lt;b", "a<b")
    cells = [re.findall("<td[^>]*>(.*?)</td>", row) for row in page.split("<h2>")[1].split("<tr>")[2:]]
    sheet = [
        [*answers, secret] for secret, *answers in csv.reader(Path("s.csv").read_text().splitlines()[1:])
    ]
    assert cells == sorted(sheet)
    assert "style-src 'sha256-" in page and "%%" not in page


def test_a_page_is_that_of_one_stage_and_a_title_that_of_a_page() -> None:
    done = piped("plan", "table:lamp.csv", "--stages", "2", "--page", "p.html")
    assert done.returncode == 2 and "use it with one, or --csv" in done.stderr
    done = piped("plan", "table:lamp.csv", "--title", "Lamp")
    assert done.returncode == 2 and "--title 'Lamp' without a page; use it with --page" in done.stderr
