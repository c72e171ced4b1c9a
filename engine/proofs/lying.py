"""Write the proof that so many guesses do not settle a game with lies; verify/LIES.md has the format."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..claims import checker_of
from ..notation import plural
from ..problem import Problem
from ..search.deadline import TimeUp
from ..search.lying import LieState, Lying
from ..search.space import Resources
from ..state import Ints, everything
from ..support import lies_text
from .statement import Goal
from .writer import NOTHING, OpenClaim, Path, Proof, ProofError, Writer

INFINITE = 1
"""A bound that says: these guesses do not settle the set; any other is 0."""
MOST_VOLUME = 1 << 53
"""Sums up to this are exact."""
MOST_GUESSES = 64
"""The most guesses that the checker takes."""
CELLS = 1 << 16
"""Responses that are looked at together."""


@dataclass
class LyingPart:
    """What is known of the secret after a response.

    Attributes
    ----------
    secret: one of which the response is true; -1 for the whole game.
    bound: 0, as nothing shows that a guess costs enough but a part that is not settled.
    """

    state: LieState
    secret: int = -1
    bound: int = 0

    @property
    def candidates(self) -> Ints:
        """The secrets that are left."""
        return self.state.candidates


class LyingWriter(Writer[LyingPart]):
    """Writes proofs that so many guesses do not settle a game in which up to `lies` responses may be false.

    Parameters
    ----------
    searchers: by the figure of the objective.
    """

    infinite = INFINITE

    def __init__(
        self, problem: Problem, lies: int, room: Resources, searchers: MutableMapping[Any, Any] | None = None
    ) -> None:
        super().__init__(problem, room, searchers)
        self.lies, self.kind, self.win = lies, Lying(problem, lies), problem.winning >= 0
        sizes = problem.sizes(everything(len(problem.own)), everything(problem.secrets)) > 0
        if self.win:
            sizes[:, problem.winning] = False
        self.branches = max(1, int(sizes.sum(axis=1).max()))
        self.order = np.argsort(-sizes.sum(axis=1), kind="stable")
        self.proved: set[tuple[bytes, int]] = set()
        self.volumes: dict[int, list[int]] = {}

    @cached_property
    def deepest(self) -> int:
        """The most guesses that a claim may be about: for more, there are too many ways to answer."""
        for depth in range(MOST_GUESSES + 1):
            most = max(int(self.volume(depth)[-1]) * self.problem.secrets, self.most_volume(depth, self.lies))
            if self.branches * most >= MOST_VOLUME:
                return depth - 1
        return MOST_GUESSES

    @cached_property
    def checker(self) -> Any:
        """What finds the images of guesses under a renaming (F2)."""
        return checker_of(self.problem)

    def alike(self, part: LyingPart) -> Ints:
        """Return the lies that may still be told of each secret of a part."""
        return part.state.left.astype(np.int32)

    def begin(self, within: int | None, bound: Goal) -> tuple[LyingPart, int]:
        """Forget what other proofs rest on; return the whole game, and that no strategy settles it."""
        assert within is not None
        assert bound is None
        if "worst" not in self.searchers:
            self.searchers["worst"] = self.kind.searcher(self.kind.query("worst"), self.room)
        self.proved.clear()
        return LyingPart(self.kind.root(self.kind.query("worst", within))), INFINITE

    def root(self, within: int | None, bound: Goal) -> Proof:
        """Return the proof that at most `deepest` guesses do not settle the game; of nothing when stopped."""
        try:
            return super().root(within, bound)
        except TimeUp:
            return NOTHING

    def open(self, part: LyingPart, bound: int, path: Path) -> OpenClaim[LyingPart]:
        """Return a claim with the guesses after which no volume is too large; raise TimeUp."""
        claim, state = OpenClaim(part, bound, [], []), part.state
        if self.too_large(state):
            return claim
        if not state.depth:
            raise ProofError(f"{self.problem.game.spec}: the bound is false")
        weak = np.sort(np.concatenate(list(self.weak(state)))).astype(np.int32)
        if not path and self.problem.first is not None:
            weak = weak[weak == self.problem.first]
        else:
            equal = self.equal(part, weak, path)
            weak = equal.first
            claim.renamings, claim.others = equal.said(weak.tolist())
        claim.weak = [(guess, 0) for guess in weak.tolist()]
        return claim

    def ask(self, claim: OpenClaim[LyingPart], guess: int) -> tuple[int, list[LyingPart]] | None:
        """Return what a guess leaves, the largest volume first; None: some of it is known to be unsettled."""
        state, winning = claim.part.state, self.problem.winning
        rows, depth = self.problem.row(guess, state.candidates), claim.part.state.depth - 1
        parts = []
        for response in np.unique(rows).tolist():
            if response != winning:
                child = state.after(rows, response, winning)
                child = LieState(child.candidates, child.left, depth, (*state.history, guess))
                parts.append(LyingPart(child, int(state.candidates[(rows == response).argmax()])))
        parts.sort(key=lambda part: -self.volume_of(part.state))
        if any(self.refuted(part.state) for part in parts) or any(self.ahead(part.state) for part in parts):
            return None
        return 0, parts

    def value(self, part: LyingPart, most: int, path: Path) -> int:  # noqa: ARG002 - a state has its history
        """Return `INFINITE` if the guesses that are left do not settle a part, otherwise 0; raise TimeUp."""
        found = self.kind.search(self.searchers["worst"], part.state, 0, 0)
        if self.stopped or found.ended:
            raise TimeUp
        return INFINITE if found.upper > part.state.depth else 0

    def remember(self, part: LyingPart, bound: int) -> None:  # noqa: ARG002 - there is only one bound
        """Note that a lemma is proved."""
        self.proved.add((part.state.key, part.state.depth))

    def step(self, guess: int, part: LyingPart) -> int:  # noqa: ARG002 - the secret says the response
        """Return the secret that a lemma names."""
        return part.secret

    def lemma(self, guess: int, part: LyingPart, bound: int) -> str:  # noqa: ARG002 - there is only one bound
        """Return a lemma about a part without its body."""
        return f"{self.guesses[guess]} {self.secrets[part.secret]}"

    def false(self, claim: OpenClaim[LyingPart], path: Path) -> str:
        """Return why a claim is false, of which a path ends with the guess that costs less."""
        more = plural(claim.part.state.depth - 1, "more guess")
        asked = " ".join(self.problem.game.guesses[guess] for guess in path[::2])
        return f"after {asked!r} {more} will do with {lies_text(self.lies)}; use a smaller bound"

    # -- what the checker knows ------------------------------------------------------------------------

    def volume(self, depth: int) -> NDArray[np.int64]:
        """Return the volume of a secret with -1, 0, 1, ... lies left before so many guesses (F3)."""
        if depth not in self.volumes:
            if depth <= self.win:
                row = [0] + [1] * (self.lies + 1)
            else:
                before = self.volume(depth - 1).tolist()
                row = [0] + [
                    before[left + 1] + (self.branches - 1) * before[left] for left in range(self.lies + 1)
                ]
            self.volumes[depth] = row
        return np.array(self.volumes[depth], dtype=np.int64)

    def most_volume(self, depth: int, most: int) -> int:
        """Return at most the volume that so many guesses settle, with so many lies left at most."""
        if not self.win:
            return int(self.branches**depth)
        if depth == 0:
            return 0
        return int(self.volume(depth)[most + 1]) + self.branches * self.most_volume(depth - 1, most)

    def volume_of(self, state: LieState) -> int:
        """Return the volume of a state."""
        return int(self.volume(state.depth)[state.left.astype(np.int64) + 1].sum())

    def too_large(self, state: LieState) -> bool:
        """Return whether a state has too large a volume for its guesses (F3)."""
        if len(state) <= (not self.win):
            return False
        return self.volume_of(state) > self.most_volume(state.depth, int(state.left.max()))

    def refuted(self, state: LieState) -> bool:
        """Return whether the volume or a lemma shows that a state is not settled."""
        return self.too_large(state) or (state.key, state.depth) in self.proved

    def ahead(self, state: LieState) -> bool:
        """Return whether one step ahead shows that a state is not settled (F5)."""
        if len(state) <= (not self.win) or not state.depth:
            return False
        return not any(len(some) for some in self.weak(state))

    def weak(self, state: LieState) -> Iterator[NDArray[np.int64]]:
        """Yield guesses that tell something, and after which every volume is small enough; some at a time."""
        most = self.most_volume(state.depth - 1, int(state.left.max()))
        step = max(1, CELLS // max(len(state), self.problem.responses))
        for i in range(0, len(self.order), step):
            if self.stopped:
                raise TimeUp
            guesses = self.order[i : i + step]
            largest, tells = self.largest(state, guesses)
            yield guesses[tells & (largest <= most)]

    def largest(
        self, state: LieState, guesses: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the largest volume that each guess may leave, and which guesses tell something."""
        volume, winning = self.volume(state.depth - 1), self.problem.winning
        responses = self.problem.responses
        shape = len(guesses), responses
        offset = responses * np.arange(len(guesses))[:, None]
        kept = np.zeros(len(guesses), dtype=np.int64)
        gains, met = np.zeros((2, *shape), dtype=np.int64)
        for left in np.unique(state.left).tolist():
            places = self.problem.table[guesses[:, None], state.candidates[state.left == left]] + offset
            counts = np.bincount(places.ravel(), minlength=len(guesses) * responses).reshape(shape)
            met += counts
            if winning >= 0:
                counts[:, winning] = 0
            kept += counts.sum(axis=1) * volume[left]
            gains += counts * (volume[left + 1] - volume[left])
        tells = (met > 0).sum(axis=1) > 1
        if winning >= 0:
            tells |= met[:, winning] > 0
        return kept + gains.max(axis=1), tells
