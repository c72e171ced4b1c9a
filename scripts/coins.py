"""Measure coin weighing: the tables and the plot of docs/coins.md, and a long check of the decoding.

    python scripts/coins.py --check                 decode 1,000 random sets of coins per size
    python scripts/coins.py --write few many        measure tables, and put them into docs/coins.md
    python scripts/coins.py --plot docs/coins.svg   draw weighings per coin

The tables: few (exact, about two minutes), many, totals, random, lies. What is random is seeded by the size.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Iterable
from math import log2
from pathlib import Path

import numpy as np

from guesstree.api.solution import solve
from guesstree.engine.constructive.adaptive import play
from guesstree.engine.constructive.coins import (
    Weighings,
    counting_bound,
    weigh,
    weigh_bounded,
    weighings_at_most,
)
from guesstree.engine.constructive.detecting import Detecting, Numbers, rows_for
from guesstree.engine.constructive.lies import weigh_with_lies, weighings_with_lies_at_most
from guesstree.engine.constructive.static import explanations, least_scheme, random_scheme
from guesstree.engine.registry import parse
from guesstree.trees.export.output import write_whole
from guesstree.trees.export.plots import ENDINGS, check_plot

PAGE = Path(__file__).parent.parent / "docs" / "coins.md"
FEW = range(1, 13)
SOLVED = 10
"""Up to so many coins the adaptive optimum is searched for: 20 seconds for the last."""
MANY = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
SHARES = (0.5, 0.1, 0.01)
GAMES = 20
CHECKED = (*range(1, 65), 80, 100, 192, 500, 1000, 1023, 1024, 2000, 5000, 5120, 5121, 9999, 10_000)
VECTORS = 1000


def weighings(talk: Weighings, coins: Numbers) -> int:
    """Return how many weighings a strategy asks; raise ValueError when it finds other coins."""
    game = play(talk, lambda mask: int(coins[mask].sum()))
    if not np.array_equal(game.secret, coins):
        raise ValueError(f"{len(coins)} coins: the strategy found others")
    return game.questions


def heavy(n: int, share: float, seed: int) -> Numbers:
    """Return n coins of which a share is heavy, at random places."""
    coins = np.zeros(n, dtype=np.int64)
    coins[: round(n * share)] = 1
    return np.random.default_rng(seed).permutation(coins)


def few() -> Iterable[list[str]]:
    """Yield the exact figures for few coins: what is fewest, when weighings adapt and when they do not."""
    yield ["coins", "by counting", "fewest, adapting", "fewest at once", "construction"]
    adapting = at_once = 0
    for n in FEW:
        most = adapting + 1
        if n <= SOLVED:
            solution = solve(parse(f"coins:{n}"), "worst")
            report = solution.strategy.check()
            if not (solution.optimal and report.valid and report.worst == solution.upper[0]):
                raise ValueError(f"{n} coins: no proof, or a tree that does not check")
            adapting = most = solution.upper[0]
        # More coins never need fewer: search only where the construction asks for more than was needed.
        if rows_for(n) > at_once:
            at_once = len(least_scheme(n).matrix)
        both = str(adapting) if n <= SOLVED else f"{adapting}..{min(most, at_once)}"
        yield [str(n), str(counting_bound(n)), both, str(at_once), str(rows_for(n))]


def many(sizes: Iterable[int] = MANY) -> Iterable[list[str]]:
    """Yield weighings of the construction and of the strategy that adapts, beside the bounds."""
    yield [
        "coins",
        "by counting",
        "2n/log2(n)",
        "at once",
        "adapting, at most",
        *(f"{100 * share:g} % heavy" for share in SHARES),
    ]
    for n in sizes:
        means = []
        for share in SHARES:
            asked = [weighings(weigh(n), heavy(n, share, seed)) for seed in range(GAMES)]
            means.append(f"{sum(asked) / GAMES:.1f}")
        most = 1 + weighings_at_most(n, n // 2, 1) if n >= 64 else rows_for(n)
        bounds = [str(counting_bound(n)), f"{2 * n / log2(n):.0f}", str(rows_for(n)), str(most)]
        yield [str(n), *bounds, *means]


def totals() -> Iterable[list[str]]:
    """Yield weighings for non-negative integer weights whose total is known."""
    yield ["coins", "total", "measured, mean", "at most", "Grebinski and Kucherov"]
    for n in (100, 1000, 10_000):
        for total in (n // 10, n, 4 * n):
            asked = []
            for seed in range(GAMES):
                places = np.random.default_rng(seed).integers(0, n, total)
                asked.append(weighings(weigh_bounded(n, total), np.bincount(places, minlength=n)))
            published = (8 * n if total <= n else 4 * (n + total)) / log2(n)
            figures = [f"{sum(asked) / GAMES:.1f}", str(weighings_at_most(n, total)), f"{published:.0f}"]
            yield [str(n), str(total), *figures]


def random() -> Iterable[list[str]]:
    """Yield how many random schemes have one explanation for the sums of random coins."""
    sizes, trials = (20, 30, 36), 100
    yield ["weighings", *(f"{n} coins ({rows_for(n)})" for n in sizes)]
    for rows in range(8, 21):
        cells = []
        for n in sizes:
            rng, alone = np.random.default_rng([n, rows]), 0
            for seed in range(trials):
                matrix, coins = random_scheme(n, rows, seed), rng.integers(0, 2, n)
                found = explanations(matrix, matrix @ coins)
                alone += next(found, None) is not None and next(found, None) is None
            cells.append(f"{100 * alone // trials} %")
        yield [str(rows), *cells]


def lies() -> Iterable[list[str]]:
    """Yield weighings when some sums are false: guaranteed, and measured with that many lies at random."""
    numbers = (0, 1, 2, 5)
    yield ["coins", *(f"{lies} lies" for lies in numbers)]
    for n in (5, 100, 1000, 10_000):
        cells = []
        for number in numbers:
            asked = [with_lies(n, number, seed) for seed in range(5)]
            cells.append(f"{sum(asked) / 5:.0f} of {weighings_with_lies_at_most(n, number)}")
        yield [str(n), *cells]


def with_lies(n: int, number: int, seed: int) -> int:
    """Return how many weighings are asked when so many sums at random are false."""
    rng = np.random.default_rng(seed)
    coins = rng.integers(0, 2, n)
    false = set(rng.choice(weighings_with_lies_at_most(n, number), number, replace=False).tolist())
    asked = 0

    def respond(mask: np.ndarray) -> int:
        nonlocal asked
        asked += 1
        return int(coins[mask].sum()) + (asked - 1 in false)

    if not np.array_equal(play(weigh_with_lies(n, number), respond).secret, coins):
        raise ValueError(f"{n} coins, {number} lies: the strategy found other coins")
    return asked


TABLES: dict[str, Callable[[], Iterable[list[str]]]] = {
    "few": few,
    "many": many,
    "totals": totals,
    "random": random,
    "lies": lies,
}


def markdown(rows: Iterable[list[str]]) -> str:
    """Return a table."""
    first, *others = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([first, "|" + "---|" * (first.count("|") - 1), *others]) + "\n"


def write(names: Iterable[str]) -> None:
    """Measure tables, and put them into the page between their marks."""
    for name in names:
        table = markdown(TABLES[name]())
        pattern = re.compile(f"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text = PAGE.read_text()
        marks = list(pattern.finditer(text))
        if len(marks) != 1:
            raise ValueError(f"{PAGE}: {len(marks)} marks <!-- {name} --> ... <!-- end -->; expected one")
        PAGE.write_text(text[: marks[0].end(1)] + table + text[marks[0].start(2) :])
        print(table, flush=True)


def check_decoding(sizes: Iterable[int] = CHECKED, vectors: int = VECTORS) -> None:
    """Decode random sets of coins of every size; raise ValueError when one comes out wrong."""
    for n in sizes:
        scheme = Detecting(np.ones(n, dtype=np.int64))
        # A product of floats is exact: sums stay far below 2^24.
        matrix = scheme.matrix().astype(np.float32)
        secrets = np.random.default_rng(n).integers(0, 2, (vectors, n), dtype=np.int8)
        sums = np.concatenate(
            [matrix @ part.astype(np.float32).T for part in np.array_split(secrets, max(vectors // 100, 1))],
            axis=1,
        ).T.astype(np.int64)
        start = time.perf_counter()
        if not all(np.array_equal(scheme.decode(s), secret) for s, secret in zip(sums, secrets, strict=True)):
            raise ValueError(f"{n} coins: decoded to others")
        took = (time.perf_counter() - start) / vectors
        print(f"{n} coins, {scheme.rows} weighings: {vectors} decoded, {1000 * took:.3f} ms each", flush=True)


def plot(path: str) -> None:
    """Draw weighings per coin over the number of coins."""
    ending = check_plot(path)
    import io

    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.subplots()
    sizes = np.unique(np.geomspace(2, 10_000, 400).astype(int)).tolist()
    curves: list[tuple[str, str, Callable[[int], float]]] = [
        ("planned beforehand (Lindström)", "#0072B2", rows_for),
        ("2n / log2 n", "#999999", lambda n: 2 * n / log2(n)),
        ("lower bound by counting, any coins", "#000000", counting_bound),
    ]
    for label, colour, curve in curves:
        few_left = [n for n in sizes if n >= 4] if "log2" in label else sizes
        axes.plot(few_left, [curve(n) / n for n in few_left], color=colour, label=label, linewidth=1.5)
    for share, colour in zip(SHARES[1:], ("#D55E00", "#009E73"), strict=True):
        points = [n for n in MANY if n * share >= 1]
        asked = [np.mean([weighings(weigh(n), heavy(n, share, s)) for s in range(5)]) / n for n in points]
        label = f"adapting, {100 * share:g} % of the coins heavy"
        axes.plot(points, asked, "o-", color=colour, label=label, linewidth=1.5, markersize=4)
    axes.set_xscale("log")
    axes.set(xlabel="coins n", ylabel="weighings per coin", ylim=(0, 1.05), xlim=(2, 10_000))
    axes.set_title("Weighings that tell heavy coins from light ones", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=9, frameon=False)
    data = io.BytesIO()
    metadata = {"Date": None} if ending == ".svg" else {"Software": None}
    figure.savefig(data, format=ending[1:], dpi=144, metadata=metadata)
    write_whole(path, data.getvalue())


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="decode random coins of many sizes")
    parser.add_argument(
        "--write", nargs="*", choices=TABLES, default=[], metavar="TABLE", help="measure tables"
    )
    parser.add_argument("--plot", metavar="FILE", help=f"draw weighings per coin, as {' or '.join(ENDINGS)}")
    arguments = parser.parse_args()
    if arguments.check:
        check_decoding()
    write(arguments.write)
    if arguments.plot:
        plot(arguments.plot)


if __name__ == "__main__":
    main()
