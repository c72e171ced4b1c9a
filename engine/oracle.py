"""Exhaustive solver, the judge of all others: no pruning, no symmetry, no tables, no kernels.

It knows a game only by `respond`, and follows every guess in every state. What a state can reach is kept as
all pairs (worst case, total) that no other pair beats in both, so that every objective, and every depth
limit, is a choice among the pairs of the first state. For games of a dozen secrets or so.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from .game import Game

Front = frozenset[tuple[int, int]]


def undominated(pairs: set[tuple[int, int]]) -> Front:
    """Return the pairs that no other pair equals or beats in both numbers."""
    return frozenset(p for p in pairs if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in pairs))


def front(
    game: Game,
    goal: str,
    *,
    candidates_only: bool = False,
    first: int | None = None,
    only: Collection[int] | None = None,
) -> Front:
    """Return exactly the undominated (worst case, total guesses) of all strategies; empty: there is none.

    `only` restricts the secrets to a collection of indices (default: all).
    """
    own = game.own()

    @cache
    def reach(candidates: frozenset[int]) -> Front:
        if goal == "identify" and len(candidates) == 1:
            return frozenset({(0, 0)})
        pairs: set[tuple[int, int]] = set()
        for guess in range(len(game.guesses)):
            if not candidates_only or int(own[guess]) in candidates:
                pairs |= after(candidates, guess)
        return undominated(pairs)

    def after(candidates: frozenset[int], guess: int) -> set[tuple[int, int]]:
        """Return what can be reached when this guess is asked first; nothing when it tells nothing."""
        parts: dict[int, set[int]] = {}
        for s in candidates:
            parts.setdefault(game.respond(guess, s), set()).add(s)
        if goal == "win" and game.winning is not None:
            parts.pop(game.winning, None)
        if any(len(part) == len(candidates) for part in parts.values()):
            return set()
        sums = {(0, 0)}
        for part in parts.values():
            below = reach(frozenset(part))
            sums = {(max(w, v), t + u) for w, t in sums for v, u in below}
        return {(1 + worst, len(candidates) + total) for worst, total in sums}

    secrets = frozenset(range(len(game.secrets)) if only is None else only)
    return reach(secrets) if first is None else undominated(after(secrets, first))


def best(pairs: Front, objective: tuple[str, ...], max_depth: int | None = None) -> tuple[int, ...] | None:
    """Return exactly the least value of an objective within a depth limit, or None when nothing is within."""
    within = [(w, t) for w, t in pairs if max_depth is None or w <= max_depth]
    return min((tuple(w if part == "worst" else t for part in objective) for w, t in within), default=None)
