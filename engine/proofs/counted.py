"""Write the proof of how many guesses a game takes; see verify/LEMMAS.md."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from guesstree.cext import claims as kernel

from ..claims import Claim, ProofPart, checker_of
from ..errors import GuesstreeError
from ..notation import plural
from ..problem import Problem
from ..search.counted import Counted, CountedState
from ..search.deadline import TimeUp
from ..search.space import Resources
from ..state import Ints, everything
from .items import EMPTY, ProofItem, body_of, bound_of, inside, items_of
from .renamed import RenamedSets
from .small import GUESSES, SmallSets
from .statement import Goal
from .writer import OpenClaim, Path, Writer, bits_of

INFINITE: int = kernel.INFINITE


@dataclass
class CountedClaim(OpenClaim[ProofPart]):
    """A claim, with what the checker knows of its set, and whether looking one step ahead shows anything."""

    known: Claim
    looking: bool


class CountedWriter(Writer[ProofPart]):
    """Writes proofs for one game that counts guesses; paths have responses.

    Attributes
    ----------
    bounds: at least what some parts cost, by their paths, as far as a search has found it.
    """

    infinite = INFINITE

    def __init__(
        self, problem: Problem, room: Resources, searchers: MutableMapping[Any, Any] | None = None
    ) -> None:
        super().__init__(problem, room, searchers)
        self.kind, self.checker = Counted(problem), checker_of(problem)
        self.numbers = {name: i for i, name in enumerate(self.guesses)}
        self.places = {name: i for i, name in enumerate(self.secrets)}
        # With candidates only, a set may cost less than a part of it: L7 does not hold.
        # With rules a part has few guesses, and a small set that others may ask is no help (L10).
        use_small = self.renamings is None and not problem.candidates_only and problem.rules is None
        self.small = SmallSets(problem, self.checker) if use_small else None
        self.renamed = None if self.renamings is None else RenamedSets(self.renamings)
        self.bounds: Mapping[Path, int] = {}
        self.proved: set[int] = set()  # sets of lemmas, as bits

    def begin(self, within: int | None, bound: Goal) -> tuple[ProofPart, int]:
        """Forget what other proofs rest on; return the whole game, and the bound as one number."""
        assert not isinstance(bound, tuple)
        self._forget({})
        depth = self.problem.secrets if within is None else within
        return ProofPart(everything(self.problem.secrets), depth, 0), INFINITE if bound is None else bound

    def open(self, part: ProofPart, bound: int, path: Path) -> CountedClaim:
        """Return a claim with the guesses that need lemmas, the weakest first."""
        first = None if path else self.problem.first
        every, equal = everything(len(self.guesses)), None
        if self.renamings is not None and first is None:  # they keep the set: one of each is counted
            equal = self.equal(part, every, path)
        left_out = every[:0] if equal is None else every[equal.orbit != every]
        known = self._claim(part, bound, path, left_out)
        claim = CountedClaim(part, bound, [], [], known, self._looking(known))
        weak = np.array(known.weak, dtype=np.int32)
        if first is not None:
            claim.weak = self._failing(claim, weak)
            return claim
        if equal is None:
            equal = self.equal(part, weak, path)
        else:
            weak = every[np.isin(equal.orbit, weak)]
            equal = equal.of(weak)
        if equal.spared and len(equal.first) < len(weak) and self._knows_more_of_some(part):
            failing = self._failing(claim, weak)
            weak = np.sort(np.array([guess for guess, _ in failing], dtype=np.int32))
            equal = equal.of(weak)
            claim.weak = [found for found in failing if found[0] in equal.first]
        else:
            claim.weak = self._failing(claim, equal.first)
        claim.renamings, claim.others = equal.said([guess for guess, _ in claim.weak])
        return claim

    def _failing(self, claim: CountedClaim, weak: Ints) -> list[tuple[int, int]]:
        """Return those of some guesses that looking ahead does not settle, the weakest first."""
        if not claim.looking:
            return [(guess, 0) for guess in weak.tolist()]
        return sorted(claim.known.failing(weak), key=lambda found: found[1])

    def _knows_more_of_some(self, part: ProofPart) -> bool:
        """Return whether a lemma is about a subset; otherwise equal guesses are shown to cost the same."""
        members = bits_of(part.candidates, self.problem.secrets)
        return any(proved & ~members == 0 for proved in self.proved)

    def _claim(self, part: ProofPart, bound: int, path: Path, left_out: Ints) -> Claim:
        """Return what is known of a part; where two guesses are left after one, small sets refute guesses."""
        sets, first = self.small, None if path else self.problem.first
        if not path or sets is None or bound < INFINITE or part.depth != GUESSES + 1:
            return Claim(
                self.checker, part.candidates, part.depth, bound, first, lambda: left_out, part.under
            )
        guesses = np.arange(len(self.guesses), dtype=np.int32)

        def refuted() -> Ints:
            return np.setdiff1d(guesses, sets.refute(sets.within(part.candidates), guesses))

        claim = Claim(self.checker, part.candidates, part.depth, bound, refuted=refuted)
        claim.weak = sets.cover(claim)
        return claim

    def ask(self, claim: OpenClaim[ProofPart], guess: int) -> tuple[int, list[ProofPart]] | None:
        """Return at least what a guess costs, and the parts that it leaves, the largest first."""
        assert isinstance(claim, CountedClaim)
        weak = claim.known.ask(guess, looking=claim.looking)
        return None if weak is None else (weak.bound, weak.parts)

    def found(self, part: ProofPart, most: int, path: Path) -> int:
        """Return at least what a part costs after the guess at the end of a path, by earlier searches.

        A search leaves a guess as soon as some parts show enough. What it found of these is shorter to
        prove, and sooner, than what the largest parts cost.
        """
        least = self.bounds.get((*path, self.step(path[-1], part)), 0) if self.bounds else 0
        if most < INFINITE and "total" in self.searchers and not self.stopped:
            state = CountedState(part.candidates, part.depth, path[::2])
            least = max(least, self.kind.bound(self.searchers["total"], state)[0])
        return least

    def value(self, part: ProofPart, most: int, path: Path) -> int:
        """Return what a part costs if that is below `most`, otherwise at least `most`."""
        if self.stopped:
            raise TimeUp
        state = CountedState(part.candidates, part.depth, path[::2])
        name, limit = ("worst", 1) if most >= INFINITE else ("total", most)
        if name not in self.searchers:
            self.searchers[name] = self.kind.searcher(self.kind.query(name), self.room)
        outcome = self.kind.search(self.searchers[name], state, limit, 0)
        if outcome.ended:
            raise TimeUp
        if name == "worst":
            return 0 if outcome.upper <= part.depth else INFINITE
        return min(outcome.lower, INFINITE)

    def remember(self, part: ProofPart, bound: int) -> None:
        """Note that a lemma is proved."""
        self.checker.remember(part.candidates, part.depth, bound, part.under)
        if self.renamings is None:
            self.proved.add(bits_of(part.candidates, self.problem.secrets))

    def step(self, guess: int, part: ProofPart) -> int:
        """Return the response to a guess that leaves a part."""
        return int(self.problem.row(guess, part.candidates[:1])[0])

    def false(self, claim: OpenClaim[ProofPart], path: Path) -> str:
        """Return why a claim is false, of which a path ends with the guess that costs less."""
        assert isinstance(claim, CountedClaim)
        more = plural(claim.known.depth - 1, "more guess")
        enough = f"{more} are enough" if claim.bound >= INFINITE else f"less than {claim.bound} is enough"
        asked = " ".join(self.problem.game.guesses[guess] for guess in path[::2])
        return f"after the guess {asked} {enough}; expected a bound that is true"

    def lemma_body(self, claim: OpenClaim[ProofPart], part: ProofPart, bound: int, path: Path) -> str:
        """Return the body of a lemma: empty where counting shows it, or a lemma proved before, renamed."""
        assert isinstance(claim, CountedClaim)
        if claim.known.counted(len(part.candidates), part.depth) >= bound:
            return EMPTY
        if self.renamed is None:
            return self.body(part, bound, path)
        form = self.renamed.form(part.candidates)
        body = self.renamed.body(form, part.depth, bound)
        if not body:
            body = self.body(part, bound, path)
            self.renamed.remember(form, part.depth, bound)
        return body

    def small_sets(self) -> list[str]:
        """Return the small sets that were used since the last call."""
        if self.small is None:
            return []
        texts = [self.small.text(number, self.secrets) for number in self.small.used]
        self.small.used.clear()
        return texts

    # -- claims by themselves, which need no others ----------------------------------------------------

    def state_proof(self, state: CountedState, path: Path, bound: int) -> str:
        """Return the body of a lemma about a state, small sets first. Raises TimeUp, ProofError."""
        self._forget({})
        body = self.body(self.part_at(state, path), bound, path)
        small = self.small_sets()
        return body_of([*small, *filter(None, [inside(body)])]) if small else body

    def guess_proof(self, state: CountedState, path: Path, bound: int, known: Mapping[int, int]) -> list[str]:
        """Return lemmas that show what the guess at the end of a path costs in a state.

        `known`: at least what is left after it costs, by response, as far as a search has found that. Raises
        TimeUp, ProofError.
        """
        self._forget({(*path, response): lower for response, lower in known.items()})
        part, guess = self.part_at(state, path[:-1]), path[-1]
        of_guess = Claim(self.checker, state.candidates, state.depth, bound, guess, under=part.under)
        claim = CountedClaim(part, bound, [], [], of_guess, looking=self._looking(of_guess))
        items = [item for item, _ in self.lemmas(claim, guess, path[:-1])]
        return self.small_sets() + items

    def part_at(self, state: CountedState, path: Path) -> ProofPart:
        """Return a state as what is proved of, with what all guesses of the path to it demand."""
        under, secret = 0, int(state.candidates[0])
        for guess in path[::2]:
            under = self.checker.demanded(under, guess, secret)
        return ProofPart(state.candidates, state.depth, 0, under)

    def _looking(self, claim: Claim) -> bool:
        """Return whether looking ahead shows anything: not with words and more than two guesses after one."""
        return self.small is None or claim.bound < INFINITE or claim.depth <= GUESSES + 1

    def _forget(self, bounds: Mapping[Path, int]) -> None:
        """Forget what other proofs rest on."""
        self.checker.forget()
        self.proved.clear()
        if self.renamed is not None:
            self.renamed.proved.clear()
        self.bounds = bounds
        self.small_sets()

    def replay(self, items: str, part: ProofPart) -> None:
        """Remember the lemmas in a set that a text proves, in the order in which a checker does."""
        within = [part]
        for item in items_of(items):
            if item.words[0] == ")":
                done = within.pop()
                self.remember(done, done.bound)
            elif item.body:
                lemma = self.part_of(item, within[-1])
                if item.body == "(":
                    within.append(lemma)
                else:
                    self.remember(lemma, lemma.bound)

    def part_of(self, item: ProofItem, above: ProofPart) -> ProofPart:
        """Return the part of a set that a lemma is about; raise GuesstreeError where there is none."""
        guess, secret, bound, *more = item.words
        at = above.candidates == self.places.get(secret, -1)
        if more or guess not in self.numbers or not at.any():
            raise GuesstreeError(f"{' '.join(item.words)[:40]!r} is no lemma about a part of the set")
        row = self.problem.row(self.numbers[guess], above.candidates)
        members = above.candidates[row == row[at]]
        depth = self.checker.depth(len(members), above.depth - 1)
        under = self.checker.demanded(above.under, self.numbers[guess], self.places[secret])
        return ProofPart(members, depth, bound_of(bound), under)
