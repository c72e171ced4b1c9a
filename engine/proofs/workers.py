"""Processes that share the work on a proof: each shows of one first guess at a time that it costs enough."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.queues import SimpleQueue
from typing import Any

from ..campaign.ledger import Ledger
from ..errors import GuesstreeError
from ..game import Game
from ..objective import parse_objective
from ..problem import Problem
from ..search.kind import Room
from .certificate import is_table
from .proof import Kept, Writer

POLL_SECONDS = 0.1
Entry = tuple[str, int, int, str]


@dataclass(frozen=True)
class Order:
    """What each process proves, so much of a problem that it can open the game itself.

    Attributes
    ----------
    game, goal, first, candidates_only: of the problem.
    memory, workers: bytes that all may take, and how many there are.
    ledger: where it is, or None.
    """

    game: Game
    goal: str
    first: str | None
    candidates_only: bool
    memory: int | None
    workers: int
    ledger: str | None

    def problem(self) -> Problem:
        """Return the problem, without a limit of guesses."""
        limits = {"goal": self.goal, "first": self.first, "candidates_only": self.candidates_only}
        return Problem(self.game, parse_objective("expected"), **limits)  # type: ignore[arg-type]


def writer_for(
    order: Order, problem: Problem, ledger: Kept | None, searchers: Mapping[str, Any] | None = None
) -> Writer:
    """Return what writes proofs of a problem; a table's guesses and secrets are numbers from 1."""
    room = Room.of(problem, 1, order.memory)
    if order.workers > 1:
        room = Room(room.memory // order.workers, room.tabled, 1)
    names = None
    if is_table(problem.game):
        guesses, secrets = ([str(i + 1) for i in range(n)] for n in (len(problem.own), problem.secrets))
        names = guesses, secrets
    return Writer(problem, room, ledger, searchers, names)


@dataclass
class Told:
    """The ledger as a process sees it: it looks up claims, and tells what it proves to who writes them.

    Its claims have paths of their own: it proves them without the lemmas of other first guesses, which the
    proofs of a single process rest on.
    """

    ledger: Ledger
    claims: SimpleQueue[Entry]

    def find(self, path: str, depth: int, bound: int) -> str | None:
        """Return the body that proves a claim, or None."""
        return self.ledger.lemmas.find(f"# {path}", depth, bound)

    def keep(self, path: str, depth: int, bound: int, body: str) -> None:
        """Tell what is proved."""
        self.claims.put((f"# {path}", depth, bound, body))


# -- in a process ------------------------------------------------------------------------------------------

_writer: list[Writer] = []


def _begin(order: Order, claims: SimpleQueue[Entry]) -> None:
    """Open the game, once in each process."""
    threading.Thread(target=_leave, daemon=True).start()
    ledger = None if order.ledger is None else Told(Ledger(order.ledger), claims)
    _writer.append(writer_for(order, order.problem(), ledger))


def _leave() -> None:
    """End this process when the one that started it is gone."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _show(guess: int, depth: int, bound: int) -> str:
    """Return lemmas that show that a first guess costs enough."""
    return _writer[0].items(guess, depth, bound)


# -- in the process that starts them -----------------------------------------------------------------------


def shown_by_processes(
    order: Order, ledger: Ledger | None, guesses: list[int], depth: int, bound: int, late: Callable[[], bool]
) -> Iterator[tuple[int, str]]:
    """Yield first guesses with lemmas that show that they cost enough, until all are shown or it is late.

    What processes prove on the way is written to the ledger.
    """
    if not guesses:
        return
    context, others = get_context("spawn"), active_children()
    claims: SimpleQueue[Entry] = context.SimpleQueue()
    pool = ProcessPoolExecutor(order.workers, context, _begin, (order, claims))
    try:
        waiting = _started(pool, guesses, depth, bound)
        while waiting and not late():
            done, _ = wait(waiting, POLL_SECONDS, FIRST_COMPLETED)
            while ledger is not None and not claims.empty():
                ledger.lemmas.keep(*claims.get())
            for future in done:
                yield waiting.pop(future), future.result()
            if ledger is not None:
                ledger.commit()
    except BrokenProcessPool:
        raise GuesstreeError(
            f"one of {order.workers} workers ended early; use fewer where memory is short, and a game that a "
            "module defines"
        ) from None
    finally:
        for process in active_children():
            if process not in others:
                process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)


def _started(pool: ProcessPoolExecutor, guesses: list[int], depth: int, bound: int) -> dict[Future[str], int]:
    """Have processes begin with first guesses; Ctrl-C, which this thread does not get, they do not get."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        return {pool.submit(_show, guess, depth, bound): guess for guess in guesses}
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
