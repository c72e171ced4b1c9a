"""Write the proof that a game costs at least so much: the body of a certificate `guesstree-proof/1`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import claims as kernel

from ..errors import GuesstreeError
from ..look import plural
from ..problem import Problem
from ..search.counted import Counted, CountedState
from ..search.kind import Room
from ..search.watch import TimeUp
from ..state import Ints, everything
from ..symmetry import orbits
from .claims import Claim, ProofPart, Shown, Weak
from .renaming import CodeRenamings, Renaming, item_of, symbols_of
from .small import GUESSES, SmallSets

WORTH_KEEPING = 0.1
"""Seconds from which on a lemma is kept in the ledger."""


class Kept(Protocol):
    """Lemmas that were proved before: their bodies, by the guesses and secrets that lead to a set."""

    def find(self, path: str, depth: int, bound: int) -> str | None:
        """Return the body of a lemma, or None."""

    def keep(self, path: str, depth: int, bound: int, body: str) -> None:
        """Keep a lemma."""


class ProofError(GuesstreeError):
    """A bound that is to be proved is false."""


@dataclass(frozen=True)
class Proof:
    """The body of a certificate, what it proves the whole game to cost at least, and its number of lemmas."""

    bound: int
    body: str
    lemmas: int


@dataclass(frozen=True)
class Trail:
    """Where a claim stands: the guesses that led there, as numbers and as the file has them."""

    history: tuple[int, ...] = ()
    path: str = ""


class Writer:
    """Writes proofs for one game that counts guesses; what is proved once is remembered.

    Parameters
    ----------
    searchers: of a solve of the same problem, by the part of the objective (``total``, ``worst``); what they
        remember is not searched again.
    names: what the certificate calls guesses and secrets, where it does not know the game by its codes or
        words; no renamings are known to it then.
    """

    def __init__(
        self,
        problem: Problem,
        room: Room,
        ledger: Kept | None = None,
        searchers: Mapping[str, Any] | None = None,
        names: tuple[Sequence[str], Sequence[str]] | None = None,
    ) -> None:
        self.problem, self.shown, self.ledger = problem, Shown(problem), ledger
        self.kind = Counted(problem)
        kept = searchers or {}
        self.searchers = {
            part: kept.get(part) or self.kind.searcher(self.kind.question(part), room)
            for part in ("total", "worst")
        }
        codes = problem.codes
        self.renamings = None
        if codes is not None and names is None:
            names = code_names(codes.digits)
            self.renamings = CodeRenamings(codes.digits, separate=codes.symbols == 0)
        self.guesses, self.secrets = names or (problem.game.guesses, problem.game.secrets)
        self.numbers = {name: i for i, name in enumerate(self.guesses)}
        # With candidates only, a set may cost less than a part of it: L7 does not hold.
        use_small = self.renamings is None and not problem.candidates_only
        self.small = SmallSets(problem, self.shown) if use_small else None
        self.stopped = False

    def stop(self) -> None:
        """End `root` or `items`, which run in another thread."""
        self.stopped = True
        for searcher in self.searchers.values():
            searcher.stop()

    # -- the whole game --------------------------------------------------------------------------------

    def root(self, depth: int, bound: int) -> Proof:
        """Return a proof of the bound; when stopped, of the best bound that is proved by then.

        Guesses go the weakest first, so that the bound rises. Raises ProofError if the bound is false.
        """
        opened = self._open(depth, bound)
        items: list[str] = []
        reached = bound
        for i, (guess, shown) in enumerate(opened.weak):
            try:
                for item, gain in self._lemmas(opened.claim, guess, Trail()):
                    items.append(item)
                    shown += gain
            except TimeUp:
                others = [total for _, total in opened.weak[i + 1 : i + 2]]  # the weakest of those to come
                reached = 0 if bound >= kernel.INFINITE else min(shown, bound, *others)
                break
        body = self._body(opened.claim, opened.images, self._small_sets() + items)
        return Proof(reached, body, lemmas_in(body))

    def weak(self, depth: int, bound: int) -> list[tuple[int, int]]:
        """Return guesses that need lemmas, one of each orbit, and what is shown of each; weakest first."""
        return self._open(depth, bound).weak

    def items(self, guess: int, depth: int, bound: int) -> str:
        """Return lemmas enough for one first guess; they need no other lemmas. Raises TimeUp, ProofError."""
        self.shown.forget()
        opened = self._open(depth, bound)
        items = [item for item, _ in self._lemmas(opened.claim, guess, Trail())]
        return "\n".join(self._small_sets() + items)

    def assemble(self, depth: int, bound: int, items: Sequence[str]) -> Proof:
        """Return the proof from the lemmas of all its first guesses; small sets stand once, before all."""
        opened = self._open(depth, bound)
        lines = [line for item in items if item for line in item.split("\n")]
        small = dict.fromkeys(line for line in lines if line.startswith("!"))
        lemmas = [line for line in lines if not line.startswith("!")]
        body = self._body(opened.claim, opened.images, [*small, *lemmas])
        return Proof(bound, body, lemmas_in(body))

    def _open(self, depth: int, bound: int) -> Opened:
        everyone = everything(self.problem.secrets)
        return self._opened(
            Claim(self.shown, everyone, depth, bound, self.problem.first), (), self.problem.first
        )

    # -- claims ----------------------------------------------------------------------------------------

    def _opened(self, claim: Claim, history: tuple[int, ...], first: int | None = None) -> Opened:
        """Return which guesses of a claim need lemmas, one of each orbit."""
        images: dict[Renaming, NDArray[np.int64]] = {}
        if claim.weak and self.renamings is not None and first is None:
            images = {r: self.renamings.image(r) for r in self.renamings.keeping(history)}
        weak = np.array(claim.weak, dtype=np.int32)
        if images:
            _, which = np.unique(orbits(len(self.guesses), list(images.values()))[weak], return_index=True)
            weak = weak[np.sort(which)]
        if self._hopeless(claim):
            return Opened(claim, images, [(guess, 0) for guess in claim.weak])
        failing = claim.failing(weak) if len(weak) else []
        return Opened(claim, images, sorted(failing, key=lambda found: found[1]))

    def _hopeless(self, claim: Claim) -> bool:
        """Return whether to look ahead shows nothing: with words, and more than two guesses after one."""
        return self.small is not None and claim.bound >= kernel.INFINITE and claim.depth > GUESSES + 1

    def _lemma(self, part: ProofPart, bound: int, place: Trail, above: Claim) -> str:
        """Return the body of a lemma about a part."""
        if above.counting.bound(len(part.candidates), part.depth) >= bound:
            return "."
        if self.ledger is not None:
            kept = self.ledger.find(place.path, part.depth, bound)
            if kept is not None:
                self._replay(kept, part)
                return kept
        started = time.monotonic()
        claim = self._claim(part, bound)
        opened = self._opened(claim, place.history)
        items = [item for guess, _ in opened.weak for item, _ in self._lemmas(claim, guess, place)]
        body = self._body(claim, opened.images, items)
        alone = self.small is None or not self.small.used  # small sets stand at the top, not in the body
        if self.ledger is not None and alone and time.monotonic() - started >= WORTH_KEEPING:
            self.ledger.keep(place.path, part.depth, bound, body)
        return body

    def _claim(self, part: ProofPart, bound: int) -> Claim:
        """Return a claim about a part; where two guesses are left after one, small sets refute guesses."""
        candidates, depth, small = part.candidates, part.depth, self.small
        if small is None or bound < kernel.INFINITE or depth != GUESSES + 1:
            return Claim(self.shown, candidates, depth, bound)
        everything = np.arange(len(self.guesses), dtype=np.int32)

        def refuted() -> Ints:
            return np.setdiff1d(everything, small.refute(small.within(candidates), everything))

        claim = Claim(self.shown, candidates, depth, bound, refuted=refuted)
        claim.weak = small.cover(claim)
        return claim

    def _body(self, claim: Claim, images: dict[Renaming, NDArray[np.int64]], items: list[str]) -> str:
        """Return the body of a claim: renamings, and lemmas."""
        weak = np.array(claim.weak, dtype=np.int32)
        needed = self.renamings.needed(weak, images) if self.renamings is not None and images else []
        return body_of([item_of(r) for r in needed] + items)

    def _small_sets(self) -> list[str]:
        """Return the small sets that were used since the last call."""
        if self.small is None:
            return []
        texts = [self.small.text(number, self.secrets) for number in self.small.used]
        self.small.used.clear()
        return texts

    def _lemmas(self, claim: Claim, guess: int, place: Trail) -> Iterator[tuple[str, int]]:
        """Yield lemmas that show that a guess costs enough, each with how much it raises what is shown."""
        weak = claim.ask(guess, looking=not self._hopeless(claim))
        if weak is None:
            return
        history = (*place.history, guess)
        for part, bound in self._raised(claim, weak, history):
            secret = self.secrets[part.candidates[0]]
            path = f"{place.path} {self.guesses[guess]} {secret}".lstrip()
            body = self._lemma(part, bound, Trail(history, path), claim)
            self.shown.remember(part.candidates, part.depth, bound)
            yield f"{self.guesses[guess]} {secret} {text_of(bound)} {body}", bound - part.bound
        if claim.ask(guess) is not None:
            raise RuntimeError(f"{self.guesses[guess]} is not shown to cost {claim.bound}, though it does")

    def _raised(self, claim: Claim, weak: Weak, history: tuple[int, ...]) -> list[tuple[ProofPart, int]]:
        """Return parts of a guess, the smallest first, with bounds that show that it costs enough."""
        whole = claim.bound >= kernel.INFINITE
        raised: list[tuple[int, ProofPart]] = []
        missing = claim.bound - weak.bound
        for part in weak.parts:
            most = kernel.INFINITE if whole else part.bound + missing
            value = min(self._value(part, most, history), most)
            if value > part.bound:
                raised.append((value - part.bound, part))
                missing -= value - part.bound
            if whole and value >= kernel.INFINITE:
                return [(part, value)]
            if missing <= 0 and not whole:
                break
        else:
            more = plural(claim.depth - 1, "more guess")
            enough = f"{more} are enough" if whole else f"less than {claim.bound} is enough"
            raise ProofError(
                f"{self.problem.game.spec}: after the guess {self._said(history)} {enough}; "
                "expected a bound that is true"
            )
        raised.sort(key=lambda pair: pair[0])
        needed = []
        for gain, part in raised:  # what is not needed at all, then what is needed in part
            if missing + gain <= 0:
                missing += gain
            else:
                needed.append((gain, part))
        found = []
        for gain, part in needed:
            spare = min(-missing, gain - 1)
            missing += spare
            found.append((part, part.bound + gain - spare))
        return found

    def _value(self, part: ProofPart, beta: int, history: tuple[int, ...]) -> int:
        """Return what a part costs if that is below beta, else at least beta."""
        if self.stopped:
            raise TimeUp
        state = CountedState(part.candidates, part.depth, history)
        name, limit = ("worst", 1) if beta >= kernel.INFINITE else ("total", beta)
        found = self.kind.search(self.searchers[name], state, limit, 0)
        if found.ended:
            raise TimeUp
        if name == "worst":
            return 0 if found.upper <= part.depth else kernel.INFINITE
        return min(found.lower, kernel.INFINITE)

    def _said(self, history: tuple[int, ...]) -> str:
        return " ".join(self.problem.game.guesses[g] for g in history)

    def _replay(self, body: str, part: ProofPart) -> None:
        """Remember the lemmas of a body that was proved before, in the order in which a checker does."""
        tokens = iter(body.split())
        next(tokens)  # the bracket that opens it
        within = [part]
        for token in tokens:
            if token == ")":
                done = within.pop()
                if within:
                    self.shown.remember(done.candidates, done.depth, done.bound)
            elif token == "=":
                next(tokens), next(tokens)
            else:
                row = self.problem.row(self.numbers[token], within[-1].candidates)
                secret, bound = self.secrets.index(next(tokens)), next(tokens)
                members = within[-1].candidates[row == row[within[-1].candidates == secret]]
                depth = self.shown.depth(len(members), within[-1].depth - 1)
                lemma = ProofPart(members, depth, kernel.INFINITE if bound == "inf" else int(bound))
                if next(tokens) == "(":
                    within.append(lemma)
                else:
                    self.shown.remember(members, depth, lemma.bound)


@dataclass
class Opened:
    """A claim with renamings that keep its set, and the guesses that need lemmas, the weakest first."""

    claim: Claim
    images: dict[Renaming, NDArray[np.int64]]
    weak: list[tuple[int, int]]


def code_names(digits: NDArray[np.uint8]) -> tuple[list[str], list[str]]:
    """Return codes, uint8, shape (codes, pegs), as certificates have them, twice: guesses and secrets."""
    names = [symbols_of(code) for code in digits.tolist()]
    return names, names


def body_of(items: Sequence[str]) -> str:
    """Return items as a body."""
    return "(\n" + "\n".join(items) + " )" if items else "."


def lemmas_in(body: str) -> int:
    """Return how many lemmas a body has: each has a body, as the whole and small sets have."""
    tokens = body.split()
    return tokens.count("(") + tokens.count(".") - tokens.count("!") - 1


def text_of(bound: int) -> str:
    """Return a bound as a file has it."""
    return "inf" if bound >= kernel.INFINITE else str(bound)
