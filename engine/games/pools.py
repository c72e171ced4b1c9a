"""Group testing: a test of a pool says whether any sample in it is infected, and it may err."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from ..catalogue import Amount, Offer
from ..constructive.pooling import Assay
from ..errors import GameError, shown
from ..exact import exact_text, scaled
from ..game import Game
from ..memory import require_memory
from ..noisy.model import Model, Points
from ..notation import Look
from ..registry import register
from ..symmetry.groups import Subsets, Symmetry

SAMPLES = "ABCDEFGHIJKL"
MOST_ERRING = 8
"""So many samples at most where tests err: each set of them is a cause, and may be reported."""
ANSWERS = ("negative", "positive")
RATES = ("prevalence", "sensitivity", "specificity")
"""What may follow the number of samples, in percent."""
USUAL = Fraction(50)
"""What a wrong report of a sample costs where nothing is said, in tests."""
_RATE = r"[0-9]{1,3}(?:\.[0-9]{1,6})?%|0?\.[0-9]{1,8}|[01]|[0-9]{1,6}:[0-9]{1,6}"
_OPTION = re.compile(
    rf"prevalence=(?P<prevalence>(?:{_RATE})(?:/(?:{_RATE}))*)|max=(?P<max>[0-9]{{1,3}})"
    rf"|sensitivity=(?P<sensitivity>{_RATE})|specificity=(?P<specificity>{_RATE})"
    r"|dilution=(?P<dilution>0?\.[0-9]{1,3}|[01])"
    r"|missed=(?P<missed>[0-9]{1,6}(?:\.[0-9]{1,3})?)|false=(?P<false>[0-9]{1,6}(?:\.[0-9]{1,3})?)",
    re.ASCII,
)


@dataclass(frozen=True)
class Plan:
    """What is said of samples and of the test.

    Attributes
    ----------
    prevalence: the probability that each sample is infected.
    most: samples in a pool at most.
    assay: how often a test of a pool errs.
    missed, false: what it costs to report an infected sample as healthy, and a healthy one as infected.
    """

    prevalence: tuple[Fraction, ...]
    most: int
    assay: Assay
    missed: Fraction
    false: Fraction

    @property
    def errs(self) -> bool:
        """Whether a test may err."""
        return self.assay != Assay()

    @property
    def options(self) -> str:
        """What follows the number of samples in a spec."""
        n, assay = len(self.prevalence), self.assay
        some = self.prevalence[:1] if len(set(self.prevalence)) == 1 else self.prevalence
        said = [f"prevalence={'/'.join(map(rate_text, some))}"] + [f"max={self.most}"] * (self.most < n)
        if assay.sensitivity < 1:
            said.append(f"sensitivity={rate_text(assay.sensitivity)}")
        if assay.specificity < 1:
            said.append(f"specificity={rate_text(assay.specificity)}")
        if assay.dilution:
            said.append(f"dilution={exact_text(assay.dilution)}")
        if self.errs:
            said += [f"missed={exact_text(self.missed)}", f"false={exact_text(self.false)}"]
        return "".join(f",{one}" for one in said)


class Pools(Game):
    """Which of some samples are infected? A test of a pool is positive if one in it is, unless it errs.

    A secret is the set of infected samples, such as ``A C``; a guess is a pool, such as ``pool A B C``, in
    the order A, B, AB, C, AC, ... Samples are infected independently of each other. Where tests err, each
    pool is tested once at most, errors are independent of each other, and a strategy ends with a report of
    the infected samples, which loses something for each sample that it gets wrong.

    Raises SpaceError when the table of responses would not fit in memory.
    """

    look = Look(secret="outcome", guess="test", speaks=True)
    winning = None
    responses = ANSWERS

    def __init__(self, plan: Plan) -> None:
        n = len(plan.prevalence)
        self.spec = f"pools:{n}{plan.options}"
        chosen = [s for s in range(1, 1 << n) if s.bit_count() <= plan.most]
        require_memory(self.spec, len(chosen), 1 << n)
        order = sorted(range(1 << n), key=lambda s: [s >> i & 1 for i in range(n)])
        self._pools, self._sets = np.array(chosen, dtype=np.int64), np.array(order, dtype=np.int64)
        self.guesses = tuple(f"pool {names(s)}" for s in chosen)
        self.secrets = tuple(names(s) for s in order)
        shares = [
            prod((p if s >> i & 1 else 1 - p for i, p in enumerate(plan.prevalence)), start=Fraction(1))
            for s in order
        ]
        counts, self.weight_unit = scaled(shares)
        self.weights = tuple(counts)
        rows = [
            (some[:, None] >> np.arange(n)[None, :] & 1).astype(np.uint8)
            for some in (self._pools, self._sets)
        ]
        kinds = np.unique(np.array(list(map(float, plan.prevalence))), return_inverse=True)[1]
        self._symmetry = Subsets(rows[0], rows[1], kinds.tolist(), every=plan.most == n)
        if plan.errs:
            self._err(plan, chosen, order)

    def _err(self, plan: Plan, chosen: Sequence[int], order: Sequence[int]) -> None:
        """Set what tests say with which probability, what may be reported, and what that loses."""
        losses = [
            [(s & ~a).bit_count() * plan.missed + (a & ~s).bit_count() * plan.false for s in order]
            for a in order
        ]
        counts, unit = scaled([Fraction(1), *(loss for row in losses for loss in row)])
        number = iter(counts)
        price = next(number)
        self.cost_unit = unit
        self.decisions = tuple(f"report {names(a)}" for a in order)
        if price > 1:  # else numbers of many samples would be too large for no reason
            self.costs = np.full((len(chosen), 2), price, dtype=np.int64)
        cells = {pool: plan.assay.cells([plan.prevalence[i] for i in bits(pool)]) for pool in chosen}
        self.model = Model(
            chances=tuple(tuple(cells[pool][bool(pool & s)] for s in order) for pool in chosen),
            weights=tuple(self.weights or ()),
            prices=(price,) * len(chosen),
            losses=tuple(tuple(next(number) for _ in row) for row in losses),
            points=Points(tuple(self._symmetry.kinds.tolist()), tuple(order), tuple(chosen), tuple(order)),
        )

    @property
    def symmetry(self) -> Symmetry:
        """Return the permutations of samples that are infected equally often."""
        return self._symmetry

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response: whether any sample in the pool is infected."""
        self._require_certain()
        return int(bool(self._pools[guess] & self._sets[secret]))

    def table(self) -> NDArray[np.uint8]:
        """Return every response, shape (guesses, secrets)."""
        self._require_certain()
        return ((self._pools[:, None] & self._sets[None, :]) != 0).astype(np.uint8)

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets)."""
        self._require_certain()
        return ((self._pools[guesses][:, None] & self._sets[secrets][None, :]) != 0).astype(np.uint8)

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the response of each guess on the secret beside it."""
        self._require_certain()
        return ((self._pools[guesses] & self._sets[secrets]) != 0).astype(np.uint8)

    def _require_certain(self) -> None:
        if self.model is not None:
            self._several()

    def _several(self) -> NoReturn:
        raise GameError(
            f"{self.spec}: a test may err; expected tests that do not "
            "(solve, bounds, check and render know what to do with this one)"
        )

    def read_guess(self, text: str) -> int:
        """Return the index of the pool typed: its samples in any order, with or without spaces."""
        letters = re.sub(r"(?i)^\s*pool\b|[\s,;+-]", "", text).upper() if isinstance(text, str) else ""
        n = len(self.secrets).bit_length() - 1
        if letters and len(set(letters)) == len(letters) and set(letters) <= set(SAMPLES[:n]):
            return super().read_guess(f"pool {' '.join(sorted(letters))}")
        return super().read_guess(text)


