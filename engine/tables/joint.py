"""Tests that depend on each other given the cause: rows ``A & B`` with the odds of their answers together.

In the model tests are independent given the cause. A cause whose tests are not is split into one for each
answer that these may give together, with its share of the weight: given such a part the answers are certain,
so that any dependence can be said (the latent classes of Lazarsfeld 1950, one for each pattern).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod

from ..errors import GameError, shown
from ..exact import exact_text, scaled
from .cells import answers_of, chances_in
from .options import How
from .table import Content

AND = " & "
APART = "independent"
"""The cell of a cause for which the tests are independent."""
MOST_PARTS = 20_000
"""Parts of causes that a table may have."""


def joined(label: str, labels: Sequence[str]) -> tuple[str, ...]:
    """Return the tests that a row says together, by its label; empty: it is a test like others."""
    parts = tuple(part.strip() for part in label.split(AND))
    return parts if len(parts) > 1 and len(set(parts)) == len(parts) and {*parts} <= {*labels} else ()


@dataclass(frozen=True)
class Joint:
    """A row of odds of answers together.

    Attributes
    ----------
    label: of the row.
    tests: which tests, by number.
    odds: for each cause the probability of each answer together, an answer for each test; None: the tests are
        independent given this cause.
    """

    label: str
    tests: tuple[int, ...]
    odds: tuple[Mapping[tuple[str, ...], Fraction] | None, ...]


@dataclass(frozen=True)
class Held:
    """A row of odds of answers together that is not read yet: its label, its tests, and its cells."""

    label: str
    tests: tuple[str, ...]
    cells: tuple[str, ...]


def without_joints(content: Content) -> tuple[Content, tuple[Held, ...]]:
    """Return a table without its rows of odds together, as these are no tests, and such rows.

    Raises GameError for a row that says so of some causes alone, for one that costs something, and for a
    test in two rows.
    """
    labels = content.guesses
    rows = {i: joined(label, labels) for i, label in enumerate(labels)}
    rows = {i: parts for i, parts in rows.items() if parts and content.sets and _says_together(content, i)}
    if not rows:
        return content, ()
    tests = [test for parts in rows.values() for test in parts]
    twice = next((test for test in tests if tests.count(test) > 1), None)
    if twice is not None:
        raise GameError(f"test {shown(twice)} in two rows of answers together; expected one")
    paid = next((i for i in rows if content.costs and content.costs[i]), None)
    if paid is not None:
        cost = exact_text((content.costs or ())[paid] * content.cost_unit)
        raise GameError(
            f"{shown(labels[paid])} costs {cost}; expected 0: it is no test, and its tests have costs"
        )
    held = tuple(Held(labels[i], parts, content.cells[i]) for i, parts in rows.items())
    kept = [i for i in range(len(labels)) if i not in rows]
    unit = content.cost_unit
    costs, unit = (None, unit) if content.costs is None else scaled([content.costs[i] * unit for i in kept])
    return (
        replace(
            content,
            guesses=tuple(labels[i] for i in kept),
            cells=tuple(content.cells[i] for i in kept),
            costs=costs,
            cost_unit=unit,
            orders=tuple(content.orders[i] for i in kept) if content.orders else (),
        ),
        held,
    )


def with_joints(content: Content, held: Sequence[Held], how: How) -> tuple[Content, tuple[str, ...]]:
    """Return a table whose causes are split by rows of odds together, and a line for each row.

    Raises GameError, which names the row and the cause, for odds that do not agree with the rows of the
    tests, where causes that overlap may end a path, and beside repeats.
    """
    if not held:
        return content, ()
    if content.cliques:
        raise GameError(
            f"{shown(held[0].label)} beside ambiguous=clique; expected one of them: parts of causes that "
            "overlap say nothing of causes"
        )
    if how.repeat > 1:
        raise GameError(
            f"{shown(held[0].label)} beside {how.spelled('repeat', how.repeat).removeprefix(',')}; expected "
            "one of them: how repeats depend on each other is not said"
        )
    joints = [_joint(content, row) for row in held]
    lines = [
        f"together: {joint.label}, for {len(joint.odds) - joint.odds.count(None)} of {len(joint.odds)} causes"
        for joint in joints
    ]
    return _split(content, joints), tuple(lines)


def _says_together(content: Content, row: int) -> bool:
    """Return whether the cells of a row hold answers of all its tests, or that these are independent."""
    label = content.guesses[row]
    width, cells = len(label.split(AND)), [cell for cell in content.cells[row] if cell]
    fits = [
        cell == APART or all(len(answer.split(AND)) == width for answer in answers_of(cell)) for cell in cells
    ]
    if any(fits) and not all(fits):
        odd = cells[fits.index(False)]
        raise GameError(
            f"{shown(label)} has the cell {shown(odd)} beside answers together; expected an answer of each "
            f"of its {width} tests, such as 'yes{AND}no', or {shown(APART)}"
        )
    return all(fits)


def _joint(content: Content, row: Held) -> Joint:
    """Return what a row says; raise GameError where it does not agree with the rows of its tests."""
    label, odds = row.label, list[Mapping[tuple[str, ...], Fraction] | None]()
    tests = tuple(content.guesses.index(test) for test in row.tests)
    alone = [chances_in(content.cells[test], sets=True) for test in tests]
    for cause, cell in enumerate(row.cells):
        if cell in ("", APART):
            odds.append(None)
            continue
        together = {
            tuple(part.strip() for part in answer.split(AND)): p for answer, p in answers_of(cell).items()
        }
        for place, test in enumerate(tests):
            sums: dict[str, Fraction] = {}
            for answers, p in together.items():
                sums[answers[place]] = sums.get(answers[place], Fraction(0)) + p
            for answer in {**alone[place][cause], **sums}:
                own, here = alone[place][cause].get(answer, 0), sums.get(answer, 0)
                if own != here:
                    raise GameError(
                        f"{shown(label)} for {shown(content.secrets[cause])} gives "
                        f"{shown(content.guesses[test])} the answer {shown(answer)} with probability "
                        f"{exact_text(here)}; expected {exact_text(own)}, as the row of that test says"
                    )
        odds.append(together)
    return Joint(label, tests, tuple(odds))


def _split(content: Content, joints: Sequence[Joint]) -> Content:
    """Return a table whose causes are split by answers that depend on each other."""
    parts: list[tuple[int, dict[int, str], Fraction]] = []
    for cause in range(len(content.secrets)):
        chosen = [(joint.tests, odds) for joint in joints if (odds := joint.odds[cause]) is not None]
        if len(parts) + prod(len(odds) for _, odds in chosen) > MOST_PARTS:
            raise GameError(f"answers together make over {MOST_PARTS} parts of causes; expected fewer")
        for some in product(*(odds.items() for _, odds in chosen)):
            fixed = {
                test: answer
                for (tests, _), (answers, _) in zip(chosen, some, strict=True)
                for test, answer in zip(tests, answers, strict=True)
            }
            parts.append((cause, fixed, prod((p for _, p in some), start=Fraction(1))))
    weights = content.weights or (1,) * len(content.secrets)
    counts, unit = scaled([weights[cause] * share * content.weight_unit for cause, _, share in parts])
    causes = [cause for cause, _, _ in parts]
    losses = content.losses or tuple(
        tuple(0 if own == cause else None for own in range(len(content.secrets)))
        for cause in range(len(content.secrets))
    )
    return replace(
        content,
        secrets=tuple(_part(content, cause, fixed) for cause, fixed, _ in parts),
        cells=tuple(
            tuple(fixed.get(i, row[cause]) for cause, fixed, _ in parts)
            for i, row in enumerate(content.cells)
        ),
        weights=counts,
        weight_unit=unit,
        decisions=content.decisions or content.secrets,
        losses=tuple(tuple(row[cause] for cause in causes) for row in losses),
        classes=tuple((content.classes or content.secrets)[cause] for cause in causes),
    )


def _part(content: Content, cause: int, fixed: Mapping[int, str]) -> str:
    """Return the label of a part of a cause: ``strep (swab yes, culture no)``."""
    answers = ", ".join(f"{content.guesses[test]} {answer}" for test, answer in fixed.items())
    return f"{content.secrets[cause]} ({answers})" if fixed else content.secrets[cause]
