"""What is shown of long work while it lasts: on a terminal only, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guesstree.engine.search.deadline import Progress


def watched() -> bool:
    """Return whether somebody may be watching standard error: it is a terminal, and not closed."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def said(text: str) -> Iterator[None]:
    """Say what is done meanwhile, where somebody watches."""
    if not watched():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(text)):
        yield


@contextmanager
def live(begin: str = "") -> Iterator[Callable[[Progress], None] | None]:
    """Yield a function that shows progress, or None where nobody watches; `begin` is shown until then."""
    if not watched():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from guesstree.api.progress import progress_line

    # What goes to a terminal is printed above the line; what goes to a pipe or a file goes there.
    with Live(
        Text(begin),
        console=Console(stderr=True),
        transient=True,
        refresh_per_second=8,
        redirect_stdout=sys.stdout.isatty(),
    ) as display:
        yield lambda progress: display.update(
            Text(progress_line(progress), overflow="ellipsis", no_wrap=True)
        )
