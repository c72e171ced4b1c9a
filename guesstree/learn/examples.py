"""Examples as a table of tests: equal ones of a class are one cause, as heavy as they are together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from numbers import Real
from typing import Any

import numpy as np

from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.exact import exact_text, scaled
from guesstree.engine.game import MOST_COST
from guesstree.engine.notation import Look
from guesstree.engine.tables.cells import BAR, BETWEEN, cell_of
from guesstree.engine.tables.data import cell_text
from guesstree.engine.tables.noisy import NoisyTable
from guesstree.engine.tables.table import Content
from guesstree.learn.features import MISSING, Feature, exact_number

Losses = Sequence[Sequence[Fraction | None]]
"""What saying each class costs by the class that it is, None: it may not be said."""
LOOK = Look(secret="distinct row", guess="test")


@dataclass(frozen=True)
class Prices:
    """What the tests cost: exact numbers, one for each.

    Attributes
    ----------
    first: what a test costs, with the set-up of its group.
    later: what it costs once another of its group was asked.
    groups: the group of each, or an empty text.
    """

    first: tuple[Fraction, ...]
    later: tuple[Fraction, ...]
    groups: tuple[str, ...]

    @classmethod
    def of(cls, names: Sequence[str], costs: Any, groups: Any, setup: Any, later: Any) -> Prices:
        """Read what `Tests` is given; raise GuesstreeError for what is no number, or of no feature."""
        own = numbers_by_name("costs", costs, names, default=Fraction(1) if costs is None else None)
        member = _by_name("groups", {} if groups is None else groups, names)
        group = tuple(cell_text(member.get(name, ""), f"the group of {shown(name)}") for name in names)
        opened = [label for label in dict.fromkeys(group) if label]
        setups = numbers_by_name("setup", setup, opened, default=Fraction(0))
        grouped = [name for name, one in zip(names, group, strict=True) if one]
        lower = _by_name("later", {} if later is None else later, grouped)
        first = tuple(cost + setups.get(one, 0) for cost, one in zip(own.values(), group, strict=True))
        then = [
            exact_number(lower[name], f"later of {shown(name)}") if name in lower else own[name]
            for name in names
        ]
        for name, price, less in zip(names, first, then, strict=True):
            if not 0 <= less <= price:
                raise GuesstreeError(
                    f"later: {shown(name)} costs {exact_text(less)} after {exact_text(price)} at first; "
                    "expected from 0 to what it costs at first"
                )
        return cls(first, tuple(then), group)


def _by_name(what: str, values: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return what is given for some names, in order or by name; raise GuesstreeError for another name."""
    if isinstance(values, Mapping) or hasattr(values, "to_dict"):
        pairs = values.items() if isinstance(values, Mapping) else values.to_dict().items()
        found = {cell_text(name, f"a name in {what}"): value for name, value in pairs}
        odd = next((name for name in found if name not in names), None)
        if odd is not None:
            some = ", ".join(map(shown, names[:8])) or "none, as nothing has a group"
            raise GuesstreeError(f"{what}: {shown(odd)} is not known; expected {some}")
        return found
    listed = list(values) if hasattr(values, "__iter__") and not isinstance(values, str) else []
    if len(listed) != len(names):
        raise GuesstreeError(f"{what}={shown(values)}; expected a mapping, or {len(names)} values in order")
    return dict(zip(names, listed, strict=True))


def numbers_by_name(
    what: str, values: Any, names: Sequence[str], default: Fraction | None
) -> dict[str, Fraction]:
    """Return a number from 0 for each name, or the default, where there is one; raise GuesstreeError."""
    given = _by_name(what, {} if values is None else values, names)
    found = {}
    for name in names:
        if name not in given and default is None:
            raise GuesstreeError(f"{what}: nothing for {shown(name)}; expected a number for each feature")
        number = default if name not in given else exact_number(given[name], f"{what} of {shown(name)}")
        if number is None or number < 0:
            raise GuesstreeError(f"{what} of {shown(name)}: {shown(given[name])}; expected a number from 0")
        found[name] = number
    return found


def losses_of(loss: Any, wrong: Any, labels: Sequence[Any]) -> Losses:
    """Return what saying each class costs by the class that it is.

    `loss`: by (said, true), or by rows said and columns true in the order of classes; `wrong`: what is lost
    where that says nothing; both None: a wrong class may not be said. Raises GuesstreeError.
    """
    other = None if wrong is None else _loss(wrong, "wrong")
    usual = [[Fraction(0) if say == true else other for true in labels] for say in labels]
    if loss is None:
        return usual
    number = {label: i for i, label in enumerate(labels)}
    if not isinstance(loss, Mapping):
        rows = [list(row) for row in loss] if _is_square(loss, len(labels)) else []
        if not rows:
            raise GuesstreeError(
                f"loss={shown(loss)}; expected {len(labels)} rows of {len(labels)}, what saying each class "
                "costs by the class that it is, a mapping such as {('ill', 'well'): 5}, or wrong=5"
            )
        return [[_loss(one, f"loss, row {i}") for one in row] for i, row in enumerate(rows)]
    for pair, value in loss.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or not set(pair) <= number.keys():
            raise GuesstreeError(
                f"loss of {shown(pair)}; expected pairs of classes (said, true), which are "
                + ", ".join(map(shown, labels))
            )
        usual[number[pair[0]]][number[pair[1]]] = _loss(value, f"loss of {shown(pair)}")
    if wrong is None:
        pairs = ((say, true) for say in labels for true in labels if say != true)
        left = next((pair for pair in pairs if pair not in loss), None)
        if left is not None:
            raise GuesstreeError(
                f"loss: nothing for {shown(left)}, (said, true); expected a number, None where it may not "
                "be said, or wrong= for the rest"
            )
    return usual


