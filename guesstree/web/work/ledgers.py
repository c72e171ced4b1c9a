"""What the page of a ledger shows: all that it says, and its tree of claims."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from guesstree.api.ledger import LedgerReport, ledger_report
from guesstree.api.ledger_tree import ClaimBrowser, Place, roots_of
from guesstree.engine.campaign.messages import INFINITE, NodeId
from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.memory import size_text
from guesstree.engine.notation import Look, capital, plural
from guesstree.engine.registry import title_of_spec
from guesstree.present.ledger import (
    MOST_ROWS,
    asked_of,
    bound_text,
    bounds_line,
    claims_rows,
    clock,
    duration,
    history_rows,
    last_part,
    rest_line,
    thinned,
)

MOST_PLACES = 40
"""Rows of the tree of claims."""
MOST_POINTS = 300
"""Of a curve."""
WAITS = ("open", "running")
"""What claims are that are not settled."""


def ledger_seen(path: str) -> dict[str, Any]:
    """Return what a ledger says, as plain data; its game is not opened, which may take long.

    Times are those of the clock. Raises GuesstreeError as `ledger_report`.
    """
    report = ledger_report(path, whole=False)
    rises = last_part(report)
    goes_on = report.rest.claims and any(rise.lower < rise.upper for rise in report.bounds)
    return {
        "key": [report.about.claim, report.about.numbering, *report.about.origins],
        "title": title_of_spec(json.loads(report.about.asked)["game"]),
        "asked": asked_of(report),
        "bounds": [capital(bounds_line(rise, report)) for rise in report.bounds],
        "writer": report.writer,
        "claims": claims_rows(report) if report.counts else [],
        "history": history_rows(rises) if len(rises) > 1 else [],
        "curve": _curve(report),
        "running": [(_key(one.node), clock(one.since), one.since) for one in report.running[:MOST_ROWS]],
        "refused": [(_key(one.node), clock(one.time), one.why) for one in report.refused[-MOST_ROWS:]],
        "many_running": len(report.running),
        "many_refused": len(report.refused),
        "open": report.counts["open"],
        "workers": [vars(one) for one in report.workers],
        "counts": {
            "answered": report.answered,
            "proved": sum(bool(one.proved or one.accepted) for one in report.known.values()),
            "accepted": sum(bool(one.accepted) for one in report.known.values()),
            "evaluations": report.evaluations,
        },
        "took": duration(report.seconds),
        "rest": capital(rest_line(report)) if goes_on else "",
        "size": size_text(report.size),
        "lemmas": report.lemmas,
        "optimum": "" if report.optimum is None else ", ".join(map(str, report.optimum)),
    }


def _key(node: NodeId) -> str:
    return f"{node.figure} {node.depth} {' '.join(map(str, node.path))}"


def _curve(report: LedgerReport) -> list[tuple[float, int | None, int | None, int | None]]:
    """Return how the last part's bounds rose: time, lower, accepted and upper; None: none yet."""
    rises = last_part(report)
    if report.writer and rises:
        rises = [*rises, rises[-1]._replace(time=max(time.time(), rises[-1].time))]

    def known(bound: int) -> int | None:
        return bound if 0 < bound < INFINITE else None

    return [
        (one.time, known(one.lower), known(one.accepted), known(one.upper))
        for one in thinned(rises, MOST_POINTS)
    ]


_opened: list[ClaimBrowser] = []
"""The game that was opened last in this process: that takes longer than to look."""


def claims_seen(path: str, figure: str, limit: int, steps: tuple[int, ...]) -> dict[str, Any]:
    """Return what the claims of a ledger say of a place, and of the places right below it, as plain data.

    `figure`, `limit`: the part of the objective; empty: the one that rose last. Raises GuesstreeError where
    there is no such place, or where the game cannot be opened here.
    """
    report = ledger_report(path, whole=False)
    if not (_opened and _opened[0].about == report.about and _opened[0].about.asked == report.about.asked):
        _opened[:] = [ClaimBrowser(report)]
    browser, roots = _opened[0], roots_of(report)
    root = next((one for one in roots if not figure or (one.figure, one.depth) == (figure, limit)), None)
    if root is None:
        raise GuesstreeError(f"there are no claims of {shown(figure or 'any part')} here")
    level, look = browser.at(report, root, steps), browser.paths.game.look
    named = [
        *(one.node for one in report.running[:MOST_ROWS]),
        *(one.node for one in report.refused[-MOST_ROWS:]),
    ]
    places = level.places
    return {
        "part": (root.figure, root.depth),
        "parts": [(one.figure, one.depth, _part(one, roots, look)) for one in roots],
        "trail": [(_dotted(path), step) for path, step in level.trail()],
        "of": "response" if level.node.branch else look.guess,
        "secret": look.secret,
        "size": level.size,
        "rows": [_row(place) for place in places[:MOST_PLACES]],
        "more": max(len(places) - MOST_PLACES, 0),
        "names": dict(zip(map(_key, named), report.named(named, browser.paths), strict=True)),
    }


def _part(root: NodeId, roots: Sequence[NodeId], look: Look) -> str:
    """Return what a part of the objective is called."""
    within = f" within {plural(root.depth, look.guess)}"
    if root.figure == "worst":
        return f"whether all are done{within}"
    alone = sum(one.figure == root.figure for one in roots) == 1
    return "the total" + within * (not alone)


def _dotted(path: tuple[int, ...]) -> str:
    return ".".join(map(str, path))


def _row(place: Place) -> dict[str, Any]:
    waiting = sum(place.below[status] for status in WAITS) + (place.status in WAITS)
    if place.node.figure == "worst":
        least = "not enough" if place.lower >= INFINITE else "–"
        most = "enough" if place.upper < INFINITE else "–"
        accepted = "not enough" if place.accepted >= INFINITE else "–"
    else:
        least, most, accepted = (
            bound_text(place.lower),
            "–" if place.upper >= INFINITE else str(place.upper),
            bound_text(place.accepted) if place.accepted else "–",
        )
    return {
        "at": _dotted(place.node.path),
        "step": place.step,
        "size": place.size,
        "least": least,
        "most": most,
        "accepted": accepted,
        "status": place.status or ("known by counting" if place.lower >= place.upper else "not asked"),
        "waiting": waiting,
        "below": sum(place.below.values()),
    }
