"""Codes without repetitions, with any code as a guess, and with holes that guesses leave empty."""

from itertools import permutations, product

import numpy as np
import pytest

from guesstree.engine.advice.position import Position
from guesstree.engine.errors import GameError, SpaceError
from guesstree.engine.oracle import best, front
from guesstree.engine.registry import families, parse
from guesstree.engine.search.solve import solve
from guesstree.trees.export.colours import EMPTY, NAMED, PALETTE, colour_of

RULES = {
    "mastermind": ("distinct", "distinct,any", "empty", "distinct,empty", "distinct,any,empty"),
    "blackpeg": ("distinct", "distinct,any", "empty", "distinct,empty", "distinct,any,empty"),
    "bulls": ("repeated", "any", "empty", "repeated,empty", "any,empty"),
}
SPECS = [
    f"{family}:{n}x{k},{rules}"
    for family, some in RULES.items()
    for rules in some
    for n, k in product((1, 2, 3), (1, 2, 3, 4))
    if n <= k or ("repeated" in rules if family == "bulls" else "distinct" not in rules)
]


def by_hand(guess: str, secret: str) -> tuple[int, int]:
    """Return black and white pegs by pairing the pegs that are not in place, one after another."""
    left = [s for g, s in zip(guess, secret, strict=True) if g != s]
    white = 0
    for g, s in zip(guess, secret, strict=True):
        if g != s and g in left:
            left.remove(g)
            white += 1
    return sum(map(str.__eq__, guess, secret)), white


@pytest.mark.parametrize("spec", SPECS)
def test_codes_and_responses_are_those_of_the_rules(spec: str) -> None:
    game = parse(spec)
    size, *rules = spec.partition(":")[2].split(",")
    n, k = map(int, size.split("x"))
    symbols = ("0123" if spec.startswith("bulls") else "1234")[:k]
    every = {"".join(code) for code in product(symbols, repeat=n)}
    different = {"".join(code) for code in permutations(symbols, n)}
    distinct = "repeated" not in rules if spec.startswith("bulls") else "distinct" in rules
    assert set(game.secrets) == (different if distinct else every)
    assert list(game.secrets) == sorted(game.secrets) and list(game.guesses) == sorted(game.guesses)
    asked = {"".join(code) for code in product(symbols + "_" * ("empty" in rules), repeat=n)}
    if distinct and "any" not in rules:
        asked = {code for code in asked if all(code.count(c) < 2 for c in symbols)}
    assert set(game.guesses) == asked
    seen, table = set(), game.table()
    for g, guess in enumerate(game.guesses):
        for s, secret in enumerate(game.secrets):
            black, white = by_hand(guess, secret)
            label = str(black) if spec.startswith("blackpeg") else f"{black},{white}"
            assert game.responses[table[g, s]] == label
            seen.add(label)
    assert seen == set(game.responses)
    assert game.responses[game.winning or 0].startswith(str(n))
    own = [game.secrets.index(label) if label in game.secrets else -1 for label in game.guesses]
    assert np.array_equal(game.own(), own)


@pytest.mark.parametrize("objective", ["expected", "worst"])
@pytest.mark.parametrize(
    "spec",
    [
        *("mastermind:2x2,empty", "mastermind:2x3,distinct,any", "mastermind:2x3,empty"),
        *("blackpeg:3x3,distinct", "blackpeg:3x3,distinct,any", "blackpeg:3x3,distinct,empty"),
        *("blackpeg:2x3,empty", "bulls:2x3,repeated", "bulls:2x3,any,empty"),
    ],
)
def test_optima_are_those_of_the_oracle(spec: str, objective: str) -> None:
    game = parse(spec)
    figures = ("total",) if objective == "expected" else ("worst",)
    assert solve(game, objective=objective).upper[0] == best(front(game, "win"), figures)[0]  # type: ignore[index]


@pytest.mark.parametrize(
    ("spec", "same"),
    [
        ("mastermind:3x6,distinct", "bulls:3x6"),  # AB(3,6) = 436
        ("mastermind:4x6,distinct", "bulls:4x6"),
        ("bulls:3x6,repeated", "mastermind:3x6"),
        ("blackpeg:4x4,distinct", "bulls:4x4"),  # whites are the others
        ("blackpeg:5x5,distinct", "bulls:5x5"),  # AB(5,5) = 535
    ],
)
def test_rules_under_two_names_have_the_same_optimum(spec: str, same: str) -> None:
    assert solve(spec).upper == solve(same).upper


def test_more_guesses_never_take_longer() -> None:
    for narrow, wide in (
        ("blackpeg:4x4,distinct", "blackpeg:4x4,distinct,any"),
        ("blackpeg:4x4,distinct", "blackpeg:4x4,distinct,empty"),
        ("blackpeg:4x4,distinct,any", "blackpeg:4x4,distinct,any,empty"),
        ("mastermind:3x4", "mastermind:3x4,empty"),
    ):
        assert solve(wide).upper <= solve(narrow).upper
    assert solve("blackpeg:4x4,distinct,any").upper < solve("blackpeg:4x4,distinct").upper


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mastermind:4x6,hole", "option 'hole'; expected distinct, any, empty"),
        ("mastermind:4x6,empty,empty", "option 'empty'; expected distinct, any, empty, each once"),
        ("mastermind:4x6,any", "expected distinct beside any"),
        ("blackpeg:4x3,distinct", "4 different ones out of 3 do not exist"),
        ("blackpeg:4x3,", "option ''; expected distinct"),
        ("bulls:4x3,any", "4 different ones out of 3 do not exist"),
        ("bulls:4x10,repeated,any", "expected any alone"),
        ("bulls:4x10,distinct", "option 'distinct'; expected repeated, any, empty"),
        ("bulls:25x10,repeated", "25 positions; expected at most 20"),
        ("mastermind:4x6,\u00e9\U0001f600", "expected distinct, any, empty"),
        ("mastermind:4,6", "did you mean 'mastermind:4x6'"),
    ],
)
def test_other_options_are_refused_in_a_line(spec: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        parse(spec)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_too_many_codes_are_refused_before_they_are_listed() -> None:
    for spec in ("mastermind:9x9,empty", "mastermind:9x9,distinct,any", "bulls:10x10,repeated"):
        with pytest.raises(SpaceError, match="GiB"):
            parse(spec).table()


def test_holes_are_typed_and_drawn_empty() -> None:
    game = parse("mastermind:4xRGBY,empty")
    for typed in ("RG__", "rg__", "r g _ _", "12__"):
        assert game.guesses[game.read_guess(typed)] == "RG__"
    assert colour_of(game.look, "_") == EMPTY
    assert colour_of(game.look, "R") == NAMED["R"]
    assert colour_of(parse("mastermind:2x3,empty").look, "1") == PALETTE[0]
    plain = parse("mastermind:2x3,empty")
    assert not plain.look.own_letters
    left = Position(plain, "1_:1,0").candidates
    assert [plain.secrets[i] for i in left.tolist()] == ["11", "12", "13"]


def test_every_option_that_is_offered_makes_a_game() -> None:
    offers = {family.name: family.offer for family in families() if family.name in RULES}
    for name, offer in offers.items():
        assert offer.options
        for option in offer.options:
            assert parse(f"{name}:2x3{option}").spec == f"{name}:2x3{option}"
