"""Group testing: the procedures of the literature against brute force, and against the optimum."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st

import guesstree
from guesstree.engine.constructive.pooling import CUT_OFF, Assay, Cost, Hierarchy, Procedures, halved
from guesstree.engine.errors import GameError
from guesstree.engine.noisy.oracle import expected
from guesstree.engine.registry import parse

TENTH = Fraction(1, 10)
shares = st.integers(1, 39).map(lambda n: Fraction(n, 40))
assays = st.builds(
    Assay,
    st.integers(10, 20).map(lambda n: Fraction(n, 20)),
    st.integers(10, 20).map(lambda n: Fraction(n, 20)),
    st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 2)]),
)


def optimum(spec: str) -> Fraction:
    """Return the proven least cost of any strategy, which is had and checked."""
    found = guesstree.solve(spec)
    assert found.optimal and found.strategy.check().valid
    return Fraction(found.upper[0]) * found.game.figure_unit("total")


# -- hierarchies and arrays, by all sets of infected samples and all answers -----------------------------


def infections(n: int, p: Fraction) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield who is infected, with the probability."""
    for some in product((0, 1), repeat=n):
        yield some, prod((p if one else 1 - p for one in some), start=Fraction(1))


def played(tree: Hierarchy, infected: tuple[int, ...], ways: Procedures) -> Cost:
    """Return what a hierarchy costs where these are infected: who is in it, in order."""
    positive = 1 - ways.assay.specificity
    if any(infected):
        positive = ways.assay.sensitivity_of(len(infected), ways.prevalence)
    if not tree:
        missed, false = (1 - positive, Fraction(0)) if infected[0] else (Fraction(0), positive)
        return Cost(Fraction(1), missed, false)
    total, start = Cost(Fraction(1), sum(infected) * (1 - positive)), 0
    for part in tree:
        size = leaves(part)
        total = total.plus(played(part, infected[start : start + size], ways), positive)
        start += size
    return total


def leaves(tree: Hierarchy) -> int:
    """Return how many samples are in a pool."""
    return sum(map(leaves, tree)) or 1


trees = st.recursive(
    st.just(()), lambda parts: st.lists(parts, min_size=2, max_size=3).map(tuple), max_leaves=5
)


@given(tree=trees, p=shares, assay=assays)
@tries(0.5)
def test_what_hierarchies_cost(tree: Hierarchy, p: Fraction, assay: Assay) -> None:
    ways = Procedures(p, assay)
    total = Cost(Fraction(0))
    for infected, share in infections(leaves(tree), p):
        total = total.plus(played(tree, infected, ways), share)
    assert ways.hierarchy(tree) == total


@given(rows=st.integers(2, 3), columns=st.integers(2, 3), p=shares, assay=assays)
@tries(0.1)
def test_what_arrays_cost(rows: int, columns: int, p: Fraction, assay: Assay) -> None:
    ways = Procedures(p, assay)

    def positive(some: tuple[int, ...]) -> Fraction:
        return assay.sensitivity_of(len(some), p) if any(some) else 1 - assay.specificity

    total = Cost(Fraction(0))
    for infected, share in infections(rows * columns, p):
        for i, j in product(range(rows), range(columns)):
            row, column = infected[i * columns : (i + 1) * columns], infected[j::columns]
            tested, one = positive(row) * positive(column), infected[i * columns + j]
            seen = tested * positive((one,))
            total = total.plus(Cost(tested, one * (1 - seen), (1 - one) * seen), share)
    assert ways.array(rows, columns) == total.plus(Cost(Fraction(rows + columns)))


