"""What is read of strategies that decide: words, and where they stand on charts, in keys and lists."""

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest
from decided import PRINTER, THROAT, decided

import guesstree
from guesstree.trees.export import dot
from guesstree.trees.export.chart import picture
from guesstree.trees.export.key import markdown, text
from guesstree.trees.export.page.data import as_data
from guesstree.trees.export.paths import separated
from guesstree.trees.export.text import tree_lines
from guesstree.trees.export.title import headlines
from guesstree.trees.figures import claimed_bounds, figures_of
from guesstree.trees.language import share_text
from guesstree.trees.tree import Claims
from guesstree.trees.words import likely, meaning

ILL = """test,ill,well
first,+:0.9/-:0.1,+:0.1/-:0.9
again,+:0.9/-:0.1,+:0.1/-:0.9
weight,1,9
decide treat,0,10
decide leave,50,0
"""


def test_shares_are_never_rounded_to_what_is_certain() -> None:
    shares = [Fraction(n, 2400) for n in (0, 1, 8, 150, 276, 300, 301, 2399, 2400)]
    assert [share_text(share) for share in shares] == [
        "0 %",
        "< 0.1 %",
        "0.3 %",
        "6.3 %",
        "11.5 %",
        "12.5 %",
        "13 %",
        "> 99 %",
        "100 %",
    ]


def test_what_is_unlikely_is_told_together() -> None:
    def told(*percents: int) -> list[str]:
        return likely([(name, Fraction(p, 100)) for name, p in zip("abcdefgh", percents, strict=False)])

    assert told(98, 2) == ["a 98 %", "b 2 %"]
    assert told(99, 1) == ["a 99 %", "b 1 %"], "one alone takes no more room by its name"
    assert told(97, 1, 1, 1) == ["a 97 %", "3 others 3 %"]
    assert told(30, 20, 15, 15, 10, 10) == ["a 30 %", "b 20 %", "c 15 %", "d 15 %", "2 others 20 %"]
    assert told(100) == ["a"]
    half = Fraction(1, 2)
    assert likely([("pump 1", half), ("pump 2", half)]) == ["pump 1: 50 %", "pump 2: 50 %"]


def test_a_sentence_says_what_the_numbers_mean(tmp_path: Path) -> None:
    """Ill with 1/10: leave loses 50 (0.1 x 0.19), treat loses 10 (0.9 x 0.01), 18 in 100 are tested again."""
    game, tree = decided(tmp_path, ILL)
    assert meaning(game, figures_of(tree)) == (
        "Cost 2.22 on average: tests 1.18, wrong decisions 1.04. In the worst case 52. "
        "97.2 % of decisions are right."
    )
    game, tree = decided(tmp_path, ILL)
    assert tree.claims.upper == (Fraction(111, 5),)
    claims = Claims("worst,expected", "exact", (52, 21), (52, Fraction(667, 30)))
    assert claimed_bounds(game, claims) == (("52", "2.1 on average"), ("52", "2.23 on average"))
    game, tree = decided(tmp_path, PRINTER, ",ends=fixed")
    assert meaning(game, figures_of(tree)) == (
        "28.34 minutes on average: steps 15.66, decisions 12.68. In the worst case 141 minutes."
    )


def test_what_leaves_cost_is_not_said_of_tests() -> None:
    """By hand: no test is worth its leaves, so one leaf costs 100, and two of three causes are not named."""
    causes = {"q": {"a": "1", "b": "2", "c": "2"}, "r": {"a": "1", "b": "1", "c": "2"}}
    game = guesstree.table(causes, wrong=Fraction(6))
    tree = guesstree.solve(game, leaf_price=100).strategy
    assert meaning(game, figures_of(tree)) == (
        "Cost 104 on average: tests 0, wrong decisions 4, leaves 100. In the worst case 6. "
        "33 % of decisions are right."
    )


