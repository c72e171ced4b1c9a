"""`guesstree solve`."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from guesstree.api.solution import solve
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.objective import EXPECTED
from guesstree.engine.onestep.ranking import Method
from guesstree.engine.onestep.valuations import methods
from guesstree.engine.support import EXACT
from guesstree.present.reports import report_of, solution_as_json, solution_lines
from guesstree.trees.export.formats import STYLES, TREE, check_format
from guesstree.trees.export.output import metavar

from .tools.completion import complete_method
from .tools.files import Target, deliver_with_proof
from .tools.group import LIMITS, OUTPUT, STRATEGY, Command, option
from .tools.options import (
    ALL_OBJECTIVES,
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
    lies_option,
    make_game,
    memory_option,
    no_preference_option,
    objective_option,
    out_option,
    prove_option,
    random_option,
    seed_for,
    title_option,
    win_option,
)
from .tools.progress import live
from .tools.text import print_strategy


@click.command(
    "solve", cls=Command, epilog="Example: guesstree solve mastermind:4x6 --out tree.json --render tree.pdf"
)
@game_argument
@objective_option(ALL_OBJECTIVES)
@goal_option
@budget_option
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
@option(
    STRATEGY,
    "--max-depth",
    type=Searched(),
    metavar="D",
    help="At most D guesses for every secret.",
)
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
@out_option
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
    **options: Any,
) -> int:
    """Find an optimal strategy for GAME and prove it, or play out a one-step METHOD.

    Ctrl-C or the time limit ends the search; the best strategy so far is then returned, with bounds of the
    optimum.
    """
    game = make_game(spec, win)
    options["budget"] = budget_of(game, options["budget"])
    how: str | Method = method
    if game.facts.product and method != EXACT:
        from .tools.sampled import require_played, show_sample

        budget, objective = options.pop("budget"), options.pop("objective")
        written = {"out": out, "render": picture, "prove": proof, "title": title}
        options |= written | {"objective": objective if objective != EXPECTED.name else ""}
        options |= {"goal": options["goal"] == "win", "jobs": options["jobs"] != 1}
        require_played(game, options | {"no_preference": no_preference})
        show_sample(game, method, seed or 0, game.budget if budget is None else budget, as_json=as_json)
        return 0
    seed = seed_for([method], seed)
    if method != EXACT:
        how = Method(method, prefer=not no_preference, seed=seed)
    elif no_preference:
        raise GuesstreeError(f"--no-preference means nothing to {EXACT}; use it with methods one step ahead")
    check_title(title, picture, "--render")
    if picture is not None:
        check_format(picture, lies=options["lies"], title=title)
    with live() as progress:
        certificate = None
        if proof is None:
            solution = solve(game, method=how, progress=progress, **options)
        else:
            from guesstree.api.certificate import certified

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
