"""What stands above a sheet to print: what it is for, and what its strategy takes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from guesstree.engine.game import Game
from guesstree.engine.look import Look, plural, plurals

from ..figures import strategy_costs, weighed
from ..outline import Outline
from ..words import decimal, proof
from .labels import percent


def sheet_title(game: Game) -> str:
    """Return what a sheet is called: the name of the table, or the game, and what is asked."""
    name = game.spec
    if game.look.secret != Look.secret:
        name = Path(name.partition(":")[2].partition(",")[0]).stem or name
    if game.decisions:
        return f"{name}: {'which decision' if len(game.decisions) > 1 else 'what to do'}?"
    return f"{name}: which {game.look.secret}?"


def sheet_figures(found: Outline) -> list[str]:
    """Return what a strategy takes, in the words of its game: some short texts.

    What it costs where decisions lose is said by `words.meaning`.
    """
    game, strategy = found.game, found.strategy
    look, paid = game.look, None if strategy.lies else strategy_costs(game, strategy)
    ends = [(found.asked(at), step.weight) for at, step in enumerate(found.steps) if step.names]
    most = max(asked for asked, _ in ends)
    said = [plural(found.steps[0].causes, look.secret)]
    if strategy.lies:  # then each ends in many ways, and there is no average
        said += [f"at most {plural(most, look.guess)}", f"{plural(strategy.lies, 'answer')} may be false"]
    elif game.decisions:
        said.append(f"at most {plural(most, look.guess)}")
    elif paid is not None and found.priced:
        average = decimal(paid.average * game.cost_unit)
        said += [f"{look.paid(average)} on average, at most {paid.shown['worst']}"]
        said += [f"at most {plural(most, look.guess)}"]
    else:
        total = Fraction(sum(asked * weight for asked, weight in ends), sum(weight for _, weight in ends))
        average = decimal(total)
        asks = look.guess if average == "1" else plurals(look.guess)
        said.append(f"{average} {asks} on average, at most {most}")
    if paid is not None and paid.budget is not None:
        budget = paid.shown["budget"]
        limit = look.paid(budget) if found.priced else f"{budget} {plurals(look.guess)}"
        said.append(f"{percent(paid.won, paid.weight)} within {limit}")
    if strategy.claims.proven:
        said.append(proof(game, strategy))
    return said


def shares_differ(found: Outline) -> bool:
    """Whether some ends are likelier than others, so that a share says something."""
    return (weighed(found.game) or bool(found.game.decisions)) and not found.strategy.lies
