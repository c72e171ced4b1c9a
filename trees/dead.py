"""Which secrets get to each node of a tree, and a tree without dead branches, to which none gets."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from guesstree.engine.game import check_responses

from .noisy import reach_of
from .tree import Tree


class Here(NamedTuple):
    """What is true at a node of a tree.

    Attributes
    ----------
    secrets: those that get there.
    missing: whether one of them finds no branch for its response.
    won: the first that its guess wins, to win; else -1.
    """

    secrets: Collection[int]
    missing: bool = False
    won: int = -1


def possible_at(tree: Tree) -> Iterator[Here]:
    """Yield what is true at each node, in order, by leading each secret from the root.

    Only the game's own responses count, whatever the tree says of its nodes.
    """
    if tree.game.facts.noisy:
        return _split(tree)
    return _with_lies(tree) if tree.lies else _routed(tree)


def _routed(tree: Tree) -> Iterator[Here]:
    """Yield the same where each secret has one way, level by level: its responses are asked for at once."""
    game, width = tree.game, len(tree.game.responses)
    winning = game.winning if tree.goal == "win" else None
    edge = tree.parent[1:].astype(np.int64) * width + tree.response[1:]
    order = np.argsort(edge, kind="stable")
    edge = np.append(edge[order], -1)
    node, secret = np.zeros(len(game.secrets), np.int64), np.arange(len(game.secrets), dtype=np.int32)
    for start, stop in tree.levels():
        ends = np.searchsorted(node, np.arange(start, stop + 1)).tolist()
        here, asks = secret.tolist(), tree.guess[node] >= 0
        asking, hidden = node[asks], secret[asks]
        answer = game.respond_each(tree.guess[asking], hidden)
        check_responses(game, answer)  # another would be one of the next node
        key = asking * width + answer
        place = np.searchsorted(edge[:-1], key, "right") - 1
        wins = np.full(len(key), False) if winning is None else answer == winning
        goes = (edge[place] == key) & ~wins
        missing = {*asking[~goes & ~wins].tolist()}
        won = dict(zip(asking[wins][::-1].tolist(), hidden[wins][::-1].tolist(), strict=True))
        for at, (low, high) in enumerate(pairwise(ends), start):
            yield Here(here[low:high], at in missing, won.get(at, -1))
        below = order[place[goes]] + 1
        sort = np.argsort(below, kind="stable")
        node, secret = below[sort], hidden[goes][sort]


def _with_lies(tree: Tree) -> Iterator[Here]:
    """Yield the same where responses may be lies: with some left, any other may be given."""
    game, guess, response = tree.game, tree.guess.tolist(), tree.response.tolist()
    winning = game.winning if tree.goal == "win" else None
    waiting: dict[int, dict[int, int]] = {0: dict.fromkeys(range(len(game.secrets)), tree.lies)}
    for node, asked in enumerate(guess):
        here, missing, won = waiting.pop(node), False, -1
        said = {*game.sayable(asked)} if asked >= 0 else set()
        below: dict[int, dict[int, int]] = {}
        for child in tree.children(node):
            below[response[child]] = waiting[child] = {}
        for s, left in here.items() if asked >= 0 else ():
            answer = game.respond(asked, s)
            if answer == winning:
                won = s if won < 0 else won
                continue
            missing = missing or answer not in below or (left > 0 and not said - {winning} <= below.keys())
            for other, state in below.items() if left else ():
                if other in said:
                    state[s] = left - (other != answer)
            if not left and answer in below:
                below[answer][s] = 0
        yield Here(here, missing, won)


def _split(tree: Tree) -> Iterator[Here]:
    """Yield the same for a game with a model."""
    model = tree.game.model
    assert model is not None
    for node, reach in enumerate(reach_of(tree)):
        asked, missing = int(tree.guess[node]), False
        if asked >= 0 and reach.masses:
            met = {answer for s in reach.masses for answer in model.chances[asked][s]}
            met |= {model.silent} if reach.failures < model.failures else set()
            children = tree.children(node)
            missing = not met <= set(tree.response[children.start : children.stop].tolist())
        yield Here(reach.masses, missing)


def without_dead(tree: Tree) -> Tree:
    """Return a tree, with who wins where, without the branches that no secret takes (`Tree.dead`).

    Where a secret finds no branch none is left out: the checker says what is missing.
    """
    found = list(map(_told, possible_at(tree)))
    if tree.goal == "win":
        tree = replace(tree, secret=np.array([won for *_, won in found], dtype=np.int32))
    alive = np.array([reached for reached, *_ in found], dtype=bool)
    if alive.all() or any(missing for _, missing, _ in found):
        return tree
    kept = np.flatnonzero(alive)
    place = np.append(np.cumsum(alive) - 1, -1).astype(np.int32)  # the parent of the root, -1, stays -1
    parent = place[tree.parent[kept]]
    edges = np.flatnonzero(~alive[1:] & alive[tree.parent[1:]]) + 1
    return replace(
        tree,
        guess=tree.guess[kept],
        parent=parent,
        response=tree.response[kept],
        first_child=np.searchsorted(parent, np.arange(len(kept) + 1)).astype(np.int32),
        secret=tree.secret[kept],
        depth=tree.depth[kept],
        also={int(place[node]): others for node, others in tree.also.items() if alive[node]},
        decided={int(place[node]): what for node, what in tree.decided.items() if alive[node]},
        dead=len(edges),
        first_dead=tree.steps(int(edges[0])),
    )


def _told(here: Here) -> tuple[bool, bool, int]:
    """Return whether a secret gets there, without who does, of which there may be many."""
    return bool(here.secrets), here.missing, here.won
