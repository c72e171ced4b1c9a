"""Optimal questioning strategies: search, proofs, decision trees, drawings.

>>> import guesstree
>>> game = guesstree.parse("mastermind:3x3")
>>> solution = guesstree.solve(game, "expected")
>>> solution.upper, solution.optimal
((73,), True)
>>> strategy = guesstree.strategy_of(solution)
>>> guesstree.check(game, strategy).valid
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from guesstree.comparison import compare as compare
    from guesstree.engine.advice import Position as Position
    from guesstree.engine.advice import parse_history as parse_history
    from guesstree.engine.advice import play_against as play_against
    from guesstree.engine.errors import GuesstreeError as GuesstreeError
    from guesstree.engine.errors import Infeasible as Infeasible
    from guesstree.engine.game import Game as Game
    from guesstree.engine.look import Look as Look
    from guesstree.engine.methods.ranking import Method as Method
    from guesstree.engine.registry import parse as parse
    from guesstree.engine.registry import register as register
    from guesstree.engine.search.anytime import Bounds as Bounds
    from guesstree.engine.search.anytime import bounds as bounds
    from guesstree.engine.search.solve import solve as solve
    from guesstree.engine.solution import Solution as Solution
    from guesstree.strategy import strategy_of as strategy_of
    from guesstree.trees.check import check as check
    from guesstree.trees.export.files import read as read
    from guesstree.trees.export.files import write as write
    from guesstree.trees.export.formats import render as render
    from guesstree.trees.export.nx import to_networkx as to_networkx
    from guesstree.trees.tree import Strategy as Strategy

# Loaded on first use, so that `guesstree --help` does not wait for NumPy.
_HOMES = {
    "GuesstreeError": "engine.errors",
    "Infeasible": "engine.errors",
    "compare": "comparison",
    "Position": "engine.advice",
    "parse_history": "engine.advice",
    "play_against": "engine.advice",
    "Bounds": "engine.search.anytime",
    "bounds": "engine.search.anytime",
    "Method": "engine.methods.ranking",
    "Game": "engine.game",
    "parse": "engine.registry",
    "register": "engine.registry",
    "Solution": "engine.solution",
    "Look": "engine.look",
    "solve": "engine.search.solve",
    "strategy_of": "strategy",
    "check": "trees.check",
    "render": "trees.export.formats",
    "read": "trees.export.files",
    "write": "trees.export.files",
    "to_networkx": "trees.export.nx",
    "Strategy": "trees.tree",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'guesstree' has no attribute {name!r}")
    return getattr(importlib.import_module(f"guesstree.{_HOMES[name]}"), name)
