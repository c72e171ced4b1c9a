"""What games share whose guesses are spelled: they mark each symbol of a guess, or count what is common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from ..errors import GameError
from ..game import MAX_RESPONSES, MOST_LABELS, MOST_RESPONSES, Game, Responses, response_type
from ..memory import require_memory, usual_memory
from ..notation import ABSENT, ELSEWHERE, PLACE
from ..stopping import heed

MOST_SYMBOLS = 14
"""Marks of so many symbols at most are numbered: there is a place for each."""
MARKS = ABSENT + ELSEWHERE + PLACE
"""The digits of marks as a number to base 3."""
IN_PLACE = MARKS.index(PLACE)
SAYS = "g or = in place, y or + elsewhere, b or - absent"
"""The meaning of a response, for a prompt."""
BLOCK_CELLS = 1 << 24
MOST_PAIRS = 5 * 10**9
"""So many pairs of a guess and a secret are looked through for the responses that occur, half a minute."""


def mark(guess: str, secret: str) -> str:
    """Return the marks of a guess, from the rules alone.

    Symbols in place are marked first, then the others from the left, each against a symbol of the secret that
    is still unmarked.
    """
    left = Counter(h for g, h in zip(guess, secret, strict=True) if g != h)
    marks = []
    for g, h in zip(guess, secret, strict=True):
        if g == h:
            marks.append(PLACE)
        elif left[g]:
            left[g] -= 1
            marks.append(ELSEWHERE)
        else:
            marks.append(ABSENT)
    return "".join(marks)


class SpelledGame(Game):
    """A game whose guesses and secrets are spelled with the symbols of its `look`, all at the same length.

    A subclass sets `spec`, `secrets`, `guesses`, which contain the secrets, and `look`, and writes `respond`
    and `block`.
    """

    @property
    def letters(self) -> int:
        """How many symbols each has."""
        return len(self.guesses[0])

    @cached_property
    def asked(self) -> NDArray[np.uint8]:
        """The guesses as numbers of symbols, shape (guesses, letters)."""
        number = {letter: i for i, letter in enumerate(self.look.symbols)}
        flat = np.array([number[letter] for word in self.guesses for letter in word], dtype=np.uint8)
        return flat.reshape(-1, self.letters)

    @cached_property
    def hidden(self) -> NDArray[np.uint8]:
        """The secrets as numbers of symbols, shape (secrets, letters)."""
        return self.asked[self._named]

    @cached_property
    def _named(self) -> list[int]:
        """The guess that names each secret: the same word."""
        place = {word: i for i, word in enumerate(self.guesses)}
        return [place[word] for word in self.secrets]

    def own(self) -> NDArray[np.int32]:
        """Return the secret that each guess names, or -1."""
        own = np.full(len(self.guesses), -1, dtype=np.int32)
        own[self._named] = np.arange(len(self.secrets))
        return own

    def some_guesses(self, secrets: int) -> Iterator[NDArray[np.int32]]:
        """Yield all guesses in turn, as many at once as are answered together on so many secrets."""
        step = max(BLOCK_CELLS // secrets, 1)
        for start in range(0, len(self.guesses), step):
            heed()
            yield np.arange(start, min(start + step, len(self.guesses)), dtype=np.int32)

    def table(self) -> Responses:
        """Return every response, shape (guesses, secrets); it can end between blocks."""
        shape, kind = (len(self.guesses), len(self.secrets)), response_type(self)
        require_memory(self.spec, *shape, np.dtype(kind).itemsize)
        found, everyone = np.empty(shape, dtype=kind), np.arange(len(self.secrets), dtype=np.int32)
        for some in self.some_guesses(shape[1]):
            found[some[0] : some[-1] + 1] = self.block(some, everyone)
        return found


class MarkGame(SpelledGame):
    """A game whose responses mark each symbol of the guess; a subclass calls `number_responses`."""

    _numbers: NDArray[np.uint16] | None = None

    def number_responses(self, *, every: bool = False) -> None:
        """Set `responses` and `winning`; raise GameError for too many.

        Marks of at most 5 symbols are all there; of longer ones only those that occur, in the same order.
        With `every`, all marks of at most 11 symbols are there: they stay the same if other secrets are.
        """
        if self.letters > MOST_SYMBOLS:
            raise GameError(
                f"{self.spec}: {self.letters} symbols in a guess; expected at most {MOST_SYMBOLS}"
            )
        if 3**self.letters <= (MOST_LABELS if every else MAX_RESPONSES):
            self.responses = tuple("".join(some) for some in product(MARKS, repeat=self.letters))
        else:
            self._numbers, self.responses = self._those_that_occur()
        self.winning = len(self.responses) - 1
        self._places = {label: i for i, label in enumerate(self.responses)}

    def _those_that_occur(self) -> tuple[NDArray[np.uint16], tuple[str, ...]]:
        """Return the number of each response by its marks, shape (3^letters,), and the responses."""
        hidden = self.hidden
        pairs = len(self.guesses) * len(hidden)
        if pairs > MOST_PAIRS:
            raise GameError(
                f"{self.spec}: {len(self.guesses)} guesses of {self.letters} symbols; their responses are "
                f"looked for in {pairs} pairs, expected at most {MOST_PAIRS}"
            )
        met = np.zeros(3**self.letters, dtype=bool)
        for some in self.some_guesses(len(hidden)):
            met |= kernels.occurring(kernels.mark_responses(self.asked[some], hidden), len(met))
            if met.sum() == len(met) - self.letters:  # one symbol elsewhere, the others in place: never
                break
        occur = np.flatnonzero(met)
        if len(occur) > MOST_RESPONSES:
            raise GameError(f"{self.spec}: {len(occur)} responses; expected at most {MOST_RESPONSES}")
        numbers = np.zeros(len(met), dtype=np.uint16)
        numbers[occur] = np.arange(len(occur))
        digits = occur[:, None] // 3 ** np.arange(self.letters - 1, -1, -1) % 3
        return numbers, tuple("".join(MARKS[digit] for digit in row) for row in digits.tolist())

    @cached_property
    def most_answers(self) -> int:
        """At most how many responses one guess gets, and the one that wins; of very many words, a bound."""
        if not self.by_guess:
            return len(self.responses)
        secrets = len(self.secrets)
        most, cells = min(len(self.responses), secrets + 1), len(self.guesses) * secrets
        if most <= MAX_RESPONSES or 2 * cells * np.dtype(response_type(self)).itemsize > usual_memory():
            return most
        everyone, found = np.arange(secrets, dtype=np.int32), 0
        for some in self.some_guesses(secrets):
            for row in self.block(some, everyone):
                met = np.zeros(len(self.responses), dtype=bool)  # quicker than to sort or hash the row
                met[row] = True
                found = max(found, int(met.sum()))
        return min(most, found + 1)

    @property
    def by_guess(self) -> bool:
        """Whether responses are numbered guess by guess: there are many."""
        return len(self.responses) > MAX_RESPONSES

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response, from the rules alone."""
        return self._places[mark(self.guesses[guess], self.secrets[secret])]

    @cached_property
    def _marks(self) -> NDArray[np.uint8]:
        """The marks of each response as digits, shape (responses, letters)."""
        flat = np.frombuffer("".join(self.responses).encode("ascii"), dtype=np.uint8)
        digits = np.zeros(1 << 8, dtype=np.uint8)
        digits[[ord(mark) for mark in MARKS]] = range(len(MARKS))
        return digits[flat].reshape(-1, self.letters)

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the responses of some guesses on some secrets, from the kernel."""
        return self._numbered(kernels.mark_responses(self.asked[guesses], self.hidden[secrets]))

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the response of each guess on the secret beside it."""
        asked, hidden = self.asked[guesses], self.hidden[secrets]
        place = asked == hidden
        answers = np.zeros(len(asked), dtype=np.int64)
        for i in range(self.letters):
            letter = asked[:, i : i + 1]
            free = ((hidden == letter) & ~place).sum(axis=1)
            taken = ((asked == letter) & ~place)[:, :i].sum(axis=1)
            answers = 3 * answers + np.where(place[:, i], 2, free > taken)
        return self._numbered(answers)

    def _numbered(self, marks: NDArray[np.integer[Any]]) -> Responses:
        """Return the indices of responses that are given as numbers to base 3."""
        kind = response_type(self)
        return marks.astype(kind, copy=False) if self._numbers is None else self._numbers[marks].astype(kind)


def symbols_of(spec: str, words: Sequence[str]) -> str:
    """Return the symbols of words of one length, sorted; raise GameError for words of several."""
    usual = Counter(map(len, words)).most_common(1)[0][0]
    odd = next((word for word in words if len(word) != usual), None)
    if odd is not None:
        raise GameError(
            f"{spec}: {odd!r} has {len(odd)} letters; expected words of the same length, as most have {usual}"
        )
    symbols = "".join(sorted(set("".join(words))))
    if len(symbols) > MAX_RESPONSES:
        raise GameError(f"{spec}: more than {MAX_RESPONSES} different letters")
    return symbols
