"""`guesstree weigh`."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from math import log2
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.notation import plural

from .tools.group import Command
from .tools.options import Whole, json_option
from .tools.text import print_json

if TYPE_CHECKING:
    from guesstree.engine.constructive.adaptive import Played
    from guesstree.engine.constructive.detecting import Detecting, Mask, Numbers

SHOWN = len(ascii_uppercase)
"""So many coins have letters, and their weighings are shown."""
MOST_COINS = 1_000_000


@click.command("weigh", cls=Command, epilog="Example: guesstree weigh 5 --sums 2,2,1,0")
@click.argument("coins", type=Whole(1, MOST_COINS), metavar="COINS")
@click.option(
    "--sums", metavar="S,S,...", help="The sums so far, in order: decode them, or say what to weigh next."
)
@click.option("--secret", metavar="DIGITS", help="Play against these coins, such as 01101 (1: heavy).")
@click.option(
    "--seed", type=int, metavar="N", help="Play against random coins; the same number gives the same coins."
)
@click.option(
    "--lies",
    type=Whole(min=0),
    default=0,
    metavar="L",
    help="Allow for up to L false sums; with --secret or --seed, L random sums are false.",
)
@json_option
def command(
    coins: int, sums: str | None, secret: str | None, seed: int | None, lies: int, as_json: bool
) -> None:
    """Tell heavy coins from light ones, of weights 1 and 0, on a spring scale.

    Without a secret, print the weighings, all planned beforehand, how to decode them, and the known bounds of
    their number. With a secret, play one game of the strategy that adapts.
    """
    if sum(given is not None for given in (sums, secret, seed)) > 1 or (sums is not None and lies):
        raise GuesstreeError("use only one of --sums, --secret and --seed, and no --lies with --sums")
    if sums is not None:
        data, lines = _decode(coins, sums)
    elif secret is None and seed is None:
        data, lines = _plan(coins, lies)
    else:
        data, lines = _play(coins, secret, seed, lies)
    if as_json:
        print_json({"coins": coins, **data})
    else:
        click.echo("\n".join(lines))


def _plan(coins: int, lies: int) -> tuple[dict[str, Any], list[str]]:
    """Return the scheme for so many coins as data and as text."""
    import numpy as np

    from guesstree.engine.constructive.coins import counting_bound
    from guesstree.engine.constructive.detecting import Detecting
    from guesstree.engine.constructive.lies import weighings_with_lies_at_most

    scheme = Detecting(np.ones(coins, dtype=np.int64))
    least = counting_bound(coins)
    data: dict[str, Any] = {"weighings": scheme.rows, "counting_bound": least}
    head = f"{plural(coins, 'coin')}, {plural(scheme.rows, 'weighing')}, planned beforehand"
    lines = [f"{head}; by counting at least {least}"]
    if coins > 1:
        data["two_n_over_log2_n"] = 2 * coins / log2(coins)
        lines[0] += f"; 2n/log2(n) = {2 * coins / log2(coins):.1f}"
    if coins <= SHOWN:
        data["scheme"] = [_letters(scheme.mask(row)) for row in range(scheme.rows)]
        data["decode"] = list(_equations(scheme))
        lines += [f"  w{i} = {' + '.join(names)}" for i, names in enumerate(data["scheme"], 1)]
        lines += ["to decode, in this order (coins are 0 or 1)", *(f"  {text}" for text in data["decode"])]
    if lies:
        data |= {"lies": lies, "weighings_with_lies_at_most": weighings_with_lies_at_most(coins, lies)}
        lines.append(f"with up to {lies} false sums: at most {data['weighings_with_lies_at_most']} weighings")
    return data, lines


def _equations(scheme: Detecting) -> list[str]:
    """Return how to decode, as equations such as ``E + 2C = w1 + w2 - w3``."""

    def terms(pairs: Sequence[tuple[int, int]], sign: int, name: str = "") -> list[str]:
        texts = [name + str(i + 1) if name else ascii_uppercase[i] for _, i in pairs]
        factors = [("+" if sign * c > 0 else "-", "" if abs(c) == 1 else str(abs(c))) for c, _ in pairs]
        return [f"{mark} {factor}{text}" for (mark, factor), text in zip(factors, texts, strict=True)]

    found = []
    for equation in scheme.equations():
        left = " ".join(terms(equation.values, 1)).removeprefix("+ ")
        right = " ".join(terms(equation.sums, 1, "w") + terms(equation.known, -1)).removeprefix("+ ")
        found.append(f"{left} = {right}")
    return found


def _decode(coins: int, text: str) -> tuple[dict[str, Any], list[str]]:
    """Return the coins that have these sums, or the next weighing."""
    from guesstree.engine.constructive.adaptive import replay
    from guesstree.engine.constructive.coins import weigh_at_once

    if not re.fullmatch(r"[0-9]{1,9}([ ,]+[0-9]{1,9})*", text.strip(), re.ASCII):
        raise GuesstreeError(f"--sums {text!r}; expected whole numbers with commas between, such as 2,2,1,0")
    sums = [int(word) for word in re.split(r"[ ,]+", text.strip())]
    mask, weights = replay(weigh_at_once(coins), sums)
    if weights is not None:
        return _found(weights), [f"heavy: {_named(weights)}"]
    assert mask is not None
    return {"next": _names(mask)}, [f"weigh {_named(mask)}"]


def _play(coins: int, secret: str | None, seed: int | None, lies: int) -> tuple[dict[str, Any], list[str]]:
    """Return a game against a secret."""
    import numpy as np

    from guesstree.engine.constructive.adaptive import play
    from guesstree.engine.constructive.coins import counting_bound
    from guesstree.engine.constructive.lies import weigh_with_lies, weighings_with_lies_at_most

    dice = random.Random(seed)
    if secret is None:
        secret = "".join(dice.choices("01", k=coins))
    if not re.fullmatch(f"[01]{{{coins}}}", secret, re.ASCII):
        raise GuesstreeError(f"--secret {secret[:60]!r}; expected {coins} digits, 0 (light) or 1 (heavy)")
    weights = np.array([int(digit) for digit in secret])
    most = weighings_with_lies_at_most(coins, lies)
    false = set(dice.sample(range(most), min(lies, most)))
    lied: list[int] = []

    def respond(mask: Mask) -> int:
        truth = int(weights[mask].sum())
        lied.append(len(lied) in false)
        return dice.choice([s for s in (truth - 1, truth + 1) if 0 <= s <= mask.sum()]) if lied[-1] else truth

    game = play(weigh_with_lies(coins, lies), respond, most=most)
    assert np.array_equal(game.secret, weights), "the strategy found other coins"
    data = {"weighings": game.questions, "at_most": most, "counting_bound": counting_bound(coins)}
    data |= {"lies": sum(lied), **_found(game.secret)}
    lines = _steps(game, lied) if coins <= SHOWN else []
    head = plural(game.questions, "weighing") + (f", {sum(lied)} of them false" if lies else "")
    lines.append(f"{head}; at most {most}; heavy: {_named(game.secret)}")
    return data, lines


def _steps(game: Played[Mask, int, Numbers], lied: Sequence[int]) -> list[str]:
    """Return a line for each weighing."""
    rows = zip(game.steps, lied, strict=True)
    return [
        f"  w{i} = {' + '.join(_letters(mask))} = {response}{' (false)' if lie else ''}"
        for i, ((mask, response), lie) in enumerate(rows, 1)
    ]


def _letters(mask: Mask | Numbers) -> str:
    return "".join(letter for letter, on in zip(ascii_uppercase, mask, strict=False) if on)


def _names(mask: Mask | Numbers) -> str | list[int]:
    """Return coins as letters, or as their numbers from 1 when there are too many."""
    return _letters(mask) if len(mask) <= SHOWN else [i + 1 for i, on in enumerate(mask) if on]


def _named(mask: Mask | Numbers) -> str:
    """Return coins for a line of text."""
    names = _names(mask)
    if isinstance(names, str):
        return names or "none"
    return (
        f"{plural(len(names), 'coin')}: {' '.join(map(str, names[:10]))}{' ...' if len(names) > 10 else ''}"
    )


def _found(weights: Numbers) -> dict[str, Any]:
    return {"heavy": _names(weights), "secret": "".join(map(str, weights.tolist()))}
