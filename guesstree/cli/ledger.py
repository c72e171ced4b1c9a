"""`guesstree ledger`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.memory import size_text
from guesstree.engine.notation import plural
from guesstree.present.ledger import (
    MOST_ROWS,
    asked_of,
    bounds_line,
    claims_rows,
    clock,
    duration,
    history_rows,
    last_part,
    rest_line,
)

from .tools.files import Target, deliver_with_proof
from .tools.group import Command
from .tools.options import json_option
from .tools.screen import aligned, echo

if TYPE_CHECKING:
    from guesstree.api.ledger import LedgerReport


@click.command("ledger", cls=Command, epilog="Example: guesstree ledger 4x8.ledger")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option(
    "--merge", "target", type=Target(), metavar="OUT", help="Write a new ledger with the best of all of them."
)
@click.option(
    "--export",
    "proof",
    type=Target(),
    metavar="OUT.proof",
    help="Write the certificate of the accepted claims.",
)
@click.option(
    "--strategy", "tree_out", type=Target(), metavar="OUT.json", help="Write the best known strategy."
)
@json_option
def command(
    paths: tuple[str, ...], target: str | None, proof: str | None, tree_out: str | None, as_json: bool
) -> int:
    """Show the claims in a ledger of `prove`: which are proved, which are open, how fast bounds rise.

    A claim is *accepted* once the checker has accepted its proof; *proved* if it has a proof that the checker
    has not seen yet; *searched* if only the search says so; *split* if claims below it replace it; *running*
    while a worker works on it; otherwise *open*. The command lists refused claims by name.

    It forecasts the remaining time from similar claims, with the same number of guesses before them: an open
    claim is expected to take as long as those that took longer than it has so far. The time is printed with
    the standard deviation of the sum. It leaves out claims that were never asked.

    The command only reads a ledger, even while another process writes it. You can export the certificate and
    the strategy of one ledger, or of the merged one, at any time: they say how much is proved.
    """
    from guesstree.api.ledger import export_ledger, ledger_report, merge_ledgers

    if target is not None:
        merge_ledgers(paths, target)
        paths = (target,)
    reports = [ledger_report(path) for path in paths]
    wanted, certificate = proof or tree_out, None
    if wanted is not None:
        if len(paths) > 1:
            raise GuesstreeError(f"{wanted!r} is of one ledger; expected one FILE, or --merge")
        certificate = export_ledger(paths[0], strategy_only=proof is None)
    solution = None if certificate is None else certificate.solution
    if tree_out is not None and solution is None:
        raise GuesstreeError(f"--strategy {tree_out!r}: {paths[0]!r} knows none yet")

    def show() -> None:
        for report in reports:
            for line in lines_of(report):
                echo(line)

    def data() -> dict[str, Any]:
        return {"ledgers": [report.as_json() for report in reports]}

    files = [] if solution is None else [(tree_out, solution.strategy.write)]
    return deliver_with_proof(show, data, files, certificate, proof, as_json=as_json)


def lines_of(report: LedgerReport) -> Iterator[str]:
    """Yield what a ledger says as lines."""
    yield f"{report.path}: {asked_of(report)}"
    for rise in report.bounds:
        yield f"  {bounds_line(rise, report)}"
    if report.optimum is not None:
        yield f"  an optimum is kept with its strategy: {', '.join(map(str, report.optimum))}"
    if report.lemmas:
        yield f"  {plural(report.lemmas, 'lemma')} of a proof in one process"
    yield f"  written by {report.writer}" if report.writer else "  nobody writes it now"
    if report.counts:
        yield ""
        yield aligned(claims_rows(report))
        yield ""
    spent = f"{duration(report.seconds)} of processors, {plural(report.evaluations, 'evaluation')}"
    yield f"  took {spent}; {size_text(report.size)}"
    if report.rest.claims and any(rise.lower < rise.upper for rise in report.bounds):
        yield f"  {rest_line(report)}"
    rises = last_part(report)
    if len(rises) > 1:
        yield ""
        yield aligned(history_rows(rises))
    yield from running_lines(report)
    yield from refused_lines(report)


def running_lines(report: LedgerReport) -> Iterator[str]:
    """Yield who works on what, the oldest first."""
    running = report.running[:MOST_ROWS]
    if running:
        yield ""
        yield "  running:"
    for name, record in zip(report.named([one.node for one in running]), running, strict=True):
        worker = f", by {record.worker}" if record.worker else ""
        yield f"    {name}, since {clock(record.since)} ({duration(time.time() - record.since)}){worker}"
    if len(report.running) > len(running):
        yield f"    and {len(report.running) - len(running)} more"


def refused_lines(report: LedgerReport) -> Iterator[str]:
    """Yield what was refused, the last ones."""
    refused = report.refused[-MOST_ROWS:]
    if refused:
        yield ""
        yield f"  refused: {len(report.refused)}" + (
            "; the last:" if len(report.refused) > len(refused) else ""
        )
    for name, claim in zip(report.named([one.node for one in refused]), refused, strict=True):
        yield f"    {name}, {clock(claim.time)}: {claim.why}"
