"""Wordle: words are guessed, each letter is marked as in place, elsewhere in the word, or absent."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..catalogue import NamedList, Offer
from ..errors import GameError, SpaceError, shown
from ..game import Game
from ..memory import size_text, usual_memory
from ..notation import ABSENT, PLACE, Look
from ..registry import register
from ..rules import Rules, Step, Words
from ..stopping import heed
from .marks import IN_PLACE, SAYS, MarkGame, symbols_of
from .words import ALLOWED, ANSWERS, ANY, parted, word_lists

MOST_LETTERS = 11
BLOCK_WORDS = 1 << 22
CHECKED_LETTERS = 5
"""Words of at most so many letters have certificates by their rules."""
Mode: TypeAlias = Literal["", "hard", "ultra"]
MODES: tuple[Mode, ...] = "", "hard", "ultra"
"""How far the history limits what may be asked; a name ends a spec."""
ORIGINAL = "wordle:official is the original list; wordle:ANSWERS.txt,ALLOWED.txt reads a newer one from files"
AT, LEAST, NOT_AT, MOST = range(4)
"""What a guess may be known to need: a letter at a place, at least so often, not at it, at most so often."""
TRIES = 6
"""So many guesses a game has."""


class WordleGame(MarkGame):
    """Secrets are the answers, guesses the answers and the other words allowed, in alphabetical order.

    A response marks each letter of the guess: ``=`` in its place, ``+`` elsewhere in the word, ``-`` not (or
    not once more) in it. Letters in place are marked first, then the others from the left, each against a
    letter of the secret that is still unmarked.

    In hard mode what was revealed must be used: a letter in place stays there, and a letter of which n were
    marked, in place or elsewhere, in one guess occurs n times. The last guess alone says it all: it had to
    use what was revealed before, so that is revealed by it again.

    In ultra-hard mode a guess must agree with every response so far: were it the secret, each guess before
    it would have got the response that it got (the ultra-hard mode of Selby 2022). So letters that are absent
    are not asked again, nor is a letter marked elsewhere at the same place. That takes the whole history.
    """

    tries = TRIES

    def __init__(
        self,
        spec: str,
        answers: list[str],
        allowed: list[str],
        *,
        mode: Mode = "",
        lists: str = "",
    ) -> None:
        self.spec, self.mode, self.lists = spec, mode, lists
        self.secrets = tuple(sorted(answers))
        self.guesses = tuple(sorted({*answers, *allowed}))
        symbols = symbols_of(spec, self.guesses)
        if (letters := len(self.guesses[0])) > MOST_LETTERS:
            raise GameError(f"{spec}: words of {letters} letters; expected at most {MOST_LETTERS}")
        self.look = Look("tiles", "marks", SAYS, symbols)
        self.number_responses(every=True)

    def __getstate__(self) -> dict[str, Any]:
        worked_out = {"_rules"}  # they can be worked out again, and are large
        return {name: value for name, value in vars(self).items() if name not in worked_out}

    def refused(self, history: Sequence[Step], guess: int) -> str:
        """Return which letter the mode refuses at its place or as often, or an empty text."""
        new = self.guesses[guess]
        for asked, response in history if self.mode else ():
            word, marks = self.guesses[asked], self.responses[response]
            why = _unused(word, marks, new) or (
                _asked_again(word, marks, new) if self.mode == "ultra" else ""
            )
            if why:
                return f"{why} ({word} {marks})"
        return ""

    @cached_property
    def wider(self) -> WordleGame | None:
        """Return the same game where every word that may be guessed may be the answer, ``,any``."""
        if len(self.secrets) == len(self.guesses):
            return None
        mode = f",{self.mode}" if self.mode else ""
        spec = f"{parted(self.spec.removesuffix(mode))[0]}{ANY}{mode}"
        return WordleGame(spec, list(self.guesses), [], mode=self.mode, lists=self.lists)

    def guess_index(self, label: str) -> int:
        """Return the index of a word; raise GameError that says which list it is for one that is missing."""
        try:
            return super().guess_index(label)
        except GameError:
            if not self.lists:
                raise
            size = len(self.guesses[0])
            said = (
                f"{shown(label)} is not a guess of {self.spec}; expected one of its {len(self.guesses)} words"
            )
            more = f"; {self.lists}" if isinstance(label, str) and len(label) == size else ""
            raise GameError(f"{said} of {size} letters{more}") from None

    def rules(self) -> Rules | None:
        """Return the mode as bits, or None."""
        return self._rules if self.mode else None

    @property
    def latin(self) -> bool:
        """Whether checkers of certificates read the words: a to z, at most 5 letters."""
        text = "".join(self.guesses)
        return self.letters <= CHECKED_LETTERS and text.isascii() and text.islower() and text.isalpha()

    @cached_property
    def _rules(self) -> Rules:
        """The mode as bits: a letter at a place, or at least so often; ultra: not at it, or at most so often.

        Only what some secret has can be revealed, and only what is asked can be marked otherwise, so nothing
        else has a bit.
        """
        bits, features = self._features(self.mode == "ultra")

        def needs(guesses: NDArray[np.intp], responses: NDArray[np.intp]) -> Words:
            shape = (*responses.shape, features.shape[1])
            if (need := 8 * math.prod(shape)) > (have := usual_memory()):
                raise SpaceError(
                    f"{self.spec}: what {self.mode} mode demands would need {size_text(need)}, and "
                    f"{size_text(have)} may be used; use shorter lists"
                )
            found = np.empty(shape, dtype=np.uint64)
            step = max(BLOCK_WORDS // max(math.prod(shape[1:]), 1), 1)
            for start in range(0, len(found), step):
                heed()
                rows = slice(start, start + step)
                found[rows] = self._demanded(bits, self.asked[guesses[rows]], self._marks[responses[rows]])
            return found

        checked = self.mode if self.latin else ""
        return Rules(features, needs, checked, responses=len(self.responses))

    def _demanded(self, bits: Words, asked: NDArray[np.uint8], marks: NDArray[np.uint8]) -> Words:
        """Return what marks of some guesses, shape (guesses, k, letters), demand, (guesses, k, words)."""
        demanded = np.zeros((*marks.shape[:2], bits.shape[-1]), dtype=np.uint64)
        for place in range(self.letters):
            letter, mark = asked[:, place, None], marks[:, :, place]
            same = (asked == letter)[:, None]  # where in the guess this letter is
            before = (same[:, :, :place] & (marks[:, :, :place] > 0)).sum(axis=2)
            demanded |= np.where((mark > 0)[..., None], bits[LEAST, before, letter], 0)
            demanded |= np.where((mark == IN_PLACE)[..., None], bits[AT, place, letter], 0)
            if self.mode == "ultra":
                demanded |= np.where((mark < IN_PLACE)[..., None], bits[NOT_AT, place, letter], 0)
                marked = (same & (marks > 0)).sum(axis=2).clip(max=self.letters - 1)
                demanded |= np.where((mark == 0)[..., None], bits[MOST, marked, letter], 0)
        return demanded

    def _features(self, ultra: bool) -> tuple[Words, Words]:
        """Return the bit of each fact, shape (4, letters, kinds, words), and the bits of each guess.

        A fact is about a letter and a place, or about a letter and a number: `LEAST` of n says that it occurs
        more than n times, `MOST` of n that it does not.
        """
        asked, hidden, kinds = self.asked, self.hidden, len(self.look.symbols)
        met = np.zeros((4, self.letters, kinds), dtype=bool)
        for place in range(self.letters):
            met[AT, place, hidden[:, place]] = True
            met[LEAST, _rank(hidden, place, range(place)), hidden[:, place]] = True
            if ultra:
                met[NOT_AT, place, asked[:, place]] = True
                met[MOST, _rank(asked, place, range(place)), asked[:, place]] = True
        words = -(-int(met.sum()) // 64)
        bits = np.zeros((*met.shape, words), dtype=np.uint64)
        number = np.arange(int(met.sum()))
        bits[(*np.nonzero(met), number // 64)] = np.uint64(1) << (number % 64).astype(np.uint64)
        features = np.zeros((len(asked), words), dtype=np.uint64)
        features |= np.bitwise_or.reduce(bits[[NOT_AT, MOST]].reshape(-1, words))
        for place in range(self.letters):
            letter, rank = asked[:, place], _rank(asked, place, range(place))
            features |= bits[AT, place, letter] | bits[LEAST, rank, letter]
            features &= ~(bits[NOT_AT, place, letter] | bits[MOST, rank, letter])
        return bits, features


def _unused(word: str, marks: str, new: str) -> str:
    """Return which revealed letter a new word does not use, or an empty text."""
    for place, (letter, mark) in enumerate(zip(word, marks, strict=True)):
        if mark == PLACE and new[place] != letter:
            return f"letter {place + 1} must be {letter!r}"
    for letter, many in _marked(word, marks).items():
        if new.count(letter) < many:
            return f"{letter!r} must occur {many} times" if many > 1 else f"{letter!r} is missing"
    return ""


def _asked_again(word: str, marks: str, new: str) -> str:
    """Return which letter of a new word is known not to be there, or not so often, or an empty text."""
    for place, (letter, mark) in enumerate(zip(word, marks, strict=True)):
        if mark != PLACE and new[place] == letter:
            return f"letter {place + 1} must not be {letter!r}"
    revealed = _marked(word, marks)
    for letter, mark in zip(word, marks, strict=True):
        many = revealed[letter]
        if mark == ABSENT and new.count(letter) > many:
            often = "once" if many == 1 else f"{many} times"
            return f"{letter!r} must occur {often} at most" if many else f"{letter!r} is absent"
    return ""


def _marked(word: str, marks: str) -> Counter[str]:
    """Return how many of each letter were marked in place or elsewhere."""
    return Counter(letter for letter, mark in zip(word, marks, strict=True) if mark != ABSENT)


def _rank(words: NDArray[np.uint8], place: int, others: Iterable[int]) -> NDArray[np.int64]:
    """Return how many of some other places of each word have the letter of this place, shape (words,)."""
    same = [words[:, other] == words[:, place] for other in others]
    return np.sum(same, axis=0, dtype=np.int64) if same else np.zeros(len(words), dtype=np.int64)


@register(
    "wordle",
    example="wordle:ANSWERS.txt",
    about="Wordle with words from a file, one on each line; ,ALLOWED.txt: more words that may be guessed; "
    ",used=USED.txt: without these answers; ,any: every word may be the answer; ,hard: hard mode; "
    ",ultra: every guess must agree with all responses; "
    "wordle:official: the original 2315 answers, 12972 guesses",
    reference="Bertsimas and Paskov 2022; Selby 2022",
    files="words",
    offer=Offer(
        "Wordle",
        "Find the word: each letter of a guess is in place, elsewhere in the word, or not in it.",
        options={
            ",any": "any word that may be guessed may be the answer",
            ",hard": "hard mode: what was found must be used",
            ",ultra": "ultra-hard mode: every guess must agree with all responses",
        },
        lists=(NamedList("official", "Wordle as first published", (ANSWERS, ALLOWED)),),
        look=Look("tiles", "marks"),
        guess="CRANE",
        response="-+=--",
    ),
)
def make(text: str, find: Callable[[str], str] = str) -> Game:
    """Return the game of a spec ``wordle:ANSWERS.txt[,ALLOWED.txt][,used=USED.txt][,any][,hard|,ultra]``.

    ``official`` stands for both lists, and ``english-6`` for one.
    """
    files, mode = _mode_of(text)
    lists = word_lists("wordle", files, find, f", {' or '.join(MODES[1:])}")
    said = ORIGINAL if lists.official else ""
    return WordleGame(f"wordle:{text}", lists.hidden, lists.guessed, mode=mode, lists=said)


def _mode_of(text: str) -> tuple[str, Mode]:
    """Return a text without the mode at its end, and the mode; raise GameError for two."""
    found: list[Mode] = []
    for mode in [*MODES[1:], *MODES[1:]]:
        text, ends = _ending(text, f",{mode}")
        found += [mode] * ends
    if len(found) > 1:
        raise GameError(f"'wordle:{text},{','.join(found[::-1])}': two modes; expected one of them")
    return text, found[0] if found else ""


def _ending(text: str, option: str) -> tuple[str, bool]:
    """Return a text without an option at its end, and whether it had it."""
    return text.removesuffix(option), text.endswith(option)
