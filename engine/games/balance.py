"""The balance with two pans: false coins are heavier or lighter than the others; weighings find them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

from ..catalogue import Amount, Offer
from ..errors import GameError, shown
from ..game import Game
from ..memory import require_memory
from ..notation import Look
from ..registry import register
from ..symmetry.groups import (
    Permutation,
    Symmetry,
    Trivial,
    code_permutation,
    count_by_classes,
    smallest,
    swap_and_cycle,
)
from ..symmetry.order import product_text

GOOD = "*"
"""The coin that is known to be good."""
MOST_COINS, MOST_NEIGHBOURS = 13, 52
"""Coins of which any may be weighed, and coins that one way is known of, of which neighbours are weighed."""
LEFT, RIGHT, OFF, NAMED = range(4)
"""Where a guess has a coin; `NAMED`: it asks whether it is this one."""
LEFT_HEAVIER, BALANCED, RIGHT_HEAVIER = range(3)
RESPONSES = ("left heavier", "balanced", "right heavier")
SIGNS = {">": "left heavier", "=": "balanced", "<": "right heavier"}
"""How else responses may be typed: the left pan weighs more than the right one, as much, less."""
OPTIONS = ("light", "heavy", "coin", "none", "good")
_FALSE = re.compile(r"false=([0-9]{1,3})(?:\.\.([0-9]{1,3}))?", re.ASCII)


class Balance(Game):
    """N coins, one of them false, or several; a guess has equally many in either pan, such as ABCD|EFGH.

    A secret is a coin with the way it errs, ``A+`` heavier or ``A-`` lighter; with `way` ``light`` or
    ``heavy``, which is known then, a coin alone. False coins all weigh the same: ``AB+``. The goal is to
    identify them.

    Parameters
    ----------
    way: ``light`` or ``heavy`` where that is known; empty: it is not.
    coin: whether the coin alone is to be known, not how it errs.
    none: whether it may be that no coin is false.
    good: whether there is one more coin, which is known to be good; it is written ``*``.
    false: how many coins are false, at least and at most.

    *Which pan is which* matters to responses alone, but guesses have both orders, as people weigh: to
    exchange the pans and the ways that coins err leaves every response as it is, and so does any permutation
    of the coins; so the search tries one first guess for each number of coins in a pan. (The last questions
    below tell ways apart: with them, coins are permuted alone.)

    *Where the coin alone is to be known* there are last questions, "it is A", which cost nothing if it is and
    otherwise more than any strategy takes; `tables.missing` has the proof that nothing else changes.

    *Of more than `MOST_COINS` coins* that err in a known way only neighbours are weighed, k coins against the
    next k. Nothing is lost, neither in the worst case nor on average. *Proof.* All that counts is how many
    coins are possible: a weighing leaves those on the left, those on the right or those beside. So a strategy
    is a tree with three branches at most and n leaves. *In the worst case*, k = n / 3 rounded up leaves at
    most k each time. *On average*, let f(n) be the least total depth. If n is odd, all nodes of a best tree
    have three branches, so the parts are odd; f grows by 2 d + 3 from one odd number to the next where 3^d is
    the largest power of 3 that is no larger, so parts that differ by 2 at most are best, and two of three
    such parts are equal. If n is even, a best tree is one of n + 1 leaves that lacks one of the deepest. Of
    its parts q, q, q or q, q, q + 2 the largest can lack it, and the other two are equal; so can the smallest
    of q, q + 2, q + 2, unless it is less deep, that is q = 3^d. Then q, q, q + 4 are as good for n + 1 if q >
    1, and the largest lacks it. There remain n = 6 and the parts 1, 3, 2. Two equal parts go into the pans;
    those that are possible are neighbours at first, and if the first of them are weighed, each part is
    neighbours again. Of 6 the first one goes into a pan with two good coins before it, against the next
    three; or, as there are more than 7 coins, the last one with two after it.

    *Without a good coin* two secrets give the same responses if and only if what their coins weigh differs by
    a constant. *Proof.* A constant is added to both pans equally often. Conversely coins that are weighed one
    by one show which are heavier than others; either some are, and both secrets part the coins in the same
    way, or in both all coins weigh the same.

    Raises GameError for secrets that no weighing tells apart, and SpaceError when the table of responses
    would not fit in memory.
    """

    def __init__(
        self,
        coins: int,
        way: str = "",
        *,
        coin: bool = False,
        none: bool = False,
        good: bool = False,
        false: tuple[int, int] = (1, 1),
    ) -> None:
        said, (least, most) = {"coin": coin, "none": none, "good": good}, false
        several = [f"false={least}" if least == most else f"false={least}..{most}"] * (false != (1, 1))
        options = [*filter(None, [way]), *(o for o in said if said[o]), *several]
        self.spec = ",".join([f"balance:{coins}", *options])
        names = ascii_letters[26:] + ascii_letters[:26]
        self._names = names[:coins] + GOOD * good
        self._pans = _neighbours(coins) if coins > MOST_COINS else _weighings(coins, good=good)
        errs = {"light": (-1,), "heavy": (1,)}.get(way, (1, -1))
        self._errs = _ways_to_err(coins, errs, least, most, none=none)
        self._way = way
        self.secrets = tuple(map(self._secret, self._errs))
        self._require_distinct(good=good)
        # What each coin weighs beyond a good one, which is never false.
        self._beyond = np.array([[*one, *[0] * good] for one in self._errs], dtype=np.float32).T
        self.responses = RESPONSES
        self.winning = None
        if coin:
            self._add_last_questions(coins)
        require_memory(self.spec, len(self._pans), len(self._errs))
        self.guesses = tuple(map(self._guess, self._pans.tolist()))
        self._symmetry = (
            Trivial(len(self._pans))
            if coins > MOST_COINS
            else Pans(self._pans, self._errs, coins, turns=not way and not coin)
        )

    look = Look(guess="weighing", speaks=True)

    def _secret(self, errs: Sequence[int]) -> str:
        sign = max(errs, key=abs)
        if not sign:
            return "none"
        false = "".join(name for name, err in zip(self._names, errs, strict=False) if err)
        return false + ("" if self._way else "+" if sign > 0 else "-")

    def _require_distinct(self, *, good: bool) -> None:
        met: dict[tuple[int, ...], str] = {}
        for errs, label in zip(self._errs, self.secrets, strict=True):
            known = errs if good else tuple(err - min(errs) for err in errs)
            if known in met:
                raise GameError(
                    f"{self.spec}: {met[known]} and {label} cannot be told apart without a good coin; "
                    "expected ,good, or another number of false coins"
                )
            met[known] = label

    def _guess(self, row: list[int]) -> str:
        if NAMED in row:
            return f"it is {self._names[row.index(NAMED)]}"
        pans = (
            "".join(name for name, at in zip(self._names, row, strict=True) if at == pan)
            for pan in (LEFT, RIGHT)
        )
        return "|".join(pans)

    def _add_last_questions(self, coins: int) -> None:
        """Add a question for each coin, and what questions cost; say what is to be known of secrets."""
        last = np.full((coins, self._pans.shape[1]), OFF, dtype=np.uint8)
        np.fill_diagonal(last, NAMED)
        weighings = len(self._pans)
        self._pans = np.concatenate([self._pans, last[::-1]])
        self.responses = (*RESPONSES, "yes, heavier", "yes, lighter", "no")
        self.kinds = tuple(label.rstrip("+-") for label in self.secrets)
        self.costs = np.ones((len(self._pans), len(self.responses)), dtype=np.int64)
        self.costs[weighings:] = 0
        self.costs[weighings:, -1] = len(self._errs) * weighings + 1

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response: which pan is heavier."""
        row = self._pans[guess].tolist()
        errs = self._errs[secret] + (0,) * (len(row) - len(self._errs[secret]))
        if NAMED in row:
            return {1: 3, -1: 4, 0: 5}[errs[row.index(NAMED)]]
        left, right = (
            sum(err for err, at in zip(errs, row, strict=True) if at == pan) for pan in (LEFT, RIGHT)
        )
        return LEFT_HEAVIER if left > right else BALANCED if left == right else RIGHT_HEAVIER

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets)."""
        rows = self._pans[guesses]
        beyond = np.ascontiguousarray(self._beyond[:, secrets])
        tilt = _sides(rows) @ beyond  # sums of a few coins are exact, and products of floats fast
        named = (rows == NAMED).astype(np.float32) @ beyond
        return _answers(tilt, named, (rows == NAMED).any(axis=1)[:, None])

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the response of each guess on the secret beside it."""
        rows, beyond = self._pans[guesses], self._beyond.T[secrets]
        named = ((rows == NAMED) * beyond).sum(axis=1)
        return _answers((_sides(rows) * beyond).sum(axis=1), named, (rows == NAMED).any(axis=1))

    @property
    def symmetry(self) -> Symmetry:
        """Return the permutations of the coins, and the exchange of pans and ways where both are possible."""
        return self._symmetry

    def read_guess(self, text: str) -> int:
        """Return the index of the weighing typed, coins in any order.

        Between the pans is ``|``, ``/``, ``:``, ``-`` or a space. Raises GameError for coins that are none,
        and for pans that do not hold equally many.
        """
        pans = re.split("[|/:;,-]", text)
        pans = ["".join(pan.split()) for pan in (pans if len(pans) > 1 else text.split())]
        if len(self._names) <= 26:
            pans = [pan.upper() for pan in pans]
        coins = "".join(pans)
        if len(pans) != 2 or not coins or set(coins) - set(self._names):
            return super().read_guess(text)
        twice = next((coin for coin in coins if coins.count(coin) > 1), "")
        if twice:
            raise GameError(f"{shown(text)}: coin {twice} is there twice; expected each coin once")
        if len(pans[0]) != len(pans[1]):
            many = " and ".join(str(len(pan)) for pan in pans)
            raise GameError(
                f"{shown(text)}: {many} coins; expected equally many in both pans, such as {self.guesses[0]}"
            )
        return super().read_guess("|".join("".join(sorted(pan, key=self._names.index)) for pan in pans))

    def read_response(
        self, text: str, guess: int | None = None, secrets: NDArray[np.int32] | None = None
    ) -> int:
        """Return the index of the response typed: ``>``, ``=``, ``<`` or a beginning of its label."""
        return super().read_response(SIGNS.get(text.strip(), text), guess, secrets)


