"""Two measures at once, such as money and harm: what is best for some price of one in the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from guesstree.api.strategy import Strategy
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.exact import scaled
from guesstree.engine.game import Game
from guesstree.engine.registry import game_of
from guesstree.engine.tables.table import Content

from .envelope import Line, envelope, through
from .ranges import average_of, proven, table_of, with_content

SAME = {
    "guesses": "tests",
    "secrets": "causes",
    "cells": "cells",
    "weights": "weights",
    "weight_unit": "weights",
    "groups": "groups",
    "after": "preconditions",
    "decisions": "decisions",
    "ends": "answers that end a path",
    "sets": "sets",
}
"""What two tables must say alike."""


@dataclass(frozen=True)
class Point:
    """A strategy of the front.

    Attributes
    ----------
    first, second: what it takes on average in each measure.
    rates: from which to which price of 1 of the second measure, in the first, no strategy costs less; None:
        at any price above.
    """

    strategy: Strategy
    first: Fraction
    second: Fraction
    rates: tuple[Fraction, Fraction | None]


def front(game: Game | str, other: Game | str, **options: Any) -> list[Point]:
    """Return the front of two measures, from the least in the first to the least in the second.

    The two tables are alike but for costs and losses. What is between two neighbours can be had by a draw
    between them, and nothing takes less of both; a single strategy that lies above the line between them is
    not listed. `options` are those of `solve`. Raises GuesstreeError for what are not two such tables, and
    where a search ends without a proof.
    """
    games = game_of(game), game_of(other)
    first, second = (table_of(one) for one in games)
    for name, what in SAME.items():
        if getattr(first, name) != getattr(second, name):
            raise GuesstreeError(
                f"{games[1].spec}: its {what} are not those of {games[0].spec}; expected "
                "the same table with other costs and losses"
            )
    allowed = [[[loss is None for loss in row] for row in one.losses] for one in (first, second)]
    if allowed[0] != allowed[1]:
        raise GuesstreeError(
            f"{games[1].spec}: other decisions are allowed than in {games[0].spec}; expected a loss in the "
            "same cells"
        )

    def best(x: Fraction) -> Line[Strategy]:
        strategy = proven(with_content(games[0], mixed(first, second, x)), options)
        return through(
            Fraction(0), average_of(strategy, games[0]), Fraction(1), average_of(strategy, games[1]), strategy
        )

    pieces = envelope(best, Fraction(0), Fraction(1))
    return [
        Point(
            replace(piece.line.strategy, game=games[0]),
            piece.line.at(Fraction(0)),
            piece.line.at(Fraction(1)),
            (piece.low / (1 - piece.low), None if piece.high == 1 else piece.high / (1 - piece.high)),
        )
        for piece in pieces
    ]


def mixed(first: Content, second: Content, x: Fraction) -> Content:
    """Return a table whose costs and losses are 1 - x times those of one and x times those of the other."""

    def part(one: Sequence[int], other: Sequence[int]) -> list[Fraction]:
        return [
            (1 - x) * a * first.cost_unit + x * b * second.cost_unit for a, b in zip(one, other, strict=True)
        ]

    count = len(first.guesses)
    costs = part(first.costs or (1,) * count, second.costs or (1,) * count)
    later = part(first.later, second.later)
    known = [
        part([a], [b])[0]
        for row, others in zip(first.losses, second.losses, strict=True)
        for a, b in zip(row, others, strict=True)
        if a is not None and b is not None
    ]
    counts, unit = scaled([*costs, *later, *known])
    number = iter(counts)
    return replace(
        first,
        cost_unit=unit,
        costs=tuple(next(number) for _ in costs),
        later=tuple(next(number) for _ in later),
        losses=tuple(tuple(None if loss is None else next(number) for loss in row) for row in first.losses),
    )
