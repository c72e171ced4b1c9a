"""The rule of dichoKey, on a table by hand."""

from pathlib import Path

import keys_beside
import pytest


def test_the_first_label_of_the_fullest_character_is_told_from_the_others() -> None:
    """The second character is full: b first; then x from y, as both are; then c from d."""
    characters = [["x", "y", "", "x"], ["c", "c", "b", "d"]]
    assert keys_beside.by_rule(characters) == {2: 1, 1: 2, 0: 3, 3: 3}


def test_a_row_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("few.csv").write_text("test,a,b,c\nedge,lobed,toothed,smooth\nfruit,red,red,blue\n")
    assert (
        keys_beside.row_of("few.csv") == "| few | 1.0000, 1 | 1.0000, 1 | 1.6667, 2 | 1.6667, 2 | 1.6667, 2 |"
    )
