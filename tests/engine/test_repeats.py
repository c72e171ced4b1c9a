"""Tests that may be asked anew: a search with them begins with what is found without."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from guesstree import table
from guesstree.api.strategy import strategy_of
from guesstree.engine.errors import GameError, Infeasible
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.search import bounds as anytime
from guesstree.engine.search import driver as plans
from guesstree.engine.search import solve
from guesstree.engine.search.deadline import Deadline
from guesstree.engine.search.noisy import Noisy
from guesstree.engine.search.session import Session
from guesstree.engine.search.space import Resources
from guesstree.trees.check import check

CELLS = {
    "fever": {"flu": "yes", "cold": "no", "well": "no"},
    "cough": {"flu": "yes", "cold": "yes", "well": "no"},
    "swab": {"flu": "pos", "cold": "neg", "well": "neg"},
}
CAUSES = ("flu", "cold", "well")
LOSSES = {
    "treat": dict(zip(CAUSES, (0, 15, 30), strict=True)),
    "wait": dict(zip(CAUSES, (40, 5, 0), strict=True)),
}


def clinic(repeat: int, **more: Any) -> Game:
    options = {"losses": LOSSES, "error": {"fever": "20 %", "cough": "10 %", "swab": "5 %"}, **more}
    weights = {"flu": "0.005", "cold": "0.003", "well": "0.002"}
    return table(CELLS, repeat=repeat, weights=weights, costs={"fever": 1, "cough": 1, "swab": 3}, **options)


def settled_without_copies(run: Session[Any]) -> None:
    """Search a game only where no test may be repeated, as if the time were up elsewhere."""
    if run.space.poorer() is None:
        plans.answer(run)


@pytest.mark.parametrize("repeat", [2, 3])
@pytest.mark.parametrize("objective", ["expected", "worst", "worst,expected"])
def test_a_search_with_repeats_begins_with_the_strategy_without(
    monkeypatch: pytest.MonkeyPatch, repeat: int, objective: str
) -> None:
    single = solve.solve(clinic(1), objective)
    proven = solve.solve(clinic(repeat), objective)
    assert proven.lower == proven.upper <= single.upper
    monkeypatch.setattr(solve, "answer", settled_without_copies)
    begun = solve.solve(clinic(repeat), objective)
    assert begun.upper == single.upper
    report = check(clinic(repeat), strategy_of(begun))
    assert report.valid and not report.lies


def test_bounds_begin_with_deciding_at_once_and_with_fewer_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anytime, "answer", lambda _: None)
    at_once = anytime.bounds(clinic(1))
    assert at_once.upper == (min(5 * 0 + 3 * 15 + 2 * 30, 5 * 40 + 3 * 5),)
    monkeypatch.setattr(anytime, "answer", settled_without_copies)
    found = anytime.bounds(clinic(2))
    assert found.upper == solve.solve(clinic(1)).upper < at_once.upper
    assert [row.how for row in found.rows] == ["counting", "a first strategy", "fewer repeats"]


def test_a_beam_begins_with_the_beam_without(monkeypatch: pytest.MonkeyPatch) -> None:
    single = solve.solve(clinic(1), width=1)
    assert solve.solve(clinic(3), width=1).upper <= single.upper
    monkeypatch.setattr(
        solve, "improve", lambda run, width: None if run.space.poorer() else plans.improve(run, width)
    )
    assert solve.solve(clinic(3), width=1).upper == single.upper


def test_copies_may_be_needed_where_a_test_may_fail_to_answer() -> None:
    cells = {"lamp": {"fuse": "dark:2/dim:1", "bulb": "bright"}}
    options: dict[str, Any] = {"cells": "sets", "lapses": 1}
    with pytest.raises(GameError, match="which may fail to answer"):
        solve.solve(table(cells, **options), "worst")
    assert solve.solve(table(cells, repeat=2, **options), "worst").upper == (2,)


def test_what_is_known_without_a_strategy_is_told_in_the_units_of_the_game() -> None:
    game = clinic(2)
    assert game.weight_unit == Fraction(1, 1000)
    watch = Deadline(None)
    run = Session(
        Noisy(Problem(game, OBJECTIVES["expected"])), Resources(1 << 20, tabled=False, jobs=1), watch
    )
    watch.stopped = "time"
    with pytest.raises(Infeasible, match=r"; the optimum is at least 0\.0595$"):
        run.conclude()
