"""Evolution of whole trees: populations, selection and statistics by DEAP, the operators from `growth`.

Generation 0 is random breakers, reshaped. Then every generation has as many offspring as parents, each by
one operator; of parents and offspring together the best different ones live on. Trees share subtrees, and
the best subtree known in the population for a set of candidates is at hand wherever that set is met.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.objective import EXPECTED
from guesstree.engine.problem import Problem
from guesstree.engine.state import everything
from guesstree.engine.support import Request, require
from guesstree.trees.breed.breakers import BLIND, MEASURES, fitness_of, random_breaker, tree_seed
from guesstree.trees.breed.growth import TRUST, Grower, Subtree
from guesstree.trees.export.output import read_whole, write_whole
from guesstree.trees.shape import shrink
from guesstree.trees.tree import Claims, Tree, TreeError, build

FORMAT = "guesstree-evolve/1"
"""The format of a state file, with its version."""
MOST_BYTES = 1 << 28
"""The largest state file that is read."""
MOST_POLISH = 60
"""Small changes tried on a mutated subtree, at most."""
COLUMNS = ("generation", "evaluations", *MEASURES, "worst", "best")
"""What is recorded of each generation; see `Evolution.log`."""


@dataclass(frozen=True)
class Settings:
    """How trees evolve.

    Attributes
    ----------
    size: trees in the population, and offspring of each generation.
    seed: of everything that is drawn.
    draws: guesses compared when one is drawn, and as many candidates.
    crossover: share of the offspring made by crossover; the others are mutants.
    regrow: share of the mutants that grow some parts again below the guess replaced; the others take whatever
        is known of a part.
    tournament: trees of which the best becomes a parent.
    niche: share of the population that may ask one first guess (up to symmetry) while others are at hand.
    polish: small changes tried on a mutated subtree, for each of its candidates, before it is judged.
    blind: first phase of the random breakers at the start, see `breakers`.
    """

    size: int = 20
    seed: int = 0
    draws: int = 10
    crossover: float = 0.1
    regrow: float = 0.5
    tournament: int = 2
    niche: float = 0.5
    polish: float = 0.5
    blind: int = BLIND

    def __post_init__(self) -> None:
        for name, least in (("size", 2), ("seed", 0), ("draws", 1), ("tournament", 1), ("blind", 0)):
            if getattr(self, name) < least:
                raise GuesstreeError(f"{name} {getattr(self, name)}; expected {least} or more")
        for name in ("crossover", "regrow", "niche"):
            if not 0 <= getattr(self, name) <= 1:
                raise GuesstreeError(f"{name} {getattr(self, name)}; expected a share from 0 to 1")


class Individual:
    """A tree of the population, with the fitness that DEAP compares; copies share the tree."""

    def __init__(self, tree: Subtree, fitness: Any) -> None:
        self.tree, self.fitness = tree, fitness
        fitness.values = tree.value

    def __deepcopy__(self, memo: object) -> Individual:
        return Individual(self.tree, type(self.fitness)())


def _deap(name: str) -> Any:
    """Return a module of DEAP, which is loaded only when something evolves."""
    try:
        return importlib.import_module(f"deap.{name}")
    except ImportError:
        raise GuesstreeError("evolution needs the package deap: pip install 'guesstree[evolve]'") from None


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Seed the generator that DEAP draws from, which belongs to the whole process, and put it back."""
    before = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(before)


def _asked(tree: Subtree) -> list[int]:
    """Return what a tree asks in the states that are not finished, in breadth-first order."""
    return [subtree.guess for subtree in tree.walk() if subtree.size > 1]


def _played(tree: Tree) -> list[int]:
    """Return the same of a strategy without guesses that tell nothing."""
    many = tree.secrets_below()
    return tree.guess[many > 1].tolist()


