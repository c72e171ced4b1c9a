"""Check a certificate of a small game whose responses may be false: `python verify/lies.py FILE.proof`.

Slow and plain, from the text of LIES.md and its F1 to F5. Status 0: accepted; 1: refused, with the line; 2: a
file cannot be read.
"""

import sys
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from checking import Claim, GameChecker, Images, need, run

State = tuple[tuple[int, int], ...]  # secrets, rising, and the lies that may still be told of each


class Checker(GameChecker):
    """A certificate, its game, and the claims that were proved."""

    most_cells = 2_000_000

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.proved: dict[State, float] = {}  # sets, with the guesses that do not settle them
        self.volumes: dict[tuple[int, int], int] = {}

    def volume(self, d: int, left: int) -> int:
        """Return U(d, left) of F3."""
        if left < 0 or d <= (self.win >= 0):
            return int(left >= 0)
        if (d, left) not in self.volumes:
            self.volumes[d, left] = self.volume(d - 1, left) + (self.most - 1) * self.volume(d - 1, left - 1)
        return self.volumes[d, left]

    def room(self, d: int, left: int) -> int:
        """Return B(d, left) of F3."""
        if self.win < 0:
            return int(self.most**d)
        return self.volume(d, left) + self.most * self.room(d - 1, left) if d else 0

    def deepest(self, lies: int) -> int:
        """Return the most guesses that a claim may be about: the first for which numbers are large, or 64."""
        most, d = 10**17 // self.most, 0
        while d < 64 and self.volume(d, lies) <= most // len(self.secrets) and self.room(d, lies) <= most:
            d += 1
        return d

    def too_many(self, state: State, d: int, whole: State) -> bool:
        """Return whether the volume says that so many guesses do not settle a set, a part of a whole one."""
        most = max((left for _, left in whole), default=0)
        return bool(state) and sum(self.volume(d, left) for _, left in state) > self.room(d, most)

    def after(self, state: State, g: int, response: int) -> State:
        """Return what is left of a set after a response."""
        row = self.rows[g]
        kept = [(s, left - (row[s] != response)) for s, left in state if row[s] != self.win]
        return tuple([(s, left) for s, left in kept if left >= 0])

    def left(self, state: State, g: int) -> list[State]:
        """Return what a guess may leave, after responses that some secret of the set gives."""
        return [self.after(state, g, r) for r in {self.rows[g][s] for s, _ in state} - {self.win}]

    def useful(self, state: State) -> list[int]:
        """Return the guesses that win on a secret of the set, or tell it apart (F1)."""
        met = ({row[s] for s, _ in state} for row in self.rows)
        return [g for g, responses in enumerate(met) if len(responses) > 1 or self.win in responses]

    def refuted(self, state: State, d: int, look: bool) -> bool:
        """Return whether it is known that so many guesses do not settle a set."""
        open_set = len(state) > (self.win < 0)  # there is something left to ask
        if not open_set or self.too_many(state, d, state) or self.proved.get(state, -1) >= d:
            return open_set
        if not look or not d:
            return False
        useful = self.useful(state)
        return all(any(self.too_many(x, d - 1, state) for x in self.left(state, g)) for g in useful)

    # -- claims ----------------------------------------------------------------------------------------

    def part(self, claim: Claim, word: str) -> tuple[int, Claim]:
        """Read what a lemma is about."""
        g, s = self.place(self.guesses, word), self.place(self.secrets)
        response = self.rows[g][s]
        fits = s in dict(claim.members) and response != self.win and claim.left > 0
        need(fits, "the secret is not in the set, or won")
        return g, Claim(self.after(claim.members, g, response), claim.left - 1, inf)

    def renaming(self, claim: Claim) -> Images:
        """Read a renaming that keeps the set, lies included (F2)."""
        return self.any_renaming(dict(claim.members))

    def shown(self, claim: Claim) -> bool:
        """Return whether the volume or what is proved is enough."""
        if self.refuted(claim.members, int(claim.left), look=False):
            return True
        asked = claim.left and len(claim.members) > (self.win < 0)
        need(asked, f"{len(claim.members)} secrets: {claim.left} guesses may settle them")
        return False

    def guesses_of(self, claim: Claim) -> list[int | None]:
        """Return the guesses of F1, or the first one that is prescribed."""
        return [*self.useful(claim.members)] if claim.fixed is None else [claim.fixed]

    def passes(self, claim: Claim, guess: int) -> bool:
        """Return whether a guess leaves something that a guess less does not settle."""
        parts, d = self.left(claim.members, guess), int(claim.left) - 1
        return any(self.refuted(part, d, look) for look in (False, True) for part in parts)

    def remember(self, claim: Claim) -> None:
        """Keep a claim (F4)."""
        self.proved[claim.members] = max(self.proved.get(claim.members, 0), claim.left)

    def check(self) -> str:
        """Return what the certificate proves."""
        need(self.take() == "guesstree-proof/1" and self.take() == "lies", "no guesstree-proof/1 lies")
        lies = int(self.number(7))
        self.read_game()
        need(not self.rules, "hard mode: a false response would forbid what is allowed")
        need(not self.candidates, "candidates only: no such goal with lies")
        self.most = max(1, *(len({*row} - {self.win}) for row in self.rows))
        first, d = self.first(self.guesses), int(self.number(self.deepest(lies)))
        need(self.take() == "inf", "inf is due")
        self.prove_all(Claim(tuple([(s, lies) for s in range(len(self.secrets))]), d, inf, first))
        seen = f"({len(self.guesses)} guesses, {self.lemmas} lemmas)"
        return f"verified: {d} guesses do not settle {len(self.secrets)} secrets with {lies} lies {seen}"


if __name__ == "__main__":
    run(Checker)
