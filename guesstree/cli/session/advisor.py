"""Who guesses or advises at a prompt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from guesstree.api.advisor import Advisor
from guesstree.engine.game import Game
from guesstree.engine.onestep.valuations import methods

from ..tools.group import STRATEGY, option
from ..tools.progress import live
from .many import CONSTRUCTIVE


def method_option(name: str, what: str, *, more: str = "", usual: str = "") -> Callable[[Any], Any]:
    """Return the option that says who guesses or advises."""
    return option(
        STRATEGY,
        name,
        metavar="METHOD",
        help=f"{what}: {', '.join(methods())}, module:function, exact (small games), or {CONSTRUCTIVE} "
        f"(Mastermind of any size{more}). Default: a proven opening where one is at hand, then entropy, or "
        f"information-per-cost where there are weights or costs{usual}.",
    )


def hire(game: Game, method: str | None, **asked: Any) -> Advisor:
    """Return the `Advisor` of a method; what an exact one does shows on a terminal."""
    limit = asked.get("time_limit")
    begin = "searching" if limit is None else f"searching, for {limit:g} seconds at most"
    return Advisor(game, method, watching=lambda: live(begin), **asked)
