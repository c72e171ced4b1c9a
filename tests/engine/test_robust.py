"""Rates known as ranges: both mixtures against all strategies, all corners, and numbers in between."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from effort import seeds

from guesstree.engine.errors import GameError
from guesstree.engine.mixed.models import paid_by
from guesstree.engine.mixed.robust import RobustSolved, models_of, solve_robust
from guesstree.engine.noisy.model import Model
from guesstree.engine.registry import parse
from guesstree.engine.sheets import read_sheet
from guesstree.engine.tables.corners import Ranged, read_ranged
from guesstree.engine.tables.options import How
from guesstree.engine.tables.ranges import at_corner, ranges_in
from guesstree.engine.tables.reading import read_table
from guesstree.engine.tables.rows import table_game

Costs = tuple[Fraction, ...]

THROAT = """test,strep,virus,abscess,cost (EUR),sensitivity,specificity
swab,yes,no,no,6,80-95 %,90..99 %
jaw,no,no,yes,2,70 %,90 %
weight,1..6,10,1..4,,,
decide antibiotics,0,15,60,,,
decide rest,40,0,90,,,
decide refer,50,50,0,,,
"""

MANY = f"test,{','.join('abcdefghijk')}\nt,yes{',no' * 10}\nweight{',1..2' * 11}\n"


def written(folder: Path, text: str) -> str:
    """Return the path of a table."""
    path = folder / "t.csv"
    path.write_text(text)
    return str(path)


def every_cost(models: list[Model]) -> set[Costs]:
    """Return what each strategy costs in each scenario: no search, no bound, no linear program.

    What one costs is a sum over its ends, so after each test all ways to go on are combined; those that
    cost no less than another in every scenario are left out.
    """
    shares = [[Fraction(w) / sum(map(Fraction, model.weights)) for w in model.weights] for model in models]

    def follow(masses: list[list[Fraction]], asked: frozenset[int]) -> set[Costs]:
        found: set[Costs] = set()
        for d in range(len(models[0].losses or ())):
            lost = [(model.losses or ())[d] for model in models]
            found.add(
                tuple(
                    sum((m * Fraction(x or 0) for m, x in zip(mass, row, strict=True)), Fraction(0))
                    for mass, row in zip(masses, lost, strict=True)
                )
            )
        for test in range(len(models[0].chances)):
            if test in asked:
                continue
            ways: set[Costs] = {tuple(models[0].prices[test] * sum(mass, Fraction(0)) for mass in masses)}
            for answer in sorted({a for cell in models[0].chances[test] for a in cell}):
                after = [
                    [m * cell.get(answer, 0) for m, cell in zip(mass, model.chances[test], strict=True)]
                    for mass, model in zip(masses, models, strict=True)
                ]
                below = follow(after, asked | {test})
                ways = least({tuple(x + y for x, y in zip(a, b, strict=True)) for a in ways for b in below})
            found |= ways
        return least(found)

    return follow(shares, frozenset())


def no_more(one: Costs, other: Costs) -> bool:
    """Return whether one costs no more than another anywhere."""
    return all(a <= b for a, b in zip(one, other, strict=True))


def least(costs: set[Costs]) -> set[Costs]:
    """Return those that no other is as low as everywhere."""

    def beaten(one: Costs) -> bool:
        return any(other != one and no_more(other, one) for other in costs)

    return {one for one in costs if not beaten(one)}


def random_table(dice: random.Random) -> str:
    """Return a small table with a few ranges."""
    causes = ["a", "b", "c"][: dice.randint(2, 3)]
    left = dice.randint(1, 3)

    def number(low: int, high: int, unit: str = "") -> str:
        nonlocal left
        one, two = sorted(dice.sample(range(low, high), 2))
        if left and dice.random() < 0.4:
            left -= 1
            return f"{one}..{two}{unit}"
        return f"{one}{unit}"

    rows = [["test", *causes, "cost", "sensitivity", "specificity"]]
    for t in range(dice.randint(1, 2)):
        cells = ["yes", *dice.choices(["yes", "no"], k=len(causes) - 2), "no"]
        dice.shuffle(cells)
        rows.append([f"t{t}", *cells, str(dice.randint(1, 4)), number(50, 99, " %"), number(50, 99, " %")])
    rows.append(["weight", *(number(1, 9) for _ in causes), "", "", ""])
    rows += [
        [f"decide d{d}", *(number(0, 30) for _ in causes), "", "", ""] for d in range(dice.randint(2, 3))
    ]
    if left and not any(".." in cell for row in rows for cell in row):
        rows[1][-2] = "60..90 %"
    return "\n".join(map(",".join, rows)) + "\n"


def verify(found: RobustSolved, ranged: Ranged) -> None:
    """Compare both mixtures with every strategy that there is."""
    models, unit = models_of(ranged.games)
    costs = [tuple(x * unit for x in one) for one in every_cost(models)]
    assert sum(found.nature) == sum(found.probabilities) == 1
    corners = range(len(models))
    hardest = min(sum((p * x for p, x in zip(found.nature, one, strict=True)), Fraction(0)) for one in costs)
    assert found.lower == hardest, "the best answer to nature's mixture"
    assert found.upper == max(map(found.pays, corners))
    for one in found.candidates:
        assert any(no_more(other, one.pays) for other in costs), "such a strategy there is"
    assert found.lower == found.upper, "so no mixture promises less, nor anything in nature more"
    assert min(map(max, costs)) <= found.single.worst == max(found.single.pays)


@pytest.mark.parametrize("seed", seeds(6, 150))
def test_against_every_strategy(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    for _ in range(4):
        ranged = read_ranged(written(tmp_path, random_table(dice)))
        verify(solve_robust(ranged.games), ranged)


@pytest.mark.parametrize("seed", seeds(3, 30))
def test_no_numbers_in_between_are_worse(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    path = written(tmp_path, random_table(dice) if seed else THROAT)
    found, sheet = solve_robust(read_ranged(path).games), read_sheet(path)
    ranges = ranges_in(sheet)
    for _ in range(8):
        between = []
        for one in ranges:
            low, high = (Fraction(end.strip(" %")) for end in one.ends)
            value = float(low + (high - low) * Fraction(dice.randint(0, 20), 20))
            between.append(replace(one, ends=(f"{value}{'%' * ('%' in one.ends[0])}", "")))
        content = read_table(at_corner(sheet, between, [0] * len(ranges)), How()).content
        game = table_game("table:t.csv", content)
        assert game.model is not None
        weights = [Fraction(w) for w in game.model.weights]
        for candidate in found.candidates:
            paid = paid_by(game.model, candidate.solved)
            cost = sum((w * x for w, x in zip(weights, paid, strict=True)), Fraction(0)) / sum(weights)
            assert cost * game.cost_unit <= candidate.worst + Fraction(1, 10**9)


def test_a_mixture_may_promise_less_than_any_strategy_alone(tmp_path: Path) -> None:
    ranged = read_ranged(written(tmp_path, THROAT))
    assert [one.name for one in ranged.ranges] == [
        "swab sensitivity",
        "swab specificity",
        "weight strep",
        "weight abscess",
    ]
    found = solve_robust(ranged.games)
    verify(found, ranged)
    assert (found.upper, found.single.worst) == (Fraction(1217, 67), Fraction(292, 15))
    assert {corner for corner, p in zip(ranged.corners, found.nature, strict=True) if p} == {
        (0, 0, 0, 1),
        (0, 0, 1, 1),
    }


def test_ends_are_written_in_their_cells(tmp_path: Path) -> None:
    text = "test,a,b,cost\nt,yes:1..3/no:2..5,no,1\ndecide a,0,4..5,\ndecide b,7,0,\n"
    ranged = read_ranged(f"{written(tmp_path, text)},cells=sets")
    chances = [game.model.chances[0][0] for game in ranged.games if game.model]
    assert [set(cell.values()) for cell in chances] == [
        {Fraction(a, a + b), Fraction(b, a + b)} for a, b, _ in product((1, 3), (2, 5), (4, 5))
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("test,a,b,cost\nt,yes,no,1\ndecide a,0,4,\n", "no range; expected a number such as 85..95 %"),
        ("test,a,b,cost\nt,yes,no,1..2\ndecide a,0,4,\ndecide b,4,0,\n", "what a test costs is a range"),
        ("test,a,b,sensitivity,specificity\nt,yes,no,90..80 %,90 %\n", "expected the lower end first"),
        (
            "test,a,b,sensitivity,specificity\nt,yes,no,90..100 %,90 %\ndecide a,0,4,,\ndecide b,4,0,,\n",
            "a range ends at 0 % or 100 %",
        ),
        ("test,a,b\nt,yes,no\nweight,1..2,3\n", "tests that do not err"),
        (MANY, "11 ranges; expected at most 10"),
    ],
)
def test_what_cannot_be_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match=said):
        solve_robust(read_ranged(written(tmp_path, text)).games)


def test_other_commands_say_who_takes_ranges(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="swab sensitivity is a range, which guesstree robust takes"):
        parse(f"table:{written(tmp_path, THROAT)}")
