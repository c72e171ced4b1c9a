"""Guess Who: cards of people, questions about what they look like, and at last a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..catalogue import Offer
from ..errors import GameError, SpaceError, shown
from ..game import Game
from ..memory import require_memory
from ..notation import Look
from ..registry import register
from ..tables.reading import read_file
from ..tables.table import LOOK, Content, same_answers

MOST_QUESTIONS = 1 << 18
"""So many sets of values are looked at."""
YES, NO, WON = range(3)
RESPONSES = ("yes", "no", "yes!")
_OWN = re.compile(r",(sets|most=([^,]*))(?=,|$)")


@dataclass(frozen=True)
class Value:
    """A value of an attribute, such as brown hair, and the people who have it, as bits."""

    attribute: str
    value: str
    people: int


class Who(Game):
    """Somebody on one of the cards is to be named; a question asks whether they have one of some values.

    A guess is a question, such as ``hair brown`` or ``hair brown or red``, or a name, which wins if it is
    right and else is answered no. Of questions that divide the people in the same way, be it with yes and no
    exchanged, there is one: that of the fewest values, then that which fewer people answer with yes.
    (Nothing is lost: a strategy that asks another one asks this one instead, its branches exchanged.)

    Parameters
    ----------
    content: a secret for each card, and a guess for each attribute, with the values in its cells.
    sets: whether a question may name several values of one attribute.
    most: how many values a question may name, whatever their attributes.

    Raises GameError for cards with empty cells, costs or several answers, and for people who are called as
    a question is; SpaceError where there are too many questions to list.
    """

    def __init__(self, spec: str, content: Content, *, sets: bool = False, most: int = 1) -> None:
        self.spec = spec
        _require_plain(spec, content)
        noun = content.look.secret
        self.look = Look(secret="person" if noun == LOOK.secret else noun, guess="question")
        self.secrets = content.secrets
        self.weights, self.weight_unit = content.weights, content.weight_unit
        values = _values(content)
        sizes = [sum(1 for one in values if one.attribute == name) for name in content.guesses]
        count = sum(2**n for n in sizes) if sets else sum(comb(len(values), n) for n in range(1, most + 1))
        if count > MOST_QUESTIONS:
            raise SpaceError(
                f"{shown(spec)}: {count} sets of values; a list has at most {MOST_QUESTIONS}: use fewer "
                "values, or most=2"
            )
        asked = questions(values, sets=sets, most=most, people=len(self.secrets))
        self.guesses = (*asked, *self.secrets)
        require_memory(spec, len(self.guesses), len(self.secrets))
        if clash := next((name for name in self.secrets if name in asked), ""):
            raise GameError(
                f"{spec}: {clash!r} is a {self.look.secret} and a question; expected another name"
            )
        self.responses, self.winning = RESPONSES, WON
        self._answers = np.full((len(self.guesses), len(self.secrets)), NO, dtype=np.uint8)
        for row, people in zip(self._answers, asked.values(), strict=False):
            row[[s for s in range(len(self.secrets)) if people >> s & 1]] = YES
        np.fill_diagonal(self._answers[len(asked) :], WON)
        alike = [
            names
            for group in same_answers(content.cells)
            if len(names := [self.secrets[s] for s in group]) > 1
        ]
        self.notes = tuple(f"only their names tell {' and '.join(names[:4])} apart" for names in alike[:4])

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response: yes or no, or that this is the name."""
        return int(self._answers[guess, secret])

    def table(self) -> NDArray[np.uint8]:
        """Return every response, shape (guesses, secrets)."""
        return self._answers

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets)."""
        return self._answers[np.ix_(guesses, secrets)]

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the response of each guess on the secret beside it."""
        return self._answers[guesses, secrets]


