"""The search for all shortest wins against a host who keeps the largest part.

The host is known, so a guess leads to one state: a win is a path in a graph, and what is looked for are all
shortest ones. The search deepens: it looks for all ways to leave one candidate with 0 guesses, 1, 2, ...,
and the first number with a way is proved to be the least. (To win takes one guess more, which names the
candidate.)

*The last guess.* The host keeps a largest part, so one candidate is left after a guess only if all parts
have one: the guess tells all candidates apart. Such a guess makes as many parts as there are candidates.

*Parts.* A guess that makes p parts of a set makes at most p of a subset. Of n candidates of which no guess
makes more than p parts, any guess leaves at least n / p, so k guesses leave one only of at most p^k; and
only a guess that makes m parts of a set can tell m of its members apart. `Deepening` uses the first, and
`cext.hosts.endings` the second for the last two guesses, which it looks at together.

*Guesses that tell nothing* leave the state as it is, and never allow more guesses after it (`rules.Rules`):
a win with one is not shortest.

*Symmetry.* Renamings that leave responses as they are leave the sizes of parts with their responses, so the
host answers a renamed guess on renamed candidates alike. So of first guesses that a renaming makes of each
other, one stands for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import hosts as kernel

from ..problem import Problem
from ..rules import Words
from ..state import Ints, everything
from .host import Host
from .wins import END, Raw

NOTHING = np.empty(0, dtype=np.int32)
Edge = tuple[int, int, bytes, int]
AT_ONCE = 1 << 21
"""Pairs of guesses that the kernel looks at before it may be stopped, about."""


MOST_CORES = 1 << 14
"""Sets of secrets that no guess tells apart which are remembered, the last ones."""


class Stopped(Exception):  # noqa: N818 - not an error
    """Ends the search when it is to stop."""


class Frame:
    """What both searches share: states, what may be asked in them, and what the host makes of them.

    Attributes
    ----------
    found: the ways of states that lead to an end.
    stopping: set to end the search; `check` raises Stopped then.
    """

    def __init__(self, problem: Problem, memory: int) -> None:
        self.problem, self.host = problem, Host(problem)
        self.table, self.rank, self.winning = problem.table, self.host.rank, problem.winning
        self.rules = problem.rules
        self.own = problem.own if problem.candidates_only else NOTHING
        self.start = everything(problem.secrets)
        self.needs = np.empty(0, dtype=np.uint64) if self.rules is None else self.rules.start
        self.found = Raw()
        self.memory, self.taken = memory, 0
        self.searched = self.evaluations = 0
        self.stopping = False

    def check(self) -> None:
        """Raise Stopped when the search is to end."""
        if self.stopping:
            raise Stopped

    def key(self, candidates: Ints, needs: Words) -> bytes:
        """Return what tells a state from all others: candidates, and what is demanded."""
        return candidates.tobytes() + needs.tobytes()

    def after(self, needs: Words, guess: int, response: int) -> Words:
        """Return what is demanded after one more step."""
        return needs if self.rules is None else self.rules.after(needs, guess, response)

    def left(self, candidates: Ints, guess: int, response: int) -> Ints:
        """Return the candidates that give a response to a guess."""
        return np.ascontiguousarray(candidates[self.table[guess][candidates] == response])

    def may(self, candidates: Ints, needs: Words) -> NDArray[np.bool_]:
        """Return which guesses may be asked, shape (guesses,)."""
        may = np.zeros(len(self.table), dtype=np.bool_)
        may[self.problem.allowed(candidates, None if self.rules is None else needs)] = True
        return may

    def answers(self, candidates: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the host's response to each guess, how many are left, and how many parts there are."""
        self.check()
        self.searched += 1
        self.evaluations += len(self.table)
        return kernel.kept(self.table, candidates, self.rank, self.winning)

    def ends(self, secret: int, needs: Words) -> list[Edge]:
        """Return the guesses that end the game when one candidate is left; none: it cannot be ended."""
        if self.winning < 0:
            return []
        wins = self.table[:, secret] == self.winning
        wins &= self.may(np.array([secret], dtype=np.int32), needs)
        return [(int(guess), self.winning, END, 1) for guess in np.flatnonzero(wins)]

    def closed(self, secret: int, needs: Words) -> bytes | None:
        """Return the key of the state in which one candidate is left, with its ways; None: it has none."""
        if self.problem.goal == "identify":
            return END
        candidates = np.array([secret], dtype=np.int32)
        key = self.key(candidates, needs)
        if key not in self.found.ways:
            ends = self.ends(secret, needs)
            if not ends:
                return None
            self.keep(key, candidates, ends)
        return key

    def keep(self, key: bytes, candidates: Ints, ways: list[Edge]) -> None:
        """Remember the ways of a state."""
        self.found.candidates[key] = candidates
        self.found.ways[key] = ways

    def first_guesses(self, first: int | None) -> tuple[NDArray[np.bool_], Ints]:
        """Return which first guesses are looked at, and how many each of them stands for; see the top."""
        guesses = len(self.table)
        may, alike = self.may(self.start, self.needs), np.ones(guesses, dtype=np.int32)
        if first is not None:
            may &= np.arange(guesses) == first
            return may, alike
        classes = None if self.problem.classes is None else self.problem.classes(())
        if classes is not None:
            may &= classes == np.arange(guesses)
            alike = np.bincount(classes, minlength=guesses).astype(np.int32)
        return may, alike

    def greedy(self, worth: Callable[..., Any], first: int | None) -> list[Edge] | None:
        """Return a win by the guess of the least worth in each state, step by step; None: it gets stuck."""
        candidates, needs = self.start, self.needs
        steps: list[Edge] = []
        may, _ = self.first_guesses(first)
        while len(candidates) > 1:
            responses, sizes, parts = self.answers(candidates)
            guesses = np.flatnonzero(may & (sizes < len(candidates)))
            if not len(guesses):
                return None
            scores = worth(guesses, responses[guesses], sizes[guesses], parts[guesses])
            guess = int(guesses[np.lexsort(scores[::-1])[0]])
            response = int(responses[guess])
            steps.append((guess, response, END, 1))
            candidates = self.left(candidates, guess, response)
            needs = self.after(needs, guess, response)
            may = self.may(candidates, needs)
        if self.problem.goal == "identify":
            return steps
        ends = [end for end in self.ends(int(candidates[0]), needs) if may[end[0]]]
        return [*steps, ends[0]] if ends else None


