"""`Mixture`: what a folder of `solve --maker mixed` says, checked, and played from both sides."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import mul
from pathlib import Path
from shlex import quote
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.api.advisor import Advisor
from guesstree.api.codemaker import by_chance
from guesstree.api.prior import PRIOR, prior_of
from guesstree.engine.advice.position import Position
from guesstree.engine.errors import shown
from guesstree.engine.exact import exact_text, rounded_text
from guesstree.engine.game import MAX_RESPONSES, Game
from guesstree.engine.game_source import same_game
from guesstree.engine.mixed.rounds import group_of
from guesstree.engine.mixed.solve import MixedSolved, problem_of
from guesstree.engine.notation import plural
from guesstree.engine.support import Request
from guesstree.engine.symmetry.drawing import Chain
from guesstree.engine.symmetry.groups import Permutation, orbits
from guesstree.trees.check import check
from guesstree.trees.export import files
from guesstree.trees.export.output import read_whole
from guesstree.trees.figures import paid_on_average
from guesstree.trees.tree import Tree, TreeError

MIXTURE = "mixture.json"
"""The file of a folder beside its strategies that has both mixtures."""
MOST_BYTES = 1 << 28
"""The largest file of mixtures that is read."""


@dataclass(frozen=True)
class Mixture:
    """Both mixtures of a game, with the strategies as trees.

    Attributes
    ----------
    game, goal, candidates_only: what is played.
    strategies, names, probabilities: the breaker's trees, their files, and how often each is played.
    rows: the orbits of secrets: the first, how many, how often each is drawn, and what it is said to pay.
    renamed: whether strategies are renamed at random by the symmetry of the game.
    lower, upper: what is said of the value, in `Game.cost_unit`.
    table: the spec of the game with the codemaker's weights, that of the game where all are drawn alike, or
        empty.
    wrong: what its files contradict each other in, or the tables beside them, a line each.
    """

    game: Game
    goal: str
    candidates_only: bool
    strategies: tuple[Tree, ...]
    names: tuple[str, ...]
    probabilities: tuple[Fraction, ...]
    rows: tuple[tuple[str, int, int, Fraction], ...]
    renamed: bool
    lower: Fraction
    upper: Fraction
    table: str = ""
    folder: Path = Path()
    wrong: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: str | os.PathLike[str], game: Game | None = None) -> Mixture:
        """Read a folder that `Mixed.write` wrote; `game` stands in for the one that its files name.

        Raises TreeError, one line with the place, for another one. Whether it is true is for `check` to say.
        """
        place = Path(folder)
        if not (place / MIXTURE).is_file():
            raise TreeError(
                f"{str(folder)!r} has no {MIXTURE}; expected a folder of solve --maker mixed --out"
            )
        try:
            data = json.loads(read_whole(place / MIXTURE, MOST_BYTES))
            names = tuple(str(one["file"]) for one in data["strategies"])
            probabilities = tuple(fraction(one["probability"]) for one in data["strategies"])
            rows = tuple(
                (str(row["secret"]), int(row["secrets"]), int(row["weight"]), fraction(row["pays"]))
                for row in data["orbits"]
            )
            spec, goal, renamed = str(data["game"]), str(data["goal"]), bool(data["renamed"])
            lower, upper = fraction(data["lower"]), fraction(data["upper"])
            only, table = bool(data.get("candidates_only", False)), str(data.get("table", ""))
            wrong = contradictions(data, lower, upper)
        except TreeError as error:
            raise TreeError(f"{str(place / MIXTURE)!r}: {error}") from None
        except (ArithmeticError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise TreeError(
                f"{str(place / MIXTURE)!r} is no file of mixtures as solve --maker mixed writes it"
            ) from None
        if not names or any(Path(name).name != name for name in names):
            raise TreeError(f"{str(place / MIXTURE)!r}: expected the names of strategies beside it")
        trees: list[Tree] = []
        for name in names:
            reading = files.read_with_origin(place / name, game)
            origin, tree = reading.origin, reading.strategy
            if tree.goal != goal:
                raise TreeError(f"{str(place / name)!r} is for the goal {tree.goal}; expected {goal}")
            if trees and not same_game(trees[0].game, origin.game):
                raise TreeError(f"{str(place / name)!r} is for another game than {names[0]!r} beside it")
            if origin.other:
                wrong.append(f"{name}: table: {origin.note}")
            trees.append(replace(tree, game=trees[0].game) if trees else tree)
        if game is None:
            game = trees[0].game
            if game.spec != spec:
                wrong.append(f"{MIXTURE} is for {shown(spec)}, its strategies for {game.spec}")
        if sum(many for _, many, _, _ in rows) != len(game.secrets):
            raise TreeError(
                f"{str(folder)!r} is for {spec}; expected {game.spec}, with all of its secrets in orbits"
            )
        said = tuple(trees), names, probabilities, rows, renamed, lower, upper
        return cls(game, goal, only, *said, inside(place, table), place, tuple(wrong))

    @property
    def drawn(self) -> bool:
        """Whether there is something to draw, or one strategy that is played as it is."""
        return len(self.names) > 1 or self.renamed

    @cached_property
    def generators(self) -> list[tuple[Permutation, Permutation]]:
        """Renamings of guesses and secrets that generate those by which strategies are renamed."""
        problem = problem_of(
            self.game, self.goal, candidates_only=self.candidates_only, symmetry=self.renamed
        )
        return group_of(problem).generators()

    @cached_property
    def orbit(self) -> Permutation:
        """The first secret of the orbit of each secret, int64, shape (secrets,)."""
        return orbits(len(self.game.secrets), [secrets for _, secrets in self.generators])

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """How often each secret is drawn, integers from 0; raise TreeError where it is not said."""
        said = {self.game.secret_index(label): weight for label, _, weight, _ in self.rows}
        same = set(self.orbit.tolist()) == set(said) and len(said) == len(self.rows)
        if not same or min(said.values()) < 0 or not any(said.values()):
            raise TreeError(f"the orbits of {MIXTURE} are not those of {self.game.spec}")
        return tuple(said[first] for first in self.orbit.tolist())

    def check(self) -> list[str]:
        """Replay every secret through every strategy, and every renaming; return what is not as it is said.

        What a secret pays on average is counted on the trees alone, as a mean over its orbit, as strategies
        are renamed at random: none may pay more than `upper`. That the value is at least `lower` is not
        checked here, but that it is no more than what these strategies pay against the codemaker, and that
        the table is the game with the weights by which it draws.
        """
        game = self.game
        wrong = [*self.wrong] + [
            f"renaming {n}: {why}"
            for n, pair in enumerate(self.generators, 1)
            if (why := unlike(game, self.goal, *pair))
        ]
        average = [Fraction(0)] * len(game.secrets)
        for name, strategy, p in zip(self.names, self.strategies, self.probabilities, strict=True):
            report = check(game, strategy)
            wrong += [f"{name}: {message}" for message in report.messages()]
            if report.failed:
                return wrong
            if self.candidates_only and not strategy.claims.parameters.get("candidates_only"):
                wrong.append(f"{name}: it does not say that it asks candidates only, as {MIXTURE} does")
            for secret, cost in paid_on_average(strategy):
                average[secret] += p * cost * game.cost_unit
        if sum(self.probabilities) != 1 or min(self.probabilities) <= 0:
            wrong.append(
                f"probabilities of {exact_text(sum(self.probabilities))} in all; expected 1, each above 0"
            )
        each: dict[int, list[Fraction]] = {}
        for first, cost in zip(self.orbit.tolist(), average, strict=True):
            each.setdefault(first, []).append(cost)
        said = {label: (many, pays) for label, many, _, pays in self.rows}
        for first, costs in each.items():
            label, mean = game.secrets[first], sum(costs, Fraction(0)) / len(costs)
            if mean > self.upper:
                wrong.append(f"{label!r} pays {value_text(mean)}, more than {value_text(self.upper)}")
            if said.pop(label, None) != (len(costs), mean):
                wrong.append(f"{label!r}: {plural(len(costs), 'secret')} pay {mean}; the file says otherwise")
        wrong += [f"{label!r} is the first of no orbit" for label in said]
        dearest = max(sum(costs, Fraction(0)) / len(costs) for costs in each.values())
        if dearest < self.upper:
            wrong.append(f"none pays more than {value_text(dearest)}; the file says {value_text(self.upper)}")
        return wrong or self._check_maker(average)

    def _check_maker(self, average: Sequence[Fraction]) -> list[str]:
        """Return what is wrong on the codemaker's side; `average`: what each secret pays."""
        try:
            weights = self.weights
        except TreeError as error:
            return [str(error)]
        # Weights of an orbit are equal, so that the mean over it makes no difference.
        total = sum(map(mul, weights, average)) / sum(weights)
        wrong = []
        if total < self.lower:
            wrong.append(
                f"a lower bound of {value_text(self.lower)}; these strategies pay {value_text(total)}"
            )
        if self.table:
            found = prior_of(self.game, self.goal, weights, candidates_only=self.candidates_only)
            spec, text = ("", "") if found is None else found
            path = self.folder / PRIOR
            try:
                there = read_whole(path, MOST_BYTES).decode(errors="replace") if text else ""
            except TreeError as error:
                return [*wrong, f"{str(path)!r}: {error}"]
            if inside(self.folder, spec) != self.table or there != text:
                wrong.append(f"{shown(self.table)} is not the game with the weights of {MIXTURE}")
        return wrong

    def lines(self) -> list[str]:
        """Return as lines what `check` shows, and what is left to show."""
        found = [f"no {self.game.look.secret} pays more than {value_text(self.upper)} on average"]
        if self.renamed:
            found.append("each strategy is renamed at random by the symmetry of the game, which was replayed")
        if self.lower == 0:
            return found
        claim = "claimed, not checked: no strategy pays less than"
        found.append(f"{claim} {value_text(self.lower)} against the codemaker")
        if self.table:
            many = len(self.weights) if self.table == self.game.spec else sum(self.weights)
            total = exact_text(many * self.lower / self.game.cost_unit)
            found.append(f"a certificate shows it: guesstree prove {quote(self.table)} --at-least {total}")
        return found

    def as_json(self) -> dict[str, Any]:
        """Return what was checked as plain data; fractions are text."""
        return {
            "game": self.game.spec,
            "goal": self.goal,
            "strategies": list(self.names),
            "renamed": self.renamed,
            "upper": str(self.upper),
            "lower_claimed": str(self.lower),
        }

    def secret(self, seed: int) -> int:
        """Return a secret drawn as the codemaker draws it; it follows from the seed."""
        chances = {secret: weight for secret, weight in enumerate(self.weights) if weight}
        return int(by_chance(random.Random(seed), chances))

    def draw(self, seed: int) -> Drawn:
        """Return a strategy drawn and renamed as the codebreaker does; it follows from the seed."""
        dice = random.Random(seed)
        number = int(by_chance(dice, dict(enumerate(self.probabilities))))
        count, asked = len(self.game.secrets), len(self.game.guesses)
        both = [np.concatenate([secrets, count + guesses]) for guesses, secrets in self.generators]
        renaming = Chain(both, count + asked).draw(dice)
        return Drawn(self, number, seed, renaming[count:] - count, renaming[:count])


