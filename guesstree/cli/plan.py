"""`guesstree plan`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import click

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.kits.kit import Kit, least_kit
from guesstree.engine.kits.staged import StagedKit, staged_kit
from guesstree.present.kit import kit_as_json, kit_lines, pairs_csv, sheet_csv
from guesstree.present.kit_page import kit_page
from guesstree.present.staged import staged_as_json, staged_csv, staged_lines
from guesstree.trees.export.heading import sheet_title, titled
from guesstree.trees.export.output import write_whole

from .tools.files import Target, deliver, deliver_with_proof
from .tools.group import LIMITS, OBJECTIVE, OUTPUT, STRATEGY, Command, option
from .tools.options import (
    Seconds,
    game_argument,
    goal_option,
    json_option,
    make_game,
    title_option,
    win_option,
)
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
@option(
    STRATEGY,
    "--stages",
    type=int,
    default=1,
    metavar="K",
    help="Ask in up to K stages, each with a kit that is chosen by all answers before it (default: 1).",
)
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
@option(
    OUTPUT,
    "--page",
    type=Target(),
    metavar="FILE.html",
    help="Write a page to print: the questions with room for answers, and the answers of each secret.",
)
@title_option
@option(OUTPUT, "--out", type=Target(), metavar="FILE.json", help="Write the kit as --json prints it.")
@option(
    OUTPUT,
    "--proof",
    type=Target(),
    metavar="FILE.proof",
    help="Write a certificate that no kit costs less, and check it, like prove.",
)
@json_option
def command(
    spec: str,
    win: str | None,
    stages: int,
    sheet: str | None,
    pairs: str | None,
    page: str | None,
    title: str | None,
    out: str | None,
    proof: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Find the least kit for GAME: questions, all asked before any answer comes, that tell secrets apart.

    Least is the number of questions, or their cost; in several stages, in the worst case. Ctrl-C or the time
    limit ends the search; the best kit so far is then returned, with bounds of the least one.

    `guesstree verify` checks the certificate of --proof again; the search then has half of the time limit.
    """
    if stages != 1:
        for name, path, instead in (
            ("pairs", pairs, ", or --csv"),
            ("page", page, ", or --csv"),
            ("proof", proof, ""),
        ):
            if path is not None:
                raise GuesstreeError(f"--{name} {path!r} in {stages} stages; use it with one{instead}")
    limit, began = options["time_limit"], time.monotonic()
    if proof is not None and limit is not None:
        options["time_limit"] = limit / 2
    if title is not None and page is None:
        raise GuesstreeError(f"--title {title!r} without a page; use it with --page")
    game = make_game(spec, win)
    name = titled(game, title) if title else sheet_title(game)
    kit: Kit | StagedKit
    with live() as progress:
        if stages == 1:
            kit = least_kit(game, progress=progress, **options)
        else:
            kit = staged_kit(game, stages, progress=progress, **options)

    def data() -> dict[str, Any]:
        return staged_as_json(kit) if isinstance(kit, StagedKit) else kit_as_json(kit)

    def show() -> None:
        if as_json:
            print_json(data())
        else:
            echo_lines(staged_lines(kit) if isinstance(kit, StagedKit) else kit_lines(kit))

    def table() -> str:
        return staged_csv(kit) if isinstance(kit, StagedKit) else sheet_csv(kit)

    files = [(out, _writer(lambda: json.dumps(data(), indent=1) + "\n")), (sheet, _writer(table))]
    if isinstance(kit, Kit):
        files += [(pairs, _writer(lambda: pairs_csv(kit))), (page, _writer(lambda: kit_page(kit, name)))]
    if isinstance(kit, Kit) and proof is not None:
        from guesstree.api.kit_certificate import certificate_of_kit

        certificate = certificate_of_kit(kit, time_limit=limit, began=began)
        return deliver_with_proof(show, data, files, certificate, proof, as_json=as_json)
    deliver(show, files, as_json=as_json)
    return 130 if kit.stopped == "interrupt" else 0


def _writer(text: Callable[[], str]) -> Callable[[str], object]:
    """Return what writes a text to a file."""
    return lambda path: write_whole(path, text().encode())
