"""What may be asked of a game, in plain words, and what a form asked for."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.exact import NoNumber, exact_text, read_numbers
from guesstree.engine.game import Game
from guesstree.engine.notation import Look, plurals
from guesstree.engine.objective import (
    GOALS,
    OBJECTIVES,
    WORST,
    parse_objective,
    usual_objective,
)
from guesstree.engine.onestep.valuations import BUDGET_VALUATIONS, COST_VALUATIONS, VALUATIONS
from guesstree.engine.problem import number_of_secrets
from guesstree.engine.registry import title_of_spec
from guesstree.engine.support import EXACT, Request, require
from guesstree.trees.export.heading import sheet_title

from .uploads import game_at

BEAM = "beam"
"""The way to search that looks at a few guesses of each state only."""
WIDTH = 10
"""So many."""
FEW_GUESSES = 300
"""So many are offered as the first."""
SECONDS = 60
"""Of a search, unless the form says more or less."""
METHODS = {
    "max-part": "what leaves the fewest {secrets} at worst (Knuth 1977)",
    "expected-size": "what leaves the fewest {secrets} on average (Irving 1978)",
    "entropy": "what tells most, counted in bits (Neuwirth 1982)",
    "parts": "what has the most different answers (Kooi 2005)",
    "least-cost": "what costs least now",
    "reduction-per-cost": "what rules out most for its cost",
    "information-per-cost": "what tells most for its cost",
    "sure-wins": "what leaves most that can surely still be won",
    "win-chance": "what leaves the best estimated chance to win",
    BEAM: "the best of the most promising ones",
}
"""One-step methods: which {guess} they take."""


def title_of(game: Game) -> str:
    """Return what a page about a game is called: ``Mastermind 4x6``, or what is asked of a table."""
    if game.look.secret != Look.secret:
        return sheet_title(game)
    return title_of_spec(game.spec)


def few(game: Game) -> str:
    """Return what there should be little of, such as ``few tests`` or ``little cost``."""
    look = game.look
    if not game.facts.priced:
        return f"few {plurals(look.guess)}"
    return f"{'few' if counted(look.cost) else 'little'} {look.cost}"


def counted(cost: str) -> bool:
    """Return whether costs are counted, as minutes and EUR are; a price is not."""
    return cost.endswith("s") or cost.isupper()


def objectives_of(game: Game) -> dict[str, tuple[str, str]]:
    """Return objectives by name: what each is called, and a sentence that explains it."""
    secrets = plurals(game.look.secret)
    words = {
        "little": few(game),
        "secret": game.look.secret,
        "secrets": secrets,
        "guesses": plurals(game.look.guess),
        "some": "likely ones count more, rare ones less"
        if game.facts.weighted
        else f"some {secrets} take more",
    }
    return {
        name: (one.title.format(**words), one.explained.format(**words)) for name, one in OBJECTIVES.items()
    }


GOALS_TOLD = {"win": "Guess it", "identify": "Only know it"}


def over_when(game: Game, goal: str) -> str:
    """Return when a game ends."""
    look = game.look
    if goal == "win":
        return f"a {look.guess} is the {look.secret} itself"
    return f"one {look.secret} is left, which need not be asked"


def method_text(game: Game, method: str) -> str:
    """Return in words what a one-step method takes."""
    look = game.look
    text = METHODS.get(method, "")
    return text.format(secrets=plurals(look.secret), guess=look.guess)


def usual_ways(game: Game) -> list[str]:
    """Return the one-step methods that suit a game."""
    found = [*(COST_VALUATIONS if game.facts.weighted or game.facts.priced else ()), *VALUATIONS]
    return found if game.budget is None else [*found, *BUDGET_VALUATIONS]


def _needs_budget(objective: str | None) -> bool:
    return objective in OBJECTIVES and OBJECTIVES[objective].budgeted


def _goes(game: Game, **asked_for: Any) -> bool:
    """Return whether these arguments of `Request` go with a game, by the table of `engine.support`."""
    if _needs_budget(asked_for.get("objective")):
        asked_for.setdefault("budget", 1)
    goal = game.facts.goals[0]
    try:
        require(Request(game, **({"goal": goal} | asked_for)))
    except GuesstreeError:
        return False
    return True


def solve_choices(store: Path, spec: str) -> dict[str, Any]:
    """Return what the form of a search offers for a game, as plain data, and its `Look`.

    Raises GuesstreeError for no game, or one that is too large.
    """
    game = game_at(store, spec)
    words = objectives_of(game)
    objectives = [name for name in OBJECTIVES if _goes(game, objective=name)]
    if not objectives:
        require(Request(game, WORST.name))
    usual = usual_objective(game.budget)
    usual = usual if usual in objectives else objectives[0]
    guesses = game.guesses
    return {
        "game": spec,
        "name": title_of(game),
        "look": game.look,
        "notes": list(game.notes),
        "secrets": number_of_secrets(game),
        "guesses": len(guesses),
        "objectives": [(name, *words[name]) for name in objectives],
        "usual": usual,
        "goals": [
            (goal, GOALS_TOLD[goal], f"It is over when {over_when(game, goal)}.")
            for goal in GOALS
            if game.facts.winnable and _goes(game, objective=usual, goal=goal)
        ],
        "methods": [
            (m, method_text(game, m)) for m in usual_ways(game) if _goes(game, objective=usual, method=m)
        ],
        "beam": any(_goes(game, objective=name, width=WIDTH) for name in objectives),
        "lies": next(n for n in count() if not _goes(game, objective=WORST.name, lies=n + 1)),
        "depth": any(_goes(game, objective=name, max_depth=1) for name in objectives),
        "candidates_only": any(_goes(game, objective=name, candidates_only=True) for name in objectives),
        "budget": "" if game.budget is None else game.cost_text(game.budget),
        "budgeted": [name for name in objectives if OBJECTIVES[name].budgeted],
        "first": list(guesses) if len(guesses) <= FEW_GUESSES else [],
        "example": guesses[0],
        "priced": game.facts.priced,
        "seconds": SECONDS,
    }


def read_solve_form(store: Path, form: Mapping[str, str]) -> dict[str, Any]:
    """Return what a form asks of a game, as plain data: the arguments of `solve`, `game` a spec, and `name`.

    Raises GuesstreeError, one line, for what cannot be read and for what does not go together.
    """
    spec = form.get("game", "")
    game = game_at(store, spec)
    objective = parse_objective(form.get("objective") or usual_objective(game.budget)).name
    way = form.get("way") or EXACT
    if way not in (EXACT, BEAM, *VALUATIONS, *COST_VALUATIONS, *BUDGET_VALUATIONS):
        raise GuesstreeError(f"unknown way to search {shown(way)}; choose one of those of the form")
    first = form.get("first", "").strip()
    asked_for: dict[str, Any] = {
        "objective": objective,
        "goal": form.get("goal") or None,
        "method": EXACT if way == BEAM else way,
        "width": WIDTH if way == BEAM else None,
        "max_depth": _whole(form, "depth", f"{plurals(game.look.guess)} at most"),
        "first": game.guesses[game.read_guess(first)] if first else None,
        "candidates_only": bool(form.get("candidates_only")),
        "lies": _whole(form, "lies", "wrong answers") or 0,
        "budget": _budget(game, form) if _needs_budget(objective) else None,
        "time_limit": read_number(form, "seconds", "seconds"),
    }
    goal = asked_for["goal"] or game.facts.goals[0]
    require(Request(game, **(asked_for | {"goal": goal})))
    shown_with = {"name": title_of(game), "what": objectives_of(game)[objective][0], "guess": game.look.guess}
    return {**asked_for, "game": spec} | shown_with


def read_number(form: Mapping[str, str], field: str, what: str) -> float | None:
    """Return the number in a field of a form, None where it is empty; raise GuesstreeError for no number."""
    text = form.get(field, "").strip()
    if not text:
        return None
    try:
        return float(read_numbers([text], plain=True)[0][0])
    except NoNumber:
        raise GuesstreeError(f"{shown(text)} {what}; expected a number, such as 60") from None


def _whole(form: Mapping[str, str], field: str, what: str) -> int | None:
    number = read_number(form, field, what)
    if number is not None and number != int(number):
        raise GuesstreeError(f"{shown(form[field])} {what}; expected a whole number")
    return None if number is None else int(number)


def _budget(game: Game, form: Mapping[str, str]) -> int | None:
    """Return a budget in units of the game; what lies between two of them is rounded down."""
    text = form.get("budget", "").strip()
    if not text:
        return game.budget
    try:
        budget: Fraction = read_numbers([text], plain=True)[0][0]
    except NoNumber:
        raise GuesstreeError(f"a budget of {shown(text)}; expected a number, such as 5") from None
    if budget < 0:
        raise GuesstreeError(f"a budget of {exact_text(budget)}; expected a number from 0")
    return game.cost_units(budget)
