"""`guesstree breed`: random breakers, populations of them, and evolution."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.notation import plural
from guesstree.engine.objective import EXPECTED
from guesstree.trees.export.output import metavar
from guesstree.trees.export.plots import ENDINGS, check_plot

from .tools.completion import complete_game
from .tools.files import Target, deliver
from .tools.group import LIMITS, OUTPUT, STRATEGY, Named, option
from .tools.options import (
    Seconds,
    Whole,
    check_title,
    game_argument,
    goal_option,
    json_option,
    make_game,
    out_option,
    title_option,
)
from .tools.progress import watched
from .tools.text import print_json

if TYPE_CHECKING:
    from guesstree.engine.game import Game
    from guesstree.trees.breed.breakers import Survey
    from guesstree.trees.breed.evolve import Evolution
    from guesstree.trees.tree import Tree

OPTIMUM_SECONDS = 10.0
"""How long the optimum beside a population is searched for, unless said otherwise."""
STATE_SECONDS = 5.0
"""How often the state is written while trees evolve, besides in the end."""
SHOWN = 12
"""Generations printed at most, besides the last."""

seed_option = option(
    STRATEGY,
    "--seed",
    type=Whole(min=0),
    default=0,
    show_default=True,
    metavar="S",
    help="The same number gives the same result.",
)
blind_option = option(
    STRATEGY,
    "--blind",
    type=Whole(min=0),
    default=8,
    show_default=True,
    metavar="N",
    help="Draw the first N guesses of a path from all unused guesses, later ones from the candidates.",
)


@click.group("breed", cls=Named, epilog="Example: guesstree breed evolve mastermind:3x3 --generations 20")
def command() -> None:
    """Breed strategies: random ones, populations of them, and their evolution."""


@command.command("random", epilog="Example: guesstree breed random mastermind:3x3 --seed 1 --out tree.json")
@game_argument
@goal_option
@seed_option
@blind_option
@option(STRATEGY, "--shape", is_flag=True, help="Remove guesses without information, and fold triangles.")
@out_option
@json_option
def random_command(
    spec: str, seed: int, blind: int, goal: str | None, shape: bool, out: str | None, as_json: bool
) -> None:
    """Build one random strategy for GAME, by playing a game for every secret."""
    from guesstree.trees.breed.breakers import random_breaker
    from guesstree.trees.export import files
    from guesstree.trees.shape import reshape

    game = make_game(spec)
    strategy = random_breaker(game, seed, blind=blind, goal=goal)
    saved = None
    if shape:
        strategy, saved = reshape(game, strategy)
    data: dict[str, Any] = {"game": game.spec, "goal": strategy.goal, "seed": seed, "blind": blind}
    data["saved"] = None if saved is None else saved.as_json()
    show = partial(_figures, game, strategy, data, as_json)
    deliver(show, [(out, partial(files.write, game, strategy))], as_json=as_json)


def _figures(game: Game, strategy: Tree, data: dict[str, Any], as_json: bool) -> None:
    """Print the figures of a strategy."""
    from guesstree.present.reports import report_of

    report = report_of(strategy)
    if as_json:
        print_json(data | {"nodes": len(strategy)} | report.figures.as_json())
        return
    click.echo(f"{game.spec}: goal {strategy.goal}, {plural(len(strategy), 'node')}")
    saved = data.get("saved")
    if saved:
        click.echo(
            f"  saved {plural(saved['nodes'], 'node')} and {plural(saved['guesses'], 'guess')}; "
            f"{plural(saved['triangles'], 'triangle')}"
        )
    for line in report.lines():
        click.echo(line)


@command.command("population", epilog="Example: guesstree breed population mastermind:2..4x2..4 --size 100")
@click.argument("specs", metavar="GAME...", nargs=-1, required=True, shell_complete=complete_game)
@goal_option
@option(
    STRATEGY,
    "--size",
    type=Whole(min=1),
    required=True,
    metavar="N",
    help="Trees in the population.",
)
@seed_option
@blind_option
@option(
    LIMITS,
    "--time-limit",
    type=Seconds(),
    default=OPTIMUM_SECONDS,
    show_default=True,
    metavar="S",
    help="Seconds for the search of the optimum.",
)
@option(
    OUTPUT,
    "--csv",
    "csv_path",
    type=Target(),
    metavar="FILE.csv",
    help="Write the figures of every tree; of several games the table.",
)
@option(
    OUTPUT,
    "--plot",
    type=Target(check_plot),
    metavar=metavar(ENDINGS),
    help="Draw the figures of each game; needs Matplotlib.",
)
@title_option
@json_option
def population_command(
    specs: tuple[str, ...],
    csv_path: str | None,
    plot: str | None,
    title: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Show how fit N random strategies for each GAME are: raw, shrunk, with triangles folded.

    Fitness is the average number of guesses, or the average cost. The optimum is shown as well, or its bounds
    if the search for it ran out of time. Sizes may be ranges: mastermind:2..4x2..4 are nine games. Ctrl-C
    ends the command with the games that are finished.
    """
    from guesstree.trees.breed.grid import as_csv, counted_by, expand
    from guesstree.trees.export import plots
    from guesstree.trees.export.output import write_whole

    check_title(title, plot, "--plot")
    games = [make_game(one) for spec in specs for one in expand(spec)]
    found, interrupted = _surveys(games, options)
    text = found[0].as_csv() if len(games) == 1 else as_csv(found)

    def show() -> None:
        if as_json:
            print_json(found[0].as_json() if len(games) == 1 else {"games": [one.as_json() for one in found]})
        elif len(games) == 1:
            _show_survey(found[0])
        else:
            _show_surveys(found)

    above = title or plural(len(found[0].totals), "random breaker")
    wanted: list[tuple[str | None, Callable[[str], object]]] = [
        (csv_path, lambda path: write_whole(path, text.encode())),
        (plot, partial(plots.populations, above, counted_by(found), found)),
    ]
    deliver(show, wanted, as_json=as_json)
    return 130 if interrupted else 0


