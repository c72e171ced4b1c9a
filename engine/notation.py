"""How the guesses, secrets and responses of a game look: declared once, for whoever shows or reads them.

Terminal, drawings, pages and prompts ask the `Look` of a game and know no game by name. Nothing here draws:
colours and sizes are those of whoever does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import perm
from string import ascii_uppercase
from typing import Literal, get_args

from .emphasis import unmarked
from .errors import GameError, shown
from .rules import UNKNOWN_TEXT

COLOURS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The symbols of colours."""
DIGITS = "0123456789ABCDEFGHIJ"
"""The symbols of digits, however many there are."""
HOLE = "_"
"""The symbol of an empty position of a code; among the symbols of a look it comes last."""

PLACE, ELSEWHERE, ABSENT = "=+-"
"""The marks of a symbol of a guess: where the secret has it."""
MISS, HIT = "miss", "hit"
"""The response of a guess that has no place, or of a cell with nothing in it; and of one with something."""

CodeKind = Literal["text", "pegs", "tiles"]
AnswerKind = Literal["text", "keys", "bulls", "marks", "places"]
_COUNTS = re.compile("([0-9]+)(?:,([0-9]+))?")
_NOUNS = re.compile(r"\b([Ss]ecret|[Gg]uess)(e?s)?\b")
_NUMBERS = re.compile(r"[0-9]{1,3}(?:[\s,;.:/+-]+[0-9]{1,3})*")
_PLACES = re.compile(r"[-0-9\s,;|/]*[-0-9][-0-9\s,;|/]*")
_WAYS: Mapping[str, str] = {
    "keys": "1,0, 1 0 and 10 are the same, and so are b and ● (black), w and ○ (white), in any order",
    "bulls": "1,0, 1 0 and 10 are the same, and so is b; b stands for bulls, c for cows, in any order",
    "marks": "digits will do, 2 in place, 1 elsewhere, 0 absent, and so will the coloured squares",
    "places": "type its places, or the pattern with _ for what is not known; - is a miss",
}
_COUNTED: Mapping[str, tuple[str, str]] = {"keys": ("b", "w"), "bulls": ("b", "c")}
_PEGS = str.maketrans("●○⚫⚪", "bwbw")
_PLAIN_MARKS: tuple[Mapping[str, str], ...] = (
    {},
    {PLACE: "g", ELSEWHERE: "y", ABSENT: "b"},
    {PLACE: "2", ELSEWHERE: "1", ABSENT: "0"},
)
"""Marks, and two other ways to type them."""
_TYPED_MARKS = {PLACE: "2g🟩🟧", ELSEWHERE: "1y🟨🟦", ABSENT: "0.bx_⬛⬜"}
_BLANKS = "_.-"
_BETWEEN = " \t,;.:-_/|"
"""What may stand between the symbols of a code."""


