"""Write the proof of what a game with costs, weights or a budget takes; see verify/PRICED.md."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, Protocol

import numpy as np

from guesstree.cext import priced_claims as kernel

from ..claims import ProofPart
from ..errors import GuesstreeError
from ..problem import Problem
from ..search.deadline import TimeUp
from ..search.priced import UNBOUNDED, Priced, PricedState
from ..search.space import Resources
from ..state import everything
from ..symmetry.groups import orbits
from .renaming import SetRenaming, SetRenamings
from .statement import Goal
from .writer import OpenClaim, Path, Writer, bits_of

INFINITE: int = kernel.INFINITE
NO_GUESS = -1
"""In place of a guess: only what costs nothing is asked (P2)."""
MOST_SUM = 10**17
"""The checker takes weights times what may be paid up to so much."""


class LemmaStore(Protocol):
    """Lemmas that were proved before: their bodies, by the guesses and secrets that lead to a set."""

    def find(self, path: str, depth: int, bound: int) -> str | None:
        """Return the body of a lemma, or None."""

    def keep(self, path: str, depth: int, bound: int, body: str) -> None:
        """Keep a lemma."""


class PricedWriter(Writer[ProofPart]):
    """Writes proofs for one game with weights and costs; the depth of a part is what a secret may still pay.

    Parameters
    ----------
    searchers: by `Priced.mode`.
    ledger: where to look for what was proved before, and to keep what is.

    Raises GuesstreeError for what certificates do not cover.
    """

    infinite = INFINITE

    def __init__(
        self,
        problem: Problem,
        room: Resources,
        searchers: MutableMapping[Any, Any] | None = None,
        ledger: LemmaStore | None = None,
    ) -> None:
        for refused, what in (
            (problem.limited is not None and problem.game.facts.priced, "a limit of guesses"),
            (problem.rules is not None, "rules that depend on the history"),
        ):
            if refused:
                raise GuesstreeError(
                    f"{problem.game.spec}: certificates do not cover {what} where questions cost or secrets "
                    "weigh; leave that out"
                )
        super().__init__(problem, room, searchers)
        self.kind, self.ledger = Priced(problem), ledger
        self._require_small(self.kind.weight * max(int(problem.costs.max()), 1) * problem.secrets)
        self.checker = kernel.Checker(
            problem.table,
            problem.responses,
            problem.winning,
            problem.weights,
            problem.costs,
            problem.candidates_only,
        )

    def _require_small(self, most: int) -> None:
        """Raise GuesstreeError for sums that the checker does not take."""
        if most > MOST_SUM:
            raise GuesstreeError(
                f"{self.problem.game.spec}: costs and weights that add up to {most}; certificates are "
                f"checked up to {MOST_SUM} (divide them by a common factor)"
            )

    def begin(self, within: int | None, bound: Goal) -> tuple[ProofPart, int]:
        """Forget what other proofs rest on; return the whole game, and the bound as one number.

        Where each guess costs 1, a limit of guesses is one of what is paid.
        """
        most = self.problem.limited
        if most is not None and (within is None or within > most):
            raise GuesstreeError(
                f"a limit of {within}; expected at most {most}, the guesses that may be asked"
            )
        figure, penalty, rate = "total", INFINITE, 1
        left = UNBOUNDED if within is None else within
        if bound is None:
            figure = "lost"
        elif isinstance(bound, tuple):
            if within is None:
                raise GuesstreeError("what is lost is asked within a budget; expected one")
            self._require_small(self.kind.weight * (self.kind.weight * within + 1))
            figure = "lost" if len(bound) == 1 else "won"
            penalty, rate = (1, 0) if len(bound) == 1 else (self.kind.weight * within + 1 - within, 1)
        self.query, self.asked = self.kind.query(figure, left), bound
        mode = self.kind.mode(self.query)
        if mode not in self.searchers:
            self.searchers[mode] = self.kind.searcher(self.query, self.room)
        self.searcher, self.scale = self.searchers[mode], self.kind.scale(self.query)
        self.kept: list[tuple[ProofPart, int]] = []
        self.proved: set[int] = set()  # sets of lemmas, as bits
        self.checker.counts(penalty, rate)
        whole = ProofPart(everything(self.problem.secrets), left, 0)
        if isinstance(bound, tuple):
            return whole, bound[0] if len(bound) == 1 else bound[0] * self.scale + bound[1]
        return whole, INFINITE if bound is None else bound

    def goal(self, bound: int) -> Goal:
        """Return a bound in the form that was asked for; of all within the limit, None or 0."""
        if isinstance(self.asked, tuple):
            return (bound,) if len(self.asked) == 1 else divmod(bound, self.scale)
        return None if bound >= INFINITE else 0 if self.asked is None else bound

    def open(self, part: ProofPart, bound: int, path: Path) -> OpenClaim[ProofPart]:
        """Return a claim with the guesses that need lemmas: the first guess, or what is free, if any is."""
        claim: OpenClaim[ProofPart] = OpenClaim(part, bound, [], [])
        if path:
            claim.weak = [(guess, 0) for guess in self.weak(claim, path)]
            return claim
        guesses = [NO_GUESS] if self.problem.first is None else [self.problem.first]
        free = self.checker.ask(part.candidates, part.depth, NO_GUESS, 0)[1]
        if guesses == [NO_GUESS] and [len(left) for left, _, _ in free] == [len(part.candidates)]:
            guesses = self.weak(claim, path)
        claim.weak = [
            (guess, self.checker.ask(part.candidates, part.depth, guess, bound)[0]) for guess in guesses
        ]
        return claim

    def weak(self, claim: OpenClaim[ProofPart], path: Path) -> list[int]:
        """Return one of each of the guesses of a claim that need lemmas, and note the others."""
        part, guesses = claim.part, np.arange(len(self.guesses), dtype=np.int32)
        those, renamings = self.renamings_of(part, path)
        orbit = orbits(len(guesses), [one.image for one in renamings]).astype(np.int32)
        # Where no lemma is about a subset, what is known of a guess is known of those equal to it.
        members = bits_of(part.candidates, self.problem.secrets)
        alike = not any(proved & ~members == 0 for proved in self.proved)
        looked = guesses[orbit == guesses] if alike else guesses
        found = np.array(self.checker.weak(part.candidates, part.depth, claim.bound, looked), dtype=np.int32)
        weak = found[np.sort(np.unique(orbit[found], return_index=True)[1])]
        equal = guesses[np.isin(orbit, found)] if alike else found
        claim.others = np.setdiff1d(equal, weak).tolist()
        claim.renamings = those.fewer(equal, renamings) if claim.others else []
        one_of_each: list[int] = weak.tolist()
        return one_of_each

    def renamings_of(self, part: ProofPart, path: Path) -> tuple[SetRenamings, list[SetRenaming]]:
        """Return what makes renamings of a part, and some: of codes those that keep the guesses before."""
        if self.renamings is None:
            return super().renamings_of(part, path)
        those = SetRenamings(members := part.candidates, self.secrets, self.checker.orbits)
        asked, some = [guess for guess in path[::2] if guess != NO_GUESS], list[SetRenaming]()
        for kept in self.renamings.after(asked).values():
            moved = kept[members].astype(np.int32)
            if np.array_equal(np.sort(moved), members):
                found = those.of(np.searchsorted(members, moved))
                some += [found] if found else []
        return those, some

    def ask(self, claim: OpenClaim[ProofPart], guess: int) -> tuple[int, list[ProofPart]] | None:
        """Return at least what a guess costs, and the open parts, the largest first."""
        part = claim.part
        known, parts = self.checker.ask(part.candidates, part.depth, guess, claim.bound)
        if known >= claim.bound:
            return None
        return known, [ProofPart(*found) for found in sorted(parts, key=lambda found: -len(found[0]))]

    def value(self, part: ProofPart, most: int, path: Path) -> int:  # noqa: ARG002 - a set costs the same anywhere
        """Return what a part costs if that is below `most`, otherwise at least `most`; raise TimeUp."""
        over, left = INFINITE, part.depth
        if self.query.figure == "total" and left >= 0:
            over = self.scale - self.query.left + left  # at least what one costs that pays too much
        state = PricedState(part.candidates, self.kind.most, left, None)
        decides = self.asked is None
        found = self.kind.search(self.searcher, state, 1 if decides else min(most, over), 0)
        if self.stopped or found.ended:
            raise TimeUp
        if decides:
            return INFINITE if found.lower else 0
        return INFINITE if found.lower >= over else found.lower

    def remember(self, part: ProofPart, bound: int) -> None:
        """Note that a lemma is proved."""
        self.checker.remember(part.candidates, part.depth, bound)
        self.proved.add(bits_of(part.candidates, self.problem.secrets))

    def step(self, guess: int, part: ProofPart) -> int:  # noqa: ARG002 - after what is free, no response says it
        """Return the first secret of a part."""
        return int(part.candidates[0])

    def false(self, claim: OpenClaim[ProofPart], path: Path) -> str:  # noqa: ARG002 - the guess says enough
        """Return why a claim is false, of which a path ends with the guess that costs less."""
        guess = path[-1]
        name = "all" if guess == NO_GUESS else repr(self.problem.game.guesses[guess])
        return f"the bound is false: {name} costs less"

    def guess_name(self, guess: int) -> str:
        """Return a guess as a lemma names it, or that there is none."""
        return "-" if guess == NO_GUESS else super().guess_name(guess)

    def lemma_body(self, claim: OpenClaim[ProofPart], part: ProofPart, bound: int, path: Path) -> str:
        """Return the body of a lemma; one that is kept in a ledger uses no lemma from elsewhere."""
        if self.ledger is None or len(path) > 2:
            return super().lemma_body(claim, part, bound, path)
        self.checker.forget()
        name = f"{self.guess_name(path[0])} {self.secrets[path[1]]}"
        body = self.ledger.find(name, part.depth, bound)
        if body is None:
            body = self.body(part, bound, path)
            self.ledger.keep(name, part.depth, bound, body)
        self.checker.forget()
        for proved in self.kept:
            self.remember(*proved)
        self.kept.append((part, bound))
        return body
