"""`Strategy`: an explicit decision tree in flat arrays, built by replaying the game's own responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.registry import parse

Ints = NDArray[np.int32]
MOST_IN_NOTEBOOK = 300


class TreeError(GuesstreeError):
    """Report a tree that cannot be built or read."""


@dataclass(frozen=True)
class Claims:
    """What is said of a strategy: how it was found and what it is said to reach.

    Attributes
    ----------
    objective, method: names such as ``expected`` and ``exact``.
    lower, upper: bounds of the optimum, one number for each part of the objective
        (guesses); equal when proven.
    parameters: what restricts the strategy (first guess, depth limit, ...); empty when nothing does.
    summary: figures as a file states them; empty when they are to be computed.
    """

    objective: str = ""
    method: str = ""
    lower: tuple[int, ...] = ()
    upper: tuple[int, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    summary: Mapping[str, Any] = field(default_factory=dict)

    @property
    def proven(self) -> bool:
        """Whether the bounds say that the strategy is optimal."""
        return bool(self.lower) and self.lower == self.upper


@dataclass(frozen=True)
class Strategy:
    """A decision tree: every node is a guess, or a leaf that names the secret.

    Nodes are in breadth-first order, so the children of node i are the nodes
    ``first_child[i] : first_child[i + 1]``, in the order of their responses.

    Attributes
    ----------
    game, goal: the game's spec; ``win`` or ``identify``.
    guess: the guess asked at each node, -1 at a leaf; int32, shape (nodes,).
    parent: the node above, -1 at the root; int32, shape (nodes,).
    response: the response that leads here from the parent, -1 at the root; int32, shape (nodes,).
    first_child: where the children start; int32, shape (nodes + 1,).
    secret: the secret won by the guess of the node (goal win) or named by the leaf (goal identify), or -1;
        int32, shape (nodes,).
    depth: guesses asked before the node is reached; int32, shape (nodes,).
    claims: what is said of the strategy.
    lies: how many responses may be false; then a secret is met in several nodes, see `trees.lies`.
    """

    game: str
    goal: str
    guess: Ints
    parent: Ints
    response: Ints
    first_child: Ints
    secret: Ints
    depth: Ints
    claims: Claims = field(default_factory=Claims)
    lies: int = 0

    def __len__(self) -> int:
        return len(self.guess)

    def children(self, node: int) -> range:
        """Return the children of a node."""
        return range(int(self.first_child[node]), int(self.first_child[node + 1]))

    def child(self, node: int, response: int) -> int:
        """Return the child of `node` for a response, or -1."""
        for child in self.children(node):
            if self.response[child] == response:
                return child
        return -1

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to `node`."""
        nodes = [node]
        while self.parent[nodes[-1]] >= 0:
            nodes.append(int(self.parent[nodes[-1]]))
        return nodes[::-1]

    def guesses_needed(self) -> tuple[Ints, Ints]:
        """Return the secrets that the tree reaches, and the guesses that each needs.

        Where responses may be false, these are the guesses that a secret needs at most.
        """
        reached = np.flatnonzero(self.secret >= 0)
        needed = (self.depth[reached] + (1 if self.goal == "win" else 0)).astype(np.int32)
        if not self.lies:
            return self.secret[reached], needed
        secrets, place = np.unique(self.secret[reached], return_inverse=True)
        most = np.zeros(len(secrets), dtype=np.int32)
        np.maximum.at(most, place, needed)
        return secrets, most

    def _repr_svg_(self) -> str | None:
        """Draw a small tree in a notebook; a large one, or a game that no spec names, shows as text."""
        if len(self) > MOST_IN_NOTEBOOK:
            return None
        from .export.draw import svg

        try:
            return svg(parse(self.game), self)
        except GuesstreeError:
            return None

    def with_claims(self, claims: Claims) -> Strategy:
        """Return the same tree with other claims."""
        return replace(self, claims=claims)


@dataclass(frozen=True)
class Summary:
    """The figures of a strategy: secrets, total guesses, worst case, and how many secrets need n guesses."""

    secrets: int
    total: int
    worst: int
    histogram: Mapping[int, int]

    @property
    def average(self) -> Fraction:
        """The expected number of guesses, exactly."""
        return Fraction(self.total, self.secrets)

    def as_json(self) -> dict[str, Any]:
        """Return the figures as plain data, as a strategy file states them."""
        return {
            "secrets": self.secrets,
            "total": self.total,
            "average": float(self.average),
            "worst": self.worst,
            "histogram": {str(n): many for n, many in self.histogram.items()},
        }


