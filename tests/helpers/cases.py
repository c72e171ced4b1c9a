"""Cases of parametrised tests that are data: what is typed or written in files, and what is said of it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[1] / "data" / "cases"


@cache
def _read(file: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = json.loads((CASES / f"{file}.json").read_text(encoding="utf-8"))
    return found


def cases(file: str, test: str) -> list[Any]:
    """Return the cases of a test: texts, or a tuple of arguments each."""
    return [tuple(case) if isinstance(case, list) else case for case in _read(file)[test]]
