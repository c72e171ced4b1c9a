"""What a ledger keeps for a proof in one process: lemmas by their paths, and the optimum of a game."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from zlib import compress, decompress

from ..game import Game
from ..solution import Solved

Key = tuple[str, int, int]


class Lemmas:
    """Lemmas that were proved: their bodies by the guesses and secrets that lead to a set, depth and bound.

    Parameters
    ----------
    read: what looks one up in the file; a body is compressed, and empty where there is none.
    soon: what has `fresh`, which is not in the file yet, written.
    """

    def __init__(self, read: Callable[[Key], bytes], soon: Callable[[], None]) -> None:
        self.read, self.soon = read, soon
        self.fresh: dict[Key, bytes] = {}

    def find(self, path: str, depth: int, bound: int) -> str | None:
        """Return the body of a lemma, or None."""
        key = path, depth, bound
        packed = self.fresh.get(key) or self.read(key)
        return decompress(packed).decode() if packed else None

    def keep(self, path: str, depth: int, bound: int, body: str) -> None:
        """Keep a lemma; on the disk soon."""
        self.fresh[path, int(depth), int(bound)] = compress(body.encode())
        self.soon()


def packed_optimum(solved: Solved) -> bytes:
    """Return an optimum with its strategy, compressed."""
    figures: dict[str, Any] = {
        name: value for name, value in vars(solved).items() if name not in ("game", "choices", "rows")
    }
    figures["parameters"] = dict(solved.parameters)
    choices = {state.hex(): int(guess) for state, guess in solved.choices.items()}
    return compress(json.dumps([figures, choices]).encode())


def figures_of(packed: bytes) -> tuple[dict[str, Any], dict[str, int]]:
    """Return what is kept of an optimum: what `Solved` has, and the guess of each state."""
    figures, choices = json.loads(decompress(packed))
    return figures | {name: tuple(figures[name]) for name in ("lower", "upper")}, choices


def unpacked_optimum(packed: bytes, game: Game) -> Solved:
    """Return the optimum of a game."""
    figures, choices = figures_of(packed)
    return Solved(game=game, choices={bytes.fromhex(key): guess for key, guess in choices.items()}, **figures)
