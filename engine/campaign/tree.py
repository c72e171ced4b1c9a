"""What is known of a game as an and/or tree of states and guesses, and what is to be asked next.

A state is worth the least of its guesses; a guess adds up its cells, the states that its responses leave (of
worst cases, it is as bad as the worst of them). So bounds of states are bounds of guesses and of the states
above, up to the game itself. States that a symmetry makes equal are one.

Nothing is asked about a state whose bounds meet, or that is shown to cost what is needed of it. What is
needed of the game is what the best strategy known takes; a guess needs what its state needs; a cell needs
what is missing when all others are taken by what is shown of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError
from ..problem import Problem
from ..state import Ints
from .asks import INFINITE, Finding, Place, Steps, Wanted
from .findings import Findings, Standing
from .paths import Paths
from .shown import guesses_of, least_by_size, parts_left

Longs = NDArray[np.int64]
WIDTH = 3
"""Of the beam that finds a strategy for a state before it is split: guesses need not reach more."""
STATE_SHARE = 2
"""A state as a whole gets such a part of what a guess gets: to split it is cheap, and what is shown of its
guesses takes less than its value."""
WIDE = (1, 4, 1 << 30)
"""Cells of one guess that are asked at a time."""


@dataclass(eq=False)
class Node:
    """What is known of a state.

    Attributes
    ----------
    size: its candidates.
    lower, upper, choices: bounds, and the strategy behind `upper` where that was told of the state itself.
    budget: evaluations that it was given last, itself; 0: it was not asked.
    spent: evaluations that it took itself, and its guesses that are not split.
    flying: what is asked of it now.
    sought: whether a strategy was looked for by a beam.
    failed: whether its budget did not suffice when it was asked last.
    above: the guesses that it is a cell of.
    split: its guesses; None: it is asked itself.
    still: until something is told of it, nothing of it is to be asked for such a need, or a lower one, and so
        many cells of a guess at a time, or fewer.
    """

    place: Place
    size: int
    lower: int
    upper: int = INFINITE
    choices: bytes = b""
    budget: int = 0
    spent: int = 0
    flying: Wanted | None = None
    sought: bool = False
    failed: bool = False
    above: list[Fork] = field(default_factory=list)
    split: Guesses | None = None
    still: tuple[int, int] = 0, 0


@dataclass(eq=False)
class Guesses:
    """The guesses of a state, those apart that may be worth the least.

    Attributes
    ----------
    guesses: their numbers, ascending, int32.
    lower: at least what each costs, int64.
    flying: whether it is asked, bool.
    cells: of those that are split, by their places in `guesses`.
    best: the place of the guess with the least upper bound told; -1: none.
    asked, spent: how many were settled, and the evaluations that took.
    """

    guesses: Ints
    lower: Longs
    flying: NDArray[np.bool_]
    cells: dict[int, Fork] = field(default_factory=dict)
    best: int = -1
    asked: int = 0
    spent: int = 0

    def place(self, guess: int) -> int:
        """Return the place of a guess; -1: it is left out."""
        index = int(np.searchsorted(self.guesses, guess))
        return index if index < len(self.guesses) and self.guesses[index] == guess else -1


@dataclass(eq=False)
class Fork:
    """A guess in a state, split into its cells."""

    state: Node
    index: int
    responses: list[int]
    cells: list[Node]


@dataclass
class Pace:
    """How much work is asked at a time.

    Attributes
    ----------
    workers: how many there are.
    evaluations, seconds: what was spent so far.
    """

    workers: int
    evaluations: int = 0
    seconds: float = 0.0
    seen: dict[tuple[bool, int], tuple[int, int]] = field(default_factory=dict)

    LEAST, ALONE, MOST, PARTS, RATE = 0.02, 4.0, 4.0, 4, 20_000

    @property
    def slice(self) -> float:
        """Seconds that one claim may take before it is split.

        It is short beside what was done so far, so that all end together; what is split begins without what
        was remembered of it, so that few workers take longer.
        """
        share, least = self.seconds / (self.PARTS * self.workers), self.ALONE * 0.5 ** (self.workers - 1)
        return min(max(share, least, self.LEAST), max(self.MOST, self.workers * 5e-3))

    def note(self, size: int, evaluations: int, *, branch: bool) -> None:
        """Note what a claim about a state of so many candidates, or a guess in it, took."""
        kind = branch, int(2 * math.log2(size))
        many, total = self.seen.get(kind, (0, 0))
        self.seen[kind] = many + 1, total + evaluations

    def expected(self, size: int, *, branch: bool) -> float:
        """Return the evaluations that such a claim may take, by those like it; 0: there are none."""
        at = int(2 * math.log2(size))
        for step in range(9):  # the nearest sizes; twice the size takes up to nine times as long
            for near in (at - step, at + step):
                many, total = self.seen.get((branch, near), (0, 0))
                if many:
                    return total / many * 3.0 ** (at - near)
        return 0.0

    @property
    def budget(self) -> int:
        """Evaluations that one claim may take before it is split."""
        rate = self.evaluations / self.seconds if self.seconds > 0.1 else self.RATE
        return max(int(rate * self.slice), 64)


class ClaimTree:
    """The claims of one part of the objective, with so many guesses.

    Parameters
    ----------
    need: what is to be shown of the game; INFINITE: its value.
    """

    def __init__(
        self,
        problem: Problem,
        findings: Findings,
        part: str,
        depth: int,
        pace: Pace,
        need: int = INFINITE,
    ) -> None:
        self.problem, self.findings, self.paths = problem, findings, Paths(problem)
        self.part, self.need, self.pace = part, need, pace
        self.wide = 1
        self.states: dict[Place, Node] = {}
        self.stored: dict[Place, list[int]] = {}
        for place, _ in findings.all():
            if place.branch and place.part == part:
                self.stored.setdefault(Place(place.path[:-1], part, place.depth), []).append(place.path[-1])
        self.root = self.state(Place((), part, depth), problem.secrets)
        self.whole: tuple[Steps, bytes] | None = ((), self.root.choices) if self.root.choices else None

    # -- what is known -------------------------------------------------------------------------------------

    @property
    def first(self) -> int:
        """The first guess of the best strategy, as far as it is known, or of what promises most; or -1."""
        split = self.root.split
        if split is None or not len(split.guesses):
            return -1
        return int(split.guesses[split.best if split.best >= 0 else split.lower.argmin()])

    @property
    def done(self) -> bool:
        """Whether what is needed is shown, or is false."""
        return self.root.lower >= min(self.need, self.root.upper)

    def state(self, place: Place, size: int) -> Node:
        """Return the state of a place, with what is known of it."""
        if place not in self.states:
            found = self.states[place] = Node(place, size, least_by_size(self.problem, place, size))
            if size == 1 and found.lower < INFINITE:
                found.upper = found.lower
            known = self.findings.find(place)
            if known is not None:
                self.recall(found, known)
        return self.states[place]

    @staticmethod
    def recall(state: Node, known: Standing) -> None:
        """Take in what was found out of a state before."""
        state.lower, state.budget = max(state.lower, known.lower), known.budget
        if known.upper < state.upper:
            state.upper, state.choices = known.upper, known.choices

    def learn(self, told: Finding) -> None:
        """Take in what was told, and keep it."""
        self.findings.take(told)
        self.pace.evaluations += told.evaluations
        self.pace.seconds += told.seconds
        place = told.place
        path = place.path[:-1] if place.branch else place.path
        state = self.states.get(Place(path, place.part, place.depth))
        if state is None:
            return
        state.spent += told.evaluations
        if not place.branch:
            self.learn_state(state, told)
        elif state.split is not None:
            self.learn_branch(state, state.split, told)
        self.rise(state)

    def learn_state(self, state: Node, told: Finding) -> None:
        """Take in what was told of a state."""
        asked, state.flying = state.flying, None
        state.lower = max(state.lower, told.lower)
        if told.upper < state.upper or (told.upper == state.upper and not state.choices):
            self.reach(state, told.upper, told.choices)
        if asked is not None and not asked.width:
            state.failed = state.lower < min(asked.bound, state.upper)
            self.pace.note(state.size, told.evaluations * (1 + state.failed), branch=False)

    def learn_branch(self, state: Node, split: Guesses, told: Finding) -> None:
        """Take in what was told of a guess in a state; one that took too long is split."""
        index = split.place(told.place.path[-1])
        if index < 0:
            return
        split.flying[index], split.asked = False, split.asked + 1
        split.spent += told.evaluations
        self.pace.note(state.size, told.evaluations * (1 + bool(told.cells)), branch=True)
        split.lower[index] = max(split.lower[index], told.lower)
        if told.upper < state.upper:
            self.reach(state, told.upper, told.choices, index)
        if told.cells and told.upper >= INFINITE and index not in split.cells:
            self.divide(state, split, index, {r: (lower, upper) for r, lower, upper in told.cells})

    def reach(self, state: Node, upper: int, choices: bytes, best: int = -1) -> None:
        """Note a strategy for a state, and its guess."""
        state.upper, state.choices = upper, choices
        if state.split is not None:
            state.split.best = best
        if state is self.root and choices:
            self.whole = self.told_of(state), choices

    def rise(self, state: Node) -> None:
        """Work out the bounds of a state from its guesses, and of all that is above it, each once."""
        level = {state}
        while level:
            above: set[Node] = set()
            for node in level:
                node.still = 0, 0
                if node.split is not None:
                    node.lower = max(node.lower, int(node.split.lower.min(initial=INFINITE)))
                for fork in node.above:
                    self.add_up(fork)
                    above.add(fork.state)
            level = above

    def add_up(self, fork: Fork) -> None:
        """Work out the bounds of a guess from its cells."""
        state, split = fork.state, fork.state.split
        assert split is not None
        lower, upper = self.sum(state, fork.cells)
        split.lower[fork.index] = max(split.lower[fork.index], lower)
        if upper < state.upper:
            self.reach(state, upper, b"", fork.index)

    def sum(self, state: Node, cells: list[Node]) -> tuple[int, int]:
        """Return bounds of a guess by those of its cells."""
        lowers, uppers = [cell.lower for cell in cells], [cell.upper for cell in cells]
        if self.part == "worst":
            return max(lowers, default=0), max(uppers, default=0)
        return min(state.size + sum(lowers), INFINITE), min(state.size + sum(uppers), INFINITE)

    # -- splitting -----------------------------------------------------------------------------------------

    def open(self, state: Node) -> Guesses:
        """Split a state into its guesses, one of each orbit, but those that tell nothing or cost too much."""
        place = state.place
        candidates = self.paths.state(place.path, place.depth).candidates
        guesses, lower = guesses_of(self.problem, place, candidates)
        split = state.split = Guesses(guesses, lower, np.zeros(len(guesses), dtype=bool))
        least = int(lower.min(initial=INFINITE))
        if least > state.lower:  # proofs begin with what is kept
            self.findings.take(Finding(place, least))
        self.recall_guesses(state, split)
        self.rise(state)
        return split

    def recall_guesses(self, state: Node, split: Guesses) -> None:
        """Take in what was found out of the guesses of a state before; those that took too long are split."""
        place, open_ones = state.place, []
        for guess in self.stored.pop(place, ()):
            index = split.place(guess)
            known = self.findings.find(Place((*place.path, guess), place.part, place.depth))
            if index < 0 or known is None:
                continue
            split.lower[index] = max(split.lower[index], known.lower)
            if known.upper < state.upper:
                self.reach(state, known.upper, known.choices, index)
            elif known.budget and known.upper >= INFINITE:
                open_ones.append(index)
        for index in open_ones:
            if split.lower[index] < state.upper < INFINITE:
                self.divide(state, split, index, {})

    def divide(self, state: Node, split: Guesses, index: int, told: dict[int, tuple[int, int]]) -> None:
        """Split a guess of a state into its cells, with what was told of them."""
        guess, place = int(split.guesses[index]), state.place
        known = self.paths.state(place.path, place.depth)
        fork = split.cells[index] = Fork(state, index, [], [])
        parts = parts_left(self.problem, known.candidates, guess)
        paths = self.paths.canonicals([(*place.path, guess, response) for response, _ in parts])
        for (response, part), path in zip(parts, paths, strict=True):
            cell = self.state(Place(path, place.part, place.depth - 1), len(part))
            lower, upper = told.get(response, (0, INFINITE))
            if lower > cell.lower or upper < cell.upper:
                self.learn(Finding(cell.place, lower, upper))
            fork.responses.append(response)
            fork.cells.append(cell)
            cell.above.append(fork)
        self.add_up(fork)

    # -- what to ask ---------------------------------------------------------------------------------------

    def next(self, room: int) -> list[tuple[Wanted, ...]]:
        """Return at most so many tasks, each of some claims; they count as asked from now on.

        Of the cells of one guess few are asked at a time, unless there is no other work: what is shown of
        those that take little lowers what the others need.
        """
        tasks: list[tuple[Wanted, ...]] = []
        for wide in WIDE:
            if len(tasks) < room and not (tasks and self.pace.workers == 1):
                self.wide = wide
                self.pick(self.root, min(self.need, self.root.upper), room, tasks)
        for asks in tasks:
            for ask in asks:
                self.findings.asked(ask.place, ask.bound, ask.budget, "")
        return tasks

    def lose(self, place: Place) -> None:
        """Let a claim that nobody answers be asked again."""
        path = place.path[:-1] if place.branch else place.path
        state = self.states[Place(path, place.part, place.depth)]
        if place.branch and state.split is not None:
            state.split.flying[state.split.place(place.path[-1])] = False
        elif not place.branch:
            state.flying = None
        self.rise(state)

    def pick(self, state: Node, need: int, room: int, tasks: list[tuple[Wanted, ...]]) -> None:
        """Add tasks about a state of which so much is needed, until there is no more room."""
        need = min(need, state.upper)
        needed, wide = state.still
        if state.lower >= need or (needed >= need and wide >= self.wide) or len(tasks) >= room:
            return
        split = state.split
        if split is None:
            if state.flying is not None:
                return
            ask = self.ask(state, need)
            if ask is not None:
                state.flying = ask
                tasks.append((ask,))
                return
            split = self.open(state)
        self.pick_guesses(state, split, need, room, tasks)
        if len(tasks) < room:
            state.still = need, self.wide

    def ask(self, state: Node, need: int) -> Wanted | None:
        """Return what is to be asked of a state as a whole; None: it is to be split.

        Before it is split a beam looks for a strategy: its guesses need not cost more than that takes.
        """
        most = max(self.pace.budget // STATE_SHARE, 1)
        long = state.failed or state.place in self.stored
        if state is self.root:
            return None
        if not long and self.pace.expected(state.size, branch=False) <= most:
            state.budget = most
            return Wanted(state.place, need, most)
        if self.part == "total" and state.upper >= INFINITE and not state.sought:
            state.sought = True
            return Wanted(state.place, need, width=WIDTH)
        return None

    def pick_guesses(
        self, state: Node, split: Guesses, need: int, room: int, tasks: list[tuple[Wanted, ...]]
    ) -> None:
        """Add tasks about the guesses of a state, those with the least bounds first."""
        left = np.flatnonzero((split.lower < need) & ~split.flying)
        left = left[np.argsort(split.lower[left], kind="stable")]
        most = self.at_once(split, len(left))
        asks: list[Wanted] = []
        for index in left.tolist():
            if len(tasks) >= room:
                break
            fork = split.cells.get(index)
            if fork is not None:
                self.pick_cells(fork, need, room, tasks)
                continue
            place = Place((*state.place.path, int(split.guesses[index])), self.part, state.place.depth)
            asks.append(Wanted(place, need, self.pace.budget))
            split.flying[index] = True
            if len(asks) == most:
                tasks.append(tuple(asks))
                asks = []
        if asks:
            tasks.append(tuple(asks))

    def at_once(self, split: Guesses, left: int) -> int:
        """Return how many guesses of a state one task has: about a slice of work, fewer when few are left."""
        if not split.asked:
            return 1
        fit = self.pace.budget * split.asked // max(split.spent, split.asked)
        return max(1, min(fit, left // (2 * self.pace.workers) + 1))

    def pick_cells(self, fork: Fork, need: int, room: int, tasks: list[tuple[Wanted, ...]]) -> None:
        """Add tasks about the cells of a guess, those first that were tried least."""
        missing = need
        if self.part == "total":
            missing = need - self.sum(fork.state, fork.cells)[0]
        cells = [cell for cell in fork.cells if cell.lower < cell.upper]
        waiting = [cell for cell in cells if cell.flying is None]
        most = self.wide - len(cells) + len(waiting)
        for cell in sorted(waiting, key=self.effort)[: max(most, 0)]:
            wanted = min(cell.lower + missing, INFINITE) if self.part == "total" else INFINITE
            self.pick(cell, wanted, room, tasks)

    def effort(self, cell: Node) -> tuple[float, int]:
        """Return what cells are compared by: those first that took least, or may take least."""
        if cell.split is None and cell.budget:
            return cell.budget, -cell.size
        if cell.split is None:
            may = self.pace.expected(cell.size, branch=False)
            return (may if may > self.pace.budget else 0), -cell.size
        return max(self.pace.budget, cell.spent), -cell.size

    # -- strategies ----------------------------------------------------------------------------------------

    def told_of(self, state: Node) -> Steps:
        """Return the path that the strategy of a state was told of: its own, or that of its best guess."""
        split, path = state.split, state.place.path
        return path if split is None or split.best < 0 else (*path, int(split.guesses[split.best]))

    def missing(self) -> list[Wanted]:
        """Return claims that tell what is not known of the best strategy."""
        found: dict[Place, Wanted] = {}
        waiting = [self.root]
        for state in waiting:
            below = self.below(state)
            if not (state.choices or below or state.size == 1):
                bound = state.upper + 1 if self.part == "total" else INFINITE
                found[state.place] = Wanted(state.place, bound)
            waiting += below
        return list(found.values())

    def forget_strategy(self, why: str) -> None:
        """Have forgotten what the best strategy is made of: together it is not what was told."""
        waiting = [self.root]
        for state in waiting:
            below = self.below(state)
            waiting += below
            for path in () if below else {state.place.path, self.told_of(state)}:
                place = Place(path, self.part, state.place.depth)
                if self.findings.find(place) is not None:
                    self.findings.refuse(place, why)

    def below(self, state: Node) -> list[Node]:
        """Return the cells of the best guess of a state, if its strategy is that of its cells."""
        split = state.split
        if state.choices or split is None or split.best not in split.cells:
            return []
        return split.cells[split.best].cells

    def strategy(self) -> dict[bytes, int]:
        """Return the best strategy, of which nothing is missing."""
        return self.collect(self.root)

    def collect(self, state: Node) -> dict[bytes, int]:
        """Return the strategy of a state, by its canonical path."""
        path = self.told_of(state)
        if state.choices:
            try:
                return self.paths.unpacked(path, state.choices)
            except GuesstreeError as error:
                self.findings.refuse(Place(path, state.place.part, state.place.depth), str(error))
                raise
        known = self.paths.state(path, state.place.depth)
        if state.size == 1:
            done = self.problem.finished(known.candidates)
            return {} if done else {known.key: int(self.problem.winner[known.candidates[0]])}
        assert state.split is not None
        fork = state.split.cells[state.split.best]
        choices = {known.key: path[-1]}
        for response, cell in zip(fork.responses, fork.cells, strict=True):
            renaming = self.paths.renaming(cell.place.path, (*path, response))
            choices |= self.paths.moved(self.collect(cell), renaming)
        return choices
