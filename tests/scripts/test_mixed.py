"""The table of docs/mixed.md says what is kept, and what is kept is found again."""

from fractions import Fraction

import mixed
import pytest

from guesstree.api.mixed import solve_mixed

QUICK = [spec for spec, one in mixed.kept().items() if one["seconds"] < 0.5]


def test_the_page_shows_what_is_kept() -> None:
    assert mixed.page() == mixed.PAGE.read_text()


@pytest.mark.parametrize("spec", QUICK)
def test_values_are_found_again(spec: str) -> None:
    new, old = mixed.record(solve_mixed(spec)), mixed.kept()[spec]
    assert new | {"seconds": 0} == old | {"seconds": 0}


def test_one_orbit_is_worth_its_average_and_no_value_is_below_that_of_all_alike() -> None:
    for spec, one in mixed.kept().items():
        lower, upper = Fraction(one["lower"]), Fraction(one["upper"])
        assert Fraction(one["uniform"][0]) <= lower <= upper <= Fraction(one["uniform"][1]) * 2
        if len(one["orbits"]) == 1:
            assert [lower, upper] == [Fraction(bound) for bound in one["uniform"]], spec
