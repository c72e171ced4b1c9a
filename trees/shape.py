"""Trees reshaped: guesses that tell nothing removed, triangles folded, equal subtrees merged.

Every step looks at the tree alone, level by level, so a tree may have 10^6 nodes and be 10^4 deep. What
makes that exact is checked first: each secret ends in one place, by the game's own responses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.game import Game, costs_of, weights_of
from guesstree.trees.figures import figures_of
from guesstree.trees.tree import Claims, Ints, Tree, TreeError

MOST_AT_ONCE = 1 << 22
"""Responses that are worked out in one call, at most (bytes)."""


@dataclass(frozen=True)
class Saved:
    """What reshaping saved.

    Attributes
    ----------
    nodes: nodes fewer.
    guesses: guesses fewer, for all secrets together.
    uninformative: guesses removed because every candidate gave the same response.
    unreached: nodes removed because no secret leads there.
    triangles: nodes that took the guess of one of their leaves.
    height: guesses fewer in the worst case.
    """

    nodes: int = 0
    guesses: int = 0
    uninformative: int = 0
    unreached: int = 0
    triangles: int = 0
    height: int = 0

    def as_json(self) -> dict[str, int]:
        """Return the figures as plain data."""
        return dict(vars(self))


@dataclass(frozen=True)
class Dag:
    """A tree with equal subtrees merged: classes of nodes, children before parents.

    The edges of class c are ``first_edge[c] : first_edge[c + 1]``, in the order of their responses.

    Attributes
    ----------
    node_class: the class of each node of the tree; int32, shape (nodes,).
    example: the first node of each class; int32, shape (classes,).
    count: how many subtrees of the tree are of each class; int32, shape (classes,).
    size: nodes of a subtree of each class; int64, shape (classes,).
    first_edge: int32, shape (classes + 1,).
    response, target: the response and the class at the end of each edge; int32, shape (edges,).
    """

    node_class: Ints
    example: Ints
    count: Ints
    size: NDArray[np.int64]
    first_edge: Ints
    response: Ints
    target: Ints

    def __len__(self) -> int:
        return len(self.example)

    @property
    def root(self) -> int:
        """The class of the whole tree."""
        return int(self.node_class[0])


def arrange(strategy: Tree, guess: Ints, parent: Ints, response: Ints, secret: Ints) -> Tree:
    """Return the tree of these nodes, given in any order, in breadth-first order.

    All arrays are int32 of shape (nodes,); `parent` holds positions in them, -1 at the root. Spec, goal and
    claims are those of `strategy`.
    """
    by_parent = np.lexsort((response, parent))
    start = np.searchsorted(parent[by_parent], np.arange(-1, len(parent) + 1))
    order = [by_parent[:1]]
    first_child: list[NDArray[np.int64]] = []
    depths: list[NDArray[np.int64]] = []
    reached, found = 1, len(parent)
    while len(level := order[-1]):
        counts = start[level + 2] - start[level + 1]
        ends = np.cumsum(counts)
        first_child.append(reached + ends - counts)
        depths.append(np.full(len(level), len(depths)))
        below = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
        order.append(by_parent[np.repeat(start[level + 1], counts) + below])
        reached += len(order[-1])
    if reached != found:
        raise TreeError(f"{strategy.game.spec}: {found - reached} of {found} nodes do not hang from the root")
    flat = np.concatenate(order)
    place = np.empty(found + 1, dtype=np.int32)
    place[flat], place[-1] = np.arange(found), -1  # the parent of the root, -1, stays -1
    return replace(
        strategy,
        guess=guess[flat].astype(np.int32),
        parent=place[parent[flat]],
        response=response[flat].astype(np.int32),
        first_child=np.concatenate([*first_child, [found]]).astype(np.int32),
        secret=secret[flat].astype(np.int32),
        depth=np.concatenate(depths).astype(np.int32),
    )


def ends(game: Game, strategy: Tree) -> Ints:
    """Return the node at which each secret ends; int32, shape (secrets,).

    Raises TreeError unless every secret ends in exactly one place, which the responses lead it to.
    """
    if strategy.several:
        raise TreeError(f"{game.spec}: {strategy.several}; expected a tree with one way for each secret")
    ended = np.flatnonzero(strategy.secret >= 0).astype(np.int32)
    times = np.bincount(strategy.secret[ended], minlength=len(game.secrets))
    if len(times) > len(game.secrets) or (times != 1).any():
        what = game.secrets[int((times[: len(game.secrets)] != 1).argmax())]
        raise TreeError(f"{game.spec}: not a valid strategy: secret {what!r} does not end in one place")
    at = np.empty(len(game.secrets), dtype=np.int32)
    at[strategy.secret[ended]] = ended
    _require_paths(game, strategy, at)
    return at


def _require_paths(game: Game, strategy: Tree, at: Ints) -> None:
    """Walk up from the end of every secret and compare responses, some million at once."""
    secret = np.arange(len(at), dtype=np.int32)
    waiting: list[tuple[Ints, Ints, Ints]] = []
    if strategy.goal == "win" and game.facts.winnable:
        waiting.append((strategy.guess[at], secret, np.full_like(at, game.winning)))
    node = at
    while len(node):
        inner = strategy.parent[node] >= 0
        node, secret = node[inner], secret[inner]
        above = strategy.parent[node]
        waiting.append((strategy.guess[above], secret, strategy.response[node]))
        node = above
        if not len(node) or sum(len(guess) for guess, _, _ in waiting) > MOST_AT_ONCE:
            _require_answers(game, *(np.concatenate(column) for column in zip(*waiting, strict=True)))
            waiting.clear()


def _require_answers(game: Game, guess: Ints, secret: Ints, expected: Ints) -> None:
    wrong = (guess < 0) | (game.respond_each(guess, secret) != expected)
    if wrong.any():
        label = game.secrets[int(secret[wrong.argmax()])]
        raise TreeError(f"{game.spec}: not a valid strategy: secret {label!r} does not go where it ends")


def shrink(game: Game, strategy: Tree) -> Tree:
    """Return the tree without guesses that tell nothing, and without branches that no secret takes.

    A guess tells nothing when every candidate gives the same response to it and none is won by it. Its
    child takes its place, so all secrets below need one guess less and no other is touched. Raises TreeError
    for a tree that is not valid.
    """
    ends(game, strategy)
    reached = strategy.secrets_below() > 0
    inner = np.flatnonzero(reached[1:]) + 1
    children = np.bincount(strategy.parent[inner], minlength=len(strategy))
    kept = reached & ~((children == 1) & (strategy.secret < 0))
    if kept.all():
        return strategy
    # A node hangs from the nearest kept node above it, by the response that left that node.
    parent, response = strategy.parent.copy(), strategy.response.copy()
    for start, stop in strategy.levels()[1:]:
        above = strategy.parent[start:stop]
        gone = np.flatnonzero(~kept[above])
        parent[start + gone] = parent[above[gone]]
        response[start + gone] = response[above[gone]]
    place = np.append(np.cumsum(kept) - 1, -1).astype(np.int32)
    chosen = np.flatnonzero(kept)
    small = arrange(
        strategy, strategy.guess[chosen], place[parent[chosen]], response[chosen], strategy.secret[chosen]
    )
    return small.with_claims(_claims(small))


def triangle(game: Game, strategy: Tree) -> Tree:
    """Return the tree in which nodes above leaves alone ask a leaf's guess, wherever that saves a guess.

    A node that wins nothing, with leaves c1 ... ck below it, costs 2k guesses. If the guess of a leaf cj
    tells all the others apart, asking it first costs 2k - 1: cj needs one guess less, the others as many as
    before. Otherwise some secret would need more, and the node stays. For k = 2 either leaf does;
    that is the triangle of the source. The first leaf that does is taken. Where guesses cost something, a
    leaf that tells the others apart is taken only if the secrets then cost less, by weight. Under goal
    identify a node above leaves costs one guess for each, which is the least, so the tree comes back as it
    is. Raises TreeError for a tree that is not valid.
    """
    ends(game, strategy)
    folds = _folds(game, strategy) if strategy.goal == "win" else {}
    if not folds:
        return strategy
    guess, response, secret = strategy.guess.copy(), strategy.response.copy(), strategy.secret.copy()
    kept = np.ones(len(strategy), dtype=bool)
    for node, (leaf, answers) in folds.items():
        leaves = strategy.children(node)
        guess[node], secret[node] = guess[leaf], secret[leaf]
        response[leaves.start : leaves.stop] = answers
        kept[leaf] = False
    place = np.append(np.cumsum(kept) - 1, -1).astype(np.int32)
    chosen = np.flatnonzero(kept)
    small = arrange(strategy, guess[chosen], place[strategy.parent[chosen]], response[chosen], secret[chosen])
    return small.with_claims(_claims(small))


def _folds(game: Game, strategy: Tree) -> dict[int, tuple[int, NDArray[np.uint8]]]:
    """Return the nodes that take the guess of a leaf: the leaf, and the responses of all leaves to it."""
    leaf = np.diff(strategy.first_child) == 0
    inner = np.zeros(len(strategy), dtype=np.int64)
    np.add.at(inner, strategy.parent[1:], ~leaf[1:])
    folds = {}
    # A leaf alone below its node is a guess that tells nothing, which is for `shrink` to remove.
    for node in np.flatnonzero((strategy.secret < 0) & (inner == 0) & (np.diff(strategy.first_child) > 1)):
        leaves = strategy.children(int(node))
        secrets = strategy.secret[leaves.start : leaves.stop]
        if (secrets < 0).any():
            continue  # a branch that no secret takes, which is for `shrink` to remove
        rows = game.block(strategy.guess[leaves.start : leaves.stop], secrets)
        apart = np.flatnonzero([len(np.unique(row)) == len(row) for row in rows])
        if game.facts.priced:
            apart = apart[_cheaper(game, strategy, int(node), rows)[apart]]
        if len(apart):
            folds[int(node)] = (leaves.start + int(apart[0]), rows[apart[0]])
    return folds


def _cheaper(game: Game, strategy: Tree, node: int, rows: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether the secrets of the leaves below a node cost less if it asks the guess of each leaf."""
    leaves = strategy.children(node)
    asked, secrets = strategy.guess[leaves.start : leaves.stop], strategy.secret[leaves.start : leaves.stop]
    costs, weights = costs_of(game), weights_of(game)[secrets]
    answers = game.block(np.full(1, strategy.guess[node], dtype=np.int32), secrets)[0]
    own = costs[asked, rows.diagonal()]  # of the guess that wins each secret
    before = costs[strategy.guess[node], answers] @ weights
    after = costs[asked[:, None], rows] @ weights - weights * own
    return np.asarray(after < before)


