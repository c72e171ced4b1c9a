"""What stands above a drawing: game, goal, method, and figures taken from the tree."""

from __future__ import annotations

from guesstree.engine.exact import short_text
from guesstree.engine.game import Game

from ..figures import claimed_bounds, claimed_limits, figures_of, lost, weighed
from ..language import noun, number_text, paid_noun, say, say_of, so_many
from ..tree import Tree
from ..words import found_how, meaning, proof
from .boxes import INK
from .cells import LEGEND
from .heading import titled
from .labels import Line, escape, percent, plain, text_line, text_width
from .wrap import BOLD

TITLE = 13.0
"""Size of the first line."""


def headlines(game: Game, strategy: Tree, title: str = "", *, parameters: bool = True) -> list[str]:
    """Return lines that say what a tree is: its title, how it was found, and figures taken from the tree.

    Without `parameters` nothing is said of how: goal, objective, method, limits and the spec of the game.
    """
    claims = strategy.claims
    look = game.look
    comes_to = figures_of(strategy)
    figures = comes_to.counted
    what = [f"{name}: {value}" for name, value in found_how(strategy) if value]
    if strategy.lies:
        what.insert(1, say("lies: {number}", number=strategy.lies))
    if (above := titled(game, title)) != (spec := plain(game.spec, 60)):
        what.append(spec)
    limits = plain(" · ".join(claimed_limits(game, claims)), 120)
    how = [plain(" · ".join(what), 120), limits] if parameters else []
    paid = None if strategy.lies else comes_to.costs
    found = [so_many(figures.secrets, look.secret)]
    at_most = say("at most {guesses}", guesses=so_many(figures.worst, look.guess))
    worst = say("worst {number}", number=figures.worst)
    if about := meaning(game, comes_to):
        found.append(at_most)
    elif strategy.lies:  # then a secret has no single number of guesses
        found.append(worst)
    elif paid is None:
        found += [
            say("total {number}", number=number_text(short_text(figures.total))),
            say("average {number}", number=number_text(f"{float(figures.average):.4f}")),
            worst,
        ]
    else:
        unit = noun(look.guess, 2) if not game.facts.priced else paid_noun(look)
        shown = {name: number_text(value) for name, value in paid.shown.items()}
        found += [
            *([say("weight {number}", number=shown["weight"])] if shown["weight"] != "1" else []),
            say("average {unit} {number}", unit=unit, number=shown["average"]),
            say("worst {number}", number=shown["worst"]),
        ]
        if game.facts.priced:
            found.append(at_most)
        if paid.budget is not None:
            won = number_text(percent(paid.won, paid.weight))
            text = say("wins {share} within a budget of {budget}", share=won, budget=shown["budget"])
            found.insert(1, text)
    proved = proof(strategy) if claims.proven else ""
    if not proved and any(bounds := claimed_bounds(game, claims, averages=paid is not None)):
        least, most = (", ".join(bound) or say("unknown") for bound in bounds)
        range_text = say("optimum at least {least}, at most {most}", least=least, most=most)
        found.append(say("the file says: {what}", what=range_text) if claims.by_file else range_text)
    counts = [f"{n}: {many}" for n, many in figures.histogram.items()]
    counts = counts if len(counts) <= 16 else [*counts[:15], "…", counts[-1]]
    if not game.facts.by_kind and not game.facts.noisy:
        needed = say_of(look, "{Secrets} by {guesses} needed:")
    else:
        needed = say_of(look, "{Secrets} by {guesses} needed at most:")
    needed += "  " + "   ".join(counts)
    lines = above, *how, " · ".join(found), proved, about, needed
    return [text for text in lines if text]


def title(game: Game, strategy: Tree, said: str = "", *, parameters: bool = True) -> list[Line]:
    """Return the lines above a drawing: what it is, see `headlines`, and what its colours mean."""
    if strategy.goal == "win":
        keys = [say_of(game.look, "Filled: wins for certain. Golden frame: the {guess} may win.")]
    else:
        keys = [say("Filled: decided.") if game.decisions else say("Filled: identified.")]
    if lost(strategy):
        keys.append(say("Grey: costs more than the budget."))
    if weighed(game) or game.decisions:
        keys.append(say("Percent: share of the weight."))
    if game.facts.noisy:
        keys.append(say("Percent after a name: how likely it is there."))
    if game.look.answers == "marks":
        keys.append(say(LEGEND))
    first, *rest = headlines(game, strategy, said, parameters=parameters)
    bold = f'<FONT POINT-SIZE="{TITLE:.0f}"><B>{escape(first)}</B></FONT>'
    wide = text_width(first, TITLE) * BOLD
    return [Line(bold, wide, 20), *map(text_line, rest), text_line(" ".join(keys), INK)]
