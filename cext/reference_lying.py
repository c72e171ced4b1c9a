"""Plain twin of the states with lies; `reference_search` has the search.

The value of a state is 0 if the guesses left settle it, else INFINITE. Counting bounds are those of
Berlekamp (1968).

A state holds secrets, each with the number of lies that the codemaker may still tell if it is the hidden one.
A guess g and a response r leave every secret that answers r to g as it is, and take one lie from every other;
those that had none drop out. To win, the guess that names the hidden secret ends the game, whatever has been
said: the winning response is never false. To identify, every response may be false, and one secret must be
left.

Two facts hold throughout. *Fewer lies are no harder*: a strategy for a state settles, within as many
guesses, every state with some of its secrets and at most as many lies for each. So a response that no secret
of the state gives (all lose a lie) is no harder than one that some secret gives. And a guess with one
response on all secrets of a state, winning on none, may leave the state as it was: it is never asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .reference_core import Classes, Ints, alone, is_marked
from .reference_search import ANY, Child, Known, Longs, Node, Ranked, Search, State

INFINITE = 1 << 62
MOST_LIES = 7

Form = tuple[int, frozenset[frozenset[int]]]


class Searcher(Search):
    """Decide whether a number of guesses settles a state, remembering what was found.

    Parameters
    ----------
    table: responses 0..responses-1, uint8, shape (guesses, secrets).
    secret_of_guess: the secret that each guess wins on, or -1, int32, shape (guesses,).
    guess_of_secret: a guess that wins on each secret, int32, shape (secrets,).
    winning: the response that ends the game, or -1: to identify.
    lies: how many lies a secret may have left at most, up to `MOST_LIES`.
    weight, nodes, spread: see `engine.search.lying.Volume`; int64, shapes (depths, lies + 1), (depths,) and
        (depths, lies + 1). More guesses than they have depths are not bounded.
    capacity: at most how many secrets d guesses settle without a lie, int64, shape (depths,).
    classes, digits, renaming, memory, width, jobs, discrepancies: see `reference_search.Search`; with a width
        INFINITE means nothing.
    """

    narrow = True
    looks = False

    def __init__(
        self,
        table: NDArray[np.uint8],
        secret_of_guess: Ints,
        guess_of_secret: Ints,
        responses: int,
        winning: int,
        lies: int,
        weight: Longs,
        nodes: Longs,
        spread: Longs,
        capacity: Longs,
        classes: Classes | None = None,
        digits: NDArray[np.uint8] | None = None,
        renaming: int = 0,
        memory: int = 1 << 28,
        width: int = 0,
        jobs: int = 1,
        discrepancies: int = ANY,
    ) -> None:
        super().__init__(INFINITE, classes, digits, renaming, memory, width, jobs)
        self.discrepancies = discrepancies
        self.table = table.tolist()
        self.secret_of_guess, self.guess_of_secret = secret_of_guess.tolist(), guess_of_secret.tolist()
        self.responses, self.winning, self.win, self.lies = responses, winning, winning >= 0, lies
        self.weight, self.nodes, self.spread = weight.tolist(), nodes.tolist(), spread.tolist()
        self.capacity = capacity.tolist()
        self.whole = Node(State((), 0), False, INFINITE, 0, INFINITE)

    @alone
    def least(self, candidates: Ints, left: NDArray[np.uint8]) -> int:
        """Return at least how many guesses the candidates need, each with so many lies left, by counting."""
        state, depth = self.ask(candidates, 0, left, ()), 0
        while not self.fits(self.count(state), depth):
            depth += 1
        return depth

    # -- states ----------------------------------------------------------------------------------------

    def ask(self, candidates: Ints, depth: int, left: Any, history: tuple[int, ...] | None) -> State:
        """Return what is asked: the candidates by lies left, most first."""
        order = np.argsort(-left.astype(np.int32), kind="stable")
        discrepancies = self.discrepancies if len(candidates) > self.small else ANY
        members, lies = tuple(candidates[order].tolist()), tuple(left[order].tolist())
        return State(members, depth, discrepancies=discrepancies, lies=lies)

    def key(self, state: State) -> Any:
        """Return what tells a state apart, but for the guesses left."""
        return frozenset(zip(state.members, state.lies, strict=True)), state.discrepancies

    def solved(self, state: State) -> int | None:
        """Return 0 where nothing is left to ask, or, to win, every candidate can be guessed in turn."""
        return 0 if len(state) <= (state.depth if self.win else 1) else None

    def last_guess(self, state: State) -> int:
        """Return the guess that names the candidate with the most lies left; -1: nothing is left to ask."""
        return int(self.guess_of_secret[state.members[0]]) if self.win and state.members else -1

    def recall(self, state: State) -> Known:
        """Return what is remembered: that fewer guesses suffice, or that more do not."""
        known = super().recall(state)
        known.lower = INFINITE if known.lower > state.depth else 0
        known.upper = 0 if known.upper <= state.depth else INFINITE
        return known

    def store(self, state: State, lower: int, upper: int, guess: int, *, bounded: bool = False) -> None:
        """Remember that so many guesses suffice, or do not."""
        depth = (state.depth + 1, INFINITE) if lower else (0, state.depth)
        super().store(state, *depth, guess, bounded=bounded and upper == lower)

    def static_bound(self, above: Node, state: State) -> int:
        """Return INFINITE if the candidates are too many, by counting."""
        return 0 if self.fits(self.count(state), state.depth) else INFINITE

    def count(self, state: State) -> list[int]:
        """Return how many candidates have 0, 1, ... lies left."""
        return (
            np.bincount(state.lies, minlength=self.lies + 1).tolist() if state.lies else [0] * (self.lies + 1)
        )

    def fits(self, counts: Sequence[int], depth: int) -> bool:
        """Return False only if `depth` guesses cannot settle so many secrets with 0, 1, ... lies left.

        Without a lie they need as many guesses at most, so no more than `capacity` are settled at all. And
        their volume must not be above the room, see `engine.search.lying.Volume`.
        """
        if depth < 0 or sum(counts) > self.capacity[min(depth, len(self.capacity) - 1)]:
            return False
        return depth >= len(self.weight) or self.volume(counts, depth) <= self.room(counts, depth)

    def volume(self, counts: Sequence[int], depth: int) -> int:
        """Return the volume of so many secrets with 0, 1, ... lies left."""
        return sum(n * weight for n, weight in zip(counts, self.weight[depth], strict=True))

    def room(self, counts: Sequence[int], depth: int) -> int:
        """Return at least the volume of so many secrets, by lies left, that `depth` guesses can settle."""
        if not self.win:
            return self.nodes[depth]
        total = 0
        for level in range(depth):
            free = self.nodes[level]
            for left in range(self.lies, -1, -1):
                met = sum(
                    counts[more] * self.spread[level][more - left] for more in range(left, self.lies + 1)
                )
                taken = min(met, free)
                total += taken * self.weight[depth - level][left]
                free -= taken
        return total

    # -- guesses ---------------------------------------------------------------------------------------

    def rank(self, above: Node, node: Node) -> list[Ranked]:
        """Return the guesses that tell something: by the volume of the largest child, then by parts.

        A guess that leaves too much for any child is never admitted; the compiled kernel leaves some of
        those out.
        """
        self.evaluated(len(node.state))
        state, inside = node.state, set(node.state.members)
        ranked = []
        for guess, row in enumerate(self.table):
            responses = {row[s] for s in state.members}
            given = responses - {self.winning}
            if is_marked(node.dropped, guess) or (len(responses) == 1 and given):
                continue
            most = max((self.volume_below(node, guess, response) for response in given), default=0)
            outside = int(self.secret_of_guess[guess] not in inside)
            ranked.append(Ranked(0, most, 2 * (self.responses - len(given)) + outside, guess))
        return sorted(ranked)

    def volume_below(self, node: Node, guess: int, response: int) -> int:
        """Return the volume that a response leaves."""
        depth = min(node.state.depth - 1, len(self.weight) - 1)
        return self.volume(self.count(self.child(node, guess, response)), depth)

    def admit(self, node: Node, ranked: Ranked) -> bool:
        """Return whether all that a guess leaves fits, and no guess before leaves the same.

        A guess that makes the same parts as one before, winning on the same secret, leaves the same children.
        """
        parts = self.parts(node.state, ranked.guess)
        won = parts.pop(self.winning, [-1])[0]
        form: Form = won, frozenset(frozenset(part) for part in parts.values())
        children = (self.child(node, ranked.guess, response) for response in parts)
        if form in node.tried or any(self.static_bound(node, child) for child in children):
            return False
        node.tried[form] = True
        return True

    def split(self, node: Node, guess: int) -> tuple[list[Child], int]:
        """Return the children of a guess, the largest volume first, last after a response nobody gives."""
        given = self.parts(node.state, guess).keys() - {self.winning}
        responses = sorted(given, key=lambda response: (-self.volume_below(node, guess, response), response))
        if len(responses) < self.responses - self.win:
            responses.append(-1)
        return [Child(self.child(node, guess, response), exact=False) for response in responses], 0

    def parts(self, state: State, guess: int) -> dict[int, list[int]]:
        """Return the candidates by their true responses to a guess."""
        parts: dict[int, list[int]] = {}
        for s in state.members:
            parts.setdefault(self.table[guess][s], []).append(s)
        return parts

    def child(self, node: Node, guess: int, response: int) -> State:
        """Return the state after a response; -1 stands for one that no secret gives."""
        row, state = self.table[guess], node.state
        kept = [
            (s, left - (row[s] != response))
            for s, left in zip(state.members, state.lies, strict=True)
            if row[s] != self.winning and left >= (row[s] != response)
        ]
        kept.sort(key=lambda each: -each[1])
        members, lies = tuple(s for s, _ in kept), tuple(left for _, left in kept)
        return State(members, state.depth - 1, discrepancies=self.pass_on(node, len(members)), lies=lies)
