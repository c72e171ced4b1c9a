"""The tables of docs/coins.md: rows that are quick are made again, others keep the guarantees."""

from collections.abc import Iterator
from fractions import Fraction
from math import log2
from pathlib import Path

import numpy as np
import pytest

from guesstree.engine.constructive.adaptive import play
from guesstree.engine.constructive.chance import least_random
from guesstree.engine.constructive.coins import counting_bound, weigh, weigh_bounded, weighings_at_most
from guesstree.engine.constructive.detecting import Detecting, Numbers, rows_for
from guesstree.engine.constructive.lies import weigh_with_lies, weighings_with_lies_at_most
from guesstree.engine.constructive.plans import plan, plan_at_least
from guesstree.engine.constructive.static import least_scheme
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve

PAGE = (Path(__file__).parents[3] / "docs" / "coins.md").read_text()
GAMES = 20
SIZES = (*range(1, 65), 80, 100, 192, 500, 1000, 1023, 1024, 2000, 5000, 5120, 5121, 9999, 10_000)


def rows_of(name: str) -> list[list[str]]:
    """Return the rows of a table of the page, below its heads."""
    lines = PAGE.split(f"<!-- {name} -->\n")[1].split("<!-- end -->")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def few(most: int) -> Iterator[list[str]]:
    """Yield the row of each number of coins up to so many, by search."""
    for n in range(1, most + 1):
        found, at_once = solve(parse(f"coins:{n}"), "worst"), len(least_scheme(n).matrix)
        assert found.optimal
        yield list(map(str, (n, counting_bound(n), found.upper[0], at_once, rows_for(n))))


def heavy(n: int, share: float, seed: int) -> Numbers:
    """Return n coins of which a share is heavy, at random places."""
    coins = np.zeros(n, dtype=np.int64)
    coins[: round(n * share)] = 1
    return np.random.default_rng(seed).permutation(coins)


def mean(n: int, share: float) -> float:
    """Return how many weighings the strategy that adapts takes on average."""
    asked = 0
    for coins in (heavy(n, share, seed) for seed in range(GAMES)):
        game = play(weigh(n), lambda mask, coins=coins: int(coins[mask].sum()))  # type: ignore[misc]
        assert np.array_equal(game.secret, coins)
        asked += game.questions
    return asked / GAMES


def test_few_coins() -> None:
    assert rows_of("few")[:6] == list(few(6))


@pytest.mark.long
def test_a_few_more_coins() -> None:
    assert rows_of("few")[:9] == list(few(9))


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(r, marks=pytest.mark.long if int(r[0]) > 200 else ())
        for r in rows_of("many")
        if int(r[0]) <= 1000
    ],
)
def test_many_coins(row: list[str]) -> None:
    n = int(row[0])
    most = 1 + weighings_at_most(n, n // 2, 1) if n >= 64 else rows_for(n)
    bounds = [counting_bound(n), f"{2 * n / log2(n):.0f}", rows_for(n), most]
    assert row == list(map(str, (n, *bounds, *(f"{mean(n, share):.1f}" for share in (0.5, 0.1, 0.01)))))


def test_the_guarantees_shown_are_kept() -> None:
    for coins, _, _, at_once, most, *means in rows_of("many"):
        assert int(at_once) <= int(most) <= int(at_once) + 1, coins
        assert all(float(mean) <= int(most) for mean in means)
    for n, total, measured, most, _ in rows_of("totals"):
        assert float(measured) <= int(most) == weighings_at_most(int(n), int(total))
    for row in rows_of("lies"):
        for number, cell in zip((0, 1, 2, 5), row[1:], strict=True):
            asked, bound = map(int, cell.split(" of "))
            assert asked <= bound == weighings_with_lies_at_most(int(row[0]), number)
    for column in list(zip(*rows_of("random"), strict=True))[1:]:
        shares = [int(cell.removesuffix(" %")) for cell in column]
        assert shares[0] < 20 and shares[-1] >= 95


def test_random_plans() -> None:
    for coins, asymptotic, lindstroem, *random in rows_of("chance"):
        n = int(coins)
        assert (asymptotic, lindstroem) == (f"{2 * n / log2(n):.0f}", str(rows_for(n)))
        if n <= 200:
            assert random == [str(least_random(n, Fraction(1, 100), known=known)) for known in (True, False)]


def test_false_sums_of_few_coins() -> None:
    for lies, (_, *cells) in enumerate(rows_of("false")):
        for coins, cell in enumerate(filter(None, cells), 1):
            least, _, most = cell.partition("..")
            assert int(least) == plan_at_least(coins, 1, lies)
            assert int(most or least) == plan(coins, 1, lies).rows


@pytest.mark.parametrize(("n", "total"), [(100, 10), (100, 100), (1000, 100)])
def test_totals(n: int, total: int) -> None:
    asked = 0
    for seed in range(GAMES):
        coins = np.bincount(np.random.default_rng(seed).integers(0, n, total), minlength=n)
        game = play(weigh_bounded(n, total), lambda mask, coins=coins: int(coins[mask].sum()))  # type: ignore[misc]
        assert np.array_equal(game.secret, coins)
        asked += game.questions
    assert f"{asked / GAMES:.1f}" == next(
        row[2] for row in rows_of("totals") if row[:2] == [str(n), str(total)]
    )


@pytest.mark.parametrize("number", [0, 1, 2, 5])
def test_lies(number: int) -> None:
    asked = [with_lies(100, number, seed) for seed in range(5)]
    cell = dict(zip((0, 1, 2, 5), next(row for row in rows_of("lies") if row[0] == "100")[1:], strict=True))
    assert cell[number].startswith(f"{sum(asked) / 5:.0f} of ")


def with_lies(n: int, number: int, seed: int) -> int:
    """Return how many weighings are asked when so many sums at random are false."""
    rng = np.random.default_rng(seed)
    coins, sums = rng.integers(0, 2, n), list[int]()
    false = set(rng.choice(weighings_with_lies_at_most(n, number), number, replace=False).tolist())

    def respond(mask: np.ndarray) -> int:
        sums.append(int(coins[mask].sum()) + (len(sums) in false))
        return sums[-1]

    assert np.array_equal(play(weigh_with_lies(n, number), respond).secret, coins)
    return len(sums)


@pytest.mark.parametrize("sizes", [(1, 5, 100), pytest.param(SIZES, marks=pytest.mark.long)])
def test_random_coins_are_decoded(sizes: tuple[int, ...]) -> None:
    vectors = 50 if len(sizes) == 3 else 1000
    for n in sizes:
        scheme = Detecting(np.ones(n, dtype=np.int64))
        matrix = scheme.matrix().astype(np.float32)  # a product of floats is exact: sums stay far below 2^24
        secrets = np.random.default_rng(n).integers(0, 2, (vectors, n), dtype=np.int8)
        for some in np.array_split(secrets, max(vectors // 100, 1)):
            sums = (some.astype(np.float32) @ matrix.T).astype(np.int64)
            assert all(np.array_equal(scheme.decode(s), one) for s, one in zip(sums, some, strict=True)), n
