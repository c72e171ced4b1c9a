"""Arguments and options that several subcommands share, and what they are checked by."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError, shown, unknown
from guesstree.engine.exact import NoNumber, exact_text, read_numbers
from guesstree.engine.notation import plural
from guesstree.engine.objective import EXPECTED, GOALS, OBJECTIVE_NAMES

from .completion import complete_game
from .files import Target
from .group import LIMITS, OBJECTIVE, OUTPUT, STRATEGY, option

game_argument = click.argument("spec", metavar="GAME", shell_complete=complete_game)


def leaf_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that limit the leaves of a tree, by the names of `solve`."""
    for one in reversed(LEAVES):
        command = one(command)
    return command


prove_option = option(
    OUTPUT,
    "--prove",
    "proof",
    type=Target(),
    metavar="FILE.proof",
    help="Write a certificate of the lower bound, as the command prove does.",
)
history_option = option(
    OBJECTIVE,
    "--history",
    default="",
    metavar='"GUESS:RESPONSE ..."',
    help="Guesses asked and responses so far.",
)


if TYPE_CHECKING:
    from guesstree.engine.game import Game

    IntParamType = click.ParamType[int]
    ChoiceParamType = click.Choice[str]
    FractionParamType = click.ParamType[Fraction]
else:  # in older versions of click they take no argument
    IntParamType = click.ParamType
    ChoiceParamType = click.Choice
    FractionParamType = click.ParamType


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
            self.fail(f"{value!r}; expected bytes above 0, such as 500M or 2G (K, M, G)", param, ctx)
        return size


MOST_BYTES = 1 << 60
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


class Whole(click.IntRange):
    """A whole number in a range, called so where it is refused."""

    name = "whole number"


class Searched(click.types.IntParamType):
    """A whole number for a search, which refuses one out of the range in its own words."""

    name = "whole number"


