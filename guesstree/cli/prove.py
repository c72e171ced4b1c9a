"""`guesstree prove`."""

from __future__ import annotations

from typing import Any

import click

from guesstree.engine.errors import GuesstreeError

from .tools.files import Target, deliver_with_proof
from .tools.group import LIMITS, OBJECTIVE, OUTPUT, Command, option
from .tools.options import (
    ALL_OBJECTIVES,
    Searched,
    Seconds,
    budget_of,
    budget_option,
    candidates_only_option,
    first_option,
    game_argument,
    goal_option,
    jobs_option,
    json_option,
    lies_option,
    make_game,
    max_depth_option,
    memory_option,
    objective_option,
    win_option,
    workers_option,
)
from .tools.progress import live, said


@click.command(
    "prove",
    cls=Command,
    epilog="Example: guesstree prove mastermind:4x6 --out 4x6.proof --strategy 4x6.json",
)
@game_argument
@objective_option(ALL_OBJECTIVES)
@goal_option
@budget_option
@lies_option
@option(
    OBJECTIVE,
    "--at-least",
    type=Searched(),
    metavar="B",
    help="Prove this bound, in the integers of certificates; do not look for the optimum.",
)
@win_option
@max_depth_option
@first_option
@candidates_only_option
@option(
    LIMITS,
    "--time-limit",
    type=Seconds(),
    metavar="S",
    help="Prove the best bound reached after S seconds, of which the search takes at most half; if the "
    "checker cannot finish in the rest, the last line says: not checked.",
)
@memory_option
@jobs_option
@workers_option
@option(
    LIMITS,
    "--ledger",
    type=Target(),
    metavar="FILE",
    help="Store all results in this file: whatever ends the command, the same command goes on from there.",
)
@option(
    LIMITS,
    "--cluster",
    metavar="WHERE",
    help="Where the workers run: ray, ray:HOST:PORT, dask:HOST:PORT or mpi (default: this machine).",
)
@option(
    LIMITS,
    "--trust",
    is_flag=True,
    help="Believe the search and prove nothing: there is no certificate. With a --ledger, a later command "
    "without --trust proves the results.",
)
@option(
    OUTPUT,
    "--out",
    type=Target(),
    metavar="FILE.proof",
    help="Write the certificate (required, except with --trust).",
)
@option(
    OUTPUT,
    "--minimise",
    is_flag=True,
    help="Leave out what the checker does not need; with a --time-limit, as much as there is time for.",
)
@option(OUTPUT, "--strategy", "tree_out", type=Target(), metavar="FILE.json", help="Write the strategy.")
@json_option
def command(
    spec: str,
    win: str | None,
    out: str | None,
    tree_out: str | None,
    as_json: bool,
    at_least: int | None,
    minimise: bool,
    **options: Any,
) -> int:
    """Find the optimum of GAME and prove it to whoever distrusts this program, by a certificate.

    A certificate is a short text, which claims a lower bound. A small checker accepts it only if every
    strategy takes at least that much; `guesstree verify` runs the checker, and anybody can write another
    one. The command writes the lists of words and the tables of the certificate beside it, named by their
    SHA-256. A pair has two certificates: FILE.proof, and FILE.worst.proof, which says that fewer guesses are
    not enough.

    If the time is too short, and after Ctrl-C, the command proves the best bound reached.

    The last line is the verdict of the checker; with --trust, it is the result of the search.

    The exit status is 1 if the command has written the certificate, but the checker did not finish: it ran
    out of time, or was killed.
    """
    from guesstree.api.certificate import prove
    from guesstree.api.minimise import minimised
    from guesstree.present.reports import report_of, solution_as_json, solution_lines

    if tree_out is not None and at_least is not None:
        raise GuesstreeError(
            f"--strategy {tree_out!r}: none is looked for with --at-least; use one of the two"
        )
    if options["trust"] and out is not None:
        raise GuesstreeError(f"--out {out!r}: there is no certificate with --trust; use one of the two")
    if options["trust"] and minimise:
        raise GuesstreeError("--minimise: there is no certificate with --trust; use one of the two")
    if not options["trust"] and out is None:
        raise GuesstreeError("no --out: give the FILE.proof for the certificate, or use --trust")
    game = make_game(spec, win)
    options["budget"] = budget_of(game, options["budget"])
    with live() as progress:
        certificate = prove(game, at_least=at_least, progress=progress, **options)
    if minimise:
        with said("leaving out what the checker does not need ..."):
            certificate = minimised(certificate)
    solution = certificate.solution

    def show() -> None:
        if solution is not None:
            click.echo("\n".join(solution_lines(solution, report_of(solution.strategy))))
        elif certificate.stopped and at_least is None:
            click.echo(f"{game.spec}: no strategy was found in time")

    def data() -> dict[str, Any]:
        if solution is None:
            return {"game": game.spec, "stopped": certificate.stopped}
        return solution_as_json(solution, report_of(solution.strategy))

    files = [] if solution is None else [(tree_out, solution.strategy.write)]
    return deliver_with_proof(show, data, files, certificate, out, as_json=as_json)
