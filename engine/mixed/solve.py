"""`solve_mixed`: the value of a game against a codemaker who mixes, see `rounds`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import Infeasible
from ..game import Game
from ..objective import EXPECTED
from ..problem import Problem
from ..registry import game_of
from ..search.deadline import Deadline, Progress
from ..state import everything
from ..support import MIXED, Request, require
from .drawn import Drawn
from .large import LargeRounds
from .models import ModelRounds, weighted
from .plan import Plan
from .rounds import MOST_ORBITS, Rounds, orbit_of


@dataclass(frozen=True)
class MixedSolved:
    """The value of a game against a codemaker who mixes, with both mixtures.

    Attributes
    ----------
    game, goal, parameters: what is played.
    lower, upper: bounds of the value, exactly, in units of cost; equal when it is proven.
    orbit: the first secret of the orbit of each secret, int64, shape (secrets,): all secrets of an orbit are
        drawn alike, and strategies are renamed at random, unless each secret is alone.
    weights: how often each secret is drawn, integers from 0, shape (secrets,); it reaches `lower`.
    plans, probabilities: the breaker's strategies, and how often each is played; they reach `upper`.
    uniform: bounds of what the breaker pays where all secrets are equally likely.
    rounds, states, evaluations: searches, and the work of all.
    stopped: why work was ended early (``time``, ``interrupt``, ``weights`` too large), or ``""``.
    """

    game: Game
    goal: str
    parameters: dict[str, Any]
    lower: Fraction
    upper: Fraction
    orbit: NDArray[np.int64]
    weights: tuple[int, ...]
    plans: tuple[Plan, ...]
    probabilities: tuple[Fraction, ...]
    uniform: tuple[Fraction, Fraction]
    rounds: int
    states: int
    evaluations: int
    seconds: float
    stopped: str

    @property
    def optimal(self) -> bool:
        """Whether the value is proven."""
        return self.lower == self.upper

    @property
    def renamed(self) -> bool:
        """Whether strategies are renamed at random before they are played."""
        return len(np.unique(self.orbit)) < len(self.orbit)

    @cached_property
    def each(self) -> tuple[Fraction, ...]:
        """What each secret pays on average against the breaker's mixture, exactly; shape (secrets,)."""
        found = [Fraction(0)] * len(self.orbit)
        for first in np.unique(self.orbit).tolist():
            members = np.flatnonzero(self.orbit == first)
            pairs = zip(self.plans, self.probabilities, strict=True)
            paid = sum((p * int(plan.paid[members].sum()) / plan.parts for plan, p in pairs), Fraction(0))
            for secret in members.tolist():
                found[secret] = paid / len(members)
        return tuple(found)


def problem_of(game: Game, goal: str | None, *, candidates_only: bool, symmetry: bool) -> Problem:
    """Return the problem of a game whose secrets are drawn alike."""
    everyone = everything(len(game.secrets))
    drawn = weighted(game, [1] * len(everyone)) if game.facts.noisy else Drawn(game, everyone)
    return Problem(drawn, EXPECTED, goal=goal, candidates_only=candidates_only, symmetry=symmetry)


def solve_mixed(
    game: Game | str,
    *,
    goal: str | None = None,
    candidates_only: bool = False,
    symmetry: bool = True,
    time_limit: float | None = None,
    memory: int | None = None,
    jobs: int = 1,
    progress: Callable[[Progress], None] | None = None,
) -> MixedSolved:
    """Return the value of a game against a codemaker who mixes, with both mixtures, proven if there is time.

    The weights of the game do not count: they are what is looked for. Of a table, this is the prior that is
    hardest, and the strategies that are best where no prior is known.

    Parameters
    ----------
    game, goal, candidates_only, symmetry, time_limit, memory, jobs, progress: see `search.solve`.

    Raises Infeasible where no strategy was found; GuesstreeError for bad arguments.
    """
    game = game_of(game)
    require(
        Request(
            game,
            EXPECTED.name,
            goal=goal or game.facts.goals[0],
            candidates_only=candidates_only,
            jobs=jobs,
            time_limit=time_limit,
            maker=MIXED,
        )
    )
    clock = Deadline(time_limit)
    problem = problem_of(game, goal, candidates_only=candidates_only, symmetry=symmetry)
    problem.require_winners()
    rounds = kind_of(problem)(problem, clock, progress)
    options = {
        "goal": problem.goal,
        "candidates_only": candidates_only,
        "symmetry": symmetry,
        "memory": memory,
        "jobs": jobs,
    }
    try:
        rounds.work(options)
    except KeyboardInterrupt:
        rounds.stopped = "interrupt"
    except Infeasible:
        if not rounds.plans:
            raise
        rounds.stopped = rounds.stopped or "time"
    if rounds.upper is None:
        raise Infeasible(problem.no_strategy(rounds.stopped))
    return concluded(game, rounds)


def kind_of(problem: Problem) -> type[Rounds]:
    """Return how the value of a problem is found."""
    if problem.game.facts.noisy:
        return ModelRounds
    return LargeRounds if len(np.unique(orbit_of(problem))) > MOST_ORBITS else Rounds


def concluded(game: Game, rounds: Rounds) -> MixedSolved:
    """Return what was found, with the strategies that are played at all."""
    assert rounds.upper is not None
    played = rounds.played
    weights = np.array(rounds.best, dtype=object)[rounds.member]
    lower = min(rounds.lower, rounds.upper)
    return MixedSolved(
        game=game,
        goal=rounds.problem.goal,
        parameters={"maker": MIXED} | rounds.problem.parameters,
        lower=lower,
        upper=rounds.upper,
        orbit=rounds.orbit,
        weights=tuple(weights.tolist()),
        plans=tuple(plan for plan, _ in played),
        probabilities=tuple(p for _, p in played),
        uniform=rounds.uniform,
        rounds=rounds.number,
        states=rounds.states,
        evaluations=rounds.evaluations,
        seconds=rounds.clock.seconds,
        stopped="" if lower == rounds.upper else rounds.stopped,
    )