@dataclass(frozen=True)
class Costs:
    """What a strategy costs, where secrets have weights, guesses have costs, or a budget limits what is won.

    Attributes
    ----------
    weight: of all secrets.
    total: the weighted cost of all secrets.
    worst: the most that a secret costs.
    budget: what a secret may cost to count as won, or None.
    won, won_total: weight and weighted cost of the secrets within the budget; all without one.
    """

    weight: int
    total: int
    worst: int
    budget: int | None
    won: int
    won_total: int

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
        numbers = {"expected": self.total, "worst": self.worst}
        parts = objective.split(",")
        return tuple(numbers[part] for part in parts) if set(parts) <= set(numbers) else None

    def as_json(self) -> dict[str, Any]:
        """Return the figures as plain data, as a strategy file states them."""
        found: dict[str, Any] = {
            "weight": self.weight,
            "total": self.total,
            "average": float(self.average),
            "worst": self.worst,
        }
        if self.budget is not None:
            found |= {"budget": self.budget, "won": self.won, "won_total": self.won_total}
        return found


def count_costs(game: Game, costs: Sequence[tuple[int, int]], parameters: Mapping[str, Any]) -> Costs | None:
    """Return the figures of (secret, cost) pairs; None where every secret and every guess counts 1."""
    budget = parameters.get("budget")
    if not isinstance(budget, int) or isinstance(budget, bool):
        budget = None
    if not costs or (game.weights is None and game.costs is None and budget is None):
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
    )


def costs_of(game: Game, strategy: Strategy) -> Costs | None:
    """Return what a strategy costs; None where every secret and every guess counts 1."""
    return count_costs(game, paid(game, strategy), strategy.claims.parameters)


def paid(game: Game, strategy: Strategy) -> list[tuple[int, int]]:
    """Return the secrets that a strategy reaches, and what each costs."""
    guess, parent, response = (a.tolist() for a in (strategy.guess, strategy.parent, strategy.response))

    def price(node: int, answer: int) -> int:
        return 1 if game.costs is None else int(game.costs[guess[node], answer])

    spent = [0] * len(guess)
    for node in range(1, len(guess)):  # parents come first
        spent[node] = spent[parent[node]] + price(parent[node], response[node])
    found = []
    for node, s in enumerate(strategy.secret.tolist()):
        if s >= 0:
            last = price(node, game.winning) if strategy.goal == "win" and game.winning is not None else 0
            found.append((s, spent[node] + last))
    return found


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


def build(game: Game, goal: str, choose: Callable[[Ints], int], claims: Claims | None = None) -> Strategy:
    """Build the tree of the strategy that asks `choose(candidates)`, by the game's own `respond`.

    `choose` gets the sorted candidates (int32) of a state that is not finished and returns a guess.
    Raises TreeError when a guess leaves all candidates as they were, so that the tree would not end.
    """
    if goal == "win" and game.winning is None:
        raise TreeError(f"{game.spec} has no winning response; accepted: goal identify")
    guess: list[int] = []
    parent: list[int] = []
    response: list[int] = []
    secret: list[int] = []
    depth: list[int] = []
    first_child: list[int] = []
    waiting: list[tuple[Ints, int, int, int]] = [(np.arange(len(game.secrets), dtype=np.int32), -1, -1, 0)]
    for candidates, above, answer, level in waiting:
        node = len(guess)
        parent.append(above)
        response.append(answer)
        depth.append(level)
        first_child.append(len(waiting))
        if goal == "identify" and len(candidates) == 1:
            guess.append(-1)
            secret.append(int(candidates[0]))
            continue
        asked = int(choose(candidates))
        parts: dict[int, list[int]] = {}
        for s in candidates.tolist():
            parts.setdefault(game.respond(asked, s), []).append(s)
        guess.append(asked)
        won = parts.pop(game.winning, None) if goal == "win" and game.winning is not None else None
        secret.append(won[0] if won else -1)
        if any(len(part) == len(candidates) for part in parts.values()):
            raise TreeError(
                f"{game.spec}: {game.guesses[asked]!r} tells nothing about {len(candidates)} candidates "
                f"({game.secrets[int(candidates[0])]!r}, ...): the strategy would not end"
            )
        waiting.extend((np.array(parts[r], dtype=np.int32), node, r, level + 1) for r in sorted(parts))
    first_child.append(len(waiting))
    return Strategy(
        game=game.spec,
        goal=goal,
        guess=np.array(guess, dtype=np.int32),
        parent=np.array(parent, dtype=np.int32),
        response=np.array(response, dtype=np.int32),
        first_child=np.array(first_child, dtype=np.int32),
        secret=np.array(secret, dtype=np.int32),
        depth=np.array(depth, dtype=np.int32),
        claims=claims or Claims(),
    )
