"""What the server keeps: files that were brought, results, and games that go on, in one SQLite file."""

from __future__ import annotations

import json
import os
import re
import secrets
import sqlite3
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.memory import size_text

KEPT = "pages.sqlite"
"""What the file is called, unless it is named."""
FORMAT = 1
"""What `PRAGMA user_version` says of the tables; 0: they are from before it was said, and the same."""
MOST_BYTES = 1 << 30
"""Of all that is kept."""
MOST_GAMES = 1000
"""Games that go on; the one that was not touched for longest makes room."""
PATIENCE = 10.0
"""Seconds that one process waits for another that writes."""
ENDINGS = (".csv", ".tsv", ".txt", ".xlsx", ".ods", ".arff", ".xml", ".dat", ".nex", ".zip")
"""How names of files may end; others are taken for CSV."""
_SCHEMA = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS file (
    name TEXT PRIMARY KEY COLLATE NOCASE, kind TEXT NOT NULL, options TEXT NOT NULL, data BLOB NOT NULL,
    brought REAL NOT NULL);
CREATE TABLE IF NOT EXISTS result (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, game TEXT NOT NULL, about TEXT NOT NULL, data BLOB NOT NULL,
    made REAL NOT NULL);
CREATE TABLE IF NOT EXISTS play (id TEXT PRIMARY KEY, state TEXT NOT NULL, touched REAL NOT NULL);
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT OR IGNORE INTO setting VALUES ('token', '{token}');
COMMIT;
"""


@dataclass(frozen=True)
class UploadedFile:
    """A file that was brought.

    Attributes
    ----------
    name: its name here.
    kind: ``sheet`` or ``words``, see `registry.FileKind`.
    options: how a table is read, as it is written after the name in a spec.
    """

    name: str
    kind: str
    options: str


@dataclass(frozen=True)
class Result:
    """What was finished: a strategy, or a comparison.

    Attributes
    ----------
    id: a random word.
    kind: ``strategy``, whose `data` is a strategy file, or ``comparison``, whose `data` is JSON.
    game: its spec.
    about: what a list of results shows, as plain data.
    data: the bytes.
    made: seconds since 1970.
    """

    id: str
    kind: str
    game: str
    about: Mapping[str, Any]
    data: bytes
    made: float


class StoreError(GuesstreeError):
    """Report that nothing can be read or kept now, as on a full disk."""


class Store:
    """All that a server keeps, in one file that is whole after a crash; several servers may share it.

    There is no log beside it (WAL): what is kept can be read on a full disk, too.

    Parameters
    ----------
    path: where it is; made when it is not there.

    Attributes
    ----------
    token: what a page must know to change something; the same after a restart, so that open pages go on.

    Raises GuesstreeError when it cannot be opened, or is no such file; each method StoreError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        own = shown(str(path))
        if path.is_dir():
            inside = shown(str(path / KEPT))
            raise GuesstreeError(f"--data {own} is a folder; expected a file, such as {inside}")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # nobody else reads it
            with closing(sqlite3.connect(path, timeout=PATIENCE)) as base, base:
                base.execute("PRAGMA journal_mode=DELETE")
                tables = [
                    row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                ]
                if tables and "setting" not in tables:
                    raise GuesstreeError(f"--data {own} is a database of something else; name another file")
                (form,) = base.execute("PRAGMA user_version").fetchone()
                if form not in (0, FORMAT):
                    raise GuesstreeError(
                        f"--data {own} is of format {form}, not of format {FORMAT}; expected one that this "
                        "version of guesstree made, or a new file"
                    )
                if form != FORMAT:  # nothing is written without need: what is kept can be read on a full disk
                    base.execute(f"PRAGMA user_version = {FORMAT}")
                if not tables:
                    base.executescript(_SCHEMA.format(token=secrets.token_urlsafe(32)))
                self.token = str(base.execute("SELECT value FROM setting WHERE name = 'token'").fetchone()[0])
        except (sqlite3.Error, OSError) as error:
            raise GuesstreeError(
                f"{own} cannot keep what is made: {_said(error)}; name another file with --data"
            ) from None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as base, base:
                yield base
        except sqlite3.Error as error:
            raise StoreError(f"nothing can be kept now: {error}") from None

    def _one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        with self._open() as base:
            found: tuple[Any, ...] | None = base.execute(query, values).fetchone()
            return found

    def require_space(self, more: int) -> None:
        """Raise GuesstreeError when so many more bytes would be too much."""
        with self._open() as base:
            sums = [
                base.execute(f"SELECT coalesce(sum(length(data)), 0) FROM {table}").fetchone()[0]
                for table in ("file", "result")
            ]
        if sum(sums) + more > MOST_BYTES:
            raise GuesstreeError(
                f"{size_text(sum(sums))} are kept, of {size_text(MOST_BYTES)} at most: delete results"
            )

    # -- files -------------------------------------------------------------------------------------------

    def add_file(self, name: str, data: bytes, kind: str = "sheet", options: str = "") -> str:
        """Keep a file and return its name here: made of plain letters, and another one if it is taken.

        A file that is kept already keeps its name, and its options.
        """
        self.require_space(len(data))
        stem, ending = safe_name(name)
        with self._open() as base:
            base.execute("BEGIN IMMEDIATE")
            for number in range(1, 10_000):
                own = f"{stem}{f'-{number}' if number > 1 else ''}{ending}"
                known = base.execute("SELECT kind, data FROM file WHERE name = ?", (own,)).fetchone()
                if known is None:
                    row = (own, kind, options, data, time.time())
                    base.execute("INSERT INTO file VALUES (?, ?, ?, ?, ?)", row)
                elif known == (kind, data):
                    base.execute("UPDATE file SET brought = ? WHERE name = ?", (time.time(), own))
                else:
                    continue
                return own
        raise GuesstreeError(f"too many files are called {shown(stem + ending)}; use another name")

    def file(self, name: str) -> bytes | None:
        """Return the bytes of a file, or None."""
        found = self._one("SELECT data FROM file WHERE name = ? AND kind != ''", name)
        return None if found is None else bytes(found[0])

    def files(self) -> list[UploadedFile]:
        """Return the files without their bytes, the last first."""
        query = "SELECT name, kind, options FROM file WHERE kind != '' ORDER BY brought DESC, name"
        with self._open() as base:
            return [UploadedFile(*row) for row in base.execute(query)]

    def set_options(self, name: str, options: str) -> None:
        """Keep how a table is to be read."""
        with self._open() as base:
            base.execute("UPDATE file SET options = ? WHERE name = ?", (options, name))

    def delete_file(self, name: str) -> None:
        """Forget a file; its name is not used again, as there may be pages and processes that know it."""
        with self._open() as base:
            base.execute("UPDATE file SET kind = '', data = x'' WHERE name = ?", (name,))

    # -- results -----------------------------------------------------------------------------------------

    def add_result(self, kind: str, game: str, about: Mapping[str, Any], data: bytes) -> str:
        """Keep a result and return its id."""
        self.require_space(len(data))
        own = secrets.token_hex(6)
        with self._open() as base:
            row = (own, kind, game, json.dumps(about), data, time.time())
            base.execute("INSERT INTO result VALUES (?, ?, ?, ?, ?, ?)", row)
        return own

    def result(self, own: str, *, whole: bool = True) -> Result | None:
        """Return a result, or None; without its bytes, which may be many, unless it is to be `whole`."""
        data = "data" if whole else "x''"
        found = self._one(f"SELECT id, kind, game, about, {data}, made FROM result WHERE id = ?", own)
        return None if found is None else _result(found)

    def results(self, most: int = 50) -> list[Result]:
        """Return the last results, without their bytes, the newest first."""
        query = "SELECT id, kind, game, about, x'', made FROM result ORDER BY made DESC LIMIT ?"
        with self._open() as base:
            return [_result(row) for row in base.execute(query, (most,))]

    def delete_result(self, own: str) -> None:
        """Forget a result."""
        with self._open() as base:
            base.execute("DELETE FROM result WHERE id = ?", (own,))

    # -- games that go on --------------------------------------------------------------------------------

    def add_play(self, state: Mapping[str, Any]) -> str:
        """Keep a game that goes on and return its id."""
        own = secrets.token_hex(6)
        with self._open() as base:
            base.execute("INSERT INTO play VALUES (?, ?, ?)", (own, json.dumps(state), time.time()))
            base.execute(
                "DELETE FROM play WHERE id IN (SELECT id FROM play ORDER BY touched DESC LIMIT -1 OFFSET ?)",
                (MOST_GAMES,),
            )
        return own

    def play_state(self, own: str) -> dict[str, Any] | None:
        """Return what a game that goes on was kept as, or None."""
        found = self._one("SELECT state FROM play WHERE id = ?", own)
        return None if found is None else dict(json.loads(found[0]))

    def change_play(self, own: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        """Keep what a game is now and return True; False: it is no more what it was `before`."""
        with self._open() as base:
            changed = base.execute(
                "UPDATE play SET state = ?, touched = ? WHERE id = ? AND state = ?",
                (json.dumps(after), time.time(), own, json.dumps(before)),
            )
            return changed.rowcount > 0


def _said(error: Exception) -> str:
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
        return "it is a file of another kind"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _result(row: Sequence[Any]) -> Result:
    own, kind, game, about, data, made = row
    return Result(own, kind, game, json.loads(about), bytes(data), made)


def file_stem(game: str) -> str:
    """Return what files about the game of a spec are called, without an ending: by its table, or its size."""
    family, _, text = game.partition(",")[0].partition(":")
    stem, ending = safe_name(text)
    return stem if text.endswith(ending) else safe_name(f"{family}-{text}")[0]


def safe_name(name: str) -> tuple[str, str]:
    """Return the stem and the ending of a file's name in plain letters, whatever was sent."""
    last = PurePosixPath(name.replace("\\", "/")).name
    ending = PurePosixPath(last).suffix.lower()
    stem = last[: -len(ending)] if ending in ENDINGS else last
    bare = "".join(c for c in unicodedata.normalize("NFKD", stem) if not unicodedata.combining(c))
    plain = re.sub("[^A-Za-z0-9_-]+", "-", bare).strip("-")[:60]
    return plain or "file", ending if ending in ENDINGS else ".csv"
