"""Certificates by command: what is proved, what is refused, what a strategy beside them says."""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from terminal import COMMAND, environment, terminal

import guesstree
from guesstree.api.certificate import Certificate
from guesstree.api.ledger import ledger_report
from guesstree.api.verification import FOLDER, run_checker
from guesstree.cli import main
from guesstree.engine.tables.table import TableGame

WORDS = ["night", "light", "sight", "might", "fight", "tight", "right", "eight"]
WON = ",cat,dog,owl\ncat,yes,b,c\ndog,a,yes,c\nowl,c,c,yes\n"
PAID = ",cost,cat,dog,owl\nweight,,3,2,1\nflies?,2,no,no,yes\nbarks?,3,no,yes,no\nfur?,1,yes,yes,no\n"
NUMBERS = (
    "question,0,1,2,3,4,5,6,7\n1,a,a,a,a,b,b,b,b\n2,a,a,b,b,a,a,b,b\n3,a,b,a,b,a,b,a,b\n1+2,a,a,b,b,b,b,a,a\n"
    "1+3,a,b,a,b,b,a,b,a\n2+3,a,b,b,a,a,b,b,a\n1+2+3,a,b,b,a,b,a,a,b\n"
)
OWN = """
from guesstree import Game, register


class Own(Game):
    def __init__(self, n):
        self.spec, self.winning, self.responses = f"own:{n}", None, ["yes", "no"]
        self.secrets = [str(i) for i in range(n)]
        self.guesses = [f"up to {i}?" for i in range(1, n)]

    def respond(self, guess, secret):
        return int(secret > guess)


register("own", example="own:3", about="NUMBERS", reference="folklore")(lambda text: Own(int(text)))
"""
ANIMALS = ",cat,dog,owl\nflies?,no,no,yes\nbarks?,no,yes,no\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    (tmp_path / "more.txt").write_text("mines\nfolds\n")
    (tmp_path / "accents.txt").write_text("\u00e9tage\n\u00e9tats\n", "utf-8")
    (tmp_path / "animals.csv").write_text(ANIMALS)
    (tmp_path / "won.csv").write_text(WON)
    (tmp_path / "numbers.csv").write_text(NUMBERS)
    (tmp_path / "paid.csv").write_text(PAID)
    (tmp_path / "one.csv").write_text(",cat\nflies?,no\n")
    wide = [",".join([f"{mark}{i}" for i in range(255)]) for mark in "sr"]
    (tmp_path / "wide.csv").write_text(f",{wide[0]}\nall,{wide[1]}\n")
    (tmp_path / "unsure.csv").write_text(",cat,dog,owl\nflies?,no,,yes\nbarks?,no,yes,no\n")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> list[str]:
    """Run a command in this process and return what it prints, or what it says went wrong."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(list(words))
    shown = capsys.readouterr()
    assert end.value.code == status, shown.err
    if status == 2:
        assert shown.out == "" and shown.err.count("\n") == 1, shown
        return shown.err.splitlines()
    return shown.out.splitlines()


LIES = ["--objective", "worst", "--lies"]
CASES: list[tuple[str, list[str], str, str]] = [
    ("mastermind:3x3", [], "every strategy for 27 secrets costs at least 73", "the least total is 73"),
    (
        "mastermind:3x3",
        ["--objective", "worst"],
        "no strategy settles all 27 secrets within 3 guesses",
        "is 4",
    ),
    ("mastermind:3x3", ["--goal", "identify"], "every strategy for 27 secrets costs at least", "least total"),
    ("mastermind:3x3", ["--first", "123"], "first guess 012", "after 012 is"),
    ("mastermind:3x3", ["--first", "111", "--objective", "worst"], "", "the least worst case after 000 is "),
    ("mastermind:2x3", ["--objective", "win-probability", "--budget", "2"], "4:9", "4 lost, 9 paid by"),
    ("mastermind:3x3", ["--max-depth", "4"], "within 4 guesses", "within 4 guesses is 73"),
    ("bulls:3x6", [], "every strategy for 120 secrets costs at least 436", "the least total is 436"),
    ("blackpeg:3x3", [], "every strategy for 27 secrets costs at least", "the least total is"),
    ("wordle:words.txt,more.txt", [], "every strategy for 8 secrets costs at least", "the least total is"),
    ("wordle:words.txt,more.txt", ["--first", "mines"], "first guess mines", "after mines is"),
    ("table:animals.csv", [], "every strategy for 3 secrets costs at least 5", "the least total is 5"),
    ("table:won.csv,win=yes", [], "every strategy for 3 secrets costs at least 5", "the least total is 5"),
    ("table:won.csv,win=yes", ["--max-depth", "2"], "costs at least 5", "within 2 guesses is 5"),
    ("table:won.csv,win=yes", ["--candidates-only"], "costs at least 5", "candidates only is 5"),
    ("table:paid.csv", [], "every strategy for 3 secrets costs at least", "the least total is"),
    ("table:paid.csv", ["--objective", "worst"], "", "the least worst case is"),
    ("table:unsure.csv,missing=any", [], "", "the least total is"),
    ("hangman:words.txt", [], "every strategy for 8 secrets costs at least", "the least total is"),
    ("hangman:words.txt", ["--objective", "worst"], "", "the least worst case is"),
    ("hangman:words.txt", ["--objective", "win-probability", "--budget", "1"], "", "a weight of"),
    ("mastermind:3x3", ["--candidates-only"], "costs at least", "asking candidates only"),
    ("coins:4", ["--objective", "worst"], "no strategy settles all 16 secrets within 2 guesses", "case is 3"),
    (
        "mastermind:3x3",
        [*LIES, "1"],
        "within 4 guesses if 1 response may",
        "win, 1 lie: the least worst case is 5",
    ),
    ("mastermind:3x3", [*LIES, "1", "--first", "112"], "first guess 001", "case after 001 is 5"),
    ("mastermind:3x3", [*LIES, "1", "--goal", "identify"], "within 4 guesses", "case is 5"),
    (
        "table:numbers.csv",
        [*LIES, "1"],
        "all 8 secrets within 5 guesses",
        "identify, 1 lie: the least worst case is 6",
    ),
    (
        "table:numbers.csv",
        [*LIES, "2"],
        "within 8 guesses if 2 responses",
        "2 lies: the least worst case is 9",
    ),
    ("table:won.csv,win=yes", [*LIES, "1"], "all 3 secrets within 2 guesses", "case is 3"),
    ("wordle:words.txt,more.txt", [*LIES, "1"], "all 8 secrets within 5 guesses", "case is 6"),
]


def test_the_file_that_a_certificate_names_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game of one's own is written down as a table, and lists of words as they are."""
    for game, what in (
        ("own:3", "the table"),
        ("table:paid.csv", "the table"),
        ("wordle:words.txt", "words"),
    ):
        options = ["--import", "own"] if game == "own:3" else []
        (folder / "own.py").write_text(OWN)
        (folder / "some").mkdir(exist_ok=True)
        lines = run(capsys, *options, "prove", game, "--out", "some/a.proof")
        name = (folder / "some" / "a.proof").read_text().split()[3]
        assert f"  wrote some/{name}: {what} that a.proof names; keep them together" in lines
        shown = json.loads("".join(run(capsys, *options, "prove", game, "--out", "some/a.proof", "--json")))
        assert shown["proof"]["files"] == ["some/a.proof", f"some/{name}"]
        assert all((folder / file).exists() for file in shown["proof"]["files"])
        certificate = guesstree.prove(game)
        assert list(certificate.files) == [name] and repr(certificate).endswith(f"bytes, names {name})")
    assert "names" not in repr(guesstree.prove("mastermind:2x2"))


