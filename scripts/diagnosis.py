"""Compare optimal strategies for tests that err, cost and share set-ups with others (docs/diagnosis.md).

    pip install scikit-learn pystreed
    python scripts/diagnosis.py [--data FOLDER] [--only TEXT]     measure what is missing
    python scripts/diagnosis.py --again [...]                     solve again, others are kept
    python scripts/diagnosis.py --table                           print the tables of the page

What is measured is kept in docs/diagnosis.json, so that a run may be stopped and taken up again.
Without data it runs what it makes itself: group testing, pools that err, noisy twenty questions, and random
stand-ins. FOLDER may have, each if it is there, cost/ (NAME.csv, NAME-classes.csv, NAME-loss-LEVEL.csv),
delta/, zoo/, trouble/, pools/ and wiser/.

Every example is written as a table and solved by the command line in a process of its own; the rules of
others are followed in the same model (scripts/peers.py). A row of a table has the cost of the best strategy
found (expected; in total for the cost-sensitive sets), at least how much any strategy costs, the seconds of
the processor, and what others cost.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from instances import (
    Classed,
    Instance,
    cost_set,
    costly,
    from_json,
    from_table,
    pools,
    twenty_questions,
    unknown,
    yes_or_no,
    zoo,
)
from peers import (
    KeyRule,
    Rule,
    bisection,
    entropy_rule,
    hierarchical,
    jia_rule,
    nested,
    repair_order,
    sklearn_tree,
    streed_tree,
    tree_cost,
    valued,
    worth_rule,
)

from guesstree.engine.noisy.model import Model

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "docs" / "diagnosis.json"
LEVELS = ("low", "middle", "high")
TENTH = Fraction(1, 10)
SEEDS = 20
DEPTHS = (4, 6)
"""Depths that pystreed is given: its authors' choice, and one with a time limit."""
DICHO: dict[str, dict[str, Fraction | str]] = {"pleiochiton": {"dichoKey of the R package": "5.333"}}
"""What a program takes that is not run here: it splits by Gini's index, which is the same for all splits."""

GROUPS = """
import json, sys
import guesstree, instances

game = instances.GroupTesting(int(sys.argv[1]))
found = guesstree.solve(game, time_limit=float(sys.argv[2]))
(lower,), (upper,) = found.lower, found.upper
print(json.dumps({"lower": lower, "upper": upper, "exact": f"{upper}/{sum(game.weights)}"}))
"""

HEAD = """\
| example | cost | at least | gap | s | others |
| --- | ---: | ---: | ---: | ---: | --- |"""

Others = dict[str, Fraction | str]
Record = dict[str, Any]


@dataclass(frozen=True)
class Example:
    """An example: its table, or how many samples; what others make of it; whether costs are added up."""

    name: str
    instance: Instance | int
    others: Callable[[], Others]
    total: bool = False


@dataclass(frozen=True)
class Ours:
    """What the search found: a value, at least what any strategy costs, and seconds of the processor."""

    value: Fraction | None
    lower: Fraction | None
    seconds: float
    said: str = ""


def solved(instance: Instance | int, seconds: float) -> Ours:
    """Solve a table by the command line, or group testing, where it is told that the samples are alike."""
    if isinstance(instance, int):
        return _run(["-c", GROUPS, str(instance), str(seconds)], str(ROOT))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "table.csv").write_text(instance.table(), encoding="utf-8")
        spec = f"table:table.csv{instance.options()}"
        return _run(["-m", "guesstree", "solve", spec, "--time-limit", str(seconds), "--json"], folder)


