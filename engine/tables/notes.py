"""What is to be said of a table, with the options that would change it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """What was found in a table, in a line.

    Attributes
    ----------
    text: what was found, and where.
    advice: which options would change it, as they are written after the name of the file.
    options: the same options, such as ``missing=any``, each with what choosing it says, in plain words.
    at: where, as tests and answers; labels stand beside an empty test.
    others: further places of the same, in a line each; `more`: how many there are besides.
    mends: what writing another answer would mend: the test, what is written, and what is likely meant.
    """

    text: str
    advice: str = ""
    options: tuple[tuple[str, str], ...] = ()
    at: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()
    more: int = 0
    mends: tuple[tuple[str, str, str], ...] = ()

    @property
    def line(self) -> str:
        """The text with the advice."""
        return f"{self.text}; {self.advice}" if self.advice else self.text
