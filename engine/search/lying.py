"""Responses that may be false: a state is what is known of the secret, with so many guesses left.

The codemaker fixes the secret and may give up to L false responses in the game, any that the game has. To
win, the guess that names the secret ends the game, so the winning response is neither given falsely nor
withheld. To identify, every response may be false, and the game ends when the secret is known with
certainty. Berlekamp (1968) and Ulam (1976) for yes and no; Huang, Chen and Lin (2005) for Mastermind.

The search is in `cext` (`lying`, and its plain twin with the steps and the proofs). It answers one query:
can so many guesses settle a state?
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import lying as kernel

from ..errors import Infeasible
from ..notation import plurals
from ..onestep.lying import Known, LyingOneStep
from ..onestep.ranking import Method
from ..problem import Problem
from ..solution import Figures, Found
from ..state import Ints, Table, everything
from .policy import Policy
from .space import ANY, LEAST_MEMORY, Child, KernelSpace, Longs, Pairs, Query, Resources, SearchSpace

Left = NDArray[np.uint8]
MOST_DEPTHS = 64
DEPTH_BYTES = 4
MOST_VOLUME = 1 << 60
LOOK = 1 << 14
"""Evaluations before proof and beams take turns."""


@dataclass(frozen=True)
class Volume:
    """Counting bounds with lies, after Berlekamp (1968), for guesses that get at most r responses.

    The response that wins is not counted. Give every state r children, for responses that none of its secrets
    gives if need be: they are no harder than the others. A secret with l lies left is then in
    `spread`[i, e] = C(i, e) (r - 1)^e states after i guesses with l - e left, out of `nodes`[i] = r^i in all.

    To identify within q guesses, none of the r^q states at the end holds two secrets, so the sum over secrets
    of `weight`[q, l] = spread[q, 0] + ... + spread[q, l] is at most r^q.

    To win, take the weight[q, l] = spread[q - 1, 0] + ... + spread[q - 1, l] states before the last guess
    that would hold a secret if it were never guessed: on the way to each of them, or there, it is guessed. A
    guess made with j guesses to go, of a secret that has l lies left there, is on the way to weight[j, l] of
    them, and every state has one guess. So the volume is at most what one guess in each of nodes[i] states,
    i = 0, ..., q - 1, can cover, most lies first; at most spread[i, e] of the states after i guesses hold a
    given secret with e lies less than at first.

    weight, spread: int64, shape (depths, lies + 1); nodes: int64, shape (depths,).
    """

    weight: NDArray[np.int64]
    nodes: NDArray[np.int64]
    spread: NDArray[np.int64]

    @classmethod
    def of(cls, responses: int, lies: int, secrets: int, *, win: bool) -> Volume:
        """Return the numbers for as many guesses as 62 bits hold, at most 64."""
        weight: list[list[int]] = []
        nodes: list[int] = []
        spread: list[list[int]] = []
        for depth in range(MOST_DEPTHS):
            row = [comb(depth, e) * (responses - 1) ** e for e in range(lies + 1)]
            asked = max(depth - 1, 0) if win else depth
            met = [comb(asked, e) * (responses - 1) ** e for e in range(lies + 1)]
            sums = [sum(met[: left + 1]) for left in range(lies + 1)]
            most = max(responses**depth * (sums[-1] if win else 1), secrets * sums[-1], secrets * sum(row))
            if depth * most >= MOST_VOLUME:
                break
            weight.append(sums)
            nodes.append(responses**depth)
            spread.append(row)
        return cls(*(np.array(numbers, dtype=np.int64) for numbers in (weight, nodes, spread)))


@dataclass(frozen=True)
class LieState:
    """What is known of the secret: who is still possible, and how many lies each has left.

    candidates: sorted, int32; left: uint8, of the same length. depth, history: guesses left, and those that
    led here, where they matter.
    """

    candidates: Ints
    left: Left
    depth: int = 0
    history: tuple[int, ...] = ()

    @classmethod
    def start(cls, secrets: int, lies: int) -> LieState:
        """Return what is known at the beginning."""
        return cls(everything(secrets), np.full(secrets, lies, dtype=np.uint8))

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def key(self) -> bytes:
        """The bytes of both arrays."""
        return self.candidates.tobytes() + self.left.tobytes()

    def after(self, answers: Table, response: int, winning: int) -> LieState:
        """Return what is known after a response, given what each candidate answers truthfully.

        `winning` is the response that ends the game, or -1; it was not given.
        """
        false = answers != response
        kept = (answers != winning) & (self.left >= false)
        return LieState(self.candidates[kept], (self.left - false)[kept])

    def children(self, answers: Table, responses: int, winning: int) -> Iterator[LieState]:
        """Yield what may be known after a guess that does not win; of the responses nobody gives, one."""
        used = [int(r) for r in np.unique(answers) if r != winning]
        for response in used:
            yield self.after(answers, response, winning)
        if len(used) < responses - (winning >= 0):
            unused = self.after(answers, -1, winning)
            if len(unused):
                yield unused


def make_searcher(problem: Problem, lies: int, **options: Any) -> tuple[Any, Volume]:
    """Return a searcher for states with up to `lies` lies left, and the volumes it counts with.

    `options`: see `KernelSpace.kernel_options`; without any it is one for counting alone, without responses.
    """
    responses = max([1, *problem.profile[:1]])
    volume = Volume.of(responses, lies, problem.secrets, win=problem.winning >= 0)
    made = kernel.Searcher(
        problem.table if options else np.zeros((1, problem.secrets), dtype=np.uint8),
        problem.own,
        problem.winner,
        problem.responses,
        problem.winning,
        lies,
        volume.weight,
        volume.nodes,
        volume.spread,
        problem.capacity,
        **(options or {"memory": LEAST_MEMORY}),
    )
    return made, volume


def counting(searcher: Any, volume: Volume, state: Known) -> tuple[int, Longs]:
    """Return at least how many guesses a state needs, by counting, and the volume after one, by lies left."""
    least = int(searcher.least(state.candidates, state.left))
    return least, volume.weight[min(max(least - 1, 0), len(volume.weight) - 1)]


def one_step(space: SearchSpace[Any], method: Method, root: Known) -> LyingOneStep:
    """Return a one-step method that plays from a state; raise GuesstreeError for one that knows no lies."""
    first = space.problem.first
    searcher, volume = make_searcher(space.problem, space.lies)

    def walk(choose: Callable[[Any], int]) -> Found:
        return space.walk(root, lambda one: first if one is root and first is not None else choose(one))

    return LyingOneStep(space.problem, method, lambda known: counting(searcher, volume, known)[1], walk)


class Lying(KernelSpace[LieState]):
    """States and kernel where up to `lies` responses may be false."""

    infinite = kernel.INFINITE
    policy = Policy(takes_turns=True, look=(LOOK, LOOK))

    def __init__(self, problem: Problem, lies: int) -> None:
        super().__init__(problem)
        self.lies, self.bounding = lies, None  # a searcher that only counts, once it is needed
        # Each guess of a sensible strategy takes a lie, or more, from some secret.
        most = problem.secrets * (lies + 1) + 1
        self.most = most if problem.limited is None else min(problem.limited, most)
        if problem.goal == "identify" and problem.alike is not None:
            two = f"two {plurals(problem.game.look.secret)}"
            raise Infeasible(f"{problem.game.spec} cannot be settled: {two} get the same responses")

    def query(self, figure: str, limit: int | None = None) -> Query:
        """Return the query for the least of a figure, with this worst case at most."""
        return Query(figure, self.most if limit is None else limit)

    def mode(self, query: Query) -> Hashable:
        """Return what all queries have in common: one searcher answers them."""
        return query.figure

    def searcher(
        self,
        query: Query,  # noqa: ARG002 - one searcher answers all
        resources: Resources,
        width: int = 0,
        discrepancies: int = ANY,
        *,
        pairs: bool = False,  # noqa: ARG002 - of costs
    ) -> Any:
        """Return a new searcher; see `SearchSpace`."""
        return make_searcher(self.problem, self.lies, **self.kernel_options(resources, width, discrepancies))[
            0
        ]

    def root(self, query: Query) -> LieState:
        """Return the state before the first guess."""
        start = LieState.start(self.problem.secrets, self.lies)
        return LieState(start.candidates, start.left, query.depth)

    def player(self, method: Method) -> LyingOneStep:
        """Return a one-step method that knows lies; raise GuesstreeError for another."""
        return one_step(self, method, self.root(self.query("worst")))

    def decides_depth(self, searcher: Any) -> bool:  # noqa: ARG002 - all do
        """Return True: there is nothing else that a search against lies finds."""
        return True

    def bound(self, searcher: Any, state: LieState) -> tuple[int, bool]:
        """Return at least how many guesses a state needs, by counting."""
        return int(searcher.least(state.candidates, state.left)), False

    def choice(self, searcher: Any, state: LieState) -> int:
        """Return the guess that settles a state; raise ValueError when it is not known.

        What is not known is searched without symmetry: the history may not be that of the state.
        """
        return int(searcher.choice(state.candidates, state.depth, None, state.left))

    def finished(self, state: LieState) -> bool:
        """Return whether nothing is left to ask."""
        return len(state) <= (0 if self.problem.winning >= 0 else 1)

    def children(self, state: LieState, guess: int) -> Iterator[LieState]:
        """Yield the states after a guess that does not win."""
        problem = self.problem
        answers = problem.row(guess, state.candidates)
        for child in state.children(answers, problem.responses, problem.winning):
            yield LieState(child.candidates, child.left, state.depth - 1, (*state.history, guess))

    def split(self, query: Query, state: LieState, guess: int) -> list[Child[LieState]]:  # noqa: ARG002 - of the space
        """Return what a guess leaves of a state, largest first."""
        problem = self.problem
        used = np.unique(problem.row(guess, state.candidates)).tolist()
        unused = next((r for r in range(problem.responses) if r not in used and r != problem.winning), -1)
        responses = [r for r in used if r != problem.winning] + [unused] * (unused >= 0)
        children = [Child(self.after(state, guess, r), 1, response=r) for r in responses]
        found = sorted((child for child in children if child.size), key=lambda child: -child.size)
        return found or [Child(None, 1, exact=True)]

    # -- what claims need, see `ClaimSpace` ------------------------------------------------------------

    def query_at(self, figure: str, limit: int, pairs: Pairs) -> Query:
        """Return the query of the whole game of which a claim is a part."""
        return Query(figure, limit + len(pairs))

    def after(self, state: LieState, guess: int, response: int) -> LieState:
        """Return what is known after a response."""
        child = state.after(self.problem.row(guess, state.candidates), response, self.problem.winning)
        return LieState(child.candidates, child.left, state.depth - 1, (*state.history, guess))

    def known(self, query: Query, state: LieState) -> tuple[int, bool]:  # noqa: ARG002 - of the space
        """Return at least how many guesses a state needs, by counting, and whether it is exactly that."""
        if self.bounding is None:
            self.bounding = make_searcher(self.problem, self.lies)[0]
        lower, _ = self.bound(self.bounding, state)
        return lower, len(state) == 1 and lower <= state.depth

    def guesses(self, query: Query, state: LieState, pairs: Pairs) -> tuple[Ints, Longs]:  # noqa: ARG002 - of the space
        """Return the guesses of a state that tell something, one of each orbit."""
        problem = self.problem
        guesses = self.one_of_each(state, pairs, None)
        met = problem.sizes(guesses, state.candidates) > 0
        telling = met.sum(axis=1) > 1
        if problem.winning >= 0:
            telling |= met[:, problem.winning]
        return guesses[telling], np.zeros(int(telling.sum()), dtype=np.int64)

    def claim_key(self, state: LieState) -> bytes:
        """Return what tells a state from others of one strategy: with lies, the guesses left, too."""
        return state.depth.to_bytes(DEPTH_BYTES, "little") + state.key

    def renamed(self, key: bytes, image: NDArray[np.int32]) -> bytes:
        """Return the key of a state with its secrets renamed."""
        depth, rest = key[:DEPTH_BYTES], key[DEPTH_BYTES:]
        many = len(rest) // (image.itemsize + 1)
        moved = image[np.frombuffer(rest[: many * image.itemsize], dtype=np.int32)]
        left, order = np.frombuffer(rest[many * image.itemsize :], dtype=np.uint8), np.argsort(moved)
        return depth + moved[order].tobytes() + left[order].tobytes()

    def figures(self, found: Found) -> Figures:
        """Return what a strategy takes."""
        return Figures(found.total, found.worst, 0, 0, found.worst)

    def counted(self) -> dict[str, int]:
        """Return at least what the worst case is, by counting."""
        return {"worst": self.known(self.query("worst"), LieState.start(self.problem.secrets, self.lies))[0]}
