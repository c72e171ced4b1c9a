"""Hangman: letters are asked, the response says where the word has them; a miss costs one, a hit nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from ..catalogue import NamedList, Offer
from ..errors import GameError, shown
from ..game import MOST_COST, MOST_RESPONSES, Game, Responses, response_type
from ..notation import MISS, Look
from ..registry import register
from .phrases import LENGTH, PhraseGame, columns, guesses_of, label_of, length_of
from .phrases import places as places
from .words import ENGLISH, word_list

MOST_PHRASES = 1 << 17
"""So many phrases are listed at most; more are counted word by word, see `phrases`."""


class HangmanGame(Game):
    """Secrets are words, or phrases of one word from each list; guesses are letters.

    The response to a letter is its places, or a miss; in a phrase those in each word, and a miss is a letter
    that no word has. Where words of a list differ in length, the guess ``length`` tells all lengths and costs
    nothing. The goal is to identify the secret: from then on every letter asked is a hit, so nothing more is
    paid, and what a strategy costs is its misses.

    Parameters
    ----------
    lists: words and their weights; the weight of a phrase is the product of those of its words.
    misses: how many do not lose yet, or None: it is not said.
    """

    look = PhraseGame.look

    def __init__(self, spec: str, *lists: Mapping[str, int], misses: int | None = None) -> None:
        self.spec, self.budget = spec, misses
        self.words = tuple(tuple(sorted(words)) for words in lists)
        self.secrets = tuple(" ".join(phrase) for phrase in product(*self.words))
        self.guesses = guesses_of(self.words)
        self._columns = [columns(words, self.guesses) for words in self.words]
        most = max(prod(len(column[guess][0]) for column in self._columns) for guess in self.guesses)
        found = set() if most > MOST_RESPONSES else {a for guess in self.guesses for a in self._labels(guess)}
        self.responses = (MISS, *sorted(found - {MISS}))
        if max(most, len(self.responses)) > MOST_RESPONSES:
            raise GameError(
                f"{spec}: letters have {max(most, len(found))} different places; expected at most "
                f"{MOST_RESPONSES - 1}, as in shorter lists"
            )
        self.winning = None
        self.costs = np.zeros((len(self.guesses), len(self.responses)), dtype=np.int64)
        self.costs[int(self.guesses[0] == LENGTH) :, 0] = 1
        if any(weight != 1 for words in lists for weight in words.values()):
            some = product(
                *([given[word] for word in own] for given, own in zip(lists, self.words, strict=True))
            )
            self.weights = tuple(map(prod, some))
            if sum(self.weights) * len(self.secrets) >= MOST_COST:
                raise GameError(
                    f"{spec}: weights that add up to {sum(self.weights)} over {len(self.secrets)} secrets; "
                    "their product must be less than 2^61 (divide the weights by a common factor)"
                )
        self._index = {label: i for i, label in enumerate(self.responses)}

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response: where the letter is, a miss, or the lengths."""
        words, letter = self.secrets[secret].split(" "), self.guesses[guess]
        if letter == LENGTH:
            return self._index[length_of([str(len(word)) for word in words])]
        return self._index[label_of([places(word, letter) for word in words])]

    def table(self) -> Responses:
        """Return every response, shape (guesses, secrets)."""
        return self._table

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return some of the responses, shape (guesses, secrets)."""
        return self._table[np.ix_(guesses, secrets)]

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the response of each guess on the secret beside it."""
        return self._table[guesses, secrets]

    @cached_property
    def _table(self) -> Responses:
        """Every response, from the places in each word alone: there are few guesses."""
        table = np.zeros((len(self.guesses), len(self.secrets)), dtype=response_type(self))
        for guess, letter in enumerate(self.guesses):
            found = [self._index[label] for label in self._labels(letter)]
            numbers = [column[letter][1] for column in self._columns]
            index = np.array(found, dtype=table.dtype).reshape(
                [len(column[letter][0]) for column in self._columns]
            )
            table[guess] = index[np.ix_(*numbers)].ravel()
        return table

    def own(self) -> NDArray[np.int32]:
        """Return -1 for each guess: a letter names no word, not even the word of one letter."""
        return np.full(len(self.guesses), -1, dtype=np.int32)

    def _labels(self, guess: str) -> list[str]:
        """Return the responses to a guess: what one word answers goes with all that the others do."""
        answers = product(*(column[guess][0] for column in self._columns))
        return [length_of(answer) if guess == LENGTH else label_of(answer) for answer in answers]


@register(
    "hangman",
    example="hangman:WORDS.txt",
    about="Hangman with words from a file (a tab and a weight may follow a word), english, or english-5; "
    "A.txt+B.txt: phrases; ,misses=6: six misses are allowed",
    reference="folklore",
    files="words",
    offer=Offer(
        "Hangman",
        "Find the word letter by letter: you are told where a letter is; letters that miss count.",
        options={",misses=6": "six misses are allowed"},
        lists=tuple(NamedList(f"english-{n}", f"English, {n} letters", (ENGLISH,)) for n in (4, 5, 6, 7)),
        look=Look("tiles"),
        guess="_O_E_",
    ),
)
def make(text: str, find: Callable[[str], str] = str) -> Game:
    """Return the game of a spec ``hangman:LIST``, ``hangman:LIST+LIST`` or ``hangman:LIST,misses=6``."""
    names, comma, misses = text.rpartition(",misses=")
    if not comma:
        names = text
    elif not re.fullmatch("[0-9]{1,9}", misses, re.ASCII):
        raise GameError(f"'hangman:{text}': misses={shown(misses)}; expected an integer from 0")
    if not all(names.split("+")):
        raise GameError(f"'hangman:{text}': expected a file of words or a list, such as hangman:words.txt")
    lists = [word_list(name, find) for name in names.split("+")]
    kind: type[HangmanGame] | type[PhraseGame] = HangmanGame
    if len(lists) > 1 and prod(map(len, lists)) > MOST_PHRASES:
        kind = PhraseGame
    return kind(f"hangman:{text}", *lists, misses=int(misses) if comma else None)
