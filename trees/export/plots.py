"""Plots of strategies as SVG, PNG or PDF: histograms one above the other, an evolution, curves."""

from __future__ import annotations

import importlib.util
import io
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ..tree import TreeError
from .output import check_ending, write_whole

ENDINGS = (".svg", ".png", ".pdf")
UNDATED: dict[str, dict[str, None]] = {
    ".svg": {"Date": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None},
}
"""What Matplotlib leaves out for the same plot to give the same file."""


def check_plot(path: str | os.PathLike[str]) -> str:
    """Return the ending of a plot's name; raise TreeError for one that cannot be drawn.

    Also for any plot when Matplotlib, the extra ``plot``, is not installed.
    """
    ending = check_ending(path, ENDINGS)
    if importlib.util.find_spec("matplotlib") is None:
        raise TreeError("plots need Matplotlib: pip install guesstree[plot]")
    return ending


def _save(figure: Any, path: str | os.PathLike[str]) -> None:
    """Write a figure, whole or not at all, without the date and with the same names each time."""
    ending = check_plot(path)
    from matplotlib import rc_context

    data = io.BytesIO()
    with rc_context({"svg.hashsalt": "guesstree"}):
        figure.savefig(data, format=ending[1:], dpi=144, metadata=UNDATED[ending])
    write_whole(path, data.getvalue())


def _literal(text: str) -> str:
    """Return text of which Matplotlib takes nothing for a formula."""
    return text.replace("$", r"\$")


def evolution(
    title: str, log: Sequence[Mapping[str, float]], secrets: int, path: str | os.PathLike[str]
) -> None:
    """Draw the average number of guesses over the generations: the population's, and the best so far.

    `log` has `generation`, `min`, `mean`, `max` (averages) and `best` (total guesses) for each generation.
    """
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    generations = [row["generation"] for row in log]
    low, high = [row["min"] for row in log], [row["max"] for row in log]
    axes.fill_between(generations, low, high, alpha=0.2, color="#0072B2", label="min to max")
    axes.plot(generations, [row["mean"] for row in log], color="#0072B2", label="mean")
    axes.plot(generations, [row["best"] / secrets for row in log], color="#D55E00", label="best so far")
    axes.set(xlabel="generation", ylabel="average number of guesses", title=_literal(title))
    axes.legend()
    _save(figure, path)


def histograms(
    title: str, rows: Sequence[tuple[str, Mapping[int, int]]], path: str | os.PathLike[str]
) -> None:
    """Draw how many secrets need n guesses, a panel for each row; raise TreeError as `check_plot` does."""
    check_plot(path)
    from matplotlib.figure import Figure

    worst = max(max(histogram) for _, histogram in rows)
    most = max(max(histogram.values()) for _, histogram in rows)
    figure = Figure(figsize=(7.2, 0.9 + 1.15 * len(rows)), layout="constrained")
    figure.suptitle(_literal(title), fontsize=11)
    for axes, (label, histogram) in zip(
        figure.subplots(len(rows), 1, sharex=True, squeeze=False).flat, rows, strict=True
    ):
        guesses = list(range(1, worst + 1))
        bars = axes.bar(guesses, [histogram.get(n, 0) for n in guesses], color="#0072B2", width=0.7)
        axes.bar_label(bars, [str(histogram.get(n, "")) for n in guesses], fontsize=8, padding=1)
        total, secrets = sum(n * m for n, m in histogram.items()), sum(histogram.values())
        axes.set_title(
            f"{label}: average {total / secrets:.4f}, worst {max(histogram)}", fontsize=9, loc="left"
        )
        axes.set_ylim(0, most * 1.25)
        axes.set_yticks([])
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.set_xticks(guesses)
    figure.supxlabel("guesses", fontsize=9)
    _save(figure, path)
