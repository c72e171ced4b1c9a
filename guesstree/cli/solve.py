"""`guesstree solve`."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import click

from guesstree.api.solution import solve
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.leaf_limits import LeafLimits
from guesstree.engine.objective import EXPECTED
from guesstree.engine.onestep.ranking import Method
from guesstree.engine.onestep.valuations import methods
from guesstree.engine.support import EXACT, LARGEST, MIXED, Request, require
from guesstree.present.reports import report_of, solution_as_json, solution_lines
from guesstree.trees.export.formats import STYLES, TREE, check_format
from guesstree.trees.export.output import metavar

from .tools.completion import complete_method
from .tools.files import Target, deliver, deliver_with_proof
from .tools.group import LIMITS, OBJECTIVE, OUTPUT, STRATEGY, Command, option
from .tools.options import (
    ALL_OBJECTIVES,
    Choice,
    Searched,
    Seconds,
    budget_of,
    budget_option,
    candidates_only_option,
    check_title,
    first_option,
    game_argument,
    goal_option,
    jobs_option,
    json_option,
    language_option,
    leaf_options,
    lies_option,
    make_game,
    max_depth_option,
    memory_option,
    no_preference_option,
    objective_option,
    prove_option,
    random_option,
    seed_for,
    title_option,
    win_option,
)
from .tools.progress import live
from .tools.text import print_json, print_strategy


class Folder(Target):
    """A file to write, or a folder where the codemaker mixes: the breaker then plays several strategies."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the path; raise GuesstreeError when no such file or folder can be made."""
        maker = None if ctx is None or ctx.resilient_parsing else ctx.params.get("maker")
        if maker == LARGEST:
            from guesstree.api.host import check_wins_file

            check_wins_file(str(value))
        if maker != MIXED:
            return super().convert(value, param, ctx)
        from guesstree.api.mixed import try_folder

        try_folder(value)
        return str(value)


@click.command(
    "solve", cls=Command, epilog="Example: guesstree solve mastermind:4x6 --out tree.json --render tree.pdf"
)
@game_argument
@objective_option(ALL_OBJECTIVES)
@goal_option
@budget_option
@option(
    OBJECTIVE,
    "--maker",
    type=Choice([MIXED, LARGEST]),
    is_eager=True,
    help="mixed: against a codemaker who may prefer some secrets; for a table, the hardest prior. "
    "largest: against a host who picks no secret and keeps the largest part.",
)
@lies_option
@win_option
@option(
    STRATEGY,
    "--method",
    default="exact",
    show_default=True,
    metavar="METHOD",
    shell_complete=complete_method,
    help=f"exact, or one step ahead: {', '.join(methods())}, or module:function (sizes of the parts -> "
    "score, the least wins).",
)
@no_preference_option
@random_option
@option(
    STRATEGY,
    "--width",
    type=Searched(),
    metavar="N",
    help="Find a good strategy fast: try only the N most promising guesses in each state (10, say).",
)
@max_depth_option
@leaf_options
@first_option
@candidates_only_option
@option(
    LIMITS,
    "--time-limit",
    type=Seconds(),
    metavar="S",
    help="Return the best strategy found after S seconds, with bounds.",
)
@memory_option
@jobs_option
@option(
    OUTPUT,
    "--out",
    type=Folder(),
    metavar="FILE.json",
    help="Write the strategy; with --maker mixed, a folder with all of them and both mixtures; with "
    "--maker largest, the wins as .json or .csv.",
)
@option(
    OUTPUT,
    "--render",
    "picture",
    type=Target(check_format),
    metavar=metavar(STYLES[TREE]),
    help="Draw the strategy.",
)
@language_option
@title_option
@prove_option
@json_option
def command(
    spec: str,
    win: str | None,
    out: str | None,
    picture: str | None,
    language: str | None,
    title: str | None,
    proof: str | None,
    as_json: bool,
    method: str,
    no_preference: bool,
    seed: int | None,
    maker: str | None,
    **options: Any,
) -> int:
    """Find an optimal strategy for GAME and prove it, or play out a one-step METHOD.

    Ctrl-C or the time limit ends the search; the best strategy so far is then returned, with bounds of the
    optimum.
    """
    game = make_game(spec, win)
    options["budget"] = budget_of(game, options["budget"])
    limits = {name: options.pop(name) for name in ("max_leaves", "min_samples", "leaf_price")}
    leaves = LeafLimits.of(**limits)
    if maker is not None:
        beside = {"--no-preference": no_preference, "--random": seed is not None, "--render": picture}
        beside |= {"--title": title, "--language": language}
        if named := next((name for name, given in beside.items() if given), ""):
            raise GuesstreeError(f"{named} means nothing with --maker {maker}; use it without")
        against = against_mixer if maker == MIXED else against_host
        return against(game, method, out, proof is not None, as_json=as_json, leaves=leaves, **options)
    how: str | Method = method
    if game.facts.product and method != EXACT:
        from .tools.sampled import require_played, show_sample

        budget, objective = options.pop("budget"), options.pop("objective")
        written = {"out": out, "render": picture, "prove": proof, "title": title, "language": language}
        options |= written | {"objective": objective if objective != EXPECTED.name else ""}
        options |= {"goal": options["goal"] == "win", "jobs": options["jobs"] != 1}
        require_played(game, options | {"no_preference": no_preference} | limits)
        show_sample(game, method, seed or 0, game.budget if budget is None else budget, as_json=as_json)
        return 0
    seed = seed_for([method], seed)
    if method != EXACT:
        how = Method(method, prefer=not no_preference, seed=seed)
    elif no_preference:
        raise GuesstreeError(f"--no-preference means nothing to {EXACT}; use it with methods one step ahead")
    check_title(title, picture, "--render")
    if language is not None and picture is None:
        raise GuesstreeError(f"--language {language} is that of a drawing; use it with --render")
    if picture is not None:
        check_format(picture, lies=options["lies"], title=title)
    with live() as progress:
        certificate = None
        if proof is None:
            solution = solve(game, method=how, progress=progress, **limits, **options)
        else:
            from guesstree.api.certificate import certified

            options["leaves"] = leaves
            solution, certificate = certified(game, progress=progress, method=method, **options)
    strategy, report = solution.strategy, report_of(solution.strategy)

    def show() -> None:
        click.echo("\n".join(solution_lines(solution, report)))
        print_strategy(strategy, out, picture)

    def draw(path: str) -> None:
        strategy.render(path, title=title, language=language)

    data = partial(solution_as_json, solution, report)
    files = [(out, strategy.write), (picture, draw)]
    status = deliver_with_proof(show, data, files, certificate, proof, as_json=as_json)
    return 130 if solution.stopped == "interrupt" else status


