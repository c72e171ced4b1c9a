"""`guesstree constructive`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import log2
from typing import Any

import click

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
from guesstree.engine.objective import GOALS
from guesstree.present.reports import figures_text, histogram_lines
from guesstree.trees.export.output import GRAPHS, check_graph, metavar

from .session.many import show_game
from .tools.files import Target, deliver
from .tools.group import OBJECTIVE, OUTPUT, STRATEGY, Command, option
from .tools.options import Choice, check_title, json_option, title_option
from .tools.text import print_json

MOST_COLUMNS = 12
CODES = "Codes to play against"


@click.command(
    "constructive", cls=Command, epilog="Example: guesstree constructive mastermind:64x64 --codes 20 --seed 1"
)
@click.argument("spec", metavar="GAME")
@option(
    OBJECTIVE, "--goal", type=Choice(GOALS), default=GOALS[0], show_default=True, help="Win, or identify."
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
    goal: str,
    zeros: str,
    secret: str | None,
    picture: str | None,
    title: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Play Mastermind of any size by the constructive strategy, and count its questions.

    GAME is mastermind:PEGSxCOLOURS or blackpeg:PEGSxCOLOURS; the strategy needs about n log2 log2 n questions
    for n pegs and colours. The command counts them over random codes, over random codes with as many
    different colours as possible, and over codes that a rule describes.
    """
    size = parse_spec(spec)
    check_title(title, picture, "--render")
    if secret is not None and out is not None:
        raise GuesstreeError("--out and --secret do not go together; use one of them")
    if picture is not None and secret is None:
        raise GuesstreeError("--render draws one game; use it with --secret")
    if secret is not None:
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
    if seed < 0:
        raise GuesstreeError(f"--seed {seed}; expected 0 or more")
    structured = structured_codes(size)
    singles = {name: measure(size, [code], goal, zeros) for name, code in structured.items()}
    found = {
        "random": measure(size, random_codes(size, codes, seed), goal, zeros),
        "different": measure(size, different_codes(size, codes, seed), goal, zeros),
        "structured": Measured(
            _merged([one.histogram for one in singles.values()]), sum(one.seconds for one in singles.values())
        ),
    }
    asked = sum(measured.questions for measured in found.values())
    per_question = sum(measured.seconds for measured in found.values()) / asked
    if as_json:
        rows = {
            name: {
                "games": measured.games,
                "mean": float(measured.mean),
                "min": measured.least,
                "max": measured.most,
                "histogram": {str(n): many for n, many in measured.histogram.items()},
            }
            for name, measured in found.items()
        }
        bounds = {"counting": size.counting_bound, "n log2 log2 n": _n_log_log_n(size)}
        data: dict[str, Any] = {"game": size.spec, "goal": goal, "zeros": zeros, "seed": seed, "codes": rows}
        data["structured"] = {name: one.most for name, one in singles.items()}
        print_json(data | {"bounds": bounds, "seconds_per_question": per_question})
        return
    click.echo(f"{size.spec}: goal {goal}, questions of the constructive strategy")
    click.echo(f"  {'codes':<12}{'games':>7}{'mean':>10}{'min':>7}{'max':>7}")
    for name, measured in found.items():
        mean = f"{float(measured.mean):.2f}"
        click.echo(f"  {name:<12}{measured.games:>7}{mean:>10}{measured.least:>7}{measured.most:>7}")
    worst = max(singles, key=lambda name: singles[name].most)
    click.echo(f"  most of the structured codes: {worst} ({singles[worst].most})")
    click.echo(
        f"bounds: at least {size.counting_bound} questions by counting; n log2 log2 n = {_n_log_log_n(size)}"
    )
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
