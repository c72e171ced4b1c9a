"""What goes with what, as a page: the table of `support`."""

from __future__ import annotations

from itertools import product

from .notation import capital
from .support import FEATURES, REFUSED

PAGE = """# What goes with what

This page is for everybody whose options guesstree refused: it says which objectives, games and options
work together. Where a cell is empty, the two work together. A number means that they do not, and names
the reason below; a number in brackets means that they do not if a third one is present, too.
`guesstree.engine.combinations.page` writes this page from the table that the program itself uses; do not edit
it.

{matrix}
## Reasons

{reasons}

Next: see [the options of each command](commands.md).
"""


def page() -> str:
    """Return docs/combinations.md."""
    cells: dict[tuple[str, str], list[str]] = {}
    reasons = []
    for number, row in enumerate(REFUSED, 1):
        mark = f"{number}" if len(row.groups) == 2 else f"({number})"
        for i, group in enumerate(row.groups):
            for other in row.groups[i + 1 :]:
                for pair in product(group, other):
                    cells.setdefault(pair, []).append(mark)
                    cells.setdefault((pair[1], pair[0]), []).append(mark)
        what = ", with ".join(" or ".join(group) for group in row.groups)
        reasons.append(f"{number}. {capital(what)}: {row.why}.")
    lines = [["", *FEATURES], ["---"] * (len(FEATURES) + 1)]
    lines += [
        [f"**{a}**", *("" if a == b else " ".join(cells.get((a, b), [])) for b in FEATURES)] for a in FEATURES
    ]
    matrix = "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
    return PAGE.format(matrix=matrix, reasons="\n".join(reasons))
