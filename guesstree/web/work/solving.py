"""A search, followed while it runs: the work of a task."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from guesstree.api.solution import solve
from guesstree.engine.errors import SpaceError
from guesstree.engine.exact import rounded_text, short_text
from guesstree.engine.game import Game, weights_of
from guesstree.engine.notation import plurals
from guesstree.engine.objective import FIGURES
from guesstree.engine.search.deadline import Progress

from .summary import strategy_result
from .uploads import game_at

OFTEN = 0.25
"""Seconds between two messages, unless the bounds have moved."""
SOON = 0.05
BEGINNING = "the game, and a first strategy"
"""The phase before a search tells anything."""
ARGUMENTS = (
    "objective",
    "goal",
    "method",
    "width",
    "max_depth",
    "first",
    "candidates_only",
    "lies",
    "budget",
    "time_limit",
    "memory",
)
"""What `solve` is given of what was asked."""
Send = Callable[[Mapping[str, Any]], None]


def solve_in_task(store: Path, asked: Mapping[str, Any], send: Send) -> Mapping[str, Any]:
    """Search as `read_solve_form` says, send what is known on the way, and return what was found."""
    game = game_at(store, asked["game"])
    send({"phase": BEGINNING})
    asked_for = {name: asked[name] for name in ARGUMENTS if name in asked}
    try:
        solution = solve(game, progress=reporter(game, send), **asked_for)
    except SpaceError as error:  # which speaks of commands
        raise SpaceError(f"{str(error).partition('; use ')[0]}; a smaller game can be solved here") from None
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what was found is kept
    send({"phase": "the strategy, which is written down"})
    more = {"seconds": round(solution.seconds, 2), "states": solution.states, "stopped": solution.stopped}
    return strategy_result(game, solution.strategy, asked["game"], **more)


def reporter(game: Game, send: Send, **more: Any) -> Callable[[Progress], None]:
    """Return what tells the progress of a search, a few times a second; `more` is reported with it."""
    weight = int(weights_of(game).sum())
    last: list[Any] = [-1.0, None]

    def tell(progress: Progress) -> None:
        bounds = progress.lower, progress.upper
        if progress.seconds - last[0] < (OFTEN if bounds == last[1] else SOON):
            return
        last[:] = progress.seconds, bounds
        send(known(game, progress, weight) | more)

    return tell


def known(game: Game, progress: Progress, weight: int) -> dict[str, Any]:
    """Return what is known, as plain data: the first figure of the objective as readers see it.

    `lower`, `upper`: numbers, None where there is none; `said`: the same in a sentence.
    """
    seconds = max(progress.seconds, 0.001)
    found: dict[str, Any] = {
        "phase": progress.phase.replace("total", "the average", 1),
        "seconds": round(progress.seconds, 2),
        "first": progress.first,
        "states": progress.states,
        "rate": round(progress.states / seconds),
    }
    if progress.secrets:
        return found | {
            "settled": progress.settled,
            "secrets": progress.secrets,
            "rate": round(progress.evaluations / seconds),
            "said": f"{progress.settled:,} of {progress.secrets:,} {plurals(game.look.secret)} are settled.",
        }
    phase = progress.phase
    figure = next((one for one in FIGURES.values() if phase.startswith(one.phase)), FIGURES["total"])
    what = game.look.cost if game.facts.priced else plurals(game.look.guess)
    scale = (
        figure.share * game.figure_unit(figure.name) / (weight * game.weight_unit)
        if figure.share
        else progress.unit
    )
    return found | {
        "part": figure.name,
        "lower": float(progress.lower * scale),
        "upper": None if progress.upper is None else float(progress.upper * scale),
        "said": _said(progress, scale, figure.words.format(what=what)),
    }


def _said(progress: Progress, scale: Fraction, what: str) -> str:
    shown = short_text if scale.denominator == 1 else rounded_text
    least = shown(progress.lower * scale)
    if progress.upper is None:
        return f"The best takes at least {least} {what}; nothing is found yet."
    most = shown(progress.upper * scale)
    if progress.lower == progress.upper:
        return f"The best takes {most} {what}: that is proven."
    return f"The best takes between {least} and {most} {what}."