class Exact(FractionParamType):
    """A number as tables have it: 15, 2.5 or 1/3."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        """Return the number; fail for what is none."""
        try:
            numbers, _ = read_numbers([str(value)], plain=True)
        except NoNumber as error:
            self.fail(f"{value!r}; expected {error}", param, ctx)
        return numbers[0]


LEAVES = (
    option(
        STRATEGY,
        "--max-leaves",
        type=Searched(),
        metavar="N",
        help="At most N ends (leaves); this and the next two for tables with decisions, sets or odds.",
    ),
    option(
        STRATEGY,
        "--min-samples",
        type=Exact(),
        metavar="W",
        help="At least a weight of W in every leaf, in the weights of the table.",
    ),
    option(
        STRATEGY,
        "--leaf-price",
        type=Exact(),
        metavar="X",
        help="Each leaf adds X to the expected cost.",
    ),
)
"""Limits of leaves."""


class Seconds(click.types.FloatParamType):
    """A length of time."""

    name = "number of seconds"


class Choice(ChoiceParamType):
    """One of some names; a mistyped one is met with what was meant."""

    def convert(self, value: Any, param: click.Parameter | None, _: click.Context | None) -> str:
        """Return the name; raise GuesstreeError for another."""
        if value not in self.choices:
            raise GuesstreeError(unknown(param.human_readable_name if param else "name", value, self.choices))
        return str(value)


class Jobs(IntParamType):
    """A number of threads, no more than there are processors, unless ``!`` follows."""

    name = "jobs"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of threads to start; say so when they are fewer than asked for."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(-?[0-9]{1,9})(!?)", value, re.ASCII)
        if not found:
            self.fail(f"{value!r}; expected a whole number, such as 4", param, ctx)
        asked, processors = int(found[1]), count_processors()
        if found[2] or asked <= processors:
            return asked
        click.echo(
            f"guesstree: --jobs {asked} on {plural(processors, 'processor')} would only be slower, so "
            f"{plural(processors, 'thread')} will search; --jobs {asked}! starts them all",
            err=True,
        )
        return processors


def count_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


ALL_OBJECTIVES = (
    "expected (least total over all secrets), worst, a pair: worst,expected or expected,worst, or "
    "win-probability within a --budget."
)
"""What a command may minimise that knows all objectives."""


def objective_option(help_text: str) -> Callable[[Any], Any]:
    """Return the option that says what is minimised."""
    return option(
        OBJECTIVE,
        "--objective",
        type=Choice(OBJECTIVE_NAMES),
        default=EXPECTED.name,
        show_default=True,
        metavar="OBJECTIVE",
        help=help_text,
    )


goal_option = option(
    OBJECTIVE,
    "--goal",
    type=Choice(GOALS),
    help="win: guess the secret itself (the default if the game can be won); identify: only know it.",
)
budget_option = option(
    OBJECTIVE,
    "--budget",
    type=Exact(),
    metavar="B",
    help="For win-probability: the most that a secret may cost (in guesses, if they have no costs) to count "
    "as won. Default: the budget of the game.",
)
lies_option = option(
    OBJECTIVE, "--lies", type=Searched(), default=0, metavar="L", help="Up to L responses may be false."
)
advice_time_option = option(
    LIMITS,
    "--time-limit",
    type=Seconds(),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Search at most S seconds for each exact advice.",
)
win_option = option(OBJECTIVE, "--win", metavar="RESPONSE", help="The winning response of a table.")
max_depth_option = option(
    STRATEGY, "--max-depth", type=Searched(), metavar="D", help="At most D guesses for every secret."
)
first_option = option(STRATEGY, "--first", metavar="GUESS", help="Fix the first guess.")
candidates_only_option = option(
    STRATEGY, "--candidates-only", is_flag=True, help="Ask only guesses that may be the secret."
)
no_preference_option = option(
    STRATEGY,
    "--no-preference",
    is_flag=True,
    help="One step ahead: a tie goes to the smallest guess, whether it may be the secret or not.",
)
random_option = option(
    STRATEGY,
    "--seed",
    type=int,
    metavar="N",
    help="For random-consistent, and for random phrases: the same number gives the same draws (default 0).",
)
jobs_option = option(
    LIMITS,
    "--jobs",
    type=Jobs(),
    default=1,
    metavar="N",
    help="Threads of the search (default 1), at most one for each processor; 64! starts 64 in any case.",
)
workers_option = option(
    LIMITS,
    "--workers",
    type=Searched(),
    metavar="N",
    help="Processes that share the work (1, or all of a cluster).",
)
memory_option = option(
    LIMITS,
    "--memory",
    type=Bytes(),
    metavar="SIZE",
    help="Memory for the search, such as 500M or 2G (default: half of this machine's).",
)
out_option = option(OUTPUT, "--out", type=Target(), metavar="FILE.json", help="Write the strategy.")
title_option = option(OUTPUT, "--title", metavar="TEXT", help="What stands above the drawing.")
json_option = option(OUTPUT, "--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")


def to_speak(_context: click.Context, _option: click.Parameter, language: str | None) -> str | None:
    """Return a language that sheets can be in; raise GuesstreeError for another."""
    from guesstree.trees.language import check_language

    return None if language is None else check_language(language)


language_option = option(
    OUTPUT,
    "--language",
    callback=to_speak,
    metavar="LANGUAGE",
    help="The language of drawings, such as de (default: en). Labels stay as they are in the table.",
)


def check_title(title: str | None, picture: str | None, name: str) -> None:
    """Raise GuesstreeError for a title without the drawing that an option of this name asks for."""
    if title is not None and picture is None:
        raise GuesstreeError(f"--title {shown(title)} stands above a drawing; use it with {name}")


def seed_for(methods: Sequence[str], seed: int | None) -> int:
    """Return what methods draw by, 0 unless it is given; raise GuesstreeError where none of them draws."""
    from guesstree.engine.onestep.valuations import CONSISTENT

    if seed is not None and CONSISTENT[1] not in methods:
        raise GuesstreeError(
            f"--seed {seed} means nothing to {', '.join(methods)}; use it with {CONSISTENT[1]}"
        )
    return seed or 0


def budget_of(game: Game, budget: Fraction | None) -> int | None:
    """Return a budget in units of the game, and say what it is rounded to; raise GuesstreeError below 0."""
    if budget is None:
        return None
    if budget < 0:
        raise GuesstreeError(f"a budget of {exact_text(budget)}; expected a number from 0")
    units = game.cost_units(budget)
    if units * game.cost_unit != budget:
        said = f"costs are multiples of {game.cost_text(1)}, so a budget of {exact_text(budget)} is one of"
        click.echo(f"guesstree: {said} {game.cost_text(units)}", err=True)
    return units


def make_game(spec: str, win: str | None = None) -> Game:
    """Return the game of a spec, or of the file of a table; `win` is the winning response of a table."""
    from guesstree.engine.registry import families, family_of, parse, spec_of

    named, spec = spec, spec_of(spec)
    if spec != named:
        click.echo(f"guesstree: {named!r} is taken as {spec}", err=True)
    if win is not None:
        if not family_of(spec).names_win:
            accepted = ", ".join(family.name for family in families() if family.names_win)
            raise GuesstreeError(f"--win {win!r}: only {accepted} games take a winning response, not {spec}")
        spec = f"{spec},win={win}"
    game = parse(spec)
    for line in game.notes:
        click.echo(f"guesstree: {line}", err=True)
    return game
