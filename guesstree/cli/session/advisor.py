"""Who guesses or advises at a prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from guesstree.api.advisor import Advisor
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.onestep.valuations import methods

from ..tools.group import OBJECTIVE, STRATEGY, option
from ..tools.progress import live
from .many import CONSTRUCTIVE

if TYPE_CHECKING:
    from guesstree.api.mixture import Following


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


strategy_option = option(
    STRATEGY,
    "--strategy",
    "followed",
    type=click.Path(),
    metavar="FILE.json",
    help="Follow this strategy; of a folder of solve --maker mixed, one drawn by its probability.",
)
draw_option = option(
    OBJECTIVE, "--seed", type=int, metavar="N", help="With a folder: the same number draws the same strategy."
)


def require_followed(path: str | None, seed: int | None) -> None:
    """Raise GuesstreeError for a seed with nothing to draw."""
    if seed is not None and path is None:
        raise GuesstreeError(f"--seed {seed} draws one of several strategies; use it with --strategy FOLDER")


def follow(
    game: Game, path: str, goal: str | None, seed: int | None, unfit: Mapping[str, object], **asked: Any
) -> Following:
    """Return an `Advisor` that follows the strategy of a file, or one drawn from a folder.

    Raises GuesstreeError for what does not go with it: `unfit`, by the name of the option.
    """
    from guesstree.api.mixture import Following, drawn_from

    if named := next((name for name, given in unfit.items() if given), ""):
        raise GuesstreeError(f"{named} does not go with --strategy {path!r}; use one of them")
    return Following(drawn_from(path, game, goal, seed), watching=live, **asked)
