"""Proofs of claims, by the worker that has just searched them, while it remembers what it found."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from ..problem import Problem
from ..proofs.certificate import is_table
from ..proofs.proof import Writer
from ..search.kind import Room
from ..search.watch import TimeUp
from .asks import INFINITE, Finding, Wanted
from .paths import Paths

Kind = TypeVar("Kind", bound=Writer)
NOTHING = "."
"""The proof of a branch that needs no lemma."""
LEAST_SECONDS = 0.05


def writer_of(
    problem: Problem,
    room: Room,
    searchers: MutableMapping[Any, Any] | None = None,
    kind: type[Kind] = Writer,  # type: ignore[assignment] - mypy: a default cannot depend on the caller
) -> Kind:
    """Return what writes proofs of a problem; a table's guesses and secrets are numbers from 1."""
    names = None
    if is_table(problem.game):
        guesses, secrets = ([str(i + 1) for i in range(n)] for n in (len(problem.own), problem.secrets))
        names = guesses, secrets
    return kind(problem, room, searchers, names)


def proved(writer: Writer, paths: Paths, ask: Wanted, told: Finding, known: Mapping[int, int]) -> Finding:
    """Return what was found with a proof of what was asked; with its cells where that takes too long.

    A proof rests on nothing outside of it: of a state it is the body of a lemma, of a branch lemmas about
    what the guess leaves. `known`: at least what that costs, by response, as far as it was found. Raises
    ProofError if what was found is false.
    """
    place, since = ask.place, time.process_time()
    state = paths.state(place.path, place.depth)
    writer.stopped = False
    try:
        with _limited(ask.seconds, writer.stop):
            if place.branch:
                proof = "\n".join(writer.items(state, place.path, ask.bound, known)) or NOTHING
            else:
                proof = writer.body(state, place.path, ask.bound)
    except TimeUp:
        cells = tuple((response, lower, INFINITE) for response, lower in known.items())
        return replace(told, cells=cells, seconds=told.seconds + time.process_time() - since)
    seconds = told.seconds + time.process_time() - since
    return replace(told, proved=ask.bound, proof=proof, seconds=seconds)


@contextmanager
def _limited(seconds: float, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when this process has worked for so many seconds from now on; 0: it may take any time."""
    ended, last = threading.Event(), time.process_time() + seconds

    def look() -> None:
        while not ended.wait(max(last - time.process_time(), LEAST_SECONDS)):
            if time.process_time() >= last:
                stop()

    thread = threading.Thread(target=look, daemon=True)
    if seconds:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if seconds:
            thread.join()
