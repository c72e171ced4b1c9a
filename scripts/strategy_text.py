"""Write a strategy file as the text that `verify/strategy.c` replays.

python scripts/strategy_text.py 4x6.json > 4x6.strategy
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from textwrap import fill

import numpy as np

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.objective import parse_objective, usual_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.statement import FORMAT, certificate_names, statement_of
from guesstree.trees.export.files import read
from guesstree.trees.tree import Tree

WIDTH = 100


def text_of(strategy: Tree) -> str:
    """Return a strategy as guesses in the order in which they are met, see `verify/strategy.c`.

    It names the words or the table of its game as a certificate does. Raises GuesstreeError for a game that
    certificates do not cover, and for one with costs, weights, lies or odds.
    """
    game = strategy.game
    problem = Problem(game, parse_objective(usual_objective(None)), goal=strategy.goal)
    if strategy.lies or game.model is not None or problem.priced:
        raise GuesstreeError(f"{game.spec}: strategies are replayed where each question costs the same")
    names, children = certificate_names(problem)[0], strategy.first_child.tolist()
    secrets = (strategy.secret >= 0).astype(np.int64)
    least = np.where(strategy.secret >= 0, strategy.secret, len(game.secrets)).tolist()
    for node in range(len(strategy) - 1, 0, -1):  # the tree is in breadth-first order
        above = int(strategy.parent[node])
        secrets[above] += secrets[node]
        least[above] = min(least[above], least[node])
    guesses, waiting = list[str](), [0]
    while waiting:
        node = waiting.pop()
        if secrets[node] > 1:
            guesses.append(names[int(strategy.guess[node])])
            parts = sorted(range(children[node], children[node + 1]), key=least.__getitem__)
            waiting += reversed(parts)
    taken = strategy.guesses_needed()
    first = names[int(strategy.guess[0])] if "first" in strategy.claims.parameters else "-"
    claim = (
        f"{statement_of(problem).game.words} {strategy.goal} {first} {int(taken.max())} {int(taken.sum())} ("
    )
    return f"{FORMAT.replace('/1', '/1 strategy', 1)} {claim}\n{fill(' '.join([*guesses, ')']), WIDTH)}\n"


def text_of_file(path: Path) -> str:
    """Return the text of a strategy file; raises GuesstreeError as `text_of`, and for one that is none."""
    return text_of(read(path)[1])


def main(arguments: list[str]) -> int:
    """Print the text of a strategy file; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path, metavar="FILE.json", help="a strategy file")
    given = parser.parse_args(arguments)
    try:
        print(text_of_file(given.path), end="")
    except GuesstreeError as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
