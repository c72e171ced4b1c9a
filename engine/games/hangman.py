"""Hangman: letters are asked, the response says where the word has them; a miss costs one, a hit nothing."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..errors import GameError
from ..game import MOST_RESPONSES, Game, Responses, register, response_type
from .words import read_weighted_words

MISS = "miss"


class HangmanGame(Game):
    """Secrets are words of one length, guesses letters, responses the places of the letter, or a miss.

    The goal is to identify the word: from then on every letter asked is a hit, so nothing more is paid, and
    what a strategy costs is its misses.
    """

    def __init__(self, spec: str, words: dict[str, int]) -> None:
        self.spec = spec
        self.secrets = tuple(sorted(words))
        length = Counter(len(word) for word in words).most_common(1)[0][0]
        odd = next((word for word in self.secrets if len(word) != length), None)
        if odd is not None:
            raise GameError(
                f"{spec}: {odd!r} has {len(odd)} letters; accepted: words of the same length, "
                f"as most have {length}"
            )
        self.guesses = tuple(sorted(set("".join(self.secrets))))
        patterns = {places(word, letter) for word in self.secrets for letter in word}
        self.responses = (MISS, *sorted(patterns - {MISS}))
        if len(self.responses) > MOST_RESPONSES:
            raise GameError(
                f"{spec}: letters have {len(patterns)} different places; accepted: at most "
                f"{MOST_RESPONSES - 1}, as in shorter words"
            )
        self.winning = None
        self.costs = np.zeros((len(self.guesses), len(self.responses)), dtype=np.int64)
        self.costs[:, 0] = 1
        if set(words.values()) != {1}:
            self.weights = tuple(words[word] for word in self.secrets)
        self._index = {label: i for i, label in enumerate(self.responses)}

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response: where the letter is in the word, or a miss."""
        return self._index[places(self.secrets[secret], self.guesses[guess])]

    def table(self) -> Responses:
        """Return every response, shape (guesses, secrets): misses but for the letters of each word."""
        number = {letter: g for g, letter in enumerate(self.guesses)}
        table = np.zeros((len(self.guesses), len(self.secrets)), dtype=response_type(self))
        for s, word in enumerate(self.secrets):
            for letter in set(word):
                table[number[letter], s] = self._index[places(word, letter)]
        return table


def places(word: str, letter: str) -> str:
    """Return the places of a letter in a word, from 1, such as ``2 5``; or `MISS`."""
    return " ".join(str(i) for i, other in enumerate(word, 1) if other == letter) or MISS


@register(
    "hangman",
    example="hangman:WORDS.txt",
    about="Hangman with the words of a file, all of one length; a tab and a weight may follow a word",
    reference="folklore",
)
def make(text: str) -> Game:
    """Return the game of a spec ``hangman:WORDS.txt``."""
    if not text:
        raise GameError("'hangman:': accepted: a file of words, such as hangman:words.txt")
    return HangmanGame(f"hangman:{text}", read_weighted_words(text))
