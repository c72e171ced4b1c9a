"""A strategy as one web page that stands alone: a tree to open and close, search, figures."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from guesstree.engine.game import Game
from guesstree.engine.look import Look, plurals

from ..figures import Costs, claimed_bounds, strategy_costs, summarise
from ..tree import Tree, TreeError
from .colours import MARKS, colour_of, ink
from .labels import percent, plain

TEMPLATE = Path(__file__).with_name("page.html")
"""The page without its data."""


def render_page(game: Game, strategy: Tree) -> str:
    """Return the page as HTML: one file that loads nothing else; the same strategy gives the same text.

    The strategy is to be valid (`guesstree.trees.check`). Raises TreeError when it reaches no secret, or
    where a secret may be found in several ways: a page shows one for each.
    """
    if strategy.several:
        raise TreeError(
            f"a page of {game.spec}: {strategy.several}; expected a strategy with one way for each secret"
        )
    template = _with_nouns(TEMPLATE.read_text(encoding="utf-8"), game.look)
    parts = {
        "POLICY": policy(template),
        "TITLE": html.escape(f"{plain(game.spec, 80)} · strategy"),
        "DATA": embed(as_data(game, strategy)),
    }
    # In one pass, so that no label is taken for a place to fill.
    return re.sub(r"%%(POLICY|TITLE|DATA)%%", lambda found: parts[found[1]], template)


def draw(game: Game, strategy: Tree) -> bytes:
    """Return the page as a file; raise TreeError as `render_page` does."""
    return render_page(game, strategy).encode()


def as_data(game: Game, strategy: Tree) -> dict[str, Any]:
    """Return what the page is made of: the arrays of the strategy, labels, claims, and how codes look.

    `secret` is -1 at a leaf that no secret reaches. `guesses` holds the labels of the guesses asked by their
    index, or is None when they are those of the secrets.
    """
    asked = sorted({int(guess) for guess in strategy.guess if guess >= 0})
    same = game.guesses is game.secrets
    secrets = list(game.secrets)
    labels = secrets if same else [*secrets, *(game.guesses[guess] for guess in asked)]
    secret = _reached(game, strategy)
    last = int(strategy.goal == "win")
    needed = [depth + last for depth, s in zip(strategy.depth.tolist(), secret, strict=True) if s >= 0]
    claims, paid = strategy.claims, strategy_costs(game, strategy)
    lower, upper = claimed_bounds(game, claims)
    return {
        "game": game.spec,
        "goal": strategy.goal,
        "objective": claims.objective,
        "method": claims.method,
        "parameters": [f"{key}: {value}" for key, value in claims.parameters.items()],
        "proven": claims.proven,
        "lower": lower,
        "upper": upper,
        # As text, because the rounding is that of the other outputs.
        "average": f"{float(summarise(needed).average):.4f}",
        "costs": {} if paid is None else _costs(game, paid),
        "codes": game.look.codes,
        "answers": game.look.answers,
        "accepted": game.look.accepted(game.secrets),
        "palette": _palette(game.look, labels),
        "winning": game.winning if strategy.goal == "win" else None,
        "responses": list(game.responses),
        "secrets": secrets,
        "guesses": None if same else {str(guess): game.guesses[guess] for guess in asked},
        "guess": strategy.guess.tolist(),
        "parent": strategy.parent.tolist(),
        "response": strategy.response.tolist(),
        "secret": secret,
    }


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


def _reached(game: Game, strategy: Tree) -> list[int]:
    """Return the secret of each node, -1 where the secret that a leaf names takes another way."""
    secret: list[int] = strategy.secret.tolist()
    times = Counter(s for s in secret if s >= 0)
    home = {s: _leaf(game, strategy, s) for s, many in times.items() if many > 1}
    return [s if home.get(s, node) == node else -1 for node, s in enumerate(secret)]


def _leaf(game: Game, strategy: Tree, secret: int) -> int:
    """Return the leaf that a secret gets to, or -1."""
    node = 0
    while node >= 0 and strategy.guess[node] >= 0:
        node = strategy.child(node, game.respond(int(strategy.guess[node]), secret))
    return node


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
