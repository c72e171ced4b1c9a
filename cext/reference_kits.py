"""Plain twin of the search below a node of a kit: questions for the rest, where no symmetry is left.

A node has pairs of secrets that are open, questions that are allowed, and a budget. The search takes the open
pair that the fewest allowed questions tell apart and tries each of them, that which tells apart most for its
cost first; a question that was tried is not allowed beside later ones, so no kit is met twice. Where all
pairs made so far are told apart, the secrets themselves are looked at, and pairs that are not told apart are
added.

A node is cut in two ways. The last question that the budget allows has to tell apart all open pairs. And each
pair has a price, a number of tokens: a question collects those of the pairs that it tells apart, at most
`gain` for each `cost`, so the rest costs at least all open tokens times cost / gain.

Most nodes have two questions left: there, choosing well takes longer than trying.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

POLL = 2048
"""Nodes after which a search asks whether it is to end."""
NEW_PAIRS = 16
"""Pairs that are added at a time, each of one set of secrets that were answered alike."""
COMPARED = 4
"""Pairs of such a set that are compared: the hardest is added."""
FIRST_OPEN = 64
"""Open pairs among which the hardest is looked for where two questions are left."""


class Kits:
    """Look for the rest of a kit.

    Parameters
    ----------
    columns: the answers of each secret, uint16, shape (secrets, questions).
    kinds: secrets of one kind need not be told apart, int64, shape (secrets,).
    costs: at least 1 for questions that are ever allowed, int64, shape (questions,).
    stopped: returns whether the search is to end; it is asked from time to time.

    Attributes
    ----------
    nodes: parts of searches looked at.
    added: pairs of secrets that the last search added, in this order.
    over: by how much at least the least kit of the last search exceeds its budget, -1: there is none.
    ended: whether the last search was ended, by `stopped` (1) or by its number of nodes (2); else 0.
    """

    def __init__(
        self,
        columns: NDArray[np.uint16],
        kinds: NDArray[np.int64],
        costs: NDArray[np.int64],
        stopped: Callable[[], bool],
    ) -> None:
        self.columns, self.kinds, self.costs, self.stopped = columns, kinds, costs.tolist(), stopped
        self.rows: list[int] = []
        self.tokens: list[int] = []
        self.nodes, self.over, self.ended = 0, -1, 0
        self.added: list[tuple[int, int]] = []

    def add(self, a: int, b: int) -> None:
        """Add a pair of secrets; pairs are numbered as they are added."""
        self.rows.append(sum(1 << int(g) for g in np.flatnonzero(self.columns[a] != self.columns[b])))

    def price(self, pairs: NDArray[np.int32]) -> None:
        """Give pairs tokens: one for each time that a pair is named, shape (tokens,)."""
        self.tokens = pairs.tolist()

    def rest(
        self, opened: bytes, allowed: bytes, labels: NDArray[np.int32], budget: int, most: int
    ) -> list[int] | None:
        """Return questions that tell apart what is open and cost at most the budget; None: there are none.

        Parameters
        ----------
        opened: a bit for each pair that is not told apart yet, the first one lowest.
        allowed: a bit for each question that may be asked.
        labels: equal for secrets that were answered alike, below the number of secrets, shape (secrets,).
        budget: what the questions may cost.
        most: nodes after which the search ends.
        """
        self.added, self.over, self.ended, self.left = [], -1, 0, most
        self.labels, self.kit = labels, list[int]()
        self.open = [int.from_bytes(opened, "little")]
        self.allowed = [int.from_bytes(allowed, "little")]
        self.least = min((self.costs[g] for g in ones(self.allowed[0])), default=0)
        return list(self.kit) if self.least and self._visit(budget) else None

    def _visit(self, budget: int) -> bool:
        """Return whether a kit was found, and have `kit` say which."""
        self.nodes += 1
        self.left -= 1
        if self.left < 0:
            self.ended = 2
        elif self.nodes % POLL == 0 and self.stopped():
            self.ended = 1
        if self.ended:
            return False
        if not self.open[-1] and not self._untold():
            return True
        if budget < 2 * self.least:
            return self._last(budget)
        gain, cost = self._most_for_its_cost()
        if self._cut(self._open_tokens(self.open[-1]), gain, cost, budget):
            return False
        two = budget < 3 * self.least
        pairs = islice(ones(self.open[-1]), FIRST_OPEN if two else None)
        pair = min(pairs, key=lambda p: (self.rows[p] & self.allowed[-1]).bit_count())
        choices = self.rows[pair] & self.allowed[-1]
        for question in ones(choices) if two else self._ordered(choices):
            left = budget - self.costs[question]
            if left < 0:
                self._exceeds(-left)
                continue
            still = sum(1 << p for p in ones(self.open[-1]) if not self.rows[p] >> question & 1)
            self.allowed[-1] &= ~(1 << question)
            if not two and self._cut(self._open_tokens(still), gain, cost, left):
                continue
            self.kit.append(question)
            self.open.append(still)
            self.allowed.append(self.allowed[-1])
            found = self._visit(left)
            self.open.pop()
            self.allowed.pop()
            if found or self.ended:
                return found
            self.kit.pop()
        return False

    def _exceeds(self, over: int) -> None:
        self.over = over if self.over < 0 else min(self.over, over)

    def _cut(self, tokens: int, gain: int, cost: int, budget: int) -> bool:
        """Return whether tokens cannot be collected within a budget."""
        if not tokens:
            return False
        if not gain:
            return True  # no question collects any: there is no kit at all
        rest = -(-tokens * cost // gain)
        if rest > budget:
            self._exceeds(rest - budget)
        return rest > budget

    def _open_tokens(self, opened: int) -> int:
        return sum(opened >> pair & 1 for pair in self.tokens)

    def _most_for_its_cost(self) -> tuple[int, int]:
        """Return the tokens and the cost of the question that collects most for its cost."""
        gain, cost = 0, 1
        open_tokens = [self.rows[pair] for pair in self.tokens if self.open[-1] >> pair & 1]
        for question in ones(self.allowed[-1]):
            more = sum(row >> question & 1 for row in open_tokens)
            if more * cost > gain * self.costs[question]:
                gain, cost = more, self.costs[question]
        return gain, cost

    def _ordered(self, questions: int) -> list[int]:
        """Return questions, that which tells apart most of what is open for its cost first."""
        told = {g: sum(self.rows[p] >> g & 1 for p in ones(self.open[-1])) for g in ones(questions)}
        return sorted(told, key=lambda g: (-((told[g] << 16) // self.costs[g]), g))

    def _last(self, budget: int) -> bool:
        """Return whether one question tells all apart, the last one that the budget allows."""
        tried = 0
        if budget < self.least:
            self._exceeds(self.least - budget)
            return False
        while True:
            common = self.allowed[-1] & ~tried
            for pair in ones(self.open[-1]):
                common &= self.rows[pair]
            question = next(ones(common), None)
            if question is None:
                self._exceeds(2 * self.least - budget)
                return False
            tried |= 1 << question
            if self.costs[question] > budget:
                self._exceeds(self.costs[question] - budget)
                continue
            self.kit.append(question)
            self.open.append(0)
            if not self._untold():
                return True
            self.kit.pop()
            self.open.pop()

    def _untold(self) -> bool:
        """Return whether the kit does not tell all secrets apart; then add pairs that say so."""
        labels = self.labels.tolist()
        for question in self.kit:
            column = self.columns[:, question].tolist()
            labels = list(zip(labels, column, strict=True))
            number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
            labels = [number[label] for label in labels]
        first: dict[int, int] = {}
        alike: dict[int, list[int]] = {}
        for secret, label in enumerate(labels):
            other = first.setdefault(label, secret)
            if self.kinds[other] != self.kinds[secret] and (label in alike or len(alike) < NEW_PAIRS):
                alike.setdefault(label, []).append(secret)
        for label, secrets in alike.items():
            many = [
                int((self.columns[first[label]] != self.columns[secret]).sum())
                for secret in secrets[:COMPARED]
            ]
            pair = first[label], secrets[many.index(min(many))]
            self.add(*pair)
            self.added.append(pair)
            self.open = [mask | 1 << len(self.rows) - 1 for mask in self.open]
        return bool(alike)


def ones(mask: int) -> Iterator[int]:
    """Yield the places of the ones of a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