@dataclass
class Evolution:
    """A population that evolves; `run` goes on from where it is, and `save` writes where that is.

    Attributes
    ----------
    game, goal, settings: what evolves and how.
    generation: generations so far.
    log: one record for each generation: evaluations, min, mean, max and standard deviation of the average
        number of guesses (or cost, see `breakers.Survey`) over the population, least worst case, and best
        total so far.
    """

    game: Game
    goal: str | None = None
    settings: Settings = field(default_factory=Settings)
    generation: int = field(default=-1, init=False)
    log: list[dict[str, float]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        deap = {name: _deap(name) for name in ("base", "tools", "algorithms")}
        settings, self._tools, self._algorithms = self.settings, deap["tools"], deap["algorithms"]
        self._fitness = type("Fitness", (deap["base"].Fitness,), {"weights": (-1.0, -1.0)})
        require(Request(self.game, tool="evolution"))
        self.problem = Problem(self.game, EXPECTED, goal=self.goal)
        self.problem.require_distinct()
        self.goal = self.problem.goal
        self.grower = Grower(self.problem, settings.draws, settings.seed)
        classes = self.game.symmetry.classes(())
        self._niche = everything(len(self.game.guesses)) if classes is None else classes
        self.population: list[Individual] = []
        self.hall = self._tools.HallOfFame(1)
        self.each, self.counted = fitness_of(self.game)
        self.statistics = self._tools.Statistics(lambda one: float(one.tree.total / self.each))
        for name, function in MEASURES.items():
            self.statistics.register(name, function)
        self.toolbox = box = deap["base"].Toolbox()
        box.register("clone", lambda one: self._individual(one.tree))
        box.register("mate", self._mate)
        box.register("mutate", self._mutate)
        box.register("select", self._tools.selTournament, tournsize=settings.tournament)

    # -- operators -------------------------------------------------------------------------------------

    def _individual(self, tree: Subtree) -> Individual:
        return Individual(tree, self._fitness())

    def _mutate(self, one: Individual) -> tuple[Individual]:
        """Replace a guess, rebuild below it, and try small changes on what was built."""
        grower, way = self.grower, self.grower.descend(one.tree)
        old = way[-1][0]
        if old.size < 2 or not grower.slack(old):
            return (one,)
        trust = TRUST if grower.random.random() < self.settings.regrow else 1.0
        subtree = grower.changed(old, trust)
        subtree = grower.polish(subtree, int(min(self.settings.polish * old.size, MOST_POLISH)))
        return (self._individual(grower.replaced(way, subtree)),)

    def _mate(self, one: Individual, other: Individual) -> tuple[Individual, Individual]:
        """Give each tree a subtree of the other: of the same candidates, else rebuilt for those at hand."""
        return self._received(one, other), self._received(other, one)

    def _received(self, one: Individual, giver: Individual) -> Individual:
        grower, way = self.grower, self.grower.descend(one.tree)
        old = way[-1][0]
        if old.size < 2:
            return one
        same, near = None, giver.tree
        for subtree in giver.tree.walk():
            if subtree.key == old.key:
                same = subtree
                break
            if abs(subtree.size - old.size) < abs(near.size - old.size):
                near = subtree
        subtree = same or grower.grow(old.key, donor=near)
        return self._individual(grower.replaced(way, subtree))

    # -- generations -----------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Make generation 0: random breakers, reshaped."""
        settings = self.settings
        for i in range(settings.size):
            seed = tree_seed(settings.seed, i)
            tree = shrink(self.game, random_breaker(self.game, seed, blind=settings.blind, goal=self.goal))
            self.population.append(self._individual(self._subtree(_played(tree))))
        self._finish(settings.size)

    def _advance(self) -> None:
        """Make the next generation."""
        size, crossover = self.settings.size, self.settings.crossover
        with _seeded(self.grower.random.getrandbits(64)):
            parents = self.toolbox.select(self.population, size)
            offspring = self._algorithms.varOr(parents, self.toolbox, size, crossover, 1 - crossover)
        for one in offspring:
            one.fitness.values = one.tree.value
        self.population = self._survivors(self.population + offspring)
        self._finish(size)

    def _survivors(self, everyone: list[Individual]) -> list[Individual]:
        """Return the best different trees, with only so many of one niche as long as others have some.

        A niche is the trees whose first guesses are equal up to symmetry. Without them the first good root
        takes the population over, as trees with different roots have hardly a subtree in common.
        """
        size = self.settings.size
        different = {one.tree.mark: one for one in reversed(everyone)}
        ranked = self._tools.selBest(list(reversed(different.values())), len(different))
        room: Counter[int] = Counter()
        first: list[Individual] = []
        rest: list[Individual] = []
        for one in ranked:
            niche = int(self._niche[one.tree.guess])
            room[niche] += 1
            (first if room[niche] <= self.settings.niche * size else rest).append(one)
        found = (first + rest)[:size]
        # A population of few different trees is filled up with its best.
        return found + [self._individual(ranked[0].tree) for _ in range(size - len(found))]

    def _finish(self, evaluations: int) -> None:
        self.generation += 1
        self.hall.update(self.population)
        self._settle()
        figures = self.statistics.compile(self.population)
        self.log.append(
            {"generation": self.generation, "evaluations": evaluations}
            | {name: float(value) for name, value in figures.items()}
            | {"worst": min(one.tree.worst for one in self.population), "best": self.best.total}
        )

    def _settle(self) -> None:
        self.grower.remember([one.tree for one in [*self.hall, *self.population]])

    @property
    def least(self) -> int:
        """At least what any tree comes to in total."""
        return self.grower.bound(everything(self.problem.secrets).tobytes())

    @property
    def best(self) -> Subtree:
        """The best tree so far."""
        return self.hall[0].tree

    def run(
        self,
        generations: int,
        *,
        time_limit: float | None = None,
        target: int = 0,
        progress: Callable[[Evolution], None] | None = None,
    ) -> None:
        """Evolve until that many generations are done in all, the time is up, or the total is the target.

        `progress` is called after each generation. It may raise; the generations done are kept. The time
        limit (seconds) is looked at between generations, so generation 0 is always made.
        """
        if time_limit is not None and not time_limit > 0:
            raise GuesstreeError(f"a time limit of {time_limit} s; expected more than 0")
        end = time.monotonic() + (float("inf") if time_limit is None else time_limit)
        target = max(target, self.least)
        while self.generation < generations:
            if self.generation >= 0 and (time.monotonic() >= end or self.best.total <= target):
                return
            if self.generation < 0:
                self._begin()
            else:
                self._advance()
            if progress is not None:
                progress(self)

    def strategy(self, tree: Subtree | None = None) -> Tree:
        """Return a tree of the population, None: the best so far, built by the game's own responses."""
        tree = tree or self.best
        choices = {subtree.key: subtree.guess for subtree in tree.walk()}
        parameters = {"seed": self.settings.seed, "size": self.settings.size, "generations": self.generation}
        claims = Claims(EXPECTED.name, "evolution", (self.least,), (tree.total,), parameters)
        assert self.goal is not None
        return build(self.game, self.goal, lambda candidates: choices[candidates.tobytes()], claims)

    # -- states ----------------------------------------------------------------------------------------

    def _subtree(self, guesses: list[int]) -> Subtree:
        """Return the tree that asks these guesses, one for each state not finished, breadth-first."""
        return self.grower.replay(everything(self.problem.secrets).tobytes(), guesses)

    def as_document(self) -> dict[str, Any]:
        """Return the whole state as plain data; going on from it is going on from here."""
        return {
            "format": FORMAT,
            "game": self.game.spec,
            "goal": self.goal,
            "settings": asdict(self.settings),
            "generation": self.generation,
            "log": self.log,
            "random": list(self.grower.random.getstate()),
            "numbers": self.grower.numbers.bit_generator.state,
            "best": _asked(self.best),
            "population": [_asked(one.tree) for one in self.population],
        }

    @classmethod
    def of_document(cls, game: Game, document: Mapping[str, Any]) -> Evolution:
        """Return the evolution that a state describes; raise TreeError for what is no state of this game."""
        if not isinstance(document, Mapping):
            raise TreeError(f"{type(document).__name__} is not a state; expected an object of {FORMAT!r}")
        if document.get("format") != FORMAT or document.get("game") != game.spec:
            found = f"{document.get('format')!r} for {document.get('game')!r}"
            raise TreeError(f"a state {found}; expected {FORMAT!r} for {game.spec!r}")
        try:
            self = cls(game, document["goal"], Settings(**document["settings"]))
            self.generation, self.log = int(document["generation"]), [dict(row) for row in document["log"]]
            self.population = [self._individual(self._subtree(asked)) for asked in document["population"]]
            self.hall.update([self._individual(self._subtree(document["best"]))])
            version, inner, gauss = document["random"]
            self.grower.random.setstate((version, tuple(inner), gauss))
            self.grower.numbers.bit_generator.state = document["numbers"]
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise TreeError(f"a damaged state: {error!r}; expected one that was saved here") from None
        self._settle()
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state as JSON, whole or not at all; raise TreeError when it cannot be written."""
        write_whole(path, json.dumps(self.as_document()).encode())

    @classmethod
    def load(cls, game: Game, path: str | os.PathLike[str]) -> Evolution:
        """Read a state that was saved; raise TreeError, one line, for anything else."""
        try:
            document = json.loads(read_whole(path, MOST_BYTES))
        except TreeError as error:
            raise TreeError(f"{str(path)!r}: {error}") from None
        except (ValueError, RecursionError) as error:
            raise TreeError(f"{str(path)!r} is not JSON: {error}") from None
        try:
            return cls.of_document(game, document)
        except TreeError as error:
            raise TreeError(f"{str(path)!r}: {error}") from None


def as_csv(log: Sequence[Mapping[str, float]]) -> str:
    """Return a log as CSV, one row for each generation; averages in guesses with six digits."""
    rows = [",".join(COLUMNS)]
    rows += [
        ",".join(f"{row[name]:.6f}" if isinstance(row[name], float) else str(row[name]) for name in COLUMNS)
        for row in log
    ]
    return "\n".join(rows) + "\n"
