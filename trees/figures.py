"""What a strategy comes to: figures of guesses and of costs, by objective, and sums over its subtrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.exact import (
    PLACES,
    Number,
    Value,
    as_plain,
    exact_text,
    rounded_text,
    short_text,
    whole_or_part,
)
from guesstree.engine.game import Game, weights_of
from guesstree.engine.objective import OBJECTIVES

from .language import number_text, say
from .noisy import endings_of, reach_of
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

    def value(self, objective: str) -> tuple[Value, ...] | None:
        """Return what an objective compares, or None for one that guesses do not tell."""
        return _compared(objective, {"total": self.total, "worst": self.worst})

    @property
    def shown(self) -> dict[str, str]:
        """Total, average and worst case as readers see them."""
        return {
            "total": short_text(self.total),
            "average": rounded_text(self.average),
            "worst": str(self.worst),
        }

    def as_json(self) -> dict[str, Any]:
        """Return the figures as plain data, as a strategy file states them."""
        return {
            "secrets": self.secrets,
            "total": as_plain(self.total),
            "average": float(self.average),
            "exact": str(self.average),
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
    loss: how much of the total is lost by what is decided; None where nothing is decided.
    """

    weight: Value
    total: Value
    worst: Value
    budget: int | None
    won: Value
    won_total: Value
    cost_unit: Fraction = Fraction(1)
    weight_unit: Fraction = Fraction(1)
    loss: Value | None = None

    @property
    def shown(self) -> dict[str, str]:
        """The figures as readers see them: costs and weights as they are; averages, long totals rounded."""
        weighted = self.cost_unit * self.weight_unit
        found = {
            "weight": exact_text(self.weight * self.weight_unit),
            "total": short_text(self.total * weighted),
            "average": rounded_text(self.average * self.cost_unit),
            "worst": exact_text(self.worst * self.cost_unit),
            "exact": str(self.average * self.cost_unit),
        }
        if self.loss is not None:
            loss = Fraction(self.loss, self.weight)
            found |= {
                "tests": rounded_text((self.average - loss) * self.cost_unit),
                "loss": rounded_text(loss * self.cost_unit),
            }
        if self.budget is not None:
            found |= {
                "budget": exact_text(self.budget * self.cost_unit),
                "won": exact_text(self.won * self.weight_unit),
                "won_total": short_text(self.won_total * weighted),
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

    def value(self, objective: str) -> tuple[Value, ...] | None:
        """Return what an objective compares, or None for one that is not known."""
        lost = self.weight - self.won
        numbers = {"total": self.total, "worst": self.worst, "lost": lost, "won": self.won_total}
        return _compared(objective, numbers)

    def stated(self) -> dict[str, Any]:
        """Return the figures as a strategy file states them, in units."""
        found: dict[str, Any] = {
            "weight": as_plain(self.weight),
            "total": as_plain(self.total),
            "average": float(self.average),
            "exact": str(self.average),
            "worst": as_plain(self.worst),
        }
        if self.loss is not None:
            found["loss"] = as_plain(self.loss)
        if self.budget is not None:
            won = {"won": as_plain(self.won), "won_total": as_plain(self.won_total)}
            found |= {"budget": self.budget, **won}
        return found

    def beside(self, guesses: Mapping[str, Any]) -> dict[str, Any]:
        """Return figures of guesses as plain data with these in their place, as readers see them."""
        weighted = self.cost_unit * self.weight_unit
        own = {
            "total": _as_number(self.total * weighted),
            "average": float(self.average * self.cost_unit),
            "exact": str(self.average * self.cost_unit),
            "worst": _as_number(self.worst * self.cost_unit),
        }
        counted = {name: guesses[name] for name in own}
        return {**guesses, **own, "guesses": counted, "costs": self.as_json()}

    def as_json(self) -> dict[str, Any]:
        """Return the figures as plain data; where a unit is not 1, with the units and as readers see them."""
        units = {"cost_unit": str(self.cost_unit), "weight_unit": str(self.weight_unit)}
        if set(units.values()) == {"1"}:
            return self.stated()
        return self.stated() | units | {"shown": self.shown}


def _as_number(value: Value) -> int | float:
    return int(value) if value == int(value) else float(value)


def _compared(objective: str, figures: Mapping[str, Value]) -> tuple[Value, ...] | None:
    known = OBJECTIVES.get(objective)
    return None if known is None or not known.compares(figures) else known.value(figures)


def value(game: Game, strategy: Tree, objective: str) -> tuple[Value, ...] | None:
    """Return what an objective compares: costs where there are any, else guesses; None for one not known."""
    costs = strategy_costs(game, strategy)
    return summary_of(strategy).value(objective) if costs is None else costs.value(objective)


def claimed_bounds(
    game: Game, claims: Claims, *, averages: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the bounds that are claimed, lower and upper, as readers see them; empty where there is none.

    With `averages`, which they are to stand beside, averages are told instead of totals, rounded outwards as
    the figures are: to two decimals where decisions lose, as in `words.meaning`, which has no totals at all.
    """
    if claims.objective not in OBJECTIVES:
        return tuple(map(str, claims.lower)), tuple(map(str, claims.upper))
    names, decides = OBJECTIVES[claims.objective].figures, game.model and game.model.losses
    steps = 100 if decides else 10**PLACES

    def texts(bound: Sequence[int], rounded: Callable[[Fraction], int]) -> tuple[str, ...]:
        if not (averages or decides) or "total" not in names:
            return game.value_texts(claims.objective, bound)
        shown = []
        for name, value in zip(names, bound, strict=False):
            if name == "total":
                average = value * game.cost_unit / int(weights_of(game).sum())
                figure = number_text(exact_text(Fraction(rounded(steps * average), steps)))
                shown.append(say("{figure} on average", figure=figure))
            else:
                shown.append(game.figure_text(name, value))
        return tuple(shown)

    return texts(claims.lower, floor), texts(claims.upper, ceil)


def claimed_limits(game: Game, claims: Claims) -> list[str]:
    """Return what restricts a strategy, each with its value, as readers see it."""
    budget = _budget(claims.parameters)
    shown = {} if budget is None else {"budget": game.cost_text(budget)}
    return [f"{key}: {value}" for key, value in ({**claims.parameters} | shown).items()]


# -- guesses and costs of every secret ---------------------------------------------------------------------


def summary_of(strategy: Tree) -> Summary:
    """Return the figures of a strategy in guesses; raise TreeError for one that reaches no secret."""
    found = summarise(strategy.guesses_needed())
    if not strategy.game.facts.noisy:
        return found
    asked = sum((int(strategy.depth[end.node]) * end.chance for end in endings_of(strategy)), Fraction())
    return replace(found, total=whole_or_part(asked))


def summarise(needed: Sequence[int] | Ints) -> Summary:
    """Return the figures for the guesses needed by each secret; -1: it is not reached."""
    reached = np.asarray(needed, dtype=np.int64)
    reached = reached[reached >= 0]
    if not len(reached):
        raise TreeError("a strategy that reaches no secret has no figures")
    values, times = np.unique(reached, return_counts=True)
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
    model = game.model
    split = model is not None and (model.losses is not None or set(model.prices) != {1})
    return split or game.facts.weighted or game.facts.priced or _budget(parameters) is not None


def count_costs(game: Game, costs: Sequence[tuple[int, int]], parameters: Mapping[str, Any]) -> Costs | None:
    """Return the figures of (secret, cost) pairs; None where every secret and every guess counts 1."""
    budget = _budget(parameters)
    if not costs or not _counts(game, parameters):
        return None
    weights = [1] * len(game.secrets) if game.weights is None else [int(w) for w in game.weights]
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


def count_endings(
    game: Game,
    ends: Sequence[tuple[int, Number, Number, Fraction]],
    parameters: Mapping[str, Any],
) -> Costs | None:
    """Return the figures of a game with a model, see `count_costs`.

    `ends`: where secrets end, each with what is paid for guesses, what is lost by the decision, and how
    likely that is.
    """
    model, budget = game.model, _budget(parameters)
    if model is None or not ends or not _counts(game, parameters):
        return None
    total, loss, won, won_total = (Fraction() for _ in range(4))
    for secret, paid_for, lost_by, chance in ends:
        share, cost = model.weights[secret] * chance, paid_for + lost_by
        total += share * cost
        loss += share * lost_by
        if budget is None or cost <= budget:
            won += share
            won_total += share * cost
    return Costs(
        weight=whole_or_part(Fraction(sum(model.weights[s] for s in {end[0] for end in ends}))),
        total=whole_or_part(total),
        worst=whole_or_part(Fraction(max(end[1] + end[2] for end in ends))),
        budget=budget,
        won=whole_or_part(won),
        won_total=whole_or_part(won_total),
        cost_unit=game.cost_unit,
        weight_unit=game.weight_unit,
        loss=None if model.losses is None else whole_or_part(loss),
    )


def strategy_costs(game: Game, strategy: Tree) -> Costs | None:
    """Return what a strategy costs; None where every secret and every guess counts 1."""
    parameters = strategy.claims.parameters
    if not _counts(game, parameters):
        return None
    if game.facts.noisy:
        return count_endings(game, [end[1:] for end in endings_of(strategy)], parameters)
    if strategy.lies:  # a secret ends in many ways, of which the longest counts
        needed = enumerate(strategy.guesses_needed().tolist())
        return count_costs(game, [(s, n) for s, n in needed if n >= 0], parameters)
    return count_costs(game, paid(game, strategy), parameters)


def paid(game: Game, strategy: Tree) -> list[tuple[int, Value]]:
    """Return the secrets where they end in a strategy, in the order of its `ends`, and what each costs."""
    if game.model is not None:
        return [(end.secret, end.paid + end.loss) for end in endings_of(strategy)]
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
    if not game.facts.weighted:
        return False
    sums = Counter[str]()
    for label, weight in zip(game.kinds or game.secrets, weights_of(game).tolist(), strict=True):
        sums[label] += weight
    return len({Fraction(weight, label.count("|") + 1) for label, weight in sums.items()}) > 1


def weight_below(game: Game, strategy: Tree) -> Sums:
    """Return what the secrets that end in each subtree weigh, 1 each without weights; shape (nodes,).

    Where guesses may get several responses, these are fractions: a secret counts as often as it gets there,
    and not at all where a guess on the way failed to respond.
    """
    weights = np.append(weights_of(game), 0)  # -1 names no secret
    if not game.facts.noisy:
        return add_up(strategy, weights[strategy.secret])
    masses = [Fraction(0) if at.failures else at.mass for at in reach_of(strategy)]
    return np.array(masses, dtype=object)


# -- decisions ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decision:
    """How a decision fares in a strategy; shares are of all weight.

    Attributes
    ----------
    label: what is decided; `DONE` where a response ended the path.
    share: how often.
    wrong: how often where another decision would have lost less.
    loss: the part of the expected cost that it loses, in units of the game's costs.
    """

    label: str
    share: Fraction
    wrong: Fraction
    loss: Fraction


def decisions_in(strategy: Tree) -> list[Decision]:
    """Return what a strategy decides, most often first; nothing where it names secrets."""
    model = strategy.game.model
    if model is None or model.losses is None:
        return []
    least = [
        min((loss for loss in column if loss is not None), default=0)
        for column in zip(*model.losses, strict=True)
    ]
    sums: dict[str, list[Fraction]] = {}
    for end in endings_of(strategy):
        share = model.weights[end.secret] * end.chance
        wrong = share if end.node in strategy.decided and end.loss > least[end.secret] else Fraction()
        label = " or ".join(strategy.endings(end.node))
        known = sums.get(label, [Fraction()] * 3)
        sums[label] = [a + b for a, b in zip(known, (share, wrong, share * end.loss), strict=True)]
    weight = Fraction(sum(model.weights))
    found = [Decision(label, *(part / weight for part in parts)) for label, parts in sums.items()]
    return sorted(found, key=lambda one: -one.share)


def decisions_data(strategy: Tree) -> dict[str, Any]:
    """Return `decisions_in` as plain data, losses as the game has them; empty where nothing is decided."""
    unit = strategy.game.cost_unit
    found = [
        {
            "decision": one.label,
            "share": float(one.share),
            "wrong": float(one.wrong),
            "loss": float(one.loss * unit),
        }
        for one in decisions_in(strategy)
    ]
    return {"decisions": found} if found else {}
