"""Jotto: words are guessed, a response is how many letters a guess and the secret have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from ..catalogue import NamedList, Offer
from ..errors import GameError
from ..game import Game, Responses
from ..notation import Look
from ..registry import register
from .marks import SpelledGame, symbols_of
from .words import ALLOWED, ANSWERS, ANY, parted, word_lists

MOST_LETTERS = 200
"""Fewer than the responses that are stored as bytes."""
SAYS = "letters in common, or yes"
LISTED = "jotto:official is the list of Wordle; jotto:WORDS.txt,ALLOWED.txt reads others from files"
WON = "yes"
"""The response that ends the game; another word with all letters of the secret gets their number."""


class JottoGame(SpelledGame):
    """Secrets are the words that may be hidden, guesses these and the other words allowed, alphabetically.

    A letter counts as often as both words have it, wherever it stands. The secret itself gets ``yes``; an
    anagram of it gets the number of all its letters. Only responses that occur are there.
    """

    def __init__(self, spec: str, hidden: list[str], allowed: list[str], *, lists: str = "") -> None:
        self.spec, self.lists = spec, lists
        self.secrets = tuple(sorted({*hidden}))
        self.guesses = tuple(sorted({*hidden, *allowed}))
        symbols = symbols_of(spec, self.guesses)
        if self.letters > MOST_LETTERS:
            raise GameError(f"{spec}: words of {self.letters} letters; expected at most {MOST_LETTERS}")
        self.look = Look("tiles", says=SAYS, symbols=symbols, secret="word")
        self._numbers = np.arange(self.letters + 2, dtype=np.uint8)
        met, everyone = np.zeros(self.letters + 2, dtype=bool), np.arange(len(self.secrets), dtype=np.int32)
        for some in self.some_guesses(len(everyone)):
            met |= kernels.occurring(self.block(some, everyone), len(met))
            if met.all():
                break
        labels = [*map(str, range(self.letters + 1)), WON]
        self.responses = [label for label, there in zip(labels, met.tolist(), strict=True) if there]
        self.winning = len(self.responses) - 1
        self._numbers = (np.cumsum(met) - 1).astype(np.uint8)

    @cached_property
    def wider(self) -> JottoGame | None:
        """Return the same game where every word that may be guessed may be hidden, ``,any``."""
        if len(self.secrets) == len(self.guesses):
            return None
        spec = f"{parted(self.spec)[0]}{ANY}"
        return JottoGame(spec, list(self.guesses), [], lists=self.lists)

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response, from the rules alone."""
        word, hidden = self.guesses[guess], self.secrets[secret]
        common = (Counter(word) & Counter(hidden)).total()
        return self.responses.index(WON if word == hidden else str(common))

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the responses of some guesses on some secrets, from the kernel."""
        lookup = np.tile(np.arange(self.letters + 1), (self.letters + 1, 1))  # letters in place, letters
        lookup[self.letters] = self.letters + 1
        kinds, asked, hidden = len(self.look.symbols), self.asked[guesses], self.hidden[secrets]
        found: Responses = kernels.code_responses(asked, hidden, kinds, self._numbers[lookup])
        return found

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the response of each guess on the secret beside it."""
        asked, hidden = self.asked[guesses], self.hidden[secrets]
        common = np.zeros(len(asked), dtype=np.int64)
        for symbol in range(len(self.look.symbols)):
            common += np.minimum((asked == symbol).sum(axis=1), (hidden == symbol).sum(axis=1))
        common[(asked == hidden).all(axis=1)] = self.letters + 1
        return self._numbers[common]


@register(
    "jotto",
    example="jotto:WORDS.txt",
    about="words from a file, one on each line, and how many letters a guess has in common with the secret; "
    ",ALLOWED.txt: more words that may be guessed; ,used=USED.txt: without these secrets; "
    ",any: every word may be the secret; jotto:official: the words of Wordle",
    reference="Rosenfeld 1955",
    files="words",
    offer=Offer(
        "Jotto",
        "Find the word: you are told how many letters of a guess it has, not which, nor where.",
        options={ANY: "any word that may be guessed may be the secret"},
        lists=(NamedList("official", "words of Wordle as first published", (ANSWERS, ALLOWED)),),
        look=Look("tiles"),
        guess="CRANE",
        response="3",
    ),
)
def make(text: str, find: Callable[[str], str] = str) -> Game:
    """Return the game of a spec ``jotto:WORDS.txt[,ALLOWED.txt][,used=USED.txt][,any]``.

    ``official`` stands for both lists of Wordle.
    """
    lists = word_lists("jotto", text, find)
    said = LISTED if lists.official else ""
    return JottoGame(f"jotto:{text}", lists.hidden, lists.guessed, lists=said)