@dataclass(frozen=True)
class Drawn:
    """A strategy as it is played.

    Attributes
    ----------
    number: of the strategy in the mixture, from 0.
    seed: what it was drawn by.
    guesses, secrets: what each guess and each secret is renamed to; int64, shapes (guesses,), (secrets,).
    """

    mixture: Mixture
    number: int
    seed: int
    guesses: Permutation
    secrets: Permutation

    @property
    def name(self) -> str:
        """The file of the strategy."""
        return self.mixture.names[self.number]

    @property
    def words(self) -> str:
        """Which strategy it is, and by which seed it is drawn again."""
        if not self.mixture.drawn:
            return f"strategy {self.name}"
        share, renamed = self.mixture.probabilities[self.number], ", renamed at random" * self.mixture.renamed
        return f"strategy {self.name} (probability {share}){renamed}; --seed {self.seed} draws it again"

    @cached_property
    def _back(self) -> NDArray[np.int64]:
        return np.argsort(self.secrets)

    def guess(self, position: Position) -> int | None:
        """Return what it asks in a position; None where it does not come there, or nothing is left to ask."""
        tree, game = self.mixture.strategies[self.number], self.mixture.game
        if position.game is not game or position.lies or not len(position.candidates):
            return None
        # All candidates gave the same responses: one of them leads to where the strategy is.
        secret, node = int(self._back[position.candidates[0]]), 0
        for guess, response in position.history:
            asked = int(tree.guess[node])
            if asked < 0 or self.guesses[asked] != guess or response < 0:
                return None
            node = tree.child(node, game.respond(asked, secret))
            if node < 0:
                return None
        asked = int(tree.guess[node])
        return int(self.guesses[asked]) if asked >= 0 else None


