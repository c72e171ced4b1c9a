"""Certificates of degenerate games, extreme numbers and odd files, with what is true of each.

`tests/data/degenerate.json` has them. An entry is what follows ``guesstree-proof/1``, for a table or words
behind their content, and whether it is true and simple enough to be accepted.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

_DATA: dict[str, Any] = json.loads((Path(__file__).parent.parent / "data" / "degenerate.json").read_text())
PLAIN: list[str] = _DATA["plain"]
"""Tables of two secrets that one guess tells apart."""
ODD: dict[str, str] = _DATA["odd"]
"""Tables that no checker takes."""
PRICED: dict[str, str] = _DATA["priced"]
"""Tables that are for games with costs alone."""
CODES: dict[str, bool] = _DATA["codes"]
"""Codes, any first guess, to win: what the checker that is proved takes too."""
PLAIN_GAMES: dict[str, bool] = _DATA["plain_games"]
TABLES: list[tuple[str, str, bool]] = _DATA["tables"]
WORDS: list[tuple[str, str, bool]] = _DATA["words"]
LYING: dict[str, bool] = _DATA["lying"]
LYING_TABLES: list[tuple[str, str, bool]] = _DATA["lying_tables"]
"""With two lies."""
PAID: list[tuple[str, str, bool]] = _DATA["paid"]
"""With costs and weights."""


def about(folder: Path, words: str, content: str, rest: str) -> str:
    """Return the certificate of a table; `words`: what stands before its hash."""
    data = content.encode()
    (folder / "t.csv").write_bytes(data)
    return f"{words} {sha256(data).hexdigest()} t.csv {rest}"


def of_words(folder: Path, content: str, rest: str) -> str:
    """Return the certificate of a list of words, all of which are secrets."""
    data = content.encode()
    name = f"{sha256(data).hexdigest()}.txt"
    (folder / name).write_bytes(data)
    return f"wordle {name} {name} {rest}"
