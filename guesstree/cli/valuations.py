"""`guesstree valuations`."""

from __future__ import annotations

import click

from guesstree.engine.advice.evidence import Evidence
from guesstree.engine.advice.optimum import with_optima
from guesstree.engine.advice.playing import position_of
from guesstree.engine.advice.position import Valued, usual_method
from guesstree.engine.advice.valued import OPTIMUM, columns
from guesstree.engine.notation import plural, plurals
from guesstree.engine.onestep.valuations import BUDGET_VALUATIONS, COST_VALUATIONS, VALUATIONS
from guesstree.present.advice import valued_as_json
from guesstree.present.noisy_advice import NoisyAdvisor, require_exact

from .tools.group import Command
from .tools.options import (
    Whole,
    candidates_only_option,
    game_argument,
    history_option,
    json_option,
    make_game,
)
from .tools.screen import aligned
from .tools.text import print_json


@click.command(
    "valuations", cls=Command, epilog='Example: guesstree valuations mastermind:4x6 --history "1122:1,0"'
)
@game_argument
@history_option
@click.option(
    "--by",
    metavar="METHOD",
    help=f"Order: {', '.join([*VALUATIONS, *COST_VALUATIONS, *BUDGET_VALUATIONS])}. Default: entropy, or "
    "information-per-cost where there are weights or costs.",
)
@candidates_only_option
@click.option(
    "--most",
    type=Whole(min=1),
    default=20,
    show_default=True,
    metavar="N",
    help="Print at most N lines.",
)
@json_option
def command(spec: str, history: str, by: str | None, candidates_only: bool, most: int, as_json: bool) -> None:
    """Value the first (or next) guesses, best first, each class of equivalent guesses once.

    If tests may get several answers, print the cost of each test, its information about the cause, and the
    loss that it leaves.
    """
    game = make_game(spec)
    if game.facts.noisy:
        require_exact(game, method=by, candidates_only=candidates_only)
        advisor, evidence = NoisyAdvisor(game), Evidence(game, history)
        outlooks = evidence.outlooks()
        if as_json:
            guesses = [advisor.test_data(evidence, outlook) for outlook in outlooks]
            print_json(advisor.known(evidence) | {"guesses": guesses})
            return
        click.echo(f"{game.spec}: {plural(len(evidence.possible), game.look.secret)} possible")
        click.echo(aligned(advisor.table([(outlook, None) for outlook in outlooks[:most]])))
        return
    by = by or usual_method(game)
    position = position_of(game, history)
    found = position.valuations(by, candidates_only=candidates_only)
    found[:most] = with_optima(position, found[:most])
    rows = [valued_as_json(game, valued) for valued in found]
    if as_json:
        data = {"game": game.spec, "history": history, "candidates": len(position.candidates), "by": by}
        print_json(data | {"classes": len(rows), "guesses": rows})
        return
    look = game.look
    possible = plural(len(position.candidates), look.secret)
    classes = f"{plural(len(rows), 'class')} of {plurals(look.guess)}"
    click.echo(f"{game.spec}: {possible} possible, {classes}, best by {by}")
    width = max(5, len(look.guess), max((len(str(row["guess"])) for row in rows[:most]), default=5))
    costly, some = any(v.paid for v in found), found[:most]
    come = [name for name in columns(some)[0] if name in ("to come", OPTIMUM)] if some else []
    more = "     cost  bits/cost  reduction/cost" * costly
    more += "".join(f"  {name + ' %':>12}" for name in BUDGET_VALUATIONS if any(v.prospects for v in found))
    more += "".join(f"  {name:>7}" for name in come)
    click.echo(f"  {look.guess:<{width}}     max-part  expected-size  entropy  parts{more}  class  sizes")
    for v, row in zip(some, rows, strict=False):
        sizes = " ".join(map(str, v.sizes[:16])) + (" ..." if len(v.sizes) > 16 else "")
        mark = "*" if v.candidate else " "
        click.echo(
            f"  {row['guess']:<{width}} {mark}  {v.max_part:>9}  {float(v.expected_size):>13.2f}"
            f"  {v.entropy:>7.4f}  {v.parts:>5}{shown_costs(v)}"
            + "".join(f"  {v.shown[name]:>7}" for name in come)
            + f"  {v.equivalents:>5}  {sizes}"
        )
    if len(rows) > most:
        click.echo(f"  ... {len(rows) - most} more (--most N)")
    marked = "* may be the secret; " * any(v.candidate for v in some)
    said = "to come: guesses after it, estimated" + ", and with the best strategy; " * (OPTIMUM in come)
    said = f"{said.removesuffix('; ')}; " if come else ""
    click.echo(look.named(f"  {marked}{said}class: equivalent guesses, itself included"))


def shown_costs(valued: Valued) -> str:
    """Return the figures of a game with weights or costs as columns, and what can be won within a budget."""
    won = "".join(f"  {100 * valued.figure(name):>12.4f}" for name in BUDGET_VALUATIONS if valued.prospects)
    if not valued.paid:
        return won
    cost, bits, less = (
        valued.figure(name) for name in ("least-cost", "information-per-cost", "reduction-per-cost")
    )
    return f"  {cost:>7.4f}  {bits:>9.4f}  {less:>14.2f}{won}"
