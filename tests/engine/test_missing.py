"""Tables with empty cells, against a search of their own over causes that may go down several branches."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from random_models import noisy_game, random_rows

from guesstree.api.strategy import strategy_of
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.missing import UnsureTable, listable
from guesstree.engine.tables.noisy import NoisyTable
from guesstree.engine.tables.rows import table_game
from guesstree.engine.tables.table import Content
from guesstree.trees.check import check

Weighed = frozenset[tuple[int, Fraction]]


def least(cells: list[list[str]], weights: list[int], prices: list[int], *, worst: bool) -> Fraction | None:
    """Return exactly the least cost of knowing the cause; None: it cannot be known.

    No completion is looked at: a cause stays possible after each answer that it may give, and each then has
    the same chance.
    """

    @cache
    def reach(causes: Weighed, asked: frozenset[int]) -> Fraction | None:
        if len(causes) == 1:
            return Fraction(0)
        found = []
        for test in set(range(len(cells))) - asked:
            kinds = sorted({cell for cell in cells[test] if cell})
            values = []
            for kind in kinds:
                part = frozenset(
                    (c, w if cells[test][c] else w / len(kinds))
                    for c, w in causes
                    if cells[test][c] in ("", kind)
                )
                if not part:
                    continue
                below = reach(part, asked | {test})
                if below is None:
                    break
                values.append(below + prices[test] * (1 if worst else sum(w for _, w in part)))
            else:
                found.append(max(values) if worst else sum(values, Fraction(0)))
        return min(found, default=None)

    return reach(frozenset((c, Fraction(w)) for c, w in enumerate(weights)), frozenset())


@st.composite
def unsure(draw: st.DrawFn) -> tuple[list[list[str]], list[int], list[int]]:
    """Draw cells (tests x causes), weights and prices; every test has a cell that is filled."""
    causes, tests = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    sure = draw(st.sampled_from(["ab", "abc"]))
    cell = st.sampled_from([*sure, *sure, *draw(st.sampled_from([[""], ["", ""]]))])
    cells = [[draw(cell) for _ in range(causes)] for _ in range(tests)]
    for row in cells:
        if not any(row):
            row[0] = "a"
    least_price = draw(st.integers(0, 1))
    weights = [draw(st.integers(1, 5)) for _ in range(causes)]
    return cells, weights, [draw(st.integers(least_price, 4)) for _ in range(tests)]


def table(cells: list[list[str]], weights: list[int], prices: list[int]) -> UnsureTable:
    guesses, causes = [f"t{i}" for i in range(len(cells))], [f"c{i}" for i in range(len(cells[0]))]
    rows = tuple(map(tuple, cells))
    return UnsureTable(
        "table:unsure", Content(tuple(guesses), tuple(causes), rows, tuple(weights), tuple(prices))
    )


@tries(5)
@given(unsure(), st.booleans())
def test_the_cause_is_known_for_the_least_cost(
    drawn: tuple[list[list[str]], list[int], list[int]], worst: bool
) -> None:
    cells, weights, prices = drawn
    truth = least(cells, weights, prices, worst=worst)
    try:
        game = table(cells, weights, prices)
    except GameError as error:
        assert "apart" in str(error)
        assert truth is None
        return
    check_game(game)
    solution = solve(game, "worst" if worst else "expected")
    assert solution.optimal
    report = check(game, strategy_of(solution))
    assert report.valid, report.messages()
    assert report.costs is not None
    found = report.costs.worst if worst else report.costs.average * sum(weights)
    assert found == truth


FEVER = (
    "test,flu,cold,mumps,cost\nfever?,yes,,no,1\nswollen?,no,no,yes,2\nsneezing?,,yes,no,1\nweight,6,10,1,\n"
)


def test_a_table_with_empty_cells(tmp_path: Path) -> None:
    file = tmp_path / "ill.csv"
    file.write_text(FEVER)
    with pytest.raises(GameError) as error:
        parse(f"table:{file}")
    assert "line 2: a cell is empty (test 'fever?', cause 'cold'); expected an answer" in str(error.value)
    assert "missing=any" in str(error.value)
    with pytest.raises(GameError, match=r"tells 'flu' and 'cold \(fever\? yes\)' apart"):
        parse(f"table:{file},missing=any")
    file.write_text(FEVER + "chills?,yes,no,no,9\n")
    game = parse(f"table:{file},missing=any")
    check_game(game)
    assert parse(game.spec).spec == game.spec == f"table:{file},missing=any"
    assert tuple(game.secrets) == (
        *("flu (sneezing? yes)", "flu (sneezing? no)", "cold (fever? yes)", "cold (fever? no)", "mumps"),
    )
    assert game.weights == (6, 6, 10, 10, 2)
    assert tuple(game.guesses[-2:]) == ("it is flu", "it is cold")


def test_what_cannot_be_answered_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "ill.csv"
    file.write_text(FEVER + "chills?,yes,no,no,9\n")
    game = parse(f"table:{file},missing=any")
    with pytest.raises(GuesstreeError, match="win-probability would name causes untested"):
        solve(game, "win-probability", budget=3)
    with pytest.raises(GuesstreeError, match=r"method entropy does not see what is asked last; use exact"):
        solve(game, method="entropy")


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("test,a,b\nx,,\ny,1,2\n", "", "guess 'x' has no response at all; expected one or more"),
        ("test,a,b\nx,,1\n", "", "no guess tells 'a' and 'b' apart"),
        ("test,a,b\nx,,1\ny,1,\n", "", "causes must differ, however the cells are filled"),
        ("test,a,b,c\nit is a,1,2,3\ny,,1,2\n", "", "the test label 'it is a' is repeated"),
        ("test,a,b\nx,1,2\n", ",win=1", "without a winning response"),
    ],
)
def test_bad_tables_with_empty_cells_are_named(text: str, options: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(text)
    with pytest.raises(GameError) as error:
        parse(f"table:{file},missing=any{options}")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_where_there_are_too_many_ways_to_fill_cells_these_are_not_listed(tmp_path: Path) -> None:
    file = tmp_path / "many.csv"
    file.write_text("test,a,b,c\nz,1,2,3\n" + "".join(f"x{i},,1,2\n" for i in range(8)))
    game = parse(f"table:{file},missing=any")
    assert isinstance(game, NoisyTable) and len(game.secrets) == 3
    assert solve(game).upper == (3,)


def test_listing_the_ways_to_fill_cells_and_splitting_weights_are_the_same() -> None:
    compared = 0
    for seed in range(300):
        rows = random_rows(random.Random(seed))
        if any("/" in row for row in rows):
            continue
        split = noisy_game(rows)
        try:
            listed = table_game("table:some", replace(split.content, sets=False))
        except GameError:
            with pytest.raises(GameError, match="may get the same answer to every test"):
                solve(split)
            continue
        if listed.facts.by_kind:
            compared += 1
            for objective, figure in (("expected", "average"), ("worst", "worst")):
                reports = [strategy_of(solve(game, objective)).check() for game in (split, listed)]
                found = {getattr(report.costs or report, figure) for report in reports}
                assert len(found) == 1, (seed, found)
    assert compared > 8


def test_other_ways_to_treat_empty_cells_are_not_known(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"expected missing=any or missing=label \(an empty cell: any"):
        parse("table:ill.csv,missing=none")
    with pytest.raises(GameError, match="the path of a CSV file"):
        parse("table:,missing=any")


def test_a_table_without_empty_cells_is_plain(tmp_path: Path) -> None:
    file = tmp_path / "full.csv"
    file.write_text("test,a,b,c,d\n" + "x,1,1,1,2\ny,1,1,2,2\n")
    merged = parse(f"table:{file},merge,missing=any")
    assert (list(merged.secrets), merged.weights) == (["a|b", "c", "d"], (2, 1, 1))
    assert merged.costs is None and not merged.facts.by_kind


def test_a_table_without_empty_cells_may_be_of_any_size() -> None:
    assert listable([["a", "b"] * 3000])
    assert not listable([["a", "b", ""] * 3000])
