"""From where to where the best strategy of a table stays best, for each number of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from guesstree.api.solution import solve
from guesstree.api.strategy import Strategy
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.exact import short_text
from guesstree.engine.game import Game
from guesstree.engine.objective import EXPECTED
from guesstree.engine.registry import game_of
from guesstree.engine.tables.rows import table_game
from guesstree.engine.tables.table import Content, TableGame

from .envelope import Line, Piece, envelope, stays_until, through
from .parameters import Parameter, named, parameters_of


@dataclass(frozen=True)
class Range:
    """From where to where the best strategy stays best where one number of the table is another.

    Attributes
    ----------
    parameter: the number.
    low, high: the least and the largest for which no strategy takes less on average; None: there is no limit
        (a cost or a loss that may be as large as it likes).
    slope: by how much the average of the strategy grows with 1 of the number.
    """

    parameter: Parameter
    low: Fraction
    high: Fraction | None
    slope: Fraction


class Sensitivity:
    """A table, its best strategy, and the best strategies where one number of the table is another.

    `game` is a table or its spec; `options` are those of `solve`, such as a time limit for each search.
    Raises GuesstreeError for a game that is no table, for one where tests may fail at worst, and where a
    search ends without a proof.
    """

    def __init__(self, game: Game | str, **options: Any) -> None:
        self.game, self.options = game_of(game), options
        self.content = table_of(self.game)
        self.strategy = self._proven(self.game)
        self.average = average_of(self.strategy, self.game)
        self.parameters = parameters_of(self.content)

    def named(self, name: str) -> Parameter:
        """Return a number of the table; raise GuesstreeError for a name of none, or of several."""
        return named(self.parameters, name)

    def ranges(self, parameters: Sequence[Parameter] | None = None) -> Iterator[Range]:
        """Yield from where to where the strategy stays best, for each number alone."""
        for parameter in self.parameters if parameters is None else parameters:
            yield self._range(parameter)

    def curve(self, parameter: Parameter, low: Fraction, high: Fraction) -> list[Piece[Strategy]]:
        """Return which strategies are best where a number goes from `low` to `high`, from left to right.

        Raises GuesstreeError for numbers that the parameter cannot be.
        """
        if not parameter.low <= low < high <= parameter.high:
            raise GuesstreeError(
                f"{parameter.name} from {short_text(low)} to {short_text(high)}; expected numbers from "
                f"{short_text(parameter.low)} to {short_text(parameter.high)}, the lower first"
            )
        return envelope(self._lines(parameter), low, high)

    def _range(self, parameter: Parameter) -> Range:
        best, now = self._lines(parameter), parameter.value
        line = self._line(parameter, now, self.strategy)
        low = parameter.low if now == parameter.low else stays_until(line, best, now, parameter.low)
        if parameter.rising and not line.slope:
            # No strategy takes less where the number is larger, and this one does not take more.
            return Range(parameter, low, None, line.slope)
        high = now if now == parameter.high else stays_until(line, best, now, parameter.high)
        return Range(
            parameter, low, None if parameter.rising and high == parameter.high else high, line.slope
        )

    def _lines(self, parameter: Parameter) -> Callable[[Fraction], Line[Strategy]]:
        known: dict[Fraction, Line[Strategy]] = {}

        def best(x: Fraction) -> Line[Strategy]:
            if x not in known:
                known[x] = self._line(parameter, x, self._proven(self._game(parameter, x)))
            return known[x]

        return best

    def _line(self, parameter: Parameter, x: Fraction, strategy: Strategy) -> Line[Strategy]:
        other = parameter.high if x != parameter.high else parameter.low
        values = [average_of(strategy, self._game(parameter, place)) for place in (x, other)]
        return through(x, values[0], other, values[1], strategy)

    def _game(self, parameter: Parameter, x: Fraction) -> Game:
        if x == parameter.value:
            return self.game
        return with_content(self.game, parameter.content(x))

    def _proven(self, game: Game) -> Strategy:
        return proven(game, self.options)


def table_of(game: Game) -> Content:
    """Return what a table says; raise GuesstreeError for another game, or one without an average."""
    if not isinstance(game, TableGame):
        raise GuesstreeError(
            f"{game.spec}: it has no numbers to change; expected a table, such as table:FILE.csv"
        )
    if game.model is not None and game.model.failures:
        raise GuesstreeError(
            f"{game.spec}: failures={game.model.failures} counts in the worst case alone; expected a table "
            "with an average"
        )
    if game.model is not None and game.model.characters is not None:
        raise GuesstreeError(
            f"{game.spec}: other numbers make other groups of answers; expected a table without dichotomous"
        )
    content: Content = game.content
    return content


def with_content(game: Game, content: Content) -> Game:
    """Return a table that says this, its answers numbered as before: other numbers make no other ones."""
    other = table_game(game.spec, content)
    assert tuple(other.responses) == tuple(game.responses), "a strategy would be read in another way"
    return other


def proven(game: Game, options: Mapping[str, Any]) -> Strategy:
    """Return the best strategy on average; raise GuesstreeError where the search ends without a proof."""
    found = solve(game, EXPECTED.name, **options)
    if found.lower != found.upper:
        raise unproven(game)
    return found.strategy


def unproven(game: Game) -> GuesstreeError:
    """Return the error for a search that ended without a proof."""
    return GuesstreeError(
        f"{game.spec}: a search ended with bounds and no proof; expected more time for each (--time-limit)"
    )


def average_of(strategy: Strategy, game: Game) -> Fraction:
    """Return what a strategy takes on average in a game that asks and answers alike, in that game's units."""
    report = replace(strategy, game=game).check()
    if report.figures is None:
        raise GuesstreeError(f"{game.spec}: {report.failures[0].message}")
    costs = report.costs
    if costs is None:
        return Fraction(report.figures.guesses.average)
    return Fraction(costs.average) * costs.cost_unit
