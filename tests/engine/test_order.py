"""How many renamings there are, in words, and what searches say of those that they used."""

import random
from math import factorial, prod

import pytest

from guesstree.api.solution import bounds, solve
from guesstree.engine.kits.kit import least_kit
from guesstree.engine.kits.staged import staged_kit
from guesstree.engine.registry import parse
from guesstree.engine.symmetry.groups import Generated
from guesstree.engine.symmetry.order import factored, order_text, product_text
from guesstree.engine.tables.table import TableGame

WORDS = {
    1: "",
    2: "2",
    36: "36",
    720: "6!",
    144: "6 x 4!",
    factorial(7): "7!",
    17_280: "4! x 6!",
    7_257_600: "2 x 10!",
    factorial(5) ** 2: "5!^2",
    factorial(4) * factorial(6) ** 4: "4! x 6!^4",
    2**10 * factorial(10): "2^10 x 10!",
    factorial(2000): "2000!",
    13 * factorial(4) ** 3: "179712",
    10**40 + 7: "at least 10^39",
}


def test_known_orders() -> None:
    for order, words in WORDS.items():
        assert order_text(order) == words
        if words and not words.startswith("at least"):
            assert order_text(order, complete=False) == f"at least {words}"
    assert product_text([1]) == ""


def test_every_product_of_factorials_is_found() -> None:
    """Perhaps as another product: 6! is 3! x 5!."""
    rng = random.Random(1)
    for _ in range(300):
        order = prod(factorial(rng.randrange(2, 20)) for _ in range(rng.randrange(1, 6)))
        found = factored(order)
        assert found is not None and prod(map(factorial, found)) == order
    products = {1}
    for _ in range(8):
        products |= {some * factorial(n) for some in products for n in range(2, 6)}
    for number in range(1, 200):
        assert (factored(number) is not None) == (number in products)


def as_table(spec: str) -> TableGame:
    """Return a copy of a family that declares nothing."""
    game = parse(spec)
    cells = [[game.responses[cell] for cell in row] for row in game.table().tolist()]
    win = None if game.winning is None else game.responses[game.winning]
    guesses = game.guesses if win is not None else [f"q{guess}" for guess in game.guesses]
    return TableGame("table:copy.csv", list(guesses), list(game.secrets), cells, win)


@pytest.mark.parametrize(
    ("spec", "declared", "found"),
    [
        ("mastermind:3x3", "36", "36"),
        ("mastermind:4x3", "6 x 4!", "6 x 4!"),
        ("bulls:3x5", "6 x 5!", "6!"),
        ("blackpeg:3x3", "6^4", "6^4"),
        ("coins:6", "6!", "2 x 6!"),
        ("balance:5", "2 x 5!", "2 x 5!"),
    ],
)
def test_searches_say_what_is_declared_and_what_is_found(spec: str, declared: str, found: str) -> None:
    for game, words in ((parse(spec), declared), (as_table(spec), found)):
        solution = solve(game, "worst")
        assert solution.symmetry == words
        assert f"{words} renamings, " in solution._repr_html_()
        assert bounds(game, "worst").symmetry == words
        assert solve(game, "worst", symmetry=False).symmetry == ""


@pytest.mark.parametrize("make", [parse, as_table])
def test_kits_say_it_too(make: type) -> None:
    game = make("mastermind:3x3")
    assert least_kit(game).symmetry == staged_kit(game, 2).symmetry == "36"
    assert least_kit(game, symmetry=False).symmetry == ""


def test_a_large_table_says_what_was_found() -> None:
    """The known optimum of Mastermind, 5625 guesses, without anything declared."""
    solution = solve(as_table("mastermind:4x6"))
    assert (solution.symmetry, solution.upper, solution.optimal) == ("4! x 6!", (5625,), True)


def test_a_group_given_by_permutations_is_counted() -> None:
    cycle = [*range(1, 8), 0]
    assert Generated([(cycle, cycle)]).in_words == "8"
    assert Generated([(cycle, cycle), ([1, 0, *range(2, 8)],) * 2]).in_words == "8!"


def test_what_has_no_symmetry_says_nothing() -> None:
    rows = [list("aabbcb"), list("abbacc"), list("abcabc")]
    game = TableGame("table:few.csv", ["f", "g", "h"], list("uvwxyz"), rows, None)
    assert solve(game).symmetry == ""


def test_with_lies_only_the_worst_case_uses_it() -> None:
    game = parse("mastermind:2x2")
    assert solve(game, "worst", lies=1).symmetry == "4"
    assert solve(game, "expected", lies=1).symmetry == ""
