"""Write the proof that a game costs at least so much: a certificate `guesstree-proof/1`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import claims as kernel

from ..problem import Problem
from ..search.counted import Counted, CountedState
from ..search.kind import Room
from ..state import Ints, everything
from ..symmetry import orbits
from .claims import Claim, ProofPart, Shown, Weak
from .renaming import CodeRenamings, Renaming

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Writer:
    """Writes proofs for one game and objective; what is proved once is remembered."""

    def __init__(self, problem: Problem, room: Room) -> None:
        self.problem, self.claims = problem, Shown(problem)
        self.kind = Counted(problem)
        self.searchers = {
            part: self.kind.searcher(self.kind.question(part), room) for part in ("total", "worst")
        }
        codes = problem.codes
        plain = codes is not None and problem.renaming == 1  # positions and colours, each renamed as a whole
        self.renamings = CodeRenamings(codes.digits, codes.symbols) if codes is not None and plain else None
        self.lemmas = 0
        labels = problem.game.guesses
        if codes is None:
            self.guesses, self.secrets = list(labels), list(problem.game.secrets)
        else:
            self.guesses = ["".join(SYMBOLS[d] for d in code) for code in codes.digits.tolist()]
            self.secrets = self.guesses

    def root(self, depth: int, bound: int) -> str:
        """Return the body of the claim about the whole game."""
        everyone = everything(self.problem.secrets)
        return self.body(everyone, depth, bound, (), None)

    def value(self, part: ProofPart, beta: int, history: tuple[int, ...]) -> int:
        """Return what a part costs if that is below beta, else at least beta."""
        state = CountedState(part.candidates, part.depth, history)
        if beta >= kernel.INFINITE:
            found = self.kind.search(self.searchers["worst"], state, 1, 0)
            return 0 if found.upper <= part.depth else kernel.INFINITE
        return self.kind.search(self.searchers["total"], state, beta, 0).lower

    def body(
        self, candidates: Ints, depth: int, bound: int, history: tuple[int, ...], above: Claim | None
    ) -> str:
        """Return the body of a claim: what a checker cannot find by itself."""
        if above is not None and above.counting.bound(len(candidates), depth) >= bound:
            return "."
        first = self.problem.first if above is None else None
        claim = Claim(self.claims, candidates, depth, bound, first)
        if not claim.weak:
            return "."
        images: dict[Renaming, NDArray[np.int64]] = {}
        if self.renamings is not None and first is None:
            images = {r: self.renamings.image(r) for r in self.renamings.keeping(history)}
        orbit = orbits(len(self.guesses), list(images.values()))
        items: list[str] = []
        done: set[int] = set()
        for guess in claim.weak:
            if int(orbit[guess]) not in done:
                done.add(int(orbit[guess]))
                weak = claim.ask(guess)
                if weak is not None:
                    items += self.lemmas_for(claim, weak, history)
                    assert claim.ask(guess) is None
        items = [self.renaming_text(r) for r in self.needed(claim.weak, images)] + items
        return "(\n" + "\n".join(items) + " )" if items else "."

    def needed(self, weak: list[int], images: dict[Renaming, NDArray[np.int64]]) -> list[Renaming]:
        """Return renamings enough for the orbits of the guesses that counting does not settle."""
        kept = list(images)

        def whole(some: Sequence[Renaming]) -> NDArray[np.int64]:
            return np.unique(orbits(len(self.guesses), [images[r] for r in some])[weak], return_inverse=True)[
                1
            ]

        orbit = whole(kept)
        for renaming in reversed(list(images)):
            fewer = [r for r in kept if r != renaming]
            if np.array_equal(whole(fewer), orbit):
                kept = fewer
        return kept

    def lemmas_for(self, claim: Claim, weak: Weak, history: tuple[int, ...]) -> list[str]:
        """Return lemmas that show that a guess costs enough."""
        raised: list[tuple[int, ProofPart]] = []
        missing = claim.bound - weak.bound
        for part in weak.parts:
            whole = claim.bound >= kernel.INFINITE
            most = kernel.INFINITE if whole else part.bound + missing
            value = min(self.value(part, most, (*history, weak.guess)), most)
            if value > part.bound:
                raised.append((value - part.bound, part))
                missing -= raised[-1][0]
            if missing <= 0 or (whole and value >= kernel.INFINITE):
                break
        else:
            raise AssertionError(f"{self.guesses[weak.guess]} costs less than {claim.bound}")
        if claim.bound >= kernel.INFINITE:
            raised, missing = raised[-1:], 0
        texts = []
        raised.sort(key=lambda pair: pair[0])
        for gain, part in list(raised):
            if missing + gain <= 0:
                missing += gain
                raised.remove((gain, part))
        for gain, part in raised:
            spare = min(-missing, gain - 1) if claim.bound < kernel.INFINITE else 0
            missing += spare
            bound = kernel.INFINITE if claim.bound >= kernel.INFINITE else part.bound + gain - spare
            body = self.body(part.candidates, part.depth, bound, (*history, weak.guess), claim)
            self.claims.remember(part.candidates, part.depth, bound)
            self.lemmas += 1
            secret = self.secrets[part.candidates[0]]
            texts.append(f"{self.guesses[weak.guess]} {secret} {text_of(bound)} {body}")
        return texts

    @staticmethod
    def renaming_text(renaming: Renaming) -> str:
        """Return a renaming as an item."""
        position, colour = ("".join(SYMBOLS[i] for i in some) for some in renaming)
        return f"= {position} {colour}"


def text_of(bound: int) -> str:
    """Return a bound as a file has it."""
    return "inf" if bound >= kernel.INFINITE else str(bound)
