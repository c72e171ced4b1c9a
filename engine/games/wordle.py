"""Wordle: words are guessed, each letter is marked as in place, elsewhere in the word, or absent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from ..errors import GameError
from ..game import Game, register
from .words import official_words, read_words

ABSENT, ELSEWHERE, PLACE = "-", "+", "="
MOST_LETTERS = 5
MOST_KINDS = 255


class WordleGame(Game):
    """Secrets are the answers, guesses the answers and the other words allowed, in alphabetical order.

    A response marks each letter of the guess: ``=`` in its place, ``+`` elsewhere in the word, ``-`` not (or
    not once more) in it. Letters in place are marked first, then the others from the left, each against a
    letter of the secret that is still unmarked.
    """

    def __init__(self, spec: str, answers: list[str], allowed: list[str]) -> None:
        self.spec = spec
        self.secrets = tuple(sorted(answers))
        self.guesses = tuple(sorted({*answers, *allowed}))
        self.letters = Counter(len(word) for word in self.guesses).most_common(1)[0][0]
        odd = next((word for word in self.guesses if len(word) != self.letters), None)
        if odd is not None:
            raise GameError(
                f"{spec}: {odd!r} has {len(odd)} letters; accepted: words of the same length, "
                f"as most have {self.letters}"
            )
        if len(set("".join(self.guesses))) > MOST_KINDS:
            raise GameError(f"{spec}: more than {MOST_KINDS} different letters")
        if self.letters > MOST_LETTERS:
            raise GameError(f"{spec}: words of {self.letters} letters; accepted: at most {MOST_LETTERS}")
        marks = product(ABSENT + ELSEWHERE + PLACE, repeat=self.letters)
        self.responses = tuple("".join(some) for some in marks)
        self.winning = len(self.responses) - 1
        self._places = {label: i for i, label in enumerate(self.responses)}

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response, from the rules alone."""
        word, hidden = self.guesses[guess], self.secrets[secret]
        left = Counter(h for g, h in zip(word, hidden, strict=True) if g != h)
        marks = []
        for g, h in zip(word, hidden, strict=True):
            if g == h:
                marks.append(PLACE)
            elif left[g]:
                left[g] -= 1
                marks.append(ELSEWHERE)
            else:
                marks.append(ABSENT)
        return self._places["".join(marks)]

    @cached_property
    def _letters(self) -> dict[str, int]:
        return {letter: i for i, letter in enumerate(sorted(set("".join(self.guesses))))}

    def _words(self, labels: Iterable[str]) -> NDArray[np.uint8]:
        """Return words as numbers of letters, shape (words, letters)."""
        flat = np.array([[self._letters[c] for c in word] for word in labels], dtype=np.uint8)
        return flat.reshape(-1, self.letters)

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some guesses on some secrets, from the kernel."""
        asked = self._words(self.guesses[g] for g in guesses)
        return kernels.mark_responses(asked, self._words(self.secrets[s] for s in secrets))

    def table(self) -> NDArray[np.uint8]:
        """Return every response, shape (guesses, secrets), from the kernel."""
        return kernels.mark_responses(self._words(self.guesses), self._words(self.secrets))


@register(
    "wordle",
    example="wordle:ANSWERS.txt",
    about="Wordle with the words of a file, one on each line; a second file ,ALLOWED.txt may be guessed too; "
    "wordle:official: 2315 answers, 12972 guesses",
    reference="Bertsimas and Paskov 2022; Selby 2022",
)
def make(text: str) -> Game:
    """Return the game of ``wordle:ANSWERS.txt``, with ``,ALLOWED.txt`` or without, or ``wordle:official``."""
    if text == "official":
        return WordleGame("wordle:official", *official_words())
    answers, _, allowed = text.partition(",")
    if not answers:
        raise GameError("'wordle:': accepted: a file of answers, such as wordle:answers.txt")
    return WordleGame(f"wordle:{text}", read_words(answers), read_words(allowed) if allowed else [])