@dataclass(frozen=True)
class Look:
    """How to draw, write and read a game; the default is plain text. Raises GameError for an unknown kind.

    Attributes
    ----------
    codes: what guesses and secrets are: ``text``; or codes, drawn symbol by symbol and typed in any
        spelling: ``pegs``, each in its colour, or ``tiles``, such as digits and letters.
    answers: what responses are: ``text``; one or two numbers, which count symbols in place and elsewhere,
        written ``1,0``: ``keys``, drawn as black and white key pegs, or ``bulls``, bulls and cows; ``marks``,
        one for each symbol of the guess, written ``=+-`` (in place, elsewhere, absent) and drawn as colours
        of its tiles; or ``places`` of the guess in the secret, written ``2 5``, in words ``2 | -``, or
        ``miss``.
    says: the meaning of a response, for a prompt, such as ``black,white``; empty: the prompt adds nothing.
    symbols: the symbols of codes, in the order of the colours.
    distinct: whether the symbols of a code differ.
    secret, guess, cost: the words for these, such as ``cause``, ``test`` and ``minutes``.
    speaks: whether responses are words of the game's own, ``left heavier``, which sheets translate; those of
        a table are people's, and stay as they are.
    board: rows and columns of the board whose cells guesses are, called ``B3`` by row and column; (0, 0):
        there is none.
    """

    codes: CodeKind = "text"
    answers: AnswerKind = "text"
    says: str = ""
    symbols: str = COLOURS
    distinct: bool = False
    secret: str = "secret"
    guess: str = "guess"
    cost: str = "cost"
    speaks: bool = False
    board: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        for value, kinds in ((self.codes, get_args(CodeKind)), (self.answers, get_args(AnswerKind))):
            if not isinstance(value, str) or value not in kinds:
                raise GameError(f"a look of {shown(value)}; expected {', '.join(kinds)}")
        for noun in (self.secret, self.guess, self.cost):
            if not isinstance(noun, str) or not re.fullmatch("[A-Za-z][A-Za-z -]*", noun):
                raise GameError(f"a look with something called {shown(noun)}; expected plain words")
        sides = range(1, len(ascii_uppercase) + 1)
        if not isinstance(self.board, list | tuple) or not (
            [*self.board] == [0, 0] or (len(self.board) == 2 and all(side in sides for side in self.board))
        ):
            raise GameError(f"a look with a board of {shown(self.board)}; expected sides from 1 to 26")
        object.__setattr__(self, "board", tuple(self.board))  # JSON brings a list

    # -- boards ------------------------------------------------------------------------------------------

    @cached_property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The names of the cells of the board, row by row."""
        rows, columns = self.board
        return tuple(tuple(f"{row}{n}" for n in range(1, columns + 1)) for row in ascii_uppercase[:rows])

    def marked_board(self, turns: Iterable[tuple[str, str]]) -> list[list[tuple[str, str]]]:
        """Return the cells of the board by rows, with the response to each; empty where it was not asked."""
        known = dict(turns)
        return [[(cell, known.get(cell, "")) for cell in row] for row in self.cells]

    # -- responses, written ------------------------------------------------------------------------------

    def counts(self, response: str) -> tuple[int, int] | None:
        """Return what is in place and what is not, as a response counts them; None where it is text."""
        found = _COUNTS.fullmatch(response) if self.answers in ("keys", "bulls") else None
        return (int(found[1]), int(found[2] or 0)) if found else None

    def write(self, response: str) -> str:
        """Return a response for a line of text: two counts of key pegs as ``●●○``, all else by its label."""
        counts = self.counts(response)
        if self.answers != "keys" or counts is None or "," not in response:
            return response
        black, white = counts
        return "●" * black + "○" * white or "–"

    def pattern(self, turns: Iterable[tuple[str, str]], secrets: Iterable[str], between: str = " ") -> str:
        """Return what guesses and their responses show of a secret that is one of these, as ``_ a _ a``.

        Empty where responses are no places, or the secrets have words of different lengths.
        """
        sizes = {tuple(map(len, secret.split(" "))) for secret in secrets if self.answers == "places"}
        if len(sizes) != 1:
            return ""
        words = [["_"] * size for size in sizes.pop()]
        for guess, response in turns:
            if _PLACES.fullmatch(response) and response.count("|") == len(words) - 1:
                for word, places in zip(words, response.split("|"), strict=True):
                    for place in re.findall("[0-9]+", places):
                        word[int(place) - 1] = guess
        return " | ".join(between.join(word) for word in words)

    def gives_away(self, response: str) -> tuple[int, ...]:
        """Return how much a response shows: symbols in place, then symbols elsewhere, or how many places.

        Of text nothing is known: it is empty.
        """
        if self.answers == "marks":
            return response.count(PLACE), response.count(ELSEWHERE)
        if self.answers == "places":
            return (len(re.findall("[0-9]+", response)),)
        return self.counts(response) or ()

    # -- what secrets and guesses are called ---------------------------------------------------------------

    def named(self, text: str) -> str:
        """Return a text that speaks of secrets and guesses in the words of this game."""

        def word(found: re.Match[str]) -> str:
            own = self.secret if found[1].lower() == "secret" else self.guess
            own = plurals(own) if found[2] else own
            return own.capitalize() if found[1][0].isupper() else own

        return _NOUNS.sub(word, text)

    def paid(self, cost: str) -> str:
        """Return a cost with its word: ``minutes`` and ``EUR`` are counted, a ``price`` is named."""
        if self.cost.isupper():
            return f"{cost} {self.cost}"
        if not self.cost.endswith("s"):
            return f"{self.cost} {cost}"
        return f"{cost} {_singular(self.cost) if cost == '1' else self.cost}"

    # -- guesses and responses, typed --------------------------------------------------------------------

    def find_guess(self, labels: Sequence[str], text: str) -> int | None:
        """Return which guess was typed: its label, or the same in any unambiguous way; or None.

        Small letters stand for capitals; letters may be typed with their accents apart; in codes spaces,
        commas and the like are left out; marks of emphasis need not be typed; a text may be a beginning that
        no other label has.
        """
        composed = unicodedata.normalize("NFC", text)
        forms = [text, text.upper(), composed.lower()]
        if self.codes != "text":
            known = {symbol.casefold(): symbol for symbol in self.symbols}
            if self.own_letters:
                known |= {str(number): symbol for number, symbol in enumerate(self.symbols[:9], 1)}
            symbols = (c for c in composed if c in self.symbols or c not in _BETWEEN)
            forms.append("".join(known.get(c.casefold(), c) for c in symbols))
        for form in forms:
            try:
                return labels.index(form)
            except ValueError:
                pass
        # There may be millions of codes, and their symbols have been looked at.
        if self.codes != "text":
            return None
        plain = unmarked(labels, text)
        if len(plain) == 1:
            return plain[0]
        same, several = _same_letters(labels, text), self.beginning(labels, text)
        return several[0] if same is None and len(several) == 1 else same

    def beginning(self, labels: Sequence[str], text: str) -> list[int]:
        """Return which guesses begin with a text, where they are plain text."""
        return _beginning(labels, text) if self.codes == "text" else []

    def find_response(self, labels: Sequence[str], text: str, guess: str = "") -> int | None:
        """Return which response to a guess was typed: its label, or the same in any unambiguous way; or None.

        ``1,0``, ``1 0``, ``b``, ``●`` and, where no number has two digits, ``10`` are the same; so are the
        marks ``=+-``, ``210``, ``gyb`` and coloured squares; the places ``2 4``, ``2,4`` and the pattern
        ``_a_a``. Of plain answers a number chooses one of these labels, see `numbered`, and so does a
        beginning that no other has.
        """
        if text in labels:
            return labels.index(text)
        found = _same_letters(labels, text)
        if found is not None:
            return found
        if self.answers == "marks":
            return _same_letters(labels, _as_marks(text))
        if self.answers == "places":
            found = _same_letters(labels, as_places(text, guess))
            return _counted_words(labels, text) if found is None else found
        found = _same_numbers(labels, text)
        if found is not None:
            return found
        if self.plain:
            return self._chosen(labels, text)
        black, white = self.counted(text) or (-1, -1)
        same = [f"{black},{white}", *([] if white else [f"{black}"])]
        return next((labels.index(label) for label in same if label in labels), None)

    def _chosen(self, labels: Sequence[str], text: str) -> int | None:
        """Return which label was chosen by its number or its beginning, or None."""
        several = _beginning(labels, text)
        if len(several) == 1:
            return several[0]
        number = re.fullmatch("(#?)([0-9]{1,6})", text, re.ASCII)
        if not number or not (number[1] or self.numbered(labels)):
            return None
        order = [i for i, label in enumerate(labels) if label != UNKNOWN_TEXT]
        return order[int(number[2]) - 1] if 0 < int(number[2]) <= len(order) else None

    def numbered(self, labels: Sequence[str]) -> bool:
        """Return whether 1, 2, ... choose a label; where labels begin with digits it takes #1, #2, ..."""
        return not any(label[:1].isdigit() for label in labels)

    def counted(self, text: str) -> tuple[int, int] | None:
        """Return the counts typed as letters or pegs, such as ``bbw``, ``2b1w`` or ``●●○``; or None."""
        first, second = _COUNTED[self.answers]
        typed = re.sub(
            "([0-9]{1,2}) *([a-z])", lambda found: int(found[1]) * found[2], text.translate(_PEGS).lower()
        )
        pegs = "".join(c for c in typed if c not in _BETWEEN and c not in "·–")
        return None if not text or set(pegs) - {first, second} else (pegs.count(first), pegs.count(second))

    @property
    def ways(self) -> str:
        """How responses may be typed, in words; empty: by their labels alone."""
        return _WAYS.get(self.answers, "")

    def examples(self, labels: Sequence[str], guess: str, secrets: Iterable[str]) -> list[str]:
        """Return at most three of these responses to a guess as they may be typed, each in another way.

        `secrets`: those that are possible, as a pattern has their length.
        """
        few = [labels[i % len(labels)] for i in range(3)]
        if self.answers == "marks":
            return [
                "".join(way.get(c, c) for c in label) for label, way in zip(few, _PLAIN_MARKS, strict=True)
            ]
        if self.answers == "places":
            hit = next((i for i, label in enumerate(few) if label != MISS), -1)
            typed = (
                self._as_pattern(label, guess, secrets) if i == hit else "-" if label == MISS else label
                for i, label in enumerate(few)
            )
            return list(dict.fromkeys(typed))
        if self.plain or (counts := [self.counts(label) for label in few]).count(None):
            return few
        letters, pegs = _COUNTED[self.answers], ("●", "○")
        (_, one, two), spelled = counts, [few[0]]
        for many, signs in ((one, letters), (two, pegs if self.answers == "keys" else letters)):
            assert many is not None
            spelled.append(signs[0] * many[0] + signs[1] * many[1] or few[len(spelled)])
        return spelled

    def _as_pattern(self, response: str, guess: str, secrets: Iterable[str]) -> str:
        """Return places as a pattern, where they have one that is read as such, else as they are."""
        if not _PLACES.fullmatch(response):
            return response
        typed = self.pattern([(guess, response)], secrets, "")
        return typed if as_places(typed, guess) == response else response

    @property
    def own_letters(self) -> bool:
        """Return whether pegs have letters of somebody's own colours; 1 stands for the first, too."""
        return self.codes == "pegs" and not COLOURS.startswith(self.symbols.removesuffix(HOLE))

    @property
    def plain(self) -> bool:
        """Whether responses are plain text, so that each guess has its own."""
        return self.answers == "text"

    @property
    def own_answers(self) -> bool:
        """Whether what may be typed as a response depends on the guess."""
        return self.answers in ("text", "places")

    @property
    def response(self) -> str:
        """What a response is called."""
        return "answer" if self.plain else "response"

    def accepted(self, labels: Sequence[str]) -> str:
        """Return what a code is, such as ``4 different symbols out of 0123456789``.

        Empty for text, and where not all such codes are among the labels.
        """
        symbols, size = len(self.symbols), len(labels[0])
        if self.codes == "text" or len(labels) != (perm(symbols, size) if self.distinct else symbols**size):
            return ""
        return f"{size} {'different ' if self.distinct else ''}symbols out of {self.symbols}"


