"""`HostSolved`: the shortest wins against a host who keeps the largest part, as a graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..game import Game
from ..state import Ints

END = b""
"""The key of the end, where the secret is won, or known."""


@dataclass(frozen=True)
class Way:
    """What may be asked in a state of a shortest win.

    Attributes
    ----------
    guess, response: by index; the host gives this response.
    target: the number of the state after it, or -1: the game ends.
    alike: how many guesses this one stands for, itself included, which a renaming of the game makes of it.
    """

    guess: int
    response: int
    target: int
    alike: int = 1


@dataclass(frozen=True)
class HostState:
    """A state of shortest wins: the candidates that the host has left, and all that may be asked."""

    candidates: Ints
    ways: tuple[Way, ...]


@dataclass
class Raw:
    """Ways by keys of states, while they are looked for: (guess, response, key of the target, alike)."""

    ways: dict[bytes, list[tuple[int, int, bytes, int]]] = field(default_factory=dict)
    candidates: dict[bytes, Ints] = field(default_factory=dict)

    def numbered(self, root: bytes) -> tuple[HostState, ...]:
        """Return all that the root leads to, the root first."""
        numbers = {root: 0}
        order = [root]
        for key in order:
            for _, _, target, _ in self.ways[key]:
                if target != END and target not in numbers:
                    numbers[target] = len(order)
                    order.append(target)
        return tuple(
            HostState(
                self.candidates[key],
                tuple(Way(g, r, numbers.get(t, -1), alike) for g, r, t, alike in sorted(self.ways[key])),
            )
            for key in order
        )


@dataclass(frozen=True)
class HostSolved:
    """The shortest wins against a host who keeps the largest part, see `host`.

    Attributes
    ----------
    game, goal, parameters: what is played.
    lower: (cost, guesses) that every win takes at least, in this order; costs in units of cost.
    upper: (cost, guesses) of the wins that are listed.
    states: the wins as a graph without a circle; the first state is the one of all secrets. Every way through
        it, from the first state to an end, is a win of these costs and guesses.
    complete: whether all of them are listed.
    searched, evaluations: states looked at, and host's answers to guesses.
    stopped: why work was ended early (``time``, ``memory``, ``interrupt``), or ``""``.
    """

    game: Game
    goal: str
    parameters: dict[str, Any]
    lower: tuple[int, int]
    upper: tuple[int, int]
    states: tuple[HostState, ...]
    complete: bool
    searched: int
    evaluations: int
    seconds: float
    stopped: str

    @property
    def optimal(self) -> bool:
        """Whether no win is shorter, or cheaper."""
        return self.lower == self.upper

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many ways lead to an end from each state; those that stand for others count as often."""
        found: dict[int, int] = {-1: 1}
        for number in self._ends_first():
            ways = self.states[number].ways  # none where the only secret is known from the start
            found[number] = sum(way.alike * found[way.target] for way in ways) if ways else 1
        return tuple(found[number] for number in range(len(self.states)))

    @property
    def wins(self) -> int:
        """How many wins there are of these costs and guesses, as far as they were found."""
        return self.counts[0]

    def _ends_first(self) -> list[int]:
        """Return the numbers of all states, each after those that it leads to; there is no circle.

        A guess that tells something leaves fewer candidates: states of fewer come first.
        """
        sizes = [len(state.candidates) for state in self.states]
        return sorted(range(len(sizes)), key=sizes.__getitem__)

    def listed(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Yield each win, in the order of guesses: for how many it stands, and its guesses with responses."""
        if not self.states[0].ways:
            yield 1, []
            return
        steps: list[tuple[int, int]] = []
        alike = [1]
        waiting = [iter(self.states[0].ways)]
        while waiting:
            way = next(waiting[-1], None)
            if way is None:
                waiting.pop()
                alike.pop()
                if steps:
                    steps.pop()
                continue
            if way.target < 0:
                yield alike[-1] * way.alike, [*steps, (way.guess, way.response)]
                continue
            steps.append((way.guess, way.response))
            alike.append(alike[-1] * way.alike)
            waiting.append(iter(self.states[way.target].ways))
