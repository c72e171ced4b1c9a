"""Judge of mixtures: every strategy of a tiny game, by what each secret pays.

It knows a game only by `respond`, `refused`, `own` and costs. A strategy is kept as the numbers that it has
the secrets pay, in the order of secrets; several strategies may share them. By the theorem of von Neumann
(1928), mixtures are best if the least that any strategy pays against the maker's equals the most that any
secret pays against the breaker's.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from ..game import Game
from ..oracle import cost_of, parts
from ..rules import Step

Paid = tuple[int, ...]


def vectors(game: Game, *, goal: str, candidates_only: bool = False) -> set[Paid]:
    """Return what each secret pays, for every strategy that asks nothing in vain; for a few secrets only."""
    own = game.own()
    free = game.rules() is None

    def reach(candidates: frozenset[int], history: frozenset[Step]) -> set[frozenset[tuple[int, int]]]:
        if goal == "identify" and len(candidates) == 1:
            return {frozenset((secret, 0) for secret in candidates)}
        found: set[frozenset[tuple[int, int]]] = set()
        for guess in range(len(game.guesses)):
            if candidates_only and int(own[guess]) not in candidates:
                continue
            if game.refused(tuple(history), guess):
                continue
            choices = []
            for response, part in parts(game, candidates, guess).items():
                cost = cost_of(game, guess, response)
                if goal == "win" and response == game.winning:
                    choices.append({frozenset((secret, cost) for secret in part)})
                elif len(part) < len(candidates):
                    past = history if free else history | {(guess, response)}
                    below = reach(part, past)
                    choices.append({frozenset((s, paid + cost) for s, paid in one) for one in below})
                else:
                    choices.append(set())
            found |= {frozenset().union(*chosen) for chosen in product(*choices)}
        return found

    everyone = frozenset(range(len(game.secrets)))
    return {tuple(paid for _, paid in sorted(one)) for one in reach(everyone, frozenset())}


def paid_on_average(weights: Sequence[int], vector: Paid) -> Fraction:
    """Return what a strategy pays against secrets drawn with these weights."""
    return Fraction(sum(w * paid for w, paid in zip(weights, vector, strict=True)), sum(weights))
