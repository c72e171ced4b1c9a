"""The one base exception of the project, and its kinds."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

MOST_PROBLEMS = 20
"""Lines of what is wrong with one file; the rest is counted."""


class GuesstreeError(ValueError):
    """Report bad input: one line with the offending value and what would be accepted."""


class GameError(GuesstreeError):
    """Report a game that cannot be made, or one that breaks the contract of `Game`."""


class Problems(GameError):  # noqa: N818 - what is wrong with a file, all of it
    """Report what is wrong with a file: a line for each place, in the order in which they are found.

    `every` has those, too, that the message only counts.
    """

    every: Sequence[str] = ()

    @property
    def lines(self) -> list[str]:
        """Each line of the message."""
        return str(self).splitlines()


def refuse(lines: Sequence[str], more: int = 0) -> None:
    """Raise Problems with lines of what is wrong, if there are any; `more` is how many are not among them."""
    more += max(len(lines) - MOST_PROBLEMS, 0)
    if lines:
        problems = Problems("\n".join([*lines[:MOST_PROBLEMS], *[f"... and {more} more"] * bool(more)]))
        problems.every = lines
        raise problems


def problems_of(error: GameError) -> Sequence[str]:
    """Return all lines of what is wrong."""
    return (error.every or error.lines) if isinstance(error, Problems) else [str(error)]


@contextmanager
def noted(lines: list[str]) -> Iterator[None]:
    """Add to lines of what is wrong what a block raises as GameError, and go on behind it."""
    try:
        yield
    except GameError as error:
        lines += problems_of(error)


class SpaceError(GameError):
    """Report a space of secrets and guesses that does not fit in memory."""


class Infeasible(GuesstreeError):  # noqa: N818 - a negative answer, not an error of the caller's
    """Report that no strategy meets the limits asked for, or that none was found before a limit."""


class Contradiction(GuesstreeError):  # noqa: N818 - the field's own name
    """Report responses that no secret fits; `step` is the number, from 1, of the first that leaves none."""

    def __init__(self, message: str, step: int) -> None:
        super().__init__(message)
        self.step = step


def unknown(what: str, name: object, known: Iterable[str]) -> str:
    """Return what to say of a name that is not known: which one may be meant, or else all that there are."""
    from difflib import get_close_matches  # for messages alone

    names = list(known)
    near = get_close_matches(name.lower(), names, n=1) if isinstance(name, str) else []
    if near:
        return f"unknown {what} {shown(name)}; did you mean {near[0]!r}?"
    return f"unknown {what} {shown(name)}; use one of {', '.join(names)}"


def require_flag(name: str, value: object) -> None:
    """Raise GuesstreeError for what is neither True nor False."""
    if not isinstance(value, bool) and type(value).__name__ != "bool":  # that of NumPy
        raise GuesstreeError(f"{name}={shown(value)}; expected True or False")


def file_name(path: object) -> str:
    """Return the path of a file as a text; raise GuesstreeError for what is none."""
    if not isinstance(path, str | os.PathLike) or not isinstance(found := os.fspath(path), str):
        raise GuesstreeError(f"{shown(path)} is no file; expected its path, such as 'tree.json'")
    return found


def shown(value: object) -> str:
    """Return a value as it is written in Python, a text in quotes; cut when it is long, for one line."""
    if isinstance(value, str):
        return repr(str(value) if len(value) <= 60 else value[:60] + "...")
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:60] + "..."
