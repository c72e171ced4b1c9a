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
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from guesstree.cext import kernels

from ..errors import GuesstreeError
from ..problem import Problem
from ..search.deadline import TimeUp
from ..search.space import Resources
from ..state import Ints
from ..symmetry.groups import Permutation
from .items import EMPTY, body_of, lemmas_in
from .renaming import CodeRenamings, Equal, SetRenaming, SetRenamings, orbits_among, set_renamings
from .statement import Goal, certificate_names, is_table

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


NOTHING = Proof(0, EMPTY, 0)
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
    others: the guesses equivalent to those of `weak`, where lemmas may be shorter than renamings.
    """

    part: P
    bound: int
    weak: list[tuple[int, int]]
    renamings: list[str]
    others: Sequence[int] = field(default=(), kw_only=True)


class Writer(ABC, Generic[P]):
    """Writes proofs for one problem; the checker remembers what is proved, and so does the writer.

    Parameters
    ----------
    searchers: of a search of the same problem; what they remember is not searched again, and what is missing
        is added.

    Attributes
    ----------
    infinite: more than any cost; as a bound: no strategy keeps the limit.
    checker: what finds what a checker finds; its `orbits` says what renamings of secrets make equal.
    """

    infinite: int
    checker: Any

    def __init__(
        self, problem: Problem, room: Resources, searchers: MutableMapping[Any, Any] | None = None
    ) -> None:
        self.problem, self.room, self.stopped = problem, room, False
        self.searchers = {} if searchers is None else searchers
        self.guesses, self.secrets = certificate_names(problem)
        self.renamings = None
        if problem.codes is not None and not is_table(problem.game):
            self.renamings = CodeRenamings(problem.codes.digits, separate=problem.codes.symbols == 0)

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

    @abstractmethod
    def remember(self, part: P, bound: int) -> None:
        """Note that a lemma is proved."""

    @abstractmethod
    def step(self, guess: int, part: P) -> int:
        """Return what stands behind a guess in the path to a part."""

    @abstractmethod
    def false(self, claim: OpenClaim[P], path: Path) -> str:
        """Return why a claim is false, of which a path ends with the guess that costs less."""

    def lemma(self, guess: int, part: P, bound: int) -> str:
        """Return a lemma about a part without its body."""
        return f"{self.guess_name(guess)} {self.secrets[part.candidates[0]]} {self.bound_text(bound)}"

    def guess_name(self, guess: int) -> str:
        """Return a guess as a lemma names it."""
        return self.guesses[guess]

    def bound_text(self, bound: int) -> str:
        """Return a bound as a lemma has it."""
        return "inf" if bound >= self.infinite else str(bound)

    def goal(self, bound: int) -> Goal:
        """Return the bound of the whole game as its certificate has it."""
        return None if bound >= self.infinite else bound

    def root(self, within: int | None, bound: Goal) -> Proof:
        """Return the proof of a bound of the whole game; when stopped, of the best bound proved by then.

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
        else:  # what was begun and is not written is remembered as if it were
            with suppress(TimeUp):
                items = self.items(claim, items, ())
        body = body_of([*claim.renamings, *self.small_sets(), *items])
        return Proof(self.goal(reached), body, lemmas_in(body))

    # -- first guess by first guess, perhaps in other processes ----------------------------------------

    def first_guesses(self, within: int | None, bound: Goal) -> list[int]:
        """Return the first guesses that need lemmas for a bound of the whole game. Raises TimeUp."""
        claim = self.opened(within, bound)
        return [guess for guess, _ in claim.weak if self.ask(claim, guess) is not None]

    def first_lemmas(self, guess: int, within: int | None, bound: Goal) -> str:
        """Return lemmas enough for one first guess, which need no others. Raises TimeUp, ProofError."""
        return "\n".join(item for item, _ in self.lemmas(self.opened(within, bound), guess, ()))

    def put_together(self, within: int | None, bound: Goal, texts: Sequence[str]) -> Proof:
        """Return the proof from the lemmas of all first guesses that need any."""
        claim = self.opened(within, bound)
        body = body_of([*claim.renamings, *(text for text in texts if text)])
        return Proof(self.goal(claim.bound), body, lemmas_in(body))

    def opened(self, within: int | None, bound: Goal) -> OpenClaim[P]:
        """Return the claim about the whole game."""
        return self.open(*self.begin(within, bound), ())

    # -- claims ----------------------------------------------------------------------------------------

    def body(self, part: P, bound: int, path: Path) -> str:
        """Return the body of a claim about a part. Raises TimeUp, ProofError."""
        claim = self.open(part, bound, path)
        items = [item for guess, _ in claim.weak for item, _ in self.lemmas(claim, guess, path)]
        items = self.items(claim, items, path)
        return body_of([*claim.renamings, *items])

    def items(self, claim: OpenClaim[P], items: list[str], path: Path) -> list[str]:
        """Return the lemmas of a claim, without renamings if lemmas of the others are likely shorter."""
        lengths = [sum(map(len, texts)) for texts in (claim.renamings, items)]
        if not claim.others or lengths[0] * len(claim.weak) <= lengths[1] * len(claim.others):
            return items
        more = [item for guess in claim.others for item, _ in self.lemmas(claim, guess, path)]
        claim.renamings = []
        return items + more

    def lemma_body(self, claim: OpenClaim[P], part: P, bound: int, path: Path) -> str:  # noqa: ARG002 - see CountedWriter
        """Return the body of a lemma about a part of a claim."""
        return self.body(part, bound, path)

    def small_sets(self) -> list[str]:
        """Return the items that the last claims need at the top level."""
        return []

    def lemmas(self, claim: OpenClaim[P], guess: int, path: Path) -> Iterator[tuple[str, int]]:
        """Yield lemmas that show that a guess costs enough, each with how much it raises what is known."""
        asked = self.ask(claim, guess)
        if asked is None:
            return
        for part, bound in self.needed(claim, *asked, (*path, guess)):
            body = self.lemma_body(claim, part, bound, (*path, guess, self.step(guess, part)))
            self.remember(part, bound)
            yield f"{self.lemma(guess, part, bound)} {body}", bound - part.bound
        if self.ask(claim, guess) is not None:
            raise RuntimeError(f"{self.guess_name(guess)} is not shown to cost {claim.bound}, though it does")

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

    def equal(self, part: P, weak: Ints, path: Path) -> Equal:
        """Return which of the guesses that may need lemmas in a part are equal."""
        if len(weak) < 2:
            return Equal(weak, weak.astype(np.int64), lambda _: [], spared=True)
        if self.renamings is not None:
            named = self.renamings.after(path[::2])
            images, spared = list(named.values()), False
            items: Callable[[Ints], list[str]] = partial(enough, images=named) if named else lambda _: []
        elif is_table(self.problem.game):
            those, some = self.renamings_of(part, path)
            images, spared = [one.image for one in some], True
            items = partial(those.fewer, renamings=some)
        else:
            return Equal(weak, weak.astype(np.int64), lambda _: [], spared=True)
        return Equal(weak, orbits_among(weak, images), items, spared)

    def renamings_of(self, part: P, path: Path) -> tuple[SetRenamings, list[SetRenaming]]:  # noqa: ARG002 - see PricedWriter
        """Return what makes renamings of a part of a table, and some that generate all (L9, P9, F2)."""
        those = SetRenamings(part.candidates, self.secrets, self.checker.orbits)
        found = map(those.of, set_renamings(self.problem, part.candidates, self.alike(part)))
        return those, [renaming for renaming in found if renaming is not None]

    def alike(self, part: P) -> Ints:
        """Return what the secrets of a part have in common with those that they may be renamed to."""
        return self.problem.weights[part.candidates].astype(np.int32)


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


def enough(weak: Ints, images: Mapping[str, Permutation]) -> list[str]:
    """Return renamings that have the orbits of some guesses that all of them have, as few as is easy."""
    items = list(images)
    moved = [images[item] for item in items]
    return [items[at] for at in kernels.enough(len(moved[0]), moved, weak.astype(np.int64))] if items else []


def bits_of(candidates: Ints, secrets: int) -> int:
    """Return a set of secrets as the bits of a number."""
    members = np.zeros(secrets, dtype=bool)
    members[candidates] = True
    return int.from_bytes(np.packbits(members).tobytes(), "big")
