"""`guesstree explain`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError

from .tools.files import Target, deliver
from .tools.group import LIMITS, OUTPUT, Command, option
from .tools.options import (
    ALL_OBJECTIVES,
    Seconds,
    Whole,
    budget_of,
    budget_option,
    candidates_only_option,
    first_option,
    goal_option,
    json_option,
    lies_option,
    make_game,
    max_depth_option,
    objective_option,
    win_option,
)
from .tools.progress import live
from .tools.reading import read_strategy
from .tools.screen import screen_width
from .tools.text import echo_lines, print_json

if TYPE_CHECKING:
    from guesstree.api.explained import Explained

USUAL_SECONDS = 60.0
"""For a look at first guesses, where no time limit is given."""
OF_GAMES = ("objective", "goal", "win", "max_depth", "budget", "first", "candidates_only", "lies")
"""Options that say what is proved of a game; a certificate and a strategy say it themselves."""


def check_out(path: str) -> None:
    """Raise TreeError for a file that no text can be written to."""
    from guesstree.trees.export.paper.write import check_paper

    check_paper(path)


@click.command("explain", cls=Command, epilog="Example: guesstree explain mastermind:3x3 --out 3x3.pdf")
@click.argument("source", metavar="FILE.proof|FILE.json|GAME")
@objective_option(ALL_OBJECTIVES)
@goal_option
@win_option
@max_depth_option
@budget_option
@first_option
@candidates_only_option
@lies_option
@option(
    LIMITS,
    "--time-limit",
    type=Seconds(),
    metavar="S",
    help="Explain the best bound that is proved within S seconds.",
)
@option(
    OUTPUT,
    "--first-guesses",
    is_flag=True,
    help="Say, too, what the best strategy costs after each first guess, as far as --time-limit (default: "
    "60 s) allows; of a strategy this is always said.",
)
@option(
    OUTPUT,
    "--lemmas",
    type=Whole(min=0),
    metavar="N",
    help="Explain N lemmas at most, those first that say most about first guesses (default: all of 24, of "
    "more 6).",
)
@option(
    OUTPUT,
    "--out",
    type=Target(check_out),
    metavar="FILE.txt|md|tex|pdf|html",
    help="Write the argument instead of printing it.",
)
@json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    source: str,
    lemmas: int | None,
    first_guesses: bool,
    out: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Explain in words why no strategy does better: the argument of a certificate, for every reader.

    Of a GAME the certificate is made first, as `prove` makes it, and of a strategy in FILE.json, too, with
    the goal and the limits that the file names; the checker has to accept it in any case. Then everything is
    counted again: which first guesses are excluded by the number and the sizes of the parts that they leave,
    which by a look one step ahead, which need lemmas, and why each lemma is true. Of a small game this is a
    proof that fits on a sheet. With --first, it is why whoever begins so pays so much. Of a strategy it
    follows how it goes on, and why not with another first guess. Of a certificate of `plan --proof` it is why
    no kit of guesses, all asked beforehand, costs less.

    The exit status is 1 if the certificate is refused, and if less is proved than the strategy takes.
    """
    from guesstree.api.explained import KitExplanation
    from guesstree.api.explanation import NotOptimalError, RefusedCertificateError
    from guesstree.api.first_guesses import other_first_guesses
    from guesstree.present.argued_data import explanation_as_json
    from guesstree.present.explanation import explanation_paper
    from guesstree.present.first_guesses import first_guess_blocks, first_guesses_as_json
    from guesstree.trees.export.paper.text import lines_of
    from guesstree.trees.export.paper.write import write_paper

    limit = options["time_limit"]
    try:
        found = _explained(context, source, lemmas, options)
    except (RefusedCertificateError, NotOptimalError) as refused:
        click.echo(f"guesstree: {refused}", err=True)
        return 1
    paper, problem = explanation_paper(found), found[0].problem
    if first_guesses and isinstance(found[0], KitExplanation):
        raise GuesstreeError("--first-guesses of a kit: all are asked at once; leave it out")
    if first_guesses and any(one.loses for one in found):
        raise GuesstreeError(
            "--first-guesses: what is lost after each is not searched; use --first for one of them"
        )
    first_guesses = first_guesses or _asks_why_not_another(found)
    others = []
    if first_guesses:
        others = other_first_guesses(found[0], USUAL_SECONDS if limit is None else limit)
    if others:
        paper = replace(paper, blocks=[*paper.blocks, *first_guess_blocks(found[0], others)])

    def show() -> None:
        if as_json:
            data = {"explained": [explanation_as_json(one) for one in found]}
            more = {"first_guesses": first_guesses_as_json(problem.game, others)} if first_guesses else {}
            print_json(data | more)
        elif out is None:
            echo_lines(lines_of(paper, screen_width()))

    deliver(show, [(out, lambda path: write_paper(paper, path))], as_json=as_json)
    return 0


def _asks_why_not_another(found: Sequence[Explained]) -> bool:
    """Return whether a strategy is explained that is the best of all in one number."""
    first, *more = found
    return first.strategy is not None and first.in_one_number and not more and first.problem.first is None


def _explained(
    context: click.Context, source: str, lemmas: int | None, options: dict[str, Any]
) -> Sequence[Explained]:
    """Return what is explained of a certificate, a strategy or a game; raise GuesstreeError for others."""
    from guesstree.api.explanation import NotOptimalError, explained, explained_game, explained_strategy
    from guesstree.api.verification import read_certificate
    from guesstree.engine.meant import file_kind

    kind = file_kind(source)
    if kind not in ("certificate", "strategy"):
        game = make_game(source, options.pop("win"))
        options["budget"] = budget_of(game, options["budget"])
        with live() as progress:
            return explained_game(game, lemmas, progress=progress, **options)
    for name in OF_GAMES:
        given = context.get_parameter_source(name)
        if given is not None and given.name != "DEFAULT":
            raise GuesstreeError(
                f"--{name.replace('_', '-')} for {source!r}: the {kind} says it; use it with a game"
            )
    if kind == "certificate":
        return [explained(read_certificate(source), lemmas)]
    strategy = read_strategy(source, None).strategy
    with live() as progress:
        try:
            return explained_strategy(strategy, lemmas, progress=progress, time_limit=options["time_limit"])
        except NotOptimalError as error:
            raise NotOptimalError(f"{source}: {error}") from None
