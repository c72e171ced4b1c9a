"""What a strategy comes to: figures of guesses and of costs, by objective, and sums over its subtrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.exact import Value, as_plain, exact_text, rounded_text, whole_or_part
from guesstree.engine.game import Game, weights_of
from guesstree.engine.objective import OBJECTIVE_NAMES, value_texts

from .split import ending_chances
from .tree import Claims, Ints, Tree, TreeError

Sums = NDArray[np.int64]


@dataclass(frozen=True)
class Summary:
    """The figures of a strategy: secrets, total guesses, worst case, and how many secrets need n guesses.

    Where guesses may get several responses, the total is expected, and n the most that a secret needs.
    """

    secrets: int
    total: Value
    worst: int
    histogram: Mapping[int, int]

    @property
    def average(self) -> Fraction:
        """The expected number of guesses, exactly."""
        return Fraction(self.total, self.secrets)

    def value(self, objective: str) -> tuple[int, ...] | None:
        """Return what an objective compares, or None for one that guesses do not tell."""
        return _compared(objective, self.total, self.worst)

    @property
    def shown(self) -> dict[str, str]:
        """Total, average and worst case as readers see them."""
        return {
            "total": exact_text(self.total),
            "average": rounded_text(self.average),
            "worst": str(self.worst),
        }

    def as_json(self) -> dict[str, Any]:
        """Return the figures as plain data, as a strategy file states them."""
        return {
            "secrets": self.secrets,
            "total": as_plain(self.total),
            "average": float(self.average),
            "worst": self.worst,
            "histogram": {str(n): many for n, many in self.histogram.items()},
        }


@dataclass(frozen=True)
class Costs:
    """What a strategy costs, where secrets have weights, guesses have costs, or a budget limits what is won.

    Numbers count units, of which `shown` makes what readers see.

    Attributes
    ----------
    weight: of all secrets.
    total: the weighted cost of all secrets.
    worst: the most that a secret costs.
    budget: what a secret may cost to count as won, or None.
    won, won_total: weight and weighted cost of the secrets within the budget; all without one.
    cost_unit, weight_unit: those of the game.
    """

    weight: Value
    total: Value
    worst: int
    budget: int | None
    won: int
    won_total: Value
    cost_unit: Fraction = Fraction(1)
    weight_unit: Fraction = Fraction(1)

    @property
    def shown(self) -> dict[str, str]:
        """The figures as readers see them: costs and weights as the game has them, averages rounded."""
        weighted = self.cost_unit * self.weight_unit
        found = {
            "weight": exact_text(self.weight * self.weight_unit),
            "total": exact_text(self.total * weighted),
            "average": rounded_text(self.average * self.cost_unit),
            "worst": exact_text(self.worst * self.cost_unit),
        }
        if self.budget is not None:
            found |= {
                "budget": exact_text(self.budget * self.cost_unit),
                "won": exact_text(self.won * self.weight_unit),
                "won_total": exact_text(self.won_total * weighted),
            }
        return found

    @property
    def average(self) -> Fraction:
        """The expected cost, exactly."""
        return Fraction(self.total, self.weight)

    @property
    def probability(self) -> Fraction:
        """The chance to win within the budget, exactly."""
        return Fraction(self.won, self.weight)

    def value(self, objective: str) -> tuple[int, ...] | None:
        """Return what an objective compares, or None for one that is not known."""
        if objective == "win-probability":
            return self.weight - self.won, self.won_total
        return _compared(objective, self.total, self.worst)

    def stated(self) -> dict[str, Any]:
        """Return the figures as a strategy file states them, in units."""
        found: dict[str, Any] = {
            "weight": self.weight,
            "total": as_plain(self.total),
            "average": float(self.average),
            "worst": self.worst,
        }
        if self.budget is not None:
            found |= {"budget": self.budget, "won": self.won, "won_total": self.won_total}
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the figures as plain data; where a unit is not 1, with the units and as readers see them."""
        units = {"cost_unit": str(self.cost_unit), "weight_unit": str(self.weight_unit)}
        if set(units.values()) == {"1"}:
            return self.stated()
        return self.stated() | units | {"shown": self.shown}