class Following(Advisor):
    """Advise as a strategy that was drawn, and where it does not come as the usual method."""

    def __init__(self, drawn: Drawn, **asked: Any) -> None:
        super().__init__(drawn.mixture.game, goal=drawn.mixture.goal, **asked)
        self.drawn, self.method = drawn, drawn.name

    def proven(self, position: Position) -> Any:
        """Return None where the strategy is followed; elsewhere what is proven."""
        return None if self.drawn.guess(position) is not None else super().proven(position)

    def best(self, position: Position) -> int:
        """Return the guess of the strategy, or elsewhere the usual one."""
        guess = self.drawn.guess(position)
        return super().best(position) if guess is None else guess

    def by(self, position: Position) -> str:
        """Return who advises here."""
        return self.usual if self.drawn.guess(position) is None else f"{self.method}, then by {self.usual}"

    def note(self, position: Position) -> str:
        """Return a line where the strategy does not come to the position."""
        if self.drawn.guess(position) is not None or len(position.candidates) == 1:
            return ""
        return f"{self.method} does not come to this position"


def drawn_from(path: str, game: Game, goal: str | None, seed: int | None) -> Drawn:
    """Return the strategy of a file, or one drawn from a folder of mixtures, for a game.

    Without a seed one is chosen. Raises TreeError for what is none, or for another game or goal.
    """
    require_playable(path, game, "assist without --strategy")
    if Path(path).is_dir():
        mixture = Mixture.read(path, game)
    else:
        tree = files.read(path, game)[1]
        zero = Fraction(0)
        mixture = Mixture(game, tree.goal, False, (tree,), (path,), (Fraction(1),), (), False, zero, zero)
    if goal not in (None, mixture.goal):
        raise TreeError(f"{path!r} is for the goal {mixture.goal}; expected {goal}")
    return mixture.draw(random.SystemRandom().randrange(1 << 32) if seed is None else seed)


