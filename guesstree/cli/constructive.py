"""`guesstree constructive`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import log2
from typing import Any

import click

from guesstree.engine.constructive.liars import Doubt, Doubted, lies_bound, measure_doubt
from guesstree.engine.constructive.many import PLACES
from guesstree.engine.constructive.measure import (
    Measured,
    different_codes,
    measure,
    random_codes,
    structured_codes,
)
from guesstree.engine.constructive.size import Size, parse_spec
from guesstree.engine.constructive.zeros import WAYS
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.notation import plural
from guesstree.engine.objective import GOALS
from guesstree.present.reports import figures_text, histogram_lines
from guesstree.trees.export.output import GRAPHS, check_graph, metavar

from .session.many import false_text, show_doubted, show_game
from .tools.files import Target, deliver
from .tools.group import OBJECTIVE, OUTPUT, STRATEGY, Command, option
from .tools.options import Choice, Exact, check_title, json_option, lies_option, title_option
from .tools.text import print_json

MOST_COLUMNS = 12
CODES = "Codes to play against"


@click.command(
    "constructive", cls=Command, epilog="Example: guesstree constructive mastermind:64x64 --codes 20 --seed 1"
)
@click.argument("spec", metavar="GAME")
@option(
    OBJECTIVE,
    "--goal",
    type=Choice(GOALS),
    help="Win (the default), or identify (the default with --error-rate).",
)
@lies_option
@option(
    OBJECTIVE,
    "--error-rate",
    "rate",
    type=Exact(),
    metavar="P",
    help="Each response is false with this chance, 0 to 0.49, independently: count how often the code found "
    "is right.",
)
@option(
    STRATEGY,
    "--zeros",
    type=Choice(WAYS),
    default=WAYS[0],
    show_default=True,
    help="How to find, for every peg, a colour that is not there, if no colour is absent: without extra "
    "questions, by a walking peg, or by weighing coins.",
)
@option(
    STRATEGY,
    "--places",
    type=Choice(PLACES),
    default=PLACES[0],
    show_default=True,
    help="How to find where colours are, if they all differ: by blocks, or by a number of questions that is "
    "linear in the pegs, which needs more of them at every size measured.",
)
@option(
    CODES, "--codes", type=int, default=100, show_default=True, metavar="N", help="Random codes of each kind."
)
@option(
    CODES,
    "--seed",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="The same number gives the same random codes.",
)
@option(CODES, "--secret", metavar="CODE", help="Play one game against this code, such as '3 1 12', instead.")
@option(
    OUTPUT,
    "--render",
    "picture",
    type=Target(check_graph),
    metavar=metavar(GRAPHS),
    help="Draw the game (with --secret).",
)
@option(
    OUTPUT,
    "--out",
    type=Target(),
    metavar="FILE.json",
    help="Write the whole strategy as a tree (small games only).",
)
@title_option
@json_option
def command(
    spec: str,
    codes: int,
    seed: int,
    goal: str | None,
    lies: int,
    rate: Fraction | None,
    zeros: str,
    places: str,
    secret: str | None,
    picture: str | None,
    title: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Play Mastermind of any size by the constructive strategy, and count its questions.

    GAME is mastermind:PEGSxCOLOURS or blackpeg:PEGSxCOLOURS; the strategy needs about n log2 log2 n questions
    for n pegs and colours. The command counts them over random codes, over random codes with as many
    different colours as possible, and over codes that a rule describes. With --lies or --error-rate, false
    responses have one black peg more or less than the true ones, and one white peg the other way.
    """
    size = parse_spec(spec)
    check_title(title, picture, "--render")
    doubt = _doubt(size, lies, rate, goal, [("--out", out), ("--render", picture)])
    goal = goal or GOALS[rate is not None]
    if places != PLACES[0] and (doubt, secret, out) != (None, None, None):
        raise GuesstreeError(
            f"--places {places} counts questions; use it without --secret, --out, --lies and --error-rate"
        )
    if secret is not None and out is not None:
        raise GuesstreeError("--out and --secret do not go together; use one of them")
    if picture is not None and secret is None:
        raise GuesstreeError("--render draws one game; use it with --secret")
    if seed < 0:
        raise GuesstreeError(f"--seed {seed}; expected 0 or more")
    if secret is not None:
        if doubt is not None:
            show_doubted(spec, secret, goal, zeros, doubt, seed, as_json=as_json)
            return
        from guesstree.trees.export.blocktree import render_blocks

        code = size.parse_code(secret)
        show = partial(show_game, spec, secret, goal, zeros, as_json=as_json)
        deliver(show, [(picture, partial(render_blocks, size, code, title=title or ""))], as_json=as_json)
        return
    if out is not None:
        _write(spec, goal, zeros, out, as_json=as_json)
        return
    if codes < 1:
        raise GuesstreeError(f"--codes {codes}; expected at least 1")
    if doubt is not None:
        _count_doubted(size, doubt, goal, zeros, codes, seed, as_json=as_json)
        return
    _count(size, goal, zeros, places, codes, seed, as_json=as_json)


