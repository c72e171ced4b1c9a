"""Write the proof that a game costs at least so much: the body of a certificate `guesstree-proof/1`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import claims as kernel

from ..errors import GuesstreeError
from ..notation import plural
from ..problem import Problem
from ..search.counted import Counted, CountedState
from ..search.deadline import TimeUp
from ..search.space import Resources
from ..state import Ints, everything
from ..symmetry.groups import orbits
from .claims import Claim, ProofPart, Weak, checker_of
from .items import ProofItem, body_of, bound_of, inside, items_of, lemmas_in, text_of
from .renaming import CodeRenamings, Renaming, item_of, symbols_of
from .small import GUESSES, SmallSets

T = TypeVar("T")
Path = tuple[int, ...]
"""What leads to a set: GUESS, RESPONSE, GUESS, RESPONSE, ..., numbers of the game."""


class ProofError(GuesstreeError):
    """A bound that is to be proved is false."""


@dataclass(frozen=True)
class Proof:
    """The body of a certificate, what it proves the whole game to cost at least, and its number of lemmas."""

    bound: int
    body: str
    lemmas: int


class Writer:
    """Writes proofs for one game that counts guesses; what is proved once is remembered.

    Parameters
    ----------
    searchers: of a search of the same problem, by the part of the objective (``total``, ``worst``); what they
        remember is not searched again. What is missing is added.
    names: what the certificate calls guesses and secrets, where it does not know the game by its codes or
        words; no renamings are known to it then.
    """

    def __init__(
        self,
        problem: Problem,
        room: Resources,
        searchers: MutableMapping[Any, Any] | None = None,
        names: tuple[Sequence[str], Sequence[str]] | None = None,
    ) -> None:
        self.problem, self.checker = problem, checker_of(problem)
        self.kind = Counted(problem)
        self.room, self.searchers = room, {} if searchers is None else searchers
        codes = problem.codes
        self.renamings = None
        if codes is not None and names is None:
            names = code_names(codes.digits)
            self.renamings = CodeRenamings(codes.digits, separate=codes.symbols == 0)
        self.guesses, self.secrets = names or (problem.game.guesses, problem.game.secrets)
        self.numbers = {name: i for i, name in enumerate(self.guesses)}
        self.places = {name: i for i, name in enumerate(self.secrets)}
        # With candidates only, a set may cost less than a part of it: L7 does not hold.
        use_small = self.renamings is None and not problem.candidates_only
        self.small = SmallSets(problem, self.checker) if use_small else None
        self.known: Mapping[Path, int] = {}
        self.stopped = False

    def stop(self) -> None:
        """End what is written in another thread."""
        self.stopped = True
        for searcher in tuple(self.searchers.values()):
            searcher.stop()

    # -- the whole game --------------------------------------------------------------------------------

    def root(self, depth: int, bound: int) -> Proof:
        """Return a proof of the bound; when stopped, of the best bound that is proved by then.

        Guesses go the weakest first, so that the bound rises. Raises ProofError if the bound is false.
        """
        opened = self._open(ProofPart(everything(self.problem.secrets), depth, 0), bound, ())
        items: list[str] = []
        reached = bound
        for i, (guess, shown) in enumerate(opened.weak):
            try:
                for item, gain in self._lemmas(opened.claim, guess, ()):
                    items.append(item)
                    shown += gain
            except TimeUp:
                others = [total for _, total in opened.weak[i + 1 : i + 2]]  # the weakest of those to come
                reached = 0 if bound >= kernel.INFINITE else min(shown, bound, *others)
                break
        body = self._body(opened.claim, opened.images, self._small_sets() + items)
        return Proof(reached, body, lemmas_in(body))

    # -- parts of a proof, which need no others --------------------------------------------------------

    def body(self, state: CountedState, path: Path, bound: int) -> str:
        """Return the body of a lemma about a state, small sets first. Raises TimeUp, ProofError."""
        self._begin({})
        body = self._written(ProofPart(state.candidates, state.depth, 0), bound, path)
        small = self._small_sets()
        return body_of([*small, *filter(None, [inside(body)])]) if small else body

    def items(self, state: CountedState, path: Path, bound: int, known: Mapping[int, int]) -> list[str]:
        """Return lemmas that show what a guess costs in a state. Raises TimeUp, ProofError.

        `path` ends with the guess; `known`: at least what is left after it costs, by response, as far as a
        search has found that.
        """
        self._begin({(*path, response): lower for response, lower in known.items()})
        *_, guess = path
        claim = Claim(self.checker, state.candidates, state.depth, bound, guess)
        items = [item for item, _ in self._lemmas(claim, guess, path[:-1])]
        return self._small_sets() + items

    def _begin(self, known: Mapping[Path, int]) -> None:
        """Forget what other proofs rest on."""
        self.checker.forget()
        self.known = known
        self._small_sets()

    # -- claims ----------------------------------------------------------------------------------------

    def _open(self, part: ProofPart, bound: int, path: Path) -> Opened:
        """Return which guesses of a claim need lemmas, one of each orbit; or the first, if that is fixed."""
        first = None if path else self.problem.first
        claim = (
            self._claim(part, bound)
            if path
            else Claim(self.checker, part.candidates, part.depth, bound, first)
        )
        images: dict[Renaming, NDArray[np.int64]] = {}
        if claim.weak and self.renamings is not None and first is None:
            images = {r: self.renamings.image(r) for r in self.renamings.keeping(path[::2])}
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

    def _lemma(self, part: ProofPart, bound: int, path: Path, above: Claim) -> str:
        """Return the body of a lemma about a part."""
        if above.counted(len(part.candidates), part.depth) >= bound:
            return "."
        return self._written(part, bound, path)

    def _written(self, part: ProofPart, bound: int, path: Path) -> str:
        """Return the body of a lemma about a part that counting does not show."""
        opened = self._open(part, bound, path)
        items = [i for guess, _ in opened.weak for i, _ in self._lemmas(opened.claim, guess, path)]
        return self._body(opened.claim, opened.images, items)

    def _claim(self, part: ProofPart, bound: int) -> Claim:
        """Return a claim about a part; where two guesses are left after one, small sets refute guesses."""
        candidates, depth, small = part.candidates, part.depth, self.small
        if small is None or bound < kernel.INFINITE or depth != GUESSES + 1:
            return Claim(self.checker, candidates, depth, bound)
        everything = np.arange(len(self.guesses), dtype=np.int32)

        def refuted() -> Ints:
            return np.setdiff1d(everything, small.refute(small.within(candidates), everything))

        claim = Claim(self.checker, candidates, depth, bound, refuted=refuted)
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

    def _lemmas(self, claim: Claim, guess: int, path: Path) -> Iterator[tuple[str, int]]:
        """Yield lemmas that show that a guess costs enough, each with how much it raises what is shown."""
        weak = claim.ask(guess, looking=not self._hopeless(claim))
        if weak is None:
            return
        for part, bound in self._raised(claim, weak, path):
            body = self._lemma(part, bound, (*path, guess, self._response(guess, part)), claim)
            self.checker.remember(part.candidates, part.depth, bound)
            secret = self.secrets[part.candidates[0]]
            yield f"{self.guesses[guess]} {secret} {text_of(bound)} {body}", bound - part.bound
        if claim.ask(guess) is not None:
            raise RuntimeError(f"{self.guesses[guess]} is not shown to cost {claim.bound}, though it does")

    def _raised(self, claim: Claim, weak: Weak, path: Path) -> list[tuple[ProofPart, int]]:
        """Return parts of a guess, the smallest first, with bounds that show that it costs enough."""
        asked = *path, weak.guess
        raised = self._enough(claim, weak, asked, self._known) or self._enough(
            claim, weak, asked, self._value
        )
        if not raised:
            more = plural(claim.depth - 1, "more guess")
            whole = claim.bound >= kernel.INFINITE
            enough = f"{more} are enough" if whole else f"less than {claim.bound} is enough"
            raise ProofError(
                f"{self.problem.game.spec}: after the guess {self._said(asked)} {enough}; "
                "expected a bound that is true"
            )
        return raised

    def _enough(
        self, claim: Claim, weak: Weak, path: Path, value_of: Callable[[ProofPart, int, Path], int]
    ) -> list[tuple[ProofPart, int]]:
        """Return parts with bounds that show that a guess costs enough; none: their values do not do."""
        whole = claim.bound >= kernel.INFINITE
        raised: list[tuple[int, ProofPart]] = []
        missing = claim.bound - weak.bound
        for part in weak.parts:
            most = kernel.INFINITE if whole else part.bound + missing
            value = min(value_of(part, most, path), most)
            if value > part.bound:
                raised.append((value - part.bound, part))
                missing -= value - part.bound
            if whole and value >= kernel.INFINITE:
                return [(part, value)]
            if missing <= 0 and not whole:
                break
        else:
            return []
        return [(part, part.bound + gain) for part, gain in least_needed(raised, -missing)]

    def _known(self, part: ProofPart, most: int, path: Path) -> int:  # noqa: ARG002 - as `_value`
        """Return at least what a part costs after the guess that a path ends with, without a search."""
        if not self.known:
            return 0
        return self.known.get((*path, self._response(path[-1], part)), 0)

    def _value(self, part: ProofPart, most: int, path: Path) -> int:
        """Return what a part costs if that is below `most`, else at least that."""
        if self.stopped:
            raise TimeUp
        state = CountedState(part.candidates, part.depth, path[::2])
        name, limit = ("worst", 1) if most >= kernel.INFINITE else ("total", most)
        if name not in self.searchers:
            self.searchers[name] = self.kind.searcher(self.kind.query(name), self.room)
        found = self.kind.search(self.searchers[name], state, limit, 0)
        if found.ended:
            raise TimeUp
        if name == "worst":
            return 0 if found.upper <= part.depth else kernel.INFINITE
        return min(found.lower, kernel.INFINITE)

    def _response(self, guess: int, part: ProofPart) -> int:
        """Return the response to a guess that leaves a part."""
        return int(self.problem.row(guess, part.candidates[:1])[0])

    def _said(self, path: Path) -> str:
        return " ".join(self.problem.game.guesses[g] for g in path[::2])

    def _replay(self, items: str, part: ProofPart) -> None:
        """Remember the lemmas in a set that a text proves, in the order in which a checker does."""
        within = [part]
        for item in items_of(items):
            if item.words[0] == ")":
                done = within.pop()
                self.checker.remember(done.candidates, done.depth, done.bound)
            elif item.body:
                lemma = self.part_of(item, within[-1])
                if item.body == "(":
                    within.append(lemma)
                else:
                    self.checker.remember(lemma.candidates, lemma.depth, lemma.bound)

    def part_of(self, item: ProofItem, above: ProofPart) -> ProofPart:
        """Return the part of a set that a lemma is about; raise GuesstreeError where there is none."""
        guess, secret, bound = item.words
        at = above.candidates == self.places.get(secret, -1)
        if guess not in self.numbers or not at.any():
            raise GuesstreeError(f"{' '.join(item.words)[:40]!r} is no lemma about a part of the set")
        row = self.problem.row(self.numbers[guess], above.candidates)
        members = above.candidates[row == row[at]]
        return ProofPart(members, self.checker.depth(len(members), above.depth - 1), bound_of(bound))


@dataclass
class Opened:
    """A claim with renamings that keep its set, and the guesses that need lemmas, the weakest first."""

    claim: Claim
    images: dict[Renaming, NDArray[np.int64]]
    weak: list[tuple[int, int]]


def least_needed(gains: list[tuple[int, T]], spare: int) -> list[tuple[T, int]]:
    """Return what is needed of some gains where so much is not: the smallest first, with so much of each."""
    gains.sort(key=lambda pair: pair[0])
    needed = []
    for gain, what in gains:  # what is not needed at all, then what is needed in part
        if gain <= spare:
            spare -= gain
        else:
            needed.append((gain, what))
    found = []
    for gain, what in needed:
        less = min(spare, gain - 1)
        spare -= less
        found.append((what, gain - less))
    return found


def code_names(digits: NDArray[np.uint8]) -> tuple[list[str], list[str]]:
    """Return codes, uint8, shape (codes, pegs), as certificates have them, twice: guesses and secrets."""
    names = [symbols_of(code) for code in digits.tolist()]
    return names, names
