"""Proofs of claims, by the worker that has just searched them, while it remembers what it found."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from ..proofs.writer import Writer
from ..search.watch import TimeUp
from .asks import INFINITE, Finding, Wanted
from .paths import Paths

NOTHING = "."
"""The proof of a branch that needs no lemma."""
LEAST_SECONDS = 0.05


def with_proof(writer: Writer, paths: Paths, ask: Wanted, told: Finding, known: Mapping[int, int]) -> Finding:
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
