"""`guesstree ledger`."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.memory import size_text
from guesstree.engine.notation import plural
from guesstree.present.reports import in_percent

from .tools.files import Target, deliver_with_proof
from .tools.group import Command
from .tools.options import json_option
from .tools.screen import aligned, echo

if TYPE_CHECKING:
    from guesstree.api.ledger import LedgerReport
    from guesstree.engine.campaign.records import Rise

LIMITED = ("goal", "objective", "max_depth", "first", "candidates_only", "budget", "lies")
"""What a report says of a problem."""
NOT_ACCEPTED = " (says the search alone)"
MOST_ROWS = 10
"""Lines that the history of the bounds, what is worked on, and what was refused, take each."""


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
    asked, counts = json.loads(report.about.asked), report.counts
    limits = [f"{name.replace('_', ' ')} {asked[name]}" for name in LIMITED if asked.get(name)]
    yield f"{report.path}: {', '.join([asked['game'], *limits])}"
    for rise in report.bounds:
        yield f"  {bounds_line(rise, report)}"
    if report.optimum is not None:
        yield f"  an optimum is kept with its strategy: {', '.join(map(str, report.optimum))}"
    if report.lemmas:
        yield f"  {plural(report.lemmas, 'lemma')} of a proof in one process"
    yield f"  written by {report.writer}" if report.writer else "  nobody writes it now"
    if counts:
        yield ""
        yield claims_table(report)
        yield ""
    spent = f"{duration(report.seconds)} of processors, {plural(report.evaluations, 'evaluation')}"
    yield f"  took {spent}; {size_text(report.size)}"
    if report.rest.claims and any(rise.lower < rise.upper for rise in report.bounds):
        yield f"  {rest_line(report)}"
    rises = [rise for rise in report.history if rise[1:3] == report.history[-1][1:3]]
    if len(rises) > 1:
        yield ""
        yield history_table(rises)
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


def bounds_line(rise: Rise, report: LedgerReport) -> str:
    """Return what is known of the whole game."""
    from guesstree.engine.campaign.messages import INFINITE

    if rise.figure == "worst":
        proved, shown = rise.accepted >= INFINITE, rise.lower >= INFINITE
        can = "suffice" if rise.upper < INFINITE else "do not suffice" if proved or shown else "may suffice"
        return f"{plural(rise.depth, 'guess')} {can}" + NOT_ACCEPTED * (shown and not proved)
    several = len(report.bounds) > 1 or json.loads(report.about.asked).get("max_depth") is not None
    within = f" within {plural(rise.depth, 'guess')}" if several else ""
    accepted = f" (accepted: {rise.accepted})" if rise.accepted else NOT_ACCEPTED
    if rise.lower >= INFINITE:
        return f"total{within}: no strategy{NOT_ACCEPTED * (rise.accepted < INFINITE)}"
    upper = "" if rise.upper >= INFINITE else f", at most {rise.upper}, gap {gap_of(rise)}"
    return f"total{within}: at least {rise.lower}{accepted}{upper}"


def gap_of(rise: Rise) -> str:
    """Return how far apart bounds are, in percent."""
    return in_percent((rise.upper - rise.lower) / max(rise.lower, 1))


def claims_table(report: LedgerReport) -> str:
    """Return how many claims there are of each status, by what they are about."""
    from guesstree.api.ledger import STATUSES

    rows = [["claims about", "all", *STATUSES]]
    for steps, counts in report.claims.items():
        name = f"guess {steps // 2 + 1}" if steps % 2 else f"states after {steps // 2}"
        rows.append([name, *claim_numbers(counts)])
    if len(report.claims) > 1:
        rows.append(["all", *claim_numbers(report.counts)])
    return aligned(rows)


def claim_numbers(counts: Counter[str]) -> list[str]:
    """Return how many claims there are, and of each status."""
    from guesstree.api.ledger import STATUSES

    numbers = [sum(counts.values()), *(counts[status] for status in STATUSES)]
    return [str(number) if number else "-" for number in numbers]


def history_table(rises: Sequence[Rise]) -> str:
    """Return how bounds rose."""
    from guesstree.engine.campaign.messages import INFINITE

    every = list(range(len(rises)))
    if len(rises) > MOST_ROWS:
        every = sorted({round(i * (len(rises) - 1) / (MOST_ROWS - 1)) for i in range(MOST_ROWS)})
    rows = [["after", "at least", "accepted", "at most", "gap"]]
    for rise in (rises[i] for i in every):
        known = rise.upper < INFINITE
        bounds = [bound_text(bound) for bound in (rise.lower, rise.accepted, rise.upper)]
        gap = gap_of(rise) if known and rise.figure == "total" else "-"
        rows.append([duration(rise.time - rises[0].time), *bounds, gap])
    return aligned(rows)


def bound_text(bound: int) -> str:
    """Return a bound; more than any is infinite."""
    from guesstree.engine.campaign.messages import INFINITE

    return "inf" if bound >= INFINITE else str(bound)


def rest_line(report: LedgerReport) -> str:
    """Return what the claims that are open may take."""
    rest = report.rest
    text = f"{plural(rest.claims, 'claim')} may take {duration(rest.seconds)} more of processors"
    text += f", give or take {duration(rest.spread)}"
    if rest.beyond:
        text += f"; for {rest.beyond}, longer than like ones, as much again is supposed"
    return text


def clock(seconds: float) -> str:
    """Return a time as a clock here shows it."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def duration(seconds: float) -> str:
    """Return a duration in the unit that suits it."""
    for size, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{max(seconds, 0):.1f} s"
