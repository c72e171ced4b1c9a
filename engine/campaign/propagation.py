"""What claims show together: a state costs the least of its guesses, a guess adds up its children."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem
from ..state import Ints, split
from .messages import INFINITE, NodeId, Steps
from .paths import Paths, pairs_of
from .store import Record, Store


@dataclass(frozen=True)
class CountedChild:
    """A set that a guess leaves in a state.

    Attributes
    ----------
    response: what leaves it.
    path: canonical.
    size, counted: its candidates, and at least what they cost by counting.
    """

    response: int
    path: Steps
    size: int
    counted: int


class Splitter:
    """How states and guesses of a game are taken apart, for a part of the objective with so many guesses."""

    def __init__(self, problem: Problem, paths: Paths, part: str, depth: int) -> None:
        self.problem, self.paths, self.part, self.depth = problem, paths, part, depth
        self.left: dict[Steps, list[CountedChild]] = {}
        self.guesses: dict[Steps, tuple[Ints, NDArray[np.int64]]] = {}

    def node(self, path: Steps) -> NodeId:
        """Return the node that a path leads to."""
        return NodeId(path, self.part, self.depth - len(path) // 2)

    def split(self, path: Steps) -> tuple[Ints, NDArray[np.int64]]:
        """Return the guesses of a state with at least what they cost by counting, see `guesses_of`."""
        if path not in self.guesses:
            node = self.node(path)
            candidates = self.paths.state(path, node.depth).candidates
            self.guesses[path] = guesses_of(self.problem, node, candidates)
        return self.guesses[path]

    def children(self, path: Steps) -> list[CountedChild]:
        """Return what a guess leaves in a state, the largest first."""
        if path not in self.left:
            problem, candidates = self.problem, self.paths.state(path, 0).candidates
            parts = parts_left(problem, candidates, path[-1])
            below = self.paths.canonicals([(*path, response) for response, _ in parts])
            found = [
                CountedChild(response, child, len(part), least_by_size(problem, self.node(child), len(part)))
                for (response, part), child in zip(parts, below, strict=True)
            ]
            self.left[path] = sorted(found, key=lambda child: -child.size)
        return self.left[path]


class Propagation:
    """What claims show together.

    Parameters
    ----------
    counts: what is taken of a claim: what the search says of it, or what was accepted.
    """

    def __init__(self, splitter: Splitter, store: Store, counts: Callable[[Record], int]) -> None:
        self.splitter, self.store, self.counts = splitter, store, counts
        self.asked: dict[Steps, set[int]] = {}
        self.known: dict[Steps, tuple[int, int]] = {}
        self.look_again()

    def look_again(self) -> None:
        """Take notice of all that is known now."""
        for node, _ in self.store.all():
            self.note(node)
        self.forget()

    def note(self, node: NodeId) -> None:
        """Take notice of a node about which something is known."""
        if node.branch and node == self.splitter.node(node.path):
            self.asked.setdefault(node.path[:-1], set()).add(node.path[-1])

    def forget(self) -> None:
        """Work out again what is shown together."""
        self.known.clear()

    def game(self, need: int) -> int:
        """Return at least what the whole game costs, as far as it is needed."""
        splitter = self.splitter
        return max(
            least_by_size(splitter.problem, splitter.node(()), splitter.problem.secrets), self.state((), need)
        )

    def own(self, path: Steps) -> int:
        """Return what the claim about a node shows, without others."""
        known = self.store.find(self.splitter.node(path))
        return 0 if known is None else self.counts(known)

    def state(self, path: Steps, need: int) -> int:
        """Return at least what a state costs, as far as it is needed; its path is canonical."""

        def together() -> int:
            if path not in self.asked:
                return 0
            _, lower = self.splitter.split(path)
            return min(
                (self.guess(path, i, need) for i in np.flatnonzero(lower < need).tolist()), default=need
            )

        return self._shown(path, need, together)

    def branch(self, path: Steps, need: int) -> int:
        """Return at least what a guess costs in a state, as far as needed; the path is that of a claim."""

        def together() -> int:
            children, total = self.splitter.children(path), 0
            if self.splitter.part == "total":
                size = len(self.splitter.paths.state(path, 0).candidates)
                total = min(size + sum(child.counted for child in children), INFINITE)
            for child in children:
                if total >= need:
                    break
                if self.splitter.part == "worst":
                    total = max(total, child.counted, self.state(child.path, need))
                else:
                    more = self.state(child.path, child.counted + need - total) - child.counted
                    total = min(total + max(more, 0), INFINITE)
            return total

        return self._shown(path, need, together)

    def guess(self, path: Steps, index: int, need: int) -> int:
        """Return at least what a guess of `split` costs, as far as it is needed."""
        guesses, lower = self.splitter.split(path)
        guess, least = int(guesses[index]), int(lower[index])
        if guess in self.asked.get(path, ()):
            least = max(least, self.branch((*path, guess), need))
        return least

    def _shown(self, path: Steps, need: int, together: Callable[[], int]) -> int:
        """Return what is shown of a node, by its own claim or by those below, as far as it is needed."""
        shown, asked = self.known.get(path) or (self.own(path), 0)
        if shown < need and asked < need:
            shown = max(shown, together())
            self.known[path] = shown, need
        return shown


def least_by_size(problem: Problem, node: NodeId, size: int) -> int:
    """Return at least what a state of so many candidates costs."""
    capacity = problem.capacity
    if size > capacity[min(node.depth, len(capacity) - 1)]:
        return INFINITE
    return int(problem.least[size]) if node.part == "total" else 0


def parts_left(problem: Problem, candidates: Ints, guess: int) -> list[tuple[int, Ints]]:
    """Return the responses to a guess that do not win, with the candidates that they leave."""
    parts = split(problem.row(guess, candidates), candidates)
    return [(response, part) for response, part in parts if response != problem.winning]


def guesses_of(problem: Problem, node: NodeId, candidates: Ints) -> tuple[Ints, NDArray[np.int64]]:
    """Return the guesses of a state, one of each orbit, with at least what they cost by counting.

    Those that tell nothing, or leave too much for the guesses that are left, are not among them.
    """
    path, capacity, rules = node.path, problem.capacity, problem.rules
    if not path and problem.first is not None:
        guesses = np.array([problem.first], dtype=np.int32)
    else:
        guesses = problem.allowed(candidates, None if rules is None else rules.follow(pairs_of(path)))
        classes = None if problem.classes is None else problem.classes(path[::2])
        if classes is not None:
            guesses = guesses[classes[guesses] == guesses]
    sizes = problem.sizes(guesses, candidates)
    if problem.winning >= 0:
        sizes[:, problem.winning] = 0
    largest = sizes.max(axis=1)
    keep = (largest < len(candidates)) & (largest <= capacity[min(node.depth - 1, len(capacity) - 1)])
    guesses, sizes = guesses[keep], sizes[keep]
    lower = np.zeros(len(guesses), dtype=np.int64)
    if node.part == "total":
        lower = len(candidates) + problem.least[sizes].sum(axis=1)
    return guesses, lower
