"""What a strategy comes to: figures of guesses, of costs and of decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

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
from .noisy import endings_of
from .tree import Claims, Ints, Tree, TreeError


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
    leaves: how many leaves the tree has, where their number is limited or counts; None elsewhere.
    leaf_price: what each adds to the average, a part of the total.
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
    leaves: int | None = None
    leaf_price: Number = 0

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
                "tests": rounded_text((self.average - loss - self.for_leaves) * self.cost_unit),
                "loss": rounded_text(loss * self.cost_unit),
            }
        if self.leaves is not None:
            found |= {
                "leaves": str(self.leaves),
                "for_leaves": rounded_text(self.for_leaves * self.cost_unit),
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
    def for_leaves(self) -> Fraction:
        """What the leaves add to the average."""
        return Fraction(self.leaf_price) * (self.leaves or 0)

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
        if self.leaves is not None:
            found["leaves"] = self.leaves
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


@dataclass(frozen=True)
class Figures:
    """All figures of a strategy: `figures_of` takes them from the tree, `check` from a replay.

    Attributes
    ----------
    guesses: the figures of the secrets, in guesses.
    counted: the same as readers count: secrets of one kind (`Game.kinds`) are one, and a guess that only
        tells these apart is not asked.
    costs: what the strategy costs; None where every secret and every guess counts 1.
    decisions: what is decided, most often first; empty where secrets are named.
    cost_unit: that of the game.
    """

    guesses: Summary
    counted: Summary
    costs: Costs | None
    decisions: tuple[Decision, ...]
    cost_unit: Fraction = Fraction(1)

    @property
    def compared(self) -> Summary | Costs:
        """What strategies are compared by: costs where there are any, else guesses."""
        return self.guesses if self.costs is None else self.costs

    def as_json(self) -> dict[str, Any]:
        """Return the figures as plain data, as readers see them."""
        guesses = self.guesses.as_json()
        return (guesses if self.costs is None else self.costs.beside(guesses)) | self.decisions_as_json()

    def decisions_as_json(self) -> dict[str, Any]:
        """Return the decisions as plain data, losses as the game has them; empty where there are none."""
        found = [
            {
                "decision": one.label,
                "share": float(one.share),
                "wrong": float(one.wrong),
                "loss": float(one.loss * self.cost_unit),
            }
            for one in self.decisions
        ]
        return {"decisions": found} if found else {}

    def stated(self) -> dict[str, Any]:
        """Return the figures as a strategy file states them."""
        return self.guesses.as_json() | ({} if self.costs is None else {"costs": self.costs.stated()})


def claimed_bounds(
    game: Game, claims: Claims, *, averages: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the bounds that are claimed, lower and upper, as readers see them; empty where there is none.

    With `averages`, which they are to stand beside, averages stand instead of totals, rounded outwards as
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


_KNOWN: WeakKeyDictionary[Tree, Figures] = WeakKeyDictionary()


def figures_of(strategy: Tree) -> Figures:
    """Return the figures of a strategy, computed once; raise TreeError where it reaches no secret."""
    if strategy not in _KNOWN:
        _KNOWN[strategy] = _figures(strategy)
    return _KNOWN[strategy]


def _figures(strategy: Tree) -> Figures:
    game, needed = strategy.game, strategy.guesses_needed()
    guesses = counted = summarise(needed)
    if not game.facts.noisy:
        costs = None
        if _counts(game, strategy.claims.parameters):
            ends = paid(strategy)
            if strategy.lies:  # a secret ends in many ways, of which the dearest counts
                most: dict[int, Value] = {}
                for secret, cost in ends:
                    most[secret] = max(cost, most.get(secret, cost))
                ends = sorted(most.items())
            costs = count_costs(game, ends, strategy.claims.parameters)
        if game.kinds is not None:
            counted = _summary_by_kind(strategy, game.kinds)
        return Figures(guesses, counted, costs, (), game.cost_unit)
    endings = endings_of(strategy)
    asked = sum((int(strategy.depth[end.node]) * end.chance for end in endings), Fraction())
    guesses = replace(guesses, total=whole_or_part(asked))
    parameters, leaves = strategy.claims.parameters, len({end.node for end in endings})
    costs = count_endings(game, [end[1:] for end in endings], parameters, leaves)
    labels = (" or ".join(strategy.endings(end.node)) for end in endings)
    made = [(label, *end[1:]) for label, end in zip(labels, endings, strict=True)]
    return Figures(guesses, guesses, costs, count_decisions(game, made), game.cost_unit)


def _summary_by_kind(strategy: Tree, kinds: Sequence[str]) -> Summary:
    """Return the figures in guesses where each kind of secrets is one thing to find."""
    nodes, secrets = strategy.ends
    number = {kind: i for i, kind in enumerate(dict.fromkeys(kinds))}
    own = np.array([number[kind] for kind in kinds])
    asked = strategy.depth[nodes] + (strategy.goal == "win")
    if strategy.goal == "identify":
        least, most = np.full(len(strategy), len(number)), np.full(len(strategy), -1)
        least[nodes], most[nodes] = own[secrets], own[secrets]
        known = -strategy.most_below(-least) == strategy.most_below(most)
        first = np.where(known, strategy.depth, len(strategy))  # where nothing else is possible any more
        for start, stop in strategy.levels()[1:]:
            first[start:stop] = np.minimum(first[start:stop], first[strategy.parent[start:stop]])
        asked = first[nodes]
    weights = weights_of(strategy.game)[secrets]
    return summarise_kinds(
        zip([kinds[s] for s in secrets.tolist()], asked.tolist(), weights.tolist(), strict=True)
    )


def summarise_kinds(needed: Iterable[tuple[str, int, int]]) -> Summary:
    """Return the figures of kinds: the most that each needs, and the sum of what each is expected to need.

    `needed`: for each secret its kind, the guesses until that is known, and the weight of the secret.
    """
    most, weights, times = Counter[str](), Counter[str](), Counter[str]()
    for kind, asked, weight in needed:
        most[kind] = max(most[kind], asked)
        weights[kind] += weight
        times[kind] += weight * asked
    expected = sum((Fraction(times[kind], weights[kind]) for kind in most), Fraction())
    return replace(summarise(list(most.values())), total=whole_or_part(expected))


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


LEAF_LIMITS = ("max_leaves", "min_samples", "leaf_price")
"""Limits of leaves, as `parameters` of a strategy have them."""


def leaf_price_of(parameters: Mapping[str, Any]) -> Fraction:
    """Return what is claimed to be the price of a leaf, 0 where there is none."""
    try:
        price = Fraction(parameters.get("leaf_price", 0))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return Fraction(0)
    return max(price, Fraction(0))


def _counts(game: Game, parameters: Mapping[str, Any]) -> bool:
    """Return whether costs say more than guesses."""
    model = game.model
    split = model is not None and (model.losses is not None or set(model.prices) != {1})
    limited = any(name in parameters for name in LEAF_LIMITS)
    return split or limited or game.facts.weighted or game.facts.priced or _budget(parameters) is not None


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
    leaves: int = 0,
) -> Costs | None:
    """Return the figures of a game with a model, see `count_costs`.

    `ends`: where secrets end, each with what is paid for guesses, what is lost by the decision, and how
    likely that is. `leaves`: how many ends of the tree these are.
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
    weight, price = Fraction(sum(model.weights[s] for s in {end[0] for end in ends})), Fraction(0)
    limited = any(name in parameters for name in LEAF_LIMITS)
    if limited:
        price = leaf_price_of(parameters) / game.cost_unit
        total += leaves * price * weight
    return Costs(
        weight=whole_or_part(weight),
        total=whole_or_part(total),
        worst=whole_or_part(Fraction(max(end[1] + end[2] for end in ends))),
        budget=budget,
        won=whole_or_part(won),
        won_total=whole_or_part(won_total),
        cost_unit=game.cost_unit,
        weight_unit=game.weight_unit,
        loss=None if model.losses is None else whole_or_part(loss),
        leaves=leaves if limited else None,
        leaf_price=whole_or_part(price),
    )


