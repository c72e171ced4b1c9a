"""A doctor's table and a technician's: tests that err, set-ups, losses, repairs; and their trees."""

from __future__ import annotations

from pathlib import Path

from strategies import best

from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.trees.noisy import build_noisy
from guesstree.trees.tree import Claims, Tree

THROAT = """test,flu,strep throat,glandular fever,cost (EUR),group,setup
fever?,yes:0.9/no:0.1,yes:0.7/no:0.3,yes:0.6/no:0.4,1,,
cough?,yes:0.8/no:0.2,yes:0.1/no:0.9,yes:0.2/no:0.8,1,,
swab,positive:0.05/negative:0.95,positive:0.85/negative:0.15,positive:0.1/negative:0.9,12,,
CRP,high:0.2/normal:0.8,high:0.7/normal:0.3,high:0.4/normal:0.6,4,blood,5
antibodies,positive:0.02/negative:0.98,positive:0.03/negative:0.97,positive:0.85/negative:0.15,10,blood,5
weight,60,30,10,,,
decide wait,0,400,300,,,
decide treat,60,0,150,,,
decide refer,120,120,5,,,
"""
PRINTER = """step,paper jam,loose cable,broken driver,no power,cost (minutes),group,setup
clear the paper path,fixed:0.95/not fixed:0.05,not fixed,not fixed,not fixed,2,,
push the cables in,not fixed,fixed:0.9/not fixed:0.1,not fixed,not fixed,3,housing,5
swap the driver,not fixed,not fixed,fixed,not fixed,40,housing,5
lamp on?,yes,yes,yes,no,1,,
weight,5,3,2,1,,,
decide call service,90,90,90,90,,,
"""


def decided(folder: Path, text: str, options: str = "") -> tuple[Game, Tree]:
    """Return the game of a table whose cells are sets, and a tree of the least expected cost."""
    (folder / "made.csv").write_text(text)
    game = parse(f"table:{folder / 'made.csv'},cells=sets{options}")
    assert game.model is not None
    value, choose = best(game.model, "expected")
    return game, build_noisy(game, choose, Claims("expected", "exact", (value,), (value,)))
