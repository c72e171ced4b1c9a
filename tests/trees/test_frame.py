"""Strategies as DataFrames."""

import sys

import pytest

import guesstree
from guesstree import GuesstreeError
from guesstree.engine.tables.table import TableGame

CELLS = [["yes", "no", "no"], ["low", "low", "high"]]


def test_a_row_for_each_secret() -> None:
    pytest.importorskip("pandas")
    game = TableGame("table:t", ["x", "y"], ["a", "b", "c"], CELLS, weights=[1, 2, 9], prices=[3, 5])
    strategy = guesstree.solve(game).strategy
    frame = strategy.to_frame()
    assert frame.columns.tolist() == ["secret", "weight", "guesses", "cost", "path"]
    assert frame.to_numpy().tolist() == [
        ["a", 1, 2, 8, "y: low; x: yes"],
        ["b", 2, 2, 8, "y: low; x: no"],
        ["c", 9, 1, 5, "y: high"],
    ]
    costs = strategy.check().costs
    assert costs is not None and (frame.weight * frame.cost).sum() == costs.total
    assert [str(kind) for kind in frame.dtypes[["weight", "guesses", "cost"]]] == ["int64"] * 3


def test_the_winning_guess_is_on_the_path() -> None:
    pytest.importorskip("pandas")
    strategy = guesstree.solve("mastermind:2x3").strategy
    frame = strategy.to_frame()
    assert frame.secret.tolist() == sorted(frame.secret)
    assert frame.guesses.sum() == frame.cost.sum() == strategy.check().total and set(frame.weight) == {1}
    assert all(path.endswith(f"{secret}: 2,0") for path, secret in zip(frame.path, frame.secret, strict=True))
    assert [path.count(";") + 1 for path in frame.path] == frame.guesses.tolist()


def test_one_secret_and_lies() -> None:
    pytest.importorskip("pandas")
    alone = guesstree.table([["1"]], secrets="a", guesses="x")
    assert guesstree.solve(alone).strategy.to_frame().to_numpy().tolist() == [["a", 1, 0, 0, ""]]
    game = guesstree.table([["0", "1"]] * 3, secrets="ab", guesses="xyz")
    frame = guesstree.solve(game, "worst", lies=1).strategy.to_frame()
    assert frame.groupby("secret").guesses.max().tolist() == [3, 3]


def test_what_is_needed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(GuesstreeError, match="not installed: pip install pandas"):
        guesstree.solve("mastermind:2x2").strategy.to_frame()
