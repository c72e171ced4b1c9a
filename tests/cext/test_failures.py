"""What fails inside a kernel is an exception, never a value: every callback and every request for memory."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_models import random_model
from ruled import ruled_game
from searches import MODES, Asked, question, shared_children
from tables import arrays

from guesstree.engine.game import Game
from guesstree.engine.noisy.float_model import FloatModel
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.onestep.valuations import VALUATIONS
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame

core = pytest.importorskip("guesstree.cext.core")
counted = pytest.importorskip("guesstree.cext.counted")
kernels = pytest.importorskip("guesstree.cext.kernels")
noisy = pytest.importorskip("guesstree.cext.noisy")
onestep = pytest.importorskip("guesstree.cext.onestep")

CEXT = Path(__file__).parents[2] / "cext"
Classes = Callable[[tuple[int, ...]], Any]
GAME = parse("mastermind:3x3")
SECRETS = np.arange(len(GAME.secrets), dtype=np.int32)


@pytest.fixture(autouse=True)
def nothing_fails_afterwards() -> Iterator[None]:
    """Take back what was to fail."""
    yield
    core.fail_allocation(0)


class Broken(BaseException):
    """What a callback raises; not an Exception, so that nobody catches it by chance."""


def asked(mode: str) -> Asked:
    """Return a question about a small game, with a budget or a lie where the mode has one."""
    game = copy(GAME)
    if mode not in ("total", "depth", "lies"):
        game.costs = np.tile(np.arange(len(game.responses)) % 3, (len(game.guesses), 1)).astype(np.int64)
    depth = {"depth": 4, "lies": 5, "within a budget": 6}.get(mode)
    return question(mode, game, "win", depth=depth, left=1 if mode == "lies" else 5)


def search(mode: str, classes: Classes | None, **how: Any) -> Any:
    """Return what a search finds, and what is known then of all candidates and of some."""
    whole = asked(mode)
    whole.given["classes"] = classes
    searcher = whole.searcher(**how)
    found = whole.search(searcher), whole.choice(searcher)
    whole.candidates, whole.left = SECRETS[:9], whole.left[:9] if mode == "lies" else whole.left
    return *found, whole.bound(searcher), whole.search(searcher)


def answer_codes(classes: Classes | None, **how: Any) -> Any:
    """Return what a search without a table finds, with renamings."""
    whole, form = question("total", GAME, "win", symmetry=True), GAME.code_form()
    assert form is not None
    whole.given |= {"table": None, "symbols": form.symbols, "response_of": form.response_of}
    return whole.search(whole.searcher(**how))


def follow_rules(classes: Classes | None, **how: Any) -> Any:
    """Return what a search finds where the history limits what may be asked."""
    game = ruled_game(8, 36, 14)
    whole = question("total", game, "identify" if game.winning is None else "win")
    return whole.search(whole.searcher(**how), evaluations=64)[:1]


def search_model(classes: Classes | None, **how: Any) -> Any:
    """Return what a search of a model finds."""
    model = random_model(random.Random(4))
    found = FloatModel.of(model)
    assert found is not None
    searcher = noisy.Searcher(**found.given, **how)
    return searcher.search(), searcher.choice(), len(searcher.first_tests()), searcher.bound()


def player(classes: Classes | None, compare: Any = None, game: Game = GAME) -> Any:
    """Return who plays a one-step strategy."""
    valuation, problem = VALUATIONS["entropy"], Problem(game, OBJECTIVES["expected"])
    return onestep.Player(
        table=problem.table, guess_codes=None, secret_codes=None, symbols=0,
        response_of=np.arange(problem.responses, dtype=np.uint8), winning=problem.winning, win=True,
        own=problem.own, winner=problem.winner, scores=valuation.scores(problem.secrets),
        tolerance=valuation.tolerance(problem.responses), prefer=True, only_candidates=False,
        counters=np.zeros(onestep.COUNTERS, dtype=np.int64), classes=classes,
        compare=compare or valuation.compare,
    )  # fmt: skip


def play(classes: Classes | None) -> Any:
    """Return what a one-step strategy asks."""
    played = player(classes).play(-1, 99)
    return None if played is None else played[0].tolist()


def rename(classes: Classes | None) -> Any:
    """Return which codes are not the smallest of their class."""
    form = GAME.code_form()
    assert form is not None
    return kernels.equivalents(form.digits, 3, False, np.array([1, 5], dtype=np.int32)).tolist()


@dataclass(frozen=True)
class Kernel:
    """A way to use a kernel; `calls`: whether it asks for classes; `jobs`: whether it takes threads."""

    use: Callable[..., Any]
    name: str
    calls: bool = True
    jobs: bool = True


KERNELS = [
    *(Kernel(partial(search, mode), mode) for mode in MODES), Kernel(answer_codes, "codes", calls=False),
    Kernel(follow_rules, "rules", calls=False), Kernel(play, "play", jobs=False),
    Kernel(rename, "rename", calls=False, jobs=False), Kernel(search_model, "model", calls=False),
]  # fmt: skip


def uses(kernels: list[Kernel]) -> list[Any]:
    """Return kernels as parameters of a test, with one thread and with three."""
    return [
        pytest.param(kernel, {"jobs": jobs} if jobs > 1 else {}, id=f"{kernel.name}-{jobs}")
        for kernel in kernels
        for jobs in ((1, 3) if kernel.jobs else (1,))
    ]


@pytest.fixture(autouse=True)
def threads_share_all(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have threads share the children of every node: a helper may be the one that fails."""
    given = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    with shared_children() if given.get("how") else nullcontext():
        yield


