"""Write the proof that a whole game costs at least so much: the body of a certificate `guesstree-proof/1`.

A *claim* says that a set of secrets, the *part* of the game that is left, costs at least a bound. The checker
finds by itself that most guesses cost that much. For each other guess, the proof has *lemmas*: claims about
some of the parts that the guess leaves, which raise what is known of the guess to the bound. The proof of a
lemma is written in the same way, inside its brackets.

`Writer` writes the items of claims, nested, each lemma once, and asks for no more than is needed. Its three
subclasses know what the checkers of their games know: where guesses are counted (`counted`), where they cost
(`priced`), and where responses may be false (`lying`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from ..errors import GuesstreeError
from ..problem import Problem
from ..search.deadline import TimeUp
from ..search.space import Resources
from ..state import Ints
from ..symmetry.groups import orbits
from .claims import Claim, ProofPart, Weak, checker_of
from .items import ProofItem, body_of, bound_of, inside, items_of, lemmas_in, text_of
from .renaming import CodeRenamings, Renaming, item_of, symbols_of
from .small import GUESSES, SmallSets

T = TypeVar("T")
Path = tuple[int, ...]
"""What leads to a part: guesses of the game, each followed by the response, or by a secret that is left."""


class ProofError(GuesstreeError):
    """A bound that is to be proved is false."""


@dataclass(frozen=True)
class Proof:
    """The body of a certificate, what it proves the whole game to cost at least, and its number of lemmas."""

    bound: Goal
    body: str
    lemmas: int


NOTHING = Proof(0, ".", 0)
"""What is proved of every game."""


class BoundedPart(Protocol):
    """A set of secrets, and at least what it costs, as far as the checker knows."""

    bound: int

    @property
    def candidates(self) -> Ints:
        """The secrets that are left."""


P = TypeVar("P", bound=BoundedPart)


@dataclass
class OpenClaim(Generic[P]):
    """A claim that is being proved.

    Attributes
    ----------
    weak: the guesses that need lemmas, in the order in which they are written, each with at least what is
        known of it.
    renamings: the items that say which guesses are equivalent: of these, one is among `weak`.
    """

    part: P
    bound: int
    weak: list[tuple[int, int]]
    renamings: list[str]


class Writer(ABC, Generic[P]):
    """Writes proofs for one problem; the checker remembers what is proved, and so does the writer.

    Parameters
    ----------
    searchers: of a search of the same problem; what they remember is not searched again, and what is missing
        is added.

    Attributes
    ----------
    infinite: more than any cost; as a bound: no strategy keeps the limit.
    """

    infinite: int

    def __init__(
        self, problem: Problem, room: Resources, searchers: MutableMapping[Any, Any] | None = None
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

    # -- what the checker of such games knows ----------------------------------------------------------

    @abstractmethod
    def begin(self, within: int | None, bound: Goal) -> tuple[P, int]:
        """Forget what other proofs rest on; return the whole game, and the bound as one number."""

    @abstractmethod
    def open(self, part: P, bound: int, path: Path) -> OpenClaim[P]:
        """Return a claim with the guesses that need lemmas; at the root, only a first guess that is fixed."""

    @abstractmethod
    def ask(self, claim: OpenClaim[P], guess: int) -> tuple[int, list[P]] | None:
        """Return at least what a guess costs, and the parts that it leaves; None: as much as is claimed."""

    @abstractmethod
    def value(self, part: P, most: int, path: Path) -> int:
        """Return what a part costs if that is below `most`, otherwise at least `most`; raise TimeUp."""

    def found(self, part: P, most: int, path: Path) -> int:  # noqa: ARG002 - as `value`
        """Return at least what a part costs after the guess at the end of a path, without a search."""
        return 0

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

        Raises ProofError if the bound is false.
        """
        part, target = self.begin(within, bound)
        claim = self.open(part, target, ())
        items: list[str] = []
        reached = target
        for i, (guess, known) in enumerate(claim.weak):
            try:
                for item, gain in self.lemmas(claim, guess, ()):
                    items.append(item)
                    known += gain
            except TimeUp:
                others = [least for _, least in claim.weak[i + 1 :]]
                reached = 0 if target >= self.infinite else min(known, target, *others)
                break
        body = body_of([*claim.renamings, *self.small_sets(), *items])
        return Proof(self.goal(reached), body, lemmas_in(body))

    def _lemma(self, part: ProofPart, bound: int, path: Path, above: Claim) -> str:
        """Return the body of a lemma about a part."""
        if above.counted(len(part.candidates), part.depth) >= bound:
            return "."
        return self._written(part, bound, path)

    def lemma_body(self, claim: OpenClaim[P], part: P, bound: int, path: Path) -> str:  # noqa: ARG002 - see CountedWriter
        """Return the body of a lemma about a part of a claim."""
        return self.body(part, bound, path)

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

    def needed(self, claim: OpenClaim[P], known: int, parts: Sequence[P], path: Path) -> list[tuple[P, int]]:
        """Return parts with bounds that show what the guess at the end of a path costs; raise ProofError."""
        for value_of in (self.found, self.value):
            needed = self._needed(claim, known, parts, path, value_of)
            if needed:
                return needed
        raise ProofError(f"{self.problem.game.spec}: {self.false(claim, path)}")

    def _needed(
        self,
        claim: OpenClaim[P],
        known: int,
        parts: Sequence[P],
        path: Path,
        value_of: Callable[[P, int, Path], int],
    ) -> list[tuple[P, int]]:
        """Return parts with bounds that show what a guess costs; none: the values are not enough."""
        whole, missing = claim.bound >= self.infinite, claim.bound - known
        raised: list[tuple[int, P]] = []
        for part in parts:
            most = self.infinite if whole else part.bound + missing
            value = min(value_of(part, most, path), most)
            if whole and value >= self.infinite:
                return [(part, value)]
            if value > part.bound:
                raised.append((value - part.bound, part))
                missing -= value - part.bound
            if missing <= 0:
                return [(part, part.bound + gain) for part, gain in least_needed(raised, -missing)]
        return []

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


def least_needed(gains: list[tuple[int, T]], excess: int) -> list[tuple[T, int]]:
    """Return which gains are needed, and how much of each, if they add up to so much too much.

    The smallest are left out first; what is then too much is taken from the next.
    """
    needed: list[tuple[T, int]] = []
    for gain, what in sorted(gains, key=lambda pair: pair[0]):
        less = min(excess, gain)
        excess -= less
        if gain > less:
            needed.append((what, gain - less))
    return needed