def _compared(objective: str, total: int, worst: int) -> tuple[int, ...] | None:
    numbers = {"expected": total, "worst": worst}
    parts = objective.split(",")
    return tuple(numbers[part] for part in parts) if set(parts) <= set(numbers) else None


def value(game: Game, strategy: Tree, objective: str) -> tuple[int, ...] | None:
    """Return what an objective compares: costs where there are any, else guesses; None for one not known."""
    costs = strategy_costs(game, strategy)
    return summary_of(strategy).value(objective) if costs is None else costs.value(objective)


def claimed_bounds(game: Game, claims: Claims) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the bounds that are claimed, lower and upper, as readers see them; empty where there is none."""
    if claims.objective not in OBJECTIVE_NAMES:
        return tuple(map(str, claims.lower)), tuple(map(str, claims.upper))
    lower, upper = (value_texts(game, claims.objective, bound) for bound in (claims.lower, claims.upper))
    return lower, upper


def claimed_limits(game: Game, claims: Claims) -> list[str]:
    """Return what restricts a strategy, each with its value, as readers see it."""
    budget = _budget(claims.parameters)
    shown = {} if budget is None else {"budget": game.cost_text(budget)}
    return [f"{key}: {value}" for key, value in ({**claims.parameters} | shown).items()]


# -- guesses and costs of every secret ---------------------------------------------------------------------


def summary_of(strategy: Tree) -> Summary:
    """Return the figures of a strategy in guesses; raise TreeError for one that reaches no secret."""
    found = summarise(strategy.guesses_needed()[1])
    if strategy.game.model is None:
        return found
    asked = strategy.depth[strategy.ends[0]].tolist()
    split = ending_chances(strategy.game, strategy)
    return replace(found, total=whole_or_part(sum(map(mul, asked, split), Fraction())))


def summarise(needed: Sequence[int] | Ints) -> Summary:
    """Return the figures for the guesses needed by each secret."""
    if not len(needed):
        raise TreeError("a strategy that reaches no secret has no figures")
    values, times = np.unique(np.asarray(needed, dtype=np.int64), return_counts=True)
    return Summary(
        secrets=int(times.sum()),
        total=int((values * times).sum()),
        worst=int(values.max()),
        histogram={int(v): int(t) for v, t in zip(values, times, strict=True)},
    )


def _budget(parameters: Mapping[str, Any]) -> int | None:
    budget = parameters.get("budget")
    return budget if isinstance(budget, int) and not isinstance(budget, bool) else None


def _counts(game: Game, parameters: Mapping[str, Any]) -> bool:
    """Return whether costs say more than guesses."""
    return game.weights is not None or game.costs is not None or _budget(parameters) is not None


def count_costs(
    game: Game,
    costs: Sequence[tuple[int, int]],
    parameters: Mapping[str, Any],
    chances: Sequence[Fraction] = (),
) -> Costs | None:
    """Return the figures of (secret, cost) pairs; None where every secret and every guess counts 1.

    `chances`: with which probability a secret pays that, where it may pay one thing or another.
    """
    budget = _budget(parameters)
    if not costs or not _counts(game, parameters):
        return None
    weights = [1] * len(game.secrets) if game.weights is None else [int(w) for w in game.weights]
    if chances:
        weight = sum(weights[s] for s in {s for s, _ in costs})
        total = sum((weights[s] * cost * p for (s, cost), p in zip(costs, chances, strict=True)), Fraction())
        exact = whole_or_part(total)
        worst = max(cost for _, cost in costs)
        return Costs(weight, exact, worst, None, weight, exact, game.cost_unit, game.weight_unit)
    won = [(s, cost) for s, cost in costs if budget is None or cost <= budget]
    return Costs(
        weight=sum(weights[s] for s, _ in costs),
        total=sum(weights[s] * cost for s, cost in costs),
        worst=max(cost for _, cost in costs),
        budget=budget,
        won=sum(weights[s] for s, _ in won),
        won_total=sum(weights[s] * cost for s, cost in won),
        cost_unit=game.cost_unit,
        weight_unit=game.weight_unit,
    )


def strategy_costs(game: Game, strategy: Tree) -> Costs | None:
    """Return what a strategy costs; None where every secret and every guess counts 1."""
    parameters = strategy.claims.parameters
    if not _counts(game, parameters):
        return None
    split = () if game.model is None else ending_chances(game, strategy)
    return count_costs(game, paid(game, strategy), parameters, split)


def paid(game: Game, strategy: Tree) -> list[tuple[int, int]]:
    """Return the secrets where they end in a strategy, in the order of its `ends`, and what each costs."""
    reached, ended = strategy.ends
    if game.costs is None:
        asked = strategy.depth[reached] + (strategy.goal == "win")
        return list(zip(ended.tolist(), asked.tolist(), strict=True))
    costs = game.costs
    guess, parent, response = (a.tolist() for a in (strategy.guess, strategy.parent, strategy.response))

    def price(node: int, answer: int) -> int:
        return int(costs[guess[node], answer])

    spent = [0] * len(guess)
    for node in range(1, len(guess)):  # parents come first
        spent[node] = spent[parent[node]] + price(parent[node], response[node])
    found = []
    for node, s in zip(reached.tolist(), ended.tolist(), strict=True):
        last = price(node, game.winning) if strategy.goal == "win" and game.winning is not None else 0
        found.append((s, spent[node] + last))
    return found


def lost(game: Game, strategy: Tree) -> Set[int]:
    """Return the secrets that cost more than the budget that a strategy claims to keep; none without one."""
    budget = _budget(strategy.claims.parameters)
    if budget is None:
        return frozenset()
    return frozenset(s for s, cost in paid(game, strategy) if cost > budget)


# -- sums over subtrees ------------------------------------------------------------------------------------


def add_up(strategy: Tree, values: NDArray[Any]) -> Sums:
    """Return the sum of what the nodes of each subtree have, shape (nodes,)."""
    found = values.astype(np.int64)
    for start, stop in reversed(strategy.levels()[1:]):
        np.add.at(found, strategy.parent[start:stop], found[start:stop])
    return found


def most_below(strategy: Tree, values: NDArray[Any]) -> Sums:
    """Return the most that a node of each subtree has, shape (nodes,)."""
    found = values.astype(np.int64)
    for start, stop in reversed(strategy.levels()[1:]):
        np.maximum.at(found, strategy.parent[start:stop], found[start:stop])
    return found


def secrets_below(strategy: Tree) -> Sums:
    """Return how many different secrets end in each subtree, shape (nodes,)."""
    if not strategy.several:
        return add_up(strategy, strategy.secret >= 0)
    ended = [sum(1 << s for s in strategy.named(node)) for node in range(len(strategy))]
    parent = strategy.parent.tolist()
    for node in range(len(ended) - 1, 0, -1):  # children come after their parents
        ended[parent[node]] |= ended[node]
    return np.array([secrets.bit_count() for secrets in ended], dtype=np.int64)


def weighed(game: Game) -> bool:
    """Return whether some secrets are likelier than others, so that shares of the weight say something.

    The weight of a merged secret, labelled ``a|b``, that is just how many were merged does not say so.
    """
    if game.weights is None:
        return False
    sums = Counter[str]()
    for label, weight in zip(game.kinds or game.secrets, weights_of(game).tolist(), strict=True):
        sums[label] += weight
    return len({Fraction(weight, label.count("|") + 1) for label, weight in sums.items()}) > 1


def weight_below(game: Game, strategy: Tree) -> Sums:
    """Return what the secrets that end in each subtree weigh, 1 each without weights; shape (nodes,).

    Where guesses may get several responses, these are fractions: a secret counts as often as it ends there.
    """
    weights = np.append(weights_of(game), 0)  # -1 names no secret
    if game.model is None:
        return add_up(strategy, weights[strategy.secret])
    found = np.full(len(strategy), Fraction(), dtype=object)
    split = ending_chances(game, strategy)
    for node, secret, chance in zip(*(column.tolist() for column in strategy.ends), split, strict=True):
        found[node] += int(weights[secret]) * chance
    for node in range(len(strategy) - 1, 0, -1):  # children come after their parents
        found[strategy.parent[node]] += found[node]
    return found
