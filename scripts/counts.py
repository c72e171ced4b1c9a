"""Keep what the search counts, change by change, and draw it: tests/data/counts.csv, docs/counts.svg.

    python scripts/counts.py "First line of the message"      before the commit: keep its count, draw the plot
    python scripts/counts.py                                  draw the plot again

A count is the number of states of all runs of tests/data/signature.json, the `Nodes: N` of the message.
"""

from __future__ import annotations

import argparse
import csv
from datetime import date
from pathlib import Path

from benchmark import runs

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "tests" / "data" / "counts.csv"
PLOT = ROOT / "docs" / "counts.svg"
HEADS = ["date", "nodes", "what"]


def kept() -> list[list[str]]:
    """Return the rows that are kept, oldest first."""
    with KEPT.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


def add(what: str) -> None:
    """Keep what the search counts today, under the first line of the message of a commit to be made."""
    rows = [*kept(), [str(date.today()), str(sum(run["states"] for run in runs())), what]]
    with KEPT.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADS, *rows])


def plot() -> None:
    """Draw the counts of all changes."""
    import matplotlib

    matplotlib.rcParams["svg.hashsalt"] = "guesstree"
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.step(range(1, len(kept()) + 1), [int(row[1]) for row in kept()], where="mid", marker="o")
    axes.set(xlabel="change of the search", ylabel="states of all runs", yscale="log")
    axes.grid(alpha=0.25)
    figure.savefig(PLOT, metadata={"Date": None})


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", nargs="?", help="what the commit changes")
    given = parser.parse_args()
    if given.what:
        add(given.what)
    plot()


if __name__ == "__main__":
    main()
