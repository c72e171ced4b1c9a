"""What stands above a sheet to print: what it is for, and what its strategy takes."""

from __future__ import annotations

from fractions import Fraction

from guesstree.engine.errors import shown
from guesstree.engine.game import Game
from guesstree.engine.registry import title_of_spec

from ..figures import figures_of, weighed
from ..language import decimal, noun, number_text, paid_text, say, say_of, says, so_many
from ..outline import Outline
from ..tree import TreeError
from ..words import proof
from .labels import percent, plain

LONGEST_TITLE = 300
"""Characters of a title."""


def called(game: Game) -> str:
    """Return what a person calls a game: ``Trees`` for ``table:trees.csv,merge``, or ``Mastermind 4x6``."""
    return title_of_spec(game.spec)


def titled(game: Game, title: str) -> str:
    """Return the title of a drawing on one line, that of the game where none is given.

    Raises TreeError for one that would leave no room for the drawing.
    """
    if not isinstance(title, str):
        raise TreeError(f"a title of {shown(title)}; expected text")
    if len(title) > LONGEST_TITLE:
        raise TreeError(f"a title of {len(title)} characters; expected at most {LONGEST_TITLE}")
    return plain(title or called(game), LONGEST_TITLE)


def sheet_title(game: Game) -> str:
    """Return what a sheet is called: the name of the table, or the game, and what is asked."""
    name = called(game)
    if game.decisions:
        if len(game.decisions) > 1:
            return say("{table}: which decision?", table=name)
        return say("{table}: what to do?", table=name)
    return say_of(game.look, "{table}: which {secret}?", table=name)


def sheet_figures(found: Outline) -> list[str]:
    """Return what a strategy takes, in the words of its game: some short texts.

    What it costs where decisions lose is said by `words.meaning`.
    """
    game, strategy = found.game, found.strategy
    look, paid = game.look, None if strategy.lies else figures_of(strategy).costs
    ends = [(found.asked(at), step.weight) for at, step in enumerate(found.steps) if step.names]
    most = max(asked for asked, _ in ends)
    at_most = say("at most {guesses}", guesses=so_many(most, look.guess))
    said = [so_many(found.steps[0].causes, look.secret)]
    if strategy.lies:  # then each ends in many ways, and there is no average
        said.append(at_most)
        said.append(says("{n} answer may be false", "{n} answers may be false", strategy.lies))
    elif game.decisions:
        said.append(at_most)
    elif paid is not None and found.priced:
        average = paid_text(look, decimal(paid.average * game.cost_unit))
        worst = number_text(paid.shown["worst"])
        said.append(say("{cost} on average, at most {worst}", cost=average, worst=worst))
        said.append(at_most)
    else:
        total = Fraction(sum(asked * weight for asked, weight in ends), sum(weight for _, weight in ends))
        average = decimal(total)
        asks = f"{average} {noun(look.guess, 1 if average == '1' else 2)}"
        said.append(say("{guesses} on average, at most {most}", guesses=asks, most=most))
    if paid is not None and paid.budget is not None:
        budget = number_text(paid.shown["budget"])
        limit = paid_text(look, budget) if found.priced else f"{budget} {noun(look.guess, 2)}"
        share = number_text(percent(paid.won, paid.weight))
        said.append(say("{share} within {limit}", share=share, limit=limit))
    if strategy.claims.proven:
        said.append(proof(strategy))
    return said


def shares_differ(found: Outline) -> bool:
    """Whether some ends are likelier than others, so that a share says something."""
    return (weighed(found.game) or bool(found.game.decisions)) and not found.strategy.lies
