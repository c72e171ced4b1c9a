"""The least of many lines, found from one best line at a time (Eisner and Severance 1976).

What a strategy takes on average is a straight line over one number of the table, so the optimum is the least
of many lines: a concave curve of straight pieces. A search at one point gives the best line there. Between
two points whose best lines meet on the curve there is nothing else, as the curve is concave and no higher
than either line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

S = TypeVar("S")
DIGITS = 10**6
MOST_DIGITS = 10**12
"""The denominator of a point at which is searched, as searches count in 64 bits; up to the second where the
first is not near enough."""
NEAR = Fraction(1, 10**6)
"""How far such a point may be from where lines meet, as a part of the way to the next known point."""


@dataclass(frozen=True)
class Line(Generic[S]):
    """What a strategy takes where the number is x: `start` + `slope` x."""

    start: Fraction
    slope: Fraction
    strategy: S

    def at(self, x: Fraction) -> Fraction:
        """Return what it takes where the number is x."""
        return self.start + self.slope * x

    def meets(self, other: Line[S]) -> Fraction:
        """Return where two lines of different slopes meet."""
        return (other.start - self.start) / (self.slope - other.slope)


@dataclass(frozen=True)
class Piece(Generic[S]):
    """Where a strategy is best: for numbers from `low` to `high`."""

    low: Fraction
    high: Fraction
    line: Line[S]


def through(x: Fraction, value: Fraction, other: Fraction, value_there: Fraction, strategy: S) -> Line[S]:
    """Return the line through two points with different x."""
    slope = (value_there - value) / (other - x)
    return Line(value - slope * x, slope, strategy)


def near(x: Fraction, way: Fraction) -> Fraction:
    """Return a fraction of few digits near a point; `way`, above 0, is that to the next known point."""
    digits = DIGITS
    while abs((point := x.limit_denominator(digits)) - x) > NEAR * way and digits < MOST_DIGITS:
        digits *= 10
    return point


def envelope(best: Callable[[Fraction], Line[S]], low: Fraction, high: Fraction) -> list[Piece[S]]:
    """Return the pieces of the least line between two points, from left to right.

    `best` returns a line that is least at a point. Where lines meet is exact; whether another is lower there
    is looked up `near` there.
    """
    found: list[Piece[S]] = []
    waiting = [(low, best(low), high, best(high))]
    while waiting:
        left, first, right, last = waiting.pop()
        if first.at(right) == last.at(right):
            found.append(Piece(left, right, first))
        elif first.at(left) == last.at(left):
            found.append(Piece(left, right, last))
        else:
            meeting = first.meets(last)
            point = near(meeting, min(meeting - left, right - meeting))
            between = best(point) if left < point < right else first
            if between.at(point) < min(first.at(point), last.at(point)):
                waiting += [(point, between, right, last), (left, first, point, between)]
            else:
                found += [Piece(left, meeting, first), Piece(meeting, right, last)]
    return _joined(found)


def _joined(pieces: list[Piece[S]]) -> list[Piece[S]]:
    """Return pieces without those of no length, and neighbours on the same line as one."""
    found: list[Piece[S]] = []
    for piece in pieces:
        if piece.low == piece.high:
            continue
        before = found[-1] if found else None
        if before is not None and (before.line.start, before.line.slope) == (
            piece.line.start,
            piece.line.slope,
        ):
            found[-1] = Piece(before.low, piece.high, before.line)
        else:
            found.append(piece)
    return found


def stays_until(
    line: Line[S], best: Callable[[Fraction], Line[S]], start: Fraction, end: Fraction
) -> Fraction:
    """Return up to where a line that is least at a point stays least, on the way to another.

    The curve is concave and the line touches it, so that it leaves the line once. Each step goes to where the
    line meets one that is lower further on, and no point beyond that can be on the line.
    """
    while end != start:
        point = near(end, abs(end - start))
        other = best(point)
        if other.at(point) >= line.at(point) or other.slope == line.slope:
            return end
        meeting = line.meets(other)
        if meeting == end:
            return end
        end = meeting
    return end
