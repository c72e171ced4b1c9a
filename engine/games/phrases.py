"""Phrases of Hangman that are never listed: one word of each list, told apart word by word.

A response tells of each word by itself, as a miss is a miss in every word. So the phrases that fit some
responses are again all those of one word from each of some lists.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, shown
from ..game import MOST_COST, Game, GameFacts
from ..notation import MISS, Look, as_places
from ..onestep.products import ProductParts
from ..rules import says_unknown

LENGTH = "length"
MOST_NUMBERED = 1 << 62
"""So many phrases and responses are numbered at most."""
Places = NDArray[np.int64]


class Combined(Sequence[str]):
    """Labels of one item from each list, in the order of their product, which is never listed.

    Parameters
    ----------
    write, read: what turns one item of each list into a label, and back.
    """

    def __init__(
        self,
        lists: Sequence[Sequence[str]],
        write: Callable[[Sequence[str]], str],
        read: Callable[[str], list[str]],
    ) -> None:
        self.lists, self._write, self._read = lists, write, read
        self._places = [{item: i for i, item in enumerate(items)} for items in lists]

    def __len__(self) -> int:
        return prod(map(len, self.lists))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        """Return a label, or some."""
        numbers = range(len(self))[index]
        return [self[i] for i in numbers] if isinstance(numbers, range) else self._write(self.items(numbers))

    def items(self, index: int) -> list[str]:
        """Return the items of a label."""
        found = []
        for items in reversed(self.lists):
            index, place = divmod(index, len(items))
            found.append(items[place])
        return found[::-1]

    def number(self, items: Sequence[str]) -> int:
        """Return the index of the label of these items; raise ValueError where there is none."""
        number = 0
        if len(items) != len(self.lists):
            raise ValueError(f"{len(items)} items")
        for item, known in zip(items, self._places, strict=True):
            if item not in known:
                raise ValueError(f"no item {item!r}")
            number = number * len(known) + known[item]
        return number

    def index(self, label: object, *_: Any) -> int:
        """Return the index of a label; raise ValueError where there is none."""
        return self.number(self._read(str(label)))

    def __contains__(self, label: object) -> bool:
        try:
            return self.index(label) >= 0
        except ValueError:
            return False


class Answers(Combined):
    """The responses of phrases: to letters, the miss first, and after them those to `LENGTH`."""

    def __init__(self, patterns: Sequence[Sequence[str]], sizes: Sequence[Sequence[str]]) -> None:
        super().__init__(patterns, label_of, self._parted)
        self._letters = prod(map(len, patterns))
        self._sizes = Combined(sizes, length_of, lambda label: label.removesuffix(" letters").split(" "))

    def _parted(self, label: str) -> list[str]:
        if label == MISS:
            return [MISS] * len(self.lists)
        return [MISS if part == "-" else part for part in label.split(" | ")]

    def __len__(self) -> int:
        return self._letters + len(self._sizes)

    def items(self, index: int) -> list[str]:
        """Return the responses of the words in that of a phrase."""
        return super().items(index) if index < self._letters else self._sizes.items(index - self._letters)

    def number(self, items: Sequence[str], letter: str = "") -> int:
        """Return the index of a response from those of the words to a letter, or to `LENGTH`."""
        return self._letters + self._sizes.number(items) if letter == LENGTH else super().number(items)

    def __getitem__(self, index: Any) -> Any:
        """Return a response, or some."""
        if isinstance(index, int | np.integer) and index >= self._letters:
            return self._sizes[int(index) - self._letters]
        return super().__getitem__(index)

    def index(self, label: object, *_: Any) -> int:
        """Return the index of a response; raise ValueError where there is none."""
        if str(label).endswith(" letters"):
            return self._letters + self._sizes.index(label)
        return super().index(label)


class Misses:
    """What each response to each guess costs: a miss of a letter 1."""

    def __init__(self, free: int) -> None:
        self._free = free

    def __getitem__(self, at: tuple[int, Any]) -> Any:
        """Return the cost of a response to a guess, or of each of some."""
        return (np.asarray(at[1]) == 0) & (at[0] >= self._free)


@dataclass(frozen=True, eq=False)
class Left(Sequence[int]):
    """Phrases by index: those of one word from each list that are left.

    Attributes
    ----------
    words: which words of each list, by their places, ascending.
    sizes: how many words the lists have.
    """

    words: tuple[Places, ...]
    sizes: tuple[int, ...]

    def __len__(self) -> int:
        return prod(map(len, self.words))

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        """Return a phrase, or some."""
        at = range(len(self))[index]
        return [self._phrase(i) for i in at] if isinstance(at, range) else self._phrase(at)

    def _phrase(self, index: int) -> int:
        number, scale = 0, 1
        for words, size in zip(reversed(self.words), reversed(self.sizes), strict=True):
            index, place = divmod(index, len(words))
            number += int(words[place]) * scale
            scale *= size
        return number

    def tolist(self) -> list[int]:
        """Return the phrases."""
        return list(self)


class PhraseGame(Game):
    """Hangman with more phrases than are listed; parameters as those of `HangmanGame`.

    Attributes
    ----------
    words: the words of each list, sorted.
    weighing: what each of them weighs, int64.
    """

    look = Look(answers="places")
    beyond = "play, assist or valuations, or a method one step ahead: compare, or solve --method METHOD"
    secrets: Combined
    responses: Answers

    def __init__(self, spec: str, *lists: Mapping[str, int], misses: int | None = None) -> None:
        self.spec, self.budget, self.winning = spec, misses, None
        self.words = tuple(tuple(sorted(words)) for words in lists)
        for given in lists:
            if sum(given.values()) >= MOST_COST:
                weight = sum(given.values())
                raise GameError(f"{spec}: weights that add up to {weight}; expected less than 2^61 in a list")
        self.weighing = tuple(
            np.array([given[word] for word in own], dtype=np.int64)
            for given, own in zip(lists, self.words, strict=True)
        )
        self.guesses = guesses_of(self.words)
        self._columns = [columns(words, self.guesses) for words in self.words]
        letters = [guess for guess in self.guesses if guess != LENGTH]
        patterns = [
            [MISS, *sorted({a for c in letters for a in own[c][0]} - {MISS})] for own in self._columns
        ]
        many = max(prod(map(len, some)) for some in (self.words, patterns))
        if many >= MOST_NUMBERED:
            raise GameError(f"{spec}: {many} phrases or responses; expected less than 2^62, of fewer lists")
        asked = LENGTH in self.guesses
        sizes = [sorted({str(len(word)) for word in words if asked}) for words in self.words]
        self.secrets = Combined(self.words, " ".join, lambda label: label.split(" "))
        self.responses = Answers(patterns, sizes)
        costs: Any = Misses(len(self.guesses) - len(letters))
        self.costs = costs

    @cached_property
    def facts(self) -> GameFacts:
        """What kind of game it is: a product, which is never listed."""
        return GameFacts(
            goals=("identify",),
            weighted=any(bool((weights != 1).any()) for weights in self.weighing),
            priced=True,
            noisy=False,
            failing=False,
            decides=False,
            by_kind=False,
            large=True,
            listed=False,
            product=True,
        )

    @property
    def everything(self) -> Left:
        """All phrases."""
        sizes = tuple(map(len, self.words))
        return Left(tuple(np.arange(size) for size in sizes), sizes)

    def draw(self, dice: random.Random) -> int:
        """Return a phrase drawn by its weight, which is drawn word by word."""
        drawn = []
        for words, weights in zip(self.words, self.weighing, strict=True):
            upto = np.cumsum(weights)
            drawn.append(words[int(np.searchsorted(upto, dice.randrange(int(upto[-1])), side="right"))])
        return self.secrets.number(drawn)

    def respond(self, guess: int, secret: int) -> int:
        """Return the response: where the letter is, a miss, or the lengths."""
        letter = self.guesses[guess]
        return self.responses.number([_answer(word, letter) for word in self.secrets.items(secret)], letter)

    def told(self, left: Left, guess: int) -> list[tuple[list[str], Places]]:
        """Return for each list the answers of its words to a guess, and the number of that of each left."""
        own = [column[self.guesses[guess]] for column in self._columns]
        return [(labels, numbers[words]) for (labels, numbers), words in zip(own, left.words, strict=True)]

    def after(self, left: Left, guess: int, response: int) -> Left:
        """Return what a response leaves."""
        given, kept = self.responses.items(response), []
        for (labels, numbers), words, said in zip(self.told(left, guess), left.words, given, strict=True):
            kept.append(words[numbers == labels.index(said)] if said in labels else words[:0])
        return Left(tuple(kept), left.sizes)

    def parts(self, left: Left, guess: int) -> ProductParts:
        """Return the parts that a letter makes of some phrases."""
        counts, masses, missed = [], [], int(self.guesses[guess] != LENGTH)
        weighing = zip(self.told(left, guess), left.words, self.weighing, strict=True)
        for (labels, numbers), words, weights in weighing:
            count = np.bincount(numbers, minlength=len(labels))
            mass = np.zeros(len(labels), dtype=np.int64)
            np.add.at(mass, numbers, weights[words])
            missed *= int(mass[labels.index(MISS)]) if MISS in labels else 0
            counts.append(tuple(count[count > 0].tolist()))
            masses.append(tuple(mass[count > 0].tolist()))
        return ProductParts(tuple(counts), tuple(masses), missed)

    def own(self) -> NDArray[np.int32]:
        """Return -1 for each guess: a letter names no phrase."""
        return np.full(len(self.guesses), -1, dtype=np.int32)

    def answers(self, guess: int | str) -> list[int]:
        """Return the responses that a guess gets on some phrase, ascending."""
        letter = self.guesses[self.guess_at(guess)]
        some = product(*(own[letter][0] for own in self._columns))
        return sorted(self.responses.number(items, letter) for items in some)

    def skips(self, text: str, guess: int) -> bool:  # noqa: ARG002 - no response looks like that
        """Return whether a text such as ``?`` says that the response to a guess is not known."""
        return says_unknown(text)

    def read_response(self, text: str, guess: int | None = None, secrets: Any = None) -> int:
        """Return the index of the response typed, each word as in `Game.read_response`."""
        if not isinstance(text, str) or guess is None:
            return self.response_index(text)
        letter = self.guesses[guess]
        # Of a whole pattern: one that is read word by word may have words without a blank.
        parts = re.split("[|/]", text if letter == LENGTH else as_places(text, letter))
        if letter == LENGTH and len(parts) == 1 and "_" not in text:
            parts = re.findall("[0-9]+", text)
        own = [column[letter][0] for column in self._columns]
        if letter == LENGTH:
            own = [[f"{size} letters" for size in sizes] for sizes in own]
        elif len(parts) == 1 and self.look.find_response([MISS], text, letter) == 0:
            parts *= len(own)
        if len(parts) == len(own):
            found = [
                self.look.find_response(labels, part.strip(), letter)
                for labels, part in zip(own, parts, strict=True)
            ]
            typed = [labels[at] for labels, at in zip(own, found, strict=True) if at is not None]
            items = [label.removesuffix(" letters") for label in typed]
            if len(items) == len(own):
                return self.responses.number(items, letter)
        some = " or ".join(self.examples(guess, secrets))
        if not text:
            raise GameError(f"type the response to {letter!r}, such as {some}")
        raise GameError(f"{shown(text)} is not a response to {letter!r}; type one such as {some}")

    def response_index(self, label: str) -> int:
        """Return the index of the response with this label; raise GameError when there is none."""
        try:
            return self.responses.index(label)
        except ValueError:
            said = f"{shown(label)} is not a response of {self.spec}"
            raise GameError(f"{said}; expected one such as 2 | -") from None

    def examples(self, guess: int | str, secrets: Any = None) -> list[str]:
        """Return responses that a guess may get, as `Game.examples`: the most frequent of each word."""
        left = secrets if isinstance(secrets, Left) else self.everything
        guess = self.guess_at(guess)
        some = []
        for labels, numbers in self.told(left, guess):
            order = np.argsort(-np.bincount(numbers, minlength=len(labels)), kind="stable")
            some.append([labels[i] for i in order[:3].tolist() if (numbers == i).any()])
        items = [[own[min(i, len(own) - 1)] for own in some] for i in range(max(map(len, some)))]
        likely = [self.responses[self.responses.number(one, self.guesses[guess])] for one in items]
        shape = [] if self.lengths(left) is None else [self.secrets[left[0]]]
        return self.look.examples(likely, self.guesses[guess], shape)

    def lengths(self, left: Left) -> list[int] | None:
        """Return the length of each word; None where it is not known."""
        each = zip(self.words, left.words, strict=True)
        sizes = [{len(own[i]) for i in words.tolist()} for own, words in each]
        return [size.pop() for size in sizes] if all(len(size) == 1 for size in sizes) else None

    def sized(self, sizes: list[int], secrets: Any = None) -> bool:
        """Return whether some phrase has words of these lengths."""
        left = secrets if isinstance(secrets, Left) else self.everything
        each = zip(sizes, self.words, left.words, strict=False)
        return len(sizes) == len(self.words) and all(
            any(len(own[i]) == size for i in words.tolist()) for size, own, words in each
        )


def _answer(word: str, letter: str) -> str:
    """Return what a word answers."""
    return str(len(word)) if letter == LENGTH else places(word, letter)


def guesses_of(lists: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the letters of some lists, after `LENGTH` where the words of one differ in length."""
    letters = sorted({letter for words in lists for word in words for letter in word})
    differ = any(len({len(word) for word in words}) > 1 for words in lists)
    return (*([LENGTH] if differ else []), *letters)


