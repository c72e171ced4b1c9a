"""Plots."""

from fractions import Fraction
from pathlib import Path

from guesstree.trees.export.plots import evolution


def test_a_plot_drawn_again_is_the_same_file(tmp_path: Path) -> None:
    log = [{"generation": n, "min": 2.0, "mean": 2.5, "max": 3.0, "best": 21} for n in range(3)]
    for name in ("a.svg", "b.svg"):
        evolution("mastermind:2x3", log, Fraction(9), "average number of guesses", tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
