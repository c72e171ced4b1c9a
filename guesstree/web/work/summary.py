"""What pages say of a strategy: what it guarantees, what is proven of it, its figures."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import Any

from guesstree.engine.exact import rounded_text
from guesstree.engine.game import Game
from guesstree.engine.notation import capital, plural, plurals
from guesstree.engine.objective import OBJECTIVE_NAMES
from guesstree.engine.solution import gap
from guesstree.engine.support import EXACT
from guesstree.present.reports import report_of
from guesstree.trees.export.files import as_bytes
from guesstree.trees.figures import Costs, Summary, claimed_bounds, claimed_limits
from guesstree.trees.language import decimal
from guesstree.trees.outline import Outline, outline
from guesstree.trees.tree import Tree
from guesstree.trees.words import proof

from .solve_form import counted, method_text, objectives_of, over_when, title_of

MOST_HELD = 20
"""Bars of a histogram; more are joined."""


def strategy_result(game: Game, strategy: Tree, spec: str = "", **more: Any) -> dict[str, Any]:
    """Return a valid strategy as the arguments of `Store.add_result`.

    `spec`: what its game is called here; empty: only the strategy itself knows its game. `more` is kept with
    it, such as how long it took.
    """
    return {
        "kind": "strategy",
        "game": spec or game.spec,
        "about": about_strategy(game, strategy) | {"known": bool(spec)} | more,
        "data": as_bytes(game, strategy),
    }


def about_strategy(game: Game, strategy: Tree) -> dict[str, Any]:
    """Return what lists and the page of a valid strategy show, as plain data.

    `title`, `objective`, `goal`, `guarantee` (a sentence), `meaning` (what costs and losses come to; may be
    empty), `verdict` (what is proven), `proven` (here), `claimed` (by a file), `bounds`, `figures` (names and
    values), `histogram` (pairs: guesses, secrets that need so many, or at most so many where it is `split`),
    `decisions` (see `decision_rows`), `first` guess, `limits`, `method`, `nodes`, `lies`, `look`.
    """
    seen, claims = outline(game, strategy), strategy.claims
    report = report_of(strategy)
    summary, paid = report.summary, None if strategy.lies else report.figures.costs
    first, objective = int(strategy.guess[0]), objectives_of(game).get(claims.objective, ("", ""))[0]
    return {
        "title": title_of(game),
        "objective": objective,
        "goal": over_when(game, strategy.goal) if game.facts.winnable else "",
        "guarantee": guarantee(seen, summary, paid),
        "meaning": report.meaning,
        "verdict": verdict(strategy),
        "proven": claims.proven and not claims.by_file,
        "claimed": claims.by_file,
        "bounds": _bounds(game, strategy),
        "figures": _figures(seen, summary, paid),
        "histogram": [[str(n), many] for n, many in _joined(summary.histogram.items())],
        "first": game.guesses[first] if 0 <= first < len(game.guesses) else "",
        "limits": [_limit(game, limit) for limit in claimed_limits(game, claims)],
        "method": "" if claims.method in ("", EXACT) else method_text(game, claims.method) or claims.method,
        "split": report.several,
        "decisions": (report.decisions, report.more),
        "nodes": len(strategy),
        "lies": strategy.lies,
        "look": asdict(game.look),
    }


def guarantee(seen: Outline, summary: Summary, paid: Costs | None) -> str:
    """Return in a sentence what a strategy guarantees."""
    game, strategy = seen.game, seen.strategy
    look = game.look
    secrets = plural(seen.steps[0].causes, look.secret)
    if game.decisions:
        does = "It comes to a decision"
    elif strategy.goal == "win":
        does = f"It finds each of the {secrets}"
    else:
        does = f"It tells which of the {secrets} it is"
    if paid is not None and paid.budget is not None:
        budget = paid.shown["budget"]
        guesses = look.guess if budget == "1" else plurals(look.guess)
        limit = look.paid(budget) if seen.priced else f"{budget} {guesses}"
        won = f"{decimal(100 * paid.probability)}\u00a0%"
        text = does.replace("each", won) if strategy.goal == "win" else f"{does} in {won} of all cases"
        return f"{text} within a budget of {limit}."
    text = f"{does} after at most {plural(summary.worst, look.guess)}"
    if strategy.lies:
        many = strategy.lies
        return f"{text}, even if {plural(many, 'answer')} {'is' if many == 1 else 'are'} wrong."
    if paid is None or not _priced(game):
        asked = summary.average if paid is None else paid.average * game.cost_unit
        return f"{text}, and after {decimal(asked)} on average."
    average, worst = decimal(paid.average * game.cost_unit), paid.shown["worst"]
    if counted(look.cost):
        return f"{text}, for {look.paid(average)} on average and at most {look.paid(worst)}."
    return f"{text}, at a {look.cost} of {average} on average and at most {worst}."


def _priced(game: Game) -> bool:
    """Whether something else is paid than guesses."""
    return game.facts.priced or bool(game.decisions)


def verdict(strategy: Tree) -> str:
    """Return in a sentence what is proven of a strategy, or how far from the best it may be."""
    claims = strategy.claims
    limits = " within these limits" if claims.parameters else ""
    if claims.proven:
        return f"{capital(proof(strategy))}."
    if claims.objective not in OBJECTIVE_NAMES or not claims.upper:
        return "Nobody has said how good it is."
    pairs = [pair for pair in zip(claims.lower, claims.upper, strict=False) if pair[0] != pair[1]]
    far = gap(*pairs[0]) if pairs else None
    if far is None:
        return "Not proven to be the best: how much better one could be is not known."
    by = "The file says: not" if claims.by_file else "Not"
    return f"{by} proven to be the best: a better one{limits} could save at most {_share_saved(far)}."


def _share_saved(far: float) -> str:
    """Return how much less the best may take, in percent of what this one takes, rounded up."""
    saved = 100 * far / (1 + far)
    return f"{decimal(Fraction(max(-int(-saved * 10 // 1), 1), 10))}\u00a0%"


LIMITS = {
    "max_depth": "{guesses} at most",
    "first": "first {guess}",
    "width": "{guesses} tried each time",
    "candidates_only": "asks only what may be the {secret}",
}


def _limit(game: Game, limit: str) -> str:
    """Return what restricts a strategy in plain words."""
    look, (name, _, value) = game.look, limit.partition(": ")
    text = LIMITS.get(name, name).format(guess=look.guess, guesses=plurals(look.guess), secret=look.secret)
    return text if value == "True" else f"{text}: {value}"


def _bounds(game: Game, strategy: Tree) -> str:
    """Return between which values the best lies, averages like the figures; empty where it is proven."""
    lower, upper = claimed_bounds(game, strategy.claims, averages=not strategy.lies)
    if strategy.claims.proven or not lower or not upper:
        return ""
    return f"at least {', '.join(lower)}, at most {', '.join(upper)}"


def _figures(seen: Outline, summary: Summary, paid: Costs | None) -> list[list[str]]:
    """Return names and values of what a strategy takes."""
    game = seen.game
    look, asked = game.look, plurals(game.look.guess)
    found = [[capital(plurals(look.secret)), f"{seen.steps[0].causes:,}"]]
    if not game.facts.weighted and not game.facts.noisy and not seen.strategy.lies:
        found.append([f"{capital(asked)} in all", f"{summary.total:,}"])
    priced = paid is not None and _priced(game)
    if paid is not None and game.facts.weighted and not priced:
        found.append([f"{capital(asked)} on average", paid.shown["average"]])  # by how likely each secret is
    elif not seen.strategy.lies and (paid is None or not game.facts.weighted):
        found.append([f"{capital(asked)} on average", rounded_text(summary.average)])
    found.append([f"{capital(asked)} at most", f"{summary.worst:,}"])
    if paid is not None and priced:
        found.append([f"{capital(look.cost)} on average", paid.shown["average"]])
        found.append([f"{capital(look.cost)} at most", paid.shown["worst"]])
    if paid is not None and paid.budget is not None:
        found.append(["Won within the budget", f"{decimal(100 * paid.probability)}\u00a0%"])
    if seen.strategy.lies:
        found.append(["Wrong answers", f"up to {seen.strategy.lies}"])
    return found


def _joined(bars: Any) -> list[tuple[str, int]]:
    """Return the bars of a histogram, the last of many as one."""
    every = [(str(n), many) for n, many in bars]
    if len(every) <= MOST_HELD:
        return every
    rest = every[MOST_HELD - 1 :]
    return [*every[: MOST_HELD - 1], (f"{rest[0][0]}–{rest[-1][0]}", sum(many for _, many in rest))]
