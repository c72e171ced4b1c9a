"""`guesstree verify`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from guesstree.api.verification import CONTRADICTION, NOTHING, Claimed, Proved, proved, unit_text
from guesstree.engine.errors import GuesstreeError

from .tools.files import Target, deliver_with_proof, keep_apart
from .tools.group import OUTPUT, Command, option
from .tools.options import json_option
from .tools.progress import said
from .tools.reading import other_game_option, read_strategy

if TYPE_CHECKING:
    from guesstree.api.certificate import Certificate
    from guesstree.api.verification import CertificateText, Verdict


@click.command("verify", cls=Command, epilog="Example: guesstree verify 4x6.proof --strategy 4x6.json")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="FILE.proof...")
@click.option("--strategy", "tree", type=click.Path(), metavar="FILE.json", help="Check this strategy too.")
@other_game_option
@option(
    OUTPUT,
    "--minimise",
    "out",
    type=Target(),
    metavar="OUT.proof",
    help="Write the one FILE.proof again, without what the checker does not need.",
)
@json_option
def command(
    paths: tuple[str, ...], tree: str | None, spec: str | None, out: str | None, as_json: bool
) -> int:
    """Check certificates, which prove lower bounds; with a strategy, say whether it is proved optimal.

    The command runs the checker of the package on each FILE.proof. This checker shares no code with the
    search; its source is verify/verify.c (with costs priced.c, with lies lies.c, with odds or
    decisions noisy.c), if you prefer to compile it yourself. A second checker, in Python, reads small
    certificates, too (verify.py, priced.py, lies.py, noisy.py); certificates of `plan` have kit.py alone. The
    command replays the strategy like `check`, and compares its game with the game of the certificate, cell by
    cell. The last line says what is proved: a bound; or the optimum, if the strategy takes no more; or how
    far the two are apart.

    With --minimise, the last line is what the checker says of the certificate that was written. It claims the
    same, and is never larger. The command tries to leave out many items at once, then fewer, and runs the
    checker for every try, so this takes long for large certificates; after Ctrl-C, the command writes what is
    left by then.

    The exit status is 1 if a certificate is refused, if the strategy fails, or if the two contradict each
    other.
    """
    from guesstree.api.verification import judged, read_certificate
    from guesstree.engine.meant import file_kind
    from guesstree.engine.registry import used_as

    for path in paths:
        if file_kind(path) == "strategy":
            raise GuesstreeError(used_as(path, "strategy", "a certificate"))
    texts = {path: read_certificate(path) for path in dict.fromkeys(paths)}
    if out is not None:
        _require_one(out, texts)
    verdicts = {path: judged(text) for path, text in texts.items()}
    for path, verdict in verdicts.items():
        _require_verdict(texts[path], verdict)
    refused = _refused(verdicts.values())
    claims = [Claimed.read(text, verdicts[path]) for path, text in texts.items() if refused is None]
    found = refused or _proved(claims, tree, spec)

    def show() -> None:
        for path, verdict in verdicts.items():
            too = "".join(f", and {program} says so too" for program in verdict.programs[1:])
            click.echo(f"{path}: {verdict.line}{too}" if verdict.verified else verdict.line)
        if refused is None:
            click.echo(f"{found.what}: {found.text}")

    def data() -> dict[str, Any]:
        lines = {path: verdict.line for path, verdict in verdicts.items()}
        programs = {path: list(verdict.programs) for path, verdict in verdicts.items()}
        return {"checker": lines, "programs": programs, "proved": found.what, "text": found.text}

    certificate = None
    if out is not None and refused is None:
        certificate = _minimised(texts[paths[0]], verdicts[paths[0]])
    status = deliver_with_proof(show, data, [], certificate, out, as_json=as_json)
    return status or int(found.what in (NOTHING, CONTRADICTION))


def _require_one(out: str, texts: Mapping[str, CertificateText]) -> None:
    """Raise GuesstreeError unless one certificate is to be minimised, to another file than those read."""
    if len(texts) > 1:
        raise GuesstreeError(f"--minimise {out!r} with {len(texts)} certificates; give one at a time")
    for path, text in texts.items():
        keep_apart(out, [path, *(Path(path).with_name(name) for name in text.files)])


def _require_verdict(text: CertificateText, verdict: Verdict) -> None:
    """Raise GuesstreeError where a checker came to no end, or could not read a certificate."""
    from guesstree.api.verification import NO_VERDICT, files_named

    if verdict.status == NO_VERDICT:
        raise GuesstreeError(f"{text.path} is not checked: {verdict.line}; check it again")
    if verdict.status == 2:
        missing = set(files_named(text.text)) - set(text.files)
        if missing:
            raise GuesstreeError(
                f"{text.path}: it names {min(missing)}, which cannot be read beside it; keep the two together"
            )
        raise GuesstreeError(verdict.line.removeprefix("gtverify: "))


def _minimised(text: CertificateText, verdict: Verdict) -> Certificate:
    """Return a certificate that the checker has accepted without what it does not need."""
    from guesstree.api.minimise import certificate_read, minimised

    with said("leaving out what the checker does not need ..."):
        return minimised(certificate_read(text, verdict))


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
