"""The file of a ledger: who may write it, what it is about, and what is said of one that is damaged."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from os import statvfs
from os.path import realpath
from pathlib import Path
from secrets import token_hex

from ..errors import GuesstreeError
from ..meant import LEDGER
from .lock import Lock, holder
from .records import About
from .schema import DamageError, made, put, rows_of

FORMAT = 2
"""What the tables mean."""
KEPT = "what was kept before is good"
"""What is said where something cannot be written."""
ENDS = ("", "-wal", "-shm", "-journal")
"""How the names of the files end that SQLite makes of one."""
READING_SECONDS = 2.0
"""So long who has written it waits for those who read it just then, and they for it."""
PAUSE = READING_SECONDS / 100
"""Seconds between two times that they look."""
LEAST_ROOM = 1 << 16
"""Bytes without which a disk is full."""


class LedgerFile:
    """A file of SQLite that is about one game and objective.

    Parameters
    ----------
    path: a file, which is made unless it is there.
    about: what is proved. A ledger about anything else is refused. None: it is read, and never written.
    whole: whether all of it is looked through before any of it is believed; else only claims and what was
        noted besides are, so that one can look again and again.

    Attributes
    ----------
    file: the connection; `mutex` is for threads that use it.
    about: what the file is about.

    Raises GuesstreeError for a file that is no ledger, is damaged, or is written by another process.
    """

    about: About

    def __init__(self, path: str, about: About | None, *, whole: bool = True) -> None:
        self.path, self.writes, self.whole, self.mutex = path, about is not None, whole, threading.RLock()
        with self.errors_named():
            self.lock = Lock(path) if self.writes else None
            new = self.writes and not Path(path).exists()
            try:
                address = self._address()
                self.file = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
                try:
                    self._open(about)
                except BaseException:
                    self.file.close()
                    for end in ENDS if new else ():
                        Path(realpath(path) + end).unlink(missing_ok=True)
                    raise
            except BaseException:
                if self.lock is not None:
                    self.lock.release()
                raise

    def _address(self) -> str:
        """Return how SQLite opens the file: nothing is written beside one that nobody writes."""
        path = realpath(self.path)
        where = Path(path).as_uri()
        if Path(path).exists() and not (Path(path).is_file() or Path(path).is_dir()):
            raise GuesstreeError(f"{self.path!r} is no file; expected a ledger, or a new file")
        if self.writes:
            return f"{where}?mode=rwc"
        with Path(path).open("rb"):  # says more than SQLite where there is none, or a folder
            pass
        beside, until = Path(f"{path}-wal"), time.monotonic() + READING_SECONDS
        while not beside.exists() and holder(self.path):  # who writes it begins or ends just then
            if time.monotonic() > until:
                return f"{where}?mode=ro"
            time.sleep(PAUSE)
        return f"{where}?mode=ro{'' if beside.exists() else '&immutable=1'}"

    def _open(self, about: About | None) -> None:
        """Make the tables of a new file, and read those of an old one."""
        (known,) = self.file.execute("PRAGMA application_id").fetchone()
        (form,) = self.file.execute("PRAGMA user_version").fetchone()
        empty = not self.file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if known != LEDGER and not (empty and known == 0 and about is not None):
            raise GuesstreeError(f"{self.path!r} is no ledger of guesstree; expected one, or a new file")
        if not empty and form != FORMAT:
            raise GuesstreeError(
                f"{self.path!r} is a ledger of format {form}, not of format {FORMAT}; expected one that this "
                "version of guesstree made, or a new file"
            )
        if about is not None:
            self.file.execute("PRAGMA journal_mode = WAL")
            self.file.execute("PRAGMA synchronous = FULL")
            if empty:
                self._make(about)
        try:
            self.file.execute("BEGIN")
            self.about = self._read_about()
            if about is not None and (different := self.about.difference(about)):
                raise GuesstreeError(f"{self.path!r} is a ledger {different}")
            self._read()
            self.file.execute("COMMIT")
        except (sqlite3.DatabaseError, DamageError) as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> GuesstreeError:
        return GuesstreeError(f"ledger {self.path!r} is damaged: {error}; use a copy of it, or a new file")

    def _make(self, about: About) -> None:
        """Make the tables."""
        with self.at_once():
            self.file.execute(f"PRAGMA application_id = {LEDGER}")
            self.file.execute(f"PRAGMA user_version = {FORMAT}")
            for statement in made():
                self.file.execute(statement)
            origins = " ".join(about.origins or (token_hex(8),))
            put(self.file, "about", iter([(about.claim, about.numbering, about.asked, origins)]))

    def _read_about(self) -> About:
        """Return what the file is about."""
        if self.whole:
            (wrong,) = self.file.execute("PRAGMA quick_check(1)").fetchone()
            if wrong != "ok":
                raise DamageError(" ".join(wrong.split()))
        found = list(rows_of(self.file, "about"))
        if len(found) != 1:
            raise DamageError(f"it is about {len(found)} things")
        claim, numbering, asked, origins = found[0]
        return About(claim, numbering, asked, tuple(origins.split()))

    def _read(self) -> None:
        """Read what is in the file; raise DamageError for what cannot be."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()
        if self.lock is not None:
            self._gather()
            self.lock.release()

    def _gather(self) -> None:
        """Have all of it in one file: who was reading it kept SQLite from that as it was closed.

        Who was about to read it then makes the file beside it anew, so it is looked for once more.
        """
        beside, until = Path(f"{realpath(self.path)}-wal"), time.monotonic() + READING_SECONDS
        while True:
            if beside.exists():
                with suppress(sqlite3.Error), closing(sqlite3.connect(self._address(), uri=True)) as file:
                    file.execute("SELECT count(*) FROM sqlite_master").fetchone()
            time.sleep(PAUSE)
            if not beside.exists() or time.monotonic() > until:
                return

    @contextmanager
    def errors_named(self, advice: str = "expected a ledger, or a new file") -> Iterator[None]:
        """Tell in one line what SQLite, the system or a row say."""
        try:
            yield
        except BlockingIOError as error:
            raise GuesstreeError(
                f"ledger {self.path!r} is written by {error}; wait for it, end it, or use another file"
            ) from None
        except (sqlite3.Error, OSError, DamageError) as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
            if isinstance(error, DamageError) or code & 0xFF == sqlite3.SQLITE_CORRUPT:
                raise self._damaged(error) from None
            said = error.strerror if isinstance(error, OSError) else error
            if code & 0xFF == sqlite3.SQLITE_FULL or self._no_room():
                kept = KEPT if Path(self.path).exists() else "nothing was written"
                advice = f"{kept}; make room, and the same command goes on"
            raise GuesstreeError(f"ledger {self.path!r}: {said}; {advice}") from None

    def _no_room(self) -> bool:
        """Whether the disk is full: SQLite calls that an I/O error in places."""
        with suppress(OSError):
            disk = statvfs(Path(realpath(self.path)).parent)
            return disk.f_bavail * disk.f_frsize < LEAST_ROOM
        return False

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Write all of it, or nothing."""
        self.file.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.file.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self.file.execute("ROLLBACK")
            raise

    def blob(self, table: str, where: str, *values: int | str) -> bytes:
        """Return what the last column of a row holds, or nothing."""
        with self.mutex, self.errors_named():
            found = list(rows_of(self.file, table, f"WHERE {where}", values))
        return bytes(found[0][-1]) if found else b""
