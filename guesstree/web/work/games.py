"""What a page about a game says first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .solve_form import title_of
from .uploads import game_at


def game_seen(store: Path, spec: str) -> dict[str, Any]:
    """Return what is to be known of a game, as plain data."""
    game = game_at(store, spec)
    return {
        "game": spec,
        "title": title_of(game),
        "look": game.look,
        "secrets": len(game.secrets),
        "guesses": len(game.guesses),
        "notes": list(game.notes),
    }
