"""Count the questions of Mastermind with many pegs again, all that docs/many.json keeps.

    python scripts/many.py                  all of it: an hour and a half
    python scripts/many.py 16 64            only sizes with so many pegs
    python scripts/many.py --places         only the two ways to find where colours are: half an hour

docs/many.json has the figures, by a size and what was counted. `blocks` and `linear`, up to 65,536 pegs, are
for codes whose colours differ. There, guesses are not made where only their number counts: what coins weigh
together is added up from the code. As many games are played as before; scripts/plots.py draws the figures.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Generator
from functools import lru_cache
from pathlib import Path

import numpy as np

from guesstree.engine.constructive.asking import Asking, Talk
from guesstree.engine.constructive.blocks import Blocks, Coin
from guesstree.engine.constructive.colours import find_counts
from guesstree.engine.constructive.detecting import Detecting
from guesstree.engine.constructive.linear import places_questions
from guesstree.engine.constructive.many import strategy, walking
from guesstree.engine.constructive.measure import (
    Measured,
    different_codes,
    measure,
    questions,
    random_codes,
    structured_codes,
)
from guesstree.engine.constructive.ranges import MANY, bits_of, weigh_ranges
from guesstree.engine.constructive.size import Code, Size
from guesstree.engine.constructive.zeros import find_zero

KEPT = Path(__file__).parent.parent / "docs" / "many.json"
DRAWS = {"random": random_codes, "different": different_codes, "zeros": different_codes}
SEED = 1
Record = dict[str, float]


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


def found_again(key: str, games: int) -> Record:
    """Return what a key of docs/many.json has, counted again in as many games."""
    spec, kind, *way = key.split()
    family, _, numbers = spec.partition(":")
    size = Size(family, *map(int, numbers.split("x")))
    if kind in WAYS:
        asked = [WAYS[kind](size, code) for code in different_codes(size, games, SEED)]
        return {"games": games, "mean": sum(asked) / games, "min": min(asked), "max": max(asked)}
    if kind == "climbed":
        return {"games": games, "max": climb(size, games)}
    structured = list(structured_codes(size).values())
    if kind == "two":
        codes = [*random_codes(size, games - len(structured), SEED), *structured]
        walk = questions(walking(size, "identify"), size, random_codes(size, 1, SEED)[0])
        return figures(measure(size, codes)) | {"walk": walk}
    if kind == "structured":
        return figures(measure(size, structured))
    codes = DRAWS[kind](size, games, SEED)
    return figures(measure(size, codes, zeros=way[0] if kind == "zeros" else "free"))


def figures(measured: Measured) -> Record:
    """Return what is kept of games."""
    return {
        "games": measured.games,
        "mean": float(measured.mean),
        "min": measured.least,
        "max": measured.most,
    }


def climb(size: Size, changes: int) -> int:
    """Return the most questions of a code that is changed, peg by peg, to take more."""
    dice = np.random.default_rng(SEED)
    most, best = 0, size.code(dice.integers(0, size.colours, size.pegs))
    for _ in range(changes):
        code: Code = best.copy()
        if dice.random() < 0.5:
            code[dice.integers(size.pegs)] = dice.integers(size.colours)
        else:
            i, j = dice.integers(size.pegs, size=2)
            code[[i, j]] = code[[j, i]]
        asked = questions(strategy(size), size, code)
        if asked >= most:
            most, best = asked, code
    return most


def main() -> None:
    """Count again, and keep what was found after each count."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pegs", nargs="*", type=int, help="only these numbers of pegs")
    parser.add_argument("--places", action="store_true", help="only the ways to find where colours are")
    options = parser.parse_args()
    kept = json.loads(KEPT.read_text())
    for key in sorted(kept, key=lambda key: (pegs_of(key), key)):
        kind = key.split()[1]
        if kind == "entropy" or (options.pegs and pegs_of(key) not in options.pegs):
            continue
        if options.places and kind not in WAYS:
            continue
        start, before = time.perf_counter(), kept[key]
        kept[key] = found_again(key, before["games"])
        changed = {name: before[name] for name in before if before[name] != kept[key][name]}
        said = f"was {changed}" if changed else "as before"
        print(f"{key}: {kept[key]}, {said}, {time.perf_counter() - start:.1f} s", flush=True)
        rows = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(kept.items()))
        KEPT.write_text("{\n" + ",\n".join(rows) + "\n}\n")


def pegs_of(key: str) -> int:
    """Return how many pegs the size of a key has."""
    return int(key.partition(":")[2].partition("x")[0])


if __name__ == "__main__":
    main()
