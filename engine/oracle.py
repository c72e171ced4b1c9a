"""Exhaustive solver, the judge of all others: no pruning, no symmetry, no tables, no kernels.

It knows a game only by `respond`, `refused`, weights and costs, and follows every guess in every state. What
a state can reach is kept as all pairs (worst case, total) that no other pair beats in both, so that every
objective, and every depth limit, is a choice among the pairs of the first state. For games of a dozen secrets
or so.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

from .game import Game
from .objective import OBJECTIVES
from .rules import Step

Front = frozenset[tuple[int, int]]


def undominated(pairs: set[tuple[int, int]]) -> Front:
    """Return the pairs that no other pair equals or beats in both numbers."""
    return frozenset(p for p in pairs if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in pairs))


def parts(game: Game, candidates: frozenset[int], guess: int) -> dict[int, frozenset[int]]:
    """Return the candidates by their response to a guess."""
    found: dict[int, set[int]] = {}
    for s in candidates:
        found.setdefault(game.respond(guess, s), set()).add(s)
    return {response: frozenset(part) for response, part in found.items()}


def weight(game: Game, secrets: Collection[int]) -> int:
    """Return how much some secrets weigh together."""
    return len(secrets) if game.weights is None else sum(game.weights[s] for s in secrets)


def cost_of(game: Game, guess: int, response: int) -> int:
    """Return what a response to a guess costs."""
    return 1 if game.costs is None else int(game.costs[guess, response])


def least_lost(
    game: Game, goal: str, budget: int, *, candidates_only: bool = False, first: int | None = None
) -> tuple[int, int]:
    """Return exactly the least (weight not won within the budget, weighted cost of what is won).

    What may be asked may depend on the history, see `front`.
    """
    own = game.own()
    free = game.rules() is None

    @cache
    def reach(candidates: frozenset[int], history: frozenset[Step], left: int) -> tuple[int, int]:
        if goal == "identify" and len(candidates) == 1:
            return 0, 0
        found = [(weight(game, candidates), 0)]
        for guess in range(len(game.guesses)):
            if not candidates_only or int(own[guess]) in candidates:
                found += after(candidates, history, guess, left)
        return min(found)

    def after(
        candidates: frozenset[int], history: frozenset[Step], guess: int, left: int
    ) -> list[tuple[int, int]]:
        """Return what is reached when this guess is asked first; nothing when it tells nothing."""
        if game.refused(tuple(history), guess):
            return []
        lost = total = 0
        for response, part in parts(game, candidates, guess).items():
            won = goal == "win" and response == game.winning
            if not won and len(part) == len(candidates):
                return []
            cost = cost_of(game, guess, response)
            if cost > left:
                lost += weight(game, part)
                continue
            past = history if free else history | {(guess, response)}
            more, below = (0, 0) if won else reach(part, past, left - cost)
            lost, total = lost + more, total + below + cost * (weight(game, part) - more)
        return [(lost, total)]

    secrets = frozenset(range(len(game.secrets)))
    start: frozenset[Step] = frozenset()
    return reach(secrets, start, budget) if first is None else min(after(secrets, start, first, budget))


def front(
    game: Game,
    goal: str,
    *,
    candidates_only: bool = False,
    first: int | None = None,
    only: Collection[int] | None = None,
    max_depth: int | None = None,
) -> Front:
    """Return exactly the undominated (worst case, total) of all strategies; empty: there is none.

    Both are costs, in guesses unless the game has costs; the total is weighted if the game has weights.
    `only` restricts the secrets to a collection of indices (default: all), `max_depth` how many guesses may
    be asked, whatever they cost. Where what may be asked depends on the history, a state is its candidates
    and what was asked and answered, in any order.
    """
    own = game.own()
    free = game.rules() is None

    @cache
    def reach(candidates: frozenset[int], history: frozenset[Step], left: int) -> Front:
        if goal == "identify" and len(candidates) == 1:
            return frozenset({(0, 0)})
        if not left:
            return frozenset()
        pairs: set[tuple[int, int]] = set()
        for guess in range(len(game.guesses)):
            if not candidates_only or int(own[guess]) in candidates:
                pairs |= after(candidates, history, guess, left)
        return undominated(pairs)

    def after(
        candidates: frozenset[int], history: frozenset[Step], guess: int, left: int
    ) -> set[tuple[int, int]]:
        """Return what can be reached when this guess is asked first; nothing when it tells nothing."""
        if game.refused(tuple(history), guess):
            return set()
        sums = {(0, 0)}
        for response, part in parts(game, candidates, guess).items():
            won = goal == "win" and response == game.winning
            if not won and len(part) == len(candidates):
                return set()
            cost = cost_of(game, guess, response)
            past = history if free else history | {(guess, response)}
            below = frozenset({(0, 0)}) if won else reach(part, past, left - 1)
            paid = cost * weight(game, part)
            sums = {(max(w, cost + v), t + paid + u) for w, t in sums for v, u in below}
        return sums

    secrets = frozenset(range(len(game.secrets)) if only is None else only)
    start: frozenset[Step] = frozenset()
    # More guesses than secrets are never asked: each tells something.
    left = len(secrets) if max_depth is None else min(max_depth, len(secrets))
    return reach(secrets, start, left) if first is None else undominated(after(secrets, start, first, left))


def best(pairs: Front, figures: tuple[str, ...], max_depth: int | None = None) -> tuple[int, ...] | None:
    """Return exactly the least of some figures within a depth limit, or None when nothing is within."""
    within = [{"worst": w, "total": t} for w, t in pairs if max_depth is None or w <= max_depth]
    return min((tuple(pair[name] for name in figures) for pair in within), default=None)


def least(
    game: Game, goal: str, objective: str, *, budget: int | None = None, **limits: Any
) -> tuple[int, ...] | None:
    """Return exactly the optimum of any objective, within a budget if it has one, or None: there is none."""
    figures = OBJECTIVES[objective].figures
    if figures == ("lost", "won") and budget is not None:
        return least_lost(game, goal, budget, **limits)
    return best(front(game, goal, **limits), figures)


def worst_with_lies(game: Game, goal: str, lies: int, most: int) -> int | None:
    """Return exactly the least worst case when up to `lies` responses may be false; None: above `most`.

    A state is a set of (secret, lies it has used); any guess, any response, any number of times.
    """
    truths = [
        [game.respond(guess, s) for s in range(len(game.secrets))] for guess in range(len(game.guesses))
    ]

    @cache
    def settled(state: frozenset[tuple[int, int]], left: int) -> bool:
        if not state or (goal == "identify" and len({s for s, _ in state}) == 1):
            return True
        return left > 0 and any(
            all(settled(after(state, guess, response), left - 1) for response in range(len(game.responses)))
            for guess in range(len(game.guesses))
        )

    def after(state: frozenset[tuple[int, int]], guess: int, response: int) -> frozenset[tuple[int, int]]:
        found = set()
        for s, used in state:
            truth = truths[guess][s]
            if goal == "win" and game.winning in (truth, response):
                continue  # the winning response is given if and only if it is true: the game is over
            if used + (truth != response) <= lies:
                found.add((s, used + (truth != response)))
        return frozenset(found)

    start = frozenset((s, 0) for s in range(len(game.secrets)))
    return next((depth for depth in range(most + 1) if settled(start, depth)), None)


Paid = tuple[tuple[int, int], ...]
"""Secrets, ascending, each with the most that it may pay."""


def fronts_with_lies(game: Game, goal: str, lies: int, first: int | None = None) -> frozenset[Paid]:
    """Return exactly what secrets may pay at most when up to `lies` responses may be false, undominated.

    A secret pays the most over all ways to lie, each secret in its own worst way. So neither the sum over
    secrets nor any other number of a state can be put together from such numbers of its children: a secret is
    in several children, and pays the largest of what it pays there. What can be put together are vectors, one
    number for each secret: a strategy is a guess with a strategy for each response, chosen apart from one
    another, and its vector is, for each secret, the largest of (cost of the response + what is paid after it)
    over the responses that leave it possible. The largest is monotone in each, so that of the vectors of a
    child those suffice that no other equals or beats for every secret. Empty: there is no strategy.

    A guess that can leave a state as it was is never asked: the strategy that is followed there could be
    followed at once, and no secret would pay more. So every guess takes a lie, or more, from some secret.
    """

    @cache
    def reach(state: frozenset[tuple[int, int]]) -> frozenset[Paid]:
        if not state or (goal == "identify" and len(state) == 1):
            return frozenset({tuple((s, 0) for s, _ in state)})
        found: set[Paid] = set()
        for guess in range(len(game.guesses)):
            found |= asked(state, guess)
        return least_vectors(found)

    def asked(state: frozenset[tuple[int, int]], guess: int) -> set[Paid]:
        vectors: set[Paid] = {()}
        for response in range(len(game.responses)):
            after = followed(game, goal, state, guess, response)
            won = goal == "win" and response == game.winning
            if after == state and not won:
                return set()
            cost = cost_of(game, guess, response)
            below = frozenset({tuple((s, 0) for s, _ in after)}) if won else reach(after)
            vectors = set(
                least_vectors({larger(v, tuple((s, cost + c) for s, c in b)) for v in vectors for b in below})
            )
        return vectors

    start = frozenset((s, lies) for s in range(len(game.secrets)))
    return reach(start) if first is None else least_vectors(asked(start, first))


def followed(
    game: Game, goal: str, state: frozenset[tuple[int, int]], guess: int, response: int
) -> frozenset[tuple[int, int]]:
    """Return the secrets that are still possible after a response, each with the lies that it has left."""
    found = set()
    for s, left in state:
        truth = game.respond(guess, s)
        if goal == "win" and truth != response and game.winning in (truth, response):
            continue  # the winning response is given if and only if it is true
        if left >= (truth != response):
            found.add((s, left - (truth != response)))
    return frozenset(found)


def larger(one: Paid, other: Paid) -> Paid:
    """Return for each secret the larger of what it pays here and there."""
    most = dict(one)
    for s, cost in other:
        most[s] = max(cost, most.get(s, 0))
    return tuple(sorted(most.items()))


def least_vectors(vectors: set[Paid]) -> frozenset[Paid]:
    """Return the vectors that no other equals or beats for every secret."""
    kept: list[Paid] = []
    for vector in sorted(vectors, key=lambda v: sum(c for _, c in v)):
        if not any(all(k <= c for (_, k), (_, c) in zip(known, vector, strict=True)) for known in kept):
            kept.append(vector)
    return frozenset(kept)


def least_with_lies(
    game: Game, goal: str, objective: str, lies: int, first: int | None = None, max_depth: int | None = None
) -> tuple[int, ...] | None:
    """Return exactly the optimum of an objective with lies, see `fronts_with_lies`; None: there is none.

    `max_depth`: the most that a secret may pay, or None.
    """
    pairs = {
        (max(c for _, c in vector), sum(weight(game, [s]) * c for s, c in vector))
        for vector in fronts_with_lies(game, goal, lies, first)
    }
    return best(undominated(pairs), OBJECTIVES[objective].figures, max_depth)
