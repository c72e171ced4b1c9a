"""What stands above a drawing: game, goal, method, and figures taken from the tree."""

from __future__ import annotations

from guesstree.engine.exact import short_text
from guesstree.engine.game import Game
from guesstree.engine.look import plural, plurals

from ..figures import claimed_bounds, claimed_limits, lost, strategy_costs, weighed
from ..outline import figures_told
from ..tree import Tree
from ..words import meaning, proof
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
    figures = figures_told(game, strategy)
    what = [f"goal: {strategy.goal}"]
    if strategy.lies:
        what.append(f"lies: {strategy.lies}")
    what += [
        f"{key}: {value}"
        for key, value in (("objective", claims.objective), ("method", claims.method))
        if value
    ]
    if (above := titled(game, title)) != (spec := plain(game.spec, 60)):
        what.append(spec)
    limits = plain(" · ".join(claimed_limits(game, claims)), 120)
    how = [plain(" · ".join(what), 120), limits] if parameters else []
    paid = None if strategy.lies else strategy_costs(game, strategy)
    found = [plural(figures.secrets, look.secret)]
    if about := meaning(game, strategy):
        found.append(f"at most {plural(figures.worst, look.guess)}")
    elif strategy.lies:  # then a secret has no single number of guesses
        found.append(f"worst {figures.worst}")
    elif paid is None:
        found += [
            f"total {short_text(figures.total)}",
            f"average {float(figures.average):.4f}",
            f"worst {figures.worst}",
        ]
    else:
        unit = plurals(look.guess) if game.costs is None else look.cost
        shown = paid.shown
        found += [
            *([f"weight {shown['weight']}"] if shown["weight"] != "1" else []),
            f"average {unit} {shown['average']}",
            f"worst {shown['worst']}",
        ]
        if game.costs is not None:
            found.append(f"at most {plural(figures.worst, look.guess)}")
        if paid.budget is not None:
            found.insert(1, f"wins {percent(paid.won, paid.weight)} within a budget of {shown['budget']}")
    proved = proof(game, strategy) if claims.proven else ""
    if not proved and any(bounds := claimed_bounds(game, claims, averages=paid is not None)):
        least, most = (", ".join(bound) or "unknown" for bound in bounds)
        found.append(claims.told(f"optimum at least {least}, at most {most}"))
    counts = [f"{n}: {many}" for n, many in figures.histogram.items()]
    counts = counts if len(counts) <= 16 else [*counts[:15], "…", counts[-1]]
    most = "" if game.kinds is None and game.model is None else " at most"
    needed = look.named(f"Secrets by guesses needed{most}:  ") + "   ".join(counts)
    lines = above, *how, " · ".join(found), proved, about, needed
    return [text for text in lines if text]


def title(game: Game, strategy: Tree, said: str = "", *, parameters: bool = True) -> list[Line]:
    """Return the lines above a drawing: what it is, see `headlines`, and what its colours mean."""
    key = game.look.named("Filled: wins for certain. Golden frame: the guess may win.")
    if strategy.goal != "win":
        key = "Filled: decided." if game.decisions else "Filled: identified."
    if lost(game, strategy):
        key += " Grey: costs more than the budget."
    if weighed(game) or game.decisions:
        key += " Percent: share of the weight."
    if game.model is not None:
        key += " Percent after a name: how likely it is there."
    if game.look.answers == "marks":
        key += f" {LEGEND}"
    first, *rest = headlines(game, strategy, said, parameters=parameters)
    bold = f'<FONT POINT-SIZE="{TITLE:.0f}"><B>{escape(first)}</B></FONT>'
    wide = text_width(first, TITLE) * BOLD
    return [Line(bold, wide, 20), *map(text_line, rest), text_line(key, INK)]