def count_decisions(
    game: Game, ends: Iterable[tuple[str, int, Number, Number, Fraction]]
) -> tuple[Decision, ...]:
    """Return how decisions fare, most often first, then by name; nothing where secrets are named.

    `ends`: what is said where a secret ends, and the rest as in `count_endings`.
    """
    model = game.model
    if model is None or model.losses is None:
        return ()
    least = [
        min((loss for loss in column if loss is not None), default=0)
        for column in zip(*model.losses, strict=True)
    ]
    sums: dict[str, list[Fraction]] = {}
    for label, secret, _, loss, chance in ends:
        share = model.weights[secret] * chance
        wrong = share if loss > least[secret] else Fraction()
        known = sums.get(label, [Fraction()] * 3)
        sums[label] = [a + b for a, b in zip(known, (share, wrong, share * loss), strict=True)]
    weight = Fraction(sum(model.weights))
    found = [Decision(label, *(part / weight for part in parts)) for label, parts in sums.items()]
    return tuple(sorted(found, key=lambda one: (-one.share, one.label)))


def paid(strategy: Tree) -> list[tuple[int, Value]]:
    """Return the secrets where they end in a strategy, in the order of its `ends`, and what each costs."""
    game = strategy.game
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


def paid_on_average(strategy: Tree) -> list[tuple[int, Value]]:
    """Return what secrets cost where they end, as `paid`, each times the chance that it ends there."""
    if strategy.game.model is None:
        return paid(strategy)
    return [(end.secret, end.chance * (end.paid + end.loss)) for end in endings_of(strategy)]


def lost(strategy: Tree) -> Set[int]:
    """Return the secrets that cost more than the budget that a strategy claims to keep; none without one."""
    budget = _budget(strategy.claims.parameters)
    if budget is None:
        return frozenset()
    return frozenset(s for s, cost in paid(strategy) if cost > budget)


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
