"""Random breakers for a page: a population, what evolves from it, and a picture of each tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from math import floor, log10
from pathlib import Path
from typing import Any

import numpy as np

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.notation import plural, plurals
from guesstree.engine.problem import number_of_secrets
from guesstree.present.reports import report_of
from guesstree.trees.breed.breakers import MEASURES, STAGES, random_breaker, survey, tree_seed
from guesstree.trees.breed.evolve import Evolution, Settings
from guesstree.trees.export.boxes import fitting_depth
from guesstree.trees.export.dot import whole_picture
from guesstree.trees.export.formats import check_format
from guesstree.trees.language import speaking
from guesstree.trees.shape import shrink, triangle
from guesstree.trees.tree import Tree

from .solve_form import title_of
from .uploads import game_at

MOST_RESPONSES = 1 << 21
"""Guesses times secrets of a game that is bred here."""
MOST_DRAWN, IN_VIEW = 1200, 100
"""Nodes of a picture, alone and on the page; of larger trees the first guesses are drawn."""
EVOLVING_SECONDS = 5.0
"""So long trees evolve at a click; the next one goes on."""
OPTIMUM_SECONDS = 2.0
"""How long the optimum is searched for."""


def _game(store: Path, spec: str) -> Game:
    """Return the game of a spec; raise GuesstreeError for one that is too large to be bred here."""
    game = game_at(store, spec)
    secrets, guesses = number_of_secrets(game), len(game.guesses)
    if secrets * guesses > MOST_RESPONSES:
        look = game.look
        sizes = f"{plural(secrets, look.secret)} and {plural(guesses, look.guess)}"
        raise GuesstreeError(f"{game.spec} is too large to be bred here: {sizes}; try something smaller")
    return game


@lru_cache(8)
def bred(store: Path, spec: str, size: int, seed: int) -> dict[str, Any]:
    """Return a population of random breakers as plain data, with the `Look` of its game.

    `totals` has a list for each of `STAGES`, a number for each tree; a total over `each` is its fitness, of
    which `counted` says what it is. `optimum` is the least fitness, `proven` whether it is known. Raises
    GuesstreeError.
    """
    game = _game(store, spec)
    found = survey(game, size, seed=seed, time_limit=OPTIMUM_SECONDS)
    return {
        "title": title_of(game),
        "look": game.look,
        "secrets": found.secrets,
        "each": float(found.each),
        "counted": found.counted,
        "totals": {stage: [row[i] for row in found.totals] for i, stage in enumerate(STAGES)},
        "figures": found.figures(),
        "optimum": found.optimum,
        "proven": found.lower == found.upper,
    }


def evolved(
    store: Path, spec: str, size: int, seed: int, generation: int, state: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the state of an evolution after so many generations, going on from an earlier one if given.

    They are fewer where time is up, or where counting allows no better total: then `ended` is true.
    """
    game = _game(store, spec)
    known = None if state is None else Evolution.of_document(game, state)
    evolution = known or Evolution(game, settings=Settings(size=size, seed=seed))
    evolution.run(generation, time_limit=EVOLVING_SECONDS)
    totals = [one.tree.total for one in evolution.population]
    return evolution.as_document() | {"totals": totals, "ended": evolution.best.total <= evolution.least}


def fitness_bins(values: list[float], most: int = 10) -> list[tuple[str, int]]:
    """Return how many values lie in each of some intervals of one width, from the least to the most."""
    low, high = min(values), max(values)
    if high - low < 1e-9:
        return [(f"{low:.3f}", len(values))]
    counts, edges = np.histogram(values, bins=min(most, len(values)))
    digits = max(2, 1 - floor(log10(edges[1] - edges[0])))  # so that the ends of each differ
    names = [f"{a:.{digits}f} to {b:.{digits}f}" for a, b in pairwise(edges)]
    return [(name, int(many)) for name, many in zip(names, counts, strict=True)]


def spread(values: list[float]) -> dict[str, float]:
    """Return min, mean, max and standard deviation of some fitness."""
    return {name: float(measure(values)) for name, measure in MEASURES.items()}


def _tree(store: Path, spec: str, seed: int, at: int, stage: str, state: Any) -> tuple[Game, Tree]:
    """Return one tree of a population, numbered from 0: of a stage, or of the state of an evolution."""
    game = _game(store, spec)
    if state is not None:
        evolution = Evolution.of_document(game, state)
        tree = evolution.strategy(evolution.population[at].tree)
        return game, replace(tree, claims=replace(tree.claims, lower=(), upper=()))  # the page knows better
    tree = random_breaker(game, tree_seed(seed, at))
    if stage != STAGES[0]:
        tree = shrink(game, tree)
    return game, triangle(game, tree) if stage == STAGES[2] else tree


def tree_figures(*which: Any) -> tuple[list[str], float]:
    """Return lines of figures of one tree of a population, and how far down its picture on the page begins.

    `which` as in `tree_drawn`, and `Picture.begin` for the other.
    """
    game, tree = _tree(*which)
    figures, look = report_of(tree).figures, game.look
    lines = [plural(len(tree), "node"), f"{plurals(look.guess)} at worst {figures.guesses.worst}"]
    if figures.costs is not None:
        lines.append(f"{look.cost} at worst {figures.costs.shown['worst']}")
    picture = whole_picture(game, tree, fitting_depth(tree, IN_VIEW), parameters=False)
    return lines, picture.begin


def tree_drawn(language: str, most: int, *which: Any) -> bytes:
    """Return one tree of a population as SVG: (store, spec, seed, number, stage, state or None).

    Of a tree with more nodes than `most` the first guesses are drawn.
    """
    game, tree = _tree(*which)
    with speaking(language):
        drawn: bytes = check_format("tree.svg").draw(
            game, tree, depth=fitting_depth(tree, most), parameters=False
        )
    return drawn
