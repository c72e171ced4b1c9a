"""What the numbers of a strategy mean, in words: the same in print, in drawings and on sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from guesstree.engine.exact import rounded_text
from guesstree.engine.game import Game
from guesstree.engine.notation import Look, capital
from guesstree.engine.objective import OBJECTIVES

from .figures import Figures
from .language import amount, decimal, paid_text, say, say_of, says, share_text, to_say
from .outline import Step, outline
from .tree import DONE, Tree

MOST_DECISIONS = 20
"""The decisions of a strategy that are listed."""
FEW = 4
"""So many of what is possible are named one by one; the others together."""
SMALL = Fraction(1, 50)
"""What is less likely is named with the others."""


def likely(possible: Sequence[tuple[str, Fraction]], most: int = FEW) -> list[str]:
    """Return what is possible with its probability, likeliest first, such as ``ill 98 %`` and ``well 2 %``.

    What is unlikely, and what is more than a reader takes in, is named together: ``3 others 1.2 %``. What is
    certain is named alone.
    """
    if len(possible) == 1:
        return [possible[0][0]]
    named = [one for at, one in enumerate(possible) if not at or (at < most and one[1] >= SMALL)]
    if len(possible) - len(named) == 1:  # to name it takes no more room
        named = list(possible)
    # A number is kept apart from the percents: ``pump 2: 5 %``.
    said = [f"{name}{':' * name[-1:].isdigit()} {share_text(chance)}" for name, chance in named]
    others = possible[len(named) :]
    if others:
        rest = sum((chance for _, chance in others), Fraction())
        said.append(says("{n} other {share}", "{n} others {share}", len(others), share=share_text(rest)))
    return said


def remarks(game: Game, step: Step, most: int = FEW) -> list[str]:
    """Return what is possible at a step, as `likely` does, and what is lost on average by what it decides.

    What is lost whatever is true, such as by a call for service, is given as a price. Nothing is said of what
    is possible where the step says so itself, the ends below name it, or a few come to less than a half.
    """
    certain = len(step.possible) == 1 and step.names == (step.possible[0][0],)
    known = not step.possible or certain or not (game.decisions or step.names)
    few = 2 * sum(chance for _, chance in step.possible[:most]) >= 1
    alike = len(step.names) > 1 and step.possible[0][1] == step.possible[-1][1]
    found = (
        []
        if known or alike or not few
        else [text.replace(" %", "\u00a0%") for text in likely(step.possible, most)]
    )
    if step.loss:
        lost = decimal(Fraction(step.loss) * game.cost_unit)
        price = _steady(game, step)
        found.append(
            paid_text(game.look, lost) if price else say("expected loss {loss}", loss=amount(game.look, lost))
        )
    return found


def said_end(name: str) -> str:
    """Return what an end names; `DONE` in the language that is spoken."""
    return say(DONE) if name == DONE else name


def _steady(game: Game, step: Step) -> bool:
    """Return whether a decision loses the same whatever is true: that is its price."""
    losses = None if game.model is None else game.model.losses
    return losses is not None and len(set(losses[game.decisions.index(step.names[0])])) == 1


def decision_rows(figures: Figures) -> tuple[list[tuple[str, str, str, str]], int]:
    """Return the decisions of a strategy by its figures, most often first, and how many more there are.

    Each has its name, how often it is made, how often wrong, and what it loses on average.
    """
    found = figures.decisions
    rows = [
        (
            one.label,
            f"{100 * float(one.share):.2f} %",
            f"{100 * float(one.wrong):.2f} %",
            rounded_text(one.loss * figures.cost_unit),
        )
        for one in found[:MOST_DECISIONS]
    ]
    return rows, len(found) - len(rows)


def meaning(game: Game, figures: Figures) -> str:
    """Return what a strategy that decides comes to, in sentences; empty where nothing is lost by decisions.

    Such as ``2.4 EUR on average: tests 1, wrong decisions 1.4. In the worst case 10 EUR.``
    """
    model, costs = game.model, figures.costs
    if model is None or model.losses is None or costs is None:
        return ""
    whole = costs.average * game.cost_unit
    lost = Fraction(costs.loss or 0) / costs.weight * game.cost_unit
    # Where every secret has a decision that loses nothing, only wrong ones do.
    free = all(0 in column for column in zip(*model.losses, strict=True))
    parts = {
        "average": capital(paid_text(game.look, decimal(whole))),
        "asked": decimal(whole - lost - costs.for_leaves * game.cost_unit),
        "lost": decimal(lost),
        "leaves": decimal(costs.for_leaves * game.cost_unit),
    }
    worst = amount(game.look, decimal(Fraction(costs.worst) * game.cost_unit))
    said = [
        _average_of(game, parts, free=free, leaves=bool(costs.leaf_price)),
        say("In the worst case {cost}.", cost=worst),
    ]
    # Right is one that no other would have been better than.
    wrong = sum((decision.wrong for decision in figures.decisions), Fraction())
    if wrong:
        said.append(say("{share} of decisions are right.", share=share_text(1 - wrong)))
    return " ".join(said)


def _average_of(game: Game, parts: dict[str, str], *, free: bool, leaves: bool) -> str:
    """Return the average and its parts: `free` where only wrong decisions lose; `leaves` have a price."""
    look = game.look
    if not leaves:
        return (
            say_of(look, "{average} on average: {guesses} {asked}, wrong decisions {lost}.", **parts)
            if free
            else say_of(look, "{average} on average: {guesses} {asked}, decisions {lost}.", **parts)
        )
    if free:
        return say_of(
            look,
            "{average} on average: {guesses} {asked}, wrong decisions {lost}, leaves {leaves}.",
            **parts,
        )
    return say_of(
        look, "{average} on average: {guesses} {asked}, decisions {lost}, leaves {leaves}.", **parts
    )


def proof(strategy: Tree) -> str:
    """Return in words what is proven of a strategy, which is to be, with who says so where that is a file.

    Such as ``proven: no order needs fewer tests in the worst case``.
    """
    game, claims = strategy.game, strategy.claims
    limits = bool(set(claims.parameters) - {"budget"})
    if game.look.secret != Look.secret:
        what = say("order within these limits") if limits else say("order")
    else:
        what = say("strategy within these limits") if limits else say("strategy")
    claim = _better(strategy, what)
    return say("the file says: {what}", what=claim) if claims.by_file else say("proven: {what}", what=claim)


def _better(strategy: Tree, order: str) -> str:
    """Return what no other order of the questions does, by the objective."""
    game, model = strategy.game, strategy.game.model
    counted = say_of(game.look, "fewer {guesses}")
    if model is not None and model.losses is not None:
        counted = ""
    elif game.facts.priced if not game.facts.by_kind and model is None else outline(game, strategy).costly:
        cost = game.look.cost
        counted = say("fewer {units}", units=paid_text(game.look, "").strip()) if cost.endswith("s") else ""
    known = OBJECTIVES.get(strategy.claims.objective)
    if known is None:
        return say("no {order} is better", order=order)
    return say(known.proven if counted else known.proven_cost, order=order, fewer=counted)


GOAL_NAMES = {"identify": to_say("identify"), "win": to_say("win")}
METHOD_NAMES = {"exact": to_say("exact"), "beam": to_say("beam")}


def found_how(strategy: Tree) -> list[tuple[str, str]]:
    """Return what a strategy is for and how it was found, each with its name."""
    claims = strategy.claims
    return [
        (say("goal"), say(GOAL_NAMES[strategy.goal])),
        (say("objective"), _named(claims.objective, {name: name for name in OBJECTIVES})),
        (say("method"), _named(claims.method, METHOD_NAMES)),
    ]


def _named(name: str, known: Mapping[str, str]) -> str:
    return say(known[name]) if name in known else name
