"""One-step methods where tests may get several answers."""

import random
from fractions import Fraction

import pytest
from models import ModelGame
from random_models import model_of, noisy_game, random_model, random_rows

from guesstree.engine.errors import GameError, GuesstreeError, Infeasible
from guesstree.engine.noisy import oracle
from guesstree.engine.onestep.valuations import COST_VALUATIONS, VALUATIONS
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.table import TableGame

METHODS = [*VALUATIONS, *COST_VALUATIONS]


def test_a_method_is_never_better_than_the_oracle_and_ends_if_there_is_a_strategy() -> None:
    best = 0
    for seed in range(60):
        model = random_model(random.Random(seed))
        if model.failures:
            continue
        game, expected = ModelGame(model), oracle.expected(model)
        for method in METHODS:
            try:
                found = solve(game, method=method)
            except (GameError, Infeasible):
                assert expected is None, seed
                continue
            assert expected is not None
            assert found.lower[0] <= expected * sum(model.weights) <= found.upper[0], seed
            best += found.upper[0] == expected * sum(model.weights)
    assert best > 100


def test_a_decision_is_made_when_no_test_pays_for_itself() -> None:
    look, again = (f"{test},+:0.9/-:0.1,+:0.1/-:0.9" for test in ("look", "again"))
    for missed, expected in ((50, Fraction(12, 5)), (10, Fraction(1))):
        decisions = ["decide treat,0,10", f"decide leave,{missed},0"]
        model = model_of(["test,ill,well", look, "weight,1,9", *decisions])
        assert solve(ModelGame(model), method="entropy").upper == (10 * expected,)
        assert oracle.expected(model) == expected
        # One look does not pay, so that two are not tried.
        model = model_of(["test,ill,well,cost", f"{look},4", f"{again},4", "weight,1,1,", *decisions])
        assert solve(ModelGame(model), method="entropy").upper[0] == 2 * 5


def test_where_each_test_gets_one_answer_methods_are_those_of_other_tables() -> None:
    met = 0
    for seed in range(30):
        dice = random.Random(seed)
        header, *rows = [row.split(",") for row in random_rows(dice)]
        rows = [
            [cell.split("/")[0].split(":")[0] or "x" for cell in row] for row in rows if row[0] != "weight"
        ]
        split = noisy_game([",".join(row) for row in [header, *rows]])
        causes = len(split.secrets)
        cells = [row[1 : causes + 1] for row in rows]
        plain = TableGame("plain", split.guesses, split.secrets, cells, prices=split.content.costs)
        for method in METHODS:
            try:
                total = solve(plain, method=method).upper[0]
            except GuesstreeError:
                continue  # causes are alike
            assert solve(split, method=method).upper[0] == total, (seed, method)
            met += 1
    assert met > 100


def test_methods_that_value_no_parts_are_refused() -> None:
    with pytest.raises(GuesstreeError, match=r"method first-consistent where a test may get several answers"):
        solve(noisy_game(["test,a,b", "t0,x/y,y", "t1,x,y"]), method="first-consistent")
