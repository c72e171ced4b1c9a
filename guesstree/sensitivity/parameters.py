"""The numbers of a table that may not be certain, each with the table where it is another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.exact import scaled
from guesstree.engine.tables.cells import answers_of, cell_of
from guesstree.engine.tables.table import Content

LEAST_CHANCE = Fraction(1, 1000)
"""Probabilities go from here to 1 less this: at 0 and 1 other answers would be possible."""
MOST_TIMES = 1000
"""Costs and losses go up to so many times the largest in the table."""


@dataclass(frozen=True)
class Parameter:
    """A number of a table.

    Attributes
    ----------
    name: such as ``cost of swab``.
    value: what it is, in the table's own units.
    low, high: what it may be.
    rising: whether no strategy takes less where it is larger, as with costs and losses.
    content: what the table says where it is another number.
    """

    name: str
    value: Fraction
    low: Fraction
    high: Fraction
    rising: bool
    content: Callable[[Fraction], Content]

    @property
    def usual(self) -> Fraction:
        """Where a curve ends if nobody says: at the largest probability, or at three times a cost or loss."""
        return min(self.high, 3 * self.value or self.high / MOST_TIMES) if self.rising else self.high


def parameters_of(content: Content) -> list[Parameter]:
    """Return the numbers of a table: probabilities, costs, set-ups, losses, chances of answers.

    What a strategy takes on average must be a straight line over each, so chances of tests that may be
    repeated are left out: a path may ask these several times.
    """
    return [*_priors(content), *_costs(content), *_losses(content), *_chances(content)]


def named(parameters: Sequence[Parameter], name: str) -> Parameter:
    """Return the parameter of a name, or the only one with that in its name; raise GuesstreeError."""
    found = [one for one in parameters if one.name == name] or [
        one for one in parameters if name.casefold() in one.name.casefold()
    ]
    if len(found) == 1:
        return found[0]
    some = "; ".join(one.name for one in (found or parameters)[:6])
    many = "several numbers have this in their names" if found else "no number of the table is called so"
    raise GuesstreeError(f"{shown(name)}: {many}; expected one of: {some}")


# -- weights -----------------------------------------------------------------------------------------------


def _wholes(content: Content) -> dict[str, list[int]]:
    """Return the causes of the table by their label, those that are split in parts with all of these."""
    classes = content.classes or content.secrets
    found: dict[str, list[int]] = {}
    for cause, (label, whole) in enumerate(zip(content.secrets, classes, strict=True)):
        found.setdefault(whole if label.startswith(f"{whole} (") else label, []).append(cause)
    return found


def _priors(content: Content) -> list[Parameter]:
    weights = content.weights or (1,) * len(content.secrets)
    total, wholes = sum(weights), _wholes(content)
    if len(wholes) < 2:
        return []

    def parameter(name: str, parts: Sequence[int]) -> Parameter:
        own = sum(weights[cause] for cause in parts)

        def moved(x: Fraction) -> Content:
            """Return the table where a cause has the probability x, and the others what is left."""
            shares = [
                weight * (x / own if cause in parts else (1 - x) / (total - own))
                for cause, weight in enumerate(weights)
            ]
            counts, unit = scaled(shares)
            return replace(content, weights=counts, weight_unit=unit)

        value = Fraction(own, total)
        low, high = min(LEAST_CHANCE, value), max(1 - LEAST_CHANCE, value)
        return Parameter(f"probability of {name}", value, low, high, rising=False, content=moved)

    return [parameter(name, parts) for name, parts in wholes.items()]


# -- costs and losses --------------------------------------------------------------------------------------


def _amounts(content: Content) -> tuple[list[Fraction], list[Fraction], list[list[Fraction | None]]]:
    """Return the costs of tests, what they cost later, and losses, in the table's own units."""
    unit = content.cost_unit
    costs = [cost * unit for cost in content.costs or (1,) * len(content.guesses)]
    later = [cost * unit for cost in content.later]
    losses = [[None if loss is None else loss * unit for loss in row] for row in content.losses]
    return costs, later, losses


def _priced(
    content: Content, costs: list[Fraction], later: list[Fraction], losses: list[list[Fraction | None]]
) -> Content:
    """Return a table with other costs and losses, as integers that count one unit."""
    known = [loss for row in losses for loss in row if loss is not None]
    counts, unit = scaled([*costs, *later, *known])
    number = iter(counts)
    return replace(
        content,
        cost_unit=unit,
        costs=tuple(next(number) for _ in costs),
        later=tuple(next(number) for _ in later),
        losses=tuple(tuple(None if loss is None else next(number) for loss in row) for row in losses),
    )


def _highest(content: Content) -> Fraction:
    costs, _, losses = _amounts(content)
    return MOST_TIMES * max([*costs, *(loss or Fraction(0) for row in losses for loss in row), Fraction(1)])


