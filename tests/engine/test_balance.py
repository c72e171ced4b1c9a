"""The balance with two pans: the values of the literature, and what may be typed."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from cases import cases
from effort import seeds
from optimum import optimum

import guesstree
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError
from guesstree.engine.oracle import least
from guesstree.engine.registry import parse
from guesstree.engine.symmetry.groups import Generated


def worst(spec: str) -> int:
    """Return the proven worst case of a game, of which a checked strategy is had."""
    found = guesstree.solve(spec, "worst")
    assert found.optimal and found.strategy.check().valid
    return int(found.upper[0])


# Dyson 1946: with heavier or lighter to be said n weighings do for (3^n - 3)/2 coins and no more; for
# (3^n - 1)/2 where the coin alone is asked, or with a good coin; where light is known for 3^n coins, or for
# one less where maybe no coin is false. With two light coins, 4, 7, 13 and 22 coins take 2 to 5 weighings and
# one more coin takes one more (Knop and Polubasov 2015), which is as many as counting allows.
@pytest.mark.parametrize(
    ("spec", "weighings"),
    cases("test_balance", "test_the_values_of_the_literature"),
)
def test_the_values_of_the_literature(spec: str, weighings: int) -> None:
    assert worst(spec) == weighings


def of_one_way(coins: int) -> int:
    """Return the fewest weighings in all where the way is known, counted by how many coins are possible."""

    @cache
    def total(n: int) -> int:
        parts = ((x, y, n - x - y) for x in range(n + 1) for y in range(max(0, x - (coins - n)), x + 1))
        ways = (sum(map(total, some)) for some in parts if some[2] >= 0 and max(some) < n)
        return 0 if n < 2 else n + min(ways)

    return total(coins)


@pytest.mark.parametrize("coins", [14, 16, 20, 30])
def test_to_weigh_neighbours_loses_nothing_on_average(coins: int) -> None:
    """Of 6 that are left it is best to weigh three against one and two good ones."""
    for objective in ("expected", "worst,expected"):
        found = guesstree.solve(f"balance:{coins},light", objective)
        assert found.optimal and found.strategy.check().valid
        assert found.upper[-1] == of_one_way(coins)


@pytest.mark.long
def test_thirteen_coins() -> None:
    """Three weighings tell which of 13 it is; how it errs as well they tell only of 12."""
    assert guesstree.solve("balance:13", "worst").upper == (4,)


@pytest.mark.long
def test_thirteen_coins_whose_way_is_not_asked() -> None:
    assert worst("balance:13,coin") == worst("balance:13,good") == 3


def test_two_coins() -> None:
    assert worst("balance:2,light") == worst("balance:2,coin,good") == 1
    with pytest.raises(GameError, match="2 coins cannot be told apart without a good one; expected 3 to 13"):
        parse("balance:2")


@pytest.mark.parametrize("objective", ["worst", "expected"])
@pytest.mark.parametrize(
    "spec",
    ["balance:3", "balance:4", "balance:3,none", "balance:3,good", "balance:4,coin", "balance:5,light"],
)
def test_the_search_agrees_with_the_oracle(spec: str, objective: str) -> None:
    game = parse(spec)
    assert guesstree.solve(game, objective).upper == least(game, "identify", objective)


@cache
def by_counts(either: int, heavy: int, light: int, good: int) -> int:
    """Return the fewest weighings by how many coins may be false either way, only heavier, only lighter."""
    if 2 * either + heavy + light <= 1:
        return 0
    return next(n for n in range(1, 9) if within(n, either, heavy, light, good))


@cache
def within(n: int, either: int, heavy: int, light: int, good: int) -> bool:
    """Return whether n weighings tell the coin and the way."""
    if 2 * either + heavy + light <= 1:
        return True
    if 2 * either + heavy + light > 3**n:
        return False
    return any(all(within(n - 1, *part) for part in parts) for parts in weighed(either, heavy, light, good))


def weighed(either: int, heavy: int, light: int, good: int) -> Iterator[list[tuple[int, int, int, int]]]:
    """Yield what each weighing leaves: left heavier, right heavier, balanced."""
    coins = either + heavy + light + good
    for a in range(either + 1):
        for b in range(min(a, either - a) + 1):  # the left pan has no fewer of these
            for c in range(heavy + 1):
                for d in range(heavy - c + 1):
                    for e in range(light + 1):
                        for f in range(light - e + 1):
                            apart = a + c + e - (b + d + f)
                            if abs(apart) <= good:
                                yield [
                                    (0, a + c, b + f, coins - a - c - b - f),
                                    (0, b + d, a + e, coins - b - d - a - e),
                                    (
                                        either - a - b,
                                        heavy - c - d,
                                        light - e - f,
                                        coins - (either - a - b) - (heavy - c - d) - (light - e - f),
                                    ),
                                ]


def test_counting_what_may_be_false_says_the_same() -> None:
    """It reaches what no table of responses would: 39 coins in four weighings, 40 in five."""
    for coins in (3, 4, 5, 6):
        assert by_counts(coins, 0, 0, 0) == worst(f"balance:{coins}")
    assert [by_counts(n, 0, 0, 0) for n in (12, 13)] == [3, 4]
    assert [by_counts(n, 0, 0, 1) for n in (4, 5, 13, 14)] == [2, 3, 3, 4]
    assert [by_counts(39, 0, 0, 0), by_counts(40, 0, 0, 0), by_counts(40, 0, 0, 1)] == [4, 5, 4]


@pytest.mark.parametrize("spec", ["balance:4", "balance:4,good", "balance:4,coin", "balance:4,light,none"])
def test_classes_of_weighings_are_the_orbits_of_the_group(spec: str) -> None:
    game = parse(spec)
    group = Generated([(g.tolist(), s.tolist()) for g, s in game.symmetry.generators()])
    guesses = range(len(game.guesses))
    for history in [(), *((g,) for g in guesses), *((g, h) for g in guesses[::3] for h in guesses[::5])]:
        own, others = game.symmetry.classes(history), group.classes(history)
        every = np.arange(len(game.guesses))
        assert np.array_equal(every if own is None else own, every if others is None else others), history
    assert game.symmetry.count(2) == group.count(2)


@pytest.mark.parametrize("text", ["ABCD|EFGH", "dcba/hgfe", "ABCD EFGH", "abcd - efgh", "D C B A | E F G H"])
def test_a_weighing_is_typed_in_any_way(text: str) -> None:
    game = parse("balance:10")
    assert game.guesses[game.read_guess(text)] == "ABCD|EFGH"
    typed = {">": "left heavier", "l": "left heavier", "=": "balanced", "b": "balanced", "<": "right heavier"}
    for response, label in typed.items():
        assert game.responses[game.read_response(response, game.read_guess(text))] == label


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AB|C", "'AB|C': 2 and 1 coins; expected equally many in both pans, such as A|B"),
        ("AB|BC", "'AB|BC': coin B is there twice; expected each coin once"),
        ("AB|CX", "'AB|CX' is not a weighing of balance:10"),
        ("", "type a weighing"),
    ],
)
def test_what_is_no_weighing_is_refused(text: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        parse("balance:10").read_guess(text)
    assert str(error.value).startswith(words)


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_several_false_coins_agree_with_the_oracle(seed: int) -> None:
    """Random games; those with secrets that no weighing tells apart are refused, and no others."""
    rng = np.random.default_rng(seed)
    for _ in range(6):
        coins, way = int(rng.integers(2, 5)), str(rng.choice(["", ",light", ",heavy"]))
        low, high = sorted(int(n) for n in rng.integers(0, coins + 1, 2))
        spec = f"balance:{coins}{way}{',good' * int(rng.integers(2))},false={low}..{high}"
        try:
            game = parse(spec)
        except GameError as error:
            assert "cannot be told apart without a good coin" in str(error) and "good," not in spec
            continue
        assert len({tuple(column) for column in game.table().T.tolist()}) == len(game.secrets)
        check_game(game)
        for objective in ("worst", "expected") if len(game.secrets) <= 7 else ():
            assert optimum(game, objective) == least(game, "identify", objective)


def test_false_coins_have_their_letters_and_their_way() -> None:
    assert parse("balance:3,light,false=2").secrets == ("AB", "AC", "BC")
    game = parse("balance:3,good,false=0..1")
    assert (game.spec, game.secrets) == (
        "balance:3,good,false=0..1",
        ("none", "A+", "A-", "B+", "B-", "C+", "C-"),
    )
    game, two = parse("balance:4,light,false=2"), guesstree.solve("balance:4,light,false=2").strategy
    answers = {
        label: game.responses[game.respond(game.guess_index("A|B"), s)]
        for s, label in enumerate(game.secrets)
    }
    assert answers["AB"] == answers["CD"] == "balanced"
    assert answers["AC"] == "right heavier"
    assert two.check().valid


@pytest.mark.parametrize(
    ("spec", "words"),
    cases("test_balance", "test_false_coins_that_cannot_be_are_refused"),
)
def test_false_coins_that_cannot_be_are_refused(spec: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        parse(spec)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
