"""A number to be found by questions about sets: a question names some, the response says which it is in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import comb, gcd, lcm

import numpy as np
from numpy.typing import NDArray

from ..catalogue import Amount, Offer
from ..errors import GameError, SpaceError, shown
from ..game import MAX_RESPONSES, Game
from ..memory import require_memory
from ..notation import Look
from ..registry import register

MOST_NUMBERS = 255
MOST_QUESTIONS = 1 << 20
"""So many questions are listed."""
_LIMITS = re.compile(
    r"answers=(?P<answers>[0-9]{1,4})|most=(?P<most>[0-9]{1,4})|(?P<ranges>ranges)", re.ASCII
)
_WEIGHT = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9}|/[0-9]{1,15})?", re.ASCII)


class Questions(Game):
    """A number from 1 to n; a question names up to m sets, and the response says which of them it is in.

    A question is any partition of the numbers into 2 to m sets, in the order of their least numbers, such as
    ``1-4|5-8``. The goal is to identify the number. Without limits on the sets a strategy is a tree with up
    to m branches at each node, whatever the tree: Huffman's code has the least average. (To permute the
    responses of a question changes nothing, so that each partition is there once. Permuted numbers are
    renamings only where such partitions come with their sets in every order: there are none.)

    Parameters
    ----------
    shares: how likely each number is, in any proportion; their unit is that of the integers in `weights`.
    answers: m, the sets of a question at most.
    ranges: whether each set consists of neighbours; then a strategy is an alphabetic tree.
    most: how many numbers each set of a question may have, but for one of them; None: any number.

    Raises SpaceError where there are too many questions to list.
    """

    look = Look(secret="number", guess="question")

    def __init__(
        self, shares: Sequence[Fraction], answers: int = 2, *, ranges: bool = False, most: int | None = None
    ) -> None:
        n, text = len(shares), str(len(shares))
        if len(set(shares)) > 1:
            self.weight_unit = Fraction(
                gcd(*(share.numerator for share in shares)), lcm(*(share.denominator for share in shares))
            )
            self.weights = tuple(int(share / self.weight_unit) for share in shares)
            text = "+".join(map(str, shares))
        options = [f"answers={answers}"] * (answers > 2) + ["ranges"] * ranges
        self.spec = ",".join([f"questions:{text}", *options, *([f"most={most}"] if most else [])])
        most = most or n
        count = how_many(n, answers, most, ranges=ranges)
        if count > MOST_QUESTIONS:
            raise SpaceError(
                f"{shown(self.spec)}: more than {MOST_QUESTIONS} questions; use fewer numbers or answers, or "
                "limits on sets: ,ranges or ,most=K"
            )
        require_memory(self.spec, count, n)
        rows = range_partitions(n, answers, most) if ranges else partitions(n, answers, most)
        self._sets = np.array(list(rows), dtype=np.uint8).reshape(-1, n)
        self.secrets = tuple(str(number) for number in range(1, n + 1))
        self.guesses = tuple(map(question, self._sets.tolist()))
        self.responses = tuple(f"set {i}" for i in range(1, int(self._sets.max()) + 2))
        self.winning = None

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response: which set the number is in."""
        return int(self._sets[guess, secret])

    def table(self) -> NDArray[np.uint8]:
        """Return every response, shape (guesses, secrets)."""
        return self._sets

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets)."""
        return self._sets[np.ix_(guesses, secrets)]

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the response of each guess on the secret beside it."""
        return self._sets[guesses, secrets]

    def read_guess(self, text: str) -> int:
        """Return the index of the question typed, its sets in any order; what no set has is one more set."""
        sets = _sets_of(text, len(self.secrets))
        return super().read_guess(text if sets is None else question(sets))


def _sets_of(text: str, n: int) -> list[int] | None:
    """Return the set of each number as a question has it, or None for a text that names none."""
    found: dict[int, int] = {}
    for at, part in enumerate(text.split("|") if isinstance(text, str) else ()):
        if not re.fullmatch(r"\s*[0-9]{1,3}(?:\s*[-, ]\s*[0-9]{1,3})*\s*", part, re.ASCII):
            return None
        for first, last in re.findall(r"([0-9]+)(?:\s*-\s*([0-9]+))?", part):
            some = range(int(first), int(last or first) + 1)
            if not some or found.keys() & set(some) or not 1 <= some[0] <= some[-1] <= n:
                return None
            found |= dict.fromkeys(some, at)
    names: dict[int, int] = {}
    sets = [found.get(number, -1) for number in range(1, n + 1)]
    return [names.setdefault(one, len(names)) for one in sets] if found else None


