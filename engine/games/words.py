"""Lists of words from files, for games that are played with them."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from ..errors import GameError


def read_words(path: str) -> list[str]:
    """Return the words of a text file, one on each line, lower case, composed, in the order of the file.

    Empty lines are left out. Raises GameError for a file that cannot be read, is empty, or holds a word
    twice or one that is not made of letters, with the line.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise GameError(f"cannot read {path!r}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise GameError(f"{path!r} is not UTF-8 text: byte {error.start}") from None
    except ValueError as error:  # a null byte or a lone surrogate in the path
        raise GameError(f"cannot read {path!r}: {error}") from None
    words: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        word = unicodedata.normalize("NFC", line.strip()).lower()
        if not word:
            continue
        if not word.isalpha():
            raise GameError(f"{path!r} line {number}: {word!r}; accepted: a word made of letters")
        if word in words:
            raise GameError(f"{path!r} line {number}: the word {word!r} is repeated (line {words[word]})")
        words[word] = number
    if not words:
        raise GameError(f"{path!r}: no word; accepted: one word on each line")
    return list(words)
