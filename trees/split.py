"""Trees of tests that may get several answers (`Game.model`): a secret goes down every branch that it may."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from guesstree.engine.game import Game

from .tree import Claims, Tree, TreeError

History = tuple[tuple[int, int], ...]


def build_split(game: Game, choose: Callable[[Sequence[tuple[int, int]]], int], claims: Claims) -> Tree:
    """Build the tree of a strategy for a game with a model.

    `choose` returns the guess after guesses and responses, or a decision (`Solved.choices`). A path ends
    there, after a response that ends it, and, where no losses are given, as soon as nothing is left to ask.
    Raises TreeError for a guess that is asked again, so that the tree would not end.
    """
    model, guesses = game.model, len(game.guesses)
    assert model is not None
    waiting: list[tuple[History, tuple[int, ...]]] = [((), tuple(range(len(game.secrets))))]
    parent, response, first_child = [-1], [-1], list[int]()
    guess, secret, also = list[int](), list[int](), dict[int, tuple[int, ...]]()
    decided = dict[int, int]()
    for node, (history, members) in enumerate(waiting):  # grows while it is read, so breadth-first
        first_child.append(len(parent))
        over = bool(history) and history[-1][1] in model.ending(history[-1][0])
        settled = over or (model.losses is None and model.settled(members))
        asked = -1 if settled else choose(history)
        if asked >= guesses:
            decided[node], asked = asked - guesses, -1
        guess.append(asked)
        secret.append(members[0] if asked < 0 else -1)
        if asked < 0 and len(members) > 1:
            also[node] = members[1:]
        if asked in {known for known, _ in history}:
            raise TreeError(
                f"{game.spec}: {game.guesses[asked]!r} is asked again: the strategy would not end"
            )
        cells = () if asked < 0 else model.chances[asked]
        for answer in sorted({r for s in members for r in cells[s]} if cells else ()):
            parent.append(node)
            response.append(answer)
            waiting.append(((*history, (asked, answer)), tuple(s for s in members if answer in cells[s])))
        if cells and sum(answer == model.silent for _, answer in history) < model.lapses:
            parent.append(node)
            response.append(model.silent)
            waiting.append(((*history, (asked, model.silent)), members))
    return Tree(
        game=game,
        goal="identify",
        guess=np.array(guess, dtype=np.int32),
        parent=np.array(parent, dtype=np.int32),
        response=np.array(response, dtype=np.int32),
        first_child=np.array([*first_child, len(parent)], dtype=np.int32),
        secret=np.array(secret, dtype=np.int32),
        depth=np.array([len(history) for history, _ in waiting], dtype=np.int32),
        claims=claims,
        also=also,
        decided=decided,
    )


def ending_chances(game: Game, strategy: Tree) -> list[Fraction]:
    """Return for each of `strategy.ends` the probability that the secret ends there."""
    if game.model is None:
        return [Fraction(1)] * len(strategy.ends[0])
    found = []
    for node, secret in zip(*(column.tolist() for column in strategy.ends), strict=True):
        chance, known = Fraction(1), dict[int, int]()
        path = strategy.path(node)
        for above, below in pairwise(path):
            asked, answer = int(strategy.guess[above]), int(strategy.response[below])
            if asked not in known:
                chance *= game.model.chances[asked][secret].get(answer, 0)
            elif known[asked] != answer:
                chance = Fraction(0)
            known[asked] = answer
        found.append(chance)
    return found