def _claims(strategy: Tree) -> Claims:
    """Return what may still be said of a reshaped tree: its own value is the upper bound."""
    claims = strategy.claims
    if not claims.lower and not claims.upper:
        return replace(claims, summary={})
    bare = Claims(claims.objective, claims.method)
    upper = figures_of(strategy.with_claims(bare)).compared.value(claims.objective) or ()
    # A limit such as a fixed first guess may no longer hold, and the lower bound holds under it only.
    lower = claims.lower if upper and not claims.parameters else ()
    return replace(bare, lower=lower, upper=upper)


def reshape(game: Game, strategy: Tree) -> tuple[Tree, Saved]:
    """Return the tree after `shrink` and `triangle`, to which neither applies any more, and what was saved.

    One pass of each is the fixed point: a node that `triangle` changes wins a secret from then on, so it is
    neither a guess that tells nothing nor above leaves without winning; and its parent keeps its children,
    of which this one is no leaf.
    """
    small = shrink(game, strategy)
    folded = triangle(game, small)
    triangles = int((folded.secret >= 0)[_inner(folded)].sum() - (small.secret >= 0)[_inner(small)].sum())
    before, after = figures_of(strategy).guesses, figures_of(folded).guesses
    unreached = int((strategy.secrets_below() == 0).sum())
    saved = Saved(
        nodes=len(strategy) - len(folded),
        guesses=before.total - after.total,
        uninformative=len(strategy) - unreached - len(small),
        unreached=unreached,
        triangles=triangles,
        height=before.worst - after.worst,
    )
    return folded, saved


