"""`guesstree pool`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import click

from guesstree.engine.constructive.pooling import CUT_OFF, Assay, Cost, Procedures
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.exact import exact_text, rounded_text
from guesstree.engine.notation import plural

from .tools.group import LIMITS, OBJECTIVE, Command, option
from .tools.options import Exact, Seconds, Whole, json_option
from .tools.text import print_json

MOST_SAMPLES = 60
MOST_SEARCHED = 10
"""Up to so many samples the optimum is searched for; up to `MOST_ERRING` where tests err."""
MOST_ERRING = 6
SECONDS = 10.0


@click.command("pool", cls=Command, epilog="Example: guesstree pool 8 --prevalence 3%")
@click.argument("samples", type=Whole(1, MOST_SAMPLES), metavar="SAMPLES")
@option(
    OBJECTIVE,
    "--prevalence",
    type=Exact(),
    default="10%",
    show_default=True,
    metavar="P",
    help="How likely each sample is infected.",
)
@option(OBJECTIVE, "--sensitivity", type=Exact(), default="100%", metavar="P", help="Of one sample alone.")
@option(OBJECTIVE, "--specificity", type=Exact(), default="100%", metavar="P", help="Of any pool.")
@option(
    OBJECTIVE,
    "--dilution",
    type=Exact(),
    default="0",
    metavar="D",
    help="How much less sensitive large pools are, 0 to 1 (Hwang 1976).",
)
@option(OBJECTIVE, "--missed", type=Exact(), default="50", metavar="N", help="Tests that a missed one costs.")
@option(OBJECTIVE, "--false", type=Exact(), default="50", metavar="N", help="Tests that a false alarm costs.")
@option(OBJECTIVE, "--max", "most", type=Whole(0), default=0, metavar="K", help="Samples in a pool at most.")
@option(
    LIMITS,
    "--time-limit",
    "seconds",
    type=Seconds(),
    default=SECONDS,
    show_default=True,
    metavar="S",
    help=f"Search S seconds for the optimum, of {MOST_SEARCHED} samples or fewer; 0: not at all.",
)
@json_option
def command(
    samples: int,
    prevalence: Fraction,
    sensitivity: Fraction,
    specificity: Fraction,
    dilution: Fraction,
    missed: Fraction,
    false: Fraction,
    most: int,
    seconds: float,
    as_json: bool,
) -> None:
    """Compare the published procedures of group testing with each other and with the optimum.

    Each sample is infected with the same probability, independently; a test of a pool says whether any sample
    in it is. The table shows the average number of tests of each procedure, with its best sizes of pools.
    """
    for name, rate in (
        ("prevalence", prevalence),
        ("sensitivity", sensitivity),
        ("specificity", specificity),
    ):
        if not 0 < rate < 1 and not (rate == 1 and name != "prevalence"):
            raise GuesstreeError(f"--{name} {exact_text(rate)}; expected above 0 and below 1, such as 95%")
    if not 0 <= dilution <= 1:
        raise GuesstreeError(f"--dilution {exact_text(dilution)}; expected 0 to 1")
    if min(missed, false) < 0:
        raise GuesstreeError(f"--missed {exact_text(missed)} --false {exact_text(false)}; expected 0 or more")
    assay = Assay(sensitivity, specificity, dilution)
    ways = Procedures(prevalence, assay, missed * assay.errs, false * assay.errs, most)
    rows = _rows(ways, samples)
    optimum = _optimum(ways, samples, seconds)
    least = None if assay.errs else max(ways.entropy(samples), float(ways.code(samples) or 0))
    if as_json:
        found = [
            {"procedure": name, "cost": str(ways.price(cost)), "tests": str(cost.tests), "sizes": sizes}
            for name, cost, sizes in rows
        ]
        print_json(
            {
                "samples": samples,
                "procedures": found,
                "code": least,
                "game": ways.spec(samples),
                "optimum": optimum,
            }
        )
        return
    click.echo("\n".join(_lines(ways, samples, rows, optimum, least)))


def _rows(ways: Procedures, samples: int) -> list[tuple[str, Cost, str]]:
    """Return the name, the cost and the pools of each procedure."""
    rows = [("each sample alone", ways.individual(samples), "")]
    for name, (cost, sizes) in (
        ("two stages (Dorfman)", ways.dorfman(samples)),
        ("three stages", ways.three_stages(samples)),
        ("halving", ways.halving(samples)),
    ):
        rows.append((name, cost, _sizes([str(size) for size in sizes])))
    cost, shapes = ways.arrays(samples)
    rows.append(("arrays", cost, _sizes([f"{rows}x{columns}" for rows, columns in shapes])))
    if not ways.assay.errs:
        rows.append(("nested (Sobel, Groll)", Cost(ways.nested(samples)), ""))
    return rows


def _sizes(some: Sequence[str]) -> str:
    """Return sizes of pools, the largest first: ``2 x 4, 3``."""
    ordered = sorted(dict.fromkeys(some), key=lambda one: [-int(side) for side in one.split("x")])
    many = [some.count(one) for one in ordered]
    return ", ".join(
        f"{count} of {one}" if count > 1 else one for one, count in zip(ordered, many, strict=True)
    )


def _optimum(ways: Procedures, samples: int, seconds: float) -> dict[str, Any] | None:
    """Return bounds of the least cost of any strategy; None: they are not looked for."""
    if seconds <= 0 or samples > (MOST_ERRING if ways.assay.errs else MOST_SEARCHED):
        return None
    from guesstree.engine.registry import parse
    from guesstree.engine.search.solve import solve

    try:
        found = solve(parse(ways.spec(samples)), time_limit=seconds)
    except GuesstreeError:  # numbers too large, or no strategy in time
        return None
    unit = found.game.figure_unit("total")  # the weights add up to 1
    lower, upper = (str(value[0] * unit) for value in (found.lower, found.upper))
    return {"lower": lower, "upper": upper, "proven": found.optimal}


def _lines(
    ways: Procedures,
    samples: int,
    rows: Sequence[tuple[str, Cost, str]],
    optimum: dict[str, Any] | None,
    least: float | None,
) -> list[str]:
    """Return the table."""
    errs = ways.assay.errs
    head = f"{plural(samples, 'sample')}, {exact_text(100 * ways.prevalence)} % infected"
    lines = [head, f"  {'procedure':<22}{'cost' if errs else 'tests':>9}{'a sample':>10}"]
    lines[-1] += f"{'tests':>9}{'missed':>9}{'false':>9}  pools" if errs else "  pools"
    for name, cost, sizes in rows:
        price = ways.price(cost)
        line = f"  {name:<22}{rounded_text(price):>9}{rounded_text(price / samples):>10}"
        if errs:
            line += "".join(f"{rounded_text(part):>9}" for part in cost)
        lines.append(f"{line}  {sizes}".rstrip())
    if optimum is not None:
        price = Fraction(optimum["upper"])
        said = "proven" if optimum["proven"] else f"at least {rounded_text(Fraction(optimum['lower']))}"
        lines.append(f"  {'optimum':<22}{rounded_text(price):>9}{rounded_text(price / samples):>10}  {said}")
    if least is not None:
        lines.append(f"  {'at least, by codes':<22}{least:>9.4f}{least / samples:>10.4f}")
        if ways.prevalence >= CUT_OFF:
            lines.append(
                f"from {100 * CUT_OFF:.2f} % on, nothing is better than each sample alone (Ungar 1960)"
            )
    return lines
