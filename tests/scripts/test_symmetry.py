"""The table of docs/symmetry.md says what is kept, and orders and values that are kept are found again."""

import pytest
import symmetry

KEPT = symmetry.kept()
QUICK = [name for name, one in KEPT.items() if "found" in one and one["found"][2] < 0.3]


def test_the_page_shows_what_is_kept() -> None:
    assert symmetry.page() == symmetry.PAGE.read_text()
    assert list(KEPT) == symmetry.NAMES
    assert all(one["complete"] for one in KEPT.values())


@pytest.mark.parametrize("name", QUICK)
def test_orders_and_values_are_found_again(name: str) -> None:
    table, _, objective = symmetry.games(name)
    value, *_ = symmetry.searched(table, objective)
    assert value == KEPT[name]["value"]
    assert symmetry.found_in(table, objective)[0] == KEPT[name]["renamings"]