def _surveys(games: list[Game], options: dict[str, Any]) -> tuple[list[Survey], bool]:
    """Return the surveys of games, and whether Ctrl-C ended them; what is finished then is kept."""
    from guesstree.trees.breed.breakers import survey

    found: list[Survey] = []
    shown = watched() and len(games) > 1
    try:
        for game in games:
            if shown:
                click.echo(f"\r{game.spec}: {len(found) + 1} of {len(games)}\x1b[K", nl=False, err=True)
            found.append(survey(game, **options))
    except KeyboardInterrupt:
        if not found:
            raise
        return found, True
    finally:
        if shown:
            click.echo("\r\x1b[K", nl=False, err=True)
    return found, False


def _show_survey(found: Survey) -> None:
    """Print the figures of the population of one game, stage by stage."""
    click.echo(
        f"{found.game}: goal {found.goal}, {plural(len(found.totals), 'random breaker')}, {found.counted}"
    )
    click.echo(f"  {'stage':<10}" + "".join(f"{name:>10}" for name in ("min", "mean", "max", "std")))
    for stage, figures in found.figures().items():
        click.echo(f"  {stage:<10}" + "".join(f"{value:>10.4f}" for value in figures.values()))
    click.echo(f"  {'optimum':<10}{found.optimum:>10.4f}{found.verdict}")


def _show_surveys(found: list[Survey]) -> None:
    """Print one table of the populations of several games, those with all triangles folded in full."""
    from guesstree.trees.breed.breakers import MEASURES, STAGES
    from guesstree.trees.breed.grid import counted_by

    folded = STAGES[-1]
    click.echo(f"{plural(len(found[0].totals), 'random breaker')} of each game, {counted_by(found)}; raw and")
    click.echo("shrunk: their mean; then with triangles folded, and the optimum (+: at least)")
    room = max(len("game"), *(len(one.game) for one in found))
    heads = ("secrets", "raw", "shrunk", *MEASURES, "optimum")
    click.echo(f"  {'game':<{room}}" + "".join(f"{head:>10}" for head in heads))
    for one in found:
        figures = one.figures()
        values = [*(figures[stage]["mean"] for stage in STAGES[:-1]), *figures[folded].values(), one.optimum]
        cells = f"{one.secrets:>10}" + "".join(f"{value:>10.4f}" for value in values)
        click.echo(f"  {one.game:<{room}}{cells}{'' if one.lower == one.upper else ' +'}")