def require_playable(path: str, game: Game, instead: str) -> None:
    """Raise TreeError for a game with a model: it is played by odds (`Evidence`), no strategy is followed."""
    if game.facts.noisy:
        raise TreeError(f"{path!r} is not played for {game.spec}: {Request(game).several}; use {instead}")


def secret_from(folder: str, game: Game, goal: str | None, seed: int | None) -> tuple[str, int]:
    """Return the goal of a folder of mixtures, and a secret drawn as its codemaker does; raise as `read`."""
    require_playable(folder, game, "play without --maker")
    mixture = Mixture.read(folder, game)
    if goal not in (None, mixture.goal):
        raise TreeError(f"{folder!r} is for the goal {mixture.goal}; expected {goal}")
    return mixture.goal, mixture.secret(random.SystemRandom().randrange(1 << 32) if seed is None else seed)


def mixture_of(found: MixedSolved, strategies: Sequence[Tree], names: Sequence[str]) -> Mixture:
    """Return what was found as a `Mixture`, with its strategies as trees."""
    game = found.game
    sizes = np.bincount(found.orbit, minlength=len(found.orbit))
    rows = tuple(
        (game.secrets[first], int(sizes[first]), found.weights[first], found.each[first] * game.cost_unit)
        for first in np.flatnonzero(sizes).tolist()
    )
    unit, only = game.cost_unit, bool(found.parameters.get("candidates_only", False))
    return Mixture(
        game,
        found.goal,
        only,
        tuple(strategies),
        tuple(names),
        found.probabilities,
        rows,
        found.renamed,
        found.lower * unit,
        found.upper * unit,
    )