def _inner(strategy: Tree) -> NDArray[np.bool_]:
    return np.diff(strategy.first_child) > 0


def classes(strategies: Sequence[Tree], *, labels: bool) -> list[Ints]:
    """Return the class of each node of each tree; equal subtrees, within a tree or across, share one.

    With `labels` two subtrees are equal when they ask and name the same by the same responses; without,
    when their branches have the same responses. Classes are numbered as they are met from the last node
    of the first tree upwards, so that children come before their parents.
    """
    known: dict[tuple[object, ...], int] = {}
    found = []
    for tree in strategies:
        own = [0] * len(tree)
        first, answers = tree.first_child.tolist(), tree.response.tolist()
        guess = tree.guess.tolist()
        secret: list[Any] = tree.secret.tolist()
        if labels and tree.game.facts.noisy:  # a leaf is what it says
            secret = [tree.endings(node) if asked < 0 else -1 for node, asked in enumerate(guess)]
        for node in range(len(tree) - 1, -1, -1):
            start, stop = first[node], first[node + 1]
            # With the labels gone, what is left of a node is whether it wins, or asks at all.
            head = (guess[node], secret[node]) if labels else (guess[node] >= 0, secret[node] >= 0)
            key = (*head, *answers[start:stop], *own[start:stop])
            own[node] = known.setdefault(key, len(known))
        found.append(np.array(own, dtype=np.int32))
    return found


def merge(strategy: Tree, *, labels: bool = False) -> Dag:
    """Return the tree with equal subtrees merged, which takes time linear in its size.

    In a valid tree each secret ends in one place, so no two subtrees are equal to the last label: by
    default those are merged that have the same shape, response by response, whatever they ask. With
    `labels` only those that ask the same, as trees of other makers may hold.
    """
    node_class = classes([strategy], labels=labels)[0]
    many = int(node_class.max()) + 1
    example = np.full(many, len(strategy), dtype=np.int32)
    np.minimum.at(example, node_class, np.arange(len(strategy), dtype=np.int32))
    sizes = strategy.sum_below(np.ones(len(strategy)))
    first = strategy.first_child
    edges = [np.arange(first[node], first[node + 1]) for node in example.tolist()]
    flat = np.concatenate(edges).astype(np.int64)
    return Dag(
        node_class=node_class,
        example=example,
        count=np.bincount(node_class, minlength=many).astype(np.int32),
        size=sizes[example],
        first_edge=np.concatenate(([0], np.cumsum([len(e) for e in edges]))).astype(np.int32),
        response=strategy.response[flat],
        target=node_class[flat],
    )
