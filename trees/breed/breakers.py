"""Random breakers: strategies that ask at random, built by playing a game for every secret.

A game has two phases. First guesses are drawn from the codes not yet used on the path, whether or not they
can still be the secret; then from those still consistent with every response. The construction is that of
a wiki page on evolving Mastermind players, which leaves the moment of the switch open: here it is `blind`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game, weights_of
from guesstree.engine.notation import plurals
from guesstree.engine.objective import EXPECTED
from guesstree.engine.problem import Problem
from guesstree.engine.search.solve import solve
from guesstree.engine.support import Request, require
from guesstree.trees.figures import figures_of
from guesstree.trees.shape import arrange, shrink, triangle
from guesstree.trees.tree import Claims, Tree

Ints = NDArray[np.int64]

BLIND = 8
"""Guesses of the first phase, unless said otherwise."""


def random_breaker(game: Game, seed: int, *, blind: int | None = BLIND, goal: str | None = None) -> Tree:
    """Build a random strategy, often tall and with guesses that tell nothing: raw material for `shape`.

    Guesses are drawn once for each node, and all nodes of a depth at once, so that playing every secret
    takes O(M^2) work for M guesses and secrets: a path holds no guess twice. Two arrays of M^2 bytes are
    used (responses, and the guesses used on the path of each secret).

    Parameters
    ----------
    seed: of `numpy.random.default_rng`; the same game, seed and `blind` give the same tree.
    blind: how many guesses of every path are drawn from all that are not yet used on it; the later ones are
        drawn from those that name a secret still possible. None: all of them. Where no secret that is
        left is named by an unused guess (possible under goal ``identify`` only), any unused one is drawn.
    goal: ``win``, ``identify``, or None: win when the game has a winning response.

    Raises GuesstreeError for bad arguments or a game without a strategy, SpaceError for one that is too
    large.
    """
    if seed < 0:
        raise GuesstreeError(f"a seed of {seed}; expected 0 or more")
    if blind is not None and blind < 0:
        raise GuesstreeError(f"a first phase of {blind} guesses; expected 0 or more")
    require(Request(game, tool="random strategies"))
    problem = Problem(game, EXPECTED, goal=goal)
    problem.require_distinct()
    parameters = {"seed": seed, "blind": blind}
    if blind is None:
        blind = len(game.guesses)
    return _Play(problem, np.random.default_rng(seed)).build(
        blind, Claims(objective=EXPECTED.name, method="random-breaker", parameters=parameters)
    )


MEASURES: Mapping[str, Callable[..., Any]] = {"min": np.min, "mean": np.mean, "max": np.max, "std": np.std}
"""What is said of the fitness of a population."""
STAGES = ("raw", "shrunk", "triangles")
"""The stages of a tree in a `Survey`."""


@dataclass(frozen=True)
class Survey:
    """How fit random breakers are; fitness is the average number of guesses, or what they cost on average.

    Attributes
    ----------
    game, goal, secrets: what they play.
    totals: guesses for all secrets together, a row for each tree, a column for each stage; where secrets
        weigh or guesses cost something, the weighted cost in units of the game.
    lower, upper: bounds of the least total; equal when it is known.
    each: what a total is divided by for the fitness.
    counted: what fitness is, in words.
    shown: the bounds as readers see them.
    """

    game: str
    goal: str
    secrets: int
    totals: tuple[tuple[int, ...], ...]
    lower: int
    upper: int
    each: Fraction
    counted: str
    shown: tuple[str, str]

    def figures(self) -> dict[str, dict[str, float]]:
        """Return min, mean, max and standard deviation of the fitness at each stage."""
        fitness = np.array(self.totals) / float(self.each)
        return {
            stage: {name: float(measure(fitness[:, i])) for name, measure in MEASURES.items()}
            for i, stage in enumerate(STAGES)
        }

    @property
    def optimum(self) -> float:
        """The least fitness, at least."""
        return float(self.lower / self.each)

    @property
    def verdict(self) -> str:
        """What is known of the least total, in words."""
        if self.lower == self.upper:
            return f"  (total {self.shown[0]}, proven)"
        return f"  (total at least {self.shown[0]}, at most {self.shown[1]}: the search was stopped)"

    def as_json(self) -> dict[str, Any]:
        """Return the survey as plain data."""
        bounds = {"lower": self.lower, "upper": self.upper, "optimum": self.optimum}
        head = {"game": self.game, "goal": self.goal, "secrets": self.secrets, "size": len(self.totals)}
        return head | {"stages": self.figures()} | bounds | {"proven": self.lower == self.upper}

    def as_csv(self) -> str:
        """Return the totals as CSV, a row for each tree."""
        rows = [
            ",".join(("tree", *STAGES)),
            *(f"{i},{','.join(map(str, t))}" for i, t in enumerate(self.totals)),
        ]
        return "\n".join(rows) + "\n"


def survey(
    game: Game,
    size: int,
    *,
    seed: int = 0,
    blind: int | None = BLIND,
    goal: str | None = None,
    time_limit: float | None = None,
) -> Survey:
    """Build `size` random breakers, reshape them, and set their fitness beside the optimum.

    The optimum is searched for `time_limit` seconds at most. Raises what `random_breaker` and
    `engine.search.solve` raise.
    """
    if size < 1:
        raise GuesstreeError(f"a population of {size}; expected 1 or more")
    totals = []
    for i in range(size):
        raw = random_breaker(game, tree_seed(seed, i), blind=blind, goal=goal)
        small = shrink(game, raw)
        stages = (raw, small, triangle(game, small))
        totals.append(tuple(int(figures_of(tree).compared.total) for tree in stages))
    best = solve(game, goal=goal, time_limit=time_limit)
    bounds = int(best.lower[0]), int(best.upper[0])
    lower, upper = (game.value_texts(EXPECTED.name, bound)[0] for bound in (best.lower, best.upper))
    each, counted = fitness_of(game)
    return Survey(
        game.spec, best.goal, len(game.secrets), tuple(totals), *bounds, each, counted, (lower, upper)
    )


def fitness_of(game: Game) -> tuple[Fraction, str]:
    """Return what a total is divided by for the average of a tree, and what that average counts, in words."""
    facts, look = game.facts, game.look
    each = Fraction(int(weights_of(game).sum()) if facts.weighted else len(game.secrets)) / game.cost_unit
    if facts.priced:
        return each, f"average {look.cost}"
    return each, f"average {'weighted ' * facts.weighted}number of {plurals(look.guess)}"


def tree_seed(seed: int, number: int) -> int:
    """Return the seed of a tree of a population; populations of different seeds have nothing in common."""
    return int(np.random.SeedSequence((seed, number)).generate_state(1)[0])


class _Play:
    """Games for all secrets at once, one guess after another.

    Between two guesses `live` holds the secrets not yet found, those of a node together, and `owner` the
    node at which each is, numbered from 0 within its depth.
    """

    def __init__(self, problem: Problem, random: np.random.Generator) -> None:
        self.problem, self.random = problem, random
        self.table = problem.table
        # Rows by secret: secrets of one node have equal rows, and keep them when the node splits.
        self.used = np.zeros((problem.secrets, len(self.table)), dtype=bool)
        self.live = np.arange(problem.secrets, dtype=np.int32)
        self.owner = np.zeros(problem.secrets, dtype=np.int64)

    def build(self, blind: int, claims: Claims) -> Tree:
        """Play until every secret is found, and return the tree of all guesses asked."""
        columns = []
        parent, response = np.array([-1]), np.array([-1])
        nodes = depth = 0
        while len(parent):
            guess = np.full(len(parent), -1)
            secret = np.full(len(parent), -1)
            if self.problem.goal == "identify":
                self.name(secret)
            if len(self.live):
                starts = np.flatnonzero(np.diff(self.owner, prepend=-1))
                guess[self.owner[starts]] = self.consistent(starts) if depth >= blind else self.unused(starts)
            columns.append((guess, parent, response, secret))
            parent, response = self.ask(guess, secret)
            parent += nodes
            nodes += len(guess)
            depth += 1
        flat = (np.concatenate(column).astype(np.int32) for column in zip(*columns, strict=True))
        none = np.zeros(0, dtype=np.int32)
        problem = self.problem
        shell = Tree(problem.game, problem.goal, none, none, none, none, none, none, claims)
        return arrange(shell, *flat)

    def name(self, secret: Ints) -> None:
        """Write down the secrets that are alone at their node, and take them out of the games."""
        alone = np.bincount(self.owner, minlength=len(secret))[self.owner] == 1
        secret[self.owner[alone]] = self.live[alone]
        self.live, self.owner = self.live[~alone], self.owner[~alone]

    def ask(self, guess: Ints, secret: Ints) -> tuple[Ints, Ints]:
        """Ask the guess of each node; return the node and the response behind each node of the next depth."""
        asked = guess[self.owner]
        self.used[self.live, asked] = True
        answers = self.table[asked, self.live].astype(np.int64)
        won = answers == self.problem.winning
        secret[self.owner[won]] = self.live[won]
        key = (self.owner * self.problem.responses + answers)[~won]
        order = np.argsort(key, kind="stable")
        self.live = self.live[~won][order]
        new, self.owner = np.unique(key[order], return_inverse=True)
        return new // self.problem.responses, new % self.problem.responses

    def unused(self, starts: Ints) -> Ints:
        """Draw a guess not yet used on the path of each node.

        By trial and error: when a share f of the guesses is used, at most a share 1 - f of the secrets is
        still in play (each used guess that names one has found it), so all trials together are O(M^2) too.
        """
        rows, size = self.live[starts], len(self.table)
        guess = self.random.integers(size, size=len(rows))
        again = np.flatnonzero(self.used[rows, guess])
        while len(again):
            guess[again] = self.random.integers(size, size=len(again))
            again = again[self.used[rows[again], guess[again]]]
        return guess

    def consistent(self, starts: Ints) -> Ints:
        """Draw for each node an unused guess that names a secret still possible; else any unused one."""
        stops = np.append(starts[1:], len(self.live))
        drawn = starts + (self.random.random(len(starts)) * (stops - starts)).astype(np.int64)
        guess = self.problem.winner[self.live[drawn]].astype(np.int64)
        bad = np.flatnonzero((guess < 0) | self.used[self.live[starts], guess])
        for node in bad.tolist():
            named = self.problem.winner[self.live[starts[node] : stops[node]]]
            row = self.used[self.live[starts[node]]]
            named = named[(named >= 0) & ~row[named]]
            guess[node] = self.random.choice(named) if len(named) else self.unused(starts[node : node + 1])[0]
        return guess
