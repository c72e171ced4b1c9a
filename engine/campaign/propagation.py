"""What claims show together: a state costs the least of its guesses, a guess adds up its children."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..search.space import ClaimSpace, Longs
from ..state import Ints
from .messages import INFINITE, NodeId, Steps
from .paths import Paths, pairs_of
from .store import Record, Store


@dataclass(frozen=True)
class KnownChild:
    """A state that a guess leaves.

    Attributes
    ----------
    response: what leaves it.
    path: canonical.
    size: its candidates.
    paid: what the guess adds to its value.
    lower, exact: at least its value, in no time, and whether it is exactly that.
    """

    response: int
    path: Steps
    size: int
    paid: int
    lower: int
    exact: bool


class Splitter:
    """How states and guesses of a game are split, for a figure of the objective with a limit.

    Where a figure is decided, the value of a state is 0, or `INFINITE` where the limit does not suffice.
    """

    def __init__(self, space: ClaimSpace[Any], paths: Paths, figure: str, limit: int) -> None:
        self.space, self.paths, self.figure, self.limit = space, paths, figure, limit
        self.adds_up = figure != "worst"
        self.query = space.query_at(figure, limit, ())
        self._children: dict[Steps, tuple[int, list[KnownChild]]] = {}
        self._guesses: dict[Steps, tuple[Ints, Longs]] = {}

    def node(self, path: Steps) -> NodeId:
        """Return the node that a path leads to."""
        return NodeId(path, self.figure, self.space.limit_after(self.limit, pairs_of(path)))

    def state(self, path: Steps) -> Any:
        """Return the state that a path leads to, of a branch the one in which its guess is asked."""
        return self.space.state_at(self.query, pairs_of(path))

    def known(self, state: Any) -> tuple[int, bool]:
        """Return at least the value of a state, in no time, and whether it is exactly that."""
        lower, exact = self.space.known(self.query, state)
        return self.value(state, lower), exact

    def value(self, state: Any, lower: int) -> int:
        """Return a bound of a state, as the search gives it, as claims have it."""
        if self.space.decided(self.figure):
            return INFINITE if lower > state.depth else 0
        return min(lower, INFINITE)

    def guesses(self, path: Steps) -> tuple[Ints, Longs]:
        """Return the guesses of a state with at least what they cost in no time, see `ClaimSpace.guesses`."""
        if path not in self._guesses:
            self._guesses[path] = self.space.guesses(self.query, self.state(path), pairs_of(path))
        return self._guesses[path]

    def split(self, path: Steps) -> tuple[int, list[KnownChild]]:
        """Return what a guess costs where the game is over, and the states that it leaves, largest first."""
        if path not in self._children:
            space, over, left = self.space, 0, []
            for child in space.split(self.query, self.state(path), path[-1]):
                paid = 0 if space.decided(self.figure) else child.paid
                if child.state is None or space.finished(child.state):
                    over = over + paid if self.adds_up else max(over, paid)
                else:
                    left.append((child, paid))
            below = self.paths.canonicals([(*path, child.response) for child, _ in left])
            self._children[path] = (
                over,
                [
                    KnownChild(child.response, canonical, child.size, paid, *self.known(child.state))
                    for (child, paid), canonical in zip(left, below, strict=True)
                ],
            )
        return self._children[path]

    def join(self, over: int, values: Iterable[int]) -> int:
        """Return what a guess costs, by what is paid where the game is over and in each of its children."""
        return min(sum(values, over) if self.adds_up else max([over, *values]), INFINITE)


class Splitters:
    """The splitters of a problem: what one has split stays for all who ask for the same figure and limit."""

    def __init__(self, space: ClaimSpace[Any]) -> None:
        self.space, self.paths = space, Paths(space)
        self._made: dict[tuple[str, int], Splitter] = {}

    def of(self, figure: str, limit: int) -> Splitter:
        """Return the splitter for a figure with a limit."""
        if (figure, limit) not in self._made:
            self._made[figure, limit] = Splitter(self.space, self.paths, figure, limit)
        return self._made[figure, limit]


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
        self._most: dict[Steps, int] = {}
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
        self._most.clear()

    def game(self, need: int) -> int:
        """Return at least what the whole game costs, as far as it is needed."""
        splitter = self.splitter
        return max(splitter.known(splitter.state(()))[0], self.state((), need))

    def own(self, path: Steps) -> int:
        """Return what the claim about a node shows, without others."""
        known = self.store.find(self.splitter.node(path))
        return 0 if known is None else self.counts(known)

    def most(self, path: Steps) -> int:
        """Return at most what a node costs, by strategies known of it or of its guesses: no more is shown."""
        if path not in self._most:
            below = [(*path, guess) for guess in self.asked.get(path, ())]
            known = [self.store.find(self.splitter.node(one)) for one in [path, *below]]
            self._most[path] = min((one.upper for one in known if one is not None), default=INFINITE)
        return self._most[path]

    def state(self, path: Steps, need: int) -> int:
        """Return at least what a state costs, as far as it is needed; its path is canonical."""
        need = min(need, self.most(path))

        def together() -> int:
            if path not in self.asked:
                return 0
            _, lower = self.splitter.guesses(path)
            return min(
                (self.guess(path, i, need) for i in np.flatnonzero(lower < need).tolist()), default=need
            )

        return self._shown(path, need, together)

    def branch(self, path: Steps, need: int) -> int:
        """Return at least what a guess costs in a state, as far as needed; the path is that of a claim."""
        need = min(need, self.most(path))

        def together() -> int:
            over, children = self.splitter.split(path)
            values = [child.paid + max(child.lower, self.own(child.path)) for child in children]
            for i, child in enumerate(children):
                total = self.splitter.join(over, values)
                if total >= need:
                    break
                wanted = values[i] + need - total if self.splitter.adds_up else need
                values[i] = max(values[i], child.paid + self.state(child.path, wanted - child.paid))
            return self.splitter.join(over, values)

        return self._shown(path, need, together)

    def guess(self, path: Steps, index: int, need: int) -> int:
        """Return at least what a guess of `guesses` costs, as far as it is needed."""
        guesses, lower = self.splitter.guesses(path)
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
