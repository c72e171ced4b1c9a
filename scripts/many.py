"""Count the questions of the two ways to find where colours are, from 16 to 65,536 pegs, and draw them.

    python scripts/many.py                  all sizes: about half an hour
    python scripts/many.py 16 64            some of them; the figures of the others are kept

Codes are random with all colours different. Guesses are not made where only their number counts: what coins
weigh together is added up from the code. `docs/many.json` has the figures, as `mastermind:NxN blocks` and
`mastermind:NxN linear`; `docs/many-linear.svg` shows them by peg.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator
from functools import lru_cache
from pathlib import Path

import numpy as np

from guesstree.engine.constructive.asking import Asking, Talk
from guesstree.engine.constructive.blocks import Blocks, Coin
from guesstree.engine.constructive.colours import find_counts
from guesstree.engine.constructive.detecting import Detecting
from guesstree.engine.constructive.linear import places_questions
from guesstree.engine.constructive.measure import different_codes, questions
from guesstree.engine.constructive.ranges import MANY, bits_of, weigh_ranges
from guesstree.engine.constructive.size import Code, Size
from guesstree.engine.constructive.zeros import find_zero

DOCS = Path(__file__).parent.parent / "docs"
SIZES = (16, 64, 256, 1024, 4096, 16384, 65536)


class Counted(Blocks):
    """Blocks whose coins are weighed on the code itself.

    Attributes
    ----------
    asked: questions counted.
    """

    def __init__(self, asking: Asking, found: np.ndarray, code: Code) -> None:
        self.asked = 0
        self._peg = np.empty(asking.size.colours, dtype=np.int64)
        self._peg[code] = np.arange(len(code))
        super().__init__(asking, found)

    def _weigh(self, coins: list[Coin]) -> Talk[np.ndarray]:
        halves: dict[int, int] = {}
        slots = [halves.setdefault(coin.pegs.start, len(halves)) for coin in coins]
        least = np.array([coin.bounds[0] for coin in coins], dtype=np.int64)
        true = np.array([self._weight(coin) for coin in coins], dtype=np.int64) - least
        odds = [coin.odds() for coin in coins]
        sizes = [len(chances) for chances in odds if len(chances) > 1]
        if len(halves) == len(coins) and bits_of(sizes) >= MANY:  # weighings fixed beforehand
            self.asked += rows_of(tuple(sizes))
            return true + least
        talk = weigh_ranges(odds, slots=slots)
        try:
            mask = next(talk)
            while True:
                self.asked += 1
                mask = talk.send(int(true[mask].sum()))
        except StopIteration as end:
            weights: np.ndarray = end.value
        yield from ()
        return weights + least

    def _weight(self, coin: Coin) -> int:
        """Return what a coin weighs, against its base."""
        base = coin.split.base
        start, stop = coin.pegs.start, coin.pegs.stop
        weight = int(start <= self._peg[coin.colour] < stop)
        return weight if base is None else weight - int(start <= self._peg[base] < stop)


@lru_cache(maxsize=64)
def rows_of(sizes: tuple[int, ...]) -> int:
    """Return how many weighings a scheme takes for coins of so many possible weights each."""
    return Detecting(np.array(sizes) - 1).rows


def blocks(size: Size, code: Code) -> int:
    """Return how many questions it takes to win by blocks."""
    asking = Asking(size)
    counted: list[Counted] = []

    def talk() -> Generator[Code, tuple[int, ...], Code]:
        found = asking.counts = yield from find_counts(asking)
        counted.append(Counted(asking, found, code))
        return (yield from counted[0].solve())

    return questions(talk(), size, code) + counted[0].asked + 1


def linear(size: Size, code: Code) -> int:
    """Return how many questions it takes to win by the linear way."""
    asking = Asking(size)

    def talk() -> Generator[Code, tuple[int, ...], Code]:
        asking.counts = yield from find_counts(asking)
        yield from find_zero(asking, asking.counts, "weigh")
        return code

    return questions(talk(), size, code) + places_questions(code) + 1


WAYS: dict[str, Callable[[Size, Code], int]] = {"blocks": blocks, "linear": linear}


def main() -> None:
    """Measure, keep the figures and draw them."""
    path = DOCS / "many.json"
    kept = json.loads(path.read_text())
    for n in [int(word) for word in sys.argv[1:]] or SIZES:
        size = Size("mastermind", n, n)
        codes = different_codes(size, 20 if n <= 256 else 5 if n <= 1024 else 1, 1)
        for way, count in WAYS.items():
            asked = [count(size, code) for code in codes]
            mean = sum(asked) / len(asked)
            kept[f"{size.spec} {way}"] = {
                "games": len(asked),
                "mean": mean,
                "min": min(asked),
                "max": max(asked),
            }
            print(f"{size.spec} {way}: {mean:,.1f} questions, {mean / n:.3f} per peg", flush=True)
            rows = (f"{json.dumps(key)}: {json.dumps(row)}" for key, row in sorted(kept.items()))
            path.write_text("{\n" + ",\n".join(rows) + "\n}\n")
    draw(kept)


def draw(kept: dict[str, dict[str, float]]) -> None:
    """Draw questions per peg by size."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "many"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5))
    for way, label in (("blocks", "blocks"), ("linear", "linear")):
        shown = [(n, kept[f"mastermind:{n}x{n} {way}"]["mean"] / n) for n in SIZES if has(kept, n, way)]
        axes.plot(*zip(*shown, strict=True), marker="o", label=label)
    axes.set_xscale("log", base=2)
    axes.set_ylim(0)
    axes.set_xlabel("pegs and colours, all different")
    axes.set_ylabel("questions per peg")
    axes.grid(alpha=0.25)
    axes.legend()
    figure.tight_layout()
    figure.savefig(DOCS / "many-linear.svg", metadata={"Date": None})


def has(kept: dict[str, dict[str, float]], n: int, way: str) -> bool:
    """Return whether a size was measured."""
    return f"mastermind:{n}x{n} {way}" in kept


if __name__ == "__main__":
    main()
