"""What is known of a game as an and/or tree of states and guesses, and what is to be asked next.

A state is worth the least of its guesses; a guess adds up its children, the states that its responses leave
(of worst cases, it is as bad as the worst of them). So bounds of states are bounds of guesses and of the
states above, up to the game itself. States that a symmetry makes equal are one.

Nothing is asked about a state whose bounds meet, or that is shown to cost what is needed of it. What is
needed of the game is what the best strategy known takes; a guess needs what its state needs; a child needs
what is missing when all others are taken by what is shown of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError
from ..search.space import ClaimSpace
from ..state import Ints
from .messages import INFINITE, NodeId, Report, Steps, Task
from .propagation import Splitters
from .store import Record, Store

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
    lower, upper, choices: bounds, and the strategy behind `upper` where that was reported for the state
        itself.
    budget: evaluations that it was given last, itself; 0: it was not asked.
    spent: evaluations that it took itself, and its guesses that are not split.
    flying: what is asked of it now.
    sought: whether a strategy was looked for by a beam.
    failed: whether its budget did not suffice when it was asked last.
    above: the guesses that it is a child of.
    split: its guesses; None: it is asked itself.
    still: until something is reported of it, nothing of it is to be asked for such a need, or a lower one,
        and so many children of a guess at a time, or fewer.
    """

    node: NodeId
    size: int
    lower: int
    upper: int = INFINITE
    choices: bytes = b""
    budget: int = 0
    spent: int = 0
    flying: Task | None = None
    sought: bool = False
    failed: bool = False
    above: list[AndNode] = field(default_factory=list)
    split: OrNode | None = None
    still: tuple[int, int] = 0, 0


@dataclass(eq=False)
class OrNode:
    """The guesses of a state, those apart that may be worth the least.

    Attributes
    ----------
    guesses: their numbers, ascending, int32.
    lower: at least what each costs, int64.
    flying: whether it is asked, bool.
    children: of those that are split, by their places in `guesses`.
    best: the place of the guess with the least upper bound reported; -1: none.
    asked, spent: how many were settled, and the evaluations that took.
    """

    guesses: Ints
    lower: Longs
    flying: NDArray[np.bool_]
    children: dict[int, AndNode] = field(default_factory=dict)
    best: int = -1
    asked: int = 0
    spent: int = 0

    def index(self, guess: int) -> int:
        """Return the place of a guess; -1: it is left out."""
        index = int(np.searchsorted(self.guesses, guess))
        return index if index < len(self.guesses) and self.guesses[index] == guess else -1


@dataclass(eq=False)
class AndNode:
    """A guess in a state, split into its children.

    Attributes
    ----------
    over: what the guess costs where the game is over.
    paid: what it adds to the value of each child.
    """

    state: Node
    index: int
    over: int
    responses: list[int] = field(default_factory=list)
    paid: list[int] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)


