"""Wordle: words are guessed, each letter is marked as in place, elsewhere in the word, or absent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from ..catalogue import NamedList, Offer
from ..errors import GameError, shown
from ..game import Game
from ..notation import ABSENT, ELSEWHERE, PLACE, Look
from ..registry import register
from ..rules import Rules, Step
from .words import ALLOWED, ANSWERS, official_words, read_words

MOST_LETTERS = 5
MOST_KINDS = 255
HARD, ANY, WITHOUT = ",hard", ",any", ",without="
"""What may follow the lists in a spec, in this order from the end."""
ORIGINAL = "wordle:official is the original list; wordle:ANSWERS.txt,ALLOWED.txt reads a newer one from files"
TRIES = 6
"""So many guesses a game has."""


class WordleGame(Game):
    """Secrets are the answers, guesses the answers and the other words allowed, in alphabetical order.

    A response marks each letter of the guess: ``=`` in its place, ``+`` elsewhere in the word, ``-`` not (or
    not once more) in it. Letters in place are marked first, then the others from the left, each against a
    letter of the secret that is still unmarked.

    In hard mode what was revealed must be used: a letter in place stays there, and a letter of which n were
    marked, in place or elsewhere, in one guess occurs n times. The last guess alone says it all: it had to
    use what was revealed before, so that is revealed by it again.
    """

    tries = TRIES

    def __init__(
        self, spec: str, answers: list[str], allowed: list[str], *, hard: bool = False, lists: str = ""
    ) -> None:
        self.spec, self.hard, self.lists = spec, hard, lists
        self.secrets = tuple(sorted(answers))
        self.guesses = tuple(sorted({*answers, *allowed}))
        self.letters = Counter(len(word) for word in self.guesses).most_common(1)[0][0]
        odd = next((word for word in self.guesses if len(word) != self.letters), None)
        if odd is not None:
            raise GameError(
                f"{spec}: {odd!r} has {len(odd)} letters; expected words of the same length, "
                f"as most have {self.letters}"
            )
        symbols = "".join(sorted(set("".join(self.guesses))))
        if len(symbols) > MOST_KINDS:
            raise GameError(f"{spec}: more than {MOST_KINDS} different letters")
        if self.letters > MOST_LETTERS:
            raise GameError(f"{spec}: words of {self.letters} letters; expected at most {MOST_LETTERS}")
        marks = product(ABSENT + ELSEWHERE + PLACE, repeat=self.letters)
        self.responses = tuple("".join(some) for some in marks)
        self.winning = len(self.responses) - 1
        self.look = Look("tiles", "marks", "g or = in place, y or + elsewhere, b or - absent", symbols)
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

    def refused(self, history: Sequence[Step], guess: int) -> str:
        """Return which revealed letter a guess does not use in hard mode, or an empty text."""
        new = self.guesses[guess]
        for asked, response in history if self.hard else ():
            word, marks = self.guesses[asked], self.responses[response]
            revealed = Counter(letter for letter, mark in zip(word, marks, strict=True) if mark != ABSENT)
            for place, (letter, mark) in enumerate(zip(word, marks, strict=True)):
                if mark == PLACE and new[place] != letter:
                    return f"letter {place + 1} must be {letter!r} ({word} {marks})"
            for letter, many in revealed.items():
                if new.count(letter) < many:
                    what = f"must occur {many} times" if many > 1 else "is missing"
                    return f"{letter!r} {what} ({word} {marks})"
        return ""

    @cached_property
    def wider(self) -> WordleGame | None:
        """Return the same game where every word that may be guessed may be the answer, ``,any``."""
        if len(self.secrets) == len(self.guesses):
            return None
        spec = f"{self.spec.removesuffix(HARD).partition(WITHOUT)[0]}{ANY}{HARD * self.hard}"
        return WordleGame(spec, list(self.guesses), [], hard=self.hard, lists=self.lists)

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
        """Return hard mode as bits, or None."""
        return self._hard_rules if self.hard else None

    @cached_property
    def _hard_rules(self) -> Rules:
        """Hard mode as bits: letter at a place, and letter at least so many times.

        Only what some secret has can be revealed, so nothing else has a bit.
        """
        asked, hidden = self._asked, self._hidden
        kinds = len(self.look.symbols)
        met = np.zeros((2, self.letters, kinds), dtype=bool)  # at this place; and the n-th of its kind
        for place in range(self.letters):
            met[0, place, hidden[:, place]] = True
            met[1, _rank(hidden, place, range(place)), hidden[:, place]] = True
        words = -(-int(met.sum()) // 64)
        bits = np.zeros((*met.shape, words), dtype=np.uint64)
        number = np.arange(int(met.sum()))
        bits[(*np.nonzero(met), number // 64)] = np.uint64(1) << (number % 64).astype(np.uint64)
        features = np.zeros((len(asked), words), dtype=np.uint64)
        for place in range(self.letters):
            features |= bits[0, place, asked[:, place]]
            features |= bits[1, _rank(asked, place, range(place)), asked[:, place]]
        needs = np.empty((len(asked), len(self.responses), words), dtype=np.uint64)
        for response, marks in enumerate(self.responses):
            marked = [place for place, mark in enumerate(marks) if mark != ABSENT]
            demanded = np.zeros((len(asked), words), dtype=np.uint64)
            for i, place in enumerate(marked):
                demanded |= bits[1, _rank(asked, place, marked[:i]), asked[:, place]]
                if marks[place] == PLACE:
                    demanded |= bits[0, place, asked[:, place]]
            needs[:, response] = demanded
        return Rules(features, needs)

    @cached_property
    def _asked(self) -> NDArray[np.uint8]:
        """The guesses as numbers of letters, shape (guesses, letters)."""
        number = {letter: i for i, letter in enumerate(self.look.symbols)}
        flat = np.array([number[letter] for word in self.guesses for letter in word], dtype=np.uint8)
        return flat.reshape(-1, self.letters)

    @cached_property
    def _hidden(self) -> NDArray[np.uint8]:
        """The secrets as numbers of letters, shape (secrets, letters)."""
        return self._asked[self._named]

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

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some guesses on some secrets, from the kernel."""
        return kernels.mark_responses(self._asked[guesses], self._hidden[secrets])

    def table(self) -> NDArray[np.uint8]:
        """Return every response, shape (guesses, secrets), from the kernel."""
        return kernels.mark_responses(self._asked, self._hidden)

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the response of each guess on the secret beside it."""
        asked, hidden = self._asked[guesses], self._hidden[secrets]
        place = asked == hidden
        answers = np.zeros(len(asked), dtype=np.uint8)
        for i in range(self.letters):
            letter = asked[:, i : i + 1]
            free = ((hidden == letter) & ~place).sum(axis=1)
            taken = ((asked == letter) & ~place)[:, :i].sum(axis=1)
            answers = 3 * answers + np.where(place[:, i], 2, free > taken).astype(np.uint8)
        return answers


def _rank(words: NDArray[np.uint8], place: int, others: Iterable[int]) -> NDArray[np.int64]:
    """Return how many of some other places of each word have the letter of this place, shape (words,)."""
    same = [words[:, other] == words[:, place] for other in others]
    return np.sum(same, axis=0, dtype=np.int64) if same else np.zeros(len(words), dtype=np.int64)


@register(
    "wordle",
    example="wordle:ANSWERS.txt",
    about="Wordle with words from a file, one on each line; ,ALLOWED.txt: more words that may be guessed; "
    ",without=USED.txt: without these answers; ,any: every word may be the answer; ,hard: hard mode; "
    "wordle:official: the original 2315 answers, 12972 guesses",
    reference="Bertsimas and Paskov 2022; Selby 2022",
    files="words",
    offer=Offer(
        "Wordle",
        "Find the word: each letter of a guess is in place, elsewhere in the word, or not in it.",
        options={
            ",any": "any word that may be guessed may be the answer",
            ",hard": "hard mode: what was found must be used",
        },
        lists=(NamedList("official", "Wordle as first published", (ANSWERS, ALLOWED)),),
        look=Look("tiles", "marks"),
        guess="CRANE",
        response="-+=--",
    ),
)
def make(text: str, find: Callable[[str], str] = str) -> Game:
    """Return the game of a spec ``wordle:ANSWERS.txt[,ALLOWED.txt][,without=USED.txt][,any][,hard]``.

    ``official`` stands for both lists.
    """
    files, hard = _ending(text, HARD)
    files, any_word = _ending(files, ANY)
    files, _, used = files.partition(WITHOUT)
    answers, _, allowed = files.partition(",")
    if not answers:
        raise GameError("'wordle:': expected a file of answers, such as wordle:answers.txt")
    if answers == "official" and allowed:
        options = f"{WITHOUT[1:]}USED.txt, {ANY[1:]}, {HARD[1:]}"
        raise GameError(f"'wordle:{text}': {allowed!r} after official; expected {options}, in this order")
    if files == "official":
        words, more = official_words()
    else:
        words, more = read_words(find(answers)), read_words(find(allowed)) if allowed else []
    more = [*words, *more]
    if any_word:
        words = more
    if used:
        gone = set(read_words(find(used)))
        words = [word for word in words if word not in gone]
    if not words:
        raise GameError(f"'wordle:{text}': every answer is in {used!r}; expected some that are not")
    lists = ORIGINAL if files == "official" else ""
    return WordleGame(f"wordle:{text}", words, more, hard=hard, lists=lists)


def _ending(text: str, option: str) -> tuple[str, bool]:
    """Return a text without an option at its end, and whether it had it."""
    return text.removesuffix(option), text.endswith(option)
