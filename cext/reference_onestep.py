"""Plain twin of the compiled one-step player: the same strategy, every guess valued in every state."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

STOP, SETTLED, VALUED = range(3)
COUNTERS = 3

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


class Player:
    """Play a one-step valuation to the end for every secret.

    Parameters
    ----------
    table: responses, uint8, shape (guesses, secrets); or None, and the responses come from codes.
    guess_codes, secret_codes: codes as numbers, uint8, shapes (guesses, pegs) and (secrets, pegs). The pair
        (equal positions b, common symbols t) then is the number b(2 pegs + 1 - b)/2 + t.
    symbols: how many symbols codes have, or 0: only equal positions count, and t is 0.
    response_of: the response that each byte of the table, or number of a pair, stands for, uint8.
    winning, win: the response that ends the game; whether it does (otherwise one candidate left does).
    own: the secret that each guess names, or -1; winner: the first guess that names each secret, or -1.
    scores: what a part of n secrets adds to the score of a guess, convex in n, int64, shape (secrets + 1,);
        empty: the score is the size of the largest part. The least score wins.
    tolerance: scores that differ by no more are compared by `compare(sizes, sizes) -> sign`.
    prefer: whether a candidate beats another guess of the same score; the smallest guess wins otherwise.
    only_candidates: whether a guess must name a candidate.
    counters: int64, shape (COUNTERS,): STOP read (states then get a quick guess instead of the best one),
        secrets settled and guesses valued counted up.
    classes: history -> an array with each guess in its place, and others in those of guesses that have a
        smaller equivalent; or None (see `engine.symmetry.groups`).
    """

    def __init__(
        self,
        table: Bytes | None,
        guess_codes: Bytes | None,
        secret_codes: Bytes | None,
        symbols: int,
        response_of: Bytes,
        winning: int,
        win: bool,
        own: Ints,
        winner: Ints,
        scores: Longs,
        tolerance: int,
        prefer: bool,
        only_candidates: bool,
        counters: Longs,
        classes: Callable[[tuple[int, ...]], Ints | None] | None = None,
        compare: Callable[[Sequence[int], Sequence[int]], int] | None = None,
    ) -> None:
        self.table, self.guess_codes, self.secret_codes = table, guess_codes, secret_codes
        self.symbols = symbols
        self.response_of, self.winning, self.win = response_of, winning, win
        self.own, self.winner, self.scores, self.tolerance = own, winner, scores, tolerance
        self.prefer, self.only_candidates, self.counters = prefer, only_candidates, counters
        self.compare = compare

    def row(self, guess: int, members: Ints) -> Bytes:
        """Return the responses of one guess to each member."""
        if self.table is not None:
            return self.response_of[self.table[guess, members]]
        assert self.guess_codes is not None
        assert self.secret_codes is not None
        code, secrets = self.guess_codes[guess], self.secret_codes[members]
        black = (secrets == code).sum(axis=1)
        kinds = set(code.tolist()) if self.symbols else ()
        common = sum((np.minimum((secrets == c).sum(axis=1), (code == c).sum()) for c in kinds), 0 * black)
        return self.response_of[black * (2 * len(code) + 1 - black) // 2 + common]

    def better(self, sizes: list[int], best: list[int]) -> int:
        """Return the sign of score(sizes) - score(best)."""
        if not len(self.scores):
            difference = max(sizes) - max(best)
        else:
            difference = int(self.scores[sizes].sum() - self.scores[best].sum())
            if abs(difference) <= self.tolerance and self.compare is not None:
                return 0 if sorted(sizes) == sorted(best) else self.compare(sizes, best)
        return (difference > 0) - (difference < 0)

    def choose(self, members: Ints) -> int:
        """Return the guess for a state, or -1 when no guess tells anything."""
        n, inside = len(members), set(members.tolist())
        if n == 1 and self.win:
            return int(self.winner[members[0]])
        best, best_sizes, best_outside = -1, [0], True
        for guess in range(len(self.own)):
            outside = int(self.own[guess]) not in inside
            if self.only_candidates and outside:
                continue
            sizes = [m for m in np.bincount(self.row(guess, members)).tolist() if m]
            if len(sizes) < 2:
                continue
            sign = self.better(sizes, best_sizes) if best >= 0 else -1
            if sign < 0 or (sign == 0 and self.prefer and outside < best_outside):
                best, best_sizes, best_outside = guess, sizes, outside
        return best

    def play(self, first: int, max_depth: int) -> tuple[Ints, Ints] | None:
        """Return (states, order), or None when a state has no guess or lies too deep.

        Each state is a row (start, stop, depth, state above, guess): its candidates are
        ``order[start:stop]`` (as a set), in breadth-first order. A guess `first` >= 0 is asked at the start.
        """
        order = np.arange(len(self.winner), dtype=np.int32)
        states = [[0, len(order), 0, -1, 0]]
        for number, (start, stop, depth, _, _) in enumerate(states):
            members = order[start:stop]
            guess = first if depth == 0 and first >= 0 else self.choose(members)
            if guess < 0 or depth >= max_depth:
                return None
            states[number][4] = guess
            row = self.row(guess, members)
            if len(set(row.tolist())) == 1 and not (self.win and row[0] == self.winning):
                return None
            order[start:stop] = members[np.argsort(row, kind="stable")]
            for response, size in enumerate(np.bincount(row).tolist()):
                settled = response == self.winning if self.win else size == 1
                if settled:
                    self.counters[SETTLED] += size
                elif size:
                    states.append([start, start + size, depth + 1, number, 0])
                start += size
        return np.array(states, dtype=np.int32), order