@command.command(
    "evolve", epilog="Example: guesstree breed evolve mastermind:3x3 --generations 20 --out best.json"
)
@game_argument
@goal_option
@option(
    STRATEGY,
    "--size",
    type=Whole(min=2),
    metavar="N",
    help="Trees in the population (default 20).",
)
@option(
    STRATEGY,
    "--seed",
    type=Whole(min=0),
    metavar="S",
    help="The same number gives the same result (default 0).",
)
@option(
    LIMITS,
    "--generations",
    type=Whole(min=0),
    default=100,
    show_default=True,
    metavar="N",
    help="Generations in all.",
)
@option(
    LIMITS,
    "--time-limit",
    type=Seconds(),
    metavar="S",
    help="Stop after the first generation that ends after S seconds.",
)
@option(
    OUTPUT,
    "--state",
    type=Target(),
    metavar="FILE",
    help="Continue from this file if it exists, and keep it up to date.",
)
@option(
    OUTPUT,
    "--csv",
    "csv_path",
    type=Target(),
    metavar="FILE.csv",
    help="Write the statistics of every generation.",
)
@option(
    OUTPUT,
    "--plot",
    type=Target(check_plot),
    metavar=metavar(ENDINGS),
    help="Draw the statistics; needs Matplotlib.",
)
@title_option
@out_option
@json_option
def evolve_command(
    spec: str,
    generations: int,
    size: int | None,
    seed: int | None,
    goal: str | None,
    time_limit: float | None,
    title: str | None,
    as_json: bool,
    **paths: str | None,
) -> int:
    """Evolve whole strategies for GAME, from random ones to few guesses on average.

    The command ends after N generations, at the time limit, when the total is the least that counting allows,
    or with Ctrl-C; it keeps all finished generations.
    """
    from guesstree.trees.breed.evolve import as_csv
    from guesstree.trees.export import files, plots
    from guesstree.trees.export.heading import called
    from guesstree.trees.export.output import write_whole

    check_title(title, paths["plot"], "--plot")
    evolution = _evolution(spec, paths["state"], goal, {"size": size, "seed": seed})
    interrupted = False
    try:
        evolution.run(generations, time_limit=time_limit, progress=_progress(paths["state"]))
    except KeyboardInterrupt:
        if evolution.generation < 0:
            raise
        interrupted = True
    strategy, above = evolution.strategy(), title or called(evolution.game)
    data = {
        "game": evolution.game.spec,
        "goal": evolution.goal,
        "generation": evolution.generation,
        "lower": evolution.least,
        "log": evolution.log,
    }

    def show() -> None:
        if not as_json:
            _show_log(evolution)
        _figures(evolution.game, strategy, data, as_json)

    wanted: list[tuple[str | None, Callable[[str], object]]] = [
        (paths["out"], partial(files.write, evolution.game, strategy)),
        (paths["csv_path"], lambda path: write_whole(path, as_csv(evolution.log).encode())),
        (paths["plot"], partial(plots.evolution, above, evolution.log, evolution.each, evolution.counted)),
    ]
    if not interrupted:  # in the middle of a generation there is no state
        wanted.insert(0, (paths["state"], evolution.save))
    deliver(show, wanted, as_json=as_json)
    return 130 if interrupted else 0


def _evolution(spec: str, state: str | None, goal: str | None, given: dict[str, int | None]) -> Evolution:
    """Return the evolution of a state file if there is one, else a new one."""
    from guesstree.trees.breed.evolve import Evolution, Settings

    game = make_game(spec)
    known = {name: value for name, value in given.items() if value is not None}
    if state is None or not Path(state).exists():
        return Evolution(game, goal, Settings(**known))
    evolution = Evolution.load(game, state)
    own = {"goal": evolution.goal, **vars(evolution.settings)}
    for name, value in {"goal": goal, **known}.items():
        if value is not None and value != own[name]:
            raise GuesstreeError(f"--{name} {value}: {state!r} has {own[name]}; use that, or another file")
    return evolution


def _progress(state: str | None) -> Callable[[Evolution], None]:
    """Return what happens after each generation: a live line on a terminal, and now and then the state."""
    shown = watched()
    saved = time.monotonic()

    def report(evolution: Evolution) -> None:
        nonlocal saved
        if shown:
            row = evolution.log[-1]
            total = _total(evolution.game, row["best"])
            line = f"generation {row['generation']}: best total {total}, average {row['mean']:.4f}"
            click.echo(f"\r{line}\x1b[K", nl=False, err=True)
        if state is not None and time.monotonic() - saved >= STATE_SECONDS:
            with suppress(GuesstreeError):  # tried again in the end, and said then
                evolution.save(state)
            saved = time.monotonic()

    return report


def _show_log(evolution: Evolution) -> None:
    """Print some generations, evenly spread, and the last."""
    if watched():
        click.echo("\r\x1b[K", nl=False, err=True)
    log = evolution.log
    step = max(1, -(-len(log) // SHOWN))
    click.echo(f"{'generation':>12}{'best total':>12}{'min':>10}{'mean':>10}{'max':>10}{'std':>10}")
    for row in [*log[:-1][::step], log[-1]]:
        figures = "".join(f"{row[name]:>10.4f}" for name in ("min", "mean", "max", "std"))
        click.echo(f"{row['generation']:>12}{_total(evolution.game, row['best']):>12}{figures}")


def _total(game: Game, total: float) -> str:
    """Return a total as readers see it."""
    return game.value_texts(EXPECTED.name, (int(total),))[0]