def plurals(noun: str) -> str:
    """Return what several are called."""
    first, space, last = noun.rpartition(" ")
    return f"{first}{space}{_ODD_PLURALS.get(last) or _regular_plural(last)}"


_ODD_PLURALS = {
    "species": "species",
    "fish": "fish",
    "taxon": "taxa",
    "genus": "genera",
    "leaf": "leaves",
    "criterion": "criteria",
    "person": "people",
}


def _regular_plural(noun: str) -> str:
    if noun.endswith("is"):
        return f"{noun[:-2]}es"
    if re.search("[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search("(s|x|z|ch|sh)$", noun) else f"{noun}s"


def _singular(nouns: str) -> str:
    return nouns.removesuffix("es" if re.search("(ss|x|ch|sh)es$", nouns) else "s")


def capital(text: str) -> str:
    """Return a text as a sentence or a heading begins; what is written large in it stays so: ``EUR``."""
    return text[:1].upper() + text[1:]


def plural(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun if number == 1 else plurals(noun)}"


def article(noun: str) -> str:
    """Return a noun with its article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _same_letters(labels: Sequence[str], text: str) -> int | None:
    same = [i for i, label in enumerate(labels) if label.casefold() == text.casefold()]
    return same[0] if len(same) == 1 else None


def _beginning(labels: Sequence[str], text: str) -> list[int]:
    """Return the labels that begin with a text; none where that is a number, which may be mistyped."""
    if not text[:1].isalpha():
        return []
    return [i for i, label in enumerate(labels) if label.casefold().startswith(text.casefold())]


def _as_marks(text: str) -> str:
    known = {typed: mark for mark, some in _TYPED_MARKS.items() for typed in some}
    return "".join(known.get(c, c) for c in re.sub(r"[\s,\ufe0f]", "", text).lower())


def as_places(text: str, guess: str) -> str:
    """Return places as their label; a pattern needs a blank, lest any word is taken for one."""
    if _PLACES.fullmatch(text):
        words = [re.findall("[0-9]+", word) for word in re.split("[|/]", text)]
    elif any(blank in text for blank in _BLANKS):
        letters = [re.sub(r"\s", "", word) for word in re.split("[|/]", text)]
        if not all(c.isalpha() or c in _BLANKS for word in letters for c in word):
            return text
        words = [
            [str(i) for i, c in enumerate(word, 1) if c.casefold() == guess.casefold()] for word in letters
        ]
    else:
        return text
    return " | ".join(" ".join(places) or "-" for places in words) if any(words) else MISS


def _counted_words(labels: Sequence[str], text: str) -> int | None:
    """Return the label that counts so many of something, such as ``5 letters`` (or as blanks); or None."""
    numbers = " ".join(re.findall("[0-9]+", text)) if _PLACES.fullmatch(text) else ""
    if re.fullmatch(r"[_\s|/]*_[_\s|/]*", text):
        numbers = " ".join(str(word.count("_")) for word in re.split("[|/]", text))
    same = [i for i, label in enumerate(labels) if numbers and re.fullmatch(f"{numbers} [a-z]+", label)]
    return same[0] if len(same) == 1 else None


def _same_numbers(labels: Sequence[str], text: str) -> int | None:
    if not _NUMBERS.fullmatch(text) or not all(re.fullmatch("[0-9]+(,[0-9]+)*", label) for label in labels):
        return None
    known = {tuple(map(int, label.split(","))): i for i, label in enumerate(labels)}
    typed = re.findall("[0-9]+", text)
    one_digit = all(number < 10 for numbers in known for number in numbers)
    if len(typed) == 1 and one_digit and (int(typed[0]),) not in known:
        typed = list(typed[0])
    return known.get(tuple(map(int, typed)))