def against_mixer(
    game: Game, method: str, out: str | None, proof: bool, *, as_json: bool, **options: Any
) -> int:
    """Find the value against a codemaker who mixes, print it, and write its strategies; return the status."""
    from guesstree.api.mixed import solve_mixed

    asked = {name: value for name, value in options.items() if name != "memory"}
    asked["goal"] = asked["goal"] or game.facts.goals[0]
    require(Request(game, method=method, certificate=proof, maker=MIXED, **asked))
    known = ("goal", "candidates_only", "time_limit", "memory", "jobs")
    with live() as progress:
        found = solve_mixed(game, progress=progress, **{name: options[name] for name in known})
    wrong = found.checked()
    if wrong:
        raise GuesstreeError(f"{game.spec}: {wrong[0]}")

    def show() -> None:
        if as_json:
            print_json(found.as_json())
        else:
            click.echo("\n".join(found.lines()))

    deliver(show, [(out, found.write)], as_json=as_json)
    return 130 if found.stopped == "interrupt" else 0


def against_host(
    game: Game, method: str, out: str | None, proof: bool, *, as_json: bool, **options: Any
) -> int:
    """Find the shortest wins against a host who keeps the largest part, print and write them."""
    from guesstree.api.host import solve_host

    asked = {name: value for name, value in options.items() if name != "memory"}
    asked["goal"] = asked["goal"] or game.facts.goals[0]
    require(Request(game, method=method, certificate=proof, maker=LARGEST, **asked))
    known = ("goal", "first", "candidates_only", "time_limit", "memory", "jobs")
    with live() as progress:
        found = solve_host(game, progress=progress, **{name: options[name] for name in known})

    def show() -> None:
        if as_json:
            print_json(found.as_json())
        else:
            click.echo("\n".join(found.lines()))

    deliver(show, [(out, found.write)], as_json=as_json)
    return 130 if found.stopped == "interrupt" else 0
