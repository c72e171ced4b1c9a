"""Questions that need not be asked, because they agree with the one that is: they confirm an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.game import MOST_RESPONSES, Game

from ...outline import Outline

Agreeing = tuple[int, tuple[int, ...]]
"""A guess, and the response that it gets at each branch of a step."""
SEVERAL = -1
"""Stands for a response where more than one is possible."""


def agreeing_questions(seen: Outline, most: int) -> Mapping[int, Sequence[Agreeing]]:
    """Return for each step up to so many further questions, the cheapest first.

    Such a question gets one response from all that is left at a branch, another at every branch, and costs no
    more than the one that is asked. There are none in a game to be won, where a question is a turn, and where
    responses may be false.
    """
    game, strategy = seen.game, seen.strategy
    if strategy.goal == "win" or strategy.lies:
        return {}
    known = {label: response for response, label in enumerate(game.responses)}
    candidates = {0: np.arange(len(game.secrets), dtype=np.int32)}
    found = {}
    for at in seen.depth_first():
        step, left = seen.steps[at], candidates.pop(at)
        if not step.question:
            continue
        guess = int(strategy.guess[step.node])
        # One above would tell these apart only where it failed to answer.
        asked = {guess, *(int(strategy.guess[seen.steps[above].node]) for above, _ in seen.path(at))}
        own = [[known[answer] for answer in branch.answers] for branch in step.branches]
        parts = [_possible(game, guess, some, left) for some in own]
        candidates |= {branch.step: part for branch, part in zip(step.branches, parts, strict=True)}
        shared = np.stack([_shared(_answers(game, part)) for part in parts], axis=1)
        limit = _dearest(game, guess, [response for some in own for response in some])
        agree = [
            g
            for g in np.flatnonzero((shared != SEVERAL).all(axis=1)).tolist()
            if g not in asked and len(set(shared[g].tolist())) == len(parts)
        ]
        priced = sorted((_dearest(game, g, shared[g]), g) for g in agree)
        found[at] = [(g, tuple(shared[g].tolist())) for price, g in priced[:most] if price <= limit]
    return found


def _possible(game: Game, guess: int, responses: Sequence[int], left: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the secrets that may give one of some responses."""
    if game.model is None:
        given = game.respond_each(np.full(len(left), guess, dtype=np.int32), left)
        return left[np.isin(given, responses)]
    if game.model.failures and game.model.silent in responses:
        return left
    row = game.model.chances[guess]
    return left[[not row[secret].keys().isdisjoint(responses) for secret in left.tolist()]]


def _answers(game: Game, part: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the response of every guess to some secrets, or `SEVERAL`; shape (guesses, secrets)."""
    if game.model is None:
        return game.block(np.arange(len(game.guesses), dtype=np.int32), part).astype(np.int64)
    secrets = part.tolist()
    rows = [[row[secret] for secret in secrets] for row in game.model.chances]
    return np.array([[next(iter(cell)) if len(cell) == 1 else SEVERAL for cell in row] for row in rows])


def _shared(answers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what all columns say, or `SEVERAL`, as for none; shape (guesses,)."""
    least, most = answers.min(axis=1, initial=MOST_RESPONSES), answers.max(axis=1, initial=SEVERAL)
    return np.where(least == most, least, SEVERAL)


def _dearest(game: Game, guess: int, responses: Sequence[int] | NDArray[np.int64]) -> int:
    return 1 if game.costs is None else int(game.costs[guess, responses].max())
