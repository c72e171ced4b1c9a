"""Independent copies of tests that may err: each is a test of its own, asked after the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import GameError, shown
from .cells import answers_of
from .extras import some_of
from .options import How
from .table import Content


def with_repeats(content: Content, erring: Sequence[str], how: How) -> tuple[Content, tuple[str, ...]]:
    """Return a table with independent copies of the tests that may err, each after the one before it.

    Those are the tests of which it is said, and those with odds in their cells, unless they end a path.
    Raises GameError where there is none, or a copy has the label of another test.
    """
    if how.repeat == 1:
        return content, ()
    chosen = [
        test
        for test, row in zip(content.guesses, content.cells, strict=True)
        if test in erring or _has_odds(row, content)
    ]
    if not chosen:
        raise GameError(
            f"{how.spelled('repeat', how.repeat).removeprefix(',')}, and no test errs; expected columns "
            "'sensitivity' and 'specificity', or 'error', or odds in cells"
        )
    copies = [
        (i, f"{test} ({k})" if k > 1 else test, k)
        for i, test in enumerate(content.guesses)
        for k in range(1, 1 + (how.repeat if test in chosen else 1))
    ]
    labels = [label for _, label, _ in copies]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise GameError(
            f"a test {shown(twice)} beside repeats, of which one is called so; expected another label"
        )
    before = [
        content.after[i] if content.after and k == 1 else (labels[place - 1],) if k > 1 else ()
        for place, (i, _, k) in enumerate(copies)
    ]
    index = [i for i, _, _ in copies]
    found = replace(
        content,
        guesses=tuple(labels),
        cells=tuple(content.cells[i] for i in index),
        costs=None if content.costs is None else tuple(content.costs[i] for i in index),
        groups=tuple(content.groups[i] for i in index) if content.groups else (),
        later=tuple(content.later[i] for i in index) if content.later else (),
        after=tuple(before),
        guess_remarks=content.guess_remarks.renamed({label: [content.guesses[i]] for i, label, _ in copies}),
    )
    return found, (f"repeats: each of {some_of(chosen)} up to {how.repeat} times, independently",)


def _has_odds(row: Sequence[str], content: Content) -> bool:
    """Return whether a cell of a test has answers of which some are likelier than others, and none ends."""
    if not content.sets:
        return False
    cells = [answers_of(cell) for cell in dict.fromkeys(row) if cell]
    return any(len(set(cell.values())) > 1 for cell in cells) and not any(
        content.ends in cell for cell in cells
    )
