"""Compare the search with the exhaustive oracle on random models: `python scripts/fuzz_noisy.py [COUNT]`.

Models are of every mixture: sets of answers, odds, noise, cliques, losses, groups, answers that end the path,
tests that must wait for others, tests that may fail to answer. For each, the least expected cost and the
least worst case are those of the oracle, or both say that there is no strategy: by the plain search, and by
`solve`, whose strategies take what is said of them when every path is followed with the probabilities
themselves. What differs is printed; then the status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))

from models import ModelGame
from random_models import random_model
from taken import taken

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.noisy import oracle
from guesstree.engine.noisy.bounds import INFINITE
from guesstree.engine.noisy.expected import Expected
from guesstree.engine.noisy.integer_model import IntegerModel
from guesstree.engine.noisy.model import Model
from guesstree.engine.noisy.worst import Worst
from guesstree.engine.search.solve import solve

COUNT = 20_000


def solved(model: Model, objective: str) -> tuple[Fraction, Fraction] | None:
    """Return what the search says of an objective, and what its strategy takes; None: there is none."""
    try:
        solution = solve(ModelGame(model), objective)
    except GuesstreeError:
        return None
    whole = sum(model.weights) if objective == "expected" else 1
    bounds = {Fraction(bound[0]) / whole for bound in (solution.lower, solution.upper)}
    assert len(bounds) == 1, f"{objective}: bounds differ"
    return bounds.pop(), taken(model, solution.choose_after)[objective == "worst"]


def searched(model: Model, objective: str) -> Fraction | None:
    """Return the value that the plain search finds; None: there is no strategy."""
    scaled = IntegerModel(model)
    root, kind = scaled.root(), Expected if objective == "expected" else Worst
    found = kind(scaled).search(root).upper
    return (
        None if found >= INFINITE else Fraction(found, scaled.coin * (root.mass if kind is Expected else 1))
    )


def differences(model: Model, *, judged: bool) -> Iterator[str]:
    """Yield what differs from the oracle, or, not judged by it, from the plain search."""
    for objective, judge in (("expected", oracle.expected), ("worst", oracle.worst)):
        plain = searched(model, objective)
        value = judge(model) if judged else plain
        if plain != value:
            yield f"{objective} is {value}; the plain search: {plain}"
        if objective == "expected" and model.failures:
            continue  # how often tests fail is not known
        try:
            found = solved(model, objective)
        except AssertionError as error:
            yield f"{objective} is {value}; {error}"
            continue
        if found != (None if value is None else (value, value)):
            yield f"{objective} is {value}; solved, and taken: {found}"


def mixture(model: Model) -> list[str]:
    """Return what a model has that one of certain answers, which names causes, has not."""
    has = {
        "sets or odds": any(len(cell) > 1 for row in model.chances for cell in row),
        "losses": model.losses is not None,
        "cliques": model.losses is None and model.cliques,
        "groups": any(group is not None for group in model.groups),
        "endings": any(model.ends),
        "preconditions": any(model.after),
        "failures": model.failures > 0,
    }
    return [name for name, there in has.items() if there]


def main() -> int:
    """Compare, and say how many differ."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", nargs="?", type=int, default=COUNT, help=f"models (default: {COUNT})")
    parser.add_argument("--first", type=int, default=0, help="seed of the first (default: 0)")
    parser.add_argument(
        "--more", type=int, default=0, help="causes and tests more; then the oracle is left out (default: 0)"
    )
    options = parser.parse_args()
    since, wrong, have, sizes = time.perf_counter(), 0, Counter[str](), Counter[int]()
    for seed in range(options.first, options.first + options.count):
        model = random_model(random.Random(seed), options.more)
        names = mixture(model)
        have.update(names)
        sizes[len(names)] += 1
        for difference in differences(model, judged=not options.more):
            wrong += 1
            print(f"seed {seed} ({', '.join(names)}): {difference}")
    print(", ".join(f"{name}: {many}" for name, many in have.items()))
    print(", ".join(f"{many} with {size} of these" for size, many in sorted(sizes.items())))
    print(f"{options.count} models, {wrong} differences, {time.perf_counter() - since:.0f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
