"""A searcher is asked by one thread at a time, and a search that is told to stop heeds it wherever it is."""

from __future__ import annotations

import resource
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from random_models import hard
from searches import MODES, question

from guesstree.cext import counted
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.counted import Counted
from guesstree.engine.search.space import Resources

GAME = parse("mastermind:3x3")
ENOUGH = 60.0
Calls = list[Callable[[], Any]]


def calls_of(mode: str, classes: Any, *, plain: bool) -> Calls:
    """Return what may be asked of one searcher, a search first."""
    asked = question(mode, GAME, "win", depth=5 if mode == "lies" else None, left=1 if mode == "lies" else 9)
    asked.given["classes"] = classes
    searcher = asked.searcher(plain=plain)
    calls = [lambda: asked.search(searcher), lambda: asked.bound(searcher), lambda: asked.choice(searcher)]
    return [*calls, lambda: searcher.least(asked.candidates, asked.left)] if mode == "lies" else calls


def refused(calls: Calls) -> int:
    """Return how many of some calls, from another thread, are refused because a search runs."""
    found: list[BaseException | None] = []

    def ask() -> None:
        for call in calls:
            try:
                call()
                found.append(None)
            except RuntimeError as error:
                assert "one thing at a time" in str(error)
                found.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    return sum(error is not None for error in found)


@pytest.mark.parametrize("plain", [False, True], ids=["compiled", "plain"])
@pytest.mark.parametrize("mode", MODES)
def test_a_second_call_is_refused_while_a_search_runs(mode: str, plain: bool) -> None:
    """Once it wrote what the first was reading, up to a segmentation fault."""
    seen: list[int] = []

    def classes(history: tuple[int, ...]) -> Any:  # the search asks for them in its middle
        if not seen:
            seen.append(0)
            seen[0] = refused(calls)
        return GAME.symmetry.classes(history)

    calls = calls_of(mode, classes, plain=plain)
    first = calls[0]()
    assert seen == [len(calls)]
    assert refused(calls) == 0, "it has ended"
    assert first == calls_of(mode, GAME.symmetry.classes, plain=plain)[0]()


def test_a_second_call_of_a_noisy_search_is_refused() -> None:
    kernel = pytest.importorskip("guesstree.cext.noisy")
    searcher = kernel.Searcher(**hard())
    calls: Calls = [searcher.search, searcher.bound, searcher.choice, searcher.key, searcher.first_tests]
    thread = threading.Thread(target=searcher.search)
    thread.start()
    while not searcher.evaluations:
        time.sleep(0.001)
    assert refused(calls) == 5
    until = time.monotonic() + ENOUGH
    while thread.is_alive() and time.monotonic() < until:
        searcher.stop()
        thread.join(0.01)
    searcher.bound()


def test_a_second_call_of_the_plain_noisy_search_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from guesstree.cext import reference_noisy

    searcher = reference_noisy.Searcher(**hard())
    calls: Calls = [searcher.search, searcher.bound, searcher.choice, searcher.key, searcher.first_tests]
    seen: list[int] = []

    def value(_: Any) -> tuple[float, int]:
        seen.append(refused(calls))
        return 1.0, 0

    monkeypatch.setattr(searcher, "value", value)
    searcher.search()
    assert seen == [5]
    assert refused([searcher.bound]) == 0


def worked() -> float:
    """Return the processor time that was not the system's, seconds: a busy one takes long to give memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


@pytest.mark.parametrize("seconds", [0.2, 0.4])
def test_a_search_of_many_codes_heeds_the_stop(seconds: float) -> None:
    """It has no table: those of parts, and what ranks guesses, once were made to their ends, for seconds."""
    if counted.__name__.endswith("reference_counted"):
        pytest.skip("the plain search of so many codes takes too long")
    problem = Problem(parse("mastermind:5x10"), OBJECTIVES["expected"])
    kind = Counted(problem)
    question = kind.query("total")
    searcher, state = kind.searcher(question, Resources(1 << 24, tabled=False, jobs=1)), kind.root(question)
    thread = threading.Thread(target=lambda: kind.search(searcher, state, kind.infinite, 0))
    began = worked()
    thread.start()
    while worked() < began + seconds:
        time.sleep(0.01)
    stopped = worked()
    while thread.is_alive():
        searcher.stop()
        thread.join(0.005)
    assert worked() - stopped < 1