def divisions(n: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield the sizes of groups that n samples can be divided into."""
    if not n:
        yield ()
    for k in range(1, min(n, largest) + 1):
        yield from ((k, *rest) for rest in divisions(n - k, k))


def stage(k: int) -> Hierarchy:
    """Return a pool of single samples."""
    return ((),) * k if k > 1 else ()


@given(n=st.integers(1, 6), p=shares, assay=assays, missed=st.integers(0, 30), most=st.integers(0, 4))
@tries(0.1)
def test_the_best_sizes_are_found(n: int, p: Fraction, assay: Assay, missed: int, most: int) -> None:
    ways = Procedures(p, assay, Fraction(missed), Fraction(7), most)
    largest = most or n

    def best(tops: dict[int, list[Hierarchy]]) -> Fraction:
        prices = {k: min(ways.price(ways.hierarchy(tree)) for tree in some) for k, some in tops.items()}
        return min(sum((prices[k] for k in sizes), Fraction(0)) for sizes in divisions(n, largest))

    sizes = range(1, min(n, largest) + 1)
    assert ways.price(ways.dorfman(n)[0]) == best({k: [stage(k)] for k in sizes})
    assert ways.price(ways.halving(n)[0]) == best({k: [halved(k)] for k in sizes})
    divided = {k: [tuple(map(stage, some)) for some in divisions(k, max(k - 1, 1))] for k in sizes}
    divided[1] = [()]
    assert ways.price(ways.three_stages(n)[0]) == best(divided)


# -- without errors --------------------------------------------------------------------------------------


def nested(n: int, p: Fraction) -> Fraction:
    """Return the least average of nested procedures from the masses of all sets, without formulas."""
    shares = {sum(one << i for i, one in enumerate(some)): share for some, share in infections(n, p)}

    @cache
    def least(possible: frozenset[int], held: int) -> Fraction:
        """Return the tests times the mass; `held`: so many of the first samples not settled have one."""
        if len(possible) == 1:
            return Fraction(0)
        unsettled = [i for i in range(n) if len({s >> i & 1 for s in possible}) > 1]
        mass, found = sum(shares[s] for s in possible), []
        for x in range(1, (held if held else len(unsettled) + 1)):
            pool = sum(1 << i for i in unsettled[:x])
            clean = frozenset(s for s in possible if not s & pool)
            after = 0 if not held or held - x == 1 else held - x
            found.append(mass + least(clean, after) + least(possible - clean, x if x > 1 else 0))
        return min(found)

    return least(frozenset(shares), 0)


@given(n=st.integers(1, 5), p=shares)
@tries(0.1)
def test_the_nested_procedure(n: int, p: Fraction) -> None:
    assert Procedures(p).nested(n) == nested(n, p)


def test_known_values() -> None:
    """Tests on average at 10 %: of Dorfman's pools 0.5939 a sample at best, of nested ones as published."""
    ways = Procedures(TENTH)
    assert float(ways.hierarchy(stage(4)).tests / 4) == pytest.approx(0.5939)
    assert [round(float(ways.nested(n)), 4) for n in (6, 7, 8)] == [2.9434, 3.4144, 3.9044]
    assert [ways.dorfman(n)[1] for n in (6, 8)] == [(3, 3), (4, 4)]
    assert halved(5) == (((((), ()), ())), ((), ()))


@given(n=st.integers(1, 4), p=shares)
@tries(0.2)
def test_no_procedure_beats_the_optimum_and_that_no_code(n: int, p: Fraction) -> None:
    ways = Procedures(p)
    least, code = optimum(ways.spec(n)), ways.code(n)
    assert code is not None
    assert ways.entropy(n) - 1e-9 <= code <= least <= ways.nested(n)
    for cost, _ in (ways.dorfman(n), ways.three_stages(n), ways.halving(n), ways.arrays(n)):
        assert least <= cost.tests
    assert ways.nested(n) <= ways.individual(n).tests == n


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_from_the_cut_off_of_ungar_on_each_sample_is_tested_alone(n: int) -> None:
    assert 0.38 < CUT_OFF < 0.39
    assert optimum(f"pools:{n},prevalence=39%") == n > optimum(f"pools:{n},prevalence=38%")


@pytest.mark.long
def test_eight_samples() -> None:
    assert optimum("pools:8") == Fraction(385974537, 10**8)


@given(n=st.integers(1, 5), most=st.integers(1, 5), rates=st.lists(st.integers(1, 3), min_size=5, max_size=5))
@tries(0.1)
def test_symmetry_changes_no_value(n: int, most: int, rates: list[int]) -> None:
    spec = f"pools:{n},prevalence={'/'.join(f'{20 * rate}%' for rate in rates[:n])},max={min(n, most)}"
    assert guesstree.solve(spec).upper == guesstree.solve(spec, symmetry=False).upper
    symmetry = parse(spec).symmetry
    guesses = len(parse(spec).guesses)
    assert symmetry.count(1) <= guesses
    classes = symmetry.classes(())
    assert symmetry.count(1) == (guesses if classes is None else len(set(classes.tolist())))


# -- tests that err --------------------------------------------------------------------------------------


@given(p=shares, assay=assays, missed=st.integers(0, 40), false=st.integers(0, 40), n=st.integers(1, 2))
@tries(0.2)
def test_errors_against_the_oracle(p: Fraction, assay: Assay, missed: int, false: int, n: int) -> None:
    ways = Procedures(p, assay, Fraction(missed), Fraction(false))
    if not assay.errs:
        return
    game = parse(ways.spec(n))
    assert game.model is not None
    value = expected(game.model)
    assert value is not None
    assert optimum(ways.spec(n)) == value * game.cost_unit
    for cost, _ in (ways.dorfman(n), ways.halving(n), ways.arrays(n)):
        assert value * game.cost_unit <= ways.price(cost)


def test_dilution_is_that_of_hwang() -> None:
    """Without dilution a pool is as sensitive as a sample; at 1 it is positive as often as a sample is."""
    p = Fraction(1, 20)
    assert Assay(Fraction(9, 10)).sensitivity_of(5, p) == Fraction(9, 10)
    full = Assay(Fraction(1), Fraction(1), Fraction(1))
    assert float(full.sensitivity_of(5, p) * (1 - (1 - p) ** 5)) == pytest.approx(0.05, abs=1e-3)
    some = [Assay(dilution=TENTH).sensitivity_of(k, p) for k in (1, 2, 5, 10)]
    assert some == sorted(some, reverse=True) and some[0] == 1 > some[1]
    assert Assay(dilution=TENTH).sensitivity_of(2, p) == Fraction(935, 1000)


@pytest.mark.parametrize("typed", ["pool A C", "AC", "c a", "Pool C, A", "a+c"])
def test_pools_are_read_however_they_are_typed(typed: str) -> None:
    game = parse("pools:3")
    assert game.guesses[game.read_guess(typed)] == "pool A C"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0", "'0' samples; expected 1 to 12"),
        ("3x10x95x99x2", "expected samples, or such as 5x10x95x99 in percent"),
        ("3x10,prevalence=5%", "'prevalence=5%'; expected"),
        ("3x100", "a prevalence of 100 %; expected above 0, below 100"),
        ("13", "'13' samples; expected 1 to 12"),
        ("9,sensitivity=90%", "9 samples and tests that err; expected 1 to 8"),
        ("3,prevalence=0%", "a prevalence of 0 %; expected above 0, below 100"),
        ("3,prevalence=1%/2%", "2 prevalences; expected one, or one for each of 3 samples"),
        ("3,colour=2", "'colour=2'; expected prevalence=3%"),
        ("3,max=2,max=2", "'max=2'; expected prevalence=3%"),
        ("3,max=9", "pools of 9; expected 1 to 3"),
        ("3,missed=4", "what a wrong report costs, and tests that do not err"),
        ("3,specificity=0%", "a specificity of 0 %; expected above 0"),
        ("12,prevalence=3%", "expected less than 2\\^61"),
    ],
)
def test_what_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(GameError, match=said):
        guesstree.solve(f"pools:{text}")


def test_what_is_not_said_is_told() -> None:
    assert parse("pools:3x3x95x99,dilution=0.1,missed=9").spec == (
        "pools:3,prevalence=3%,sensitivity=95%,specificity=99%,dilution=0.1,missed=9,false=9"
    )
    assert parse("pools:3x3x100x100").model is None
    assert parse("pools:2,sensitivity=90%").notes[0].startswith("a wrong report costs 50 tests")
    assert not parse("pools:2,sensitivity=90%,missed=20,false=5").notes
    assert parse("pools:2,sensitivity=0.9,prevalence=1:9").spec == (
        "pools:2,prevalence=10%,sensitivity=90%,missed=50,false=50"
    )
