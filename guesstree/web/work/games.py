"""What a page about a game says first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from guesstree.engine.registry import family_of

from .shelf import game_at


def game_seen(store: Path, spec: str) -> dict[str, Any]:
    """Return what is to be known of a game, as plain data."""
    game = game_at(store, spec)
    return {
        "game": spec,
        "title": family_of(spec).offer.title or game.spec,
        "size": spec.partition(":")[2],
        "look": game.look,
        "secrets": len(game.secrets),
        "guesses": len(game.guesses),
        "notes": list(game.notes),
    }
