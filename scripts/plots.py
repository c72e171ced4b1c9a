"""Draw the plots of docs/coins.md, docs/many-tables.md, docs/hangman-results.md and docs/mixed.md.

    python scripts/plots.py                 all plots, into docs
    python scripts/plots.py FOLDER          into another folder

A plot is drawn from the figures kept as JSON, from tables of docs/coins.md, or from plans as they are made.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import log2
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from guesstree.engine.constructive.coins import counting_bound
from guesstree.engine.constructive.detecting import rows_for
from guesstree.engine.constructive.plans import plan
from guesstree.engine.constructive.size import Size
from guesstree.engine.onestep.valuations import BUDGET_VALUATIONS, COST_VALUATIONS

DOCS = Path(__file__).parent.parent / "docs"
BLUE, ORANGE, GREEN, PINK, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9"
COINS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


def draw(
    axes: Any,
    label: str,
    colour: str,
    numbers: Iterable[int],
    each: Callable[[int], float],
    style: str = "o-",
) -> None:
    """Draw what is taken in all over the number of coins or pegs, for each of them."""
    at = list(numbers)
    axes.plot(at, [each(n) / n for n in at], style, color=colour, label=label, linewidth=1.5, markersize=4)


def finish(axes: Any, title: str, across: str, up: str) -> None:
    """Name the axes of a plot, and put the legend into it."""
    axes.set_xscale("log")
    axes.set(xlabel=across, ylabel=up)
    axes.set_title(title, fontsize=11)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=9)


def page_rows(name: str) -> list[list[float]]:
    """Return the rows of a table of docs/coins.md."""
    lines = (DOCS / "coins.md").read_text().split(f"<!-- {name} -->\n")[1].split("<!-- end -->")[0]
    return [[float(cell) for cell in line.strip("|").split("|")] for line in lines.splitlines()[2:]]


def coins() -> Figure:
    """Draw weighings per coin of weight 0 or 1, planned and adapting."""
    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.subplots()
    sizes = sorted({round(2 * 5000 ** (i / 399)) for i in range(400)})
    draw(axes, "planned beforehand (Lindström)", BLUE, sizes, rows_for, "-")
    draw(axes, "2n / log2 n", "#999999", [n for n in sizes if n >= 4], lambda n: 2 * n / log2(n), "-")
    draw(axes, "lower bound by counting, any coins", "#000000", sizes, counting_bound, "-")
    for column, share, colour in ((6, 10, ORANGE), (7, 1, GREEN)):
        means = {int(row[0]): row[column] for row in page_rows("many") if row[0] * share >= 100}
        draw(axes, f"adapting, {share} % of the coins heavy", colour, means, means.__getitem__)
    finish(axes, "Weighings that tell heavy coins from light ones", "coins n", "weighings per coin")
    axes.set(ylim=(0, 1.05), xlim=(2, 10_500))
    return figure


def plans() -> Figure:
    """Draw plans for weights 0 to M, with random weighings, and with false sums."""
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    for most, colour in ((1, BLUE), (3, GREEN), (9, ORANGE)):
        draw(left, f"weights 0 to {most}", colour, COINS, lambda n, most=most: plan(n, most).rows)  # type: ignore[misc]
        quoted: Callable[[int], float] = lambda n, most=most: 4 * n * (1 + most) / log2(n)  # type: ignore[misc]  # noqa: E731
        draw(left, f"4(n + {most}n) / log2 n" if most > 1 else "8n / log2 n", colour, COINS, quoted, "--")
    finish(left, "Weights from 0 to M, planned beforehand", "coins n", "weighings per coin")
    left.set(yscale="log", ylim=(0.15, 60))
    left.set_yticks([0.2, 0.5, 1, 2, 5, 10, 20], ["0.2", "0.5", "1", "2", "5", "10", "20"])
    left.minorticks_off()
    for lies, colour in ((5, PINK), (3, ORANGE), (1, GREEN), (0, BLUE)):
        label = f"{lies} false sum{'s' * (lies > 1)}" if lies else "no false sum (Lindström)"
        draw(right, label, colour, COINS, lambda n, lies=lies: plan(n, 1, lies).rows)  # type: ignore[misc]
    rows = {int(row[0]): row for row in page_rows("chance")}
    draw(right, "random, all sets, 99 % of plans", "#000000", rows, lambda n: rows[n][4], "--")
    draw(right, "random, given coins, 99 % of plans", "#888888", rows, lambda n: rows[n][3], "--")
    finish(right, "Weights 0 and 1: false sums, random weighings", "coins n", "weighings per coin")
    right.set(ylim=(0, 4))
    return figure


def many() -> Figure:
    """Draw questions per peg for as many colours as pegs."""
    kept, figure = figures(), Figure(figsize=(7.2, 4.8), layout="constrained")
    axes = figure.subplots()
    for family, kind, label, colour in (
        ("mastermind", "random", "random codes", BLUE),
        ("mastermind", "different", "all colours different", ORANGE),
        ("blackpeg", "random", "random codes, black pegs only", GREEN),
        ("blackpeg", "different", "all different, black pegs only", PINK),
        ("mastermind", "entropy", "one-step, entropy", SKY),
    ):
        means = square(kept, family, kind)
        draw(axes, label, colour, means, means.__getitem__)
    sizes = list(square(kept, "mastermind", "random"))
    draw(axes, "log2 log2 n", "#000000", [n for n in sizes if n >= 4], lambda n: n * log2(log2(n)), "--")
    bound: Callable[[int], float] = lambda n: Size("mastermind", n, n).counting_bound  # noqa: E731
    draw(axes, "lower bound by counting", "#888888", sizes, bound, "--")
    finish(axes, "n pegs, n colours", "pegs n", "questions per peg")
    axes.set_ylim(0)
    return figure


def linear() -> Figure:
    """Draw questions per peg of the two ways to find where colours are."""
    kept, figure = figures(), Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.subplots()
    for way, colour in (("linear", ORANGE), ("blocks", BLUE)):
        means = square(kept, "mastermind", way)
        draw(axes, way, colour, means, means.__getitem__)
    finish(axes, "n pegs, n colours, all different", "pegs n", "questions per peg")
    axes.set_xscale("log", base=2)
    axes.set_xticks(list(means), [f"{n:,}" for n in means])
    axes.set_ylim(0)
    return figure


def two() -> Figure:
    """Draw questions per peg for two colours."""
    kept, figure = figures(), Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.subplots()
    rows = {size(key)[1]: row for key, row in kept.items() if key.startswith("blackpeg") and "two" in key}
    sizes = sorted(n for n in rows if n >= 16)
    draw(axes, "walking peg", ORANGE, sizes, lambda n: rows[n]["walk"])
    draw(axes, "coins, at most", BLUE, sizes, lambda n: rows[n]["max"])
    draw(axes, "2n / log2 n", "#000000", sizes, lambda n: 2 * n / log2(n), "--")
    bound: Callable[[int], float] = lambda n: Size("blackpeg", n, 2).counting_bound  # noqa: E731
    draw(axes, "lower bound by counting", "#888888", sizes, bound, "--")
    finish(axes, "n pegs, two colours, black pegs only", "pegs n", "questions per peg")
    axes.set_ylim(0)
    return figure


def hangman() -> Figure:
    """Draw words lost by the optimum, and by how many more one-step methods lose."""
    cells: dict[str, dict[str, Any]] = json.loads((DOCS / "hangman-results.json").read_text())["cells"]
    lengths = range(2, 11)
    optimum = {n: cells[f"{n} win-probability"] for n in lengths}
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    shares = [100 * row["upper"][0] / row["words"] for row in optimum.values()]
    bars = left.bar(lengths, shares, color=BLUE, width=0.7)
    left.bar_label(bars, [f"{row['upper'][0]:,}" for row in optimum.values()], fontsize=9, padding=1)
    left.set(ylabel="words lost, %", ylim=(0, 70))
    left.set_title("The optimum (above the bars: words)", fontsize=11)
    for name, colour, mark in zip(
        (*COST_VALUATIONS, *BUDGET_VALUATIONS), (BLUE, GREEN, ORANGE, PINK, "#000000"), "os^vD", strict=True
    ):
        rows = [(cells[f"{n} {name}"], optimum[n]["upper"][0]) for n in lengths]
        more = [100 * (row["words"] - row["won"] - lost) / row["words"] for row, lost in rows]
        right.plot(lengths, more, marker=mark, color=colour, label=name, linewidth=1.2, markersize=5)
    right.set(ylabel="% of the words")
    right.set_ylim(0)
    right.set_title("Words that one-step methods lose beyond the optimum", fontsize=11)
    right.legend(fontsize=9)
    for axes in (left, right):
        axes.set_xticks(lengths)
        axes.set_xlabel("letters; 6 misses are allowed")
        axes.grid(axis="y", alpha=0.25)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def mixed() -> Figure:
    """Draw what a codemaker who mixes gains over one who draws all codes alike."""
    gains: dict[int, dict[int, float]] = {}
    for spec, row in json.loads((DOCS / "mixed.json").read_text()).items():
        found = re.fullmatch(r"mastermind:(\d+)x(\d+)", spec)
        uniform = [Fraction(bound) for bound in row["uniform"]]
        if found and row["lower"] == row["upper"] and uniform[0] == uniform[1]:
            gain = Fraction(row["upper"]) / uniform[0] - 1
            gains.setdefault(int(found[1]), {})[int(found[2])] = 100 * float(gain)
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    axes = figure.subplots()
    pegs, most = sorted(gains), max(max(each.values()) for each in gains.values())
    for row, each in ((pegs.index(many), each) for many, each in gains.items()):
        for colours, percent in each.items():
            # Small gains are seen, too: what is shown grows as the root.
            shade = 0.9 * (percent / most) ** 0.5
            axes.add_patch(
                Rectangle((colours - 0.5, row - 0.5), 1, 1, facecolor=(ORANGE, shade), edgecolor="#999999")
            )
            axes.text(
                colours, row, f"{percent:.2f}" if percent else "0", ha="center", va="center", fontsize=10
            )
    axes.set(xlabel="colours", ylabel="pegs", xticks=range(2, 11), yticks=range(len(pegs)))
    axes.set_yticklabels([str(many) for many in pegs])
    axes.set(xlim=(1.4, 10.6), ylim=(len(pegs) - 0.4, -0.6))
    axes.set_title(
        "Gain of a codemaker who prefers some codes of Mastermind, in percent of the guesses", fontsize=11
    )
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def figures() -> dict[str, dict[str, float]]:
    """Return what docs/many.json keeps."""
    found: dict[str, dict[str, float]] = json.loads((DOCS / "many.json").read_text())
    return found


def size(key: str) -> tuple[str, int, int, str]:
    """Return the family, pegs, colours and what was counted of a key of docs/many.json."""
    spec, kind = key.split(maxsplit=1)
    family, _, numbers = spec.partition(":")
    pegs, colours = map(int, numbers.split("x"))
    return family, pegs, colours, kind


def square(kept: dict[str, dict[str, float]], family: str, kind: str) -> dict[int, float]:
    """Return the means of a kind of codes with as many colours as pegs, by rising pegs."""
    sizes = {size(key): row["mean"] for key, row in kept.items() if "mean" in row}
    found = {n: mean for (f, n, k, what), mean in sizes.items() if (f, k, what) == (family, n, kind)}
    return dict(sorted(found.items()))


PLOTS: dict[str, Callable[[], Figure]] = {
    "coins.svg": coins,
    "coins-plans.svg": plans,
    "many.svg": many,
    "many-linear.svg": linear,
    "many-two.svg": two,
    "hangman-results.svg": hangman,
    "mixed.svg": mixed,
}


def write(folder: Path, names: Iterable[str] = PLOTS) -> None:
    """Draw plots into a folder."""
    with matplotlib.rc_context({"svg.hashsalt": "guesstree"}):
        for name in names:
            PLOTS[name]().savefig(folder / name, metadata={"Date": None})


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
