"""Measure what more threads, more workers, and workers of several threads bring, on this machine.

    python scripts/scaling.py                        Mastermind 4x8, up to all processors, five rounds
    python scripts/scaling.py GAME [GAME ...] [--processors N] [--rounds K] [--objective worst]

A round runs every way once, one after another, so that what disturbs the machine disturbs all. A ratio is
between runs of the same round; the median of the rounds is printed, with the least and the largest. *Seconds*
are those of `solve`, or of `prove --trust` with a ledger, from the game to the strategy; *processors* is the
time of all processors. *Share* is the ratio divided by the processors that a way may use: at best 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from statistics import median
from typing import Any, NamedTuple

import certify
from benchmark import print_rows

RUN = """
import json, os, sys, tempfile, time
import guesstree
if __name__ == "__main__":
    spec, objective, jobs, workers = json.loads(sys.argv[1])
    game, since = guesstree.parse(spec), time.perf_counter()
    if workers:
        with tempfile.TemporaryDirectory() as folder:
            how = {"ledger": os.path.join(folder, "ledger"), "trust": True, "workers": workers, "jobs": jobs}
            found = guesstree.prove(game, objective, **how).solution
    else:
        found = guesstree.solve(game, objective, jobs=jobs)
    seconds = time.perf_counter() - since
    print(json.dumps([seconds, found.evaluations, found.upper, found.lower]))
"""


class Way(NamedTuple):
    """How a game is solved: by threads of one search (no workers), or by workers of so many threads each."""

    jobs: int
    workers: int

    @property
    def processors(self) -> int:
        """How many processors it may use."""
        return self.jobs * max(self.workers, 1)

    @property
    def alone(self) -> Way:
        """The same with one processor."""
        return Way(1, min(self.workers, 1))

    def __str__(self) -> str:
        if not self.workers:
            return f"threads: {self.jobs}"
        return f"workers: {self.workers}" + (f" of {self.jobs} threads" if self.jobs > 1 else "")


class Took(NamedTuple):
    """What a run took: seconds, those of all processors together, evaluations."""

    seconds: float
    processor_seconds: float
    evaluations: int


def ways(processors: int) -> list[Way]:
    """Return the ways to use up to so many processors: each way with one first."""
    counts = sorted({1 << i for i in range(processors.bit_length())} | {processors})
    found = [Way(n, 0) for n in counts] + [Way(1, n) for n in counts]
    return found + [Way(n, 1) for n in counts if n > 1]


def run(spec: str, objective: str, way: Way) -> tuple[Took, Any]:
    """Solve a game in processes of their own; return what it took, and what was found."""
    given = json.dumps([spec, objective, way.jobs, way.workers])
    printed, usage = certify.run([sys.executable, "-c", RUN, given])
    seconds, evaluations, *value = json.loads(printed)
    return Took(seconds, usage.ru_utime + usage.ru_stime, evaluations), value


def measure(spec: str, objective: str, processors: int, rounds: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each way; raise RuntimeError where two ways find different values."""
    took: dict[Way, list[Took]] = {way: [] for way in ways(processors)}
    values = []
    for _ in range(rounds):
        for way, runs in took.items():
            one, value = run(spec, objective, way)
            runs.append(one)
            values.append(value)
            if value != values[0]:
                raise RuntimeError(f"{spec}: {way} found {value}, and {values[0]} was found before")
    for way, runs in took.items():
        ratios = [alone.seconds / one.seconds for one, alone in zip(runs, took[way.alone], strict=True)]
        ratio = median(ratios)
        yield {
            "what": f"{spec} {objective}",
            "by": str(way),
            "seconds": f"{median(one.seconds for one in runs):.2f}",
            "processors": f"{median(one.processor_seconds for one in runs):.2f}",
            "evaluations": int(median(one.evaluations for one in runs)),
            "ratio": f"{ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
            "share": f"{ratio / way.processors:.2f}",
        }


def main(arguments: list[str]) -> int:
    """Measure games, and print a table; return the exit status."""
    from guesstree.cli.tools.options import count_processors

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("games", nargs="*", default=["mastermind:4x8"], metavar="GAME")
    add("--objective", default="expected", choices=["expected", "worst"])
    add("--processors", type=int, default=count_processors(), metavar="N", help="default: all")
    add("--rounds", type=int, default=5, metavar="K", help="default: 5")
    given = parser.parse_args(arguments)
    for spec in given.games:
        print_rows(measure(spec, given.objective, given.processors, given.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
