"""Compare optimal trees of a table with those of scikit-learn: expected questions and worst case.

    pip install scikit-learn
    python scripts/classifiers.py GAME [--seeds 100]

GAME is a table such as `table:zoo.csv,merge`. scikit-learn's tree is grown until every leaf is pure, with
each secret as a class of its own and the weights as sample weights. It asks "is the number at most t?" only,
so the optimum is given twice: for these questions, and for those of the table, which may have more than two
answers. Between equally good splits scikit-learn chooses at random: the best, mean and worst of the seeds are
shown.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

try:
    from sklearn.tree import DecisionTreeClassifier
except ImportError:
    sys.exit("classifiers.py: scikit-learn is not installed: pip install scikit-learn")

from guesstree.api.solution import solve
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game, weights_of
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame

METHODS = ("entropy", "expected-size")


def features(game: Game) -> tuple[list[str], NDArray[np.float64]]:
    """Return names and numbers, shape (secrets, features), of what scikit-learn may split.

    Responses that are all numbers stay one feature; of others there is one for each response.
    """
    names, columns = [], []
    for guess, row in zip(game.guesses, game.table().tolist(), strict=True):
        labels = [game.responses[r] for r in row]
        try:
            columns.append([float(label) for label in labels])
            names.append(guess)
        except ValueError:
            kinds = sorted(set(labels))
            for kind in kinds[1:] if len(kinds) == 2 else kinds:
                columns.append([float(label == kind) for label in labels])
                names.append(f"{guess} {kind}")
    return names, np.array(columns).T


def binary(game: Game, names: list[str], numbers: NDArray[np.float64]) -> TableGame:
    """Return the game whose questions are the splits that scikit-learn may make."""
    guesses, cells = [], []
    for name, column in zip(names, numbers.T, strict=True):
        for most in np.unique(column)[:-1]:
            guesses.append(f"{name} <= {most:g}")
            cells.append(["yes" if value <= most else "no" for value in column])
    return TableGame(f"{game.spec} in yes and no", guesses, game.secrets, cells, weights=game.weights)


def figures(needed: NDArray[np.int64], weights: NDArray[np.int64]) -> tuple[Fraction, int]:
    """Return the expected questions and the worst case."""
    return Fraction(int((needed * weights).sum()), int(weights.sum())), int(needed.max())


def ours(game: Game, objective: str, method: str = "exact") -> tuple[Fraction, int]:
    """Return the figures of a tree of this project, which has passed the checker; exact ones are proven."""
    solution = solve(game, objective, method=method)
    strategy = solution.strategy
    assert strategy.check().valid and (solution.optimal or method != "exact")
    return figures(strategy.guesses_needed().astype(np.int64), weights_of(game))


def theirs(
    numbers: NDArray[np.float64], weights: NDArray[np.int64], criterion: str, seed: int
) -> tuple[Fraction, int]:
    """Return the figures of a fully grown tree of scikit-learn that names every secret."""
    secrets = np.arange(len(numbers))
    tree = DecisionTreeClassifier(criterion=criterion, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it wonders that there are as many classes as rows
        tree.fit(numbers, secrets, sample_weight=weights)
    assert (tree.predict(numbers) == secrets).all()
    needed = np.asarray(tree.decision_path(numbers).sum(axis=1)).ravel() - 1
    return figures(needed.astype(np.int64), weights)


def report(game: Game, seeds: int) -> None:
    """Print a line for each way to grow a tree."""
    if game.winning is not None or game.costs is not None:
        raise GuesstreeError(f"{game.spec} has a winning response or costs; expected a table to identify")
    names, numbers = features(game)
    weights = weights_of(game)
    print(f"{game.spec}: {len(game.secrets)} secrets of weight {weights.sum()}")
    for what, asked in (("questions of the table", game), ("yes or no", binary(game, names, numbers))):
        print(f"{what} ({len(asked.guesses)})")
        for label, objective, method in (
            ("exact, expected", "expected", "exact"),
            ("exact, worst,expected", "worst,expected", "exact"),
            *((f"one step, {name}", "expected", name) for name in METHODS),
        ):
            average, worst = ours(asked, objective, method)
            print(f"  {label:<26}expected {float(average):.4f}  worst {worst}")
    for criterion in ("entropy", "gini"):
        found = [theirs(numbers, weights, criterion, seed) for seed in range(seeds)]
        averages, worsts = [float(a) for a, _ in found], [w for _, w in found]
        print(
            f"  {f'scikit-learn, {criterion}':<26}expected {min(averages):.4f} to {max(averages):.4f}, "
            f"mean {sum(averages) / seeds:.4f}  worst {min(worsts)} to {max(worsts)}"
        )


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--seeds", type=int, default=100)
    given = parser.parse_args()
    try:
        report(parse(given.game), max(given.seeds, 1))
    except GuesstreeError as error:
        sys.exit(f"classifiers.py: {error}")


if __name__ == "__main__":
    main()
