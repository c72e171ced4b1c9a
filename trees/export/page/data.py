"""What a page holds of a strategy, as JSON: its steps, labels and figures, and how its codes look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from guesstree.engine.emphasis import bare
from guesstree.engine.exact import Value
from guesstree.engine.game import Game, weights_of
from guesstree.engine.noisy.integer_model import bits
from guesstree.engine.noisy.model import Model
from guesstree.engine.notation import MISS, Look, plurals

from ...figures import Costs, Figures, claimed_bounds, claimed_limits, figures_of, weighed
from ...language import (
    amount,
    answer_texts,
    noun,
    noun_forms,
    nouns_of,
    number_marks,
    number_text,
    paid_noun,
    paid_text,
    plural_forms,
    say,
    say_of,
)
from ...outline import Outline, outline
from ...tree import Tree
from ...words import found_how, meaning, proof
from ..colours import MARKS, colour_of, ink
from ..labels import percent

MOST_CELLS = 100_000
"""Of the table that a page holds."""


def as_data(game: Game, strategy: Tree) -> dict[str, Any]:
    """Return what the page is made of: the steps of the strategy, labels, figures, and how codes look.

    Nodes are the steps of the outline but those that are won; arrays have an entry for each. `secrets` are
    what is to be known, `secret` says which of them a node names or wins, or is -1; `beside` holds, by node,
    what else it names, `also` the responses that lead there beside the one of `response`. `weight` is what
    ends at each node, None where all weigh the same; `left` how many may still be named there, None where
    every secret has one end. `patterns` is what is shown of the secret at each node, None where responses are
    no places. `guesses` holds the labels of the guesses asked by their index, or is None when they are those
    of the secrets. `decided` is what nodes decide, in the order of `decisions`; there, and
    where a response ended the path, `secret` and `beside` are those that are possible.
    """
    found = outline(game, strategy)
    kept = [at for at in range(len(found.steps)) if not found.won(at)]
    steps, number = [found.steps[at] for at in kept], {at: i for i, at in enumerate(kept)}
    same = game.guesses is game.secrets
    secrets = list(game.secrets) if game.kinds is None else list(dict.fromkeys(game.kinds))
    index = {label: i for i, label in enumerate(secrets)}
    answers = {label: r for r, label in enumerate(game.responses)}
    guess = [-1 if s.names and strategy.goal != "win" else int(strategy.guess[s.node]) for s in steps]
    ends = [s.secrets or tuple(index[name] for name in s.names) if s.names else () for s in steps]
    secret = [end[0] if end else -1 for end in ends]
    beside = {str(i): list(end[1:]) for i, end in enumerate(ends) if end[1:]}
    weight = [_plain(s.weight if s.names else 0) for s in steps]
    response, also = [-1] * len(steps), {}
    for i, step in enumerate(steps):
        for branch in step.branches:
            first, *more = (answers[answer] for answer in branch.answers)
            if found.won(branch.step):
                won = found.steps[branch.step]
                secret[i], weight[i] = index[won.names[0]], _plain(won.weight)
            else:
                response[number[branch.step]] = first
                if more:
                    also[str(number[branch.step])] = more
    outcomes, whole = _outcomes(found, guess)
    asked = sorted({g for g in guess if g >= 0} | {int(g) for g in (outcomes or {})})
    claims, comes_to = strategy.claims, figures_of(strategy)
    figures = _figures(game, comes_to)
    lower, upper = claimed_bounds(game, claims, averages=comes_to.costs is not None)
    return {
        "game": game.spec,
        "goal": strategy.goal,
        "objective": claims.objective,
        "method": claims.method,
        "parameters": claimed_limits(game, claims),
        "proven": claims.proven,
        "proof": proof(strategy) if claims.proven else "",
        "claimed": claims.attributed(""),
        "lower": lower,
        "upper": upper,
        "figures": {key: value for key, _, value in figures},
        "captions": [caption for _, caption, _ in figures],
        "tags": found_how(strategy),
        "codes": game.look.codes,
        "answers": game.look.answers,
        "nouns": {name: called for name, called in nouns_of(game.look).items() if name.islower()},
        "forms": {"secret": noun_forms(game.look.secret), "guess": noun_forms(game.look.guess)},
        "plural": plural_forms(),
        "marks": number_marks(),
        "accepted": game.look.accepted(game.secrets),
        "palette": _palette(game.look, secrets if same else [*secrets, *(game.guesses[g] for g in asked)]),
        "winning": game.winning if strategy.goal == "win" else None,
        "responses": answer_texts(game.look, game.responses) if game.look.speaks else list(game.responses),
        "secrets": list(map(bare, secrets)),
        "guesses": None if same else {str(g): bare(game.guesses[g]) for g in asked},
        "guess": guess,
        "parent": [number.get(step.parent, -1) for step in steps],
        "response": response,
        "also": also,
        "secret": secret,
        "beside": beside,
        "decisions": list(game.decisions),
        "decided": {
            str(i): strategy.decided[s.node] for i, s in enumerate(steps) if s.node in strategy.decided
        },
        "patterns": [found.patterns[at] for at in kept] if game.look.answers == "places" else None,
        "miss": MISS,
        "weight": weight if game.facts.weighted or game.facts.noisy else None,
        "left": [step.causes for step in steps] if game.facts.by_kind or game.facts.noisy else None,
        "prices": _prices(found, asked),
        "priced": found.costly,
        "paid": [paid_text(game.look, "1"), paid_text(game.look, "%")],
        "amount": amount(game.look, "%"),
        "unit": [game.cost_unit.numerator, game.cost_unit.denominator],
        "outcomes": outcomes,
        "whole": whole,
        "model": None if game.model is None else _model(game.model, asked, outcomes or ()),
        "losses": _losses(game),
        **_remarks(game, secrets),
        "likely": game.facts.noisy or weighed(game),
        "meaning": meaning(game, comes_to),
        "kinds": None if outcomes is None or game.kinds is None else [index[kind] for kind in game.kinds],
        "weights": None if outcomes is None or game.weights is None else weights_of(game).tolist(),
    }


def _remarks(game: Game, secrets: Sequence[str]) -> dict[str, Any]:
    """Return notes and pictures of guesses and of secrets by their numbers, where there are some."""
    sides = (("guesses", game.guess_remarks, game.guesses), ("secrets", game.secret_remarks, secrets))
    found = {}
    for side, remarks, labels in sides:
        if remarks:
            found[side] = {
                "notes": {str(i): remarks.notes[own] for i, own in enumerate(labels) if own in remarks.notes},
                "images": {
                    str(i): remarks.images[own] for i, own in enumerate(labels) if own in remarks.images
                },
            }
    return {"remarks": found} if found else {}


def _plain(number: Value) -> int | float:
    return int(number) if number == int(number) else float(number)


def _outcomes(seen: Outline, asked: Sequence[int]) -> tuple[dict[str, list[Any]] | None, bool | None]:
    """Return the responses to guesses by secret, for whoever asks in another order; and whether it is all.

    Where a guess may get several, these are by response how likely each is. All guesses if they are not too
    many, else those of the strategy; None where these are too many, too, and for codes and games with rules,
    where the second is None, too.
    """
    game = seen.game
    if seen.strategy.goal != "identify" or game.look.codes != "text" or game.rules() is not None:
        return None, None
    every = np.arange(len(game.guesses), dtype=np.int32)
    if game.kinds is not None and game.costs is not None:  # to name a cause is no test, and has two prices
        every = every[game.costs.min(axis=1) == game.costs.max(axis=1)]
    for guesses in (every, np.array(sorted(set(asked) - {-1}), dtype=np.int32)):
        if len(guesses) * len(game.secrets) <= MOST_CELLS:
            if game.model is not None:
                chances = game.model.chances
                return {str(g): list(map(_cell, chances[g])) for g in guesses.tolist()}, guesses is every
            rows = game.block(guesses, np.arange(len(game.secrets), dtype=np.int32))
            named = dict(zip(map(str, guesses.tolist()), rows.tolist(), strict=True))
            return named, guesses is every
    return None, False


def _cell(chances: Mapping[int, Fraction]) -> int | dict[str, float]:
    if len(chances) == 1:
        return next(iter(chances))
    return {str(response): float(chance) for response, chance in chances.items()}


def _losses(game: Game) -> list[list[int | float | None]] | None:
    if game.model is None or game.model.losses is None:
        return None
    return [[None if loss is None else _plain(loss) for loss in row] for row in game.model.losses]


def _model(model: Model, asked: Sequence[int], held: Iterable[str]) -> dict[str, Any]:
    """Return of guesses that split weights their groups, later prices, what they need and what ends paths.

    `held`: guesses of which the page holds the responses. Of questions of two answers these have the number
    of their character, the states that they are about, and those of each answer.
    """
    about = {}
    for guess in map(int, held if model.splits else ()):
        split = model.splits[guess]
        parts = {str(r): list(bits(part)) for r, part in split.parts.items()}
        about[str(guess)] = [split.character, list(bits(split.within)), parts]
    shown = [[list(cell) for cell in row] for row in model.characters.shown] if model.characters else None
    return {
        "about": about or None,
        "shown": shown,
        "joined": list(model.characters.joined) if model.characters else None,
        "silent": model.silent if model.failures else None,
        "groups": {str(g): group for g in asked for group in model.group(g)},
        "later": {str(g): _plain(model.later[g]) for g in asked if model.group(g)},
        "after": {str(g): sorted(model.after[g]) for g in asked if model.after and model.after[g]},
        "ends": {str(g): sorted(model.ending(g)) for g in asked if model.ending(g)},
    }


def _prices(seen: Outline, asked: Sequence[int]) -> Mapping[str, int | float | list[int]] | None:
    """Return what guesses cost, one number or one for each response; None where costs only count.

    Where guesses split weights it is what they cost in a group of which none was asked.
    """
    costs, model = seen.game.costs, seen.game.model
    if model is not None:
        return {str(g): _plain(model.prices[g]) for g in asked}
    if costs is None or not seen.costly:
        return None
    rows = {str(g): costs[g].tolist() for g in asked}
    return {g: row[0] if len(set(row)) == 1 else row for g, row in rows.items()}


def _figures(game: Game, comes_to: Figures) -> list[tuple[str, str, str]]:
    """Return what the head of the page says, each with its name in English and in the language of the page.

    It is text, because the rounding is that of the other outputs.
    """
    figures, paid = comes_to.counted, comes_to.costs
    secrets = plurals(game.look.secret).capitalize()
    found = [(secrets, say_of(game.look, "{Secrets}"), number_text(f"{figures.secrets:,}"))]
    totals = not game.facts.weighted and not game.facts.noisy
    if totals:
        found.append(("Total", say("Total"), number_text(f"{figures.total:,}")))
    if paid is None or totals:
        found.append(("Average", say("Average"), number_text(f"{float(figures.average):.4f}")))
    counted = noun(game.look.guess, 2)  # as costs have a worst case of their own
    worst = say("Worst") if not game.facts.priced else say("Worst {cost}", cost=counted)
    found.append(("Worst", worst, number_text(f"{figures.worst:,}")))
    return found if paid is None else found + _costs(game, paid)


def _costs(game: Game, paid: Costs) -> list[tuple[str, str, str]]:
    """Return what the page says of costs, where guesses alone do not tell."""
    shown, cost = paid.shown, game.look.cost
    weight, average, worst = (number_text(shown[name]) for name in ("weight", "average", "worst"))
    found = [("Weight", say("Weight"), weight)]
    if not game.facts.priced:
        found.append(("Weighted average", say("Weighted average"), average))
    else:
        called = paid_noun(game.look)
        found.append((f"Average {cost}", say("Average {cost}", cost=called), average))
        found.append((f"Worst {cost}", say("Worst {cost}", cost=called), worst))
    if paid.budget is not None:
        found.append(("Won", say("Won"), number_text(percent(paid.won, paid.weight))))
    return found


def _palette(look: Look, labels: Iterable[str]) -> dict[str, list[str]]:
    """Return the colour of each symbol of codes, or of the marks on them, and that of the text on it."""
    if look.answers == "marks":
        return {mark: [colour, ink(colour)] for mark, colour in MARKS.items()}
    if look.codes == "text":
        return {}
    used = sorted(set().union(*labels), key=lambda symbol: (look.symbols.find(symbol), symbol))
    return {symbol: [colour := colour_of(look, symbol), ink(colour)] for symbol in used}