def columns(words: Sequence[str], guesses: Sequence[str]) -> dict[str, tuple[list[str], NDArray[np.int64]]]:
    """Return for each guess what words answer to it, and the number of the answer of each word."""
    numbers = np.full((len(guesses), len(words)), -1, dtype=np.int64)
    known: list[dict[str, int]] = [{} for _ in guesses]
    row = {guess: g for g, guess in enumerate(guesses)}
    for s, word in enumerate(words):
        for letter in set(word):
            seen = known[row[letter]]
            numbers[row[letter], s] = seen.setdefault(places(word, letter), len(seen))
        if LENGTH in row:
            seen = known[row[LENGTH]]
            numbers[row[LENGTH], s] = seen.setdefault(str(len(word)), len(seen))
    for g, seen in enumerate(known):
        if (numbers[g] < 0).any():
            numbers[g][numbers[g] < 0] = seen.setdefault(MISS, len(seen))
    return {guess: (list(known[g]), numbers[g]) for g, guess in enumerate(guesses)}


def places(word: str, letter: str) -> str:
    """Return the places of a letter in a word, from 1, such as ``2 5``; or `MISS`."""
    return " ".join(str(i) for i, other in enumerate(word, 1) if other == letter) or MISS


def label_of(answer: Sequence[str]) -> str:
    """Return the response of a phrase from those of its words."""
    if all(some == MISS for some in answer):
        return MISS
    return " | ".join("-" if some == MISS else some for some in answer)


def length_of(sizes: Sequence[str]) -> str:
    """Return the response to `LENGTH` from the lengths of the words."""
    return f"{' '.join(sizes)} letters"
