"""Compute docs/hangman-results.md: Hangman with the English words of each length, exactly or between bounds.

A cell is a list and an objective, or a one-step method. What is known of each is kept in
docs/hangman-results.json, so that a run may be stopped and taken up again. The list is that of
`hangman:english` (pip install guesstree[words]).

    python scripts/hangman.py --time-limit 150          compute what is missing, short lists first
    python scripts/hangman.py --length 5 --time-limit 600
    python scripts/hangman.py --table                   write the page and the plot from what is kept
"""

from __future__ import annotations

import argparse
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from results import due, load, merge, rows, write_beside

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "hangman-results.json"
LENGTHS = (*range(1, 21), 22, 23, 28)
MISSES = 6
OBJECTIVES = ("win-probability", "worst")
METHODS = ("least-cost", "reduction-per-cost", "information-per-cost")
Record = dict[str, Any]


def solved(length: int, objective: str, limit: float | None, jobs: int) -> Record:
    """Search for the optimum; raise ValueError when the tree fails the check."""
    import guesstree
    from guesstree.trees.export.files import as_document

    game = guesstree.parse(f"hangman:english-{length},misses={MISSES}")
    solution = guesstree.solve(game, objective, time_limit=limit, jobs=jobs)
    strategy = solution.strategy
    report = strategy.check()
    if not report.valid or report.messages() or report.costs is None:
        raise ValueError(f"the tree fails the check: {'; '.join(report.messages()[:3])}")
    if report.costs.value(objective) != solution.upper:
        raise ValueError(f"the tree has {report.costs.value(objective)}, not {solution.upper}")
    return {
        "words": len(game.secrets),
        "lower": list(solution.lower),
        "upper": list(solution.upper),
        "total": report.costs.total,
        "worst": report.costs.worst,
        "states": solution.states,
        "evaluations": solution.evaluations,
        "seconds": round(solution.seconds, 2),
        "time_limit": limit,
        "jobs": jobs,
        "sha256": sha256(json.dumps(as_document(game, strategy), sort_keys=True).encode()).hexdigest(),
    }


def played(length: int, method: str) -> Record:
    """Play a one-step method out for every word."""
    import guesstree
    from guesstree.trees.figures import strategy_costs

    game = guesstree.parse(f"hangman:english-{length},misses={MISSES}")
    solution = guesstree.solve(game, "win-probability", method=method)
    costs = strategy_costs(game, solution.strategy)
    if costs is None:
        raise ValueError("no costs")
    return {
        "words": len(game.secrets),
        "won": costs.won,
        "total": costs.total,
        "worst": costs.worst,
        "seconds": round(solution.seconds, 2),
    }


def store(path: Path, name: str, record: Record) -> None:
    """Keep the record of one cell, one line of the file per cell."""
    cells = load(path) | {name: record}
    order = [f"{n} {what}" for n in LENGTHS for what in (*OBJECTIVES, *METHODS)]
    lines = ",\n".join(f"{json.dumps(n)}: {json.dumps(cells[n])}" for n in order if n in cells)
    write_beside(path, f'{{"format": "guesstree-hangman/1", "cells": {{\n{lines}\n}}}}\n')


def compute(path: Path, lengths: list[int], limit: float | None, jobs: int) -> None:
    """Compute what is missing, or may be better with more time."""
    known = load(path)
    for length in lengths:
        for method in METHODS:
            name = f"{length} {method}"
            if name not in known:
                store(path, name, played(length, method))
    for length in lengths:
        for objective in OBJECTIVES:
            name = f"{length} {objective}"
            if due(known.get(name), limit):
                record = merge(known.get(name), solved(length, objective, limit, jobs))
                store(path, name, record)
                print(f"{name}: {record['lower']} to {record['upper']} in {record['seconds']} s", flush=True)


# -- the page ----------------------------------------------------------------------------------------------


def share(won: int, words: int) -> str:
    """Return a share in percent: never 100 where one is missing, nor 0 where one is there."""
    if won in (0, words):
        return "100 %" if won else "0 %"
    return f"{min(max(100 * won / words, 0.001), 99.999):.3f} %"


def between(lower: str, upper: str) -> str:
    """Return a value, or its bounds."""
    return lower if lower == upper else f"{lower} to {upper}"


def optima(cells: dict[str, Record]) -> str:
    """Return the table of what is proved."""
    body = []
    for length in LENGTHS:
        won, worst = (cells.get(f"{length} {objective}") for objective in OBJECTIVES)
        if won is None or worst is None:
            continue
        n = won["words"]
        lost = between(str(won["lower"][0]), str(won["upper"][0]))
        chance = between(share(n - won["upper"][0], n), share(n - won["lower"][0], n))
        cost = won["upper"][1] if won["lower"] == won["upper"] else ""
        misses = between(str(worst["lower"][0]), str(worst["upper"][0]))
        spent = [
            f"{r['states']}, {r['seconds']:.1f}" + (f" ({r['jobs']} threads)" if r.get("jobs", 1) > 1 else "")
            for r in (won, worst)
        ]
        body.append([length, n, lost, chance, cost, spent[0], misses, spent[1]])
    head = ["letters", "words", "lost", "won", "misses of the won", "states, s", "worst case", "states, s"]
    return rows(head, body)


