"""The clock: what does not end in time is ended, whatever it does, and what is known then is kept."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np
import pytest

from guesstree.api.strategy import strategy_of
from guesstree.engine.errors import Infeasible, SpaceError
from guesstree.engine.onestep.greedy import OneStep
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search import deadline as watching
from guesstree.engine.search import session as running
from guesstree.engine.search.bounds import bounds
from guesstree.engine.search.counted import Counted
from guesstree.engine.search.deadline import Deadline, TimeUp
from guesstree.engine.search.lying import Lying
from guesstree.engine.search.priced import Priced
from guesstree.engine.search.solve import solve
from guesstree.engine.stopping import heed
from guesstree.engine.tables.table import TableGame
from guesstree.trees.figures import figures_of

ENOUGH = 20.0
"""Seconds after which something hangs; a machine under load takes its time."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "PATIENCE", 0.1)


def for_ever(*_: Any, **__: Any) -> NoReturn:
    while True:
        time.sleep(0.001)


def nothing() -> None:
    pass


class Clock:
    """A clock that jumps when it is told to."""

    ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead

    def strike(self, *_: Any, **__: Any) -> NoReturn:
        """Let the time of everything be up, and go on."""
        self.ahead += 10 * ENOUGH
        for_ever()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(watching, "time", made)
    return made


def test_work_that_does_not_heed_the_clock_is_ended() -> None:
    told: list[None] = []
    watch = Deadline(0.01)
    with pytest.raises(TimeUp):
        watch.run(for_ever, lambda: told.append(None))
    assert told
    assert watch.stopped == "time"