@dataclass
class BudgetPolicy:
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
    """The claims of one figure of the objective, with a limit.

    Parameters
    ----------
    need: what is to be shown of the game; INFINITE: its value.
    """

    def __init__(
        self,
        space: ClaimSpace[Any],
        store: Store,
        figure: str,
        limit: int,
        policy: BudgetPolicy,
        need: int = INFINITE,
        splitters: Splitters | None = None,
    ) -> None:
        self.space, self.problem, self.store = space, space.problem, store
        self.splitter = (splitters or Splitters(space)).of(figure, limit)
        self.paths = self.splitter.paths
        self.figure, self.need, self.policy = figure, need, policy
        self.wide = 1
        self.states: dict[NodeId, Node] = {}
        self.stored: dict[NodeId, list[int]] = {}
        for node, _ in store.all():
            if node.branch and node.figure == figure:
                self.stored.setdefault(NodeId(node.path[:-1], figure, node.depth), []).append(node.path[-1])
        start = self.splitter.state(())
        self.root = self.state(NodeId((), figure, limit), len(start.candidates), *self.splitter.known(start))
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

    def state(self, node: NodeId, size: int, lower: int, exact: bool) -> Node:
        """Return the state of a node, with what is known of it."""
        if node not in self.states:
            found = self.states[node] = Node(node, size, lower)
            if exact:
                found.upper = found.lower
            known = self.store.find(node)
            if known is not None:
                self.recall(found, known)
        return self.states[node]

    @staticmethod
    def recall(state: Node, known: Record) -> None:
        """Take in what was found out of a state before."""
        state.lower, state.budget = max(state.lower, known.lower), known.budget
        if known.upper < state.upper:
            state.upper, state.choices = known.upper, known.choices

    def learn(self, report: Report) -> None:
        """Take in what was reported, and keep it."""
        self.store.take(report)
        self.policy.evaluations += report.evaluations
        self.policy.seconds += report.seconds
        node = report.node
        path = node.path[:-1] if node.branch else node.path
        state = self.states.get(NodeId(path, node.figure, node.depth))
        if state is None:
            return
        state.spent += report.evaluations
        if not node.branch:
            self.learn_state(state, report)
        elif state.split is not None:
            self.learn_branch(state, state.split, report)
        self.rise(state)

    def learn_state(self, state: Node, report: Report) -> None:
        """Take in what was reported of a state."""
        asked, state.flying = state.flying, None
        state.lower = max(state.lower, report.lower)
        if report.upper < state.upper or (report.upper == state.upper and not state.choices):
            self.reach(state, report.upper, report.choices)
        if asked is not None and not asked.width:
            state.failed = state.lower < min(asked.bound, state.upper)
            self.policy.note(state.size, report.evaluations * (1 + state.failed), branch=False)

    def learn_branch(self, state: Node, split: OrNode, report: Report) -> None:
        """Take in what was reported of a guess in a state; one that took too long is split."""
        index = split.index(report.node.path[-1])
        if index < 0:
            return
        split.flying[index], split.asked = False, split.asked + 1
        split.spent += report.evaluations
        self.policy.note(state.size, report.evaluations * (1 + bool(report.children)), branch=True)
        split.lower[index] = max(split.lower[index], report.lower)
        if report.upper < state.upper:
            self.reach(state, report.upper, report.choices, index)
        if report.children and report.upper >= INFINITE and index not in split.children:
            self.divide(state, split, index, {r: (lower, upper) for r, lower, upper in report.children})

    def reach(self, state: Node, upper: int, choices: bytes, best: int = -1) -> None:
        """Note a strategy for a state, and its guess."""
        state.upper, state.choices = upper, choices
        if state.split is not None:
            state.split.best = best
        if state is self.root and choices:
            self.whole = self.reported_path(state), choices

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

    def add_up(self, fork: AndNode) -> None:
        """Work out the bounds of a guess from its children."""
        state, split = fork.state, fork.state.split
        assert split is not None
        lower = self.sum(fork, [child.lower for child in fork.children])
        upper = self.sum(fork, [child.upper for child in fork.children])
        split.lower[fork.index] = max(split.lower[fork.index], lower)
        if upper < state.upper:
            self.reach(state, upper, b"", fork.index)

    def sum(self, fork: AndNode, values: Sequence[int]) -> int:
        """Return what a guess costs by the values of its children."""
        each = [paid + value for paid, value in zip(fork.paid, values, strict=True)]
        return self.splitter.join(fork.over, each)

    # -- splitting -----------------------------------------------------------------------------------------

    def open(self, state: Node) -> OrNode:
        """Split a state into its guesses, one of each orbit, but those that tell nothing or cost too much."""
        node = state.node
        guesses, lower = self.splitter.guesses(node.path)
        lower = lower.copy()
        split = state.split = OrNode(guesses, lower, np.zeros(len(guesses), dtype=bool))
        least = int(lower.min(initial=INFINITE))
        if least > state.lower:  # proofs begin with what is kept
            self.store.take(Report(node, least))
        self.recall_guesses(state, split)
        self.rise(state)
        return split

    def recall_guesses(self, state: Node, split: OrNode) -> None:
        """Take in what was found out of the guesses of a state before; those that took too long are split."""
        node, open_ones = state.node, []
        for guess in self.stored.pop(node, ()):
            index = split.index(guess)
            known = self.store.find(NodeId((*node.path, guess), node.figure, node.depth))
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

    def divide(self, state: Node, split: OrNode, index: int, reported: dict[int, tuple[int, int]]) -> None:
        """Split a guess of a state into its children, with what was reported of them."""
        path = (*state.node.path, int(split.guesses[index]))
        over, children = self.splitter.split(path)
        fork = split.children[index] = AndNode(state, index, over)
        for child in children:
            node = self.splitter.node(child.path)
            below = self.state(node, child.size, child.lower, child.exact)
            lower, upper = reported.get(child.response, (0, INFINITE))
            if lower > below.lower or upper < below.upper:
                self.learn(Report(node, lower, upper))
            fork.responses.append(child.response)
            fork.paid.append(child.paid)
            fork.children.append(below)
            below.above.append(fork)
        self.add_up(fork)

    # -- what to ask ---------------------------------------------------------------------------------------

    def next(self, slots: int) -> list[tuple[Task, ...]]:
        """Return at most so many batches, each of some claims; they count as asked from now on.

        Of the children of one guess few are asked at a time, unless there is no other work: what is shown of
        those that take little lowers what the others need.
        """
        batches: list[tuple[Task, ...]] = []
        for wide in WIDE:
            if len(batches) < slots and not (batches and self.policy.workers == 1):
                self.wide = wide
                self.pick(self.root, min(self.need, self.root.upper), slots, batches)
        for tasks in batches:
            for task in tasks:
                self.store.asked(task.node, task.bound, task.budget, "")
        return batches

    def lose(self, node: NodeId) -> None:
        """Let a claim that nobody answers be asked again."""
        path = node.path[:-1] if node.branch else node.path
        state = self.states[NodeId(path, node.figure, node.depth)]
        if node.branch and state.split is not None:
            state.split.flying[state.split.index(node.path[-1])] = False
        elif not node.branch:
            state.flying = None
        self.rise(state)

    def pick(self, state: Node, need: int, slots: int, batches: list[tuple[Task, ...]]) -> None:
        """Add batches about a state of which so much is needed, until no slot is free."""
        need = min(need, state.upper)
        needed, wide = state.still
        if state.lower >= need or (needed >= need and wide >= self.wide) or len(batches) >= slots:
            return
        split = state.split
        if split is None:
            if state.flying is not None:
                return
            task = self.task(state, need)
            if task is not None:
                state.flying = task
                batches.append((task,))
                return
            split = self.open(state)
        self.pick_guesses(state, split, need, slots, batches)
        if len(batches) < slots:
            state.still = need, self.wide

    def task(self, state: Node, need: int) -> Task | None:
        """Return what is to be asked of a state as a whole; None: it is to be split.

        Before it is split a beam looks for a strategy: its guesses need not cost more than that takes.
        """
        most = max(self.policy.budget // STATE_SHARE, 1)
        long = state.failed or state.node in self.stored
        if state is self.root:
            return None
        if not long and self.policy.expected(state.size, branch=False) <= most:
            state.budget = most
            return Task(state.node, need, most)
        if not self.space.decided(self.figure) and state.upper >= INFINITE and not state.sought:
            state.sought = True
            return Task(state.node, need, width=WIDTH)
        return None

    def pick_guesses(
        self, state: Node, split: OrNode, need: int, slots: int, batches: list[tuple[Task, ...]]
    ) -> None:
        """Add batches about the guesses of a state, those with the least bounds first."""
        left = np.flatnonzero((split.lower < need) & ~split.flying)
        left = left[np.argsort(split.lower[left], kind="stable")]
        most = self.at_once(split, len(left))
        tasks: list[Task] = []
        for index in left.tolist():
            if len(batches) >= slots:
                break
            fork = split.children.get(index)
            if fork is not None:
                self.pick_children(fork, need, slots, batches)
                continue
            node = NodeId((*state.node.path, int(split.guesses[index])), self.figure, state.node.depth)
            tasks.append(Task(node, need, self.policy.budget))
            split.flying[index] = True
            if len(tasks) == most:
                batches.append(tuple(tasks))
                tasks = []
        if tasks:
            batches.append(tuple(tasks))

    def at_once(self, split: OrNode, left: int) -> int:
        """Return how many guesses of a state one task has: about a slice of work, fewer when few are left."""
        if not split.asked:
            return 1
        fit = self.policy.budget * split.asked // max(split.spent, split.asked)
        return max(1, min(fit, left // (2 * self.policy.workers) + 1))

    def pick_children(self, fork: AndNode, need: int, slots: int, batches: list[tuple[Task, ...]]) -> None:
        """Add batches about the children of a guess, those first that were tried least."""
        shown = self.sum(fork, [child.lower for child in fork.children])
        paid = dict(zip(fork.children, fork.paid, strict=True))
        children = [child for child in paid if child.lower < child.upper]
        waiting = [child for child in children if child.flying is None]
        most = self.wide - len(children) + len(waiting)
        for child in sorted(waiting, key=self.effort)[: max(most, 0)]:
            wanted = child.lower + need - shown if self.splitter.adds_up else need - paid[child]
            self.pick(child, min(wanted, INFINITE), slots, batches)

    def effort(self, child: Node) -> tuple[float, int]:
        """Return what children are compared by: those first that took least, or may take least."""
        if child.split is None and child.budget:
            return child.budget, -child.size
        if child.split is None:
            may = self.policy.expected(child.size, branch=False)
            return (may if may > self.policy.budget else 0), -child.size
        return max(self.policy.budget, child.spent), -child.size

    # -- strategies ----------------------------------------------------------------------------------------

    def reported_path(self, state: Node) -> Steps:
        """Return the path for which the strategy of a state was reported: its own, or its best guess's."""
        split, path = state.split, state.node.path
        return path if split is None or split.best < 0 else (*path, int(split.guesses[split.best]))

    def missing(self) -> list[Task]:
        """Return claims that tell what is not known of the best strategy."""
        found: dict[NodeId, Task] = {}
        waiting = [self.root]
        for state in waiting:
            below = self.below(state)
            if not (state.choices or below or state.size == 1):
                bound = INFINITE if self.space.decided(self.figure) else state.upper + 1
                found[state.node] = Task(state.node, bound)
            waiting += below
        return list(found.values())

    def forget_strategy(self, why: str) -> None:
        """Have forgotten what the best strategy is made of: together it is not what was reported."""
        waiting = [self.root]
        for state in waiting:
            below = self.below(state)
            waiting += below
            for path in () if below else {state.node.path, self.reported_path(state)}:
                node = NodeId(path, self.figure, state.node.depth)
                if self.store.find(node) is not None:
                    self.store.refuse(node, why)

    def below(self, state: Node) -> list[Node]:
        """Return the children of the best guess of a state, if its strategy is that of its children."""
        split = state.split
        if state.choices or split is None or split.best not in split.children:
            return []
        return split.children[split.best].children

    def strategy(self) -> dict[bytes, int]:
        """Return the best strategy, of which nothing is missing."""
        return self.collect(self.root)

    def collect(self, state: Node) -> dict[bytes, int]:
        """Return the strategy of a state, by its canonical path."""
        path = self.reported_path(state)
        if state.choices:
            try:
                return self.paths.unpacked(path, state.node.depth, state.choices)
            except GuesstreeError as error:
                self.store.refuse(NodeId(path, state.node.figure, state.node.depth), str(error))
                raise
        known = self.paths.state(path, state.node.depth)
        if state.size == 1:
            done = self.space.finished(known)
            return {} if done else {self.space.claim_key(known): self.space.last_guess(known)}
        assert state.split is not None
        fork = state.split.children[state.split.best]
        choices = {self.space.claim_key(known): path[-1]}
        for response, child in zip(fork.responses, fork.children, strict=True):
            renaming = self.paths.renaming(child.node.path, (*path, response))
            choices |= self.paths.moved(self.collect(child), renaming)
        return choices
