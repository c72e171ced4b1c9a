"""A codemaker who mixes causes, where tests may get several answers or something is decided in the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from models import ModelGame
from random_models import hard_model, random_model

from guesstree.api.mixed import solve_mixed
from guesstree.api.mixture import Mixture
from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.mixed.oracle import model_vectors, paid_on_average
from guesstree.engine.mixed.simplex import MatrixGame
from guesstree.engine.noisy.model import Model
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve

GARAGE = """\
test,battery,starter,fuel pump,spark plug,fuse
action,electrician,electrician,mechanic,mechanic,mechanic
headlights dim?,yes,no,no,no,no
click on start?,no,yes,no,no,no
pump silent?,no,no,yes,no,no
smell of fuel?,no,no,no,yes,no
"""


def by_kind(dice: Random) -> Model:
    """Return a table in which causes share actions: nothing is lost, but only the right one is allowed."""
    causes, tests = range(dice.randint(2, 5)), range(dice.randint(1, 4))
    kinds = [dice.randrange(3) for _ in causes]
    rows = tuple(tuple({dice.randrange(2): Fraction(1)} for _ in causes) for _ in tests)
    losses = tuple(tuple(0 if own == kind else None for own in kinds) for kind in sorted(set(kinds)))
    prices = tuple(dice.randint(1, 3) for _ in tests)
    return Model(rows, tuple(dice.randint(1, 4) for _ in causes), prices, losses=losses)


def with_losses(dice: Random) -> Model:
    """Return such a table in which a wrong action may be allowed, and loses something."""
    model = by_kind(dice)
    assert model.losses is not None
    losses = tuple(
        tuple(0 if loss == 0 else dice.choice([None, 3, dice.randint(1, 9)]) for loss in row)
        for row in model.losses
    )
    return replace(model, losses=losses)


def of_any_kind(dice: Random) -> Model:
    """Return a model with odds, groups, answers that end, preconditions, ..., but without failures."""
    while True:
        model = random_model(dice)
        if len(model.weights) * len(model.prices) <= 12:
            return replace(model, failures=0, silent=-1)


def judge(model: Model) -> bool:
    """Compare a value with what every strategy pays, see `test_mixed.judge`; say whether there is one."""
    every = model_vectors(model)
    try:
        found = solve_mixed(ModelGame(model))
    except GameError as error:
        assert not every and "\n" not in str(error)
        return False
    assert found.optimal and not found.stopped and not found.renamed
    assert sum(found.probabilities) == 1 and min(found.probabilities) > 0
    assert found.lower == min(paid_on_average(found.weights, vector) for vector in every)
    assert found.upper == max(found.each)
    assert found.uniform[0] == min(paid_on_average([1] * len(found.weights), vector) for vector in every)
    assert found.checked() == []
    return True


@pytest.mark.parametrize("make", [by_kind, with_losses, of_any_kind])
def test_the_value_of_a_tiny_model_is_that_over_all_strategies(make: Callable[[Random], Model]) -> None:
    dice = Random(8)
    assert sum(judge(make(dice)) for _ in range(25)) > 10


def test_where_each_cause_has_its_own_action_the_value_is_that_of_the_table_alone() -> None:
    dice = Random(4)
    for _ in range(10):
        model = by_kind(dice)
        causes = range(len(model.weights))
        named = tuple(tuple(0 if cause == own else None for cause in causes) for own in causes)
        try:
            alone = solve_mixed(ModelGame(replace(model, losses=None)))
        except GameError:
            continue
        assert solve_mixed(ModelGame(replace(model, losses=named))).value == alone.value


def test_causes_that_share_an_action_cost_less_to_tell(tmp_path: Path) -> None:
    (path := tmp_path / "garage.csv").write_text(GARAGE)
    assert solve_mixed(f"table:{path}").value == 2
    path.write_text("".join(line for line in GARAGE.splitlines(keepends=True) if "mechanic" not in line))
    assert solve_mixed(f"table:{path}").value == 4


def test_what_is_written_is_replayed_and_lies_are_found(tmp_path: Path) -> None:
    (path := tmp_path / "garage.csv").write_text(GARAGE)
    solve_mixed(f"table:{path},wrong=3").write(tmp_path / "mix")
    assert Mixture.read(tmp_path / "mix").check() == []
    said = (tmp_path / "mix" / "mixture.json").read_text()
    data = json.loads(said)
    for change in (
        {"upper": "1/2"},
        {"lower": "9", "upper": "9"},
        {"orbits": [row | {"pays": "1"} for row in data["orbits"]]},
        {"strategies": data["strategies"][:1]},
    ):
        (tmp_path / "mix" / "mixture.json").write_text(json.dumps(data | change))
        assert Mixture.read(tmp_path / "mix").check(), change
    (tmp_path / "mix" / "mixture.json").write_text(said)
    for name in (one["file"] for one in data["strategies"]):
        tree = (tmp_path / "mix" / name).read_text()
        other = tree.replace('"decide": "mechanic"', '"decide": "electrician"')
        (tmp_path / "mix" / name).write_text(other)
        assert tree == other or Mixture.read(tmp_path / "mix").check()
        (tmp_path / "mix" / name).write_text(tree)


def test_a_wrong_action_that_is_allowed_makes_the_value_no_larger(tmp_path: Path) -> None:
    (path := tmp_path / "garage.csv").write_text(GARAGE)
    values = [solve_mixed(f"table:{path},wrong={n}").upper for n in (1, 2, 3, 9, 99)]
    assert values == sorted(values) and values[0] == Fraction(1, 2) and values[-1] < 2


def test_weights_that_are_found_are_the_hardest_for_the_search_too() -> None:
    model = with_losses(Random(11))
    found = solve_mixed(ModelGame(model))
    if min(found.weights) > 0:
        solved = solve(ModelGame(replace(model, weights=found.weights)), "expected")
        assert Fraction(solved.lower[0]) / sum(found.weights) == found.value


def test_the_program_takes_columns_in_parts_of_one() -> None:
    dice = Random(6)
    for _ in range(30):
        rows, columns = dice.randint(1, 5), dice.randint(1, 7)
        program, each = MatrixGame([1] * rows), []
        for _ in range(columns):
            parts = dice.randint(1, 6)
            each.append([Fraction(dice.randint(1, 20), parts) for _ in range(rows)])
            program.add([int(entry * parts) for entry in each[-1]], parts)
        maker, breaker = program.maker(), program.breaker()
        assert sum(breaker) == sum(maker) == 1 and all(p >= 0 for p in (*breaker, *maker))
        table = np.array(each, dtype=object)
        assert min(table @ np.array(maker, dtype=object)) == program.value
        assert max(np.array(breaker, dtype=object) @ table) == program.value


def test_a_time_limit_leaves_bounds_of_both_sides() -> None:
    found = solve_mixed(ModelGame(hard_model()), time_limit=0.3)
    assert found.stopped == "time" and 0 <= found.lower < found.upper and found.seconds < 30
    assert found.checked() == []


def test_tests_that_may_fail_to_answer_are_refused(tmp_path: Path) -> None:
    (path := tmp_path / "garage.csv").write_text(GARAGE)
    with pytest.raises(GuesstreeError, match="may fail to answer; use a table without failures"):
        solve_mixed(parse(f"table:{path},failures=1,wrong=4"))
