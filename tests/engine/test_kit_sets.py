"""Kits where causes may give one of several answers to a question, against a solver that lists all kits."""

import random
from itertools import combinations, combinations_with_replacement
from math import inf

import numpy as np
import pytest
from effort import seeds

from guesstree.engine.errors import GuesstreeError, Infeasible
from guesstree.engine.kits.kit import least_kit
from guesstree.engine.kits.sets import Sets
from guesstree.engine.tables.from_data import table

Rows = list[list[str]]


def random_rows(dice: random.Random) -> Rows:
    """Return cells such as ``a``, ``a/b``, or ``a/b/c``: a row for each question."""
    questions, causes = dice.randint(2, 6), dice.randint(2, 6)
    cells = ["a", "b", "c", "a/b", "b/c", "a/b/c"]
    rows = [dice.choices(cells, weights=[5, 5, 2, 1, 1, 1], k=causes) for _ in range(questions)]
    rows[0][0] = "a/b"  # some cell has several
    return rows


def listed(rows: Rows, costs: list[int], kinds: list[str], apart: int) -> float:
    """Return the least cost of a kit by definition, from all of them; inf: there is none."""
    told = [[not set(x.split("/")) & set(y.split("/")) for x, y in combinations(row, 2)] for row in rows]
    matter = [i for i, (x, y) in enumerate(combinations(kinds, 2)) if x != y]
    best = inf
    for size in range(len(rows) * apart + 1):
        kits = (combinations if apart == 1 else combinations_with_replacement)(range(len(rows)), size)
        for kit in kits:
            if all(sum(told[g][i] for g in kit) >= apart for i in matter):
                best = min(best, sum(costs[g] for g in kit))
    return best


@pytest.mark.parametrize("seed", seeds(40, 1000))
def test_the_least_kit_is_that_of_all_kits(seed: int) -> None:
    dice = random.Random(seed)
    rows = random_rows(dice)
    costs = [dice.choice([1, 1, 2, 3]) for _ in rows]
    lies = 0 if seed % 4 or len(rows) > 4 else 1
    kinds = [str(cause) for cause in range(len(rows[0]))]
    if seed % 3 == 0:
        kinds = [dice.choice("xyz") for _ in kinds]
    cells = {f"t{g}": {f"c{i}": cell for i, cell in enumerate(row)} for g, row in enumerate(rows)}
    actions = {f"c{i}": kind for i, kind in enumerate(kinds)} if seed % 3 == 0 else None
    least = listed(rows, costs, kinds, 2 * lies + 1)
    game = table(
        cells,
        rows="guesses",
        costs={f"t{g}": cost for g, cost in enumerate(costs)},
        cells="sets",
        actions=actions,
    )
    if least == inf:
        with pytest.raises(Infeasible):
            least_kit(game, lies=lies)
        return
    kit = least_kit(game, lies=lies)
    assert kit.lower == kit.upper == least
    assert sum(row.adds for row in kit.rows) == kit.pairs


def test_completions_are_few_where_few_cells_have_several() -> None:
    one, two = frozenset([0]), frozenset([1])
    sets = Sets(((one, two, one | two), (one, one, two)), np.arange(3))
    completions, causes = sets.completions()
    assert sorted(zip(causes, completions, strict=True)) == [
        (0, (0, 0)),
        (1, (1, 0)),
        (2, (0, 1)),
        (2, (1, 1)),
    ]


def test_the_sheet_has_a_row_for_each_cause_with_all_its_answers() -> None:
    cells = {"t0": {"a": "x", "b": "y", "c": "x/y"}, "t1": {"a": "x", "b": "x", "c": "y"}}
    kit = least_kit(table(cells, rows="guesses", cells="sets"))
    assert kit.pairs == 3 and kit.optimal
    assert sorted(map(tuple, kit.sheet())) == sorted(
        (cause, *(dict(cells[label])[cause] for label in kit.labels)) for cause in "abc"
    )
    assert [told for *_, told in kit.told()] == [["t0"], ["t1"], ["t1"]]


def test_too_many_completions_are_refused() -> None:
    dice = random.Random(1)
    causes = [f"c{i}" for i in range(90)]
    cells = {f"t{g}": {c: dice.choice(["x", "y", "x/y"]) for c in causes} for g in range(60)}
    with pytest.raises(GuesstreeError, match="ways to fill the cells"):
        least_kit(table(cells, rows="guesses", cells="sets"))
