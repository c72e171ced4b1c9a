"""How a family of games is offered to people who choose one: plain words, and what its text is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from .errors import GameError
from .notation import Look


@dataclass(frozen=True)
class Amount:
    """A number that is chosen: what it counts, from `least` to `most`, and the usual one.

    `letters`: an example of letters, one for each, that may stand in its place; empty: none may.
    """

    what: str
    least: int
    most: int
    usual: int
    letters: str = ""


@dataclass(frozen=True)
class Package:
    """A list in a file of an installed package, which is read and never imported."""

    name: str
    file: str
    install: str

    def path(self) -> Path:
        """Return where the file is; raise GameError that says what to install."""
        from importlib.metadata import PackageNotFoundError, distribution  # slow to load

        try:
            found = Path(str(distribution(self.name).locate_file(self.file)))
        except PackageNotFoundError:
            raise GameError(f"this list is in the package {self.name}: {self.install}") from None
        if not found.is_file():
            raise GameError(f"the package {self.name} has no file {self.file}: {self.install}")
        return found


@dataclass(frozen=True)
class NamedList:
    """A list of words that may stand in a text by its name, what it is called, and what packages hold it."""

    name: str
    title: str
    packages: tuple[Package, ...]

    @property
    def here(self) -> bool:
        """Whether its packages are installed."""
        return all(map(_is_here, self.packages))


@dataclass(frozen=True)
class Offer:
    """What somebody reads who chooses a game, and what they choose from.

    Attributes
    ----------
    title: what the game is called; empty: by the name of its family.
    about: what is done in it, in a sentence.
    amounts: the numbers that make up the text of a spec, with ``x`` between them.
    options: what may end the text, such as ``,hard``, each with what it means.
    lists: lists of words that may stand in the text by their names.
    look, guess, response: a guess and its response, to be drawn.
    """

    title: str = ""
    about: str = ""
    amounts: tuple[Amount, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    lists: tuple[NamedList, ...] = ()
    look: Look = field(default_factory=Look)
    guess: str = ""
    response: str = ""

    def text(self, amounts: Sequence[int | str]) -> str:
        """Return the text of some amounts; raise GameError for one out of range, or too few."""
        if len(amounts) != len(self.amounts):
            expected = ", ".join(amount.what for amount in self.amounts)
            raise GameError(f"{self.title}: {len(amounts)} numbers; expected {expected}")
        for amount, given in zip(self.amounts, amounts, strict=True):
            number = given if isinstance(given, int) else len(given)
            if isinstance(given, str) and not amount.letters:
                such = f"expected such as {amount.usual}"
                raise GameError(f"{given[:20]!r} is no number that can be chosen here; {such}")
            if not amount.least <= number <= amount.most:
                raise GameError(
                    f"{self.title}: {number} {amount.what}; expected {amount.least} to {amount.most}"
                )
        return "x".join(map(str, amounts))


UNSAID = Offer()
"""That of a game of which nothing is said."""


@cache
def _is_here(package: Package) -> bool:
    try:
        package.path()
    except GameError:
        return False
    return True
