"""Files that were brought: which kind each is, by what is in it, and whether it is sound."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from guesstree.engine.errors import GameError, GuesstreeError, shown
from guesstree.engine.game import Game
from guesstree.engine.game_source import FAMILY, same_game
from guesstree.engine.meant import words_in
from guesstree.engine.registry import families, parse
from guesstree.engine.sheets import Sheet, read_sheet
from guesstree.engine.tables.canonical import canonical_form
from guesstree.engine.tables.options import split_options
from guesstree.engine.tables.table import table_content
from guesstree.trees.check import check
from guesstree.web.store import Store, safe_name

from .uploads import game_at, strategy_at

MOST_BYTES = 19_900_000
"""Of a file: what a request may have, without what is around it."""
MOST_LONG = 50_000
"""Rows of a table, and columns."""


def upload(store: Path, name: str, data: bytes) -> tuple[str, str]:
    """Keep what is in a file and return its kind, and its name here; for a ``strategy`` its id.

    Kinds are ``sheet``, ``words`` and ``strategy``. Raises GuesstreeError that says what is wrong with it.
    """
    own = shown(name)
    if not data.strip():
        raise GameError(f"{own} is empty; expected a table, a list of words or a strategy")
    if len(data) > MOST_BYTES:
        raise GameError(f"{own} has {len(data) // 10**6} MB; expected at most {MOST_BYTES / 10**6:.0f} MB")
    if re.match(rb"(\xef\xbb\xbf)?\s*\{", data):
        return "strategy", _strategy(store, own, data)
    words = words_in(data).encode()
    stem, ending = safe_name(name)
    with tempfile.TemporaryDirectory(prefix="guesstree-") as folder:
        place = Path(folder, f"{stem}{ending}")
        place.write_bytes(words or data)
        try:
            if words:
                _check_words(place)
            else:
                _check_size(own, read_sheet(str(place)))
        except GuesstreeError as error:
            raise GameError(str(error).replace(f"{folder}/", "")) from None
    kind = "words" if words else "sheet"
    return kind, Store(store).add_file(f"{stem}.txt" if words else name, words or data, kind)


def _check_size(own: str, sheet: Sheet) -> None:
    """Raise GameError for a sheet without a table, or with one that pages would take too long for."""
    if not sheet.rows:
        raise GameError(f"{own} has no filled cells; expected a table")
    for many, what in ((len(sheet.rows), "rows"), (max(len(row.cells) for row in sheet.rows), "columns")):
        if many > MOST_LONG:
            raise GameError(f"{own} has {many:,} {what}; expected at most {MOST_LONG:,} in a browser")


def _check_words(place: Path) -> None:
    """Raise GameError, that of the first game, for a list with which no game can be played."""
    faults = []
    for family in families():
        if family.files == "words":
            try:
                parse(f"{family.name}:{place.name}", lambda _: str(place))
            except GameError as error:
                faults.append(error)
            else:
                return
    raise faults[0]


def _strategy(store: Path, own: str, data: bytes) -> str:
    """Keep a strategy that does what its file says, and return its id."""
    from .summary import strategy_result

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GameError(f"{own}: byte {error.start} is not UTF-8; expected a JSON file in UTF-8") from None
    try:
        reading = strategy_at(store, text)
    except GuesstreeError as error:
        raise GameError(f"{own}: {error}") from None
    game, strategy = reading.origin.game, reading.strategy
    report = check(game, strategy)
    if not report.valid:
        raise GameError(f"{own} does not do what it says: {report.messages()[0]}")
    spec = _spec_here(store, game)
    return Store(store).add_result(**strategy_result(game, strategy, spec))


def _spec_here(store: Path, game: Game) -> str:
    """Return what the game of a strategy is called here, where a table that it brings is kept; or nothing."""
    if _is_here(store, game.spec, game):
        return game.spec
    content = table_content(game)
    if content is None:
        return ""
    try:
        text, options = canonical_form(content)
    except GameError:  # no file says what it does
        return ""
    name = split_options(game.spec.removeprefix(FAMILY))[0]
    own = Store(store).add_file(f"{safe_name(name)[0]}.csv", text.encode(), options=options)
    spec = f"{FAMILY}{own}{options}"
    return spec if _is_here(store, spec, game) else ""


def _is_here(store: Path, spec: str, game: Game) -> bool:
    """Return whether a spec stands for a game here."""
    try:
        return same_game(game_at(store, spec), game)
    except GuesstreeError:
        return False
