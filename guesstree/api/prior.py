"""The game with the weights of a codemaker who mixes, as `prove` reads it to prove that side."""

from __future__ import annotations

from collections.abc import Sequence

from guesstree.engine.errors import GameError
from guesstree.engine.game import Game
from guesstree.engine.sheets.sheet import MOST_CELLS
from guesstree.engine.tables.canonical import canonical_form
from guesstree.engine.tables.table import Content

PRIOR = "maker.csv"
"""The file of the weighted game."""
ROWS_BESIDE = 4
"""Rows and columns of a table beside its cells, at most: labels, weights, costs."""


def prior_of(
    game: Game, goal: str, weights: Sequence[int], *, candidates_only: bool
) -> tuple[str, str] | None:
    """Return the spec of a game with these weights of secrets, and the text of its file; None: there is none.

    Where all weights are equal it is the game itself, without a file. The least total, proven by `prove`, is
    the lower bound times the sum of the weights, or the number of secrets. To win, secrets that are never
    drawn are left out; otherwise a table has no weight of 0. It is none where it is too large to be read
    again, for a game with a model, of which there are no certificates, and where rules say what may be asked
    after a history, which a table does not say, unless all weights are equal and certificates know the rules.
    """
    rules = game.rules()
    if game.facts.noisy or candidates_only or (rules is not None and not rules.checked):
        return None
    if len({*weights}) == 1 and game.weights is None and goal == game.facts.goals[0]:
        return game.spec, ""
    if rules is not None:
        return None
    kept = [secret for secret, weight in enumerate(weights) if weight]
    whole = len(kept) == len(game.secrets)
    costs = None if game.costs is None else [row.tolist() for row in game.costs]
    if (
        (len(kept) + ROWS_BESIDE) * (len(game.guesses) + ROWS_BESIDE) > MOST_CELLS
        or not (whole or goal == "win")
        or (costs is not None and any(len(set(row)) > 1 for row in costs))
    ):
        return None
    content = Content(
        guesses=tuple(game.guesses),
        secrets=tuple(game.secrets[secret] for secret in kept),
        cells=tuple(
            tuple(game.responses[answer] for answer in row) for row in game.table()[:, kept].tolist()
        ),
        weights=tuple(weights[secret] for secret in kept),
        costs=None if costs is None else tuple(row[0] for row in costs),
        win=game.responses[game.winning] if goal == "win" and game.winning is not None else None,
        cost_unit=game.cost_unit,
    )
    try:
        text, options = canonical_form(content)
    except GameError:  # labels that would make another table of it
        return None
    return f"table:{PRIOR}{options}", text
