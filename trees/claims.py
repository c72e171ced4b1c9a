"""What is claimed of a tree, compared with what replaying it shows; and what no replay can tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from math import isclose
from typing import Any

from guesstree.engine.exact import Value, as_plain
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVE_NAMES, parse_objective

from .dead import possible_at
from .figures import Figures, claimed_bounds
from .noisy import reach_of
from .tree import Tree

MAX_DIGITS = 60
"""How many characters of a value a message shows."""
SUMMARY = ("secrets", "total", "average", "exact", "worst", "histogram", "costs")
COSTS = ("weight", "total", "average", "exact", "worst", "loss", "leaves", "budget", "won", "won_total")
"""What a summary says of costs."""
MOST_UNCHECKED = 8
"""So many of what is not checked are named in a line."""


def contradictions(game: Game, strategy: Tree, figures: Figures | None) -> list[str]:
    """Return what the claims of a tree say that its replay contradicts, a line each.

    `figures` are those of the replay; None: a secret fails, so that there are none to compare.
    """
    summary, look = strategy.claims.summary, strategy.game.look
    lies = [_contradiction(summary, "secrets", len(game.secrets)), *_about_objective(strategy)]
    lies += [broken(game, strategy, figures) for broken in _LIMITS.values()]
    if figures is None:
        return [lie for lie in lies if lie]
    own: dict[str, Any] = figures.guesses.as_json()
    lies += [_contradiction(summary, name, own[name]) for name in ("total", "average", "exact", "worst")]
    claimed = summary.get("histogram")
    if isinstance(claimed, Mapping):
        times = own["histogram"]
        lies += [
            f"summary says {_cut(str(claimed.get(n, 0)))} {look.named('secrets')} need {_cut(n)} "
            f"{look.named('guesses')}, the tree has {times.get(n, 0)}"
            for n in dict.fromkeys([*times, *claimed])
            if claimed.get(n, 0) != times.get(n, 0)
        ]
    claimed = summary.get("costs")
    if isinstance(claimed, Mapping) and figures.costs is not None:
        paid = figures.costs.stated()
        lies += [_contradiction(claimed, name, paid.get(name), "costs ") for name in COSTS]
    elif "costs" in summary:
        lies.append(f"summary says costs {_cut(repr(claimed))}, the tree has none")
    return [lie for lie in (*lies, *_bound_lies(strategy, figures)) if lie]


def unchecked(game: Game, strategy: Tree) -> list[str]:
    """Return what is claimed of a tree that no replay can tell, each with its value."""
    claims = strategy.claims
    found = [f"method {_shown(claims.method)}"] if claims.method else []
    if claims.lower:
        found.append(f"lower bound {_cut(', '.join(claimed_bounds(game, claims)[0]))}")
    found += [
        f"{_shown(key)} {_shown(value)}"
        for where, known in ((claims.parameters, _LIMITS), (claims.summary, SUMMARY))
        for key, value in where.items()
        if key not in known
    ]
    costs = claims.summary.get("costs")
    more = costs.items() if isinstance(costs, Mapping) else ()
    return found + [f"{_shown(key)} {_shown(value)}" for key, value in more if key not in COSTS]


def _about_objective(strategy: Tree) -> Iterator[str]:
    """Yield what is wrong with an objective, and with bounds as values of it."""
    claims = strategy.claims
    bounds = {"lower": claims.lower, "upper": claims.upper}
    if not claims.objective:
        yield from (f"bounds say {name} {_value(b)}, of no objective" for name, b in bounds.items() if b)
        return
    if claims.objective not in OBJECTIVE_NAMES:
        yield f"objective is {_shown(claims.objective)}; expected one of {'; '.join(OBJECTIVE_NAMES)}"
        return
    objective = parse_objective(claims.objective)
    if objective.budgeted and "budget" not in claims.parameters:
        yield f"objective {claims.objective}, but parameters say no budget"
    parts = objective.figures
    for name, bound in bounds.items():
        if bound and len(bound) != len(parts):
            yield f"bounds say {name} {_value(bound)}; expected {len(parts)} of them: {', '.join(parts)}"


def _first(game: Game, strategy: Tree, figures: Figures | None) -> str:  # noqa: ARG001 - as the others
    claimed, root = strategy.claims.parameters.get("first"), int(strategy.guess[0])
    asked = game.guesses[root] if root >= 0 else None
    if "first" not in strategy.claims.parameters or (asked is not None and claimed == asked):
        return ""
    does = "asks nothing" if asked is None else f"asks {asked!r} first"
    return f"parameters say first {_shown(claimed)}, the tree {does}"


def _max_depth(game: Game, strategy: Tree, figures: Figures | None) -> str:  # noqa: ARG001 - as the others
    if "max_depth" not in strategy.claims.parameters:
        return ""
    claimed = strategy.claims.parameters["max_depth"]
    if not _counts(claimed):
        return f"parameters say max_depth {_shown(claimed)}; expected an integer, 0 or more"
    if figures is None or figures.guesses.worst <= claimed:
        return ""
    return f"parameters say max_depth {claimed}, the tree needs {figures.guesses.worst}"


def _max_leaves(game: Game, strategy: Tree, figures: Figures | None) -> str:
    if "max_leaves" not in strategy.claims.parameters:
        return ""
    claimed = strategy.claims.parameters["max_leaves"]
    if not _counts(claimed) or not claimed:
        return f"parameters say max_leaves {_shown(claimed)}; expected an integer, 1 or more"
    if game.model is None:
        return _no_leaves(game, "max_leaves", claimed)
    if figures is None:
        return ""
    leaves = 0 if figures.costs is None else figures.costs.leaves or 0
    return "" if leaves <= claimed else f"parameters say max_leaves {claimed}, the tree has {leaves}"


def _min_samples(game: Game, strategy: Tree, figures: Figures | None) -> str:
    claimed, lie = _number(game, strategy, "min_samples")
    if lie or figures is None or game.model is None:
        return lie
    guess, reached = strategy.guess.tolist(), reach_of(strategy)
    samples = [
        (reach.mass * game.weight_unit, node)
        for node, reach in enumerate(reached)
        if guess[node] < 0 and reach.masses
    ]
    least, node = min(samples, default=(claimed, 0))
    if least >= claimed:
        return ""
    return f"parameters say min_samples {_cut(str(claimed))}, leaf {node} has {_cut(str(least))}"


def _leaf_price(game: Game, strategy: Tree, figures: Figures | None) -> str:  # noqa: ARG001 - as the others
    return _number(game, strategy, "leaf_price")[1]


def _no_leaves(game: Game, name: str, claimed: object) -> str:
    """Return that a limit of leaves means nothing where all trees have as many."""
    each = f"each leaf names one {game.look.secret}"
    return f"parameters say {name} {_cut(str(claimed))}, which means nothing where {each}"


def _number(game: Game, strategy: Tree, name: str) -> tuple[Fraction, str]:
    """Return a number that limits leaves, and what is wrong with it."""
    claimed = strategy.claims.parameters.get(name, 0)
    if isinstance(claimed, int | str) and not isinstance(claimed, bool):
        try:
            number = Fraction(claimed)
        except (ValueError, ZeroDivisionError):
            number = Fraction(-1)
        if number >= 0:
            return number, _no_leaves(game, name, number) if number and game.model is None else ""
    return Fraction(0), f"parameters say {name} {_shown(claimed)}; expected a number, 0 or more"


def _budget(game: Game, strategy: Tree, figures: Figures | None) -> str:  # noqa: ARG001 - as the others
    claimed = strategy.claims.parameters.get("budget", 0)
    return (
        "" if _counts(claimed) else f"parameters say budget {_shown(claimed)}; expected an integer, 0 or more"
    )


def _candidates_only(game: Game, strategy: Tree, figures: Figures | None) -> str:
    claimed = strategy.claims.parameters.get("candidates_only", False)
    if not isinstance(claimed, bool):
        return f"parameters say candidates_only {_shown(claimed)}; expected true or false"
    if not claimed or figures is None:
        return ""
    own = {label: s for s, label in enumerate(game.secrets)}
    for guess, here in zip(strategy.guess.tolist(), possible_at(strategy), strict=True):
        if guess >= 0 and here.secrets and not _names(game, guess, here.secrets, own):
            return f"parameters say candidates_only, the tree asks {game.guesses[guess]!r}, which is none"
    return ""


def _names(game: Game, guess: int, secrets: Collection[int], own: Mapping[str, int]) -> bool:
    """Return whether a guess names one of some secrets: it wins on it, or is called as it is."""
    if not game.facts.winnable:
        return own.get(game.guesses[guess]) in secrets
    return any(game.respond(guess, s) == game.winning for s in secrets)


_LIMITS: Mapping[str, Callable[[Game, Tree, Figures | None], str]] = {
    "first": _first,
    "max_depth": _max_depth,
    "candidates_only": _candidates_only,
    "budget": _budget,
    "max_leaves": _max_leaves,
    "min_samples": _min_samples,
    "leaf_price": _leaf_price,
}
"""What restricts a strategy, each with what says how a tree breaks it."""


def _bound_lies(strategy: Tree, figures: Figures) -> Iterator[str]:
    claims = strategy.claims
    if claims.lower and claims.upper and claims.lower > claims.upper:
        yield f"bounds say lower {_value(claims.lower)}, above upper {_value(claims.upper)}"
    own = figures.compared.value(claims.objective)
    if own is not None:
        if claims.upper and claims.upper != own:
            yield f"bounds say upper {_value(claims.upper)}, the tree has {_value(own)}"
        if claims.lower and claims.lower > own:
            yield f"bounds say lower {_value(claims.lower)}, the tree has {_value(own)}"


def _contradiction(
    summary: Mapping[str, Any], figure: str, own: Value | float | str | None, of: str = ""
) -> str:
    if figure not in summary or _same(summary[figure], own):
        return ""
    has = "none" if own is None else _cut(repr(own))
    return f"summary says {of}{figure} {_cut(repr(summary[figure]))}, the tree has {has}"


def _same(claimed: Any, own: Value | float | str | None) -> bool:
    """Return whether a number of a file, which may be text such as ``91/2``, is one of the tree."""
    if own is None or isinstance(claimed, bool) or not isinstance(claimed, int | float | str):
        return False
    if isinstance(own, float):
        # An average is written as the nearest float; 1e-9 is far below what one guess of one secret changes.
        return not isinstance(claimed, str) and isclose(claimed, own, rel_tol=1e-9)
    try:
        return Fraction(claimed) == Fraction(own)
    except (ValueError, ZeroDivisionError, OverflowError):
        return False


def _counts(claimed: object) -> bool:
    return isinstance(claimed, int) and not isinstance(claimed, bool) and claimed >= 0


def _value(parts: tuple[Value, ...]) -> str:
    return ",".join(_cut(str(as_plain(part))) for part in parts)


def _shown(value: object) -> str:
    """Return a value of a file in a line: a word as it is, else as JSON."""
    text = (
        value if isinstance(value, str) and value.isprintable() and value else json.dumps(value, default=str)
    )
    return _cut(text)


def _cut(text: str) -> str:
    """Return what a message shows of a text; an exact fraction may have a thousand digits."""
    return text if len(text) <= MAX_DIGITS else f"{text[: MAX_DIGITS - 3]}..."
