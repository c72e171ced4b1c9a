"""Plain twin of the compiled search against lies: the same steps, counts and results, written to be read.

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
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .outcome import Outcome
from .reference_core import Classes, Core, Ints, alone, is_marked

INFINITE = 1 << 62
MOST_LIES = 7
SMALL = 4
"""States of more secrets are worth symmetry."""

Longs = NDArray[np.int64]
State = dict[int, int]
Kind = tuple[int, frozenset[frozenset[int]]]


@dataclass
class Known:
    """What is known of a state: fewer than `lower` guesses do not suffice; `upper` do, `guess` first."""

    lower: int = 0
    upper: int = INFINITE
    guess: int = -1


class Searcher(Core):
    """Decide whether a number of guesses settles a state, remembering what was found.

    Parameters
    ----------
    table: responses 0..responses-1, uint8, shape (guesses, secrets).
    own: the secret that each guess wins on, or -1, int32, shape (guesses,).
    winner: a guess that wins on each secret, int32, shape (secrets,).
    winning: the response that ends the game, or -1: to identify.
    lies: how many lies a secret may have left at most, up to `MOST_LIES`.
    weight, nodes, spread: see `engine.search.lying.Volume`; int64, shapes (depths, lies + 1), (depths,) and
        (depths, lies + 1). More guesses than they have depths are not bounded.
    capacity: at most how many secrets d guesses settle without a lie, int64, shape (depths,).
    classes, digits, renaming, memory, width, jobs: see `reference_core.Core`; with a width a "no" means
        nothing. Evaluations are states valued.
    """

    def __init__(
        self,
        table: NDArray[np.uint8],
        own: Ints,
        winner: Ints,
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
    ) -> None:
        super().__init__(INFINITE, classes, digits, renaming, memory, width, jobs)
        self.table, self.own, self.winner = table.tolist(), own.tolist(), winner.tolist()
        self.responses, self.winning, self.win, self.lies = responses, winning, winning >= 0, lies
        self.weight, self.nodes, self.spread = weight.tolist(), nodes.tolist(), spread.tolist()
        self.capacity = capacity.tolist()
        self.memo: dict[frozenset[tuple[int, int]], Known] = {}

    @alone
    def search(
        self,
        candidates: Ints,
        left: NDArray[np.uint8],
        depth: int,
        history: tuple[int, ...] | None = (),
        budget: int = 0,
    ) -> Outcome:
        """Search for a strategy that settles the candidates, each with so many lies left, in `depth` guesses.

        The value is the number of guesses; all that is told is whether it is above `depth`: then `lower` is
        one more, else `upper` is `depth`. `history`: see `reference_core.Core.begin`.
        `budget`: evaluations after which the search ends, 0: never.
        """
        self.begin(history, budget)
        state = dict(zip(candidates.tolist(), left.tolist(), strict=True))
        if self.settle(state, depth, top=True):
            return Outcome(0, depth, self.chosen(state, depth), "")
        return Outcome(0 if self.ended else depth + 1, INFINITE, -1, self.ended)

    def chosen(self, state: State, depth: int) -> int:
        """Return the first guess of the strategy that was found; -1: nothing is left to ask."""
        if not state or (not self.win and len(state) == 1):
            return -1
        if self.win and len(state) <= depth:
            return self.winner[max(state, key=lambda s: state[s])]
        return self.memo[frozenset(state.items())].guess

    @alone
    def choice(self, candidates: Ints, left: NDArray[np.uint8], depth: int) -> int:
        """Return the first guess of a strategy that settles a state within `depth` guesses.

        Raises ValueError when there is none, or when nothing is left to ask.
        """
        # What is not known is searched without symmetry: the history is not told.
        found = self.search(candidates, left, depth, None)
        if found.upper > depth or found.guess < 0:
            raise ValueError(f"no guess is known for {len(candidates)} candidates within {depth}")
        return found.guess

    @alone
    def least(self, candidates: Ints, left: NDArray[np.uint8]) -> int:
        """Return at least how many guesses the candidates need, each with so many lies left, by counting."""
        counts = self.count(dict(zip(candidates.tolist(), left.tolist(), strict=True)))
        depth = 0
        while not self.fits(counts, depth):
            depth += 1
        return depth

    def settle(self, state: State, depth: int, *, top: bool = False) -> bool:
        """Return whether `depth` guesses settle a state."""
        # 1 Finished; or, to win, every secret can be guessed in turn.
        if len(state) <= (depth if self.win else 1):
            return True
        # 2 What is known: of fewer guesses that suffice, or more that do not.
        key = frozenset(state.items())
        known = self.memo.get(key, Known())
        if known.upper <= depth or known.lower > depth:
            return known.upper <= depth
        # 3 Too many, by counting.
        counts = self.count(state)
        if not self.fits(counts, depth):
            return False
        if self.spent() or self.ended:
            return False
        self.states += 1
        # 4 Every guess that tells something, by the volume of its largest child.
        ranked = self.scan(state, depth)
        # 5 Those whose children all fit. A guess that makes the same parts as one before, winning on the same
        #   secret, leaves the same children.
        tried: set[Kind] = set()
        for _, _, _, guess in ranked:
            kind, children = self.children(state, guess, depth)
            given = children[: len(kind[1])]
            if kind in tried or not all(self.fits(self.count(child), depth - 1) for child in given):
                continue
            if self.width and len(tried) == self.width:
                break
            tried.add(kind)
            # 6 Its children, the largest first; one that cannot be settled rules the guess out.
            self.history.append(guess)
            found = all(self.settle(child, depth - 1) for child in children)
            self.history.pop()
            if found:
                known.upper, known.guess = depth, guess
                if top:
                    self.upper, self.first = depth, guess
                self.memo[key] = known
                return True
            if self.ended:
                return False
        known.lower = depth + 1
        self.memo[key] = known
        return False

    def count(self, state: State) -> list[int]:
        """Return how many secrets have 0, 1, ... lies left."""
        counts = [0] * (self.lies + 1)
        for left in state.values():
            counts[left] += 1
        return counts

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

    def scan(self, state: State, depth: int) -> list[tuple[int, int, int, int]]:
        """Return (volume of the largest child, -parts, not candidate, guess), sorted."""
        self.evaluations += 1
        # The symmetry that fixes the guesses so far fixes the state, lies included.
        dropped = self.equivalents() if len(state) > SMALL else None
        weight = self.weight[min(depth - 1, len(self.weight) - 1)]
        ranked = []
        for guess, row in enumerate(self.table):
            if is_marked(dropped, guess):
                continue
            responses = {row[s] for s in state}
            given = responses - {self.winning}
            if len(responses) == 1 and given:
                continue
            counts = [self.count(self.child(state, guess, response)) for response in given]
            most = max((sum(n * w for n, w in zip(some, weight, strict=True)) for some in counts), default=0)
            named = self.own[guess] >= 0 and self.own[guess] in state
            ranked.append((most, -len(given), int(not named), guess))
        return sorted(ranked)

    def children(self, state: State, guess: int, depth: int) -> tuple[Kind, list[State]]:
        """Return what a guess tells apart, and the states that it leaves.

        The states come by volume, the largest first, last after a response that no secret gives.
        """
        row = self.table[guess]
        weight = self.weight[min(depth - 1, len(self.weight) - 1)]
        parts: dict[int, list[int]] = {}
        for s in state:
            parts.setdefault(row[s], []).append(s)
        won = parts.pop(self.winning, [-1])[0]
        kind = (won, frozenset(frozenset(part) for part in parts.values()))

        def order(response: int) -> tuple[int, int]:
            counts = self.count(self.child(state, guess, response))
            return -sum(n * w for n, w in zip(counts, weight, strict=True)), response

        responses = sorted(parts, key=order)
        if len(responses) < self.responses - self.win:
            responses.append(-1)
        return kind, [self.child(state, guess, response) for response in responses]

    def child(self, state: State, guess: int, response: int) -> State:
        """Return the state after a response; -1 stands for one that no secret gives."""
        row = self.table[guess]
        return {
            s: left - (row[s] != response)
            for s, left in state.items()
            if row[s] != self.winning and left >= (row[s] != response)
        }
