"""Certificates as commands write and tell them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import Infeasible
from guesstree.engine.support import EXACT

from .files import Target, deliver
from .group import LIMITS, OUTPUT, option
from .options import Whole
from .progress import said
from .text import print_json

if TYPE_CHECKING:
    from guesstree.api.certificate import Certificate
    from guesstree.api.solution import Solution
    from guesstree.engine.game import Game
    from guesstree.engine.search.deadline import Progress
    from guesstree.engine.solution import Solved

prove_option = option(
    OUTPUT,
    "--prove",
    "proof",
    type=Target(),
    metavar="FILE.proof",
    help="Write a certificate of the lower bound, as the command prove does.",
)
workers_option = option(
    LIMITS,
    "--workers",
    type=Whole(min=1),
    metavar="N",
    help="Processes that share the work (1, or all of a cluster).",
)


def proof_data(certificate: Certificate, path: str, lines: Sequence[str]) -> dict[str, Any]:
    """Return a certificate as plain data, with its files and what the checker said of it."""
    return {
        "files": certificate.names(path),
        "bound": certificate.bound,
        "within": certificate.within,
        "lemmas": certificate.lemmas,
        "bytes": len(certificate.text),
        "verified": [line for line in lines if not is_unchecked(line)],
        "unchecked": [line for line in lines if is_unchecked(line)],
    }


def is_unchecked(line: str) -> bool:
    """Return whether a line says that the checker came to no end."""
    from guesstree.api.certificate import NOT_CHECKED

    return line.startswith(NOT_CHECKED)


def certified(
    game: Game,
    objective: str,
    progress: Callable[[Progress], None] | None,
    find: Callable[..., Solved] | None = None,
    *,
    lies: int,
    jobs: int,
    memory: int | None,
    time_limit: float | None,
    method: str = EXACT,
    width: int | None = None,
    **limits: Any,
) -> tuple[Solution, Certificate]:
    """Return what a search finds, and the certificate of it; see `certificate.prove_found`.

    Raises GuesstreeError, before any work, for what certificates do not cover.
    """
    from guesstree.api.certificate import prove_found, prover_for
    from guesstree.engine.objective import parse_objective
    from guesstree.engine.problem import Problem
    from guesstree.engine.support import require

    problem = Problem(game, parse_objective(objective), **limits)
    require(replace(problem.asked, certificate=True, method=method, lies=lies, width=width))
    with closing(prover_for(problem, workers=jobs, memory=memory, lies=lies)) as prover:
        found = prove_found(prover, find, time_limit, progress)
    if found.solution is None:
        raise Infeasible(problem.no_strategy(""))
    return found.solution, found


def deliver_with_proof(
    show: Callable[[], None],
    data: Callable[[], dict[str, Any]],
    files: Sequence[tuple[str | None, Callable[[str], object]]],
    certificate: Certificate | None,
    path: str | None,
    *,
    as_json: bool,
) -> int:
    """Print what was found, write files and a certificate; the last line is what the checker says of it.

    Return the exit status: 1 where the checker came to no end, 130 after Ctrl-C, otherwise 0.
    """
    status = 130 if certificate is not None and certificate.stopped == "interrupt" else 0
    if certificate is not None and certificate.trusted:
        told = certificate.told
        facts = {"bound": certificate.bound, "within": certificate.within, "searched": told}
        deliver(
            (lambda: print_json(data() | {"trusted": facts})) if as_json else show, files, as_json=as_json
        )
        for line in [] if as_json else told:
            click.echo(line)
        return status
    if certificate is None or path is None:
        deliver((lambda: print_json(data())) if as_json else show, files, as_json=as_json)
        return status
    lines: list[str] = []

    def write(path: str) -> None:
        nonlocal status
        try:
            with said(f"checking {path} ..."):
                lines.extend(certificate.write(path, due=certificate.due))
        except KeyboardInterrupt:
            status = 130
            lines.extend(certificate.unchecked(path, "interrupted"))
        status = status or int(any(map(is_unchecked, lines)))

    try:
        deliver((lambda: None) if as_json else show, [*files, (path, write)], as_json=as_json)
    finally:  # what else fails, the figures are printed
        if as_json:
            print_json(data() | {"proof": proof_data(certificate, path, lines)})
    if not as_json:
        for name in certificate.names(path)[1:]:
            click.echo(f"  wrote {name}{named_by(certificate, name, path)}")
        if certificate.solution is not None and (
            unit := unit_told(certificate.solution.game, certificate.solution.objective)
        ):
            click.echo(f"  {unit}")
        for line in lines:
            click.echo(line)
    return status


def named_by(certificate: Certificate, name: str, path: str) -> str:
    """Return what is said of a file that a certificate names; empty for a second certificate."""
    file = Path(name).name
    what = "the table" if file.endswith(".csv") else "words"
    return f": {what} that {Path(path).name} names; keep them together" if file in certificate.files else ""


def unit_told(game: Game, objective: str) -> str:
    """Return what 1 stands for in a certificate, which counts in integers; empty where it is 1."""
    from guesstree.engine.exact import exact_text
    from guesstree.engine.objective import OBJECTIVES

    unit = game.figure_unit(OBJECTIVES[objective].figures[0])
    return "" if unit == 1 else f"1 in the certificate is {game.look.paid(exact_text(unit))} here"