def _costs(content: Content) -> list[Parameter]:
    costs, later, losses = _amounts(content)
    high = _highest(content)

    def of_tests(name: str, value: Fraction, change: Mapping[int, tuple[bool, bool]]) -> Parameter:
        """Return a number that is part of what some tests cost: at first, later, or both."""

        def moved(x: Fraction) -> Content:
            first, after = list(costs), list(later)
            for test, (in_first, in_later) in change.items():
                first[test] += (x - value) * in_first
                if later:
                    after[test] += (x - value) * in_later
            return _priced(content, first, after, losses)

        return Parameter(name, value, Fraction(0), high, rising=True, content=moved)

    found = [
        of_tests(
            f"cost of {content.guesses[test]}",
            later[test] if later else costs[test],
            dict.fromkeys(copies, (True, True)),
        )
        for test, *copies in _copied(content)
    ]
    for group in dict.fromkeys(content.groups):
        tests = [test for test, label in enumerate(content.groups) if label == group]
        opening = {costs[test] - later[test] for test in tests}
        if group and len(opening) == 1:
            change = dict.fromkeys(tests, (True, False))
            found.append(of_tests(f"set-up of {group}", opening.pop(), change))
    return found


def _copied(content: Content) -> list[list[int]]:
    """Return each test, then itself and its copies, which cost the same."""
    number = {label: test for test, label in enumerate(content.guesses)}
    found: dict[int, list[int]] = {}
    first: dict[int, int] = {}
    for test, label in enumerate(content.guesses):
        first[test] = test
        before = [number[one] for one in content.after[test]] if content.after else []
        if len(before) == 1 and content.cells[before[0]] == content.cells[test]:
            start = first.get(before[0], before[0])
            if label == f"{content.guesses[start]} ({len(found.get(start, ())) + 1})":
                first[test] = start
        found.setdefault(first[test], []).append(test)
    return [[start, *tests] for start, tests in found.items()]


def _losses(content: Content) -> list[Parameter]:
    costs, later, losses = _amounts(content)
    high = _highest(content)

    def parameter(decision: int, cause: str, parts: Sequence[int], value: Fraction) -> Parameter:
        def moved(x: Fraction) -> Content:
            other = [list(row) for row in losses]
            for part in parts:
                other[decision][part] = x
            return _priced(content, costs, later, other)

        name = f"loss of {content.decisions[decision]} for {cause}"
        return Parameter(name, value, Fraction(0), high, rising=True, content=moved)

    return [
        parameter(decision, cause, parts, loss)
        for decision, row in enumerate(losses)
        for cause, parts in _wholes(content).items()
        if (loss := row[parts[0]]) is not None
    ]


# -- chances of answers ------------------------------------------------------------------------------------


def _chances(content: Content) -> list[Parameter]:
    if not content.sets:
        return []
    return [
        parameter
        for test in range(len(content.guesses))
        if not _repeated(content, test)
        for parameter in _chances_of(content, test)
    ]


def _repeated(content: Content, test: int) -> bool:
    """Return whether a test has copies, of which one waits for the other."""
    after = content.after or ((),) * len(content.guesses)
    label, row = content.guesses[test], content.cells[test]
    return any(
        content.cells[other] == row and (label in after[other] or content.guesses[other] in after[test])
        for other in range(len(content.guesses))
    )


def _chances_of(content: Content, test: int) -> list[Parameter]:
    """Return the chances of the answers to a test, one number for all causes that have the same."""
    row, label = content.cells[test], content.guesses[test]
    whole = {cause: name for name, parts in _wholes(content).items() for cause in parts}
    found = []
    for cell in dict.fromkeys(row):
        chances = answers_of(cell) if cell else {}
        causes = [cause for cause, text in enumerate(row) if text == cell]
        if len(chances) < 2:
            continue
        # Of two answers, the chance of one says that of the other.
        for answer in list(chances)[: 1 if len(chances) == 2 else None]:
            names = list(dict.fromkeys(whole[cause] for cause in causes))
            some = ", ".join(names[:3])
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            name = f"chance of {answer} to {label} for {some}{more}"
            found.append(_chance(content, test, causes, chances, answer, name))
    return found


def _chance(
    content: Content,
    test: int,
    causes: Sequence[int],
    chances: Mapping[str, Fraction],
    answer: str,
    name: str,
) -> Parameter:
    value = chances[answer]

    def moved(x: Fraction) -> Content:
        others = {label: chance * (1 - x) / (1 - value) for label, chance in chances.items()}
        cells = list(content.cells[test])
        for cause in causes:
            cells[cause] = cell_of(others | {answer: x})
        rows = (*content.cells[:test], tuple(cells), *content.cells[test + 1 :])
        return replace(content, cells=rows)

    low, high = min(LEAST_CHANCE, value), max(1 - LEAST_CHANCE, value)
    return Parameter(name, value, low, high, rising=False, content=moved)