def _ways_to_err(
    coins: int, errs: Sequence[int], least: int, most: int, *, none: bool
) -> list[tuple[int, ...]]:
    """Return what each coin weighs beyond a good one, for every set of so many false coins."""
    found = [
        tuple(sign * (c in some) for c in range(coins))
        for many in range(least, most + 1)
        for some in combinations(range(coins), many)
        for sign in errs[: len(errs) if many else 1]
    ]
    return found + [(0,) * coins] * none


def _sides(rows: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return 1 for a coin on the left, -1 for one on the right."""
    return (rows == LEFT).astype(np.float32) - (rows == RIGHT).astype(np.float32)


def _answers(
    tilt: NDArray[np.float32], named: NDArray[np.float32], last: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    """Return responses by how much more the left pan weighs; those to last questions by the coin named."""
    found = np.where(last, np.select([named > 0, named < 0], [3, 4], 5), BALANCED - np.sign(tilt))
    return found.astype(np.uint8)


def _ranked(pans: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return how many coins each guess weighs, for a last question more than any, and where it has which."""
    many = np.where((pans == NAMED).any(axis=1), pans.shape[1] + 1, (pans < OFF).sum(axis=1))
    return np.column_stack([many, pans]).astype(np.uint8)


def _weighings(coins: int, *, good: bool) -> NDArray[np.uint8]:
    """Return every way to put equally many coins in both pans, few first; shape (weighings, coins)."""
    rows = np.indices((3,) * (coins + good), dtype=np.uint8).reshape(coins + good, -1).T
    many = (rows == LEFT).sum(axis=1)
    rows = rows[(many == (rows == RIGHT).sum(axis=1)) & (many > 0)]
    return rows[np.lexsort(_ranked(rows).T[::-1])]


def _neighbours(coins: int) -> NDArray[np.uint8]:
    """Return the weighings of neighbours, see `Balance`."""
    return np.array(
        [
            [LEFT if s <= c < s + k else RIGHT if s + k <= c < s + 2 * k else OFF for c in range(coins)]
            for k in range(coins // 2, 0, -1)
            for s in range(coins - 2 * k + 1)
        ],
        dtype=np.uint8,
    )


class Pans(Symmetry):
    """The coins permuted; if it `turns`, pans exchanged together with heavier and lighter.

    Parameters
    ----------
    pans: where each guess has each coin, in the order of `_ranked`; the good coin is the last column.
    errs: what each coin weighs beyond a good one, for each secret.
    """

    def __init__(
        self, pans: NDArray[np.uint8], errs: Sequence[tuple[int, ...]], coins: int, *, turns: bool
    ) -> None:
        self._pans, self._errs, self._coins, self._turns = pans, errs, coins, turns

    def classes(self, history: Sequence[int]) -> NDArray[np.int32] | None:
        """Return the smallest equivalent guess of each guess after `history`.

        Coins that were in the same pans all the time are interchangeable: only how many of each kind a guess
        has in each pan matters. Exchanged pans keep the history where for each coin another one was in the
        other pan each time, and one that is known to be good was in none.
        """
        past = self._pans[list(history)].astype(np.int64)
        columns = [(c >= self._coins, *column) for c, column in enumerate(past.T.tolist())]
        kinds = {column: i for i, column in enumerate(sorted(set(columns)))}
        keys = self._keys(np.array([kinds[c] for c in columns]), self._pans)
        turned = [(c[0], *map(_turned, c[1:])) for c in columns]
        if self._turns and sorted(turned) == sorted(columns):
            other = self._keys(np.array([kinds[c] for c in turned]), _TURNED[self._pans])
            keys = np.minimum(keys, other)
        return smallest(keys[:, None])

    def _keys(self, kinds: NDArray[np.int64], pans: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return a number for each guess, equal where each kind of coins is in the pans as often."""
        base, keys = self._coins + 2, np.zeros(len(pans), dtype=np.int64)
        found = np.sort(4 * kinds + pans, axis=1)
        for column in found.T:
            keys = keys * (4 * base) + column
        return keys

    def count(self, depth: int) -> int:
        """Return exactly the number of classes of sequences, one class after another."""
        return count_by_classes(self, len(self._pans), depth)

    @property
    def in_words(self) -> str:
        """How many ways there are to permute coins, twice as many where pans may be exchanged."""
        return product_text([self._coins, 2 if self._turns else 1])

    def generators(self) -> list[tuple[Permutation, Permutation]]:
        """Return a swap and a cycle of the coins, and the exchange of pans and ways."""
        index = {one: i for i, one in enumerate(self._errs)}
        extra = list(range(self._coins, self._pans.shape[1]))
        found, ranked = [], _ranked(self._pans)
        for order in swap_and_cycle(self._coins):
            taken = [index[tuple(one[c] for c in order)] for one in self._errs]
            found.append(
                (code_permutation(ranked, _ranked(self._pans[:, [*order, *extra]])), np.array(taken))
            )
        if self._turns:
            turned = np.array([index[tuple(-err for err in one)] for one in self._errs])
            found.append((code_permutation(ranked, _ranked(_TURNED[self._pans])), turned))
        return found


_TURNED = np.array([RIGHT, LEFT, OFF, NAMED], dtype=np.uint8)


def _turned(pan: int) -> int:
    return int(_TURNED[pan])


@register(
    "balance",
    example="balance:12",
    about="COINS, one of them false, heavier or lighter, on two pans; ,light or ,heavy: that is known; "
    ",coin: how it errs is not asked; ,none: maybe none is false; ,good: one more coin, known to be good; "
    ",false=K or A..B: so many are false, and weigh the same",
    reference="Dyson 1946; Guy & Nowakowski 1995; Tosic 1983",
    offer=Offer(
        "Balance",
        "One coin is false, heavier or lighter than the others: weigh some against others, and find it.",
        (Amount("coins", 3, MOST_COINS, 12),),
        {
            ",light": "it is known to be lighter",
            ",coin": "whether it is heavier or lighter is not asked",
            ",none": "maybe no coin is false",
            ",good": "one more coin is known to be good",
            ",false=2": "two coins are false, and weigh the same",
        },
        look=Look("tiles"),
        guess="AB|CD",
        response="left heavier",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``balance:N``, with any of `OPTIONS` after commas."""
    spec = f"balance:{text}"
    number, *options = text.split(",")
    several = [found for found in map(_FALSE.fullmatch, options) if found]
    plain = [option for option in options if not _FALSE.fullmatch(option)]
    odd = [option for option in plain if option not in OPTIONS or plain.count(option) > 1]
    if not re.fullmatch("[0-9]{1,3}", number, re.ASCII) or odd or len(several) > 1:
        raise GameError(
            f"{shown(spec)}: expected a number of coins, then any of {', '.join(OPTIONS)} and false=K or "
            "false=A..B after commas, such as balance:12 or balance:13,coin"
        )
    coins, ways = int(number), [option for option in options if option in ("light", "heavy")]
    if len(ways) > 1 or (ways and "coin" in options):
        raise GameError(f"{spec!r}: expected one of light, heavy and coin")
    neighbours = ways and not several and not {"none", "good"} & set(options)
    most = MOST_NEIGHBOURS if neighbours else MOST_COINS
    if coins == 2 and not several and not ways and "good" not in options:
        raise GameError(f"{spec!r}: 2 coins cannot be told apart without a good one; expected 3 to {most}")
    if not 2 <= coins <= most:
        raise GameError(f"{spec!r}: {coins} coins; expected 2 to {most}")
    false = (int(several[0][1]), int(several[0][2] or several[0][1])) if several else (1, 1)
    if not false[0] <= false[1] <= coins:
        raise GameError(
            f"{spec!r}: {false[0]} to {false[1]} false coins; expected 0 to {coins}, the least first"
        )
    if several and (unfit := [option for option in ("coin", "none") if option in options]):
        raise GameError(
            f"{spec!r}: {unfit[0]} with false=; expected one of these (false=0..K: maybe none is false)"
        )
    return Balance(
        coins,
        "".join(ways),
        coin="coin" in options,
        none="none" in options,
        good="good" in options,
        false=false,
    )
