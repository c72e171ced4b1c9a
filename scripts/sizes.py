"""Trees of a limited size beside those of pystreed and scikit-learn, on the cost-sensitive sets of UCI data.

    python scripts/sizes.py FOLDER              measure, and write docs/sizes.json
    python scripts/sizes.py --table             print the table of what was measured

The folder has files such as those that `data/cost-sensitive` of AlgTUDelft/pystreed becomes: NAME.csv (tests
in rows, distinct examples in columns; cost, group, discount), NAME-classes.csv (how often each example has
each class) and NAME-loss-middle.csv. Each answer of a test is a yes/no feature for all three programs, which
count wrong examples; a second run of guesstree takes the tests whole, with their costs and losses. pystreed
finds the best tree too, scikit-learn grows one.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import guesstree

KNOWN = Path(__file__).parent.parent / "docs" / "sizes.json"
SETS = (
    "annealing,breast,car,diabetes,flare,glass,heart,hepatitis,iris,mushroom,nursery,soybean,tictactoe,wine"
)
LIMITS: dict[str, dict[str, Any]] = {
    "depth 3": {"max_depth": 3},
    "depth 4": {"max_depth": 4},
    "depth 5": {"max_depth": 5},
    "8 leaves": {"max_depth": 4, "max_leaves": 8},
    "16 leaves": {"max_depth": 5, "max_leaves": 16},
}
"""With the depth that the number of leaves has for pystreed, too."""
COSTLY: dict[str, dict[str, Any]] = {
    "depth 3": {"max_depth": 3},
    "depth 4": {"max_depth": 4},
    "depth 5": {"max_depth": 5},
    "8 leaves": {"max_leaves": 8},
    "16 leaves": {"max_leaves": 16},
}


class Examples:
    """The examples of a set: `columns` by test, `classes` and how often each comes, and what all costs."""

    def __init__(self, folder: Path, name: str) -> None:
        head, *rows = _rows(folder / f"{name}.csv")
        count = head.index("cost") - 1
        self.costs = {row[0]: Fraction(row[count + 1]) for row in rows}
        self.groups = {row[0]: row[count + 2] for row in rows if row[count + 2]}
        self.later = {row[0]: Fraction(row[count + 3]) for row in rows if row[count + 3]}
        _, *classes = _rows(folder / f"{name}-classes.csv")
        (_, *true), *losses = _rows(folder / f"{name}-loss-middle.csv")
        self.loss = {
            (say, own): Fraction(x) for say, *row in losses for own, x in zip(true, row, strict=True)
        }
        met = [(i, row[0], int(row[i + 1])) for i in range(count) for row in classes if int(row[i + 1])]
        self.columns = {row[0]: [row[i + 1] for i, _, _ in met] for row in rows}
        self.classes, self.weights = [own for _, own, _ in met], [times for _, _, times in met]

    def answers(self) -> Any:
        """Return yes/no features, one for each answer that says something new; shape (examples, features)."""
        found: dict[tuple[int, ...], None] = {}
        for values in self.columns.values():
            for answer in sorted(set(values)):
                column = tuple(int(one == answer) for one in values)
                if len(set(column)) > 1 and tuple(1 - x for x in column) not in found:
                    found[column] = None
        return np.array(list(found)).T


def _rows(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what some work returns, and the seconds that it took."""
    start = time.perf_counter()
    return work(), round(time.perf_counter() - start, 2)


def of_guesstree(found: guesstree.Tests, seconds: float, weight: int) -> dict[str, Any]:
    """Return what a tree costs in all, whether that is proven, and the seconds."""
    value = found.expected_ * weight
    return {"value": float(value), "proven": found.solution_.optimal, "seconds": seconds}


def measure(folder: Path, name: str, seconds: float) -> dict[str, Any]:
    """Return what all programs find for a set."""
    data, found = Examples(folder, name), dict[str, Any]()
    features, weight = data.answers(), sum(data.weights)
    number = {own: i for i, own in enumerate(sorted(set(data.classes)))}
    own = np.array([number[one] for one in data.classes])
    many, all_own = np.repeat(features, data.weights, axis=0), np.repeat(own, data.weights)
    found = {"examples": weight, "features": features.shape[1], "tests": len(data.columns)}
    streed, sklearn = (import_module(one) for one in ("pystreed", "sklearn.tree"))
    for limit, given in LIMITS.items():
        tests = guesstree.Tests(costs=[0] * features.shape[1], wrong=1, time_limit=seconds, **given)
        row = {"guesstree": of_guesstree(*timed(partial(tests.fit, features, own, data.weights)), weight)}
        leaves = given.get("max_leaves")
        model = streed.STreeDClassifier(
            max_depth=given["max_depth"],
            max_num_nodes=None if leaves is None else leaves - 1,
            optimization_task="accuracy",
            time_limit=seconds,
        )
        _, took = timed(partial(model.fit, many, all_own))
        wrong = int((model.predict(many) != all_own).sum())
        row["pystreed"] = {"value": wrong, "proven": bool(took < seconds), "seconds": took}
        grown = sklearn.DecisionTreeClassifier(
            max_depth=given["max_depth"], max_leaf_nodes=leaves, random_state=0
        ).fit(many, all_own)
        row["scikit-learn"] = {"value": int((grown.predict(many) != all_own).sum())}
        found[limit] = row
        print(name, limit, row, flush=True)
    found["costs"] = {}
    for limit, given in COSTLY.items():
        tests = guesstree.Tests(
            costs=data.costs,
            groups=data.groups,
            later=data.later,
            loss=data.loss,
            time_limit=seconds,
            **given,
        )
        fitted, took = timed(partial(tests.fit, data.columns, data.classes, data.weights))
        found["costs"][limit] = of_guesstree(fitted, took, weight)
        print(name, "costs", limit, found["costs"][limit], flush=True)
    return found


def table(known: dict[str, Any]) -> str:
    """Return the table: wrong examples and seconds of the best tree, of pystreed, and of scikit-learn."""
    lines = [["set", "examples", "yes/no features", *LIMITS], ["---", *["---:"] * (2 + len(LIMITS))]]
    for name, row in known.items():
        cells = [name, str(row["examples"]), str(row["features"])]
        for limit in LIMITS:
            ours, streed, grown = (row[limit][one] for one in ("guesstree", "pystreed", "scikit-learn"))
            mark = "" if ours["proven"] else ">"
            cells.append(
                f"**{ours['value']:.0f}**{mark} ({ours['seconds']:.1f} s; {streed['value']}, "
                f"{streed['seconds']:.1f} s; {grown['value']})"
            )
        lines.append(cells)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main() -> None:
    """Measure all sets, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="where the sets are")
    parser.add_argument("--sets", default=SETS, help="which of them, with commas")
    parser.add_argument("--seconds", type=float, default=60, help="time limit of each search")
    parser.add_argument("--table", action="store_true", help="print the table of what was measured")
    given = parser.parse_args()
    known = json.loads(KNOWN.read_text()) if KNOWN.exists() else {}
    if given.folder is not None:
        for name in given.sets.split(","):
            known[name] = measure(given.folder, name, given.seconds)
            KNOWN.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")
    if given.table:
        print(table(known), end="")


if __name__ == "__main__":
    main()
