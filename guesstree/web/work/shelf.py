"""Games of requests: specs whose files are those that were brought, and no others."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

from guesstree.engine.carried import Finder
from guesstree.engine.errors import GameError, shown
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.web.store import Store

MOST_GAMES = 8
"""Games that a process keeps, the last used ones."""
MOST_SPEC = 500
"""Characters of a spec."""


class Shelf(Finder):
    """Finds files by their names among those that were brought: nothing else is ever opened."""

    def __init__(self, store: Store, folder: Path) -> None:
        super().__init__(folder)
        self.store = store

    def beside(self) -> Shelf:
        """Return another one like it."""
        return Shelf(self.store, self.folder)

    def __call__(self, path: str) -> str:
        """Return where a file that was brought lies now; raise GameError for any other."""
        data = self.store.file(path)
        if data is None:
            raise GameError(f"no file {shown(path)} was brought here; expected one on the first page")
        place = self.folder / path  # a name of `safe_name`
        if not place.exists():
            place.write_bytes(data)
        self.found[path] = path
        return str(place)


@lru_cache(1)
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Return the folder of this process."""
    return tempfile.TemporaryDirectory(prefix="guesstree-")


def shelf_of(store: Path) -> Shelf:
    """Return a shelf on what a store keeps."""
    return Shelf(Store(store), Path(_folder().name))


@lru_cache(MOST_GAMES)
def game_at(store: Path, spec: str) -> Game:
    """Return the game of a spec from a request; raise GameError, which names no place on this machine."""
    if len(spec) > MOST_SPEC or not spec.isprintable():
        raise GameError(f"unknown game {shown(spec)}; expected a spec such as 'mastermind:4x6'")
    shelf = shelf_of(store)
    try:
        return parse(spec, shelf)
    except GameError as error:
        raise GameError(str(error).replace(f"{shelf.folder}/", "")) from None