def bits(some: int) -> list[int]:
    """Return the numbers in a bit set, ascending."""
    return [i for i in range(some.bit_length()) if some >> i & 1]


def names(some: int) -> str:
    """Return the samples of a bit set, ``A C``; ``none`` for the empty one."""
    return " ".join(SAMPLES[i] for i in bits(some)) or "none"


def rate_text(rate: Fraction) -> str:
    """Return a probability as it is written in a spec: in percent, or as odds."""
    text = exact_text(100 * rate)
    return (
        f"{rate.numerator}:{rate.denominator - rate.numerator}"
        if "/" in text or len(text) > 9
        else f"{text}%"
    )


def rate_of(text: str) -> Fraction:
    """Return a probability of a spec, such as ``3%``, ``0.03`` or the odds ``1:32``."""
    if ":" in text:
        yes, no = map(int, text.split(":"))
        return Fraction(yes, yes + no) if yes + no else Fraction(0)
    return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)


@register(
    "pools",
    example="pools:5,prevalence=10%",
    about="which of N SAMPLES are infected, by tests of pools; ,prevalence=P or P/P/...; ,max=K in a pool; "
    "tests err: ,sensitivity=P ,specificity=P ,dilution=D; a wrong report costs ,missed=N ,false=N tests",
    reference="Dorfman 1943; Hwang 1976",
    offer=Offer(
        "Pools of samples",
        "Some samples are infected: test any of them together, and find out which.",
        (
            Amount("samples", 1, MOST_ERRING, 5),
            Amount("percent infected", 1, 99, 10),
            Amount("sensitivity in percent", 1, 100, 100),
            Amount("specificity in percent", 1, 100, 100),
        ),
        {
            ",max=3": "3 samples in a pool at most",
            ",dilution=0.1": "the more samples in a pool, the less sensitive is its test",
        },
        look=Look("tiles"),
        guess="ACD",
        response="positive",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``pools:N`` with what is said of samples and tests after commas."""
    spec = f"pools:{text}"
    amounts, *options = text.split(",")
    number, *rates = amounts.split("x")  # of a form: samples x prevalence x sensitivity x specificity
    if len(rates) > len(RATES) or not all(re.fullmatch("[0-9]{1,3}", rate, re.ASCII) for rate in rates):
        raise GameError(
            f"{shown(spec)}: {shown(amounts)}; expected samples, or such as 5x10x95x99 in percent"
        )
    said = {name: f"{rate}%" for name, rate in zip(RATES, rates, strict=False)}
    for option in options:
        found = _OPTION.fullmatch(option)
        name = option.partition("=")[0]
        if not found or name in said:
            raise GameError(
                f"{shown(spec)}: {shown(option)}; expected prevalence=3% or 1%/2%/5%, max=K, "
                "sensitivity=95%, specificity=99%, dilution=0.1, missed=N and false=N, each once"
            )
        said[name] = found[name]
    if not re.fullmatch(r"[0-9]{1,3}", number, re.ASCII) or not 1 <= int(number) <= len(SAMPLES):
        raise GameError(f"{shown(spec)}: {shown(number)} samples; expected 1 to {len(SAMPLES)}")
    n = int(number)
    plan = _plan(spec, n, said)
    if plan.errs and n > MOST_ERRING:
        raise GameError(f"{shown(spec)}: {n} samples and tests that err; expected 1 to {MOST_ERRING} samples")
    game = Pools(plan)
    if plan.errs and not {"missed", "false"} <= said.keys():
        game.notes = (
            f"a wrong report costs {exact_text(plan.missed)} tests for an infected sample, "
            f"{exact_text(plan.false)} for a healthy one: missed=N and false=N say what it costs",
        )
    return game


def _plan(spec: str, n: int, said: dict[str, str]) -> Plan:
    """Return what options say; raise GameError for a number out of range."""
    rates = [rate_of(one) for one in said.get("prevalence", "10%").split("/")]
    if len(rates) not in (1, n):
        raise GameError(
            f"{shown(spec)}: {len(rates)} prevalences; expected one, or one for each of {n} samples"
        )
    for rate in rates:
        if not 0 < rate < 1:
            raise GameError(
                f"{shown(spec)}: a prevalence of {exact_text(100 * rate)} %; expected above 0, below 100"
            )
    assay = Assay(
        rate_of(said.get("sensitivity", "1")),
        rate_of(said.get("specificity", "1")),
        Fraction(said.get("dilution", "0")),
    )
    for name, rate in (("sensitivity", assay.sensitivity), ("specificity", assay.specificity)):
        if not 0 < rate <= 1:
            raise GameError(
                f"{shown(spec)}: a {name} of {exact_text(100 * rate)} %; expected above 0, up to 100"
            )
    most = int(said.get("max", n))
    if not 1 <= most <= n:
        raise GameError(f"{shown(spec)}: pools of {most}; expected 1 to {n}")
    if not assay.errs and ("missed" in said or "false" in said):
        raise GameError(
            f"{shown(spec)}: what a wrong report costs, and tests that do not err; expected only one"
        )
    missed = Fraction(said.get("missed", said.get("false", USUAL)))
    return Plan(
        tuple(rates * n if len(rates) == 1 else rates),
        most,
        assay,
        missed,
        Fraction(said.get("false", missed)),
    )
