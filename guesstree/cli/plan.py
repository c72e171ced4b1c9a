"""`guesstree plan`."""

from __future__ import annotations

from collections.abc import Callable

import click

from guesstree.engine.kits.kit import least_kit
from guesstree.present.kit import kit_as_json, kit_lines, pairs_csv, sheet_csv
from guesstree.trees.export.output import write_whole

from .tools.files import Target, deliver
from .tools.group import LIMITS, OBJECTIVE, OUTPUT, STRATEGY, Command, option
from .tools.options import Seconds, game_argument, goal_option, json_option, make_game, win_option
from .tools.progress import live
from .tools.text import echo_lines, print_json


@click.command("plan", cls=Command, epilog="Example: guesstree plan trees.csv --csv sheet.csv")
@game_argument
@goal_option
@option(
    OBJECTIVE,
    "--lies",
    type=int,
    default=0,
    metavar="L",
    help="Up to L answers may be false; a question may then be asked several times.",
)
@win_option
@option(STRATEGY, "--must", multiple=True, metavar="GUESS", help="Ask this one; may be given several times.")
@option(
    STRATEGY,
    "--never",
    multiple=True,
    metavar="GUESS",
    help="Do not ask this one; may be given several times.",
)
@option(
    LIMITS,
    "--time-limit",
    type=Seconds(),
    metavar="S",
    help="Return the best kit after S seconds, with bounds.",
)
@option(OUTPUT, "--csv", "sheet", type=Target(), metavar="FILE.csv", help="Write the answers of each secret.")
@option(
    OUTPUT,
    "--pairs",
    type=Target(),
    metavar="FILE.csv",
    help="Write which questions tell each pair of secrets apart.",
)
@option(OUTPUT, "--out", type=Target(), metavar="FILE.json", help="Write the kit as --json prints it.")
@json_option
def command(
    spec: str,
    win: str | None,
    goal: str | None,
    lies: int,
    must: tuple[str, ...],
    never: tuple[str, ...],
    time_limit: float | None,
    sheet: str | None,
    pairs: str | None,
    out: str | None,
    as_json: bool,
) -> int:
    """Find the least kit for GAME: questions, all asked before any answer comes, that tell secrets apart.

    Least is the number of questions, or their cost. Ctrl-C or the time limit ends the search; the best kit so
    far is then returned, with bounds of the least one.
    """
    game = make_game(spec, win)
    with live() as progress:
        kit = least_kit(
            game,
            goal=goal,
            lies=lies,
            must=must,
            never=never,
            time_limit=time_limit,
            progress=progress,
        )

    def show() -> None:
        if as_json:
            print_json(kit_as_json(kit))
        else:
            echo_lines(kit_lines(kit))

    def writer(text: Callable[[], str]) -> Callable[[str], object]:
        return lambda path: write_whole(path, text().encode())

    def data() -> str:
        import json

        return json.dumps(kit_as_json(kit), indent=1) + "\n"

    files = (
        (out, writer(data)),
        (sheet, writer(lambda: sheet_csv(kit))),
        (pairs, writer(lambda: pairs_csv(kit))),
    )
    deliver(show, files, as_json=as_json)
    return 130 if kit.stopped == "interrupt" else 0
