"""A strategy that is a program, written out as a tree: it plays every secret, and its games are the paths."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from guesstree.engine.constructive.adaptive import play
from guesstree.engine.constructive.many import strategy
from guesstree.engine.constructive.size import parse_spec
from guesstree.engine.game import Game
from guesstree.engine.registry import parse

from .tree import Claims, Tree, TreeError

G = TypeVar("G")
R = TypeVar("R")
S = TypeVar("S")
CONSTRUCTIVE = "constructive"


@dataclass
class _Node:
    """A state of the game: the guess asked (-1: none), the secret settled here, and the states below."""

    guess: int = -1
    secret: int = -1
    below: dict[int, _Node] = field(default_factory=dict)


def unroll(
    game: Game,
    begin: Callable[[], Generator[G, R, S]],
    *,
    goal: str,
    guess_of: Callable[[G], int],
    response_of: Callable[[int], R],
    secret_of: Callable[[S], int],
    claims: Claims | None = None,
) -> Tree:
    """Return the tree of a strategy's games with every secret, by the game's own `respond`.

    Parameters
    ----------
    begin: starts the strategy; it must ask the same after the same responses.
    goal: ``win``: every game ends with the winning response; ``identify``: it ends with what is concluded.
    guess_of, response_of, secret_of: from what the strategy yields to the index of a guess, from the index
        of a response to what it is sent, and from what it returns to the index of a secret.

    Raises TreeError when it concludes another secret, does not end with the goal, or asks differently.
    """
    root = _Node()
    for secret, label in enumerate(game.secrets):
        node = root

        def respond(asked: G, secret: int = secret) -> R:
            nonlocal node
            guess = guess_of(asked)
            if node.guess not in (-1, guess):
                raise TreeError(f"{game.spec}: after the same responses the strategy asks differently")
            node.guess = guess
            response = game.respond(guess, secret)
            if goal == "win" and response == game.winning:
                node.secret = secret
            else:
                node = node.below.setdefault(response, _Node())
            return response_of(response)

        concluded = secret_of(play(begin(), respond).secret)
        if concluded != secret:
            raise TreeError(f"{game.spec}: for {label!r} the strategy concludes {game.secrets[concluded]!r}")
        if goal == "identify":
            node.secret = secret
        elif node.secret != secret:
            raise TreeError(f"{game.spec}: the strategy does not ask {label!r} in the end")
    return _flat(game, goal, root, claims or Claims())


def unroll_constructive(spec: str, goal: str = "win", zeros: str = "free") -> Tree:
    """Return the constructive strategy for a small game of Mastermind as a tree.

    Raises GameError for another game or one that is too large to list.
    """
    size, game = parse_spec(spec), parse(spec)
    return unroll(
        game,
        lambda: strategy(size, goal, zeros),
        goal=goal,
        guess_of=lambda code: game.guess_index(size.label(code)),
        response_of=lambda response: size.parse_response(game.responses[response]),
        secret_of=lambda code: game.secret_index(size.label(code)),
        claims=Claims(method=CONSTRUCTIVE),
    )


def _flat(game: Game, goal: str, root: _Node, claims: Claims) -> Tree:
    nodes, parent, response, depth, first_child = [root], [-1], [-1], [0], [1]
    for number, node in enumerate(nodes):  # grows while it is read, so breadth-first
        for answer in sorted(node.below):
            nodes.append(node.below[answer])
            parent.append(number)
            response.append(answer)
            depth.append(depth[number] + 1)
        if number:
            first_child.append(first_child[-1] + len(nodes[number - 1].below))
    first_child.append(len(nodes))
    return Tree(
        game=game,
        goal=goal,
        guess=np.array([node.guess for node in nodes], dtype=np.int32),
        parent=np.array(parent, dtype=np.int32),
        response=np.array(response, dtype=np.int32),
        first_child=np.array(first_child, dtype=np.int32),
        secret=np.array([node.secret for node in nodes], dtype=np.int32),
        depth=np.array(depth, dtype=np.int32),
        claims=claims,
    )
