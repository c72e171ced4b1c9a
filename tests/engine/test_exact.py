"""Numbers as people write them: shown exactly, and read exactly."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guesstree.engine.exact import exact_text
from guesstree.engine.tables.table import TableGame


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(268, 100), "2.68"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(1200), "1200"),
        (Fraction(7, 3), "7/3"),
        (0, "0"),
        (Fraction(1, 10**6), "0.000001"),
    ],
)
def test_numbers_are_shown_exactly(number: Fraction, text: str) -> None:
    assert exact_text(number) == text


@given(st.fractions())
def test_what_is_shown_is_the_number(number: Fraction) -> None:
    assert Fraction(exact_text(number)) == number


def test_figures_are_told_in_the_units_of_the_game() -> None:
    units: dict[str, Any] = {"cost_unit": Fraction(1, 100), "weight_unit": Fraction(1, 50)}
    game = TableGame("table:t", ["x"], ["a", "b"], [["0", "1"]], None, [3, 7], [250], **units)
    assert game.cost_text(250) == "2.5"
    found = [game.figure_text(name, 2500) for name in ("total", "worst", "lost", "won")]
    assert found == ["0.5", "25", "50", "0.5"]
