"""Plots of strategies as SVG, PNG or PDF: histograms one above the other, an evolution, curves."""

from __future__ import annotations

import importlib.util
import io
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..tree import TreeError
from .output import check_ending, write_whole

if TYPE_CHECKING:
    from ..breed.breakers import Survey

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
    title: str,
    log: Sequence[Mapping[str, float]],
    each: Fraction,
    counted: str,
    path: str | os.PathLike[str],
) -> None:
    """Draw the average over the generations: the population's, and the best so far.

    `log` has `generation`, `min`, `mean`, `max` (averages) and `best` (a total) for each generation; `each`
    is what a total is divided by, `counted` what the averages are.
    """
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    generations = [row["generation"] for row in log]
    low, high = [row["min"] for row in log], [row["max"] for row in log]
    axes.fill_between(generations, low, high, alpha=0.2, color="#0072B2", label="min to max")
    axes.plot(generations, [row["mean"] for row in log], color="#0072B2", label="mean")
    axes.plot(generations, [row["best"] / float(each) for row in log], color="#D55E00", label="best so far")
    axes.set(xlabel="generation", ylabel=counted, title=_literal(title))
    axes.legend()
    _save(figure, path)


def populations(title: str, counted: str, found: Sequence[Survey], path: str | os.PathLike[str]) -> None:
    """Draw the fitness of populations, game by game: min to max and mean of each stage, and the optimum.

    Raises TreeError as `check_plot` does.
    """
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(max(4.5, 1.6 + 0.75 * len(found)), 4.4), layout="constrained")
    axes = figure.subplots()
    stages = {"raw": ("#999999", -0.2), "shrunk": ("#0072B2", 0.0), "triangles": ("#009E73", 0.2)}
    for stage, (colour, beside) in stages.items():
        rows = [one.figures()[stage] for one in found]
        places = [place + beside for place in range(len(found))]
        axes.vlines(places, [row["min"] for row in rows], [row["max"] for row in rows], color=colour, lw=3)
        axes.plot(places, [row["mean"] for row in rows], "o", color=colour, label=stage)
    optima = [one.optimum for one in found]
    axes.plot(range(len(found)), optima, "_", ms=24, mew=2.5, color="#D55E00", label="optimum")
    names = [_literal(one.game) for one in found]
    axes.set_xticks(range(len(found)), names, rotation=45, ha="right", fontsize=9)
    axes.set(ylabel=counted, title=_literal(title))
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", alpha=0.3)
    figure.legend(loc="outside lower center", ncols=4, fontsize=9)
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


def curve(
    title: str,
    number: str,
    counted: str,
    points: Sequence[tuple[float, float]],
    now: tuple[float, float],
    path: str | os.PathLike[str],
) -> None:
    """Draw what the best strategy takes where a number is another: a line with a mark at each bend.

    `number` and `counted` name the axes, `now` is what the number is. Raises TreeError as `check_plot` does.
    """
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.8), layout="constrained")
    axes = figure.subplots()
    axes.plot(*zip(*points, strict=True), "o-", ms=3.5, color="#0072B2", label="the best strategy")
    axes.plot(*now, "D", ms=6, color="#D55E00", label="as the table says")
    axes.set(xlabel=_literal(number), ylabel=counted, title=_literal(title))
    axes.grid(alpha=0.3)
    axes.legend(fontsize=9)
    _save(figure, path)


def front(
    title: str, names: tuple[str, str], points: Sequence[tuple[float, float]], path: str | os.PathLike[str]
) -> None:
    """Draw the front of two measures, its strategies numbered; raise TreeError as `check_plot` does."""
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(*zip(*points, strict=True), "o-", ms=4, color="#0072B2")
    for number, point in enumerate(points, 1):
        axes.annotate(str(number), point, textcoords="offset points", xytext=(4, 4), fontsize=9)
    axes.set(xlabel=_literal(names[0]), ylabel=_literal(names[1]), title=_literal(title))
    axes.grid(alpha=0.3)
    _save(figure, path)


def costs_by_size(
    sizes: Sequence[str],
    fitted: Sequence[float],
    validated: Sequence[float],
    errors: Sequence[float],
    chosen: Mapping[str, int],
    axis: str,
    path: str | os.PathLike[str],
) -> None:
    """Draw what trees from small to large cost for their own examples and for new ones.

    `sizes`: what each tree is called on the axis; `chosen`: marks, with the places of trees.
    """
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    places = range(len(sizes))
    known = [i for i in places if validated[i] < float("inf")]
    axes.plot(places, fitted, "o--", color="#0072B2", label="its own examples")
    axes.errorbar(
        known,
        [validated[i] for i in known],
        yerr=[errors[i] for i in known],
        fmt="s-",
        capsize=3,
        color="#D55E00",
        label="new examples (cross-validated, one standard error)",
    )
    for name, place in chosen.items():
        axes.axvline(place, color="0.6", linewidth=1, zorder=0)
        axes.annotate(
            name,
            (place, 1),
            xycoords=("data", "axes fraction"),
            xytext=(3, -3),
            textcoords="offset points",
            va="top",
            fontsize=9,
            color="0.3",
            rotation=90,
        )
    axes.set_xticks(list(places), list(map(_literal, sizes)))
    axes.set(xlabel=axis, ylabel="cost of an example")
    axes.legend()
    _save(figure, path)
