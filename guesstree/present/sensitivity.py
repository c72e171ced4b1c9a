"""How sure the answer is, as text and plain data: ranges, curves, the value of information, two measures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from guesstree.api.strategy import Strategy
from guesstree.engine.exact import as_plain, exact_text
from guesstree.engine.game import Game
from guesstree.sensitivity.envelope import Piece
from guesstree.sensitivity.front import Point
from guesstree.sensitivity.information import AtNode, Worth
from guesstree.sensitivity.parameters import Parameter
from guesstree.sensitivity.ranges import Range, Sensitivity
from guesstree.trees.export.labels import percent, plain

DIGITS = 4
"""Digits that are shown of a number that is not short."""
SHORT = 6


def number_text(value: Fraction) -> str:
    """Return a number exactly where it is short, else rounded to four digits."""
    text = exact_text(value)
    if len(text) <= SHORT and "/" not in text:
        return text
    return f"{float(value):.{DIGITS}g}" if abs(value) < 10**DIGITS else f"{float(value):.0f}"


# -- ranges ------------------------------------------------------------------------------------------------

HEADING = ("number", "is", "best from", "to", "1 more costs")


def range_row(found: Range) -> tuple[str, ...]:
    """Return from where to where the strategy stays best, as cells below `HEADING`."""
    high = "any" if found.high is None else number_text(found.high)
    name = plain(found.parameter.name)
    return name, number_text(found.parameter.value), number_text(found.low), high, number_text(found.slope)


def range_data(found: Range) -> dict[str, Any]:
    """Return the same for JSON, exactly."""
    return {
        "number": found.parameter.name,
        "value": as_plain(found.parameter.value),
        "low": as_plain(found.low),
        "high": None if found.high is None else as_plain(found.high),
        "slope": as_plain(found.slope),
    }


def average_line(found: Sensitivity) -> str:
    """Return what the best strategy takes on average."""
    cost = found.game.look.cost if found.game.facts.priced else "cost"
    return f"{found.game.spec}: the best strategy takes {number_text(found.average)} on average ({cost})"


def sensitivity_data(found: Sensitivity, ranges: Sequence[Range]) -> dict[str, Any]:
    """Return all ranges for JSON."""
    return {
        "game": found.game.spec,
        "average": as_plain(found.average),
        "ranges": [range_data(one) for one in ranges],
    }


# -- curves ------------------------------------------------------------------------------------------------


def first_step(strategy: Strategy) -> str:
    """Return what a strategy asks first, or decides at once."""
    game = strategy.game
    if strategy.guess[0] >= 0:
        return f"ask {game.guesses[strategy.guess[0]]}"
    decided = strategy.decided.get(0, -1)
    return f"decide {game.decisions[decided]}" if decided >= 0 else "nothing"


def curve_rows(pieces: Sequence[Piece[Strategy]]) -> list[list[str]]:
    """Return which strategies are best where, as rows of cells below a heading."""
    rows = [["from", "to", "average", "to", "nodes", "begins with"]]
    for piece in pieces:
        ends = (piece.low, piece.high, piece.line.at(piece.low), piece.line.at(piece.high))
        rows.append(
            [*map(number_text, ends), str(len(piece.line.strategy)), plain(first_step(piece.line.strategy))]
        )
    return rows


def curve_data(found: Sensitivity, parameter: Parameter, pieces: Sequence[Piece[Strategy]]) -> dict[str, Any]:
    """Return the same for JSON, exactly."""
    return {
        "game": found.game.spec,
        "average": as_plain(found.average),
        "number": parameter.name,
        "value": as_plain(parameter.value),
        "pieces": [
            {
                "low": as_plain(piece.low),
                "high": as_plain(piece.high),
                "average": [as_plain(piece.line.at(x)) for x in (piece.low, piece.high)],
                "nodes": len(piece.line.strategy),
                "first": first_step(piece.line.strategy),
            }
            for piece in pieces
        ],
    }


def threshold_lines(pieces: Sequence[Piece[Strategy]]) -> list[str]:
    """Return from where on something is asked, and from where on no more (Pauker and Kassirer 1980)."""
    lines = []
    for before, after in pairwise(pieces):
        steps = [first_step(one.line.strategy) for one in (before, after)]
        if steps[0].startswith("decide") != steps[1].startswith("decide"):
            lines.append(f"threshold {number_text(after.low)}: {steps[0]} below, {steps[1]} above")
    return lines


# -- the value of information ------------------------------------------------------------------------------


def node_title(game: Game, at: AtNode) -> str:
    """Return where a node is, how often it is reached, and what asking there is worth."""
    way = ", ".join(plain(at.evidence.step_text(step)) for step in at.evidence.history) or "at first"
    value = "" if at.value is None else f"; to ask is worth {number_text(at.value * game.cost_unit)}"
    return f"{way} ({percent(at.share.numerator, at.share.denominator)} of cases){value}"


def worth_rows(game: Game, tests: Sequence[Worth]) -> list[list[str]]:
    """Return what tests are worth at a node, as rows of cells below a heading."""
    rows = [[game.look.guess, "cost", "bits", "information", "if asked first"]]
    for one in tests:
        value = "-" if one.value is None else number_text(one.value * game.cost_unit)
        more = f"{number_text(one.more * game.cost_unit)} more" if one.more else "best"
        cost = number_text(one.outlook.price * game.cost_unit)
        rows.append([plain(game.guesses[one.outlook.test]), cost, f"{one.outlook.bits:.4f}", value, more])
    return rows


def information_data(game: Game, nodes: Sequence[AtNode]) -> dict[str, Any]:
    """Return the value of information at each node for JSON, exactly."""

    def units(value: Fraction | None) -> int | str | None:
        return None if value is None else as_plain(value * game.cost_unit)

    return {
        "game": game.spec,
        "nodes": [
            {
                "node": at.node,
                "history": [
                    [game.guesses[test], game.responses[answer]] for test, answer in at.evidence.history
                ],
                "share": as_plain(at.share),
                "value": units(at.value),
                "tests": [
                    {
                        "test": game.guesses[one.outlook.test],
                        "cost": units(Fraction(one.outlook.price)),
                        "bits": one.outlook.bits,
                        "information": units(one.value),
                        "more": units(one.more),
                    }
                    for one in at.tests
                ],
            }
            for at in nodes
        ],
    }


# -- two measures ------------------------------------------------------------------------------------------


def front_rows(points: Sequence[Point], names: tuple[str, str]) -> list[list[str]]:
    """Return the strategies of a front, as rows of cells below a heading."""
    rows = [["strategy", *names, "best where 1 of it is worth", "to", "nodes"]]
    for number, point in enumerate(points, 1):
        low, high = point.rates
        most = "more" if high is None else number_text(high)
        figures = [number_text(point.first), number_text(point.second), number_text(low), most]
        rows.append([f"{number}: {plain(first_step(point.strategy))}", *figures, str(len(point.strategy))])
    return rows


def front_data(games: tuple[Game, Game], points: Sequence[Point]) -> dict[str, Any]:
    """Return the same for JSON, exactly."""
    return {
        "game": games[0].spec,
        "other": games[1].spec,
        "strategies": [
            {
                "first": as_plain(point.first),
                "second": as_plain(point.second),
                "low": as_plain(point.rates[0]),
                "high": None if point.rates[1] is None else as_plain(point.rates[1]),
                "nodes": len(point.strategy),
                "begins": first_step(point.strategy),
            }
            for point in points
        ],
    }