def question(sets: Sequence[int]) -> str:
    """Return a question as it is written, from the set of each number: ``1,3-5|2,6``."""
    texts = []
    for one in range(max(sets) + 1):
        runs: list[list[int]] = []
        for number in (i for i, at in enumerate(sets, 1) if at == one):
            if runs and runs[-1][-1] == number - 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        texts.append(",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs))
    return "|".join(texts)


def partitions(n: int, answers: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of n numbers into 2 to `answers` sets, in lexicographic order.

    Each is the set of every number, numbered by their least numbers; all sets but one have at most `most`.
    """

    def after(row: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if sum(size > most for size in sizes) > 1:
            return  # sets only grow
        if len(row) == n:
            if len(sizes) > 1:
                yield row
            return
        for one in range(min(len(sizes) + 1, answers)):
            more = (*sizes, 0) if one == len(sizes) else sizes
            yield from after((*row, one), (*more[:one], more[one] + 1, *more[one + 1 :]))

    yield from after((), ())


def range_partitions(n: int, answers: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the partitions into 2 to `answers` sets of neighbours, few sets first, as `partitions` does."""
    for cuts in (cuts for many in range(1, answers) for cuts in combinations(range(1, n), many)):
        ends = (0, *cuts, n)
        sizes = [b - a for a, b in pairwise(ends)]
        if sum(size > most for size in sizes) <= 1:
            yield tuple(one for one, size in enumerate(sizes) for _ in range(size))


@cache
def _small_sets(n: int, sets: int, most: int, ranges: bool) -> int:
    """Return how many partitions of n numbers into so many sets have at most `most` in each."""
    if not n or not sets:
        return int(n == sets)
    return sum(
        (1 if ranges else comb(n - 1, s - 1)) * _small_sets(n - s, sets - 1, most, ranges)
        for s in range(1, min(n, most) + 1)
    )


def how_many(n: int, answers: int, most: int, *, ranges: bool) -> int:
    """Return exactly how many questions there are, or some number above `MOST_QUESTIONS`.

    They are counted by the size of the one set that may be larger than `most`, if there is one.
    """
    found = 0
    for sets in range(2, min(answers, n) + 1):
        found += _small_sets(n, sets, most, ranges)
        for s in range(most + 1, n):
            found += (sets if ranges else comb(n, s)) * _small_sets(n - s, sets - 1, most, ranges)
        if found > MOST_QUESTIONS:
            break
    return found


@register(
    "questions",
    example="questions:8",
    about="a number from 1 to N, or of weights W+W+..., such as 1/8+1/8+1/4+1/2; ,answers=M: up to M sets "
    "in a question, not 2; ,ranges: sets of neighbours; ,most=K: all sets but one have at most K numbers",
    reference="Huffman 1952; Hu & Tucker 1971",
    offer=Offer(
        "A number",
        "Think of a number: each question names some sets, and you are told which of them it is in.",
        (Amount("numbers", 2, 12, 8),),
        {
            ",answers=3": "a question may name 3 sets",
            ",ranges": "sets consist of neighbours: is it larger than 4?",
            ",most=1": "only one number may be asked at a time",
        },
        look=Look("tiles"),
        guess="1-4|5-8",
        response="set 1",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``questions:N`` or ``questions:W+W+...`` with its limits after commas."""
    spec = f"questions:{text}"
    numbers, *options = text.split(",")
    limits = [_LIMITS.fullmatch(option) for option in options]
    given = [option.partition("=")[0] for option in options]
    if None in limits or len(set(given)) < len(given):
        raise GameError(f"{shown(spec)}: expected answers=M, ranges and most=K, each once, after commas")
    said = {name: value for found in limits if found for name, value in found.groupdict().items() if value}
    shares = _shares(spec, numbers)
    answers, most = int(said.get("answers", 2)), int(said["most"]) if "most" in said else None
    if not 2 <= answers <= MAX_RESPONSES:
        raise GameError(f"{shown(spec)}: {answers} answers; expected 2 to {MAX_RESPONSES}")
    if most is not None and not 1 <= most < len(shares):
        raise GameError(f"{shown(spec)}: sets of {most}; expected 1 to {len(shares) - 1}")
    return Questions(shares, answers, ranges="ranges" in said, most=most)


def _shares(spec: str, text: str) -> list[Fraction]:
    """Return how likely each number is; raise GameError for what says nothing."""
    some = text.split("+")
    if not all(map(_WEIGHT.fullmatch, some)) or (len(some) == 1 and not text.isdecimal()):
        raise GameError(
            f"{shown(spec)}: expected how many numbers there are, or their weights with + between them, "
            "such as questions:8 or questions:1/8+1/8+1/4+1/2"
        )
    n = int(text) if len(some) == 1 else len(some)
    if not 2 <= n <= MOST_NUMBERS:
        raise GameError(f"{shown(spec)}: {n} numbers; expected 2 to {MOST_NUMBERS}")
    try:
        shares = [Fraction(one) for one in some] if len(some) > 1 else [Fraction(1)] * n
    except ZeroDivisionError:
        raise GameError(f"{shown(spec)}: a weight with 0 below the line; expected such as 1/8") from None
    if not all(shares):
        raise GameError(f"{shown(spec)}: a weight of 0; expected more than 0")
    return shares
