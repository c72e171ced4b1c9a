"""`Tree`: an explicit decision tree in flat arrays, built by replaying the game's own responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.exact import Value
from guesstree.engine.game import Game, check_responses, whole
from guesstree.engine.notation import plural
from guesstree.engine.objective import bounds_text

from .language import to_say

Ints = NDArray[np.int32]


DONE = to_say("done")
"""What is said of a leaf after a response that ends the path."""


class TreeError(GuesstreeError):
    """Report a tree that cannot be built or read."""


@dataclass(frozen=True)
class Claims:
    """What is said of a strategy: how it was found and what it is said to reach.

    Attributes
    ----------
    objective, method: names such as ``expected`` and ``exact``.
    lower, upper: bounds of the optimum, one number for each figure of the objective
        (guesses); equal when proven.
    parameters: what restricts the strategy (first guess, depth limit, ...); empty when nothing does.
    summary: figures as a file states them; empty when they are to be computed.
    by_file: whether a file says so, which nothing has verified; else it was found in this process.
    """

    objective: str = ""
    method: str = ""
    lower: tuple[Value, ...] = ()
    upper: tuple[Value, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    summary: Mapping[str, Any] = field(default_factory=dict)
    by_file: bool = False

    @property
    def proven(self) -> bool:
        """Whether the bounds say that the strategy is optimal."""
        return bool(self.lower) and self.lower == self.upper

    def attributed(self, text: str) -> str:
        """Return what is said of the optimum with who says so, where that is a file."""
        return f"the file says: {text}" if self.by_file else text

    def __repr__(self) -> str:
        said = [self.objective, self.method, *map("{0[0]}: {0[1]}".format, self.parameters.items())]
        if self.upper:
            said.append(self.attributed(bounds_text(self.lower, self.upper)))
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
    lies: how many responses may be false; then a secret is met in several nodes, see `build`.
    also: the further secrets that a leaf names where it names several, by node; where something is decided,
        or a response ended the path, those that are possible there.
    decided: what a leaf decides, by node, see `Game.decisions`; where that is empty no leaf decides.
    dead: how many branches of the strategy file no secret takes; they are left out of the tree.
    first_dead: guesses and responses that lead to the first of them.
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
    also: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    decided: Mapping[int, int] = field(default_factory=dict)
    dead: int = 0
    first_dead: Sequence[tuple[int, int]] = ()

    def __len__(self) -> int:
        return len(self.guess)

    def __repr__(self) -> str:
        needed, look = self.guesses_needed(), self.game.look
        most = f"at most {plural(int(needed.max(initial=0)), look.guess)}"
        many = plural(int((needed >= 0).sum()), look.secret)
        said = [self.game.spec, self.goal, many, plural(len(self), "node"), most]
        return f"{type(self).__name__}({', '.join(said)})"

    def node_at(self, node: int) -> int:
        """Return the number of a node as it is; raise TreeError for what is none."""
        number = whole(node)
        if number is None or not 0 <= number < len(self):
            known = f"expected 0 to {len(self) - 1}; to_frame() has the path of each {self.game.look.secret}"
            raise TreeError(f"{shown(node)} is not the number of a node; {known}")
        return number

    def children(self, node: int) -> range:
        """Return the children of a node; raise TreeError for what is none, as all that takes a node."""
        node = self.node_at(node)
        return range(int(self.first_child[node]), int(self.first_child[node + 1]))

    def child(self, node: int, response: int | str) -> int:
        """Return the child of `node` for a response, by index or label, or -1."""
        index = self.game.response_index(response) if isinstance(response, str) else whole(response)
        for child in self.children(node):
            if self.response[child] == index:
                return child
        return -1

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to `node`."""
        nodes = [self.node_at(node)]
        while self.parent[nodes[-1]] >= 0:
            nodes.append(int(self.parent[nodes[-1]]))
        return nodes[::-1]

    def steps(self, node: int) -> tuple[tuple[int, int], ...]:
        """Return the guesses and responses that lead to `node`."""
        nodes = self.path(node)
        asked, answers = self.guess[nodes[:-1]].tolist(), self.response[nodes[1:]].tolist()
        return tuple(zip(asked, answers, strict=True))

    def levels(self) -> list[tuple[int, int]]:
        """Return where the nodes of each depth start and stop: breadth-first order keeps them together."""
        starts = np.flatnonzero(np.diff(self.depth, prepend=-1)).tolist()
        return list(pairwise([*starts, len(self)]))

    def sum_below(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """Return the sum of what the nodes of each subtree have, shape (nodes,)."""
        found = values.astype(np.int64)
        for start, stop in reversed(self.levels()[1:]):
            np.add.at(found, self.parent[start:stop], found[start:stop])
        return found

    def most_below(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """Return the most that a node of each subtree has, shape (nodes,)."""
        found = values.astype(np.int64)
        for start, stop in reversed(self.levels()[1:]):
            np.maximum.at(found, self.parent[start:stop], found[start:stop])
        return found

    def secrets_below(self) -> NDArray[np.int64]:
        """Return how many different secrets end in each subtree, shape (nodes,)."""
        if not self.several:
            return self.sum_below(self.secret >= 0)
        ended = [sum(1 << s for s in self.named(node)) for node in range(len(self))]
        parent = self.parent.tolist()
        for node in range(len(ended) - 1, 0, -1):  # children come after their parents
            ended[parent[node]] |= ended[node]
        return np.array([secrets.bit_count() for secrets in ended], dtype=np.int64)

    @property
    def several(self) -> str:
        """Why a secret may end in several nodes, in words; empty: it ends in one."""
        if self.lies:
            return f"{self.lies} responses may be false"
        return "" if not self.game.facts.noisy else "a guess may get several responses"

    @property
    def ends(self) -> tuple[Ints, Ints]:
        """The nodes where secrets end, and the secrets; a node for each secret that it names."""
        nodes = np.flatnonzero(self.secret >= 0).astype(np.int32)
        secrets = self.secret[nodes]
        if not self.also:
            return nodes, secrets
        more = [(node, secret) for node, others in self.also.items() for secret in others]
        further = np.array(more, dtype=np.int32).T
        return np.concatenate([nodes, further[0]]), np.concatenate([secrets, further[1]])

    def named(self, node: int) -> tuple[int, ...]:
        """Return the secrets that a node names."""
        secret = int(self.secret[self.node_at(node)])
        return (secret, *self.also.get(node, ())) if secret >= 0 else ()

    def over(self, node: int) -> bool:
        """Return whether the response that leads to a node ends the path (`Model.ends`)."""
        model, above = self.game.model, int(self.parent[self.node_at(node)])
        return (
            model is not None
            and above >= 0
            and int(self.response[node]) in model.ending(int(self.guess[above]))
        )

    def endings(self, leaf: int) -> tuple[str, ...]:
        """Return what a leaf says: what it decides, that the path is over, or the secrets that it names."""
        if self.node_at(leaf) in self.decided:
            return (self.game.decisions[self.decided[leaf]],)
        return (DONE,) if self.over(leaf) else tuple(self.game.secrets[s] for s in self.named(leaf))

    def label(self, node: int) -> str:
        """Return the guess asked at a node, or what a leaf says."""
        guess = int(self.guess[self.node_at(node)])
        return self.game.guesses[guess] if guess >= 0 else " or ".join(self.endings(node))

    def guesses_needed(self) -> Ints:
        """Return the guesses that each secret needs, in the order of the game's secrets; int32.

        Where a secret may end in several nodes, these are the guesses that it needs at most; -1: the tree
        does not reach it.
        """
        reached, ended = self.ends
        most = np.full(len(self.game.secrets), -1, dtype=np.int32)
        np.maximum.at(most, ended, self.depth[reached] + (1 if self.goal == "win" else 0))
        return most

    def with_claims(self, claims: Claims) -> Self:
        """Return the same tree with other claims."""
        return replace(self, claims=claims)


def build(
    game: Game,
    goal: str,
    choose: Callable[..., int],
    claims: Claims | None = None,
    lies: int = 0,
    choose_after: Callable[[Sequence[tuple[int, int]]], int] | None = None,
) -> Tree:
    """Build the tree of a strategy by the game's own responses.

    Parameters
    ----------
    choose: the strategy: from the sorted candidates (int32) of a state that is not finished to a guess; it is
        called in breadth-first order. With lies it gets also how many each candidate has left (uint8).
    lies: how many responses may be false; then a secret has a leaf, or a guess that wins on it, for every way
        to lie. To win, the winning response is never false.
    choose_after: the strategy, from guesses and their responses to a guess, instead of `choose`.

    Raises TreeError when a guess leaves a state as it was, so that the tree would not end.
    """
    if goal == "win" and not game.facts.winnable:
        raise TreeError(f"{game.spec} has no winning response; use the goal identify")
    level = _Level.root(len(game.secrets), lies)
    levels: list[_Level] = []

    def ask(node: int, candidates: Ints, left: NDArray[np.uint8]) -> int:
        if choose_after is not None:
            return choose_after(_steps(levels, node))
        return choose(candidates, left) if lies else choose(candidates)

    while len(level.parent):
        levels.append(level)
        level.ask(goal, ask)
        level = level.below(game, goal)
    return Tree(
        game=game,
        goal=goal,
        guess=np.concatenate([each.guess for each in levels]),
        parent=np.concatenate([each.parent for each in levels]),
        response=np.concatenate([each.response for each in levels]),
        first_child=np.concatenate([*(each.first_child for each in levels), [level.first]], dtype=np.int32),
        secret=np.concatenate([each.secret for each in levels]),
        depth=np.repeat(np.arange(len(levels), dtype=np.int32), [len(each.parent) for each in levels]),
        claims=claims or Claims(),
        lies=lies,
    )


class _Level:
    """The nodes of one depth of a tree that is being built, worked out together.

    Attributes
    ----------
    first: the number of the first node.
    parent, response, guess, secret, first_child: as in `Tree`.
    starts: where the candidates of each node start; int32, shape (nodes + 1,).
    members, left: the candidates of all nodes, and how many lies each has left; shape (candidates,).
    """

    def __init__(
        self, first: int, parent: Ints, response: Ints, starts: Ints, members: Ints, left: NDArray[np.uint8]
    ) -> None:
        self.first, self.parent, self.response = first, parent, response
        self.starts, self.members, self.left = starts, members, left
        self.guess, self.secret = np.full_like(parent, -1), np.full_like(parent, -1)
        self.first_child = np.zeros_like(parent)

    @classmethod
    def root(cls, secrets: int, lies: int) -> _Level:
        """Return the level of the root: every secret is possible."""
        none, starts = np.array([-1], dtype=np.int32), np.array([0, secrets], dtype=np.int32)
        left = np.full(secrets, lies, dtype=np.uint8)
        return cls(0, none, none, starts, np.arange(secrets, dtype=np.int32), left)

    def ask(self, goal: str, choose: Callable[[int, Ints, NDArray[np.uint8]], int]) -> None:
        """Set the guess of every node; to identify, a node with one candidate is a leaf that names it."""
        for node, (start, stop) in enumerate(pairwise(self.starts.tolist())):
            if goal == "identify" and stop - start == 1:
                self.secret[node] = self.members[start]
            else:
                self.guess[node] = choose(node, self.members[start:stop], self.left[start:stop])

    def below(self, game: Game, goal: str) -> _Level:
        """Set the secrets that are won, and where children are; return the next level. See `build`."""
        winning = game.winning if goal == "win" and game.winning is not None else -1
        node = np.repeat(np.arange(len(self.parent), dtype=np.int32), np.diff(self.starts))
        inner = self.guess[node] >= 0
        node, member, left = node[inner], self.members[inner], self.left[inner]
        answer = game.respond_each(self.guess[node], member).astype(np.int32)
        check_responses(game, answer)
        won = answer == winning
        self.secret[node[won][::-1]] = member[won][::-1]  # the first, should there be several
        reached = np.stack([node, answer, member, left])[:, ~won]
        if reached[3].any():
            reached = np.concatenate([reached, _false(reached, game, self.guess, winning)], axis=1)
        node, answer, member, left = reached[:, np.lexsort((reached[2], reached[1], reached[0]))]
        new = (np.diff(node, prepend=-1) != 0) | (np.diff(answer, prepend=-1) != 0)
        starts = np.append(np.flatnonzero(new), len(node)).astype(np.int32)
        parent, first = node[new], self.first + len(self.parent)
        self.first_child[:] = first + np.searchsorted(parent, np.arange(len(self.parent)))
        found = _Level(first, self.first + parent, answer[new], starts, member, left.astype(np.uint8))
        stuck = np.flatnonzero(found.weights == self.weights[parent])
        if len(stuck):
            same = int(parent[stuck[0]])
            raise TreeError(
                f"{game.spec}: {game.guesses[self.guess[same]]!r} tells nothing about "
                f"{int(np.diff(self.starts)[same])} candidates "
                f"({game.secrets[int(self.members[self.starts[same]])]!r}, ...): the strategy would not end"
            )
        return found

    @property
    def weights(self) -> NDArray[np.int64]:
        """How many candidates a node has, and lies in all: less than above, if the guess said something."""
        return np.add.reduceat(self.left.astype(np.int64) + 1, self.starts[:-1])


def _steps(levels: Sequence[_Level], node: int) -> list[tuple[int, int]]:
    """Return the guesses and responses that lead to a node of the last level."""
    found = []
    for above, here in zip(levels[-2::-1], levels[:0:-1], strict=True):
        parent = int(here.parent[node]) - above.first
        found.append((int(above.guess[parent]), int(here.response[node])))
        node = parent
    return found[::-1]


def _false(true: Ints, game: Game, guess: Ints, winning: int) -> Ints:
    """Return the false responses that may replace true ones; rows are node, response, member, lies left."""
    asked, which = np.unique(guess[true[0]], return_inverse=True)
    own = [game.sayable(one) for one in asked.tolist()]
    said = np.full((len(own), max(map(len, own))), -1, dtype=np.int32)
    for row, some in zip(said, own, strict=True):
        row[: len(some)] = some
    answer = said[which.ravel()].ravel()
    node, truth, member, left = np.repeat(true, said.shape[1], axis=1)
    false = (left > 0) & (answer >= 0) & (answer != truth) & (answer != winning)
    return np.stack([node, answer, member, left - 1])[:, false]
