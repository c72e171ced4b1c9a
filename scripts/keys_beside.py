"""How long keys are by guesstree and by the rule of dichoKey, for a table of kinds and characters.

    python scripts/keys_beside.py viola.csv pleiochiton.csv

For each table a row of docs/keys.md: characters asked on average and at most, by the best key, by the best
key of two leads, and by the rule of dichoKey.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import guesstree
from guesstree.engine.tables.reading import read_file

OPTIONS = ",cells=sets,missing=any,ambiguous=clique"


def by_rule(characters: Sequence[Sequence[str]]) -> Mapping[int, int]:
    """Return how many questions dichoKey asks for each kind, as its rule goes.

    dichoKey (in the R package monographaR, Reginato 2016) hands the table to rpart, with a row for each kind
    and the text of a cell as one label, `a/b` beside `a`. rpart grows the tree by Gini's index. Where n rows
    are n classes, each split lowers the sum of n - 1 by the same amount, 1, times the share of rows whose
    cell says something. So the first of the fullest characters is asked, and its first label is told from all
    others. Kinds without a cell go to the larger side; rpart sends them by other characters that agree.
    """
    found: dict[int, int] = {}
    waiting = [(list(range(len(characters[0]))), 0)]
    while waiting:
        left, depth = waiting.pop()
        told = [(row, {row[kind] for kind in left} - {""}) for row in characters]
        several = [(row, labels) for row, labels in told if len(labels) > 1]
        if len(left) < 2 or not several:
            found |= dict.fromkeys(left, depth)
            continue
        row, labels = max(several, key=lambda one: sum(one[0][kind] != "" for kind in left))
        first = [kind for kind in left if row[kind] == min(labels)]
        others = [kind for kind in left if row[kind] not in ("", min(labels))]
        unknown = [kind for kind in left if row[kind] == ""]
        (first if len(first) > len(others) else others).extend(unknown)
        waiting += [(first, depth + 1), (others, depth + 1)]
    return found


def figures(spec: str, objective: str = "expected") -> str:
    """Return what the best strategy asks on average and at most; fail where it is not proven."""
    solution = guesstree.solve(spec, objective)
    assert solution.optimal, spec
    report = solution.strategy.check()
    assert report.average is not None
    return f"{float(report.average):.4f}, {report.worst}"


def row_of(path: str) -> str:
    """Return the row of a table."""
    content = read_file(f"{path}{OPTIONS}").content
    asked = by_rule(content.cells)
    rule = f"{float(Fraction(sum(asked.values()), len(asked))):.4f}, {max(asked.values())}"
    best = [
        figures(f"table:{path}{OPTIONS}{more}", objective)
        for more in ("", ",dichotomous,order=none")
        for objective in ("expected", "worst,expected")
    ]
    return " | ".join(["", Path(path).stem, *best, rule, ""]).strip()


def main() -> None:
    """Print a row for each table."""
    parser = argparse.ArgumentParser(description="how long keys are, by several rules")
    parser.add_argument("tables", nargs="+", metavar="FILE.csv")
    for path in parser.parse_args().tables:
        print(row_of(path))


if __name__ == "__main__":
    main()