def gaps(cells: dict[str, Record]) -> str:
    """Return the table of one-step methods beside what is proved."""
    body = []
    for length in LENGTHS:
        found, best = (
            [cells.get(f"{length} {method}") for method in METHODS],
            cells.get(f"{length} {OBJECTIVES[0]}"),
        )
        worst = cells.get(f"{length} {OBJECTIVES[1]}")
        if best is None or worst is None or None in found:
            continue
        lost = [f"{r['words'] - r['won']} / {r['worst']}" for r in found if r is not None]
        values = (between(str(r["lower"][0]), str(r["upper"][0])) for r in (best, worst))
        body.append([length, *lost, " / ".join(values)])
    return rows(["letters", *METHODS, "exact"], body)


def plot(cells: dict[str, Record], path: Path) -> None:
    """Draw the share of words that each method loses over the number of letters, and the bounds."""
    import matplotlib

    matplotlib.rcParams["svg.hashsalt"] = "guesstree"
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.2), layout="constrained")
    axes = figure.subplots()
    lengths = [n for n in LENGTHS if 1 < n <= 12 and f"{n} {OBJECTIVES[0]}" in cells]
    for method, colour, mark in zip(METHODS, ("#0072B2", "#009E73", "#E69F00"), "os^", strict=True):
        found = [cells[f"{n} {method}"] for n in lengths]
        share = [100 * (r["words"] - r["won"]) / r["words"] for r in found]
        axes.plot(lengths, share, marker=mark, color=colour, label=method, linewidth=1, markersize=5)
    best = [cells[f"{n} {OBJECTIVES[0]}"] for n in lengths]
    low, high = ([100 * r[bound][0] / r["words"] for r in best] for bound in ("lower", "upper"))
    axes.fill_between(lengths, low, high, color="#D55E00", alpha=0.2, label="optimum: between these")
    axes.plot(lengths, high, color="#D55E00", label="best strategy found", linewidth=1)
    axes.set(xlabel="letters", ylabel=f"words lost with {MISSES} misses allowed, %", xticks=lengths)
    axes.set_yscale("symlog", linthresh=0.01)
    axes.set_ylim(0, 100)
    axes.legend()
    figure.savefig(path, metadata={"Date": None})


TEXT = """# Hangman with English words

This page is for everybody who wants to know how well [Hangman](hangman.md) can be played. It lists the
proven results for `hangman:english-N`, the words of N letters in the list of the package symspellpy
(82,769 words of a to z). All words are equally likely. {misses} misses are allowed: the player loses a
word with the {next}th miss. `scripts/hangman.py` writes this page from
[hangman-results.json](hangman-results.json); do not edit it.

- *Lost*: the least number of words that a strategy can lose. *Won*: the largest share of words that a
  strategy can win. *Misses of the won*: the least number of misses for all won words together, among the
  strategies that lose the fewest words.
- *Worst case*: the least number of misses that is enough for every word, if any number of misses were
  allowed.

`a to b` are bounds: the time limit stopped the search. The independent checker replayed every strategy
for every word. Seconds are wall-clock time on a busy two-core machine; states count the work.

{optima}
## One-step strategies

Each cell shows the number of words lost with {misses} misses allowed, then the misses in the worst case.
Three columns are for [one-step strategies](onestep.md), each played for every word; the last column shows
the proven values of the best strategies.

{gaps}
![Words lost by the number of letters](hangman-results.svg)

## Reproduce

```sh
pip install guesstree[words,plot]
python scripts/hangman.py --time-limit 150
python scripts/hangman.py --table
```

Next: [solve a list of words of your own](hangman.md).
"""


def page(cells: dict[str, Record]) -> str:
    """Return the page."""
    return TEXT.format(misses=MISSES, next=MISSES + 1, optima=optima(cells), gaps=gaps(cells))


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--length", type=int, action="append", help="of words, only")
    parser.add_argument("--time-limit", type=float, help="seconds for each search")
    parser.add_argument("--jobs", type=int, default=1, help="threads of each search")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help="what is kept; the page stands beside it"
    )
    parser.add_argument("--table", action="store_true", help="write the page and the plot")
    options = parser.parse_args()
    if options.table:
        cells = load(options.results)
        write_beside(options.results.with_suffix(".md"), page(cells))
        plot(cells, options.results.with_suffix(".svg"))
        return 0
    compute(options.results, options.length or list(LENGTHS), options.time_limit, options.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
