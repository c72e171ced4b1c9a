"""Two strategies for one game compared: figures, secrets, where they part, what they share.

Up to symmetry, trees are compared in a canonical form: of all trees that a renaming of the game makes of
one, that whose guesses, in breadth-first order, come first in lexicographic order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.errors import SpaceError
from guesstree.engine.exact import as_plain
from guesstree.engine.game import Game
from guesstree.trees.check import check
from guesstree.trees.figures import Costs, Summary, figures_of
from guesstree.trees.shape import classes, ends
from guesstree.trees.tree import Tree, TreeError

MOST_EXAMPLES = 10
"""Secrets named for each way in which two strategies differ."""
MOST_BYTES = 1 << 28
"""The renamings of a game are listed when they fit in so many bytes."""


@dataclass(frozen=True)
class Difference:
    """What sets two strategies A and B for one game apart; figures are in guesses.

    Attributes
    ----------
    same: whether they are the same tree (up to symmetry, if that was asked for).
    first, second: the figures of A and of B.
    slower, faster: how many secrets need more, or fewer, guesses in B than in A.
    examples: some of these secrets with the guesses each needs in A and in B, slower ones first.
    path: guess and response, by label, of every step to the first place where the trees differ, shallowest
        first; None when they are the same.
    asked: what A and B do there: the label of a guess, or of the secret that a leaf names.
    shared: subtrees of more than one node that both have.
    largest: nodes of the largest subtree that both have.
    nodes: of A and of B.
    costs: what A and B cost; None where that is their guesses.
    """

    same: bool
    first: Summary
    second: Summary
    slower: int
    faster: int
    examples: tuple[tuple[str, int, int], ...]
    path: tuple[tuple[str, str], ...] | None
    asked: tuple[str, str] | None
    shared: int
    largest: int
    nodes: tuple[int, int]
    costs: tuple[Costs, Costs] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the difference as plain data."""
        return {
            "same": self.same,
            "first": self.first.as_json(),
            "second": self.second.as_json(),
            "total": as_plain(self.second.total - self.first.total),
            "worst": self.second.worst - self.first.worst,
            "slower": self.slower,
            "faster": self.faster,
            "examples": [list(example) for example in self.examples],
            "path": None if self.path is None else [list(step) for step in self.path],
            "asked": None if self.asked is None else list(self.asked),
            "shared": self.shared,
            "largest": self.largest,
            "nodes": list(self.nodes),
        } | ({} if self.costs is None else {"costs": [costs.as_json() for costs in self.costs]})


def difference(game: Game, a: Tree, b: Tree, *, up_to_symmetry: bool = False) -> Difference:
    """Compare two valid strategies for one game and goal, as they stand or in canonical form.

    Raises TreeError for trees that are not valid or have different goals, SpaceError when the symmetry of
    the game is too large to be listed.
    """
    if a.goal != b.goal:
        raise TreeError(
            f"{game.spec}: goals {a.goal!r} and {b.goal!r}; expected two strategies with the same goal"
        )
    for tree in (a, b):
        _require_valid(game, tree)
    if up_to_symmetry:
        group = renamings(game)
        a, b = canonical(game, a, group), canonical(game, b, group)
    needed = [tree.guesses_needed() for tree in (a, b)]
    slower, faster = np.flatnonzero(needed[1] > needed[0]), np.flatnonzero(needed[1] < needed[0])
    shown = np.concatenate((slower[:MOST_EXAMPLES], faster[:MOST_EXAMPLES])).tolist()
    parting = _parting(a, b)
    own = classes([a, b], labels=True)
    shared, largest = _shared(a, *own)
    first, second = figures_of(a), figures_of(b)
    return Difference(
        same=parting is None,
        first=first.guesses,
        second=second.guesses,
        slower=len(slower),
        faster=len(faster),
        examples=tuple((game.secrets[s], int(needed[0][s]), int(needed[1][s])) for s in shown),
        path=None if parting is None else _steps(game, a, parting[0]),
        asked=None if parting is None else (a.label(parting[0]), b.label(parting[1])),
        shared=shared,
        largest=largest,
        nodes=(len(a), len(b)),
        costs=None if first.costs is None or second.costs is None else (first.costs, second.costs),
    )


def _require_valid(game: Game, tree: Tree) -> None:
    """Raise TreeError for a tree that is not valid."""
    if not game.facts.noisy:
        ends(game, tree)
        return
    wrong = check(game, tree).failures
    if wrong:
        raise TreeError(f"{game.spec}: not a valid strategy: {wrong[0].message}")


