"""Write the proof that so many guesses do not settle a game with lies; verify/LIES.md has the format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError
from ..problem import Problem
from ..search.kind import Room
from ..search.lying import Knowledge, Lying
from ..search.watch import TimeUp
from ..state import Ints, everything
from ..symmetry import orbits
from .certificate import guess_name, is_table
from .proof import Proof, ProofError, code_names, lemmas_in
from .renaming import CodeRenamings, Renaming, item_of

MOST_VOLUME = 1 << 53
"""Sums up to this are exact."""


class LyingWriter:
    """Writes proofs that so many guesses do not settle a game in which up to `lies` responses may be false.

    Parameters
    ----------
    room: see `search.kind.Room`.
    searchers: of a solve of the same problem, by the part of the objective.
    """

    def __init__(
        self, problem: Problem, lies: int, room: Room, searchers: Mapping[str, Any] | None = None
    ) -> None:
        self.problem, self.lies, self.kind, self.stopped = problem, lies, Lying(problem, lies), False
        self.win = problem.winning >= 0
        self.searcher = (searchers or {}).get("worst") or self.kind.searcher(
            self.kind.question("worst"), room
        )
        sizes = problem.sizes(everything(len(problem.own)), everything(problem.secrets)) > 0
        if self.win:
            sizes[:, problem.winning] = False
        self.branches = max(1, int(sizes.sum(axis=1).max()))
        codes = problem.codes
        self.renamings = None if codes is None else CodeRenamings(codes.digits, separate=codes.symbols == 0)
        self.proved: set[tuple[bytes, bytes, int]] = set()
        self.volumes: dict[int, list[int]] = {}

    def stop(self) -> None:
        """End `root`, which runs in another thread: it raises TimeUp."""
        self.stopped = True
        self.searcher.stop()

    def root(self, depth: int) -> Proof:
        """Return the proof that so many guesses do not settle the game. Raises ProofError, TimeUp."""
        most = int(self.volume(depth)[-1]) * self.problem.secrets
        if self.branches * max(most, self.room(depth, self.lies)) >= MOST_VOLUME:
            raise GuesstreeError(
                f"{self.problem.game.spec}: within {depth} guesses there are too many ways to answer to be "
                "counted; use a smaller game, or fewer lies"
            )
        start = self.kind.root(self.kind.question("worst", depth))
        body = self.body(start)
        return Proof(0, body, lemmas_in(body))

    @cached_property
    def names(self) -> tuple[Sequence[str], Sequence[str]]:
        """Guesses and secrets as a certificate has them."""
        problem = self.problem
        if problem.codes is not None:
            return code_names(problem.codes.digits)
        guesses = [guess_name(problem, g) for g in range(len(problem.own))]
        if is_table(problem.game):
            return guesses, [str(s + 1) for s in range(problem.secrets)]
        return guesses, problem.game.secrets

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

    def room(self, depth: int, most: int) -> int:
        """Return at most the volume that so many guesses settle, with so many lies left at most."""
        if not self.win:
            return int(self.branches**depth)
        return (
            0
            if depth == 0
            else int(self.volume(depth)[most + 1]) + self.branches * self.room(depth - 1, most)
        )

    def too_many(self, state: Knowledge) -> bool:
        """Return whether a state has too large a volume."""
        if not len(state):
            return False
        volume = int(self.volume(state.depth)[state.left.astype(np.int64) + 1].sum())
        return volume > self.room(state.depth, int(state.left.max()))

    def largest(self, state: Knowledge) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the largest volume that each guess may leave, and which guesses tell something."""
        volume, left = self.volume(state.depth - 1), state.left.astype(np.int64)
        rows = self.problem.table[:, state.candidates].astype(np.int64)
        kept = rows != self.problem.winning
        base = (kept * volume[left]).sum(axis=1)
        gains, responses = kept * (volume[left + 1] - volume[left]), self.problem.responses
        places = rows + responses * np.arange(len(rows))[:, None]
        sums = np.bincount(places.ravel(), gains.ravel().astype(np.float64), len(rows) * responses)
        told = (rows != rows[:, :1]).any(axis=1) | ~kept[:, 0]
        most = base + sums.reshape(len(rows), -1).max(axis=1).astype(np.int64)
        return np.where(kept.any(axis=1), most, 0), told

    def ahead(self, state: Knowledge) -> bool:
        """Return whether one step ahead shows that a state is not settled (F5)."""
        if len(state) <= (not self.win):
            return False
        if self.too_many(state) or not state.depth:
            return self.too_many(state)
        most, told = self.largest(state)
        return bool((most[told] > self.room(state.depth - 1, int(state.left.max()))).all())

    def key(self, state: Knowledge) -> tuple[bytes, bytes, int]:
        """Return what a state is remembered by."""
        return state.candidates.tobytes(), state.left.tobytes(), state.depth

    # -- claims ----------------------------------------------------------------------------------------

    def body(self, state: Knowledge) -> str:
        """Return the body of the claim that a state is not settled."""
        if len(state) > (not self.win) and self.too_many(state):
            return "."
        if not state.depth:
            raise ProofError(f"{self.problem.game.spec}: the bound is false")
        most, told = self.largest(state)
        weak = told & (most <= self.room(state.depth - 1, int(state.left.max())))
        if self.problem.first is not None and not state.history:
            weak &= np.arange(len(weak)) == self.problem.first
        left, images = np.flatnonzero(weak), dict[Renaming, NDArray[np.int64]]()
        if self.renamings is not None and (self.problem.first is None or state.history) and len(left):
            images = {r: self.renamings.image(r) for r in self.renamings.keeping(state.history)}
            _, which = np.unique(orbits(len(weak), list(images.values()))[left], return_index=True)
            left = left[np.sort(which)]
        items = [item for guess in left.tolist() for item in self.lemma(state, guess)]
        if len(left) < weak.sum():
            items[:0] = [item_of(r) for r in self.needed(np.flatnonzero(weak).astype(np.int32), images)]
        return "(\n" + "\n".join(items) + " )" if items else "."

    def needed(self, weak: Ints, images: dict[Renaming, NDArray[np.int64]]) -> list[Renaming]:
        """Return renamings enough for the orbits of some guesses."""
        kept = list(images)

        def whole(some: Sequence[Renaming]) -> NDArray[np.int64]:
            return np.unique(
                orbits(len(self.problem.own), [images[r] for r in some])[weak], return_inverse=True
            )[1]

        for renaming in reversed(list(images)):
            fewer = [r for r in kept if r != renaming]
            if np.array_equal(whole(fewer), whole(list(images))):
                kept = fewer
        return kept

    def lemma(self, state: Knowledge, guess: int) -> list[str]:
        """Return a lemma about what a guess leaves, or nothing where the checker needs none."""
        problem, rows = self.problem, self.problem.row(guess, state.candidates)
        children = []
        for response in np.unique(rows):
            if response != problem.winning:
                child = state.after(rows, int(response), problem.winning)
                history = (*state.history, guess)
                children.append(
                    (int(response), Knowledge(child.candidates, child.left, state.depth - 1, history))
                )
        children.sort(
            key=lambda item: -int(self.volume(state.depth - 1)[item[1].left.astype(np.int64) + 1].sum())
        )
        if any(self.known(child) for _, child in children):
            return []
        for response, child in children:
            found = self.kind.search(self.searcher, child, 0, 0)
            if self.stopped or found.ended:
                raise TimeUp
            if found.upper > child.depth:
                body = self.body(child)
                self.proved.add(self.key(child))
                secret = state.candidates[int((rows == response).argmax())]
                return [f"{self.names[0][guess]} {self.names[1][secret]} {body}"]
        raise ProofError(f"{problem.game.spec}: the bound is false: after {problem.game.guesses[guess]!r}")

    def known(self, state: Knowledge) -> bool:
        """Return whether the checker knows that a state is not settled."""
        if len(state) <= (not self.win):
            return False
        return self.too_many(state) or self.key(state) in self.proved or self.ahead(state)