def _doubt(
    size: Size, lies: int, rate: Fraction | None, goal: str | None, files: list[tuple[str, str | None]]
) -> Doubt | None:
    """Return what may be false; None: nothing. Refuse what does not go with it."""
    if not lies and rate is None:
        return None
    name = f"--lies {lies}" if rate is None else f"--error-rate {float(rate):g}"
    if lies and rate is not None:
        raise GuesstreeError(f"--lies {lies} and {name} do not go together; use one of them")
    if rate is not None and goal == "win":
        raise GuesstreeError("--goal win: errors would not spare the response that wins; use identify")
    for option_name, file in files:
        if file is not None:
            raise GuesstreeError(f"{option_name} does not go with {name}; it is for games of true responses")
    doubt = Doubt(lies, None if rate is None else float(rate))
    doubt.votes(size)  # refuses numbers that are none
    return doubt


def _count_doubted(
    size: Size, doubt: Doubt, goal: str, zeros: str, codes: int, seed: int, *, as_json: bool
) -> None:
    """Print how many questions games with false responses take, and how often the code found is right."""
    found = {
        "random": measure_doubt(size, random_codes(size, codes, seed), doubt, goal, zeros, seed),
        "different": measure_doubt(size, different_codes(size, codes, seed), doubt, goal, zeros, seed),
    }
    bounds = {"counting": lies_bound(size, 0, goal)}
    if doubt.rate is None:
        bounds["counting with lies"] = lies_bound(size, doubt.lies, goal)
    if as_json:
        rows = {name: _row(one) | _doubted_row(one) for name, one in found.items()}
        what = {"lies": doubt.lies} if doubt.rate is None else {"error_rate": doubt.rate}
        data = {"game": size.spec, "goal": goal, "zeros": zeros, "seed": seed, **what}
        print_json(data | {"codes": rows, "bounds": bounds})
        return
    click.echo(f"{size.spec}, {false_text(doubt)}: goal {goal}, questions of the constructive strategy")
    click.echo(f"  {'codes':<12}{'games':>7}{'mean':>10}{'min':>7}{'max':>7}{'extra':>10}  code found right")
    for name, one in found.items():
        low, high = one.interval()
        mean, extra = f"{float(one.mean):.2f}", f"{one.extra / one.games:.2f}"
        right = f"{one.right} ({100 * low:.1f} to {100 * high:.1f} %)"
        click.echo(f"  {name:<12}{one.games:>7}{mean:>10}{one.least:>7}{one.most:>7}{extra:>10}  {right}")
    click.echo("extra: questions beyond those with true responses; right: with a 95 % interval")
    bound = f"bounds: at least {plural(bounds['counting'], 'question')} at worst by counting"
    if doubt.rate is None:
        bound += f" with true responses, {bounds['counting with lies']} with {plural(doubt.lies, 'lie')}"
    click.echo(bound)


def _row(measured: Measured) -> dict[str, Any]:
    """Return what games took, as plain data."""
    return {
        "games": measured.games,
        "mean": float(measured.mean),
        "min": measured.least,
        "max": measured.most,
        "histogram": {str(n): many for n, many in measured.histogram.items()},
    }


