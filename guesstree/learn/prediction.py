"""Where examples end in a strategy, known ones and new ones, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from guesstree.api.strategy import Strategy
from guesstree.engine.exact import Number
from guesstree.learn.examples import Examples, Losses
from guesstree.learn.features import MISSING
from guesstree.trees.noisy import Reach, reach_of
from guesstree.trees.tree import TreeError

if TYPE_CHECKING:
    import pandas

Ways = list[tuple[Fraction, int]]
"""With which chance an example ends at which node; they add up to 1."""


class Followed:
    """A strategy with the examples that it was made for.

    Attributes
    ----------
    masses: for each node, the weight of each class that comes there.
    decided: for each node, what loses least there; of equals the first class.
    paid: for each node, what an example that ends there has paid, for the node's own test too.
    asked: the tests that are asked anywhere.
    expected: the expected cost of an example, of tests and losses.
    """

    def __init__(self, strategy: Strategy, examples: Examples, losses: Losses) -> None:
        self._strategy, self._examples, self._losses = strategy, examples, losses
        self._guess = strategy.guess.tolist()
        self._child = [
            {int(strategy.response[child]): child for child in strategy.children(node)}
            for node in range(len(strategy))
        ]
        self.asked = sorted({guess for guess in self._guess if guess >= 0})
        self._place = {test: i for i, test in enumerate(self.asked)}
        number = {label: i for i, label in enumerate(strategy.game.responses)}
        self._response = [[number.get(label, -1) for label in one.answers] for one in examples.features]
        unit, reached = strategy.game.cost_unit, reach_of(strategy)
        self.masses = [self._by_class(reach) for reach in reached]
        self.decided = [
            strategy.decided.get(node, self._best(masses)) for node, masses in enumerate(self.masses)
        ]
        self.paid = [self._paid(node, reach) * unit for node, reach in enumerate(reached)]
        ends = [node for node, test in enumerate(self._guess) if test < 0]
        costs = (sum(self.masses[node]) * (self.paid[node] + self._loss(node)) for node in ends)
        self.expected = sum(costs, Fraction()) / sum(self.masses[0])

    def _by_class(self, reach: Reach) -> list[Fraction]:
        """Return the weight of each class at a node."""
        unit, found = self._strategy.game.weight_unit, [Fraction()] * len(self._losses)
        for i, mass in reach.masses.items():
            found[self._examples.classes[i]] += mass * unit
        return found

    def _paid(self, node: int, reach: Reach) -> Number:
        model = self._strategy.game.model
        assert model is not None
        test = self._guess[node]
        return reach.paid + (model.price(test, reach.opened) if test >= 0 else 0)

    def _chances(self, test: int, answer: int) -> dict[int, Fraction]:
        """Return the chance of each response to a test, where this is the answer or it is missing."""
        if answer >= 0:
            return {self._response[test][answer]: Fraction(1)}
        odds = self._examples.odds[test] if answer == MISSING else {}
        return {self._response[test][one]: chance for one, chance in odds.items()}

    def _best(self, masses: Sequence[Fraction]) -> int:
        """Return the class that loses least; where none may be said, that which is wrong for the fewest."""
        lost = []
        for row in self._losses:
            wrong = sum(mass for mass, loss in zip(masses, row, strict=True) if loss is None)
            lost.append((wrong, sum(mass * loss for mass, loss in zip(masses, row, strict=True) if loss)))
        return lost.index(min(lost))

    def _loss(self, node: int) -> Fraction:
        """Return what the decision at a node loses on average."""
        row = self._losses[self.decided[node]]
        lost = sum((m * loss for m, loss in zip(self.masses[node], row, strict=True) if loss), Fraction())
        return lost / sum(self.masses[node])

    # -- new examples --------------------------------------------------------------------------------------

    def ways(self, answers: tuple[int, ...]) -> Ways:
        """Return where an example ends that answers so to the tests in `asked`; UNSEEN ends it there."""
        found, waiting = list[tuple[Fraction, int]](), [(Fraction(1), 0)]
        while waiting:
            chance, node = waiting.pop()
            test, ended = self._guess[node], chance
            if test >= 0:
                for response, part in self._chances(test, answers[self._place[test]]).items():
                    if response in self._child[node]:
                        waiting.append((chance * part, self._child[node][response]))
                        ended -= chance * part
            if ended:
                found.append((ended, node))
        return found

    def said(self, ways: Ways) -> int:
        """Return what is decided where an example ends; what loses least for the shares of several ends."""
        return self.decided[ways[0][1]] if len(ways) == 1 else self._best(self.shares(ways))

    def shares(self, ways: Ways) -> list[Fraction]:
        """Return the share of each class where an example ends."""
        found = [Fraction()] * len(self._losses)
        for chance, node in ways:
            for own, mass in enumerate(self.masses[node]):
                found[own] += chance * mass / sum(self.masses[node])
        return found

    def to_frame(self) -> pandas.DataFrame:
        """Return the ends as a DataFrame, as `Tests.to_frame` says."""
        try:
            import pandas as pd
        except ImportError:
            raise TreeError(
                "a DataFrame is made by pandas, which is not installed: pip install pandas"
            ) from None
        rows = []
        for node, test in enumerate(self._guess):
            if test < 0:
                masses = self.masses[node]
                row = {
                    "path": self._path(node),
                    "decision": self._examples.labels[self.decided[node]],
                    "examples": float(sum(masses)),
                    "cost": float(self.paid[node]),
                    "loss": float(self._loss(node)),
                }
                named = zip(self._examples.labels, masses, strict=True)
                rows.append(row | {f"share of {one}": float(mass / sum(masses)) for one, mass in named})
        return pd.DataFrame(rows)

    def _path(self, node: int) -> str:
        game, nodes = self._strategy.game, self._strategy.path(node)
        return "; ".join(
            f"{game.guesses[self._guess[above]]}: {game.responses[self._strategy.response[below]]}"
            for above, below in pairwise(nodes)
        )
