"""What is proved is kept in a file: it is found again, and nothing else is taken for it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import guesstree
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.proofs.ledger import Ledger
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.strategy import strategy_of
from guesstree.trees.check import check

ABOUT = "mastermind 3 3 win - - expected"


def test_claims_are_found_again_by_all_that_they_say(tmp_path: Path) -> None:
    path = str(tmp_path / "ledger")
    with closing(Ledger(path, ABOUT)) as ledger:
        ledger.keep("012 000", 5, 17, "(\n. )")
        assert ledger.find("012 000", 5, 17) == "(\n. )"
    with closing(Ledger(path, ABOUT)) as again, closing(Ledger(path, ABOUT, read_only=True)) as reader:
        for one in (again, reader):
            assert one.find("012 000", 5, 17) == "(\n. )"
            for other in (("012 000", 5, 18), ("012 000", 4, 17), ("012 001", 5, 17), ("012", 5, 17)):
                assert one.find(*other) is None
        again.keep("012", 4, 9, ".")  # at once, as nothing was kept for long
        assert reader.find("012", 4, 9) == "."


def test_a_strategy_is_kept(tmp_path: Path) -> None:
    game = parse("mastermind:3x4")
    solved = solve(game, "worst,expected", first="112")
    with closing(Ledger(str(tmp_path / "ledger"), "some")) as ledger:
        assert ledger.solution(game) is None
        ledger.keep_solution(solved)
    with closing(Ledger(str(tmp_path / "ledger"), "some")) as ledger:
        again = ledger.solution(game)
    assert again == solved
    assert again is not None and check(game, strategy_of(again)).valid


def test_what_is_proved_is_not_searched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = guesstree.prove("mastermind:3x5", ledger=tmp_path / "ledger")
    monkeypatch.setattr("guesstree.engine.proofs.prove.Prover.solve", None)
    again = guesstree.prove("mastermind:3x5", ledger=tmp_path / "ledger")
    assert (again.text, again.bound) == (first.text, first.bound)
    assert again.solution is not None and again.solution.strategy.check().valid
    with pytest.raises(GuesstreeError, match="is a ledger of 'mastermind 3 5 win - - expected', not of"):
        guesstree.prove("mastermind:3x5", "worst", ledger=tmp_path / "ledger")


def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other"
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE some (thing)")
    text, folder = tmp_path / "text", tmp_path / "folder"
    text.write_text("not a ledger")
    folder.mkdir()
    for wrong in (path, text):
        before = wrong.read_bytes()
        with pytest.raises(GuesstreeError, match="ledger"):
            Ledger(str(wrong), ABOUT)
        assert wrong.read_bytes() == before
    with pytest.raises(GuesstreeError, match="ledger"):
        Ledger(str(folder), ABOUT)