def value_of(found: Any, jobs: bool) -> Any:
    """Return what must not depend on luck: with threads, which of two best guesses is found does."""
    if not jobs:
        return found
    if isinstance(found, tuple) and len(found) == 4:
        return found[:2]  # an outcome
    if isinstance(found, list | tuple):
        return [value_of(some, jobs) for some in found]
    return None if isinstance(found, int) else found


@pytest.mark.parametrize(("kernel", "how"), uses([kernel for kernel in KERNELS if kernel.calls]))
def test_a_callback_that_raises_is_heard(kernel: Kernel, how: dict[str, Any]) -> None:
    calls = 0

    def classes(history: tuple[int, ...]) -> Any:
        nonlocal calls
        calls += 1
        if calls == broken:
            raise Broken
        return GAME.symmetry.classes(history)

    broken = 0
    truth = kernel.use(classes, **how)
    assert calls >= 1
    for number in range(1, (1 if how else calls) + 1):
        calls, broken = 0, number
        with pytest.raises(Broken):
            kernel.use(classes, **how)
    broken, calls = 0, 0
    assert value_of(kernel.use(classes, **how), bool(how)) == value_of(truth, bool(how))


def test_a_comparison_that_raises_is_heard_and_leaves_no_marks() -> None:
    """The same player goes on to play as if nothing had been."""
    game, exactly = parse("mastermind:4x4"), VALUATIONS["entropy"].compare
    assert exactly is not None
    broken = True

    def compare(a: Any, b: Any) -> int:
        if broken:
            raise Broken
        return exactly(a, b)

    played = player(None, compare, game)
    with pytest.raises(Broken):
        played.play(-1, 99)
    broken = False
    # After a first guess that is given: where the first one is chosen, all marks are set and taken back.
    assert played.play(5, 99)[0].tolist() == player(None, compare, game).play(5, 99)[0].tolist()


@pytest.mark.parametrize(("kernel", "how"), uses(KERNELS))
@pytest.mark.long
def test_memory_that_cannot_be_had_is_an_exception(kernel: Kernel, how: dict[str, Any]) -> None:
    """Fail each request in turn. A table of states that cannot grow is no failure: the value is right."""
    truth = value_of(kernel.use(GAME.symmetry.classes, **how), bool(how))
    number, failures = 1, 0
    while True:
        core.fail_allocation(number)
        try:
            found = kernel.use(GAME.symmetry.classes, **how)
        except MemoryError:
            failures += 1
            assert core.fail_allocation(0) <= 0, "it failed before the request"
        else:
            assert value_of(found, bool(how)) == truth
            if core.fail_allocation(0) > 0:  # so many requests are not made
                break
        number += 1 if number < 200 or (how == {} and number < 400) else number // 3
    assert failures >= 2


def test_bounds_that_could_not_be_had_leave_no_marks() -> None:
    """Some secrets are told apart by guesses that name others: marked as candidates they would be missed."""
    labels = [f"s{i}" for i in range(24)]
    cells = [
        ["W" if g == s else "a" if g < 12 else "abcdef"[s % 6] for s in range(len(labels))]
        for g in range(len(labels))
    ]
    game = TableGame("table:halves", labels, labels, cells, "W")
    given, secrets = arrays(game, win=True, unit=1), np.arange(len(labels), dtype=np.int32)
    truth = counted.Searcher(**given).search(secrets[:12], 99, counted.INFINITE)
    searcher = counted.Searcher(**given)
    searcher.bound(secrets[:1], 9)
    for number in (1, 2):
        core.fail_allocation(number)
        with pytest.raises(MemoryError):
            searcher.bound(secrets, 9)
    assert searcher.search(secrets[:12], 99, counted.INFINITE) == truth


def test_a_searcher_that_raised_goes_on_to_find_the_truth() -> None:
    game = parse("mastermind:4x3")
    given, secrets = arrays(game, win=True, unit=1), np.arange(len(game.secrets), dtype=np.int32)
    searcher = counted.Searcher(**given, classes=game.symmetry.classes)
    for number in (1, 5, 25):
        core.fail_allocation(number)
        with pytest.raises(MemoryError):
            searcher.search(secrets, 99, counted.INFINITE)
    truth = counted.Searcher(**given).search(secrets, 99, counted.INFINITE)
    assert searcher.search(secrets, 99, counted.INFINITE)[:2] == truth[:2]


@pytest.mark.parametrize("name", sorted(path.stem for path in CEXT.glob("*.pyx")))
def test_what_was_never_made_is_let_go_of(name: str) -> None:
    """A constructor that refuses what it is given leaves an object that holds nothing."""
    module = pytest.importorskip(f"guesstree.cext.{name}")
    kinds: list[Any] = [kind for kind in vars(module).values() if isinstance(kind, type)]
    for kind in kinds:
        if kind.__module__ == module.__name__:
            kind.__new__(kind)


WITHOUT_MEMORY = """
import resource
import numpy as np
from guesstree.cext import claims
many = 200_000
known = claims.Checker(np.zeros((1, many), np.uint8), np.full(1, -1, np.int32), 1, -1)
claim = claims.Claim(known, np.arange(many, dtype=np.int32), 9, 99)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize(),) * 2)
print(claim.counted(1, 9))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="it reads the memory in use from /proc")
def test_what_is_counted_of_a_claim_takes_no_memory() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_MEMORY], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")
