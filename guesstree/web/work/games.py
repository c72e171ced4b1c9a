"""What a page about a game says first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from guesstree.engine.registry import family_of

from .shelf import game_at


def game_seen(store: Path, spec: str) -> dict[str, Any]:
    """Return what is to be known of a game, as plain data; counts are None where they are beyond counting."""
    game = game_at(store, spec)
    return {
        "game": spec,
        "title": family_of(spec).offer.title or game.spec,
        "size": spec.partition(":")[2],
        "look": game.look,
        "secrets": _count(game.secrets),
        "guesses": _count(game.guesses),
        "notes": list(game.notes),
    }


def _count(labels: Any) -> int | None:
    try:
        return len(labels)
    except OverflowError:
        return None
