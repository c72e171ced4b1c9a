"""The searches asked in one way: for tests that hold for every kernel and every mode of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from importlib import import_module
from inspect import signature
from typing import Any

import numpy as np
from hypothesis import strategies as st
from ruled import ruled_game
from tables import Work, arrays, games, priced_games

from guesstree.cext import counted, lying, priced, reference_search
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front, least_lost, worst_with_lies
from guesstree.engine.problem import Problem
from guesstree.engine.search.lying import Volume
from guesstree.engine.search.priced import Priced
from guesstree.engine.search.space import Query

MODES = ("total", "depth", "expected", "worst", "within a budget", "lost", "lies")
"""Guesses counted, or depth alone; costs added up, the largest, within a budget; false responses."""
KERNELS = dict(zip(MODES, ("counted",) * 2 + ("priced",) * 4 + ("lying",), strict=True))
INFINITE = {"counted": counted.INFINITE, "priced": priced.INFINITE, "lying": lying.INFINITE}
ANYWHERE = {
    "responses", "winning", "only_candidates", "lies", "symbols", "renaming", "memory", "jobs", "without",
    "width", "discrepancies", "pairs", "isomorphic",
}  # fmt: skip
"""Numbers that searchers are given in every mode: of the game, of the machine, of beams."""


def kind_of(kernel: str, *args: Any, **how: Any) -> tuple[str, ...]:
    """Return what a searcher with these arguments finds the least of: the kernel, and what else is not 0.

    A number that some objective is the first to give to a kernel makes another kind, which no mode has yet.
    """
    given = signature(import_module(f"guesstree.cext.reference_{kernel}").Searcher).bind(*args, **how)
    of_the_costs = {"unit", "single_price"} if kernel == "priced" else set()
    found = {
        name for name, value in given.arguments.items() if isinstance(value, (int, np.integer)) and value
    }
    return kernel, *sorted(found - ANYWHERE - of_the_costs)


@dataclass
class Asked:
    """A question to a kernel.

    Attributes
    ----------
    given: the arguments of a searcher; candidates, depth, left: see `reference_search.Search.search`.
    truth: returns the value, by trying everything, or None where that takes too long.
    """

    mode: str
    game: Game
    given: dict[str, Any] = field(repr=False)
    candidates: Any
    depth: int
    left: Any = None
    truth: Callable[[], int | None] = field(default=lambda: None, repr=False)

    @property
    def infinite(self) -> int:
        """The value of a state that nothing settles."""
        return INFINITE[KERNELS[self.mode]]

    def searcher(self, *, plain: bool = False, **how: Any) -> Any:
        """Return a searcher, compiled or plain."""
        module = import_module(f"guesstree.cext.{'reference_' * plain}{KERNELS[self.mode]}")
        return module.Searcher(**self.given, **how)

    def search(self, searcher: Any, beta: int | None = None, **how: Any) -> Any:
        """Return what a searcher says."""
        return searcher.search(self.candidates, self.depth, beta, left=self.left, **how)

    def bound(self, searcher: Any) -> tuple[int, bool]:
        """Return at least the value, and whether it is exactly that."""
        lower, exact = searcher.bound(self.candidates, self.depth, (), self.left)
        return int(lower), bool(exact)

    def choice(self, searcher: Any) -> int | None:
        """Return the first guess of a best strategy; None: there is none."""
        try:
            return int(searcher.choice(self.candidates, self.depth, (), self.left))
        except ValueError as error:
            assert "no strategy is known" in str(error)
            return None

    def work(self, beta: int | None = None, **how: Any) -> Work:
        """Return what a new searcher finds, and the work that it takes; the twin must do the same."""
        made = [self.searcher(plain=plain, **how) for plain in (False, True)]
        found = [Work.of(searcher, self.search(searcher, beta)) for searcher in made]
        assert found[0] == found[1], "the twins differ"
        assert self.choice(made[0]) == self.choice(made[1])
        return found[0]

    def value(self, beta: int | None = None, **how: Any) -> int:
        """Return the value that a new compiled searcher finds."""
        return int(self.search(self.searcher(**how), beta).lower)


def question(
    mode: str,
    game: Game,
    goal: str,
    *,
    only_candidates: bool = False,
    depth: int | None = None,
    left: Any = None,
    symmetry: bool = False,
) -> Asked:
    """Return the question for a whole game; `left`: the budget, or how many lies (of each secret)."""
    secrets = len(game.secrets)
    everything = np.arange(secrets, dtype=np.int32)
    within = secrets * (1 + (mode == "lies")) + 1 if depth is None else depth
    form = game.code_form()
    how: dict[str, Any] = {}
    if symmetry:
        assert form is not None
        how = {"digits": form.digits, "renaming": game.symmetry.renaming}
    if KERNELS[mode] == "counted":
        unit = int(mode == "total")
        given = arrays(game, win=goal == "win", unit=unit, only_candidates=only_candidates)

        def counted_truth() -> int:
            found = best(front(game, goal, candidates_only=only_candidates), ("total",), within)
            return counted.INFINITE if found is None else unit * found[0]

        return Asked(mode, game, given | how, everything, within, truth=counted_truth)
    if KERNELS[mode] == "priced":
        free, rules = copy(game), game.rules()
        free.rules = lambda: None  # type: ignore[method-assign] # the kernel is given them
        space = Priced(Problem(free, OBJECTIVES["expected"], goal=goal, candidates_only=only_candidates))
        part = {"within a budget": "total", "expected": "total"}.get(mode, mode)
        budget = left if mode in ("within a budget", "lost") else -1
        query = Query(part, within, budget)
        given = space.arguments(query) | how
        if rules is not None:
            given |= {"features": rules.features, "needs": rules.needs}

        def priced_truth() -> int | None:
            if budget >= 0:
                if depth is not None:
                    return None
                lost, won = least_lost(game, goal, budget, candidates_only=only_candidates)
                return lost if mode == "lost" else lost * space.scale(query) + won
            pairs = front(game, goal, max_depth=depth, candidates_only=only_candidates)
            found = best(pairs, (part,))
            return priced.INFINITE if found is None else found[0]

        return Asked(mode, game, given, everything, within, budget, priced_truth)
    problem = Problem(game, OBJECTIVES["worst"], goal=goal)
    lies = left if isinstance(left, np.ndarray) else np.full(secrets, left, dtype=np.uint8)
    most = int(lies.max(initial=0))
    volume = Volume.of(max([1, *problem.profile[:1]]), most, secrets, win=problem.winning >= 0)
    given = {
        "table": problem.table, "secret_of_guess": problem.own, "guess_of_secret": problem.winner,
        "responses": problem.responses, "winning": problem.winning, "lies": most, "weight": volume.weight,
        "nodes": volume.nodes, "spread": volume.spread, "capacity": problem.capacity,
        "classes": problem.classes,
    }  # fmt: skip

    def lying_truth() -> int | None:
        if (lies != most).any() or (most and within > 5):
            return None
        return lying.INFINITE if worst_with_lies(game, goal, most, within) is None else 0

    return Asked(mode, game, given | how, everything, within, lies, lying_truth)


@st.composite
def questions(draw: st.DrawFn, mode: str, most_secrets: int = 7, most_extra: int = 5) -> Asked:
    """Draw a question to a kernel about a small table, with a history that may limit what may be asked."""
    ruled = mode != "lies" and draw(st.integers(0, 3)) == 0
    if ruled:
        seed = draw(st.integers(0, 1 << 30))
        game: Game = ruled_game(seed, most_secrets, most_extra)
        if KERNELS[mode] == "priced":
            dice = np.random.default_rng(seed)
            game.weights = dice.integers(1, 9, len(game.secrets)).tolist()
            game.costs = dice.integers(0, 4, (len(game.guesses), len(game.responses)))
    elif KERNELS[mode] == "priced":
        game = draw(priced_games(most_secrets, most_extra))
    else:
        game = draw(games(most_secrets, most_extra))
    goal = "identify" if game.winning is None or draw(st.booleans()) else "win"
    depth = draw(st.one_of(st.none(), st.integers(1, most_secrets)))
    left: Any = draw(st.integers(0, 9))
    if mode == "lies":
        depth, lies = draw(st.integers(0, 6)), draw(st.integers(0, 2))
        left = np.full(len(game.secrets), lies, dtype=np.uint8)
        if draw(st.booleans()):
            left = np.array([draw(st.integers(0, lies)) for _ in game.secrets], dtype=np.uint8)
        if goal == "win" and (Problem(game, OBJECTIVES["worst"]).winner < 0).any():
            goal = "identify"
    only = mode != "lies" and goal == "win" and not ruled and draw(st.integers(0, 3)) == 0
    return question(mode, game, goal, only_candidates=only, depth=depth, left=left)


@contextmanager
def time_slices(children: int, evaluations: int) -> Iterator[None]:
    """Let so many children of a first guess get time slices, the first of so many evaluations."""
    twins = import_module("guesstree.cext.search"), reference_search
    before = [twin.set_slices(children, evaluations) for twin in twins]
    try:
        yield
    finally:
        for twin, values in zip(twins, before, strict=True):
            twin.set_slices(*values)


@contextmanager
def shared_children() -> Iterator[None]:
    """Let threads share the children of all nodes, whether or not one is idle."""
    core = import_module("guesstree.cext.core")
    before = core.set_sharing(1, 0)
    try:
        yield
    finally:
        core.set_sharing(*before)
