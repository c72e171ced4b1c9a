"""Keep what the search counts, change by change, and draw it: tests/data/counts.csv, docs/counts.svg.

    python scripts/counts.py --add      take in the commits since the last one, by their messages
    python scripts/counts.py --plot     draw the plot

The message of a change of the search ends with `Nodes: N`: the states of all runs of `benchmark.py
--signature`.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "tests" / "data" / "counts.csv"
PLOT = ROOT / "docs" / "counts.svg"
HEADS = ["commit", "date", "nodes", "what"]
LOG = [
    "git",
    "log",
    "--reverse",
    "--no-merges",
    "--date=short",
    "--format=%h%x1f%ad%x1f%s%x1f%b%x1e",
    "--grep=^Nodes: ",
]


def kept() -> list[list[str]]:
    """Return the rows that are kept, oldest first."""
    with KEPT.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


def add() -> None:
    """Take in the commits whose messages have counts and that are not kept yet."""
    rows = kept() if KEPT.exists() else []
    known = {row[3] for row in rows}
    log = subprocess.run(LOG, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for entry in log.split("\x1e")[:-1]:
        commit, date, what, body = entry.strip().split("\x1f")
        nodes = re.search(r"^Nodes: (\d+)$", f"{body}\n", re.MULTILINE)
        if nodes is not None and what not in known:
            rows.append([commit, date, nodes[1], what])
    with KEPT.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADS, *rows])


def plot() -> None:
    """Draw the counts of all changes."""
    import matplotlib

    matplotlib.rcParams["svg.hashsalt"] = "guesstree"
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.step(range(1, len(kept()) + 1), [int(row[2]) for row in kept()], where="mid", marker="o")
    axes.set(xlabel="change of the search", ylabel="states of all runs", yscale="log")
    axes.grid(alpha=0.25)
    figure.savefig(PLOT, metadata={"Date": None})


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--add", action="store_true", help="take in new commits")
    parser.add_argument("--plot", action="store_true", help="draw the plot")
    given = parser.parse_args()
    if given.add:
        add()
    if given.plot:
        plot()


if __name__ == "__main__":
    main()
