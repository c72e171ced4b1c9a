"""Lists of words that were brought, and the games that can be played with them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from guesstree.engine.errors import GameError, GuesstreeError, shown
from guesstree.engine.registry import families
from guesstree.web.store import Store, safe_name

from .uploads import game_at

MOST_SHOWN = 40
MOST_LENGTHS = 10


def words_seen(store: Path, name: str) -> dict[str, Any]:
    """Return what is in a list of words, and which games can be played with it, as plain data."""
    words = _words(store, name)
    lengths = Counter(map(len, words))
    return {
        "file": name,
        "count": len(words),
        "some": words[:MOST_SHOWN],
        "lengths": sorted(lengths.most_common(MOST_LENGTHS)) if len(lengths) > 1 else [],
        "games": [
            _fit(store, name, family.name, family.offer.title)
            for family in families()
            if family.files == "words"
        ],
    }


def only_of_length(store: Path, name: str, length: int) -> str:
    """Keep those lines of a list whose words have so many letters, and return the name of the new list."""
    lines = [line for line in _lines(store, name) if len(_word(line)) == length]
    if not lines:
        raise GameError(f"{shown(name)}: no word has {length} letters")
    return Store(store).add_file(f"{safe_name(name)[0]}-{length}.txt", "\n".join(lines).encode(), "words")


def _fit(store: Path, name: str, family: str, title: str) -> dict[str, str]:
    """Return the spec of a game with a list, and why it cannot be played; empty: it can."""
    spec = f"{family}:{name}"
    try:
        game_at(store, spec)
    except GuesstreeError as error:
        return {"title": title, "game": spec, "fault": str(error)}
    return {"title": title, "game": spec, "fault": ""}


def _words(store: Path, name: str) -> list[str]:
    return [_word(line) for line in _lines(store, name)]


def _word(line: str) -> str:
    return line.partition("\t")[0].strip()


def _lines(store: Path, name: str) -> list[str]:
    data = Store(store).file(name)
    if data is None:
        raise GameError(f"no list {shown(name)} was brought here; expected one of the first page")
    return [line for line in data.decode().splitlines() if line.strip()]
