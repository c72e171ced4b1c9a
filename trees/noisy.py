"""Trees of tests that may get several answers (`Game.model`): a secret goes down every branch that it may."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from guesstree.engine.exact import Number
from guesstree.engine.game import Game

from .tree import Claims, Tree, TreeError

History = tuple[tuple[int, int], ...]


def build_noisy(game: Game, choose: Callable[[Sequence[tuple[int, int]]], int], claims: Claims) -> Tree:
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
        if cells and sum(answer == model.silent for _, answer in history) < model.failures:
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


@dataclass(frozen=True)
class Reach:
    """How a node of a strategy for a game with a model is reached.

    Attributes
    ----------
    masses: of the secrets that are possible there: the weight times the probabilities of the responses on the
        way. A test that fails to answer changes none, as nobody says how likely that is.
    failures: how many tests on the way failed to answer; where some did, the masses count in no average.
    opened: the groups that the tests on the way opened.
    paid: what these tests cost, in units of the game's costs.
    """

    masses: Mapping[int, Fraction]
    failures: int = 0
    opened: frozenset[int] = frozenset()
    paid: Number = 0

    @cached_property
    def mass(self) -> Fraction:
        """All masses together."""
        return sum(self.masses.values(), Fraction())


def reach_of(strategy: Tree) -> list[Reach]:
    """Return how each node of a strategy is reached, for a game with a model."""
    model = strategy.game.model
    assert model is not None
    found = [Reach({secret: Fraction(weight) for secret, weight in enumerate(model.weights)})]
    parent, response, guess = (a.tolist() for a in (strategy.parent, strategy.response, strategy.guess))
    for node in range(1, len(strategy)):
        above, asked, answer = found[parent[node]], guess[parent[node]], response[node]
        cells, silent = model.chances[asked], model.failures > 0 and answer == model.silent
        masses = above.masses if above.failures + silent <= model.failures else {}
        if not silent:
            masses = {s: mass * cells[s][answer] for s, mass in masses.items() if answer in cells[s]}
        paid = above.paid + model.price(asked, above.opened)
        found.append(Reach(masses, above.failures + silent, above.opened | model.group(asked), paid))
    return found


class Ending(NamedTuple):
    """Where a secret ends in a strategy for a game with a model, and what that costs.

    Attributes
    ----------
    node, secret: as in `Tree.ends`.
    paid, loss: for tests, and by what is decided, in units of the game's costs.
    chance: the probability that the secret ends there; 0 where a test failed to answer.
    """

    node: int
    secret: int
    paid: Number
    loss: Number
    chance: Fraction


def endings_of(strategy: Tree) -> list[Ending]:
    """Return where secrets end, in the order of `strategy.ends`; raise TreeError for what is not allowed."""
    game, model = strategy.game, strategy.game.model
    assert model is not None
    at, found = reach_of(strategy), []
    for node, secret in zip(*(column.tolist() for column in strategy.ends), strict=True):
        decision, loss = strategy.decided.get(node, -1), 0
        if decision >= 0 and model.losses is not None:
            allowed = model.losses[decision][secret]
            if allowed is None:
                said = f"{game.look.secret} {game.secrets[secret]!r}"
                raise TreeError(f"{game.spec}: {game.decisions[decision]!r} is not allowed for {said}")
            loss = allowed
        chance = Fraction(0)
        if not at[node].failures:
            chance = at[node].masses.get(secret, chance) / model.weights[secret]
        found.append(Ending(node, secret, at[node].paid, loss, chance))
    return found
