"""Optimal questioning strategies: search, proofs, decision trees, drawings.

>>> import guesstree
>>> solution = guesstree.solve("mastermind:3x3")
>>> solution
Solution(mastermind:3x3, expected, 73 proven, 1 state)
>>> solution.strategy.check().valid
True
>>> solution.strategy.render("tree.pdf")

Name a game by a spec such as ``mastermind:3x3``, or pass a `Game`, from `parse` or from a class of your own.
`solve` searches and proves; `bounds` improves bounds until the time is up; `prove` returns a `Certificate`, a
proof that a stranger can check; `compare` plays one-step methods for every secret. A `Solution` has a
`Strategy`, which you can draw, write, read and check; `import_tree` makes a strategy from a tree of
scikit-learn or pystreed. A `Position` gives advice in the middle of a game; `Evidence` does so if tests may
get several answers. `Tests` learns from examples.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from guesstree.api.certificate import Certificate as Certificate
    from guesstree.api.certificate import prove as prove
    from guesstree.api.comparison import compare as compare
    from guesstree.api.solution import Solution as Solution
    from guesstree.api.solution import bounds as bounds
    from guesstree.api.solution import solve as solve
    from guesstree.api.strategy import Strategy as Strategy
    from guesstree.engine.advice.evidence import Evidence as Evidence
    from guesstree.engine.advice.playing import play_against as play_against
    from guesstree.engine.advice.position import Position as Position
    from guesstree.engine.errors import GuesstreeError as GuesstreeError
    from guesstree.engine.errors import Infeasible as Infeasible
    from guesstree.engine.game import Game as Game
    from guesstree.engine.notation import Look as Look
    from guesstree.engine.onestep.ranking import Method as Method
    from guesstree.engine.registry import parse as parse
    from guesstree.engine.registry import register as register
    from guesstree.engine.tables.from_data import table as table
    from guesstree.importers.any import import_tree as import_tree
    from guesstree.learn.estimator import Tests as Tests

# Loaded on first use, so that `guesstree --help` does not wait for NumPy.
_HOMES = {
    "Certificate": "api.certificate",
    "Evidence": "engine.advice.evidence",
    "GuesstreeError": "engine.errors",
    "Infeasible": "engine.errors",
    "Game": "engine.game",
    "Look": "engine.notation",
    "Method": "engine.onestep.ranking",
    "Position": "engine.advice.position",
    "Solution": "api.solution",
    "Strategy": "api.strategy",
    "Tests": "learn.estimator",
    "bounds": "api.solution",
    "compare": "api.comparison",
    "import_tree": "importers.any",
    "parse": "engine.registry",
    "play_against": "engine.advice.playing",
    "prove": "api.certificate",
    "register": "engine.registry",
    "solve": "api.solution",
    "table": "engine.tables.from_data",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'guesstree' has no attribute {name!r}")
    return getattr(importlib.import_module(f"guesstree.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
