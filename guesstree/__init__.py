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
    from guesstree.certificate import Certificate as Certificate
    from guesstree.certificate import prove as prove
    from guesstree.comparison import compare as compare
    from guesstree.engine.advice import Position as Position
    from guesstree.engine.advice import play_against as play_against
    from guesstree.engine.errors import GuesstreeError as GuesstreeError
    from guesstree.engine.errors import Infeasible as Infeasible
    from guesstree.engine.evidence import Evidence as Evidence
    from guesstree.engine.game import Game as Game
    from guesstree.engine.games.given import table as table
    from guesstree.engine.look import Look as Look
    from guesstree.engine.methods.ranking import Method as Method
    from guesstree.engine.registry import parse as parse
    from guesstree.engine.registry import register as register
    from guesstree.imported import import_tree as import_tree
    from guesstree.learning import Tests as Tests
    from guesstree.solution import Solution as Solution
    from guesstree.solution import bounds as bounds
    from guesstree.solution import solve as solve
    from guesstree.strategy import Strategy as Strategy

# Loaded on first use, so that `guesstree --help` does not wait for NumPy.
_HOMES = {
    "Certificate": "certificate",
    "Evidence": "engine.evidence",
    "GuesstreeError": "engine.errors",
    "Infeasible": "engine.errors",
    "Game": "engine.game",
    "Look": "engine.look",
    "Method": "engine.methods.ranking",
    "Position": "engine.advice",
    "Solution": "solution",
    "Strategy": "strategy",
    "Tests": "learning",
    "bounds": "solution",
    "compare": "comparison",
    "import_tree": "imported",
    "parse": "engine.registry",
    "play_against": "engine.advice",
    "prove": "certificate",
    "register": "engine.registry",
    "solve": "solution",
    "table": "engine.games.given",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'guesstree' has no attribute {name!r}")
    return getattr(importlib.import_module(f"guesstree.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