class Deepening(Frame):
    """The search where every guess costs the same.

    Attributes
    ----------
    proved: so many guesses leave one candidate at least.
    cores: sets of secrets that no guess tells apart, see `cext.hosts.endings`.
    """

    def __init__(self, problem: Problem, memory: int, jobs: int) -> None:
        super().__init__(problem, memory)
        self.jobs, self.proved = jobs, 0
        self.takes: dict[bytes, int] = {}  # how many guesses leave one candidate
        self.dead: dict[bytes, int] = {}  # how many guesses do not suffice
        self.cores = np.empty((0, kernel.CORE), dtype=np.int32)
        self.learning = Lock()
        self.done = self.due = 0

    def work(self) -> bool:
        """Find all shortest wins; return whether there is one. Raises Stopped when it is to end."""
        root = self.key(self.start, self.needs)
        for guesses in range(len(self.start)):
            self.proved = guesses
            self.dead.clear()
            self.taken = 0
            ways = self.ways_of_all(guesses)
            if ways or (len(self.start) == 1 and self.problem.goal == "identify"):
                self.keep(root, self.start, ways)
                return True
        return False

    def ways_of_all(self, guesses: int) -> list[Edge]:
        """Return the first guesses of wins that leave one candidate with so many guesses."""
        root = self.key(self.start, self.needs)
        may, alike = self.first_guesses(self.problem.first)
        if guesses == 0:
            if len(self.start) > 1:
                return []
            return [way for way in self.ends(0, self.needs) if may[way[0]]]
        ways = self.ways(self.start, self.needs, guesses, may, root=True)
        found = [(guess, response, target, int(alike[guess])) for guess, response, target, _ in ways]
        self.keep(root, self.start, found)
        return found

    def ways(
        self, candidates: Ints, needs: Words, guesses: int, may: NDArray[np.bool_], *, root: bool = False
    ) -> list[Edge]:
        """Return what may be asked so that one candidate is left after exactly so many guesses, from 1."""
        responses, sizes, parts = self.answers(candidates)
        # Later guesses are others where this one is given; what may be asked now, or later, splits no better.
        most = int(parts[self.may(candidates, needs)].max(initial=1))
        if guesses == 1:
            last = np.flatnonzero(may & (sizes == 1)) if len(candidates) > 1 else NOTHING
            return self.with_ends(candidates, needs, ((int(g), int(responses[g])) for g in last))
        # Two candidates at least, of which so many guesses more can leave one.
        fit = may & (sizes > 1) & (sizes < len(candidates)) & (sizes <= most ** (guesses - 1))
        if guesses == 2:
            return self.two(candidates, needs, np.flatnonzero(fit).astype(np.int32), responses, parts)
        return self.many(candidates, needs, np.flatnonzero(fit), responses, guesses, root=root)

    def with_ends(self, candidates: Ints, needs: Words, steps: Iterable[tuple[int, int]]) -> list[Edge]:
        """Return those last guesses after which the candidate that is left can be won."""
        ways = []
        for guess, response in steps:
            secret = int(self.left(candidates, guess, response)[0])
            target = self.closed(secret, self.after(needs, guess, response))
            if target is not None:
                ways.append((guess, response, target, 1))
        return ways

    def many(
        self,
        candidates: Ints,
        needs: Words,
        asked: NDArray[np.int64],
        responses: Ints,
        guesses: int,
        *,
        root: bool,
    ) -> list[Edge]:
        """Return the ways of a state from which three guesses or more leave one candidate."""
        targets: dict[bytes, tuple[Ints, Words]] = {}
        keys = []
        for guess in asked.tolist():
            response = int(responses[guess])
            state = self.left(candidates, guess, response), self.after(needs, guess, response)
            keys.append(self.key(*state))
            targets.setdefault(keys[-1], state)
        if root:
            self.done, self.due = 0, len(targets)
        if root and self.jobs > 1:
            with ThreadPoolExecutor(self.jobs) as pool:
                try:
                    list(pool.map(lambda key: self.look(key, *targets[key], guesses - 1), targets))
                except BaseException:
                    self.stopping = True
                    raise
        else:
            for key, state in targets.items():
                self.look(key, *state, guesses - 1)
        return [
            (guess, int(responses[guess]), key, 1)
            for guess, key in zip(asked.tolist(), keys, strict=True)
            if self.takes.get(key) == guesses - 1
        ]

    def look(self, key: bytes, candidates: Ints, needs: Words, guesses: int) -> None:
        """Find the ways of a state to leave one candidate with so many guesses, unless it was looked at.

        With fewer guesses there are none: an earlier round, or this one, would have found a shorter win.
        """
        if key not in self.takes and self.dead.get(key, 0) < guesses:
            ways = self.ways(candidates, needs, guesses, self.may(candidates, needs))
            if ways:
                self.keep(key, candidates, ways)
                self.takes[key] = guesses
            elif self.taken + len(key) < self.memory:
                self.taken += len(key) * (key not in self.dead)
                self.dead[key] = guesses
        self.done += 1

    def two(self, candidates: Ints, needs: Words, asked: Ints, responses: Ints, parts: Ints) -> list[Edge]:
        """Return the ways of a state from which two guesses leave one candidate."""
        others = np.argsort(-parts, kind="stable").astype(np.int32)
        others = others[self.may(candidates, needs)[others] & (parts[others] > 1)]
        if self.rules is None:
            demanded = features = np.empty((len(asked), 0), dtype=np.uint64)
        else:
            demanded, features = needs | self.rules.needs[asked, responses[asked]], self.rules.features
        block = max(AT_ONCE // max(len(others), 1), 1)
        ways: list[Edge] = []
        for begin in range(0, len(asked), block):
            self.check()
            some = asked[begin : begin + block]
            self.evaluations += len(some) * len(others)
            pairs, cores = kernel.endings(
                self.table,
                candidates,
                some,
                np.ascontiguousarray(responses[some]),
                others,
                np.ascontiguousarray(parts[others]),
                np.ascontiguousarray(demanded[begin : begin + block]),
                features,
                self.own,
                self.cores,
            )
            if len(cores):
                with self.learning:
                    self.cores = np.concatenate([cores, self.cores])[:MOST_CORES]
            for i in np.unique(pairs[:, 0]).tolist():
                guess = int(some[i])
                lasts = others[pairs[pairs[:, 0] == i, 1]]
                key = self.shared(candidates, needs, guess, int(responses[guess]), lasts)
                if key is not None:
                    ways.append((guess, int(responses[guess]), key, 1))
        return ways

    def shared(self, candidates: Ints, needs: Words, guess: int, response: int, lasts: Ints) -> bytes | None:
        """Return the key of the state that a guess leaves, whose candidates these guesses tell apart."""
        left, demanded = self.left(candidates, guess, response), self.after(needs, guess, response)
        key = self.key(left, demanded)
        if key not in self.found.ways:
            answers = self.table[np.ix_(lasts, left)]
            worth = np.where(answers == self.winning, len(self.rank), self.rank[answers])
            given = answers[np.arange(len(lasts)), worth.argmin(axis=1)]
            ways = self.with_ends(left, demanded, sorted(zip(lasts.tolist(), given.tolist(), strict=True)))
            if not ways:
                return None
            self.keep(key, left, ways)
        return key
