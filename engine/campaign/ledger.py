"""A ledger: what is known of all claims, in a file of SQLite; whatever ends a proof, it goes on where it was.

What is reported is on the disk `COMMIT_SECONDS` later (WAL, synchronous FULL), in groups, as a commit takes
as long as the disk. Until then only this process knows it; whoever reads the file sees what is kept.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..exact import Value
from ..game import Game
from ..solution import Solved
from .file import KEPT, LedgerFile
from .lemmas import Key, Lemmas, figures_of, packed_optimum, unpacked_optimum
from .messages import INFINITE, NodeId, Report
from .records import KNOWN, About, RefusedClaim, Rise, StoredRecord, node_of, node_row
from .schema import DamageError, put, rows_of
from .store import Record

COMMIT_SECONDS = 0.2
"""Work that is lost at most where a process is killed."""


class Ledger(LedgerFile):
    """What is known of the claims of one game and objective, its lemmas, and its optimum with a strategy.

    Parameters
    ----------
    path, about, whole: see `LedgerFile`.

    Attributes
    ----------
    refused: claims that were refused, as they came.
    history: how the bounds of the whole game rose.
    lemmas: what is proved for certificates that one process writes.

    Raises GuesstreeError for a file that is no ledger, is damaged, or is written by another process.
    """

    def __init__(self, path: str, about: About | None = None, *, whole: bool = True) -> None:
        self.known: dict[NodeId, StoredRecord] = {}
        self.refused: list[RefusedClaim] = []
        self.history: list[Rise] = []
        self.lemmas = Lemmas(self._lemma, self._soon)
        self.changed: dict[int, StoredRecord] = {}  # not in the file yet
        self.gone: set[int] = set()
        self.written = [0, 0]  # refusals and rises that are in the file
        self.last = 0  # number of a claim
        self.wake, self.ending = threading.Event(), threading.Event()
        self.failure: Exception | None = None
        self.thread: threading.Thread | None = None
        super().__init__(path, about, whole=whole)

    def _read(self) -> None:
        """Read what is known; raise DamageError for what cannot be."""
        numbers: set[int] = set()
        for number, path, figure, depth, *values in rows_of(self.file, "claims"):
            record = StoredRecord(self, node_of(path, figure, depth), number)
            for name, value in zip(KNOWN, values, strict=True):
                setattr(record, name, value)
            if wrong := record.impossible():
                raise DamageError(f"claim {record.node} {wrong}")
            if self.known.setdefault(record.node, record) is not record:
                raise DamageError(f"claim {record.node} is there twice")
            numbers.add(number)
        self.last = max(numbers, default=0)
        for at, path, figure, depth, why, evaluations, seconds in rows_of(self.file, "refusals"):
            self.refused.append(RefusedClaim(at, node_of(path, figure, depth), why, evaluations, seconds))
        self.history += (Rise(*row) for row in rows_of(self.file, "history"))
        self.written = [len(self.refused), len(self.history)]
        if self.whole:
            self._check_rest(numbers)

    def _check_rest(self, numbers: set[int]) -> None:
        """Look through proofs, strategies and lemmas, which are read where they are needed."""
        proofs = {(number, proved) for number, proved, _ in rows_of(self.file, "proofs")}
        chosen = {number for number, _ in rows_of(self.file, "choices")}
        for record in self.known.values():
            if record.proved and (record.number, record.proved) not in proofs:
                raise DamageError(f"the proof of claim {record.node} is not there")
        if not {number for number, _ in proofs} | chosen <= numbers:
            raise DamageError("it has a proof or a strategy of no claim")
        for table in ("lemmas", "optimum"):
            for _ in rows_of(self.file, table):
                pass

    # -- what is known: see `store.Store` --------------------------------------------------------------

    def find(self, node: NodeId) -> Record | None:
        """Return what is known of a node, or None."""
        return self.known.get(node)

    def all(self) -> Iterator[tuple[NodeId, Record]]:
        """Yield all that is known."""
        return iter(self.known.items())

    def asked(self, node: NodeId, bound: int, budget: int, worker: str) -> None:
        """Note that a node is worked on from now on."""
        with self._change(node) as record:
            record.tries, record.budget, record.bound = record.tries + 1, int(budget), int(bound)
            record.worker, record.since = worker, time.time()

    def take(self, report: Report) -> Record:
        """Keep what was reported, and return what is known now; what contradicts that is refused."""
        with self._change(report.node) as record:
            record.worker, record.since = report.worker, 0.0
            before = f"at least {record.lower}, at most {record.upper} before"
            record.learn(report)
            if wrong := record.impossible():
                self._refuse(record, f"{report.worker or 'a worker'} reported what {wrong}, {before}")
        return self.known.get(report.node, Record())

    def accept(self, node: NodeId, proved: int) -> None:
        """Note that the checker accepted the proof of a bound."""
        with self._change(node) as record:
            record.accepted = max(record.accepted, int(proved))

    def refuse(self, node: NodeId, why: str) -> None:
        """Note that the checker refused the proof of a node: all is forgotten but what was accepted."""
        with self._change(node) as record:
            self._refuse(record, why)

    def _refuse(self, record: StoredRecord, why: str) -> None:
        node, spent = record.node, (record.evaluations, record.seconds)
        self.refused.append(RefusedClaim(time.time(), node, why, *spent))
        self.changed.pop(record.number, None)
        self.gone.add(record.number)
        del self.known[node]
        if accepted := record.accepted:
            proof = record.proof_of(accepted)
            kept = self._record(node)
            kept.lower = kept.accepted = accepted
            if proof:
                kept.proved, kept.proof = accepted, proof
            self.changed[kept.number] = kept

    @contextmanager
    def _change(self, node: NodeId) -> Iterator[StoredRecord]:
        """Yield what is known of a node, to be changed and then written."""
        with self.mutex:
            self._fail()
            record = self._record(node)
            yield record
            if self.known.get(node) is record:
                self.changed[record.number] = record
            self._soon()

    def _record(self, node: NodeId) -> StoredRecord:
        if node not in self.known:
            self.last += 1
            self.known[node] = StoredRecord(self, node, self.last)
        return self.known[node]

    def rose(
        self, node: NodeId, lower: int | None = None, upper: int | None = None, accepted: int | None = None
    ) -> None:
        """Note what is known of the whole game now; None: as before.

        Who begins anew knows less for a while: bounds get worse only after a claim was refused.
        """
        old = next((one for one in reversed(self.history) if one[1:3] == (node.figure, node.depth)), None)
        at, before = (0.0, (0, INFINITE, 0)) if old is None else (old.time, old[3:])
        now = [was if new is None else new for was, new in zip(before, (lower, upper, accepted), strict=True)]
        if not self.refused or self.refused[-1].time <= at:
            now = [max(before[0], now[0]), min(before[1], now[1]), max(before[2], now[2])]
        if old is None or tuple(now) != before:
            with self.mutex:
                self._fail()
                self.history.append(Rise(time.time(), node.figure, int(node.depth), *map(int, now)))
                self._soon()

    def proof_in(self, number: int, bound: int) -> bytes:
        """Return the proof of a bound of a claim, compressed; empty: there is none in the file."""
        return self.blob("proofs", "number = ? AND proved = ?", number, bound)

    def choices_in(self, number: int) -> bytes:
        """Return the strategy behind an upper bound; empty: there is none in the file."""
        return self.blob("choices", "number = ?", number)

    def _lemma(self, key: Key) -> bytes:
        return self.blob("lemmas", "path = ? AND depth = ? AND bound = ?", *key)

    # -- the optimum -----------------------------------------------------------------------------------------

    def keep_solution(self, solved: Solved) -> None:
        """Keep an optimum with its strategy."""
        packed = packed_optimum(solved)
        with self.mutex, self.errors_named(KEPT), self.at_once():
            self.file.execute("DELETE FROM optimum")
            put(self.file, "optimum", iter([(packed,)]))

    def forget_solution(self) -> None:
        """Forget an optimum that turned out to be none."""
        with self.mutex, self.errors_named(KEPT), self.at_once():
            self.file.execute("DELETE FROM optimum")

    def solution(self, game: Game) -> Solved | None:
        """Return the optimum that was kept, or None."""
        packed = self.blob("optimum", "TRUE")
        return unpacked_optimum(packed, game) if packed else None

    @property
    def optimum(self) -> tuple[Value, ...] | None:
        """The value of the optimum that was kept, or None."""
        packed = self.blob("optimum", "TRUE")
        return figures_of(packed)[0]["upper"] if packed else None

    @property
    def many_lemmas(self) -> int:
        """How many lemmas are in the file."""
        with self.mutex, self.errors_named():
            return int(self.file.execute("SELECT count(*) FROM lemmas").fetchone()[0])

    # -- other ledgers ---------------------------------------------------------------------------------------

    def absorb(self, other: Ledger, *, once: bool) -> None:
        """Take in the claims and lemmas of another ledger of the same game.

        `once`: what both spent may be the same work; then the larger effort counts, else the sum.
        """
        for record in other.known.values():
            with self.mutex:
                self._fail()
                own = self._record(record.node)
                self.changed[own.number] = own
                own.absorb(record, once=once)
                if wrong := own.impossible():
                    self._refuse(own, f"with what {other.path} says, it {wrong}")
                self._soon()
        with other.mutex, other.errors_named():
            for path, depth, bound, body in rows_of(other.file, "lemmas"):
                self.lemmas.fresh[path, depth, bound] = body
            optimum = list(rows_of(other.file, "optimum"))
        with self.mutex, self.errors_named(KEPT), self.at_once():
            if optimum:
                self.file.execute("DELETE FROM optimum")
                put(self.file, "optimum", iter(optimum))
        self.refused += (claim for claim in other.refused if claim not in self.refused)
        self._soon()

    # -- writing ---------------------------------------------------------------------------------------------

    def _soon(self) -> None:
        """Have written what changed, `COMMIT_SECONDS` from now."""
        if self.thread is None:
            self.thread = threading.Thread(target=self._write_on, daemon=True)
            self.thread.start()
        self.wake.set()

    def _write_on(self) -> None:
        """Write what changes, group by group, until the ledger is closed."""
        while True:
            self.wake.wait()
            if self.ending.wait(COMMIT_SECONDS):
                return
            self.wake.clear()
            try:
                self.commit()
            except Exception as error:  # whatever it is, who reports more is to see it
                self.failure = error

    def _fail(self) -> None:
        """Raise what went wrong behind the scenes."""
        if self.failure is not None:
            raise self.failure

    def commit(self) -> None:
        """Have on the disk all that was reported; raise GuesstreeError where there is no room for it."""
        with self.mutex:
            changed, gone = list(self.changed.values()), [(number,) for number in self.gone]
            refused, risen = self.refused[self.written[0] :], self.history[self.written[1] :]
            lemmas = dict(self.lemmas.fresh)
            if not (changed or gone or refused or risen or lemmas):
                return
            with self.errors_named(KEPT), self.at_once():
                for table in ("claims", "proofs", "choices"):
                    self.file.executemany(f"DELETE FROM {table} WHERE number = ?", gone)
                put(self.file, "claims", (record.row for record in changed))
                put(
                    self.file,
                    "proofs",
                    (
                        (record.number, bound, packed)
                        for record in changed
                        for bound, packed in record.fresh.items()
                    ),
                )
                put(
                    self.file,
                    "choices",
                    ((record.number, record.packed) for record in changed if record.packed is not None),
                )
                # Of each claim the best proof stays, and the best that was accepted.
                self.file.executemany(
                    "DELETE FROM proofs WHERE number = ? AND proved NOT IN (?, ?)",
                    ((record.number, int(record.proved), record.accepted) for record in changed),
                )
                put(self.file, "refusals", ((at, *node_row(node), *rest) for at, node, *rest in refused))
                put(self.file, "history", iter(risen))
                put(self.file, "lemmas", ((*key, body) for key, body in lemmas.items()))
            for record in changed:
                record.fresh, record.packed = {}, None
            for key in lemmas:
                del self.lemmas.fresh[key]
            self.changed, self.gone = {}, set()
            self.written = [len(self.refused), len(self.history)]

    def close(self) -> None:
        """Commit, and let go of the file."""
        self.ending.set()
        self.wake.set()
        if self.thread is not None:
            self.thread.join()
        try:
            if self.writes:
                self.commit()
        finally:
            super().close()
