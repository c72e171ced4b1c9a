"""Judge of mixtures: every strategy of a tiny game, by what each secret pays.

It knows a game only by `respond`, `refused`, `own` and costs, or by its model. A strategy is kept as the
numbers that it has the secrets pay, in the order of secrets; several strategies may share them. By the
theorem of von Neumann (1928), mixtures are best if the least that any strategy pays against the maker's
equals the most that any secret pays against the breaker's.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from operator import le

from ..exact import Number
from ..game import Game
from ..noisy.model import Model
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


def paid_on_average(weights: Sequence[int], vector: Sequence[Number]) -> Fraction:
    """Return what a strategy pays against secrets drawn with these weights."""
    return Fraction(sum(w * paid for w, paid in zip(weights, vector, strict=True))) / sum(weights)


def model_vectors(model: Model) -> set[tuple[Number, ...]]:
    """Return what each cause pays on average, for strategies of a model; for a few causes and tests only.

    Those that have no cause pay less than others are left out, once for each state.
    """
    zero = (0,) * len(model.weights)

    @cache
    def reach(
        shares: tuple[Number, ...], asked: frozenset[int], opened: frozenset[int]
    ) -> set[tuple[Number, ...]]:
        alive = [cause for cause, share in enumerate(shares) if share]
        if not alive or (model.losses is None and model.settled(alive)):
            return {zero}
        found = {
            tuple(share * (loss or 0) for share, loss in zip(shares, row, strict=True))
            for row in model.losses or ()
            if all(row[cause] is not None for cause in alive)
        }
        for test, cells in enumerate(model.chances):
            if not model.askable(test, asked):
                continue
            price, after = model.price(test, opened), (asked | {test}, opened | model.group(test))
            below = [{tuple(share * price for share in shares)}]
            for answer in {answer for cause in alive for answer in cells[cause]} - model.ending(test):
                part = tuple(s * cell.get(answer, 0) for s, cell in zip(shares, cells, strict=True))
                below.append(reach(part, *after))
            found |= {tuple(map(sum, zip(*chosen, strict=True))) for chosen in product(*below)}
        return {one for one in found if not any(other != one and all(map(le, other, one)) for other in found)}

    return reach((1,) * len(zero), frozenset(), frozenset())