def _run(arguments: Sequence[str], folder: str) -> Ours:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    path = os.pathsep.join([str(ROOT), str(ROOT / "scripts"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if done.returncode or not done.stdout.startswith("{"):
        return Ours(None, None, used, (done.stderr.strip().splitlines() or ["no answer"])[-1])
    found: dict[str, Any] = json.loads(done.stdout)
    costs = found.get("costs", found)
    value = Fraction(costs.get("shown", costs)["exact"])
    return Ours(value, value * Fraction(found["lower"]) / Fraction(found["upper"]), used)


# -- what others do ----------------------------------------------------------------------------------------


def rules(instance: Instance, **some: Callable[[Model], Rule]) -> Others:
    """Return what rules cost that say what to ask next."""
    model = instance.model()
    return {name.replace("_", " "): valued(model, make(model))[0] for name, make in some.items()}


def keys(instance: Instance, known: Others) -> Others:
    """Return what KEY's rule costs, and others that ask for one character after another."""
    model = instance.model()
    return {
        "KEY": valued(model, KeyRule(model))[0],
        "KEY, states of equal right": valued(model, KeyRule(model, vary=1))[0],
        "entropy": valued(model, entropy_rule(model))[0],
    } | known


def searching(instance: Instance, wrong: int) -> Others:
    """Return what noisy binary search costs, with the best of its stops."""
    model = instance.model()
    stops = [Fraction(wrong * k, 100) for k in (0, 1, 2, 5, 10, 15, 20, 30, 50, 100)]
    matching = min(valued(model, bisection(model, stop))[0] for stop in stops)
    return {"posterior matching": matching} | rules(instance, one_step_ahead=worth_rule)


@dataclass(frozen=True)
class Columns:
    """The yes/no columns of a table, each part of a test, and examples with classes and how many they are."""

    owner: list[int]
    yes: list[list[bool]]
    causes: list[int]
    classes: list[int]
    counts: list[int]

    @property
    def matrix(self) -> Any:
        """The columns for the examples, shape (examples, columns)."""
        return np.array(self.yes)[:, self.causes].T


def columns_of(examples: Classed) -> Columns:
    """Return the columns of answers such as x0100: one for each digit."""
    owner, yes = [], []
    for t, test in enumerate(examples.instance.tests):
        answers = [next(iter(cell)) for cell in test.cells]
        for bit in range(1, len(answers[0])):
            owner.append(t)
            yes.append([answer[bit] == "1" for answer in answers])
    rows = [(c, k, many) for k, row in enumerate(examples.counts) for c, many in enumerate(row) if many]
    return Columns(owner, yes, *(list(some) for some in zip(*rows, strict=True)))


def learners(examples: Classed, seconds: float) -> Others:
    """Return what trees of scikit-learn and of pystreed cost.

    scikit-learn knows no costs: the best of several trees counts, examples weighed by their number or by what
    it costs to be wrong about them, each pruned in the best way.
    """
    model, columns = examples.instance.model(), columns_of(examples)
    dear = [many * sum(examples.losses[k]) for many, k in zip(columns.counts, columns.classes, strict=True)]
    trees = [
        sklearn_tree(columns.matrix, columns.classes, list(map(float, weights)), criterion, seed)
        for weights in (columns.counts, dear)
        for criterion in ("entropy", "gini")
        for seed in range(5)
    ]
    found: Others = {
        "scikit-learn": min(tree_cost(model, columns.owner, columns.yes, t, prune=True) for t in trees)
    }
    try:
        from pystreed import STreeDCostSensitiveClassifier
        from pystreed.data import CostSpecifier, FeatureCostSpecifier
    except ImportError:
        return found | {"pystreed": "not installed"}
    features, begin = [], 0
    for t, test in enumerate(examples.instance.tests):
        end = begin + columns.owner.count(t)
        later = test.cost if test.later is None else test.later
        features.append(
            FeatureCostSpecifier(float(test.cost), float(later), test.group or "x", begin, end - 1)
        )
        begin = end
    costs = CostSpecifier([list(map(float, row)) for row in examples.losses], features)
    each = np.repeat(np.arange(len(columns.causes)), columns.counts)
    for depth in DEPTHS:
        learner = STreeDCostSensitiveClassifier(max_depth=depth, time_limit=seconds)
        learner.fit(columns.matrix[each].astype(int), np.array(columns.classes)[each], costs)
        cost = tree_cost(model, columns.owner, columns.yes, streed_tree(learner.get_tree()), prune=False)
        proven = "" if learner.fit_result.is_optimal() else ", not proven"
        found[f"pystreed, depth {depth}{proven}"] = cost
    return found


def types(instance: Instance) -> Others:
    """Return what scikit-learn's trees of yes/no questions cost that tell the types of the zoo."""
    asked = yes_or_no(instance)
    model, columns = asked.model(), [[cell.keys() <= {"yes"} for cell in t.cells] for t in asked.tests]
    kinds = [
        next(k for k, row in enumerate(asked.losses.values()) if row[c] == 0) for c in range(len(columns[0]))
    ]
    costs = [
        tree_cost(
            model,
            range(len(columns)),
            columns,
            sklearn_tree(np.array(columns).T, kinds, None, criterion, seed),
            prune=False,
        )
        for criterion in ("entropy", "gini")
        for seed in range(SEEDS)
    ]
    return {"scikit-learn, best of seeds": min(costs), "worst": max(costs)}


# -- the examples ------------------------------------------------------------------------------------------


def made(seconds: float) -> Iterator[Example]:
    """Yield the examples that need no data; `seconds`: see `learners`."""
    for samples in (6, 7, 8):
        name = f"{samples} samples, 10 % infected"
        yield Example(name, samples, partial(group_testing, samples))
    game = pools(3, TENTH, Fraction(95, 100), Fraction(98, 100), wrong=20)
    yield Example("3 samples, pools that err", game, partial(rules, game, one_step_ahead=worth_rule))
    for numbers, copies, wrong in ((4, 2, 10), (5, 2, 20)):
        game = twenty_questions(numbers, copies, TENTH, wrong)
        name = f"{numbers} numbers, each question twice, 10 % wrong answers"
        yield Example(name, game, partial(searching, game, wrong))
    small = costly(60, 8, 3, seed=1)
    yield Example("random examples with classes", small.instance, partial(learners, small, seconds))
    table = unknown(255, 78, 0.12, seed=1)
    yield Example("random table of 255 x 78, 12 % unknown", table, partial(chemicals, table))


def found_in(data: Path, seconds: float) -> Iterator[Example]:
    """Yield the examples of a folder; `seconds`: see `learners`."""
    for path in sorted((data / "delta").glob("*.csv")):
        table = from_table(path, cliques=True)
        yield Example(path.stem, table, partial(keys, table, DICHO.get(path.stem, {})))
    if (data / "zoo" / "zoo.csv").exists():
        animals = zoo(data / "zoo")
        yield Example("zoo, 7 types", animals, dict)
        yield Example("zoo, 7 types, yes or no", yes_or_no(animals), partial(types, animals))
    for path in sorted((data / "trouble").glob("*.json")):
        table = from_json(path)
        yield Example(path.stem, table, partial(troubles, table))
    for path in sorted((data / "pools").glob("*.json")):
        table = from_json(path)
        yield Example(path.stem, table, partial(rules, table, one_step_ahead=worth_rule))
    for path in sorted((data / "wiser").glob("wiser-*.csv")):
        table = from_table(path, cliques=True)
        yield Example(path.stem, table, partial(chemicals, table))
    for path in sorted((data / "cost").glob("*-classes.csv")):
        name = path.stem.removesuffix("-classes")
        for level in LEVELS:
            some = cost_set(path.parent, name, level)
            yield Example(f"{name} {level}", some.instance, partial(learners, some, seconds), total=True)


def troubles(instance: Instance) -> Others:
    """Return what repairs by probability over cost take, and rules that look one step ahead."""
    if instance.ends:
        found = {"repairs by probability / cost": repair_order(instance.model())}
        return found | rules(instance, one_step_ahead=worth_rule)
    return rules(instance, entropy=entropy_rule)


def chemicals(instance: Instance) -> Others:
    """Return what greedy rules take where answers are unknown."""
    return rules(instance, entropy=entropy_rule, greedy_of_Jia_et_al=jia_rule)


def group_testing(samples: int) -> Others:
    """Return what other schemes of group testing take."""
    return {
        "nested (1959)": nested(samples, TENTH),
        "three stages": hierarchical(samples, TENTH, 3),
        "two stages": hierarchical(samples, TENTH, 2),
    }


# -- what is kept and printed ------------------------------------------------------------------------------


def row(name: str, record: Record) -> str:
    """Return a row of the table."""
    others = {other: _number(value) for other, value in record["others"].items()}
    ours, lower = _number(record["value"]), _number(record["lower"])
    if isinstance(ours, str) or isinstance(lower, str):
        own = f"{ours} | | "
    else:
        gap = "proven" if ours == lower else f"{100 * float(ours / lower - 1):.1f} %" if lower else "all"
        own = f"{shown(ours)} | {shown(lower)} | {gap}"
    told = "; ".join(f"{other} {_beside(value, ours)}" for other, value in others.items())
    return f"| {name} | {own} | {record['seconds']:.1f} | {told} |"


def _number(text: str) -> Fraction | str:
    """Return a fraction, or a text that is none."""
    return text if text.strip("0123456789/") else Fraction(text)


def shown(value: Fraction) -> str:
    """Return a figure with as many digits as a reader wants."""
    return f"{float(value):.4f}" if value < 100 else f"{float(value):.2f}"


def _beside(value: Fraction | str, ours: Fraction | str) -> str:
    """Return what another takes, and how much more than ours that is."""
    if isinstance(value, str) or isinstance(ours, str) or not ours:
        return value if isinstance(value, str) else shown(value)
    return f"{shown(value)} ({100 * float(value / ours - 1):+.1f} %)"


def measured(one: Example, record: Record, seconds: float) -> Record:
    """Return what is known of an example, with what was missing."""
    record["total"] = one.total
    scale = sum(one.instance.weights) if isinstance(one.instance, Instance) and one.total else 1
    if "value" not in record:
        ours = solved(one.instance, seconds)
        told = [ours.said if v is None else str(v * scale) for v in (ours.value, ours.lower)]
        record |= {"value": told[0], "lower": told[1], "seconds": round(ours.seconds, 1)}
    if "others" not in record:
        found = one.others()
        record["others"] = {o: v if isinstance(v, str) else str(v * scale) for o, v in found.items()}
    return record


def tables(known: dict[str, Record]) -> list[str]:
    """Return the tables of the page: total costs of cost-sensitive sets, and expected costs of the others."""
    parts: dict[bool, list[str]] = {False: [], True: []}
    for name, record in known.items():
        parts[record["total"]].append(row(name, record))
    return ["\n".join([HEAD, *rows]) + "\n" for rows in parts.values() if rows]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, or print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, metavar="FOLDER")
    parser.add_argument("--only", default="", metavar="TEXT", help="examples with this in their names")
    parser.add_argument("--again", action="store_true", help="solve again what is known")
    parser.add_argument("--table", action="store_true", help="print the tables")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FILE")
    parser.add_argument("--seconds", type=float, default=60, help="for each search (default: 60)")
    parser.add_argument("--peer-seconds", type=float, default=40, help="for each of pystreed's (default: 40)")
    given = parser.parse_args(arguments)
    known: dict[str, Record] = json.loads(given.results.read_text()) if given.results.exists() else {}
    if given.table:
        print("\n".join(tables(known)), end="")
        return
    examples = made(given.peer_seconds)
    if given.data:
        examples = chain(examples, found_in(given.data, given.peer_seconds))
    for one in examples:
        if given.only in one.name:
            before = dict(known.get(one.name, {}))
            if given.again:
                before.pop("value", None)
            known[one.name] = measured(one, before, given.seconds)
            print(row(one.name, known[one.name]), flush=True)
            given.results.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
