"""Strategies of questions with two answers, by enumeration: every object is followed through every grouping.

An object is a cause with one state of each character, as likely as its cells say. No state is ever summed up:
what is left after an answer are the objects that give it. Random tables to compare it with.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from guesstree.engine.exact import Number
from guesstree.engine.tables.characters import order_of
from guesstree.engine.tables.table import Content

Object = tuple[int, tuple[str, ...]]
"""A cause, and the state of each character."""


class Paid(NamedTuple):
    """The least that is paid on average, and at worst; None: there is no strategy."""

    expected: Fraction | None
    worst: Number | None


@dataclass(frozen=True)
class Plain:
    """A table in plain words: for each character and cause how likely each state is; orders of states."""

    cells: tuple[tuple[dict[str, Fraction], ...], ...]
    orders: tuple[tuple[str, ...], ...]
    weights: tuple[int, ...]
    prices: tuple[int, ...]
    cliques: bool
    losses: tuple[tuple[int | None, ...], ...]

    def objects(self) -> dict[Object, Fraction]:
        """Return all objects with what they weigh."""
        found = {}
        for cause, weight in enumerate(self.weights):
            for states in product(*(row[cause] for row in self.cells)):
                chances = (row[cause][state] for row, state in zip(self.cells, states, strict=True))
                found[cause, states] = weight * prod(chances, start=Fraction(1))
        return found

    def questions(self, objects: Sequence[Object]) -> Iterator[tuple[int, frozenset[str]]]:
        """Yield the questions that part some objects: a character, and the states of one answer."""
        for character, order in enumerate(self.orders):
            met = {states[character] for _, states in objects}
            if order:
                yield from ((character, frozenset(order[:cut]) & met) for cut in range(1, len(order)))
                continue
            first, *others = sorted(met)
            for many in range(len(others)):
                yield from ((character, frozenset((first, *some))) for some in combinations(others, many))

    def overlap(self, one: int, other: int) -> bool:
        """Return whether two causes may show the same state of every character."""
        return all(row[one].keys() & row[other].keys() for row in self.cells)

    def ended(
        self, objects: Sequence[Object], lost: Callable[[Sequence[tuple[Object, int]]], Number]
    ) -> Number | None:
        """Return what the best decision loses if nothing more is asked; None: that may not be."""
        causes = {cause for cause, _ in objects}
        if not self.losses:
            pairs = combinations(sorted(causes), 2)
            return (
                0
                if len(causes) < 2 or (self.cliques and all(self.overlap(*pair) for pair in pairs))
                else None
            )
        each = []
        for row in self.losses:
            losses = [(one, row[one[0]]) for one in objects]
            known = [(one, loss) for one, loss in losses if loss is not None]
            if len(known) == len(losses):
                each.append(lost(known))
        return min(each, default=None)

    def paid_within(self, limit: Number) -> Fraction:
        """Return the least that is paid on average where nobody pays more than a limit, without decisions."""
        weights = self.objects()

        @cache
        def expected(objects: frozenset[Object], left: Number) -> Number | None:
            listed = sorted(objects)
            if self.ended(listed, lambda _: 0) == 0:
                return 0
            mass, found = sum(weights[one] for one in listed), list[Number]()
            for character, states in self.questions(listed):
                part, price = (
                    frozenset(one for one in listed if one[1][character] in states),
                    self.prices[character],
                )
                if part and part != objects and price <= left:
                    below = [expected(some, left - price) for some in (part, objects - part)]
                    known = [one for one in below if one is not None]
                    if len(known) == 2:
                        found.append(price * mass + sum(known))
            return min(found, default=None)

        average = expected(frozenset(weights), limit)
        assert average is not None
        return Fraction(average) / sum(self.weights)

    def paid(self) -> Paid:
        """Return what the best strategies pay."""
        weights = self.objects()

        def averaged(losses: Sequence[tuple[Object, int]]) -> Number:
            return sum((weights[one] * loss for one, loss in losses), Fraction(0))

        @cache
        def expected(objects: frozenset[Object]) -> Number | None:
            listed = sorted(objects)
            found = [self.ended(listed, averaged)]
            mass = sum(weights[one] for one in listed)
            for character, states in self.questions(listed):
                part = frozenset(one for one in listed if one[1][character] in states)
                if part and part != objects:
                    below = [expected(part), expected(objects - part)]
                    known = [one for one in below if one is not None]
                    if len(known) == 2:
                        found.append(self.prices[character] * mass + sum(known))
            return min((one for one in found if one is not None), default=None)

        @cache
        def worst(objects: frozenset[Object]) -> Number | None:
            listed = sorted(objects)
            found = [self.ended(listed, lambda losses: max(loss for _, loss in losses))]
            for character, states in self.questions(listed):
                part = frozenset(one for one in listed if one[1][character] in states)
                if part and part != objects:
                    below = [worst(part), worst(objects - part)]
                    known = [one for one in below if one is not None]
                    if len(known) == 2:
                        found.append(self.prices[character] + max(known))
            return min((one for one in found if one is not None), default=None)

        everything = frozenset(weights)
        average = expected(everything)
        return Paid(None if average is None else Fraction(average) / sum(self.weights), worst(everything))


def plain_of(content: Content, answers: Callable[[str], dict[str, Fraction]]) -> Plain:
    """Return a table in plain words; `answers` reads a cell."""
    cells = []
    for row in content.cells:
        known = [answers(cell) if cell else None for cell in row]
        every = dict.fromkeys(state for cell in known for state in cell or ())
        alike = {state: Fraction(1, len(every)) for state in every}
        cells.append(tuple(alike if cell is None else cell for cell in known))
    return Plain(
        tuple(cells),
        content.orders,
        content.weights or (1,) * len(content.secrets),
        content.costs or (1,) * len(content.guesses),
        content.cliques,
        content.losses,
    )


def random_content(dice: random.Random, *, odds: bool = True, decisions: bool = False) -> Content:
    """Return a small random table asked by questions of two answers; some states are numbers, in order."""
    causes, tests = dice.randint(2, 5), dice.randint(1, 3)
    several, uneven, priced = dice.random() < 0.7, odds and dice.random() < 0.4, dice.random() < 0.3
    rows, orders = [], []
    for _ in range(tests):
        numbers = dice.random() < 0.4
        states = list("1234" if numbers else "abcd")[: dice.randint(2, 4)]
        row: list[str] = []
        for _ in range(causes):
            some = dice.sample(states, dice.choice((1, 1, 2, 2, 3)) if several and len(states) > 2 else 1)
            if several and dice.random() < 0.08 and row:
                row.append("")
            elif len(some) > 1 and uneven:
                row.append("/".join(f"{state}:{dice.randint(1, 3)}" for state in some))
            else:
                row.append("/".join(some))
        shown = dict.fromkeys(part.partition(":")[0] for cell in row for part in cell.split("/") if part)
        rows.append(tuple(row))
        orders.append(order_of("t", tuple(shown)) if numbers else ())
    losses: tuple[tuple[int | None, ...], ...] = ()
    if decisions:
        losses = tuple(tuple(dice.choice((0, 0, 1, 3, None)) for _ in range(causes)) for _ in range(2))
        losses += (tuple(dice.randint(1, 5) for _ in range(causes)),)
    return Content(
        tuple(f"t{i}" for i in range(tests)),
        tuple(f"c{i}" for i in range(causes)),
        tuple(rows),
        tuple(dice.randint(1, 4) for _ in range(causes)) if dice.random() < 0.5 else None,
        tuple(dice.randint(1, 3) for _ in range(tests)) if priced else None,
        sets=True,
        cliques=not decisions and dice.random() < 0.6,
        decisions=tuple(f"d{i}" for i in range(len(losses))),
        losses=losses,
        orders=tuple(orders),
    )
