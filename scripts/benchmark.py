"""Measure the search: a table of games x (states, evaluations, seconds, peak memory), and the node signature.

Usage: python scripts/benchmark.py [--signature] [--onestep] [--techniques] [--long]
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import guesstree
from guesstree.cext import counted

SIGNATURE = Path(__file__).parent.parent / "tests" / "data" / "signature.json"
SHORT: list[tuple[str, dict[str, Any]]] = [
    ("mastermind:3x5", {}),
    ("mastermind:4x5", {}),
    ("mastermind:4x6", {}),
    ("mastermind:4x6", {"max_depth": 5}),
    ("mastermind:4x6", {"objective": "worst"}),
    ("mastermind:4x6", {"objective": "worst", "goal": "identify"}),
    ("mastermind:4x6", {"objective": "worst,expected"}),
    ("mastermind:4x6", {"candidates_only": True}),
    ("mastermind:5x4", {}),
    ("mastermind:9x2", {}),
    ("bulls:4x6", {}),
    ("blackpeg:8x2", {"objective": "worst"}),
]
LONG: list[tuple[str, dict[str, Any]]] = [
    ("bulls:4x8", {}),
    ("mastermind:5x5", {}),
    ("mastermind:4x7", {}),
    ("mastermind:4x7", {"objective": "worst"}),
    ("mastermind:4x8", {}),
    ("bulls:4x10", {}),
    ("bulls:4x10", {"objective": "worst"}),
    ("mastermind:5x7", {"objective": "worst"}),
    ("mastermind:8x3", {"objective": "worst"}),
    ("mastermind:6x5", {"objective": "worst"}),
    ("mastermind:10x2", {}),
    ("mastermind:11x2", {"objective": "worst"}),
    ("mastermind:12x2", {"objective": "worst"}),
]


def measure(spec: str, options: dict[str, Any]) -> dict[str, Any]:
    """Solve one game in a process of its own, so that its peak memory is its own."""
    code = (
        "import json, resource, sys, guesstree\n"
        "spec, options = json.loads(sys.argv[1])\n"
        "s = guesstree.solve(guesstree.parse(spec), **options)\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(json.dumps([s.lower, s.upper, s.states, s.evaluations, s.seconds, peak]))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, json.dumps([spec, options])], capture_output=True, text=True, check=True
    )
    lower, upper, states, evaluations, seconds, peak = json.loads(run.stdout)
    return {
        "what": " ".join([spec, *(f"{k}={v}" for k, v in options.items())]),
        "value": ",".join(map(str, upper))
        + ("" if lower == upper else f" (at least {','.join(map(str, lower))})"),
        "states": states,
        "evaluations": evaluations,
        "seconds": f"{seconds:.2f}",
        "peak MB": peak // 1024,
    }


def techniques(spec: str) -> Iterable[dict[str, Any]]:
    """Search one game to the end with each technique left out, in one process each."""
    code = (
        "import json, sys, time, numpy as np, guesstree\n"
        "from guesstree.cext import counted\n"
        "from guesstree.engine.objective import OBJECTIVES\n"
        "from guesstree.engine.problem import Problem\n"
        "spec, name, without, how = json.loads(sys.argv[1])\n"
        "p = Problem(guesstree.parse(spec), OBJECTIVES['expected'], symmetry=name != 'symmetry')\n"
        "least, capacity = p.least, p.capacity\n"
        "s = counted.Searcher(p.table, p.marks, p.responses, p.winning, 1, False, least, capacity,\n"
        "    digits=p.codes.digits, renaming=p.renaming, without=without, **how)\n"
        "start = time.perf_counter()\n"
        "value = s.search(np.arange(p.secrets, dtype=np.int32), p.secrets, counted.INFINITE).upper\n"
        "spent = time.perf_counter() - start\n"
        "print(json.dumps([int(value), s.states, s.evaluations, spent]))\n"
    )
    variants: list[tuple[str, int, dict[str, int]]] = [
        ("nothing", 0, {}),
        ("bounds one step ahead", counted.AHEAD, {}),
        ("the hash move first", counted.HINTS, {}),
        ("numbers of parts", counted.BY_PARTS, {}),
        ("limits of the set at hand", counted.LIMITS, {}),
        ("equal partitions", counted.DUPLICATES, {}),
        ("nogoods", counted.NOGOODS, {}),
        ("sets that renamings make equal", counted.ALIKE, {}),
        ("local tables", counted.TABLES, {}),
        ("symmetry", 0, {}),
        ("memory of states (room for 16)", 0, {"memory": 1}),
    ]
    for name, without, how in variants:
        given = json.dumps([spec, name, without, how])
        try:
            run = subprocess.run(
                [sys.executable, "-c", code, given], capture_output=True, text=True, check=True, timeout=60
            )
            value, states, evaluations, seconds = json.loads(run.stdout)
        except subprocess.TimeoutExpired:
            value, states, evaluations, seconds = "over 60 s", "", "", float("inf")
        yield {
            "without": name,
            spec: value,
            "states": states,
            "evaluations": evaluations,
            "seconds": f"{seconds:.2f}",
        }


ONE_STEP = ["mastermind:4x6", "bulls:4x10", "mastermind:5x8", "bulls:5x10"]
ONE_STEP_LONG = ["mastermind:6x8"]


def one_step(spec: str, method: str) -> dict[str, Any]:
    """Play one method out in a process of its own; the second play is timed, when everything is loaded."""
    code = (
        "import json, resource, sys, guesstree\n"
        "for spec in ('mastermind:2x2', sys.argv[1]):\n"
        "    s = guesstree.solve(guesstree.parse(spec), method=sys.argv[2])\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(json.dumps([s.upper[0], s.evaluations, s.seconds, peak]))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, spec, method], capture_output=True, text=True, check=True
    )
    total, valued, seconds, peak = json.loads(run.stdout)
    return {
        "what": f"{spec} {method}",
        "total": total,
        "guesses valued": valued,
        "seconds": f"{seconds:.3f}",
        "valued per second": f"{valued / seconds:.3g}",
        "peak MB": peak // 1024,
    }


def print_rows(rows: Iterable[dict[str, Any]]) -> None:
    """Print rows as a Markdown table, each as soon as it is there."""
    for number, row in enumerate(rows):
        if not number:
            print("| " + " | ".join(row) + " |\n|" + "---|" * len(row))
        print("| " + " | ".join(map(str, row.values())) + " |", flush=True)


def signature() -> int:
    """Return the states expanded over the recorded runs, and print where counts or values differ."""
    total = 0
    for run in runs():
        found = counts(run)
        recorded = {name: run[name] for name in found}
        total += found["states"]
        what = " ".join([run["game"], *(f"{k}={v}" for k, v in run["options"].items())])
        print(f"{what}: {found}" + ("" if found == recorded else f" (recorded: {recorded})"))
    return total


def runs() -> list[dict[str, Any]]:
    """Return the recorded runs: game, options, and what `counts` returns for them."""
    return json.loads(SIGNATURE.read_text())["runs"]


def counts(run: dict[str, Any]) -> dict[str, Any]:
    """Solve the game of a run; return the value found, and the states and evaluations that it took.

    Files of games are named from the folder of the record.
    """
    with contextlib.chdir(SIGNATURE.parent):
        game = guesstree.parse(run["game"])
    found = guesstree.solve(game, **run["options"])
    return {"upper": list(found.upper), "states": found.states, "evaluations": found.evaluations}


def main(arguments: list[str]) -> None:
    """Print what was asked for."""
    long = "--long" in arguments
    if "--onestep" in arguments:
        specs = ONE_STEP + (ONE_STEP_LONG if long else [])
        methods = ("max-part", "expected-size", "entropy", "parts")
        print_rows(one_step(spec, method) for spec in specs for method in methods)
        return
    if "--techniques" in arguments:
        more = ["mastermind:4x7", "mastermind:5x5"] if long else []
        for spec in ["mastermind:5x4", "bulls:4x8", "blackpeg:4x6", *more]:
            print_rows(techniques(spec))
        return
    if "--signature" not in arguments:
        print_rows(measure(spec, options) for spec, options in SHORT + (LONG if long else []))
    print(f"Nodes: {signature()}")


if __name__ == "__main__":
    main(sys.argv[1:])
