"""The best use of tests whose rates are known as ranges only: a game against whoever picks the rates.

Nature picks one *scenario*, such as a corner of all ranges (`tables.corners`), and does not say which; then a
cause and its answers are drawn by the numbers of that scenario. The questioner picks a strategy, or a mixture
of strategies, and pays what it costs on average. That is a matrix game, with a row for each scenario and a
column for each strategy; its value is the least that a mixture can promise whatever the scenario is.

*Lower bounds.* Let nature mix, with the probabilities p of scenarios. What a strategy pays then is what it
pays in a model whose causes are pairs of a scenario and a cause, with p times the weight of the cause, and
the chances of the scenario: the strategy sees neither of the two. So the exact search answers a mixture of
nature with a best strategy, and what this pays is at most the value: no mixture of strategies promises less.

*Upper bounds.* What a mixture of known strategies pays at most in any scenario is at least the value. A
single one of them promises the most that it pays in any scenario.

*Rounds.* A program of the known strategies and of some scenarios gives both mixtures (`simplex`); the
scenario that is worst for the one and the strategy that is best against the other come in (Gilmore and
Gomory 1961; McMahan et al. 2003). There are finitely many of both, and where neither is new the bounds meet.
Where no strategy promises the value alone, some more mixtures of nature are answered, to find a better one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from time import monotonic
from typing import Any

from ..errors import GameError
from ..exact import scaled
from ..game import Game
from ..noisy.model import Model
from ..objective import EXPECTED
from ..search.solve import solve
from ..solution import Solved
from .models import paid_by
from .simplex import MatrixGame

SOONEST = 0.05
"""Seconds that a search takes at least."""
STEPS = (Fraction(1, 8), Fraction(1, 2))
"""How far mixtures are from that of nature where single strategies are looked for."""


@dataclass(frozen=True)
class Candidate:
    """A strategy: the search that found it, and what it pays in each scenario, in the unit of costs."""

    solved: Solved
    pays: tuple[Fraction, ...]

    @property
    def worst(self) -> Fraction:
        """What it pays at most."""
        return max(self.pays)


@dataclass(frozen=True)
class RobustSolved:
    """The value of a game against whoever picks the scenario.

    Attributes
    ----------
    lower, upper: bounds of what mixtures of strategies promise at best; equal when it is proven.
    nature: how likely each scenario is in the mixture that reaches `lower`.
    candidates, probabilities: strategies, and how often each is played in the mixture that reaches `upper`.
    single: of the strategies that were found, the one that promises least when it is played alone.
    rounds: searches.
    stopped: why work was ended early, or ``""``.
    """

    lower: Fraction
    upper: Fraction
    nature: tuple[Fraction, ...]
    candidates: tuple[Candidate, ...]
    probabilities: tuple[Fraction, ...]
    single: Candidate
    rounds: int
    stopped: str

    @property
    def optimal(self) -> bool:
        """Whether the value is proven."""
        return self.lower == self.upper

    def pays(self, scenario: int) -> Fraction:
        """Return what the mixture of strategies pays in a scenario."""
        pairs = zip(self.candidates, self.probabilities, strict=True)
        return sum((p * one.pays[scenario] for one, p in pairs), Fraction(0))


def models_of(games: Sequence[Game]) -> tuple[list[Model], Fraction]:
    """Return the models of scenarios with one unit of cost, and decisions of their own; raise GameError.

    They have to agree in tests, causes, answers, prices and decisions, and in who may give which answer.
    """
    models = [_plain(game) for game in games]
    first = games[0]
    for game, model in zip(games, models, strict=True):
        same = (game.secrets, game.guesses, game.responses, game.decisions) == (
            first.secrets,
            first.guesses,
            first.responses,
            first.decisions,
        )
        paid = [one * game.cost_unit for one in (*model.prices, *model.later)]
        if not same or paid != [one * first.cost_unit for one in (*models[0].prices, *models[0].later)]:
            raise GameError(
                f"{first.spec}: what a test costs is a range; expected ranges of rates, weights, losses"
            )
        shapes = [[[cell.keys() for cell in row] for row in one.chances] for one in (model, models[0])]
        if shapes[0] != shapes[1] or _none_at(model) != _none_at(models[0]):
            raise GameError(
                f"{first.spec}: a range ends at 0 % or 100 %; expected rates above 0 % and below 100 %"
            )
    paid = [
        Fraction(one) * game.cost_unit
        for game, model in zip(games, models, strict=True)
        for one in (
            *model.prices,
            *model.later,
            *(x for row in model.losses or () for x in row if x is not None),
        )
    ]
    counts, unit = scaled(paid)
    number = iter(counts)
    found = []
    for model in models:
        prices, later = (tuple(next(number) for _ in some) for some in (model.prices, model.later))
        losses = tuple(tuple(None if x is None else next(number) for x in row) for row in model.losses or ())
        found.append(replace(model, prices=prices, later=later, losses=losses, points=None))
    return found, unit


def _none_at(model: Model) -> list[list[bool]]:
    return [[x is None for x in row] for row in model.losses or ()]


def _plain(game: Game) -> Model:
    """Return the model of a game with a decision for each cause where causes are to be named."""
    model = game.model
    if model is None:
        raise GameError(f"{game.spec}: tests that do not err; expected rates, odds or decisions in the table")
    if model.failures or model.cliques:
        raise GameError(f"{game.spec}: failures or ambiguous=clique, and ranges; expected only one")
    if model.losses is None:
        causes = range(len(model.weights))
        return replace(model, losses=tuple(tuple(0 if a == c else None for c in causes) for a in causes))
    return model


def mixed_model(
    models: Sequence[Model], shares: Sequence[Sequence[Fraction]], nature: Sequence[Fraction]
) -> Model:
    """Return the model in which nature mixes scenarios: causes are pairs of one that it plays and a cause."""
    played = [s for s, p in enumerate(nature) if p]
    weights = [nature[s] * share for s in played for share in shares[s]]
    common = lcm(*(weight.denominator for weight in weights))

    def joined(rows: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
        return tuple(cell for row in rows for cell in row)

    first = models[0]
    return replace(
        first,
        chances=tuple(joined([models[s].chances[t] for s in played]) for t in range(len(first.chances))),
        weights=tuple(int(weight * common) for weight in weights),
        losses=tuple(
            joined([(models[s].losses or ())[d] for s in played]) for d in range(len(first.losses or ()))
        ),
    )


class Rounds:
    """Rounds of searches and programs, see the top of the file."""

    def __init__(self, games: Sequence[Game], time_limit: float | None, options: dict[str, Any]) -> None:
        self.game, self.options = games[0], options
        self.models, self.unit = models_of(games)
        self.shares = [
            [Fraction(w) / sum(map(Fraction, model.weights)) for w in model.weights] for model in self.models
        ]
        self.until = None if time_limit is None else monotonic() + time_limit
        self.rows = sorted({0, len(games) - 1})
        self.candidates: list[Candidate] = []
        self.lower, self.nature = Fraction(-1), [Fraction(0)] * len(games)
        self.upper: Fraction | None = None
        self.mixture: tuple[Fraction, ...] = ()
        self.rounds, self.stopped = 0, ""

    def answer(self, nature: Sequence[Fraction]) -> Candidate:
        """Return the best strategy against a mixture of nature; raise the lower bound by it."""
        model = mixed_model(self.models, self.shares, nature)
        played = sum(p > 0 for p in nature)
        names = [f"{secret} ({s})" for s in range(played) for secret in self.game.secrets]
        game = self.game.with_model(model, names, self.game.guesses)
        game.decisions = self.game.decisions or tuple(f"decide {name}" for name in self.game.secrets)
        game.cost_unit, game.classes = Fraction(1), ()
        left = {} if self.until is None else {"time_limit": max(self.until - monotonic(), SOONEST)}
        solved = solve(game, EXPECTED.name, **self.options | left)
        self.rounds += 1
        self.stopped = solved.stopped
        bound = Fraction(solved.lower[0]) / sum(map(Fraction, model.weights))
        if bound > self.lower:
            self.lower, self.nature = bound, list(nature)
        return self.candidate(solved)

    def candidate(self, solved: Solved) -> Candidate:
        """Return a strategy with what it pays in every scenario."""
        pays = []
        for model, shares in zip(self.models, self.shares, strict=True):
            each = paid_by(model, solved)
            pays.append(sum((share * one for share, one in zip(shares, each, strict=True)), Fraction(0)))
        return Candidate(solved, tuple(pays))

    def program(self) -> list[Fraction]:
        """Solve the program, adding the worst scenario as long as it is new; return nature's mixture."""
        while True:
            matrix = MatrixGame([1] * len(self.rows))
            for one in self.candidates:
                pays = [one.pays[s] + 1 for s in self.rows]  # the program takes entries above 0
                parts = lcm(*(x.denominator for x in pays))
                matrix.add([int(x * parts) for x in pays], parts)
            mixture = matrix.breaker()
            each = [
                sum((p * one.pays[s] for one, p in zip(self.candidates, mixture, strict=True)), Fraction(0))
                for s in range(len(self.models))
            ]
            worst = max(range(len(each)), key=lambda s: each[s])
            if self.upper is None or each[worst] < self.upper:
                self.upper, self.mixture = each[worst], mixture
            if worst in self.rows or each[worst] <= matrix.value - 1:
                nature = [Fraction(0)] * len(each)
                for s, p in zip(self.rows, matrix.maker(), strict=True):
                    nature[s] = p
                return nature
            self.rows.append(worst)

    def look_beside(self) -> None:
        """Answer mixtures between that of nature and each scenario in it, while no strategy does it alone."""
        nature = list(self.nature)
        for s in (s for s, p in enumerate(nature) if p):
            for step in STEPS:
                alone = min(one.worst for one in self.candidates)
                late = self.until is not None and monotonic() > self.until
                if self.stopped or late or alone <= self.lower:
                    return
                one = self.answer([(1 - step) * p + step * (i == s) for i, p in enumerate(nature)])
                if one.worst < alone:
                    self.candidates.append(one)

    def work(self) -> RobustSolved:
        """Answer mixtures of nature until the bounds meet, or the time is up."""
        nature = [Fraction(int(s in self.rows), len(self.rows)) for s in range(len(self.models))]
        while True:
            one = self.answer(nature)
            new = all(one.pays != other.pays for other in self.candidates)
            if new:
                self.candidates.append(one)
            nature = self.program()
            assert self.upper is not None
            late = self.until is not None and monotonic() > self.until
            if self.stopped or late or self.lower >= self.upper:
                break
            if not new and tuple(nature) == tuple(self.nature):
                break
        if late and not self.stopped and self.lower < self.upper:
            self.stopped = "time"
        self.look_beside()
        mixture = (*self.mixture, *[Fraction(0)] * (len(self.candidates) - len(self.mixture)))
        scale = self.unit
        candidates = tuple(replace(one, pays=tuple(x * scale for x in one.pays)) for one in self.candidates)
        return RobustSolved(
            min(self.lower, self.upper) * scale,
            self.upper * scale,
            tuple(self.nature),
            candidates,
            mixture,
            min(candidates, key=lambda one: one.worst),
            self.rounds,
            self.stopped,
        )


def solve_robust(
    games: Sequence[Game], *, time_limit: float | None = None, memory: int | None = None, jobs: int = 1
) -> RobustSolved:
    """Return the value of a game against whoever picks one of some scenarios, with both mixtures.

    Parameters
    ----------
    games: the scenarios: the same tests, causes and decisions, with other chances, weights and losses.
    time_limit, memory, jobs: see `search.solve`.

    Raises GameError for scenarios that do not go together, and Infeasible where no strategy was found.
    """
    options: dict[str, Any] = {"jobs": jobs} | ({} if memory is None else {"memory": memory})
    return Rounds(games, time_limit, options).work()
