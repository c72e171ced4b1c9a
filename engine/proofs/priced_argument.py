"""A certificate with costs or weights as an argument: why each guess costs what is claimed, added up again.

As `argument`, of the lemmas of verify/PRICED.md: what a set costs by counting (P3 to P5), one step ahead
(P6), and by lemmas. The checker counts with the guesses that tell the whole game apart, here those that tell
a set apart count alone: by facts (i) and (ii) no others are asked of it. Of candidates only (P7) these are
the guesses that win on one of its secrets. The checker searches small sets to the end; here each step of that
is a lemma of its own, so that a reader can follow it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import priced_claims as kernel

from ..errors import GuesstreeError
from ..problem import Problem
from ..state import Ints, everything
from .alike import moved_by
from .items import ProofItem, bound_of, inside, items_of
from .nested import proved_before, read_nested
from .statement import Goal

INFINITE: int = kernel.INFINITE
"""What cannot be done within what may be paid; and what may be paid where there is no limit."""
MOST_CELLS = 1 << 14
"""Guesses times secrets of a game that is explained: each guess is tried after each guess."""
MOST_OWN = 200
"""Lemmas that are added to those of a certificate."""
NO_GUESS = -1
"""In place of a guess: only what costs nothing is asked (P2)."""
Sums = NDArray[np.int64]
Path = tuple[tuple[int, int], ...]
"""Guesses, each with one of the secrets of the part that is left."""


@dataclass(eq=False)
class PricedLemma:
    """A set costs at least a bound, if each of its secrets may still pay so much.

    Attributes
    ----------
    number: its place in the certificate, such as ``2.1``, or letters for one that the certificate does not
        need; empty: the claim of the whole.
    left: what a secret may still pay; `INFINITE`: any amount.
    path: what was asked before; empty: the set may be left after other guesses.
    renamings: where renamings take the secrets of the set, in their order.
    inside: lemmas of its own proof.
    """

    number: str
    members: Ints
    left: int
    bound: int
    path: Path = ()
    renamings: list[Ints] = field(default_factory=list)
    inside: list[PricedLemma] = field(default_factory=list)


@dataclass(frozen=True)
class Useful:
    """What is known of the guesses that tell a set apart.

    Attributes
    ----------
    pay: the least that each secret pays for one that does not win on it; int64, in the order of the set.
    unit: the least price of all.
    branches: how many parts one leaves at most, but the one that it wins on; at least 1.
    """

    pay: Sums
    unit: int
    branches: int


@dataclass(frozen=True)
class PricedLook:
    """What a set costs by its best guess, one step ahead: the guess, what is paid, what its parts cost."""

    guess: int
    paid: int
    parts: list[int]


@dataclass(frozen=True)
class PricedPart:
    """An open set that a guess leaves, and at least what it costs: counted, one step ahead, by a lemma."""

    members: Ints
    left: int
    counted: int
    ahead: int
    known: int
    look: PricedLook | None = None
    lemma: str = ""


@dataclass(frozen=True)
class PricedGuess:
    """A guess, what is paid for it and by who is then settled, and its open parts, the largest first.

    Attributes
    ----------
    equal: how many guesses are like it, itself included.
    counted, ahead, known: at least what it costs in all, by the bounds of its parts.
    """

    guess: int
    equal: int
    paid: int
    parts: list[PricedPart]

    @property
    def counted(self) -> int:
        """At least what it costs by counting."""
        return min(INFINITE, self.paid + sum(part.counted for part in self.parts))

    @property
    def ahead(self) -> int:
        """At least what it costs one step ahead."""
        return min(INFINITE, self.paid + sum(part.ahead for part in self.parts))

    @property
    def known(self) -> int:
        """At least what it costs with lemmas."""
        return min(INFINITE, self.paid + sum(part.known for part in self.parts))


@dataclass(frozen=True)
class PricedAccount:
    """Why a claim is true, guess by guess.

    Attributes
    ----------
    useful: what is known of the guesses that tell the set apart.
    counted: what counting says of the set itself, P5 included.
    useless: how many guesses tell nothing; of candidates only, how many may not be asked.
    guesses: one of each kind of the others, the least costly by counting first; empty if counting is enough.
    """

    useful: Useful
    counted: int
    useless: int
    guesses: list[PricedGuess]


class PricedArgument:
    """The claims of a certificate with costs, and why they are true.

    Parameters
    ----------
    problem: the game, goal and first guess of the certificate.
    within, bound: what a secret may pay, and the claim; None: any amount, and no strategy. A tuple: at least
        so much is lost, or at least so much is lost and then paid by others.
    body: its items.

    Attributes
    ----------
    root: the claim of the whole.
    penalty, rate: a unit of weight that is lost costs the penalty, and the rate times what it might still
        pay; another one the rate times what it pays.
    each_lost: what a unit of weight that is lost costs from the beginning; 0: nothing may be lost.
    lemmas: all lemmas of the certificate.
    own: those that are added, see above.
    only: whether a guess may be asked only where it wins on a secret that is left (P7).

    Raises GuesstreeError for a game that is too large, and a body that does not fit it.
    """

    def __init__(self, problem: Problem, within: int | None, bound: Goal, body: str) -> None:
        cells = len(problem.own) * problem.secrets
        if cells > MOST_CELLS:
            raise GuesstreeError(
                f"{problem.game.spec}: {cells} responses; games with costs or weights are explained up "
                f"to {MOST_CELLS}"
            )
        self.problem, self.win, self.only = problem, problem.winning >= 0, problem.candidates_only
        self.table = np.asarray(problem.table, dtype=np.int64)
        self.weight = problem.weights.astype(np.int64)
        self.price = np.take_along_axis(problem.costs, self.table, axis=1)
        self.wins = self.table == problem.winning if self.win else np.zeros(self.table.shape, dtype=bool)
        self.end = np.where(self.wins, self.price, INFINITE).min(axis=0, initial=INFINITE) * self.win
        self.free = bool((self.price == 0).any())
        self.counts: dict[tuple[bytes, int], int] = {}
        self.checker = kernel.Checker(
            problem.table, problem.responses, problem.winning, problem.weights, problem.costs, self.only
        )
        left = INFINITE if within is None else within
        self.penalty, self.rate, self.each_lost = INFINITE, 1, 0
        if isinstance(bound, tuple):
            whole = int(self.weight.sum()) * left + 1
            counted = len(bound) > 1
            self.each_lost = whole if counted else 1
            self.penalty, self.rate = (whole - left, 1) if counted else (1, 0)
            bound = bound[0] * whole + bound[1] if counted else bound[0]
        self.checker.counts(self.penalty, self.rate)
        self.root = PricedLemma("", everything(problem.secrets), left, INFINITE if bound is None else bound)
        self.lemmas: list[PricedLemma] = []
        self.own: dict[tuple[bytes, int], PricedLemma] = {}
        self.adding: dict[tuple[bytes, int], PricedLemma] = {}  # of these more may be needed yet
        self.added = 0
        self.proved: dict[bytes, list[PricedLemma]] = {}
        self.looked: dict[tuple[bytes, int], tuple[int, PricedLook | None]] = {}
        self.secret_number = {str(s + 1): s for s in range(problem.secrets)}
        read_nested(items_of(inside(body)), self.root, self._read)

    # -- the certificate -----------------------------------------------------------------------------------

    def _read(self, item: ProofItem, above: PricedLemma) -> PricedLemma:
        """Take an item that stands inside a claim; return the claim that it makes."""
        if item.words[0] == "=":
            above.renamings.append(moved_by(item.words[1:], above.members, self.secret_number))
            return above
        lemma = self._lemma(item.words, above)
        above.inside.append(lemma)
        self.lemmas.append(lemma)
        return lemma

    def _lemma(self, words: Sequence[str], above: PricedLemma) -> PricedLemma:
        guess = NO_GUESS if words[0] == "-" else int(words[0]) - 1
        secret = int(words[1]) - 1
        found = [part for part in self.asked(above.members, above.left, guess)[1] if secret in part[0]]
        if not found:
            raise GuesstreeError(f"{' '.join(words)!r} is no lemma about a part of the set")
        number = f"{above.number}.{len(above.inside) + 1}".removeprefix(".")
        return PricedLemma(number, *found[0], bound_of(words[2]), (*above.path, (guess, secret)))

    # -- what guesses leave --------------------------------------------------------------------------------

    def telling(self, members: Ints) -> NDArray[np.bool_]:
        """Return of each guess whether it may be asked of a set, and tells it apart."""
        rows = self.table[:, members]
        some: NDArray[np.bool_] = (rows != rows[:, :1]).any(axis=1)
        return some & self.wins[:, members].any(axis=1) if self.only else some

    def each(self, paid: int, left: int) -> int:
        """Return what a unit of weight costs that pays so much."""
        if paid <= left:
            return self.rate * paid
        return INFINITE if self.penalty >= INFINITE else self.penalty + self.rate * left

    def per(self, secret: int, paid: int, left: int) -> int:
        """Return what a secret costs that pays so much, by its weight."""
        return min(INFINITE, int(self.weight[secret]) * self.each(paid, left))

    def asked(self, members: Ints, left: int, guess: int) -> tuple[int, list[tuple[Ints, int]]]:
        """Return what is paid for a guess, and by who is then settled, and the open sets (P1, P2)."""
        total, parts, waiting = 0, list[tuple[Ints, int]](), [(members, left)]
        if guess != NO_GUESS:
            row, price = self.table[guess, members], self.price[guess, members].tolist()
            total = sum(self.per(s, paid, left) for s, paid in zip(members.tolist(), price, strict=True))
            waiting = []
            for response in np.unique(row).tolist():
                part = members[row == response]
                paid = int(self.price[guess, part[0]])
                if paid <= left and not self.wins[guess, part[0]]:
                    waiting.append((part, left if left >= INFINITE else left - paid))
        while waiting:
            part, rest = waiting.pop()
            if len(part) == 1:
                total += self.per(int(part[0]), int(self.end[part[0]]), rest)
                continue
            free = self._free(part)
            if free is None:
                parts.append((part, rest))
                continue
            row = self.table[free, part]
            for response in np.unique(row).tolist():
                some = part[row == response]
                if not self.wins[free, some[0]]:
                    waiting.append((some, rest))
        return min(total, INFINITE), sorted(parts, key=lambda one: (-len(one[0]), one[0].tolist()))

    def _free(self, members: Ints) -> int | None:
        """Return a guess that costs a set nothing and tells it apart; None: there is none, or it may wait."""
        if self.only or not self.free:
            return None
        some = ~self.price[:, members].any(axis=1) & self.telling(members)
        return int(some.argmax()) if some.any() else None

    # -- counting ------------------------------------------------------------------------------------------

    def useful(self, members: Ints) -> Useful:
        """Return what is known of the guesses that tell a set apart: no others are asked of it."""
        rows, wins, some = self.table[:, members], self.wins[:, members], self.telling(members)
        rows, wins, price = rows[some], wins[some], self.price[:, members][some]
        pay = np.where(wins, INFINITE, price).min(axis=0, initial=INFINITE)
        branches = max((len({*row} - {-1}) for row in np.where(wins, -1, rows).tolist()), default=0)
        return Useful(pay, int(price.min(initial=INFINITE)), max(branches, 1))

    def counted(self, members: Ints, left: int) -> int:
        """Return at least what two secrets or more cost by counting (P3 to P5, of what is useful here)."""
        key = members.tobytes(), left
        if key not in self.counts:
            useful = self.useful(members)
            bounds = (
                self.one_by_one(members, left, useful),
                self.as_tree(members, left, useful),
                self.along_path(members, left),
            )
            self.counts[key] = min(INFINITE, max(bounds))
        return self.counts[key]

    def one_by_one(self, members: Ints, left: int, useful: Useful) -> int:
        """Return at least what two secrets or more cost, each by itself (P3)."""
        ends = self.end[members].tolist()
        pairs = list(zip(members.tolist(), useful.pay.tolist(), ends, strict=True))
        full = [self.per(s, pay + end, left) for s, pay, end in pairs]
        if not self.win:
            return sum(full)
        last = [self.per(s, end, left) for s, _, end in pairs]
        return sum(full) + min(one - other for one, other in zip(last, full, strict=True))

    def as_tree(self, members: Ints, left: int, useful: Useful) -> int:
        """Return at least what two secrets or more cost as the ends of a tree (P4)."""
        if not useful.unit:
            return 0
        weights, steps = sorted(self.weight[members].tolist()), left // useful.unit
        if self.win:
            total, depth = 0, 0
            while weights and total < INFINITE:
                some = min(useful.branches**depth, len(weights))
                depth += 1
                total += sum(weights[-some:]) * self.each(depth * useful.unit, left)
                del weights[-some:]
            return min(total, INFINITE)
        if useful.branches < 2:
            return INFINITE
        reached = min(useful.branches ** min(steps, len(weights)), len(weights))
        if reached < len(weights):
            return min(INFINITE, sum(weights[: len(weights) - reached]) * self.each(left + 1, left))
        if self.each_lost:
            return 0
        depths = least_depths(weights, useful.branches)
        return useful.unit * sum(weight * depth for weight, depth in zip(weights, depths, strict=True))

    def along_path(self, members: Ints, left: int) -> int:
        """Return at least what a set costs where one response to each guess costs something at most (P5)."""
        if not self.free:
            return 0
        rows, weights, price = self.table[:, members], self.weight[members], self.price[:, members]
        some = self.telling(members)
        chained = all(
            len(np.unique(row[paid > 0])) < 2 for row, paid in zip(rows[some], price[some], strict=True)
        )
        if not chained or not price[some].any():
            return 0
        payer = int(price[some][price[some] > 0].min())
        spared = sorted(((price[some] == 0) @ weights).tolist(), reverse=True)
        rest = [int(weights.sum()) - gone for gone in accumulate(spared, initial=0)]
        if left < INFINITE:
            reach = min(left // payer, len(spared))
            lost = min(rest[reach] - int(weights.max()), rest[min(reach + 1, len(spared))])
            if self.each_lost or lost > 0:
                return min(INFINITE, max(lost, 0) * self.each(left + 1, left))
        paid = 0
        for k in range(len(spared)):
            if rest[k + 1] <= 0 or (k and rest[k] <= weights.max()):
                break
            paid += payer * rest[k + 1]
        return paid

    def look(self, members: Ints, left: int) -> tuple[int, PricedLook | None]:
        """Return at least what a set costs, one step ahead by counting (P6), and its best guess."""
        key = members.tobytes(), left
        if key not in self.looked:
            best, found = INFINITE, None
            for guess in np.flatnonzero(self.telling(members)).tolist():
                paid, parts = self.asked(members, left, guess)
                bounds = [self.counted(*part) for part in parts]
                if paid + sum(bounds) < best:
                    best, found = paid + sum(bounds), PricedLook(guess, paid, bounds)
            self.looked[key] = best, found
        return self.looked[key]

    # -- from the first claim to the last ------------------------------------------------------------------

    def accounts(self, wanted: Sequence[PricedLemma]) -> Iterator[tuple[PricedLemma, PricedAccount]]:
        """Yield some claims with why they are true, in the order in which they rest on each other.

        Before each stand the lemmas that are added for it.
        """
        some = {id(lemma) for lemma in wanted}
        for lemma in proved_before(self.root):
            if id(lemma) in some:
                yield from self._accounts(lemma)
            self.checker.remember(lemma.members, outer(lemma.left), lemma.bound)
            self.proved.setdefault(lemma.members.tobytes(), []).append(lemma)
        yield from self._accounts(self.root)

    def _accounts(self, lemma: PricedLemma) -> Iterator[tuple[PricedLemma, PricedAccount]]:
        """Yield why a claim is true, after all that is added for it.

        The larger sets come first, as each says how much it needs of smaller ones.
        """
        waiting, found = [lemma], list[tuple[PricedLemma, PricedAccount]]()
        while waiting:
            waiting.sort(key=lambda one: len(one.members))
            claim = waiting.pop()
            self.adding = {(one.members.tobytes(), one.left): one for one in waiting}
            found.append((claim, self.account(claim)))
            waiting = list(self.adding.values())
        bounds = {one.number: one.bound for one, _ in found if one.number}
        for claim, account in reversed(found):
            guesses = [_with_bounds(guess, bounds) for guess in account.guesses]
            yield claim, replace(account, guesses=guesses)

    def account(self, lemma: PricedLemma) -> PricedAccount:
        """Return why a claim is true, given all that is remembered; lemmas may be added to `own`."""
        members, left = lemma.members, lemma.left
        fixed = self.problem.first if lemma is self.root else None
        counted = 0
        if fixed is None and self._free(members) is None and len(members) > 1:
            counted = self.counted(members, left)
        guesses = self._guesses_of(lemma, fixed)
        useless = len(self.table) - len(guesses) if fixed is None and guesses != [NO_GUESS] else 0
        shown = [] if counted >= lemma.bound else self._shown_of_each(lemma, guesses)
        return PricedAccount(self.useful(members), counted, useless, shown)

    def _guesses_of(self, lemma: PricedLemma, fixed: int | None) -> list[int]:
        """Return the guesses that tell a set apart, or the only one that need be asked (P1, P2)."""
        if fixed is not None:
            return [fixed]
        if self._free(lemma.members) is not None:
            return [NO_GUESS]
        some: list[int] = np.flatnonzero(self.telling(lemma.members)).tolist()
        return some

    def _shown_of_each(self, lemma: PricedLemma, guesses: Sequence[int]) -> list[PricedGuess]:
        """Return one guess of each kind, with what shows that it costs enough."""
        found = None
        if lemma.renamings:
            found = self.checker.orbits(lemma.members, lemma.renamings)
        orbit = np.arange(len(self.table)) if found is None else found
        named = {below.path[-1][0] for below in lemma.inside}
        kinds: dict[int, list[int]] = {}
        for guess in guesses:
            kinds.setdefault(-1 if guess == NO_GUESS else int(orbit[guess]), []).append(guess)
        shown = []
        for same in kinds.values():
            first = next((guess for guess in same if guess in named), same[0])
            shown.append(replace(self._shown(lemma, first), equal=len(same)))
        return sorted(shown, key=lambda one: (one.counted, one.guess))

    def _shown(self, lemma: PricedLemma, guess: int) -> PricedGuess:
        """Return what a guess costs, by no more than is needed; raise GuesstreeError where that fails."""
        paid, open_parts = self.asked(lemma.members, lemma.left, guess)
        parts = []
        for members, left in open_parts:
            counted = self.counted(members, left)
            parts.append(PricedPart(members, left, counted, counted, counted))
        shown = PricedGuess(guess, 1, paid, parts)
        for at, part in enumerate(parts):
            if shown.known < lemma.bound:
                parts[at] = self._looked_at(part)
        for at, part in enumerate(parts):
            if shown.known < lemma.bound:
                more = lemma.bound - shown.known + part.known
                parts[at] = self._by_lemma(lemma, guess, part, INFINITE if lemma.bound >= INFINITE else more)
        if shown.known < lemma.bound:
            raise GuesstreeError(
                f"{self.problem.game.spec}: what is shown of {self.problem.game.guesses[guess]!r} is less "
                f"than {lemma.bound}: the checker knows more than can be explained here"
            )
        return shown

    def _looked_at(self, part: PricedPart) -> PricedPart:
        """Return a part with what it costs one step ahead."""
        ahead, look = self.look(part.members, part.left)
        if ahead <= part.counted:
            return part
        return replace(part, ahead=ahead, known=ahead, look=look)

    def _by_lemma(self, lemma: PricedLemma, guess: int, part: PricedPart, need: int) -> PricedPart:
        """Return a part with what a lemma says of it, of the certificate or one that is added."""
        falls = self.penalty >= INFINITE or not self.rate  # as more may be paid, it never costs more (P8)
        proved = [
            one
            for one in self.proved.get(part.members.tobytes(), [])
            if one.left == part.left or (falls and one.left > part.left)
        ]
        best = max(proved, key=lambda one: one.bound, default=None)
        _, found = self.checker.ask(lemma.members, outer(lemma.left), guess, INFINITE)
        known = next(bound for members, _, bound in found if members[0] == part.members[0])
        if best is not None and (best.bound >= need or best.bound >= known) and best.bound > part.known:
            return replace(part, known=best.bound, lemma=best.number)
        if known <= part.known or (need >= INFINITE > known):
            return part
        if need >= INFINITE:
            return replace(part, known=INFINITE, lemma=self._core_of(part).number)
        need, key = min(need, known), (part.members.tobytes(), part.left)
        one = self.adding.get(key) or self.own.get(key)
        if one is None or (one.bound < need and key not in self.adding):
            path = (*lemma.path, (guess, int(part.members[0])))
            one = self._add(PricedLemma("", part.members, part.left, need, path))
        one.bound = max(one.bound, need)
        return replace(part, known=one.bound, lemma=one.number)

    def _add(self, lemma: PricedLemma) -> PricedLemma:
        """Return a lemma that is added, with its number; raise GuesstreeError where there are too many."""
        self.added += 1
        if self.added > MOST_OWN:
            raise GuesstreeError(
                f"{self.problem.game.spec}: more than {MOST_OWN} small sets have to be looked at; a game "
                "with fewer secrets or guesses can be explained"
            )
        lemma.number = letters(self.added - 1)
        key = lemma.members.tobytes(), lemma.left
        self.own[key] = self.adding[key] = lemma
        return lemma

    def _core_of(self, part: PricedPart) -> PricedLemma:
        """Return a lemma that a set in a part fails even if more may be paid, so that the part does, too.

        By fact (i), what cannot be done with some secrets cannot be done with more; of candidates only this
        is not so, and the set is the part.
        """
        for known in self.own.values():
            if (
                known.bound >= INFINITE
                and known.left >= part.left
                and np.isin(known.members, part.members).all()
                and (not self.only or len(known.members) == len(part.members))
            ):
                return known
        members, left = part.members, part.left
        for secret in [] if self.only else part.members.tolist():
            fewer = np.ascontiguousarray(members[members != secret])
            if self._fails(fewer, left):
                members = fewer
        low, high = left, self.root.left
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._fails(members, middle) else (low, middle - 1)
        return self._add(PricedLemma("", members, low, INFINITE))

    def _fails(self, members: Ints, left: int) -> bool:
        """Return whether the checker finds that a set cannot be settled for what may be paid."""
        if len(members) < 2:
            return False
        free = self._free(members) is not None
        guesses = [NO_GUESS] if free else np.flatnonzero(self.telling(members)).tolist()
        return all(
            self.checker.ask(members, outer(left), guess, INFINITE)[0] >= INFINITE for guess in guesses
        )


def _with_bounds(guess: PricedGuess, bounds: Mapping[str, int]) -> PricedGuess:
    """Return a guess with what is said of its parts in the end by lemmas that were added."""
    parts = [replace(one, known=max(one.known, bounds.get(one.lemma, 0))) for one in guess.parts]
    return replace(guess, parts=parts)


def outer(left: int) -> int:
    """Return what may be paid as the checker has it, -1: any amount."""
    return -1 if left >= INFINITE else left


def letters(number: int) -> str:
    """Return letters that count: A to Z, then AA, AB, ..."""
    before, last = divmod(number, 26)
    return (letters(before - 1) if before else "") + chr(ord("A") + last)


def least_depths(weights: Sequence[int], branches: int) -> list[int]:
    """Return how deep the ends of a tree stand if weights times depths add up to the least (Huffman)."""
    spare = -(len(weights) - 1) % (branches - 1)
    waiting: list[tuple[int, list[int]]] = [(0, []) for _ in range(spare)]
    waiting = sorted([*waiting, *((weight, [at]) for at, weight in enumerate(weights))])
    depths = [0] * len(weights)
    while len(waiting) > 1:
        some = [heapq.heappop(waiting) for _ in range(branches)]
        ends = [end for _, below in some for end in below]
        for end in ends:
            depths[end] += 1
        heapq.heappush(waiting, (sum(weight for weight, _ in some), ends))
    return depths
