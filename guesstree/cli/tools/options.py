"""Arguments and options that several subcommands share, and what they are checked by."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.objective import GOALS
from guesstree.engine.registry import families, family_of, parse

game_argument = click.argument("spec", metavar="GAME")
history_option = click.option(
    "--history", default="", metavar='"GUESS:RESPONSE ..."', help="Guesses asked and responses so far."
)


if TYPE_CHECKING:
    IntParamType = click.ParamType[int]
else:  # in older versions of click it takes no argument
    IntParamType = click.ParamType


class Bytes(IntParamType):
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
candidates_only_option = click.option(
    "--candidates-only", is_flag=True, help="Only guesses that may be the secret."
)
no_preference_option = click.option(
    "--no-preference",
    is_flag=True,
    help="One step ahead: a tie goes to the smallest guess, whether it may be the secret or not.",
)
random_option = click.option("--seed", type=int, default=0, help="Of random-consistent.")
budget_option = click.option(
    "--budget",
    type=int,
    metavar="B",
    help="What a secret may cost (guesses, if they have no costs) to count as won, for win-probability "
    "(default: what the game says).",
)
win_option = click.option("--win", metavar="RESPONSE", help="The winning response of a table.")
lies_option = click.option("--lies", type=int, default=0, metavar="L", help="Up to L responses may be false.")
jobs_option = click.option("--jobs", type=int, default=1, metavar="N", help="Threads (default 1).")
memory_option = click.option(
    "--memory", type=Bytes(), metavar="SIZE", help="For tables and what is remembered, such as 500M or 2G."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")


def make_game(spec: str, win: str | None = None) -> Game:
    """Return the game of a spec; `win` is the winning response of a table."""
    if win is not None:
        if not family_of(spec).names_win:
            accepted = ", ".join(family.name for family in families() if family.names_win)
            raise GuesstreeError(f"--win {win!r}: accepted for {accepted} games only, not {spec}")
        spec = f"{spec},win={win}"
    return parse(spec)


def check_writable(path: str | None) -> None:
    """Raise GuesstreeError when a file cannot be made at this path, before any long work."""
    if path is not None and not Path(path).parent.is_dir():
        raise GuesstreeError(f"cannot write {path!r}: there is no folder {str(Path(path).parent)!r}")
    if path is not None and Path(path).is_dir():
        raise GuesstreeError(f"cannot write {path!r}: it is a folder")
