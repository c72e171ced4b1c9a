"""`Tree`: an explicit decision tree in flat arrays, built by replaying the game's own responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.look import plural
from guesstree.engine.objective import bounds_text

Ints = NDArray[np.int32]


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

    def __repr__(self) -> str:
        said = [self.objective, self.method, *map("{0[0]}: {0[1]}".format, self.parameters.items())]
        if self.upper:
            said.append(bounds_text(self.lower, self.upper))
        return f"Claims({', '.join(filter(None, said))})"


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree: every node is a guess, or a leaf that names the secret.

    Nodes are in breadth-first order, so the children of node i are the nodes
    ``first_child[i] : first_child[i + 1]``, in the order of their responses.

    Attributes
    ----------
    game, goal: what it is for; ``win`` or ``identify``.
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

    game: Game
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

    def __repr__(self) -> str:
        secrets, needed = self.guesses_needed()
        look = self.game.look
        most = f"at most {plural(int(needed.max(initial=0)), look.guess)}"
        said = [self.game.spec, self.goal, plural(len(secrets), look.secret), plural(len(self), "node"), most]
        return f"{type(self).__name__}({', '.join(said)})"

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

    def levels(self) -> list[tuple[int, int]]:
        """Return where the nodes of each depth start and stop: breadth-first order keeps them together."""
        starts = np.flatnonzero(np.diff(self.depth, prepend=-1)).tolist()
        return list(pairwise([*starts, len(self)]))

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

    def with_claims(self, claims: Claims) -> Self:
        """Return the same tree with other claims."""
        return replace(self, claims=claims)


def build(game: Game, goal: str, choose: Callable[[Ints], int], claims: Claims | None = None) -> Tree:
    """Build the tree of the strategy that asks `choose(candidates)`, by the game's own `respond`.

    `choose` gets the sorted candidates (int32) of a state that is not finished and returns a guess.
    Raises TreeError when a guess leaves all candidates as they were, so that the tree would not end.
    """
    if goal == "win" and game.winning is None:
        raise TreeError(f"{game.spec} has no winning response; use the goal identify")
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
    return Tree(
        game=game,
        goal=goal,
        guess=np.array(guess, dtype=np.int32),
        parent=np.array(parent, dtype=np.int32),
        response=np.array(response, dtype=np.int32),
        first_child=np.array(first_child, dtype=np.int32),
        secret=np.array(secret, dtype=np.int32),
        depth=np.array(depth, dtype=np.int32),
        claims=claims or Claims(),
    )
