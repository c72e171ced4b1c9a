"""Methods side by side: what may be compared for a game, and the work of a task."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from guesstree.api.comparison import EXACT_SECONDS, Compared, compare, usual_methods
from guesstree.engine.errors import GuesstreeError, Infeasible, shown
from guesstree.engine.game import Game
from guesstree.engine.notation import plurals
from guesstree.engine.objective import usual_objective
from guesstree.engine.problem import number_of_secrets
from guesstree.engine.support import EXACT, Request, require
from guesstree.present.reports import several_numbers
from guesstree.trees.language import decimal

from .solve_form import few, method_text, read_number, title_of, usual_ways
from .solving import Send, reporter
from .uploads import game_at

MOST_SECONDS = 3600.0
CHOSEN = "method-"
"""What the names of the boxes of methods begin with."""


def compare_choices(store: Path, spec: str) -> dict[str, Any]:
    """Return what the form of a comparison offers for a game; raise GuesstreeError where there is nothing."""
    game = game_at(store, spec)
    ways = usual_ways(game)
    for way in (EXACT, *ways):
        require(_asked(game, way))
    return {
        "game": spec,
        "name": title_of(game),
        "look": game.look,
        "secrets": number_of_secrets(game),
        "methods": [(way, method_text(game, way)) for way in ways],
        "usual": usual_methods(game),
        "seconds": f"{EXACT_SECONDS:g}",
    }


def chosen_methods(form: Mapping[str, str]) -> list[str]:
    """Return the methods whose boxes are ticked in a form."""
    return [name.removeprefix(CHOSEN) for name in form if name.startswith(CHOSEN)]


def read_comparison(store: Path, form: Mapping[str, str]) -> dict[str, Any]:
    """Return what a form asks to be compared, as plain data; raise GuesstreeError in one line."""
    game, chosen = game_at(store, form.get("game", "")), chosen_methods(form)
    ways = usual_ways(game)
    for way in chosen:
        if way not in ways:
            raise GuesstreeError(f"unknown method {shown(way)}; choose one of those of the form")
        require(_asked(game, way))
    seconds = read_number(form, "seconds", "seconds")
    if seconds is None or not 0 <= seconds <= MOST_SECONDS:
        raise GuesstreeError(f"{shown(form.get('seconds', ''))} seconds; expected 0 to {MOST_SECONDS:g}")
    if not chosen and not seconds:
        raise GuesstreeError("nothing to compare; choose a method, or some seconds for the best")
    what = f"{', '.join(chosen)}{' and ' * bool(chosen and seconds)}{'the best' if seconds else ''}"
    return {
        "game": form["game"],
        "name": title_of(game),
        "what": f"Compares {what}",
        "guess": game.look.guess,
        "methods": chosen,
        "exact_seconds": seconds,
    }


def _asked(game: Game, way: str) -> Request:
    goal = game.facts.goals[0]
    return Request(game, usual_objective(game.budget), method=way, goal=goal, budget=game.budget)


def compare_in_task(store: Path, asked: Mapping[str, Any], send: Send) -> Mapping[str, Any]:
    """Play methods out as `read_comparison` says, and return the rows that were ready when it ended."""
    game, rows = game_at(store, asked["game"]), list[Compared]()
    turns = [([way], 0.0) for way in asked["methods"]]
    turns += [([], asked["exact_seconds"])] if asked["exact_seconds"] else []
    with suppress(KeyboardInterrupt):  # between two methods
        for number, (ways, seconds) in enumerate(turns, 1):
            phase = f"{ways[0] if ways else 'the best'}, {number} of {len(turns)}"
            send({"phase": phase})
            found = compare(game, ways, exact_seconds=seconds, progress=reporter(game, send, phase=phase))
            rows += found
            if found.stopped:
                break
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what was found is kept
    if not rows:
        raise Infeasible("no method was played to the end, and no strategy was found")
    best = next((row for row in rows if row.optimal), None)
    data = {
        "game": game.spec,
        "methods": [row.as_json() for row in rows],
        "told": [_row_shown(game, row, best) for row in rows],
    }
    about = {
        "title": title_of(game),
        "objective": f"As {few(game)} as possible on average",
        "verdict": f"{len(rows)} methods compared" if len(rows) > 1 else f"{rows[0].label} alone",
        "counted": plurals(game.look.guess) if rows[0].costs is None else game.look.cost,
        "look": asdict(game.look),
        "split": several_numbers(game),
        "complete": len(rows) == len(turns),
    }
    return {"kind": "comparison", "game": asked["game"], "about": about, "data": json.dumps(data).encode()}


def _row_shown(game: Game, row: Compared, best: Compared | None) -> dict[str, Any]:
    """Return what the page shows of a row."""
    figures, searched = row.figures, row.method == EXACT
    above = ""
    if best is not None and row is not best and best.figures.total:
        more = Fraction(100 * (figures.total - best.figures.total), best.figures.total)
        above = f"+{decimal(more)} %" if more else "as good"
    return {
        "label": "the best (proven)" if searched and row.optimal else row.label,
        "text": "The best that the search found" if searched else f"Takes {method_text(game, row.method)}",
        "first": row.first,
        "average": figures.shown["average"],
        "worst": figures.shown["worst"],
        "above": above,
        "seconds": f"{row.seconds:.2f}",
        "histogram": [[str(n), row.summary.histogram.get(n, 0)] for n in range(1, row.summary.worst + 1)],
    }
