"""What a ledger says, in words."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from guesstree.engine.notation import plural

from .reports import in_percent

if TYPE_CHECKING:
    from guesstree.api.ledger import LedgerReport
    from guesstree.engine.campaign.records import Rise

LIMITED = ("goal", "objective", "max_depth", "first", "candidates_only", "budget", "lies")
"""What a report says of a problem."""
NOT_ACCEPTED = " (says the search alone)"
MOST_ROWS = 10
"""Lines that the history of the bounds, what is worked on, and what was refused, take each."""


def asked_of(report: LedgerReport) -> str:
    """Return what is to be proved: the game, and what is asked of it."""
    asked = json.loads(report.about.asked)
    limits = [f"{name.replace('_', ' ')} {asked[name]}" for name in LIMITED if asked.get(name)]
    return ", ".join([asked["game"], *limits])


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


def bound_text(bound: int) -> str:
    """Return a bound; more than any is infinite."""
    from guesstree.engine.campaign.messages import INFINITE

    return "inf" if bound >= INFINITE else str(bound)


def claims_rows(report: LedgerReport) -> list[list[str]]:
    """Return how many claims there are of each status, by what they are about, below a row of heads."""
    from guesstree.api.ledger import STATUSES

    def numbers(counts: Counter[str]) -> list[str]:
        found = [sum(counts.values()), *(counts[status] for status in STATUSES)]
        return [str(number) if number else "-" for number in found]

    rows = [["claims about", "all", *STATUSES]]
    for steps, counts in report.claims.items():
        name = f"guess {steps // 2 + 1}" if steps % 2 else f"states after {steps // 2}"
        rows.append([name, *numbers(counts)])
    if len(report.claims) > 1:
        rows.append(["all", *numbers(report.counts)])
    return rows


def last_part(report: LedgerReport) -> list[Rise]:
    """Return how the bounds rose of the part that rose last."""
    return [rise for rise in report.history if rise[1:3] == report.history[-1][1:3]]


def thinned(rises: Sequence[Rise], most: int) -> list[Rise]:
    """Return how bounds rose at so many times at most, from the first to the last."""
    if len(rises) <= most:
        return list(rises)
    return [rises[i] for i in sorted({round(i * (len(rises) - 1) / (most - 1)) for i in range(most)})]


def history_rows(rises: Sequence[Rise]) -> list[list[str]]:
    """Return how bounds rose, a few of all times, below a row of heads."""
    from guesstree.engine.campaign.messages import INFINITE

    rows = [["after", "at least", "accepted", "at most", "gap"]]
    for rise in thinned(rises, MOST_ROWS):
        known = rise.upper < INFINITE
        bounds = [bound_text(bound) for bound in (rise.lower, rise.accepted, rise.upper)]
        gap = gap_of(rise) if known and rise.figure == "total" else "-"
        rows.append([duration(rise.time - rises[0].time), *bounds, gap])
    return rows


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
