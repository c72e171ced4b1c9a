"""What a table says beside cells, costs and weights: groups, errors, decisions; see `noisy.model`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ..errors import GameError, shown
from ..exact import scaled
from ..sheets import Sheet
from .decisions import decisions_of
from .extras import Extras, some_of
from .groups import after_of, groups_of
from .joint import with_joints, without_joints
from .options import How
from .rates import with_rates
from .repeats import with_repeats
from .table import Content

UNDECIDED = "tests err, and nothing wrong may be decided"


@dataclass(frozen=True)
class Said:
    """What was read, for people: a line for each thing, and what is to be known where it is not plain."""

    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def modelled(
    content: Content, extras: Extras, how: How, matrix: Sheet | None, unit: str, *, comma: bool
) -> tuple[Content, Said]:
    """Return a table with what lines and options say, and that in words; raise GameError with the place.

    `matrix`: what is said x what is true; `unit`: what costs are counted in, such as ``min``.
    """
    content, held = without_joints(content)
    rated = with_rates(content, extras, how, comma=comma)
    if how.dichotomous and rated.tests:
        raise GameError(
            f"dichotomous with tests that err, such as {shown(rated.tests[0])}; expected only one of the two"
        )
    content, tests, causes = rated.content, content.guesses, content.secrets
    extras.check_crossings(tests, causes)
    prices = [cost * content.cost_unit for cost in content.costs or [1] * len(tests)]
    groups = groups_of(extras, tests, prices, unit, comma=comma)
    after = after_of(extras, tests)
    cheapest = min((*groups.prices, *groups.later))
    decisions = decisions_of(extras, causes, cheapest, how, matrix, unit, comma=comma)
    lines = [*rated.lines, *groups.lines]
    if after:
        some = [
            f"{test} after {' and '.join(known)}" for test, known in zip(tests, after, strict=True) if known
        ]
        lines.append(f"preconditions: {some_of(some)}")
    lines += decisions.lines
    if how.ends:
        lines.append(f"ends: a path ends with the answer {how.ends!r}")
    if how.failures:
        lines.append(f"failures: on a path, {how.failures} of the tests may fail to answer, at worst")
    content = replace(
        content,
        groups=groups.names,
        after=after,
        decisions=decisions.names,
        ends=how.ends,
        failures=how.failures,
    )
    if groups.names or decisions.names:
        content = _in_one_unit(content, groups.prices, groups.later, decisions.losses)
    notes = [*rated.notes, *decisions.notes]
    if rated.tests and not how.ends and not any(None not in row for row in decisions.losses):
        options = f"{how.spelled('wrong', 'N')} says what one loses, {how.spelled('confidence', '95%')}"
        notes.append(f"{UNDECIDED}: {options} how sure to be")
    content, together = with_joints(content, held, how)
    content, repeats = with_repeats(content, rated.tests, how)
    return content, Said((*lines, *together, *repeats), tuple(notes))


def _in_one_unit(
    content: Content,
    prices: Sequence[Fraction],
    later: Sequence[Fraction],
    losses: Sequence[Sequence[Fraction | None]],
) -> Content:
    """Return a table with costs and losses, as integers that count the same unit."""
    counts, unit = scaled([*prices, *later, *(loss for row in losses for loss in row if loss is not None)])
    number = iter(counts)
    return replace(
        content,
        cost_unit=unit,
        costs=tuple(next(number) for _ in prices),
        later=tuple(next(number) for _ in later),
        losses=tuple(tuple(None if loss is None else next(number) for loss in row) for row in losses),
    )
