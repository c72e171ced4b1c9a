"""Make large tables from a seed, solve and bound each within some seconds, and print what was reached.

python scripts/large_tables.py --limits 10,60,300 --json large.json     all of it (an hour)
python scripts/large_tables.py --only sparse --limits 10                one table
python scripts/large_tables.py --page large.json                        the table of docs/costs.md again
python scripts/large_tables.py --make tables/                           only write the tables
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]
SEED = 15
METHODS = ("least-cost", "reduction-per-cost", "information-per-cost", "entropy", "expected-size", "parts")
COMMANDS = ("solve", "bounds")


@dataclass(frozen=True)
class Made:
    """A table: answers, int64, shape (tests, causes); what causes weigh and tests cost, or None."""

    answers: Longs
    weights: Longs | None = None
    costs: Longs | None = None


def sparse_table(random: np.random.Generator, causes: int, tests: int) -> Longs:
    """Return tests that are positive for 3 to 25 causes each, or a few more so that all differ."""
    while True:
        rows = np.zeros((tests, causes), dtype=np.int64)
        for row in rows:
            row[random.choice(causes, int(random.integers(3, 26)), replace=False)] = 1
        # Causes with the same column get one more test each, until all differ.
        for _ in range(20):
            _, group, many = np.unique(rows, axis=1, return_inverse=True, return_counts=True)
            alike = np.flatnonzero(many[group.ravel()] > 1)
            if not len(alike):
                return rows
            rows[random.integers(0, tests, len(alike)), alike] = 1


def random_table(random: np.random.Generator, causes: int, tests: int) -> Longs:
    """Return tests of 2 to 5 answers, most of 2, some answers likelier than others."""
    shares = [random.dirichlet(np.ones(random.choice([2, 2, 2, 2, 2, 2, 3, 3, 4, 5]))) for _ in range(tests)]
    return np.array([random.choice(len(share), causes, p=share) for share in shares])


def ten(random: np.random.Generator, many: int) -> Longs:
    """Return numbers from 1 to 10."""
    return random.integers(1, 11, many)


def random_priced(random: np.random.Generator) -> Made:
    """Return 2,000 causes, 300 tests of 2 to 5 answers, most of 2; costs and weights from 1 to 10."""
    return Made(random_table(random, 2000, 300), ten(random, 2000), ten(random, 300))


def random_plain(random: np.random.Generator) -> Made:
    """Return the random table without costs and weights."""
    return Made(random_table(random, 2000, 300))


def sparse_priced(random: np.random.Generator) -> Made:
    """Return 500 causes, 200 tests, each positive for 3 to 25 causes; costs and weights from 1 to 10."""
    return Made(sparse_table(random, 500, 200), ten(random, 500), ten(random, 200))


def sparse_plain(random: np.random.Generator) -> Made:
    """Return the sparse table without costs and weights."""
    return Made(sparse_table(random, 500, 200))


def skewed(random: np.random.Generator) -> Made:
    """Return 1,000 causes, 200 tests of 2 to 5 answers; costs from 1 to 1,000, weights 10,000 / rank."""
    answers = random_table(random, 1000, 200)
    costs = np.rint(10 ** random.uniform(0, 3, 200)).astype(np.int64)
    return Made(answers, random.permutation(10_000 // np.arange(1, 1001)), costs)


TABLES: dict[str, Callable[[np.random.Generator], Made]] = {
    "random": random_priced,
    "random-plain": random_plain,
    "sparse": sparse_priced,
    "sparse-plain": sparse_plain,
    "skewed": skewed,
}


def write(name: str, path: Path) -> Made:
    """Write a table as CSV, the same for the same seed, and return it."""
    made = TABLES[name](np.random.default_rng(SEED))
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        priced = made.costs is not None
        rows.writerow(
            ["test", *(f"c{i}" for i in range(made.answers.shape[1])), *(["cost"] if priced else [])]
        )
        for i, answers in enumerate(made.answers.tolist()):
            rows.writerow([f"t{i}", *answers, *([] if made.costs is None else [int(made.costs[i])])])
        if made.weights is not None:
            rows.writerow(["weight", *made.weights.tolist(), *([""] if priced else [])])
    return made


def run(*arguments: str) -> tuple[dict[str, Any], float]:
    """Return what a command prints as JSON, and its peak memory in MiB."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "guesstree", *arguments, "--json"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"large_tables.py: guesstree {' '.join(arguments)} failed")
    return json.loads(text), usage.ru_maxrss / 1024


