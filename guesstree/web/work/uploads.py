"""Games of requests: specs whose files are those that were brought, and no others."""

from __future__ import annotations

import atexit
import multiprocessing
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from guesstree.engine.errors import GameError, GuesstreeError, shown
from guesstree.engine.game import Game
from guesstree.engine.game_source import Finder
from guesstree.engine.registry import parse
from guesstree.trees.export.files import Reading, read_text
from guesstree.trees.export.output import write_whole
from guesstree.web.store import Store, safe_name

MOST_GAMES = 8
"""Games that a process keeps, the last used ones."""
MOST_SPEC = 500
"""Characters of a spec."""


class Uploads(Finder):
    """Finds files by their names among those that were brought: nothing else is ever opened."""

    def __init__(self, store: Store, folder: Path) -> None:
        super().__init__(folder)
        self.store = store

    def beside(self) -> Uploads:
        """Return another one like it."""
        return Uploads(self.store, self.folder)

    def __call__(self, path: str) -> str:
        """Return where a file that was brought lies now; raise GameError for any other."""
        data = self.store.file(path) if "".join(safe_name(path)) == path else None
        if data is None:
            raise GameError(f"no file {shown(path)} was brought here; expected one on the first page")
        place = self.folder / path
        if not place.exists():  # else another process was quicker: a name stands for one file for ever
            write_whole(place, data)
        self.found[path] = path
        return str(place)


@lru_cache(1)
def _folder() -> Path:
    """Return where files lie that have been asked for: in one place for all processes of a server."""
    if multiprocessing.parent_process() is None:
        own = tempfile.mkdtemp(prefix="guesstree-")
        atexit.register(shutil.rmtree, own, ignore_errors=True)
        return Path(own)
    folder = Path(tempfile.gettempdir(), "files")
    folder.mkdir(exist_ok=True)
    return folder


def uploads_of(store: Path) -> Uploads:
    """Return the files that a store keeps, by their names."""
    return Uploads(Store(store), _folder())


def strategy_at(store: Path, text: str) -> Reading:
    """Return the strategy of the text of a file from a request; raise GuesstreeError as `game_at`."""
    with places_unsaid():
        return read_text(text, uploads_of(store))


@contextmanager
def places_unsaid() -> Iterator[None]:
    """Leave the folder of files out of what is said to be wrong."""
    try:
        yield
    except GuesstreeError as error:
        raise type(error)(str(error).replace(f"{_folder()}/", "")) from None


@lru_cache(MOST_GAMES)
def game_at(store: Path, spec: str) -> Game:
    """Return the game of a spec from a request; raise GameError, which names no place on this machine."""
    if len(spec) > MOST_SPEC or not spec.isprintable():
        raise GameError(f"unknown game {shown(spec)}; expected a spec such as 'mastermind:4x6'")
    with places_unsaid():
        return parse(spec, uploads_of(store))
