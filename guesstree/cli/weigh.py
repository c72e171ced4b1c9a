"""`guesstree weigh`."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import islice
from math import log2
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.notation import plural

from .tools.group import OBJECTIVE, STRATEGY, Command, option
from .tools.options import Whole, json_option
from .tools.text import print_json

if TYPE_CHECKING:
    from fractions import Fraction

    from guesstree.engine.constructive.adaptive import Played
    from guesstree.engine.constructive.detecting import Detecting, Mask, Numbers

SHOWN = len(ascii_uppercase)
"""So many coins have letters, and their weighings are shown."""
MOST_COINS = 1_000_000
MOST_WEIGHT = 1_000_000
MOST_LIES = 1000
PLANS = 100
"""So many random plans are drawn, with the seeds from 0."""
MOST_RANDOM = 1000
"""Coins that random weighings are counted for."""
MOST_COMPARED = 22
"""Up to so many coins, all these plans are checked for all pairs of sets; one plan for up to 30."""
MOST_EXPLAINED = 30
"""Up to so many coins, all sets with the sums of random coins are found, in seconds."""


@click.command("weigh", cls=Command, epilog="Example: guesstree weigh 5 --sums 2,2,1,0")
@click.argument("coins", type=Whole(1, MOST_COINS), metavar="COINS")
@option(
    OBJECTIVE,
    "--max",
    "most",
    type=Whole(1, MOST_WEIGHT),
    default=1,
    metavar="M",
    help="Coins weigh 0 to M, whole numbers (default: 1).",
)
@option(
    STRATEGY,
    "--sums",
    metavar="S,S,...",
    help="The sums so far, in order: decode them, or say what to weigh next.",
)
@option(
    STRATEGY,
    "--secret",
    metavar="DIGITS",
    help="Play against these coins, such as 01101 (1: heavy), or 12,0,3.",
)
@option(
    STRATEGY,
    "--seed",
    type=int,
    metavar="N",
    help="Play against random coins; the same number gives the same coins.",
)
@option(
    OBJECTIVE,
    "--lies",
    type=Whole(0, MOST_LIES),
    default=0,
    metavar="L",
    help="Allow for up to L false sums; with --secret or --seed, up to L random sums are false.",
)
@option(
    STRATEGY,
    "--random",
    "random_weighings",
    type=Whole(min=0),
    metavar="K",
    help=f"Weigh all coins, then K times random ones: say how many of {PLANS} such plans tell "
    "the coins; with --seed, show one plan.",
)
@json_option
def command(
    coins: int,
    most: int,
    sums: str | None,
    secret: str | None,
    seed: int | None,
    lies: int,
    random_weighings: int | None,
    as_json: bool,
) -> None:
    """Find what coins weigh on a spring scale, 0 or 1, or 0 to M.

    Without a secret, print the weighings, all planned beforehand, how to decode them, and the known bounds of
    their number. With a secret, play one game of the strategy that adapts.
    """
    if sum(given is not None for given in (sums, secret, seed)) > 1:
        raise GuesstreeError("use only one of --sums, --secret and --seed")
    if random_weighings is not None:
        if lies or most > 1 or sums is not None or secret is not None:
            raise GuesstreeError("--random goes only with --seed")
        data, lines = _random(coins, random_weighings, seed)
    elif sums is not None:
        data, lines = _decode(coins, most, sums, lies)
    elif secret is None and seed is None:
        data, lines = _plan(coins, most, lies)
    else:
        data, lines = _play(coins, most, secret, seed, lies)
    if as_json:
        print_json({"coins": coins, **data})
    else:
        click.echo("\n".join(lines))


def _plan(coins: int, most: int, lies: int) -> tuple[dict[str, Any], list[str]]:
    """Return the plan for so many coins as data and as text."""
    import numpy as np

    from guesstree.engine.constructive.coins import counting_bound
    from guesstree.engine.constructive.detecting import Detecting
    from guesstree.engine.constructive.lies import weighings_with_lies_at_most
    from guesstree.engine.constructive.plans import plan, plan_at_least

    found, least = plan(coins, most, lies), counting_bound(coins, most)
    data: dict[str, Any] = {"weighings": found.rows, "counting_bound": least}
    weights = f" of weights 0 to {most}" if most > 1 else ""
    head = f"{plural(coins, 'coin')}{weights}, {plural(found.rows, 'weighing')}, planned beforehand"
    if lies:
        data |= {"lies": lies, "at_least": plan_at_least(coins, most, lies)}
        data["weighings_with_lies_at_most"] = weighings_with_lies_at_most(coins, lies, most)
        few = (
            "no plan has fewer"
            if data["at_least"] == found.rows
            else f"any plan has at least {data['at_least']}"
        )
        lines = [f"{head}, up to {plural(lies, 'false sum')}; {few}"]
    else:
        lines = [f"{head}; by counting at least {least}"]
        if coins > 1:
            data["two_n_over_log2_n"] = 2 * coins / log2(coins)
            data["quoted"] = 4 * coins * (1 + most) / log2(coins)  # of weight coins * most
            lines[0] += f"; 2n/log2(n) = {data['two_n_over_log2_n']:.1f}" if most == 1 else ""
            lines[0] += f"; 4(n + nM)/log2(n) = {data['quoted']:.1f}" if most > 1 else ""
    if coins <= SHOWN:
        data["scheme"] = [_letters(found.mask(row)) for row in range(found.rows)]
        lines += [f"  w{i} = {' + '.join(names) or '0'}" for i, names in enumerate(data["scheme"], 1)]
        if not lies:
            data["decode"] = list(_equations(Detecting(np.full(coins, most, dtype=np.int64))))
            lines += [f"to decode, in this order (coins are 0 {'or' if most == 1 else 'to'} {most})"]
            lines += [f"  {text}" for text in data["decode"]]
        else:
            bounds = f" --max {most}" if most > 1 else ""
            lines.append(f"to decode: guesstree weigh {coins}{bounds} --lies {lies} --sums w1,w2,...")
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


def _decode(coins: int, most: int, text: str, lies: int) -> tuple[dict[str, Any], list[str]]:
    """Return the coins that have these sums, or the next weighing."""
    from guesstree.engine.constructive.adaptive import replay
    from guesstree.engine.constructive.coins import weigh_at_once
    from guesstree.engine.constructive.plans import plan

    if not re.fullmatch(r"[0-9]{1,15}([ ,]+[0-9]{1,15})*", text.strip(), re.ASCII):
        raise GuesstreeError(f"--sums {text!r}; expected whole numbers with commas between, such as 2,2,1,0")
    sums = [int(word) for word in re.split(r"[ ,]+", text.strip())]
    if not lies:
        mask, weights = replay(weigh_at_once(coins, most), sums)
        if weights is not None:
            return _found(weights, most), [_shown(weights, most)]
        assert mask is not None
        return {"next": _names(mask)}, [f"weigh {_named(mask)}"]
    found = plan(coins, most, lies)
    if len(sums) > found.rows:
        raise GuesstreeError(f"{len(sums)} sums; the plan has {plural(found.rows, 'weighing')}")
    weights = found.settled(sums)
    if weights is None:
        mask = found.mask(len(sums))
        return {"next": _names(mask)}, [f"weigh {_named(mask)}"]
    wrong = [row + 1 for row in found.false(weights, sums)]
    told = f"; false: {', '.join(f'w{row}' for row in wrong)}" if wrong else ""
    early = f"; {plural(found.rows - len(sums), 'weighing')} to spare" if len(sums) < found.rows else ""
    return {**_found(weights, most), "false": wrong}, [_shown(weights, most) + told + early]


def _play(
    coins: int, most: int, secret: str | None, seed: int | None, lies: int
) -> tuple[dict[str, Any], list[str]]:
    """Return a game against a secret."""
    import numpy as np

    from guesstree.engine.constructive.adaptive import play
    from guesstree.engine.constructive.coins import counting_bound
    from guesstree.engine.constructive.lies import weigh_with_lies, weighings_with_lies_at_most

    dice = random.Random(seed)
    weights = np.array(
        _weights(secret, coins, most) if secret is not None else dice.choices(range(most + 1), k=coins)
    )
    at_most = weighings_with_lies_at_most(coins, lies, most)
    false = set(dice.sample(range(at_most), min(lies, at_most)))
    lied: list[int] = []

    def respond(mask: Mask) -> int:
        truth = int(weights[mask].sum())
        others = [s for s in (truth - 1, truth + 1) if 0 <= s <= mask.sum() * most]
        lied.append(len(lied) in false and bool(others))
        return dice.choice(others) if lied[-1] else truth

    game = play(weigh_with_lies(coins, lies, most), respond, most=at_most)
    assert np.array_equal(game.secret, weights), "the strategy found other coins"
    data = {"weighings": game.questions, "at_most": at_most, "counting_bound": counting_bound(coins, most)}
    data |= {"lies": sum(lied), **_found(game.secret, most)}
    lines = _steps(game, lied) if coins <= SHOWN else []
    head = plural(game.questions, "weighing") + (f", {sum(lied)} of them false" if lies else "")
    lines.append(f"{head}; at most {at_most}; {_shown(game.secret, most)}")
    return data, lines


def _weights(secret: str, coins: int, most: int) -> list[int]:
    """Return the weights of a secret: digits, or numbers with commas between."""
    words = secret.split(",") if "," in secret else list(secret)
    if len(words) != coins or not all(re.fullmatch("[0-9]{1,7}", word, re.ASCII) for word in words):
        given = None
    else:
        given = [int(word) for word in words]
    if given is None or max(given) > most:
        wanted = "digits, 0 (light) or 1 (heavy)" if most == 1 else f"weights from 0 to {most}"
        raise GuesstreeError(f"--secret {secret[:60]!r}; expected {coins} {wanted}")
    return given


def _random(coins: int, weighings: int, seed: int | None) -> tuple[dict[str, Any], list[str]]:
    """Return what random plans tell, or the one of a seed, as data and as text."""
    from guesstree.engine.constructive.chance import MOST_DECIDED, confused_at_most, tells_too_little
    from guesstree.engine.constructive.static import random_scheme

    if not 2 <= coins <= MOST_RANDOM or weighings > MOST_RANDOM:
        raise GuesstreeError(
            f"{plural(coins, 'coin')} and {plural(weighings, 'random weighing')}; expected 2 to "
            f"{MOST_RANDOM} coins, and at most {MOST_RANDOM} weighings"
        )
    if seed is not None and seed < 0:
        raise GuesstreeError(f"--seed {seed}; expected 0 or more")
    seeds = range(PLANS) if seed is None else range(seed, seed + 1)
    plans = [random_scheme(coins, weighings + 1, number) for number in seeds]
    named = f"{PLANS} plans, seeds 0 to {PLANS - 1}" if seed is None else f"the plan of seed {seed}"
    then = f", then {weighings} random {plural(weighings, 'one').split()[1]}" if weighings else ""
    head = f"{coins} coins, {plural(weighings + 1, 'weighing')}: all coins{then}"
    data: dict[str, Any] = {"weighings": weighings + 1, "plans": len(plans), "seeds": [seeds[0], seeds[-1]]}
    lines = [f"{head}; {named}"]
    if seed is not None and coins <= SHOWN:
        data["scheme"] = [_letters(mask) for mask in plans[0]]
        lines += [f"  w{i} = {' + '.join(names) or '0'}" for i, names in enumerate(data["scheme"], 1)]
    every, given = (1 - confused_at_most(coins, weighings, known=known) for known in (False, True))
    data |= {"all_sets_at_least": float(every), "given_set_at_least": float(given)}
    if coins <= (MOST_COMPARED if seed is None else MOST_DECIDED):
        data["decide"] = _deciding(plans)
        counted = f"{data['decide']} of {plural(len(plans), 'plan')}, all pairs of sets compared"
    else:
        data["decide_at_most"] = len(plans) - sum(map(tells_too_little, plans))
        counted = f"at most {data['decide_at_most']} of {plural(len(plans), 'plan')}, by counting"
    lines.append(f"  all sets of coins told apart: {counted}; {_at_least(every)}")
    counted = ""
    if coins <= MOST_EXPLAINED:
        data["tell_random_coins"] = _telling(plans, seeds)
        counted = f"{data['tell_random_coins']} of {plural(len(plans), 'plan')}, each with random coins; "
    lines.append(f"  given coins told from all others: {counted}{_at_least(given)}")
    return data, lines


def _deciding(plans: Sequence[Mask]) -> int:
    """Return how many plans tell all sets of coins apart."""
    from guesstree.engine.constructive.chance import decides, tells_too_little

    return sum(not tells_too_little(plan) and decides(plan) for plan in plans)


def _telling(plans: Sequence[Mask], seeds: Sequence[int]) -> int:
    """Return how many plans leave one set of coins only, for random coins of each seed."""
    import numpy as np

    from guesstree.engine.constructive.static import explanations

    told = 0
    for plan, seed in zip(plans, seeds, strict=True):
        secret = np.random.default_rng([seed, 1]).integers(0, 2, plan.shape[1])
        told += sum(1 for _ in islice(explanations(plan, plan @ secret), 2)) == 1
    return told


def _at_least(chance: Fraction) -> str:
    """Return what is proven of all random plans, rounded down."""
    return f"of all such plans at least {int(chance * 1000) / 10} %"


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


def _shown(weights: Numbers, most: int) -> str:
    """Return what coins weigh for a line of text."""
    if most == 1:
        return f"heavy: {_named(weights)}"
    if len(weights) <= SHOWN:
        pairs = zip(ascii_uppercase, weights.tolist(), strict=False)
        return f"weights: {' '.join(f'{letter}={weight}' for letter, weight in pairs)}"
    first = " ".join(map(str, weights[:10].tolist()))
    return f"weights: {first}{' ...' if len(weights) > 10 else ''}; in all {int(weights.sum())}"


def _found(weights: Numbers, most: int) -> dict[str, Any]:
    if most > 1:
        return {"weights": weights.tolist()}
    return {"heavy": _names(weights), "secret": "".join(map(str, weights.tolist()))}
