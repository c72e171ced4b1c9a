"""A certificate is about the game of a strategy, to the last byte: hostile labels, tables and near twins."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from effort import EVERY
from hostile import Hostile, mangled, near_twin, some_hostile, table_file

import guesstree
from guesstree import GuesstreeError
from guesstree.api import verification
from guesstree.api.verification import (
    VALUE,
    CertificateText,
    Claimed,
    Proved,
    Verdict,
    judged,
    proved,
    run_checker,
)
from guesstree.cli import main
from guesstree.engine.errors import Infeasible, Problems
from guesstree.engine.game_source import Finder
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.statement import statement_of
from guesstree.engine.proofs.table import table_labels
from guesstree.engine.registry import game_of
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check
from guesstree.trees.export.files import as_bytes, read_text
from guesstree.trees.tree import Tree


def strategy_of(one: Hostile) -> Tree | None:
    """Return a best strategy, read from a file where a file may have such labels; None: there is no game."""
    try:
        strategy = guesstree.solve(one.game(), **one.asked).strategy
    except (GuesstreeError, Infeasible):
        return None
    try:
        return read_text(as_bytes(strategy.game, strategy).decode(), Finder(Path())).strategy
    except (GuesstreeError, UnicodeEncodeError):
        return strategy


def read_back(one: Hostile, chance: random.Random, folder: Path) -> Hostile | None:
    """Return the game that the project finds in a file of hostile labels; None: it is no plain table."""
    path = folder / "t.csv"
    path.write_bytes(table_file(one, chance))
    try:
        game = game_of(f"table:{path}")
    except GuesstreeError as error:
        assert "\n" not in str(error) or isinstance(error, Problems)
        return None
    if type(game) is not TableGame:
        return None
    found = game.content
    only = one.only and found.costs is None and found.weights is None
    return replace(
        one,
        **{name: getattr(found, name) for name in ("secrets", "guesses", "cells", "weights")},
        only=only,
        prices=found.costs,
    )


def certificate_of(one: Hostile) -> CertificateText:
    found = guesstree.prove(one.game(), **one.asked)
    return CertificateText("a.proof", found.text.encode(), found.files)


def together(certificate: CertificateText, verdict: Verdict, strategy: Tree) -> Proved | None:
    """Return what both prove; None: it is refused."""
    try:
        claim = Claimed.read(certificate, verdict)
        return proved([claim], strategy, check(strategy.game, strategy))
    except GuesstreeError as error:
        assert "\n" not in str(error)
        return None


def attack(chance: random.Random, folder: Path) -> Iterator[str]:
    """Yield what became of a hostile game, of a near twin of it, and of its proof with another table."""
    made = some_hostile(chance)
    one = made if made.win or chance.random() < 0.6 else read_back(made, chance, folder)
    strategy = None if one is None else strategy_of(one)
    if one is None or strategy is None:
        yield "no game" if one is made else "a table that is none"
        return
    if one is not made:
        yield "a table"
    facts = one.game().facts
    if one.lies and (facts.weighted or facts.priced):
        yield "no format of certificates"
        return
    certificate = certificate_of(one)
    verdict = judged(certificate)
    found = together(certificate, verdict, strategy)
    assert verdict.verified and found is not None and found.what == VALUE, (one, verdict, found)
    assert found.text.endswith(one.least()), (one, found)
    yield "its own"
    twin = near_twin(one, chance)
    other = strategy_of(twin)
    if other is not None:
        found = together(certificate, verdict, other)
        true = found is None or (found.what == VALUE and found.text.endswith(twin.least()))
        assert true and (found is None or twin.pattern == one.pattern), (one, twin, found)
        yield "a twin refused" if found is None else "a twin that is the same"
    (name, table), *_ = certificate.files.items()
    odd = mangled(table, chance)
    words = certificate.text.decode().replace(name[:64], sha256(odd).hexdigest()).split()
    at = 6 if one.lies else 4
    trivial = [*words[: at + 2], "0", "inf", "."] if one.lies else [*words[: at + 3], "0", "."]
    false = CertificateText("a.proof", " ".join(trivial).encode(), {words[at - 1]: odd})
    verdict = judged(false)
    if verdict.verified:
        assert odd == table or together(false, verdict, strategy) is None, (one, odd)
    yield "a table that is told apart" if verdict.verified else "a table refused"


def attacked(seed: int, times: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    monkeypatch.setattr(verification, "MOST_TWICE", -1)  # a second program takes as long as all the rest
    monkeypatch.setattr(verification, "MOST_PRICED_TWICE", -1)
    chance = random.Random(seed)
    return Counter(what for _ in range(times) for what in attack(chance, folder))


def test_labels_are_what_they_are_and_twins_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = attacked(1, 30, tmp_path, monkeypatch)
    assert found["its own"] > 10 and found["a twin refused"] and found["a table that is told apart"], found


@pytest.mark.long
def test_many_labels_are_what_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = attacked(2, 3_000 // EVERY, tmp_path, monkeypatch)
    assert found["its own"] > 1_500 // EVERY, found


# -- the two ways in which a strategy was said to be the best of another game -------------------------------

TABLE = "test,s,t,u,v\nfull,a,b,c,d\nz,s,t,u,v\nt,a,a,b,b\nu,a,b,b,a\n"
QUOTED = '"x,s,t,u,v\nfull,a,b,c,d\nz",s,t,u,v\nt,a,a,b,b\nu,a,b,b,a\n'
"""What a reader that knows no quotation marks takes for `TABLE`; others find two guesses."""


def verify(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Return the status of the command, and the last line that it prints."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(["verify", "a.proof", *words])
    shown = capsys.readouterr()
    return int(str(end.value.code)), [*shown.out.splitlines(), *shown.err.splitlines()][-1]


@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_a_quoted_header_is_no_other_game(
    mark: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    table = (mark + QUOTED).encode()
    Path("t.csv").write_bytes(table)
    Path("a.proof").write_text(
        f"guesstree-proof/1 table {sha256(table).hexdigest()} t.csv identify - - 8 .\n"
    )
    Path("table.csv").write_text(TABLE)
    guesstree.solve("table:table.csv", first="t").strategy.write("a.json")
    status, said = verify(capsys, "--strategy", "a.json")
    assert status and "the least" not in said
    assert ("byte order mark" if mark else "odd quotation mark") in said


@pytest.mark.parametrize("label", [" cost:1", "cost:1\t", "cost:1", "\rcost:1", "cost", " cost"])
def test_a_label_is_no_column_of_prices(label: str, tmp_path: Path) -> None:
    cells = [["0", "5", "1"], ["9", "9", "1"]]
    game = TableGame("table:x.csv", ["g", "h"], ["a", label, "b"], cells, prices=[1, 1])
    assert guesstree.solve(game).upper == (3,)
    name = statement_of(Problem(game, parse_objective("expected"))).game
    for bound, status in ((3, 0), (4, 1)):
        text = f"guesstree-proof/1 {name.words} identify - - {bound} .\n"
        assert judged(CertificateText(str(tmp_path / "a.proof"), text.encode(), name.files)).status == status


def test_labels_are_never_joined() -> None:
    labels = ["cost", "'cost'", "<1>", "a", "a ", " a", "a\ufeff", 'a"', "win", "weight", "<6>", "\ud800"]
    guesses, secrets = table_labels(TableGame("table:x", labels[::-1], labels, [["x"] * 12] * 12))
    assert guesses == secrets[::-1] and len({*secrets}) == 12
    assert secrets[:5] == ["<1>", "'cost'", "<3>", "a", "<5>"]
    plain = ["flies?", "swap the bulb", "a|b", "1+2", "1,0", "é", "it's", "Cost", "costs"]
    assert table_labels(TableGame("table:x", ["g"], plain, [["x"] * len(plain)]))[1] == plain


ORDINARY = [
    ("hangman:words.txt", {}, "8338faf5"),
    ("table:won.csv,win=yes", {}, "a0639dab"),
    ("table:won.csv,win=yes", {"goal": "identify", "candidates_only": True}, "20a1d520"),
    ("table:paid.csv", {}, "c8277511"),
    ("mastermind:2x3", {"budget": 2}, "0b8d869c"),
    ("coins:3", {}, "30744234"),
    ("wordle:words.txt", {}, "bde17041"),
]
"""Games, and the hash of their file in certificates that are older than the rules for labels."""
PAID = (
    'test,cost,bulb|fuse,"a, b",é\nweight,,3,2,1\n'
    'swap the bulb,2,no,no,"1,0"\nbarks?,3,no,yes,no\n1+2,1,yes,yes,no\n'
)


@pytest.mark.parametrize(("spec", "asked", "digest"), ORDINARY)
def test_ordinary_labels_stand_as_they_always_did(
    spec: str, asked: dict[str, Any], digest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("night\nlight\nsight\nmight\n")
    Path("won.csv").write_text(",cat,dog,owl\ncat,yes,b,c\ndog,a,yes,c\nowl,c,c,yes\n")
    Path("paid.csv").write_text(PAID)
    objective = parse_objective("win-probability" if "budget" in asked else "expected")
    name = statement_of(Problem(game_of(spec), objective, **asked)).game
    assert name.words.split()[1].startswith(digest)


# -- the same bytes, the same numbers, two programs ---------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a certificate and a strategy."""
    monkeypatch.chdir(tmp_path)
    proof = guesstree.prove("mastermind:3x3")
    proof.write("a.proof")
    assert proof.solution is not None
    proof.solution.strategy.write("a.json")
    return tmp_path


