"""What others do with tables of tests: known values, and never less than the least that the judge finds."""

import json
from fractions import Fraction
from pathlib import Path

import diagnosis
import instances
import peers
import pytest

from guesstree.engine.contract import check_game
from guesstree.engine.noisy import oracle
from guesstree.engine.registry import parse

TENTH = Fraction(1, 10)
SMALL = {
    "pools": instances.pools(2, TENTH, Fraction(95, 100), Fraction(98, 100), wrong=20),
    "twenty questions": instances.twenty_questions(4, 1, TENTH, 10),
    "classes, set-ups": instances.costly(9, 4, 2, seed=3).instance,
}


def repairs() -> instances.Instance:
    """Return two faults, a question, and repairs of which one may fail; a service call costs 8."""
    half, sure = Fraction(1, 2), instances.sure
    tests = [
        ("look", sure(["wet", "dry"]), 1),
        ("hose", sure(["fixed", "no"]), 2),
        ("pump", (*sure(["no"]), {"fixed": half, "no": half}), 3),
    ]
    return instances.Instance(
        ("hose", "pump"),
        (Fraction(3), Fraction(1)),
        tuple(instances.Test(name, cells, Fraction(cost)) for name, cells, cost in tests),
        {"call": (Fraction(8), Fraction(8))},
        ends="fixed",
    )


SMALL["repairs"] = repairs()


@pytest.mark.parametrize("name", SMALL)
def test_a_table_stands_for_its_model_and_no_rule_beats_the_best_strategy(name: str, tmp_path: Path) -> None:
    instance = SMALL[name]
    model, file = instance.model(), tmp_path / "t.csv"
    file.write_text(instance.table())
    game = parse(f"table:{file}{instance.options()}")
    assert game.model is not None
    least, read = oracle.expected(model), oracle.expected(game.model)
    assert least is not None
    assert read is not None
    assert read * game.cost_unit == least
    ahead, most = peers.valued(model, peers.worth_rule(model))
    at_once = [
        sum(w * (loss or 0) for w, loss in zip(model.weights, row, strict=True)) for row in model.losses or ()
    ]
    assert least <= ahead <= min(at_once)
    assert most <= sum(model.prices)


def test_repairs_in_the_order_of_probability_over_cost() -> None:
    # hose (3/4 over 2) before pump (1/8 over 3): 2 + 1/4 (3 + 8/2), or 2 + 1/4 * 8 with the call at once
    assert peers.repair_order(repairs().model()) == Fraction(15, 4)


def test_schemes_of_group_testing_have_their_published_values() -> None:
    """Sobel and Groll (1959) for 10 % infected; Dorfman (1943): 1/4 + 1 - 0.9^4 a sample in pools of 4."""
    nested = [float(peers.nested(n, TENTH)) for n in (6, 7, 8)]
    assert nested == pytest.approx([2.94341, 3.41441, 3.90441])
    assert peers.hierarchical(8, TENTH, 2) == 8 * (Fraction(1, 4) + 1 - Fraction(9, 10) ** 4)
    assert peers.hierarchical(1, TENTH, 3) == peers.nested(1, TENTH) == 1


def test_group_testing_says_that_the_samples_are_alike() -> None:
    game = instances.GroupTesting(4)
    check_game(game)
    assert diagnosis.solved(4, 10).value == Fraction(20170, 10_000)


def test_key_asks_what_leaves_least_and_shuns_characters_of_several_states() -> None:
    # Both characters split in halves; in the first, one species has both states, and stays in both.
    first = [{"x": Fraction(1, 2), "y": Fraction(1, 2)}, *instances.sure("xyy")]
    tests = [("several", first), ("single", instances.sure("xxyy")), ("third", instances.sure("xyxy"))]
    rows = tuple(instances.Test(name, tuple(cells)) for name, cells in tests)
    model = instances.Instance(tuple("abcd"), (Fraction(1),) * 4, rows).model()
    expected, worst = peers.valued(model, peers.KeyRule(model))
    assert (expected, worst) == (Fraction(2), Fraction(2))


def test_trees_pay_for_an_attribute_once_and_are_pruned_where_that_is_cheaper() -> None:
    losses = [[Fraction(), Fraction(4)], [Fraction(4), Fraction()]]
    tests = [
        instances.Test("a", instances.sure(["x10", "x01", "x00"]), Fraction(1)),
        instances.Test("b", instances.sure(["x0", "x0", "x1"]), Fraction(9)),
    ]
    found = instances.classed("efg", tests, [[1, 0, 2], [0, 1, 0]], losses)
    model, columns = found.instance.model(), diagnosis.columns_of(found)
    assert columns.owner == [0, 0, 1]
    leaf = None
    tree = peers.Branch(0, peers.Branch(1, peers.Branch(2, leaf, leaf), leaf), leaf)
    dear = peers.tree_cost(model, columns.owner, columns.yes, tree, prune=False)
    assert dear == 1 + 9 * Fraction(2, 4)  # the second column of a is free, and b tells nothing any more
    assert peers.tree_cost(model, columns.owner, columns.yes, tree, prune=True) == 1


def test_the_page_has_the_figures() -> None:
    known = json.loads(diagnosis.RESULTS.read_text())
    page = (diagnosis.ROOT / "docs" / "diagnosis.md").read_text()
    for table in diagnosis.tables(known):
        assert table in page