def _doubted_row(one: Doubted) -> dict[str, Any]:
    """Return what false responses did, as plain data."""
    return {"extra": one.extra / one.games, "right": one.right, "interval": list(one.interval())}


def _count(size: Size, goal: str, zeros: str, places: str, codes: int, seed: int, *, as_json: bool) -> None:
    """Print how many questions games take."""
    structured = structured_codes(size)
    singles = {name: measure(size, [code], goal, zeros, places) for name, code in structured.items()}
    found = {
        "random": measure(size, random_codes(size, codes, seed), goal, zeros, places),
        "different": measure(size, different_codes(size, codes, seed), goal, zeros, places),
        "structured": Measured(
            _merged([one.histogram for one in singles.values()]), sum(one.seconds for one in singles.values())
        ),
    }
    asked = sum(measured.questions for measured in found.values())
    per_question = sum(measured.seconds for measured in found.values()) / asked
    if as_json:
        rows = {name: _row(measured) for name, measured in found.items()}
        bounds = {"counting": size.counting_bound, "n log2 log2 n": _n_log_log_n(size)}
        data: dict[str, Any] = {"game": size.spec, "goal": goal, "zeros": zeros, "places": places}
        data |= {"seed": seed, "codes": rows, "structured": {name: one.most for name, one in singles.items()}}
        print_json(data | {"bounds": bounds, "seconds_per_question": per_question})
        return
    way = f", places {places}" if places != PLACES[0] else ""
    click.echo(f"{size.spec}: goal {goal}, questions of the constructive strategy{way}")
    click.echo(f"  {'codes':<12}{'games':>7}{'mean':>10}{'min':>7}{'max':>7}")
    for name, measured in found.items():
        mean = f"{float(measured.mean):.2f}"
        click.echo(f"  {name:<12}{measured.games:>7}{mean:>10}{measured.least:>7}{measured.most:>7}")
    worst = max(singles, key=lambda name: singles[name].most)
    click.echo(f"  most of the structured codes: {worst} ({singles[worst].most})")
    compared = f"; n log2 log2 n = {_n_log_log_n(size)}" if size.pegs > 1 else ""
    click.echo(f"bounds: at least {plural(size.counting_bound, 'question')} by counting{compared}")
    bins, step = _in_bins(found["random"].histogram)
    click.echo(f"random codes{f', {step} numbers of guesses to a column' if step > 1 else ''}:")
    click.echo(histogram_lines(bins))
    click.echo(f"{1000 * per_question:.3g} ms per question", err=True)


def _merged(histograms: list[Mapping[int, int]]) -> dict[int, int]:
    found: dict[int, int] = {}
    for histogram in histograms:
        for asked, games in histogram.items():
            found[asked] = found.get(asked, 0) + games
    return dict(sorted(found.items()))


def _in_bins(histogram: Mapping[int, int]) -> tuple[dict[int, int], int]:
    """Return a histogram of few columns by the first number of each, and how many numbers a column is for."""
    low, high = min(histogram), max(histogram)
    width = -(-(high - low + 1) // MOST_COLUMNS)
    bins = dict.fromkeys(range(low, high + 1, width), 0)
    for asked, games in histogram.items():
        bins[low + (asked - low) // width * width] += games
    return bins, width


def _n_log_log_n(size: Size) -> float | None:
    return round(size.pegs * log2(log2(size.pegs)), 1) if size.pegs > 1 else None


def _write(spec: str, goal: str, zeros: str, out: str, *, as_json: bool) -> None:
    """Write the strategy for a small game as a tree."""
    from guesstree.engine.registry import parse
    from guesstree.trees.export.files import write
    from guesstree.trees.figures import figures_of
    from guesstree.trees.unroll import unroll_constructive

    tree = unroll_constructive(spec, goal, zeros)
    figures = figures_of(tree).guesses

    def show() -> None:
        if as_json:
            data = {"game": spec, "goal": goal, "zeros": zeros, "file": out}
            print_json(data | {"summary": figures.as_json()})
            return
        click.echo(f"{spec}: goal {goal}")
        click.echo(f"  {figures_text(figures)}")
        click.echo(histogram_lines(figures.histogram))

    deliver(show, [(out, partial(write, parse(spec), tree))], as_json=as_json)
