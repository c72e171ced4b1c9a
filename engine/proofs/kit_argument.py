"""A certificate of a kit as an argument: why no questions that cost less tell all secrets apart.

Everything is counted again, by the lemmas K1 to K5 of verify/KITS.md. The checker tries the last two
questions by itself; here pairs of secrets are named of which none of them tells all apart, so that a reader
sees it without trying.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError
from ..games.blackpeg import BlackPeg
from ..games.codes import CodeGame
from ..kits.bounds import too_many
from ..kits.pairs import bits, mask_of
from ..problem import Problem
from ..state import everything
from ..symmetry.groups import Permutation, orbits
from .alike import moved_by
from .renaming import CodeRenamings, renaming_of
from .statement import certificate_names, is_table

MOST_CELLS = 1 << 16
"""Questions times secrets of a game of which a kit is explained: all pairs of secrets are looked at."""
MUST, NEVER = "must", "never"
"""What a column says of questions that a kit has to have, and may not have."""
PAIR, TRIED, COUNTED, PRICED = "(", ".", "#", "$"
"""How a claim is shown: all questions that tell a pair apart, by pairs for each, by answers, by prices."""

Pair = tuple[int, int]


@dataclass(frozen=True)
class KitRules:
    """What a kit of a game is.

    Attributes
    ----------
    lies: how many answers may be false.
    costs, use: of each question what it costs, and `MUST`, `NEVER` or ``""``.
    kinds: of each secret; those of one kind need not be told apart.
    """

    lies: int
    costs: Sequence[int]
    use: Sequence[str]
    kinds: Sequence[str]

    @property
    def apart(self) -> int:
        """In how many questions two secrets have to differ."""
        return 2 * self.lies + 1


@dataclass(eq=False)
class KitClaim:
    """No questions of those allowed, for what is left, make a kit together with those asked.

    Attributes
    ----------
    number: its place, such as ``2.1``; empty: the whole.
    kit: the questions asked, each as often as it is.
    allowed: those that may follow, as a mask.
    left: what they may cost together.
    body: `PAIR`, `TRIED`, `COUNTED` or `PRICED`.
    pair: the secrets that the next question has to tell apart.
    prices: pairs with their prices.
    images: where renamings take questions.
    inside: the next questions, each with how many renamings make equal to it, and the claim that is left.
    """

    number: str
    kit: tuple[int, ...]
    allowed: int
    left: int
    body: str = TRIED
    pair: Pair | None = None
    prices: list[tuple[Pair, int]] = field(default_factory=list)
    images: list[Permutation] = field(default_factory=list)
    inside: list[tuple[int, int, KitClaim]] = field(default_factory=list)


@dataclass(frozen=True)
class Witness:
    """Questions, and pairs of secrets that show that none of them makes a kit with what may follow it.

    Attributes
    ----------
    questions: empty: nothing is asked before.
    pairs: no question that may follow tells all of them apart.
    """

    questions: list[int]
    pairs: list[Pair]


@dataclass(frozen=True)
class KitAccount:
    """Why a claim is true.

    Attributes
    ----------
    open: how many pairs of secrets need more questions.
    due: how many more the pair of the claim needs, or the pair that is tried.
    telling: the questions that may be asked, and tell that pair apart.
    pair: that pair.
    witnesses: where the last questions are tried: pairs for each of those that tell the pair apart, or one
        for none.
    alike: secrets that have all answers in common, each of another kind.
    asked: how many questions may follow, where answers are counted.
    answers: of them the most that they get among these secrets, or that one gets.
    total: what prices add up to, each times what its pair needs.
    gains: questions with what they collect by prices, in the order in which they are bought.
    collected: what can be bought at most.
    """

    open: int
    due: int = 0
    telling: list[int] = field(default_factory=list)
    pair: Pair | None = None
    witnesses: list[Witness] = field(default_factory=list)
    alike: list[int] = field(default_factory=list)
    asked: int = 0
    answers: list[int] = field(default_factory=list)
    total: int = 0
    gains: list[tuple[int, int]] = field(default_factory=list)
    collected: Fraction = Fraction(0)


class KitArgument:
    """The claims of a certificate of a kit, and why they are true.

    Parameters
    ----------
    problem: the game.
    rules: what a kit is.
    bound: at least what every kit costs.
    body: the body of the certificate.

    Attributes
    ----------
    root: the claim about all kits that cost less.
    claims: those about kits with some questions, in the order of the certificate.
    answers: int64, shape (questions, secrets).

    Raises GuesstreeError for a game that is too large, and a body that does not fit it.
    """

    def __init__(self, problem: Problem, rules: KitRules, bound: int, body: str) -> None:
        cells = len(problem.game.guesses) * problem.secrets
        if cells > MOST_CELLS:
            raise GuesstreeError(
                f"{problem.game.spec}: {cells} responses; kits are explained up to {MOST_CELLS}"
            )
        self.problem, self.rules, self.bound = problem, rules, bound
        self.answers = np.asarray(problem.table, dtype=np.int64)
        guesses, secrets = certificate_names(problem)
        self._guess = {name: at for at, name in enumerate(guesses)}
        self._secret = {name: at for at, name in enumerate(secrets)}
        self.least = min((cost for cost in rules.costs if cost), default=1)
        self.claims: list[KitClaim] = []
        self._telling: dict[Pair, int] = {}
        tokens = iter(body.split())
        try:
            self.root = self._begun()
            self._read(self.root, next(tokens), tokens)
        except (StopIteration, ValueError, KeyError, RecursionError):
            raise GuesstreeError(f"{body[:40]!r} ... is no proof of a kit") from None

    def _begun(self) -> KitClaim:
        """Return the claim about all kits (K1)."""
        costs, use, apart = self.rules.costs, self.rules.use, self.rules.apart
        must = [g for g, how in enumerate(use) if how == MUST]
        free = [g for g, how in enumerate(use) if how != NEVER and not costs[g]]
        asked = {*must, *free} if apart == 1 else {*free}
        allowed = mask_of(np.array([how != NEVER and g not in asked for g, how in enumerate(use)]))
        kit = tuple(dict.fromkeys([*must, *free])) if apart == 1 else (*must, *free * apart)
        return KitClaim("", kit, allowed, self.bound - 1 - sum(costs[g] for g in must))

    # -- the certificate -----------------------------------------------------------------------------------

    def _read(self, claim: KitClaim, word: str, tokens: Iterator[str]) -> None:
        """Take the body of a claim, which begins with a word."""
        claim.body = word
        if word == PRICED:
            while (word := next(tokens)) != ";":
                pair = self._secret[word], self._secret[next(tokens)]
                claim.prices.append((pair, int(next(tokens))))
        elif word == PAIR:
            self._branch(claim, tokens)
        elif word not in (TRIED, COUNTED):
            raise ValueError(word)

    def _branch(self, claim: KitClaim, tokens: Iterator[str]) -> None:
        """Take a body that names a pair, and the next questions (K2, K3)."""
        while (word := next(tokens)) == "=":
            claim.images.append(self._image(tokens))
        claim.pair = self._secret[word], self._secret[next(tokens)]
        orbit = orbits(len(self.answers), claim.images) if claim.images else np.arange(len(self.answers))
        allowed, waiting = claim.allowed, claim.allowed & self.telling(*claim.pair)
        word = next(tokens)
        while waiting:
            guess = next(bits(waiting)) if word == ")" else self._guess[word]
            if not waiting >> guess & 1:
                raise ValueError(word)
            again = allowed if self.rules.apart > 1 else allowed & ~(1 << guess)
            number = f"{claim.number}.{len(claim.inside) + 1}".removeprefix(".")
            kit, left = (*claim.kit, guess), claim.left - self.rules.costs[guess]
            below = KitClaim(number, kit, again, left)
            same = mask_of(orbit == orbit[guess])
            claim.inside.append((guess, (waiting & same).bit_count(), below))
            self.claims.append(below)
            if word != ")":
                self._read(below, next(tokens), tokens)
                word = next(tokens)
            allowed, waiting = allowed & ~same, waiting & ~same
        if word != ")":
            raise ValueError(word)

    def _image(self, tokens: Iterator[str]) -> Permutation:
        """Take a renaming, and return where it takes each question."""
        game = self.problem.game
        if isinstance(game, CodeGame) and not is_table(game):
            codes = CodeRenamings(game.codes.digits, separate=isinstance(game, BlackPeg))
            return codes.image(renaming_of(next(tokens), next(tokens)))
        words = ["=", next(tokens)]
        while words[-1] != ";":
            words.append(next(tokens))
        to = moved_by(words[1:], everything(self.problem.secrets), self._secret)
        here, there = self._shapes(np.arange(len(to))), self._shapes(to)
        image = np.empty(len(self.answers), dtype=np.int64)
        for shape, some in here.items():
            image[some] = there[shape]
        return image

    def _shapes(self, order: NDArray[np.integer]) -> dict[bytes, list[int]]:
        """Return questions by how they part the secrets in an order, with their costs and uses."""
        found: dict[bytes, list[int]] = {}
        for g, row in enumerate(self.answers[:, order]):
            _, first, number = np.unique(row, return_index=True, return_inverse=True)
            shape = np.argsort(np.argsort(first))[number.ravel()].astype(np.int64)
            kept = repr((self.rules.costs[g], self.rules.use[g])).encode()
            found.setdefault(shape.tobytes() + kept, []).append(g)
        return found

    # -- pairs ---------------------------------------------------------------------------------------------

    def telling(self, a: int, b: int) -> int:
        """Return the questions that tell two secrets apart, as a mask."""
        if (a, b) not in self._telling:
            self._telling[a, b] = mask_of(self.answers[:, a] != self.answers[:, b])
        return self._telling[a, b]

    def due(self, kit: Sequence[int], a: int, b: int) -> int:
        """Return how many more questions have to tell two secrets apart."""
        told = int((self.answers[list(kit), a] != self.answers[list(kit), b]).sum())
        return max(self.rules.apart - told, 0) if self.rules.kinds[a] != self.rules.kinds[b] else 0

    def open(self, kit: Sequence[int]) -> dict[Pair, int]:
        """Return the pairs that need more questions, with how many."""
        kinds = self.rules.kinds
        if self.rules.lies:
            every = combinations(range(len(kinds)), 2)
            return {pair: due for pair in every if (due := self.due(kit, *pair))}
        alike = (pair for some in self.cells(kit) for pair in combinations(some, 2))
        return {(a, b): 1 for a, b in alike if kinds[a] != kinds[b]}

    def cells(self, kit: Sequence[int]) -> list[list[int]]:
        """Return the secrets that have all answers in common, together."""
        found: dict[bytes, list[int]] = {}
        for s, column in enumerate(np.ascontiguousarray(self.answers[list(kit)].T)):
            found.setdefault(column.tobytes(), []).append(s)
        return [*found.values()]

    def paid(self, mask: int, left: int) -> int:
        """Return which of some questions cost no more than is left, as a mask."""
        return sum(1 << g for g in bits(mask) if self.rules.costs[g] <= left)

    # -- why -----------------------------------------------------------------------------------------------

    def account(self, claim: KitClaim) -> KitAccount:
        """Return why a claim is true, given those inside it; raise GuesstreeError where that fails."""
        ways = {PAIR: self._asked, TRIED: self._tried, COUNTED: self._counted, PRICED: self._priced}
        found = ways[claim.body](claim)
        if found is None:
            raise GuesstreeError(f"{self.problem.game.spec}: a claim that the checker knows is not shown")
        return found

    def _asked(self, claim: KitClaim) -> KitAccount:
        assert claim.pair is not None
        telling = [*bits(claim.allowed & self.telling(*claim.pair))]
        due = self.due(claim.kit, *claim.pair)
        return KitAccount(len(self.open(claim.kit)), due, telling, claim.pair)

    def _tried(self, claim: KitClaim) -> KitAccount | None:
        """Return pairs that show that the last two questions, or fewer, make no kit."""
        opened = self.open(claim.kit)
        if claim.left < 0:
            return KitAccount(len(opened))
        usable, most = self.paid(claim.allowed, claim.left), claim.left // self.least
        for needed, due in opened.items():
            if due > most:
                return KitAccount(len(opened), witnesses=[Witness([], [needed])])
        if most < 2:
            pairs = self.not_all(opened, usable)
            return None if pairs is None else KitAccount(len(opened), witnesses=[Witness([], pairs)])
        if most > 2 or not opened:
            return None
        pair = min(opened, key=lambda one: (self.telling(*one) & usable).bit_count())
        telling = [*bits(self.telling(*pair) & usable)]
        found: list[Witness] = []
        for guess in telling:  # none of them need be left out after another: both together are no kit
            again = claim.allowed if self.rules.apart > 1 else claim.allowed & ~(1 << guess)
            after, usable = (*claim.kit, guess), self.paid(again, claim.left - self.rules.costs[guess])
            known = next((one for one in found if self.is_not_all(after, one.pairs, usable)), None)
            if known is None:
                pairs = self.not_all(self.open(after), usable)
                if pairs is None:
                    return None
                found.append(known := Witness([], pairs))
            known.questions.append(guess)
        return KitAccount(len(opened), opened[pair], telling, pair, found)

    def is_not_all(self, kit: Sequence[int], pairs: Sequence[Pair], usable: int) -> bool:
        """Return whether these pairs need more than one question that may be asked."""
        due = [self.due(kit, *pair) for pair in pairs]
        if max(due) > 1:
            return True
        for pair in pairs:
            usable &= self.telling(*pair)
        return min(due) > 0 and not usable

    def not_all(self, opened: dict[Pair, int], usable: int) -> list[Pair] | None:
        """Return few open pairs that no question that may be asked tells all apart; None: there are none.

        One that needs two questions is enough.
        """
        for pair, due in opened.items():
            if due > 1:
                return [pair]
        masks = {pair: self.telling(*pair) & usable for pair in opened}
        found, common = list[Pair](), usable
        while masks and (common or not found):
            pair = min(masks, key=lambda one: (masks[one] & common).bit_count())
            if found and masks[pair] & common == common:
                return None
            common &= masks[pair]
            found.append(pair)
        if common or not found:
            return None
        for pair in list(found):  # those that the others make needless go
            rest = [one for one in found if one != pair]
            if rest and not np.bitwise_and.reduce(np.array([masks[one] for one in rest], dtype=object)):
                found = rest
        return found

    def _counted(self, claim: KitClaim) -> KitAccount | None:
        """Return that the questions that are left have too few answers (K4)."""
        kinds, costs, lies = self.rules.kinds, self.rules.costs, self.rules.lies
        cells = [{kinds[s]: s for s in reversed(cell)} for cell in self.cells(claim.kit)]
        alike = sorted(max(cells, key=len).values())
        useful = [*bits(self.paid(claim.allowed, claim.left))]
        parts = sorted((len({*self.answers[g, alike].tolist()}) for g in useful), reverse=True)
        asked, paid = 0, 0
        for cost in sorted(costs[g] for g in useful):
            paid += cost
            asked += paid <= claim.left
        if lies:
            asked, parts = claim.left // self.least, [max([1, *parts])]
            shown = asked < self.rules.apart or too_many(len(alike), asked, parts[0], lies)
            shown &= len(alike) > 1
        else:
            parts = parts[:asked]
            shown = prod(parts) < len(alike)
        opened = len(self.open(claim.kit))
        return KitAccount(opened, alike=alike, asked=asked, answers=parts) if shown else None

    def _priced(self, claim: KitClaim) -> KitAccount | None:
        """Return that what is left buys less than all prices add up to (K5)."""
        total = sum(price * self.due(claim.kit, *pair) for pair, price in claim.prices)
        gains = {
            g: sum(price for pair, price in claim.prices if self.telling(*pair) >> g & 1)
            for g in bits(self.paid(claim.allowed, claim.left))
        }
        order = sorted(gains, key=lambda g: (-Fraction(gains[g], self.rules.costs[g]), g))
        collected, left = Fraction(0), claim.left
        for g in order:
            spent = left if self.rules.lies else min(self.rules.costs[g], left)
            collected, left = collected + Fraction(gains[g] * spent, self.rules.costs[g]), left - spent
        bought = [(g, gains[g]) for g in order]
        opened = len(self.open(claim.kit))
        return (
            KitAccount(opened, total=total, gains=bought, collected=collected) if collected < total else None
        )
