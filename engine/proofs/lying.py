"""Write the proof that so many guesses do not settle a game with lies; verify/LIES.md has the format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..notation import plural
from ..problem import Problem
from ..search.deadline import TimeUp
from ..search.lying import Knowledge, Lying
from ..search.space import Resources
from ..state import everything
from ..support import lies_text
from ..symmetry.groups import orbits
from .items import body_of, lemmas_in
from .renaming import CodeRenamings, Renaming, item_of
from .statement import guess_name, is_table
from .writer import Proof, ProofError, code_names

MOST_VOLUME = 1 << 53
"""Sums up to this are exact."""
MOST_GUESSES = 64
"""The most guesses that the checker takes."""
CELLS = 1 << 16
"""Responses that are looked at together."""


class LyingWriter:
    """Writes proofs that so many guesses do not settle a game in which up to `lies` responses may be false.

    Parameters
    ----------
    room: see `search.space.Resources`.
    searchers: of a solve of the same problem, by the part of the objective.
    """

    def __init__(
        self, problem: Problem, lies: int, room: Resources, searchers: Mapping[str, Any] | None = None
    ) -> None:
        self.problem, self.lies, self.kind, self.stopped = problem, lies, Lying(problem, lies), False
        self.win = problem.winning >= 0
        self.searcher = (searchers or {}).get("worst") or self.kind.searcher(self.kind.query("worst"), room)
        sizes = problem.sizes(everything(len(problem.own)), everything(problem.secrets)) > 0
        if self.win:
            sizes[:, problem.winning] = False
        self.branches = max(1, int(sizes.sum(axis=1).max()))
        self.order = np.argsort(-sizes.sum(axis=1), kind="stable")
        codes = problem.codes
        self.renamings = None if codes is None else CodeRenamings(codes.digits, separate=codes.symbols == 0)
        self.proved: set[tuple[bytes, bytes, int]] = set()
        self.volumes: dict[int, list[int]] = {}

    def stop(self) -> None:
        """End `root`, which runs in another thread: it raises TimeUp."""
        self.stopped = True
        self.searcher.stop()

    @cached_property
    def deepest(self) -> int:
        """The most guesses that a claim may be about: for more, there are too many ways to answer."""
        for depth in range(MOST_GUESSES + 1):
            most = max(int(self.volume(depth)[-1]) * self.problem.secrets, self.room(depth, self.lies))
            if self.branches * most >= MOST_VOLUME:
                return depth - 1
        return MOST_GUESSES

    def root(self, depth: int) -> Proof:
        """Return the proof that so many guesses do not settle the game, at most `deepest`.

        Raises ProofError if they do, and TimeUp.
        """
        self.proved.clear()
        start = self.kind.root(self.kind.query("worst", depth))
        body = self.body(start)
        return Proof(0, body, lemmas_in(body))

    # -- guess by guess --------------------------------------------------------------------------------

    def start(self, depth: int | None) -> Knowledge:
        """Return the state before the first guess."""
        assert depth is not None
        self.proved.clear()
        return self.kind.root(self.kind.query("worst", depth))

    def first_guesses(self, depth: int | None, bound: None) -> list[int]:  # noqa: ARG002 - there is no strategy
        """Return the first guesses that need lemmas."""
        state = self.start(depth)
        return [] if self.too_many(state) else self.opened(state)[1]

    def items(self, guess: int, depth: int | None, bound: None) -> str:  # noqa: ARG002 - there is no strategy
        """Return lemmas enough for one first guess; they need no others. Raises TimeUp, ProofError."""
        return "\n".join(self.lemma(self.start(depth), guess))

    def assemble(self, depth: int | None, bound: None, items: Sequence[str]) -> Proof:  # noqa: ARG002 - there is no strategy
        """Return the proof from the lemmas of first guesses."""
        state = self.start(depth)
        renamings = [] if self.too_many(state) else self.opened(state)[0]
        body = body_of([*renamings, *(item for item in items if item)]) if renamings or items else "."
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

    def weak(self, state: Knowledge) -> Iterator[NDArray[np.int64]]:
        """Yield guesses that tell something, and after which every volume is small enough; some at a time."""
        most = self.room(state.depth - 1, int(state.left.max()))
        step = max(1, CELLS // max(len(state), self.problem.responses))
        for i in range(0, len(self.order), step):
            if self.stopped:
                raise TimeUp
            guesses = self.order[i : i + step]
            largest, told = self.largest(state, guesses)
            yield guesses[told & (largest <= most)]

    def largest(
        self, state: Knowledge, guesses: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the largest volume that each guess may leave, and which guesses tell something."""
        volume, winning, responses = (
            self.volume(state.depth - 1),
            self.problem.winning,
            self.problem.responses,
        )
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
        told = (met > 0).sum(axis=1) > 1
        if winning >= 0:
            told |= met[:, winning] > 0
        return kept + gains.max(axis=1), told

    def ahead(self, state: Knowledge) -> bool:
        """Return whether one step ahead shows that a state is not settled (F5)."""
        if len(state) <= (not self.win):
            return False
        if self.too_many(state) or not state.depth:
            return self.too_many(state)
        return not any(len(some) for some in self.weak(state))

    def key(self, state: Knowledge) -> tuple[bytes, bytes, int]:
        """Return what a state is remembered by."""
        return state.candidates.tobytes(), state.left.tobytes(), state.depth

    # -- claims ----------------------------------------------------------------------------------------

    def body(self, state: Knowledge) -> str:
        """Return the body of the claim that a state is not settled."""
        if len(state) > (not self.win) and self.too_many(state):
            return "."
        items, left = self.opened(state)
        return body_of([*items, *(item for guess in left for item in self.lemma(state, guess))])

    def opened(self, state: Knowledge) -> tuple[list[str], list[int]]:
        """Return renamings as items, and the guesses of a state that need lemmas besides."""
        if not state.depth:
            raise ProofError(f"{self.problem.game.spec}: the bound is false")
        weak = np.sort(np.concatenate(list(self.weak(state)))).astype(np.int32)
        first = None if state.history else self.problem.first
        if first is not None:
            weak = weak[weak == first]
        left, renamings = weak, list[Renaming]()
        if self.renamings is not None and first is None and len(weak):
            images = {r: self.renamings.image(r) for r in self.renamings.keeping(state.history)}
            renamings = self.renamings.needed(weak, images)
            _, which = np.unique(orbits(len(self.order), list(images.values()))[weak], return_index=True)
            left = weak[np.sort(which)]
        return [item_of(r) for r in renamings], left.tolist()

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
        said = " ".join(problem.game.guesses[g] for g in (*state.history, guess))
        raise ProofError(
            f"{problem.game.spec}: after {said!r} {plural(state.depth - 1, 'more guess')} will do with "
            f"{lies_text(self.lies)}; use a smaller bound"
        )

    def known(self, state: Knowledge) -> bool:
        """Return whether the checker knows that a state is not settled."""
        if len(state) <= (not self.win):
            return False
        return self.too_many(state) or self.key(state) in self.proved or self.ahead(state)