def _require_plain(spec: str, content: Content) -> None:
    """Raise GameError for a table that says more than which values people have, or less."""
    for name, row in zip(content.guesses, content.cells, strict=True):
        if "" in row:
            who = content.secrets[row.index("")]
            raise GameError(f"{spec}: nothing is said of {name!r} for {who!r}; expected a value on each card")
    if content.splits or content.win is not None or content.costs is not None:
        raise GameError(
            f"{spec}: cards with costs, several answers or the like; expected one value in each cell"
        )


def _values(content: Content) -> list[Value]:
    """Return the values of all attributes, in the order of the cards."""
    return [
        Value(name, value, sum(1 << s for s, cell in enumerate(row) if cell == value))
        for name, row in zip(content.guesses, content.cells, strict=True)
        for value in dict.fromkeys(row)
    ]


def questions(values: Sequence[Value], *, sets: bool, most: int, people: int) -> dict[str, int]:
    """Return the questions, see `Who`, each with those who answer it with yes, as bits."""
    everybody = (1 << people) - 1
    found: dict[int, tuple[tuple[int, int], str, int]] = {}
    for some in _sets(values) if sets else (c for n in range(1, most + 1) for c in combinations(values, n)):
        yes = 0
        for one in some:
            yes |= one.people
        split, rank = min(yes, everybody ^ yes), (len(some), yes.bit_count())
        if split and (split not in found or rank < found[split][0]):
            found[split] = rank, question(some), yes
    asked: dict[str, int] = {}
    for _, text, yes in found.values():
        if text in asked:
            raise GameError(
                f"two questions are called {text!r}; expected other names of attributes or values"
            )
        asked[text] = yes
    return asked


def _sets(values: Sequence[Value]) -> Iterator[tuple[Value, ...]]:
    """Yield the sets of values of one attribute, few first, up to half of them: no is the other half."""
    for name in dict.fromkeys(one.attribute for one in values):
        own = [one for one in values if one.attribute == name]
        for many in range(1, max(len(own) // 2, 1) + 1):
            yield from combinations(own, many)


def question(some: Sequence[Value]) -> str:
    """Return a question as it is written: ``hair brown or red, or hat yes``."""
    names = dict.fromkeys(one.attribute for one in some)
    return ", or ".join(
        f"{name} {' or '.join(one.value for one in some if one.attribute == name)}" for name in names
    )


@register(
    "who",
    example="who:CARDS.csv",
    about="Guess Who: a row for each person, a column for each attribute; ,sets: a question may name several "
    "values of an attribute; ,most=K: up to K values of any attributes; options of tables",
    reference="Nica 2016",
    files="cards",
    offer=Offer(
        "Guess Who",
        "Ask about hair, hats and glasses, and name the person on the card.",
        options={
            ",sets": "a question may name several values of an attribute",
            ",most=2": "a question may name two values of any attributes",
        },
        look=Look("tiles"),
        guess="hat yes",
        response="no",
    ),
)
def make(text: str, find: Callable[[str], str] = str) -> Game:
    """Return the game of a spec ``who:FILE``, with options of tables, and ``sets`` or ``most=K``."""
    spec, own = f"who:{text}", [found[0] for found in _OWN.finditer(text)]
    file = _OWN.sub("", text)
    if not file or file.startswith(","):
        raise GameError(f"{shown(spec)}: expected a file of cards, such as who:cards.csv")
    if len(own) > 1:
        raise GameError(f"{shown(spec)}: {own[0][1:]} and {own[1][1:]}; expected one of sets and most=K")
    limit = own[0].partition("=")[2] if own else ""
    if own and own[0] != ",sets" and not re.fullmatch("[1-9][0-9]?", limit, re.ASCII):
        raise GameError(f"{shown(spec)}: most={limit}; expected a whole number from 1 to 99")
    rows = "" if ",causes=" in file else ",causes=rows"
    content = read_file(file + rows, find).content
    try:
        return Who(spec, content, sets=own == [",sets"], most=int(limit or 1))
    except SpaceError:
        raise
    except GameError as error:
        raise GameError(str(error) if str(error).startswith(spec) else f"{spec}: {error}") from None
