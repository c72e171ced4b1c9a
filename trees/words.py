"""What the numbers of a strategy mean, in words: the same in print, in drawings and on sheets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from guesstree.engine.exact import rounded_text
from guesstree.engine.game import Game
from guesstree.engine.look import Look, capital, plurals
from guesstree.engine.objective import WIN_PROBABILITY

from .figures import decisions_in, strategy_costs
from .outline import Step, outline
from .tree import Tree

MOST_DECISIONS = 20
"""The decisions of a strategy that are listed."""
FEW = 4
"""So many of what is possible are told one by one; the others are told together."""
SMALL = Fraction(1, 50)
"""What is less likely is told with the others."""


def share_text(share: Fraction) -> str:
    """Return a share in percent, two digits of it; what is not certain is never 100 %, nor 0 %."""
    if share < Fraction(1, 1000):
        return "< 0.1 %" if share else "0 %"
    if Fraction(199, 200) <= share < 1:
        return "> 99 %"
    shown = f"{float(100 * share):.{0 if share >= Fraction(1, 10) else 1}f}"
    return f"{shown.removesuffix('.0')} %"


def decimal(value: Fraction) -> str:
    """Return a number with two decimals at most, three digits where it is small."""
    shown = f"{float(value):.2f}" if value >= 1 else f"{float(value):.3g}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def likely(possible: Sequence[tuple[str, Fraction]], most: int = FEW) -> list[str]:
    """Return what is possible with its probability, likeliest first, such as ``ill 98 %`` and ``well 2 %``.

    What is unlikely, and what is more than a reader takes in, is told together: ``3 others 1.2 %``. What is
    certain is named alone.
    """
    if len(possible) == 1:
        return [possible[0][0]]
    told = [one for at, one in enumerate(possible) if not at or (at < most and one[1] >= SMALL)]
    if len(possible) - len(told) == 1:  # to name it takes no more room
        told = list(possible)
    # A number is kept apart from the percents: ``pump 2: 5 %``.
    said = [f"{name}{':' * name[-1:].isdigit()} {share_text(chance)}" for name, chance in told]
    others = possible[len(told) :]
    if others:
        rest = sum((chance for _, chance in others), Fraction())
        said.append(f"{len(others)} others {share_text(rest)}")
    return said


def remarks(game: Game, step: Step, most: int = FEW) -> list[str]:
    """Return what is possible at a step, as `likely` does, and what is lost on average by what it decides.

    What is lost whatever is true, such as by a call for service, is told as a price. Nothing is said of what
    is possible where the step says so itself, the ends below name it, or a few come to less than a half.
    """
    certain = len(step.possible) == 1 and step.names == (step.possible[0][0],)
    known = not step.possible or certain or not (game.decisions or step.names)
    few = 2 * sum(chance for _, chance in step.possible[:most]) >= 1
    alike = len(step.names) > 1 and step.possible[0][1] == step.possible[-1][1]
    told = (
        []
        if known or alike or not few
        else [text.replace(" %", "\u00a0%") for text in likely(step.possible, most)]
    )
    if step.loss:
        lost = decimal(Fraction(step.loss) * game.cost_unit)
        told.append(game.look.paid(lost) if _steady(game, step) else f"expected loss {amount(game, lost)}")
    return told


def amount(game: Game, number: str) -> str:
    """Return a number with what costs are counted in, such as ``16.67 EUR``; alone where they are not."""
    return game.look.paid(number).removeprefix(f"{game.look.cost} ")


def _steady(game: Game, step: Step) -> bool:
    """Return whether a decision loses the same whatever is true: that is its price."""
    losses = None if game.model is None else game.model.losses
    return losses is not None and len(set(losses[game.decisions.index(step.names[0])])) == 1


def decision_rows(strategy: Tree) -> tuple[list[tuple[str, str, str, str]], int]:
    """Return the decisions of a strategy, most often first, and how many more there are.

    Each has its name, how often it is made, how often wrong, and what it loses on average.
    """
    found, unit = decisions_in(strategy), strategy.game.cost_unit
    rows = [
        (
            one.label,
            f"{100 * float(one.share):.2f} %",
            f"{100 * float(one.wrong):.2f} %",
            rounded_text(one.loss * unit),
        )
        for one in found[:MOST_DECISIONS]
    ]
    return rows, len(found) - len(rows)


def meaning(game: Game, strategy: Tree) -> str:
    """Return what a strategy that decides comes to, in sentences; empty where nothing is lost by decisions.

    Such as ``2.4 EUR on average: tests 1, wrong decisions 1.4. In the worst case 10 EUR.``
    """
    model, costs = game.model, strategy_costs(game, strategy)
    if model is None or model.losses is None or costs is None:
        return ""
    look, whole = game.look, costs.average * game.cost_unit
    lost = Fraction(costs.loss or 0) / costs.weight * game.cost_unit
    # Where every secret has a decision that loses nothing, only wrong ones do.
    free = all(0 in column for column in zip(*model.losses, strict=True))
    average = look.paid(decimal(whole))
    said = [
        f"{capital(average)} on average: {plurals(look.guess)} {decimal(whole - lost)}, "
        f"{'wrong ' if free else ''}decisions {decimal(lost)}.",
        f"In the worst case {amount(game, decimal(Fraction(costs.worst) * game.cost_unit))}.",
    ]
    # Right is one that no other would have been better than.
    wrong = sum((decision.wrong for decision in decisions_in(strategy)), Fraction())
    if wrong:
        said.append(f"{share_text(1 - wrong)} of decisions are right.")
    return " ".join(said)


def proof(game: Game, strategy: Tree) -> str:
    """Return in words what is proven of a strategy, which is to be, with who says so where that is a file.

    Such as ``proven: no order needs fewer tests in the worst case``.
    """
    claims = strategy.claims
    limits = " within these limits" if set(claims.parameters) - {"budget"} else ""
    what = "order" if game.look.secret != Look.secret else "strategy"
    by = "the file says" if claims.by_file else "proven"
    return f"{by}: no {what}{limits} {_better(game, strategy)}"


def _better(game: Game, strategy: Tree) -> str:
    """Return what no other strategy does, by the objective."""
    objective, model = strategy.claims.objective, game.model
    less, does = f"fewer {plurals(game.look.guess)}", "needs"
    if model is not None and model.losses is not None:
        less, does = "less", "costs"
    elif game.costs is not None if game.kinds is None and model is None else outline(game, strategy).priced:
        counted = game.look.cost.endswith("s")
        less, does = (f"fewer {game.look.cost}", "needs") if counted else ("less", "costs")
    again = less.partition(" ")[0]
    told = {
        "worst": "in the worst case",
        "expected": "on average",
        "worst,expected": f"in the worst case, nor {again} on average with the same worst case",
        "expected,worst": f"on average, nor {again} in the worst case with the same average",
    }
    if objective in told:
        return f"{does} {less} {told[objective]}"
    return "succeeds more often within the budget" if objective == WIN_PROBABILITY.name else "is better"
