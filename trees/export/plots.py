"""Histograms of several strategies, one above the other, as SVG or PNG."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..tree import TreeError

ENDINGS = (".svg", ".png")


def check_plot(path: str | os.PathLike[str]) -> str:
    """Return the ending of a plot's name; raise TreeError for one that cannot be drawn."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise TreeError(f"{str(path)!r}: accepted: a name that ends in {', '.join(ENDINGS)}")
    return ending


def histograms(
    title: str, rows: Sequence[tuple[str, Mapping[int, int]]], path: str | os.PathLike[str]
) -> None:
    """Draw how many secrets need n guesses, a panel for each row; whole or not at all.

    Raises TreeError when Matplotlib, the extra ``plot``, is not installed.
    """
    ending = check_plot(path)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise TreeError("plots need Matplotlib: pip install guesstree[plot]") from None
    import io

    from .output import write_whole

    worst = max(max(histogram) for _, histogram in rows)
    most = max(max(histogram.values()) for _, histogram in rows)
    figure = Figure(figsize=(7.2, 0.9 + 1.15 * len(rows)), layout="constrained")
    figure.suptitle(f"{title}: secrets by guesses needed", fontsize=11)
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
    data = io.BytesIO()
    meta = {"Date": None} if ending == ".svg" else {"Software": None}
    figure.savefig(data, format=ending[1:], dpi=144, metadata=meta)
    write_whole(path, data.getvalue())
