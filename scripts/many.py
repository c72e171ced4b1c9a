"""Compute the tables and plots of docs/many-tables.md: questions of the constructive strategy by size.

What is measured is kept in docs/many.json, so that a run may be stopped and taken up again.

    python scripts/many.py                  measure what is missing
    python scripts/many.py --most 64        the same, up to 64 pegs
    python scripts/many.py --table          write the page and its plots from docs/many.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import ceil, log2
from pathlib import Path
from typing import Any

import numpy as np

import guesstree
from guesstree.engine.constructive.many import strategy, walking
from guesstree.engine.constructive.measure import (
    Measured,
    different_codes,
    measure,
    questions,
    random_codes,
    structured_codes,
)
from guesstree.engine.constructive.size import Code, Size
from guesstree.engine.constructive.zeros import WAYS
from guesstree.trees.export.output import write_whole
from guesstree.trees.export.plots import Curve, curves

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "many.json"
SIZES = [2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
OTHER_SIZES = [(64, 4), (64, 16), (64, 256), (64, 4096), (1024, 3), (1024, 32), (1024, 10_000)]
TWO_COLOURS = [4, 8, 16, 32, 64, 100, 200, 500, 1000, 2000, 5000, 10_000]
MOST_BLACK = 1024
ZEROS = [16, 64, 256, 1024]
CLIMBED = [8, 16, 32, 64]
ONE_STEP = [2, 3, 4, 5, 6]
CLIMB = 100
SEED = 1
Record = dict[str, Any]


def games(n: int) -> int:
    """Return how many codes of each kind are played."""
    return 1000 if n <= 256 else max(8, 51_200 // n)


def figures(measured: Measured) -> Record:
    """Return what a table shows of games."""
    return {
        "games": measured.games,
        "mean": float(measured.mean),
        "min": measured.least,
        "max": measured.most,
        "ms": round(1000 * measured.seconds / measured.questions, 3),
    }


# -- what is measured ----------------------------------------------------------------------------------------


def cells(most: int) -> dict[str, Callable[[], Record]]:
    """Return what is to be measured, by its key, up to so many pegs."""
    found: dict[str, Callable[[], Record]] = {}
    for n, k in [(n, n) for n in SIZES] + OTHER_SIZES:
        for family in ("mastermind", "blackpeg") if n == k and n <= MOST_BLACK else ("mastermind",):
            size = Size(family, n, k)
            found[f"{size.spec} random"] = partial(of_codes, size, random_codes, games(n))
            found[f"{size.spec} different"] = partial(of_codes, size, different_codes, games(n))
            found[f"{size.spec} structured"] = partial(of_codes, size, _structured, 0)
    for n in ZEROS:
        size = Size("mastermind", n, n)
        for way in WAYS:
            few = max(games(n) // 4, 2)
            found[f"{size.spec} zeros {way}"] = partial(of_codes, size, different_codes, few, way)
    for n in CLIMBED:
        found[f"mastermind:{n}x{n} climbed"] = partial(climb, Size("mastermind", n, n))
    for n in ONE_STEP:
        found[f"mastermind:{n}x{n} entropy"] = partial(one_step, f"mastermind:{n}x{n}")
    for n in TWO_COLOURS:
        for family in ("mastermind", "blackpeg"):
            found[f"{family}:{n}x2 two"] = partial(two_colours, Size(family, n, 2))
    return {key: run for key, run in found.items() if int(key.partition(":")[2].partition("x")[0]) <= most}


def of_codes(
    size: Size, draw: Callable[[Size, int, int], list[Code]], many: int, zeros: str = "free"
) -> Record:
    """Return the figures of games against codes that are drawn."""
    return figures(measure(size, draw(size, many, SEED), zeros=zeros))


def _structured(size: Size, many: int, seed: int) -> list[Code]:  # noqa: ARG001 - drawn like the others
    return list(structured_codes(size).values())


def one_step(spec: str) -> Record:
    """Return what the one-step strategy of most entropy needs over all codes."""
    solution = guesstree.solve(guesstree.parse(spec), method="entropy")
    summary = solution.strategy.check()
    return {"mean": float(summary.average or 0), "max": summary.worst}


def climb(size: Size) -> Record:
    """Return the most questions of a code that is changed, peg by peg, to take more."""
    rng = np.random.default_rng(SEED)
    most, best = 0, size.code(rng.integers(0, size.colours, size.pegs))
    for _ in range(CLIMB):
        code: Code = best.copy()
        if rng.random() < 0.5:
            code[rng.integers(size.pegs)] = rng.integers(size.colours)
        else:
            i, j = rng.integers(size.pegs, size=2)
            code[[i, j]] = code[[j, i]]
        asked = questions(strategy(size), size, code)
        if asked >= most:
            most, best = asked, code
    return {"games": CLIMB, "max": most}


def two_colours(size: Size) -> Record:
    """Return the questions for random and structured codes of two colours, and those of a walking peg."""
    codes = [*random_codes(size, 20 if size.pegs <= 1000 else 3, SEED), *structured_codes(size).values()]
    found = figures(measure(size, codes))
    found["walk"] = questions(walking(size, "identify"), size, random_codes(size, 1, SEED)[0])
    return found


# -- the page ------------------------------------------------------------------------------------------------


INTRODUCTION = f"""# Questions of the constructive strategy