def _parting(a: Tree, b: Tree) -> tuple[int, int] | None:
    """Return the first nodes, in breadth-first order, that are reached alike and do not do the same.

    Of valid trees: what has been asked decides what can be answered, so nodes that do the same have
    children for the same responses, unless one has branches that no secret takes.
    """
    waiting = [(0, 0)]
    for i, j in waiting:
        if a.guess[i] != b.guess[j] or (a.guess[i] < 0 and a.endings(i) != b.endings(j)):
            return i, j
        below, beside = a.children(i), b.children(j)
        answers = a.response[below.start : below.stop], b.response[beside.start : beside.stop]
        if not np.array_equal(*answers):
            return i, j
        waiting.extend(zip(below, beside, strict=True))
    return None


def _steps(game: Game, tree: Tree, node: int) -> tuple[tuple[str, str], ...]:
    nodes = tree.path(node)
    return tuple(
        (game.guesses[int(tree.guess[above])], game.responses[int(tree.response[below])])
        for above, below in pairwise(nodes)
    )


def _shared(a: Tree, own: NDArray[np.int32], other: NDArray[np.int32]) -> tuple[int, int]:
    """Return how many subtrees of more than one node both trees have, and the nodes of the largest."""
    sizes = a.sum_below(np.ones(len(a)))
    common = np.isin(own, other)
    return int((common & (sizes > 1)).sum()), int(sizes[common].max(initial=0))


@dataclass(frozen=True)
class Renamings:
    """Every renaming of a game: row i says where it takes each guess, and each secret; unsigned integers."""

    guesses: NDArray[Any]
    secrets: NDArray[Any]


def renamings(game: Game) -> Renamings:
    """List the group of renamings of a game from its generators, the identity first.

    Raises SpaceError when the list would take more than 2^28 bytes: Mastermind with 4 pegs goes up to 6
    colours (45 MB), with 3 pegs up to 8.
    """
    guesses, secrets = len(game.guesses), len(game.secrets)
    pairs = game.symmetry.generators()
    # Codes are guesses and secrets at once, so that one permutation says it all.
    alike = guesses == secrets and all(np.array_equal(g, s) for g, s in pairs)
    length = guesses if alike else guesses + secrets
    kind = np.uint16 if length <= 1 << 16 else np.uint32
    generators = [(g if alike else np.concatenate((g, s + guesses))).astype(kind) for g, s in pairs]
    found = [np.arange(length, dtype=kind)[None]]
    most = max(1, MOST_BYTES // found[0].nbytes)
    known = {_digest(found[0][0])}
    for level in found:
        fresh = []
        for element in (row for generator in generators for row in generator[level]):
            digest = _digest(element)
            if digest not in known:
                known.add(digest)
                fresh.append(element)
                if len(known) > most:
                    raise SpaceError(
                        f"{game.spec}: more than {most} renamings of {guesses} guesses, {secrets} secrets; "
                        f"expected symmetries that fit in {MOST_BYTES >> 20} MB"
                    )
        if fresh:
            found.append(np.array(fresh))
    every = np.concatenate(found)
    return Renamings(every, every) if alike else Renamings(every[:, :guesses], every[:, guesses:] - guesses)


def _digest(element: NDArray[Any]) -> bytes:
    return blake2b(element.tobytes(), digest_size=16).digest()


def canonical(game: Game, strategy: Tree, group: Renamings | None = None) -> Tree:
    """Return the canonical form of a tree: equal for two trees exactly when a renaming makes one the other.

    A renaming changes no response, so it keeps the shape and the order of the nodes. Going through these,
    only the renamings are kept under which what the node asks or names comes first; one that is left in
    the end gives the form. `group` is `renamings(game)`, which raises SpaceError for a large symmetry.
    """
    group = group or renamings(game)
    left = np.arange(len(group.guesses))
    for asked, named in zip(strategy.guess.tolist(), strategy.secret.tolist(), strict=True):
        images = group.guesses[left, asked] if asked >= 0 else group.secrets[left, named]
        left = left[images == images.min()]
        if len(left) == 1:
            break
    chosen = (group.guesses[left[0]], group.secrets[left[0]])
    guess, secret = (
        np.where(column >= 0, image[column].astype(np.int32), -1).astype(np.int32)
        for column, image in zip((strategy.guess, strategy.secret), chosen, strict=True)
    )
    return replace(strategy, guess=guess, secret=secret)