@pytest.mark.parametrize(("game", "options", "checked", "together"), CASES, ids=str)
def test_an_optimum_is_proved_and_a_strategy_reaches_it(
    game: str,
    options: list[str],
    checked: str,
    together: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = run(capsys, "prove", game, *options, "--out", "a.proof", "--strategy", "a.json")
    assert lines[-1] == run_checker("a.proof").line
    assert lines[-1].startswith("verified: ") and checked in lines[-1]
    head = (folder / "a.proof").read_text().split()
    assert {name for name in head[:6] if name.endswith((".txt", ".csv"))} <= {
        p.name for p in folder.iterdir()
    }
    lines = run(capsys, "verify", "a.proof", "--strategy", "a.json")
    assert lines[-1].startswith("optimum: ") and together in lines[-1]


HALVES = "other,yes,no,yes,2\nclick,yes,yes,no,1.5\n"


@pytest.mark.parametrize(
    ("wanted", "weights", "unit"),
    [
        ([], "", "1 in the certificate is 0.5 minutes here"),
        (
            ["--objective", "win-probability", "--budget", "4"],
            "",
            "1 in the certificate is here a weight of 1 in the weight lost and 0.5 minutes in the cost of "
            "what is won",
        ),
        (["--objective", "worst"], "weight,0.5,1,1.5,\n", "1 in the certificate is 0.5 minutes here"),
        (["--objective", "expected"], "weight,0.5,1,1.5,\n", "1 in the certificate is 0.25 minutes here"),
        (
            ["--objective", "worst,expected"],
            "weight,0.5,1,1.5,\n",
            "1 in the certificate is here 0.5 minutes in the worst case and 0.25 minutes in the total",
        ),
    ],
)
def test_what_1_stands_for_is_said(
    wanted: list[str], weights: str, unit: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "lamp.csv").write_text(f"test,bulb,fuse,switch,minutes\n{HALVES}{weights}")
    lines = run(capsys, "prove", "table:lamp.csv", *wanted, "--out", "a.proof", "--strategy", "a.json")
    proofs = sorted(path.name for path in folder.glob("*.proof"))
    assert lines[-1 - len(proofs)] == f"  {unit}"
    assert run(capsys, "verify", *proofs, "--strategy", "a.json")[-1].endswith(f" ({unit})")


def test_what_1_stands_for_is_said_of_a_bound_and_of_a_search(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "lamp.csv").write_text(f"test,bulb,fuse,switch,minutes\n{HALVES}")
    unit = "1 in the certificate is 0.5 minutes here"
    lines = run(capsys, "prove", "table:lamp.csv", "--at-least", "8", "--out", "a.proof")
    assert lines[-2] == f"  {unit}" and "costs at least 8" in lines[-1]
    assert run(capsys, "prove", "table:lamp.csv", "--trust")[-1].endswith(f" ({unit})")


def test_that_there_is_no_strategy_is_proved_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = run(capsys, "prove", "mastermind:3x3", "--max-depth", "3", "--out", "a.proof")[1:]
    assert line.startswith("verified: no strategy settles all 27 secrets within 3 guesses")
    assert run(capsys, "solve", "mastermind:3x3", "--max-depth", "3", "--prove", "b.proof", status=1) == []
    assert [path.name for path in folder.glob("*.proof")] == ["a.proof"]


@pytest.mark.parametrize("pair", ["worst,expected", "expected,worst"])
def test_a_pair_has_two_certificates(pair: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["prove", "mastermind:4x4", "--objective", pair, "--out", "p.proof", "--strategy", "p.json"]
    lines = run(capsys, *command)
    assert "  wrote p.worst.proof" in lines
    assert [line.partition(":")[0] for line in lines[-2:]] == ["verified", "verified"]
    lines = run(capsys, "verify", "p.proof", "p.worst.proof", "--strategy", "p.json")
    assert lines[-1].startswith("optimum: mastermind 4 4, win: the least total")
    assert "; the least worst case" in lines[-1]
    assert (folder / "p.worst.proof").exists()


@pytest.mark.parametrize("command", ["solve", "bounds"])
def test_what_is_found_against_lies_is_proved(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = run(capsys, command, "table:numbers.csv", *LIES, "1", "--out", "a.json", "--prove", "a.proof")
    assert "within 5 guesses if 1 response may be false" in lines[-1]
    assert "optimum: " in run(capsys, "verify", "a.proof", "--strategy", "a.json")[-1]


@pytest.mark.parametrize("command", ["solve", "bounds"])
def test_what_is_found_is_proved(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, command, "mastermind:3x3", "--out", "a.json", "--prove", "a.proof")
    assert lines[-1].startswith("verified: every strategy for 27 secrets costs at least 73")
    (line,) = run(capsys, command, "mastermind:3x3", "--prove", "b.proof", "--json")
    found = json.loads(line)
    assert (found["total"], found["proof"]["bound"]) == (73, 73)
    assert (folder / "a.proof").read_text() == (folder / "b.proof").read_text()


def test_a_bound_that_is_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = run(capsys, "prove", "mastermind:3x3", "--at-least", "72", "--out", "a.proof")[1:]
    assert "costs at least 72" in line
    (line,) = run(capsys, "prove", "mastermind:3x3", "--at-least", "74", "--out", "b.proof", status=2)
    assert "less than 74 is enough" in line and not (folder / "b.proof").exists()
    worst = ["prove", "mastermind:3x3", "--objective", "worst", "--out", "c.proof", "--at-least"]
    assert "within 3 guesses" in run(capsys, *worst, "4")[-1]
    assert run(capsys, *worst, "5", status=2) != []


REFUSED: list[tuple[list[str], str]] = [
    (["wordle:words.txt,hard", "--objective", "win-probability", "--budget", "3"], "use expected or worst"),
    (["wordle:accents.txt,hard"], "hard mode of words of up to 5 letters a to z"),
    (["hangman:words.txt", "--max-depth", "9"], "use one without a limit"),
    (["mastermind:3x3", "--objective", "win-probability"], "no budget; expected an integer"),
    (["mastermind:3x3", "--objective", "worst,expected", "--at-least", "5"], "use expected or worst"),
    (["mastermind:3x3", "--at-least", "5", "--strategy", "a.json"], "none is looked for"),
    (["mastermind:3x3", "--at-least", "1000000000000000000"], "at most 1000000000000000"),
    (["mastermind:3x3", "--workers", "99"], "99 workers; expected 1 to 64"),
    (["mastermind:3x3", "--jobs", "99!"], "99 jobs; expected 1 to 64"),
    (["mastermind:7x6"], "checked up to 100000"),
    (["mastermind:6x6"], "1073741824 responses in all"),
    (["table:wide.csv,causes=columns"], "'all' has 255 responses; certificates are checked up to 254"),
    (["mastermind:3x3", "--time-limit", "0"], "a time limit of 0.0 s"),
    (["mastermind:3x3", "--ledger", "words.txt"], "file is not a database"),
    (["mastermind:3x3", "--trust"], "--out 'a.proof': there is no certificate with --trust; use one of"),
    (["mastermind:3x3", "--cluster", "slurm"], "--cluster 'slurm': give one of ray"),
    (["mastermind:3x3", "--lies", "1"], "or the objective is not worst; use solve"),
    (["mastermind:3x3", *LIES, "8"], "8 lies; expected 0 to 7"),
    (["mastermind:3x3", *LIES, "1", "--candidates-only"], "with 1 lie; allow every guess"),
    (["mastermind:3x3", *LIES, "1", "--at-least", "6"], "4 more guesses will do with 1 lie"),
    (["table:paid.csv", *LIES, "1"], "with 1 lie, where weights or costs count"),
    (["table:one.csv", *LIES, "1"], "there is nothing to prove; use a game with two"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=str)
def test_what_is_not_covered_is_refused_in_a_line(
    words: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(folder.iterdir())
    (line,) = run(capsys, "prove", *words, "--out", "a.proof", status=2)
    assert message in line
    assert sorted(folder.iterdir()) == before
    if words[0].startswith(("mastermind", "table:won")):  # of what `solve` has not, or calls otherwise
        return
    (line,) = run(capsys, "solve", *words, "--prove", "a.proof", status=2)
    assert message in line


def test_solve_proves_no_methods(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--method", "parts"], ["--width", "2"]):
        (line,) = run(capsys, "solve", "mastermind:2x3", *options, "--prove", "a.proof", status=2)
        assert "a certificate " in line
    assert not (folder / "a.proof").exists()


def test_what_is_trusted_is_not_proved(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = run(capsys, "prove", "mastermind:3x3", status=2)
    assert "give the FILE.proof for the certificate, or use --trust" in line
    for words in (["table:paid.csv"], ["mastermind:3x3", "--objective", "worst", "--lies", "1"]):
        assert run(capsys, "prove", *words, "--trust")[-1].startswith("not proved, as the search says: ")
    words = ["prove", "mastermind:3x4", "--objective", "worst,expected", "--ledger", "a.ledger"]
    lines = run(capsys, *words, "--trust", "--strategy", "a.json")
    assert lines[-2:] == [
        "not proved, as the search says: every strategy for 64 secrets costs at least 206 within 4 guesses",
        "not proved, as the search says: no strategy settles all 64 secrets within 3 guesses",
    ]
    assert sorted(folder.glob("*.proof")) == []
    (line,) = run(capsys, *words, "--trust", "--json")
    found = json.loads(line)
    assert (found["total"], found["trusted"]["bound"], "proof" in found) == (206, 206, False)
    lines = run(capsys, *words, "--out", "a.proof")
    assert all(line.startswith("verified: ") for line in lines[-2:])
    assert run(capsys, "verify", "a.proof", "a.worst.proof", "--strategy", "a.json")[-1].startswith("optimum")


# -- verify ------------------------------------------------------------------------------------------------


def test_a_gap_is_a_gap(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "prove", "mastermind:3x3", "--out", "a.proof")
    run(capsys, "solve", "mastermind:3x3", "--method", "max-part", "--out", "b.json")
    assert run(capsys, "verify", "a.proof")[-1] == "bound: mastermind 3 3, win: at least 73 in total"
    (line,) = run(capsys, "verify", "a.proof", "--strategy", "b.json")[1:]
    assert line.startswith("gap: mastermind 3 3, win: the least total is 73 to 7")
    (line,) = run(capsys, "verify", "a.proof", "--strategy", "b.json", "--json")
    assert json.loads(line)["proved"] == "gap"


def test_what_is_false_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "prove", "mastermind:3x3", "--out", "a.proof", "--strategy", "a.json")
    text = (folder / "a.proof").read_text()
    (folder / "b.proof").write_text(text.replace(" 73 ", " 74 "))
    (line,) = run(capsys, "verify", "b.proof", "--strategy", "a.json", status=1)
    assert line.startswith("b.proof:1: refused: ")
    (line,) = run(capsys, "verify", "a.proof", "b.proof", "--json", status=1)
    assert json.loads(line)["proved"] == "not proved"
    broken = json.loads((folder / "a.json").read_text())
    broken["bounds"] = {"lower": 70, "upper": 70}
    (folder / "b.json").write_text(json.dumps(broken))
    assert "not proved: " in run(capsys, "verify", "a.proof", "--strategy", "b.json", status=1)[-1]


OTHERS: list[tuple[list[str], list[str]]] = [
    (["mastermind:3x3"], ["mastermind:3x4"]),
    (["mastermind:3x3"], ["blackpeg:3x3"]),
    (["mastermind:3x3"], ["mastermind:3x3", "--goal", "identify"]),
    (["mastermind:3x3", "--first", "111"], ["mastermind:3x3"]),
    (["wordle:words.txt"], ["wordle:words.txt,more.txt"]),
    (["table:animals.csv"], ["table:other.csv"]),
    (["table:animals.csv"], ["coins:2"]),
    (["table:numbers.csv", *LIES, "1"], ["table:numbers.csv", *LIES, "2"]),
    (["table:numbers.csv", *LIES, "1"], ["table:numbers.csv"]),
    (["table:numbers.csv"], ["table:numbers.csv", *LIES, "1"]),
    (["mastermind:2x3", *LIES, "1"], ["mastermind:2x4", *LIES, "1"]),
]


@pytest.mark.parametrize(("proved", "solved"), OTHERS, ids=str)
def test_a_strategy_of_another_game_is_told(
    proved: list[str], solved: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "other.csv").write_text(ANIMALS.replace("no,no,yes", "yes,no,no"))
    run(capsys, "prove", *proved, "--out", "a.proof")
    run(capsys, "solve", *solved, "--out", "b.json")
    (line,) = run(capsys, "verify", "a.proof", "--strategy", "b.json", status=2)
    assert line.startswith("guesstree: 'a.proof' is a certificate of ")


SPLITS = "test,s,t,u,v\ns,a,b,c,d\nt,a,a,b,b\nu,a,b,b,a\nv,a,b,a,b\n"
OTHER_TABLES = [  # of which 8 is the least: the first question is not what it is in SPLITS; of the last 4
    (SPLITS.replace("s,a,b,c,d", "s,a,a,a,a"), "identify", "is a certificate of table"),
    (SPLITS.replace("\ns,", "\nx,"), "identify-candidates", "is a certificate of table"),
    (
        ",s,t,u,v\nt,a,a,b,b\ns,a,b,c,d\nu,a,b,b,a\nv,a,b,a,b\n",
        "identify",
        "line 2 of other.csv is 't,a,a,b,b'",
    ),
]


@pytest.mark.parametrize(("table", "goal", "said"), OTHER_TABLES)
def test_a_strategy_is_of_the_table_as_the_checker_reads_it(
    table: str, goal: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "splits.csv").write_text(SPLITS)
    (folder / "other.csv").write_bytes(table.encode())
    digest = sha256(table.encode()).hexdigest()
    least = 4 if said.startswith("line") else 8
    (folder / "a.proof").write_text(f"guesstree-proof/1 table {digest} other.csv {goal} - - {least} .\n")
    run(capsys, "verify", "a.proof")
    only = ["--candidates-only"] if "-" in goal else []
    run(capsys, "solve", "table:splits.csv", "--goal", "identify", *only, "--first", "t", "--out", "a.json")
    (line,) = run(capsys, "verify", "a.proof", "--strategy", "a.json", status=2)
    assert said in line


def test_certificates_of_several_games_are_told_apart(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, game in (("a", "mastermind:2x3"), ("b", "bulls:2x4")):
        run(capsys, "prove", game, "--out", f"{name}.proof")
    told = "bound: mastermind 2 3, win: at least 21 in total; bulls 2 4, win: at least 30 in total"
    assert run(capsys, "verify", "a.proof", "b.proof")[-1] == told
    text = (folder / "a.proof").read_text()
    (folder / "a.proof").write_text(text.replace(" 21 ", " " * 100_000 + "21 "))
    assert run(capsys, "verify", "a.proof")[-1] == "bound: mastermind 2 3, win: at least 21 in total"


def test_a_strategy_that_asks_more_says_little(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "prove", "mastermind:4x4", "--max-depth", "4", "--out", "a.proof")
    run(capsys, "solve", "mastermind:4x4", "--method", "first-consistent", "--out", "b.json")
    assert run(capsys, "verify", "a.proof", "--strategy", "b.json")[-1].startswith("bound: ")
    assert "the strategy takes up to" in run(capsys, "verify", "a.proof", "--strategy", "b.json")[-1]
    assert folder.exists()


def test_files_that_are_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "verify", "none.proof", status=2) == [
        "guesstree: none.proof: cannot be read: No such file or directory"
    ]
    run(capsys, "prove", "wordle:words.txt", "--out", "a.proof")
    Path("far").mkdir()
    Path("far/a.proof").write_bytes(Path("a.proof").read_bytes())
    (told,) = run(capsys, "verify", "far/a.proof", status=2)
    assert told.startswith("guesstree: far/a.proof: it names ")
    assert told.endswith(".txt, which cannot be read beside it; keep the two together")
    for file in folder.glob("?" * 64 + ".txt"):
        file.write_text("other\n")
    assert "its SHA-256 is" in run(capsys, "verify", "a.proof", status=1)[-1]


# -- games of one's own, Python ----------------------------------------------------------------------------

MINE = '''from guesstree import Game, Look, register


class Numbers(Game):
    """Guess a number up to n by asking whether it is at most m."""

    look = Look(secret="number", guess="question")

    def __init__(self, n):
        self.spec = f"numbers:{n}"
        self.secrets = [str(number) for number in range(1, n + 1)]
        self.guesses = [f"at most {most}?" for most in range(1, n)]
        self.responses = ["yes", "no"]
        self.winning = None

    def respond(self, guess, secret):
        return 0 if secret <= guess else 1


@register("numbers", example="numbers:9", about="N", reference="here")
def make(text):
    return Numbers(int(text))
'''


def test_a_game_of_ones_own_is_a_table_and_workers_know_it(folder: Path) -> None:
    (folder / "mine.py").write_text(MINE)
    command = [*COMMAND, "--import", "mine"]
    words = ["prove", "numbers:20", "--out", "a.proof", "--strategy", "a.json", "--workers", "2"]
    done = subprocess.run(
        [*command, *words], capture_output=True, text=True, timeout=60, env=environment(), check=True
    )
    assert done.stdout.splitlines()[-1].startswith(
        "verified: every strategy for 20 secrets costs at least 88"
    )
    words = ["verify", "a.proof", "--strategy", "a.json", "--json"]
    done = subprocess.run(
        [*command, *words], capture_output=True, text=True, timeout=60, env=environment(), check=True
    )
    assert json.loads(done.stdout)["proved"] == "optimum"


def test_certificates_from_python(tmp_path: Path) -> None:
    certificate: Certificate = guesstree.prove("mastermind:3x3")
    assert repr(certificate).startswith("Certificate(at least 73, ")
    assert certificate.line.startswith("verified: every strategy for 27 secrets costs at least 73")
    assert certificate.solution is not None and certificate.solution.upper == (73,)
    assert certificate.write(tmp_path / "a.proof") == [certificate.line]
    assert run_checker(tmp_path / "a.proof").verified
    with pytest.raises(guesstree.GuesstreeError, match="less than 74 is enough"):
        guesstree.prove("mastermind:3x3", at_least=74)
    seen: list[Any] = []
    assert guesstree.prove("bulls:4x8", at_least=7500, progress=seen.append).bound == 7500


def test_without_enough_time_the_best_bound_reached_is_proved(tmp_path: Path) -> None:
    for workers in (1, 2):
        certificate = guesstree.prove("bulls:4x9", time_limit=0.3, workers=workers)
        assert isinstance(certificate.bound, int) and 10_000 < certificate.bound <= 15_000
        assert certificate.line.startswith("verified: every strategy for 3024 secrets costs at least")
    worst = guesstree.prove("bulls:4x9", "worst", at_least=7, time_limit=0.1)
    assert worst.bound is None and worst.within is not None and 0 < worst.within <= 6
    assert worst.line.startswith("verified: no strategy settles all 3024 secrets within")


def test_without_enough_time_a_claim_of_fewer_guesses_is_proved_against_lies(tmp_path: Path) -> None:
    less = guesstree.prove("mastermind:4x6", "worst", lies=1, at_least=7, time_limit=0.2)
    assert less.stopped == "time" and less.bound is None and less.within == 5, "by volume"
    none = guesstree.prove("mastermind:4x8", "worst", lies=1, time_limit=0.2)
    assert none.stopped == "time" and none.bound is None and none.within is not None and none.within >= 4
    assert none.line.startswith("verified: no strategy settles all 4096 secrets within")


def test_more_guesses_than_the_checker_counts_are_not_claimed() -> None:
    names = [str(s) for s in range(70)]
    rows = [["yes" if s == g else "no" for s in names] for g in names]
    certificate = guesstree.prove(
        TableGame("table:one", names, names, rows, "yes"), "worst", at_least=70, lies=1
    )
    assert certificate.within == 64
    assert certificate.line.startswith("verified: no strategy settles all 70 secrets within 64 guesses")


def test_a_ledger_keeps_an_optimum_against_lies(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    first, again = (guesstree.prove("mastermind:3x3", "worst", lies=1, ledger=ledger) for _ in range(2))
    assert first.text == again.text and first.solution is not None and again.solution is not None
    assert first.solution.strategy.guess.tolist() == again.solution.strategy.guess.tolist()
    with pytest.raises(guesstree.GuesstreeError, match="is a ledger of 'lies 1 mastermind"):
        guesstree.prove("mastermind:3x3", "worst", lies=2, ledger=ledger)


def test_workers_prove_the_same(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    alone = guesstree.prove("mastermind:4x5")
    shared, again = (guesstree.prove("mastermind:4x5", workers=2, ledger=ledger) for _ in range(2))
    assert alone.bound == shared.bound == again.bound
    assert shared.text == again.text and again.line.startswith("verified: ")
    threaded = guesstree.prove("mastermind:4x5", workers=2, jobs=2)
    assert threaded.bound == alone.bound and threaded.line.startswith("verified: ")
    report = ledger_report(ledger)
    assert report.bounds[0].accepted == alone.bound and not report.refused


def test_ctrl_c_leaves_a_proof_of_less(folder: Path) -> None:
    out = str(folder / "a.proof")
    with terminal("prove", "mastermind:4x8", "--at-least", "20471", "--out", out) as prompt:
        prompt.wait("proof  ")
        prompt.interrupt()
        prompt.wait(r"verified: every strategy for 4096 secrets costs at least \d+")
        assert prompt.end() == 130
    assert run_checker(out).verified


@pytest.mark.long
def test_ctrl_c_of_a_proof_with_a_ledger_leaves_both(folder: Path) -> None:
    out, ledger = str(folder / "a.proof"), str(folder / "a.ledger")
    with terminal("prove", "mastermind:4x7", "--out", out, "--ledger", ledger) as prompt:
        prompt.wait("proof  ")
        prompt.interrupt()
        prompt.wait(r"verified: every strategy for 2401 secrets costs at least \d+")
        assert prompt.end() == 130
    assert run_checker(out).verified
    assert ledger_report(ledger).bounds[0].lower == 11228


def test_what_the_checker_refuses_is_not_left_behind(tmp_path: Path) -> None:
    certificate = Certificate("guesstree-proof/1 mastermind 2 3 win - - 99 .\n", {}, 99, None, 0)
    with pytest.raises(guesstree.GuesstreeError, match=r"does not accept .*refused"):
        certificate.write(tmp_path / "a.proof")
    assert list(tmp_path.iterdir()) == []


def test_the_checkers_are_built_from_the_sources_beside_them() -> None:
    headers = [path.stat().st_mtime for path in FOLDER.glob("*.h")]
    sources = list(FOLDER.glob("*.c"))
    assert sources
    for source in sources:
        built = (FOLDER / f"gt{source.stem}").stat().st_mtime
        assert built >= max(source.stat().st_mtime, *headers, 0), "make builds them"
