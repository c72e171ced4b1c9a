"""The page of a ledger while it is written, here or by another process: read where it lies, never kept.

Whoever looks at it sees what was read last; it is read again every `SECONDS`, or less often where that takes
long, so that who writes it is not disturbed. Rates are differences between what was read at two times.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guesstree.engine.errors import shown
from guesstree.present.ledger import clock, duration

from .pages import show_page
from .pool import Pool, Refused
from .work.ledgers import claims_seen, ledger_seen

SECONDS = 2.0
"""Between two times that it is read."""
SHARE = 10
"""It is read less often where that takes more than such a part of the time."""
MINUTE = 60.0
"""Seconds over which a rate is worked out, and so long reading may take."""
MOST_WORKERS = 20
MOST_STEPS = 60
"""Of a place in the tree of claims."""
REMEMBERED = 16
"""Places of the tree that somebody looked at lately."""
WIDTH, HEIGHT = 1000, 200
"""Of the curve of the bounds; a page stretches it."""


@dataclass
class Look:
    """What was read: when, how long that took, and what it was; or why it could not be read."""

    at: float
    took: float
    found: Any = None
    fault: str = ""


@dataclass
class WatchedLedger:
    """A ledger, and what was read of it lately.

    Attributes
    ----------
    path: the file, which may be absent for a while, or become another ledger.
    seen: the last that could be read of it.
    samples: when it was read, and what was counted, over the last minute.
    heard: of each worker its last figures, and when one of them rose; None: before anybody looked. They fall
        where others prove what it found.
    """

    path: Path
    seen: dict[str, Any] = field(default_factory=dict)
    samples: deque[tuple[float, dict[str, int]]] = field(default_factory=deque)
    heard: dict[str, tuple[tuple[float, ...], float | None]] = field(default_factory=dict)
    looks: dict[tuple[Any, ...], Look] = field(default_factory=dict)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self, pool: Pool, work: Callable[..., Any], *given: Any) -> Look:
        """Return what is known of it, read again unless that was done just now."""
        async with self.turn:
            key, now = (work.__name__, *given), time.monotonic()
            last = self.looks.pop(key, None)
            if last is None or now >= last.at + max(SECONDS, SHARE * last.took) - 0.1:
                last = Look(now, 0)
                try:
                    last.found = await pool.ask(work, str(self.path), *given, seconds=MINUTE)
                except Refused as refused:
                    last.fault = str(refused).replace(str(self.path), self.path.name)
                last.took = time.monotonic() - now
                if work is ledger_seen and last.found:
                    self.note(last.found, now)
            self.looks[key] = last
            while len(self.looks) > REMEMBERED:
                del self.looks[next(iter(self.looks))]
            return last

    def note(self, seen: dict[str, Any], now: float) -> None:
        """Take notice of what was read; `now`: seconds of a clock that never goes back."""
        counts = seen["counts"]
        before = self.samples[-1][1] if self.samples else counts
        other = self.seen and seen["key"] != self.seen["key"]
        if other or counts["evaluations"] < before["evaluations"]:  # or the same, begun anew
            self.samples.clear()
            self.heard.clear()
        first, self.seen = not self.heard, seen
        self.samples.append((now, counts))
        while len(self.samples) > 2 and self.samples[1][0] <= now - MINUTE:
            self.samples.popleft()
        for one in seen["workers"]:
            figures = one["claims"], one["evaluations"], one["seconds"]
            old, at = self.heard.get(one["worker"], ((0, 0, 0.0), None))
            if not first and any(new > was for new, was in zip(figures, old, strict=True)):
                at = time.time()
            self.heard[one["worker"]] = figures, at

    def rates(self) -> tuple[float, dict[str, float]]:
        """Return over how many seconds, and what was counted in each of them; 0: not known yet."""
        if len(self.samples) < 2:
            return 0, {}
        (began, before), (ended, after) = self.samples[0], self.samples[-1]
        took = ended - began
        return took, {name: max(many - before[name], 0) / took for name, many in after.items()}

    def workers(self) -> list[tuple[str, int, int, str, str]]:
        """Return who reported: name, claims, evaluations, time taken, and when last; the latest first."""
        found = [(one, self.heard[one["worker"]][1]) for one in self.seen["workers"]]
        found.sort(key=lambda pair: (-(pair[1] or 0), -pair[0]["evaluations"]))
        return [
            (
                one["worker"],
                one["claims"],
                one["evaluations"],
                duration(one["seconds"]),
                "before this page" if at is None else clock(at)[-8:],
            )
            for one, at in found
        ]


@dataclass(frozen=True)
class AskedPlace:
    """The place of the tree that an address is about; an empty figure stands for the part that rose last."""

    figure: str = ""
    limit: int = 0
    steps: tuple[int, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, str]) -> AskedPlace:
        """Read an address; raise Refused for what is no place."""
        figure, limit, at = given.get("part", ""), given.get("limit", "0"), given.get("at", "")
        if figure not in ("", "total", "worst") or not re.fullmatch("[0-9]{1,15}", limit, re.ASCII):
            raise Refused(f"part {shown(figure)}, limit {shown(limit)}; expected those of a link of the page")
        if not re.fullmatch(r"([0-9]{1,9}(\.[0-9]{1,9})*)?", at, re.ASCII) or at.count(".") >= MOST_STEPS:
            raise Refused(f"{shown(at)} is no place; expected one of a link of the page, such as 0.12")
        return cls(figure, int(limit), tuple(map(int, at.split("."))) if at else ())


def place_link(part: tuple[str, int], at: str = "") -> str:
    """Return the address of a place."""
    return f"/ledger?{urlencode({'part': part[0], 'limit': part[1]} | ({'at': at} if at else {}))}#claims"


async def _show(request: Request) -> Response:
    state = request.app.state
    watched: WatchedLedger | None = state.ledger
    if watched is None:
        raise Refused(
            "no ledger is watched here; expected one that was named as the server was started, such as "
            "guesstree serve 4x8.ledger",
            404,
        )
    wanted = AskedPlace.of(request.query_params)
    look = await watched.look(state.ledger_pool, ledger_seen)
    if not watched.seen:
        raise Refused(look.fault, 503)
    claims = await watched.look(state.ledger_pool, claims_seen, wanted.figure, wanted.limit, wanted.steps)
    seen, now = watched.seen, time.time()
    names = claims.found["names"] if claims.found else {}
    values = {
        "title": f"Ledger: {seen['title']}",
        "file": watched.path.name,
        "fault": look.fault,
        "seen": seen,
        "rates": watched.rates(),
        "workers": watched.workers()[:MOST_WORKERS],
        "more_workers": max(len(seen["workers"]) - MOST_WORKERS, 0),
        "running": [
            (names.get(key, _numbers(key)), since, duration(now - at)) for key, since, at in seen["running"]
        ],
        "refused": [(names.get(key, _numbers(key)), at, why) for key, at, why in seen["refused"]],
        "curve": curve_of(seen["curve"]),
        "claims": claims,
        "link": place_link,
    }
    return show_page(request, "ledger.html", values)


def _numbers(key: str) -> str:
    """Return a place by the numbers of its path, where the game cannot be opened here."""
    return key.split(" ", 2)[2] or "the game"


def curve_of(points: Sequence[tuple[float, int | None, int | None, int | None]]) -> dict[str, Any]:
    """Return how bounds rose as points of lines in a box of `WIDTH` and `HEIGHT`; empty: there is no curve.

    A bound stays as it is until it rises: lines are steps. What was accepted begins where all else does.
    """
    values = [value for _, lower, _, upper in points for value in (lower, upper) if value is not None]
    if len(points) < 2 or not values:
        return {}
    low, high = min(values), max(values)
    begin, end = points[0][0], points[-1][0]
    span, seconds = max(high - low, 1), max(end - begin, 1e-3)

    def line(column: int) -> str:
        steps: list[str] = []
        for point in points:
            if point[column] is None:
                continue
            x = WIDTH * (point[0] - begin) / seconds
            y = 4 + (HEIGHT - 8) * (high - max(point[column], low)) / span  # type: ignore[type-var,operator]
            steps += [f"{x:.1f},{steps[-1].partition(',')[2]}"] if steps else []
            steps.append(f"{x:.1f},{y:.1f}")
        return " ".join(steps)

    return {
        "lower": line(1),
        "accepted": line(2),
        "upper": line(3),
        "low": low,
        "high": high,
        "began": clock(begin),
        "took": duration(seconds),
    }


ROUTES = [Route("/ledger", _show)]
"""Read-only servers show it, too: nothing is kept of it."""