def value(bound: int | list[int]) -> int:
    """Return a bound of the first part of the objective."""
    return bound[0] if isinstance(bound, list) else bound


def measure(name: str, limits: list[int], commands: list[str], methods: list[str]) -> list[dict[str, Any]]:
    """Return a row for each command and limit: averages over the weight, and the gap in percent."""
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.csv"
        made = write(name, path)
        weight = made.answers.shape[1] if made.weights is None else int(made.weights.sum())
        for method in methods:
            if made.costs is None and "cost" in method:
                continue
            data, _ = run("solve", f"table:{path}", "--method", method)
            found.append({"table": name, "command": method, "upper": value(data["upper"]) / weight})
            print(found[-1], file=sys.stderr, flush=True)
        for limit in limits:
            for command in commands:
                data, peak = run(command, f"table:{path}", "--time-limit", str(limit))
                lower, upper = (value(data[side]) / weight for side in ("lower", "upper"))
                row = {"table": name, "command": command, "seconds": limit, "upper": upper, "lower": lower}
                found.append(row | {"gap": 100 * (upper - lower) / lower if lower else None, "peak": peak})
                print(found[-1], file=sys.stderr, flush=True)
    return found


def page(rows: list[dict[str, Any]], before: list[dict[str, Any]]) -> str:
    """Return the rows as a table in Markdown, with strategies and gaps that were measured `before`."""
    lines = [
        "| table | best one-step | command | seconds | strategy | at least | gap | MiB | before | gap |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name in TABLES:
        some, earlier = ([row for row in all_of if row["table"] == name] for all_of in (rows, before))
        steps = [(row["upper"], row["command"]) for row in some + earlier if "seconds" not in row]
        best = "{:.3f} ({})".format(*min(steps)) if steps else ""
        for row in sorted(
            (row for row in some if "seconds" in row), key=lambda r: (r["command"], r["seconds"])
        ):
            at = [r for r in earlier if all(r.get(key) == row[key] for key in ("command", "seconds"))]
            old = f"{at[0]['upper']:.3f} | {at[0]['gap']:.1f} %" if at else " | "
            lines.append(
                f"| {name} | {best} | {row['command']} | {row['seconds']} | {row['upper']:.3f} "
                f"| {row['lower']:.3f} | {row['gap']:.1f} % | {row['peak']:.0f} | {old} |"
            )
    return "\n".join(lines)


def read(path: Path | None) -> list[dict[str, Any]]:
    """Return the rows of a file; none where there is none."""
    found: list[dict[str, Any]] = []
    return found if path is None or not path.exists() else json.loads(path.read_text(encoding="utf-8"))


def main() -> None:
    """Make, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", choices=TABLES, help="one of the tables; may be repeated")
    parser.add_argument("--limits", default="10,60", help="seconds, by commas (default: 10,60)")
    parser.add_argument("--command", action="append", choices=COMMANDS, help="default: both")
    parser.add_argument("--no-methods", action="store_true", help="leave out the one-step methods")
    parser.add_argument("--json", type=Path, metavar="FILE", help="add what was measured to this file")
    parser.add_argument("--page", type=Path, metavar="FILE", help="print what such a file holds")
    parser.add_argument(
        "--before", type=Path, metavar="FILE", help="such a file, measured earlier, beside it"
    )
    parser.add_argument("--make", type=Path, metavar="FOLDER", help="only write the tables")
    given = parser.parse_args()
    names = given.only or list(TABLES)
    if given.make is not None:
        given.make.mkdir(parents=True, exist_ok=True)
        for name in names:
            write(name, given.make / f"{name}.csv")
        return
    if given.page is not None:
        print(page(read(given.page), read(given.before)))
        return
    limits = [int(limit) for limit in given.limits.split(",")]
    rows: list[dict[str, Any]] = []
    for name in names:
        more = measure(
            name, limits, given.command or list(COMMANDS), [] if given.no_methods else list(METHODS)
        )
        rows += more
        if given.json is not None:
            text = json.dumps(read(given.json) + more, indent=1) + "\n"
            given.json.write_text(text, encoding="utf-8")
    print(page(rows, read(given.before)))


if __name__ == "__main__":
    main()
