"""Options that the formats of biologists imply: what several states in a cell mean, and none."""

from __future__ import annotations

from dataclasses import replace

from ..errors import shown
from .cells import parts_of
from .lint import doubtful_pair
from .options import How
from .sets import is_unknown
from .table import Content


def implied_cells(cells: list[list[str]], how: How) -> tuple[How, list[str]]:
    """Return how the cells of coded descriptions are taken where nobody said so, and that in a few words.

    Several states are a set; a cell without states is unknown.
    """
    if how.cells or how.missing == "label":
        return how, []
    if any(len(parts_of(cell)) > 1 for row in cells for cell in dict.fromkeys(row)):
        return replace(how, cells="sets"), ["cells=sets (any state of a cell)"]
    if not how.missing and any(not cell or is_unknown(cell) for row in cells for cell in row):
        return replace(how, missing="any"), ["missing=any (what is not coded may be any state)"]
    return how, []


def implied_ends(content: Content, given: How) -> tuple[Content, list[str]]:
    """Return the table with ends that may name several taxa, where some overlap in every character.

    A choice about cells or ends that was `given` is left as it is.
    """
    if given.cells or given.missing or given.ambiguous or given.merge:
        return content, []
    pair = doubtful_pair(content)
    if pair is None:
        return content, []
    plain = not content.sets and not any("" in row for row in content.cells)
    some = " and ".join(map(shown, pair))
    why = f"no character surely separates {some}, so an end may name both"
    said = f"{'cells=sets,' if plain else ''}ambiguous=clique ({why})"
    return replace(content, sets=content.sets or plain, cliques=True), [said]
