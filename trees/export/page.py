"""A strategy as one web page that stands alone: a tree to open and close, search, figures."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from guesstree.engine.exact import Value
from guesstree.engine.game import Game, weights_of
from guesstree.engine.look import Look, plurals
from guesstree.engine.masses.model import Model

from ..figures import Costs, claimed_bounds, claimed_limits, strategy_costs, weighed
from ..outline import Outline, outline
from ..tree import Tree, TreeError
from ..words import amount, meaning
from .colours import MARKS, colour_of, ink
from .heading import sheet_title
from .labels import percent, plain

TEMPLATE = Path(__file__).with_name("page.html")
"""The page without its data."""
MOST_CELLS = 100_000
"""Of the table that a page holds."""


def render_page(game: Game, strategy: Tree, title: str = "") -> str:
    """Return the page as HTML: one file that loads nothing else; the same strategy gives the same text.

    `title` heads the page; else the name of a table does, or the spec of another game.

    The strategy is to be valid (`guesstree.trees.check`). Raises TreeError when it reaches no secret, or
    where responses may be false: a page takes them as true.
    """
    if strategy.lies:
        raise TreeError(f"a page of {game.spec}: {strategy.several}; expected a strategy without lies")
    named = game.look.secret != Look.secret
    heading = title or (sheet_title(game) if named else game.spec)
    template = _with_nouns(TEMPLATE.read_text(encoding="utf-8"), game.look)
    parts = {
        "POLICY": policy(template),
        "TITLE": html.escape(plain(heading if title or named else f"{heading} · strategy", 80)),
        "DATA": embed(as_data(game, strategy) | {"title": heading}),
    }
    # In one pass, so that no label is taken for a place to fill.
    return re.sub(r"%%(POLICY|TITLE|DATA)%%", lambda found: parts[found[1]], template)


def draw(game: Game, strategy: Tree, title: str = "") -> bytes:
    """Return the page as a file; raise TreeError as `render_page` does."""
    return render_page(game, strategy, title).encode()


def as_data(game: Game, strategy: Tree) -> dict[str, Any]:
    """Return what the page is made of: the steps of the strategy, labels, figures, and how codes look.

    Nodes are the steps of the outline but those that are won; arrays have an entry for each. `secrets` are
    what is to be known, `secret` says which of them a node names or wins, or is -1; `beside` holds, by node,
    what else it names, `also` the responses that lead there beside the one of `response`. `weight` is what
    ends at each node, None where all weigh the same; `left` how many may still be named there, None where
    every secret has one end. `guesses` holds the labels of the guesses asked by their index, or is None when
    they are those of the secrets. `decided` is what nodes decide, in the order of `decisions`; there, and
    where a response ended the path, `secret` and `beside` are those that are possible.
    """
    told = outline(game, strategy)
    kept = [at for at in range(len(told.steps)) if not told.won(at)]
    steps, number = [told.steps[at] for at in kept], {at: i for i, at in enumerate(kept)}
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
            if told.won(branch.step):
                won = told.steps[branch.step]
                secret[i], weight[i] = index[won.names[0]], _plain(won.weight)
            else:
                response[number[branch.step]] = first
                if more:
                    also[str(number[branch.step])] = more
    outcomes = _outcomes(told, guess)
    asked = sorted({g for g in guess if g >= 0} | {int(g) for g in (outcomes or {})})
    claims = strategy.claims
    lower, upper = claimed_bounds(game, claims)
    return {
        "game": game.spec,
        "goal": strategy.goal,
        "objective": claims.objective,
        "method": claims.method,
        "parameters": claimed_limits(game, claims),
        "proven": claims.proven,
        "lower": lower,
        "upper": upper,
        "figures": _figures(told),
        "codes": game.look.codes,
        "answers": game.look.answers,
        "accepted": game.look.accepted(game.secrets),
        "palette": _palette(game.look, secrets if same else [*secrets, *(game.guesses[g] for g in asked)]),
        "winning": game.winning if strategy.goal == "win" else None,
        "responses": list(game.responses),
        "secrets": secrets,
        "guesses": None if same else {str(g): game.guesses[g] for g in asked},
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
        "weight": None if game.weights is None and game.model is None else weight,
        "left": None if game.kinds is None and game.model is None else [step.causes for step in steps],
        "prices": _prices(told, asked),
        "priced": told.priced,
        "paid": [game.look.paid("1"), game.look.paid("%")],
        "amount": amount(game, "%"),
        "unit": [game.cost_unit.numerator, game.cost_unit.denominator],
        "outcomes": outcomes,
        "model": None if game.model is None else _model(game.model, asked),
        "losses": _losses(game),
        "likely": game.model is not None or weighed(game),
        "meaning": meaning(game, strategy),
        "kinds": None if outcomes is None or game.kinds is None else [index[kind] for kind in game.kinds],
        "weights": None if outcomes is None or game.weights is None else weights_of(game).tolist(),
    }


def _plain(number: Value) -> int | float:
    return int(number) if number == int(number) else float(number)


def _outcomes(told: Outline, asked: Sequence[int]) -> dict[str, list[Any]] | None:
    """Return the responses to guesses by secret, for whoever cannot answer one of them.

    Where a guess may get several, these are by response how likely each is. All guesses if they are not too
    many, else those of the strategy; None where these are too many, too, and for codes and games with rules.
    """
    game = told.game
    if told.strategy.goal != "identify" or game.look.codes != "text" or game.rules() is not None:
        return None
    every = np.arange(len(game.guesses), dtype=np.int32)
    if game.kinds is not None and game.costs is not None:  # to name a cause is no test, and has two prices
        every = every[game.costs.min(axis=1) == game.costs.max(axis=1)]
    for guesses in (every, np.array(sorted(set(asked) - {-1}), dtype=np.int32)):
        if len(guesses) * len(game.secrets) <= MOST_CELLS:
            if game.model is not None:
                return {str(g): list(map(_cell, game.model.chances[g])) for g in guesses.tolist()}
            rows = game.block(guesses, np.arange(len(game.secrets), dtype=np.int32))
            return {str(g): row for g, row in zip(guesses.tolist(), rows.tolist(), strict=True)}
    return None


def _cell(chances: Mapping[int, Fraction]) -> int | dict[str, float]:
    if len(chances) == 1:
        return next(iter(chances))
    return {str(response): float(chance) for response, chance in chances.items()}


def _losses(game: Game) -> list[list[int | float | None]] | None:
    if game.model is None or game.model.losses is None:
        return None
    return [[None if loss is None else _plain(loss) for loss in row] for row in game.model.losses]


def _model(model: Model, asked: Sequence[int]) -> dict[str, Any]:
    """Return of guesses that split weights their groups, later prices, what they need and what ends paths."""
    return {
        "silent": model.silent if model.lapses else None,
        "groups": {str(g): group for g in asked for group in model.group(g)},
        "later": {str(g): _plain(model.later[g]) for g in asked if model.group(g)},
        "after": {str(g): sorted(model.after[g]) for g in asked if model.after and model.after[g]},
        "ends": {str(g): sorted(model.ending(g)) for g in asked if model.ending(g)},
    }


def _prices(told: Outline, asked: Sequence[int]) -> Mapping[str, int | float | list[int]] | None:
    """Return what guesses cost, one number or one for each response; None where costs only count.

    Where guesses split weights it is what they cost in a group of which none was asked.
    """
    costs, model = told.game.costs, told.game.model
    if model is not None:
        return {str(g): _plain(model.prices[g]) for g in asked}
    if costs is None or not told.priced:
        return None
    rows = {str(g): costs[g].tolist() for g in asked}
    return {g: row[0] if len(set(row)) == 1 else row for g, row in rows.items()}


def _figures(told: Outline) -> dict[str, str]:
    """Return what the head of the page says, as text, because the rounding is that of the other outputs."""
    game, figures, paid = told.game, told.figures(), strategy_costs(told.game, told.strategy)
    found = {plurals(game.look.secret).capitalize(): f"{figures.secrets:,}"}
    if game.weights is None and game.model is None:
        found["Total"] = f"{figures.total:,}"
    if paid is None or "Total" in found:
        found["Average"] = f"{float(figures.average):.4f}"
    found["Worst"] = f"{figures.worst:,}"
    return found if paid is None else found | _costs(game, paid)


def _costs(game: Game, paid: Costs) -> dict[str, str]:
    """Return what the page says of costs, where guesses alone do not tell."""
    shown = paid.shown
    found = {"Weight": shown["weight"]}
    if game.costs is None:
        found |= {"Weighted average": shown["average"]}
    else:
        found |= {f"Average {game.look.cost}": shown["average"], f"Worst {game.look.cost}": shown["worst"]}
    if paid.budget is not None:
        found["Won"] = percent(paid.won, paid.weight)
    return found


def embed(data: Any) -> str:
    """Return data as JSON that is safe between script tags: ASCII without <, > and &."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    # These occur inside strings only, where an escape means the same.
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _palette(look: Look, labels: Iterable[str]) -> dict[str, list[str]]:
    """Return the colour of each symbol of codes, or of the marks on them, and that of the text on it."""
    if look.answers == "marks":
        return {mark: [colour, ink(colour)] for mark, colour in MARKS.items()}
    if look.codes == "text":
        return {}
    used = sorted(set().union(*labels), key=lambda symbol: (look.symbols.find(symbol), symbol))
    return {symbol: [colour := colour_of(look, symbol), ink(colour)] for symbol in used}


def _with_nouns(template: str, look: Look) -> str:
    """Return the template with what secrets and guesses are called; these are plain words."""
    for noun, called in (("secret", look.secret), ("guess", look.guess)):
        for known, word in ((noun, called), (plurals(noun), plurals(called))):
            template = template.replace(f"%%{known}%%", word)
            template = template.replace(f"%%{known.capitalize()}%%", word.capitalize())
    return template


def policy(template: str) -> str:
    """Return a security policy that allows the page's own script and style, if any, and nothing else."""
    allowed = []
    for tag in ("script", "style"):
        for found in re.findall(rf"<{tag}>(.*?)</{tag}>", template, flags=re.DOTALL):
            digest = base64.b64encode(hashlib.sha256(found.encode()).digest()).decode()
            allowed.append(f"{tag}-src 'sha256-{digest}'")
    return "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])