def test_what_is_judged_is_what_is_told(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def changed(path: Path) -> Verdict:
        Path("a.proof").write_text(Path("a.proof").read_text().replace(" 73 ", " 70 "))
        return run_checker(path)

    monkeypatch.setattr(verification, "run_checker", changed)
    assert "at least 73" in verify(capsys)[1]


def test_a_file_that_is_named_twice_is_read_once(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    true = (game / "a.proof").read_bytes()
    found = iter([true.replace(b" 73 ", b" 74 "), true])
    monkeypatch.setattr(verification, "read_whole", lambda *_: next(found))
    assert verify(capsys, "a.proof")[0] == 1


def test_a_strategy_that_keeps_rules_is_of_another_game(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("words.txt").write_text("night\nlight\nsight\n")
    guesstree.prove("wordle:words.txt").write("a.proof")
    guesstree.solve("wordle:words.txt,hard").strategy.write("a.json")
    status, said = verify(capsys, "--strategy", "a.json")
    assert status == 2 and "not wordle:words.txt,hard; expected one of what the strategy is of" in said


def test_lists_of_words_are_the_same_game_in_any_order(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("words.txt").write_text("night\nlight\nsight\n")
    Path("more.txt").write_text("mines\n")
    guesstree.prove("wordle:words.txt,more.txt").write("a.proof")
    Path("words.txt").write_text("sight\r\nlight\r\nnight\r\n")
    for more, ending in (("mines\nlight\n", 0), ("lines\n", 2), ("", 2)):
        Path("more.txt").write_text(more or "night\n")
        guesstree.solve("wordle:words.txt,more.txt").strategy.write("a.json")
        assert verify(capsys, "--strategy", "a.json")[0] == ending


def test_what_the_checker_saw_is_compared(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def other(path: Path) -> Verdict:
        verdict = run_checker(path)
        return replace(verdict, line=verdict.line.replace("(27 guesses", "(26 guesses"))

    monkeypatch.setattr(verification, "run_checker", other)
    status, said = verify(capsys, "--strategy", "a.json")
    assert status == 2 and "27 secrets and 26 guesses" in said


def test_two_programs_check_what_is_small(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ([], ["--strategy", "a.json"]):
        found = json.loads(verify(capsys, *more, "--json")[1])
        assert found["programs"] == {"a.proof": ["gtverify", "verify.py"]}
    monkeypatch.setattr(verification, "MOST_TWICE", 27 * 27 - 1)
    assert json.loads(verify(capsys, "--json")[1])["programs"] == {"a.proof": ["gtverify"]}


def test_two_programs_that_do_not_agree_prove_nothing(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = game / "verify"
    folder.mkdir()
    (folder / "gtverify").symlink_to(verification.FOLDER / "gtverify")
    (folder / "verify.py").write_text("import sys\nsys.exit('a.proof:1: refused: so it is')\n")
    monkeypatch.setattr(verification, "FOLDER", folder)
    status, said = verify(capsys, "--strategy", "a.json")
    assert (status, said) == (
        1,
        "gtverify accepts what verify.py does not, so one is wrong: a.proof:1: refused: so it is",
    )
    found = json.loads(verify(capsys, "--strategy", "a.json", "--json")[1])
    assert found["proved"] == "contradiction"
