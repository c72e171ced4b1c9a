"""Arguments and ways of printing that several subcommands share."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.objective import GOALS
from guesstree.engine.registry import families, family_of, parse

if TYPE_CHECKING:
    from guesstree.trees.figures import Costs

game_argument = click.argument("spec", metavar="GAME")
history_option = click.option(
    "--history", default="", metavar='"GUESS:RESPONSE ..."', help="Guesses asked and responses so far."
)


if TYPE_CHECKING:
    IntParamType = click.ParamType[int]
else:  # in older versions of click it takes no argument
    IntParamType = click.ParamType


class Size(IntParamType):
    """Bytes, such as 500M or 2G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes; fail for what is no size."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"0*([1-9][0-9]{0,17})([KMG]?)", value, re.ASCII | re.IGNORECASE)
        size = int(found[1]) * UNITS[found[2].upper()] if found else 0
        if not 0 < size <= MOST_BYTES:
            self.fail(f"{value!r}; accepted: bytes above 0, such as 500M or 2G (K, M, G)", param, ctx)
        return size


MOST_BYTES = 1 << 60
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
first_option = click.option("--first", metavar="GUESS", help="Fix the first guess.")
goal_option = click.option(
    "--goal", type=click.Choice(GOALS), help="Win (default where a response wins), or identify."
)
win_option = click.option("--win", metavar="RESPONSE", help="The winning response of a table.")
lies_option = click.option("--lies", type=int, default=0, metavar="L", help="Up to L responses may be false.")
jobs_option = click.option("--jobs", type=int, default=1, metavar="N", help="Threads (default 1).")
memory_option = click.option(
    "--memory", type=Size(), metavar="SIZE", help="For tables and what is remembered, such as 500M or 2G."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(data))


def make_game(spec: str, win: str | None = None) -> Game:
    """Return the game of a spec; `win` is the winning response of a table."""
    if win is not None:
        if not family_of(spec).names_win:
            accepted = ", ".join(family.name for family in families() if family.names_win)
            raise GuesstreeError(f"--win {win!r}: accepted for {accepted} games only, not {spec}")
        spec = f"{spec},win={win}"
    return parse(spec)


def lies_text(lies: int) -> str:
    """Return how many responses may be false, to go after what the game is for; empty for none."""
    return f", {lies} {'lie' if lies == 1 else 'lies'}" if lies else ""


def histogram_lines(histogram: Mapping[int, int]) -> str:
    """Return a histogram as two aligned lines: guesses, and secrets that need so many."""
    width = max(len(str(number)) for pair in histogram.items() for number in pair) + 2
    guesses = "".join(f"{n:>{width}}" for n in histogram)
    secrets = "".join(f"{n:>{width}}" for n in histogram.values())
    return f"  guesses {guesses}\n  secrets {secrets}"


def cost_lines(costs: Costs) -> str:
    """Return what a strategy costs as a line, and what it wins within a budget as another."""
    text = (
        f"  cost {costs.total} over a weight of {costs.weight}, average {float(costs.average):.4f}, "
        f"worst case {costs.worst}"
    )
    if costs.budget is None:
        return text
    percent = 100 * float(costs.probability)
    return (
        f"  wins {costs.won}/{costs.weight} = {percent:.2f} % within a budget of {costs.budget}, "
        f"at a cost of {costs.won_total}\n{text}"
    )


def check_writable(path: str | None) -> None:
    """Raise GuesstreeError when a file cannot be made at this path, before any long work."""
    if path is not None and not Path(path).parent.is_dir():
        raise GuesstreeError(f"cannot write {path!r}: there is no folder {str(Path(path).parent)!r}")
    if path is not None and Path(path).is_dir():
        raise GuesstreeError(f"cannot write {path!r}: it is a folder")
