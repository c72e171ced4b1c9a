"""Plots of the docs show what is kept now."""

import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="pip install guesstree[plot]")
import plots

DOCS = Path(__file__).parents[2] / "docs"


def drawn_by(text: str) -> str:
    """Return which Matplotlib drew a plot: others write other numbers."""
    return re.search("<dc:title>(.*?)</dc:title>", text)[1]  # type: ignore[index]


@pytest.mark.parametrize("name", plots.PLOTS)
def test_a_plot_is_drawn_again(name: str, tmp_path: Path) -> None:
    plots.write(tmp_path, [name])
    found, kept = (tmp_path / name).read_text(), (DOCS / name).read_text()
    assert found == kept or drawn_by(found) != drawn_by(kept)


def test_every_plot_is_shown() -> None:
    names = ("coins", "many-tables", "hangman-results", "mixed")
    pages = [(DOCS / f"{page}.md").read_text() for page in names]
    assert {name for text in pages for name in re.findall(r"\(([a-z-]+\.svg)\)", text)} == set(plots.PLOTS)
