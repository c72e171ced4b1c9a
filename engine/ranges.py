"""What each number of a request (`support.Request`) may be."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

from guesstree.cext import counted, lying

from .errors import GuesstreeError, require_flag, shown
from .game import whole
from .objective import OBJECTIVES, WORST

MOST_WORKERS, MOST_OF_CLUSTER = 64, 10_000
MOST_STAGES = 1000
MOST_BOUND = 10**15
"""The largest number in a certificate."""
WITHIN = " or ".join(name for name, one in OBJECTIVES.items() if one.budgeted)
"""The objectives about a budget, as messages name them."""


def _budgeted(request: Any) -> bool:
    """Return whether the objective of a request is about a budget."""
    return request.objective in OBJECTIVES and OBJECTIVES[request.objective].budgeted


def _within(value: object, least: int, most: int = (1 << 61) - 1) -> bool:
    number = whole(value)
    return number is not None and least <= number <= most


def _seconds(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and float(value) > 0


RANGES: dict[str, tuple[Callable[[Any], bool], str, str]] = {
    "max_depth": (
        lambda r: r.max_depth is None or _within(r.max_depth, 1),
        "a depth limit of {max_depth}",
        "at least 1 guess",
    ),
    "budget": (
        lambda r: not _budgeted(r) or _within(r.budget, 0),
        "{r.budget_text}",
        f"an integer from 0, for the objective {WITHIN}",
    ),
    "lies": (
        lambda r: _within(r.lies, 0, lying.MOST_LIES),
        "{lies} lies",
        f"0 to {lying.MOST_LIES}",
    ),
    "width": (
        lambda r: r.width is None or _within(r.width, 1),
        "a beam {width} guesses wide",
        "at least 1",
    ),
    "jobs": (lambda r: _within(r.jobs, 1, counted.MOST_JOBS), "{jobs} jobs", f"1 to {counted.MOST_JOBS}"),
    "workers": (
        lambda r: _within(r.workers, 1, MOST_WORKERS if r.cluster is None else MOST_OF_CLUSTER),
        "{workers} workers",
        f"1 to {MOST_WORKERS}, of a cluster {MOST_OF_CLUSTER}",
    ),
    "at_least": (
        lambda r: r.at_least is None or _within(r.at_least, int(r.objective == WORST.name), MOST_BOUND),
        "a bound of {at_least}",
        f"an integer from 1, at most {MOST_BOUND}",
    ),
    "stages": (lambda r: _within(r.stages, 1, MOST_STAGES), "{stages} stages", f"1 to {MOST_STAGES}"),
    "time_limit": (
        lambda r: r.time_limit is None or _seconds(r.time_limit),
        "a time limit of {time_limit} s",
        "more than 0",
    ),
}
"""What each number may be: (whether it is, what to say of it, what is accepted)."""


NUMBERS = ("max_depth", "budget", "width", "at_least", "lies", "jobs", "workers", "stages")


def require_ranges(request: Any) -> None:
    """Raise GuesstreeError, in one line, for a value out of range."""
    for name, (holds, _, _) in RANGES.items():
        if not holds(request):
            raise _out_of_range(request, name)


def require_kinds(request: Any) -> None:
    """Raise GuesstreeError for a value of another type, which the table does not ask about."""
    for name in NUMBERS:
        value = getattr(request, name)
        if whole(value) is None and (value is not None or name in ("lies", "jobs", "workers", "stages")):
            raise _out_of_range(request, name)
    if request.time_limit is not None and not _seconds(request.time_limit):
        raise _out_of_range(request, "time_limit")
    if not isinstance(request.cluster, str | None):
        where = shown(request.cluster)
        raise GuesstreeError(f"cluster={where}; expected a text such as ray, dask:HOST:PORT or mpi")
    for name in ("candidates_only", "trust"):
        require_flag(name, getattr(request, name))


def _out_of_range(request: Any, name: str) -> GuesstreeError:
    """Return what to say of a value that is not what it may be."""
    _, what, accepted = RANGES[name]
    value = getattr(request, name)
    if name in NUMBERS and value is not None and whole(value) is None and "integer" not in accepted:
        accepted = f"an integer, {accepted}"
    return GuesstreeError(f"{what}; expected {accepted}".format(r=request, **{name: shown(value)}))
