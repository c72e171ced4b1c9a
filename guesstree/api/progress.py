"""How a long search is followed: in one line of text, which a notebook shows below a bar."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.exact import short_text
from guesstree.engine.search.deadline import Progress

PATIENCE = 0.5
"""Seconds after which a search is long, and between two looks at it."""


def progress_line(progress: Progress) -> str:
    """Return one line: phase, states and their rate, bounds, best first guess, time."""
    if progress.secrets:
        rate = progress.evaluations / max(progress.seconds, 0.001)
        settled = f"{progress.settled:,} of {progress.secrets:,} secrets settled"
        return f"{settled}  {progress.evaluations:,} guesses valued ({rate:,.0f}/s)  {progress.seconds:.0f} s"
    rate = progress.states / max(progress.seconds, 0.001)
    bounds = f"at least {short_text(progress.lower * progress.unit)}"
    if progress.upper is not None:
        bounds += f", at most {short_text(progress.upper * progress.unit)}"
    first = f"first guess {progress.first}" if progress.first else ""
    parts = [
        progress.phase,
        f"{progress.states:,} states ({rate:,.0f}/s)",
        bounds,
        first,
        f"{progress.seconds:.0f} s",
    ]
    return "  ".join(part for part in parts if part)


@contextmanager
def progress_bar(wanted: Any) -> Iterator[Any]:
    """Yield what shows progress: what is wanted; else, in a notebook, a bar that goes in the end; or None."""
    if wanted is not None and not callable(wanted):
        raise GuesstreeError(f"progress {shown(wanted)}; expected a function of what is known, or None")
    if wanted is not None or not _in_notebook():
        yield wanted
        return
    from IPython.display import HTML, display

    pictures: list[Any] = []
    last = 0.0

    def show(progress: Progress) -> None:
        nonlocal last
        if 0 <= progress.seconds - last < PATIENCE:
            return
        last = progress.seconds
        of = f' value="{progress.settled}" max="{progress.secrets}"' if progress.secrets else ""
        picture = HTML(f"<progress{of}></progress> <code>{escape(progress_line(progress))}</code>")
        if pictures:
            pictures[0].update(picture)
        else:
            pictures.append(display(picture, display_id=True))

    try:
        yield show
    finally:
        if pictures:
            pictures[0].update(HTML(""))


def _in_notebook() -> bool:
    """Return whether the session is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    session = ipython.get_ipython() if ipython else None
    return hasattr(session, "kernel")