def test_no_thread_is_left_behind() -> None:
    """Work is waited for until it has ended, whatever it is at."""
    before, ended = threading.active_count(), list[float]()

    def asleep() -> None:
        try:
            time.sleep(2.0)
            for_ever()
        finally:
            ended.append(time.monotonic())

    with pytest.raises(TimeUp):
        Deadline(0.01).run(asleep, nothing)
    until = time.monotonic() + ENOUGH
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert ended and threading.active_count() == before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_nothing_is_raised_in_a_thread_whose_work_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work ends while the exception comes that is to end it, 500 times: no traceback is printed."""
    monkeypatch.setattr(watching, "PATIENCE", 0.0)
    monkeypatch.setattr(watching, "POLL_SECONDS", 1e-5)
    printed: list[object] = []
    monkeypatch.setattr(threading, "excepthook", printed.append)

    def unraisable(seen: Any) -> None:
        if "_bootstrap" in repr(seen.object):
            printed.append(seen)

    monkeypatch.setattr(sys, "unraisablehook", unraisable)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for number in range(500):
            ends = time.monotonic() + 1e-3 + number % 10 * 1e-5

            def work(ends: float = ends) -> None:
                while time.monotonic() < ends:
                    pass

            with suppress(TimeUp):
                Deadline(1e-3).run(work, nothing)
    finally:
        sys.setswitchinterval(usual)
    assert not printed


@pytest.mark.parametrize("late", [False, True])
def test_a_profiler_may_look_on(late: bool) -> None:
    """An exception that is taken back, or that never was, leaves CPython 3.11 looking for it for ever."""
    code = (
        "import sys, time; from guesstree.engine.search import deadline as d; d.PATIENCE = 0.1\n"
        "def work():\n"
        f"    while {late}: pass\n"
        "sys.setprofile(lambda *_: None)\n"
        "try: d.Deadline(0.1).run(work, lambda: None)\n"
        "except d.TimeUp: pass\n"
        "for _ in range(9): (lambda: None)()\n"
    )
    subprocess.run([sys.executable, "-c", code], timeout=3 * ENOUGH, check=True)


def test_work_that_heeds_is_ended_without_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_raised(_: int) -> NoReturn:
        raise AssertionError("an exception was raised in the thread")

    monkeypatch.setattr(watching, "_raise", none_raised)
    monkeypatch.setattr(watching, "PATIENCE", 60.0)
    for limit in (0.01, 0.2):
        with pytest.raises(TimeUp):
            Deadline(limit).run(heed_for_ever, nothing)
    heed()  # elsewhere it does nothing


@pytest.mark.parametrize("searched", [solve, bounds, lambda *a, **k: solve(*a, method="entropy", **k)])
def test_a_first_strategy_may_come_a_little_late(searched: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = OneStep.play_out

    def slowly(player: OneStep) -> Any:
        until = time.monotonic() + 2 * watching.PATIENCE + watching.HEEDED
        while time.monotonic() < until:
            heed()
            time.sleep(0.001)
        return whole(player)

    monkeypatch.setattr(OneStep, "play_out", slowly)
    found = searched(parse("mastermind:3x4"), "expected", time_limit=0.01)
    assert found.upper[0] >= 206  # the optimum
    monkeypatch.setattr(watching, "FIRST", 0.0)
    with pytest.raises(Infeasible, match="found before"):
        searched(parse("mastermind:3x4"), "expected", time_limit=0.01)


def heed_for_ever() -> NoReturn:
    while True:
        time.sleep(0.01)
        heed()


def test_work_within_work_runs_in_its_thread_and_is_told_in_its_stead() -> None:
    watch, inner, outer = Deadline(0.05), threading.Event(), threading.Event()

    def work() -> tuple[int, int]:
        part = Deadline(0.01, watch)
        here = threading.get_ident()
        there = part.run(lambda: (inner.wait(ENOUGH), threading.get_ident())[1], inner.set)
        assert part.stopped == "time"
        assert not outer.is_set()
        assert outer.wait(ENOUGH)
        return here, there

    here, there = watch.run(work, outer.set)
    assert here == there != threading.get_ident()


def test_time_is_set_aside_for_what_comes_after() -> None:
    watch = Deadline(100)
    watch.set_aside(10)
    assert 80 < watch.left <= 90
    watch.set_aside(1000)
    assert 55 < watch.left <= 67.5
    Deadline(None).set_aside(10)


def test_ctrl_c_ends_every_part_but_the_reading_off() -> None:
    watch, pressed = Deadline(None), threading.Event()

    def press() -> None:
        if not pressed.is_set():
            pressed.set()
            raise KeyboardInterrupt

    def work() -> None:
        assert pressed.wait(ENOUGH)
        while not watch.late():
            time.sleep(0.001)
        assert Deadline(ENOUGH, watch).late()
        assert not watch.grace().late()

    watch.run(work, nothing, press)
    assert watch.stopped == "interrupt"


@pytest.mark.parametrize("broken", [False, True])
def test_ctrl_c_while_the_thread_starts_ends_the_work(broken: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    start, watch, begun = threading.Thread.start, Deadline(None), list[None]()

    def interrupted(thread: threading.Thread) -> NoReturn:
        start(thread)
        try:
            raise KeyboardInterrupt
        finally:
            if broken:  # as threading does where Ctrl-C comes at a bad moment of a wait
                raise RuntimeError("release unlocked lock")

    def work() -> str:
        begun.append(None)
        while not watch.late():
            time.sleep(0.001)
        return watch.stopped

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", interrupted)
        assert watch.run(work, nothing) == "interrupt"
    assert len(begun) == 1


def test_the_wait_for_work_has_no_bad_moment_for_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> NoReturn:
        raise KeyboardInterrupt

    def work() -> int:
        with monkeypatch.context() as patch:
            patch.setattr(threading.Condition, "_acquire_restore", interrupted)
            time.sleep(2 * watching.POLL_SECONDS)
        return 1

    monkeypatch.setattr(watching, "PATIENCE", 60.0)  # other work may take the time of this
    assert Deadline(None).run(work, nothing) == 1


def test_ctrl_c_before_the_thread_starts_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: threading.Thread) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(TimeUp):
        Deadline(None).run(for_ever, nothing)


def test_what_a_report_raises_comes_through_and_ends_the_work() -> None:
    def report() -> NoReturn:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        Deadline(None).run(for_ever, nothing, report)


def random_table(priced: bool) -> TableGame:
    random = np.random.default_rng(5)
    cells = random.integers(0, 3, (12, 40)).astype(str).tolist()
    tests, causes = [f"t{g}" for g in range(12)], [f"c{s}" for s in range(40)]
    return TableGame("some", tests, causes, cells, weights=list(range(1, 41)) if priced else None)


@pytest.mark.parametrize("work", [solve, bounds])
@pytest.mark.parametrize(
    ("owner", "phase", "priced"),
    [
        (TableGame, "table", False),
        (Problem, "require_distinct", False),
        (Counted, "counted", False),
        (OneStep, "play_out", False),
        (Counted, "searcher", False),
        (Counted, "search", False),
        (Counted, "walk", False),
        (Priced, "counted", True),
        (Priced, "first_strategy", True),
        (Priced, "figures", True),
        (Priced, "searcher", True),
        (Priced, "walk", True),
    ],
)
def test_every_phase_is_under_the_clock(
    work: Any, owner: type, phase: str, priced: bool, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is up in the middle of it: what was found before is kept."""
    game = random_table(priced)
    truth = solve(game).upper
    monkeypatch.setattr(owner, phase, clock.strike)
    started = time.monotonic()
    try:
        found = work(game, time_limit=ENOUGH)
    except Infeasible as error:
        assert "before the search stopped" in str(error)
        assert phase not in ("searcher", "search", "walk")
    else:
        assert found.lower <= truth <= found.upper
        assert found.stopped == "time"
        assert figures_of(strategy_of(found)).compared.value("expected") == found.upper
    assert time.monotonic() - started < ENOUGH


def test_against_lies_every_phase_is_under_the_clock(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lying, "counted", clock.strike)
    with pytest.raises(Infeasible, match="256 secrets and 256 guesses: no strategy was found"):
        solve(parse("mastermind:4x4"), "worst", lies=1, time_limit=ENOUGH)


def test_what_was_proven_is_told_without_a_strategy(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running.Session, "offer", clock.strike)
    with pytest.raises(Infeasible, match=r"mastermind:4x4: .* one may exist; the optimum is at least 903"):
        solve(parse("mastermind:4x4"), time_limit=ENOUGH)


@pytest.mark.parametrize("spec", ["mastermind:8x8", "blackpeg:12x12", "mastermind:15x3", "bulls:10x15"])
def test_what_cannot_fit_is_refused_before_anything_is_listed(spec: str) -> None:
    game = parse(spec)
    text = (
        rf"{len(game.secrets)} secrets and .* guesses: .* would need at least .*[TG]iB, and .* may be used; "
    )
    for work in (solve, bounds):
        with pytest.raises(SpaceError, match=text) as error:
            work(game, time_limit=1, memory=1 << 30)
        assert ("guesstree constructive " + spec in str(error.value)) == (not spec.startswith("bulls"))
    assert not {"digits", "labels"} & set(vars(game.guesses))


def test_a_strategy_too_large_to_be_listed_is_refused() -> None:
    with pytest.raises(SpaceError, match=r"16777216 secrets; .* at most 4194304; use guesstree constr"):
        solve(parse("mastermind:8x8"), method="entropy")