def _is_square(rows: Any, size: int) -> bool:
    listed = list(rows) if hasattr(rows, "__iter__") and not isinstance(rows, str) else []
    return len(listed) == size and all(hasattr(row, "__len__") and len(row) == size for row in listed)


def _loss(value: Any, place: str) -> Fraction | None:
    if value is None or (isinstance(value, Real) and value == inf):
        return None
    number = exact_number(value, place)
    if number < 0:
        raise GuesstreeError(f"{place}: {shown(value)}; expected a number from 0, or None: it is not allowed")
    return number


@dataclass(frozen=True)
class Examples:
    """Examples by equal ones of one class.

    Equal ones of different classes stay apart, so that what is lost is known of each; a search puts them
    together.

    Attributes
    ----------
    features: the tests.
    labels: the classes, as text.
    answers: for each different example what it answers to each test, a number of its answers or MISSING.
    classes, weights: for each, its class by number, and what it weighs.
    first: the number of the first example of each.
    even: whether all answers to a test are equally likely where a value is missing, else by shares.
    """

    features: tuple[Feature, ...]
    labels: tuple[str, ...]
    answers: tuple[tuple[int, ...], ...]
    classes: tuple[int, ...]
    weights: tuple[Fraction, ...]
    first: tuple[int, ...]
    even: bool

    @classmethod
    def of(
        cls,
        features: Sequence[Feature],
        columns: Sequence[Sequence[Any]],
        labels: Sequence[str],
        weighed: Iterable[tuple[int, int, Fraction]],
        *,
        even: bool,
    ) -> Examples:
        """Put equal examples together. `weighed`: the number, the class and the weight of each."""
        rows = zip(*(one.read(column) for one, column in zip(features, columns, strict=True)), strict=True)
        weights, first = dict[tuple[tuple[int, ...], int], Fraction](), list[int]()
        for row, (number, own, weight) in zip(rows, weighed, strict=True):
            if (row, own) not in weights:
                weights[row, own] = Fraction()
                first.append(number)
            weights[row, own] += weight
        answers, classes = zip(*weights, strict=True)
        return cls(
            tuple(features), tuple(labels), answers, classes, tuple(weights.values()), tuple(first), even
        )

    @cached_property
    def odds(self) -> tuple[Mapping[int, Fraction], ...]:
        """For each test, how likely each of its answers is where the value is missing."""
        found = []
        for test in range(len(self.features)):
            seen = dict[int, Fraction]()
            for row, weight in zip(self.answers, self.weights, strict=True):
                if row[test] != MISSING:
                    seen[row[test]] = Fraction(1) if self.even else seen.get(row[test], 0) + weight
            total = sum(seen.values())
            found.append({answer: weight / total for answer, weight in sorted(seen.items())})
        return tuple(found)

    def game(self, prices: Prices, losses: Losses) -> NoisyTable:
        """Return the table whose causes are the different examples and whose decisions are the classes.

        Raises GuesstreeError where nothing may be said of examples that no test tells apart.
        """
        self._require_decisions(losses)
        lost = [loss for row in losses for loss in row if loss is not None]
        counted, cost_unit = scaled([*prices.first, *prices.later, *lost])
        weights, weight_unit = scaled(self.weights)
        tests, grouped = len(self.features), any(prices.groups)
        sets = any(MISSING in row for row in self.answers) and not self.even
        if sets:
            self._require_plain()
        units = [[None if loss is None else int(loss / cost_unit) for loss in row] for row in losses]
        return NoisyTable(
            f"table:{exact_text(sum(self.weights))} examples",
            Content(
                guesses=tuple(one.name for one in self.features),
                secrets=tuple(
                    f"row {i}: {self.labels[own]}" for i, own in zip(self.first, self.classes, strict=True)
                ),
                cells=tuple(
                    tuple(self._cell(test, row[test], sets) for row in self.answers) for test in range(tests)
                ),
                weights=weights,
                costs=counted[:tests],
                cost_unit=cost_unit,
                weight_unit=weight_unit,
                sets=sets,
                groups=prices.groups if grouped else (),
                later=counted[tests : 2 * tests] if grouped else (),
                decisions=self.labels,
                classes=tuple(self.labels[own] for own in self.classes),
                losses=tuple(tuple(row[own] for own in self.classes) for row in units),
                look=LOOK,
            ),
        )

    def _cell(self, test: int, answer: int, sets: bool) -> str:
        """Return a cell of the table: an answer, or for a missing value its odds, or nothing."""
        labels = self.features[test].answers
        if answer == MISSING:
            return cell_of({labels[i]: part for i, part in self.odds[test].items()}) if sets else ""
        return cell_of({labels[answer]: Fraction(1)}) if sets else labels[answer]

    def _require_plain(self) -> None:
        """Raise GuesstreeError for an answer that would be read as several."""
        for one in self.features:
            odd = next((answer for answer in one.answers if BETWEEN in answer or BAR in answer), None)
            if odd is not None:
                raise GuesstreeError(
                    f"feature {shown(one.name)} has the value {shown(odd)}, which reads as several where "
                    "values are missing; expected other words, or missing='even' or 'answer'"
                )

    def _require_decisions(self, losses: Losses) -> None:
        """Raise GuesstreeError that names equal examples of which nothing may be said."""
        kinds, first = dict[tuple[int, ...], list[int]](), dict[tuple[int, ...], int]()
        for row, own, number in zip(self.answers, self.classes, self.first, strict=True):
            kinds.setdefault(row, []).append(own)
            first.setdefault(row, number)
        for row, some in kinds.items():
            if all(any(decision[own] is None for own in some) for decision in losses):
                raise GuesstreeError(
                    f"examples that no feature tells apart, such as row {first[row]}, are "
                    f"{' and '.join(self.labels[own] for own in some)}; expected loss= or wrong=, what a "
                    "wrong class costs"
                )


