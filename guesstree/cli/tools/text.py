"""What subcommands print: JSON, and figures of strategies."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.exact import exact_text, rounded_text
from guesstree.engine.look import plural

if TYPE_CHECKING:
    from guesstree.trees.figures import Costs, Summary


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object."""
    import json

    click.echo(json.dumps(data))


def echo_tree(lines: Iterable[str]) -> None:
    """Print lines that draw a tree; where standard output has no such signs, with others."""
    text = "\n".join(f"  {line}" for line in lines)
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = (
            text.translate(str.maketrans("├└─│–●○", "|`-|-xo")).encode(encoding, "replace").decode(encoding)
        )
    click.echo(text)


def in_percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.3f}%"


def with_lies(lies: int) -> str:
    """Return how many responses may be false, to go after what the game is for; empty for none."""
    return f", {lies} {'lie' if lies == 1 else 'lies'}" if lies else ""


def figures_line(summary: Summary, what: str = "total", *, lies: int = 0, split: bool = False) -> str:
    """Return the figures of a strategy as a line; with lies a secret has no single number of guesses.

    With `split` it has several, of which the line that follows says the most.
    """
    if lies:
        ways = f"over {plural(summary.secrets, 'secret')} and all ways to lie"
        return f"  worst case {summary.worst} {ways}; of each secret:"
    return (
        f"  {what} {exact_text(summary.total)} over {plural(summary.secrets, 'secret')}, "
        f"average {rounded_text(summary.average)}, worst case {summary.worst}"
        + ("; of each secret at most:" if split else "")
    )


def histogram_lines(histogram: Mapping[int, int]) -> str:
    """Return a histogram as two aligned lines: guesses, and secrets that need so many."""
    width = max(len(str(number)) for pair in histogram.items() for number in pair) + 2
    guesses = "".join(f"{n:>{width}}" for n in histogram)
    secrets = "".join(f"{n:>{width}}" for n in histogram.values())
    return f"  guesses {guesses}\n  secrets {secrets}"


def cost_lines(costs: Costs) -> str:
    """Return what a strategy costs as a line, and what it wins within a budget as another."""
    shown = costs.shown
    text = "  cost {total} over a weight of {weight}, average {average}, worst case {worst}".format_map(shown)
    if costs.budget is None:
        return text
    percent = 100 * float(costs.probability)
    return (
        f"  wins {shown['won']}/{shown['weight']} = {percent:.2f} % within a budget of {shown['budget']}, "
        f"at a cost of {shown['won_total']}\n{text}"
    )
