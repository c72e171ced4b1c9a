"""The list of all ways through a strategy: worst first, numbers that add up, and text that stays text."""

import csv
import io
from itertools import pairwise
from pathlib import Path

import openpyxl

import guesstree
from guesstree.engine.game import Game
from guesstree.trees.export.paths import separated, workbook
from guesstree.trees.export.paths.rows import headed_rows
from guesstree.trees.figures import figures_of
from guesstree.trees.tree import Tree

ROWS = {
    "place": {"a": "in", "b": "in", "c": "out", "d": "up"},
    "colour?": {"a": "red", "b": None, "c": "blue", "d": "green"},
    "size": {"a": "1", "b": "2", "c": "1", "d": "1"},
}


def two_ways() -> tuple[Game, Tree]:
    """Return a strategy in which an unknown cell lets b end in two places."""
    game = guesstree.table(ROWS, missing="any", weights=[1, 1, 5, 3], costs=[1, 5, 50])
    return game, guesstree.solve(game).strategy


def read(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_the_worst_come_first_each_with_its_questions() -> None:
    assert read(separated.draw(*two_ways())) == [
        ["cause", "share", "tests", "cost", "test 1", "test 2", "test 3"],
        ["a", "0.1", "3", "56", "place: in", "colour? red", "size: 1"],
        ["b", "0.033333", "3", "56", "place: in", "colour? red", "size: 2"],
        ["b", "0.066667", "2", "6", "place: in", "colour? blue or green"],
        ["c", "0.5", "1", "1", "place: out"],
        ["d", "0.3", "1", "1", "place: up"],
    ]


def test_shares_and_costs_add_up_to_the_figures_of_the_strategy() -> None:
    game, strategy = two_ways()
    headings, rows = headed_rows(game, strategy)
    shares, costs = ([float(row[headings.index(name)]) for row in rows] for name in ("share", "cost"))
    figures = figures_of(strategy).costs
    assert figures is not None
    assert abs(sum(shares) - 1) < 1e-5
    assert abs(sum(map(float.__mul__, shares, costs)) - float(figures.average)) < 1e-4
    assert costs[0] == figures.worst
    assert all(one >= other for one, other in pairwise(costs))
    won = guesstree.solve("mastermind:2x4")
    headings, rows = headed_rows(won.game, won.strategy)
    assert headings[:4] == ["secret", "share", "guesses", "guess 1"]
    assert sorted(str(row[0]) for row in rows) == sorted(won.game.secrets)
    assert sum(float(row[2]) for row in rows) == 45
    assert rows[0][2] == 4


def test_no_cell_is_a_formula() -> None:
    labels = ["=1+1", "+x", "-y", "@z", "=HYPERLINK(1)", "plain", "'quoted", " -1"]
    game = guesstree.table(
        {label: {cause: str(cause == label) for cause in labels} for label in labels[:-1]}, missing="any"
    )
    strategy = guesstree.solve(game, method="entropy").strategy
    for row in read(separated.draw(game, strategy)):
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@"))]
    sheet = openpyxl.load_workbook(io.BytesIO(workbook.draw(game, strategy))).active
    cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    headings, rows = headed_rows(game, strategy)
    assert [[cell.value for cell in row if cell.value is not None] for row in sheet.iter_rows()] == [
        headings,
        *rows,
    ]


def test_a_workbook_is_ready_to_be_read(tmp_path: Path) -> None:
    game, strategy = two_ways()
    (tmp_path / "ways.xlsx").write_bytes(workbook.draw(game, strategy))
    sheet = openpyxl.load_workbook(tmp_path / "ways.xlsx").active
    assert sheet.freeze_panes == "B2"
    assert sheet["B2"].number_format == "0.0%"
    assert sheet.auto_filter.ref == "A1:G6"
    assert workbook.draw(game, strategy) == workbook.draw(game, strategy)
