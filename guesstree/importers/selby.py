"""Trees for Wordle as Alex Selby's program prints them (github.com/alex1770/wordle)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from guesstree.engine.errors import shown
from guesstree.engine.game import Game
from guesstree.engine.notation import ABSENT, ELSEWHERE, PLACE
from guesstree.trees.export.files import from_document
from guesstree.trees.tree import Tree, TreeError

MARKS = str.maketrans({"B": ABSENT, "Y": ELSEWHERE, "G": PLACE})
"""Black, yellow and green as the marks of this project."""
LETTERS = str.maketrans(
    {mark: letter for letter, mark in zip("BYG", (ABSENT, ELSEWHERE, PLACE), strict=True)}
)
EXAMPLE = "salet BBBBB1 courd BBBBB2 nymph GGGGG3"

_RESPONSE = re.compile(r"([BYG]+)([1-9][0-9]{0,2})")


@dataclass
class _Guess:
    """A guess of the tree: its word and line, its branches by response, and the line where it wins."""

    word: str
    line: int
    below: dict[str, int] = field(default_factory=dict)
    wins: int = 0


def read_published(text: str, game: Game) -> Tree:
    """Read a tree for a game of words; raise TreeError with the line for what is none, or not for this game.

    Each line goes on from the one before: ``GGBBB4`` is a response to the fourth guess, whose word and the
    words before it stand above. A path ends where all letters are green.
    """
    if game.look.answers != "marks" or not game.facts.winnable:
        raise TreeError(f"is a tree for Wordle, not for {game.spec}; expected a game such as wordle:official")
    guesses = _guesses(text, game)
    _require_branches(guesses, game)
    nodes = [
        {"guess": one.word, "children": {label.translate(MARKS): below for label, below in one.below.items()}}
        for one in guesses
    ]
    return from_document({"goal": "win", "method": "selby", "nodes": nodes}, game)


def _guesses(text: str, game: Game) -> list[_Guess]:
    """Return the guesses in the order of the text, the first one first."""
    reader = _Reader(game)
    for number, line in enumerate(text.splitlines(), 1):
        if words := line.split():
            try:
                reader.read(number, words)
            except TreeError as error:
                raise TreeError(f"line {number}: {error}") from None
    if not reader.guesses:
        raise TreeError(f"is empty; expected lines such as {EXAMPLE!r}")
    return reader.guesses


class _Reader:
    """Reads line after line.

    Attributes
    ----------
    guesses: those read so far.
    path: the guesses that lead to the end of the last line.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.words = game, set(game.guesses)
        self.responses = {_letters(game, i) for i in range(len(game.responses))}
        self.win = _letters(game, game.winning)
        self.guesses: list[_Guess] = []
        self.path: list[int] = []

    def read(self, number: int, words: list[str]) -> None:
        """Read the words of a line; raise TreeError without the number of the line."""
        if not self.guesses:
            self.add(words.pop(0), number)
        back = True  # the first response of a line may be to any guess of the path
        for i in range(0, len(words), 2):
            letters = self.response(words[i], back=back)
            if letters == self.win:
                self.guesses[self.path[-1]].wins = number
                if words[i + 1 :]:
                    raise TreeError(f"{shown(words[i + 1])} after {words[i]!r}; expected the end of the line")
                return
            if not words[i + 1 :]:
                raise TreeError(f"ends after {words[i]!r}; expected the next word")
            self.guesses[self.path[-1]].below[letters] = len(self.guesses)
            self.add(words[i + 1], number)
            back = False
        asked = self.guesses[self.path[-1]].word
        raise TreeError(f"ends after {asked!r}; expected a response such as {self.win}{len(self.path)}")

    def response(self, token: str, *, back: bool) -> str:
        """Return the letters of a response; the path then ends with the guess that got it."""
        found, deep = _RESPONSE.fullmatch(token), len(self.path)
        if found is None or found[1] not in self.responses:
            raise TreeError(f"{shown(token)}; expected a response such as {self.win}{deep}")
        asked = int(found[2])
        if asked > deep or (asked < deep and not back):
            expected = f"from 1 to {deep}" if back else deep
            raise TreeError(f"{token!r} is to guess {asked}; expected {expected} there")
        del self.path[asked:]
        guess = self.guesses[self.path[-1]]
        if found[1] in guess.below or (found[1] == self.win and guess.wins):
            raise TreeError(f"{token!r} comes a second time after {guess.word!r}; expected it once")
        return found[1]

    def add(self, word: str, number: int) -> None:
        """Go on with a word."""
        if word not in self.words:
            raise TreeError(
                f"{shown(word)} is not a {self.game.look.guess} of {self.game.spec}; expected its words, in "
                f"lines such as {EXAMPLE!r}"
            )
        if any(self.guesses[guess].word == word for guess in self.path):
            raise TreeError(f"{word!r} is asked again on its path; expected another word")
        self.path.append(len(self.guesses))
        self.guesses.append(_Guess(word, number))


def _letters(game: Game, response: int | None) -> str:
    return "" if response is None else game.responses[response].translate(LETTERS)


def _require_branches(guesses: list[_Guess], game: Game) -> None:
    """Raise TreeError unless each secret finds its way to a word that wins where the text says so."""
    place = {word: i for i, word in enumerate(game.guesses)}
    for secret, label in enumerate(game.secrets):
        one = guesses[0]
        while True:
            response = game.respond(place[one.word], secret)
            letters = _letters(game, response)
            wins = response == game.winning
            if (wins and not one.wins) or (not wins and letters not in one.below):
                raise TreeError(
                    f"line {one.line}: {one.word!r} has no line for {letters}, which it gets for {label!r}; "
                    f"expected a whole tree for {game.spec}"
                )
            if wins:
                break
            one = guesses[one.below[letters]]
