"""Kits in several stages: between what is planned and what adapts."""

import random
from itertools import product
from math import prod

import pytest
from effort import seeds
from random_kits import random_cover

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.kits.kit import least_kit
from guesstree.engine.kits.oracle import least_staged_by_listing
from guesstree.engine.kits.search import Search
from guesstree.engine.kits.staged import staged_kit
from guesstree.engine.kits.stages import Stages
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.from_data import table


@pytest.mark.parametrize("seed", seeds(60, 3000))
def test_the_search_finds_what_listing_all_kits_of_all_stages_finds(seed: int) -> None:
    dice = random.Random(seed)
    cover = random_cover(dice)
    while cover.apart > 1 or cover.questions > 6:
        cover = random_cover(dice)
    values = []
    for stages in (1, 2, 3, cover.questions):
        search = Stages(cover, stages)
        search.run()
        assert search.best is not None
        assert search.lower == search.upper == search.best.cost
        values.append(search.lower)
        assert least_staged_by_listing(cover, stages) == search.upper
    assert values == sorted(values, reverse=True)
    planned = Search(cover)
    planned.run()
    assert planned.upper == values[0]


@pytest.mark.parametrize("spec", ["mastermind:2x4", "mastermind:3x3", "blackpeg:3x3", "coins:4", "bulls:3x4"])
def test_one_stage_is_a_kit_and_many_stages_adapt(spec: str) -> None:
    adaptive = solve(spec, objective="worst", goal="identify")
    stages = 12
    found = [staged_kit(spec, k) for k in (1, 2, stages)]
    assert all(plan.optimal and plan.tells_apart() for plan in found)
    values = [plan.upper for plan in found]
    assert values[0] == least_kit(spec).upper
    assert values[0] >= values[1] >= values[2] == adaptive.upper[0]
    assert staged_kit(spec, 2, symmetry=False).upper == values[1]


@pytest.mark.parametrize("stages", [1, 2, 3])
@pytest.mark.parametrize("secrets", [2, 5, 9, 13])
def test_thresholds_split_a_range_into_as_many_parts_as_possible(secrets: int, stages: int) -> None:
    """Is the number above t? m thresholds leave m + 1 ranges: so many that their product is all numbers."""
    cells = {
        f"above {t}": {f"n{s}": "yes" if s > t else "no" for s in range(secrets)} for t in range(secrets - 1)
    }
    least = min(
        sum(many) for many in product(range(secrets), repeat=stages) if prod(m + 1 for m in many) >= secrets
    )
    assert staged_kit(table(cells, rows="guesses", name="t"), stages).upper == least


def test_a_time_limit_returns_a_plan_with_bounds() -> None:
    plan = staged_kit("mastermind:4x4", 2, time_limit=4.0)
    assert plan.lower <= plan.upper and plan.tells_apart()
    assert plan.optimal or plan.stopped == "time"


@pytest.mark.parametrize(
    ("stages", "lies", "message"),
    [
        (0, 0, "0 stages; expected 1 to 1000"),
        (2, 1, "1 lie in 2 stages; expected one stage, or no lies"),
    ],
)
def test_what_cannot_be_staged_is_refused(stages: int, lies: int, message: str) -> None:
    with pytest.raises(GuesstreeError, match=message):
        staged_kit("mastermind:2x3", stages, lies=lies)
