"""Lists of words from files, for games that are played with them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

from ..errors import GameError


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


def _weighted(path: str) -> Iterator[tuple[int, str, int]]:
    for number, line in _lines(path):
        word, tab, count = line.partition("\t")
        count = count.strip()
        if tab and not (count.isascii() and count.isdigit() and int(count) > 0):
            raise GameError(f"{path!r} line {number}: the weight {count!r}; accepted: an integer from 1")
        yield number, word, int(count) if tab else 1


def _lines(path: str) -> Iterator[tuple[int, str]]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise GameError(f"cannot read {path!r}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise GameError(f"{path!r} is not UTF-8 text: byte {error.start}") from None
    except ValueError as error:  # a null byte or a lone surrogate in the path
        raise GameError(f"cannot read {path!r}: {error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, line


def _words(path: str, given: Iterator[tuple[int, str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    lines: dict[str, int] = {}
    for number, text, weight in given:
        word = unicodedata.normalize("NFC", text.strip()).lower()
        if not word.isalpha():
            raise GameError(f"{path!r} line {number}: {word!r}; accepted: a word made of letters")
        if word in found:
            raise GameError(f"{path!r} line {number}: the word {word!r} is repeated (line {lines[word]})")
        found[word], lines[word] = weight, number
    if not found:
        raise GameError(f"{path!r}: no word; accepted: one word on each line")
    return found
