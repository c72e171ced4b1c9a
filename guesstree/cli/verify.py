"""`guesstree verify`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from guesstree.api.verification import CONTRADICTION, NOTHING, Claimed, Proved, proved, unit_text
from guesstree.engine.errors import GuesstreeError

from .tools.group import Command
from .tools.options import json_option
from .tools.reading import other_game_option, read_strategy
from .tools.text import print_json

if TYPE_CHECKING:
    from guesstree.api.verification import Verdict


@click.command("verify", cls=Command, epilog="Example: guesstree verify 4x6.proof --strategy 4x6.json")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="FILE.proof...")
@click.option("--strategy", "tree", type=click.Path(), metavar="FILE.json", help="Check this strategy too.")
@other_game_option
@json_option
def command(paths: tuple[str, ...], tree: str | None, spec: str | None, as_json: bool) -> int:
    """Check certificates, which prove lower bounds; with a strategy, say whether it is proved optimal.

    The command runs the checker of the package on each FILE.proof. This checker shares no code with the
    search; its source is verify/verify.c (with costs priced.c, with lies lies.c, with odds or
    decisions noisy.c), if you prefer to compile it yourself. A second checker, in Python, reads small
    certificates, too (verify.py, priced.py, lies.py, noisy.py); certificates of `plan` have kit.py alone. The
    command replays the strategy like `check`, and compares its game with the game of the certificate, cell by
    cell. The last line says what is proved: a bound; or the optimum, if the strategy takes no more; or how
    far the two are apart.

    The exit status is 1 if a certificate is refused, if the strategy fails, or if the two contradict each
    other.
    """
    from guesstree.api.verification import NO_VERDICT, files_named, judged, read_certificate
    from guesstree.engine.meant import file_kind
    from guesstree.engine.registry import used_as

    for path in paths:
        if file_kind(path) == "strategy":
            raise GuesstreeError(used_as(path, "strategy", "a certificate"))
    texts = {path: read_certificate(path) for path in dict.fromkeys(paths)}
    verdicts = {path: judged(text) for path, text in texts.items()}
    for path, verdict in verdicts.items():
        if verdict.status == NO_VERDICT:
            raise GuesstreeError(f"{path} is not checked: {verdict.line}; check it again")
        if verdict.status == 2:
            missing = set(files_named(texts[path].text)) - set(texts[path].files)
            if missing:
                raise GuesstreeError(
                    f"{path}: it names {min(missing)}, which cannot be read beside it; keep the two together"
                )
            raise GuesstreeError(verdict.line.removeprefix("gtverify: "))
    found = _refused(verdicts.values())
    if found is None:
        claims = [Claimed.read(text, verdicts[path]) for path, text in texts.items()]
        found = _proved(claims, tree, spec)
    if as_json:
        lines = {path: verdict.line for path, verdict in verdicts.items()}
        programs = {path: list(verdict.programs) for path, verdict in verdicts.items()}
        print_json({"checker": lines, "programs": programs, "proved": found.what, "text": found.text})
        return 1 if found.what in (NOTHING, CONTRADICTION) else 0
    for path, verdict in verdicts.items():
        too = "".join(f", and {program} says so too" for program in verdict.programs[1:])
        click.echo(f"{path}: {verdict.line}{too}" if verdict.verified else verdict.line)
    if all(verdict.verified for verdict in verdicts.values()):
        click.echo(f"{found.what}: {found.text}")
    return 1 if found.what in (NOTHING, CONTRADICTION) else 0


def _refused(verdicts: Iterable[Verdict]) -> Proved | None:
    """Return what is proved where a certificate is refused; None: all are accepted."""
    refused = [verdict for verdict in verdicts if not verdict.verified]
    if not refused:
        return None
    what = CONTRADICTION if any(verdict.contradiction for verdict in refused) else NOTHING
    return Proved(what, "; ".join(verdict.line for verdict in refused))


def _proved(claims: list[Claimed], tree: str | None, spec: str | None) -> Proved:
    """Return what certificates prove, with the strategy in a file if there is one."""
    from guesstree.trees.check import check

    if tree is None:
        return proved(claims)
    reading = read_strategy(tree, spec)
    game, strategy = reading.origin.game, reading.strategy
    report = check(game, strategy)
    if not report.valid:
        return Proved(NOTHING, f"{tree}: the strategy is wrong: {report.messages()[0]}")
    found = proved(claims, strategy, report)
    unit = unit_text(game, strategy.claims.objective) if any(claim.priced for claim in claims) else ""
    return replace(found, text=f"{found.text} ({unit})") if unit else found