def test_bounds_are_averages_beside_averages_and_totals_beside_totals() -> None:
    tests = {"q": {"a": "1", "b": "2", "c": "2"}, "r": {"a": "1", "b": "1", "c": "2"}}
    game = guesstree.table(tests, weights=[5, 3, 1], costs={"q": 2, "r": 3})
    tree = guesstree.solve(game).strategy
    tree = tree.with_claims(Claims("expected", "exact", (29,), (30,)))
    # 5 x 2 + 4 x 5 = 30 of 9; bounds are rounded outwards.
    assert headlines(game, tree)[2].endswith(
        "average cost 3.3333 · worst 5 · at most 2 tests · optimum at least 3.2222 on average, "
        "at most 3.3334 on average"
    )
    assert as_data(game, tree)["lower"] == ("3.2222 on average",)
    plain = guesstree.table(tests)
    tree = guesstree.solve(plain).strategy.with_claims(Claims("expected", "exact", (4,), (5,)))
    assert headlines(plain, tree)[2].endswith(
        "total 5 · average 1.6667 · worst 2 · optimum at least 4, at most 5"
    )


def test_what_is_decided_how_likely_and_at_what_loss_is_on_every_sheet(tmp_path: Path) -> None:
    game, tree = decided(tmp_path, THROAT)
    chart = picture.dot(game, tree, title="A sore throat").decode().replace("\xa0", " ")
    drawing = dot.draw(game, tree).decode().replace("\xa0", " ")
    key = " ".join(text.draw(game, tree, costs=True).decode().split())
    for said in ("refer", "glandular fever 87 %", "expected loss 20.38 EUR", "10 EUR + 5 set-up", "17.69"):
        for sheet in (chart, drawing, key):
            assert said in sheet, said
    assert "A sore throat" in chart and "Percent beside an end: share of all cases" in chart
    assert "which decision?" in key and "refer (7.9 %)" in key and "Filled: decided" in drawing
    lines = list(tree_lines(game, tree))
    assert lines[-2].endswith(
        "refer  (7.85 %; glandular fever 87 %, strep throat 10 %, flu 3.1 %, expected loss 20.38 EUR)"
    )
    assert "expected loss 20.38 EUR" in markdown.draw(game, tree).decode()
    headings, *rows = csv.reader(io.StringIO(separated.draw(game, tree).decode("utf-8-sig"), newline=""))
    assert headings[:6] == ["decision", "share", "tests", "EUR", "expected loss", "possible"]
    costs = figures_of(tree).costs
    assert costs is not None and {row[0] for row in rows} == set(game.decisions)
    whole = sum(float(row[1]) * (float(row[3]) + float(row[4])) for row in rows)
    assert whole == pytest.approx(float(costs.average), abs=1e-3)


def test_a_sheet_without_a_test_says_why(tmp_path: Path) -> None:
    key = " ".join(text.draw(*decided(tmp_path, THROAT.replace("400,300", "4,3"))).decode().split())
    assert "3 causes · at most 0 tests" in key and key.endswith(
        "1 [flu 60 %, strep throat 30 %, glandular fever 10 %, expected loss 1.5 EUR] "
        "................................................................... wait"
    )


def test_repairs_are_done_where_they_are_fixed_and_a_call_has_its_price(tmp_path: Path) -> None:
    game, tree = decided(tmp_path, PRINTER, ",ends=fixed")
    key = " ".join(text.draw(game, tree, costs=True).decode().split())
    assert "what to do?" in key and "fixed (2 minutes) [paper jam] ......... done (43 %)" in key
    assert "Push the cables in not fixed (3 minutes + 5 set-up)" in key and "not fixed (40 minutes)" in key
    assert "[no power, 90 minutes]" in key and "expected loss" not in key
    data = as_data(game, tree)
    assert sorted(data["decided"].values()) == [0, 0] and data["decisions"] == ["call service"]
    assert data["model"]["later"] == {"1": 3, "2": 40} and data["prices"]["1"] == 8
    assert data["figures"]["Worst minutes"] == "141" and data["meaning"] == meaning(game, figures_of(tree))
