"""A model in arrays of doubles, as the compiled search sees it; or of fractions, where no doubles will do."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..exact import Number
from .integer_model import broken
from .model import Model
from .points import for_kernel
from .splits import Characters

Values: TypeAlias = NDArray[Any]
"""Doubles, or objects, which are fractions."""

ROUNDING = Fraction(1, 1 << 53)
"""By so much at most a double is off that an operation gives, as a part of it."""
EXACT = 1 << 51
"""Up to here, doubles hold all integers, and a product that is one is less than 1/2 off when two numbers are
multiplied of which one is rounded."""
SMALL, LARGE = 1e-100, 1e100
"""Between these, products and quotients of two doubles neither vanish nor overflow. A mass below the first
counts as 0, where the masses of the belief that is searched add up to about 1."""
MOST_APART = 300
"""Causes of which every two are compared."""


@dataclass(frozen=True)
class FloatModel:
    """What a kernel is given of a model, and what its values are counted in.

    Attributes
    ----------
    given: arguments of `noisy.Searcher`.
    unit: what 1 of the objective is counted as: of the expected cost, times the sum of the weights.
    coin: what a price of 1 is counted as.
    whole: whether the values of the kernel are exact: integers that doubles hold, or fractions.
    rational: whether the arrays hold fractions, which are for the plain twin alone.
    error: how much less the true value may be than a lower bound of the kernel, as a part of it; 0: nothing.
    answers: for each test its answers; those of the kernel are their places here. None: they are the same.
    """

    given: dict[str, Any]
    unit: Fraction
    coin: int
    whole: bool
    rational: bool
    error: Fraction
    answers: tuple[tuple[int, ...], ...] | None = None

    @classmethod
    def of(
        cls,
        model: Model,
        *,
        worst: bool = False,
        limited: bool = False,
        exact: bool = False,
        leaves: tuple[Number, int] = (0, 0),
    ) -> FloatModel:
        """Return a model for its least expected cost, or for its least worst case.

        `limited`: whether paths have a limit of what they cost. Then prices are whole numbers, to be exact.
        `exact`: whether all values are to be. `leaves`: what each costs, and how many there are at most.
        """
        columns, weights = equal_columns(model), [Fraction(1 if worst else w) for w in model.weights]
        paid = [Fraction(x) for x in (*_paid(model), leaves[0])]
        coin, heavy = (lcm(*(x.denominator for x in some)) for some in (paid, weights))
        below = 1
        if not worst:
            below = lcm(*(broken(model, some[0]) for some in columns))
        losses = [Fraction(x) for row in model.losses or () for x in row if x is not None]
        dearest = max(losses, default=Fraction()) + leaves[0] * leaves[1]
        most = coin * (sum(map(Fraction, model.prices)) + dearest)
        whole = most * heavy * below * (1 if worst else sum(weights)) < EXACT
        begin = below if whole else 1
        scale = Fraction(heavy if whole or worst else 1 / sum(weights))
        if most >= EXACT and not limited:
            coin = 1
        weights, paid = [w * scale for w in weights], [x * coin for x in paid]
        doubles = whole or (not worst and not exact and _fit(model, columns, [*paid, *weights]))
        rational = (limited and most >= EXACT) or not doubles
        exact_values = whole or rational
        values = _fractions if rational else _doubles
        firsts = [some[0] for some in columns]
        told = None if model.characters is None else tuple(tuple(split.parts) for split in model.splits)
        cells = _cells(_numbered(model, told), firsts, values)
        if model.characters is not None:
            cells |= _questions(model, model.characters, firsts, worst=worst)
        given = cells | {
            "prices": values(p * coin for p in model.prices),
            "later": values(p * coin for p in model.later or model.prices),
            "begin": values([begin] * len(columns)),
            "rows": _rows(model, columns, weights, coin, values, worst=worst),
            "lost": _lost(model, columns, coin, values),
            "overlap": _overlap(model, columns),
            "apart": None if rational else _apart(model, columns, coin),
            "points": for_kernel(model) if len(columns) == len(model.weights) else None,
            "whole": exact_values,
            "worst": worst,
            "failures": model.failures if worst else 0,
            "silent": model.silent,
        }
        error = Fraction(0) if exact_values else _error(given)
        return cls(given, coin * begin * scale, coin, exact_values, rational, error, told)


def _doubles(values: Iterable[Any]) -> Values:
    """Return numbers as doubles."""
    return np.array([float(value) for value in values], dtype=np.float64)


def _fractions(values: Iterable[Any]) -> Values:
    """Return numbers as fractions; what is infinite stays a double."""
    return np.array([value if value == np.inf else Fraction(value) for value in values], dtype=object)


def _fit(model: Model, columns: list[list[int]], numbers: list[Fraction]) -> bool:
    """Return whether doubles hold probabilities and values by far, and tell prices apart."""
    prices = {Fraction(price) for price in [*model.prices, *model.later]}
    if len(set(map(float, prices))) < len(prices):
        return False
    shares = (p for row in model.chances for some in columns for p in row[some[0]].values())
    return all(p >= SMALL for p in shares) and all(SMALL <= x <= LARGE for x in numbers if x)


def _error(given: dict[str, Any]) -> Fraction:
    """Return how much a value may be off, as a part of it.

    *Proof.* All numbers are sums, products, quotients, minima and maxima of non-negative ones, so relative
    errors of the operations add up at most along the way to a value: each is a factor between 1 - u and
    1 + u, u = 2**-53. Let there be T tests, C causes, A answers. A share of a mass is rounded and multiplied,
    T times; then weighed and summed: M = 2 T + C + 3 operations for the mass of a state, or its losses. What
    a state costs at least without a look at others is a price times sums of masses, joined and added up at
    most 2 C times: at most 3 M. What its first test says adds, for each child, twice 2 M + 2 operations if it
    was remembered for another mass, a sum over A answers, and the price: at most 5 M + A + 8. Below each test
    one less may help, which is so for all states of one key, and what is remembered is not rounded again
    unless it is improved; so there are at most T times that. Twice the number covers (1 + u)**n - 1 and the
    rounding of the numbers given. Masses are divided by powers of two, which rounds nothing. Where a small
    mass counts as 0, lower bounds are only lower: to leave some mass out makes no strategy dearer.
    """
    tests, causes = given["kinds"].shape
    masses = 2 * tests + causes + 3
    return 2 * (tests + 1) * (5 * masses + given["ends"].shape[1] + 8) * ROUNDING


def equal_columns(model: Model) -> list[list[int]]:
    """Return the causes, those together that no test tells apart where decisions are what counts."""
    if model.losses is None and not model.cliques:
        return [[cause] for cause in range(len(model.weights))]
    found: dict[Hashable, list[int]] = {}
    for cause in range(len(model.weights)):
        key = tuple(_cell(row[cause]) for row in model.chances)
        found.setdefault(key, []).append(cause)
    return list(found.values())


def _cell(cell: Mapping[int, Fraction]) -> tuple[tuple[int, Number], ...]:
    """Return the answers of a cell with their probabilities, to compare."""
    return tuple((answer, 1) for answer in cell) if len(cell) == 1 else tuple(sorted(cell.items()))


def _paid(model: Model) -> list[Number]:
    """Return all that is paid: prices and losses."""
    return [*model.prices, *model.later, *(x for row in model.losses or () for x in row if x is not None)]


def _cells(model: Model, causes: list[int], values: Callable[[Iterable[Any]], Values]) -> dict[str, Any]:
    """Return who may answer what: cells one after another, by test and cause."""
    tests, answers = len(model.chances), 1 + max(r for row in model.chances for cell in row for r in cell)
    kinds = np.zeros((tests, len(causes)), dtype=np.int32)
    starts, given, shares = [0], list[int](), list[Number]()
    for test, row in enumerate(model.chances):
        known: dict[Hashable, int] = {}
        for place, cause in enumerate(causes):
            cell = _cell(row[cause])
            kinds[test, place] = known.setdefault(cell, len(known))
            given += [r for r, _ in cell]
            shares += [p for _, p in cell]
            starts.append(len(given))
    ends = np.zeros((tests, answers), dtype=np.uint8)
    for test in range(tests):
        ends[test, [r for r in model.ending(test) if r < answers]] = 1
    words = (tests + 63) // 64
    after = None
    if any(model.after):
        after = np.array([_words(needed, words) for needed in model.after], dtype=np.uint64)
    return {
        "starts": np.array(starts, dtype=np.int32),
        "answers": np.array(given, dtype=np.int32),
        "shares": values(shares),
        "prints": _prints(shares),
        "kinds": kinds,
        "ends": ends,
        "after": after,
        "groups": np.array([-1 if g is None else g for g in model.groups or [None] * tests], dtype=np.int32),
        "even": all(len(cell) == 1 or len(set(cell.values())) == 1 for row in model.chances for cell in row),
    }


def _numbered(model: Model, answers: tuple[tuple[int, ...], ...] | None) -> Model:
    """Return a model whose answers are numbered test by test; None: they stay as they are."""
    if answers is None:
        return model
    rows = []
    for row, own in zip(model.chances, answers, strict=True):
        place = {answer: i for i, answer in enumerate(own)}
        rows.append(tuple({place[r]: p for r, p in cell.items()} for cell in row))
    return replace(model, chances=tuple(rows))


def _questions(model: Model, characters: Characters, causes: list[int], *, worst: bool) -> dict[str, Any]:
    """Return what questions about characters are about, see `splits`; sets of states are words of 64 bits.

    Two causes are of one kind for a question that says nothing of them, nor does one that may follow it.
    """
    kinds = np.zeros((len(model.splits), len(causes)), dtype=np.int32)
    places: dict[tuple[int, int], list[int]] = {}
    known: dict[tuple[int, int], list[int]] = {}
    for test, split in enumerate(model.splits):
        key = split.character, split.within
        places.setdefault(key, []).append(test)
        if key not in known:
            numbers: dict[Hashable, int] = {}
            known[key] = []
            for cause in causes:
                given = characters.given(split.character, cause, split.within)
                kind = tuple(state for state, _ in given) if worst else given
                known[key].append(numbers.setdefault(kind, len(numbers)))
        kinds[test] = known[key]
    order = sorted(places)
    if any(tests != list(range(tests[0], tests[-1] + 1)) for tests in places.values()):
        raise AssertionError("questions about the same states stand together")
    shown = [[characters.states(c, cause) for cause in causes] for c in range(len(characters.shown))]
    questions: dict[str, Values] = {
        "character": np.array([split.character for split in model.splits], dtype=np.int32),
        "parts": np.array([list(split.parts.values()) for split in model.splits], dtype=np.uint64),
        "shown": np.array(shown, dtype=np.uint64).reshape(-1, len(causes)),
        "possible": np.array(characters.possible, dtype=np.uint64),
        "joined": np.array(characters.joined, dtype=np.int32),
        "spots": np.searchsorted([c for c, _ in order], range(len(shown) + 1)).astype(np.int32),
        "within": np.array([within for _, within in order], dtype=np.uint64),
        "first": np.array([places[key][0] for key in order], dtype=np.int32),
        "last": np.array([places[key][-1] + 1 for key in order], dtype=np.int32),
    }
    many = np.array([len(shown)], dtype=np.int32)
    ints = [many, *(questions[name] for name in ("character", "spots", "first", "last", "joined"))]
    words = [questions[name].ravel() for name in ("parts", "shown", "possible", "within")]
    questions |= {"ints": np.concatenate(ints), "words": np.concatenate(words)}
    return {"kinds": kinds, "even": worst, "questions": questions}


def _words(members: Any, words: int) -> list[int]:
    """Return a set of numbers as bits, 64 in a word."""
    whole = sum(1 << i for i in members)
    return [whole >> (64 * w) & (1 << 64) - 1 for w in range(words)]


def _rows(
    model: Model,
    columns: list[list[int]],
    weights: list[Fraction],
    coin: int,
    values: Callable[[Iterable[Any]], Values],
    *,
    worst: bool,
) -> Values:
    """Return for each column its weight, what it pays at least in the end, what it loses by each decision.

    All is weighted. In the end it is decided, or a test has ended the path, and was paid.
    """
    rows = []
    for some in columns:
        weight = 1 if worst else sum(weights[i] for i in some)
        each = [[_times(x[i], weights[i] * coin) for i in some] for x in model.losses or ()]
        lost = [max(one) if worst else sum(one) for one in each]
        stops = [x * coin * weight for x in _stops(model, some[0])] if lost else []
        rows.append(values([weight, min([*lost, *stops], default=0), *lost]))
    return np.array(rows)


def _times(loss: Number | None, weight: Fraction) -> Any:
    """Return a weighted loss; infinite: it is not allowed."""
    return np.inf if loss is None else loss * weight


def _lost(
    model: Model, columns: list[list[int]], coin: int, values: Callable[[Iterable[Any]], Values]
) -> Values | None:
    """Return for each column and decision what a cause of the column loses at most; infinite: not allowed."""
    if model.losses is None:
        return None
    whole = Fraction(coin)
    return np.array(
        [values(max(_times(x[i], whole) for i in some) for x in model.losses) for some in columns]
    )


def _stops(model: Model, cause: int) -> list[Number]:
    """Return what the tests cost at least that may end the path of a cause."""
    later = model.later or model.prices
    return [later[t] for t, row in enumerate(model.chances) if model.ending(t) & row[cause].keys()]


def _overlap(model: Model, columns: list[list[int]]) -> Values | None:
    """Return which columns may be named together, bits of each; None: none may."""
    if model.losses is not None or not model.cliques:
        return None
    place = {cause: at for at, some in enumerate(columns) for cause in some}
    near = [{place[other] for other in model.overlaps[some[0]]} for some in columns]
    if all(len(some) == 1 for some in near):
        return None
    return np.array([_words(some, (len(columns) + 63) // 64) for some in near], dtype=np.uint64)


def _apart(model: Model, columns: list[list[int]], coin: int) -> Values | None:
    """Return what a cause pays at least to end without another: for a test that it may answer as that cannot.

    None where all tests cost the same, or where causes may end together at a loss.
    """
    low = [min(pair) * coin for pair in zip(model.prices, model.later or model.prices, strict=True)]
    if model.losses is not None or len(set(low)) == 1 or len(columns) > MOST_APART:
        return None
    apart = np.full((len(columns), len(columns)), np.inf)
    for price, row in zip(low, model.chances, strict=True):
        sets = [row[some[0]].keys() for some in columns]
        beyond = np.array([[not one <= other for other in sets] for one in sets])
        apart = np.where(beyond, np.minimum(apart, float(price)), apart)
    for place, some in enumerate(columns):
        near = {other for other, them in enumerate(columns) if them[0] in model.overlaps[some[0]]}
        apart[place, list(near)] = 0
    return apart


def _prints(shares: list[Number]) -> Values:
    """Return two words for each probability, which add up to equal sums for equal products."""
    base = _coprime({n for p in set(shares) for n in p.as_integer_ratio()} - {1})
    dice = np.random.default_rng(16)
    words = [[int(x) for x in dice.integers(0, 1 << 64, 2, dtype=np.uint64)] for _ in base]
    known: dict[Number, list[int]] = {}
    for p in set(shares):
        known[p] = [0, 0]
        for n, sign in zip(p.as_integer_ratio(), (1, -1), strict=True):
            for factor, word in zip(base, words, strict=True):
                while n % factor == 0:
                    n //= factor
                    known[p] = [(a + sign * b) % (1 << 64) for a, b in zip(known[p], word, strict=True)]
    return np.array([known[p] for p in shares], dtype=np.uint64).reshape(-1, 2)


def _coprime(numbers: set[int]) -> list[int]:
    """Return numbers above 1, no two with a common factor, of which each given one is a product."""
    base: list[int] = []
    waiting = sorted(numbers)
    while waiting:
        n = waiting.pop()
        for at, other in enumerate(base):
            common = gcd(n, other)
            if common > 1:
                del base[at]
                waiting += [x for x in (common, n // common, other // common) if x > 1]
                break
        else:
            base.append(n)
    return base