This page is for readers of [Mastermind with many pegs](many.md), which explains the method: it says how
many questions each size takes. `scripts/many.py` writes the page. The tables count the questions to win,
including the winning guess: the mean over all codes played, and in brackets the maximum. With as many
colours as pegs, the script played {games(256):,} codes of each kind up to 256 pegs, {games(1024)} for
1,024 and {games(4096)} for 4,096; it played fewer codes of other kinds, see `many.json`.

- *All different*: random codes without a repeated colour.
- *Structured*: codes that a rule describes, as listed by `guesstree constructive --json`.
- *Climbed*: a random code after {CLIMB} small changes; a change stays if the code then takes no fewer
  questions.
- *Counting*: no strategy knows every code after fewer questions.
- *Entropy*: the one-step strategy, over all codes.
- *Chvátal*: 2n ceil(log2 n) + 4n, the bound of 1983.
"""
TWO = """The table shows the largest number of questions over random and structured codes, beside the
number for a peg that walks over the board.
"""
ZERO_COLOURS = """Here all colours of a code are different, so that no colour is absent. *Free*: the
strategy weighs coins against the rarest colour, or uses a guess without a black peg. *Walk* and *weigh*:
the strategy first finds a zero colour for every peg.
"""
NEXT = "Next: [play such a game](many.md)."


def number(value: float) -> str:
    """Return a number with few digits after the point."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of Markdown."""
    head = list(head)
    lines = [head, ["---:"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def square_rows(known: Mapping[str, Record]) -> list[list[str]]:
    """Return a row for each number of pegs and colours."""
    rows = []
    for n in SIZES:
        spec = f"mastermind:{n}x{n}"
        random, different = known.get(f"{spec} random"), known.get(f"{spec} different")
        if random is None or different is None:
            continue
        black = [known.get(f"blackpeg:{n}x{n} {kind}") for kind in ("random", "different")]
        structured, climbed = known.get(f"{spec} structured"), known.get(f"{spec} climbed")
        entropy = known.get(f"{spec} entropy")
        rows.append(
            [
                f"{n:,}",
                f"{Size('mastermind', n, n).counting_bound:,}",
                number(n * log2(log2(n))),
                f"{number(random['mean'])} ({random['max']:,})",
                f"{number(different['mean'])} ({different['max']:,})",
                *(f"{number(row['mean'])} ({row['max']:,})" if row else "" for row in black),
                f"{structured['max']:,}" if structured else "",
                f"{climbed['max']:,}" if climbed else "",
                f"{entropy['mean']:.2f} ({entropy['max']})" if entropy else "",
                f"{2 * n * ceil(log2(n)) + 4 * n:,}",
                f"{random['ms']:.2f}",
            ]
        )
    return rows


def page(known: Mapping[str, Record]) -> str:
    """Return the page of tables."""
    other = []
    for n, k in OTHER_SIZES:
        spec = f"mastermind:{n}x{k}"
        random, different = known.get(f"{spec} random"), known.get(f"{spec} different")
        if random and different:
            bound = Size("mastermind", n, k).counting_bound
            other.append(
                [f"{n:,} x {k:,}", f"{bound:,}"]
                + [f"{number(row['mean'])} ({row['max']:,})" for row in (random, different)]
            )
    zeros = [
        [f"{n:,}"] + [number(known[f"mastermind:{n}x{n} zeros {way}"]["mean"]) for way in WAYS]
        for n in ZEROS
        if f"mastermind:{n}x{n} zeros {WAYS[-1]}" in known
    ]
    two = []
    for n in TWO_COLOURS[2:]:  # the smallest sizes list the codes left, and end sooner
        rows = [known.get(f"{family}:{n}x2 two") for family in ("blackpeg", "mastermind")]
        if all(rows):
            two.append(
                [
                    f"{n:,}",
                    f"{Size('blackpeg', n, 2).counting_bound:,}",
                    number(n / log2(n)),
                    number(2 * n / log2(n)),
                ]
                + [f"{row['max']:,}" for row in rows if row]
                + [f"{rows[0]['walk'] if rows[0] else 0:,}"]
            )
    return "\n".join(
        [
            INTRODUCTION,
            "## n pegs, n colours",
            "",
            table(
                [
                    "n",
                    "counting",
                    "n log2 log2 n",
                    "random",
                    "all different",
                    "random, black pegs only",
                    "all different, black pegs only",
                    "structured, most",
                    "climbed, most",
                    "entropy",
                    "Chvátal",
                    "ms per question",
                ],
                square_rows(known),
            ),
            "",
            "![Questions per peg](many.svg)",
            "",
            "## Other sizes",
            "",
            table(["pegs x colours", "counting", "random", "as different as can be"], other),
            "",
            "## Ways to a zero colour",
            "",
            ZERO_COLOURS,
            table(["n", *WAYS], zeros),
            "",
            "## Two colours",
            "",
            TWO,
            table(
                [
                    "n",
                    "counting",
                    "n/log2 n",
                    "2n/log2 n",
                    "black pegs only",
                    "with white pegs",
                    "walking peg",
                ],
                two,
            ),
            "",
            "![Two colours](many-two.svg)",
            "",
            NEXT,
            "",
        ]
    )


def plots(known: Mapping[str, Record], folder: Path) -> None:
    """Draw questions per peg for n colours, and questions for two colours beside the bounds."""
    lines = []
    for family, kind, label in (
        ("mastermind", "random", "random codes"),
        ("mastermind", "different", "all colours different"),
        ("blackpeg", "random", "random codes, black pegs only"),
        ("blackpeg", "different", "all different, black pegs only"),
    ):
        at = [n for n in SIZES if f"{family}:{n}x{n} {kind}" in known]
        lines.append(Curve(label, at, [known[f"{family}:{n}x{n} {kind}"]["mean"] / n for n in at], dots=True))
    entropy = [n for n in ONE_STEP if f"mastermind:{n}x{n} entropy" in known]
    lines += [
        Curve(
            "one-step, entropy",
            entropy,
            [known[f"mastermind:{n}x{n} entropy"]["mean"] / n for n in entropy],
            dots=True,
        ),
        Curve("log2 log2 n", SIZES[2:], [log2(log2(n)) for n in SIZES[2:]]),
        Curve("counting bound", SIZES, [Size("mastermind", n, n).counting_bound / n for n in SIZES]),
    ]
    curves("n pegs, n colours", "n", "questions per peg", lines, folder / "many.svg")
    ns = [n for n in TWO_COLOURS[2:] if f"mastermind:{n}x2 two" in known]
    two = [
        Curve("walking peg", ns, [known[f"blackpeg:{n}x2 two"]["walk"] for n in ns], dots=True),
        Curve("coins, black pegs only", ns, [known[f"blackpeg:{n}x2 two"]["max"] for n in ns], dots=True),
        Curve("coins, with white pegs", ns, [known[f"mastermind:{n}x2 two"]["max"] for n in ns], dots=True),
        Curve("2n/log2 n", ns, [2 * n / log2(n) for n in ns]),
        Curve("n/log2 n", ns, [n / log2(n) for n in ns]),
    ]
    curves("Two colours", "n", "questions, at most", two, folder / "many-two.svg", log=True)


def main(arguments: list[str] | None = None) -> None:
    """Measure what is missing, or write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=int, default=10_000, metavar="PEGS", help="leave larger sizes out")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the figures are kept")
    parser.add_argument(
        "--table", action="store_true", help="write the page and its plots beside the figures"
    )
    options = parser.parse_args(arguments)
    known: dict[str, Record] = json.loads(options.results.read_text()) if options.results.exists() else {}
    if options.table:
        plots(known, options.results.parent)
        write_whole(options.results.with_name("many-tables.md"), page(known).encode())
        return
    for key, run in cells(options.most).items():
        if key not in known:
            known[key] = run()
            print(key, known[key], flush=True)
            text = ",\n".join(f"{json.dumps(key)}: {json.dumps(known[key])}" for key in sorted(known))
            write_whole(options.results, f"{{\n{text}\n}}\n".encode())


if __name__ == "__main__":
    main()
