"""What a page about a game says first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from guesstree.present.boards import boards_of

from .solve_form import title_of
from .uploads import game_at


def game_seen(store: Path, spec: str) -> dict[str, Any]:
    """Return what is to be known of a game, as plain data."""
    game = game_at(store, spec)
    each = boards_of(game).board if game.facts.boards > 1 else game  # there may be too many to count
    return {
        "game": spec,
        "title": title_of(game),
        "look": each.look,
        "secrets": len(each.secrets),
        "guesses": len(game.guesses),
        "notes": list(game.notes),
    }