@dataclass(frozen=True)
class Lost:
    """What saying a class loses for an example, whose class may be a new one.

    Attributes
    ----------
    classes, losses: as `losses_of` has them.
    wrong: what is lost for a class that is not among them; None: that is not known.
    """

    classes: Sequence[Any]
    losses: Losses
    wrong: Any

    def by(self, said: int, true: Any) -> Fraction | float:
        """Return the loss; infinite where that may not be said. Raises GuesstreeError for a new class."""
        if true in self.classes:
            loss = self.losses[said][self.classes.index(true)]
        elif self.wrong is not None:
            loss = _loss(self.wrong, "wrong")
        else:
            raise GuesstreeError(f"no loss is known of the class {shown(true)}, which was not learned")
        return inf if loss is None else loss


def listed(values: Any, count: int, what: str = "classes") -> list[Any]:
    """Return what is given for each example, also in one column; raise GuesstreeError for too many or few."""
    if values is None:
        raise GuesstreeError(f"no {what}: y is None; Tests requires y to be passed, but the target y is None")
    if hasattr(values, "__array__") and not hasattr(values, "tolist"):
        values = np.asarray(values)
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise GuesstreeError(f"{what} {shown(values)}; expected a list, an array or a Series")
    found = values.tolist() if hasattr(values, "tolist") else list(values)
    if not isinstance(found, list):  # of an array without a dimension
        raise GuesstreeError(f"{what} {shown(values)}; expected a list, an array or a Series")
    if all(isinstance(one, list) and len(one) == 1 for one in found):
        found = [one[0] for one in found]
    if len(found) != count:
        raise GuesstreeError(f"{len(found)} {what} for {count} examples; expected one for each")
    return list(found)


def classes_of(truth: Any, count: int) -> tuple[list[Any], list[int]]:
    """Return the different classes in order, and which of them each example has; raise GuesstreeError."""
    known = listed(truth, count)
    for i, one in enumerate(known):
        if not cell_text(one, f"the class of example {i}"):
            raise GuesstreeError(f"example {i} has no class; expected one for each")
        if isinstance(one, float) and not one.is_integer():
            raise GuesstreeError(
                f"Unknown label type: continuous, as example {i} is {shown(one)}; expected classes: texts, "
                "whole numbers, True and False"
            )
    try:
        classes = sorted(set(known))
    except TypeError:
        raise GuesstreeError("classes of several kinds; expected all texts, or all numbers") from None
    number = {one: i for i, one in enumerate(classes)}
    return classes, [number[one] for one in known]


def weights_of_examples(weights: Any, count: int) -> list[Fraction]:
    """Return the weight of each example exactly, 1 where none are given; raise GuesstreeError."""
    if weights is None:
        return [Fraction(1)] * count
    given = listed(weights, count, "weights")
    found = [exact_number(one, f"the weight of example {i}") for i, one in enumerate(given)]
    odd = next((i for i, one in enumerate(found) if one < 0), None)
    if odd is not None:
        raise GuesstreeError(f"the weight of example {odd}: {shown(given[odd])}; expected a number from 0")
    if sum(scaled(found)[0]) >= MOST_COST:
        longest = max(range(count), key=lambda i: found[i].denominator)
        raise GuesstreeError(
            f"the weight of example {longest}: {shown(given[longest])}; expected fewer decimals, such as "
            "numpy.round(sample_weight, 6): weights are counted exactly"
        )
    return found
