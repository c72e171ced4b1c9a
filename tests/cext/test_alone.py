"""A searcher is asked by one thread at a time, and a search that is told to stop heeds it wherever it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from random_models import hard
from tables import arrays

from guesstree.cext import counted
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.counted import Counted
from guesstree.engine.search.lying import Knowledge, Volume
from guesstree.engine.search.priced import Priced
from guesstree.engine.search.space import Query, Resources

GAME = parse("mastermind:3x3")
SECRETS = np.arange(len(GAME.secrets), dtype=np.int32)
ENOUGH = 60.0
Calls = list[Callable[[], Any]]


def counting(kernel: ModuleType, classes: Any) -> tuple[Any, Calls]:
    """Return a searcher that counts guesses, and what may be asked of it, a search first."""
    searcher = kernel.Searcher(**arrays(GAME, win=True, unit=1), classes=classes)
    return searcher, [
        lambda: searcher.search(SECRETS, 99, kernel.INFINITE),
        lambda: searcher.bound(SECRETS, 99),
        lambda: searcher.choice(SECRETS, 99),
    ]


def paying(kernel: ModuleType, classes: Any) -> tuple[Any, Calls]:
    """Return a searcher over costs, as `counting` does."""
    kind = Priced(Problem(GAME, OBJECTIVES["expected"]))
    given = kind.arguments(Query("total", kernel.UNLIMITED, -1))
    searcher = kernel.Searcher(**given, classes=classes)
    return searcher, [
        lambda: searcher.search(SECRETS, kernel.UNLIMITED, kernel.INFINITE),
        lambda: searcher.bound(SECRETS, kernel.UNLIMITED),
        lambda: searcher.choice(SECRETS, kernel.UNLIMITED),
    ]


def doubting(kernel: ModuleType, classes: Any) -> tuple[Any, Calls]:
    """Return a searcher against a lie, as `counting` does."""
    problem = Problem(GAME, OBJECTIVES["worst"])
    volume = Volume.of(problem.profile[0], 1, problem.secrets, win=True)
    searcher = kernel.Searcher(
        problem.table, problem.own, problem.winner, problem.responses, problem.winning, 1, volume.weight,
        volume.nodes, volume.spread, problem.capacity, classes,
    )  # fmt: skip
    known = Knowledge.start(problem.secrets, 1)
    return searcher, [
        lambda: searcher.search(known.candidates, 5, left=known.left),
        lambda: searcher.choice(known.candidates, 5, None, known.left),
        lambda: searcher.least(known.candidates, known.left),
    ]


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
@pytest.mark.parametrize(
    ("name", "make"),
    [("counted", counting), ("priced", paying), ("lying", doubting)],
    ids=lambda x: str(x)[:9],
)
def test_a_second_call_is_refused_while_a_search_runs(name: str, make: Any, plain: bool) -> None:
    """Once it wrote what the first was reading, up to a segmentation fault."""
    kernel = import_module(f"guesstree.cext.{'reference_' * plain}{name}")
    seen: list[int] = []

    def classes(history: tuple[int, ...]) -> Any:  # the search asks for them in its middle
        if not seen:
            seen.append(0)
            seen[0] = refused(calls)
        return GAME.symmetry.classes(history)

    _, calls = make(kernel, classes)
    first = calls[0]()
    assert seen == [3]
    assert refused(calls) == 0, "it has ended"
    assert first == make(kernel, GAME.symmetry.classes)[1][0]()


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


@pytest.mark.parametrize("seconds", [0.2, 0.4])
def test_a_search_of_many_codes_heeds_the_stop(seconds: float) -> None:
    """It has no table: those of parts, and what ranks guesses, once were made to their ends, for a second."""
    if counted.__name__.endswith("reference_counted"):
        pytest.skip("the plain search of so many codes takes too long")
    problem = Problem(parse("mastermind:5x8"), OBJECTIVES["expected"])
    kind = Counted(problem)
    question = kind.query("total")
    searcher, state = kind.searcher(question, Resources(1 << 24, tabled=False, jobs=1)), kind.root(question)
    thread = threading.Thread(target=lambda: kind.search(searcher, state, kind.infinite, 0))
    began = time.process_time()
    thread.start()
    while time.process_time() < began + seconds:
        time.sleep(0.01)
    stopped = time.process_time()
    while thread.is_alive():
        searcher.stop()
        thread.join(0.005)
    assert time.process_time() - stopped < 0.25
