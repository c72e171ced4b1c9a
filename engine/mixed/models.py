"""Rounds of a game with a model (`Game.model`): tests that may get several answers, decisions that may lose.

What a cause pays is what its tests cost and what the decision at the end loses, on average over its answers.
It is a sum over the ends of its paths, each times its chance, and no chance depends on the weights. So what a
strategy pays is linear in the weights, and it is the same matrix game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor, lcm
from typing import Any

import numpy as np

from ..exact import Number
from ..game import Game
from ..noisy.integer_model import IntegerModel
from ..noisy.model import Model
from ..objective import EXPECTED
from ..search.solve import solve
from ..solution import Solved, history_key
from .plan import Plan
from .rounds import Rounds

History = tuple[tuple[int, int], ...]


def weighted(game: Game, weights: Sequence[int]) -> Game:
    """Return a game with a model whose causes have other weights, integers from 1."""
    assert game.model is not None
    return game.with_model(replace(game.model, weights=tuple(weights)), game.secrets, game.guesses)


def paid_by(model: Model, solved: Solved) -> list[Fraction]:
    """Return what each cause pays on average, for tests and by what is decided."""
    tests = len(model.chances)
    found = [Fraction(0)] * len(model.weights)
    everyone: dict[int, Number] = dict.fromkeys(range(len(found)), 1)
    waiting: list[tuple[History, dict[int, Number], frozenset[int], Number]] = [
        ((), everyone, frozenset(), 0)
    ]
    while waiting:
        history, shares, opened, spent = waiting.pop()
        over = bool(history) and history[-1][1] in model.ending(history[-1][0])
        settled = over or (model.losses is None and model.settled(shares))
        asked = -1 if settled else solved.choices[history_key(history)]
        if not 0 <= asked < tests:
            lost = () if settled or model.losses is None else model.losses[asked - tests]
            for cause, share in shares.items():
                found[cause] += share * (spent + ((lost[cause] if lost else 0) or 0))
            continue
        cells, after = model.chances[asked], opened | model.group(asked)
        price = spent + model.price(asked, opened)
        for answer in {answer for cause in shares for answer in cells[cause]}:
            part: dict[int, Number] = {
                cause: share * cells[cause][answer]
                for cause, share in shares.items()
                if answer in cells[cause]
            }
            waiting.append(((*history, (asked, answer)), part, after, price))
    return found


class ModelRounds(Rounds):
    """Rounds of a game with a model; each cause is alone, as no symmetry is looked for."""

    def too_large(self, weight: int) -> bool:  # noqa: ARG002 - of plain games
        """Return False: that search counts as far as it has to."""
        return False

    def answer(self, weights: Sequence[int], options: dict[str, Any]) -> tuple[Solved, Plan, Fraction]:
        """Return the best answer to weights of causes, from 0: its search, its strategy, and a lower bound.

        Causes of weight 0 are told from others, too, as far as they must be: they weigh 1, and the others
        `scale` times as much. If A is what a strategy pays by the weights and B what those z of weight 0 pay,
        the search minimises scale A + B. A path asks no test twice, so B is at most z times all prices and
        the largest loss. No mass is broken in u-ths, see `IntegerModel`, so A counts u-ths, and scale is more
        than u times the most that B may be. Let A* be the least A, with B*. Then
        scale A + B <= scale A* + B* gives A < A* + 1 / u, so A = A*; and lower <= scale A* + B* gives
        u A* > u lower / scale - 1, so u A* is at least u lower / scale, rounded down.
        """
        model = self.problem.game.model
        assert model is not None
        never, scale, unit = sum(not weight for weight in weights), 1, 1
        if never:
            integers = IntegerModel(model)
            unit = integers.unit * integers.coin
            lost = max((loss for row in model.losses or () for loss in row if loss is not None), default=0)
            scale = floor(unit * never * (sum(map(max, zip(*prices_of(model), strict=True))) + lost)) + 1
        game = weighted(self.problem.game, [weight * scale or 1 for weight in weights])
        solved = solve(game, EXPECTED.name, **options)
        lower = Fraction(solved.lower[0])
        if never:
            lower = Fraction(floor(unit * lower / scale), unit)
        paid = paid_by(model, solved)
        parts = lcm(*(cost.denominator for cost in paid))
        counted = np.array([int(cost * parts) for cost in paid], dtype=object)
        return solved, Plan(solved.choices, counted, parts), lower


def prices_of(model: Model) -> tuple[Sequence[Number], Sequence[Number]]:
    """Return what each test costs, and what it costs once another of its group was asked."""
    return model.prices, model.later or model.prices