def contradictions(data: dict[str, Any], lower: Fraction, upper: Fraction) -> list[str]:
    """Return where the bounds of a file of mixtures contradict each other; raise ValueError as `fraction`."""
    value, alike = data.get("value"), data.get("uniform", {"lower": "0", "upper": "0"})
    low, high = fraction(alike["lower"]), fraction(alike["upper"])
    wrong = []
    if not 0 <= lower <= upper:
        wrong.append(f"bounds of {lower} and {upper}; expected 0 or more, the lower one first")
    if value is not None and not lower == upper == fraction(value):
        wrong.append(f"a value of {value}, with bounds of {lower} and {upper}")
    if not 0 <= low <= min(high, upper):
        wrong.append(f"bounds of {low} and {high} where all are drawn alike, and {upper} at most where not")
    return wrong


def fraction(text: object) -> Fraction:
    """Return a fraction that is written as text, such as ``7/3``; raise ValueError for another thing."""
    if not isinstance(text, str) or not re.fullmatch("-?[0-9]+(/[0-9]+)?", text):
        raise ValueError
    return Fraction(text)


def inside(folder: Path, spec: str) -> str:
    """Return the spec of the weighted game, its file in a folder."""
    named = spec.startswith(f"table:{PRIOR}")
    return f"table:{folder / spec.removeprefix('table:')}" if named else spec


def unlike(game: Game, goal: str, guesses: Permutation, secrets: Permutation) -> str:
    """Return why a renaming is none of a game: two responses would have to be one, or a cost another.

    Responses may be renamed, those of each guess on their own, but not one that ends the game.
    """
    table, costs, wins = game.table(), game.costs, game.winning if goal == "win" else None
    few = len(game.responses) <= MAX_RESPONSES  # then all pairs of responses are counted: no sorting
    for one, size in ((guesses, len(table)), (secrets, table.shape[1])):
        if not np.array_equal(np.sort(one), np.arange(size)):
            return "it is no permutation"
    for guess, image in enumerate(guesses.tolist()):
        before, after = table[guess].astype(np.int64), table[image][secrets].astype(np.int64)
        both = before * len(game.responses) + after
        pairs = np.flatnonzero(np.bincount(both)) if few else np.unique(both)
        here, there = np.divmod(pairs, len(game.responses))
        if len(np.unique(here)) < len(pairs) or len(np.unique(there)) < len(pairs):
            return f"{shown(game.guesses[guess])} gets other responses"
        if wins is not None and ((here == wins) != (there == wins)).any():
            return f"{shown(game.guesses[guess])} wins elsewhere"
        if costs is not None and (np.asarray(costs)[guess, here] != np.asarray(costs)[image, there]).any():
            return f"{shown(game.guesses[guess])} costs something else"
    return ""


def value_text(value: Fraction) -> str:
    """Return a value exactly, and rounded where it is a long fraction: ``1629/460 = 3.5413``."""
    exact = exact_text(value)
    short = value.denominator == 1 or ("/" not in exact and len(exact) < 8)
    return exact if short else f"{value} = {rounded_text(value)}"
