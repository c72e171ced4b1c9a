"""What subcommands print: JSON, and figures of strategies."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.exact import rounded_text, short_text
from guesstree.engine.notation import Look, plural, plurals

if TYPE_CHECKING:
    from guesstree.engine.game import Game
    from guesstree.trees.figures import Costs, Summary
    from guesstree.trees.tree import Tree

PLAIN = Look()
AT_ONCE = 500
"""Lines that are printed together."""


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object."""
    import json

    click.echo(json.dumps(data))


_SIGNS = str.maketrans("├└─│–●○·→…", "|`-|-xo->~")
"""What is printed where standard output has no such signs."""


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines as they come, many at a time; where standard output has no such signs, with others."""
    encoding = sys.stdout.encoding or "utf-8"
    rest = iter(lines)
    while some := list(islice(rest, AT_ONCE)):
        text = "\n".join(some)
        try:
            text.encode(encoding)
        except UnicodeEncodeError:
            text = text.translate(_SIGNS).encode(encoding, "replace").decode(encoding)
        click.echo(text)


def in_percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.3f}%"


def with_lies(lies: int) -> str:
    """Return how many responses may be false, to go after what the game is for; empty for none."""
    return f", {lies} {'lie' if lies == 1 else 'lies'}" if lies else ""


def figures_line(
    summary: Summary,
    look: Look = PLAIN,
    *,
    paid: bool = False,
    lies: int = 0,
    split: bool = False,
    alike: bool = True,
) -> str:
    """Return the figures of a strategy as a line; with lies a secret has no single number of guesses.

    With `paid` it says that it counts guesses, not what they cost. With `split` a secret has several numbers
    of guesses, of which the line that follows says the most; then totals are left out where secrets do not
    weigh `alike`.
    """
    secrets = plural(summary.secrets, look.secret)
    if lies:
        ways = f"over {secrets} and all ways to lie"
        return f"  worst case {summary.worst} {ways}; of each {look.secret}:"
    total = f"total {short_text(summary.total)} over {secrets}, average {rounded_text(summary.average)}, "
    return f"  {f'{plurals(look.guess)}: ' * paid}{total * alike}worst case {summary.worst}" + (
        f"; of each {look.secret} at most:" if split else ""
    )


def weigh_alike(game: Game) -> bool:
    """Return whether totals of guesses mean something: not where they split secrets of different weight."""
    return not game.facts.noisy or not game.facts.weighted


def histogram_lines(histogram: Mapping[int, int], look: Look = PLAIN) -> str:
    """Return a histogram as two aligned lines: guesses, and secrets that need so many."""
    width = max(len(str(number)) for pair in histogram.items() for number in pair) + 2
    nouns = plurals(look.guess), plurals(look.secret)
    room = max(map(len, nouns)) + 1
    rows = zip(nouns, (histogram, histogram.values()), strict=True)
    return "\n".join(f"  {noun:<{room}}" + "".join(f"{n:>{width}}" for n in row) for noun, row in rows)


def cost_lines(game: Game, costs: Costs) -> str:
    """Return what a strategy costs as a line, and what it wins within a budget as another.

    Where weights are shares of 1, such as percents, totals say no more than the average.
    """
    look, shown = game.look, costs.shown
    weight = costs.weight * game.weight_unit
    counted = weight != 1 and weight == int(weight)
    over = (
        plural(len(game.secrets), look.secret)
        if not game.facts.weighted
        else f"a weight of {shown['weight']}"
    )
    decides = costs.loss is not None
    what = look.cost if game.facts.priced or decides else f"weighted {plurals(look.guess)}"
    total = f"total {shown['total']} over {over}, " if counted else ""
    parts = f" ({plurals(look.guess)} {shown['tests']}, decisions {shown['loss']})" if decides else ""
    text = f"  {what}: {total}average {shown['average']}{parts}, worst case {shown['worst']}"
    if costs.budget is None:
        return text
    won = f"{shown['won']}/{shown['weight']} = " if counted else ""
    at = f", at a cost of {shown['won_total']}" if counted else ""
    percent = 100 * float(costs.probability)
    return f"  wins {won}{percent:.2f} % within a budget of {shown['budget']}{at}\n{text}"


def decision_lines(strategy: Tree) -> Iterator[str]:
    """Yield a line for each decision, most often first: how often, how often wrong, and what it loses.

    Where there are many, the first of them. At last what the figures mean, in words.
    """
    from guesstree.trees.words import decision_rows, meaning

    found, more = decision_rows(strategy)
    if not found:
        return
    rows = [("decision", "share", "wrong", "loss"), *found]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for label, *numbers in rows:
        cells = (number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True))
        yield "  " + "   ".join((label.ljust(widths[0]), *cells))
    if more:
        yield f"  ... and {more} more"
    yield f"  {meaning(strategy.game, strategy)}"
