"""A certificate as an argument: why each guess costs what is claimed, counted and added up again.

The checker in `verify` has accepted the certificate. What is here says *how* it is true: of every claim that
is to be explained, which guesses counting excludes (L2 to L4), which a look one step ahead does (L5), and
which rest on lemmas.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import claims as kernel

from ..claims import checker_of
from ..errors import GuesstreeError
from ..problem import Problem
from ..state import Ints, everything, split
from .alike import Alike
from .items import ProofItem, bound_of, inside, items_of
from .nested import proved_before, read_nested
from .renaming import renaming_of
from .statement import certificate_names

INFINITE: int = kernel.INFINITE
"""What a set costs that cannot be settled within the guesses that are left."""
AT_ONCE = 4096
"""Guesses whose parts are counted at a time."""
MOST_FIRST, MOST_INSIDE = 12, 4
"""Guesses that are shown part by part: of the whole, and of a lemma."""
Sums = NDArray[np.int64]
Path = tuple[tuple[int, int], ...]
"""Guesses, each with the response of the game to it."""


@dataclass(eq=False)
class Lemma:
    """A claim of a certificate: a set costs at least a bound, after some guesses and responses.

    Attributes
    ----------
    number: its place, such as ``2.1``; empty: the claim of the whole.
    depth: the guesses left that can matter.
    renamings: the words of those that keep the set.
    inside: lemmas of its own proof.
    small: whether it is a small set, which a certificate lists.
    way: positions and colours of a renaming that takes the set to that of a lemma proved before.
    image: this lemma, and where each member goes, as soon as that is known.
    """

    number: str
    members: Ints
    depth: int
    bound: int
    path: Path = ()
    renamings: list[tuple[str, ...]] = field(default_factory=list)
    inside: list[Lemma] = field(default_factory=list)
    small: bool = False
    way: tuple[str, ...] = ()
    image: tuple[Lemma, Ints] | None = None

    @property
    def original(self) -> Lemma:
        """The lemma that this one renames, or itself."""
        lemma = self
        while lemma.image is not None:
            lemma = lemma.image[0]
        return lemma


@dataclass(frozen=True)
class Look:
    """What a set costs by its best guess, one step ahead: the guess, and at least what its parts cost."""

    guess: int
    parts: list[int]


@dataclass(frozen=True)
class ShownPart:
    """A part that a guess leaves, and at least what it costs: by counting, one step ahead, by a lemma.

    Attributes
    ----------
    response: as the game numbers it.
    look: the best guess for it, where a look ahead says more than counting.
    lemma: the number of the lemma about it that says more than a look ahead; empty: there is none.
    """

    response: int
    members: Ints
    counted: int
    ahead: int
    known: int
    look: Look | None
    lemma: str


@dataclass(frozen=True)
class ShownGuess:
    """A guess with its parts, the largest first, and at least what it costs if it is asked first.

    Attributes
    ----------
    equal: how many guesses are like it, itself included.
    wins: whether one secret is won by it.
    """

    guess: int
    equal: int
    wins: bool
    parts: list[ShownPart]
    counted: int
    ahead: int
    known: int


@dataclass(frozen=True)
class Account:
    """Why a claim is true, guess by guess.

    Attributes
    ----------
    counts: at least what 0, 1, 2, ... secrets of the set cost by counting, with one guess less.
    most: the most different responses that a guess gets from the set.
    whole: what counting says of the set itself.
    allowed: how many guesses may be asked.
    useless, few, uneven, small, ahead, proved: how many of these tell nothing; leave too few parts; parts
        that are too uneven; leave one of the small sets whole; cost enough one step ahead; by lemmas.
    kinds: how many kinds of guesses there are, up to renaming; of those that count for `ahead` and `proved`.
    guesses: some that counting does not exclude, one of each kind: first those that rest on lemmas, and of
        these and of the others those first of which counting says least.
    excluded: some that counting excludes, in the same way.
    """

    counts: Sums
    most: int
    whole: int
    allowed: int
    useless: int
    few: int
    uneven: int
    small: int
    ahead: int
    proved: int
    kinds: dict[str, int]
    guesses: list[ShownGuess]
    excluded: list[ShownGuess]


class Argument:
    """The claims of a certificate, and why they are true.

    Parameters
    ----------
    problem: the game, goal and first guess of the certificate.
    within, bound: its limit of guesses and its claim; None: no limit, and no strategy.
    body: its items.

    Attributes
    ----------
    root: the claim of the whole.
    lemmas, small: all lemmas, and the small sets, in the order of the certificate.

    Raises GuesstreeError for a body that does not fit the game.
    """

    def __init__(self, problem: Problem, within: int | None, bound: int | None, body: str) -> None:
        self.problem = problem
        self.fresh, self.checker = checker_of(problem), checker_of(problem)
        self.every = everything(len(problem.own))
        guesses, secrets = certificate_names(problem)
        self.guess_number = {name: i for i, name in enumerate(guesses)}
        self.secret_number = {name: i for i, name in enumerate(secrets)}
        self.alike = Alike(problem, self.fresh)
        everyone = everything(problem.secrets)
        depth = self.fresh.depth(len(everyone), problem.secrets if within is None else within)
        self.root = Lemma("", everyone, depth, INFINITE if bound is None else bound)
        self.lemmas: list[Lemma] = []
        self.small: list[Lemma] = []
        self.proved: dict[bytes, list[Lemma]] = {}
        read_nested(items_of(inside(body)), self.root, self._read)

    # -- the certificate -----------------------------------------------------------------------------------

    def _read(self, item: ProofItem, above: Lemma) -> Lemma:
        """Take an item that stands inside a claim; return the claim that it makes."""
        if item.words[0] == "=":
            above.renamings.append(item.words[1:])
            return above
        if item.words[0] == "!":
            small = self._small(item.words)
            small.way = item.way
            self.small.append(small)
            return small
        lemma = self._lemma(item.words, above)
        lemma.way = item.way
        above.inside.append(lemma)
        self.lemmas.append(lemma)
        return lemma

    def _small(self, words: Sequence[str]) -> Lemma:
        names = words[3 : 3 + int(words[1])]
        members = np.array([self._place(self.secret_number, name) for name in names], dtype=np.int32)
        return Lemma(f"S{len(self.small) + 1}", members, int(words[2]), INFINITE, small=True)

    def _lemma(self, words: Sequence[str], above: Lemma) -> Lemma:
        guess, secret = self._place(self.guess_number, words[0]), self._place(self.secret_number, words[1])
        row = self.problem.row(guess, above.members)
        at = np.flatnonzero(above.members == secret)
        if not len(at):
            raise GuesstreeError(f"{' '.join(words)!r} is no lemma about a part of the set")
        members = np.ascontiguousarray(above.members[row == row[at[0]]])
        number = f"{above.number}.{len(above.inside) + 1}".removeprefix(".")
        path = (*above.path, (guess, self.problem.told(guess, int(row[at[0]]))))
        depth = self.fresh.depth(len(members), max(above.depth - 1, 0))
        return Lemma(number, members, depth, bound_of(words[2]), path)

    def _place(self, numbers: dict[str, int], name: str) -> int:
        if name not in numbers:
            raise GuesstreeError(f"{name[:40]!r} is no guess or no secret of {self.problem.game.spec}")
        return numbers[name]

    # -- from the first claim to the last ------------------------------------------------------------------

    def accounts(self, wanted: Sequence[Lemma]) -> Iterator[tuple[Lemma, Account]]:
        """Yield some claims with why they are true, in the order in which they rest on each other.

        Of one that renames another it is why that is true.
        """
        some = {id(lemma) for lemma in wanted}
        small = [one for lemma in self.small for one in (*proved_before(lemma), lemma)]
        for lemma in (*small, *proved_before(self.root)):
            if lemma.way:
                lemma.image = self._image(lemma)
            if id(lemma) in some:
                yield lemma, self.account(lemma.original)
            self._remember(lemma)
        yield self.root, self.account(self.root)

    def _remember(self, lemma: Lemma) -> None:
        self.checker.remember(lemma.members, lemma.depth, lemma.bound, self._under(self.checker, lemma))
        self.proved.setdefault(lemma.members.tobytes(), []).append(lemma)

    def _image(self, lemma: Lemma) -> tuple[Lemma, Ints]:
        """Return the lemma proved before that one renames, and where each of its members goes (L8)."""
        if self.alike.codes is None:
            raise GuesstreeError(f"lemma {lemma.number} renames another; expected that of codes only")
        to = self.alike.codes.image(renaming_of(*lemma.way))[lemma.members].astype(np.int32)
        for one in self.proved.get(np.sort(to).tobytes(), ()):
            if one.depth >= lemma.depth and one.bound >= lemma.bound:
                return one, to
        raise GuesstreeError(f"lemma {lemma.number} renames none that is proved before")

    def gain(self, lemma: Lemma) -> int:
        """Return by how much a lemma is more than what counting says of as many secrets."""
        return lemma.bound - self._root_counts(len(lemma.members), lemma.depth)

    def room(self, depth: int) -> int:
        """Return how many secrets a number of guesses settles at most, by counting."""
        n = 1
        while n < self.problem.secrets and self._root_counts(n + 1, depth) < INFINITE:
            n += 1
        return n

    def largest_parts(self, most: int) -> list[int]:
        """Return how large the largest part is at most that a guess leaves of all secrets, the second, ...

        `most`: so many parts there are at most.
        """
        parts = -np.array(self.problem.profile, dtype=np.int64)  # it falls
        places = np.arange(min(most, -int(parts.min(initial=0))))
        return np.searchsorted(parts, -places).tolist()  # so many sizes are left by more parts

    def filled(self, most: int, room: int) -> tuple[int, list[int]]:
        """Return how many secrets a guess settles itself, and of its parts, if of each `room` can be.

        `most`: so many parts there are at most, the one that is won included: either the guess settles one
        secret, and one part less is left, or all parts are left; see L2.
        """
        filled = [min(size, room) for size in self.largest_parts(most)]
        if self.problem.winning < 0:
            return 0, filled
        won = filled[: most - 1]
        return (0, filled) if sum(filled) > 1 + sum(won) and not self.problem.candidates_only else (1, won)

    def capped_from(self, account: Account, largest: int) -> int:
        """Return from how many secrets on, at most `largest`, counting says more than the most parts alone.

        That is where the sizes of the largest parts of all secrets matter (L2); 0: nowhere.
        """
        if self.problem.winning < 0 or account.most < 3:
            return 0
        plainly = [0, 1]
        for n in range(2, largest + 1):
            ways = [even_split(plainly, n - 1, account.most - 1)]
            if not self.problem.candidates_only:
                ways.append(even_split(plainly, n, account.most))
            plainly.append(n + min(ways))
            if account.counts[n] > plainly[n]:
                return n
        return 0

    @cached_property
    def _whole(self) -> Any:
        """What a checker knows of the whole game."""
        return kernel.Claim(self.fresh, self.root.members, self.root.depth, self.root.bound)

    def _root_counts(self, n: int, depth: int) -> int:
        counted: int = self._whole.counted(n, depth)
        return counted

    # -- one claim -----------------------------------------------------------------------------------------

    def account(self, lemma: Lemma) -> Account:
        """Return why a claim is true, given all that is remembered."""
        first = self.problem.first if lemma is self.root else None
        members, bound = lemma.members, lemma.bound
        alone = self._claim(self.fresh, lemma)
        counts = self.counts(alone, len(members), alone.depth - 1)
        allowed = self._allowed(lemma)
        parts, wins, sums = self._split(members, allowed, counts)
        most = int((parts + wins).max(initial=0))
        if first is not None:
            parts, wins, sums = (found[allowed == first] for found in (parts, wins, sums))
            allowed = np.array([first], dtype=np.int32)
        useless = (parts == 1) & ~wins & (len(members) > 1) & (first is None)
        few = ~useless & (self._evenly(len(members), parts, wins, counts) >= bound)
        uneven = ~useless & ~few & (sums >= bound)
        whole = int(alone.counted(len(members), alone.depth))
        weak = allowed[~useless & ~few & ~uneven] if whole < bound else allowed[:0]
        held = np.setdiff1d(weak, self._spared(lemma, weak))
        weak = np.setdiff1d(weak, held)
        orbit = self._orbits(lemma)
        ahead, failing, settled = self._settled(lemma, alone, weak, orbit)
        groups = {"allowed": allowed, "few": allowed[few], "uneven": allowed[uneven]}
        groups |= {"ahead": ahead, "proved": failing}
        said = dict(zip(allowed.tolist(), sums.tolist(), strict=True))
        each = {name: self._one_of_each(those, orbit, said) for name, those in groups.items()}
        each["proved"] = [settled[int(orbit[guess])] for guess in each["proved"]]
        some = MOST_FIRST if lemma is self.root else MOST_INSIDE

        def show(guesses: list[int]) -> list[ShownGuess]:
            return [self._shown(lemma, counts, orbit, guess) for guess in guesses[:some]]

        return Account(
            counts=counts,
            most=most,
            whole=whole,
            allowed=len(allowed),
            useless=int(useless.sum()),
            few=int(few.sum()),
            uneven=int(uneven.sum()),
            small=len(held),
            ahead=len(ahead),
            proved=len(failing),
            kinds={name: len(some) for name, some in each.items()},
            guesses=show(each["proved"] + each["ahead"]),
            excluded=show(self._one_of_each(allowed[few | uneven], orbit, said)),
        )

    def _shown(self, lemma: Lemma, counts: Sums, orbit: NDArray[np.int64], guess: int) -> ShownGuess:
        """Return what a guess costs in a claim, part by part, given all that is remembered."""
        found = []
        for checker in (self.fresh, self.checker):
            claim = self._claim(checker, lemma)
            parts = claim.parts_of(guess, INFINITE - 1)
            found.append({int(part[0]): (part, bound) for part, bound in parts})
        row = self.problem.told_row(guess, lemma.members)
        told = dict(zip(lemma.members.tolist(), row.tolist(), strict=True))
        alone, rest = found
        shown = []
        for secret, (members, ahead) in alone.items():
            counted, known = int(counts[len(members)]), max(ahead, rest[secret][1])
            path = (*lemma.path, (guess, told[secret]))
            number = self._lemma_of(members, lemma.depth - 1, path, known) if known > ahead else ""
            look = self._look(lemma, guess, told[secret], members) if ahead > counted else None
            shown.append(ShownPart(told[secret], members, counted, max(ahead, counted), known, look, number))
        shown.sort(key=lambda part: (-len(part.members), part.response))
        wins = self.problem.winning >= 0 and bool(np.isin(self.problem.own[guess], lemma.members))
        equal = int((orbit[self._allowed(lemma)] == orbit[guess]).sum())
        totals = [
            len(lemma.members) + sum(bounds)
            for bounds in zip(*((part.counted, part.ahead, part.known) for part in shown), strict=True)
        ] or [len(lemma.members)] * 3
        return ShownGuess(guess, equal, wins, shown, *(min(total, INFINITE) for total in totals))

    def _look(self, lemma: Lemma, guess: int, response: int, members: Ints) -> Look | None:
        """Return the best guess for a part, one step ahead, by the counting of the claim (L5), or None."""
        path = (*lemma.path, (guess, response))
        outer = self._claim(self.fresh, lemma)
        counts = self.counts(outer, len(members), lemma.depth - 2)
        allowed = self._allowed(Lemma("", members, max(lemma.depth - 1, 0), 0, path))
        if not len(allowed):
            return None
        parts, wins, sums = self._split(members, allowed, counts)
        sums = np.where((parts == 1) & ~wins, INFINITE, sums)
        inside = np.isin(self.problem.own[allowed], members)
        best = int(allowed[np.lexsort((allowed, ~inside, sums))[0]])
        row = self.problem.row(best, members)
        pieces = [len(some) for answer, some in split(row, members) if answer != self.problem.winning]
        return Look(best, sorted((int(counts[n]) for n in pieces), reverse=True))

    def _claim(self, checker: Any, lemma: Lemma) -> Any:
        """Return a claim as a checker has it; its first guess is fixed where that of the whole is."""
        first = self.problem.first if lemma is self.root else None
        under = self._under(checker, lemma)
        return kernel.Claim(checker, lemma.members, lemma.depth, lemma.bound, first, under)

    def _under(self, checker: Any, lemma: Lemma) -> int:
        """Return the number that a checker has for what the guesses before a lemma demand; 0: nothing."""
        under = 0
        for guess, _ in lemma.path:
            under = checker.demanded(under, guess, int(lemma.members[0]))
        return under

    def counts(self, claim: Any, n: int, depth: int) -> Sums:
        """Return at least what 0 to n secrets of a claim cost by counting; int64, shape (n + 1,)."""
        return np.array([claim.counted(m, depth) if m else 0 for m in range(n + 1)], dtype=np.int64)

    def _allowed(self, lemma: Lemma) -> Ints:
        """Return the guesses that may be asked."""
        needs = self.problem.needs(tuple(lemma.path)) if lemma.path else None
        return self.problem.allowed(lemma.members, needs)

    def _split(
        self, members: Ints, guesses: Ints, counts: Sums
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_], Sums]:
        """Return how many parts each guess leaves, whether it may win, and what it costs by counting."""
        parts = np.zeros(len(guesses), dtype=np.int64)
        wins, sums = np.zeros(len(guesses), dtype=bool), np.zeros(len(guesses), dtype=np.int64)
        for start in range(0, len(guesses), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            sizes = self.problem.sizes(guesses[some], members)
            if self.problem.winning >= 0:
                wins[some] = sizes[:, self.problem.winning] > 0
                sizes[:, self.problem.winning] = 0
            parts[some] = (sizes > 0).sum(axis=1)
            sums[some] = np.minimum(len(members) + counts[sizes].sum(axis=1), INFINITE)
        return parts, wins, sums

    def _evenly(
        self, n: int, parts: NDArray[np.int64], wins: NDArray[np.bool_], counts: Sums
    ) -> NDArray[np.int64]:
        """Return at least what guesses cost that leave so many parts, however even (L4)."""
        found = np.empty(len(parts), dtype=np.int64)
        for k, won in {*zip(parts.tolist(), wins.tolist(), strict=True)}:
            if k == 0:
                least = n
            elif self.problem.winning < 0:
                size = -(-n // k)
                least = INFINITE if counts[size] >= INFINITE else n if k == n else 2 * n - k + 1
            else:
                least = n + even_split(counts, n - won, k)
            found[(parts == k) & (wins == won)] = min(least, INFINITE)
        return found

    def _spared(self, lemma: Lemma, guesses: Ints) -> Ints:
        """Return the guesses that leave none of the small sets whole (L7)."""
        inside = np.zeros(self.problem.secrets, dtype=bool)
        inside[lemma.members] = True
        sets = [s.members for s in self.small if s.depth >= lemma.depth - 1 and inside[s.members].all()]
        if lemma.bound < INFINITE or not sets or not len(guesses):
            return guesses
        padded = np.full((len(sets), max(map(len, sets))), 0, dtype=np.int32)
        for row, members in zip(padded, sets, strict=True):
            row[: len(members)] = members
        sizes = np.array([len(members) for members in sets], dtype=np.int32)
        spared: Ints = guesses[self.fresh.whole(np.ascontiguousarray(guesses), padded, sizes) < 0]
        return spared

    def _settled(
        self, lemma: Lemma, alone: Any, weak: Ints, orbit: NDArray[np.int64]
    ) -> tuple[Ints, Ints, dict[int, int]]:
        """Return which guesses a look ahead settles, and which lemmas do, with one of each kind that they do.

        It is enough to look at one guess of each kind; with lemmas, at one to which they fit. Raises
        GuesstreeError where there is none: the certificate was checked, so that cannot be.
        """
        kinds = orbit[weak]
        failing, _ = alone.failing(np.ascontiguousarray(weak[np.unique(kinds, return_index=True)[1]]))
        claim = self._claim(self.checker, lemma)
        named = [below.path[-1][0] for below in lemma.inside]
        settled: dict[int, int] = {}
        for kind in orbit[failing].tolist():
            same = weak[kinds == kind].tolist()
            for guess in dict.fromkeys([*(g for g in named if orbit[g] == kind), *same]):
                if not len(claim.failing(np.array([guess], dtype=np.int32))[0]):
                    settled[kind] = guess
                    break
            else:
                if not any(self._by_fuller_look(lemma, alone, guess) for guess in same):
                    label = self.problem.game.guesses[same[0]]
                    raise GuesstreeError(
                        f"{self.problem.game.spec}: what is shown of {label!r} is less than {lemma.bound}: "
                        "the checker knows more than can be explained here"
                    )
        proved = np.isin(kinds, list(settled))
        return weak[~proved], weak[proved], settled

    def _by_fuller_look(self, lemma: Lemma, alone: Any, guess: int) -> bool:
        """Return whether a guess costs enough if each part is counted with its own most parts (L3, L5)."""
        row, total = self.problem.row(guess, lemma.members), len(lemma.members)
        for response, members in split(row, lemma.members):
            if response == self.problem.winning:
                continue
            members = np.ascontiguousarray(members)
            least = int(alone.counted(len(members), alone.depth - 1))
            path = (*lemma.path, (guess, self.problem.told(guess, response)))
            for known in self._proved_of(members, alone.depth - 1, path):
                least = max(least, known.bound)
            below = Lemma("", members, alone.depth - 1, 0, path)
            own = self._claim(self.fresh, below)
            counts = self.counts(own, len(members), own.depth - 1)
            allowed = self._allowed(below)
            parts, wins, sums = self._split(members, allowed, counts)
            useful = sums[(parts > 1) | wins]
            if len(members) > 1:
                least = max(least, int(useful.min(initial=INFINITE)))
            total += least
        return total >= lemma.bound

    def _proved_of(self, members: Ints, depth: int, path: Path) -> list[Lemma]:
        """Return the lemmas about a set that hold with so many guesses left, first those of the same guesses.

        Where the history limits guesses, no others count: other guesses may have demanded more.
        """
        depth = self.fresh.depth(len(members), max(depth, 0))
        found = [one for one in self.proved.get(members.tobytes(), []) if one.depth >= depth]
        same = [one for one in found if one.path == path]
        return same if self.problem.rules is not None else [*same, *found]

    def _lemma_of(self, members: Ints, depth: int, path: Path, bound: int) -> str:
        """Return the number of a lemma about a set, or a small set in it; empty: there is none."""
        proved = self._proved_of(members, depth, path) or self.proved.get(members.tobytes(), [])
        numbers = [one.number for one in proved if one.bound >= bound]
        numbers += [one.number for one in self.small if np.isin(one.members, members).all()]
        return next(iter(numbers), "")

    def _one_of_each(self, guesses: Ints, orbit: NDArray[np.int64], sums: dict[int, int]) -> list[int]:
        """Return one guess of each kind, those with the least sums first."""
        ordered = sorted(guesses.tolist(), key=lambda g: (sums[g], g))
        return list({int(orbit[g]): g for g in reversed(ordered)}.values())[::-1]

    @cached_property
    def first_kinds(self) -> NDArray[np.int64]:
        """Which first guesses renamings make equal, by the least of each kind; shape (guesses,)."""
        return self._orbits(self.root)

    def _orbits(self, lemma: Lemma) -> NDArray[np.int64]:
        """Return which guesses renamings of a claim make equal, by the least of each kind."""
        return self.alike.orbits(lemma.members, lemma.renamings)


def even_split(counts: Sequence[int] | Sums, n: int, parts: int) -> int:
    """Return what n secrets cost in parts of sizes that differ by one at most."""
    size, more = divmod(n, parts)
    return (parts - more) * int(counts[size]) + (more * int(counts[size + 1]) if more else 0)
