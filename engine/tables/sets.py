"""Whether a cell of a table is one answer, several of which each is possible, or nothing.

``a/b`` and ``a|b`` are sets, ``a:3/b:1`` and ``a:0.9/b:0.1`` are odds. Labels look like that too (``n/a``,
``km/h``, dates, fractions), so a table has sets only where its own answers say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .cells import is_probability, parts_of

UNKNOWN = frozenset(
    {"?", "??", "unknown", "na", "n/a", "#n/a", "#na", "nan", "n.a.", "not known", "unbekannt"}
)
"""What people write, in any letters, where they do not know an answer."""
_ODDS = re.compile(r"(.*\S)\s*:\s*([0-9][0-9.,]*\s*%?|[.][0-9]+|[0-9]+/[0-9]+)")


def is_unknown(text: str) -> bool:
    """Return whether a cell says in some way that nothing is known."""
    return text.casefold() in UNKNOWN


def sets_among(answers: Iterable[str]) -> tuple[str, str]:
    """Return the first of the answers to one test that is a set, and the first that may be one; empty: none.

    A single answer that is said to be likely, ``a:0.9``, may be one.

    It is one where odds are numbers, or all of its parts are answers on their own or parts of other sets and
    one of them is an answer on its own. It may be one where that holds for some part only.
    """
    labels = dict.fromkeys(answers)
    composed = {label: parts_of(label) for label in labels if "/" in label or "|" in label}
    composed = {label: parts for label, parts in composed.items() if len(parts) > 1 and all(parts)}
    doubt = next((label for label in labels if is_probability(label)), "")
    if not composed:
        return "", doubt
    alone = {label for label in labels if label not in composed and not is_unknown(label)}
    if not alone and all(part.isdigit() for parts in composed.values() for part in parts):
        return "", ""  # fractions: no cause has an answer of its own
    used: dict[str, int] = {}
    for parts in composed.values():
        for part in set(parts):
            used[part] = used.get(part, 0) + 1
    for label, parts in composed.items():
        if is_unknown(label) or len(set(parts)) < len(parts):
            continue
        if _are_odds(parts):
            return label, ""
        known = [part in alone for part in parts]
        if any(known) and all(one or used[part] > 1 for one, part in zip(known, parts, strict=True)):
            return label, ""
        if not doubt and (any(known) or any(used[part] > 1 for part in parts)):
            doubt = label
    return "", doubt


def _are_odds(parts: Sequence[str]) -> bool:
    """Return whether every part ends in a number; times such as 12:30 have none before it that is a label."""
    found = [_ODDS.fullmatch(part) for part in parts]
    return all(one is not None and not one[1].isdigit() for one in found)
