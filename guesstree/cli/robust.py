"""`guesstree robust`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.exact import exact_text, rounded_text
from guesstree.engine.notation import plural

from .tools.files import Target, deliver
from .tools.group import LIMITS, OUTPUT, Command, option
from .tools.options import Seconds, jobs_option, json_option
from .tools.text import print_json

if TYPE_CHECKING:
    from guesstree.api.strategy import Strategy
    from guesstree.engine.mixed.robust import RobustSolved
    from guesstree.engine.tables.corners import Ranged

SHORT = 8
"""Characters of a number that is not rounded."""


@click.command("robust", cls=Command, epilog="Example: guesstree robust throat.csv --out throat.json")
@click.argument("spec", metavar="TABLE")
@option(
    LIMITS,
    "--time-limit",
    "seconds",
    type=Seconds(),
    metavar="S",
    help="Stop after S seconds, with bounds.",
)
@jobs_option
@option(
    OUTPUT,
    "--out",
    type=Target(),
    metavar="FILE.json",
    help="Write the best single strategy, for the numbers that are worst for it.",
)
@json_option
def command(spec: str, seconds: float | None, jobs: int, out: str | None, as_json: bool) -> None:
    """Find the strategy that is best for the worst numbers, where a table knows numbers as ranges only.

    A rate such as 85..95 % in a cell of TABLE, FILE.csv with its options, may be any number in between. What
    is found is what one strategy, and a mixture of strategies, promise on average whatever they are.
    """
    from guesstree.engine.mixed.robust import solve_robust
    from guesstree.engine.tables.corners import read_ranged

    ranged = read_ranged(spec)
    found = solve_robust(ranged.games, time_limit=seconds, jobs=jobs)
    files = [] if out is None else [(out, _single(ranged, found).write)]

    def show() -> None:
        if as_json:
            print_json(_data(ranged, found))
        else:
            click.echo("\n".join(_lines(ranged, found)))

    deliver(show, files, as_json=as_json)


def _named(ranged: Ranged, corner: Sequence[int]) -> str:
    """Return the ends that a corner takes."""
    return ", ".join(one.ends[end] for one, end in zip(ranged.ranges, corner, strict=True))


def _single(ranged: Ranged, found: RobustSolved) -> Strategy:
    """Return the best single strategy, for the corner that is worst for it."""
    from guesstree.api.strategy import Strategy
    from guesstree.engine.objective import EXPECTED
    from guesstree.engine.solution import history_key
    from guesstree.trees.noisy import build_noisy
    from guesstree.trees.tree import Claims

    one = found.single
    game = ranged.games[one.pays.index(one.worst)]
    claims = Claims(objective=EXPECTED.name, method="robust")
    return Strategy.of(build_noisy(game, lambda history: one.solved.choices[history_key(history)], claims))


def _data(ranged: Ranged, found: RobustSolved) -> dict[str, Any]:
    """Return what was found as plain data; fractions are text."""
    return {
        "game": ranged.games[0].spec,
        "ranges": [{"name": one.name, "ends": list(one.ends)} for one in ranged.ranges],
        "lower": str(found.lower),
        "upper": str(found.upper),
        "single": str(found.single.worst),
        "corners": [
            {
                "ends": list(corner),
                "nature": str(found.nature[s]),
                "pays": str(found.pays(s)),
                "single": str(found.single.pays[s]),
            }
            for s, corner in enumerate(ranged.corners)
        ],
        "probabilities": [str(p) for p in found.probabilities if p],
        "rounds": found.rounds,
        "stopped": found.stopped,
    }


def _text(value: Fraction) -> str:
    text = exact_text(value)
    return rounded_text(value) if "/" in text or len(text) > SHORT else text


def _lines(ranged: Ranged, found: RobustSolved) -> list[str]:
    """Return what was found as text."""
    cost, single = ranged.games[0].look.cost, found.single.worst
    counts = f"{plural(len(ranged.ranges), 'range')}, {plural(len(ranged.games), 'corner')}"
    lines = [
        f"{ranged.games[0].spec}: {counts}",
        *(f"  {one.name}: {one.ends[0]} to {one.ends[1]}" for one in ranged.ranges),
    ]
    if single == found.lower:
        lines.append(f"{cost}: one strategy costs {_text(single)} on average at worst; nothing promises less")
    else:
        played = sum(p > 0 for p in found.probabilities)
        lines.append(f"{cost}: one strategy costs {_text(single)} on average at worst")
        promise = f"a mixture of {plural(played, 'strategy')} promises {_text(found.upper)}"
        less = "" if found.optimal else f" than {_text(found.lower)}"
        lines.append(f"  {promise}; nothing promises less{less}")
    shown = [s for s in range(len(ranged.games)) if found.nature[s] or found.single.pays[s] == single]
    lines.append("  hardest   one pays  mixture pays  numbers")
    for s in shown:
        pays, mixed = _text(found.single.pays[s]), _text(found.pays(s))
        share = f"{100 * float(found.nature[s]):.4g} %"
        lines.append(f"  {share:>7}  {pays:>9}  {mixed:>12}  {_named(ranged, ranged.corners[s])}")
    if found.stopped:
        lines.append(f"stopped: {found.stopped}")
    return lines
