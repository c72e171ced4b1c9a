"""A ledger: what is proved so far, in a file of SQLite; a proof that was ended goes on where it was."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from ..errors import GuesstreeError
from ..game import Game
from ..solution import Solved

APPLICATION = 0x67745031
"""What SQLite knows the file by."""
COMMIT_SECONDS = 0.2
"""Work that is lost at most where a process is killed."""
TABLES = """
CREATE TABLE about (claim TEXT NOT NULL);
CREATE TABLE claims (
    path TEXT NOT NULL, depth INTEGER NOT NULL, bound INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (path, depth, bound)
) WITHOUT ROWID;
CREATE TABLE solved (figures TEXT NOT NULL);
CREATE TABLE choices (state BLOB PRIMARY KEY, guess INTEGER NOT NULL);
"""


class Kept(Protocol):
    """Lemmas that were proved before: their bodies, by the guesses and secrets that lead to a set."""

    def find(self, path: str, depth: int, bound: int) -> str | None:
        """Return the body of a lemma, or None."""

    def keep(self, path: str, depth: int, bound: int, body: str) -> None:
        """Keep a lemma."""


class Ledger:
    """The claims proved of one game and objective, and its optimum with a strategy.

    Parameters
    ----------
    path: a file, which is made unless it is there.
    about: what is proved. A ledger about anything else is refused.
    read_only: for a process that looks up claims, and leaves it to another to write them.

    A claim is named by its path from the root, ``GUESS SECRET GUESS SECRET ...``, the guesses left, and its
    bound. Raises GuesstreeError for a file that is no ledger, or one about something else.
    """

    def __init__(self, path: str, about: str, *, read_only: bool = False) -> None:
        self.path, self.about, self.read_only = path, about, read_only
        self.committed = 0.0  # when that was done last
        with self._told():
            where = f"{Path(path).absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
            self.file = sqlite3.connect(where, uri=True, isolation_level=None, check_same_thread=False)
            try:
                if not read_only:
                    self._open()
            except BaseException:
                self.file.close()
                raise

    def _open(self) -> None:
        """Make the tables of a new file; raise GuesstreeError for one that is about something else."""
        (known,) = self.file.execute("PRAGMA application_id").fetchone()
        empty = not self.file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if known != APPLICATION and not (empty and known == 0):
            raise GuesstreeError(f"{self.path!r} is no ledger of guesstree; expected one, or a new file")
        self.file.execute("PRAGMA journal_mode = WAL")
        self.file.execute("PRAGMA synchronous = FULL")
        if empty:
            begin = f"BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION}; {TABLES}"
            self.file.executescript(begin)
            self.file.execute("INSERT INTO about VALUES (?)", (self.about,))
            self.file.execute("COMMIT")
        (about,) = self.file.execute("SELECT claim FROM about").fetchone()
        if about != self.about:
            raise GuesstreeError(
                f"{self.path!r} is a ledger of {about!r}, not of {self.about!r}; expected a ledger of "
                "that, or a new file"
            )

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell in one line what SQLite says."""
        try:
            yield
        except sqlite3.Error as error:
            raise GuesstreeError(f"ledger {self.path!r}: {error}; expected a file of its own") from None

    def find(self, path: str, depth: int, bound: int) -> str | None:
        """Return the body that proves a claim, or None."""
        with self._told():
            wanted = "SELECT body FROM claims WHERE path = ? AND depth = ? AND bound = ?"
            found = self.file.execute(wanted, (path, depth, bound)).fetchone()
        return None if found is None else str(found[0])

    def keep(self, path: str, depth: int, bound: int, body: str) -> None:
        """Keep the body that proves a claim; on the disk soon."""
        with self._told():
            if not self.file.in_transaction:
                self.file.execute("BEGIN")
            self.file.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?)", (path, depth, bound, body))
            if time.monotonic() - self.committed > COMMIT_SECONDS:
                self.commit()

    def commit(self) -> None:
        """Have on the disk what was kept."""
        if self.file.in_transaction:
            with self._told():
                self.file.execute("COMMIT")
            self.committed = time.monotonic()

    def keep_solution(self, solved: Solved) -> None:
        """Keep an optimum with its strategy."""
        figures: dict[str, Any] = {
            name: value for name, value in vars(solved).items() if name not in ("game", "choices", "rows")
        }
        figures["parameters"] = dict(solved.parameters)
        self.commit()
        with self._told():
            self.file.execute("BEGIN")
            self.file.execute("DELETE FROM solved")
            self.file.execute("DELETE FROM choices")
            self.file.execute("INSERT INTO solved VALUES (?)", (json.dumps(figures),))
            choices = ((state, int(guess)) for state, guess in solved.choices.items())
            self.file.executemany("INSERT INTO choices VALUES (?, ?)", choices)
            self.file.execute("COMMIT")

    def solution(self, game: Game) -> Solved | None:
        """Return the optimum that was kept, or None."""
        with self._told():
            found = self.file.execute("SELECT figures FROM solved").fetchone()
            choices = dict(self.file.execute("SELECT state, guess FROM choices"))
        if found is None:
            return None
        figures = json.loads(found[0])
        figures |= {name: tuple(figures[name]) for name in ("lower", "upper")}
        return Solved(game=game, choices=choices, **figures)

    def close(self) -> None:
        """Commit, and let go of the file."""
        with closing(self.file):
            self.commit()
